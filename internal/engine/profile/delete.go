package profile

import (
	"context"
	"fmt"
	"os"
	"reflect"

	"chela/internal/base/config"
	"chela/internal/engine/browser"
	"chela/internal/engine/chrome"
)

// A ChangedError says that the settings of a profile have changed while it was being deleted.
type ChangedError struct{ Name string }

func (e *ChangedError) Error() string {
	return fmt.Sprintf("profile %q changed while deletion was pending; retry the delete request", e.Name)
}

// A DefaultError says that a profile cannot be deleted as it is the default one.
type DefaultError struct{ Name string } // the name that the caller gave

func (e *DefaultError) Error() string { return fmt.Sprintf("profile %q is the default one", e.Name) }

// An AbsentError says that a profile cannot be deleted, because the configuration has no profile of
// this name. It is also the error for a profile that always exists, if the configuration has no
// settings for it.
type AbsentError struct{ Name string }

func (e *AbsentError) Error() string {
	return fmt.Sprintf("the configuration has no profile %q", e.Name)
}

// Delete stops the browser of a profile, and removes the profile from the configuration. It moves
// the profile's folder to the trash. The name may be an alias, and own is the profile's own name. The
// result moved is false if the folder had no data of a browser.
//
// It also ends a browser that somebody else has started on the profile's data. If another program
// has the debugging port, the profile is still deleted: the port may belong to the browser that
// chela was attached to.
//
// The manager keeps the [Profile], of whose memory only the newest handle stays: a call may still wait
// with it. Beside another one for a new profile of this name, it would use the same folder.
//
// If unlessTaken is true and a person has taken over a tab, nothing is done, and the error is a
// [*page.TakenError].
//
// Other errors are a [*DefaultError], an [*AbsentError], a [*ChangedError] and a
// [*chrome.LockedError], or come from [Profile.Stop]. If the error comes from
// [config.Live.RemoveProfile], the browser was stopped, and nothing else was done.
func (m *Manager) Delete(ctx context.Context, name string, unlessTaken bool) (own string, moved bool, err error) {
	c := m.config.Current()
	own = c.Browser.ProfileName(name)
	settings, configured := c.Browser.Profiles[own]
	switch {
	case own == c.Browser.ProfileName(""):
		return own, false, &DefaultError{name}
	case !configured:
		return own, false, &AbsentError{name}
	}
	p, err := m.Named(own)
	if err != nil {
		return own, false, err
	}
	s := p.Setup()
	err = p.withoutBrowser(ctx, unlessTaken, func() error {
		if s.Local() {
			if _, err := chrome.EndHolder(ctx, p.userData()); err != nil {
				return err
			}
		}
		if err := m.remove(own, settings); err != nil {
			return err
		}
		_, none := os.Stat(p.userData()) // the folder may have nothing but the records of calls
		to, err := p.trash().take(own, p.config.State().ProfileFolder(own), "")
		moved = to != "" && none == nil && s.Local()
		p.mu.Lock()
		defer p.mu.Unlock()
		p.memory = browser.Memory{LastTab: p.memory.LastTab}
		return err
	})
	return own, moved, err
}

// remove takes a profile out of the configuration, if its settings have not changed meanwhile.
func (m *Manager) remove(name string, settings config.Profile) error {
	m.changing.Lock()
	defer m.changing.Unlock()
	if !reflect.DeepEqual(m.config.Current().Browser.Profiles[name], settings) {
		return &ChangedError{name}
	}
	return m.config.RemoveProfile(name)
}
