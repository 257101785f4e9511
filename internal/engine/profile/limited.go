package profile

import "chela/internal/engine/browser"

// CheckLimited returns [browser.ErrUnlimited] if a session that may open only some hosts cannot use
// the profile. That is so if chela does not start the browser, which then has no proxy that checks
// the hosts.
func (p *Profile) CheckLimited() error {
	if !p.Setup().Launched() {
		return browser.ErrUnlimited
	}
	return nil
}
