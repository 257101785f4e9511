package call

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"strings"

	"chela/internal/base/media"
	"chela/internal/engine/profile"
	"chela/internal/fleet/roster"
	"chela/internal/op"
)

// This file has the methods by which package fleet uses the service of this machine. Some are for
// calls that go to nodes, and some for calls that come from other machines.

// SetFleet gives the service the nodes that it shows, and where NATS is. It is called before the
// first call.
func (s *Service) SetFleet(r *roster.Roster, at string) { s.roster, s.fleetAt = r, at }

// Fleet returns what SetFleet has set; nil and "" if there is no fleet.
func (s *Service) Fleet() (r *roster.Roster, at string) { return s.roster, s.fleetAt }

// maxInput is the largest [op.Input] that is sent to a node, in bytes.
const maxInput = 64 << 20

// Given opens a file that is named in the arguments of a call. The rules for uploads decide whether
// the file may be read. Given also returns the name by which a page sees the file, and its size.
func (s *Service) Given(given op.Given) (content io.ReadCloser, name string, size int64, err error) {
	if given.Input {
		raw, err := s.Files.Input(given.Path, maxInput)
		return io.NopCloser(bytes.NewReader(raw)), "input", int64(len(raw)), ExplainPath(err)
	}
	f, err := s.Files.Upload(given.Path)
	if err != nil {
		return nil, "", 0, ExplainPath(err)
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, "", 0, err
	}
	return f, media.SuggestedName(info.Name()), info.Size(), nil
}

// Keep saves a file that came from another machine, and returns its path.
func (s *Service) Keep(name string, write func(io.Writer) error) (path string, err error) {
	path, err = s.Files.Keep(media.SuggestedName(name), write)
	return path, Explain(err)
}

// Place checks where a caller wants a file to be saved.
func (s *Service) Place(at op.Saving) (media.Place, error) {
	check := s.Files.Download
	if at.Record {
		check = s.Files.Record
	}
	p, err := check(at.Path)
	return p, ExplainPath(err)
}

// TabOwners returns the number of tabs of each session. The key "" stands for tabs without a
// session.
func (s *Service) TabOwners() map[string]int {
	owners := map[string]int{}
	for _, b := range s.Profiles.Running() {
		for key, n := range b.TabOwners() {
			owners[key] += n
		}
	}
	return owners
}

// KeepWarm starts the browsers that most calls need, before a call needs them. These are the
// browser of the default profile and the one that renders pages. Each keeps n empty tabs ready.
func (s *Service) KeepWarm(n int) { s.Profiles.KeepWarm(n) }

// Warm returns how many empty tabs are ready in the browsers that KeepWarm starts.
func (s *Service) Warm() int { return s.Profiles.Warm() }

// KeepBy sets the [profile.Keeper] that stores portable profiles. Without one, their browsers
// cannot be started.
func (s *Service) KeepBy(k profile.Keeper) { s.Profiles.KeepBy(k) }

// Portable lists the profiles that may move to other machines.
func (s *Service) Portable() []string { return s.Profiles.Portable() }

// Leave ends the browser of a portable profile, so that another machine can go on with its tabs.
func (s *Service) Leave(ctx context.Context, name string) error {
	p, err := s.Profiles.Named(name)
	if err != nil {
		return err
	}
	return p.Leave(ctx)
}

// CheckStart returns why a browser cannot start: the browser of the default profile, or the one
// that renders pages. It is nil if they can, as far as is known without starting them. The error
// has one line.
func (s *Service) CheckStart(ctx context.Context) error {
	c := s.Config.Current()
	if err := enabled(c); err != nil {
		return err
	}
	p, err := s.Profiles.Named("")
	if err != nil {
		return err
	}
	if !p.Setup().Launched() {
		return nil
	}
	if st := s.StatusOf(ctx, p); st.Executable == nil && st.DetectError != nil {
		return firstLine(errors.New(*st.DetectError))
	}
	return firstLine(cmp.Or(p.LastFailure(), s.Profiles.Renderer().LastFailure()))
}

// Retry starts the browsers again whose last start failed. CheckStart says whether that succeeded.
func (s *Service) Retry(ctx context.Context) {
	if p, err := s.Profiles.Named(""); err == nil && p.LastFailure() != nil {
		p.Browser(ctx)
	}
	if s.Profiles.Renderer().LastFailure() != nil {
		s.Renderer.Start(ctx)
	}
}

// firstLine returns the error without its further lines, which may have the output of the browser.
func firstLine(err error) error {
	if err == nil {
		return nil
	}
	line, _, _ := strings.Cut(err.Error(), "\n")
	return errors.New(line)
}
