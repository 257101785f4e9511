package pagejs_test

import (
	"strconv"
	"strings"
	"testing"
)

// A listener of a container or of the page acts on items that only their looks show to be items.
// The pages work like widgets that are in use on the web.
func TestReadItems(t *testing.T) {
	days := ""
	for i := range 3 {
		days += strings.NewReplacer("%", strconv.Itoa(i), "#", strconv.Itoa(i+1)).Replace(
			`<div class=day style="position:absolute;top:0;width:90px;height:60px;left:%00px"><div><span><span>#</span></span></div><div></div></div>`)
	}
	deep := func(inside string) string {
		return `<div id=root><div><div><div><div style="position:relative;height:60px">` + inside + `</div></div></div></div></div>`
	}
	row := func(words, expander string) string {
		return `<div class=row><span><i class=t-checkbox></i><i class=t-indent></i><i class="t-expander ` + expander + `"></i><span>` + words + `</span></span></div>`
	}
	board := `<style>main { height: 90px; width: 90px }</style><div style="display: flex">
		<div><main class=cards><div class=card>Write</div><div class=card>Read</div></main></div>
		<div><main class=cards></main></div></div>`
	for _, r := range []reading{
		{"days of a month", deep(days), "#root: mousedown", `
- generic [ref=e1] [clickable]:
  - generic [ref=e2] [clickable]: 1
  - generic [ref=e3] [clickable]: 2
  - generic [ref=e4] [clickable]: 3`},
		{"bars of a chart", `<style>.bar { position: absolute; height: 20px; width: 60px; border: 1px solid }</style>` +
			deep(`<div class=bar>Plan</div><div class=bar style="top:30px">Build</div>`), "#root: pointerdown", `
- generic [ref=e1] [clickable]:
  - generic [ref=e2] [clickable]: Plan
  - generic [ref=e3] [clickable]: Build`},
		{"words that are only placed", `<style>.word { position: absolute }</style>` +
			deep(`<div class=word>Plan</div><div class=word style="top:30px">Build</div>`), "#root: pointerdown", `
- generic [ref=e1] [clickable]:
  - text: Plan
  - text: Build`},
		{"checkboxes and expanders of rows", `<style>i { display: inline-block; width: 20px; height: 20px } i::before { content: " " }
			.t-checkbox { border: 1px solid } .open::before { content: "\f282" }</style><div id=root>` + row("Apple", "") + row("Fruit", "open") + `</div>`,
			"#root: click", `
- generic [ref=e1] [clickable]:
  - generic [ref=e2] [clickable]:
    - generic [ref=e3] [clickable] [description="i.t-checkbox"]
    - text: Apple
  - generic [ref=e4] [clickable]:
    - generic [ref=e5] [clickable] [description="i.t-checkbox"]
    - generic [ref=e6] [clickable] [description="i.t-expander.open"]
    - text: Fruit`},
		{"drop zones", `<div class="drag-drop" style="touch-action:none;width:90px;height:40px">Me</div><div class=dropzone id=outer></div><div class="x drop-area">Here</div><div class=dropdown>Menu</div>`,
			"document: mousedown mouseup", `
- generic [ref=e1] [draggable]: Me
- generic [ref=e2] [droppable] [description="div#outer.dropzone"]
- generic [ref=e3] [droppable]: Here
- text: Menu`},
		{"drop zones by an attribute, beside what can be dragged", `<div draggable=true>Card</div><div data-drop-target-for-element=true>Done</div>` +
			`<div data-dropdown=true>Menu</div>`, "document: dragstart", `
- generic [ref=e1] [draggable]: Card
- generic [ref=e2] [droppable]: Done
- text: Menu`},
		{"an attribute where nothing can be dragged", `<div data-drop-target-for-element=true>Done</div>`, "document: dragstart", `
- text: Done`},
		{"empty column of a board", board, "document: mousedown mouseup", `
- main:
  - text: Write
  - text: Read
- main [ref=e1] [droppable]`},
		{"empty row of a page", strings.Replace(board, "flex", "block", 1), "document: mousedown mouseup", `
- main:
  - text: Write
  - text: Read`},
		{"empty cell of a row", `<style>.c{height:30px;width:90px}</style><div role=grid><div role=row><div class=c role=gridcell><i>Write</i></div>` +
			`<div class=c role=presentation></div></div></div>`, "document: mousedown mouseup", `
- grid:
  - row:
    - gridcell "Write" [ref=e1]`},
		{"boxes of a list that show nothing", `<style>div{height:30px}</style><div id=l><div>One</div><div>Two</div><div aria-hidden=true></div>` +
			`<div style="pointer-events:none"></div></div>`, "#l: click", `
- generic [ref=e1] [clickable]:
  - generic [ref=e2] [clickable]: One
  - generic [ref=e3] [clickable]: Two`},
		{"empty box of a page that drags nothing", board, "document: mousedown", `
- main:
  - text: Write
  - text: Read`},
	} {
		t.Run(r.name, r.check)
	}
}
