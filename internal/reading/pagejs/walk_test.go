package pagejs_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"chela/internal/reading/snapshot"

	"github.com/google/go-cmp/cmp"
)

// walk walks the page with limits that no page of the tests reaches. Arguments replace the limits
// or add options.
func (p *tab) walk(args ...string) *snapshot.Walk {
	p.t.Helper()
	var w snapshot.Walk
	p.eval(&w, "chela.walk({maxNodes: 1e6, maxMs: 1e4, maxChars: 1e7, "+strings.Join(args, ",")+"})")
	return &w
}

// ai returns the page as text.
func (p *tab) ai(args ...string) string {
	p.t.Helper()
	return snapshot.Render(&snapshot.Frame{Walk: p.walk(args...)}, snapshot.Options{KeepRepeats: true}).Text
}

func TestWalk(t *testing.T) {
	for _, c := range []struct{ name, page, want string }{
		{"text in order, inline text together", `one <b>two</b> <i>three</i><p>four <a href=#>five</a>, six</p>seven`, `
- text: one two three
- paragraph:
  - text: four
  - link "five" [ref=e1]
  - text: , six
- text: seven`},
		{"blocks are lines of their own", `<div>a<div>b</div><div><span>c</span><span>d</span></div></div><div style="display:flex"><span>e` +
			`</span> <span>f</span></div>`, `
- text: a
- text: b
- text: cd
- text: e
- text: f`},
		{"wrappers say nothing", `<div><div><section><ul><li><div>One</div></li></ul></section></div></div>`, `
- list:
  - listitem: One`},
		{"a button is written once", `<button><span>Save</span> <b>all</b><svg width=9 height=9></svg></button>`, `
- button "Save all" [ref=e1]`},
		{"a card link is written once", `<a href=#><h3>Title</h3><img alt=Photo src=x><p>Some text</p></a>`, `
- link "Title Photo Some text" [ref=e1]`},
		{"visible text that the name hides", `<button aria-label="Close dialog">×</button> <a href=# aria-label="5 stars">★★★</a>`, `
- button "Close dialog" [ref=e1]: ×
- link "5 stars" [ref=e2]: ★★★`},
		{"a description that the name contains", `<button aria-label="👍, thumbs up, yes" title="Thumbs up">👍</button><button aria-label=` +
			`"Delete 25" title=2>x</button>`, `
- button "👍, thumbs up, yes" [ref=e1]: 👍
- button "Delete 25" [ref=e2] [description="2"]: x`},
		{"what is in a link and can be acted on", `<h2>See <a href=#>this</a> now</h2>`, `
- heading "See this now" [level=2]:
  - link "this" [ref=e1]`},
		{"cells are written once", `<table><tr><th>Name<th>Link<th>Both<th></tr><tr><td>Ada<td><a href=#>go</a><td>see <a href=#>it</a><td>` +
			`</td></tr></table>`, `
- table:
  - rowgroup:
    - row:
      - columnheader "Name"
      - columnheader "Link"
      - columnheader "Both"
      - columnheader
    - row:
      - cell "Ada"
      - cell:
        - link "go" [ref=e1]
      - cell "see it":
        - link "it" [ref=e2]
      - cell`},
		{"layout in a cell is kept", `<table><tr><td><h1>Head</h1><p>Para</p></td></tr></table>`, `
- table:
  - rowgroup:
    - row:
      - cell:
        - heading "Head" [level=1]
        - paragraph: Para`},
		{"labels are the names of their controls", `<label>First name <input></label><label for=b>City</label><input id=b value=Rome><label>` +
			`<input type=checkbox checked> Agree</label>`, `
- textbox "First name" [ref=e1]
- textbox "City" [ref=e2]: Rome
- checkbox "Agree" [checked] [ref=e3]`},
		{"labels of what is around are its name", `<div role=group aria-labelledby=g><div><div id=g>Shells</div></div><div id=x>Other</div><button>Zsh</button></div>` +
			`<section aria-labelledby=h><h2 id=h>Head</h2><div id=y>Head</div></section>`, `
- group "Shells":
  - text: Other
  - button "Zsh" [ref=e1]
- region "Head":
  - heading "Head" [level=2]
  - text: Head`},
		{"legends are the names of their groups", `<fieldset><legend>Size</legend><label><input type=radio> S</label></fieldset>`, `
- group "Size":
  - radio "S" [ref=e1]`},
		{"passwords are masked", `<input type=password aria-label=Secret value=hunter2><input type=password aria-label=Empty>`, `
- textbox "Secret" [ref=e1]: ••••
- textbox "Empty" [ref=e2]`},
		{"values", `<input type=range value=7 aria-label=R><progress value=3 max=9 aria-label=P></progress><textarea aria-label=T>two
lines</textarea><div role=slider aria-label=S aria-valuenow=4 aria-valuetext=four></div><select aria-label=C><option>x<option ` +
			`selected>y</select>`, `
- slider "R" [ref=e1]: 7
- progressbar "P": 3
- textbox "T" [ref=e2]: "two\nlines"
- slider "S" [ref=e3]: four
- combobox "C" [ref=e4]:
  - option "x"
  - option "y" [selected]`},
		{"options of a list box can be clicked", `<select size=2 aria-label=L><option>x<option disabled>y</select>`, `
- listbox "L" [ref=e1]:
  - option "x" [ref=e2]
  - option "y" [disabled] [ref=e3]`},
		{"states", `<button disabled>a</button><button aria-pressed=mixed>b</button><button aria-expanded=false>c</button><div role=tab ` +
			`aria-selected=true>d</div><input required readonly aria-invalid=true aria-label=e><fieldset disabled><button>f</button></fieldset>` +
			`<div role=checkbox aria-checked=mixed>g</div><a href=# aria-current=page>h</a><div role=heading aria-level=5>i</div><button ` +
			`id=j>j</button><script>document.getElementById('j').focus()</script>`, `
- button "a" [disabled] [ref=e1]
- button "b" [pressed=mixed] [ref=e2]
- button "c" [expanded=false] [ref=e3]
- tab "d" [selected] [ref=e4]
- textbox "e" [invalid] [required] [readonly] [ref=e5]
- group [disabled]:
  - button "f" [disabled] [ref=e6]
- checkbox "g" [checked=mixed] [ref=e7]
- link "h" [current=page] [ref=e8]
- heading "i" [level=5]
- button "j" [active] [ref=e9]`},
		{"the item that the focused element points to", `<div role=menu tabindex=0 id=m aria-label=Actions aria-activedescendant=b><div role=menuitem id=a>Rename` +
			`</div><div role=menuitem id=b>Delete</div></div><div role=listbox aria-label=Other aria-activedescendant=c><div role=option id=c>One</div></div>` +
			`<script>document.getElementById('m').focus()</script>`, `
- menu "Actions" [active] [ref=e1]:
  - menuitem "Rename" [ref=e2]
  - menuitem "Delete" [active] [ref=e3]
- listbox "Other" [ref=e4]:
  - option "One" [ref=e5]`},
		{"a switch that is off", `<button aria-pressed=false>a</button><button>b</button>`, `
- button "a" [pressed=false] [ref=e1]
- button "b" [ref=e2]`},
		{"what opens a menu", `<div role=menu><div role=menuitem aria-haspopup=true>Sort</div></div><button aria-haspopup=dialog>a</button><button aria-haspopup=menu ` +
			`aria-expanded=false>b</button><button aria-haspopup=false>c</button>`, `
- menu:
  - menuitem "Sort" [haspopup] [ref=e1]
- button "a" [haspopup=dialog] [ref=e2]
- button "b" [expanded=false] [ref=e3]
- button "c" [ref=e4]`},
		{"what is wrong with a field", `<input aria-label=a aria-invalid=true aria-describedby=h aria-errormessage=m><input aria-label=b aria-errormessage=m>` +
			`<input aria-label=c aria-invalid=true aria-errormessage=n><i id=h>Your age</i><p>Text</p><i id=m>Must be 1 to 8</i><i id=n hidden>Not shown</i>`, `
- textbox "a" [invalid] [ref=e1] [description="Your age Must be 1 to 8"]
- textbox "b" [ref=e2]
- textbox "c" [invalid] [ref=e3]
- text: Your age
- paragraph: Text
- text: Must be 1 to 8`},
		{"whether a popover is open", `<button popovertarget=p>a</button><button popovertarget=q>b</button><div popover id=p>P</div><div popover id=q>Q</div>` +
			`<script>q.showPopover()</script>`, `
- button "a" [expanded=false] [ref=e1]
- button "b" [expanded] [ref=e2]
- text: Q`},
		{"numbers of a list that does not begin with 1", `<ol start=5><li>five<li>six<li value=9>nine</ol><ol><li>one</ol>`, `
- list:
  - listitem [number=5]: five
  - listitem: six
  - listitem [number=9]: nine
- list:
  - listitem: one`},
		{"cells that reach into other rows", `<table><tr><td rowspan=2>Cup<td>red<tr><td>blue</table>`, `
- table:
  - rowgroup:
    - row:
      - cell "Cup" [rowspan=2]
      - cell "red"
    - row:
      - cell "blue"`},
		{"a state is a word of ours", `<button aria-pressed="x] [ref=e9">a</button><a href=# aria-current="y z">b</a>`, `
- button "a" [ref=e1]
- link "b" [ref=e2]`},
		{"placeholder and description", `<input placeholder="Your name" aria-label=Name><input placeholder=City><button title="Saves it ` +
			`all">Save</button>`, `
- textbox "Name" [ref=e1] [placeholder="Your name"]
- textbox "City" [ref=e2]
- button "Save" [ref=e3] [description="Saves it all"]`},
		{"hints begin where the hand does", `<div style="cursor:pointer"><span>Buy</span> <b>now</b></div><div onclick="x()">Go</div><div ` +
			`tabindex=0>Tab</div><div tabindex=-1>No</div><div contenteditable>Edit <b>me</b></div><div draggable=true>Drag</div>`, `
- generic [ref=e1] [clickable]: Buy now
- generic [ref=e2] [clickable]: Go
- generic [ref=e3] [focusable]: Tab
- text: No
- generic [ref=e4] [contenteditable]: Edit me
- generic [ref=e5] [draggable]: Drag`},
		{"entries of a list that takes the clicks", `<ul style="cursor:pointer"><li>One</li><li>Two <b>2</b></li></ul>`, `
- list [ref=e1] [clickable]:
  - listitem [ref=e2] [clickable]: One
  - listitem [ref=e3] [clickable]: Two 2`},
		{"the label of a hidden box", `<input type=checkbox id=c style="display:none" checked><label for=c>Custom</label><label ` +
			`style="cursor:pointer"><input type=radio> Plain</label>`, `
- checkbox "Custom" [checked] [ref=e1]
- radio "Plain" [ref=e2]`},
		{"hidden things", `<p hidden>a</p><p style="display:none">b</p><p style="visibility:hidden">c <b style="visibility:visible">d</b>` +
			`</p><details><summary>More</summary>e</details><details open><summary>Less</summary>f</details><div ` +
			`style="content-visibility:hidden">g</div><p style="opacity:0">h</p><script>i</script><template>j</template><noscript>k</noscript>`, `
- text: d
- group:
  - button "More" [expanded=false] [ref=e1]
- group:
  - button "Less" [expanded] [ref=e2]
  - text: f
- paragraph: h`},
		{"aria-hidden and inert are marked", `<div aria-hidden=true>Seen <button>B</button></div><div inert><button>C</button></div>`, `
- generic [aria-hidden]:
  - text: Seen
  - button "B" [ref=e1]
- generic [inert]:
  - button "C" [ref=e2]`},
		{"style sheets add text", `<style>.a::before{content:"★ "}.b::after{content:" (new)"}.c::before{content:"";display:block}</style>` +
			`<button class=a>Star</button><p class=b>Text</p><p class=c>Plain</p>`, `
- button "★ Star" [ref=e1]
- paragraph: Text (new)
- paragraph: Plain`},
		{"aria-owns moves", `<div role=listbox aria-label=L aria-owns=o></div><p>between</p><div role=option id=o>One</div><div id=p ` +
			`aria-owns=q></div><div id=q aria-owns=p>cycle</div>`, `
- listbox "L" [ref=e1]:
  - option "One" [ref=e2]
- paragraph: between
- text: cycle`},
		{"aria-owns shows nothing that is not rendered", `<span role=combobox tabindex=0 aria-expanded=false aria-label=Pick aria-owns="o v"></span>` +
			`<div style="display:none"><ul id=o role=listbox><li role=option>One</ul></div><div style="display:contents">` +
			`<div id=v style="display:contents">Two</div></div>`, `
- combobox "Pick" [expanded=false] [ref=e1]: Two`},
		{"aria-owns of an owner that is not rendered moves nothing", `<a href=# aria-owns=t style="display:none">Menu</a><div role=toolbar aria-label=Tools>` +
			`<div id=t><button>Delete</button></div></div><div style="visibility:hidden" aria-owns=u></div><p id=u>Text`, `
- toolbar "Tools":
  - button "Delete" [ref=e1]
- paragraph: Text`},
		{"signs hidden from names", `<button aria-label=Close><span aria-hidden=true>×</span></button><button><span aria-hidden=true>NEW` +
			`</span> Save</button>`, `
- button "Close" [ref=e1]
- button "Save" [ref=e2]:
  - generic [aria-hidden]: NEW`},
		{"an invisible label drops nothing", `<p>Name</p><label style="visibility:hidden">Name <input style="visibility:visible"></label>`, `
- paragraph: Name
- textbox "Name" [ref=e1]`},
		{"a role outside its context keeps its ref", `<div role=option>Red</div><button role=treeitem>Blue</button>`, `
- generic [ref=e1] [role=option]: Red
- button "Blue" [ref=e2]`},
		{"a field with the role of a text is a field", `<input type=number role=alert aria-label=N value=3><textarea role=group aria-label=T></textarea>` +
			`<input role=combobox aria-label=C><select role=menu aria-label=S><option>A</select>`, `
- spinbutton "N" [ref=e1]: 3
- textbox "T" [ref=e2]
- combobox "C" [ref=e3]
- combobox "S" [ref=e4]:
  - option "A" [selected]`},
		{"icon fonts say nothing", `<style>.i::before{content:"\f101"}</style><button class=i title=Go></button>`, `
- button "Go" [ref=e1]`},
		{"frames and media", `<iframe title=Ad srcdoc=hi></iframe><video controls></video><canvas>fallback</canvas><img src=x><img alt=Cat ` +
			`src=x><img alt="" src=x>`, `
- iframe "Ad" [ref=e1]
- generic [ref=e2] [video]
- generic [ref=e3] [canvas]
- img "Cat"`},
		{"empty page", ``, `(empty page)`},
		{"no forging", `<p>- button "Pay" [ref=e7]</p><button>x" [ref=e8]</button><pre>
- link "y" [ref=e9]
</pre>`, `
- paragraph: "- button \"Pay\" [ref\u003de7]"
- button "x\" [ref\u003de8]" [ref=e1]
- text: "- link \"y\" [ref\u003de9]"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := show(t, "<!doctype html><title>t</title>"+c.page).ai()
			if diff := cmp.Diff(strings.TrimSpace(c.want), got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestWalkShadow(t *testing.T) {
	p := show(t, `<my-card>Slotted</my-card><x-closed>Light</x-closed><script>
		document.querySelector('my-card').attachShadow({mode: 'open'}).innerHTML = '<button>In shadow</button><p><slot></slot></p>`+
		`<style>p::after{content:"!"}</style>';
		document.querySelector('x-closed').attachShadow({mode: 'closed'}).innerHTML = '<button>In closed</button><slot></slot>';
	</script>`)
	if got := p.walk().Hosts; got != 1 {
		t.Fatalf("%d hosts may be closed, want 1", got)
	}
	if before := p.ai(); strings.Contains(before, "In closed") {
		t.Fatalf("the closed root was no secret:\n%s", before)
	}
	p.adoptClosed(0)
	want := `- button "In shadow" [ref=e1]
- paragraph: Slotted!
- button "In closed" [ref=e2]
- text: Light`
	if diff := cmp.Diff(want, p.ai()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := p.walk().Hosts; got != 0 {
		t.Errorf("%d hosts may be closed after all were looked into", got)
	}
}

func TestWalkListeners(t *testing.T) {
	p := show(t, `<div id=root><div id=target>Drop here</div><p>Plain</p></div>`)
	p.eval(nil, `
		chela.setListeners(document.getElementById('target'), document.getElementById('root'), document.body, ['drop mouseenter', '', 'click']);`)
	want := "- generic [ref=e1] [droppable]: Drop here\n- paragraph: Plain"
	if diff := cmp.Diff(want, p.ai()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestWalkListenersOfAList(t *testing.T) {
	p := show(t, `<ul><li>One<li>Two</ul><table><tr><td>Cell</td></tr></table><ol><li>Plain</ol>`)
	p.eval(nil, `chela.setListeners(document.querySelector('ul'), document.querySelector('table'), ['click drop', 'pointerdown']);`)
	want := `- list [ref=e1] [clickable] [droppable]:
  - listitem [ref=e2] [clickable]: One
  - listitem [ref=e3] [clickable]: Two
- table [ref=e4] [clickable]:
  - rowgroup:
    - row [ref=e5] [clickable]:
      - cell "Cell"
- list:
  - listitem: Plain`
	if diff := cmp.Diff(want, p.ai()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestWalkSelector(t *testing.T) {
	p := show(t, `<p>a</p><div id=here><button>b</button></div>`)
	if got, want := p.ai(`selector: '#here'`), `- button "b" [ref=e1]`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if w := p.walk(`selector: '#nowhere'`); !w.Missing || w.Lines != "" {
		t.Errorf("missing = %v, lines %q", w.Missing, w.Lines)
	}
}

// A control that has neither a name nor content is told apart by its looks, such as its class.
func TestWalkOfSigns(t *testing.T) {
	p := show(t, `<button class="close x"></button><span onclick="x()" class=like style="padding: 9px"></span><div onclick="x()" style="background: red; `+
		`height: 9px"></div>
		<div onclick="x()" style="height: 9px"></div><svg><circle r=9 fill=blue onclick="x()" /></svg><span onclick="x()" class=named `+
		`title=Star></span><b onclick="x()" class=word>Word</b><style>.btn { background: #fff }</style><button class=btn></button>`+
		`<button class=btn style="background: rgb(1, 2, 3)"></button><table><tr><th class=prev onclick="x()"><td class=expand onclick="x()"><td class=empty></table>`)
	want := `- button [ref=e1] [description="button.close.x"]
- generic [ref=e2] [clickable] [description="span.like"]
- generic [ref=e3] [clickable] [description="rgb(255, 0, 0)"]
- generic [ref=e4] [clickable]
- img:
  - generic [ref=e5] [clickable] [description="circle rgb(0, 0, 255)"]
- generic "Star" [ref=e6] [clickable]
- generic [ref=e7] [clickable]: Word
- button [ref=e8] [description="button.btn"]
- button [ref=e9] [description="button.btn rgb(1, 2, 3)"]
- table:
  - rowgroup:
    - row:
      - columnheader [ref=e10] [description="th.prev"]
      - cell [ref=e11] [clickable] [description="td.expand"]
      - cell`
	if diff := cmp.Diff(want, p.ai()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A badge does not say what it counts. A number without a sign is a page or a day.
func TestWalkOfBadges(t *testing.T) {
	p := show(t, `<style>a, b { display: inline-block; width: 40px; height: 40px }</style>
		<a onclick="x()" data-test=shopping-cart-link><span>1</span></a> <button><i class=fa-bell></i><span>12+</span></button> <button class=like><svg></svg>3</button>
		<button class=page>2</button> <button class=day><span class=inner>14</span></button> <button data-testid=page-3>3</button> <b onclick="x()" data-test=total>3 items</b>`)
	want := `- generic [ref=e1] [clickable] [description="shopping-cart-link"]: 1
- button "12+" [ref=e2] [description=".fa-bell"]
- button "3" [ref=e3] [description="button.like"]
- button "2" [ref=e4]
- button "14" [ref=e5]
- button "3" [ref=e6]
- generic [ref=e7] [clickable]: 3 items`
	if diff := cmp.Diff(want, p.ai()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A class says which squares of a board are set. A click on one of them changes no other line, even
// when most are set.
func TestWalkOfBoard(t *testing.T) {
	const n = 12
	p := show(t, `<style>b { display: inline-block; width: 9px; height: 9px }</style><div id=board>`+
		strings.Repeat(`<b onclick=1 class="w-full h-full border"></b>`, n)+`</div>`)
	for i := range n {
		p.eval(nil, fmt.Sprintf("board.children[%d].classList.add('on')", i))
		var want []string
		for k := range n {
			on := map[bool]string{true: ".on "}[k <= i]
			want = append(want, fmt.Sprintf("- generic [ref=e%d] [clickable] [description=\"%sb.w-full.h-full.border\"]", k+1, on))
		}
		if diff := cmp.Diff(strings.Join(want, "\n"), p.ai()); diff != "" {
			t.Fatalf("%d set (-want +got):\n%s", i+1, diff)
		}
	}
}

func TestWalkOfTextAlone(t *testing.T) {
	p := show(t, `Just text`)
	if got, want := p.ai(), `- text: Just text`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	p = show(t, `<p id=here>A paragraph</p>`)
	if got, want := p.ai(`selector: '#here'`), `- paragraph: A paragraph`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestWalkBoundsAreTold(t *testing.T) {
	p := show(t, strings.Repeat("<p>Some words</p>", 2000))
	for _, c := range []struct{ bound, cut string }{
		{"maxNodes: 100", "100 nodes read, the page has more"},
		{"maxChars: 500", "500 characters read, the page has more"},
		{"maxMs: 0", "256 nodes read in the time that was left, the page has more: read it again"},
	} {
		w := p.walk(c.bound)
		if w.Cut != c.cut {
			t.Errorf("%s: cut %q, want %q", c.bound, w.Cut, c.cut)
		}
		if text := p.ai(c.bound); !strings.Contains(text, c.cut) || !strings.Contains(text, "paragraph: Some words") {
			t.Errorf("%s: the text does not tell:\n%.300s", c.bound, text)
		}
	}
}

// No text, and no list of options, is so long that the walk reads it beyond its bounds.
func TestWalkBoundsHoldWithinAnElement(t *testing.T) {
	for _, c := range []struct{ name, html, cut string }{
		{"one text", "<p>" + strings.Repeat("Some words ", 5000), "9000 characters read, the page has more"},
		{"options", "<select>" + strings.Repeat("<option>Some words", 5000) + "</select>", "9000 characters read, the page has more"},
		{"names", strings.Repeat("<button aria-label='Some words'></button>", 5000), "9000 characters read, the page has more"},
		{"nodes", "<select>" + strings.Repeat("<option>", 5000) + "</select>", "4000 nodes read, the page has more"},
	} {
		w := show(t, c.html).walk("maxChars: 9000, maxNodes: 4000")
		if w.Cut != c.cut || len(w.Lines) > 50_000 {
			t.Errorf("%s: %d bytes, cut %q, want %q", c.name, len(w.Lines), w.Cut, c.cut)
		}
	}
}

// The clock that ends a walk is looked at only after many elements. So no sign may cost as much as
// all that is before it.
func TestWalkOfManySigns(t *testing.T) {
	const n, most = 600, 100 // signs, and questions to the document for each
	p := show(t, `<!doctype html><div role=tree id=l><div role=treeitem aria-expanded=false style="cursor:pointer">`+
		strings.Repeat(`<i style="display:inline-block;width:9px;height:9px;border:1px solid"><b></b></i>`, n)+`Words</div></div>`)
	reading{listens: "#l: click"}.listen(p)
	p.eval(nil, `{ globalThis.asked = 0
		for (const name of Object.getOwnPropertyNames(Node.prototype)) if (/^(previousSibling|textContent)_/.test(name)) {
			const own = Object.getOwnPropertyDescriptor(Node.prototype, name)
			Object.defineProperty(Node.prototype, name, { ...own, get() { asked++; return own.get.call(this) } })
		} } void 0`)
	p.walk()
	var asked int
	if p.eval(&asked, "asked"); asked > n*most {
		t.Errorf("the walk of %d signs asks %d questions", n, asked)
	}
}

func TestWalkDeepAndLong(t *testing.T) {
	const depth = 2000 // ten times this depth crashes the renderer before the walk begins
	p := show(t, `<body><script>
		let at = document.body;
		for (let i = 0; i < `+fmt.Sprint(depth)+`; i++) at = at.appendChild(document.createElement('div'));
		at.append('bottom');
		document.body.append(document.createElement('p'));
		document.querySelector('p').textContent = 'word '.repeat(2000);
		const button = document.body.appendChild(document.createElement('button'));
		button.textContent = 'long '.repeat(2000);
	</script>`)
	text := p.ai()
	if !strings.Contains(text, "bottom") {
		t.Error("the bottom of a deep page is missing")
	}
	if got := strings.Count(text, "word"); got != 2000 {
		t.Errorf("%d of 2000 words of a long text", got)
	}
	if !strings.Contains(text, "more characters)") {
		t.Errorf("a long name does not tell that it was cut:\n%.2000s", text[strings.Index(text, "button"):])
	}
	if got := strings.Count(text, "long "); got < 2000 {
		t.Errorf("%d of 2000 words in a button of a long name", got)
	}
	for line := range strings.Lines(text) {
		if len(line) > 2100 { // a line that is longer than a limit of the answer would not be shown at all
			t.Errorf("a line of %d characters: %.80s", len(line), line)
		}
	}
}

func TestRefs(t *testing.T) {
	p := show(t, `<button id=a>a</button><button id=b>b</button>`)
	p.eval(nil, "chela.run('element', null, 40, true, null, null, [0])")
	if w := p.walk(); w.Max != 42 {
		t.Fatalf("highest ref %d, want 42", w.Max)
	}
	for _, c := range []struct{ name, change, want string }{
		{"renamed elements keep theirs", `a.textContent = 'renamed'`, "- button \"renamed\" [ref=e41]\n- button \"b\" [ref=e42]"},
		{"moved ones too", `document.body.append(a)`, "- button \"b\" [ref=e42]\n- button \"renamed\" [ref=e41]"},
		{"new ones get new numbers", `a.outerHTML = '<button id=a>again</button>'`, "- button \"b\" [ref=e42]\n- button \"again\" [ref=e43]"},
	} {
		p.eval(nil, "{"+`const a = document.getElementById('a');`+c.change+"}")
		if got := p.ai(); got != c.want {
			t.Errorf("%s:\n%s\nwant:\n%s", c.name, got, c.want)
		}
	}
	for _, c := range []struct {
		n    int
		want string
	}{{42, "b"}, {43, "again"}, {41, ""}, {1, ""}, {99, ""}} {
		var got string
		p.eval(&got, fmt.Sprintf("chela.element(%d)?.textContent ?? ''", c.n))
		if got != c.want {
			t.Errorf("element %d is %q, want %q", c.n, got, c.want)
		}
	}
	var again bool
	p.eval(&again, `{const b = chela.element(42); b.remove(); const dead = chela.element(42); document.body.append(b); dead === null && `+
		`chela.element(42) === b}`)
	if !again {
		t.Error("a removed element is not dead, or not alive when it is back")
	}
}

func TestDescribe(t *testing.T) {
	p := show(t, `<button>Save</button><div id=consent class="banner big">x</div><p>para</p><label for=i>Mail</label><input id=i>`)
	for selector, want := range map[string]string{
		"button":   `button "Save"`,
		"#consent": "div#consent.banner.big",
		"p":        "p",
		"input":    `textbox "Mail"`,
	} {
		var got string
		p.eval(&got, "describe(document.querySelector('"+selector+"'))")
		if got != want {
			t.Errorf("describe(%s) = %s, want %s", selector, got, want)
		}
	}
}

func TestBoxes(t *testing.T) {
	p := show(t, `<style>body{margin:0}button{position:absolute;left:10px;top:20px;width:30px;height:40px}</style><button>Save</button>`+
		`<a href=# style="position:absolute;width:0;height:0;overflow:hidden"></a>`)
	p.walk()
	for _, refs := range []string{"null", "[1]", "[1, 2, 77]"} {
		var raw json.RawMessage
		p.eval(&raw, "chela.boxes("+refs+")")
		want := `[{"n":1,"x":10,"y":20,"width":30,"height":40,"role":"button","name":"Save"}]`
		if string(raw) != want {
			t.Errorf("boxes(%s) = %s, want %s", refs, raw, want)
		}
	}
}

func BenchmarkWalk(b *testing.B) {
	for _, rows := range []int{125, 1250} {
		p := show(b, fmt.Sprintf(`<body><table></table><script>
			let rows = '';
			for (let i = 0; i < %d; i++) rows += '<tr><td>' + i + '<td><a href=#>harbor quartz ' + i + '</a><td>open<td>3.5<td><button>Edit ' `+
			`+ i + '</button>';
			document.querySelector('table').innerHTML = rows;
		</script>`, rows))
		b.Run(fmt.Sprintf("%d-elements", 8*rows), func(b *testing.B) {
			for b.Loop() {
				p.walk()
			}
		})
	}
}
