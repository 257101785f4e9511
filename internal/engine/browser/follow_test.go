package browser

import (
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"chela/internal/engine/page"
)

// Followers of tabs are called when a lease or a takeover ends by the clock. They are not called at
// the former end of a lease that was renewed or given back.
func TestFollowersLearnOfEnds(t *testing.T) {
	for _, test := range []struct {
		name string
		do   func(*Browser, *Tab)
		want []string // when the followers were called, and which session had the lease or which caller the tab
	}{
		{"lease", func(b *Browser, tab *Tab) { b.Session("b").Lease(tab, 3*time.Second) }, []string{"0s", "0s b", "3s"}},
		{"lease of the last browser", func(b *Browser, tab *Tab) {
			b.mu.Lock()
			defer b.mu.Unlock()
			tab.lease = Lease{"b", time.Now().Add(3 * time.Second).Round(0)}
			b.notifyLocked()
		}, []string{"0s", "0s b", "3s"}},
		{"renewed lease", func(b *Browser, tab *Tab) {
			b.Session("b").Lease(tab, 3*time.Second)
			time.Sleep(time.Second)
			b.Session("b").Lease(tab, 5*time.Second)
		}, []string{"0s", "0s b", "1s b", "6s"}},
		{"lease given back", func(b *Browser, tab *Tab) {
			b.Session("b").Lease(tab, 3*time.Second)
			time.Sleep(time.Second)
			b.Session("b").Lease(tab, 0)
		}, []string{"0s", "0s b", "1s"}},
		{"lease of a session that ends", func(b *Browser, tab *Tab) {
			b.Session("b").Lease(tab, 3*time.Second)
			time.Sleep(time.Second)
			b.Session("b").forget()
		}, []string{"0s", "0s b", "1s"}},
		{"takeover", func(b *Browser, tab *Tab) {
			tab.giveToPerson(page.TakeOver{By: "p", Until: time.Now().Add(4 * time.Second)})
		}, []string{"0s", "0s p", "4s"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := owned("t1:a")
				tab := b.tabs.byID("t1")
				tab.control = new(page.Control)
				begun := time.Now()
				var got []string
				go b.FollowTabs(t.Context(), func([]*Tab) {
					b.mu.Lock()
					defer b.mu.Unlock()
					call := time.Since(begun).String()
					if info := tab.infoLocked(); info.Lease.Session+info.Person.By != "" {
						call = fmt.Sprint(call, " ", info.Lease.Session, info.Person.By)
					}
					got = append(got, call)
				})
				synctest.Wait()
				test.do(b, tab)
				time.Sleep(time.Minute)
				synctest.Wait()
				if !slices.Equal(got, test.want) {
					t.Errorf("called at %q, want %q", got, test.want)
				}
			})
		})
	}
}
