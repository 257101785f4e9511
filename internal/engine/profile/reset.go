package profile

import (
	"context"
	"errors"
	"path/filepath"

	"chela/internal/engine/browser"
	"chela/internal/engine/chrome"
)

// Reset ends the browser of a profile and moves its user data, with all logins, to the trash. The
// next browser then begins with empty data. It also ends a browser that somebody else has started
// on the data. The results are the path where the data were, and their path in the trash; "" if
// there were none.
//
// For a remote profile, the error is a [*RemoteError]. If the process that uses the data may not be
// a browser, it is a [*chrome.LockedError]. If another program has the debugging port that the
// browser opens, it is a [*PortError]. In these cases, only chela's own browser may have been
// ended. If unlessTaken is true and a person has taken over a tab, nothing is done, and the error is
// a [*page.TakenError]. Other errors come from [Profile.Stop] and the file system.
func (p *Profile) Reset(ctx context.Context, unlessTaken bool) (from, to string, err error) {
	s := p.Setup()
	from = p.userData()
	if !s.Local() {
		return "", "", &RemoteError{p.Name}
	}
	err = p.withoutBrowser(ctx, unlessTaken, func() error {
		c, _, err := p.take(ctx, s, browser.Memory{})
		if err != nil {
			return err
		}
		defer c.abort(nil)
		if err := p.endHolder(ctx, s); err != nil {
			return err
		}
		to, err = p.trash().take(p.Name, from, filepath.Base(from))
		if err = errors.Join(err, c.erase(ctx)); err != nil {
			return err
		}
		return p.resetSession()
	})
	return from, to, err
}

// resetSession keeps only [browser.Memory.Fresh] in the session file.
func (p *Profile) resetSession() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.session.reset(p.memory.Fresh())
}

// withoutBrowser stops the browser and runs fn. Until fn returns, no browser is started: calls that
// need one wait. Errors come from [Profile.Stop] and from fn.
func (p *Profile) withoutBrowser(ctx context.Context, unlessTaken bool, fn func() error) error {
	if _, err := p.endStart(ctx); err != nil {
		return err
	}
	if err := p.exclusive.Lock(ctx); err != nil {
		return err
	}
	defer p.exclusive.Unlock()
	if _, err := p.stopRunning(ctx, Stopping{Forget: true, UnlessTaken: unlessTaken}); err != nil {
		return err
	}
	if err := p.awaitGone(ctx); err != nil {
		return err
	}
	if err := fn(); err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.restored, p.failures = nil, failures{}
	p.memory, p.lost = p.memory.Fresh(), false
	return nil
}

// endHolder ends a browser that chela has not started and that uses the profile's data, see Reset.
// It then checks the debugging port. If chela only connects to the profile's browser, the port
// belongs to another program's browser, and may be in use.
func (p *Profile) endHolder(ctx context.Context, s Setup) error {
	if _, err := chrome.EndHolder(ctx, p.userData()); err != nil {
		return err
	}
	if !s.Launched() {
		return nil
	}
	return s.checkPort()
}

// Holder returns a [*chrome.LockedError] if a browser that chela has not started uses the profile's
// data. Other errors come from the file system.
func (p *Profile) Holder() error {
	if p.Running() != nil {
		return nil
	}
	return chrome.Holder(p.userData())
}

// EndHolder ends a browser that chela has not started and that uses the profile's data. If chela is
// starting one, it waits until that is done. Errors come from [chrome.EndHolder].
func (p *Profile) EndHolder(ctx context.Context) error {
	if err := p.exclusive.Lock(ctx); err != nil {
		return err
	}
	defer p.exclusive.Unlock()
	if p.Running() != nil {
		return nil
	}
	_, err := chrome.EndHolder(ctx, p.userData())
	return err
}

func (p *Profile) userData() string { return p.config.State().UserData(p.Name) }
