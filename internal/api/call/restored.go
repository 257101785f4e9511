package call

import (
	"context"
	"fmt"
	"strings"
	"time"

	"chela/internal/engine/profile"
	"chela/internal/op"
)

// Restored says what this server has taken over from a server that was killed. It is in the list of
// tabs and in the status until an answer about a tab has contained it. After that, the caller who
// uses the restored tabs knows of it.
type Restored struct {
	Restored *restoration `json:"restored,omitempty" doc:"what this server restored after the previous server was killed; only in the first answers"`
}

// A restoration describes the tabs that a server has taken over from one that was killed.
type restoration struct {
	Tabs     []op.Handle `json:"tabs" doc:"handles of the restored tabs; each opens its address when it is used first"`
	Cookies  int         `json:"cookies" doc:"how many cookies were restored, including those of isolated sessions"`
	Settings bool        `json:"settings" doc:"the browser's settings were restored, such as an emulated time zone"`
	SavedAt  string      `json:"savedAt" doc:"when the restored data was saved last; cookies may be 2 s older"`
}

// restoredOf converts a restoration to the form of answers. Nil means that nothing was restored.
func restoredOf(r *profile.Restored) Restored {
	if r == nil {
		return Restored{}
	}
	return Restored{&restoration{op.Handles(r.Tabs), r.Cookies, r.Settings, r.Saved.UTC().Format(time.RFC3339)}}
}

// TakeRestored returns what was restored of a profile, once. For an unknown profile it returns
// nothing, since the call itself reports that error.
func (s *Service) TakeRestored(ctx context.Context, in InProfile) Restored {
	p, err := s.Profiles.Named(in.Profile)
	if err != nil || s.Limited(ctx) {
		return Restored{}
	}
	return restoredOf(p.TakeRestored())
}

// Restored returns what was restored of a profile, and not reported yet. A limited session does not
// learn which tabs others have. Without a server nothing is restored yet.
func (s *Service) Restored(ctx context.Context, p *profile.Profile) Restored {
	if s.alone || s.Limited(ctx) {
		return Restored{}
	}
	return restoredOf(p.Restored())
}

// InWords returns the sentence about a restoration that a person or a model reads.
func (r Restored) InWords() string {
	if r.Restored == nil {
		return ""
	}
	var all []string
	if tabs := r.Restored.Tabs; len(tabs) > 0 {
		all = append(all, "tabs "+op.JoinHandles(tabs, ", "))
	}
	if n := r.Restored.Cookies; n > 0 {
		all = append(all, fmt.Sprintf("%d cookies", n))
	}
	if r.Restored.Settings {
		all = append(all, "settings")
	}
	return "the last server was killed; restored: " + strings.Join(all, "; ")
}
