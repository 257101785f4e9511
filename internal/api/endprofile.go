package api

import (
	"context"
	"fmt"

	"chela/internal/api/call"
	"chela/internal/engine/profile"
	"chela/internal/op"
)

// A deleteRequest names the profile to delete.
type deleteRequest struct {
	Name string `json:"name" doc:"name of the profile"`
	op.Timeout
}

// Check answers with OpenClaw's message.
func (r deleteRequest) Check() error {
	if !profile.ValidName(r.Name) {
		return op.Errorf(op.Invalid, "invalid profile name").Hinted("list the profiles")
	}
	return nil
}

// deleteResult says whether there were data of the profile.
type deleteResult struct {
	OK      bool   `json:"ok" doc:"always true"`
	Profile string `json:"profile" doc:"name of the profile"`
	Deleted bool   `json:"deleted" doc:"the profile had data, which is now in the trash of the state directory; the trash keeps the newest ten"`
}

// Terminal returns the text for the command line, as OpenClaw writes it.
func (r deleteResult) Terminal() string {
	if r.Deleted {
		return fmt.Sprintf("Deleted profile %q (user data removed)", r.Profile)
	}
	return fmt.Sprintf("Deleted profile %q (user data removal not confirmed)", r.Profile)
}

// deleteProfile also ends a trace and the videos of the profile, because its browser ends. They
// leave no files.
func deleteProfile(ctx context.Context, s *call.Service, r deleteRequest) (deleteResult, error) {
	name, moved, err := s.Profiles.Delete(ctx, r.Name, call.ByAgent(ctx))
	if err != nil {
		return deleteResult{}, err
	}
	s.DiscardRecords(name)
	s.EndPrograms(name)
	s.Recorders.Forget(name)
	return deleteResult{true, name, moved}, nil
}

// A resetRequest is about one profile.
type resetRequest struct {
	call.InProfile
	op.Timeout
}

// resetResult says where the data of a profile are now.
type resetResult struct {
	OK      bool   `json:"ok" doc:"always true"`
	Profile string `json:"profile" doc:"name of the profile"`
	Moved   bool   `json:"moved" doc:"the profile had data, which was moved"`
	From    string `json:"from" doc:"folder that had the data"`
	To      string `json:"to,omitempty" doc:"folder in the trash that has the data now; the trash keeps the newest ten"`
}

// Terminal returns the text for the command line, as OpenClaw writes it.
func (r resetResult) Terminal() string {
	if !r.Moved {
		return "browser profile already missing."
	}
	return "browser profile moved to Trash (" + r.To + ")"
}

// resetProfile also ends a trace and the videos of the profile, because its browser ends. They
// leave no files.
func resetProfile(ctx context.Context, s *call.Service, r resetRequest) (resetResult, error) {
	p, err := s.Profiles.Named(r.Profile)
	if err != nil {
		return resetResult{}, err
	}
	from, to, err := p.Reset(ctx, call.ByAgent(ctx))
	if err != nil {
		return resetResult{}, err
	}
	s.DiscardRecords(p.Name)
	return resetResult{OK: true, Profile: p.Name, Moved: to != "", From: from, To: to}, nil
}
