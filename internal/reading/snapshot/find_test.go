package snapshot

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// numbered returns a page whose lines all have refs: their own, or 101, 102 and so on.
func numbered(text string) *Frame {
	w := &Walk{Lines: lines(text)}
	for i := range w.size() {
		w.All = append(w.All, 101+i)
	}
	return &Frame{Walk: w}
}

// A text beside other lines has the ref of the element around all of them. The match says so.
func TestFindTextInElement(t *testing.T) {
	w := &Walk{Lines: lines("0|form\n1|text|||Ham\n1|checkbox|5|Ham\n1|text|||Olives\n0|paragraph|||Figs"), All: Numbers{9, 9, 5, 9, 8}}
	for text, want := range map[string]string{"Olives": "form, which has this ref", "Figs": ""} {
		if found := Find(&Frame{Walk: w}, Query{Text: text}, 1, 0); len(found.Matches) != 1 || found.Matches[0].In != want {
			t.Errorf("%s: got %+v, want it in %q", text, found.Matches, want)
		}
	}
	w.Lines = lines("0|text|||Ham\n0|checkbox|5|Ham\n0|text|||Olives")
	w.All = Numbers{9, 5, 9}
	if found := Find(&Frame{Walk: w}, Query{Text: "Olives"}, 1, 0); found.Matches[0].In != "element with more in it, which has this ref" {
		t.Errorf("got %+v", found.Matches)
	}
}

const orders = `
0|heading||Orders||level=1
0|list
1|listitem|||Mug
1|button|1|Add mug
1|listitem|||Lamp
1|button|2|Add lamp
0|button|3|Check out||disabled
0|textbox|4||||placeholder|Your e-mail
0|textbox|5|City|Rome|value
0|generic|6||10a||onclick, cursor:pointer
0|table
1|row
2|cell||Row 17
2|button|17|Edit
1|row
2|cell||Row 2
2|cell
3|text|||two
2|button|7|Edit
1|row
2|cell||Row 7
2|cell
3|text|||seven
2|button|22|Edit||expanded=false`

// A text in a menu off the screen is marked, and comes after what can be used.
func TestFindOffTheScreen(t *testing.T) {
	page := numbered("0|generic|1||||onclick, off-screen\n1|img||Statistics\n1|text|||Statistics\n0|button|2|Statistics")
	var got []string
	for _, m := range Find(page, Query{Text: "statistics"}, 10, 0).Matches {
		got = append(got, m.Line)
	}
	want := []string{`- button "Statistics" [ref=e2]`, `- img "Statistics" [ref=e102] [off-screen]`, `- text [ref=e103] [off-screen]: Statistics`}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// If what has the words cannot be acted on, the controls of its row or card follow.
func TestFindBeside(t *testing.T) {
	for _, c := range []struct {
		name, page string
		query      Query
		want       []string
	}{
		{"an item of a list", "0|list\n1|listitem\n2|text|||Item 1\n2|button|1|Del\n1|listitem\n2|text|||Item 2\n2|button|2|Del", Query{Text: "item 2"},
			[]string{`- text [ref=e106]: Item 2`, `- button "Del" [ref=e2] in Item 2`}},
		{"what fits best", "0|row\n1|cell||Item 25\n1|button|1|Del\n0|row\n1|cell||Item 2\n1|button|2|Del", Query{Text: "item 2"},
			[]string{`- cell "Item 2" [ref=e105]`, `- cell "Item 25" [ref=e102]`, `- button "Del" [ref=e2] in Item 2`}},
		{"by the role of the control", "0|list\n1|listitem\n2|text|||Item 1\n2|button|1|Del\n1|listitem\n2|text|||Item 2\n2|button|2|Del",
			Query{Text: "item 2", Role: "button"}, []string{`- button "Del" [ref=e2] in Item 2`}},
		{"an item without a control", "0|list\n1|listitem\n2|text|||Item 1\n2|button|1|Del\n1|listitem\n2|text|||Item 2", Query{Text: "item 2"},
			[]string{`- text [ref=e106]: Item 2`}},
		{"a card without a role", "0|generic\n1|generic\n2|text|||Ann\n2|button|1|Del\n1|generic\n2|text|||Bob\n2|button|2|Del", Query{Text: "bob"},
			[]string{`- text [ref=e106]: Bob`, `- button "Del" [ref=e2] in Bob`}},
		{"a control around the words", "0|generic|1||||onclick\n1|text|||Ann", Query{Text: "ann"}, []string{`- text [ref=e102]: Ann`}},
		{"a page of a few lines", "0|heading||Hello\n0|button|1|Ok", Query{Text: "hello"}, []string{`- heading "Hello" [ref=e101]`}},
		{"too many controls", "0|row\n1|cell||Ann\n" + times(6, "1|button|%1|B%1"), Query{Text: "ann"}, []string{`- cell "Ann" [ref=e102]`}},
	} {
		var got []string
		for _, m := range Find(numbered(c.page), c.query, 10, 0).Matches {
			if m.In != "" {
				m.Line += " in " + m.In
			}
			got = append(got, m.Line)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

// What says just the words comes before what has them among others, and that before what only has
// them in its description.
func TestFindExact(t *testing.T) {
	page := numbered(`
0|button|1|Remove||||||Remove it? No Yes
0|button|2|Yes, always
0|button|3|No
0|button|4|Yes
0|text|||Yes
0|button|5|||||||.fa-yes
0|button|6|Yesterday`)
	var got []string
	for _, m := range Find(page, Query{Text: "yes"}, 10, 0).Matches {
		got = append(got, m.Ref)
	}
	if want := []string{"e4", "e2", "e5", "e105", "e6", "e1"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestFind(t *testing.T) {
	for _, c := range []struct {
		name  string
		query Query
		first string
		total int
	}{
		{"by words", Query{Text: "add LAMP"}, "e2", 1},
		{"by role", Query{Role: "button"}, "e1", 6},
		{"by role and words", Query{Role: "Button", Text: "check"}, "e3", 1},
		{"by placeholder", Query{Text: "e-mail your"}, "e4", 1},
		{"by value", Query{Text: "rome"}, "e5", 1},
		{"what can be acted on comes first", Query{Text: "mug"}, "e1", 2},
		{"what cannot has a ref too, and the control of its row follows", Query{Text: "seven"}, "e123", 2},
		{"a control of the row that has the words", Query{Text: "seven", Role: "button"}, "e22", 1},
		{"no control of such a role", Query{Text: "seven", Role: "link"}, "", 0},
		{"the phrase before parts of words", Query{Text: "row 7"}, "e121", 3},
		{"a number by itself", Query{Text: "7"}, "e121", 2},
		{"a number in others only", Query{Text: "1"}, "e6", 2},
		{"no ref", Query{Text: "e22"}, "", 0},
		{"no number of a ref", Query{Text: "22"}, "", 0},
		{"no hint", Query{Text: "onclick"}, "", 0},
		{"no state", Query{Text: "expanded"}, "", 0},
		{"no state with its value", Query{Text: "level=1"}, "", 0},
		{"no key of ours", Query{Text: "placeholder"}, "", 0},
		{"no role", Query{Text: "listitem"}, "", 0},
		{"the closest after", Query{Role: "button", Near: "Lamp"}, "e2", 6},
		{"in the same row", Query{Role: "button", Text: "Edit", Near: "Row 7"}, "e22", 3},
		{"in the same row, not near a ref", Query{Role: "button", Text: "Edit", Near: "Row 2"}, "e7", 3},
		{"in the row whose cells have the words together", Query{Role: "button", Near: "2 two"}, "e7", 6},
		{"near nothing", Query{Role: "button", Near: "boat"}, "e1", 6},
		{"nothing", Query{Text: "boat"}, "", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			found := Find(numbered(orders), c.query, 10, 0)
			matches, total := found.Matches, found.Total
			first := ""
			if len(matches) > 0 {
				first = matches[0].Ref
			}
			if nowhere := c.name == "near nothing"; found.Unplaced != nowhere {
				t.Errorf("near nothing: %t", found.Unplaced)
			}
			if first != c.first || total != c.total {
				t.Errorf("got %q of %d, want %q of %d: %v", first, total, c.first, c.total, matches)
			}
			for _, m := range matches {
				if !strings.Contains(m.Line, "[ref="+m.Ref+"]") {
					t.Errorf("the line %q has no ref, want %s", m.Line, m.Ref)
				}
			}
		})
	}
}

// An editor that only has the attribute contenteditable is found as a textbox.
func TestFindEditor(t *testing.T) {
	page := numbered("0|generic|1||Dear Ada||onclick, contenteditable\n0|generic|2||Dear Bob||onclick\n0|textbox|3|To")
	for _, role := range []string{"textbox", "generic"} {
		found := Find(page, Query{Text: "dear ada", Role: role}, 10, 0)
		if found.Total != 1 || found.Matches[0].Ref != "e1" {
			t.Errorf("%s: got %v", role, found.Matches)
		}
	}
	if found := Find(page, Query{Role: "textbox"}, 10, 0); found.Total != 2 {
		t.Errorf("got %v", found.Matches)
	}
}

// What is sought may come with a frame that has not loaded. What was found needs no such note.
func TestFindBesideFrameThatHasNotLoaded(t *testing.T) {
	root := &Frame{Walk: &Walk{Lines: lines("0|heading||Shop\n0|iframe|1"), Iframes: []int{1}}}
	root.Children = map[int]*Frame{1: root.AsUnloaded()}
	for text, want := range map[string]string{"Pay": "(frame not read: it has not loaded yet)", "Shop": ""} {
		if found := Find(root, Query{Text: text}, 5, 0); found.Unread != want {
			t.Errorf("%s: got %q, want %q", text, found.Unread, want)
		}
	}
}

// A note about refs does not say that a part was not searched.
func TestFindBesideNote(t *testing.T) {
	root := &Frame{Walk: &Walk{Lines: lines("0|heading||Shop"), Notes: []string{"some elements may have no refs"}}}
	if found := Find(root, Query{Text: "Pay"}, 5, 0); found.Unread != "" {
		t.Errorf("got %q", found.Unread)
	}
}

// A frame that was not read has a line, which is found by its name.
func TestFindFrameThatWasNotRead(t *testing.T) {
	root := &Frame{Walk: &Walk{Lines: lines("0|iframe|1|Pay"), Iframes: []int{1}}}
	root.Children = map[int]*Frame{1: {Prefix: "f1", Failed: "net::ERR_CONNECTION_REFUSED", Unloaded: true}}
	for _, q := range []Query{{Text: "Pay"}, {Role: "iframe"}} {
		if found := Find(root, q, 5, 0); found.Total != 1 || found.Matches[0].Ref != "e1" {
			t.Errorf("%v: got %v", q, found.Matches)
		}
	}
	page := &Frame{Failed: "net::ERR_CONNECTION_REFUSED", Unloaded: true}
	if found := Find(page, Query{Text: "Pay"}, 5, 0); found.Unread == "" {
		t.Error("of a page that could not be loaded, nothing is found without a word")
	}
}

// An option outside of a list has no role of its own, but its line shows which one the page gave it.
func TestFindRoleOfThePage(t *testing.T) {
	page := numbered("0|generic|1||Kroger||onclick, role:option\n0|generic|2||Kroger||onclick, role:optionals")
	if found := Find(page, Query{Text: "kroger", Role: "option"}, 10, 0); found.Total != 1 || found.Matches[0].Ref != "e1" {
		t.Errorf("got %v", found.Matches)
	}
}

// The tree of the document has levels that the lines have not.
func TestFindNearByElements(t *testing.T) {
	w := &Walk{Lines: lines(`
0|text|||Ann
0|button|1|Remove
0|text|||Bob
0|combobox|2|Role
0|button|3|Remove`), Steps: []int{0, 4, 2, 3, 1, 4, 2, 3, 2, 3}} // body > div > (div > span, button)
	found := Find(&Frame{Walk: w}, Query{Text: "Remove", Near: "Bob"}, 10, 0)
	var got []string
	for _, m := range found.Matches {
		got = append(got, m.Ref+" in "+m.In)
	}
	if want := []string{"e3 in Bob Role", "e1 in Ann"}; !slices.Equal(got, want) || found.Unplaced {
		t.Errorf("got %q, want %q", got, want)
	}
}

// What tells equal matches apart may be further away than the lines of a row, or below the options of the
// match itself.
func TestFindTellsApart(t *testing.T) {
	options := func(n int) string { return strings.Repeat("2|option||00\n", n) }
	lock := func(n int) string {
		return "0|heading||Lock\n0|generic\n1|text|||Number 1\n1|combobox|1||00|value\n" + options(n) + "0|generic\n1|text|||Number 2\n1|combobox|2||00|value\n" + options(n)
	}
	operation := func(ref int, name string) string {
		return fmt.Sprintf("1|generic\n2|button|%d|%s\n2|button|%d|Copy\n2|generic\n3|generic\n4|generic\n5|heading||Parameters\n", ref, name, ref+1) +
			strings.Repeat("3|text|||Any\n", 20) + fmt.Sprintf("3|button|%d|Execute\n", ref+2)
	}
	for _, c := range []struct {
		name, page string
		query      Query
		want       []string
	}{
		{"short lists", lock(3), Query{Role: "combobox"}, []string{"Number 1", "Number 2"}},
		{"long lists", lock(30), Query{Role: "combobox"}, []string{"Number 1", "Number 2"}},
		{"long parts below one heading", "0|heading||pets\n0|generic\n" + operation(1, "DELETE /pets") + operation(5, "GET /pets"), Query{Text: "Execute"},
			[]string{"DELETE /pets", "GET /pets"}},
		{"one that has the focus", "0|row\n1|cell||Ann\n1|button|1|Del\n0|row\n1|cell||Bob\n1|button|2|Del||active", Query{Text: "Del"}, []string{"Ann", "Bob"}},
		{"cells whose texts are parts of others", "0|row\n1|cell||16\n1|cell||Paper clip\n1|cell||Paper\n1|cell||1\n1|button|1|Del\n0|row\n1|cell||Ink\n2|text|||Ink\n1|button|2|Del",
			Query{Text: "Del"}, []string{"16 Paper clip Paper 1", "Ink"}},
		{"long parts that begin alike", "0|heading||pets\n0|generic\n" + operation(1, "Open") + operation(5, "Open"), Query{Text: "Execute"},
			[]string{"pets", "pets"}},
	} {
		var got []string
		for _, m := range Find(numbered(c.page), c.query, 10, 0).Matches {
			got = append(got, m.In)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

func TestFindShowsWhatIsInside(t *testing.T) {
	matches := Find(numbered(orders), Query{Role: "row"}, 1, 0).Matches
	if want := "- row [ref=e112]: Row 17 Edit"; len(matches) != 1 || matches[0].Line != want {
		t.Errorf("got %v, want %s", matches, want)
	}
}

func TestFindIsBounded(t *testing.T) {
	var page []string
	for i := range 500 {
		page = append(page, fmt.Sprintf("0|paragraph|||needle %s", strings.Repeat("x", 1000+i)))
	}
	found := Find(numbered(strings.Join(page, "\n")), Query{Text: "needle"}, 200, 5000)
	if len(found.Matches) != 4 || found.Total != 500 {
		t.Errorf("%d matches of %d, want 4 of 500", len(found.Matches), found.Total)
	}
}

func BenchmarkFind(b *testing.B) {
	var page []string
	for i := range 5000 {
		page = append(page, fmt.Sprintf("3|row\n4|cell||Person %d\n4|button|%d|Edit", i, i+1))
	}
	tree := numbered(strings.Join(page, "\n"))
	for b.Loop() {
		Find(tree, Query{Role: "button", Near: "Person"}, 20, 0)
	}
}
