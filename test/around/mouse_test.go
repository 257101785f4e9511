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
