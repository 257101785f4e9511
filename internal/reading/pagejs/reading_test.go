package pagejs_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/runtime"
	"github.com/google/go-cmp/cmp"
)

// A reading is a page, its listeners, and the wanted result of a walk. The listeners are written as
// selectors with events, such as "#l: click".
type reading struct{ name, page, listens, want string }

func (r reading) check(t *testing.T) {
	p := show(t, "<!doctype html><title>t</title>"+r.page)
	r.listen(p)
	if diff := cmp.Diff(strings.TrimSpace(r.want), p.ai()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// listen reports the listeners to the page script, as Go does.
func (r reading) listen(p *tab) {
	for line := range strings.Lines(r.listens) {
		selector, events, _ := strings.Cut(strings.TrimSpace(line), ": ")
		p.eval(nil, "{const all = "+listeners(selector)+"; chela.setListeners(...all, all.map(() => '"+events+"'))}")
	}
}

func listeners(selector string) string {
	if selector == "document" {
		return "[document]"
	}
	return "[...document.querySelectorAll('" + selector + "')]"
}

func TestReadHiddenBoxes(t *testing.T) {
	for _, r := range []reading{
		{"not displayed", `<input type=checkbox id=a style="display:none" checked><label for=a>Newsletter</label>`, "", `
- checkbox "Newsletter" [checked] [ref=e1]`},
		{"in its label, disabled", `<label><input type=radio hidden disabled> <b>Monthly</b></label>`, "", `
- radio "Monthly" [disabled] [ref=e1]`},
		{"invisible", `<label><input type=checkbox role=switch style="visibility:hidden"> Dark</label>`, "", `
- switch "Dark" [ref=e1]`},
		{"one of two labels", `<label for=a>First</label><label for=a>Second</label><input type=checkbox id=a hidden>`, "", `
- checkbox "First Second" [ref=e1]`},
		{"named by its author", `<input type=checkbox id=a hidden aria-label=Own><label for=a>Seen</label>`, "", `
- checkbox "Own" [ref=e1]: Seen`},
		{"with a link in its label", `<label><input type=checkbox hidden>I accept the <a href=#>terms</a></label>`, "", `
- checkbox "I accept the terms" [ref=e1]:
  - link "terms" [ref=e2]`},
		{"clipped away, it has a line of its own", `<label><input type=checkbox style="position:absolute;clip-path:inset(50%);width:1px;` +
			`height:1px"> Clipped</label>`, "", `
- checkbox "Clipped" [ref=e1]`},
		{"of a label that is a button", `<label role=button><input type=checkbox hidden> Press</label>`, "", `
- button "Press" [ref=e1]`},
		{"a button that its author made a switch", `<input type=button role=switch aria-checked=true value=Dark><input type=image role=checkbox aria-checked=mixed alt=All>`, "", `
- switch "Dark" [checked] [ref=e1]
- checkbox "All" [checked=mixed] [ref=e2]`},
		{"a file chooser's label", `<label><input type=file hidden> Upload</label>`, "", `
- generic [ref=e1] [hidden-file]: Upload`},
		{"of a label that keeps its text from being selected", `<label onmousedown="x()">Name <input></label>`, "", `
- textbox "Name" [ref=e1]`},
		{"a label that listens", `<label onclick="x()">Name <input></label>`, "", `
- generic [ref=e1] [clickable]:
  - text: Name
  - textbox "Name" [ref=e2]`},
	} {
		t.Run(r.name, r.check)
	}
}

// Cutting a long name does not lose the text that the name was made of.
func TestReadLongLabels(t *testing.T) {
	long := strings.TrimSpace(strings.Repeat("terms and conditions ", 30))
	for _, markup := range []string{
		`<label><input type=checkbox>TEXT</label>`,
		`<label><input type=checkbox hidden>TEXT</label>`,
		`<label for=a>TEXT</label><input id=a>`,
		`<fieldset><legend>TEXT</legend><button>b</button></fieldset>`,
		`<figure><img alt=a src=x><figcaption>TEXT</figcaption></figure>`,
		`<button>TEXT</button>`,
		`<table><caption>TEXT</caption><tr><td>x</table>`,
	} {
		if text := show(t, strings.Replace(markup, "TEXT", long, 1)).ai(); !strings.Contains(text, long) {
			t.Errorf("%s: the text is lost:\n%s", markup, text)
		}
	}
}

func TestReadNames(t *testing.T) {
	for _, r := range []reading{
		{"described by what it says", `<div role=slider tabindex=0 aria-label=Volume aria-valuenow=65 aria-describedby=a></div><p id=a>65</p>` +
			`<div tabindex=0 aria-describedby=b><span id=b>Draft</span></div>`, "", `
- slider "Volume" [ref=e1]: 65
- paragraph: 65
- generic [ref=e2] [focusable]: Draft`},
		{"an empty picture parts no words", `<button>(<img alt="" width=1 height=1>reload needed)</button><button>One<img alt="" width=1 height=1 style="display:block">two</button>`, "", `
- button "(reload needed)" [ref=e1]
- button "One two" [ref=e2]`},
		{"white space in an element parts words", `<button>Add<span> </span>to cart</button>`, "", `
- button "Add to cart" [ref=e1]`},
		{"the number of a badge is no part of what its author says", `<button aria-label="Page 2 of the inbox"><i>✉</i><b>2</b></button>` +
			`<button aria-label="Save document">Save</button>`, "", `
- button "Page 2 of the inbox" [ref=e1]: ✉2
- button "Save document" [ref=e2]`},
		{"a sign that is the name", `<button aria-label="👍"><b>👍</b></button>`, "", `
- button "👍" [ref=e1]`},
		{"a cell with a drawn tick", `<div role=grid><div role=row><div role=gridcell aria-checked=true tabindex=0 style="padding:9px"></div><div ` +
			`role=gridcell aria-checked=false>x</div></div></div>`, "", `
- grid:
  - row:
    - gridcell [checked] [ref=e1]
    - gridcell "x"`},
		{"hidden words that a name stands for", `<div role=grid><div role=row><div role=columnheader aria-label=Monday><i aria-hidden=true>Mon</i></div>` +
			`<div role=columnheader aria-label="12 days"><i aria-hidden=true>1</i></div></div><div role=row><div role=gridcell ` +
			`aria-label="March 7, 2025"><i aria-hidden=true>7</i><button>Meet</button></div><div role=gridcell aria-label="March 8, 2025">` +
			`<i aria-hidden=true>8</i><i aria-hidden=true>8</i></div></div></div><button aria-label="Close it"><i aria-hidden=true>NEW</i></button>`, "", `
- grid:
  - row:
    - columnheader "Monday"
    - columnheader "12 days":
      - generic [aria-hidden]: 1
  - row:
    - gridcell "March 7, 2025":
      - button "Meet" [ref=e1]
    - gridcell "March 8, 2025":
      - generic [aria-hidden]: 8
- button "Close it" [ref=e2]:
  - generic [aria-hidden]: NEW`},
		{"what is selected", `<button aria-selected=true aria-label="March 7">7</button><button aria-selected=false>8</button><table><tr>` +
			`<td aria-selected=true>9<td>10</table>`, "", `
- button "March 7" [selected] [ref=e1]: 7
- button "8" [ref=e2]
- table:
  - rowgroup:
    - row:
      - cell "9" [selected]
      - cell "10"`},
		{"the text of a value", `<div role=spinbutton tabindex=0 aria-label=Month aria-valuetext="5 – May">5</div><div role=spinbutton tabindex=0 ` +
			`aria-label=Day aria-valuetext=Empty>dd</div>`, "", `
- spinbutton "Month" [ref=e1]: 5 – May
- spinbutton "Day" [ref=e2]: Empty
  - text: dd`},
		{"titles and labels of groups", `<p>The <abbr title="World Health Organization">WHO</abbr> says</p><div title=Same>Same</div><i ` +
			`title=Star></i><div role=listitem aria-label=Orphan>x</div><table><tr><td><abbr title=Monday>Mo</abbr></td></tr></table>`, "", `
- paragraph:
  - text: The
  - generic "World Health Organization": WHO
  - text: says
- text: Same
- generic "Star"
- generic "Orphan": x
- table:
  - rowgroup:
    - row:
      - cell "Mo":
        - generic "Monday": Mo`},
		{"icons of controls without a name", `<button class=btn><i class="fa fa-times"></i></button><a href=#><svg width=9 height=9><use ` +
			`href="#icon-cart"/></svg></a><button style="background:white"><svg><path class=x d=""/></svg></button><button class=only>` +
			`</button>`, "", `
- button [ref=e1] [description=".fa-times"]
- link [ref=e2] [description="#icon-cart"]
- button [ref=e3] [description=".x"]
- button [ref=e4] [description="button.only"]`},
		{"buttons with one icon and classes of their own", `<button class="tool bold"><svg width=9 height=9><path class=line d=""/></svg></button><button class="tool italic selected"><svg ` +
			`width=9 height=9><path class=line d=""/></svg></button>`, "", `
- button [ref=e1] [description=".bold .line"]
- button [class=selected] [ref=e2] [description=".italic .line"]`},
		{"a large drawing", `<svg id=map width=200 height=120 onclick=1><circle id=dot cx=40 cy=90 r=8></circle></svg>`, "", `
- img [ref=e1] [clickable] [description="svg#map rgb(0, 0, 0)"]`},
		{"icons below the layers that a library puts into its buttons", `<style>.layer{position:absolute;inset:0}</style><button><span class="x-ripple layer">` +
			`</span><span class=content><i class="mdi-pencil mdi" aria-hidden=true></i></span><span class=layer></span></button><button><span class="x-icon-button__ripple layer">` +
			`</span><span class=mat-icon data-mat-icon-name=edit><svg width=9 height=9></svg></span></button><button class="up-button"><svg class=p-icon width=9 height=9>` +
			`<path d=""/></svg></button>`, "", `
- button [ref=e1] [description=".mdi-pencil"]
- button [ref=e2] [description="edit"]
- button [ref=e3] [description="button.up-button"]`},
		{"icons that a font draws", `<style>.mdi-delete::before{content:"\F01B4"}</style><button><i class="mdi mdi-delete"></i></button><button><i class=mdi-delete ` +
			`aria-hidden=true></i></button><button><i class=go-up aria-hidden=true>&#xe001;</i></button>`, "", `
- button [ref=e1] [description=".mdi-delete"]
- button [ref=e2] [description=".mdi-delete"]
- button [ref=e3] [description=".go-up"]`},
		{"icons that a font draws in place of their words", `<button><span role=img aria-hidden=true class=mat-icon>edit</span></button><a href=#x><i aria-hidden=true>` +
			`<b>arrow</b> <b>up</b></i></a><button aria-label=Share><i aria-hidden=true>ios_share</i></button><button><i aria-hidden=true>edit</i><img alt=Edit></button>`, "", `
- button [ref=e1] [description="edit"]
- link [ref=e2] [description="arrow up"]
- button "Share" [ref=e3]:
  - generic [aria-hidden]: ios_share
- button "Edit" [ref=e4]:
  - generic [aria-hidden]: edit`},
		{"test ids of elements without words", `<div data-testid=payee onclick=1><div onclick=1><span class=css-1q style="padding: 9px"></span></div></div><button ` +
			`data-cy=like><i class=x></i></button><input data-testid=amount value=5><input data-testid=label aria-label=Label>`, "", `
- generic [ref=e1] [clickable]:
  - generic [ref=e2] [clickable] [description="payee"]
- button [ref=e3] [description="like"]
- textbox [ref=e4] [description="amount"]: 5
- textbox "Label" [ref=e5]`},
		{"where links without a name lead", `<a href="http://a.test/cart?x=1"></a><a href="#top"></a><img src="http://a.test/i/close.png" ` +
			`onclick=1><a href="mailto:a@b.test"><svg class=size-3><path class=p d=""/></svg></a>`, "", `
- link [ref=e1] [description="a.test/cart?x=1"]
- link [ref=e2] [description="#top"]
- img [ref=e3] [clickable] [description="close.png"]
- link [ref=e4] [description="a@b.test"]`},
		{"headers of a grid with handles", `<div role=grid aria-rowcount=5000 aria-colcount=40><div role=row aria-rowindex=1><div ` +
			`role=columnheader aria-colindex=3><div onmousedown=1 class=resize style="height: 9px"></div><div aria-hidden=true></div><div onclick=1><span>Score` +
			`</span></div></div><div role=columnheader aria-colindex=4>Age</div></div><div role=row aria-rowindex=17><div role=gridcell ` +
			`aria-colindex=3>5</div><div role=gridcell aria-colindex=4>6</div></div></div>`, "", `
- grid [rowcount=5000] [colcount=40]:
  - row [rowindex=1]:
    - columnheader "Score" [colindex=3]:
      - generic [ref=e1] [clickable] [description="div.resize"]
      - generic [ref=e2] [clickable]: Score
    - columnheader "Age" [colindex=4]
  - row [rowindex=17]:
    - gridcell "5" [colindex=3]
    - gridcell "6"`},
		{"a grid that scrolls over rows which are not there", `<div role=grid aria-rowcount=900 style="height: 40px; overflow: auto"><div role=row ` +
			`aria-rowindex=1 style="height: 9000px"><div role=gridcell>5</div></div></div>`, "", `
- grid [rowcount=900] [ref=e1]:
  - row [rowindex=1]:
    - gridcell "5"`},
		{"handles by their cursor", `<style>.h:hover,.x{cursor:ew-resize}</style><div class=h onmousedown=1>a</div><div class=x ` +
			`onmousedown=1>b</div><div onmousedown=1>c</div>`, "", `
- generic [ref=e1] [resize]: a
- generic [ref=e2] [resize]: b
- generic [ref=e3] [clickable]: c`},
		{"the sign of a chip in an editor that listens", `<div contenteditable role=textbox aria-label=To><p>Hello <span ` +
			`contenteditable=false>Ada <b>×</b></span> and <b>×</b></p></div>`, "div: click", `
- textbox "To" [ref=e1]:
  - paragraph:
    - text: Hello Ada
    - generic [ref=e2] [clickable]: ×
    - text: and ×`},
		{"handles of a list that listens", `<ul id=l><li><i style="cursor:grab">☰</i> One</li><li><i style="cursor:grab">☰</i> Two</li></ul>`,
			"#l: pointerdown", `
- list [ref=e1] [clickable]:
  - listitem [ref=e2] [clickable]:
    - generic [ref=e3] [cursor=grab]: ☰
    - text: One
  - listitem [ref=e4] [clickable]:
    - generic [ref=e5] [cursor=grab]: ☰
    - text: Two`},
		{"a handle that its calendar drags", `<div id=d>Trip<i style="position:absolute;width:9px;height:9px;cursor:e-resize"></i></div>`,
			"#d: mousedown", `
- generic [ref=e1] [clickable]:
  - text: Trip
  - generic [ref=e2] [resize]`},
		{"words with the cursor of a handle", `<div id=d><b style="cursor:move">Title</b> Text</div>`, "#d: pointerdown", `
- generic [ref=e1] [clickable]: Title Text`},
		{"a calendar around its days inside a label", `<label>Date <input> <div><div><span>March</span></div><div><div><span>Sun</span> ` +
			`<span>Mon</span></div><div id=d><span>1</span><span>2</span><span>3</span></div></div></div></label>`, "#d: click", `
- textbox "Date" [ref=e1]
- text: March
- text: Sun Mon
- generic [ref=e2] [clickable]:
  - generic [ref=e3] [clickable]: 1
  - generic [ref=e4] [clickable]: 2
  - generic [ref=e5] [clickable]: 3`},
		{"a picker inside a label", `<label>Date <input> <div id=p><span>1</span><span>2</span><span>3</span></div> <button>Clear</button>` +
			`</label>`, "#p: mousedown", `
- textbox "Date Clear" [ref=e1]
- generic [ref=e2] [clickable]:
  - generic [ref=e3] [clickable]: 1
  - generic [ref=e4] [clickable]: 2
  - generic [ref=e5] [clickable]: 3
- button "Clear" [ref=e6]`},
		{"a picker inside a label, with a wrapper that listens", `<label>Date <input> <div id=p><div><span>1</span><span>2</span><span>3` +
			`</span></div></div></label>`, "#p: mousedown", `
- textbox "Date" [ref=e1]
- generic [ref=e2] [clickable]:
  - generic [ref=e3] [clickable]: 1
  - generic [ref=e4] [clickable]: 2
  - generic [ref=e5] [clickable]: 3`},
		{"a picker inside a label, of days that listen", `<label>Date 123 <input> <div><div>1</div><div>2</div><div>3</div></div>` +
			`</label>`, "label div div: click", `
- textbox "Date 123" [ref=e1]
- generic [ref=e2] [clickable]: 1
- generic [ref=e3] [clickable]: 2
- generic [ref=e4] [clickable]: 3`},
	} {
		t.Run(r.name, r.check)
	}
}

func TestReadWhatCannotBeUsed(t *testing.T) {
	for _, r := range []reading{
		{"behind a modal dialog", `<header>Head <button>Menu</button></header><main><p>Behind</p><button>Back</button><dialog id=d>` +
			`<button>In</button><dialog id=e><button>Inner</button></dialog></dialog></main><script>d.showModal()</script>`, "", `
- banner [inert]:
  - text: Head
  - button "Menu" [ref=e1]
- main:
  - paragraph [inert]: Behind
  - button "Back" [inert] [ref=e2]
  - dialog:
    - button "In" [active] [ref=e3]`},
		{"a label behind it", `<label>Name <input></label><label>Age <b>in years</b></label><dialog id=d>D</dialog><script>d.showModal()</script>`, "", `
- textbox "Name" [inert] [ref=e1]
- generic [inert]: Age in years
- dialog [active]: D`},
		{"behind the last of two", `<dialog id=e>E <button>On top</button></dialog><dialog id=d>D <button>Below</button></dialog>` +
			`<script>d.showModal(); e.showModal()</script>`, "", `
- dialog:
  - text: E
  - button "On top" [active] [ref=e1]
- dialog [inert]:
  - text: D
  - button "Below" [ref=e2]`},
		{"a component that takes the clicks of its control", `<x-tab></x-tab><script>
			document.querySelector('x-tab').attachShadow({mode: 'open'}).innerHTML = '<button role=tab style="pointer-events:none">One</button>';
		</script>`, "", `- tab "One" [ref=e1]`},
		{"a dialog that is not modal", `<p>Beside</p><dialog open>D</dialog>`, "", `
- paragraph: Beside
- dialog: D`},
		{"under the pointer", `<div style="pointer-events:none"><button>Dead</button><button disabled>Off</button><div onclick=1>Option` +
			`</div></div>`, "", `
- button "Dead" [ref=e1] [pointer-events=none]
- button "Off" [disabled] [ref=e2]
- generic [ref=e3] [pointer-events=none]: Option`},
		{"by the cursor", `<div><div onclick=1>Red</div><div onclick=1 style="cursor:not-allowed">Blue</div></div><button disabled style="cursor:not-allowed">Off</button>`, "", `
- generic [ref=e1] [clickable]: Red
- generic [ref=e2] [clickable] [cursor=not-allowed]: Blue
- button "Off" [disabled] [ref=e3]`},
		{"icons of a page that ignores the mouse", `<body style="pointer-events:none"><i class=edit onclick=1 style="display:block;height:9px"></i>` +
			`<p>Text</p>`, "", `
- generic [ref=e1] [pointer-events=none] [description="i.edit"]
- paragraph: Text`},
		{"elements without content", `<div tabindex=0></div><div tabindex=0 style="height:9px" class=board></div>` +
			`<div style="pointer-events:none"><div onclick=1 style="height:9px"></div></div>`, "", `
- generic [ref=e1] [focusable] [description="div.board"]`},
		{"options, areas and frames that are not shown", `<select aria-label=S><option hidden>Choose<option>a<optgroup label=G disabled>` +
			`<option>b</optgroup><optgroup label=H><option selected>c</optgroup></select><map name=m><area href=# alt=unused></map><iframe ` +
			`style="width:0;height:0" srcdoc=zero></iframe>`, "", `
- combobox "S" [ref=e1]:
  - option "a"
  - group "G" [disabled]:
    - option "b" [disabled]
  - group "H":
    - option "c" [selected]`},
		{"a group of options with a legend", `<select aria-label=S><optgroup><legend>Birds</legend><div><option>Owl</div></optgroup>` +
			`<option>Cat</select>`, "", `
- combobox "S" [ref=e1]: Owl
  - group "Birds":
    - option "Owl" [selected]
  - option "Cat"`},
		{"what an object shows instead of its fallback", `<object data="data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAAA">Fallback` +
			`</object><object data=nope type=x/y>Shown <a href=#>fallback</a></object>`, "", `
- text: Shown
- link "fallback" [ref=e1]`},
		{"inert twice", `<div inert><button>B</button></div><dialog id=d>D</dialog><script>d.showModal()</script>`, "", `
- generic [inert]:
  - button "B" [ref=e1]
- dialog [active]: D`},
		{"disabled by what it is in", `<div aria-disabled=true><button>B</button><p>Text</p><div aria-disabled=false><a href=#>L</a></div>` +
			`</div>`, "", `
- button "B" [disabled] [ref=e1]
- paragraph: Text
- link "L" [ref=e2]`},
		{"details without a summary", `<details>Folded</details><details open><div>Open</div></details>`, "", `
- group:
  - button "Details" [expanded=false] [ref=e1]
- group:
  - button "Details" [expanded] [ref=e2]
  - text: Open`},
		{"fields in whose place a widget is shown", `<style>.old{position:absolute;clip:rect(0 0 0 0);width:1px;height:1px}</style><select class=old ` +
			`tabindex=-1><option>Red</select><input class=old tabindex=-1 value=x><div><input class=old tabindex=-1>Drawn</div>` +
			`<input class=old value=y><input tabindex=-1 value=z>`, "", `
- textbox [ref=e1] [unseen]: x
- textbox [ref=e2]
- text: Drawn
- textbox [ref=e3]: y
- textbox [ref=e4]: z
- combobox [ref=e5] [unseen]:
  - option "Red" [selected]`},
		{"a page that is not displayed", `<style>html{display:none}</style><button>x</button>`, "", `(empty page)`},
	} {
		t.Run(r.name, r.check)
	}
}

// An item of a tree is called by its own text, not by that of the items below it.
// An element that shows nothing cannot be clicked, so it needs no line.
func TestReadWhatShowsNothing(t *testing.T) {
	for _, r := range []reading{
		{"an anchor", `<style>a{cursor:pointer}</style><a id=top></a><p>Text</p>`, "#top: click", "- paragraph: Text"},
		{"what is seen of a checkbox", `<style>span{cursor:pointer;padding:9px}</style><input type=checkbox aria-label=Mail style="opacity:0">` +
			`<span></span><input type=checkbox aria-label=Chat><span class=bin></span>`, "", `
- checkbox "Mail" [ref=e1]
- checkbox "Chat" [ref=e2]
- generic [ref=e3] [clickable] [description="span.bin"]`},
		{"a drawing without a width", `<div style="width:0;height:9px" onclick="x()"></div>`, "", "(empty page)"},
		{"inputs of a form", `<label>Code <input aria-hidden=true tabindex=-1 style="opacity:0" value=12></label><input type=radio aria-hidden=true ` +
			`tabindex=-1 style="opacity:0;pointer-events:none"><input aria-label=One>`, "", "- text: Code\n- textbox \"One\" [ref=e1]"},
		{"a character without a glyph, and a frame", `<div><span aria-hidden=true>&#8203;</span><fieldset aria-hidden=true><legend><span ` +
			`style="opacity:0">Age</span></legend></fieldset></div><p>Text`, "", "- paragraph: Text"},
		{"classes that a tool has generated", `<style>b{padding:9px}</style><b class="m_ae386778 app-active card-Close css-wuqtn7" onclick="x()"></b>` +
			`<b class=css-1vps79i onclick="x()"></b><b class="step12 item" onclick="x()"></b>`, "", `
- generic [ref=e1] [clickable] [description="b.app-active.card-Close"]
- generic [ref=e2] [clickable] [description="b.css-1vps79i"]
- generic [ref=e3] [clickable] [description="b.step12.item"]`},
		{"ids that a tool has generated", `<style>b{padding:9px}</style><b id="B@V*cIARyng" class=field onclick="x()"></b><b id=":r3:" class=item ` +
			`onclick="x()"></b><b id=":r4:" onclick="x()"></b><b id=trash class=bin onclick="x()"></b>`, "", `
- generic [ref=e1] [clickable] [description="b.field"]
- generic [ref=e2] [clickable] [description="b.item"]
- generic [ref=e3] [clickable] [description="b#:r4:"]
- generic [ref=e4] [clickable] [description="b#trash.bin"]`},
		{"what differs around them only", `<style>b{padding:9px}</style><div class=node><i class=in><b class=port onclick="x()"></b></i><i class=out>` +
			`<b class=port onclick="x()"></b></i></div><div class=node><i><i class=out><b class=port onclick="x()"></b></i></i></div>` +
			`<p class=a><b class=dot onclick="x()"></b></p><p class=a><b class=dot onclick="x()"></b></p>`, "", `
- generic [ref=e1] [clickable] [description=".in b.port"]
- generic [ref=e2] [clickable] [description=".out b.port"]
- generic [ref=e3] [clickable] [description="b.port"]
- paragraph:
  - generic [ref=e4] [clickable] [description="b.dot"]
- paragraph:
  - generic [ref=e5] [clickable] [description="b.dot"]`},
		{"what does not tell them apart", `<style>b{display:inline-block;padding:9px}</style><div class="panel left"><b class=btn onclick="x()"></b><b class=btn onclick="x()"></b></div>` +
			`<div class="panel right"><b class=btn onclick="x()"></b></div><ul><li class="row even"><b class=del onclick="x()"></b><li class="row odd last">` +
			`<b class=del onclick="x()"></b></ul>`, "", `
- generic [ref=e1] [clickable] [description="b.btn"]
- generic [ref=e2] [clickable] [description="b.btn"]
- generic [ref=e3] [clickable] [description=".right b.btn"]
- list:
  - listitem:
    - generic [ref=e4] [clickable] [description="b.del"]
  - listitem:
    - generic [ref=e5] [clickable] [description="b.del"]`},
		{"handles that resize", `<style>b{position:absolute;width:9px;height:9px;cursor:col-resize}</style><div id=l><p class=in><b class=rz></b></p>` +
			`<p class=out><b class=rz></b></p></div>`, "#l: mousedown", `
- generic [ref=e1] [clickable]:
  - paragraph:
    - generic [ref=e2] [resize] [description="b.rz"]
  - paragraph:
    - generic [ref=e3] [resize] [description="b.rz"]`},
		{"lines around a cell", `<div class=line style="width:90px;height:2px" onmouseover="x()"></div><div class=bar style="width:9px;height:90px" ` +
			`onmouseover="x()"></div>`, "", `- generic [ref=e1] [hoverable] [description="div.bar"]`},
		{"a box", `<div class=box style="width:9px;height:9px" onclick="x()"></div>`, "", `- generic [ref=e1] [clickable] [description="div.box"]`},
		{"a picture in an element without size", `<style>i::before{content:"";position:absolute;width:9px;height:9px}</style><i class=icon onclick="x()">` +
			`</i>`, "", `- generic [ref=e1] [clickable] [description="i.icon"]`},
		{"children outside of it", `<div style="width:0;height:0" onclick="x()"><b style="position:absolute;width:9px;height:9px"></b></div>`, "",
			`- generic [ref=e1] [clickable]`},
	} {
		t.Run(r.name, r.check)
	}
}

func TestReadItemsOfTrees(t *testing.T) {
	for _, r := range []reading{
		{"with a group", `<ul role=tree><li role=treeitem aria-expanded=true><span>Root</span><ul role=group><li role=treeitem>Leaf</ul>` +
			`</ul>`, "", `
- tree:
  - treeitem "Root" [expanded] [ref=e1]:
    - group:
      - treeitem "Leaf" [ref=e2]`},
		{"without one", `<div role=tree><div role=treeitem>Root<div role=treeitem>Leaf</div></div></div>`, "", `
- tree:
  - treeitem "Root" [ref=e1]:
    - treeitem "Leaf" [ref=e2]`},
		{"with a checkbox", `<div role=tree><div role=treeitem><input type=checkbox><b>Root</b><div role=group><div role=treeitem>Root</div>` +
			`</div></div></div>`, "", `
- tree:
  - treeitem "Root" [ref=e1]:
    - checkbox [ref=e2] [description="Root"]
    - group:
      - treeitem "Root" [ref=e3]`},
	} {
		t.Run(r.name, r.check)
	}
}

// Texts that stand in boxes of their own within a line do not run together.
func TestReadBoxesInALine(t *testing.T) {
	reading{"", `<style>b{display:inline-block}i{display:inline-flex}</style><p>one<b>two</b><i>three</i>four</p><a href=#><b>xx</b><b>y` +
		`</b></a><p>H<span>el</span>lo</p>`, "", `
- paragraph: one two three four
- link "xx y" [ref=e1]
- paragraph: Hello`}.check(t)
}

// If the letters of a word have a box each, they are still one word, as in innerText. A badge is
// not part of the word.
func TestReadLettersInBoxes(t *testing.T) {
	const letter = `<span style="display:inline-block">`
	reading{"", `<style>b{display:inline-block}</style><h1>` + letter + `V</span>` + letter + `<i>L</i></span>` + letter + `&nbsp;</span>` + letter + `M</span> ` + letter + `X</span></h1>` +
		`<p><b><b>G</b><b>o</b></b><b><b>o</b><b>n</b></b></p><a href=#>Inbox<b>3</b></a><button><b>O</b><b>K</b></button><p>5<b>a</b>6</p>`, "", `
- heading "VL M X" [level=1]
- paragraph: Go on
- link "Inbox 3" [ref=e1]
- button "OK" [ref=e2]
- paragraph: 5 a 6`}.check(t)
}

// A field in a custom element is called by the label of that element.
func TestReadNamesOfHosts(t *testing.T) {
	reading{"", `<label>Mail <x-field></x-field></label><label for=b>Agree</label><x-box id=b></x-box><x-field aria-label=City></x-field>` +
		`<x-field aria-label=Own role=group></x-field><script>
		const define = (name, inner) => customElements.define(name, class extends HTMLElement {
			static formAssociated = true;
			constructor() { super(); this.attachInternals(); this.attachShadow({mode: 'open'}).innerHTML = inner; }
		});
		define('x-field', '<input placeholder=p>');
		define('x-box', '<input type=checkbox><button></button>');
	</script>`, "", `
- text: Mail
- textbox "Mail" [ref=e1] [placeholder="p"]
- text: Agree
- checkbox "Agree" [ref=e2]
- button [ref=e3]
- textbox "City" [ref=e4] [placeholder="p"]
- group "Own":
  - textbox "p" [ref=e5]`}.check(t)
}

// If a click on an element also clicks a control in or around it, only the control is offered.
func TestReadPartsOfControls(t *testing.T) {
	for _, r := range []reading{
		{"a custom element around a button", `<x-b onclick=1></x-b><x-c onclick=1></x-c><script>
			document.querySelector('x-b').attachShadow({mode: 'open'}).innerHTML = '<button>Save</button>';
			document.querySelector('x-c').attachShadow({mode: 'open'}).innerHTML = 'Card <button>Open</button>';
		</script>`, "", `
- button "Save" [ref=e1]
- generic [ref=e2] [clickable]:
  - text: Card
  - button "Open" [ref=e3]`},
		{"parts of a button", `<button><span onclick=1></span><span onclick=1>Save</span></button><div role=tab><b onclick=1>One</b><i ` +
			`onclick=1>×</i></div><button><span ondblclick=1>Twice</span></button>`, "", `
- button "Save" [ref=e1]
- tab "One×" [ref=e2]:
  - generic [ref=e3] [clickable]: One
  - generic [ref=e4] [clickable]: ×
- button "Twice" [ref=e5]:
  - generic [ref=e6] [doubleclickable]: Twice`},
		{"the icon of a button with a label", `<button aria-label=Close><i class=x onclick=1 style="padding:9px"><b onclick=1></b></i>` +
			`</button><div role=button aria-label=Chip tabindex=0>Red<i class=x onclick=1 style="padding:9px"></i></div>`, "", `
- button "Close" [ref=e1]
- button "Chip" [ref=e2]:
  - text: Red
  - generic [ref=e3] [clickable] [description="i.x"]`},
		{"the icon beside the words of a control with a label", `<div role=tab aria-label=Report tabindex=0><span>Report</span><i class=x onclick=1 ` +
			`style="padding:9px"></i></div><div role=button aria-label=Anna tabindex=0 onclick=1><span>Anna</span><i class=x onclick=1 ` +
			`style="padding:9px"></i></div>`, "", `
- tab "Report" [ref=e1]:
  - generic [ref=e2] [clickable] [description="i.x"]
- button "Anna" [ref=e3]:
  - generic [ref=e4] [clickable] [description="i.x"]`},
		{"a component that is the checkbox in it", `<x-b role=switch aria-label=Wifi aria-checked=true tabindex=0></x-b><script>
			document.querySelector('x-b').attachShadow({mode: 'open'}).innerHTML = '<input type=checkbox role=switch aria-label=Wifi checked><i>on</i>';
		</script>`, "", `
- switch "Wifi" [checked] [ref=e1]: on`},
		{"a custom element around an item", `<ul><x-i onkeydown=1 onclick=1></x-i></ul><script>
			document.querySelector('x-i').attachShadow({mode: 'open'}).innerHTML = '<li onclick=1>Item</li>';
		</script>`, "", `
- list:
  - listitem [ref=e1] [clickable]: Item`},
		{"what a click expands or sorts", `<table><tr><th aria-sort=none>Name<th aria-sort=none><button>Age</button><tr><td>x</table><div ` +
			`role=treegrid><div role=row aria-expanded=false><div role=gridcell>Folder</div></div></div>`, "", `
- table:
  - rowgroup:
    - row:
      - columnheader "Name" [ref=e1]
      - columnheader "Age":
        - button "Age" [ref=e2]
    - row:
      - cell "x"
- treegrid:
  - row [expanded=false] [ref=e3] [clickable]:
    - gridcell "Folder"`},
	} {
		t.Run(r.name, r.check)
	}
}

// Style sheets tell which elements only a hover shows, and which elements the page's listeners let
// a person drag.
func TestReadUses(t *testing.T) {
	for _, r := range []reading{
		{"menus that a hover opens", `<style>.m ul{display:none}.m:hover ul{display:block}.n i{visibility:hidden}.n:hover > i, ` +
			`.o:hover{visibility:visible}.p:hover b{color:red}</style>
			<div class=m>Products<ul><li>Shoes</ul></div><div class=m>Empty</div><div class=n>Account<i>Log out</i></div><p class=o>o</p><p ` +
			`class=p>p<b>b</b></p>`, "", `
- generic [ref=e1] [hoverable]: Products
- text: Empty
- generic [ref=e2] [hoverable]: Account
- paragraph: o
- paragraph: pb`},
		{"a control opens it as well", `<style>li ul{display:none}li:hover ul{display:block}</style><ul><li><a href=#>Products</a><ul>` +
			`<li>Shoes</ul></ul>`, "", `
- list:
  - listitem:
    - link "Products" [ref=e1]`},
		{"dragged by the page", `<style>.d{touch-action:none}</style><div class=d>Card</div><div style="touch-action: none">Knob</div>` +
			`<div>Text</div>`, "document: pointerdown", `
- generic [ref=e1] [draggable]: Card
- generic [ref=e2] [draggable]: Knob
- text: Text`},
		{"the slider, not what is around it or in it", `<style>.s, .s *{touch-action:none}</style><div class=s><b>0 100</b><div style=` +
			`"touch-action:none"><div role=slider aria-label=Low aria-valuenow=2 tabindex=0><i style="touch-action:none;` +
			`display:block;height:9px"></i></div></div></div>`,
			"document: pointerdown", `
- text: 0 100
- slider "Low" [ref=e1]: 2`},
		{"by no page", `<style>.d{touch-action:none}</style><div class=d>Map</div>`, "", `
- text: Map`},
	} {
		t.Run(r.name, r.check)
	}
}

// The page script does not know the value of a CSS counter. The text around the counter counts if
// it has words.
func TestReadCounters(t *testing.T) {
	reading{"", `<style>li{list-style:none;counter-increment:i}.a li::before{content:counter(i) ". "}.b li::before{content:"Step " ` +
		`counter(i) ": "}</style><ol class=a><li>first</ol><ol class=b><li>second</ol>`, "", `
- list:
  - listitem: first
- list:
  - listitem: Step : second`}.check(t)
}

// The list of a select with appearance: base-select is part of the page while it is open.
func TestReadOpenSelect(t *testing.T) {
	p := show(t, `<style>select,::picker(select){appearance:base-select}</style><select aria-label=S><option>a<option>b</select><select `+
		`role=listbox aria-label=L><option>c</select>`)
	if got, want := p.ai(), "- combobox \"S\" [ref=e1]:\n  - option \"a\" [selected]\n  - option \"b\"\n- listbox \"L\" [ref=e2]:\n  - "+
		"option \"c\" [selected]"; got != want {
		t.Errorf("closed:\n%s\nwant:\n%s", got, want)
	}
	yes := true
	open := "document.querySelector('select').showPicker()"
	call(t, p.Session, runtime.Evaluate, runtime.EvaluateParams{Expression: open, UserGesture: &yes})
	want := "- combobox \"S\" [expanded] [ref=e1]:\n  - option \"a\" [selected] [active] [ref=e3]\n  - option \"b\" [ref=e4]\n- listbox " +
		"\"L\" [ref=e2]:\n  - option \"c\" [selected]"
	if got := p.ai(); got != want {
		t.Errorf("open:\n%s\nwant:\n%s", got, want)
	}
}

// If a walk starts at an element, the elements around it decide whether it is seen, and whether it
// can be used.
func TestReadBelowASelector(t *testing.T) {
	p := show(t, `<main inert><div id=inert><button>B</button></div></main><div aria-hidden=true><p id=hidden>T</p></div>
		<details><summary>s</summary><div class=gone>F</div></details><div hidden><b class=gone>H</b></div><div style="visibility:hidden">`+
		`<i class=none>V</i></div>
		<x-card></x-card><p id=under>U</p><dialog><button id=inside>In</button></dialog>
		<div aria-disabled=true><p id=off><button>O</button><input aria-label=P aria-disabled=false></p></div>
		<script>document.querySelector('x-card').attachShadow({mode: 'open'}).innerHTML = '<div><div class=deep>In shadow</div></div>'</script>`)
	for _, c := range []struct{ selector, want string }{
		{"#inert", "- generic [inert]:\n  - button \"B\" [ref=e1]"},
		{"#hidden", "- generic [aria-hidden]:\n  - paragraph: T"},
		{"details .gone", "(empty: what the selector matches is hidden)"},
		{"div[hidden] .gone", "(empty: what the selector matches is hidden)"},
		{".none", "(empty: what the selector matches is hidden)"},
		{".deep", "- text: In shadow"},
		{"#off", "- paragraph:\n  - button \"O\" [disabled] [ref=e2]\n  - textbox \"P\" [ref=e3]"},
	} {
		if got := p.ai("selector: '" + c.selector + "'"); got != c.want {
			t.Errorf("%s:\n%s\nwant:\n%s", c.selector, got, c.want)
		}
	}
	p.eval(nil, "document.querySelector('dialog').showModal()")
	for selector, want := range map[string]string{"#under": "- generic [inert]:\n  - paragraph: U", "#inside": "- button \"In\" [active] " +
		"[ref=e4]"} {
		if got := p.ai("selector: '" + selector + "'"); got != want {
			t.Errorf("%s behind a modal dialog:\n%s\nwant:\n%s", selector, got, want)
		}
	}
}

// A page that says by a class alone what is chosen shows that by colors. The class is a state if it
// distinguishes the element from another one beside it.
func TestReadClassesOfChoice(t *testing.T) {
	for _, r := range []reading{
		{"an item among others", `<ul><li class="t selected" onclick="1">A<li class=t onclick="1">B</ul>`, "", `
- list:
  - listitem [class=selected] [ref=e1] [clickable]: A
  - listitem [ref=e2] [clickable]: B`},
		{"what is alone in its item", `<ul><li class=is-active><a href=#>A</a><li><a href=#>B</a></ul>`, "", `
- list:
  - listitem:
    - link "A" [class=active] [ref=e1]
  - listitem:
    - link "B" [ref=e2]`},
		{"a class that begins with the word", `<ul><li class="file current-file" onclick="1">A<li class=file onclick="1">B</ul><ul><li class="item active-item" onclick="1">C<li class=item onclick="1">D</ul>` +
			`<ul><li class=current-price onclick="1">E<li class=old-price onclick="1">F</ul><ul><li class=current-students onclick="1">G<li onclick="1">H</ul>`, "", `
- list:
  - listitem [class=current] [ref=e1] [clickable]: A
  - listitem [ref=e2] [clickable]: B
- list:
  - listitem [class=active] [ref=e3] [clickable]: C
  - listitem [ref=e4] [clickable]: D
- list:
  - listitem [ref=e5] [clickable]: E
  - listitem [ref=e6] [clickable]: F
- list:
  - listitem [ref=e7] [clickable]: G
  - listitem [ref=e8] [clickable]: H`},
		{"only children of items", `<ul><li><a class="nav-link active" href=#>A</a><li><a class=nav-link href=#>B</a></ul>` +
			`<p><span><b><button class="tab selected">C</button></b></span><span><b><button class=tab>D</button></b></span></p>` +
			`<p><span><button class="tab active">E</button></span><span>Text</span></p>`, "", `
- list:
  - listitem:
    - link "A" [class=active] [ref=e1]
  - listitem:
    - link "B" [ref=e2]
- paragraph:
  - button "C" [class=selected] [ref=e3]
  - button "D" [ref=e4]
- paragraph:
  - button "E" [ref=e5]
  - text: Text`},
		{"a row", `<table><tr class=row-selected><td>A<tr><td>B</table>`, "", `
- table:
  - rowgroup:
    - row [class=selected]:
      - cell "A"
    - row:
      - cell "B"`},
		{"all of them", `<button class=active>A</button><button class=active>B</button>`, "", `
- button "A" [ref=e1]
- button "B" [ref=e2]`},
		{"where ARIA or HTML says it", `<div role=tab class=active aria-selected=false tabindex=0>A</div><div role=tab aria-selected=true tabindex=0>B</div>` +
			`<input type=checkbox aria-label=C class=checked><input type=checkbox aria-label=D>`, "", `
- tab "A" [ref=e1]
- tab "B" [selected] [ref=e2]
- checkbox "C" [ref=e3]
- checkbox "D" [ref=e4]`},
		{"other classes", `<button class=inactive>A</button><button class=not-selected>B</button><button class=active-x>C</button><button>D</button>` +
			`<button class=in-active>E</button><button class=de-selected>F</button>`, "", `
- button "A" [ref=e1]
- button "B" [ref=e2]
- button "C" [ref=e3]
- button "D" [ref=e4]
- button "E" [ref=e5]
- button "F" [ref=e6]`},
		{"the copy of a slide", `<div><div class="slide is-active" aria-hidden=true onclick=1><div class=slide onclick=1><button>A</button></div></div>` +
			`<div class=slide aria-hidden=true onclick=1><div class=slide onclick=1><button>B</button></div></div></div>`, "", `
- generic [aria-hidden] [ref=e1] [clickable]:
  - generic [ref=e2] [clickable]:
    - button "A" [ref=e3]
- generic [aria-hidden] [ref=e4] [clickable]:
  - generic [ref=e5] [clickable]:
    - button "B" [ref=e6]`},
		{"kinds", `<nav><a class="tab tab-active" href=#>A</a><a class="tab tab-inactive" href=#>B</a></nav><p><a class="Mui-selected MuiTab-root" href=#>C</a>` +
			`<a class=MuiTab-root href=#>D</a></p><nav><a class="it it--current" href=#>E</a><a class=it href=#>F</a></nav>`, "", `
- navigation:
  - link "A" [class=active] [ref=e1]
  - link "B" [ref=e2]
- paragraph:
  - link "C" [class=selected] [ref=e3]
  - link "D" [ref=e4]
- navigation:
  - link "E" [class=current] [ref=e5]
  - link "F" [ref=e6]`},
		{"what is no choice", `<p><button class="filter filter-all">A</button><button class="filter filter-active">B</button><button class="filter filter-done">C</button></p>` +
			`<p><button class="btn btn-delete-selected">D</button><button class="btn js-toggle-active">E</button></p><p><a class=price-old href=#>F</a>` +
			`<a class=price-current href=#>G</a></p><p><a class="l has-active" href=#>H</a><a class="l was-selected" href=#>I</a><a class=l href=#>J</a></p>` +
			`<p><b onclick=1 class="user status-active">K</b><b onclick=1 class="user status-paused">L</b><b>O</b></p>` +
			`<div><i role=slider tabindex=0 class="h h-active">M</i><i role=slider tabindex=0 class=h>N</i></div>`, "", `
- paragraph:
  - button "A" [ref=e1]
  - button "B" [ref=e2]
  - button "C" [ref=e3]
- paragraph:
  - button "D" [ref=e4]
  - button "E" [ref=e5]
- paragraph:
  - link "F" [ref=e6]
  - link "G" [ref=e7]
- paragraph:
  - link "H" [ref=e8]
  - link "I" [ref=e9]
  - link "J" [ref=e10]
- paragraph:
  - generic [ref=e11] [clickable]: K
  - generic [ref=e12] [clickable]: L
  - text: O
- slider [ref=e13]: M
- slider [ref=e14]: N`},
		{"what is shown alone", `<div onclick="1" class="pane active">A</div><div onclick="1" class=pane style="display:none">B</div>` +
			`<p><label class=opt onclick="1" for=c>C</label><input type=radio id=c><label class="opt active" onclick="1" for=d>D</label><input type=radio checked id=d></p>`, "", `
- generic [ref=e1] [clickable]: A
- paragraph:
  - generic [ref=e2] [clickable]: C
  - radio "C" [ref=e3]
  - generic [ref=e4] [clickable]: D
  - radio "D" [checked] [ref=e5]`},
		{"hosts of what says it", `<x-b onclick="1" class=is-checked></x-b><x-b onclick="1"></x-b><script>document.querySelectorAll('x-b').forEach((x, i) => x.attachShadow({mode: 'open'})` +
			`.innerHTML = '<button role=tab aria-selected=' + (i === 0) + '>' + i + '</button>')</script>`, "", `
- tab "0" [selected] [ref=e1]
- tab "1" [ref=e2]`},
		{"most of them", `<ul><li class=active onclick="1">A<li class=active onclick="1">B<li class=active onclick="1">C<li onclick="1">D</ul>`, "", `
- list:
  - listitem [ref=e1] [clickable]: A
  - listitem [ref=e2] [clickable]: B
  - listitem [ref=e3] [clickable]: C
  - listitem [ref=e4] [clickable]: D`},
		{"what the looks say", `<style>b{display:inline-block;width:9px;height:9px}</style><div><b onclick=1 class="dot active"></b><b onclick=1 class=dot></b></div>`, "", `
- generic [ref=e1] [clickable] [description="b.dot.active"]
- generic [ref=e2] [clickable] [description="b.dot"]`},
		{"a part of a control", `<button><span class="part active" onclick=1>Save</span><span class=part></span></button>`, "", `
- button "Save" [ref=e1]`},
	} {
		t.Run(r.name, r.check)
	}
}

// Preformatted text keeps its lines and its indentation.
func TestReadPreformattedText(t *testing.T) {
	reading{"", "<pre>func main() {\n\tx := 1\n    y\n}\n</pre><textarea aria-label=T>\na\n  b</textarea><p>normal\n   text</p>" +
		"<div style='white-space:pre-wrap'>chat\n  message</div><pre><code><span>if</span> x:\n    <span>pass</span>\n</code></pre><button " +
		"style='white-space:pre'>two\nlines</button>" +
		"<div style='white-space:pre'>    indented</div><div style='white-space:pre'><span>&nbsp;&nbsp;</span><b>by an editor</b></div>" +
		"<div>&nbsp;&nbsp;no code</div><table><tr><td style='white-space:pre'>a\n b</table>", "", `
- text: "func main() {\n\tx := 1\n    y\n}"
- textbox "T" [ref=e1]: "a\n  b"
- paragraph: normal text
- text: "chat\n  message"
- code: "if x:\n    pass"
- button "two lines" [ref=e2]
- text: "    indented"
- text: "  by an editor"
- text: no code
- table:
  - rowgroup:
    - row:
      - cell "a b"`}.check(t)
}

// An element that is clipped away is not offered while the same text is seen elsewhere. A select
// that is clipped away comes after the control that stands for it.
func TestReadTwins(t *testing.T) {
	for _, r := range []reading{
		{"options for screen readers", `<div role=listbox style="width:0;height:0;overflow:hidden"><div role=option aria-label=Jack>jack` +
			`</div><div role=option aria-label=Lucy>lucy</div></div><div><div title=Jack onclick=1>Jack</div><div title=Lucy onclick=1>Lucy` +
			`</div></div>`, "", `
- generic "Jack" [ref=e1] [clickable]: Jack
- generic "Lucy" [ref=e2] [clickable]: Lucy`},
		{"a select and a list with its options", `<select aria-label=S aria-hidden=true style="position:absolute;width:1px;height:1px;` +
			`clip:rect(0 0 0 0)"><option>a<option>b</select><div role=combobox aria-label=S tabindex=0>a</div>`, "", `
- combobox "S" [ref=e1]: a`},
		{"a select with a label", `<label for=s>Fruit</label><div role=combobox aria-label=Fruit tabindex=0>a</div><select id=s aria-hidden=true ` +
			`tabindex=-1 style="position:absolute;width:1px;height:1px;clip:rect(0 0 0 0)"><option>a<option>b</select>`, "", `
- combobox "Fruit" [ref=e1]: a`},
		{"one of which is not seen", `<div role=listbox style="width:0;height:0;overflow:hidden"><div role=option>Jack</div><div ` +
			`role=option>Lucy</div></div><div onclick=1>Jack</div>`, "", `
- listbox [ref=e1]:
  - option "Lucy" [ref=e2]
- generic [ref=e3] [clickable]: Jack`},
		{"a select and its stand-in", `<div><select aria-label=Native style="position:absolute;width:1px;height:1px;clip:rect(0 0 0 0)">` +
			`<option>a</select><span role=combobox tabindex=0>a</span></div>`, "", `
- combobox [ref=e1]: a
- combobox "Native" [ref=e2]:
  - option "a" [selected]`},
		{"two selects and their stand-ins", `<div><select aria-label=One style="position:absolute;width:1px;height:1px;clip:rect(0 0 0 0)">` +
			`<option>a</select><span role=combobox tabindex=0>a</span><select aria-label=Two style="position:absolute;width:1px;height:1px;` +
			`clip:rect(0 0 0 0)"><option>b</select><span role=combobox tabindex=0>b</span></div><p>After`, "", `
- combobox [ref=e1]: a
- combobox [ref=e2]: b
- combobox "One" [ref=e3]:
  - option "a" [selected]
- combobox "Two" [ref=e4]:
  - option "b" [selected]
- paragraph: After`},
		{"a slider in a group that takes clicks", `<div role=group aria-label=Volume tabindex=0>Loud<div style="position:absolute;width:1px;` +
			`height:1px;overflow:hidden"><input type=range aria-label=Volume value=30></div></div>`, "", `
- group "Volume" [ref=e1] [focusable]:
  - text: Loud
  - slider "Volume" [ref=e2]: 30`},
		{"two sliders, one of which is seen", `<div style="position:absolute;width:1px;height:1px;overflow:hidden"><input type=range ` +
			`aria-label=Volume value=30></div><div role=slider aria-label=Volume aria-valuenow=30 tabindex=0 ` +
			`style="height:9px"></div>`, "", `
- slider "Volume" [ref=e1]: 30`},
		{"a radio button with a label", `<label><input type=radio style="position:absolute;width:1px;height:1px"> Yes</label><button>Yes` +
			`</button>`, "", `
- radio "Yes" [ref=e1]
- button "Yes" [ref=e2]`},
		{"both clipped away", `<div style="width:0;height:0;overflow:hidden"><button>Save</button><a href=#>Save</a></div>`, "", `
- button "Save" [ref=e1]
- link "Save" [ref=e2]`},
		{"a menu in a page whose body has no height", `<body style="overflow:hidden"><div style="position:absolute;inset:0"><button>Type</button></div>` +
			`<div style="position:absolute;top:60px"><a href=#>Type</a></div>`, "", `
- button "Type" [ref=e1]
- link "Type" [ref=e2]`},
		{"a menu that a box without height does not hold", `<button>Type</button><div style="overflow:hidden;height:0"><div style="position:absolute;` +
			`top:60px"><a href=#>Type</a></div><div style="position:fixed;top:90px"><a href=#>Type</a></div></div>`, "", `
- button "Type" [ref=e1]
- link "Type" [ref=e2]
- link "Type" [ref=e3]`},
		{"a menu that a box without height holds", `<button>Type</button><div style="overflow:hidden;height:0;position:relative"><div ` +
			`style="position:absolute;top:60px"><a href=#>Type</a></div></div><div style="overflow:hidden;height:0;transform:scale(1)"><div ` +
			`style="position:fixed;top:60px"><a href=#>Type</a></div></div>`, "", `
- button "Type" [ref=e1]`},
	} {
		t.Run(r.name, r.check)
	}
}

// A CSS rule that a script later inserts into a group of rules counts.
func TestReadRulesInsertedLater(t *testing.T) {
	p := show(t, "<style>@media all { @supports (color: red) { .a::before { content: 'one ' } } }</style><p class=a>text</p><p "+
		"class=b>text</p>")
	p.ai()
	p.eval(nil, "document.styleSheets[0].cssRules[0].cssRules[0].insertRule('.b::before { content: \"two \" }')")
	if got, want := p.ai(), "- paragraph: one text\n- paragraph: two text"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// If the listener for a drag is on an element around the handle, only the cursor shows the handle.
// It has a line when all lines get refs.
func TestReadHandlesToDrag(t *testing.T) {
	p := show(t, `<ul><li><i class=drag style="cursor:grab"></i>One</li><li style="cursor:move"><i>⠿</i>Two</li></ul>`)
	for _, c := range []struct{ refs, want string }{
		{"", `
- list:
  - listitem: One
  - listitem: ⠿Two`},
		{"refs: 'all'", `
- list:
  - listitem:
    - generic [ref=e1] [cursor=grab] [description="i.drag"]
    - text: One
  - listitem [ref=e2] [cursor=move]: ⠿Two`},
	} {
		if diff := cmp.Diff(strings.TrimSpace(c.want), p.ai(c.refs)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.refs, diff)
		}
	}
}

// A field without a name is described by the words before it in its row of a form.
func TestReadFieldsInRows(t *testing.T) {
	for _, r := range []reading{
		{"forms", `<table><tr><th>Name:<td><input><tr><td>Colour<td><select><option>red</select><tr><td>From:<td><input><td>To:<td><input>` +
			`<tr><td>Note<td><input aria-label=Remark><tr><td>Born<td><input> <select><option>May</select></table>`, "", `
- table:
  - rowgroup:
    - row:
      - rowheader "Name:"
      - cell:
        - textbox [ref=e1] [description="Name:"]
    - row:
      - cell "Colour"
      - cell:
        - combobox [ref=e2] [description="Colour"]:
          - option "red" [selected]
    - row:
      - cell "From:"
      - cell:
        - textbox [ref=e3] [description="From:"]
      - cell "To:"
      - cell:
        - textbox [ref=e4] [description="To:"]
    - row:
      - cell "Note"
      - cell:
        - textbox "Remark" [ref=e5]
    - row:
      - cell "Born"
      - cell:
        - textbox [ref=e6] [description="Born"]
        - combobox [ref=e7] [description="Born"]:
          - option "May" [selected]`},
		{"not lists", `<table><tr><td><input type=checkbox><td>Ada<td><input><td>3.00<tr><td><button>Up</button><td><input></table>`, "", `
- table:
  - rowgroup:
    - row:
      - cell:
        - checkbox [ref=e1]
      - cell "Ada"
      - cell:
        - textbox [ref=e2]
      - cell "3.00"
    - row:
      - cell:
        - button "Up" [ref=e3]
      - cell:
        - textbox [ref=e4]`},
		{"a part of a page beside words", `<table><tr><td>Welcome back, Ann<td><p>Find a book</p><input></table>` +
			`<table><tr><td>Welcome back, Ann<td><input data-testid=search></table>`, "", `
- table:
  - rowgroup:
    - row:
      - cell "Welcome back, Ann"
      - cell:
        - paragraph: Find a book
        - textbox [ref=e1] [description="Find a book"]
- table:
  - rowgroup:
    - row:
      - cell "Welcome back, Ann"
      - cell:
        - textbox [ref=e2] [description="search"]`},
	} {
		t.Run(r.name, r.check)
	}
}

// A field to which no label is bound is described by the words beside it.
func TestReadFieldsBesideWords(t *testing.T) {
	for _, r := range []reading{
		{"words after radio buttons and checkboxes", `<form>Size: <input type=radio>Small<br><input type=radio>Large<br>Extras:<br><input type=checkbox> I like <a href=#>ham</a><br></form>`, "", `
- form:
  - text: Size:
  - radio [ref=e1] [description="Small"]
  - text: Small
  - radio [ref=e2] [description="Large"]
  - text: Large Extras:
  - checkbox [ref=e3] [description="I like ham"]
  - text: I like
  - link "ham" [ref=e4]`},
		{"boxes of their own", `<div><input type=radio><span>Mars</span></div><div style="display:flex"><div><input type=radio></div><div>Venus</div><div>a planet</div></div>`, "", `
- radio [ref=e1] [description="Mars"]
- text: Mars
- radio [ref=e2] [description="Venus a planet"]
- text: Venus
- text: a planet`},
		{"rows of boxes", `<div style="display:flex"><input type=radio><span>Yes</span><input type=radio><b>No</b></div>` +
			`<div style="display:flex"><div><input> km</div><div><input> miles</div></div>`, "", `
- radio [ref=e1] [description="Yes"]
- text: Yes
- radio [ref=e2] [description="No"]
- text: No
- textbox [ref=e3]
- text: km
- textbox [ref=e4]
- text: miles`},
		{"words before all boxes of a line", `<p>Yes <input type=radio> No <input type=radio></p><p>Agree <input type=checkbox></p>`, "", `
- paragraph:
  - text: Yes
  - radio [ref=e1] [description="Yes"]
  - text: No
  - radio [ref=e2] [description="No"]
- paragraph:
  - text: Agree
  - checkbox [ref=e3] [description="Agree"]`},
		{"labels that are not bound", `<div><label>Email</label><input></div><div><label style="display:block">Country</label><div><select><option>1</select></div></div>` +
			`<p>From <input size=4> to <input size=4></p><div><span>Delete everything</span><button style="width:20px;height:20px"></button></div>`, "", `
- text: Email
- textbox [ref=e1] [description="Email"]
- text: Country
- combobox [ref=e2] [description="Country"]:
  - option "1" [selected]
- paragraph:
  - text: From
  - textbox [ref=e3] [description="From"]
  - text: to
  - textbox [ref=e4] [description="to"]
- text: Delete everything
- button [ref=e5] [description="Delete everything"]`},
		{"words of others", `<div><p>Two</p><p><input></p><p><input></p></div><div><input type=checkbox><label for=b>Bound</label><input type=checkbox id=b></div>` +
			`<ul>Fruits<li><input type=checkbox></ul><div><button>Go</button><input></div>`, "", `
- paragraph: Two
- paragraph:
  - textbox [ref=e1]
- paragraph:
  - textbox [ref=e2]
- checkbox [ref=e3]
- checkbox "Bound" [ref=e4]
- list:
  - text: Fruits
  - listitem:
    - checkbox [ref=e5]
- button "Go" [ref=e6]
- textbox [ref=e7]`},
	} {
		t.Run(r.name, r.check)
	}
	p := show(t, `<div><span style="opacity:0">Delete all</span><input></div><div><span style="display:none">Pay</span><input></div>`)
	if got := p.ai("hidden: 'omit'"); strings.Contains(got, "description") {
		t.Errorf("words that nobody sees are a description: %s", got)
	}
}

// The words beside a field are those around it as the page is rendered, also in web components.
func TestReadWordsBesideFields(t *testing.T) {
	const slotted = `<template shadowrootmode=open><div><b>Phone</b> <slot></slot></div></template>`
	for _, c := range []struct{ name, page, want string }{
		{"the words of the line before it", `<div>A<br>B <input>C</div>`, "B"},
		{"all lines of the box", `<div><p>A</p><p>B</p><input></div>`, "A B"},
		{"words only after it", `<div><input> km</div>`, ""},
		{"a sign before it", `<div>A<p>* <input></div>`, "A"},
		{"the words between it and a control", `<div><button>Go</button> A <input></div>`, "A"},
		{"another control in the box", `<div>A <button>Go</button><input></div>`, ""},
		{"words too far away", `<div><p>A</p>` + strings.Repeat("<i></i>", 40) + `<input></div>`, ""},
		{"words after a box", `<div><input type=radio> B</div>`, "B"},
		{"words after a box with a title", `<div>A: <input type=radio> B</div>`, "B"},
		{"words on both sides of a box", `<div>A <input type=checkbox> (required)</div>`, ""},
		{"boxes on both sides of a box", `<div><div>A</div><div><input type=checkbox></div><div>B</div></div>`, ""},
		{"a unit before a field that is not alone", `<div><input placeholder=0> h <input> min</div>`, "min"},
		{"a box among others with names", `<div>A <input type=radio aria-label=A> B <input type=radio> C <input type=radio aria-label=C></div>`, "B"},
		{"a field behind the unit of another one", `<div>A: <input title=A> pcs <input> EUR</div>`, ""},
		{"words after a box, before a button", `<div><input type=checkbox> A <button>x</button></div>`, "A"},
		{"words after boxes", `<div><input type=radio> A <input type=radio> B</div>`, "A B"},
		{"words after boxes with a title", `<div>A: <input type=radio> B <input type=radio> C</div>`, "B C"},
		{"words after boxes, the last for a field", `<div><input type=radio> A <input type=radio> B: <input></div>`, "A B: B:"},
		{"words before boxes", `<div>A? B <input type=radio> C <input type=radio> *</div>`, "A? B C"},
		{"words before boxes in a long line", strings.Repeat(`<b>A</b> <input type=checkbox>`, 24), strings.TrimSpace(strings.Repeat("A ", 24))},
		{"words of boxes that may be before or after", `<div>A <input type=radio> B <input type=radio> C</div>`, ""},
		{"units after fields", `<div><input> h <input> min</div>`, "h min"},
		{"units that may be names", `<div>A <input> h <input> min</div>`, ""},
		{"a field before a button without a name", `<div>A <input><button></button></div>`, "A"},
		{"a button before a bound label", `<div>A <button style="width:20px;height:20px"></button> <label for=b>B</label><input id=b></div>`, "A"},
		{"names with colons before fields", `<div>A: <input> B: <input> km</div>`, "A: B:"},
		{"words of parts of a row", `<div style="display:flex"><b>A</b><b>B</b><input></div>`, "A B"},
		{"words of boxes in a line", `<div><b style="display:inline-block">A</b><b style="display:inline-block">B</b> C<i>D</i> <input></div>`, "A B CD"},
		{"words of a box without a box", `<div><span style="display:contents">A</span> <input></div>`, "A"},
		{"words of a component, in its root", `<x-a><template shadowrootmode=open><label>Colour</label><input></template></x-a>`, "Colour"},
		{"text in a root", `<x-a><template shadowrootmode=open>Name: <input></template></x-a>`, "Name:"},
		{"boxes in a root", `<x-a><template shadowrootmode=open><div><input></div><div>Help</div></template></x-a>`, ""},
		{"words outside a component", `<div>Email <x-a><template shadowrootmode=open><input></template></x-a></div>`, "Email"},
		{"words of a component around it", `<p>We sell no data.</p><x-a>` + slotted + `<input></x-a>`, "Phone"},
		{"words beside it in a slot", `<x-a><template shadowrootmode=open><p>A</p><slot name=b></slot></template><i slot=b>B</i>C<input slot=b></x-a>`, "B"},
		{"words of another component", `<div><x-a>` + slotted + `</x-a> <input></div>`, "Phone"},
		{"words far from a component", `<p>We sell no data.</p><div><div><x-a><template shadowrootmode=open><div><slot></slot></div></template><input></x-a></div></div>`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			line, got := show(t, c.page).ai(), ""
			for _, described := range regexp.MustCompile(`(?:textbox|radio|checkbox|button) .*\[description="(.*)"\]`).FindAllStringSubmatch(line, -1) {
				got += " " + described[1]
			}
			if got = strings.TrimSpace(got); got != c.want {
				t.Errorf("the descriptions are %q, want %q:\n%s", got, c.want, line)
			}
		})
	}
}

// Small drawings in a box that listens for presses have a line when all lines get refs.
func TestReadSmallSigns(t *testing.T) {
	const sign = `<svg class=end width=20 height=20><circle r=9 /></svg>`
	p := show(t, `<div id=l>Node`+sign+`<svg class=map width=90 height=90><path d="M0 0h9"/></svg></div>`)
	p.eval(nil, "chela.setListeners(document.getElementById('l'), ['mousedown'])")
	for _, c := range []struct{ refs, want string }{
		{"", `
- generic [ref=e1] [clickable]: Node`},
		{"refs: 'all'", `
- generic [ref=e1] [clickable]: Node`},
		{"refs: 'all', signs: true", `
- generic [ref=e1] [clickable]:
  - text: Node
  - img [ref=e2] [clickable] [description="svg.end rgb(0, 0, 0)"]`},
	} {
		if diff := cmp.Diff(strings.TrimSpace(c.want), p.ai(c.refs)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.refs, diff)
		}
	}
}

// A sign in an item that is clicked is no target beside the item, which keeps its line.
func TestReadSignsOfItems(t *testing.T) {
	const sign = `<svg class=icon width=16 height=16><path d="M0 0h16v16z" /></svg>`
	for _, page := range []string{
		`<div id=l><span class="tool undo" style="cursor:pointer">` + sign + `</span><span class="tool redo" style="cursor:pointer">` + sign + `</span></div>`,
		`<div id=l><p style="cursor:pointer">` + sign + `Inbox</p><p style="cursor:pointer">` + sign + `<span>Sent</span></p></div>`,
		`<div id=l><div>` + sign + `Inbox</div><div><b>` + sign + `</b>Sent</div></div>`,
	} {
		p := show(t, page)
		p.eval(nil, "chela.setListeners(document.getElementById('l'), ['click'])")
		if diff := cmp.Diff(p.ai(), p.ai("refs: 'all', signs: true")); diff != "" {
			t.Errorf("%s: (-snapshot +with refs of all lines)\n%s", page, diff)
		}
	}
}

// A rule that a script changes in place also counts.
func TestReadRulesChangedInPlace(t *testing.T) {
	for _, c := range []struct{ name, sheet, change, want string }{
		{"another text", ".a::before { content: 'one ' }", "rules[0].style.content = '\"two \"'", "- paragraph: two text"},
		{"a text", ".a::before { color: red }", "rules[0].style.content = '\"two \"'", "- paragraph: two text"},
		{"no text", ".a::before { content: 'one ' }", "rules[0].style.content = ''", "- paragraph: text"},
		{"all rules", ".a::before { color: red }", "sheet.replaceSync('.a::before { content: \"two \" }')", "- paragraph: two text"},
		{"the middle one of three", "b {} i {} u {}", "sheet.deleteRule(1); sheet.insertRule('.a::before { content: \"two \" }', 1)", "- " +
			"paragraph: two text"},
		{"visibility", ".a { color: red }", "rules[0].style.contentVisibility = 'hidden'", "(empty page)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := show(t, "<p class=a>text</p><script>const sheet = new CSSStyleSheet(); sheet.replaceSync(`"+c.sheet+"`); "+
				"document.adoptedStyleSheets = [sheet]</script>")
			p.ai()
			p.eval(nil, "{ const sheet = document.adoptedStyleSheets[0], rules = sheet.cssRules; "+c.change+" }")
			if got := p.ai(); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

// However deep a label is nested, it is read, or a mark says that it is not.
func TestReadDeepNames(t *testing.T) {
	for depth, want := range map[int]string{900: "top bottom", 20_000: "top …"} {
		p := show(t, fmt.Sprintf(`<div hidden id=l>top </div><button aria-labelledby=l></button><script>
			let at = l;
			for (let i = 0; i < %d; i++) at = at.appendChild(document.createElement('span'));
			at.append('bottom');
		</script>`, depth))
		if got := p.ai(); got != `- button "`+want+`" [ref=e1]` {
			t.Errorf("%d levels: %s", depth, got)
		}
	}
}

// A field that shows discs in place of its text is masked, as a password is. The page may do so by
// a style.
// CodeMirror 5 takes input in a text area that holds the selection, in a box without a size. Its value
// is not the text of the editor.
func TestReadTheFieldOfAnEditor(t *testing.T) {
	for _, r := range []reading{
		{"in a box without a size", `<div style="overflow:hidden;position:relative;width:3px;height:0"><textarea aria-label=Code ` +
			`style="position:absolute;width:1000px">old</textarea></div><pre>new</pre>`, "", "- textbox \"Code\" [ref=e1]\n- text: new"},
		{"in a box that is closed", `<div style="overflow:hidden;height:0"><textarea aria-label=Note>old</textarea></div>`, "", `- textbox "Note" [ref=e1]: old`},
	} {
		t.Run(r.name, r.check)
	}
}

func TestReadMaskedFields(t *testing.T) {
	p := show(t, `<style>.pin{-webkit-text-security:circle}</style><input aria-label=Pin value=secretpin style="-webkit-text-security:disc">
		<input type=tel aria-label=Code value=secretcode class=pin><textarea aria-label=Key class=pin>secretkey</textarea><input aria-label=Name value=Ada>`)
	if got := p.ai(); strings.Contains(got, "secret") || strings.Count(got, "••••") != 3 || !strings.Contains(got, "Ada") {
		t.Error(got)
	}
}

// Elements of SVG, MathML and other XML can have the names of HTML elements, and unknown elements of
// HTML the names of SVG's. They have none of the meaning of these names.
func TestReadElementsWithForeignNames(t *testing.T) {
	const svg = `<svg width=90 height=90><text y=20>Words</text>`
	for _, r := range []struct{ name, page, want string }{
		{"controls in a drawing", svg + `<select><option>One</option></select><input value=x><label>Label</label><slot>Slot</slot><progress></progress>` +
			`<details><summary>More</summary></details><button>Go</button><area href=x /><object data=x></object><iframe src=x></iframe></svg>`, `
- img: Words
- hidden: 1 text that a person cannot see, 18 characters (hidden=mark shows them)`},
		{"links and titles in a drawing", svg + `<title>Map</title><a href=#><text y=40>Home</text></a></svg>`, `
- img "Map":
  - text: Words
  - link "Home" [ref=e1]`},
		{"controls in a formula", `<math><mi>x</mi><select></select><label>Label</label><slot></slot></math>`, `
- math: x
- hidden: 1 text that a person cannot see, 5 characters (hidden=mark shows them)`},
		{"an icon of SVG outside of a drawing", `<button><use href="#trash"></use></button>`, `
- button [ref=e1] [description="#trash"]`},
		{"elements of an unknown language", `<button id=b></button><script>
			const el = document.createElementNS('urn:x', 'label');
			el.setAttribute('class', 'star');
			b.append(el);
			document.body.append(document.createElementNS('urn:x', 'select'), Object.assign(document.createElementNS('urn:x', 'title'), { textContent: 'Words' }));
		</script>`, `
- button [ref=e1] [description=".star"]
- text: Words`},
	} {
		t.Run(r.name, func(t *testing.T) {
			if diff := cmp.Diff(strings.TrimSpace(r.want), show(t, r.page).ai("hidden: 'omit'")); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// Every reading gets through pages that nobody writes, but that scripts and HTML editors make.
func TestReadUnusualElements(t *testing.T) {
	for _, r := range []struct{ name, page string }{
		{"controls in a drawing", `<p>Words</p><svg><select><option>x</option></select><input /><textarea></textarea></svg>`},
		{"a turned element that is never rendered", `<style>option { rotate: 5deg; scale: .5 }</style><p>Words</p><meter><option>x</option></meter>`},
	} {
		t.Run(r.name, func(t *testing.T) {
			p := show(t, r.page)
			for reading, got := range p.readings() {
				if !strings.Contains(got, "Words") {
					t.Errorf("%s: %s", reading, got)
				}
			}
			var version int
			p.eval(nil, "chela.awaitNews(0, 0).then(version => { self.version = version })")
			if p.eval(&version, "self.version ?? 0"); version != 1 {
				t.Errorf("version %d", version)
			}
		})
	}
}

func TestFocusUnknownElement(t *testing.T) {
	p := show(t, `<body><script>document.body.append(Object.assign(document.createElementNS('urn:x', 'button'), { textContent: 'Go' }))</script>`)
	p.eval(nil, "chela.walk({ maxNodes: 1e4, maxMs: 5000, maxChars: 1e5, hidden: 'omit', refs: 'all' })")
	var missing string
	p.eval(nil, "chela.focusOn(1, performance.now() + 1000).then(answer => { self.missing = answer.missing })")
	if p.eval(&missing, "self.missing ?? 'nothing'"); missing != "unfocusable" {
		t.Errorf("missing %s", missing)
	}
}

// A popup that closes when it loses the focus may give the focus back to its button.
func TestFocusBesideAPopup(t *testing.T) {
	p := show(t, `<button id=b>Open</button><div id=popup tabindex=0>Popup</div><input id=i><script>popup.focus();`+
		`i.addEventListener('focus', () => { if (popup.isConnected) { popup.remove(); b.focus() } })</script>`)
	p.eval(nil, "chela.walk({ maxNodes: 1e4, maxMs: 5000, maxChars: 1e5 })")
	var focused string
	p.eval(nil, "chela.focusOn(3, performance.now() + 1000).then(answer => { self.focused = document.activeElement.id + (answer.missing ?? '') })")
	if p.eval(&focused, "self.focused ?? 'nothing'"); focused != "i" {
		t.Errorf("focused %s", focused)
	}
}

// A page may move the focus on when an element gets it. If it gives the focus to nothing, it is not asked again.
func TestFocusThatIsMovedOn(t *testing.T) {
	for _, s := range []struct{ name, html, want string }{
		{"to nothing", `<input onfocus="this.title += 'x'; this.blur()">`, "x refocused body"},
		{"to another", `<input onfocus="this.title += 'x'; b.focus()"><button id=b>Open</button>`, "xx refocused button"},
		{"never taken", `<p role=button onclick="">Go</p>`, " unfocusable "},
	} {
		t.Run(s.name, func(t *testing.T) {
			p := show(t, s.html)
			p.eval(nil, "chela.walk({ maxNodes: 1e4, maxMs: 5000, maxChars: 1e5, hidden: 'omit', refs: 'all' })")
			var got string
			p.eval(nil, "chela.focusOn(1, performance.now() + 1000).then(a => { self.got = [chela.element(1).title, a.missing, (a.by ?? '').replace(/[^a-z].*/, '')].join(' ') })")
			if p.eval(&got, "self.got ?? 'nothing'"); got != s.want {
				t.Errorf("got %q, want %q", got, s.want)
			}
		})
	}
}

// A document can lack a body, as drawings and documents of frames do. It is read all the same.
func TestReadWithoutBody(t *testing.T) {
	p := show(t, `<p>gone`)
	p.eval(nil, `document.body.remove(), document.documentElement.insertAdjacentHTML('beforeend',
		'<div style="pointer-events:none"><div onclick=1 style="height:9px"></div></div>'), document.documentElement.append('left')`)
	if got := p.ai(); !strings.Contains(got, "left") {
		t.Errorf("got %s", got)
	}
}
