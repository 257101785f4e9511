package snapshot

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Equal controls of an efficient snapshot are told apart by the row, card or heading that they are in.
func TestTellApart(t *testing.T) {
	for _, c := range []struct{ name, page, want string }{
		{"rows", "0|row\n1|cell||Ada\n1|cell\n2|button|1|Edit\n0|row\n1|cell||Bob\n1|cell\n2|button|2|Edit", `
- row "Ada"
  - button "Edit" [ref=e1]
- row "Bob"
  - button "Edit" [ref=e2]`},
		{"rows with a name that can be clicked", "0|row\n1|link|1|Ada\n1|text|||Berlin\n1|button|2|Edit\n0|row\n1|link|3|Bob\n1|button|4|Edit", `
- row
  - link "Ada" [ref=e1]
  - button "Edit" [ref=e2]
- row
  - link "Bob" [ref=e3]
  - button "Edit" [ref=e4]`},
		{"two in a row", "0|row\n1|cell||Ada\n1|button|1|Edit\n1|button|2|Edit\n0|row\n1|cell||Bob\n1|button|3|Edit", `
- row "Ada"
  - button "Edit" [ref=e1]
  - button "Edit" [ref=e2] [nth=1]
- row "Bob"
  - button "Edit" [ref=e3] [nth=2]`},
		{"headings", "0|heading||Tea||level=3\n0|link|1|Buy\n0|heading|||Milk\n0|link|2|Buy", `
- heading "Tea"
- link "Buy" [ref=e1]
- heading "Milk"
- link "Buy" [ref=e2]`},
		{"headings that are links", "0|heading||Tea\n1|link|1|Tea\n0|link|2|Buy\n0|heading||Milk\n1|link|3|Milk\n0|link|4|Buy", `
- link "Tea" [ref=e1]
- link "Buy" [ref=e2]
- link "Milk" [ref=e3]
- link "Buy" [ref=e4]`},
		{"fields and boxes without words", "0|heading||Order\n0|generic|1||||onclick\n0|row\n1|cell||Mug\n1|textbox|2\n0|row\n1|cell||Lamp\n" +
			"1|textbox|3\n0|generic|4||||onclick", `
- generic [ref=e1] [clickable]
- row "Mug"
  - textbox [ref=e2]
- row "Lamp"
  - textbox [ref=e3]
- generic [ref=e4] [clickable]`},
		{"fields that are described, and have a value", "0|combobox|1||red|value||||Colour\n0|textbox|2||7|value||||Size", `
- combobox [ref=e1] [description="Colour"]: red
- textbox [ref=e2] [description="Size"]: 7`},
		{"cards without a role", "0|text|||Ada, 5 h ago\n0|paragraph|||Hello\n0|generic|1||||onclick|||span.like\n0|generic|2||||onclick|||span.more\n" +
			"0|text|||Bob, 6 h ago\n0|generic|3||||onclick|||span.like\n0|text|||Cyd, 7 h ago\n0|generic|4||||onclick|||span.like", `
- text: Ada, 5 h ago Hello
- generic [ref=e1] [clickable] [description="span.like"]
- generic [ref=e2] [clickable] [description="span.more"]
- text: Bob, 6 h ago
- generic [ref=e3] [clickable] [description="span.like"]
- text: Cyd, 7 h ago
- generic [ref=e4] [clickable] [description="span.like"]`},
		{"links in sentences", "0|heading||Tea\n0|paragraph\n1|text|||From\n1|link|1|China\n1|text|||it came\n0|heading||Silk\n" +
			"0|paragraph\n1|text|||Made in\n1|link|2|China\n1|text|||as well", `
- link "China" [ref=e1]
- link "China" [ref=e2] [nth=1]`},
		{"links at the end of a line", "0|paragraph\n1|text|||Mug\n1|link|1|Buy\n0|paragraph\n1|text|||Lamp\n1|link|2|Buy\n" +
			"0|paragraph\n1|text|||Tray\n1|link|3|Buy", `
- text: Mug
- link "Buy" [ref=e1]
- text: Lamp
- link "Buy" [ref=e2]
- text: Tray
- link "Buy" [ref=e3]`},
		{"controls in a control with a name", "0|listitem\n1|generic|1|Flows|||onclick\n2|generic|2||||onclick|||i.angle\n" +
			"0|listitem\n1|generic|3|Groups|||onclick\n2|generic|4||||onclick|||i.angle", `
- generic "Flows" [ref=e1] [clickable]
  - generic [ref=e2] [description="i.angle"]
- generic "Groups" [ref=e3] [clickable]
  - generic [ref=e4] [description="i.angle"]`},
		{"cards that can be clicked", "0|generic|1||||onclick\n1|text|||Ada\n1|button|2|Star\n0|generic|3||||onclick\n1|text|||Bob\n1|button|4|Star\n" +
			"0|generic|5||||onclick\n1|text|||Cyd\n1|button|6|Star", `
- generic "Ada" [ref=e1] [clickable]
  - button "Star" [ref=e2]
- generic "Bob" [ref=e3] [clickable]
  - button "Star" [ref=e4]
- generic "Cyd" [ref=e5] [clickable]
  - button "Star" [ref=e6]`},
		{"dishes below headings", "0|heading||Soups\n0|text|||Leek\n0|button|1|+\n0|text|||Onion\n0|button|2|+\n0|heading||Sweets\n0|text|||Cake\n" +
			"0|button|3|+", `
- text: Leek
- button "+" [ref=e1]
- text: Onion
- button "+" [ref=e2]
- text: Cake
- button "+" [ref=e3]`},
		{"a menu and a footer", "0|text|||Menu\n0|link|1|Login\n0|text|||Footer\n0|link|2|Login", `
- link "Login" [ref=e1]
- link "Login" [ref=e2] [nth=1]`},
		{"groups of fields", "0|group||Billing\n1|textbox|1|Street\n1|textbox|2|City\n0|group||Shipping\n1|textbox|3|Street\n1|textbox|4|City", `
- group "Billing"
  - textbox "Street" [ref=e1]
  - textbox "City" [ref=e2]
- group "Shipping"
  - textbox "Street" [ref=e3]
  - textbox "City" [ref=e4]`},
		{"questions below headings", "0|heading||Ann\n0|group||Smoke?\n1|radio|1|Yes\n0|group||Insured?\n1|radio|2|Yes\n" +
			"0|heading||Bob\n0|group||Smoke?\n1|radio|3|Yes\n0|group||Insured?\n1|radio|4|Yes", `
- heading "Ann"
- group "Smoke?"
  - radio "Yes" [ref=e1]
- group "Insured?"
  - radio "Yes" [ref=e2]
- heading "Bob"
- group "Smoke?"
  - radio "Yes" [ref=e3]
- group "Insured?"
  - radio "Yes" [ref=e4]`},
		{"two fields after their words", "0|paragraph\n1|text|||Wifi\n1|checkbox|1\n0|paragraph\n1|text|||Sound\n1|checkbox|2", `
- text: Wifi
- checkbox [ref=e1]
- text: Sound
- checkbox [ref=e2]`},
		{"two sliders after their words", "0|paragraph\n1|text|||Least\n1|slider|1||50|value\n0|paragraph\n1|text|||Most\n1|slider|2||50|value", `
- text: Least
- slider [ref=e1] value="50"
- text: Most
- slider [ref=e2] value="50"`},
		{"words before a control with a name of its own", "0|row\n1|cell||Ann\n1|link|1|3 replies\n1|cell||Berlin\n1|button|2|Del\n" +
			"0|row\n1|cell||Bob\n1|link|3|4 replies\n1|button|4|Del", `
- row "Ann"
  - link "3 replies" [ref=e1]
  - button "Del" [ref=e2]
- row "Bob"
  - link "4 replies" [ref=e3]
  - button "Del" [ref=e4]`},
		{"cards whose title is a link in a heading", "0|article\n1|heading\n2|link|1|First\n1|text|||Words\n1|link|2|More\n0|article\n1|heading\n2|link|3|Second\n1|text|||Words\n1|link|4|More", `
- article
  - link "First" [ref=e1]
  - link "More" [ref=e2]
- article
  - link "Second" [ref=e3]
  - link "More" [ref=e4]`},
		{"two fields far below texts", "0|text|||Net\n0|text|||12\n0|text|||Gross\n0|text|||15\n0|text|||Sum\n0|textbox|1\n0|text|||Tax\n0|text|||3\n0|text|||4\n0|text|||5\n0|text|||6\n0|textbox|2", `
- textbox [ref=e1]
- textbox [ref=e2]`},
		{"a number that can be clicked", "0|row\n1|link|1|1001\n1|cell||Ann\n1|button|2|Cancel\n0|row\n1|link|3|1002\n1|cell||Bob\n1|button|4|Cancel", `
- row "Ann"
  - link "1001" [ref=e1]
  - button "Cancel" [ref=e2]
- row "Bob"
  - link "1002" [ref=e3]
  - button "Cancel" [ref=e4]`},
		{"a number before the name", "0|listitem\n1|text|||1.\n1|link|1|Ada\n1|button|2|Edit\n0|listitem\n1|text|||2.\n1|link|3|Bob\n1|button|4|Edit", `
- listitem
  - link "Ada" [ref=e1]
  - button "Edit" [ref=e2]
- listitem
  - link "Bob" [ref=e3]
  - button "Edit" [ref=e4]`},
		{"cells that reach into the next row", "0|row\n1|cell||Cup||rowspan=2\n1|cell||red\n1|button|1|Buy\n0|row\n1|cell||blue\n1|button|2|Buy\n" +
			"0|row\n1|cell||Pin\n1|button|3|Buy", `
- row "Cup red"
  - button "Buy" [ref=e1]
- row "Cup blue"
  - button "Buy" [ref=e2]
- row "Pin"
  - button "Buy" [ref=e3]`},
		{"a heading of another box", "0|region\n1|heading||Tea\n1|link|1|Buy\n0|link|2|Buy\n0|paragraph|||End", `
- heading "Tea"
- link "Buy" [ref=e1]
- link "Buy" [ref=e2] [nth=1]`},
		{"nothing distinguishes them", "0|list\n1|listitem\n2|link|1|Home\n1|listitem\n2|link|2|Home", `
- link "Home" [ref=e1]
- link "Home" [ref=e2] [nth=1]`},
		{"names of their own", "0|row\n1|cell||Ada\n1|button|1|Edit Ada\n0|row\n1|cell||Bob\n1|button|2|Edit Bob", `
- button "Edit Ada" [ref=e1]
- button "Edit Bob" [ref=e2]`},
	} {
		got := rendered(t, c.page, Options{Interactive: true, Compact: true, Role: true}).Text
		if diff := cmp.Diff(c.want, "\n"+got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// The line of a dialog says what its buttons answer, in each snapshot of controls.
func TestShowDialogs(t *testing.T) {
	const page = "0|link|1|Home\n0|alertdialog||Confirmation\n1|heading||Confirmation||level=2\n1|paragraph|||Discard all notes?\n1|button|2|No\n0|dialog\n" +
		"0|dialog|3||||tabindex\n1|paragraph|||Cookies?\n1|button|4|Yes"
	const want = "- link \"Home\" [ref=e1]\n- alertdialog \"Confirmation\": Discard all notes?\n  - button \"No\" [ref=e2]\n" +
		"- dialog \"Cookies?\" [ref=e3] [focusable]\n  - button \"Yes\" [ref=e4]"
	for _, compact := range []bool{true, false} {
		got := rendered(t, page, Options{Interactive: true, Compact: compact, Role: true}).Text
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("compact %v (-want +got):\n%s", compact, diff)
		}
	}
}
