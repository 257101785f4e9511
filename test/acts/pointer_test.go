package acts

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"testing"
	"time"

	"chela/internal/engine/keys"
	"chela/internal/engine/page"
	"chela/internal/reading/pagejs"
	"chela/test/long"
	"chela/test/pages"
	"chela/test/tab"
)

func TestClick(t *testing.T) {
	for _, s := range []story{
		{"plain", "/visible.html", `button "Plain"`, tab.Click, "Plain", ""},
		{"transparent", "/visible.html", `button "Transparent"`, tab.Click, "Transparent", ""},
		{"visible in the invisible", "/visible.html", `"Visible in the invisible"`, tab.Click, "Visible in the invisible", ""},
		{"in a box of no size", "/visible.html", `"In a box of no size"`, tab.Click, "In a box of no size", ""},
		{"in display: contents", "/visible.html", `"In display contents"`, tab.Click, "In display contents", ""},
		{"pointer events again", "/visible.html", `"Pointer events again"`, tab.Click, "Pointer events again", ""},
		{"half clipped", "/visible.html", `"Half clipped"`, tab.Click, "Half clipped", ""},
		{"turned", "/visible.html", `"Turned"`, tab.Click, "Turned", ""},
		{"visible when near", "/visible.html", `"Content visible when near"`, tab.Click, "Content visible when near", ""},
		{"hidden from assistants", "/visible.html", `"Hidden from assistants"`, tab.Click, "Hidden from assistants", ""},
		{"over lines", "/visible.html", `link "a link that wraps`, tab.Click, "a link that wraps over lines", ""},
		{"inert", "/visible.html", `"Inert"`, tab.Click, "", ": inert"},
		{"without pointer events", "/visible.html", `"Without pointer events"`, tab.Click, "", ": unclickable"},
		{"off the page", "/visible.html", `"Off the page"`, tab.Click, "", ": offpage"},

		{"button without a box", "/boxes.html", `button "Bare button"`, tab.Click, "Bare button", ""},
		{"link without a box", "/boxes.html", `link "Bare link"`, tab.Click, "Bare link", ""},
		{"link around a float", "/boxes.html", `link "Float"`, tab.Click, "Float", ""},
		{"no size, content overflows", "/boxes.html", `button "Empty box"`, tab.Click, "Empty box", ""},
		{"rectangle of an image map", "/boxes.html", `link "Corner"`, tab.Click, "Corner", ""},
		{"circle of an image map", "/boxes.html", `link "Circle"`, tab.Click, "Circle", ""},
		{"polygon of an image map", "/boxes.html", `link "Triangle"`, tab.Click, "Triangle", ""},
		{"group of a drawing", "/boxes.html", `button "Drawn"`, tab.Click, "Drawn", ""},
		{"link in a drawing", "/boxes.html", `link "Drawn link"`, tab.Click, "Drawn link", ""},
		{"link over several lines", "/boxes.html", `link "a link over`, tab.Click, "a link over several lines of text", ""},
		{"partly covered", "/boxes.html", `button "Partly covered"`, tab.Click, "Partly covered", ""},
		{"summary", "/boxes.html", `"Summary"`, tab.Click, "Summary", ""},
		{"zoomed", "/boxes.html", `button "Zoomed"`, tab.Click, "Zoomed", ""},
		{"turned in space", "/boxes.html", `button "In space"`, tab.Click, "In space", ""},
		{"fixed", "/boxes.html", `button "Fixed"`, tab.Click, "Fixed", ""},
		{"fixed outside", "/boxes.html", `button "Fixed outside"`, tab.Click, "", ": offpage"},
		{"scrolled to the left", "/boxes.html", `button "Far to the left"`, tab.Click, "Far to the left", ""},
		{"slotted into a scroller", "/boxes.html", `button "Slotted into`, tab.Click, "Slotted into a scroller", ""},

		{"behind a sticky header", "/scroll.html", `"Behind the header"`, tab.Click, "behind", ""},
		{"in nested scrollers", "/scroll.html", `"In two boxes"`, tab.Click, "nested", ""},
		{"far at the side", "/scroll.html", `"At the far side"`, tab.Click, "side", ""},
		{"in a smooth scroller", "/scroll.html", `"In a smooth box"`, tab.Click, "smooth", ""},
		{"in a snapping scroller", "/scroll.html", `"In a snapping box"`, tab.Click, "snap", ""},
		{"clipped without scroll bars", "/scroll.html", `"In a box without bars"`, tab.Click, "clipped", ""},
		{"far below", "/scroll.html", `"At the end"`, tab.Click, "end", ""},
		{"in the sticky header", "/scroll.html", `"In the header"`, tab.Click, "header", ""},

		{"covered for good", "/covered.html", `button "Save"`, tab.Click, "", "covered by"},
		{"covered for a while", "/covered.html?after=700", `button "Save"`, tab.Click, "saved", ""},
		{"under a veil that lets through", "/covered.html", `"Under a veil that lets clicks through"`, tab.Click, "open", ""},
		{"under a veil that does not", "/covered.html", `"Under a veil that takes clicks"`, tab.Click, "", "covered by div"},
		{"filled by its child", "/covered.html", `"Filled by its child"`, tab.Click, "child", ""},

		{"slides in by CSS", "/moving.html", `"Slides in by CSS"`, tab.Click, "css", ""},
		{"never rests", "/moving.html", `"Never rests"`, tab.Click, "shuttle", ""},
		{"never rests under the mouse", "/moving.html", `"Never rests"`, hover, "", ""},
		{"moved by script", "/moving.html?for=0", `"Moved by script"`, tab.Click, "raf", ""},
		{"hops away once", "/moving.html", `"Hops away once"`, tab.Click, "hop", ""},

		{"enabled late", "/late.html", `"Enabled late"`, tab.Click, "enabled", ""},
		{"enabled late by ARIA", "/late.html", `"Enabled late by ARIA"`, tab.Click, "aria", ""},

		{"open shadow", "/shadow.html", `"Open button"`, tab.Click, "open", ""},
		{"closed shadow", "/shadow.html", `"Closed button"`, tab.Click, "closed", ""},
		{"closed shadow of a plain element", "/shadow.html", `"Plain button"`, tab.Click, "plain", ""},
		{"nested shadow", "/shadow.html", `"Inner button"`, tab.Click, "inner", ""},
		{"slotted", "/shadow.html", `"Slotted button"`, tab.Click, "slotted", ""},
		{"declared shadow", "/shadow.html", `"Declared button"`, tab.Click, "declared", ""},

		{"disabled by its group", "/form.html", `"Disabled by its group"`, tab.Click, "", ": disabled"},
		{"custom check box", "/form.html", `"Custom check"`, tab.Click, "change custom true trusted", ""},

		{"shifts when pressed", "/shifting.html", `"Shifts when pressed"`, tab.Click, "", ""},
		{"removes itself", "/shifting.html", `"Removes itself"`, tab.Click, "removed", ""},
		{"moves itself", "/shifting.html", `"Moves itself"`, tab.Click, "moved", ""},
		{"replaced when hovered", "/shifting.html", `"Replaced when hovered"`, tab.Click, "", "is gone: removed"},
		{"veiled when hovered", "/shifting.html", `"Veiled when hovered"`, tab.Click, "", "covered by div#veil"},
		{"veiled for a moment", "/shifting.html?lift=300", `"Veiled when hovered"`, tab.Click, "veiled", ""},
		{"removes a frame", "/shifting.html", `"Remove the frame"`, tab.Click, "frame removed", ""},
	} {
		s.test(t)
	}
}

// The middle of a shape may lie outside of it.
func TestClickOnShapes(t *testing.T) {
	const picture = `<img usemap="#m" width=200 height=100 alt=Map src="data:image/svg+xml,<svg xmlns=%22http://www.w3.org/2000/svg%22 width=%22200%22 height=%22100%22/>">`
	area := func(is, name string) string {
		return `<area ` + is + ` alt="` + name + `" href="#x" onclick="log('` + name + `')">`
	}
	const drawn = `<svg width=300 height=200 fill=none stroke=red stroke-width=8>`
	for _, s := range []struct{ name, html string }{
		{"an outline with a dent", picture + `<map name=m>` + area(`shape=poly coords="0,0,50,40,100,0,100,100,0,100"`, "Go") + area(`coords="0,0,200,100"`, "Sea") + `</map>`},
		{"a narrow outline", picture + `<map name=m>` + area(`shape=polygon coords="0,0,200,0,200,100,190,100,190,4,0,4"`, "Go") + `</map>`},
		{"what the others leave", picture + `<map name=m>` + area(`shape=default`, "Go") + area(`coords="0,0,150,100"`, "Sea") + `</map>`},
		{"a circle", picture + `<map name=m>` + area(`shape=circ coords="30,30,20"`, "Go") + `</map>`},
		{"a line with a corner", drawn + `<path onclick="log('Go')" role=button tabindex=0 aria-label=Go d="M10 190 L10 10 L290 10" /></svg>`},
		{"a group with a line", drawn + `<g onclick="log('Go')" role=button tabindex=0 aria-label=Go><path d="M10 190 L10 10 L290 10" /></g></svg>`},
	} {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			tt := tab.Open(t, pages.HTML(`<script src="log.js"></script>`+s.html))
			if err := tt.OnRefFor(5*time.Second, tt.Ref(`"Go"`), tab.Click); err != nil || tt.Logged() != "Go" {
				t.Errorf("got %v, page told %q", err, tt.Logged())
			}
		})
	}
}

// An animation has no end, and stops while the mouse is over it. The mouse comes first, as a person's does.
func TestTickerThatStopsUnderTheMouse(t *testing.T) {
	const ticker = `<style>.t { overflow: hidden; width: 500px } .t div { display: inline-block; animation: a 6s linear infinite }
		@keyframes a { from { transform: translateX(300px) } to { transform: translateX(-100px) } } .t:hover div { animation-play-state: paused }</style>
		<div class=t><div><a href="#one" onclick="log('opened')" onmouseover="log('met')">News</a></div></div>`
	for name, html := range map[string]string{"in the page": ticker, "in a frame": `<iframe srcdoc="` + strings.ReplaceAll(strings.ReplaceAll(ticker, `"`, "&quot;"), "log(", "parent.log(") + `" style="width:600px"></iframe>`} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tt := tab.Open(t, pages.HTML(`<script src="log.js"></script>`+html))
			if err := tt.OnRefFor(5*time.Second, tt.Ref(`"News"`), hover); err != nil || !strings.HasPrefix(tt.Logged(), "met") {
				t.Errorf("hover: got %v, page told %q", err, tt.Logged())
			}
			if err := tt.OnRefFor(5*time.Second, tt.Ref(`"News"`), tab.Click); err != nil || !strings.HasSuffix(tt.Logged(), "opened") {
				t.Errorf("click: got %v, page told %q", err, tt.Logged())
			}
		})
	}
}

// A menu item is wider than the link in it, which has all its words. A click on the item opens the link.
func TestClickOnAnItemAroundALink(t *testing.T) {
	const link = `<a href="#x" onclick="log('link')">Products</a>`
	for _, s := range []struct{ name, html, logged string }{
		{"the link is all", `<li role=menuitem>` + link, "link"},
		{"the item listens itself", `<li role=menuitem onclick="log('item')">` + link, "item"},
		{"the item has more words", `<li role=menuitem>` + link + ` and more`, ""},
		{"the item has another button", `<li role=menuitem>` + link + `<button onclick="log('button')" aria-label=More></button>`, ""},
	} {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			tt := tab.Open(t, pages.HTML(`<script src="log.js"></script><ul role=menubar style="width:600px">`+s.html+`</ul>`))
			if err := tt.OnRefFor(5*time.Second, tt.Ref(`menuitem "Products`), tab.Click); err != nil || tt.Logged() != s.logged {
				t.Errorf("got %v, page told %q", err, tt.Logged())
			}
		})
	}
}

// Something around a wide element listens for clicks, and looks for its words. They are not in its middle.
func TestClickOnWordsInAWideBox(t *testing.T) {
	const cell = `<th id=cell style="width:300px;text-align:left"><span class=sort>Num</span></th><th>Other</th>`
	const onWords = `document.body.onclick = event => { if (event.target.closest('.sort')) log('sorted') };`
	for _, s := range []struct{ name, listens, logged string }{
		{"something around it listens", onWords, "sorted"},
		{"the header listens itself", `cell.onclick = event => log(event.target.localName)`, "th"},
		{"the words do something else", `cell.firstChild.onclick = () => log('renamed'); cell.parentNode.onclick = event => log(event.target.localName)`, "th"},
		{"the header has words of its own", `cell.append(' of 9'); document.body.onclick = event => log(event.target.localName)`, "th"},
	} {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			tt := tab.Open(t, pages.HTML(`<script src="log.js"></script><body><table><tr>`+cell+`</tr></table><script>`+s.listens+`</script>`))
			tt.Text() // a reading finds out who listens
			el, err := tt.BySelector("#cell")
			if err != nil {
				t.Fatal(err)
			}
			err = tt.InActFor(5*time.Second, func(ctx context.Context) error { return el.Click(ctx, page.Click{}) })
			if err != nil || tt.Logged() != s.logged {
				t.Errorf("got %v, page told %q, want %q", err, tt.Logged(), s.logged)
			}
		})
	}
}

// comboboxUnder returns the path of a page with a combobox that an element with these words covers.
func comboboxUnder(words string, attributes ...string) string {
	return pages.HTML(`<script src="log.js"></script><div onclick="log('opened')" style="position:relative;width:200px;height:30px">
		<input role=combobox aria-label=Fruit style="position:absolute;inset:5px;border:0">
		<div class=over style="position:absolute;inset:0" ` + strings.Join(attributes, " ") + `>` + words + `</div></div>`)
}

// A control that cannot be seen is clicked once, on the element that shows it.
func TestClickOnWhatShowsAControl(t *testing.T) {
	long.Test(t)
	for _, s := range []story{
		{"transparent, in its label", "/widgets.html", `checkbox "Transparent"`, tab.Click, "Transparent true", ""},
		{"clipped, with a label", "/widgets.html", `checkbox "Clipped"`, tab.Click, "Clipped true", ""},
		{"not rendered, with a label", "/widgets.html", `checkbox "Not rendered"`, tab.Click, "c3 true", ""},
		{"transparent, with a drawn mark", "/widgets.html", `checkbox "Drawn"`, tab.Click, "Drawn true", ""},
		{"a link in its label", "/widgets.html", `checkbox "the terms`, tab.Click, "c5 true", ""},
		{"a combobox under its tags", "/widgets.html", `combobox "Multi"`, tab.Click, "opened", ""},
		{"the field of a code editor", "/widgets.html", `textbox "Code"`, tab.Click, "editor", ""},
		{"the field of an editor, without a size", "/widgets.html", `textbox "Model"`, tab.Click, "model", ""},
		{"a field under its own decoration", "/widgets.html", `textbox "Decorated"`, tab.Click, "field", ""},
		{"a combobox under its words", comboboxUnder("Choose"), `combobox "Fruit"`, tab.Click, "opened", ""},
		{"a combobox under a sign", comboboxUnder("×"), `combobox "Fruit"`, tab.Click, "", "covered by div.over"},
		{"a combobox under a sign with words for assistants", comboboxUnder(`×<span style="position:absolute;clip-path:inset(50%)">Remove</span>`), `combobox "Fruit"`, tab.Click, "", "covered by div.over"},
		{"a combobox under an icon", comboboxUnder(`<i class=material-icons style="position:absolute;inset:0">cancel</i>`), `combobox "Fruit"`, tab.Click, "", "covered by i.material-icons"},
		{"a combobox that loads", comboboxUnder("Loading", "aria-busy=true"), `combobox "Fruit"`, tab.Click, "", "covered by div.over"},
		{"a combobox under what is clicked itself", comboboxUnder("Rome", `onclick="log('removed')"`), `combobox "Fruit"`, tab.Click, "", "covered by "},
		{"a part in its shadow", "/widgets.html", `checkbox "In shadow"`, tab.Click, "In shadow true", ""},
		{"a veil that sticks out", "/widgets.html", `checkbox "Veiled"`, tab.Click, "", "covered by div.veil"},
		{"a veil over the page", "/widgets.html", `textbox "Under a veil"`, tab.Click, "", "covered by div.veil"},
		{"no box, far below", "/widgets.html", `button "Far contents`, tab.Click, "contents", ""},
		{"no box, in a list", "/widgets.html", `link "Inner contents"`, tab.Click, "inner contents", ""},
	} {
		s.test(t)
	}
}

// An element in view is not scrolled to again: some lists ignore the mouse after each scroll.
func TestClickInAListThatIgnoresTheMouseWhileItScrolls(t *testing.T) {
	long.Test(t)
	for _, s := range []story{
		{"its rows do", "/scrolling.html", `"Row 50."`, tab.Click, "Row 50.", ""},
		{"the list does", "/scrolling.html", `"Other 50."`, tab.Click, "Other 50.", ""},
		{"for longer", "/scrolling.html?pause=600", `"Row 60."`, tab.Click, "Row 60.", ""},
		{"for ever", "/scrolling.html?pause=60000", `"Row 60."`, tab.Click, "", ": unclickable"},
	} {
		s.test(t)
	}
}

// An element that a transition has just begun to move is clicked where it comes to rest.
func TestClickWaitsForATransition(t *testing.T) {
	long.Test(t)
	for name, style := range map[string]string{
		"its margin":        "mover.style.cssText = 'transition: margin 600ms linear; margin-left: 300px'",
		"its transform":     "mover.style.cssText = 'transition: transform 600ms cubic-bezier(1, 0, 1, 0); transform: translateX(300px)'",
		"in steps":          "mover.style.cssText = 'position: relative; transition: left 600ms steps(3); left: 300px'",
		"what it is in":     "mover.parentElement.style.cssText = 'transition: padding 600ms linear; padding-left: 300px'",
		"what is beside it": "beside.style.cssText = 'transition: width 600ms linear; width: 300px; display: inline-block'",
	} {
		t.Run(name, func(t *testing.T) {
			tt := tab.Borrow(t, "/frame.html")
			tab.Run[any](tt, `document.body.innerHTML = '<p><span id=beside style="display: inline-block; width: 0"></span><button id=mover style="position: relative; left: 0">Mover</button>';
				mover.getBoundingClientRect(); mover.onclick = event => { document.title = event.clientX > mover.getBoundingClientRect().x && mover.getBoundingClientRect().x > 300 }; undefined`)
			ref := tt.Ref(`button "Mover"`)
			tab.Run[any](tt, style+"; undefined")
			if err := tt.OnRefFor(10*time.Second, ref, tab.Click); err != nil || tab.Run[string](tt, "document.title") != "true" {
				t.Errorf("got %v, in place: %s", err, tab.Run[string](tt, "document.title"))
			}
		})
	}
}

// A list moves down all the time: the row that was meant is hit, or none.
func TestClickInAListThatMoves(t *testing.T) {
	tt := tab.Borrow(t, "/shifting.html?every=30")
	for range 5 {
		ref := tt.Ref(`button "Row`)
		want := name(tt, ref)
		err := tt.OnRef(ref, tab.Click)
		if _, gone := errors.AsType[*page.StaleRefError](err); err != nil && !gone {
			t.Fatalf("got %v, want success or a stale ref", err)
		}
		if err == nil && tt.Last() != want {
			t.Fatalf("clicked %q, want %q", tt.Last(), want)
		}
	}
}

// name returns the name of the element with a ref in the last snapshot.
func name(t *tab.Tab, ref string) string {
	t.Helper()
	line := t.Text()
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
			tt := tab.Borrow(t, "/pointer.html")
			err := tt.On(`button "Pad"`, func(ctx context.Context, el *page.Element) error { return el.Click(ctx, s.click) })
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for line := range strings.SplitSeq(tt.Logged(), "\n") {
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
	tt := tab.Borrow(t, "/pointer.html")
	size := tab.Run[[]float64](tt, "[innerWidth, innerHeight]")
	for _, at := range [][]float64{{100, 5000}, {5000, 100}, {size[0], 1}, {1, size[1]}} {
		err := tt.InAct(func(ctx context.Context) error { return tt.ClickAt(ctx, at[0], at[1], page.Click{}) })
		e, ok := errors.AsType[*page.OutsideError](err)
		if want := (page.OutsideError{X: at[0], Y: at[1], Width: size[0], Height: size[1]}); !ok || *e != want || tt.Logged() != "" {
			t.Errorf("at %v: got %v, page told %q", at, err, tt.Logged())
		}
	}
	at := tab.Run[[]float64](tt, "(() => { const r = pad.getBoundingClientRect(); return [r.x + 7, r.y + 9]; })()")
	err := tt.InAct(func(ctx context.Context) error { return tt.ClickAt(ctx, at[0], at[1], page.Click{}) })
	if err != nil || tt.Last() != "click button=0 detail=1 at=7,9 trusted" {
		t.Errorf("got %v, page told %q", err, tt.Last())
	}
}

// A press that makes the page render is held until the page has had a frame. To the page it is
// still one click. Other presses are as short as they can be.
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
			tt := tab.Borrow(t, "/press.html")
			if err := tt.On(s.target, tab.Click); err != nil {
				t.Fatal(err)
			}
			seen := tab.Run[[][3]any](tt, "seen")
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
			if got := tt.Logged(); got != s.log {
				t.Errorf("page told %q, want %q", got, s.log)
			}
			framed := tab.Run[bool](tt, "document.body.dataset.n !== undefined")
			if lasted := seen[2][1].(float64) - seen[0][1].(float64); s.held && framed && lasted < 1 {
				t.Errorf("the press lasted %v ms", lasted)
			}
		})
	}
}

// A pressed mouse has the pressure that the Pointer Events standard gives it.
func TestPressure(t *testing.T) {
	tt := tab.Borrow(t, "/pointer.html")
	tab.Run[any](tt, "for (const type of ['pointermove', 'pointerdown', 'pointerup']) pad.addEventListener(type, event => { self.pressures = [self.pressures, type, event.pressure].join(' ') }); undefined")
	if err := tt.On(`button "Pad"`, tab.Click); err != nil {
		t.Fatal(err)
	}
	got := strings.Join(regexp.MustCompile(`pointer(move|down|up) [0-9.]+`).FindAllString(tab.Run[string](tt, "self.pressures"), -1), ", ")
	if !strings.HasSuffix(got, "pointerdown 0.5, pointerup 0") || strings.Contains(got, "pointermove 0.5") {
		t.Errorf("got %s", got)
	}
}

// If the handler of a click takes longer than the guard stays, the page still gets one click only.
func TestSlowClickIsNotRepeated(t *testing.T) {
	tt := tab.Borrow(t, "/spin.html")
	ref := tt.Ref("Hold for two seconds")
	err := tt.InActFor(9*time.Second, func(ctx context.Context) error {
		el, err := tt.Element(ctx, ref)
		if err != nil {
			return err
		}
		return el.Click(ctx, page.Click{Count: 2})
	})
	if err != nil || tt.Logged() != "done\ndone" {
		t.Errorf("got %v, page told %q", err, tt.Logged())
	}
}

// The first click of a double click puts something else under the mouse. If that is another control
// or a frame, it does not get the second click.
func TestSecondClickOfADoubleClick(t *testing.T) {
	const item = `<button onclick="log('item')">Item</button>`
	for _, s := range []struct{ name, html, fails, logged string }{
		{"on a button that covers the element", `<button id=cover class=over hidden onclick="log('delete')">Delete</button>` +
			`<div id=list onclick="cover.hidden = false">` + item + `</div>`, `elsewhere by button "Delete"`, "item"},
		{"on the next row, which moved up", `<div id=list onclick="list.firstChild.remove()"><p>Ann ` + item + `</p><p>Bob <button onclick="log('bob')">Item</button></p></div>`,
			`elsewhere by button "Item"`, "item"},
		{"on a frame", `<iframe id=cover class=over style="visibility:hidden" srcdoc="<body onmousedown=parent.log('frame')>"></iframe>` +
			`<div id=list onclick="cover.style.visibility = ''">` + item + `</div>`, `elsewhere by`, "item"},
		{"on the element that replaces the first one", `<div id=list onclick="list.innerHTML = list.innerHTML"><p>Ann</p>` + item + `</div>`, "", "item\nitem"},
		{"on a field that covers the element", `<input id=cover class=over hidden onmousedown="log('field')">` +
			`<div id=list onclick="cover.hidden = false">` + item + `</div>`, "", "item\nfield"},
		{"in a link around the element", `<a href=#list id=list>` + `<b onclick="log('item')">Item</b></a>`, "", "item\nitem"},
	} {
		t.Run(s.name, func(t *testing.T) {
			tt := tab.Open(t, pages.HTML(`<script src="log.js"></script><style>.over { position: fixed; inset: 0; width: 100%; height: 100% }</style><p>All items</p>`+s.html))
			tt.Text()
			el, err := tt.BySelector("#list :is(button, b)")
			if err != nil {
				t.Fatal(err)
			}
			err = tt.InAct(func(ctx context.Context) error { return el.Click(ctx, page.Click{Count: 2}) })
			if s.fails == "" && err != nil || s.fails != "" && (!errors.Is(err, page.ErrSent) || !strings.Contains(err.Error(), s.fails)) {
				t.Errorf("got error %v, want %q", err, s.fails)
			}
			if got := tt.Logged(); got != s.logged {
				t.Errorf("page told %q, want %q", got, s.logged)
			}
		})
	}
}

func TestHoverShowsWhatCanBeClicked(t *testing.T) {
	tt := tab.Borrow(t, "/pointer.html")
	row, err := tt.BySelector(".hover")
	if err != nil {
		t.Fatal(err)
	}
	if err := tt.InAct(row.Hover); err != nil {
		t.Fatal(err)
	}
	if err := tt.On(`button "Seen while hovered"`, tab.Click); err != nil || tt.Last() != "tip" {
		t.Errorf("got %v, page told %q", err, tt.Logged())
	}
}

// Menus that ignore the first move, because a page that scrolls may have caused it, open when hovered.
func TestHoverMovesTwice(t *testing.T) {
	tt := tab.Open(t, "/frame.html")
	tt.Write(`<button onmousemove="if (last >= 0 && last !== event.clientX) menu.hidden = false; last = event.clientX">File</button>
		<p id=menu hidden>Print</p><script>let last = -1</script>`)
	if err := tt.On(`button "File"`, func(ctx context.Context, el *page.Element) error { return el.Hover(ctx) }); err != nil {
		t.Fatal(err)
	}
	if !tab.Run[bool](tt, "!menu.hidden") {
		t.Error("the menu did not open")
	}
}

// An element with the attribute interestfor shows another one half a second after the mouse came.
func TestHoverAwaitsInterest(t *testing.T) {
	tt := tab.Borrow(t, "/frame.html")
	tt.Write(`<button interestfor=tip>Help</button><div id=tip popover=hint>All about it</div>`)
	if err := tt.On(`button "Help"`, func(ctx context.Context, el *page.Element) error { return el.Hover(ctx) }); err != nil {
		t.Fatal(err)
	}
	if !tab.Run[bool](tt, "tip.matches(':popover-open')") {
		t.Error("the hint is not shown")
	}
}

// A click on what is shown for a hidden button counts for it if the button's label is around both.
func TestClickOnLabelOfHiddenButton(t *testing.T) {
	tt := tab.Borrow(t, "/frame.html")
	tt.Write(`<label style="display:block"><div style="position:relative;height:40px"><div>Fruit</div>
		<button aria-label=Fruit aria-haspopup=listbox style="position:absolute;inset:0;opacity:0;z-index:-1" onclick="document.title = 'opened'"></button>
		<div style="position:absolute;inset:0">Pear</div></div></label>`)
	if err := tt.On(`button "Fruit"`, tab.Click); err != nil {
		t.Fatal(err)
	}
	if got := tab.Run[string](tt, "document.title"); got != "opened" {
		t.Errorf("the title is %q, want opened", got)
	}
}

func TestScrollIntoView(t *testing.T) {
	show := func(ctx context.Context, el *page.Element) error { return el.ScrollIntoView(ctx) }
	tt := tab.Borrow(t, "/scroll.html")
	ref := tt.Ref(`"At the end"`)
	style := func(display string) string {
		return "[...document.querySelectorAll('button')].find(b => b.textContent === 'At the end').style.display = '" + display + "'"
	}
	tab.Run[any](tt, style("none"))
	if err := tt.OnRef(ref, show); err == nil || !strings.Contains(err.Error(), ": hidden") {
		t.Errorf("hidden: got %v", err)
	}
	tab.Run[any](tt, "setTimeout(() => { "+style("")+" }, 300); undefined")
	if err := tt.OnRef(ref, show); err != nil {
		t.Error(err)
	}
	if !tab.Run[bool](tt, "[...document.querySelectorAll('button')].find(b => b.textContent === 'At the end').getBoundingClientRect().bottom <= innerHeight") {
		t.Error("it is not in view")
	}
}

// An area of an image map has no box to scroll to, so its image is scrolled to.
func TestClickInAnImageMapFarBelow(t *testing.T) {
	tt := tab.Borrow(t, "/boxes.html")
	tab.Run[any](tt, "document.querySelector('img[usemap]').style.marginTop = '3000px'")
	if err := tt.On(`link "Circle"`, tab.Click); err != nil || tt.Last() != "Circle" {
		t.Errorf("got %v, page told %q", err, tt.Logged())
	}
}

// A click on an item that holds other items goes to its own label, not to an item inside.
func TestClickOnAnItemThatHoldsOthers(t *testing.T) {
	const items = `<script>
		document.addEventListener("click", e => document.title = e.target.closest("li, div[role], .n, [draggable]")?.firstChild.data.trim());
	</script>`
	for _, s := range []struct{ name, html, target string }{
		{"of a tree", `<ul role=tree><li role=treeitem tabindex=0>Outer<ul role=group><li role=treeitem>A<li role=treeitem>B<li role=treeitem>C</ul></ul>`, "[role=treeitem]"},
		{"higher than the page", `<div style="height:300px"></div><ul role=tree><li role=treeitem tabindex=0>Outer<ul role=group><li role=treeitem style="height:3000px">A</ul></ul>`, "[role=treeitem]"},
		{"of a list", `<ul><li onclick=1>Outer<ul><li>A<li>B<li>C</ul></ul>`, "li"},
		{"of a menu", `<div role=menu><div role=menuitem tabindex=0>Outer<div role=menu><div role=menuitem>A</div><div role=menuitem>B</div></div></div></div>`, "[role=menuitem]"},
		{"of elements of one class", `<div class=n tabindex=0>Outer<div><div class=n>A</div><div class=n>B</div><div class=n>C</div></div></div>`, ".n"},
		{"of things to drag", `<div draggable=true tabindex=0>Outer<div class=x draggable=true>A</div><div draggable=true>B</div></div>`, "[draggable]"},
		{"in which they are hidden", `<ul role=tree><li role=treeitem tabindex=0>Outer<ul role=group hidden><li role=treeitem>A</ul></ul>`, "[role=treeitem]"},
		{"beside them", `<ul role=tree><li role=treeitem tabindex=0 style="display:flex;width:300px;height:20px">Outer<ul style="margin:0 0 0 200px"><li role=treeitem>A</ul></ul>`, "[role=treeitem]"},
	} {
		t.Run(s.name, func(t *testing.T) {
			tt := tab.Borrow(t, "/frame.html")
			tt.Write(s.html + items)
			el, err := tt.BySelector(s.target)
			if err != nil {
				t.Fatal(err)
			}
			if err := tt.InAct(func(ctx context.Context) error { return el.Click(ctx, page.Click{}) }); err != nil {
				t.Fatal(err)
			}
			if got := tab.Run[string](tt, "document.title"); got != "Outer" {
				t.Errorf("clicked %q", got)
			}
		})
	}
}

// A control that is clipped away is covered by what it is in. The error tells that apart from an
// element in front.
func TestCoveredByWhatContainsIt(t *testing.T) {
	tt := tab.Borrow(t, "/frame.html")
	tt.Write(`<div id=zone style="position: relative; padding: 30px"><button style="position: absolute; clip-path: inset(50%)">Drop</button></div>
		<div style="position: relative"><button>Send</button><div style="position: absolute; inset: 0"></div></div>`)
	for line, around := range map[string]bool{`button "Drop"`: true, `button "Send"`: false} {
		err := tt.On(line, tab.Click)
		if e, ok := errors.AsType[*page.ElementError](err); !ok || e.Missing != pagejs.Covered || e.Around != around {
			t.Errorf("%s: got %+v", line, err)
		}
	}
}

// A control that a box of its own cuts off for lack of a size is hidden. What contains it is not clicked
// in its place.
func TestClickOfWhatHasNoSize(t *testing.T) {
	tt := tab.Borrow(t, "/frame.html")
	tt.Write(`<table><tr><td style="width: 99px"><button style="width: 0; padding: 0; border: 0; overflow: hidden">Zero</button></table>
		<div role=button style="height: 0; overflow: hidden"><b>Flat</b></div>
		<div role=button style="height: 0; overflow: hidden"><b style="position: absolute" onclick="document.title = 'out'">Out</b></div>`)
	for line, size := range map[string]string{`button "Zero"`: "0x", `button "Flat"`: "x0"} {
		err := tt.On(line, tab.Click)
		if e, ok := errors.AsType[*page.ElementError](err); !ok || e.Missing != pagejs.Hidden || !strings.Contains(e.Which, size) {
			t.Errorf("%s: got %+v", line, err)
		}
	}
	if err := tt.On(`button "Out"`, tab.Click); err != nil || tab.Run[string](tt, "document.title") != "out" {
		t.Errorf("content outside of its box: got %v", err)
	}
}

func hover(ctx context.Context, el *page.Element) error { return el.Hover(ctx) }
