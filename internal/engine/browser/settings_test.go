package browser

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"

	"chela/internal/engine/page"
	"chela/internal/engine/setting"
)

func viewport(width, height int) setting.Viewport {
	return setting.Viewport{Width: width, Height: height}
}

const (
	size = "innerWidth + 'x' + innerHeight"
	zone = "Intl.DateTimeFormat().resolvedOptions().timeZone"
)

// value returns the value of an expression in a page, which is a string.
func value(ctx context.Context, t *testing.T, p *page.Page, expression string) (value string) {
	t.Helper()
	err := p.Turn(ctx, func(ctx context.Context) error {
		raw, _, err := p.Evaluate(ctx, expression, nil)
		if err == nil {
			err = json.Unmarshal(raw, &value)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return value
}

func open(ctx context.Context, t *testing.T, b *Browser) *Tab {
	t.Helper()
	tab, err := b.Session("").Open(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return tab
}

func setZone(ctx context.Context, t *Tab, zone string) error {
	return t.Set(ctx, func(c *setting.Common) error { c.Timezone = zone; return nil })
}

// Each page that a tab gets has the settings of the tab and of the browser. That holds for the
// first page, the spare tab's page, pages after a crash, and a page with which Chromium replaces
// another.
func TestSettings(t *testing.T) {
	const tokyo, rome = "Asia/Tokyo", "Europe/Rome"
	ctx, b := startWith(t, Options{Memory: Memory{Settings: setting.Common{Timezone: tokyo}}})
	expect := func(what string, tab *Tab, wantSize, wantZone string) {
		t.Helper()
		if got := value(ctx, t, tab.Page(), size); wantSize != "" && got != wantSize {
			t.Errorf("%s: %s, want %s", what, got, wantSize)
		}
		if got := value(ctx, t, tab.Page(), zone); got != wantZone {
			t.Errorf("%s: %s, want %s", what, got, wantZone)
		}
	}
	spareTab(ctx, t, b)
	tab, other := open(ctx, t, b), open(ctx, t, b)
	expect("the spare tab", tab, "", tokyo)
	expect("another new tab", other, "", tokyo)

	if err := tab.Resize(ctx, viewport(600, 400)); err != nil {
		t.Fatal(err)
	}
	if err := setZone(ctx, tab, rome); err != nil {
		t.Fatal(err)
	}
	expect("changed", tab, "600x400", rome)
	expect("changed by another tab", other, "", rome)
	if refused, ok := errors.AsType[*setting.RefusedError](setZone(ctx, tab, "Mars/X")); !ok || refused.Setting != "Timezone" || refused.Value != "Mars/X" {
		t.Errorf("a time zone that there is not: %v", refused)
	}
	expect("refused", tab, "600x400", rome)
	crash(ctx, t, tab.Page())
	if revived, err := tab.Revive(ctx); !revived || err != nil {
		t.Fatalf("revived %v, %v", revived, err)
	}
	expect("opened again", tab, "600x400", rome)
	crash(ctx, t, tab.Page())
	if replaced, err := tab.Replace(ctx); !replaced || err != nil {
		t.Fatalf("replaced %v, %v", replaced, err)
	}
	expect("replaced", tab, "600x400", rome)
	if got := b.memory().Settings.Timezone; got != rome {
		t.Errorf("the next browser would have %s", got)
	}

	b.mu.Lock()
	tab.url, other.url = "http://one.test/", "http://one.test/"
	b.tabs.remove(tab)
	b.swaps = swaps{vanished: []*Tab{tab}, appeared: []*Tab{other}}
	b.mu.Unlock()
	found, err := b.Session("").Tab(ctx, tab.ID)
	if err != nil || found != tab || tab.Page() != other.page {
		t.Fatalf("found %v, %v", found, err)
	}
	for range 2 {
		if revived, err := tab.Revive(ctx); revived || err != nil {
			t.Fatalf("revived %v, %v", revived, err)
		}
		expect("replaced by Chromium", tab, "600x400", rome)
	}
}

// A page that a page opens has the settings of the browser, like a new tab. It is in the process of
// its opener, and keeps that process's time zone when the opener closes.
func TestSettingsOfPopups(t *testing.T) {
	ctx, b := startWith(t, Options{})
	tab := open(ctx, t, b)
	if err := setZone(ctx, tab, "Asia/Tokyo"); err != nil {
		t.Fatal(err)
	}
	err := tab.Page().Turn(ctx, func(ctx context.Context) error {
		tab.BeginAct()
		_, _, err := tab.Page().Evaluate(ctx, "void open('about:blank')", nil)
		return err
	})
	popups, _ := tab.Popups(ctx, nil, []string{"about:blank"})
	if err != nil || len(popups) != 1 {
		t.Fatalf("%d popups, %v", len(popups), err)
	}
	popup := popups[0]
	if got := value(ctx, t, popup.Page(), zone); got != "Asia/Tokyo" {
		t.Errorf("the popup: %s", got)
	}
	if err := setZone(ctx, popup, "Europe/Rome"); err != nil {
		t.Fatal(err)
	}
	for name, p := range map[string]*page.Page{"the popup": popup.Page(), "the opener": tab.Page()} {
		if got := value(ctx, t, p, zone); got != "Europe/Rome" {
			t.Errorf("%s, changed: %s", name, got)
		}
	}
	for name, of := range map[string]*Tab{"the popup": popup, "the opener": tab} {
		refused, ok := errors.AsType[*setting.RefusedError](setZone(ctx, of, "Mars/X"))
		if got := value(ctx, t, popup.Page(), zone); !ok || !refused.Invalid() || got != "Europe/Rome" || b.Settings().Timezone != got {
			t.Errorf("a time zone that there is not, set on %s: %v, now %s", name, refused, got)
		}
	}
	if err := tab.Close(ctx); err != nil {
		t.Fatal(err)
	}
	if got := value(ctx, t, popup.Page(), zone); got != "Europe/Rome" {
		t.Errorf("without its opener: %s", got)
	}
}

// A session whose browser context is made while settings are changed gets them as well.
func TestSettingsOfANewBrowserContext(t *testing.T) {
	ctx, b := start(t)
	site := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(site.Close)
	after := b.Settings()
	after.Geolocation = &setting.Geolocation{Latitude: 1, Longitude: 2, Accuracy: 3, Origins: []string{site.URL}}
	if err := b.setBrowser(after)(ctx); err != nil {
		t.Fatal(err)
	}
	session := b.Session("a")
	session.Isolate()
	tab, err := session.Open(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.setOthers(ctx, after); err != nil {
		t.Fatal(err)
	}
	p := tab.Page()
	if err := p.Turn(ctx, func(ctx context.Context) error { return p.Navigate(ctx, site.URL) }); err != nil {
		t.Fatal(err)
	}
	if got := value(ctx, t, p, "navigator.permissions.query({name: 'geolocation'}).then(p => p.state)"); got != "granted" {
		t.Errorf("the position is %s", got)
	}
}
