package call

import (
	"strings"
	"testing"

	"chela/internal/engine/page"
	"chela/internal/op"
	"chela/internal/reading/inputvalue"
	"chela/internal/reading/pagejs"
)

// Each condition that an element may fail (pagejs.Missing) has its own message. For an element that
// is gone there is another error.
func TestEachLackOfAnElementHasWords(t *testing.T) {
	seen := map[string]pagejs.Missing{}
	for _, word := range page.AllMissing() {
		if word == pagejs.Gone {
			continue
		}
		e := op.AsError(Explain(&page.ElementError{Ref: page.Ref{Number: 1}, Missing: word}))
		text := string(e.Message)
		if e.Code != op.ActFailed || e.Hint == "" || !strings.HasPrefix(text, `Element "e1" `) || !strings.HasSuffix(text,
			".") || seen[text] != "" {
			t.Errorf("%s: got %s %q, as %q has", word, e.Code, text, seen[text])
		}
		seen[text] = word
	}
}

func TestLacksOfAnElementInWords(t *testing.T) {
	for _, test := range []struct {
		lacks page.ElementError
		want  string
	}{
		{page.ElementError{Missing: "covered", By: "div#ad"},
			`Element "e7" is not interactable (covered by div#ad; another element intercepts pointer events).`},
		{page.ElementError{Missing: "covered", By: "div#ad", ByRef: page.Ref{Number: 3}},
			`Element "e7" is not interactable (covered by div#ad [ref=e3]; another element intercepts pointer events).`},
		{page.ElementError{Missing: "elsewhere"}, `Element "e7" did not get the input, and nothing else in the page did.`},
		{page.ElementError{Missing: "option", Which: "Pink", Options: []string{"Red", "Blue"}},
			`Element "e7" has no option "Pink"; it has ["Red" "Blue"].`},
		{page.ElementError{Missing: "option", Which: "Pink", Options: []string{"Red", "Blue"}, More: 7},
			`Element "e7" has no option "Pink"; it has ["Red" "Blue"] and 7 more.`},
		{page.ElementError{Missing: "option", Which: "Pink"}, `Element "e7" has no option "Pink"; it lists none now.`},
		{page.ElementError{Missing: "disabled", Which: "Pink"},
			`Element "e7" has an option "Pink", but that is disabled. Complete any prerequisites that enable it.`},
		{page.ElementError{Missing: "format", Which: "03/04/2026", Options: []string{"2026-04-03", "2026-03-04"}},
			`Element "e7" rejected the value format. Use a value supported by this input type. "03/04/2026" may mean 2026-04-03 or 2026-03-04.`},
		{page.ElementError{Missing: "format", Which: "40", Holds: "25"},
			`Element "e7" rejected the value format. Use a value supported by this input type. It holds "25" now.`},
		{page.ElementError{Missing: "refused", Holds: "25"}, `Element "e7" did not take the value: it holds "25" now.`},
		{page.ElementError{Missing: "hidden"},
			`Element "e7" is not interactable (not visible). Try scrolling it into view, closing overlays, or re-snapshotting.`},
		{page.ElementError{Missing: "hidden", Which: "0x20"},
			`Element "e7" is not interactable (not visible): it is 0x20 pixels large now. Try re-snapshotting.`},
	} {
		test.lacks.Ref = page.Ref{Number: 7}
		if got := string(cannotAct(&test.lacks).Message); got != test.want {
			t.Errorf("got  %s\nwant %s", got, test.want)
		}
	}
}

// What contains an element and is seen in its place cannot be closed or moved away.
func TestHintAboutWhatCovers(t *testing.T) {
	for around, want := range map[bool]string{
		false: "close or move away what covers it, then try again",
		true:  "act on e3, which contains it and is seen in its place",
	} {
		e := cannotAct(&page.ElementError{Ref: page.Ref{Number: 7}, Missing: "covered", By: "div", ByRef: page.Ref{Number: 3}, Around: around})
		if e.Hint != want {
			t.Errorf("around it %v: got %q, want %q", around, e.Hint, want)
		}
	}
}

// The fields of some date pickers are read-only until they are clicked.
func TestHintAboutAReadOnlyField(t *testing.T) {
	want := "click it: some fields take text, or open something to choose from, only then"
	if got := cannotAct(&page.ElementError{Ref: page.Ref{Number: 7}, Missing: pagejs.ReadOnly}).Hint; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// The hint about a slider says its steps only if they are known.
func TestHintAboutASlider(t *testing.T) {
	for step, want := range map[string]string{
		"":    "it takes a number from 0 to 38 in steps of 1, or a share such as 50%",
		"0.1": "it takes a number from 0 to 38 in steps of 0.1, or a share such as 50%",
		"any": "it takes a number from 0 to 38, or a share such as 50%",
	} {
		if got := dueFormat(inputvalue.Input{Type: "range", Max: "38", Step: step}); got != want {
			t.Errorf("%q: got %q, want %q", step, got, want)
		}
	}
}

// A hint says what to do instead, where that is known.
func TestHintAboutTextAndOptions(t *testing.T) {
	for _, c := range []struct {
		missing    pagejs.Missing
		role, want string
	}{
		{pagejs.Option, "combobox", "use one of these options"},
		{pagejs.Untyped, "combobox", "use select, which chooses an option of it by its text"},
		{pagejs.Untyped, "radio", "use check"},
		{pagejs.Untyped, "switch", "use check or uncheck"},
		{pagejs.Untyped, "radiogroup", "use check with the ref of a radio button"},
		{pagejs.Untyped, "tab", "use click"},
		{pagejs.Untyped, "cell", "use a field in it; a cell may open one when it is clicked or double-clicked: then type with the ref of that field. " +
			"What only keys move, such as a slider, takes press with its ref"},
		{pagejs.Number, "spinbutton", "give digits, with a point for decimals: 1234.5"},
		{pagejs.Disabled, "button", "do first what enables it; expect with its ref and enabled waits for that"},
		{page.NoSelect, "radiogroup", "use check with the ref of a radio button"},
		{page.NoSelect, "button", "click it, take a snapshot and click the option"},
		{pagejs.Slider, "slider", "focus e7, then press arrow keys, PageUp, PageDown, Home or End; or drag it"},
		{pagejs.Slider, "spinbutton", "focus e7, then press arrow keys, PageUp, PageDown, Home or End"},
	} {
		e := cannotAct(&page.ElementError{Ref: page.Ref{Number: 7}, Role: c.role, Missing: c.missing, Options: []string{"Red"}})
		if got := string(e.Hint); got != c.want {
			t.Errorf("%s of a %s: got %q, want %q", c.missing, c.role, got, c.want)
		}
	}
}
