package browser

import (
	"context"
	"testing"

	"chela/internal/base/sitedata"
	"chela/internal/engine/page"
)

// Session cookies stay when the last tab is closed, whether a caller's or a hidden one.
func TestSessionCookiesOutliveTheLastTab(t *testing.T) {
	for name, last := range map[string]func(context.Context, *Browser) error{
		"a caller's tab": func(ctx context.Context, b *Browser) error {
			tab, err := b.Session("").Open(ctx)
			if err != nil {
				return err
			}
			return tab.Close(ctx)
		},
		"a hidden tab": func(ctx context.Context, b *Browser) error {
			return b.InHiddenTab(ctx, func(context.Context, *page.Page) error { return nil })
		},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, b := start(t)
			spareTab(ctx, t, b)
			cookie := sitedata.Cookie{Name: "login", Value: "ada", Domain: "example.com", Path: "/", Expires: -1, SameSite: "Lax"}
			if err := b.SetCookies(ctx, []sitedata.Cookie{cookie}); err != nil {
				t.Fatal(err)
			}
			b.mu.Lock()
			b.unlisted.refill.Stop() // the spare tab that is made later would come too late here
			b.mu.Unlock()
			if err := last(ctx, b); err != nil {
				t.Fatal(err)
			}
			err := b.await(ctx, func() bool { return len(b.allLocked()) < 2 && len(b.unlisted.spares) > 0 })
			if err != nil {
				t.Fatalf("no window is left: %v", err)
			}
			if all, err := b.Cookies(ctx, CookieFilter{}); err != nil || len(all) != 1 {
				t.Errorf("the cookies are %v, %v", all, err)
			}
		})
	}
}
