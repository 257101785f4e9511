package acts

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"chela/internal/engine/page"
	"chela/test/long"
	"chela/test/pages"
	"chela/test/tab"
)

// Something comes between the mouse and the element just before the press. It gets neither the press
// nor the release, which would be a click.
func TestDragIsNoClickOnWhatCovers(t *testing.T) {
	tt := tab.Open(t, pages.HTML(`<script src="log.js"></script>
		<button id=handle style="position:absolute;left:100px;top:100px;width:80px;height:40px">Handle</button>
		<div id=cover role=button style="position:fixed;inset:0" hidden>Delete</div><script>
		addEventListener('pointermove', () => { cover.hidden = false; });
		for (const type of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click']) cover.addEventListener(type, () => log(type));
		</script>`))
	el, err := tt.BySelector("#handle")
	if err != nil {
		t.Fatal(err)
	}
	err = tt.InActFor(time.Second, func(ctx context.Context) error { return el.Drag(ctx, page.DragEnd{By: &page.Point{X: 50}}) })
	if got := tt.Logged(); err == nil || got != "" {
		t.Errorf("got %v, page told %q", err, got)
	}
}

// The press of a drag makes the page load another document, and the server is slow. The drag does not
// hold the mouse until the deadline.
func TestDragWhosePressLeaves(t *testing.T) {
	tt := tab.Open(t, pages.HTML(`<button id=handle onmousedown="location = '/hang'">Handle</button>`))
	el, err := tt.BySelector("#handle")
	if err != nil {
		t.Fatal(err)
	}
	var lasted time.Duration
	err = tt.InTurn(10*time.Second, func(ctx context.Context) error {
		began := time.Now()
		defer func() { lasted = time.Since(began) }()
		return el.Drag(ctx, page.DragEnd{By: &page.Point{X: 50}})
	})
	if !errors.Is(err, page.ErrReplaced) || !errors.Is(err, page.ErrSent) || lasted > 5*time.Second {
		t.Errorf("got %v after %v", err, lasted)
	}
}

// If the page does not answer the press in time, the drag fails and the mouse is released.
func TestDragThatEndsAtThePressReleases(t *testing.T) {
	long.Test(t)
	tt := tab.Open(t, pages.HTML(`<script src="log.js"></script><button id=handle>Handle</button><script>
		handle.onpointerdown = () => { for (const end = performance.now() + 2000; performance.now() < end;); };
		onpointerup = event => log('released'); onpointermove = event => { if (event.buttons) log('moved'); };
		</script>`))
	el, err := tt.BySelector("#handle")
	if err != nil {
		t.Fatal(err)
	}
	err = tt.InActFor(time.Second, func(ctx context.Context) error { return el.Drag(ctx, page.DragEnd{By: &page.Point{X: 50}}) })
	if err == nil {
		t.Fatal("no error")
	}
	tt.Await("released")
	if got := tt.Logged(); !errors.Is(err, page.ErrSent) || got != "released" {
		t.Errorf("got %v, page told %q", err, got)
	}
}

// A drag of data that fails on its way is cancelled: the tab does not stay in the middle of it.
func TestDragOfDataThatFails(t *testing.T) {
	long.Test(t)
	for _, handler := range []string{"place.ondragenter", "place.ondragover", "place.ondrop"} {
		t.Run(handler, func(t *testing.T) {
			tt := tab.Open(t, pages.HTML(`<script src="log.js"></script>
				<button id=card draggable=true onclick="log('clicked')">Card</button> <button onclick="log('next')">Next</button>
				<div id=place style="width:200px;height:100px">Place</div><script>
				place.ondragenter = place.ondragover = place.ondrop = event => event.preventDefault();
				card.ondragend = () => log('dragend');
				const handler = `+handler+`;
				`+handler+` = event => { handler?.(event); `+handler+` = handler; alert('Wait'); };
				</script>`))
			card, place := must(tt.BySelector("#card")), must(tt.BySelector("#place"))
			err := tt.InAct(func(ctx context.Context) error { return card.Drag(ctx, page.DragEnd{Onto: place, Steps: 5}) })
			if _, open := errors.AsType[*page.DialogOpen](err); !open {
				t.Fatalf("got %v, want a dialog", err)
			}
			if _, err := tt.AnswerDialog(tt.Ctx, "", true, nil, 0); err != nil {
				t.Fatal(err)
			}
			tt.Await("dragend")
			if err := tt.On(`button "Next"`, tab.Click); err != nil || tt.Last() != "next" {
				t.Errorf("the next click: %v, page told %q", err, tt.Logged())
			}
			if strings.Contains(tt.Logged(), "clicked") {
				t.Errorf("page told %q", tt.Logged())
			}
		})
	}
}

// A drag that fails after the press ends where it began, and is no click. The error says that input
// was sent.
func TestDragThatFailsIsNoClick(t *testing.T) {
	long.Test(t)
	const busy = `for (const end = performance.now() + 2000; performance.now() < end;);`
	for _, s := range []struct{ name, fails string }{
		{"the page is busy with the press", "handle.addEventListener('pointerdown', () => { " + busy + " }, { once: true });"},
		{"the page is busy after the press", "handle.addEventListener('mousedown', () => setTimeout(() => { " + busy + " }), { once: true });"},
		{"the target is covered by then", "handle.onpointerdown = () => { cover.hidden = false; };"},
		{"the page is busy on the way", "onpointermove = event => { if (event.clientX > 200 && event.buttons) " + busy + " };"},
		{"the page is busy with moves that are repeated", `let moves = 0;
			onpointermove = event => {
				if (!event.buttons) return;
				if (event.movementX < 0) ` + busy + `
				item.style.left = 500 + 10 * ++moves + 'px';
			};`},
	} {
		t.Run(s.name, func(t *testing.T) {
			tt := tab.Open(t, pages.HTML(`<script src="log.js"></script><style>body > * { position: absolute; top: 100px; width: 80px; height: 40px }</style>
				<button id=handle style="left:100px">Handle</button> <div id=place style="left:300px">Place</div>
				<div id=cover style="left:290px;width:100px" hidden>Cover</div>
				<div id=item style="left:500px;transition:left .2s">Item</div><script>`+s.fails+`
				onpointerup = event => log('released at ' + event.clientX + ',' + event.clientY);
				onclick = event => log('clicked ' + event.target.textContent);
				</script>`))
			handle, place := must(tt.BySelector("#handle")), must(tt.BySelector("#place"))
			err := tt.InActFor(time.Second, func(ctx context.Context) error { return handle.Drag(ctx, page.DragEnd{Onto: place}) })
			if err == nil || !errors.Is(err, page.ErrSent) {
				t.Errorf("got %v", err)
			}
			tt.Await("released at 140,120")
			if got := tt.Logged(); got != "released at 140,120" {
				t.Errorf("page told %q", got)
			}
			if err := tt.On(`button "Handle"`, tab.Click); err != nil || tt.Last() != "clicked Handle" {
				t.Errorf("a click afterwards: %v, page told %q", err, tt.Logged())
			}
		})
	}
}

// Another document comes while data is dragged over its target. It does not get the drop.
func TestDropThatAnotherDocumentWouldGet(t *testing.T) {
	next := pages.HTML(`<script src="log.js"></script><body style="height:1000px"><script>
		ondragover = event => event.preventDefault(); ondrop = event => { event.preventDefault(); log('dropped'); };</script>`)
	tt := tab.Open(t, pages.HTML(`<div id=card draggable=true>Card</div><div id=place ondragover="event.preventDefault(); location = '`+next+`'">Place</div>`))
	card, place := must(tt.BySelector("#card")), must(tt.BySelector("#place"))
	err := tt.InAct(func(ctx context.Context) error { return card.Drag(ctx, page.DragEnd{Onto: place}) })
	if !errors.Is(err, page.ErrSent) || !errors.Is(err, page.ErrReplaced) || tt.Logged() != "" {
		t.Errorf("got %v, page told %q", err, tt.Logged())
	}
}

// If the press itself makes the page busy or load another document, the error says that it was sent.
func TestDragWhosePressTakesThePageAway(t *testing.T) {
	long.Test(t)
	for name, does := range map[string]string{
		"busy":             "setTimeout(() => { for (const end = performance.now() + 1500; performance.now() < end;); })",
		"another document": "location = 'press.html'",
	} {
		t.Run(name, func(t *testing.T) {
			tt := tab.Open(t, pages.HTML(`<button id=handle onmousedown="`+does+`">Handle</button>`))
			handle := must(tt.BySelector("#handle"))
			err := tt.InActFor(time.Second, func(ctx context.Context) error { return handle.Drag(ctx, page.DragEnd{By: &page.Point{X: 50}}) })
			if !errors.Is(err, page.ErrSent) {
				t.Errorf("got %v", err)
			}
		})
	}
}
