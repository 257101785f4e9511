package page

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"chela/internal/reading/pagejs"
)

// A listControl is an ARIA listbox, or the combobox or button that opens one. It exists while
// options are chosen. During that time the page script keeps the list, the control and what they
// showed before, see listbox.js.
type listControl struct {
	*Element
	text    string // the text that was in the control before the choice
	opened  bool   // we have opened the list
	many    bool   // several options are to be chosen
	several bool   // the list takes several options
	clicked bool   // we have clicked an option
}

// An option is an option of a list, as the page script describes it.
type option struct {
	report
	Option   int    // number of the option's element, as in a ref
	Says     string // the option's text; in a virtual list, the element may later show another option
	Label    string // the option's label, by which the page script finds it again
	Selected bool
	Kept     bool // several options are to be chosen, and this one was chosen before
	Several  bool // several options of the list can be selected
	Entries  []struct {
		Ref  int
		Says string
	} // the entries of the menu that the control has opened instead of a list
	Field int // if the option was not found: the field that filters the list; 0 if none
}

// isChosen reports whether the option need not be clicked. A list of one is clicked in any case, which
// closes it. A list that does not say that it takes several counts as one of several if it is Kept.
func (o option) isChosen() bool { return o.Kept || o.Selected && o.Several }

// selectInList chooses options of a listbox, or of a control that opens one, as a user does. It
// opens the list and looks for each option, which may take scrolling or typing. It clicks the
// option and checks that it is chosen. In a list that takes several options and shows which are
// selected, all other options are deselected. If an option is not there, the list or menu that was
// opened is closed. If another option has been clicked before, that error comes with ErrSent.
func (e *Element) selectInList(ctx context.Context, values []string) error {
	r, err := ask[struct {
		report
		Control int
		Open    bool
		Text    string
	}](ctx, e, "beginChoice", ScriptDeadline(ctx))
	switch {
	case err != nil:
		return err
	case r.Missing == pagejs.Untyped:
		return e.failure(report{Missing: NoSelect})
	case r.Missing != "":
		return e.failure(r.report)
	}
	c := &listControl{Element: e.related(r.Control), text: r.Text, opened: !r.Open, many: len(values) > 1}
	if err := c.choose(ctx, values); err != nil {
		c.close(ctx, 0, false)
		if c.clicked {
			err = withSent(err)
		}
		return err
	}
	if c.several || c.many {
		c.close(ctx, listSettling, false)
	} else {
		c.close(ctx, listClosing, true)
	}
	return nil
}

// choose chooses the options one after the other.
func (c *listControl) choose(ctx context.Context, values []string) error {
	var labels []string
	for _, value := range values {
		found, err := c.pick(ctx, value)
		if err != nil {
			return err
		}
		labels, c.several = append(labels, found.Label), found.Several
	}
	return c.settleSelection(ctx, labels)
}

// maxPicks limits how often an option is looked for again because another one has replaced it
// before it was clicked. That happens in virtual lists and while results arrive.
const maxPicks = 3

// pick looks for the option of a value, and clicks it unless it is chosen already.
func (c *listControl) pick(ctx context.Context, value string) (option, error) {
	for try := 1; ; try++ {
		found, err := c.seek(ctx, value)
		if err != nil || found.isChosen() {
			return found, err
		}
		err = c.clickOption(ctx, found, true, Click{})
		if err == nil || try == maxPicks || !c.wasReplaced(err) {
			return found, err
		}
	}
}

// wasReplaced reports whether the error of a click says that the option was replaced before the
// click. With ErrSent, the page has seen a press, but the option has slipped away from it. It is then
// clicked again. In a list that takes several options, pick first looks whether it is chosen by now.
func (c *listControl) wasReplaced(err error) bool {
	if stale, ok := errors.AsType[*StaleRefError](err); ok {
		return stale.Why == ElementRemoved
	}
	lacks, ok := errors.AsType[*ElementError](err)
	return ok && slices.Contains([]pagejs.Missing{MissedInput, Unclicked, pagejs.Hidden, pagejs.Outside}, lacks.Missing)
}

// clickOption clicks an option and waits until it shows that it is chosen. If wanted is false, it
// waits until the option is no longer chosen.
func (c *listControl) clickOption(ctx context.Context, o option, wanted bool, click Click) error {
	el := c.related(o.Option)
	el.expectedText = o.Says
	limited, cancel := context.WithTimeout(ctx, max(remaining(ctx)/2, margin))
	defer cancel()
	var doubt error
	click.Doubt = func(err error) { doubt = withSent(err) }
	if err := el.Click(limited, click); err != nil {
		return err
	}
	c.clicked = true
	done, err := ask[bool](ctx, el, "optionChosen", o.Label, wanted, reactionTime.Milliseconds(), ScriptDeadline(ctx))
	if left, err := afterChoice(err); left || err != nil {
		return err
	}
	if !done && doubt != nil {
		return doubt
	}
	if !done {
		return c.failure(report{Missing: Unchosen, Which: o.Label})
	}
	return nil
}

// seek opens the list and finds an option in it. An option that is not rendered is looked for by
// typing, where the control takes text, and by scrolling.
func (c *listControl) seek(ctx context.Context, value string) (option, error) {
	if err := c.open(ctx); err != nil {
		return option{}, err
	}
	found, err := c.look(ctx, value, false)
	if err != nil || found.Missing == "" {
		return found, err
	}
	if found.Missing == pagejs.Menu {
		for _, entry := range found.Entries {
			found.Options = append(found.Options, fmt.Sprintf("%q [ref=%s]", entry.Says, c.page.refIn(c.frame, entry.Ref)))
		}
		return found, withSent(c.failure(found.report))
	}
	if found.Missing == pagejs.Ambiguous {
		return found, c.failure(found.report)
	}
	first := found.report
	if found.Field != 0 {
		found, err = c.lookTyping(ctx, value, c.related(found.Field))
	} else if found.Missing == pagejs.Option {
		found, err = c.lookScrolling(ctx, value)
	}
	if err == nil && found.Missing != "" {
		if len(first.Options) > 0 && found.Missing != pagejs.Ambiguous && found.Missing != pagejs.Unread {
			found.Missing, found.Which, found.Options, found.More = pagejs.Option, value, first.Options, first.More
		}
		err = c.failure(found.report)
	}
	return found, err
}

// lookTyping types into a field that filters the list. If that finds nothing, the field gets its
// former text back, and the whole list is searched.
func (c *listControl) lookTyping(ctx context.Context, value string, field *Element) (option, error) {
	if _, err := field.Type(ctx, value); err != nil {
		return option{}, err
	}
	found, err := c.lookScrolling(ctx, value)
	if err != nil || found.Missing == "" || found.Missing == pagejs.Ambiguous || found.Missing == pagejs.Unread {
		return found, err
	}
	if _, err := field.Type(ctx, c.text); err != nil {
		return found, err
	}
	return c.lookScrolling(ctx, value)
}

// lookScrolling looks for an option in the whole list. If the list scrolls back by itself, it does so
// with the mouse over the list, where a user's is.
func (c *listControl) lookScrolling(ctx context.Context, value string) (option, error) {
	found, err := c.look(ctx, value, true)
	if err != nil || found.Hover == 0 {
		return found, err
	}
	if err := c.related(found.Hover).Hover(ctx); err != nil {
		return found, err
	}
	return c.look(ctx, value, true)
}

func (c *listControl) look(ctx context.Context, value string, scroll bool) (option, error) {
	return ask[option](ctx, c.Element, "seekOption", value, map[string]any{"by": ScriptDeadline(ctx), "scroll": scroll, "many": c.many})
}

// open clicks the control unless its list is open.
func (c *listControl) open(ctx context.Context) error {
	opener, err := ask[int](ctx, c.Element, "openerOf", ScriptDeadline(ctx))
	if err != nil || opener == 0 {
		return err
	}
	c.opened = true
	return c.related(opener).Click(ctx, Click{})
}

// settleSelection deselects all options but the wanted ones, in a list that takes several. Some
// lists take several only with Control held: a click on one option deselects the others. Wanted
// options that were lost in that way are clicked again with Control. Some lists leave out what is
// chosen. If that should be deselected, the error is Kept.
func (c *listControl) settleSelection(ctx context.Context, labels []string) error {
	rest, err := c.otherOptions(ctx, labels)
	if err == nil && len(rest.Kept) > 0 {
		err = c.failure(report{Missing: Kept, Options: rest.Kept})
	}
	if err != nil || len(rest.More) == 0 && len(rest.Lost) == 0 {
		return err
	}
	for tries := len(rest.More) + maxPicks; len(rest.More) > 0 && tries > 0; tries-- {
		if err := c.clickOption(ctx, rest.More[0], false, Click{}); err != nil && !c.wasReplaced(err) {
			return err
		}
		if rest, err = c.otherOptions(ctx, labels); err != nil {
			return err
		}
	}
	for _, label := range rest.Lost {
		found, err := c.seek(ctx, label)
		if err == nil && !found.Several {
			err = c.failure(report{Missing: pagejs.Single})
		}
		if err == nil && !found.Selected {
			err = c.clickOption(ctx, found, true, Click{Modifiers: key("ControlOrMeta").Modifiers()})
		}
		if err != nil {
			return err
		}
	}
	rest, err = c.otherOptions(ctx, labels)
	if err == nil && len(rest.More)+len(rest.Lost) > 0 {
		err = c.failure(report{Missing: pagejs.Single})
	}
	return err
}

// otherOptions asks how the selection differs from the wanted one. Some lists that take several
// options close after each choice. Such a list is opened again, to see what is selected in it. If
// the choice has led to another document, there is no difference.
func (c *listControl) otherOptions(ctx context.Context, labels []string) (rest otherOptions, err error) {
	if c.several {
		err = c.open(ctx)
	}
	if err == nil {
		rest, err = ask[otherOptions](ctx, c.Element, "otherOptions", labels, c.several, ScriptDeadline(ctx))
	}
	if left, _ := afterChoice(err); left {
		return otherOptions{}, nil
	}
	return rest, err
}

// otherOptions lists how a selection differs from the wanted one. More has the options that are
// selected and should not be. Lost has the labels of those that should be selected and no longer
// are. Kept has the labels of those that should not be selected, and are not in the list.
type otherOptions struct {
	More []option
	Lost []string
	Kept []string
}

// listClosing is how long a list that may take only one option has to close by itself after a choice.
// A list that is open for longer takes several options.
const listClosing = 300 * time.Millisecond

// listSettling is how long a list of several has after a choice before it is closed. A page may handle
// the choice once more a little later, by the place of the option. Closing may change that place.
const listSettling = 100 * time.Millisecond

// close presses Escape to close the list, if this listControl has opened it. The list may first close
// by itself, in the time settling. A list of one (single) is closed only if its control says that it is
// open. close does nothing if the focus is elsewhere.
func (c *listControl) close(ctx context.Context, settling time.Duration, single bool) {
	if !c.opened {
		return
	}
	w, guarded, err := askDocument[bool](ctx, c.Element, "guardChoice", guardTime(ctx).Milliseconds(), ScriptDeadline(ctx), settling.Milliseconds(), single)
	if err != nil || !guarded {
		return
	}
	before, err := c.inputMark(ctx, w)
	if err != nil {
		return
	}
	c.page.pressChord(ctx, key("Escape"), 0)
	c.takeVerdict(ctx, before)
}
