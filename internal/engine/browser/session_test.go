package browser

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"chela/internal/base/mutex"
	"chela/internal/engine/page"
	"chela/internal/engine/setting"
)

// owned makes a browser with tabs from words such as "t1:a", the most recently used first. The tab
// t1 belongs to session a, and "t2:" stands for a tab of calls without a session.
func owned(words string) *Browser {
	b := &Browser{changed: make(chan struct{})}
	for word := range strings.FieldsSeq(words) {
		id, owner, _ := strings.Cut(word, ":")
		t := listed(id + "=" + strings.Repeat("A", len(b.tabs.list)+1)).list[0]
		t.browser, t.owner = b, owner
		b.tabs.list = append(b.tabs.list, t)
	}
	return b
}

// While a session has leased a tab, no other session may use it.
func TestLease(t *testing.T) {
	b := owned("t1:a t2:b")
	tab := b.tabs.byID("t1")
	admitted := func(want ...string) {
		t.Helper()
		for _, key := range []string{"", "a", "b"} {
			_, err := b.Session(key).Find("t1")
			leased, refused := errors.AsType[*LeasedError](err)
			if refused == slices.Contains(want, key) || refused && (leased.Tab != "t1" || leased.Session != "b") {
				t.Errorf("session %q: %v", key, err)
			}
		}
	}
	admitted("", "a", "b")
	lease, err := b.Session("b").Lease(tab, time.Minute)
	if err != nil || lease.Session != "b" || time.Until(lease.Until) < time.Second {
		t.Errorf("leased: %+v, %v", lease, err)
	}
	admitted("b")
	if _, err := b.Session("a").Lease(tab, time.Minute); err == nil {
		t.Error("another session has leased it, too")
	}
	if b.tabs.list[0].infoLocked().Lease != lease {
		t.Error("it is not listed as leased")
	}
	if lease, err := b.Session("b").Lease(tab, 0); err != nil || lease != (Lease{}) {
		t.Errorf("given back: %+v, %v", lease, err)
	}
	admitted("", "a", "b")
	tab.lease = Lease{"b", time.Now().Add(-time.Second)} // the lease is over
	admitted("", "a", "b")
}

// What a session has set for its first origin ends with the session. A later session with the same
// key does not send it to the first site that it opens.
func TestEndDropsFirstOrigin(t *testing.T) {
	b := owned("t1:b")
	b.changing = mutex.New()
	b.settings.common.Headers = []*setting.OriginHeaders{{Origin: setting.FirstOrigin("a")}, {Origin: setting.FirstOrigin("b")}}
	b.settings.common.Logins = []*setting.Login{{Credentials: setting.Credentials{Origin: setting.FirstOrigin("a")}}}
	left, _, _ := b.memory().End("a")
	if _, err := b.Session("a").End(t.Context()); err != nil {
		t.Fatal(err)
	}
	for where, c := range map[string]setting.Common{"running": b.Settings(), "remembered": left.Settings} {
		if len(c.Headers) != 1 || c.Headers[0].Origin != "first:b" || len(c.Logins) != 0 {
			t.Errorf("%s: %d headers and %d logins are left", where, len(c.Headers), len(c.Logins))
		}
	}
}

// When a session ends, only those of its tabs stay that other sessions have leased. They belong to
// these sessions from then on.
func TestForgetASession(t *testing.T) {
	b := owned("t1:a t2:b t3:a t4: t5:a")
	b.tabs.use("a", b.tabs.byID("t1"))
	for id, holder := range map[string]string{"t3": "b", "t2": "a"} {
		if _, err := b.Session(holder).Lease(b.tabs.byID(id), time.Minute); err != nil {
			t.Fatal(err)
		}
	}
	b.tabs.byID("t2").label, b.tabs.byID("t3").label = "main", "main"
	left := b.memory()
	own, _, _ := b.Session("a").forget()
	if got := ids(own); got != "t1 t5" {
		t.Errorf("to be closed: %s", got)
	}
	if tab, err := b.Session("b").Find("main"); err != nil || tab.ID != "t2" {
		t.Errorf("the label of b's own tab means %v, %v", tab, err)
	}
	left, _, _ = left.End("a")
	if i := slices.IndexFunc(left.Tabs, func(t SavedTab) bool { return t.ID == "t3" }); left.Tabs[i].Owner != "b" || left.Tabs[i].Label != "" {
		t.Errorf("of a lost browser t3 is left as %+v", left.Tabs[i])
	}
	if owner := b.tabs.byID("t3").owner; owner != "b" || b.tabs.current("a") != "" {
		t.Errorf("t3 belongs to %q; the current tab is %s", owner, b.tabs.current("a"))
	}
	if _, err := b.Session("b").Find("t2"); err != nil {
		t.Errorf("its lease is left: %v", err)
	}
}

func TestSessionsAreListed(t *testing.T) {
	b := owned("t1:b t2: t3:a t4:b")
	b.tabs.use("b", b.tabs.byID("t1"))
	b.tabs.use("", b.tabs.byID("t2"))
	words := func(list []SessionInfo) string {
		var all []string
		for _, s := range list {
			all = append(all, s.Key+"="+strings.Join(s.Tabs, ",")+"@"+s.Current)
		}
		return strings.Join(all, " ")
	}
	const want = "a=t3@ b=t1,t4@t1"
	if got := words(b.Sessions()); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	b.isolateLocked("b")
	m := b.memory()
	if got := words(m.Sessions()); got != want {
		t.Errorf("of the memory: %s, want %s", got, want)
	}
	rest, closed, _ := m.End("b")
	if got := words(rest.Sessions()); got != "a=t3@" || closed != 2 || len(rest.Isolated) != 0 || len(m.Isolated) != 1 || len(m.Tabs) != 4 || m.Current["b"] != "t1" {
		t.Errorf("without b: %s, %d closed; the memory has %d tabs", got, closed, len(m.Tabs))
	}
}

// What becomes of a tab when its session ends does not depend on whether its browser runs.
func TestFatesOfTabs(t *testing.T) {
	now := time.Now()
	soon := now.Add(time.Minute)
	leased, taken := Lease{"b", soon}, page.TakeOver{Until: soon}
	for _, test := range []struct {
		name string
		tab  SavedTab
		want tabFate
	}{
		{"its own", SavedTab{Owner: "a"}, toClose},
		{"of another session", SavedTab{Owner: "b"}, notOwned},
		{"of no session", SavedTab{Owner: "a", Unowned: true}, notOwned},
		{"leased to another", SavedTab{Owner: "a", Lease: leased, Person: taken}, passedOn},
		{"leased to another, of an isolated session", SavedTab{Owner: "a", Lease: leased, Isolated: "a"}, toClose},
		{"its own lease", SavedTab{Owner: "a", Lease: Lease{"a", soon}}, toClose},
		{"a lease that is over", SavedTab{Owner: "a", Lease: Lease{"b", now}}, toClose},
		{"taken over", SavedTab{Owner: "a", Person: taken, OfUser: true}, keptByPerson},
		{"the user's", SavedTab{Owner: "a", OfUser: true}, givenBack},
	} {
		if got, err := test.tab.afterSession("a", now); got != test.want || (err != nil) != (got == keptByPerson) {
			t.Errorf("%s: %d, %v, want %d", test.name, got, err, test.want)
		}
	}
	m := Memory{Tabs: []SavedTab{{ID: "t1", Owner: "a", OfUser: true}, {ID: "t2", Owner: "a"}}}
	if rest, closed, err := m.End("a"); closed != 1 || len(rest.Tabs) != 0 || err != nil {
		t.Errorf("of a tab of the user and another one, %d closed, %d left, %v", closed, len(rest.Tabs), err)
	}
}

// A tab that a person has taken over outlasts the end of its session, even if no browser runs.
func TestEndOfASessionWithATakenTab(t *testing.T) {
	soon, past := time.Now().Add(time.Minute), time.Now().Add(-time.Minute)
	given := new(page.Control)
	for _, test := range []struct {
		name string
		tab  SavedTab
		left string
	}{
		{"taken", SavedTab{Person: page.TakeOver{Until: soon}}, "t1 t3"},
		{"a guest had it, and the server has ended", SavedTab{Person: page.TakeOver{Until: soon, Guest: "s1"}}, "t3"},
		{"its time is over", SavedTab{Person: page.TakeOver{Until: past}}, "t3"},
		{"given back since", SavedTab{Person: page.TakeOver{Until: soon}, Control: given}, "t3"},
	} {
		tab := test.tab
		tab.ID, tab.Owner = "t1", "a"
		m := Memory{Tabs: []SavedTab{tab, {ID: "t2", Owner: "a"}, {ID: "t3", Owner: "b"}}, Current: map[string]string{"a": "t1"}, Isolated: []string{"a"}}
		rest, closed, err := m.End("a")
		var left []string
		for _, t := range rest.Tabs {
			left = append(left, t.ID)
		}
		_, taken := errors.AsType[*page.TakenError](err)
		goesOn := rest.Current["a"] == "t1" && len(rest.Isolated) == 1
		if strings.Join(left, " ") != test.left || closed != 3-len(left) || taken != (len(left) == 2) || goesOn != taken {
			t.Errorf("%s: left are %v, %d closed, %v; the session goes on: %v", test.name, left, closed, err, goesOn)
		}
		if without := m.Without("a"); len(without.Tabs) != 1 || len(without.Isolated) != 0 {
			t.Errorf("%s: without the session: %+v", test.name, without)
		}
	}
}

// Callers may use a new session for each job, and end none. Those that were unused for longest are
// forgotten, but none that has a tab or is isolated.
func TestUnusedSessionsAreForgotten(t *testing.T) {
	b := owned("t1:tab")
	now := time.Now()
	for i, key := range []string{"", "tab", "isolated", "oldest"} {
		b.tabs.of(key).last = now.Add(time.Duration(i-10) * time.Second)
	}
	b.isolateLocked("isolated")
	for i := range 3 * maxUses {
		u := b.tabs.of(fmt.Sprint(i))
		u.last, u.current = now.Add(time.Duration(i)*time.Second), "t0"
	}
	uses := b.tabs.uses
	newest := fmt.Sprint(3*maxUses - 1)
	if len(uses) > maxUses+3 || len(uses) < maxUses*9/10 || uses[""] == nil || uses["tab"] == nil || uses["isolated"] == nil || uses["oldest"] != nil || uses[newest] == nil {
		t.Errorf("%d sessions are remembered, want at most %d", len(uses), maxUses+3)
	}
	m := b.memory()
	next := saving("", nil)
	if next.restore(m); len(next.memory().Current) != len(m.Current) || !maps.Equal(next.memory().Used, m.Used) {
		t.Errorf("the next browser remembers %d of %d sessions", len(next.memory().Current), len(m.Current))
	}
}
