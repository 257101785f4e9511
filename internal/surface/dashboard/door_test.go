package dashboard

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

func TestDoor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var d Door
		enter := func(had string) (cookie, token string) {
			t.Helper()
			link := d.NewLink()
			cookie, token, until, ok := d.Exchange(link, had)
			if !ok || time.Until(until) != passLife {
				t.Fatalf("a fresh link lets in: %t, until %v", ok, until)
			}
			if _, _, _, again := d.Exchange(link, ""); again {
				t.Error("a link works twice")
			}
			return cookie, token
		}
		cookie, token := enter("")
		other, otherToken := enter("")
		same, second := enter(cookie)
		if same != cookie {
			t.Error("the second tab of a browser has another cookie than the first")
		}
		if foreign, _ := enter("of somebody"); foreign == "of somebody" {
			t.Error("a cookie that the server does not know is kept")
		}
		for _, s := range []struct {
			name, cookie, token string
			want                bool
		}{
			{"both", cookie, token, true},
			{"a second tab", cookie, second, true},
			{"another browser", other, otherToken, true},
			{"the cookie alone", cookie, "", false},
			{"the token alone", "", token, false},
			{"the token of another browser", cookie, otherToken, false},
			{"one for the other", token, cookie, false},
			{"nothing", "", "", false},
		} {
			if _, got := d.Admits(s.cookie, s.token); got != s.want {
				t.Errorf("%s: got %t", s.name, got)
			}
		}
		admits := func(cookie, token string) bool { _, ok := d.Admits(cookie, token); return ok }
		left, _ := d.Knows(other)
		d.Leave(other)
		if admits(other, otherToken) || !admits(cookie, token) {
			t.Error("only who leaves is out")
		}
		if context.Cause(left) != ErrPassEnded {
			t.Error("what is open goes on after its person has left")
		}
		old, _ := d.Admits(cookie, token)
		late := d.NewLink()
		time.Sleep(linkLife + time.Second)
		if _, _, _, ok := d.Exchange(late, ""); ok {
			t.Error("a link works when its time is over")
		}
		time.Sleep(passLife)
		if context.Cause(old) != ErrPassEnded {
			t.Error("what is open goes on when the time of its pass is over")
		}
		if _, known := d.Knows(cookie); known || admits(cookie, token) {
			t.Error("a pass works when its time is over")
		}
	})
}

// The numbers of links and passes are bounded, so they cannot fill the memory.
func TestDoorIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var d Door
		var links []string
		for range maxLinks + 1 {
			time.Sleep(time.Millisecond)
			links = append(links, d.NewLink())
		}
		for i, link := range links {
			if _, _, _, ok := d.Exchange(link, ""); ok != (i > 0) {
				t.Errorf("link %d of %d is good: %v", i, len(links), ok)
			}
		}
		for range maxPass + 1 {
			d.Exchange(d.NewLink(), "")
		}
		if len(d.passes) != maxPass {
			t.Errorf("there are %d passes", len(d.passes))
		}
	})
}
