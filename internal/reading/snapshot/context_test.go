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
