package browser

import (
	"strings"
	"testing"

	"chela/internal/engine/page"
)

// Which tab has opened a page is decided by its browser context, then its opener, then what pages have
// asked for. Tabs are named by their browser context and a number: a1 and a2 are in the context a.
// The word a1:u says that tab a1 asks for the address u by a link. A ! adds that it wants a window
// of its own, and a + that it sends a form. A * adds that it was not by a link.
func TestAttribute(t *testing.T) {
	const windows = "a1=1 a2=2 b1=3"
	for _, s := range []struct {
		name    string
		of      string // browser context of the new page
		opener  string // the opener that Chromium names; ?: an unknown one
		url     string
		window  int64
		windows string // windows of the tabs; "": not known
		asks    string
		want    string // the ask, or the tab; unsure: depends on windows
	}{
		{"nobody has asked", "a", "", "", 0, "", "", ""},
		{"its opener", "a", "a1", "", 0, "", "", "a1"},
		{"its opener, and not who asks", "a", "a1", "", 0, "", "a2:u", "a1"},
		{"an opener in another browser context", "a", "b1", "", 0, "", "", ""},
		{"an opener that is not known", "a", "?", "", 0, "", "a1:u", ""},
		{"one has asked", "a", "", "", 0, "", "a1:u", "a1:u"},
		{"one has asked in another browser context", "a", "", "", 0, "", "b1:u", ""},
		{"two have asked for the same, each in its browser context", "b", "", "", 0, "", "a1:u b1:u", "b1:u"},
		{"one has asked twice", "a", "", "", 0, "", "a1:u a1:v", "a1:u"},
		{"window.open names the opener", "a", "", "", 0, "", "a1:u*", ""},
		{"it shows what was asked for", "a", "", "v", 0, "", "a1:u a2:v", "a2:v"},
		{"it shows what nobody has asked for", "a", "", "chrome://newtab/", 0, "", "a1:u", ""},
		{"two have asked", "a", "", "", 0, "", "a1:u a2:u", "unsure"},
		{"two have asked, and it is in the window of one", "a", "", "", 2, windows, "a1:u a2:u", "a2:u"},
		{"two have asked, and it is in no window of theirs", "a", "", "", 9, windows, "a1:u a2:u", ""},
		{"one of them for a window of its own", "a", "", "", 9, windows, "a1:u a2:u!", "a2:u!"},
		{"one of them for a window of its own, and it is in that of the other", "a", "", "", 1, windows, "a1:u a2:u!", "a1:u"},
		{"both for windows of their own, for the same", "a", "", "", 9, windows, "a1:u! a2:u!", "a1:u!"},
		{"both for windows of their own", "a", "", "", 9, windows, "a1:u! a2:v!", ""},
		{"both in one window, for the same", "a", "", "", 1, "a1=1 a2=1", "a1:u a2:u", "a1:u"},
		{"both in one window", "a", "", "", 1, "a1=1 a2=1", "a1:u a2:v", ""},
		{"both in one window, by forms", "a", "", "", 1, "a1=1 a2=1", "a1:u+ a2:u+", ""},
		{"there are no windows, for the same", "a", "", "", 0, "a1=0 a2=0", "a1:u a2:u", "a1:u"},
		{"there are no windows", "a", "", "", 0, "a1=0 a2=0", "a1:u a2:v", ""},
	} {
		contexts, known := map[string]*BrowserContext{"a": new(BrowserContext), "b": new(BrowserContext)}, map[string]*Tab{}
		for _, id := range []string{"a1", "a2", "b1"} {
			known[id] = &Tab{ID: id, context: contexts[id[:1]]}
		}
		n := openerClues{context: contexts[s.of], opened: s.opener != "", opener: known[s.opener], url: s.url, window: s.window}
		for word := range strings.FieldsSeq(s.windows) {
			id, number, _ := strings.Cut(word, "=")
			if n.windows == nil {
				n.windows = map[*Tab]int64{}
			}
			n.windows[known[id]] = int64(number[0] - '0')
		}
		var asks []tabAsk
		words := map[*page.Ask]string{}
		for word := range strings.FieldsSeq(s.asks) {
			id, url, _ := strings.Cut(word, ":")
			ask := &page.Ask{
				URL: strings.Trim(url, "!+*"), Window: strings.Contains(url, "!"), Posts: strings.Contains(url, "+"), ByLink: !strings.Contains(url, "*"),
			}
			asks, words[ask] = append(asks, tabAsk{known[id], ask}), word
		}
		by, sure := attribute(n, asks)
		got := words[by.Ask]
		switch {
		case !sure:
			got = "unsure"
		case by.tab != nil && by.Ask == nil:
			got = by.tab.ID
		}
		if got != s.want {
			t.Errorf("%s: %q, want %q", s.name, got, s.want)
		}
	}
}
