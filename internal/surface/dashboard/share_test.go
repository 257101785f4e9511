package dashboard

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// A link gives passes until its share ends. A link for one share cannot be changed into one for another.
func TestShares(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var shares Shares
		var ids []string // ids of the shares that have ended
		ended := func(of Share) { ids = append(ids, of.ID) }
		until := time.Now().Add(time.Hour)
		one, secret, ok := shares.New(Share{Profile: "chela", Tab: "t1", Until: until}, ended)
		two, other, _ := shares.New(Share{Profile: "chela", Tab: "t2", OnlyView: true, Until: until}, ended)
		if !ok || one.ID != "s1" || two.ID != "s2" {
			t.Fatalf("shared: %+v, %+v", one, two)
		}
		of, cookie, token, ok := shares.Enter(secret, "")
		if !ok || of != one {
			t.Fatalf("the link is of %+v, %v", of, ok)
		}
		if _, _, _, ok := shares.Enter(secret, ""); !ok {
			t.Error("the link works only once")
		}
		if _, again, other, _ := shares.Enter(secret, cookie); again != cookie || other == token {
			t.Error("a browser that opens the link again does not keep its cookie")
		}
		_, signature, _ := strings.Cut(secret, ".")
		for name, wrong := range map[string]string{
			"nothing": "", "the id alone": one.ID, "another's signature": two.ID + "." + signature, "cut": secret[:len(secret)-1],
		} {
			if _, _, _, ok := shares.Enter(wrong, ""); ok {
				t.Errorf("%s lets in", name)
			}
		}
		if _, _, ok := shares.Admits(one.ID, cookie, token); !ok {
			t.Error("the guest is not let in")
		}
		for name, wrong := range map[string][3]string{
			"without a token": {one.ID, cookie, ""}, "without a cookie": {one.ID, "", token}, "at another share": {two.ID, cookie, token},
		} {
			if _, _, ok := shares.Admits(wrong[0], wrong[1], wrong[2]); ok {
				t.Errorf("%s the guest is let in", name)
			}
		}
		_, life, ok := shares.Watches(one.ID, cookie)
		if !ok || !shares.Revoke(one.ID) || shares.Revoke(one.ID) {
			t.Error("the share cannot be watched, or not be revoked once")
		}
		<-life.Done()
		synctest.Wait()
		if !slices.Equal(ids, []string{"s1"}) {
			t.Errorf("ended: %q", ids)
		}
		if _, _, ok := shares.Admits(one.ID, cookie, token); ok {
			t.Error("a guest is let in after the share was revoked")
		}
		if _, _, _, ok := shares.Enter(secret, ""); ok {
			t.Error("the link works after the share was revoked")
		}
		time.Sleep(time.Hour + time.Second)
		synctest.Wait()
		if _, _, _, ok := shares.Enter(other, ""); ok || len(shares.List()) != 0 {
			t.Errorf("after its time: let in %v, listed %v", ok, shares.List())
		}
		if !slices.Equal(ids, []string{"s1", "s2"}) {
			t.Errorf("ended: %q", ids)
		}
		for range maxShares {
			shares.New(Share{Until: time.Now().Add(time.Minute)}, ended)
		}
		if _, _, ok := shares.New(Share{Until: time.Now().Add(time.Minute)}, ended); ok {
			t.Error("shares are not bounded")
		}
		for _, each := range shares.List() {
			shares.Revoke(each.ID)
			synctest.Wait()
		}
	})
}

// While a machine sleeps, timers stand still. A share and a pass whose time is over by the clock end
// when somebody asks for them.
func TestTimeInSleepCounts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var shares Shares
		ended := 0
		share, secret, _ := shares.New(Share{Until: time.Now().Add(time.Hour)}, func(Share) { ended++ })
		_, cookie, token, _ := shares.Enter(secret, "")
		found := shares.find(share.ID)
		found.timer.Stop() // as if the machine had slept
		var d Door
		until := time.Now().Add(time.Hour).Round(0)
		own, ownToken, life := d.enter(t.Context(), until, "")
		if share.Until != until || found.door.passes[0].until != until {
			t.Errorf("the share ends at %v: that clock stands still in sleep", share.Until)
		}
		time.Sleep(time.Hour + time.Second)
		if _, _, ok := shares.Admits(share.ID, cookie, token); ok {
			t.Error("a guest is let in when the time is over")
		}
		if _, ok := d.Admits(own, ownToken); ok || context.Cause(life) != ErrPassEnded {
			t.Error("a pass works when its time is over")
		}
		synctest.Wait()
		if ended != 1 || len(shares.List()) != 0 || context.Cause(found.life) != ErrShareEnded {
			t.Errorf("the share has ended %d times", ended)
		}
	})
}
