package pagejs_test

import (
	"strings"
	"testing"
)

// What a container listens for is done to the boxes in it that are alike.
func TestReadDelegatedPresses(t *testing.T) {
	for _, r := range []reading{
		{"blocks", `<div id=l style="cursor:pointer"><div>Apple</div><div>Pear</div></div>`, "#l: click", `
- generic [ref=e1] [cursor=pointer] [onclick]:
  - generic [ref=e2] [onclick]: Apple
  - generic [ref=e3] [onclick]: Pear`},
		{"days do not run together", `<div id=l><span>11</span><span>12</span></div>`, "#l: click", `
- generic [ref=e1] [onclick]:
  - generic [ref=e2] [onclick]: 11
  - generic [ref=e3] [onclick]: 12`},
		{"days in weeks", `<div id=l><div class=week><span>1</span><span>2</span></div><div class=week><span>3</span><span>4</span></div></div>`, "#l: mousedown", `
- generic [ref=e1] [onmousedown]:
  - generic [ref=e2] [onmousedown]: 1
  - generic [ref=e3] [onmousedown]: 2
  - generic [ref=e4] [onmousedown]: 3
  - generic [ref=e5] [onmousedown]: 4`},
		{"short cells, not their rows", `<table><tr><td>a1<td>b1<tr><td>a2<td>b2</table>`, "table: click", `
- table [ref=e1] [onclick]:
  - rowgroup:
    - row:
      - cell "a1" [ref=e2] [onclick]
      - cell "b1" [ref=e3] [onclick]
    - row:
      - cell "a2" [ref=e4] [onclick]
      - cell "b2" [ref=e5] [onclick]`},
		{"rows, not their cells", `<table><tr><td>Ada Lovelace<td>London<tr><td>Alan Turing<td>Manchester</table>`, "tbody: click", `
- table:
  - rowgroup [ref=e1] [onclick]:
    - row [ref=e2] [onclick]:
      - cell "Ada Lovelace"
      - cell "London"
    - row [ref=e3] [onclick]:
      - cell "Alan Turing"
      - cell "Manchester"`},
		{"rows made of blocks, not their parts", `<div id=l><div style="display:flex"><div>Ada Lovelace</div><div>London</div></div><div style="display:flex"><div>Alan Turing</div><div>Manchester</div></div></div>`, "#l: click", `
- generic [ref=e1] [onclick]:
  - generic [ref=e2] [onclick]:
    - text: Ada Lovelace
    - text: London
  - generic [ref=e3] [onclick]:
    - text: Alan Turing
    - text: Manchester`},
		{"columns and their cards", `<div id=l><div class=c><h3>To do</h3><div class=k>Write</div><div class=k>Proofread</div></div><div class=c><div class=k>Print</div><div class=k>Ship</div></div></div>`, "#l: pointerdown", `
- generic [ref=e1] [onpointerdown]:
  - generic [ref=e2] [onpointerdown]:
    - heading "To do" [level=3]
    - generic [ref=e3] [onpointerdown]: Write
    - generic [ref=e4] [onpointerdown]: Proofread
  - generic [ref=e5] [onpointerdown]:
    - generic [ref=e6] [onpointerdown]: Print
    - generic [ref=e7] [onpointerdown]: Ship`},
		{"a card is one target", `<div id=l><h3>Title</h3><p>Text <b>bold</b></p></div>`, "#l: click", `
- generic [ref=e1] [onclick]:
  - heading "Title" [level=3]
  - paragraph: Text bold`},
		{"wrappers of links are none", `<nav><div><a href=#>One</a></div><div><a href=#>Two</a></div></nav>`, "nav: click", `
- navigation [ref=e1] [onclick]:
  - link "One" [ref=e2]
  - link "Two" [ref=e3]`},
		{"what is in a button is pressed with it", `<button><div>Big</div><div>Small</div></button>`, "button: click", `
- button "Big Small" [ref=e1]`},
		{"signs without text", `<div id=l><i class="s a" style="display:inline-block;width:9px;height:9px"></i><i class="s b" style="display:inline-block;width:9px;height:9px"></i></div>`, "#l: click", `
- generic [ref=e1] [onclick]:
  - generic [ref=e2] [onclick] [description="i.s.a"]
  - generic [ref=e3] [onclick] [description="i.s.b"]`},
		{"cells of a grid, by the page", `<div role=grid><div role=row><div role=gridcell tabindex=-1>10a</div><div role=gridcell tabindex=-1>10b</div></div></div>`, "document: pointerdown", `
- grid:
  - row:
    - gridcell "10a" [ref=e1] [onpointerdown]
    - gridcell "10b" [ref=e2] [onpointerdown]`},
		{"named groups, by the page", `<div role=group aria-label=dst></div><div role=group>x</div>`, "document: pointermove pointerup", `
- group "dst" [ref=e1] [onpointerup]
- group: x`},
		{"what carries data, by the page", `<div data-id=1>One</div><div data-id=2>Two</div><div>Three</div><p data-id=3>Text</p><span>11</span><span>12</span>`, "body: click", `
- generic [ref=e1] [onclick]: One
- generic [ref=e2] [onclick]: Two
- text: Three
- paragraph: Text
- generic [ref=e3] [onclick]: 11
- generic [ref=e4] [onclick]: 12`},
		{"a container for drops", `<main></main>`, "main: dragover drop", `
- main [ref=e1] [ondragover] [ondrop]`},
		{"only hovered over", `<div id=a>Enter</div><div id=b>Move</div><div id=c>Leave</div>`, "#a: mouseenter\n#b: pointermove\n#c: mouseleave", `
- generic [ref=e1] [onmouseenter]: Enter
- generic [ref=e2] [onpointermove]: Move
- generic [ref=e3] [onmouseleave]: Leave`},
		{"what has the focus", `<div tabindex=-1 id=f>Focused</div><script>f.focus()</script>`, "", `
- generic [active] [ref=e1] [tabindex]: Focused`},
	} {
		t.Run(r.name, r.check)
	}
}

// A large table that takes the clicks for its rows has no ref for each of its cells.
func TestDelegationIsFrugal(t *testing.T) {
	p := show(t, "<table>"+strings.Repeat("<tr><td>Some words<td>More words<td>17", 200)+"</table>")
	p.eval(nil, "chela.listens(document.querySelector('table'), ['click'])")
	if w := p.walk(); w.Refs != 201 {
		t.Errorf("%d refs, want 201", w.Refs)
	}
}
