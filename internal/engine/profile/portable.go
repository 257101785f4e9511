package profile

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"

	"chela/internal/base/config"
	"chela/internal/engine/browser"
)

// A portable profile can move between machines: when one machine ends, another goes on with the
// tabs. The machines share a [Keeper], which stores what the last machine has left. Only one of
// them has the profile at a time. That machine takes the profile before it starts the browser
// (take.go). While the browser runs, the machine saves what has changed, and it releases the
// profile at the end (carrier.go).

// A Keeper stores portable profiles for several machines.
type Keeper interface {
	// Take makes this machine the one that has a profile, and returns what the last one has left.
	// The error is an [*ElsewhereError] if another machine has it. With of.Again, it is [ErrNotHeld]
	// if another machine has had it last, and nothing changes.
	Take(ctx context.Context, of Local) (Taken, error)
}

// A Local is what this machine knows of a portable profile.
type Local struct {
	Profile    string
	Holder     string    // identifies the state directory
	Generation uint64    // number of the take (see Taken) when this machine last had the profile; 0: it never had it
	Again      bool      // take the profile only if the result would be Same, and wait for no other machine
	Stop       *Stopping // a stop here that the saved content does not show; nil: none
}

// A Taken is a profile that this machine has now.
type Taken struct {
	Holding
	Generation uint64 // higher than that of any earlier take by any machine
	Same       bool   // no other machine has had the profile since this machine had it last
	Content    []byte // the content that was saved last; nil: nothing was saved
}

// A Holding is what this machine may do with a profile that it has.
type Holding interface {
	// Save saves the content of the profile. The error is [ErrNotHeld] if another machine has it.
	Save(ctx context.Context, content []byte) error

	// Lost is closed when another machine may have the profile.
	Lost() <-chan struct{}

	// Release gives the profile back. It is called once, at the end.
	Release(ctx context.Context) error
}

// ErrNotHeld says that this machine does not have a portable profile any more.
var ErrNotHeld = errors.New("another machine has the profile")

// An ElsewhereError says that another machine of the fleet has a portable profile.
type ElsewhereError struct{ Profile, Node string }

func (e *ElsewhereError) Error() string {
	return fmt.Sprintf("profile %s is on node %s", e.Profile, e.Node)
}

// A NotKeptError says that this server is not a node, so it cannot run a portable profile.
type NotKeptError struct{ Profile string }

func (e *NotKeptError) Error() string {
	return fmt.Sprintf("profile %s moves between the nodes of a fleet, and this server is none", e.Profile)
}

// A TakeError says why this machine could not take a portable profile from the [Keeper].
type TakeError struct {
	Profile string
	Err     error
}

func (e *TakeError) Error() string { return fmt.Sprintf("take profile %s: %v", e.Profile, e.Err) }

// Unwrap returns the error of the [Keeper].
func (e *TakeError) Unwrap() error { return e.Err }

// KeepBy gives portable profiles their keeper. Without one they do not run.
func (m *Manager) KeepBy(k Keeper) { m.keeper.Store(&k) }

// Portable lists the portable profiles of the configuration.
func (m *Manager) Portable() []string { return m.config.Current().Browser.PortableProfiles() }

// Leave stops the browser of a portable profile, so that another machine can go on with its tabs.
// Errors come from [Profile.Stop].
func (p *Profile) Leave(ctx context.Context) error {
	_, err := p.Stop(ctx, Stopping{leave: true})
	return err
}

// portableFile is a file in the folder of a portable profile. It says which generation of the profile
// this machine has had last, see [savedLocal].
const portableFile = "portable.json"

// A savedLocal is the content of portableFile: the fields of [Local] that outlive the server.
type savedLocal struct {
	Version    int       `json:"version"` // see [config.StateVersion]
	Holder     string    `json:"holder"`
	Generation uint64    `json:"generation"`
	Stop       *Stopping `json:"stop,omitempty"`
}

// local returns what this machine knows of the profile. The error is a [*config.NewerError], or
// comes from the file system.
func (p *Profile) local() (Local, error) {
	path := p.config.State().ProfileFile(p.Name, portableFile)
	l := savedLocal{}
	raw, err := config.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(raw, &l)
	}
	if newer := config.CheckVersion(path, l.Version); newer != nil {
		return Local{}, newer
	}
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		slog.Warn("what this machine knows of a portable profile cannot be read: it is taken as another machine would", "profile", p.Name, "file", path, "error", err)
		l = savedLocal{}
	}
	return Local{Profile: p.Name, Holder: l.Holder, Generation: l.Generation, Stop: l.Stop}, nil
}

func (p *Profile) saveLocal(l Local) error {
	raw, err := json.Marshal(savedLocal{config.StateVersion, l.Holder, l.Generation, l.Stop})
	if err != nil {
		return err
	}
	return p.config.State().WriteProfileFile(p.Name, portableFile, raw, config.PastPowerLoss)
}

// A carried is the content of a portable profile.
type carried struct {
	Version int `json:"version"` // see [config.StateVersion]
	browser.Portable
	Hosts map[string][]string `json:"hosts,omitempty"` // the only hosts that sessions with tabs may open
}

func readCarried(raw []byte) (c carried, err error) {
	if raw == nil {
		return c, nil
	}
	err = json.Unmarshal(raw, &c)
	if newer := config.CheckVersion("what was kept of the profile", c.Version); newer != nil {
		return c, newer
	}
	c.Memory.Clean()
	return c, err
}
