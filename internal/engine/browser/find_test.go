package browser

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"chela/internal/engine/journal"
	"chela/internal/engine/page"
)

// listed makes a list of tabs from words such as "t1=AB12@url" (handle, target id, address), the
// most recently used first.
func listed(words string) *tabList {
	l := &tabList{}
	for word := range strings.FieldsSeq(words) {
		id, rest, _ := strings.Cut(word, "=")
		target, url, _ := strings.Cut(rest, "@")
		l.list = append(l.list, &Tab{ID: id, pageState: pageState{url: url, page: page.Gone(target, url, page.Callbacks{})}, context: new(BrowserContext)})
	}
	return l
}

func TestNamed(t *testing.T) {
	l := listed("t1=AB12 t2=AB1234 t3=CD5678 t4=123456 t5=EF78")
	l.byID("t3").label = "mine"
	l.byID("t4").label = "AB12x"
	l.byID("t5").former = []string{"0987", "6543"}
	for _, s := range []struct{ name, want string }{
		{"t1", "t1"},
		{"AB12", "t1"},
		{"mine", "t3"},
		{"6543", "t5"},    // the target id that the tab had before
		{"65", "none"},    // the beginning of an earlier target id
		{"CD56", "t3"},    // the beginning of a target id
		{"cd567", "t3"},   // upper and lower case are the same
		{"ab12", "2: t1"}, // the beginning of two target ids
		{"c", "none"},     // a label of a tab that was closed, not the beginning of CD5678
		{"CD5", "none"},
		{"AB12x", "t4"}, // a label that begins as a target id does
		{"1234", "t4"},
		{"123", "none"}, // the place of a tab in the list, not the beginning of 123456
		{"t6", "none"},
		{"T1", "none"},
		{"Mine", "none"},
	} {
		got, err := l.byName("", s.name)
		ambiguous, many := errors.AsType[*AmbiguousTabError](err)
		none, unknown := errors.AsType[*NoTabError](err)
		switch {
		case many && (s.want != "2: t1" || *ambiguous != AmbiguousTabError{s.name, 2, "t1"}):
			t.Errorf("%s is %+v, want %s", s.name, ambiguous, s.want)
		case unknown && (s.want != "none" || none.Name != s.name):
			t.Errorf("%s is %+v, want %s", s.name, none, s.want)
		case !many && !unknown && (err != nil || got.ID != s.want):
			t.Errorf("%s is %v, %v, want %s", s.name, got, err, s.want)
		}
	}
	if !(&NoTabError{Name: "12"}).IsNumber() || (&NoTabError{Name: "t12"}).IsNumber() {
		t.Error("what is a number")
	}
}

// A label counts in the session of its tab, or everywhere if the tab belongs to no session. A
// handle counts everywhere.
func TestLabelsOfSessions(t *testing.T) {
	l := listed("t1=AB1256 t2=CD34 t3=EF56")
	for id, of := range map[string]struct{ owner, label string }{"t1": {"a", "one"}, "t2": {"b", "two"}, "t3": {"", "two"}} {
		l.byID(id).owner, l.byID(id).label = of.owner, of.label
	}
	for _, s := range []struct{ key, name, want string }{
		{"a", "one", "t1"}, {"b", "one", "none, t1 of a"}, {"", "one", "none, t1 of a"},
		{"a", "two", "t3"}, {"b", "two", "t2"}, {"", "two", "t3"},
		{"b", "t1", "t1"}, {"", "AB1256", "t1"}, {"", "ab12", "t1"}, {"a", "three", "none,  of "},
	} {
		tab, err := l.find(s.key, s.name)
		got := ""
		if none, ok := errors.AsType[*NoTabError](err); ok {
			got = "none, " + none.OtherTab + " of " + none.Owner
		} else if err == nil {
			got = tab.ID
		}
		if got != s.want {
			t.Errorf("%s in session %q is %s, want %s", s.name, s.key, got, s.want)
		}
	}
}

// A call that names no tab acts on the tab that its session has used last, and on no other.
func TestFindWithoutAName(t *testing.T) {
	l := listed("t4=D@http://four/ t3=C@chrome://settings t2=B@http://two/ t1=A@http://one/")
	l.byID("t4").owner = "a"
	find := func(key, want string) {
		t.Helper()
		tab, err := l.find(key, "")
		got := "none"
		if e, refused := errors.AsType[*NoTabError](err); refused {
			got = strings.TrimSpace(e.Name + " has gone, " + e.Left)
		} else if tab != nil {
			got = tab.ID
		}
		if got != want {
			t.Errorf("session %q means %s, want %s", key, got, want)
		}
	}
	find("", "t2") // the first tab that shows a page
	l.byID("t2").closing = true
	find("", "t1")
	l.byID("t2").closing = false
	find("a", "t4")
	find("b", "none")
	l.use("", l.byID("t1"))
	l.use("b", l.byID("t4"))
	find("", "t1")
	find("a", "t4")
	find("b", "none")
	l.setCurrent("b", l.byID("t4"))
	find("b", "t4")
	l.remove(l.byID("t1"))
	find("", "t1 has gone, t2")
	find("b", "t4")
	l.remove(l.byID("t4"))
	find("b", "t4 has gone,")
	l.setCurrent("", nil)
	find("", "t2")
	if got, err := new(tabList).find("", ""); got != nil || err != nil {
		t.Errorf("without tabs: %v, %v", got, err)
	}
}

func TestTabList(t *testing.T) {
	l := &tabList{last: 6}
	var all []*Tab
	for range 3 {
		all = append(all, &Tab{})
		l.add("", all[len(all)-1])
	}
	expect := func(what, want string) {
		t.Helper()
		if got := ids(l.list); got != want {
			t.Errorf("%s: %s, want %s", what, got, want)
		}
	}
	expect("added", "t9 t8 t7")
	l.use("", all[0])
	expect("used the last", "t7 t9 t8")
	l.use("", all[0])
	expect("used it again", "t7 t9 t8")
	l.remove(all[2])
	expect("removed", "t7 t8")
	l.use("", all[2])
	expect("used one that is not listed", "t7 t8")
	all[1].opener = all[0]
	if l.openedBy(all[0]) != 1 || l.openedBy(all[1]) != 0 {
		t.Errorf("opened by t7: %d, by t8: %d", l.openedBy(all[0]), l.openedBy(all[1]))
	}
}

// A tab that Chromium has given another target keeps its handle and its former ids. It takes the
// place of the new tab in the list.
func TestFollow(t *testing.T) {
	l := listed("t3=C@url t2=B@two")
	old := &Tab{ID: "t1", pageState: pageState{page: page.Gone("A", "url", page.Callbacks{}), title: "old", url: "url"}, journal: journal.New(nil), former: []string{"Z"}}
	fresh := l.byID("t3")
	fresh.title = "new"
	l.follow(map[*Tab]*Tab{old: fresh})
	former := []string{"Z", "A"}
	if ids(l.list) != "t1 t2" || old.page != fresh.page || old.title != "new" || !slices.Equal(old.former, former) || !old.viewportMissing {
		t.Errorf("the list is %s, the tab %+v", ids(l.list), old)
	}
	for _, name := range []string{"t1", "A", "C"} {
		if got, err := l.find("", name); got != old {
			t.Errorf("%s is %v, %v", name, got, err)
		}
	}
}

func TestInternal(t *testing.T) {
	for url, want := range map[string]bool{
		"chrome://settings": true, "chrome-untrusted://x": true, "devtools://devtools/x": true, "edge://x": true,
		"about:blank": false, "http://chrome/": false, "chrome-error://chromewebdata/": false, "chrome-extension://x": false,
	} {
		if got := internal(url); got != want {
			t.Errorf("%s: %v", url, got)
		}
	}
}

// The handle of a tab that is not open any more is told from a handle that there never was.
func TestClosedHandles(t *testing.T) {
	l := listed("t2=AB12")
	l.last = 3
	for name, want := range map[string]bool{"t1": true, "t2": false, "t3": true, "t4": false, "t0": false, "t-1": false, "3": false, "tx": false} {
		if got := l.isClosed(name); got != want {
			t.Errorf("%s: closed %v, want %v", name, got, want)
		}
	}
}
