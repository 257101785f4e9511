package browser

import (
	"errors"
	"testing"
	"time"

	"chela/internal/engine/page"
)

// The user takes a tab from a guest, and a guest neither takes nor gives back the tab of another.
func TestGuests(t *testing.T) {
	const user, one, two = "", "s1", "s2" // the shares of guests
	soon := time.Now().Add(time.Minute)
	for _, test := range []struct {
		has, takes       string
		refused          bool
		gives            string
		givesBackOfOther bool
	}{
		{has: one, takes: one, gives: two},
		{has: one, takes: two, refused: true, gives: two},
		{has: user, takes: one, refused: true, gives: one},
		{has: one, takes: user, gives: one},
		{has: user, takes: user, gives: user, givesBackOfOther: true},
		{has: one, takes: one, gives: user, givesBackOfOther: true},
	} {
		tab := owned("t1:a").tabs.byID("t1")
		tab.control = new(page.Control)
		tab.TakeOver(page.TakeOver{By: "first", Guest: test.has, Until: soon})
		_, err := tab.TakeOver(page.TakeOver{By: "second", Guest: test.takes, Until: soon})
		if _, refused := errors.AsType[*page.TakenError](err); refused != test.refused || refused != (tab.control.Taken().By == "first") {
			t.Errorf("%q takes the tab of %q: %v", test.takes, test.has, err)
		}
		if _, had := tab.GiveBack(test.gives, ""); had != test.givesBackOfOther || had == (tab.CheckTaken() != nil) {
			t.Errorf("%q gives back the tab of %q: %v", test.gives, tab.control.Taken().Guest, had)
		}
	}
}

// A share ends while no browser runs, because its browser was lost. The next browser has the tab as
// one that was given back, and agents learn of it. What others have taken over stays so.
func TestShareEndsWithoutBrowser(t *testing.T) {
	for guest, ends := range map[string]bool{"s1": true, "s2": false, "": false} {
		tab := owned("t1:a").tabs.byID("t1")
		tab.control = new(page.Control)
		tab.giveToPerson(page.TakeOver{Guest: guest, Until: time.Now().Add(time.Minute)})
		saved := SavedTab{ID: "t1", TargetID: "A", Control: tab.control}
		tab.EndGuest("s1")
		b := owned("")
		restored := b.restoredTab(saved)
		heard := b.Session("a").Hear(restored)
		if (restored.CheckTaken() == nil) != ends || (heard != nil) != ends {
			t.Errorf("guest %q: %v, and agents hear %+v", guest, restored.CheckTaken(), heard)
		}
	}
}

// When a server was killed, its shares have ended. So the next one gives the tab of a guest back.
func TestRestoredGuest(t *testing.T) {
	since, soon := time.Now().Add(-time.Minute), time.Now().Add(time.Minute)
	for guest, taken := range map[string]bool{"": true, "s1": false} {
		b := owned("")
		tab := b.restoredTab(SavedTab{ID: "t1", TargetID: "A", Person: page.TakeOver{Guest: guest, Since: since, Until: soon}})
		heard := b.Session("a").Hear(tab)
		if (tab.CheckTaken() != nil) != taken || (heard == nil) != taken {
			t.Errorf("guest %q: %v, and agents hear %+v", guest, tab.CheckTaken(), heard)
		}
	}
}
