package acts

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"chela/internal/engine/page"
	"chela/internal/reading/pagejs"
	"chela/internal/reading/snapshot"
	"chela/test/long"
	"chela/test/pages"
	"chela/test/tab"
)

const flyout = `<style>.sub { position: absolute; top: -1000em } li:hover .sub { top: auto }</style>
	<ul><li><a href="#p">Posts</a><ul class=sub><li><a href="#new">Add New</a></li></ul></li></ul>`

// An element that no scrolling brings into view is refused at once. The error says what brings it
// into reach.
func TestOffThePage(t *testing.T) {
	long.Test(t)
	for _, s := range []struct{ name, html, target, missing, hover, by string }{
		{"by the hover of what it is in", flyout, "Add New", "offpage", "Posts", ""},
		{"by the hover of what is beside it", `<style>.sub { position: absolute; left: -99em } .opener:hover + .sub, .sub:hover { left: 0; top: 0 }</style>
			<button class=opener>Open</button><div class=sub><button>Far</button></div>`, "Far", "offpage", "Open", ""},
		{"by nested rules", `<style>@media (min-width: 1px) { .row { &:hover .sub { left: 0 } .sub { position: relative; left: -9999px } } }</style>
			<div class=row><a href="#r">Row</a><div class=sub><button>Far</button></div></div>`, "Far", "offpage", "Row", ""},
		{"by a rule that is not for it", `<style>.sub { position: absolute; left: -99em } .other:hover .sub { left: 0 }</style>
			<button class=opener>Open</button><div class=sub><button>Far</button></div>`, "Far", "offpage", "", ""},
		{"fixed to the right", `<button style="position: fixed; left: calc(100% + 300px)">Far</button>`, "Far", "offpage", "", ""},
		{"a drawer beside the page, which may slide in", `<button style="position: fixed; width: 80px; left: -80px">Far</button>`, "Far", "outside", "", ""},
		{"in a box without a height", `<button>Other</button><div style="position: relative"><div style="position: absolute; top: -21px; height: 0; overflow: hidden auto">
			<div>No rows are chosen</div><button>Far</button></div></div>`, "Far", "clipped", "", ""},
		{"in a box that gets a height by the hover", `<style>.sub { max-height: 0; overflow: hidden } .opener:hover + .sub, .sub:hover { max-height: 9em }</style>
			<button class=opener>Open</button><div class=sub><button>Far</button></div>`, "Far", "clipped", "Open", ""},
		{"not rendered until the hover", `<style>.sub { display: none } li:hover .sub { display: block }</style>
			<ul><li><a href="#p">Posts</a><div class=sub><button>Far</button></div></li></ul>`, "Far", "hidden", "Posts", ""},
		{"a box that is a sign of its row alone", `<div onclick="1"><input type=checkbox aria-label=Far style="pointer-events: none"> Row</div>`,
			"Far", "delegated", "", "clickable"},
	} {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			tt := tab.Borrow(t, "/frame.html")
			tt.Write(strings.ReplaceAll(s.html, "display: none", "display: block"))
			target, hover, by := tt.Ref(s.target), "", ""
			if s.hover != "" {
				hover = tt.Ref(s.hover)
			}
			if s.by != "" {
				by = tt.Ref(s.by)
			}
			if s.missing == "hidden" {
				tab.Run[any](tt, `document.querySelector('style').textContent = '.sub { display: none } li:hover .sub { display: block }'; undefined`)
			}
			lacks, ok := errors.AsType[*page.ElementError](tt.OnRefFor(2*time.Second, target, tab.Click))
			if !ok || string(lacks.Missing) != s.missing || named(lacks.Hover) != hover || named(lacks.ByRef) != by {
				t.Errorf("got %+v, want %s by the hover of %q, by %q", lacks, s.missing, hover, by)
			}
			if (s.missing == "offpage" || s.missing == "clipped") && s.hover != "" {
				tt.MustAct(func(ctx context.Context) error { return must(tt.Element(ctx, hover)).Hover(ctx) })
				if err := tt.OnRefFor(10*time.Second, target, tab.Click); err != nil {
					t.Errorf("hovered: %v", err)
				}
			}
		})
	}
}

func named(r page.Ref) string {
	if r.Number == 0 {
		return ""
	}
	return r.String()
}

func must(el *page.Element, err error) *page.Element {
	if err != nil {
		panic(err)
	}
	return el
}

// If a library puts a popup far off the page for a while, to measure it, the popup is waited for.
func TestOffThePageForAWhile(t *testing.T) {
	tt := tab.Borrow(t, "/frame.html")
	tt.Write(`<button style="position: absolute; left: -9999px" onclick="this.textContent = 'clicked'">Soon</button>`)
	ref := tt.Ref("Soon")
	tab.Run[any](tt, `{ let frames = 0; const b = document.querySelector('button');
		requestAnimationFrame(function next() { if (++frames < 8) requestAnimationFrame(next); else b.style.left = '0' }) }; undefined`)
	if err := tt.OnRefFor(10*time.Second, ref, tab.Click); err != nil {
		t.Error(err)
	}
}

// A panel that opens when its data has come is waited for.
func TestClippedForAWhile(t *testing.T) {
	tt := tab.Borrow(t, "/frame.html")
	tt.Write(`<div style="height: 0; overflow: hidden"><button onclick="this.textContent = 'clicked'">Soon</button></div>`)
	ref := tt.Ref("Soon")
	tab.Run[any](tt, `{ let frames = 0; const panel = document.querySelector('div');
		requestAnimationFrame(function next() { if (++frames < 40) requestAnimationFrame(next); else panel.style.height = 'auto' }) }; undefined`)
	if err := tt.OnRefFor(10*time.Second, ref, tab.Click); err != nil {
		t.Error(err)
	}
}

// A snapshot marks what no click can reach. The delta of a hover has what came onto the page.
func TestOffScreenIsMarked(t *testing.T) {
	tt := tab.Borrow(t, "/frame.html")
	tt.Write(flyout + `<input type=text aria-label=Field style="position: absolute; left: -999px">
		<label>Box <input type=checkbox style="position: absolute; left: -999px"></label>
		<div style="overflow: auto; width: 90px; height: 50px"><div style="height: 3000px"></div><button>Below in a box</button></div>
		<div style="height: 3000px"></div><button>Below</button>
		<div style="overflow: hidden; position: relative"><button style="position: absolute; left: -999px">Add New to a box</button>Box</div>
		<div dir=rtl style="overflow: auto; width: 90px"><button style="margin-right: 900px">Far</button></div>`)
	for line := range strings.Lines(tt.Text()) {
		if marked := strings.Contains(line, "[off-screen]"); marked != strings.Contains(line, "Add New") {
			t.Errorf("off-screen is %t in %s", marked, line)
		}
	}
	posts := tt.Ref("Posts")
	tt.MustAct(func(ctx context.Context) error { return must(tt.Element(ctx, posts)).Hover(ctx) })
	err := tt.InTurn(10*time.Second, func(ctx context.Context) error {
		delta, _, err := tt.Delta(ctx, "", snapshot.Given{}, 0)
		if !strings.Contains(delta.Text, `link "Add New"`) || strings.Contains(delta.Text, "off-screen") {
			t.Errorf("the delta is %q", delta.Text)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// The hours on the face of a clock ignore the mouse. A surface beside them takes their clicks, and
// looks where the mouse is. So a click on an hour goes through it. Other controls and boxes that
// ignore the mouse are refused.
func TestClickOptionsOnASurface(t *testing.T) {
	for _, s := range []struct{ name, html, want string }{
		{"a clock", `<div style="position:relative;width:100px;height:100px"><div id=face style="position:absolute;inset:0"></div>
			<div role=listbox style="pointer-events:none"><span role=option style="position:absolute;left:70px;top:40px">3</span><span role=option style="position:absolute;left:10px;top:40px">9</span></div></div>`, "9"},
		{"a list that is not ready", `<div id=face><div role=listbox style="pointer-events:none"><div role=option>3</div><div role=option>9</div></div></div>`, "delegated"},
		{"a button beneath", `<div style="position:relative;width:100px;height:100px"><button style="position:absolute;inset:0" id=face></button>
			<div role=listbox style="pointer-events:none"><span role=option style="position:absolute;left:10px;top:40px">9</span></div></div>`, "delegated"},
	} {
		t.Run(s.name, func(t *testing.T) {
			tt := tab.Borrow(t, "/frame.html")
			tt.Write(s.html + `<script>face.onclick = ({ offsetX }) => { document.title = offsetX > 50 ? '3' : '9' }</script>`)
			tab.Run[any](tt, "document.title = ''; undefined")
			err := tt.OnRefFor(2*time.Second, tt.Ref(`option "9"`), tab.Click)
			got := tab.Run[string](tt, "document.title")
			if lacks, ok := errors.AsType[*page.ElementError](err); ok {
				got += string(lacks.Missing)
			}
			if got != s.want {
				t.Errorf("got %q, %v, want %q", got, err, s.want)
			}
		})
	}
}

// A component may take the clicks of the control in its shadow tree itself.
func TestClickInsideAComponent(t *testing.T) {
	tt := tab.Borrow(t, "/frame.html")
	tt.Write(`<x-tab></x-tab><script>
		const host = document.querySelector('x-tab'), root = host.attachShadow({ mode: 'open' })
		host.style.display = 'inline-block'
		root.innerHTML = '<button role=tab style="pointer-events:none">Second</button>'
		host.onclick = () => { document.title = 'chosen' }
	</script>`)
	if err := tt.OnRefFor(5*time.Second, tt.Ref(`tab "Second"`), tab.Click); err != nil {
		t.Error(err)
	}
	if got := tab.Run[string](tt, "document.title"); got != "chosen" {
		t.Errorf("got %q", got)
	}
}

// A click on an element goes past the buttons and links in it, as long as there is room. Where one of
// them is all that the element says, it is what the click is for.
func TestClickGoesPastInnerControls(t *testing.T) {
	long.Test(t)
	const button = `<button onclick="event.stopPropagation(); out.textContent += 'inner '">Remove</button>`
	for _, c := range []struct{ name, html, want string }{
		{"card", `<article id=it onclick="out.textContent += 'outer '" style="width:300px;padding:30px;text-align:center">A card ` + button + ` of text</article>`, "outer "},
		{"card with room at the edges only", `<article id=it onclick="out.textContent += 'outer '" style="width:300px;padding:30px"><h2>A card</h2>` +
			strings.ReplaceAll(button, "<button", "<button style='width:100%;height:200px'") + `</article>`, "outer "},
		{"combobox that shows a chip", `<div id=it role=combobox tabindex=0 onclick="out.textContent += 'outer '" style="width:200px;padding:20px;text-align:center">` + button + `</div>`, "outer "},
		{"entry that is a link", `<li id=it role=menuitem tabindex=-1 onclick="out.textContent += 'outer '" style="width:300px;padding:20px;text-align:center"><a href="#there" onclick="out.textContent += 'inner '">There</a></li>`, "inner outer "},
		{"card without room", `<div id=it onclick="out.textContent += 'outer '" style="width:300px;position:relative">A card ` +
			strings.ReplaceAll(button, "<button", "<button style='position:absolute;inset:0'") + `</div>`, "inner "},
		{"wrapped field", `<div id=it onclick="out.textContent += document.activeElement.id" style="width:300px;padding:20px">Name <input id=field style="width:250px"></div>`, "field"},
	} {
		tt := tab.Open(t, pages.HTML(`<p id=out></p>`+c.html))
		el, err := tt.BySelector("#it")
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if err := tt.InAct(func(ctx context.Context) error { return el.Click(ctx, page.Click{}) }); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if got := tab.Run[string](tt, "out.textContent"); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// A radio button without a size is clicked on its label. If the label is covered by that of another one,
// as the half of a star is, the error names the other radio button.
func TestCoveredLabel(t *testing.T) {
	tt := tab.Open(t, pages.HTML(`<style>div { position: relative; width: 24px; height: 24px } input { position: absolute; width: 0; height: 0; opacity: 0 } label { position: absolute; inset: 0 }</style>
		<div><input type=radio name=r id=half aria-label=1.5><label for=half>½</label><input type=radio name=r id=whole aria-label=2><label for=whole>★</label></div>`))
	half := must(tt.BySelector("#half"))
	err := tt.InActFor(time.Second, func(ctx context.Context) error { return half.SetChecked(ctx, true) })
	lacks, ok := errors.AsType[*page.ElementError](err)
	if !ok || lacks.Missing != pagejs.Covered || lacks.By != `radio "2"` || lacks.ByRef.Number == 0 {
		t.Errorf("got %v", err)
	}
}

// A menu in the label of a field covers another control. The error names the menu, not the field. A
// label that covers what is in it stands for its field, which does not contain that.
func TestCoveredByALabel(t *testing.T) {
	tt := tab.Open(t, pages.HTML(`<style>div, b { position: absolute; top: 40px; left: 0; width: 200px; height: 40px } #back { z-index: -1 }</style>
		<label>City <input><div class=menu>Rome</div></label><b><button id=under>Save</button></b>
		<label for=q><span style="position:relative;display:block;margin-top:90px;z-index:-1"><button id=back>Back</button></span></label><input id=q aria-label=Query>
		<style>label:first-of-type div { z-index: 1 } label[for] { display: block }</style>`))
	for selector, want := range map[string]string{"#under": "div.menu", "#back": `textbox "Query"`} {
		el := must(tt.BySelector(selector))
		err := tt.InActFor(time.Second, func(ctx context.Context) error { return tab.Click(ctx, el) })
		lacks, ok := errors.AsType[*page.ElementError](err)
		if !ok || lacks.Missing != pagejs.Covered || lacks.By != want || lacks.Around {
			t.Errorf("%s: got %v, %+v", selector, err, lacks)
		}
	}
}

// A transparent field lies over what is drawn for it. A click on the drawing reaches the field. A
// field that also lies over other controls is no part of the drawing.
func TestClickBelowATransparentField(t *testing.T) {
	const over = `style="position:absolute;inset:0;width:100%;height:100%;margin:0;opacity:0"`
	const box = `<div style="position:relative;width:160px;height:40px">`
	for _, c := range []struct{ name, html, clicked, covered string }{
		{"a button for files", box + `<button id=t>Upload</button><input type=file id=f aria-hidden=true tabindex=-1 ` + over + `></div>`, "f", ""},
		{"the words of a switch", box + `<input type=checkbox id=f ` + over + `><span id=t style="cursor:pointer">No</span></div>`, "f", ""},
		{"a button below a box", box + `<button id=t>Remove</button><input type=checkbox aria-label=Tick ` + over + `></div>`, "", `checkbox "Tick"`},
		{"a drop zone", box + `<button id=t>Send</button><button>Cancel</button><input type=file ` + over + `></div>`, "", `button "Choose File"`},
		{"a field that is seen", box + `<span id=t>Name</span><input aria-label=Name ` + strings.Replace(over, "opacity:0", "", 1) + `></div>`, "", `textbox "Name"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			tt := tab.Open(t, pages.HTML(c.html+`<script>addEventListener('click', e => { e.preventDefault(); document.title = e.target.id })</script>`))
			el, by, limit := must(tt.BySelector("#t")), "", 10*time.Second
			if c.covered != "" {
				limit = time.Second
			}
			err := tt.InActFor(limit, func(ctx context.Context) error { return tab.Click(ctx, el) })
			if lacks, ok := errors.AsType[*page.ElementError](err); ok {
				by = lacks.By
			}
			if got := tab.Run[string](tt, "document.title"); got != c.clicked || by != c.covered || (err == nil) != (by == "") {
				t.Errorf("clicked %q, error %v", got, err)
			}
		})
	}
}
