package browser

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
)

// A session's tabs that were not used for an hour are closed. A session may keep more than two tabs
// for some minutes only: then those unused for the longest time are closed.
func TestSweep(t *testing.T) {
	c := Cleanup{Idle: time.Hour, MaxTabs: 2, Grace: 5 * time.Minute}
	for _, s := range []struct {
		name    string
		cleanup Cleanup
		tabs    string // tabs as owned has them, each with the minutes since its last use
		tooMany int    // for how many minutes session a has had too many tabs; -1: it has not
		close   string
		next    int // minutes until the next sweep; -1: none is planned
	}{
		{"none of a session", c, "t1::600", -1, "", -1},
		{"in use", c, "t1:a:10 t2:b:30", -1, "", 30},
		{"not used for an hour", c, "t1:a:10 t2:b:60 t3:a:70 t4::90", -1, "t2 t3", 50},
		{"too many now", c, "t1:a:10 t2:a:20 t3:a:0 t4:b:0", -1, "", 5},
		{"too many, but not for long", c, "t1:a:10 t2:a:20 t3:a:0", 2, "", 3},
		{"too many for some minutes", c, "t1:a:10 t2:a:20 t3:a:0 t4:a:15 t5:b:0", 5, "t2 t4", 40},
		{"too many before some were idle", c, "t1:a:10 t2:a:60 t3:a:0", 5, "t2", 50},
		{"not too many any more", c, "t1:a:10 t2:a:20", 5, "", 40},
		{"nothing is closed for being idle", Cleanup{MaxTabs: 2, Grace: 5 * time.Minute}, "t1:a:900 t2:a:901", -1, "", -1},
		{"there is no limit", Cleanup{Idle: time.Hour}, "t1:a:0 t2:a:0 t3:a:0", -1, "", 60},
		{"nothing is closed at all", Cleanup{}, "t1:a:900 t2:a:0 t3:a:0 t4:a:0", -1, "", -1},
		{"not used for an hour, of nobody", c, "t1:nobody:60 t2:nobody:0 t3:nobody:0 t4:nobody:0", -1, "t1", 60},
	} {
		now := time.Now()
		ago := func(minutes string) time.Time {
			d, err := time.ParseDuration(minutes + "m")
			if err != nil {
				t.Fatal(err)
			}
			return now.Add(-d)
		}
		var l tabList
		for word := range strings.FieldsSeq(s.tabs) {
			f := strings.Split(word, ":")
			tab := listed(f[0] + "=A").list[0]
			tab.owner, tab.used = f[1], ago(f[2])
			if tab.unowned = f[1] == "nobody"; tab.unowned {
				tab.owner = ""
			}
			l.list = append(l.list, tab)
		}
		if s.tooMany >= 0 {
			l.of("a").tooMany = now.Add(-time.Duration(s.tooMany) * time.Minute)
		}
		got := l.sweep(s.cleanup, now)
		slices.SortFunc(got.close, func(a, b *Tab) int { return cmp.Compare(a.ID, b.ID) })
		next := -1
		if !got.next.IsZero() {
			next = int(got.next.Sub(now).Minutes())
		}
		if ids(got.close) != s.close || next != s.next {
			t.Errorf("%s: closes %s, and looks again in %d minutes; want %s, %d", s.name, ids(got.close), next, s.close, s.next)
		}
	}
}

// A leased tab counts as used.
func TestSweepOfALeasedTab(t *testing.T) {
	now := time.Now()
	b := owned("t1:a")
	b.tabs.list[0].used, b.tabs.list[0].lease = now.Add(-time.Hour), Lease{"b", now.Add(time.Minute)}
	if got := b.tabs.sweep(Cleanup{Idle: time.Minute}, now); len(got.close) > 0 || got.next.IsZero() {
		t.Errorf("closes %s, looks again at %v", ids(got.close), got.next)
	}
}

// A sweep closes no tab in use, even if a session has too many of them. The sweep after c.Grace closes
// them if they are no longer in use.
func TestSweepOfTooManyTabsInUse(t *testing.T) {
	now, c := time.Now(), Cleanup{MaxTabs: 1, Grace: time.Minute}
	b := owned("t1:a t2:a t3:a t4:a")
	for _, tab := range b.tabs.list {
		tab.used = now.Add(-time.Hour)
	}
	for _, id := range []string{"t1", "t3"} {
		b.tabs.byID(id).lease = Lease{"a", now.Add(time.Minute)}
	}
	b.tabs.of("a").tooMany = now.Add(-time.Minute)
	got := b.tabs.sweep(c, now)
	if slices.SortFunc(got.close, func(a, b *Tab) int { return cmp.Compare(a.ID, b.ID) }); ids(got.close) != "t2 t4" || got.next != now.Add(time.Minute) {
		t.Errorf("closes %s, and looks again at %v", ids(got.close), got.next)
	}
	b.tabs.list = slices.DeleteFunc(b.tabs.list, func(t *Tab) bool { return slices.Contains(got.close, t) })
	b.tabs.byID("t1").used = now.Add(time.Second)
	if got := b.tabs.sweep(c, now.Add(time.Minute)); ids(got.close) != "t3" {
		t.Errorf("when none is in use any more, closes %s", ids(got.close))
	}
}

// A session without tabs is forgotten when it was not used for long. An isolated one stays
// isolated, but what sites have left there is removed.
func TestSweepOfSessionsWithoutTabs(t *testing.T) {
	now, c := time.Now(), Cleanup{Idle: time.Hour}
	b := owned("")
	b.tabs.of("new").last, b.tabs.of("old").last = now.Add(-time.Minute), now.Add(-time.Hour)
	bc := b.isolateLocked("alone")
	b.tabs.of("alone").last = now.Add(-time.Minute)
	if got := b.tabs.sweep(c, now); len(got.expired) > 0 || got.next != now.Add(59*time.Minute) || b.tabs.uses["old"] != nil || b.tabs.uses["new"] == nil {
		t.Errorf("%+v; known are %v", got, b.tabs.uses)
	}
	if got := b.tabs.sweep(c, now.Add(time.Hour)); !slices.Equal(got.expired, []*BrowserContext{bc}) || !got.next.IsZero() || b.tabs.of("alone").context != bc {
		t.Errorf("after an hour: %+v", got)
	}
}

// A session whose current tab was swept is not forgotten with it. Otherwise its next call that names
// no tab would get another one.
func TestSweepOfTheCurrentTab(t *testing.T) {
	now, c := time.Now(), Cleanup{Idle: time.Hour}
	b := owned("t1:a")
	b.tabs.list[0].used, b.tabs.of("a").last, b.tabs.of("a").current = now.Add(-time.Hour), now.Add(-time.Hour), "t1"
	if got := b.tabs.sweep(c, now); ids(got.close) != "t1" {
		t.Fatalf("closes %s", ids(got.close))
	}
	b.tabs.noteSwept("t1")
	b.tabs.list = nil
	for range 2 {
		tab, err := b.tabs.find("a", "")
		if none, ok := errors.AsType[*NoTabError](err); !ok || !none.Swept {
			t.Errorf("a call of the session gets %v, %v", tab, err)
		}
		b.tabs.sweep(c, now.Add(time.Hour))
	}
	b.tabs.swept = nil // many other tabs were swept
	b.tabs.sweep(c, now)
	if b.tabs.uses["a"] != nil {
		t.Error("the session is never forgotten")
	}
}

// The handle of a swept tab is remembered, so that its caller learns why the tab has gone.
func TestSweptTabs(t *testing.T) {
	var l tabList
	for range maxSwept {
		l.noteSwept("t0")
	}
	l.noteSwept("t1")
	if none := l.noTab("t1"); !none.Swept || len(l.swept) != maxSwept {
		t.Errorf("%+v; %d are remembered", none, len(l.swept))
	}
	if l.noTab("t2").Swept {
		t.Error("a tab that was not swept is known as one")
	}
}

// A changed Cleanup applies at once, not only when the next tab is opened.
func TestChangedCleanup(t *testing.T) {
	b := saving("t1=A@http://one/", nil)
	tab := b.tabs.byID("t1")
	tab.owner, tab.used = "a", time.Now().Add(-time.Hour)
	var limits Cleanup
	b.sweeping.limits = func() Cleanup { return limits }
	b.sweepLocked()
	if b.sweeping.timer != nil {
		t.Error("a sweep is planned, though nothing is ever closed")
	}
	limits.Idle = 2 * time.Hour
	b.Reconfigure()
	if b.sweeping.timer == nil || tab.closing {
		t.Errorf("two hours: the tab closes: %v", tab.closing)
	}
	limits.Idle = time.Minute
	b.Reconfigure()
	if !tab.closing {
		t.Error("one minute: the idle tab stays")
	}
	b.endBackground()
}
