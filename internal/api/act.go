package api

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"chela/internal/api/call"
	"chela/internal/engine/page"
	"chela/internal/engine/setting"
	"chela/internal/op"
)

// maxDelay bounds the pauses that an act can ask for, in milliseconds: no other call can use the
// tab meanwhile.
const maxDelay = 5000

// The mouse parameters that click and clickCoords share.
type mouse struct {
	Double    bool     `json:"doubleClick,omitempty" flag:"double" doc:"click twice"`
	Count     int      `json:"count,omitempty" alias:"clickCount" wrong:"click count must be 1, 2 or 3" min:"1" max:"3" doc:"number of clicks; 3 selects a paragraph" tool:"-"`
	Button    string   `json:"button,omitempty" enum:"left,right,middle" doc:"mouse button; by default the left one"`
	DelayMs   int      `json:"delayMs,omitempty" doc:"milliseconds between press and release, at most 5000" tool:"+"`
	Modifiers []string `json:"modifiers,omitempty" wrong:"modifiers must be Alt|Control|ControlOrMeta|Meta|Shift" enum:"Alt,Control,ControlOrMeta,Meta,Shift" doc:"keys that are held during the click"`
}

// check returns an error if a mouse parameter is wrong. The texts are OpenClaw's. They name the
// kind of the act.
func (m mouse) check(kind string) error {
	switch {
	case m.Double && m.Count != 0 && m.Count != 2:
		return op.Errorf(op.ActInvalid, "%s takes doubleClick or count, not both", kind)
	case m.Button != "" && !slices.Contains([]string{"left", "right", "middle"}, m.Button):
		return op.Errorf(op.ActInvalid, "%s button must be left|right|middle", kind)
	case m.DelayMs < 0:
		return op.Errorf(op.ActInvalid, "%s delayMs must be a non-negative integer.", kind)
	case m.DelayMs > maxDelay:
		return op.Errorf(op.ActInvalid, "%s delayMs exceeds maximum of %dms", kind, maxDelay)
	}
	for _, key := range m.Modifiers {
		if !slices.Contains(modifiers, key) {
			return op.Errorf(op.ActInvalid, "modifiers must be Alt|Control|ControlOrMeta|Meta|Shift")
		}
	}
	return nil
}

// click returns the click that the parameters describe. By default it is one click, with the left
// button.
func (m mouse) click() page.Click {
	count := m.Count
	if m.Double {
		count = 2
	}
	click := page.Click{Button: page.Button(m.Button), Count: count, Hold: time.Duration(m.DelayMs) * time.Millisecond}
	for _, key := range m.Modifiers {
		click.Modifiers |= mustParse(key).Modifiers()
	}
	return click
}

// A clickRequest is for one click, or a double one, on an element.
type clickRequest struct {
	onRef
	mouse
	Position *position `json:"position,omitempty" doc:"where in the element: {x, y}, in pixels from the top left corner inside its border" tool:"-"`
}

// A position is a point in an element.
type position struct {
	X *float64 `json:"x" doc:"pixels from the left of the element"`
	Y *float64 `json:"y" doc:"pixels from the top of the element"`
}

// check returns an [*op.Error] if a coordinate is missing or negative.
func (p *position) check() error {
	return requires("position requires x and y, not negative", p == nil || p.X != nil && *p.X >= 0 && p.Y != nil && *p.Y >= 0)
}

// point returns the position for the page package; nil if none is given, so that the package
// chooses a point.
func (p *position) point() *page.Point {
	if p == nil {
		return nil
	}
	return &page.Point{X: *p.X, Y: *p.Y}
}

// modifiers are the names of the keys that can be held during a click.
var modifiers = []string{"Alt", "Control", "ControlOrMeta", "Meta", "Shift"}

// Check finds what is wrong with the arguments before a tab is looked for. Whether the position
// lies on the element is not known yet: the click itself returns that error.
func (r clickRequest) Check() error {
	if err := requiresRef("click", r.Ref); err != nil {
		return err
	}
	if err := r.Position.check(); err != nil {
		return err
	}
	return r.mouse.check("click")
}

// WaitTime returns what is added to the deadline: the time that the mouse is held down, and the
// time for the page to settle.
func (r clickRequest) WaitTime() time.Duration { return r.Settle() + r.click().Lasts() }

// clickResult says whether a click may not have done what was wanted.
type clickResult struct {
	Note op.PageText `json:"note,omitempty" doc:"why the click may not have done what was wanted: the page changed after the press, so that no click came, the mouse alone had opened the element, the element had another name than in the last snapshot, or a script of the page failed meanwhile"`
}

// Text returns the note.
func (r clickResult) Text() string { return string(r.Note) }

// click waits until the element can be clicked, at most until the deadline, and clicks it with
// trusted input. If another element would get the click, nothing is clicked, and the error names
// that element. Trusted events are those that Chromium makes from input (isTrusted in the page). A
// script's click opens no file chooser or popup, and many pages ignore it.
func click(ctx context.Context, t *call.Turn, r clickRequest) (done clickResult, err error) {
	c := r.click()
	if err := permitButton(ctx, t, c.Button); err != nil {
		return done, err
	}
	c.Position = r.Position.point()
	t.Gave(r.Ref, "")
	c.Doubt = func(err error) { done.Note = op.AsError(call.Explain(err)).Message }
	failure := watchErrors(ctx, t)
	renamed := op.PageText("")
	_, err = actOn(ctx, t, r.Ref, func(ctx context.Context, el *page.Element) error {
		err := el.Click(ctx, c)
		if was, is, other := el.Renamed(); other {
			renamed = op.PageText(fmt.Sprintf("Element %q was %s %q when it was last read, and was %s %q when it was clicked.", r.Ref, was.Role, was.Name, is.Role, is.Name))
		}
		return err
	})
	done.Note = op.PageText(strings.TrimSpace(string(renamed + " " + cmp.Or(done.Note, failure(ctx)))))
	return done, err
}

// A clickCoordsRequest is for a click at a point, whatever is there: for canvases and maps, which
// have no elements to name. X and Y are CSS pixels of the viewport.
type clickCoordsRequest struct {
	call.Acting
	mouse
	X *float64 `json:"x" wrong:"clickCoords requires non-negative x and y" unknown:"Invalid x: must be a finite number" doc:"pixels from the left of the viewport"`
	Y *float64 `json:"y" wrong:"clickCoords requires non-negative x and y" unknown:"Invalid y: must be a finite number" doc:"pixels from the top of the viewport"`
}

// Check accepts 0,0, the top left corner, so a missing coordinate must be distinguished from a
// zero. Whether the point is within the viewport is not known yet: the click itself returns that
// error.
func (r clickCoordsRequest) Check() error {
	if err := requires("clickCoords requires non-negative x and y", r.X != nil && *r.X >= 0, r.Y != nil && *r.Y >= 0); err != nil {
		return err
	}
	return r.mouse.check("clickCoords")
}

// WaitTime returns what is added to the deadline: the time that the mouse is held down, and the
// time for the page to settle.
func (r clickCoordsRequest) WaitTime() time.Duration { return r.Settle() + r.click().Lasts() }

// clickCoords clicks at a point of the viewport. A point outside of it is an error: Chromium would
// take the click, though no user could make it.
func clickCoords(ctx context.Context, t *call.Turn, r clickCoordsRequest) (call.Done, error) {
	c := r.click()
	if err := permitButton(ctx, t, c.Button); err != nil {
		return call.Done{}, err
	}
	return call.Done{}, t.Page.Act(ctx, func(ctx context.Context) error { return t.Page.ClickAt(ctx, *r.X, *r.Y, c) })
}

// A hoverRequest moves the mouse over an element, so that menus and tooltips open.
type hoverRequest struct{ onRef }

func (r hoverRequest) Check() error { return requiresRef("hover", r.Ref) }

// hover waits until the element can be pointed at, as click does, and leaves the mouse there. So a
// menu that opens when the mouse is over the element stays open for the next act.
func hover(ctx context.Context, t *call.Turn, r hoverRequest) (call.Done, error) {
	return actOn(ctx, t, r.Ref, func(ctx context.Context, el *page.Element) error { return el.Hover(ctx) })
}

// A scrollRequest brings an element into view. Acts do that by themselves.
type scrollRequest struct{ onRef }

func (r scrollRequest) Check() error {
	return requiresRef("scrollIntoView", r.Ref)
}

// scrollIntoView scrolls until an element is in view. If it already is, and nothing covers it,
// nothing is scrolled: otherwise a list that loads more on scrolling would load more for nothing.
func scrollIntoView(ctx context.Context, t *call.Turn, r scrollRequest) (call.Done, error) {
	return actOn(ctx, t, r.Ref, func(ctx context.Context, el *page.Element) error { return el.ScrollIntoView(ctx) })
}

// A selectRequest chooses options of a select element. In a select with the attribute multiple, all
// other options are unselected.
type selectRequest struct {
	onRef
	Values []string `json:"values" wrong:"select requires ref/selector and values" doc:"options to choose, each by its value or label"`
}

// Check refuses empty values, as OpenClaw does. An option whose value is the empty text, the usual
// placeholder of a list, is chosen by its label. If it has no label, fill chooses it.
func (r selectRequest) Check() error {
	const message = "select requires ref/selector and values"
	if r.Ref != "" && slices.ContainsFunc(r.Values, func(v string) bool { return strings.TrimSpace(v) == "" }) {
		return op.Errorf(op.ActInvalid, message).Hinted("fill with an empty text chooses an option that has no text")
	}
	return requires(message, r.Ref != "", len(r.Values) > 0)
}

// selectOptions chooses by value or label. In a select element it does so by script, with the
// events of a choice. In an ARIA listbox or combobox it clicks, as a person would. If an option
// does not exist, the error lists the options of the element.
func selectOptions(ctx context.Context, t *call.Turn, r selectRequest) (done selectResult, err error) {
	if len(r.Values) == 1 {
		t.Gave(r.Ref, r.Values[0])
	}
	_, err = actOn(ctx, t, r.Ref, func(ctx context.Context, el *page.Element) error {
		back, err := el.Select(ctx, r.Values)
		done.Value = (*op.PageText)(back)
		return err
	})
	return done, err
}

// selectResult says what a select element shows after a choice, if that is not the choice.
type selectResult struct {
	Value *op.PageText `json:"value,omitempty" absent:"true" doc:"what a select element shows after the choice, if the page has set it back: a menu does so after it has acted"`
}

// Text returns what the select element shows. A page that refuses a choice may look the same.
func (s selectResult) Text() string {
	if s.Value == nil {
		return ""
	}
	return fmt.Sprintf("the page has set the select back to %q: it works as a menu, or has refused the choice. Look which it is", *s.Value)
}

// A resizeRequest sets the viewport, in CSS pixels. The tab keeps the size, also after a crash.
type resizeRequest struct {
	call.Acting
	Width  int `json:"width" min:"1" unknown:"Invalid width: must be a positive integer" doc:"pixels, 1 to 8192" tool:"+"`
	Height int `json:"height" min:"1" unknown:"Invalid height: must be a positive integer" doc:"pixels, 1 to 8192" tool:"+"`
}

func (r resizeRequest) Want() call.Want {
	w := r.Acting.Want()
	w.Sets = r.Shows() == ""
	return w
}

// Check accepts sizes within OpenClaw's bounds, in CSS pixels: Chromium paints nothing larger.
func (r resizeRequest) Check() error {
	if err := requires("resize requires positive width and height", r.Width > 0, r.Height > 0); err != nil {
		return err
	}
	return requires("resize width and height must not exceed 8192", r.Width <= 8192, r.Height <= 8192)
}

// resize sets the viewport of the tab, not of its page, because the page may be replaced. It
// returns the errors of the tab's Resize; the size is then as it was.
func resize(ctx context.Context, t *call.Turn, r resizeRequest) (call.Done, error) {
	return call.Done{}, t.Tab.Resize(ctx, setting.Viewport{Width: r.Width, Height: r.Height})
}
