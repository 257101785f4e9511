package browser

import (
	"slices"
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"

	"chela/internal/base/sitedata"
)

func TestJar(t *testing.T) {
	now := time.Unix(1000, 0)
	many := func(n int, value string) (list []*network.Cookie) {
		for range n {
			partition := &network.CookiePartitionKey{TopLevelSite: "https://top.test"}
			list = append(list, &network.Cookie{Name: "name", Value: value, PartitionKey: partition})
		}
		return list
	}
	for _, s := range []struct {
		name    string
		cookies int
		age     time.Duration
		wait    time.Duration
	}{
		{"a small one is copied after each call", smallJar, 0, 0},
		{"a large one waits", smallJar + 1, 500 * time.Millisecond, copyInterval - 500*time.Millisecond},
		{"a large one has waited", smallJar + 1, copyInterval, 0},
	} {
		j := jar{cookies: many(s.cookies, "x"), asked: now.Add(-s.age)}
		if got := j.untilNext(now); got != s.wait {
			t.Errorf("%s: %v, want %v", s.name, got, s.wait)
		}
	}
	var j jar
	for _, s := range []struct {
		name    string
		copy    []*network.Cookie
		changed bool
	}{
		{"the first", many(3, "x"), true}, {"the same", many(3, "x"), false}, {"another value", many(3, "y"), true},
		{"one less", many(2, "y"), true}, {"none", nil, true}, {"none again", nil, false},
	} {
		if got := j.replace(s.copy); got != s.changed || len(j.cookies) != len(s.copy) {
			t.Errorf("%s: changed %v, want %v; %d cookies", s.name, got, s.changed, len(j.cookies))
		}
	}
}

// Before a browser is closed, even many cookies are copied as they are then. A copy that was under
// way may lack the last of them.
func TestCopyBeforeTheEnd(t *testing.T) {
	ctx, b := start(t)
	if err := b.SetCookies(ctx, []sitedata.Cookie{{Name: "last", Value: "1", Domain: "example.test", Path: "/", Expires: -1}}); err != nil {
		t.Fatal(err)
	}
	arrived := make(chan struct{})
	b.mu.Lock()
	b.jar.copying, b.jar.asked = arrived, time.Now()
	b.mu.Unlock()
	copied := make(chan struct{})
	go func() {
		defer close(copied)
		b.copyNow(ctx)
	}()
	time.Sleep(20 * time.Millisecond) // copyNow most likely waits by now; if it does not, it asks anyway
	old := make([]*network.Cookie, smallJar+1)
	for i := range old {
		old[i] = &network.Cookie{Name: "old"}
	}
	b.copyCookies() // a call has ended
	b.receiveCookies(old, nil)
	close(arrived)
	<-copied
	b.mu.Lock()
	defer b.mu.Unlock()
	if !slices.ContainsFunc(b.jar.cookies, func(c *network.Cookie) bool { return c.Name == "last" }) {
		t.Errorf("the last of %d cookies is missing", len(b.jar.cookies))
	}
}
