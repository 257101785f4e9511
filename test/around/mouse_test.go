package around

import (
	"strings"
	"testing"
)

// boxPage has a handle that follows the mouse, and shows where it was left.
const boxPage = `<body style="margin:0"><button id=a style="position:absolute;left:100px;top:100px;width:40px;height:20px">Handle</button><p id=p></p><script>
	a.onpointerdown = event => a.setPointerCapture(event.pointerId);
	a.onpointerup = event => { p.textContent = 'left at ' + event.clientX + ',' + event.clientY; };</script>`

// A button that one call presses is released by another, by itself or in a batch.
func TestMouseAcrossCalls(t *testing.T) {
	tab := shared.Open(t, html(boxPage))
	tab.Act("mouseMove", args{"x": 110, "y": 110})
	tab.Act("mouseDown", nil)
	tab.Act("mouseMove", args{"x": 300, "y": 250})
	tab.Snapshot()
	if a := tab.Act("mouseUp", args{"snapshot": "delta"}); !strings.Contains(a.Text("delta"), "left at 300,250") {
		t.Errorf("answered %s", a.Raw)
	}
	tab.Act("batch", args{"actions": []args{
		{"kind": "mouseMove", "x": 110, "y": 110}, {"kind": "mouseDown", "button": "left"}, {"kind": "mouseMove", "x": 50, "y": 60}, {"kind": "mouseUp"},
	}})
	if got := tab.Eval("p.textContent"); got != "left at 50,60" {
		t.Errorf("after a batch: %q", got)
	}
	a := tab.Do("POST /act", args{"kind": "mouseMove", "x": 9000, "y": 5})
	a.Fails(t, 400, "ACT_INVALID_REQUEST", "the point 9000,5 is outside of the viewport")
}

// A key that a batch holds is released, whatever the acts before its release have led to.
func TestKeyIsReleasedAtTheEnd(t *testing.T) {
	for _, what := range []string{"history.pushState({}, '', '#there')", "alert('Stop')", "location = '/frame.html'"} {
		tab := shared.Open(t, html(`<button onclick="`, what, `">Go</button>`))
		tab.Act("batch", args{"actions": []args{{"kind": "keydown", "key": "Shift"}, {"kind": "click", "ref": tab.Ref("Go")}, {"kind": "keyup", "key": "Shift"}}})
		if strings.HasPrefix(what, "alert") {
			tab.OK("POST /hooks/dialog", args{"accept": true})
		}
		tab.Eval("onkeydown = event => { document.title = event.shiftKey }; 0")
		tab.Act("press", args{"key": "a"})
		if got := tab.Eval("document.title"); got != "false" {
			t.Errorf("after %s, Shift is held: %s", what, got)
		}
	}
}

func TestDragAnswers(t *testing.T) {
	tab := shared.Open(t, html(boxPage))
	tab.Snapshot()
	ref := tab.Ref(`button "Handle"`)
	for _, s := range []struct {
		request  args
		at, left string
	}{
		{args{"endX": 300, "endY": 250}, "300,250", "left at 300,250"},
		{args{"offsetX": -20, "steps": 5}, "-20,+0", "left at 100,110"},
		{args{"startOffsetX": 3, "offsetX": 100}, "+100,+0", "left at 205,102"},
		{args{"endRef": ref, "offsetX": 1, "offsetY": 2}, "", ""},
	} {
		s.request["startRef"] = ref
		a := tab.Act("drag", s.request)
		if got := a.Text("at"); got != s.at {
			t.Errorf("%v: at is %q, want %q", s.request, got, s.at)
		}
		if got := tab.Eval("p.textContent"); s.left != "" && got != s.left {
			t.Errorf("%v: %q, want %q", s.request, got, s.left)
		}
	}
	for _, wrong := range []struct {
		request args
		message string
	}{
		{args{}, "drag requires endRef or endSelector"},
		{args{"endX": 1}, "drag requires endX and endY together"},
		{args{"endX": 1, "endY": 1, "endRef": ref}, "drag takes endX and endY without endRef and offsets"},
		{args{"endX": 1, "endY": 9000}, "the point 1,9000 is outside of the viewport"},
	} {
		wrong.request["kind"], wrong.request["startRef"] = "drag", ref
		a := tab.Do("POST /act", wrong.request)
		a.Fails(t, 400, "ACT_INVALID_REQUEST", wrong.message)
	}
}

// What keeps a drag from ending on an element also says which point of the viewport that is.
func TestDragNamesItsPoint(t *testing.T) {
	tab := shared.Open(t, html(boxPage, `<div tabindex=0 aria-label=Place style="position:absolute;left:200px;top:100px;width:40px;height:20px">P</div>
		<div style="position:fixed;left:200px;top:90px;width:60px;height:60px"></div>`))
	tab.Snapshot()
	for hint, more := range map[string]args{"anyway: endX 220, endY 110": {}, "beside it: endX 250, endY 105": {"offsetX": 50, "offsetY": 5}} {
		more["kind"], more["startRef"], more["endRef"], more["timeoutMs"] = "drag", tab.Ref("Handle"), tab.Ref("Place"), 1000
		if a := tab.Do("POST /act", more); !strings.Contains(a.Text("hint"), hint) {
			t.Errorf("got %s, want %q", a.Raw, hint)
		}
	}
}

// In some lists an item follows the mouse only after a long press, and a move before that is
// ignored. A drag says that nothing has changed, and with delayMs it holds the mouse first.
func TestDragAfterLongPress(t *testing.T) {
	tab := shared.Open(t, html(`<body style="margin:0"><button id=a style="position:absolute;left:100px;top:100px;width:40px;height:20px">Item</button><p id=p></p><script>
		let timer = 0, lifted = false;
		a.onpointerdown = event => { a.setPointerCapture(event.pointerId); timer = setTimeout(() => { lifted = true; }, 100); };
		a.onpointermove = () => { if (!lifted) clearTimeout(timer); };
		a.onpointerup = event => { if (lifted) p.textContent = 'left at ' + event.clientX + ',' + event.clientY; };</script>`))
	tab.Snapshot()
	ref := tab.Ref(`button "Item"`)
	a := tab.Act("drag", args{"startRef": ref, "endX": 300, "endY": 250})
	if got := a.Text("note"); !strings.Contains(got, "delayMs") {
		t.Errorf("a drag that the page ignores: %s", a.Raw)
	}
	a = tab.Act("drag", args{"startRef": ref, "endX": 300, "endY": 250, "delayMs": 300})
	if got := tab.Eval("p.textContent"); got != "left at 300,250" || a.Text("note") != "" {
		t.Errorf("after a long press: %q, answered %s", got, a.Raw)
	}
}

// A drag whose mark on the page is undone, or that was only a change of the attribute draggable, has done
// nothing. Neither has one that only chose the element when it was pressed. A clock elsewhere does not
// hide that.
func TestDragThatDoesNothing(t *testing.T) {
	for what, script := range map[string]string{
		"delayed list": `onpointerdown = event => { event.target.draggable = false; };`,
		"table row":    `onpointerdown = event => { event.target.closest('ul').draggable = true; }; ondragstart = event => event.preventDefault();`,
		"choice":       `a.onfocus = () => { a.ariaSelected = 'true'; }; onpointerdown = () => { a.className = 'chosen'; };`,
		"clock":        `setInterval(() => { clock.textContent = performance.now(); }, 30);`,
		"marks": `onpointerdown = () => { a.className = 'held'; a.style.opacity = .5; a.after(document.createElement('hr')); };
			onpointerup = () => { a.className = ''; a.style.opacity = ''; document.querySelector('hr').remove(); };`,
	} {
		tab := shared.Open(t, html(`<p id=clock></p><ul><li id=a tabindex=0 aria-label=A style="color:red">A</li><li tabindex=0 aria-label=B>B</li></ul><script>`, script, `</script>`))
		tab.Snapshot()
		a := tab.Act("drag", args{"startRef": tab.Ref("A"), "endRef": tab.Ref("B")})
		if got := a.Text("note"); !strings.Contains(got, "delayMs") {
			t.Errorf("%s: %s", what, a.Raw)
		}
	}
}

// A drag that does something is not doubted, wherever that is.
func TestDragThatDoesSomething(t *testing.T) {
	for what, script := range map[string]string{
		"order":      `onpointerup = () => b.after(a);`,
		"place":      `onpointerup = () => { a.style.left = '9px'; };`,
		"panel":      `onpointerup = () => { a.parentNode.style.left = '9px'; };`,
		"words":      `onpointerup = () => { b.textContent = 'B has A'; };`,
		"elsewhere":  `onpointerup = () => { document.body.append(document.createElement('hr')); };`,
		"much":       `onpointerup = () => { b.after(a); for (let i = 0; i < 2e5; i++) b.title = i; b.title = ''; };`,
		"first move": `onpointermove = event => { if (event.buttons) a.style.left = '9px'; };`,
		"deletion":   `onpointerup = () => a.remove();`,
		"control":    `onpointerup = () => { range.value = 9; range.dispatchEvent(new Event('input')); };`,
	} {
		tab := shared.Open(t, html(`<input type=range id=range><ul><li id=a tabindex=0 aria-label=A>A</li><li id=b tabindex=0 aria-label=B>B</li></ul><script>`, script, `</script>`))
		tab.Snapshot()
		if a := tab.Act("drag", args{"startRef": tab.Ref("A"), "endRef": tab.Ref("B")}); a.Text("note") != "" {
			t.Errorf("%s: %s", what, a.Raw)
		}
	}
}

// An element that the page stops on its way, or that only grows, says so.
func TestDragThatGoesAnotherWay(t *testing.T) {
	for _, s := range []struct{ to, note string }{
		{"left = Math.min(60, x) + 'px'", "it moved +60,+0"},
		{"left = x + 'px'", ""},
		{"width = 100 + x + 'px'", "its size changed by +150,+0"},
		{"color = 'red'", ""},
	} {
		tab := shared.Open(t, html(`<button id=a style="position:absolute;left:0;top:0;width:100px;height:40px">Box</button><script>
			let began = 0
			a.onpointerdown = event => { began = event.clientX; a.setPointerCapture(event.pointerId); };
			a.onpointermove = event => { const x = event.clientX - began; if (event.buttons) a.style.`, s.to, `; };</script>`))
		tab.Snapshot()
		if a := tab.Act("drag", args{"startRef": tab.Ref("Box"), "offsetX": 150}); a.Text("note") != s.note {
			t.Errorf("%s: %s, want %q", s.to, a.Raw, s.note)
		}
	}
}

// A page has taken a drop, and shows that later. A longer press would not help.
func TestDropThatIsShownLater(t *testing.T) {
	tab := shared.Open(t, html(`<div draggable=true tabindex=0 aria-label=Card>C</div>
		<div tabindex=0 aria-label=Late ondragover="event.preventDefault()" ondrop="event.preventDefault()">L</div>`))
	tab.Snapshot()
	a := tab.Act("drag", args{"startRef": tab.Ref("Card"), "endRef": tab.Ref("Late")})
	if got := a.Text("note"); !strings.Contains(got, "took the drop") {
		t.Errorf("got %s", a.Raw)
	}
}

// A drop that the page does not accept is no success, although the page has marked what is dragged.
func TestDropThatIsRefused(t *testing.T) {
	tab := shared.Open(t, html(`<p id=toast></p><div id=card draggable=true tabindex=0 aria-label=Card>C</div>
		<div id=free tabindex=0 aria-label=Open>O</div> <div tabindex=0 aria-label=Full>F</div> <div id=lax tabindex=0 aria-label=Lax>L</div><script>
		card.ondragstart = () => card.classList.add('dragged');
		card.ondragend = () => { card.classList.remove('dragged'); toast.append(document.createElement('b')); };
		free.ondragover = event => event.preventDefault(); free.ondrop = () => free.append('!');
		lax.ondragenter = () => lax.append(card);</script>`))
	tab.Snapshot()
	for onto, note := range map[string]string{"Full": "did not accept the drop", "Open": "", "Lax": ""} {
		a := tab.Act("drag", args{"startRef": tab.Ref("Card"), "endRef": tab.Ref(onto)})
		if got := a.Text("note"); (got == "") != (note == "") || !strings.Contains(got, note) {
			t.Errorf("onto %s: %s", onto, a.Raw)
		}
	}
}

// What a page draws on a canvas is no change of its document. So nothing is said of a drag from or to a
// canvas, even if another element covers the canvas.
func TestDragOnACanvas(t *testing.T) {
	tab := shared.Open(t, html(`<style>div, canvas { width: 100px; height: 60px; position: absolute; top: 100px }</style>
		<div role=img aria-label=Brush tabindex=0 style="left:0">B</div> <div role=group aria-label=Map tabindex=0 style="left:200px"><canvas></canvas></div>
		<canvas style="left:400px"></canvas><div role=group aria-label=Layer tabindex=0 style="left:400px"></div>`))
	tab.Snapshot()
	for from, to := range map[string]string{"Brush": "Map", "Map": "Brush", "Layer": "Brush"} {
		if a := tab.Act("drag", args{"startRef": tab.Ref(from), "endRef": tab.Ref(to)}); a.Text("note") != "" {
			t.Errorf("from %s to %s: %s", from, to, a.Raw)
		}
	}
}

// A click whose handler throws does nothing, and the answer says why.
func TestClickWhoseScriptFails(t *testing.T) {
	tab := shared.Open(t, html(`<button onclick="missing.call()">Fails</button><button onclick="p.textContent = 'done'">Works</button><p id=p></p><button onclick="fetch('/text.html'); missed.call()">Sends</button><button onclick="throw new Error('one\ndownloaded: two')">Lies</button>
		<button onclick="setTimeout(early); setTimeout(() => p.textContent += '!', 20)">Again</button><script>function early() { throw new Error('early') }; setTimeout(early)</script>`))
	tab.Snapshot()
	for _, works := range []string{"Works", "Sends", "Again"} {
		if got := tab.Act("click", args{"ref": tab.Ref(works)}).Text("note"); got != "" {
			t.Errorf("a click that works: %s: %q", works, got)
		}
	}
	if got := tab.Act("click", args{"ref": tab.Ref(`"Fails"`)}).Text("note"); !strings.Contains(got, "A script of the page failed: ReferenceError: missing is not defined") {
		t.Errorf("a click that fails: %q", got)
	}
	if got := tab.Act("click", args{"ref": tab.Ref(`"Lies"`)}).Text("note"); !strings.HasSuffix(got, "A script of the page failed: Error: one downloaded: two") {
		t.Errorf("a message with several lines: %q", got)
	}
}

// The same error in another document is news. In the same document it is not.
func TestClickWhoseScriptFailsAgain(t *testing.T) {
	page := html(`<button onclick="missing.call()">Fails</button>`)
	tab := shared.Open(t, page)
	for range 2 {
		tab.Snapshot()
		for i, said := range []bool{true, false} {
			got := tab.Act("click", args{"ref": tab.Ref("Fails")}).Text("note")
			if strings.Contains(got, "A script of the page failed") != said {
				t.Errorf("click %d: %q", i+1, got)
			}
		}
		tab.OK("POST /navigate", args{"url": page})
	}
}
