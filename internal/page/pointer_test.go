package page_test

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"testing"
	"time"

	"chela/internal/keys"
	"chela/internal/page"
)

func TestClick(t *testing.T) {
	for _, s := range []story{
		{"plain", "/visible.html", `button "Plain"`, click, "Plain", ""},
		{"transparent", "/visible.html", `button "Transparent"`, click, "Transparent", ""},
		{"visible in the invisible", "/visible.html", `"Visible in the invisible"`, click, "Visible in the invisible", ""},
		{"in a box of no size", "/visible.html", `"In a box of no size"`, click, "In a box of no size", ""},
		{"in display: contents", "/visible.html", `"In display contents"`, click, "In display contents", ""},
		{"pointer events again", "/visible.html", `"Pointer events again"`, click, "Pointer events again", ""},
		{"half clipped", "/visible.html", `"Half clipped"`, click, "Half clipped", ""},
		{"turned", "/visible.html", `"Turned"`, click, "Turned", ""},
		{"visible when near", "/visible.html", `"Content visible when near"`, click, "Content visible when near", ""},
		{"hidden from assistants", "/visible.html", `"Hidden from assistants"`, click, "Hidden from assistants", ""},
		{"over lines", "/visible.html", `link "a link that wraps`, click, "a link that wraps over lines", ""},
		{"inert", "/visible.html", `"Inert"`, click, "", ": disabled"},
		{"without pointer events", "/visible.html", `"Without pointer events"`, click, "", ": unclickable"},
		{"off the page", "/visible.html", `"Off the page"`, click, "", ": outside"},

		{"button without a box", "/boxes.html", `button "Bare button"`, click, "Bare button", ""},
		{"link without a box", "/boxes.html", `link "Bare link"`, click, "Bare link", ""},
		{"link around a float", "/boxes.html", `link "Float"`, click, "Float", ""},
		{"no size, content overflows", "/boxes.html", `button "Empty box"`, click, "Empty box", ""},
		{"rectangle of an image map", "/boxes.html", `link "Corner"`, click, "Corner", ""},
		{"circle of an image map", "/boxes.html", `link "Circle"`, click, "Circle", ""},
		{"polygon of an image map", "/boxes.html", `link "Triangle"`, click, "Triangle", ""},
		{"group of a drawing", "/boxes.html", `button "Drawn"`, click, "Drawn", ""},
		{"link in a drawing", "/boxes.html", `link "Drawn link"`, click, "Drawn link", ""},
		{"link over several lines", "/boxes.html", `link "a link over`, click, "a link over several lines of text", ""},
		{"partly covered", "/boxes.html", `button "Partly covered"`, click, "Partly covered", ""},
		{"summary", "/boxes.html", `"Summary"`, click, "Summary", ""},
		{"zoomed", "/boxes.html", `button "Zoomed"`, click, "Zoomed", ""},
		{"turned in space", "/boxes.html", `button "In space"`, click, "In space", ""},
		{"fixed", "/boxes.html", `button "Fixed"`, click, "Fixed", ""},
		{"fixed outside", "/boxes.html", `button "Fixed outside"`, click, "", ": outside"},
		{"scrolled to the left", "/boxes.html", `button "Far to the left"`, click, "Far to the left", ""},
		{"slotted into a scroller", "/boxes.html", `button "Slotted into`, click, "Slotted into a scroller", ""},

		{"behind a sticky header", "/scroll.html", `"Behind the header"`, click, "behind", ""},
		{"in nested scrollers", "/scroll.html", `"In two boxes"`, click, "nested", ""},
		{"far at the side", "/scroll.html", `"At the far side"`, click, "side", ""},
		{"in a smooth scroller", "/scroll.html", `"In a smooth box"`, click, "smooth", ""},
		{"in a snapping scroller", "/scroll.html", `"In a snapping box"`, click, "snap", ""},
		{"clipped without scroll bars", "/scroll.html", `"In a box without bars"`, click, "clipped", ""},
		{"far below", "/scroll.html", `"At the end"`, click, "end", ""},
		{"in the sticky header", "/scroll.html", `"In the header"`, click, "header", ""},

		{"covered for good", "/covered.html", `button "Save"`, click, "", "covered by"},
		{"covered for a while", "/covered.html?after=700", `button "Save"`, click, "saved", ""},
		{"under a veil that lets through", "/covered.html", `"Under a veil that lets clicks through"`, click, "open", ""},
		{"under a veil that does not", "/covered.html", `"Under a veil that takes clicks"`, click, "", "covered by div"},
		{"filled by its child", "/covered.html", `"Filled by its child"`, click, "child", ""},

		{"slides in by CSS", "/moving.html", `"Slides in by CSS"`, click, "css", ""},
		{"never rests", "/moving.html", `"Never rests"`, click, "", ": moving"},
		{"moved by script", "/moving.html?for=0", `"Moved by script"`, click, "raf", ""},
		{"hops away once", "/moving.html", `"Hops away once"`, click, "hop", ""},

		{"enabled late", "/late.html", `"Enabled late"`, click, "enabled", ""},
		{"enabled late by ARIA", "/late.html", `"Enabled late by ARIA"`, click, "aria", ""},

		{"open shadow", "/shadow.html", `"Open button"`, click, "open", ""},
		{"closed shadow", "/shadow.html", `"Closed button"`, click, "closed", ""},
		{"closed shadow of a plain element", "/shadow.html", `"Plain button"`, click, "plain", ""},
		{"nested shadow", "/shadow.html", `"Inner button"`, click, "inner", ""},
		{"slotted", "/shadow.html", `"Slotted button"`, click, "slotted", ""},
		{"declared shadow", "/shadow.html", `"Declared button"`, click, "declared", ""},

		{"disabled by its group", "/form.html", `"Disabled by its group"`, click, "", ": disabled"},
		{"custom check box", "/form.html", `"Custom check"`, click, "change custom true trusted", ""},

		{"shifts when pressed", "/shifting.html", `"Shifts when pressed"`, click, "", ""},
		{"removes itself", "/shifting.html", `"Removes itself"`, click, "removed", ""},
		{"moves itself", "/shifting.html", `"Moves itself"`, click, "moved", ""},
		{"replaced when hovered", "/shifting.html", `"Replaced when hovered"`, click, "", "is gone: removed"},
		{"veiled when hovered", "/shifting.html", `"Veiled when hovered"`, click, "", "covered by div#veil"},
		{"veiled for a moment", "/shifting.html?lift=300", `"Veiled when hovered"`, click, "veiled", ""},
		{"removes a frame", "/shifting.html", `"Remove the frame"`, click, "frame removed", ""},
	} {
		s.test(t)
	}
}

// A control that cannot be seen is clicked on what shows it, once.
func TestClickOnWhatShowsAControl(t *testing.T) {
	for _, s := range []story{
		{"transparent, in its label", "/widgets.html", `checkbox "Transparent"`, click, "Transparent true", ""},
		{"clipped, with a label", "/widgets.html", `checkbox "Clipped"`, click, "Clipped true", ""},
		{"not rendered, with a label", "/widgets.html", `checkbox "Not rendered"`, click, "c3 true", ""},
		{"transparent, with a drawn mark", "/widgets.html", `checkbox "Drawn"`, click, "Drawn true", ""},
		{"a link in its label", "/widgets.html", `checkbox "the terms`, click, "c5 true", ""},
		{"a combobox under its tags", "/widgets.html", `combobox "Multi"`, click, "opened", ""},
		{"the field of a code editor", "/widgets.html", `textbox "Code"`, click, "editor", ""},
		{"the field of an editor, without a size", "/widgets.html", `textbox "Model"`, click, "model", ""},
		{"a field under its own decoration", "/widgets.html", `textbox "Decorated"`, click, "field", ""},
		{"a part in its shadow", "/widgets.html", `checkbox "In shadow"`, click, "In shadow true", ""},
		{"a veil that sticks out", "/widgets.html", `checkbox "Veiled"`, click, "", "covered by div.veil"},
		{"a veil over the page", "/widgets.html", `textbox "Under a veil"`, click, "", "covered by div.veil"},
		{"no box, far below", "/widgets.html", `button "Far contents`, click, "contents", ""},
		{"no box, in a list", "/widgets.html", `link "Inner contents"`, click, "inner contents", ""},
	} {
		s.test(t)
	}
}

// An element in view is not scrolled to again: lists ignore the mouse after each scroll.
func TestClickInAListThatIgnoresTheMouseWhileItScrolls(t *testing.T) {
	for _, s := range []story{
		{"its rows do", "/scrolling.html", `"Row 50."`, click, "Row 50.", ""},
		{"the list does", "/scrolling.html", `"Other 50."`, click, "Other 50.", ""},
		{"for longer", "/scrolling.html?pause=600", `"Row 60."`, click, "Row 60.", ""},
		{"for ever", "/scrolling.html?pause=60000", `"Row 60."`, click, "", ": unclickable"},
	} {
		s.test(t)
	}
}

// What moves by a transition that has just begun is clicked where it comes to rest.
func TestClickWaitsForATransition(t *testing.T) {
	for name, style := range map[string]string{
		"its margin":        "mover.style.cssText = 'transition: margin 600ms linear; margin-left: 300px'",
		"its transform":     "mover.style.cssText = 'transition: transform 600ms cubic-bezier(1, 0, 1, 0); transform: translateX(300px)'",
		"in steps":          "mover.style.cssText = 'position: relative; transition: left 600ms steps(3); left: 300px'",
		"what it is in":     "mover.parentElement.style.cssText = 'transition: padding 600ms linear; padding-left: 300px'",
		"what is beside it": "beside.style.cssText = 'transition: width 600ms linear; width: 300px; display: inline-block'",
	} {
		t.Run(name, func(t *testing.T) {
			tt := open(t, "/frame.html")
			run[any](tt, `document.body.innerHTML = '<p><span id=beside style="display: inline-block; width: 0"></span><button id=mover style="position: relative; left: 0">Mover</button>';
				mover.getBoundingClientRect(); mover.onclick = event => { document.title = event.clientX > mover.getBoundingClientRect().x && mover.getBoundingClientRect().x > 300 }; undefined`)
			ref := tt.ref(`button "Mover"`)
			run[any](tt, style+"; undefined")
			if err := tt.onRef(ref, click); err != nil || run[string](tt, "document.title") != "true" {
				t.Errorf("got %v, in place: %s", err, run[string](tt, "document.title"))
			}
		})
	}
}

// A list moves down all the time: the row that was meant is hit, or none.
func TestClickInAListThatMoves(t *testing.T) {
	tt := open(t, "/shifting.html?every=30")
	for range 5 {
		ref := tt.ref(`button "Row`)
		want := tt.name(ref)
		err := tt.onRef(ref, click)
		if _, gone := errors.AsType[*page.StaleRefError](err); err != nil && !gone {
			t.Fatalf("got %v, want success or a stale ref", err)
		}
		if err == nil && tt.last() != want {
			t.Fatalf("clicked %q, want %q", tt.last(), want)
		}
	}
}

// name is the name of a ref in the last snapshot.
func (t *tester) name(ref string) string {
	t.Helper()
	line := t.text()
	for l := range strings.SplitSeq(line, "\n") {
		if strings.Contains(l, "[ref="+ref+"]") {
			_, rest, _ := strings.Cut(l, `"`)
			name, _, _ := strings.Cut(rest, `"`)
			return name
		}
	}
	return ""
}

func TestClickTellsThePageWhatAMouseTells(t *testing.T) {
	shift, err := keys.Parse("Control+Shift")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []struct {
		name  string
		click page.Click
		want  string
	}{
		{"left", page.Click{}, "pointerenter pointerdown mousedown pointerup mouseup click"},
		{"double", page.Click{Count: 2}, "pointerenter pointerdown mousedown pointerup mouseup click pointerdown mousedown pointerup mouseup click dblclick"},
		{"right", page.Click{Button: "right"}, "pointerenter pointerdown mousedown contextmenu pointerup mouseup auxclick"},
		{"middle", page.Click{Button: "middle"}, "pointerenter pointerdown mousedown pointerup mouseup auxclick"},
		{"held keys", page.Click{Modifiers: shift.Modifiers()}, "pointerenter pointerdown mousedown pointerup mouseup click"},
		{"held for a while", page.Click{Hold: 20 * time.Millisecond}, "pointerenter pointerdown mousedown pointerup mouseup click"},
	} {
		t.Run(s.name, func(t *testing.T) {
			tt := open(t, "/pointer.html")
			err := tt.on(`button "Pad"`, func(ctx context.Context, el *page.Element) error { return el.Click(ctx, s.click) })
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for line := range strings.SplitSeq(tt.log(), "\n") {
				kind, rest, _ := strings.Cut(line, " ")
				got = append(got, kind)
				if !strings.HasSuffix(rest, " trusted") {
					t.Errorf("%q is not trusted", line)
				}
				if held := strings.Contains(rest, "ctrl+shift"); held != (s.name == "held keys") {
					t.Errorf("keys held is %v in %q", held, line)
				}
			}
			if got := strings.Join(got, " "); got != s.want {
				t.Errorf("got  %s\nwant %s", got, s.want)
			}
		})
	}
}

func TestClickAt(t *testing.T) {
	tt := open(t, "/pointer.html")
	size := run[[]float64](tt, "[innerWidth, innerHeight]")
	for _, at := range [][]float64{{100, 5000}, {5000, 100}, {size[0], 1}, {1, size[1]}} {
		err := tt.act(func(ctx context.Context) error { return tt.ClickAt(ctx, at[0], at[1], page.Click{}) })
		e, ok := errors.AsType[*page.OutsideError](err)
		if want := (page.OutsideError{X: at[0], Y: at[1], Width: size[0], Height: size[1]}); !ok || *e != want || tt.log() != "" {
			t.Errorf("at %v: got %v, page told %q", at, err, tt.log())
		}
	}
	at := run[[]float64](tt, "(() => { const r = pad.getBoundingClientRect(); return [r.x + 7, r.y + 9]; })()")
	err := tt.act(func(ctx context.Context) error { return tt.ClickAt(ctx, at[0], at[1], page.Click{}) })
	if err != nil || tt.last() != "click button=0 detail=1 at=7,9 trusted" {
		t.Errorf("got %v, page told %q", err, tt.last())
	}
}

// A press that makes the page render is held until the page has had a frame; to
// the page it is one click all the same. Others are as short as they can be.
func TestPressIsHeldWhereItRenders(t *testing.T) {
	const once = "pointerdown mousedown pointerup mouseup click"
	for _, s := range []struct {
		target string
		log    string
		held   bool
		events string
	}{
		{`button "Mounts late"`, "clicked", true, once},
		{`button "Mounts after its effect"`, "released", true, once},
		{`button "Renders nothing"`, "", false, once},
		{`button "Opens under the mouse"`, "released over another", true, "pointerdown mousedown pointerup mouseup"},
		{`button "Captures the pointer"`, "captured", false, "pointerdown mousedown pointerup mouseup lostpointercapture click"},
		{`checkbox "Ripples"`, "checked true", true, once},
	} {
		t.Run(s.target, func(t *testing.T) {
			tt := open(t, "/press.html")
			if err := tt.on(s.target, click); err != nil {
				t.Fatal(err)
			}
			seen := run[[][3]any](tt, "seen")
			var events []string
			for _, e := range seen {
				events = append(events, e[0].(string))
				if e[2] != true {
					t.Errorf("%v is not trusted", e)
				}
			}
			if got := strings.Join(events, " "); got != s.events {
				t.Errorf("the page saw %s, want %s", got, s.events)
			}
			if got := tt.log(); got != s.log {
				t.Errorf("page told %q, want %q", got, s.log)
			}
			framed := run[bool](tt, "document.body.dataset.n !== undefined")
			if lasted := seen[2][1].(float64) - seen[0][1].(float64); s.held && framed && lasted < 1 {
				t.Errorf("the press lasted %v ms", lasted)
			}
		})
	}
}

// A pressed mouse has the pressure that the Pointer Events standard gives it.
func TestPressure(t *testing.T) {
	tt := open(t, "/pointer.html")
	run[any](tt, "for (const type of ['pointermove', 'pointerdown', 'pointerup']) pad.addEventListener(type, event => { self.pressures = [self.pressures, type, event.pressure].join(' ') }); undefined")
	if err := tt.on(`button "Pad"`, click); err != nil {
		t.Fatal(err)
	}
	got := strings.Join(regexp.MustCompile(`pointer(move|down|up) [0-9.]+`).FindAllString(run[string](tt, "self.pressures"), -1), ", ")
	if !strings.HasSuffix(got, "pointerdown 0.5, pointerup 0") || strings.Contains(got, "pointermove 0.5") {
		t.Errorf("got %s", got)
	}
}

// A click whose handler takes longer than the guard stands is one click all the same.
func TestSlowClickIsNotRepeated(t *testing.T) {
	tt := open(t, "/spin.html")
	ref := tt.ref("Spin for two seconds")
	err := tt.actFor(9*time.Second, func(ctx context.Context) error {
		el, err := tt.Element(ctx, ref)
		if err != nil {
			return err
		}
		return el.Click(ctx, page.Click{Count: 2})
	})
	if err != nil || tt.log() != "done\ndone" {
		t.Errorf("got %v, page told %q", err, tt.log())
	}
}

func TestHoverShowsWhatCanBeClicked(t *testing.T) {
	tt := open(t, "/pointer.html")
	row, err := tt.byCSS(".hover")
	if err != nil {
		t.Fatal(err)
	}
	if err := tt.act(row.Hover); err != nil {
		t.Fatal(err)
	}
	if err := tt.on(`button "Seen while hovered"`, click); err != nil || tt.last() != "tip" {
		t.Errorf("got %v, page told %q", err, tt.log())
	}
}

func TestScrollIntoView(t *testing.T) {
	show := func(ctx context.Context, el *page.Element) error { return el.ScrollIntoView(ctx) }
	tt := open(t, "/scroll.html")
	ref := tt.ref(`"At the end"`)
	style := func(display string) string {
		return "[...document.querySelectorAll('button')].find(b => b.textContent === 'At the end').style.display = '" + display + "'"
	}
	run[any](tt, style("none"))
	if err := tt.onRef(ref, show); err == nil || !strings.Contains(err.Error(), ": hidden") {
		t.Errorf("hidden: got %v", err)
	}
	run[any](tt, "setTimeout(() => { "+style("")+" }, 300); undefined")
	if err := tt.onRef(ref, show); err != nil {
		t.Error(err)
	}
	if !run[bool](tt, "[...document.querySelectorAll('button')].find(b => b.textContent === 'At the end').getBoundingClientRect().bottom <= innerHeight") {
		t.Error("it is not in view")
	}
}

// A press that got lost is made again: its release alone is no click.
func TestClickWhosePressGetsLost(t *testing.T) {
	tt := open(t, "/pointer.html")
	err := tt.on(`button "Pad"`, page.ClickLosing)
	if err != nil || !strings.HasSuffix(tt.log(), "trusted") || strings.Count("\n"+tt.log(), "\nclick ") != 1 || strings.Count("\n"+tt.log(), "\npointerup ") != 1 {
		t.Errorf("got %v, page told %q", err, tt.log())
	}
}

// A button that moves away while it is pressed is pressed again, and gets one
// click. Another that is in its place then gets nothing.
func TestClickThatSlips(t *testing.T) {
	tt := open(t, "/slips.html")
	err := tt.on(`button "Moves"`, func(ctx context.Context, el *page.Element) error { return page.ClickSlipping(ctx, el, "move()") })
	if got := tt.log(); err != nil || got != "click Moves" {
		t.Errorf("got %v, page told %q", err, got)
	}
	story{"always", "/slips.html", `"Moves when active"`, click, "", ": slipped"}.test(t)
	story{"the page answers the press", "/slips.html", `"Opens when pressed"`, click, "opened", ""}.test(t)
	story{"the page keeps the pointer", "/slips.html", `"Inside what keeps the pointer"`, click, "kept", ""}.test(t)
	story{"removed on release", "/slips.html", `"Goes when released"`, click, "chosen", ""}.test(t)
	story{"disabled on release", "/slips.html", `"Sends when released"`, click, "sent", ""}.test(t)
	story{"the blur is the answer", "/slips.html", `"Suggestion"`, click, "took it", ""}.test(t)
	story{"a press is enough", "/slips.html", `textbox "Text"`, click, "", ""}.test(t)
}

// An area has no box of its own to scroll to: its image has.
func TestClickInAnImageMapFarBelow(t *testing.T) {
	tt := open(t, "/boxes.html")
	run[any](tt, "document.querySelector('img[usemap]').style.marginTop = '3000px'")
	if err := tt.on(`link "Circle"`, click); err != nil || tt.last() != "Circle" {
		t.Errorf("got %v, page told %q", err, tt.log())
	}
}

// An item that holds other items is clicked where it says what it is, not in one of those.
func TestClickOnAnItemThatHoldsOthers(t *testing.T) {
	const items = `<script>
		document.addEventListener("click", e => document.title = e.target.closest("li, div[role]")?.firstChild.data.trim());
	</script>`
	for _, s := range []struct{ name, html, target string }{
		{"of a tree", `<ul role=tree><li role=treeitem tabindex=0>Outer<ul role=group><li role=treeitem>A<li role=treeitem>B<li role=treeitem>C</ul></ul>`, "[role=treeitem]"},
		{"higher than the page", `<div style="height:300px"></div><ul role=tree><li role=treeitem tabindex=0>Outer<ul role=group><li role=treeitem style="height:3000px">A</ul></ul>`, "[role=treeitem]"},
		{"of a list", `<ul><li onclick=1>Outer<ul><li>A<li>B<li>C</ul></ul>`, "li"},
		{"of a menu", `<div role=menu><div role=menuitem tabindex=0>Outer<div role=menu><div role=menuitem>A</div><div role=menuitem>B</div></div></div></div>`, "[role=menuitem]"},
		{"in which they are hidden", `<ul role=tree><li role=treeitem tabindex=0>Outer<ul role=group hidden><li role=treeitem>A</ul></ul>`, "[role=treeitem]"},
		{"beside them", `<ul role=tree><li role=treeitem tabindex=0 style="display:flex;width:300px;height:20px">Outer<ul style="margin:0 0 0 200px"><li role=treeitem>A</ul></ul>`, "[role=treeitem]"},
	} {
		t.Run(s.name, func(t *testing.T) {
			tt := open(t, "/frame.html")
			write(tt, s.html+items)
			el, err := tt.byCSS(s.target)
			if err != nil {
				t.Fatal(err)
			}
			if err := tt.act(func(ctx context.Context) error { return el.Click(ctx, page.Click{}) }); err != nil {
				t.Fatal(err)
			}
			if got := run[string](tt, "document.title"); got != "Outer" {
				t.Errorf("clicked %q", got)
			}
		})
	}
}
