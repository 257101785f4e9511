package profile

import (
	"context"
	"path/filepath"

	"chela/internal/engine/browser"
	"chela/internal/engine/chrome"
)

// Reset ends the browser of a profile and moves its user data away, with all logins, so that the
// next browser begins as a new one. From is where they were, and to where they are now; "" if there
// were none. A browser that somebody else has started on them is ended, too.
//
// Errors are a [*RemoteError]; a [*chrome.LockedError] if it is not certain that the process that
// uses the data is a browser, and a [*PortError] if another program has the debugging port that the
// browser is to open: then nothing was ended but our own browser. Others are those of
// [Profile.Stop] and of the file system.
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
// one wait. Errors are those of [Profile.Stop], and that of fn.
func (p *Profile) withoutBrowser(ctx context.Context, fn func() error) error {
	if err := p.takeAlone(ctx); err != nil {
		return err
	}
	defer p.leaveAlone()
	if _, err := p.stopRunning(ctx, true); err != nil {
		return err
	}
	if err := fn(); err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.restored, p.failures = nil, failures{}
	return p.leaveLocked(browser.Memory{}, false)
}

// endHolder ends a browser that uses the profile's data and is not ours, see Reset. The port of a
// profile that is only attached to is that of another program's browser, and may be in use.
func (p *Profile) endHolder(ctx context.Context, s Setup) error {
	if _, err := chrome.EndHolder(ctx, p.userData()); err != nil {
		return err
	}
	if !s.Launched() {
		return nil
	}
	return s.checkPort()
}

// Holder returns a [*chrome.LockedError] if a browser that is not ours uses the profile's data; other
// errors are those of the file system.
func (p *Profile) Holder() error {
	if p.Running() != nil {
		return nil
	}
	return chrome.Holder(p.userData())
}

// EndHolder ends a browser that uses the profile's data and is not ours. A browser of ours that starts
// meanwhile is waited for. Errors are those of [chrome.EndHolder].
func (p *Profile) EndHolder(ctx context.Context) error {
	if err := p.takeAlone(ctx); err != nil {
		return err
	}
	defer p.leaveAlone()
	if p.Running() != nil {
		return nil
	}
	_, err := chrome.EndHolder(ctx, p.userData())
	return err
}

func (p *Profile) userData() string { return p.config.State().UserData(p.Name) }

func (p *Profile) trash() trash { return trash{filepath.Join(p.config.State().Dir, "trash")} }
