package profile

import (
	"slices"
	"testing"

	"chela/internal/engine/browser"
)

// A stop that forgets drops the session cookies even if a call begins to start the next browser
// meanwhile. That browser takes over what the last one has left as soon as it has ended.
func TestForgetBeforeTheNextBrowser(t *testing.T) {
	ctx, p, h := newPortable(t, true)
	close(h.free)
	p.memory = browser.Memory{Cookies: slices.Clone(sessionCookies)}
	b, err := p.Browser(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if all, err := b.Cookies(ctx, browser.CookieFilter{}); err != nil || len(all) != 1 {
		t.Fatalf("the browser has the cookies %v, %v", all, err)
	}
	p.mu.Lock()
	p.starting = &start{}
	p.mu.Unlock()
	if _, err := p.stopRunning(ctx, Stopping{Forget: true}); err != nil {
		t.Fatal(err)
	}
	p.mu.Lock()
	left := p.memory.Cookies
	p.starting = nil
	p.mu.Unlock()
	if saved, _ := p.session.read(); len(left) > 0 || len(saved.Cookies) > 0 {
		t.Errorf("left for the next browser: %v, in the file: %v", left, saved.Cookies)
	}
}
