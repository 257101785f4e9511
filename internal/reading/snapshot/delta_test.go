package snapshot

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// pageOf makes lines from a text, as Render does. The ref of a line stands in brackets, such as
// [ref=e1].
func pageOf(text string) (lines []Line) {
	for line := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
		l := Line{Text: strings.TrimSpace(line)}
		l.Depth = (len(line) - len(strings.TrimLeft(line, " "))) / 2
		if _, rest, ok := strings.Cut(l.Text, "[ref="); ok {
			l.Ref, _, _ = strings.Cut(rest, "]")
		}
		l.chosen = strings.Contains(l.Text, " [selected]")
		lines = append(lines, l)
	}
	return lines
}

const shopBefore = `- heading "Shop"
- list:
  - listitem: Mug
  - button "Add mug" [ref=e1]
  - listitem: Lamp
  - button "Add lamp" [ref=e2]
- button "Check out" [disabled] [ref=e3]
- status: Empty`

// optionsFrom returns n options of a drop-down, which are numbered from first.
func optionsFrom(first, n int) (lines string) {
	for i := range n {
		lines += fmt.Sprintf("\n  - option \"Land %d\"", first+i)
	}
	return lines
}

func TestCompare(t *testing.T) {
	tests := []struct{ name, after, want string }{
		{"nothing", shopBefore, ""},
		{"a state", strings.Replace(shopBefore, " [disabled]", "", 1), `~ button "Check out" [ref=e3]`},
		{"a text", strings.Replace(shopBefore, "Empty", "1 thing", 1), "~ status: 1 thing (was Empty)"},
		{"a new element", shopBefore + "\n- link \"Back\" [ref=e4] [new]", `+ link "Back" [ref=e4]`},
		{"an element gone", strings.Replace(shopBefore, "  - button \"Add lamp\" [ref=e2]\n", "", 1), `- button "Add lamp" [ref=e2]`},
		{"a second of the same", shopBefore + "\n- listitem: Mug", "+ listitem: Mug"},
		{"a long drop-down", shopBefore + "\n- combobox \"Country\" [ref=e5]:" + optionsFrom(0, 20), "+ combobox \"Country\" [ref=e5]:\n+ " +
			strings.TrimPrefix(strings.ReplaceAll(optionsFrom(0, 8), "\n  - ", "\n+   "), "\n+ ") +
			"\n+   … 12 more options: find shows those with given words"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := Compare(pageOf(shopBefore), pageOf(test.after), nil, 0); got.Text != test.want {
				t.Errorf("got\n%s\nwant\n%s", got.Text, test.want)
			}
		})
	}
}

// tableOf returns a table whose rows have a cell for each word. If first is not 0, each row also
// has a button. The refs of the buttons count up from first.
func tableOf(first int, rows ...string) string {
	var b strings.Builder
	b.WriteString("- table:\n  - rowgroup:\n")
	for i, row := range rows {
		b.WriteString("    - row:\n")
		for cell := range strings.FieldsSeq(row) {
			fmt.Fprintf(&b, "      - cell %q\n", cell)
		}
		if first > 0 {
			fmt.Fprintf(&b, "      - cell:\n        - button \"Edit\" [ref=e%d]\n", first+i)
		}
	}
	return b.String()
}

// flat returns the rows from first to end-1 of a list. The rows have no element of their own: each is
// a text and a button after it.
func flat(first, end int) string {
	var b strings.Builder
	for i := first; i < end; i++ {
		fmt.Fprintf(&b, "- text: Row %d\n- button \"Pick\" [ref=e%d]\n", i, i)
	}
	return b.String()
}

// people returns n rows with a different name each, and with ages and cities that repeat.
func people(n int) (rows []string) {
	for i := range n {
		rows = append(rows, fmt.Sprintf("Name%d %d %s", i, 20+i%30, []string{"Berlin", "Rome", "Oslo"}[i%3]))
	}
	return rows
}

const columns = `- region "To do":
  - heading "To do"
  - text: Card one
  - text: Card two
  - article "Card three":
    - text: Body
    - button "Open" [ref=e1]
- region "Done":
  - heading "Done"
`

// mixed is a paragraph in a snapshot with all refs: each text has the ref of the paragraph.
const mixed = "- paragraph [ref=e2]:\n  - text [ref=e2]: one\n  - link \"x\" [ref=e3]\n  - text [ref=e2]: two\n"

func TestCompareStructure(t *testing.T) {
	without := func(rows []string, i int) []string { return slices.Delete(slices.Clone(rows), i, i+1) }
	calendar := "- dialog \"Pick a date\":\n" + strings.Repeat("  - row:\n    - cell \"1\"\n    - cell \"2\"\n", 13) + "  - button " +
		"\"Close\" [ref=e9]\n"
	tests := []struct{ name, before, after, want string }{
		{"a list reversed", "- list:\n  - listitem: A\n  - listitem: B\n  - listitem: C", "- list:\n  - listitem: C\n  - listitem: B\n  - " +
			"listitem: A",
			"> listitem: C (moved to the start)\n> listitem: B (moved after listitem: C)"},
		{"a drop-down without a name", "- combobox [ref=e1]:\n  - option \"One\" [selected]\n  - option \"Two\"", "- combobox [active] [ref=e1]:\n  - option \"One\" [selected]\n  - option \"Two\"",
			"~ combobox [active] [ref=e1]: One"},
		{"elements reversed", "- button \"A\" [ref=e1]\n- button \"B\" [ref=e2]", "- button \"B\" [ref=e2]\n- button \"A\" [ref=e1]",
			`> button "B" [ref=e2] (moved to the start)`},
		{"cells swapped in a row", tableOf(0, "Ada 36 Berlin"), tableOf(0, "36 Ada Berlin"), "  row: 36 Ada Berlin\n>   cell \"36\" (moved to the start)"},
		{"cells swapped between rows", tableOf(0, "Ada 36 Berlin x1", "Bob 20 Rome x2"), tableOf(0, "Bob 36 Berlin x1", "Ada 20 Rome x2"),
			"> cell \"Bob\" (moved into row: Bob 36 Berlin x1)\n> cell \"Ada\" (moved into row: Ada 20 Rome x2)"},
		{"another month", tableOf(0, "1 2 3", "4 5 6 7 8 9 10", "11 12 13 14 15 16 17", "18 19 20 21 22 23 24"),
			tableOf(0, "1 2 3 4 5", "6 7 8 9 10 11 12", "13 14 15 16 17 18 19", "20 21 22 23 24"), "> 6 cells (moved into other rows)"},
		{"a card moved", columns, strings.Replace(columns, "  - text: Card two\n", "", 1) + "  - text: Card two\n",
			`> text: Card two (moved into region "Done", after heading "Done")`},
		{"a card of several lines moved", columns, strings.Replace(columns, "  - article \"Card three\":\n    - text: Body\n    - button "+
			"\"Open\" [ref=e1]\n", "", 1) + "  - article \"Card three\":\n    - text: Body\n    - button \"Open\" [ref=e1]\n",
			`> article "Card three" (… 2 lines, moved into region "Done", after heading "Done")`},
		{"a dialog closed", shopBefore + "\n" + calendar, shopBefore, `- dialog "Pick a date" (… 40 lines)`},
		{"a dialog opened", shopBefore, shopBefore + "\n- dialog \"Sure?\":\n  - text: Really\n  - button \"Yes\" [ref=e9]",
			"+ dialog \"Sure?\":\n+   text: Really\n+   button \"Yes\" [ref=e9]"},
		{"a row removed", tableOf(1, people(500)...), strings.Replace(tableOf(1, people(500)...), "    - row:\n      - cell \"Name7\"\n     "+
			" - cell \"27\"\n      - cell \"Rome\"\n      - cell:\n        - button \"Edit\" [ref=e8]\n", "", 1),
			"- row: Name7 27 Rome Edit (… 5 lines)"},
		{"a row removed, and all made anew", tableOf(1, people(500)...), tableOf(501, without(people(500), 7)...),
			"- row: Name7 27 Rome Edit (… 5 lines)\n" +
				"(499 elements that read as before have other refs now: take a snapshot before acting on them)"},
		{"a row removed, and the others filled anew", tableOf(1, people(500)...), tableOf(1, without(people(500), 7)...),
			"- row: Name7 27 Rome Edit (… 5 lines)\n" +
				"(492 elements that read as before have other refs now: take a snapshot before acting on them)"},
		{"a row removed without refs", tableOf(0, people(500)...), tableOf(0, without(people(500), 7)...), "- row: Name7 27 Rome (… 3 lines)"},
		{"one cell of many", tableOf(0, people(100)...), strings.Replace(tableOf(0, people(100)...), `"Name7"`, `"Ada"`, 1),
			"+ row:\n+   cell \"Ada\"\n+   cell \"27\"\n+   cell \"Rome\"\n- row: Name7 27 Rome (… 3 lines)"},
		{"sorted, with rows from another page", tableOf(0, "Ada 36 Berlin", "Bob 20 Rome", "Cyd 50 Oslo"), tableOf(0, "Zed 70 Berlin", "Bob "+
			"20 Rome", "Yan 51 Berlin"),
			"+ row:\n+   cell \"Zed\"\n+   cell \"70\"\n+   cell \"Berlin\"\n+ row:\n+   cell \"Yan\"\n+   cell \"51\"\n+   cell \"Berlin\"\n" +
				"- row: Ada 36 Berlin (… 3 lines)\n- row: Cyd 50 Oslo (… 3 lines)"},
		{"a filtered table", tableOf(1, people(50)...), tableOf(1, people(1)...), "- row: Name1 21 Rome Edit and the 48 after it (294 lines)"},
		{"a board", tableOf(0, "_ _ _", "_ _ _", "_ _ _"), tableOf(0, "_ _ _", "_ X _", "_ _ _"), "  row: _ _\n~   cell \"X\" (was _)"},
		{"a caption", "- table \"2 results\":\n  - row:\n    - cell \"A\"\n  - row:\n    - cell \"B\"", "- table \"1 result\":\n  - row:\n  " +
			"  - cell \"A\"", "~ table \"1 result\" (was 2 results)\n- row: B (… 1 line)"},
		{"another frame", "- iframe [ref=e1]:\n  - text: One\n  - button \"x\" [ref=f1e1]", "- iframe [ref=e1]:\n  - text: Two\n  - button " +
			"\"y\" [ref=f1e2]",
			"~ text: Two (was One)\n~ button \"y\" [ref=f1e2] (was x)"},
		{"moved and changed", "- button \"A\" [ref=e1]\n- button \"B\" [ref=e2]\n- button \"C\" [ref=e3]", "- button \"B\" [ref=e2]\n- " +
			"button \"C\" [ref=e3]\n- button \"A\" [disabled] [ref=e1]",
			`~ button "A" [disabled] [ref=e1] (moved after button "C" [ref=e3])`},
		{"the last of a list moved", "- region \"A\":\n  - text: Card\n- region \"B\":\n  - text: Other", "- region \"A\"\n- region \"B\":\n" +
			"  - text: Other\n  - text: Card",
			`> text: Card (moved into region "B", after text: Other)`},
		{"a long list scrolled", "- heading \"L\"\n" + flat(0, 4) + "- heading \"M\"", "- heading \"L\"\n" + flat(2, 6) + "- heading \"M\"",
			"+ text: Row 4\n+ button \"Pick\" [ref=e4]\n+ text: Row 5\n+ button \"Pick\" [ref=e5]\n- text: Row 0\n- button \"Pick\" [ref=e0]\n" +
				"- text: Row 1\n- button \"Pick\" [ref=e1]"},
		{"a state without a ref", "- option \"A\" [selected]\n- option \"B\"", "- option \"A\"\n- option \"B\" [selected]", "~ option " +
			"\"A\"\n~ option \"B\" [selected]"},
		{"a card moved into a new column", columns + "  - generic [ref=e2] [clickable]:\n    - heading \"Card A\"\n    - text: Body",
			columns + "- region \"New\":\n  - generic [ref=e2] [clickable]:\n    - heading \"Card A\"\n    - text: Body",
			"+ region \"New\":\n+   generic [ref=e2] [clickable]:\n+     heading \"Card A\"\n+     text: Body"},
		{"another element of the same name", "- button \"A\" [ref=e1]", "- button \"A\" [ref=e2]", `~ button "A" [ref=e2]`},
		{"around texts that have the ref of their element", "- heading \"H\" [ref=e1]\n" + mixed + "- button \"B\" [disabled] [ref=e4]",
			"- heading \"I\" [ref=e1]\n" + mixed + "- button \"B\" [ref=e4]",
			"~ heading \"I\" [ref=e1]\n~ button \"B\" [ref=e4]"},
		{"another text before one with the same ref", "- paragraph [ref=e2]:\n  - text [ref=e2]: one", mixed,
			"+ link \"x\" [ref=e3]\n+ text [ref=e2]: two"},
		{"another text after a text with the same ref, which has changed", "- paragraph [ref=e2]:\n  - link \"x\" [ref=e3]\n  - text [ref=e2]: last", mixed,
			"+ text [ref=e2]: one\n~ text [ref=e2]: two"},
		{"wrapped", "- button \"A\" [ref=e1]\n- button \"B\" [ref=e2]", "- group \"G\":\n  - button \"A\" [ref=e1]\n  - button \"B\" " +
			"[ref=e2]", "+ group \"G\":\n+   button \"A\" [ref=e1]\n+   button \"B\" [ref=e2]"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := Compare(pageOf(test.before), pageOf(test.after), nil, 0); got.Text != test.want {
				t.Errorf("got\n%s\nwant\n%s", got.Text, test.want)
			}
		})
	}
}

// The page has replaced all its elements by new ones, and only one row reads otherwise.
func TestCompareOneRowOfMany(t *testing.T) {
	page := func(first int, state, button string) string {
		all := "- navigation:\n  - link \"Home\" [ref=e1]\n" + tableOf(0)
		for i := range 50 {
			is, does := "open", "Close"
			if i == 7 {
				is, does = state, button
			}
			all += fmt.Sprintf("    - row:\n      - cell \"#%d\"\n      - cell \"Ada %d\"\n      - cell %q\n      - cell:\n        - button %q [ref=e%d]\n",
				1000+i, i%5, is, does, first+i)
		}
		return all
	}
	for _, c := range []struct {
		name  string
		first int
		want  string
	}{
		{"with the refs from before", 2, `
  row: #1007 Ada 2
~   cell "closed" (was open)
~   button "Reopen" [ref=e9]`},
		{"with other refs", 102, `
  row: #1007 Ada 2
~   cell "closed" (was open)
~   button "Reopen" [ref=e109] (was Close)
(49 elements that read as before have other refs now: take a snapshot before acting on them)`},
	} {
		got := Compare(pageOf(page(2, "open", "Close")), pageOf(page(c.first, "closed", "Reopen")), nil, 0).Text
		if want := strings.TrimPrefix(c.want, "\n"); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, got, want)
		}
	}
}

// Of a long list that is new only the first items are listed. Items that are added to a list are all
// listed. Each change says in which card or landmark it is.
func TestCompareSaysWhere(t *testing.T) {
	page := func(list string, people int, text string) []Line {
		var b strings.Builder
		for i := range people {
			fmt.Fprintf(&b, "    - listitem: Person %d\n", i)
		}
		return pageOf("- main:\n" + list + b.String() + "- navigation \"Main\":\n  - link \"Mail\" [ref=e90]\n" + text)
	}
	const list = "  - list:\n"
	got := Compare(page("", 0, ""), page(list, 60, "  - text: 3 new\n"), nil, 0).Text
	for _, want := range []string{"+     listitem: Person 29\n+     … 30 more like these: find", "\n  navigation \"Main\"\n+   text: 3 new"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if strings.Contains(got, "Person 30") {
		t.Errorf("got\n%s", got)
	}
	if got := Compare(page(list, 1, ""), page(list, 60, ""), nil, 0).Text; strings.Count(got, "+ listitem") != 59 {
		t.Errorf("got\n%s", got)
	}
	keys := pageOf("- group:\n" + strings.Repeat("  - button \"Key\"\n", 60))
	if got := Compare(nil, keys, nil, 0).Text; !strings.Contains(got, "… 30 more like these") {
		t.Errorf("got\n%s", got)
	}
}

// Changes outside of dialogs and the main part are cut first, and the last line says how many are
// missing.
func TestCompareIsCut(t *testing.T) {
	got := Compare(nil, pageOf(strings.Repeat("- text: a long line\n", 50)+"- main:\n  - text: main\n- dialog:\n  - button \"OK\" [ref=e1]"), nil, 200)
	const want = `+ text: a long line
+ main:
+   text: main
+ dialog:
+   button "OK" [ref=e1]
[...TRUNCATED - 49 more changes: a snapshot or a larger maxChars shows all, find those with given words]`
	if got.Text != want || !got.Truncated || len(got.Text) > 200 || got.Changes != 54 {
		t.Errorf("got %+v", got)
	}
}

// A delta has each text that is new to the reader, once. The pages come from walks.
func TestDelta(t *testing.T) {
	long := strings.Repeat("Press the arrow keys. ", 9)
	for _, c := range []struct{ name, before, after, want string }{
		{"a wrapper that says nothing", "", `
0|generic|4||||onclick
1|generic|5||||onclick
2|link|6|Mail
0|generic|7||||tabindex
1|button|8|Save`, `
+ generic [ref=e4] [clickable]:
+   link "Mail" [ref=e6]
+ button "Save" [ref=e8]`},
		{"a wrapper that has begun to listen", "0|button|1|Bold", "0|generic|2||||onclick\n1|button|1|Bold\n1|button|3|Italic", `
+ button "Italic" [ref=e3]`},
		{"a wrapper that no longer listens", "0|generic|2||||onclick\n1|generic|4||||onclick\n2|button|1|Bold\n1|button|3|Italic", "0|button|1|Bold", `
- button "Italic" [ref=e3]`},
		{"what has the focus only for now", `
0|dialog||D
1|generic|1||||tabindex
2|button|2|OK
2|text|||Sure?`, `
0|dialog||D
1|generic|9|||active|focused
2|generic|1||||tabindex
3|button|2|OK
3|text|||Sure?`, ``},
		{"a box that has no words any more, but holds them", "0|generic|1||Foo||onclick", `
0|generic|1||||onclick
1|heading||Foo||level=2`, `
+ heading "Foo" [level=2]`},
		{"a box whose words are gone", "0|generic|1||Foo||onclick", "0|generic|1||||onclick", `
~ generic [ref=e1] [clickable]`},
		{"another listener", "0|generic|1||Foo||ondragover", "0|generic|1||Foo||ondragover, onclick", ``},
		{"a state", "0|generic|1||||onclick", "0|generic|1|||expanded|onclick", `
~ generic [expanded] [ref=e1] [clickable]`},
		{"an icon replaced by an equal one", "0|generic|7||||onclick|||.fa-trash", "0|generic|9||||onclick|||.fa-trash", `
~ generic [ref=e9] [clickable] [description=".fa-trash"]`},
		{"a description", "", `
0|button|1|A||||||` + long + `
0|button|2|B||||||` + long + `
0|button|3|||||||` + long, `
+ button "A" [ref=e1] [description="Press the arrow keys. Press the arrow…"]
+ button "B" [ref=e2]
+ button [ref=e3] [description="Press the arrow keys. Press the arrow…"]`},
		{"a description beside a sign", "", `
0|button|1|×||||||Remove
0|button|2|×||||||Remove`, `
+ button "×" [ref=e1] [description="Remove"]
+ button "×" [ref=e2] [description="Remove"]`},
	} {
		t.Run(c.name, func(t *testing.T) {
			of := func(page string) []Line {
				return Render(&Frame{Walk: &Walk{Lines: lines(page)}}, Options{KeepRepeats: true}).Lines
			}
			if got := Compare(of(c.before), of(c.after), nil, 0).Text; got != strings.TrimSpace(c.want) {
				t.Errorf("got\n%s\nwant%s", got, c.want)
			}
		})
	}
}

// What one of two readings has not reached is neither new nor gone.
func TestDeltaOfReadingsThatWereCut(t *testing.T) {
	rows := func(from, to int) (text string) {
		for i := from; i < to; i++ {
			text += fmt.Sprintf("1|paragraph||Row %d\n", i)
		}
		return text
	}
	read := func(page, cut, inner string) []Line {
		root := &Frame{Walk: &Walk{Lines: lines("0|iframe|9\n" + page), Cut: cut}}
		if inner != "" {
			root.Walk.Iframes = []int{9}
			root.Children = map[int]*Frame{9: {Prefix: "f2", Walk: &Walk{Lines: lines(inner), Cut: "the inner frame has more"}}}
		}
		return Render(root, Options{KeepRepeats: true}).Lines
	}
	const cut = "the page has more"
	list, changed := "0|main\n1|button|1|Zed\n", "0|main\n1|button|1|Zed||disabled\n"
	for _, c := range []struct {
		name          string
		before, after []Line
		want          string
	}{
		{"the first", read(list+rows(0, 100), cut, ""), read(changed+rows(0, 300)+"0|paragraph||ok", "", ""), `
~ button "Zed" [disabled] [ref=e1]
(201 lines not compared: the reading before, or this one, ended earlier)`},
		{"the second", read(list+rows(0, 300), "", ""), read(changed+rows(0, 100), cut, ""), `
~ button "Zed" [disabled] [ref=e1]
+ (the page has more)
(200 lines not compared: the reading before, or this one, ended earlier)`},
		{"both, with a new row", read(list+rows(1, 100), cut, ""), read(list+rows(0, 99), cut, ""), `
+ paragraph "Row 0"
(1 line not compared: the reading before, or this one, ended earlier)`},
		{"a frame", read(list+rows(0, 3), "", "0|paragraph||In"), read(list+rows(0, 4), "", "0|paragraph||In\n0|paragraph||On"), `
+ paragraph "Row 3"
(1 line not compared: the reading before, or this one, ended earlier)`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Compare(c.before, c.after, nil, 0).Text; got != strings.TrimPrefix(c.want, "\n") {
				t.Errorf("got\n%s\nwant%s", got, c.want)

			}
		})
	}
}

// Of many new elements that nothing distinguishes, the first stands for all, as in a snapshot.
func TestCompareManyAlike(t *testing.T) {
	lines := func(page string) []Line { return rendered(t, page, Options{KeepRepeats: true}).Lines }
	cells := func(first int, more string) []Line {
		page := "0|list"
		for i := range 20 {
			page += fmt.Sprintf("\n1|generic|%d||||onclick|||div.cell", first+i)
		}
		return lines(page + more)
	}
	before, after := cells(100, "\n0|status|||Open"), cells(200, "\n0|status|||Saved")
	const want = `+ generic [ref=e200] [clickable] [description="div.cell"]
+ … 19 more like this
~ status: Saved (was Open)
`
	if got := Compare(before, after, nil, 0).Text; !strings.HasPrefix(got, want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// A list that is new and long has both limits: each element that is left out is counted once.
func TestCompareManyAlikeInANewList(t *testing.T) {
	cells := ""
	for i := range 50 {
		cells += fmt.Sprintf("\n1|generic|%d||||onclick|||div.cell", 200+i)
	}
	lines := func(page string) []Line { return rendered(t, page, Options{KeepRepeats: true}).Lines }
	got := Compare(lines("0|status|||Open"), lines("0|status|||Open\n0|list|||"+cells), nil, 0).Text
	left := 0
	for _, line := range strings.Split(got, "\n") {
		n := 0
		if _, err := fmt.Sscanf(strings.TrimLeft(line, "+ "), "… %d more like", &n); err == nil {
			left += n
		}
	}
	if shown := strings.Count(got, "[ref="); shown+left != 50 {
		t.Errorf("%d elements are shown and %d counted, of 50, in\n%s", shown, left, got)
	}
}

// A delta takes time in proportion to the page, whatever has changed.
func BenchmarkCompare(b *testing.B) {
	reversed := func(rows []string) []string { rows = slices.Clone(rows); slices.Reverse(rows); return rows }
	for _, lines := range []int{10_000, 40_000} {
		rows := people(lines / 4)
		withRefs := people(lines / 6)
		for _, c := range []struct{ name, before, after string }{
			{"same", tableOf(0, rows...), tableOf(0, rows...)},
			{"a cell", tableOf(1, withRefs...), strings.Replace(tableOf(1, withRefs...), `"Name7"`, `"Ada"`, 1)},
			{"one row", tableOf(1, withRefs...), tableOf(1, withRefs[1:]...)},
			{"reversed", tableOf(0, rows...), tableOf(0, reversed(rows)...)},
			{"all new", tableOf(1, withRefs...), tableOf(50_000, withRefs...)},
			{"another page", tableOf(0, rows...), strings.ReplaceAll(tableOf(0, rows...), "Name", "Other")},
			{"flat", strings.Repeat("- listitem: A\n", lines), strings.Repeat("- listitem: B\n", lines)},
		} {
			before, after := pageOf(c.before), pageOf(c.after)
			b.Run(fmt.Sprintf("%s/%d", c.name, lines), func(b *testing.B) {
				for b.Loop() {
					Compare(before, after, nil, 8000)
				}
			})
		}
	}
}

// Each changed option is listed below its own drop-down, whose line may be a change itself.
func TestDeltaOfDropDowns(t *testing.T) {
	const page = `- paragraph:
  - combobox "Depart" [ref=e1]:
    - option "Mon"%s
    - option "Tue"%s
- paragraph:
  - combobox [ref=e2]:
    - option "Mon"%s
    - option "Tue"%s`
	const on = " [selected]"
	want := `  combobox "Depart" [ref=e1]
~   option "Mon"
~   option "Tue" [selected]
  combobox [ref=e2]
~   option "Mon"
~   option "Tue" [selected]`
	before, after := fmt.Sprintf(page, on, "", on, ""), fmt.Sprintf(page, "", on, "", on)
	if got := Compare(pageOf(before), pageOf(after), nil, 0).Text; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	want = strings.Replace(want, `  combobox "Depart" [ref=e1]`, `~ combobox "Depart" [active] [ref=e1]:`, 1)
	if got := Compare(pageOf(before), pageOf(strings.Replace(after, `"Depart"`, `"Depart" [active]`, 1)), nil, 0).Text; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// What a frame showed has not gone because the frame does not answer this time.
func TestDeltaOfFrameThatIsNotRead(t *testing.T) {
	page := func(child *Frame) []Line {
		walk := &Walk{Lines: lines("0|iframe|1"), Iframes: []int{1}}
		return Render(&Frame{Walk: walk, Children: map[int]*Frame{1: child}}, Options{KeepRepeats: true}).Lines
	}
	shown := page(&Frame{Prefix: "f2", Walk: &Walk{Lines: lines("0|textbox|1|Name\n0|combobox|2|Land")}})
	for _, c := range []struct {
		now  *Frame
		want string
	}{
		{&Frame{Prefix: "f2", Failed: "busy"}, "~ iframe [ref=e1]: (frame not read: busy)"},
		{&Frame{Prefix: "f2", Failed: NotLoaded, Unloaded: true}, `~ iframe [ref=e1]: (frame not read: it has not loaded yet)
- textbox "Name" [ref=f2e1]
- combobox "Land" [ref=f2e2]`},
	} {
		if got := Compare(shown, page(c.now), nil, 0).Text; got != c.want {
			t.Errorf("got\n%s\nwant\n%s", got, c.want)
		}
	}
}
