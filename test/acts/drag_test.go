package acts

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"chela/internal/engine/page"
	"chela/internal/reading/pagejs"
	"chela/test/pages"
	"chela/test/tab"
)

func TestDrag(t *testing.T) {
	for _, s := range []struct{ from, to, told string }{
		{"Native thing", "Native place", "dragstart native\ndrop native trusted\ndragend native copy"},
		{"Native thing", "Far place", "dragstart native\ndrop native trusted\ndragend native copy"},
		{"Loose thing", "Loose place", "moved inside in several steps"},
		{"Refused thing", "Closed place", "dragstart refused\ndragend refused none"},
	} {
		t.Run(s.from+" onto "+s.to, func(t *testing.T) {
			tt := tab.Borrow(t, "/drag.html")
			onto, err := tt.BySelector(`[aria-label="` + s.to + `"]`)
			if err != nil {
				t.Fatal(err)
			}
			err = tt.On(`button "`+s.from+`"`, func(ctx context.Context, el *page.Element) error { return el.Drag(ctx, page.DragEnd{Onto: onto}) })
			if err != nil {
				t.Fatal(err)
			}
			last := s.told[strings.LastIndex(s.told, "\n")+1:]
			tt.Await(last)
			if got := tt.Logged(); got != s.told {
				t.Errorf("page told %q, want %q", got, s.told)
			}
			// the mouse is not held any more
			if err := tt.On(`button "Native thing"`, tab.Click); err != nil {
				t.Error(err)
			}
		})
	}
}

// A press on selected text would drag the text, and the page would get no moves of the mouse. So a drag
// of an element drops such a selection, but not one elsewhere or in an editor.
func TestDragOfSelectedText(t *testing.T) {
	for _, s := range []struct{ selected, kept string }{
		{"document.body", ""},
		{"words", ""},
		{"map.nextSibling", "Text"},
	} {
		tt := tab.Borrow(t, pages.HTML(`<div id=map tabindex=0 aria-label=Map style="padding:40px;user-select:text"><span id=words>Some words</span></div><p>Text</p><script>
			let moves = 0, kept = '';
			map.onmousedown = event => { kept = getSelection().toString().trim(); };
			map.onmousemove = event => { if (event.buttons === 1) moves++; };
			map.onmouseup = () => { document.title = moves > 5 ? 'moved' : ''; };</script>`))
		tab.Run[any](tt, "getSelection().selectAllChildren("+s.selected+")")
		if err := tt.On(`"Map"`, func(ctx context.Context, el *page.Element) error {
			return el.Drag(ctx, page.DragEnd{By: &page.Point{X: 60}})
		}); err != nil {
			t.Fatal(err)
		}
		if got, kept := tab.Run[string](tt, "document.title"), tab.Run[string](tt, "kept"); got != "moved" || kept != s.kept {
			t.Errorf("%s selected: got %q, with %q selected", s.selected, got, kept)
		}
	}
}

// Where nothing listens for moves, selected text can be dragged.
func TestDragOfTheSelection(t *testing.T) {
	tt := tab.Borrow(t, pages.HTML(`<p id=words>Some words</p><div role=button style="height:60px" ondragover="event.preventDefault()"
		ondrop="event.preventDefault(); document.title = event.dataTransfer.getData('text')">Zone</div>`))
	tab.Run[any](tt, "getSelection().selectAllChildren(words)")
	words, err := tt.BySelector("#words")
	if err != nil {
		t.Fatal(err)
	}
	zone, err := tt.BySelector("[role=button]")
	if err != nil {
		t.Fatal(err)
	}
	if err := tt.InActFor(10*time.Second, func(ctx context.Context) error { return words.Drag(ctx, page.DragEnd{Onto: zone}) }); err != nil {
		t.Error(err)
	}
	if got := tab.Run[string](tt, "document.title"); got != "Some words" {
		t.Errorf("got %q", got)
	}
}

// The drag of a range begins at its thumb, which then moves as far as the mouse.
func TestDragOfARange(t *testing.T) {
	for _, s := range []struct{ attributes, want string }{
		{`value=20`, "30"},
		{`value=20 style="padding:0 10px"`, "31"},
		{`value=20 dir=rtl`, "10"},
		{`min=-50 value=-30`, "-15"},
		{`value=20 style="transform:scale(2);transform-origin:0 0"`, "25"},
	} {
		tt := tab.Borrow(t, pages.HTML(`<style>input { width: 216px; box-sizing: border-box }</style><input type=range `+s.attributes+`>`))
		if err := tt.On("slider", func(ctx context.Context, el *page.Element) error {
			return el.Drag(ctx, page.DragEnd{By: &page.Point{X: 20}})
		}); err != nil {
			t.Fatal(err)
		}
		if got := tab.Run[string](tt, "document.querySelector('input').value"); got != s.want {
			t.Errorf("%s: the value is %s, want %s", s.attributes, got, s.want)
		}
	}
}

// A drag ends at a point, by an offset, or at a position of an element, and takes as
// many steps as are asked for.
func TestDragEnds(t *testing.T) {
	tt := tab.Borrow(t, pages.HTML(`<script src="log.js"></script><style>body { margin: 0 } button, div { position: absolute; border: 0; padding: 0 }</style>
		<button id=a style="left:100px;top:100px;width:40px;height:20px">Handle</button>
		<button id=b draggable=true style="left:100px;top:200px;width:40px;height:20px">Card</button>
		<div role=group aria-label=Place style="left:300px;top:200px;width:200px;height:100px;border:5px solid;cursor:pointer"></div><script>
		let from = null, moves = 0;
		a.onpointerdown = event => { [from, moves] = [event, 0]; a.setPointerCapture(event.pointerId); };
		a.onpointermove = event => { if (from && event.buttons === 1) moves++; };
		a.onpointerup = event => { log(from.clientX + ',' + from.clientY + ' to ' + event.clientX + ',' + event.clientY + (moves > 10 ? ' in many steps' : '')); from = null; };
		let overs = 0;
		b.ondragstart = () => { overs = 0; };
		const place = document.querySelector('[role=group]');
		document.ondragover = event => { event.preventDefault(); overs++; };
		place.ondrop = event => { event.preventDefault(); log('dropped at ' + event.clientX + ',' + event.clientY + (overs > 5 ? ' after many' : '')); };
		</script>`))
	place, err := tt.BySelector("[role=group]")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []struct {
		what string
		end  page.DragEnd
		told string
	}{
		{"Handle", page.DragEnd{At: &page.Point{X: 400, Y: 50}}, "120,110 to 400,50"},
		{"Handle", page.DragEnd{By: &page.Point{X: -20, Y: 70}}, "120,110 to 100,180"},
		{"Handle", page.DragEnd{Onto: place, Position: &page.Point{X: 10, Y: 20}}, "120,110 to 315,225"},
		{"Handle", page.DragEnd{By: &page.Point{Y: 70}, Steps: 20}, "120,110 to 120,180 in many steps"},
		{"Handle", page.DragEnd{From: &page.Point{X: 2, Y: 18}, By: &page.Point{Y: 70}}, "102,118 to 102,188"},
		{"Card", page.DragEnd{By: &page.Point{X: 300, Y: 30}}, "dropped at 420,240"},
		{"Card", page.DragEnd{Onto: place, Position: &page.Point{X: 10, Y: 20}, Steps: 20}, "dropped at 315,225 after many"},
	} {
		err := tt.On(`button "`+s.what+`"`, func(ctx context.Context, el *page.Element) error { return el.Drag(ctx, s.end) })
		if err != nil {
			t.Errorf("%s to %+v: %v", s.what, s.end, err)
			continue
		}
		tt.Await(s.told)
	}
	err = tt.On(`button "Handle"`, func(ctx context.Context, el *page.Element) error {
		return el.Drag(ctx, page.DragEnd{By: &page.Point{X: -200}})
	})
	if _, outside := errors.AsType[*page.OutsideError](err); !outside {
		t.Errorf("dragged out of the viewport: %v", err)
	}
}

// While the mouse is pressed, some pages put a shield over everything, so that no other element or
// frame gets its moves. The drag goes on to its end below the shield.
func TestDragBelowAShield(t *testing.T) {
	tt := tab.Open(t, pages.HTML(`<style>body > div { position: absolute; top: 100px; width: 80px; height: 40px }</style>
		<div id=handle style="left:100px"></div> <div id=place style="left:300px"></div> <div id=shield style="position:fixed;inset:0;width:auto;height:auto" hidden></div><script>
		handle.onpointerdown = () => { shield.hidden = false }
		onpointerup = event => { shield.hidden = true; document.title = 'released at ' + event.clientX }
		</script>`))
	handle, place := must(tt.BySelector("#handle")), must(tt.BySelector("#place"))
	err := tt.InAct(func(ctx context.Context) error { return handle.Drag(ctx, page.DragEnd{Onto: place}) })
	if got := tab.Run[string](tt, "document.title"); err != nil || got != "released at 352" {
		t.Errorf("got %q, %v", got, err)
	}
}

// Calendars have columns, and rows that lie over them. What is dragged onto a column is dropped there,
// through the rows. Other things that cover the column keep it from that.
func TestDragBelowALayer(t *testing.T) {
	for _, s := range []struct{ over, want string }{
		{`<div class=layer><p>8</p><p>9</p></div>`, "released at 150"},
		{`<div style="left:90px;width:200px;height:200px"></div>`, ""},
		{`<div class=layer style="position:fixed"></div>`, ""},
	} {
		tt := tab.Borrow(t, pages.HTML(`<style>body { margin: 0 } #calendar { position: absolute; width: 400px; height: 200px } .layer { inset: 0 }
			div, p { position: absolute; margin: 0 } p { position: static; height: 50% } #day { left: 100px; width: 100px; height: 100% } #event { width: 80px; height: 20px }</style>
			<div id=calendar><div class=layer><div id=day></div></div>`+s.over+`<div id=event></div></div><script>
			onmouseup = event => { document.title = 'released at ' + event.clientX }</script>`))
		event, day := must(tt.BySelector("#event")), must(tt.BySelector("#day"))
		err := tt.InActFor(time.Second, func(ctx context.Context) error { return event.Drag(ctx, page.DragEnd{Onto: day}) })
		if s.want != "" {
			if got := tab.Run[string](tt, "document.title"); err != nil || got != s.want {
				t.Errorf("got %q, %v", got, err)
			}
			continue
		}
		lacks, ok := errors.AsType[*page.ElementError](err)
		if !ok || lacks.Missing != pagejs.Covered || lacks.At == nil || *lacks.At != (page.Point{X: 150, Y: 100}) {
			t.Errorf("below %s: %+v", s.over, err)
		}
	}
}

// The first move of a swipe decides its direction. It leads to the end of the drag, however far that is
// scrolled away.
func TestDragBeginsOnItsWay(t *testing.T) {
	tt := tab.Borrow(t, pages.HTML(`<style>body { margin: 0 } div { position: absolute; width: 40px; height: 20px }</style>
		<div id=item style="left:300px;top:100px"></div> <div id=below style="left:300px;top:3000px"></div> <div id=aside style="left:100px;top:200px"></div><script>
		let from = null
		item.onpointerdown = event => { from = event; item.setPointerCapture(event.pointerId) }
		item.onpointermove = event => { if (from) document.title = (event.clientX - from.clientX) + ',' + (event.clientY - from.clientY); from = null }
		</script>`))
	below, aside := must(tt.BySelector("#below")), must(tt.BySelector("#aside"))
	for _, s := range []struct {
		end  page.DragEnd
		want string
	}{
		{page.DragEnd{By: &page.Point{X: -120}}, "-5,0"},
		{page.DragEnd{At: &page.Point{X: 320, Y: 40}}, "0,-5"},
		{page.DragEnd{Onto: below}, "0,5"},
		{page.DragEnd{Onto: aside}, "-5,2.5"},
	} {
		item := must(tt.BySelector("#item"))
		err := tt.InAct(func(ctx context.Context) error { return item.Drag(ctx, s.end) })
		if got := tab.Run[string](tt, "document.title"); err != nil || got != s.want {
			t.Errorf("%+v: got %q, %v, want %q", s.end, got, err, s.want)
		}
	}
}

// Trees put what is dropped on the upper or lower third of an item beside it, not into it.
func TestDragIntoItemOfTree(t *testing.T) {
	tt := tab.Borrow(t, pages.HTML(`<style>[role=treeitem] { height: 24px }</style><div role=tree><div role=treeitem tabindex=0>Root</div>
		<div role=treeitem tabindex=0>Leaf</div><div role=treeitem tabindex=0>Last</div></div><script>
		onmouseup = event => { const { top } = event.target.getBoundingClientRect(); document.title = event.target.textContent + ' ' + Math.floor((event.clientY - top) / 8) };</script>`))
	for _, s := range []struct{ from, onto, want string }{{"Leaf", "Root", "Root 1"}, {"Root", "Last", "Last 1"}} {
		onto, err := tt.BySelector(fmt.Sprintf("[role=treeitem]:nth-child(%d)", map[string]int{"Root": 1, "Last": 3}[s.onto]))
		if err != nil {
			t.Fatal(err)
		}
		err = tt.On(`treeitem "`+s.from+`"`, func(ctx context.Context, el *page.Element) error { return el.Drag(ctx, page.DragEnd{Onto: onto}) })
		if got := tab.Run[string](tt, "document.title"); err != nil || got != s.want {
			t.Errorf("%s onto %s: got %q, %v, want %q", s.from, s.onto, got, err, s.want)
		}
	}
}

// Pages put off what they find out at dragover: to the next frame, or to a timer. They find it at the
// drop.
func TestDropFollowsDragOver(t *testing.T) {
	for _, later := range []string{"requestAnimationFrame(note)", "setTimeout(note, 30)", "setTimeout(note, 100)"} {
		tt := tab.Borrow(t, pages.HTML(`<div id=thing draggable=true>Thing</div> <div id=place>Place</div><script>
			let over = 'nothing';
			const note = () => { over = 'the place'; };
			place.ondragover = event => { event.preventDefault(); `+later+`; };
			place.ondrop = event => { event.preventDefault(); document.title = 'over ' + over; };</script>`))
		thing, place := must(tt.BySelector("#thing")), must(tt.BySelector("#place"))
		err := tt.InAct(func(ctx context.Context) error { return thing.Drag(ctx, page.DragEnd{Onto: place}) })
		if got := tab.Run[string](tt, "document.title"); err != nil || got != "over the place" {
			t.Errorf("%s: got %q, %v", later, got, err)
		}
	}
}

// An item that is dragged onto another one of a list takes its place. Libraries have several rules
// for where the item goes, and a drag works with each.
func TestDragSorts(t *testing.T) {
	for _, rule := range []string{"half", "enter", "look", "rests", "slow", "nearest", "edges"} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			tt := tab.Borrow(t, "/sorting.html?rule="+rule)
			for from := range 3 {
				for to := range 3 {
					if from == to {
						continue
					}
					items := tab.Run[[]string](tt, "list.replaceChildren(...[...list.children].sort((a, b) => a.textContent < b.textContent ? -1 : 1)), items().map(li => li.textContent)")
					want := slices.Insert(slices.Delete(slices.Clone(items), from, from+1), to, items[from])
					item := func(i int) *page.Element {
						return must(tt.BySelector(fmt.Sprintf("li:nth-child(%d)", i+1)))
					}
					source, target := item(from), item(to)
					if err := tt.InActFor(10*time.Second, func(ctx context.Context) error { return source.Drag(ctx, page.DragEnd{Onto: target}) }); err != nil {
						t.Fatal(err)
					}
					if got := tab.Run[[]string](tt, "items().map(li => li.textContent)"); !slices.Equal(got, want) {
						t.Errorf("%d onto %d: got %q, want %q", from, to, got, want)
					}
				}
			}
		})
	}
}
