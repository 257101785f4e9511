package page_test

import (
	"testing"
	"time"
)

// Options of lists made by ARIA are chosen as a user does it, and are seen to be chosen.
func TestSelectInListbox(t *testing.T) {
	const has = `it has ["Fig" "Lime" "Plum"]`
	for _, s := range []story{
		{"in a portal, by label", "/listboxes.html", `combobox "In a portal"`, choosing("Lime"), "portal closed", ""},
		{"in a portal, by value", "/listboxes.html", `combobox "In a portal"`, choosing("l"), "portal closed", ""},
		{"in another case", "/listboxes.html", `combobox "In a portal"`, choosing("lime"), "portal closed", ""},
		{"no such option", "/listboxes.html", `combobox "In a portal"`, choosing("Kiwi"), "portal closed", ": option: \"Kiwi\", " + has},
		{"that names no list", "/listboxes.html", `button "That names no list"`, choosing("Plum"), "unnamed closed", ""},
		{"that ignores the choice", "/listboxes.html", `combobox "That ignores a choice"`, choosing("Lime"), "silent closed", ": unchosen"},
		{"that opens nothing", "/listboxes.html", `combobox "Without a list"`, choosing("Lime"), "", ": closed"},
		{"disabled", "/listboxes.html", `combobox "Disabled list"`, choosing("Lime"), "", ": disabled"},
		{"that offers what is typed", "/listboxes.html", `combobox "City"`, choosing("Lisbon"), "city Lisbon", ""},
		{"virtual", "/listboxes.html", `combobox "Virtual"`, choosing("Row 123"), "rows closed", ""},
		{"in the page", "/listboxes.html", `listbox "One of them"`, choosing("Plum"), "one Plum", ""},
		{"in the page, no such option", "/listboxes.html", `listbox "One of them"`, choosing("Kiwi"), "", ": option: \"Kiwi\", " + has},
		{"several of one", "/listboxes.html", `listbox "One of them"`, choosing("Fig", "Plum"), "one Plum", ": single"},
		{"exactly these", "/listboxes.html", `listbox "Toggling"`, choosing("Fig", "Lime"), "toggling Fig,Lime", ""},
		{"what is selected already", "/listboxes.html", `listbox "Toggling"`, choosing("Plum"), "", ""},
		{"several with Control", "/listboxes.html", `listbox "With Control"`, choosing("Fig", "Plum"), "control Fig,Plum", ""},
	} {
		s.test(t)
	}
}

// What the control shows afterwards is what was chosen, by a click that is trusted.
func TestSelectShowsTheChoice(t *testing.T) {
	tt := open(t, "/listboxes.html")
	if err := tt.onRefFor(10*time.Second, tt.ref(`combobox "In a portal"`), choosing("Plum")); err != nil {
		t.Fatal(err)
	}
	if got := run[string](tt, "document.getElementById('portal').textContent + (document.getElementById('out').textContent.includes('chose Plum true') ? ' trusted' : '')"); got != "Plum trusted" {
		t.Errorf("shows %q", got)
	}
	for name, row := range map[string]string{"Virtual": "Row 77", "That sorts under the mouse": "Fig"} {
		if err := tt.onRefFor(10*time.Second, tt.ref(`combobox "`+name+`"`), choosing(row)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if got := run[string](tt, `document.querySelector('[aria-label="`+name+`"]').textContent`); got != row {
			t.Errorf("%s shows %q, want %q", name, got, row)
		}
	}
}
