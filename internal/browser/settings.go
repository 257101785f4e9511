package browser

import (
	"context"

	"chela/internal/page"
)

// Change changes the settings of the tab: those of its page, and of each page
// that the tab is given later. Errors are those of [page.Page.Apply]; the
// settings are then as they were. It is called in a turn on the tab, so that two
// changes do not undo each other.
func (t *Tab) Change(ctx context.Context, change func(*page.Settings)) error {
	b := t.browser
	b.mu.Lock()
	p, settings := t.page, t.settings
	b.mu.Unlock()
	change(&settings)
	if err := p.Apply(ctx, settings); err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	t.settings = settings
	return nil
}

// Settings are those of the tab.
func (t *Tab) Settings() page.Settings {
	t.browser.mu.Lock()
	defer t.browser.mu.Unlock()
	return t.settings
}

// applySettings gives the tab's settings to a page that was made without them.
// That is one by which Chromium has replaced the tab's own, as it comes like a
// new tab: until it is known to be this one, it has the settings of the browser.
func (t *Tab) applySettings(ctx context.Context) error {
	b := t.browser
	b.mu.Lock()
	unapplied, p, settings := t.unapplied, t.page, t.settings
	b.mu.Unlock()
	if !unapplied {
		return nil
	}
	if err := p.Apply(ctx, settings); err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	t.unapplied = t.page != p
	return nil
}
