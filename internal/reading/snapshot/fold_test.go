package snapshot

import (
	"fmt"
	"strings"
	"testing"
)

// efficient is what an efficient snapshot asks for, as in package call.
var efficient = Options{Role: true, Interactive: true, Compact: true, Depth: 6, Fold: true}

// times returns a page of n items with these lines. In them, %1 and %2 stand for numbers that no
// other item has, for refs.
func times(n int, lines string) string {
	var all []string
	for i := range n {
		for line := range strings.SplitSeq(lines, "\n") {
			all = append(all, strings.NewReplacer("%1", fmt.Sprint(2*i+1), "%2", fmt.Sprint(2*i+2)).Replace(line))
		}
	}
	return strings.Join(all, "\n")
}

func TestFoldLike(t *testing.T) {
	const rest = "more like these: find shows those with or near given words, a whole snapshot all"
	for _, c := range []struct {
		name, page string
		lines      int    // how many lines of the list are shown
		want       string // the line about the others, "" if there is none
	}{
		{"a list", "0|list\n" + times(40, "1|listitem\n2|link|%1|Item %1"), 10, "… 30 " + rest},
		{"a list with one of a class", "0|list\n" + times(40, "1|listitem\n2|link|%1|Item %1") + "\n1|listitem\n2|link|99|Last||class=active", 11, "… 30 " + rest},
		{"a list with many of a class", "0|list\n" + times(40, "1|listitem\n2|link|%1|Item %1||class=active"), 10, "… 30 " + rest},
		{"a short list", "0|list\n" + times(15, "1|listitem\n2|link|%1|Item %1"), 15, ""},
		{"rows with fields", "0|table\n" + times(40, "1|row\n2|textbox|%1|Amount"), 10, "… 30 " + rest},
		{"rows with drop-downs", "0|table\n" + times(40, "1|row\n2|combobox|%1|State\n3|option||Open||selected\n3|option||Paid"), 10, "… 30 " + rest},
		{"rows with open lists", "0|table\n" + times(40, "1|row\n2|listbox\n3|option|%1|Open||selected"), 40, ""},
		{"the fields of a form", "0|form\n" + times(40, "1|paragraph\n2|textbox|%1|Field %1"), 40, ""},
		{"fields beside each other", "0|form\n" + times(40, "1|text|||Field\n1|textbox|%1|Field %1"), 40, ""},
		{"cards without an element of their own", "0|main\n" + times(40, "1|heading||Card %1\n1|paragraph|||cheap\n1|button|%1|Buy"), 10, "… 30 " + rest},
		{"a menu", "0|navigation\n" + times(20, "1|link|%1|Item %1"), 20, ""},
		{"a long menu", "0|navigation\n1|list\n" + times(60, "2|listitem\n3|link|%1|Item %1"), 30, "… 30 " + rest},
		{"many keys", "0|group||Keys\n" + times(34, "1|button|%1|K%1"), 34, ""},
		{"keys", "0|group||Keys\n" + times(26, "1|button|%1|K%1"), 26, ""},
		{"the cells of a row", "0|row\n" + times(30, "1|gridcell|%1|Day %1"), 30, ""},
		{"a text with links", "0|article\n" + times(30, "1|paragraph|||Once\n2|link|%1|Link %1"), 30, ""},
		{"little to act on", "0|list\n" + times(30, "1|listitem|||Text") + "\n1|listitem\n2|link|1|Last", 1, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			snapshot := rendered(t, c.page, efficient)
			got := snapshot.Text
			if snapshot.Folded != (c.want != "") {
				t.Errorf("folded is %v", snapshot.Folded)
			}
			if n := strings.Count(got, "[ref="); n != c.lines {
				t.Errorf("%d lines, want %d, in\n%s", n, c.lines, got)
			}
			if c.want == "" && strings.Contains(got, "…") || !strings.Contains(got, c.want) {
				t.Errorf("want %q in\n%s", c.want, got)
			}
			if got := rendered(t, c.page, Options{Role: true, Interactive: true}).Text; strings.Contains(got, "…") {
				t.Errorf("items are missing in\n%s", got)
			}
		})
	}
}

// What is selected stays, and what comes after the list is shown. Items that were left out have no
// refs.
func TestFoldKeepsWhatIsSelected(t *testing.T) {
	page := "0|grid\n" + times(40, "1|row|%1|Row %1") + "\n0|button|99|Save"
	page = strings.Replace(page, "|Row 61", "|Row 61||selected", 1)
	o, between := efficient, ""
	o.SelectorOf = func(first, last string) string { between = first + " " + last; return "#grid" }
	got := rendered(t, page, o)
	const want = `
- row "Row 19" [ref=e19]
… 29 more like these: find shows those with or near given words, snapshot --selector '#grid' all
- row "Row 61" [ref=e61] [selected]
- button "Save" [ref=e99]`
	if !strings.HasSuffix(got.Text, want) || between != "e1 e79" || len(got.Refs) != 12 {
		t.Errorf("got %d refs, a selector for %s, and\n%s", len(got.Refs), between, got.Text)
	}
}

// In a delta, an option stays if it is selected, not if its name says so.
func TestFoldInDeltaKeepsWhatIsSelected(t *testing.T) {
	printed := func(page string) []Line { return rendered(t, page, Options{KeepRepeats: true}).Lines }
	page := "0|button|1|Open\n"
	options := "0|combobox|2|Filter\n" + times(20, "1|option||Land %1") + "\n1|option||Inactive\n1|option||Currently shown [selected]\n1|option||Chosen||selected"
	got := Compare(printed(page), printed(page+options), nil, 0).Text
	const want = `+   option "Land 15"
+   … 14 more options: find shows those with given words
+   option "Chosen" [selected]`
	if !strings.HasSuffix(got, want) {
		t.Errorf("got\n%s\nwant at the end\n%s", got, want)
	}
}

// In a delta, nothing is said of the options of a drop-down in a row that is left out.
func TestFoldInDeltaRowsWithDropDowns(t *testing.T) {
	printed := func(page string) []Line { return rendered(t, page, Options{KeepRepeats: true}).Lines }
	page := "0|button|999|Open\n"
	rows := "0|table\n" + times(50, "1|row\n2|combobox|%1|State\n3|option||Open||selected\n"+strings.TrimSpace(strings.Repeat("3|option||Paid\n", 12)))
	got := Compare(printed(page), printed(page+rows), nil, 0).Text
	if n := strings.Count(got, " more options"); n != 30 || !strings.HasSuffix(got, "… 20 more like these: find shows those with or near given words, a snapshot shows all") {
		t.Errorf("%d notes about options in\n%s", n, got)
	}
}

// How often a line is looked at does not depend on how many there are, whatever keeps a long list
// from being shortened. Otherwise a page could hold up a call for minutes.
func TestFoldLooksAtEachLineAFewTimes(t *testing.T) {
	const n = 3000
	for _, c := range []struct {
		name  string
		roles []string // of the lines, again and again
		last  string   // role of the last line, which is inside of the one before it
		worth int      // how many lines are saved by leaving out one
		stays bool
	}{
		{"options, none of which has a ref", []string{"option"}, "text", 0, false},
		{"rows", []string{"row"}, "text", 0, false},
		{"cards", []string{"heading", "paragraph", "button"}, "text", 0, false},
		{"buttons that must be shown", []string{"button"}, "text", 1, true},
		{"clickable things before a field", []string{"generic"}, "textbox", 1, false},
		{"cards before a field", []string{"heading", "generic"}, "textbox", 1, false},
	} {
		looks := 0
		ends := make([]int, n)
		for i := range ends {
			ends[i] = i + 1
		}
		ends[n-2] = n
		f := newFolder(ends, func(i int) string {
			if looks++; i == n-1 {
				return c.last
			}
			return c.roles[i%len(c.roles)]
		})
		f.closed = func(int) bool { return false }
		f.stays = func(int) bool { looks++; return c.stays }
		f.marked = f.stays
		f.worth = func(from, to int) int { looks += to - from; return c.worth * (to - from) }
		f.fold(0, n, false)
		if limit := 200 * n; looks > limit {
			t.Errorf("%s: %d looks at %d lines, want at most %d", c.name, looks, n, limit)
		}
	}
}
