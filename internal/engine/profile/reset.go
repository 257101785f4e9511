package profile

import (
	"context"
	"path/filepath"

	"chela/internal/engine/browser"
	"chela/internal/engine/chrome"
)

// Reset ends the browser of a profile and moves its user data away, with all logins. So the next
// browser begins as a new one. From is where the data was, and to where it is now; to is "" if
// there was none. Reset also ends a browser that somebody else has started on the data.
//
// The error is a [*RemoteError] for a remote profile. It is a [*chrome.LockedError] if it is not
// certain that the process that uses the data is a browser. It is a [*PortError] if another program
// has the debugging port that the browser is to open. After these, nothing was ended but our own
// browser. Others come from [Profile.Stop] and the file system.
func (p *Profile) Reset(ctx context.Context) (from, to string, err error) {
	s := p.Setup()
	from = p.userData()
	if !s.Local() {
		return "", "", &RemoteError{p.Name}
	}
	err = p.withoutBrowser(ctx, func() error {
		if err := p.endHolder(ctx, s); err != nil {
			return err
		}
		to, err = p.trash().take(p.Name, from, filepath.Base(from))
		return err
	})
	return from, to, err
}

// withoutBrowser stops the browser and runs fn. No browser is started meanwhile: calls that want
// one wait. Errors come from [Profile.Stop] and from fn.
func (p *Profile) withoutBrowser(ctx context.Context, fn func() error) error {
	if err := p.lockExclusive(ctx); err != nil {
		return err
	}
	defer p.unlockExclusive()
	if _, err := p.stopRunning(ctx, true); err != nil {
		return err
	}
	if err := fn(); err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.restored, p.failures = nil, failures{}
	return p.keepMemoryLocked(browser.Memory{}, false)
}

// endHolder ends a browser that uses the profile's data and is not ours, see Reset. If a profile is
// only attached to, its port belongs to another program's browser, and may be in use.
func (p *Profile) endHolder(ctx context.Context, s Setup) error {
	if _, err := chrome.EndHolder(ctx, p.userData()); err != nil {
		return err
	}
	if !s.Launched() {
		return nil
	}
	return s.checkPort()
}

// Holder returns a [*chrome.LockedError] if a browser that is not ours uses the profile's data.
// Other errors come from the file system.
func (p *Profile) Holder() error {
	if p.Running() != nil {
		return nil
	}
	return chrome.Holder(p.userData())
}

// EndHolder ends a browser that uses the profile's data and is not ours. It waits for a browser of
// ours that starts meanwhile. Errors come from [chrome.EndHolder].
func (p *Profile) EndHolder(ctx context.Context) error {
	if err := p.lockExclusive(ctx); err != nil {
		return err
	}
	defer p.unlockExclusive()
	if p.Running() != nil {
		return nil
	}
	_, err := chrome.EndHolder(ctx, p.userData())
	return err
}

func (p *Profile) userData() string { return p.config.State().UserData(p.Name) }

func (p *Profile) trash() trash { return trash{filepath.Join(p.config.State().Dir, "trash")} }
