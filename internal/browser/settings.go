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

// applyTo gives a page the settings of the tab.
func (t *Tab) applyTo(ctx context.Context, p *page.Page) error {
	t.browser.mu.Lock()
	settings := t.settings
	t.browser.mu.Unlock()
	return p.Apply(ctx, settings)
}

// applyMissing gives the tab's page the settings of the tab if it was made
// without them. That is a page by which Chromium has replaced the tab's own: it
// comes like a new tab, and has the settings of the browser until it is known to
// be this tab's.
func (t *Tab) applyMissing(ctx context.Context) error {
	b := t.browser
	b.mu.Lock()
	unapplied, p := t.unapplied, t.page
	b.mu.Unlock()
	if !unapplied {
		return nil
	}
	if err := t.applyTo(ctx, p); err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	t.unapplied = t.page != p
	return nil
}
