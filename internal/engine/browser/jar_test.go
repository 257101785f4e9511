package browser

import (
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"
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
