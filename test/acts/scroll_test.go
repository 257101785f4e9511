package acts

import (
	"context"
	"errors"
	"testing"
	"time"

	"chela/internal/engine/page"
	"chela/internal/engine/setting"
	"chela/internal/reading/pagejs"
	"chela/test/long"
	"chela/test/pages"
	"chela/test/tab"
)

// scroll turns the wheel over an element, or over the middle of the viewport. It may take 10
// seconds, like a [story] that succeeds.
func scroll(t *tab.Tab, line string, s page.Scroll) (done page.Scrolled, err error) {
	t.Helper()
	return scrollWithin(t, 10*time.Second, line, s)
}

func scrollWithin(t *tab.Tab, limit time.Duration, line string, s page.Scroll) (done page.Scrolled, err error) {
	t.Helper()
	if line == "" {
		err = t.InActFor(limit, func(ctx context.Context) (err error) {
			done, err = t.Scroll(ctx, s)
			return err
		})
		return done, err
	}
	err = t.OnRefFor(limit, t.Ref(line), func(ctx context.Context, el *page.Element) (err error) {
		done, err = el.Scroll(ctx, s)
		return err
	})
	return done, err
}

var (
	down   = page.Scroll{Direction: page.Down}
	up     = page.Scroll{Direction: page.Up}
	right  = page.Scroll{Direction: page.Right}
	top    = page.Scroll{To: page.Top}
	bottom = page.Scroll{To: page.Bottom}
)

// A turn is one scroll of the wheel, with the position that it leads to.
type turn struct {
	page.Scroll
	left, top int
	atEnd     bool
}

func TestScrollOverElement(t *testing.T) {
	tt := tab.Open(t, "/wheel.html")
	for _, s := range []struct {
		line  string
		turns []turn
	}{
		{"In a box\"", []turn{{down, 0, 80, false}, {down, 0, 160, false}, {page.Scroll{DeltaY: -60}, 0, 100, false}, {bottom, 0, 921, true}, {down, 0, 921, true}, {top, 0, 0, true}}},
		{"In a wide box", []turn{{right, 240, 0, false}, {page.Scroll{DeltaX: 5000}, 1700, 0, true}, {page.Scroll{Direction: page.Left}, 1460, 0, false}}},
		{"In a smooth box", []turn{{down, 0, 80, false}, {bottom, 0, 921, true}, {up, 0, 841, false}}},
		{"In a snapping box", []turn{{down, 0, 100, false}, {bottom, 0, 300, true}, {up, 0, 200, false}}},
		{"In two boxes", []turn{{down, 0, 80, false}, {bottom, 0, 921, true}, {down, 0, 921, true}}},
		{"In an endless list", []turn{{bottom, 0, 617, false}, {bottom, 0, 1297, false}}},
		{"In a frame", []turn{{down, 0, 80, false}, {bottom, 0, 937, true}, {down, 0, 937, true}, {up, 0, 857, false}}},
		{"In a box without bars", []turn{{top, 0, 0, true}}}, // the document scrolls instead
	} {
		if s.line == "In a frame" { // otherwise the frame is scrolled to bring its button into view
			tab.Run[any](tt, "frame.scrollIntoView({block: 'center'})")
		}
		for i, turn := range s.turns {
			done, err := scroll(tt, s.line, turn.Scroll)
			if err != nil || done.ByPage || done.Left != turn.left || done.Top != turn.top || done.AtEnd != turn.atEnd {
				t.Errorf("%s, turn %d: got %+v, %v, want %+v", s.line, i+1, done, err, turn)
			}
		}
	}
	if outer := tab.Run[int](tt, "outer.scrollTop"); outer != 0 {
		t.Errorf("the box around one at its end was scrolled to %d", outer)
	}
}

// A page lets a list scroll only by a row at a time. What covers the list after the first turn of the wheel
// stops the scroll, and the list has been scrolled.
func TestScrollThatIsStopped(t *testing.T) {
	tt := tab.Open(t, pages.HTML(`<style>div { height: 100px }</style>
		<main style="height:100px;overflow:auto" onscroll="cover.hidden = false; scrollTop = Math.min(scrollTop, 100)"><div><button>One</button></div><div></div><div></div><div></div></main>
		<p id=cover hidden style="position:fixed;inset:0;margin:0">Cover</p>`))
	_, err := scrollWithin(tt, 2*time.Second, "One", bottom)
	if lacks, ok := errors.AsType[*page.ElementError](err); !ok || lacks.Missing != pagejs.Covered || !errors.Is(err, page.ErrSent) {
		t.Errorf("got %v", err)
	}
}

func TestScrollOverViewport(t *testing.T) {
	long.Test(t)
	for name, s := range map[string]struct {
		html  string
		turns []turn
	}{
		"a document":             {`<div style="height:2000px">`, []turn{{down, 0, 560, false}, {down, 0, 1120, false}, {bottom, 0, 1300, true}, {bottom, 0, 1300, true}, {up, 0, 740, false}}},
		"one that does not move": {`<p>short`, []turn{{down, 0, 0, true}, {bottom, 0, 0, true}}},
		"a box, then the document": {
			`<div style="height:600px;overflow:auto"><div style="height:3000px"></div></div><div style="height:2000px">`,
			[]turn{{down, 0, 480, false}, {bottom, 0, 1900, true}, {top, 0, 0, true}},
		},
		"a frame, then the document": {
			`<iframe style="width:900px;height:600px;border:0;display:block" srcdoc="<div style='height:3000px'>"></iframe><div style="height:2000px">`,
			[]turn{{right, 0, 0, true}, {down, 0, 480, false}, {bottom, 0, 1900, true}, {up, 0, 1340, false}},
		},
		"a list from below": {
			`<div style="height:600px;overflow:auto;display:flex;flex-direction:column-reverse"><div style="height:3000px;flex:none"></div></div>`,
			[]turn{{down, 0, 0, true}, {up, 0, -480, false}, {top, 0, -2400, true}},
		},
		"right to left": {`<html dir=rtl><div style="width:3000px;height:9px">`, []turn{{right, 0, 0, true}, {page.Scroll{Direction: page.Left}, -800, 0, false}}},
	} {
		t.Run(name, func(t *testing.T) {
			tt := tab.Open(t, pages.HTML(`<style>body{margin:0}</style>`+s.html))
			if err := tt.InTurn(5*time.Second, func(ctx context.Context) error {
				return tt.Resize(ctx, setting.Viewport{Width: 1000, Height: 700})
			}); err != nil {
				t.Fatal(err)
			}
			for i, turn := range s.turns {
				done, err := scroll(tt, "", turn.Scroll)
				if err != nil || done.Left != turn.left || done.Top != turn.top || done.AtEnd != turn.atEnd {
					t.Errorf("turn %d: got %+v, %v, want %+v", i+1, done, err, turn)
				}
			}
		})
	}
}

// If a page keeps the wheel from scrolling, it gets a trusted event. The answer does not say that
// anything was scrolled.
func TestScrollByPage(t *testing.T) {
	tt := tab.Open(t, "/wheel.html")
	for line, told := range map[string]string{"On a map": "zoom out trusted", "In a list of its own": "moved by itself"} {
		done, err := scroll(tt, line, down)
		if err != nil || !done.ByPage {
			t.Errorf("%s: got %+v, %v, want that the page does it", line, done, err)
		}
		tt.Await(told)
	}
}

func TestScrollIsGuarded(t *testing.T) {
	tt := tab.Open(t, "/wheel.html")
	_, err := scrollWithin(tt, 2*time.Second, "Under a veil", down)
	if lacks, ok := errors.AsType[*page.ElementError](err); !ok || lacks.Missing != pagejs.Covered {
		t.Errorf("got %v, want that it is covered", err)
	}
	if top := tab.Run[int](tt, "veiled.scrollTop"); top != 0 {
		t.Errorf("it was scrolled to %d", top)
	}
}

// An element that slides under the mouse after the hit test does not get the event.
func TestScrollMissesWhatSlidesIn(t *testing.T) {
	tt := tab.Open(t, pages.HTML(`<script src="log.js"></script><div id=list style="height:200px;overflow:auto"><button>Item</button><div style="height:2000px"></div></div>
		<div id=veil style="position:fixed;inset:0;display:none;overflow:auto" onwheel="log('veil')"><div style="height:5000px"></div></div>
		<script>addEventListener('mousemove', () => { veil.style.display = 'block'; setTimeout(() => veil.remove(), 300) }, { once: true })</script>`))
	done, err := scroll(tt, `button "Item"`, down)
	if err != nil || done.Top != 160 {
		t.Errorf("got %+v, %v, want that the list is scrolled by 160", done, err)
	}
	if told := tt.Logged(); told != "" {
		t.Errorf("the page told %q", told)
	}
}

// A table that scrolls has a row without cells that keeps the place of the rows above. A point of
// that row is a point of the table.
func TestScrollOverRowsWithoutCells(t *testing.T) {
	tt := tab.Open(t, pages.HTML(`<div style="height:200px;overflow:auto"><table style="width:100%"><tbody tabindex=0 id=body>
		<tr style="height:2000px"></tr><tr><td>Row 100</td></tr></tbody></table></div>`))
	for _, s := range []turn{{down, 0, 160, false}, {page.Scroll{DeltaY: 40}, 0, 200, false}, {top, 0, 0, true}} {
		if done, err := scroll(tt, "[focusable]", s.Scroll); err != nil || done.Top != s.top || done.AtEnd != s.atEnd || done.Instead != (page.Ref{}) {
			t.Errorf("got %+v, %v, want %+v", done, err, s)
		}
	}
	if done, err := scroll(tt, "[focusable]", bottom); err != nil || !done.AtEnd {
		t.Errorf("got %+v, %v, want the end", done, err)
	}
}

// A virtual list replaces its rows when it is scrolled. A ref of a row that is gone still tells the
// list to scroll if the list was scrolled over that row before. Otherwise the ref is stale.
func TestScrollOverARowThatWasReplaced(t *testing.T) {
	tt := tab.Open(t, pages.HTML(`<div id=list style="height:200px;overflow:auto"><div style="height:5000px;position:relative" id=rows></div></div><script>
		list.onscroll = () => { rows.innerHTML = ''; for (let i = 0; i < 10; i++) {
			const row = document.createElement('button'); row.textContent = 'Row ' + (Math.floor(list.scrollTop / 20) + i);
			row.style = 'position:absolute;height:20px;top:' + (list.scrollTop + 20 * i) + 'px'; rows.append(row); } };
		list.onscroll();</script>`))
	row, other := tt.Ref("Row 1\""), tt.Ref("Row 2\"")
	turn := func(ref string) (done page.Scrolled, err error) {
		err = tt.OnRefFor(10*time.Second, ref, func(ctx context.Context, el *page.Element) (err error) {
			done, err = el.Scroll(ctx, down)
			return err
		})
		return done, err
	}
	if done, err := turn(row); err != nil || done.Top != 160 || done.Instead != (page.Ref{}) {
		t.Errorf("over the row: got %+v, %v", done, err)
	}
	done, err := turn(row)
	if err != nil || done.Top != 320 || done.Instead == (page.Ref{}) {
		t.Errorf("over the row that has gone: got %+v, %v, want 320 of another element", done, err)
	}
	if again, err := turn(done.Instead.String()); err != nil || again.Top != 480 {
		t.Errorf("over the box that was named: got %+v, %v", again, err)
	}
	if _, err := turn(other); !errors.As(err, new(*page.StaleRefError)) {
		t.Errorf("over a row that was never scrolled: got %v, want that it is stale", err)
	}
}

// A tab behind others gets frames while it is scrolled, although nobody sees them. Otherwise each
// scroll but the first two would last for three seconds.
func TestScrollBehindOthers(t *testing.T) {
	tt := tab.Open(t, "/wheel.html")
	tab.Open(t, "/form.html") // in a browser with windows, this tab is in front of the other
	ref, began := tt.Ref(`button "In a box"`), time.Now()
	for i := range 6 {
		err := tt.OnRefFor(10*time.Second, ref, func(ctx context.Context, el *page.Element) error {
			_, err := el.Scroll(ctx, page.Scroll{DeltaY: 20})
			return err
		})
		if err != nil {
			t.Fatalf("scroll %d: %v", i, err)
		}
	}
	if took := time.Since(began); took > 8*time.Second {
		t.Errorf("six scrolls took %v", took)
	}
}
