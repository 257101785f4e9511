package call

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"chela/internal/engine/page"
	"chela/internal/op"
	"chela/internal/reading/inputvalue"
	"chela/internal/reading/pagejs"
)

// explainElement explains what is wrong with the element, or the point, that a call is about. It
// returns nil for any other failure.
//
// Most texts are OpenClaw's, letter by letter: its clients look for parts of them, such
// as "Run a new snapshot", to decide what to do. What they do not say, such as what
// covers an element, is added at their end or in the hint.
func explainElement(err error) *op.Error {
	if lacks, ok := errors.AsType[*page.ElementError](err); ok {
		return cannotAct(lacks)
	}
	if stale, ok := errors.AsType[*page.StaleRefError](err); ok {
		return gone(stale)
	}
	if unknown, ok := errors.AsType[*page.UnknownRefError](err); ok {
		return op.Errorf(op.UnknownRef, "Unknown ref %q. Run a new snapshot and use a ref from that snapshot.", unknown.Ref).
			Hinted("take a new snapshot")
	}
	if wrong, ok := errors.AsType[*page.SelectorError](err); ok {
		return notSelector(wrong)
	}
	if none, ok := errors.AsType[*page.NoMatchError](err); ok {
		return noMatch(none)
	}
	if outside, ok := errors.AsType[*page.OutsideError](err); ok {
		return op.Errorf(op.ActInvalid, "the point %g,%g is outside of the viewport", outside.X, outside.Y).
			Hinted("the viewport is %gx%g pixels: scroll what you mean into view, or click it by its ref", outside.Width, outside.Height)
	}
	if held, ok := errors.AsType[*page.HeldError](err); ok {
		return op.Errorf(op.Conflict, "%s", held).Hinted("release it first: mouse up %s", held.Button)
	}
	if errors.Is(err, page.ErrNoFocus) {
		return op.Errorf(op.NoFocus, "nothing that takes text has the focus").Hinted("click into a field first, or type with its ref; press sends single keys to the page")
	}
	return nil
}

// gone describes the element of a stale ref, if a snapshot has shown it, and says why it is gone.
// The hint depends on that: a removed element may come back; a replaced document does not.
func gone(e *page.StaleRefError) *op.Error {
	was := ""
	if e.Was != nil {
		was = fmt.Sprintf(" (%s %q)", e.Was.Role, e.Was.Name)
	}
	why := map[page.Fate]string{
		page.ElementRemoved:   "the page has removed it",
		page.ElementReused:    "the page shows something else in its place",
		page.DocumentReplaced: "the page it was on has been replaced by " + e.URL,
		page.FrameRemoved:     "its frame was removed from the page",
		page.FrameCrashed:     "its frame crashed",
	}[e.Why]
	hint := "take a new snapshot and use a ref from it"
	switch {
	case e.Moved:
		hint = fmt.Sprintf("use %s if you mean it: no other element has this role and name now, but what is around it has changed; else take a new snapshot", e.Candidates[0])
	case len(e.Candidates) == 1:
		hint = fmt.Sprintf("use %s if you mean it: it looks like this one and is in the same place; else take a new snapshot", e.Candidates[0])
	case len(e.Candidates) > 0:
		var all []string
		for _, ref := range e.Candidates {
			all = append(all, ref.String())
		}
		hint = "elements that look like it are in the same place: " + strings.Join(all, ", ") + "; take a new snapshot to tell them apart"
	}
	return op.Errorf(op.StaleRef, "Element %q%s is gone: %s.", e.Ref, was, why).Hinted("%s", hint)
}

// notSelector explains why a selector is not valid. Reason is Chromium's, if it has given one.
func notSelector(e *page.SelectorError) *op.Error {
	if e.Reason == "" {
		return op.Errorf(op.Invalid, "%q is not a CSS selector", e.Selector)
	}
	return op.Errorf(op.Invalid, "%q is not a CSS selector: %s", e.Selector, e.Reason)
}

// noMatch says that a selector matches nothing in the page, or no iframe where only an
// iframe would do.
func noMatch(e *page.NoMatchError) *op.Error {
	if e.Iframe {
		return op.Errorf(op.NotFound, "no iframe matches %q", e.Selector).Hinted("take a snapshot of the whole page to see its iframes")
	}
	if e.Selector == "" {
		return op.Errorf(op.NotFound, "the document is empty: it has no root element").Hinted("reload the page")
	}
	return op.Errorf(op.NotFound, "no element matches %q", e.Selector).Hinted("take a snapshot and use a ref")
}

// cannotAct says why an element cannot be acted on, such as that it is covered, and what to do
// about it. The messages are OpenClaw's where it has any.
func cannotAct(e *page.ElementError) *op.Error {
	failed := op.Errorf(op.ActFailed, "Element %q %s", e.Ref, lack(e))
	switch e.Missing {
	case pagejs.Covered:
		if e.Around && e.ByRef.Number > 0 {
			return failed.Hinted("act on %s, which contains it and is seen in its place", e.ByRef)
		}
		if e.At != nil {
			return failed.Hinted("close or move away what covers it, or drop at this place anyway: endX %g, endY %g", e.At.X, e.At.Y)
		}
		return failed.Hinted("close or move away what covers it, then try again")
	case pagejs.OffPage, pagejs.Clipped, pagejs.Hidden:
		switch {
		case e.Hover.Number > 0:
			return failed.Hinted("hover %s first", e.Hover)
		case e.Missing == pagejs.OffPage:
			return failed.Hinted("hover or click what brings it there first, such as the entry of the menu that it is in")
		case e.Missing == pagejs.Clipped:
			return failed.Hinted("do first what opens that box, such as a click on its header, or choosing the rows that it is for")
		}
	case pagejs.Disabled:
		if e.Which == "" {
			return failed.Hinted("do first what enables it; expect with its ref and enabled waits for that")
		}
	case pagejs.Number:
		return failed.Hinted("give digits, with a point for decimals: 1234.5")
	case pagejs.Delegated:
		return failed.Hinted("act on %s instead", refOr(e.ByRef, "that element"))
	case pagejs.Inert:
		if e.By == "" {
			return failed.Hinted("show that part of the page first, such as by its tab or arrow")
		}
		return failed.Hinted("close what is open in front of it, by a button there or Escape, then try again")
	case pagejs.ReadOnly:
		return failed.Hinted("click it: some fields take text, or open something to choose from, only then")
	case pagejs.Beyond:
		if e.At != nil {
			return failed.Hinted("count from its top left corner, or drop at this place beside it: endX %g, endY %g", e.At.X, e.At.Y)
		}
		return failed.Hinted("count from its top left corner")
	case pagejs.Choice:
		return failed.Hinted("use select instead of click")
	case pagejs.Menu:
		return failed.Hinted("click an entry by its ref; what it opens is in the delta of that click")
	case pagejs.Format:
		return failed.Hinted("%s", dueFormat(e.Input))
	case pagejs.Untyped:
		return failed.Hinted("%s", insteadOfText(e.Role))
	case page.NoSelect:
		if e.Role == "radiogroup" || e.Role == "radio" {
			return failed.Hinted("use check with the ref of a radio button")
		}
		return failed.Hinted("click it, take a snapshot and click the option")
	case pagejs.Option:
		if len(e.Options) > 0 {
			return failed.Hinted("use one of these options")
		}
	case pagejs.Unread:
		return failed.Hinted("give a longer timeoutMs, or scroll the list and click the option")
	case pagejs.Slider:
		drag := "; or drag it"
		if e.Role == "spinbutton" {
			drag = ""
		}
		return failed.Hinted("focus %s, then press arrow keys, PageUp, PageDown, Home or End%s", e.Ref, drag)
	case page.NoFileInput:
		return failed.Hinted("use ref to click what opens the file chooser")
	case page.NoDrop:
		return failed.Hinted("drop on the element that the page has for it, which may be around this one, or upload to its file input")
	case page.MissedInput:
		if e.By == "" {
			return failed.Hinted("the browser may be asking its user something in a window of its own, and gives pages no input meanwhile: answer it there, or navigate to another site")
		}
	case page.NestedDrop:
		return failed.Hinted("take a snapshot and use the ref of an element in the frame")
	}
	return failed.Hinted("take a new snapshot to see what the page looks like now")
}

// insteadOfText returns the hint for an element that takes no text, by its role.
func insteadOfText(role string) string {
	switch role {
	case "combobox", "listbox":
		return "use select, which chooses an option of it by its text"
	case "radio", "menuitemradio":
		return "use check"
	case "checkbox", "switch", "menuitemcheckbox":
		return "use check or uncheck"
	case "radiogroup":
		return "use check with the ref of a radio button"
	case "button", "link", "tab", "menuitem":
		return "use click"
	}
	return "use a field in it; a cell may open one when it is clicked or double-clicked: then type with the ref of that field. " +
		"What only keys move, such as a slider, takes press with its ref"
}

// lack returns why an element cannot be acted on, as the end of a sentence about it.
func lack(e *page.ElementError) string {
	by := e.By
	switch {
	case by == "":
		by = "something outside of the page"
	case e.ByRef.Number > 0:
		by += " [ref=" + e.ByRef.String() + "]"
	}
	switch e.Missing {
	case pagejs.Covered:
		return fmt.Sprintf("is not interactable (covered by %s; another element intercepts pointer events).", by)
	case pagejs.Clipped:
		return fmt.Sprintf("is not interactable (not visible): it is in %s, which has no width or height now and cuts it off.", by)
	case pagejs.Unclickable:
		return fmt.Sprintf("is not interactable (its style has pointer-events: none, so that input passes through it to %s).", by)
	case pagejs.Delegated:
		return fmt.Sprintf("is not interactable (its style has pointer-events: none: its clicks are for %s).", by)
	case pagejs.Choice:
		return fmt.Sprintf("belongs to a drop-down list, which is not a part of the page: no input reaches it. "+
			"Select %q with this ref, or with that of the list.", e.Which)
	case pagejs.Hidden:
		if e.Which != "" {
			return fmt.Sprintf("is not interactable (not visible): it is %s pixels large now. Try re-snapshotting.", e.Which)
		}
	case pagejs.Beyond:
		return fmt.Sprintf("has no such position: it is %s pixels large.", e.Which)
	case pagejs.Disabled:
		if e.Which != "" {
			return fmt.Sprintf("has an option %q, but that is disabled. Complete any prerequisites that enable it.", e.Which)
		}
	case pagejs.Option:
		if len(e.Options) == 0 {
			return fmt.Sprintf("has no option %q; it lists none now.", e.Which)
		}
		return fmt.Sprintf("has no option %q; it has %s.", e.Which, listed(e))
	case pagejs.Unread:
		upTo := ""
		if n := len(e.Options); n > 0 {
			upTo = fmt.Sprintf(" up to %q", e.Options[n-1])
		}
		return fmt.Sprintf("has a long list, which was scrolled until the time was over: no option %q%s.", e.Which, upTo)
	case pagejs.Ambiguous:
		return fmt.Sprintf("has several options %q: %s. Name one by its value or by its whole text, or click it.", e.Which, listed(e))
	case pagejs.Menu:
		return fmt.Sprintf("opened a menu when it was clicked, and no list of options: %s.", strings.Join(e.Options, ", "))
	case page.Kept:
		return fmt.Sprintf("still has %s chosen as well: its list does not offer that. Click what removes it.", listed(e))
	case page.Unchosen:
		return fmt.Sprintf("does not show %q as chosen, although that was selected.", e.Which)
	case pagejs.StandIn:
		return fmt.Sprintf("is hidden behind %s, which still showed %q when it was changed, so it was changed back. "+
			"Click that, take a snapshot and click the option.", by, e.Which)
	case pagejs.Format:
		return misread(e)
	case page.Refused:
		if e.Holds != "" {
			return fmt.Sprintf("did not take the value: it holds %q now.", e.Holds)
		}
	case page.MissedInput:
		if e.By == "" {
			return "did not get the input, and nothing else in the page did."
		}
		return fmt.Sprintf("did not get the input: it met %s.", by)
	case pagejs.Inert:
		open := " (inert)"
		if e.By != "" {
			open = ", while " + by + " is open"
		}
		return "is not interactable: its part of the page takes no input now" + open + "."
	case pagejs.Refocused:
		return fmt.Sprintf("took the focus, and the page moved it on to %s.", by)
	case page.Unclicked:
		met := ""
		if e.By != "" {
			met = ", and the mouse met " + by
		}
		return "got the press, but no click: the page changed, or shows something over it" + met + ". Before you click again, look whether the press was enough."
	}
	return lacks[e.Missing]
}

// listed returns the options of an error, and how many more the control has.
func listed(e *page.ElementError) string {
	if e.More == 0 {
		return fmt.Sprintf("%q", e.Options)
	}
	return fmt.Sprintf("%q and %d more", e.Options, e.More)
}

// lacks has the texts of errors about elements, by the reason why a call could not use one. Scripts
// of package pagejs report some of these reasons, and Go code of package page finds the others. A
// test checks that each reason has a text here or in lack.
var lacks = map[pagejs.Missing]string{
	pagejs.Hidden:   "is not interactable (not visible). Try scrolling it into view, closing overlays, or re-snapshotting.",
	pagejs.Outside:  "is not interactable (not visible): it cannot be scrolled into view. Try re-snapshotting.",
	pagejs.OffPage:  "is not interactable (not visible): it is off the page, where no scrolling leads. Try re-snapshotting once it is on the page.",
	pagejs.Disabled: "is not enabled. Complete any prerequisites that enable the control.",
	pagejs.Moving:   "is not stable. Wait for movement or animation to finish before interacting.",
	pagejs.ReadOnly: "is not editable (for example, read-only). Use an editable control.",
	pagejs.Untyped: "is not editable: this control does not support text input. " +
		"Use an editable input, textarea, or contenteditable element.",
	pagejs.Slider:      "takes no text: keys move it.",
	pagejs.Unfillable:  "has an input type that cannot be filled. Use the interaction appropriate for this control.",
	pagejs.Number:      "requires a numeric value. Use a valid number instead of text.",
	pagejs.Unfocusable: "cannot take the focus. Use an element that can.",
	pagejs.Single:      "takes one value, not several.",
	page.Refused:       "did not take the text: the page kept what was there.",
	page.Beside:        "took the text beside what it held, a part of which cannot be edited.",
	pagejs.Closed:      "opened no list of options when it was clicked. Take a snapshot to see what it did.",
	page.NoSelect:      "is not a select element, listbox or combobox.",
	page.Uncheckable:   "is nothing that can be checked. Use a checkbox, radio or switch.",
	page.Unchanged:     "did not change its checked state when clicked.",
	page.Radio:         "is a radio button: it is unchecked by checking another one of its group.",
	page.Slipped:       "moves away while it is pressed, so that no click reaches it. The page got one press.",
	page.Reclosed:      "was opened by the mouse over it, and the click closed it again. Hover it to open it.",
	page.NoFileInput:   "is no file input.",
	page.NoDrop:        "does not take dropped files: the page did not accept them while they were dragged over it.",
	page.NestedDrop:    "is a frame, which takes no files itself.",
}

// refOr returns a ref as text, or another text if there is none.
func refOr(ref page.Ref, otherwise string) string {
	if ref.Number == 0 {
		return otherwise
	}
	return ref.String()
}

// misread says that a field refused the format of a value. If the value can be read in several
// ways, it lists these. The first sentences are OpenClaw's.
func misread(e *page.ElementError) string {
	text := "rejected the value format. Use a value supported by this input type."
	if len(e.Options) > 0 {
		text += fmt.Sprintf(" %q may mean %s.", e.Which, strings.Join(e.Options, " or "))
	}
	if e.Holds != "" {
		text += fmt.Sprintf(" It holds %q now.", e.Holds)
	}
	return text
}

// dueFormat returns the hint for a value that an input refuses: the formats that it takes. HTML's
// own format comes first. Brackets contain some of the formats that package inputvalue converts to
// it. HTML itself has no error for a wrong format: an input that a script sets to another text is
// empty then, or holds its default.
func dueFormat(in inputvalue.Input) string {
	switch in.Type {
	case "date":
		return "it takes a date: 2026-12-24 (or 24 Dec 2026, 24.12.2026, 12/24/2026)"
	case "time":
		return "it takes a time of day: 21:05 (or 9:05 pm)"
	case "datetime-local":
		return "it takes a date and a time of day, without a time zone: 2026-12-24 21:05 (or 24 Dec 2026 9:05 pm)"
	case "month":
		return "it takes a month of a year: 2026-12 (or Dec 2026)"
	case "week":
		return "it takes a week of a year: 2026-W52 (or week 52 2026)"
	case "color":
		return "it takes an opaque color: #ff0000 (or red, rgb(255, 0, 0))"
	case "range":
		steps := ""
		if !strings.EqualFold(in.Step, "any") {
			steps = " in steps of " + cmp.Or(in.Step, "1")
		}
		// HTML's default minimum, maximum and step of a slider
		return fmt.Sprintf("it takes a number from %s to %s%s, or a share such as 50%%", cmp.Or(in.Min, "0"), cmp.Or(in.Max, "100"), steps)
	}
	return "take a new snapshot to see what the page looks like now"
}
