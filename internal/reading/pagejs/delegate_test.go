package pagejs_test

import (
	"strings"
	"testing"
)

// A listener of a container acts on the boxes in it that look alike, so each gets a ref.
func TestReadDelegatedPresses(t *testing.T) {
	for _, r := range []reading{
		{"fields and their labels", `<div class=f data-size=s><label for=a>First name</label><div><input id=a></div></div><div class=f ` +
			`data-size=s><label for=b>Family name</label><div><input id=b></div></div><div class=f data-size=s><div>Card</div></div>`, "document: mousedown", `
- textbox "First name" [ref=e1]
- textbox "Family name" [ref=e2]
- generic [ref=e3] [clickable]: Card`},
		{"blocks", `<div id=l style="cursor:pointer"><div>Apple</div><div>Pear</div></div>`, "#l: click", `
- generic [ref=e1] [clickable]:
  - generic [ref=e2] [clickable]: Apple
  - generic [ref=e3] [clickable]: Pear`},
		{"not the lines of a drawn handle", `<div id=l style="width:20px"><div style="height:3px"></div><div style="height:3px"></div></div>`, "#l: mousedown", `
- generic [ref=e1] [clickable] [description="div#l"]`},
		{"items below a field", `<style>div{cursor:pointer}</style><div class=dd><p><input readonly value=Fig></p><div><div class=item><div>Fig</div></div>` +
			`<div class=item><div>Lime</div></div></div></div><div class=card><div>Ada</div><div>London</div></div>`, "document: mouseup", `
- generic [ref=e1] [clickable]:
  - paragraph:
    - textbox [readonly] [ref=e2]: Fig
  - generic [ref=e3] [clickable]: Fig
  - generic [ref=e4] [clickable]: Lime
- generic [ref=e5] [clickable]:
  - text: Ada
  - text: London`},
		{"symbols in entries and texts", `<ul id=l><li>One <span>×</span></li><li>Two <span>·</span></li></ul><p>Close <span>✕</span>` +
			`</p>`, "#l: click", `
- list [ref=e1] [clickable]:
  - listitem [ref=e2] [clickable]:
    - text: One
    - generic [ref=e3] [clickable]: ×
  - listitem [ref=e4] [clickable]: Two ·
- paragraph: Close ✕`},
		{"a link of scripts in a row", `<div id=l><div><p>Ada <a class=link data-action=edit>Edit</a> <a name=top>Top</a></p></div></div>`, "#l: click", `
- generic [ref=e1] [clickable]:
  - paragraph:
    - text: Ada
    - generic [ref=e2] [clickable]: Edit
    - text: Top`},
		{"the symbol of a button, by the page", `<button aria-label=Close><span style="cursor:pointer">×</span></button><button><span>Ada ` +
			`</span><span>×</span></button>`, "document: click", `
- button "Close" [ref=e1]: ×
- button "Ada ×" [ref=e2]:
  - generic [ref=e3] [clickable]: ×`},
		{"symbols, by the menu of the page", `<p>Close <span>✕</span></p>`, "document: contextmenu", `
- paragraph: Close ✕`},
		{"symbols, by the page", `<div>Header <span>✕</span></div>`, "document: click", `
- text: Header
- generic [ref=e1] [clickable]: ✕`},
		{"days of a table in a box", `<div id=l><table><thead><tr><th>Mo<th>Tu<tbody><tr><td>1<td class=off>2</table></div>`, "#l: click", `
- generic [ref=e1] [clickable]:
  - table:
    - rowgroup:
      - row:
        - columnheader "Mo"
        - columnheader "Tu"
    - rowgroup:
      - row:
        - cell "1" [ref=e2] [clickable]
        - cell "2" [ref=e3] [clickable]`},
		{"days do not run together", `<div id=l><span>11</span><span>12</span></div>`, "#l: click", `
- generic [ref=e1] [clickable]:
  - generic [ref=e2] [clickable]: 11
  - generic [ref=e3] [clickable]: 12`},
		{"days in weeks", `<div id=l><div class=week><span>1</span><span>2</span></div><div class=week><span>3</span><span>4</span></div>` +
			`</div>`, "#l: mousedown", `
- generic [ref=e1] [clickable]:
  - generic [ref=e2] [clickable]: 1
  - generic [ref=e3] [clickable]: 2
  - generic [ref=e4] [clickable]: 3
  - generic [ref=e5] [clickable]: 4`},
		{"short cells, not their rows", `<table><tr><td>a1<td>b1<tr><td>a2<td>b2</table>`, "table: click", `
- table [ref=e1] [clickable]:
  - rowgroup:
    - row:
      - cell "a1" [ref=e2] [clickable]
      - cell "b1" [ref=e3] [clickable]
    - row:
      - cell "a2" [ref=e4] [clickable]
      - cell "b2" [ref=e5] [clickable]`},
		{"rows, not their cells", `<table><tr><td>Ada Lovelace<td>London<tr><td>Alan Turing<td>Manchester</table>`, "tbody: click", `
- table:
  - rowgroup [ref=e1] [clickable]:
    - row [ref=e2] [clickable]:
      - cell "Ada Lovelace"
      - cell "London"
    - row [ref=e3] [clickable]:
      - cell "Alan Turing"
      - cell "Manchester"`},
		{"rows made of blocks, not their parts", `<div id=l><div style="display:flex"><div>Ada Lovelace</div><div>London</div></div><div ` +
			`style="display:flex"><div>Alan Turing</div><div>Manchester</div></div></div>`, "#l: click", `
- generic [ref=e1] [clickable]:
  - generic [ref=e2] [clickable]:
    - text: Ada Lovelace
    - text: London
  - generic [ref=e3] [clickable]:
    - text: Alan Turing
    - text: Manchester`},
		{"columns and their cards", `<div id=l><div class=c><h3>To do</h3><div class=k>Write</div><div class=k>Proofread</div></div><div ` +
			`class=c><div class=k>Print</div><div class=k>Ship</div></div></div>`, "#l: pointerdown", `
- generic [ref=e1] [clickable]:
  - generic [ref=e2] [clickable]:
    - heading "To do" [level=3]
    - generic [ref=e3] [clickable]: Write
    - generic [ref=e4] [clickable]: Proofread
  - generic [ref=e5] [clickable]:
    - generic [ref=e6] [clickable]: Print
    - generic [ref=e7] [clickable]: Ship`},
		{"a card is one target", `<div id=l><h3>Title</h3><p>Text <b>bold</b></p></div>`, "#l: click", `
- generic [ref=e1] [clickable]:
  - heading "Title" [level=3]
  - paragraph: Text bold`},
		{"wrappers of links are none", `<nav><div><a href=#>One</a></div><div><a href=#>Two</a></div></nav>`, "nav: click", `
- navigation [ref=e1] [clickable]:
  - link "One" [ref=e2]
  - link "Two" [ref=e3]`},
		{"what is in a button is pressed with it", `<button><div>Big</div><div>Small</div></button>`, "button: click", `
- button "Big Small" [ref=e1]`},
		{"signs without text", `<div id=l><i class="s a" style="display:inline-block;width:9px;height:9px"></i><i class="s b" ` +
			`style="display:inline-block;width:9px;height:9px"></i></div>`, "#l: click", `
- generic [ref=e1] [clickable]:
  - generic [ref=e2] [clickable] [description="i.s.a"]
  - generic [ref=e3] [clickable] [description="i.s.b"]`},
		{"cells of a grid, by the page", `<div role=grid><div role=row><div role=gridcell tabindex=-1>10a</div><div role=gridcell ` +
			`tabindex=-1>10b</div></div></div>`, "document: pointerdown", `
- grid:
  - row:
    - gridcell "10a" [ref=e1]
    - gridcell "10b" [ref=e2]`},
		{"named groups, by the page", `<div role=group aria-label=dst></div><div role=group>x</div>`, "document: pointermove pointerup", `
- group "dst" [ref=e1] [clickable]
- group: x`},
		{"groups of options are no targets", `<div role=listbox><div><div role=group aria-label=Shells><div role=option>Zsh</div></div></div></div>`,
			"document: pointerdown", `
- listbox [ref=e1]:
  - group "Shells":
    - option "Zsh" [ref=e2]`},
		{"what carries data, by the page", `<div data-id=1>One</div><div data-id=2>Two</div><div>Three</div><p data-id=3>Text</p><span>11` +
			`</span><span>12</span>`, "body: click", `
- generic [ref=e1] [clickable]: One
- generic [ref=e2] [clickable]: Two
- text: Three
- paragraph: Text
- generic [ref=e3] [clickable]: 11
- generic [ref=e4] [clickable]: 12`},
		{"days of a month, and not the numbers of a table, by the page", `<table><tr><th>Mo<th>Tu<th>We<tr><td><td>1<td>2<br>Meeting<tr><td>3<td>4<td>5</table>` +
			`<table><tr><th>Name<th>Age<th>Visits<tr><td>Ada<td>36<td>7<tr data-id=9><td>Alan<td>41<td data-id=8>8</table>`, "document: click", `
- table:
  - rowgroup:
    - row:
      - columnheader "Mo"
      - columnheader "Tu"
      - columnheader "We"
    - row:
      - cell
      - cell "1" [ref=e1] [clickable]
      - cell "2 Meeting"
    - row:
      - cell "3" [ref=e2] [clickable]
      - cell "4" [ref=e3] [clickable]
      - cell "5" [ref=e4] [clickable]
- table:
  - rowgroup:
    - row:
      - columnheader "Name"
      - columnheader "Age"
      - columnheader "Visits"
    - row:
      - cell "Ada"
      - cell "36"
      - cell "7"
    - row:
      - cell "Alan"
      - cell "41"
      - cell "8" [ref=e5] [clickable]`},
		{"not the text of an editor, by the page", `<div contenteditable role=textbox aria-label=E><div data-node=1>One</div><div data-node=2>Two` +
			`</div></div>`, "document: click", `
- textbox "E" [ref=e1]:
  - text: One
  - text: Two`},
		{"a container for drops", `<main></main>`, "main: dragover drop", `
- main [ref=e1] [droppable]`},
		{"only hovered over", `<div id=a>Enter</div><div id=b>Move</div><div id=c>Leave</div>`, "#a: mouseenter\n#b: pointermove\n#c: " +
			"mouseleave", `
- generic [ref=e1] [hoverable]: Enter
- generic [ref=e2] [hoverable]: Move
- generic [ref=e3] [hoverable]: Leave`},
		{"ports of a node, not a map with a crosshair", `<style>i{display:block;width:20px;height:20px}</style><div id=l><p>Node A</p>` +
			`<i class=out style="cursor:crosshair"></i><i class=turn style="cursor:alias"></i><i class=map style="cursor:crosshair;width:300px;height:200px">` +
			`</i><i class=zoom style="cursor:zoom-in"></i></div>`, "#l: mousedown", `
- generic [ref=e1] [clickable]:
  - paragraph: Node A
  - generic [ref=e2] [cursor=crosshair] [description="i.out"]
  - generic [ref=e3] [cursor=alias] [description="i.turn"]`},
		{"a handle that is a drawing", `<ul id=l><li><svg class=grip style="cursor:move" width=9 height=9></svg>Ada</li></ul>`, "#l: mousedown", `
- list [ref=e1] [clickable]:
  - listitem [ref=e2] [clickable]:
    - img [ref=e3] [cursor=move] [description="svg.grip rgb(0, 0, 0)"]
    - text: Ada`},
		{"the sign of an item that is clicked", `<style>[role=treeitem]{cursor:pointer}i{display:inline-block;width:20px;height:20px}</style><div role=tree id=l>` +
			`<div role=treeitem aria-expanded=false><i></i><i class=t aria-hidden=true><b></b></i><span>Parent</span><i class=s><b></b></i></div>` +
			`<div role=treeitem style="cursor:auto" aria-expanded=false><div style="cursor:pointer"><i class=t><b></b></i>Inner</div></div><div role=treeitem><i class=t><b></b></i>Leaf</div><div role=treeitem class=own aria-expanded=false><i class=t><b></b></i>Own</div></div>`,
			"#l: click\n.own: click", `
- tree [ref=e1]:
  - treeitem "Parent" [expanded=false] [ref=e2]:
    - generic [aria-hidden] [ref=e3] [clickable] [description="i.t"]
  - treeitem "Inner" [expanded=false] [ref=e4]:
    - generic [ref=e5] [clickable]:
      - generic [ref=e6] [clickable] [description="i.t"]
      - text: Inner
  - treeitem "Leaf" [ref=e7]
  - treeitem "Own" [expanded=false] [ref=e8]`},
		{"keys where no focus can be", `<button>Save <svg class=k width=9 height=9></svg></button><div class=k>Text</div><div class=k tabindex=-1>Board</div>` +
			`<div class=k><p>In <a tabindex=-1>it</a></p></div><div class=k><p contenteditable>Note</p></div><div class=k id=h></div>` +
			`<script>h.attachShadow({mode: 'open'}).innerHTML = '<input aria-label=Inner>'</script>`, ".k: keydown", `
- button "Save" [ref=e1]
- text: Text
- generic [ref=e2] [keys]: Board
- generic [ref=e3] [keys]:
  - paragraph: In it
- generic [ref=e4] [keys]:
  - paragraph [ref=e5] [contenteditable]: Note
- textbox "Inner" [ref=e6]`},
		{"keys in a box of many elements", `<div class=k>` + strings.Repeat("<b>B</b>", 101) + `</div>`, ".k: keydown", `
- generic [ref=e1] [keys]: ` + strings.Repeat("B", 101)},
		{"what has the focus", `<div tabindex=-1 id=f>Focused</div><script>f.focus()</script>`, "", `
- generic [active] [ref=e1] [focusable]: Focused`},
	} {
		t.Run(r.name, r.check)
	}
}

// If a large table listens for clicks on its rows, its cells do not get a ref each.
func TestDelegationIsFrugal(t *testing.T) {
	p := show(t, "<table>"+strings.Repeat("<tr><td>Some words<td>More words<td>17", 200)+"</table>")
	p.eval(nil, "chela.setListeners(document.querySelector('table'), ['click'])")
	if w := p.walk(); w.Refs != 201 {
		t.Errorf("%d refs, want 201", w.Refs)
	}
}
