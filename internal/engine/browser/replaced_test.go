package browser

import (
	"slices"
	"strings"
	"testing"

	"chela/internal/engine/page"
)

// tabs makes tabs from words such as "t1@address" and "t2@address<t1". The second one was opened by
// the page of t1.
func tabs(words string, known map[string]*Tab) (list []*Tab) {
	for word := range strings.FieldsSeq(words) {
		word, opener, _ := strings.Cut(word, "<")
		id, url, _ := strings.Cut(word, "@")
		t := &Tab{ID: id, pageState: pageState{url: url}, opener: known[opener]}
		if opener != "" && t.opener == nil {
			t.opener = &Tab{ID: opener}
		}
		known[id] = t
		list = append(list, t)
	}
	return list
}

func ids(tabs []*Tab) string {
	var all []string
	for _, t := range tabs {
		all = append(all, t.ID)
	}
	return strings.Join(all, " ")
}

func TestReplacements(t *testing.T) {
	for _, s := range []struct{ name, vanished, appeared, want string }{
		{"one for one, at the same address", "t1@a", "t2@a", "t1→t2"},
		{"at another address", "t1@a", "t2@b", ""},
		{"a popup that its opener closed, and a new tab", "t2@a<t1", "t3@a", ""},
		{"a tab that closed itself, and a popup", "t1@a", "t3@a<t2", ""},
		{"two that vanished", "t1@a t2@a", "t3@a", ""},
		{"two that appeared", "t1@a", "t2@a t3@a", ""},
		{"two pairs", "t1@a t2@b", "t3@b t4@a", "t1→t4 t2→t3"},
		{"empty tabs prove nothing", "t1@" + page.Blank, "t2@" + page.Blank, ""},
		{"nor do those without an address", "t1@", "t2@", ""},
		{"only vanished", "t1@a", "", ""},
		{"in another browser context", "t1@a", "t9@a", ""},
	} {
		known := map[string]*Tab{}
		w := swaps{tabs(s.vanished, known), tabs(s.appeared, known)}
		if other := known["t9"]; other != nil {
			other.context = new(BrowserContext)
		}
		var got []string
		for _, old := range w.vanished {
			if fresh := w.replacements()[old]; fresh != nil {
				got = append(got, old.ID+"→"+fresh.ID)
			}
		}
		if got := strings.Join(got, " "); got != s.want {
			t.Errorf("%s: %q, want %q", s.name, got, s.want)
		}
	}
}

// A look at the popups of a tab comes after each act. It leaves the tabs whose other half of a
// replacement may still come.
func TestClosedPopupsKeepReplacements(t *testing.T) {
	known := map[string]*Tab{}
	b := &Browser{swaps: swaps{vanished: tabs("t1@a", known)}}
	opener := &Tab{ID: "t2", browser: b, popups: popups{reported: tabs("t3@a<t2", known)}}
	if closed := opener.ClosedPopups(); !slices.Equal(closed, []string{"t3"}) || len(b.swaps.vanished) != 1 {
		t.Errorf("closed %q, vanished %q", closed, ids(b.swaps.vanished))
	}
}

func TestAdmitPopups(t *testing.T) {
	for _, s := range []struct {
		name                  string
		popups                popups
		open                  int
		admitted              bool
		thenCount, thenRefuse int
	}{
		{"the first", popups{}, 0, true, 1, 0},
		{"the last of an act", popups{count: maxPopups - 1}, 7, true, maxPopups, 0},
		{"one too many of an act", popups{count: maxPopups}, 8, false, maxPopups + 1, 1},
		{"one too many that stay open", popups{count: 1, refused: 2}, maxPopupsOpen, false, 2, 3},
	} {
		if got := s.popups.admit(s.open); got != s.admitted || s.popups.count != s.thenCount || s.popups.refused != s.thenRefuse {
			t.Errorf("%s: admitted %v, then %+v", s.name, got, s.popups)
		}
	}
}

// A page opens one popup after the other, and no call asks for them. Those that are closed are
// forgotten.
func TestPopupsThatNobodyReports(t *testing.T) {
	l := listed("t1=A@http://one/ t2=B t3=C")
	opener, closed, open := l.byID("t1"), l.byID("t2"), l.byID("t3")
	l.addPopup(opener, closed)
	l.remove(closed)
	l.addPopup(opener, open)
	if !slices.Equal(opener.popups.unreported, []*Tab{open}) {
		t.Errorf("got %d tabs, want the open one", len(opener.popups.unreported))
	}
}
