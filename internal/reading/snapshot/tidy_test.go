package snapshot

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func rendered(t *testing.T, page string, o Options) Snapshot {
	t.Helper()
	return Render(&Frame{Walk: &Walk{Lines: lines(page)}}, o)
}

func TestMarks(t *testing.T) {
	for _, c := range []struct{ name, page, want string }{
		{"one for all that says the same", "0|generic|1||Buy||cursor:pointer, onclick, onmousedown, ontouchstart|", `- generic [ref=e1] ` +
			`[clickable]: Buy`},
		{"what a stronger one implies", "0|generic|1||Buy||onmouseover, tabindex, onkeydown, onclick|", `- generic [ref=e1] [clickable]: Buy`},
		{"what takes only a double click", "0|generic|1||Row||ondblclick, onmouseover\n0|row|2||||ondblclick\n0|gridcell|3|A1|||ondblclick",
			"- generic [ref=e1] [doubleclickable]: Row\n- row [ref=e2] [doubleclickable]\n- gridcell \"A1\" [ref=e3]"},
		{"what takes one click as well", "0|generic|1||Row||ondblclick, onclick", `- generic [ref=e1] [clickable]: Row`},
		{"weak ones alone", "0|generic|1||Menu||onkeydown, tabindex, onmouseenter", `- generic [ref=e1] [hoverable]: Menu`},
		{"of another kind", "0|generic|1||Box||draggable, ondrop, ondragover, onclick", `- generic [ref=e1] [draggable] [droppable] ` +
			`[clickable]: Box`},
		{"as they stand", "0|generic|1||Text||contenteditable, role:option", `- generic [ref=e1] [contenteditable] [role=option]: Text`},
		{"none where the role says it", "0|grid|1||||onclick, onkeydown\n1|gridcell|2|A1|||onmousedown\n1|row|3||||tabindex", "- grid " +
			"[ref=e1]:\n  - gridcell \"A1\" [ref=e2]\n  - row [ref=e3]"},
		{"none where a line around says it", "0|list|1||||onclick\n1|listitem|2||One||onclick\n1|listitem|3||Two||onclick, draggable\n" +
			"0|listitem|4||Three||onclick",
			"- list [ref=e1] [clickable]:\n  - listitem [ref=e2]: One\n  - listitem [ref=e3] [draggable]: Two\n- listitem [ref=e4] " +
				"[clickable]: Three"},
	} {
		if diff := cmp.Diff(c.want, rendered(t, c.page, Options{}).Text); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

func TestTidy(t *testing.T) {
	const description = "press the space bar to pick it up, and the arrow keys to move it"
	for _, c := range []struct{ name, page, want string }{
		{"a description that several have", "0|button|1|A||||||" + description + "\n0|button|2|B||||||" + description,
			`- button "A" [ref=e1] [description="` + description + `"]` + "\n- button \"B\" [ref=e2]"},
		{"what a long description begins with", "0|button|1|A||||||" + strings.Repeat("press the space bar ", 9), `- button "A" [ref=e1] ` +
			`[description="press the space bar press the space bar…"]`},
		{"what only a finger can do", "0|columnheader||Name\n1|generic|1||||ontouchstart", "- columnheader \"Name\""},
		{"texts that nobody can see", "0|paragraph\n1|text|||\u200b\n1|text|||Seen", "- paragraph:\n  - text: Seen"},
		{"but not where nothing else distinguishes them", "0|button|1|||||||i.trash\n0|button|2|||||||i.trash",
			"- button [ref=e1] [description=\"i.trash\"]\n- button [ref=e2] [description=\"i.trash\"]"},
		{"wrappers that only listen", "0|generic|1||||onkeydown\n1|generic|2||||onclick\n2|generic|3||||onclick\n3|button|4|Go", "- generic " +
			"[ref=e2] [clickable]:\n  - button \"Go\" [ref=e4]"},
		{"but not the only way to what they do", "0|listitem|1||||onclick\n1|generic|2||||onclick\n2|img||Like", "- listitem [ref=e1] " +
			"[clickable]:\n  - generic [ref=e2]:\n    - img \"Like\""},
		{"what is drawn behind a text", "0|generic||||aria-hidden\n1|generic|1||||canvas|||canvas.ruler\n1|generic||||aria-hidden\n" +
			"2|text|||code", "- generic [aria-hidden]:\n  - text: code"},
		{"positions that count on", "0|row||||rowindex=7\n1|gridcell||A||colindex=1\n1|gridcell||B||colindex=2 selected\n" +
			"0|row||||rowindex=8\n1|gridcell||A||colindex=1\n0|row|||20|rowindex=20",
			"- row [rowindex=7]:\n  - gridcell \"A\" [colindex=1]\n  - gridcell \"B\" [selected]\n- row:\n  - gridcell \"A\" [colindex=1]\n- " +
				"row [rowindex=20]: 20"},
		{"names of controls in the name of their cell", "0|gridcell|1|Press Space to toggle the row 7|||onclick\n1|checkbox|2|Press Space " +
			"to toggle the row", "- gridcell \"… 7\" [ref=e1]:\n  - checkbox \"Press Space to toggle the row\" [ref=e2]"},
	} {
		if diff := cmp.Diff(c.want, rendered(t, c.page, Options{}).Text); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

func TestSignsAreDescribed(t *testing.T) {
	const page = "0|button|1|×||||||Remove\n0|button|2|−||||||Remove\n0|button|3|Go||||||Remove"
	for _, c := range []struct {
		options Options
		third   string
	}{{Options{}, ""}, {Options{Role: true, Interactive: true}, ""}, {Options{KeepRepeats: true}, ` [description="Remove"]`}} {
		want := "- button \"×\" [ref=e1] [description=\"Remove\"]\n- button \"−\" [ref=e2] [description=\"Remove\"]\n- button \"Go\" [ref=e3]" + c.third
		if diff := cmp.Diff(want, rendered(t, page, c.options).Text); diff != "" {
			t.Errorf("%+v (-want +got):\n%s", c.options, diff)
		}
	}
}

// many returns n elements that can be clicked and that nothing distinguishes.
func many(n int) string {
	var page []string
	for i := range n {
		page = append(page, fmt.Sprintf("0|generic|%d||||onclick|||span.bar", 100+i))
	}
	return strings.Join(page, "\n")
}

func TestManyAlike(t *testing.T) {
	const first = `- generic [ref=e100] [clickable] [description="span.bar"]`
	got := rendered(t, many(41), Options{})
	if want := first + "\n… 40 more like this"; got.Text != want || len(got.Refs) != 1 {
		t.Errorf("got\n%s\nwant\n%s", got.Text, want)
	}
	if got := rendered(t, many(10), Options{}); got.Stats.Lines != 10 || got.Stats.Refs != 10 {
		t.Errorf("ten stars are no longer shown each:\n%s", got.Text)
	}
	for _, o := range []Options{{AllRefs: true}, {KeepRepeats: true}} {
		if got := rendered(t, many(41), o); got.Stats.Lines != 41 {
			t.Errorf("%+v: %d lines, want 41", o, got.Stats.Lines)
		}
	}
	if got := rendered(t, many(20)+"\n1|text|||inside the last", Options{}); !strings.Contains(got.Text, "… 18 more like "+
		"this") || !strings.Contains(got.Text, "inside the last") {
		t.Errorf("what holds something is left out:\n%s", got.Text)
	}
}

func TestHandlesOfAGrid(t *testing.T) {
	var page []string
	for i := range 8 {
		page = append(page, fmt.Sprintf("0|columnheader|%d|Column %d|||onclick", 2*i+1, i), fmt.Sprintf("1|generic|%d||||onmousedown, "+
			"resize|||div.handle", 2*i+2))
	}
	got := rendered(t, strings.Join(page, "\n"), Options{})
	if strings.Contains(got.Text, "[resize]") || strings.Contains(got.Text, "more like this") || strings.Count(got.Text, "columnheader") != 8 ||
		strings.Count(got.Text, "… 8 resize handles: refs=all shows them") != 1 {
		t.Errorf("got\n%s", got.Text)
	}
	all := rendered(t, strings.Join(page, "\n"), Options{AllRefs: true})
	if n := strings.Count(all.Text, "[resize]"); n != 8 {
		t.Errorf("%d handles with refs of all lines:\n%s", n, all.Text)
	}
	few := rendered(t, strings.Join(page[:4], "\n"), Options{})
	if n := strings.Count(few.Text, "[resize]"); n != 2 || strings.Contains(few.Text, "…") {
		t.Errorf("%d of two handles:\n%s", n, few.Text)
	}
}

// The handles at the edges of one box, such as a dialog of jQuery UI, stand beside each other and
// differ in a class only. The handle of another box keeps its line.
func TestHandlesOfABox(t *testing.T) {
	page := "0|button|9|Close"
	for i, edge := range strings.Split("n e s w se sw ne nw", " ") {
		page += fmt.Sprintf("\n0|generic|%d||||onmousedown, resize|||div.handle.%s", i+1, edge)
	}
	page += "\n0|button|10|Save\n0|generic|11||||resize|||div.split"
	want := `- button "Close" [ref=e9]
… 8 resize handles: refs=all shows them
- button "Save" [ref=e10]
- generic [ref=e11] [resize] [description="div.split"]`
	if got := rendered(t, page, Options{}).Text; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// The efficient snapshot is for callers that want less, so it is never longer.
func TestEfficientIsNeverLonger(t *testing.T) {
	for name, page := range map[string]string{
		"a shop":           shop().Walk.Lines,
		"equal buttons":    strings.Repeat("0\tbutton\t1\tDelete\n", 1) + lines("0|button|2|Delete\n0|button|3|Delete\n0|button|4|Delete"),
		"values":           lines("0|textbox|1|A|x|value\n0|textbox|2|B|y|value"),
		"nameless entries": lines("0|listitem|1||One||onclick\n0|listitem|2||Two||onclick"),
		"cards":            lines("0|generic|1||||onclick\n1|text|||Tea\n1|button|2|Buy\n0|generic|3||||onclick\n1|text|||Tea\n1|button|4|Buy"),
	} {
		tree := &Frame{Walk: &Walk{Lines: page}}
		full := Render(tree, Options{})
		short := Render(tree, Options{Role: true, Interactive: true, Compact: true, Depth: 6})
		if short.Stats.Chars > full.Stats.Chars {
			t.Errorf("%s: efficient\n%s\nfull\n%s", name, short.Text, full.Text)
		}
	}
}

// A snapshot that is too long for its limit begins with the part that an act is most likely for.
func TestMainFirst(t *testing.T) {
	page := lines(`
0|navigation||Menu
1|link|1|Home
0|generic
1|main
2|button|2|Save
0|dialog||Sure?
1|button|3|Yes
0|contentinfo
1|link|4|Imprint` + strings.Repeat("\n1|link|5|Some more words of the page, so that it is too long", 20))
	got := Render(&Frame{Walk: &Walk{Lines: page}}, Options{MainFirst: true, MaxChars: 150})
	const want = `- dialog "Sure?":
  - button "Yes" [ref=e3]
- main:
  - button "Save" [ref=e2]
- navigation "Menu":

[...TRUNCATED - page too large]`
	if got.Text != want {
		t.Errorf("got\n%s", got.Text)
	}
	if got := Render(&Frame{Walk: &Walk{Lines: page}}, Options{MainFirst: true}); !strings.HasPrefix(got.Text, "- navigation") {
		t.Errorf("what is not cut is in another order:\n%s", got.Text)
	}
}

// What follows a navigation is read to go on from there: what is off the screen cannot be used yet.
func TestLeaveOutOffScreenAfterNavigation(t *testing.T) {
	page := "0|link|1|Home\n0|main||||inert\n1|link|2|Behind a dialog\n0|generic||||aria-hidden"
	for i := range 11 {
		page += fmt.Sprintf("\n1|button|%d|Smiley %d|||off-screen", 20+i, i)
	}
	known := &Frame{Walk: &Walk{Lines: lines("0|heading||Before")}}
	const want = `- link "Home" [ref=e1]
- main [inert]:
  - link "Behind a dialog" [ref=e2]
(11 elements that are [off-screen] cannot be used now, and are left out: find or a whole snapshot shows them)`
	if diff := cmp.Diff(want, rendered(t, page, Options{Known: known}).Text); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Menus that read as on the page before are replaced by one line.
func TestLeaveOutKnown(t *testing.T) {
	page := func(first int, text string) *Frame {
		return &Frame{Walk: &Walk{Lines: lines(fmt.Sprintf(`
0|banner
1|heading||%[4]s
1|navigation||Menu
2|link|%[1]d|Home||active
2|link|%[2]d|Cart||current=page
2|link|%[3]d|Help
0|navigation||Places
1|link||%[4]s
0|navigation||Icons
1|link|
1|link|
1|link||||||||%[4]s
0|paragraph|||%[4]s`, first, first+1, first+2, text))}}
	}
	got := Render(page(7, "Cart"), Options{Known: page(1, "Home")}).Text
	const want = `- banner:
  - heading "Cart"
  - navigation "Menu": (… 3 lines as before: find or a snapshot shows them)
- navigation "Places":
  - link "Cart"
- navigation "Icons":
  - link
  - link
  - link [description="Cart"]
- paragraph: Cart`
	if got != want {
		t.Errorf("got\n%s", got)
	}
}

// A calendar has a cell around each day, and jQuery UI's cells listen for clicks.
func TestBoxes(t *testing.T) {
	for _, c := range []struct{ name, page, want string }{
		{"a day of a calendar", "0|row\n1|gridcell\n2|button|1|Sunday\n1|cell|2||||onclick\n2|link|3|7", "row button Sunday link 7"},
		{"boxes in boxes", "0|rowgroup\n1|row\n2|cell\n3|generic|||||||\n4|link|3|7\n2|cell|||8", "row link 7 cell 8"},
		{"a cell that says something", "0|cell||Seven\n1|link|3|7\n0|cell||||selected\n1|link|4|8\n0|listitem|||Buy\n1|link|5|9",
			"cell Seven link 7 cell link 8 listitem Buy link 9"},
		{"two in a cell", "0|cell\n1|generic||||||||\n2|link|3|7\n1|generic||||||||\n2|generic\n3|link|4|8", "cell link 7 link 8"},
		{"a card around its link", "0|generic|1||||onclick\n1|link|2|Mail", "generic link Mail"},
		{"a header around its link", "0|columnheader|1|Price|||onclick\n1|link|2|Price\n0|columnheader|3|Name||sort=ascending|onclick\n" +
			"1|link|4|Name", "link Price columnheader Name link Name"},
		{"items that are only hovered", "0|listitem|1||||onmouseover\n1|link|2|New\n1|link|3|Open\n0|listitem|4||||onmouseover\n1|text|||Old",
			"link New link Open listitem text Old"},
		{"a box around its field", "0|generic|1||||onclick\n1|textbox|2|Mail\n0|generic|3||||onclick\n1|slider|4|Volume\n0|generic|5||||onclick\n" +
			"1|button|6|Go", "textbox Mail generic slider Volume button Go"},
		{"a cell that can be dragged", "0|cell|1||||draggable, onclick\n1|link|2|Mail", "cell link Mail"},
		{"a cell around a text", "0|cell|1||||onclick\n1|paragraph|||Mail", "cell paragraph Mail"},
	} {
		page := Render(&Frame{Walk: &Walk{Lines: lines(c.page)}}, Options{KeepRepeats: true})
		var got []string
		for _, l := range page.Lines {
			if !l.idle {
				got = append(got, role(bareLine(l.Text)))
				if words := pageWordsOf(bareLine(l.Text)); words != "" {
					got = append(got, words)
				}
			}
		}
		if diff := cmp.Diff(c.want, strings.Join(got, " ")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
	efficient := rendered(t, "0|row\n1|cell|2||||onclick\n2|link|3|7", Options{Interactive: true, Compact: true, Role: true})
	if want := `- link "7" [ref=e3]`; efficient.Text != want {
		t.Errorf("efficient: got\n%s\nwant\n%s", efficient.Text, want)
	}
}

// The options of a long drop-down do not use up the space of what comes after it.
func TestFoldOptions(t *testing.T) {
	page := "0|combobox|1|Country|Land 90|value"
	for i := range 124 {
		page += fmt.Sprintf("\n1|option||Land %d||%s", i, map[bool]string{true: "selected"}[i == 90])
	}
	root := &Frame{Walk: &Walk{Lines: lines(page + "\n0|button|2|Save")}}
	got := Render(root, Options{Role: true, Interactive: true, Compact: true}).Text
	for _, want := range []string{`option "Land 0"`, `option "Land 90" [selected]`, "- button \"Save\"", "\n  … 115 more options: find"} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is not in\n%s", want, got)
		}
	}
	if n := strings.Count(got, "- option"); n != 9 {
		t.Errorf("%d options in\n%s", n, got)
	}
	if got := Render(root, Options{}).Text; strings.Count(got, "- option") != 124 {
		t.Errorf("options are missing in\n%s", got)
	}
}
