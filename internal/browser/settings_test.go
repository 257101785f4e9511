package browser

import (
	"context"
	"encoding/json"
	"testing"

	"chela/internal/page"
)

func viewport(width, height int) page.Settings {
	return page.Settings{Viewport: page.Viewport{Width: width, Height: height}}
}

// size returns the width and height of a page's viewport, as WIDTHxHEIGHT.
func size(ctx context.Context, t *testing.T, p *page.Page) (size string) {
	t.Helper()
	err := p.Turn(ctx, func(ctx context.Context) error {
		raw, err := p.Evaluate(ctx, "innerWidth + 'x' + innerHeight", nil)
		if err == nil {
			err = json.Unmarshal(raw, &size)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return size
}

func open(ctx context.Context, t *testing.T, b *Browser) *Tab {
	t.Helper()
	tab, err := b.Open(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return tab
}

// Each page that a tab gets has the tab's settings: the first, that of the spare
// tab, those that come after a crash, and one by which Chromium replaces it.
func TestSettings(t *testing.T) {
	ctx, b := startWith(t, Options{Settings: viewport(700, 500)})
	expect := func(what string, tab *Tab, want string) {
		t.Helper()
		if got := size(ctx, t, tab.Page()); got != want {
			t.Errorf("%s: %s, want %s", what, got, want)
		}
	}
	spareTab(ctx, t, b)
	tab, other := open(ctx, t, b), open(ctx, t, b)
	expect("the spare tab", tab, "700x500")
	expect("another new tab", other, "700x500")

	if err := tab.Change(ctx, func(s *page.Settings) { *s = viewport(600, 400) }); err != nil {
		t.Fatal(err)
	}
	expect("changed", tab, "600x400")
	crash(ctx, t, tab.Page())
	if revived, err := tab.Revive(ctx); !revived || err != nil {
		t.Fatalf("revived %v, %v", revived, err)
	}
	expect("opened again", tab, "600x400")
	crash(ctx, t, tab.Page())
	if replaced, err := tab.Replace(ctx); !replaced || err != nil {
		t.Fatalf("replaced %v, %v", replaced, err)
	}
	expect("replaced", tab, "600x400")

	b.mu.Lock()
	tab.url, other.url = "http://one.test/", "http://one.test/"
	b.tabs.remove(tab)
	b.swaps = swaps{vanished: []*Tab{tab}, appeared: []*Tab{other}}
	b.mu.Unlock()
	found, err := b.Tab(ctx, tab.ID)
	if err != nil || found != tab || tab.Page() != other.page {
		t.Fatalf("found %v, %v", found, err)
	}
	for range 2 {
		if revived, err := tab.Revive(ctx); revived || err != nil {
			t.Fatalf("revived %v, %v", revived, err)
		}
		expect("replaced by Chromium", tab, "600x400")
	}
}

// What a page opens has the settings of the browser, as a new tab has.
func TestSettingsOfPopups(t *testing.T) {
	ctx, b := startWith(t, Options{Settings: viewport(700, 500)})
	tab := open(ctx, t, b)
	err := tab.Page().Turn(ctx, func(ctx context.Context) error {
		tab.CountPopups()
		_, err := tab.Page().Evaluate(ctx, "void open('about:blank')", nil)
		return err
	})
	popups, _ := tab.Popups(ctx, []string{"about:blank"})
	if err != nil || len(popups) != 1 {
		t.Fatalf("%d popups, %v", len(popups), err)
	}
	if got := size(ctx, t, popups[0].Page()); got != "700x500" {
		t.Errorf("its popup: %s", got)
	}
}
