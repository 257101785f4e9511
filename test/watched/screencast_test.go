package watched

import (
	"fmt"
	"image"
	"image/color"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"chela/test/pages"
	"chela/test/service"
)

// ofTab is the query of a viewer of a tab, with more parameters.
func ofTab(tab *service.Tab, more ...string) url.Values {
	q := url.Values{"targetId": {tab.ID}}
	for i := 0; i < len(more); i += 2 {
		q.Set(more[i], more[i+1])
	}
	return q
}

// colored is the address of a page of one color, with a title and a text.
func colored(name string) string {
	return site.URL + pages.HTML(fmt.Sprintf(`<title>%[1]s page</title><style>html { background: %[1]s }</style><p>Text`, name))
}

// isColored reports whether a frame shows a page of a color, red or blue.
func isColored(t *testing.T, name string) func(service.Message) bool {
	return func(m service.Message) bool {
		p := m.Picture(t)
		c := color.RGBAModel.Convert(p.At(p.Bounds().Dx()/2, p.Bounds().Dy()/2)).(color.RGBA)
		return name == "red" && c.R > 200 && c.B < 100 || name == "blue" && c.B > 200 && c.R < 100
	}
}

// The end of the server waits for no viewer that does not read. Package websocket would wait for 5 s.
func TestViewerThatDoesNotReadHoldsUpNothing(t *testing.T) {
	s := service.Own(t, "")
	tab := s.Open(t, colored("red"))
	header := http.Header{"Authorization": {"Bearer " + service.Token}}
	socket, _, err := websocket.Dial(t.Context(), strings.Replace(s.URL, "http", "ws", 1)+"/screencast?"+ofTab(tab).Encode(), &websocket.DialOptions{HTTPHeader: header})
	if err != nil {
		t.Fatal(err)
	}
	defer socket.CloseNow()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		s.Close()
	}()
	select {
	case <-ended:
	case <-time.After(4500 * time.Millisecond):
		t.Error("it waits for the viewer")
		socket.CloseNow()
		<-ended
	}
}

// A viewer gets pictures and what happens in the tab. There is at most one picture that it has not
// acknowledged. It follows the tab to other pages, until the tab closes.
func TestScreencast(t *testing.T) {
	tab := shared.Open(t, colored("red"))
	v := shared.View(t, ofTab(tab, "maxWidth", "400", "maxHeight", "300", "fps", "30"))
	v.Next("address", func(m service.Message) bool { return m.Text("url") == colored("red") })
	v.Next("title", func(m service.Message) bool { return m.Text("title") == "red page" })
	frame := v.Next("frame", isColored(t, "red"))
	if size := frame.Picture(t).Bounds().Size(); frame["seq"] != 1.0 || image.Pt(int(frame["width"].(float64)), int(frame["height"].(float64))) != size || size.X > 400 || size.Y > 300 {
		t.Errorf("frame %v of %v×%v is a picture of %v", frame["seq"], frame["width"], frame["height"], size)
	}
	tab.Visit(colored("blue"))
	if !v.Quiet("frame", 300*time.Millisecond) {
		t.Error("there is another frame before the last was acknowledged")
	}
	v.Ack(frame)
	frame = v.Next("frame", isColored(t, "blue"))
	v.Ack(frame)

	tab.Eval("() => { document.title = 'Another <b>'; setTimeout(() => alert('Sure?')); return 1 }")
	v.Next("title", func(m service.Message) bool { return m.Text("title") == "Another <b>" })
	opened := v.Next("dialog", nil)
	if opened["open"] != true || opened.Text("kind") != "alert" || opened.Text("message") != "Sure?" {
		t.Errorf("got %v", opened)
	}
	tab.OK("POST /hooks/dialog", args{"accept": true})
	v.Next("dialog", func(m service.Message) bool { return m["open"] == false && m.Text("closedBy") == "agent" })
	tab.Do("POST /act", args{"kind": "click", "ref": "e999"})
	v.Next("act", func(m service.Message) bool { return m.Text("op") == "click" && m.Text("code") == "unknown_ref" })

	shared.OK(t, "DELETE /tabs/"+tab.ID, nil)
	if end := v.Next("end", nil); end.Text("reason") != "tab-closed" {
		t.Errorf("got %v", end)
	}
}

// A viewer that is refused gets an ordinary answer.
func TestScreencastRefuses(t *testing.T) {
	tab := shared.Borrow(t, colored("red"))
	for _, s := range []struct {
		name    string
		query   url.Values
		header  http.Header
		status  int
		code    string
		message string
	}{
		{"a wrong token", ofTab(tab), http.Header{"Authorization": {"Bearer x"}}, 401, "unauthorized", "Unauthorized"},
		{"a page of another site", ofTab(tab), http.Header{"Origin": {"https://example.com"}}, 403, "forbidden", "Forbidden"},
		{"a page that was opened from a file", ofTab(tab), http.Header{"Origin": {"null"}}, 403, "forbidden", "Forbidden"},
		{"a ticket that never was", ofTab(tab, "ticket", "x"), nil, 401, "unauthorized", "the ticket is not valid"},
		{"an empty ticket", ofTab(tab, "ticket", ""), nil, 401, "unauthorized", "the ticket is not valid"},
		{"no such tab", url.Values{"targetId": {"t9999"}}, nil, 404, "not_found", "tab not found"},
		{"no such profile", ofTab(tab, "profile", "nobody"), nil, 404, "not_found", "nobody"},
		{"too large", ofTab(tab, "maxWidth", "100000"), nil, 400, "invalid_request", "maxWidth must be a number from 16 to 3840"},
		{"too fast", ofTab(tab, "fps", "0"), nil, 400, "invalid_request", "fps must be a number from 1 to 30"},
		{"no number", ofTab(tab, "quality", "best"), nil, 400, "invalid_request", "quality must be a number"},
	} {
		v, a := shared.TryView(t, s.query, s.header)
		if v != nil {
			t.Errorf("%s: it is let in", s.name)
			continue
		}
		t.Run(s.name, func(t *testing.T) { a.Fails(t, s.status, s.code, s.message) })
	}
	shared.Do(t, "GET /screencast?targetId="+tab.ID, nil).Fails(t, 400, "invalid_request", "the live view is a WebSocket")
}

// A ticket lets one viewer in, once, to its own tab. A page of any origin may use it, but only at a
// name of this server.
func TestScreencastTickets(t *testing.T) {
	tab, other := shared.Borrow(t, colored("red")), shared.Borrow(t, colored("blue"))
	ticket := func(more args) string {
		t.Helper()
		return tab.OK("POST /screencast/ticket", more).Text("ticket")
	}
	used := ticket(nil)
	v, a := shared.TryView(t, url.Values{"ticket": {used}}, http.Header{"Origin": {"https://example.com"}})
	if v == nil {
		t.Fatalf("refused: %d %s", a.Status, a.Raw)
	}
	v.Ack(v.Next("frame", isColored(t, "red")))
	v.Send(service.Message{"type": "key", "key": "a"})
	v.Next("error", func(m service.Message) bool { return m.Text("code") == "forbidden" })

	short := ticket(args{"ttlMs": 1})
	time.Sleep(2 * time.Millisecond) // A call may take less than a millisecond, so the ticket might still be valid.
	for _, s := range []struct {
		name    string
		query   url.Values
		header  http.Header
		status  int
		message string
	}{
		{"used", url.Values{"ticket": {used}}, nil, 401, "the ticket is not valid"},
		{"too old", url.Values{"ticket": {short}}, nil, 401, "the ticket is not valid"},
		{"another tab", ofTab(other, "ticket", ticket(nil)), nil, 401, "the ticket is for another tab"},
		{"another host", url.Values{"ticket": {ticket(nil)}}, http.Header{"Host": {"example.com"}}, 403, "Forbidden"},
		{"with a token", url.Values{"ticket": {ticket(nil)}}, http.Header{"Authorization": {"Bearer x"}}, 400, "more than one credential"},
		{"two tickets", url.Values{"ticket": {ticket(nil), ticket(nil)}}, nil, 400, "more than one credential"},
	} {
		if v, a := shared.TryView(t, s.query, s.header); v != nil || a.Status != s.status || !strings.Contains(a.Raw, s.message) {
			t.Errorf("%s: got %d %s", s.name, a.Status, a.Raw)
		}
	}
	for _, wrong := range []args{{"ttlMs": 60001}, {"ttlMs": -1}} {
		if a := tab.Do("POST /screencast/ticket", wrong); a.Status != 400 {
			t.Errorf("%v: got %d %s", wrong, a.Status, a.Raw)
		}
	}
	// A ticket opens nothing else.
	resp, err := http.Get(shared.URL + "/tabs?ticket=" + ticket(nil))
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != 401 {
		t.Errorf("GET /tabs with a ticket: got %d", resp.StatusCode)
	}
}

// What a viewer does to the pictures is done in the page, by calls of the session person.
func TestScreencastControl(t *testing.T) {
	tab := shared.Open(t, site.URL+pages.HTML(`<style>body { margin: 0; height: 3000px } button { position: absolute; left: 200px; top: 100px; width: 100px; height: 60px } input { position: absolute; left: 0; top: 300px }</style>
		<button onclick="log('click')" onmouseover="log('over')" onmousedown="log('down')" onmouseup="log('up')">Go</button><input onkeydown="log('key ' + event.key)">
		<div id=out hidden></div><script>
		const said = []
		function log(what) { said.push(what); document.title = said.join(' ') }
		addEventListener('scroll', () => log('scrolled'), {once: true})
	</script>`))
	ticket := tab.OK("POST /screencast/ticket", args{"control": true, "ttlMs": 60000}).Text("ticket")
	v := shared.View(t, url.Values{"ticket": {ticket}, "maxWidth": {"320"}, "maxHeight": {"320"}})
	frame := v.Next("frame", nil)
	v.Ack(frame)
	width := tab.OK("POST /act", args{"kind": "evaluate", "fn": "() => innerWidth"}).Get("result").(float64)
	scale := frame["width"].(float64) / width // of the viewport to the picture
	at := func(event string, x, y float64) service.Message {
		return service.Message{"type": "mouse", "event": event, "x": x * scale, "y": y * scale}
	}
	titled := func(want string) {
		t.Helper()
		v.Next("title", func(m service.Message) bool { return m.Text("title") == want })
	}
	v.Send(at("click", 250, 130))
	titled("over down up click")
	v.Send(at("move", 600, 500))
	v.Send(at("down", 250, 130))
	v.Send(at("up", 250, 130))
	titled("over down up click over down up click")
	v.Send(at("click", 50, 310))
	v.Send(service.Message{"type": "key", "key": "A"})
	titled("over down up click over down up click key A")
	v.Send(service.Message{"type": "text", "text": "e3 x"})
	service.Eventually(t, "the text is in the field", func() bool { return tab.Eval("() => document.querySelector('input').value") == "Ae3 x" })
	wheel := at("", 600, 500)
	wheel["type"], wheel["deltaX"], wheel["deltaY"] = "wheel", 0, 200
	v.Send(wheel)
	titled("over down up click over down up click key A scrolled")

	for _, wrong := range []struct {
		sent           service.Message
		code, complete string
	}{
		{service.Message{"type": "mouse", "event": "click"}, "invalid_request", "mouse requires x and y"},
		{service.Message{"type": "mouse", "event": "dance", "x": 1, "y": 1}, "invalid_request", "the event of the mouse"},
		{service.Message{"type": "dance"}, "invalid_request", "unknown type"},
		{service.Message{"type": "key", "key": "NoSuchKey"}, "ACT_INVALID_REQUEST", "NoSuchKey"},
		{service.Message{"type": "text", "text": 5}, "invalid_request", "cannot be read"},
		{at("click", -5, 5), "ACT_INVALID_REQUEST", "non-negative"},
		{at("click", 100_000, 5), "ACT_INVALID_REQUEST", "outside"},
		{at("down", 100_000, 5), "ACT_INVALID_REQUEST", "outside"},
	} {
		v.Send(wrong.sent)
		if got := v.Next("error", nil); got.Text("code") != wrong.code || !strings.Contains(got.Text("error"), wrong.complete) {
			t.Errorf("%v: got %v", wrong.sent, got)
		}
	}
	if calls := shared.OK(t, "GET /calls", nil).Raw; !strings.Contains(calls, `"session":"person"`) {
		t.Errorf("there is no call of a person: %s", calls)
	}
	shared.In("agent").OK(t, "POST /tabs/"+tab.ID+"/lease", args{"ttlMs": 60000})
	v.Send(at("click", 250, 130))
	v.Next("error", func(m service.Message) bool { return strings.Contains(m.Text("error"), "leased") })
	shared.In("agent").OK(t, "POST /tabs/"+tab.ID+"/lease", args{"ttlMs": 0})
}

// A click has the modifier keys that the person holds. When a viewer goes during a drag, the button is
// released.
func TestScreencastMouse(t *testing.T) {
	tab := shared.Open(t, site.URL+pages.HTML(`<style>html { height: 100% }</style><script>
		for (const type of ["click", "mousedown", "mouseup"]) addEventListener(type, e => document.title += " " + type + (e.ctrlKey ? " ctrl" : "") + (e.shiftKey ? " shift" : ""))
	</script>`))
	said := func(want string) {
		t.Helper()
		service.Eventually(t, "the page has got"+want, func() bool { return tab.Eval("() => document.title") == strings.TrimSpace(want) })
	}
	v := shared.View(t, ofTab(tab, "control", "true"))
	v.Ack(v.Next("frame", nil))
	v.Send(service.Message{"type": "mouse", "event": "click", "x": 50, "y": 50, "modifiers": []string{"Control", "Shift"}})
	said(" mousedown ctrl shift mouseup ctrl shift click ctrl shift")
	tab.Eval("() => { document.title = '' }")
	v.Send(service.Message{"type": "mouse", "event": "down", "x": 50, "y": 50})
	v.Send(service.Message{"type": "mouse", "event": "move", "x": 80, "y": 50})
	said(" mousedown")
	v.Leave()
	said(" mousedown mouseup click")
}

// A viewer learns which person has taken over the tab, and when that ends.
func TestScreencastPerson(t *testing.T) {
	tab := shared.Open(t, colored("red"))
	v := shared.View(t, ofTab(tab))
	is := func(by string) func(service.Message) bool {
		return func(m service.Message) bool {
			person, _ := m["person"].(map[string]any)
			return person == nil && by == "" || person["by"] == by
		}
	}
	v.Next("person", is(""))
	tab.OK("POST /takeover", nil)
	v.Next("person", func(m service.Message) bool { return m["person"] != nil })
	tab.OK("POST /giveback", nil)
	v.Next("person", is(""))
}

// A viewer stays while the page crashes and is opened again.
func TestScreencastAfterACrash(t *testing.T) {
	t.Parallel()
	s := service.Own(t, "")
	tab := s.Open(t, colored("red"))
	v := s.View(t, ofTab(tab))
	v.Ack(v.Next("frame", isColored(t, "red")))
	s.KillRenderers(t)
	v.Next("crashed", nil)
	tab.OK("POST /navigate", args{"url": colored("blue")}).Has(t, "recovered", "true")
	v.Next("reopened", nil)
	v.Ack(v.Next("frame", isColored(t, "blue")))
	s.KillBrowser(t)
	v.Next("end", func(m service.Message) bool { return m.Text("reason") == "browser-ended" })

	s.Reopened(t, tab.ID)
	v = s.View(t, ofTab(tab))
	v.Next("frame", nil)
	s.Close()
	v.Next("end", func(m service.Message) bool { return m.Text("reason") == "server-ended" })
}

// Eight viewers of a tab that changes without end, each with another size: all see it. One that
// acknowledges nothing holds up neither the others nor calls. When all have gone, nothing runs.
func TestEightViewers(t *testing.T) {
	tab := shared.Open(t, site.URL+pages.HTML(`<p>0<script>
		let n = 0
		setInterval(() => { document.querySelector('p').textContent = ++n }, 20)
	</script>`))
	idle := shared.View(t, ofTab(tab))
	idle.Next("frame", nil)
	var watching sync.WaitGroup
	for i := range 7 {
		v := shared.View(t, ofTab(tab, "maxWidth", fmt.Sprint(100+100*i), "fps", "10"))
		watching.Go(func() {
			for range 5 {
				v.Ack(v.Next("frame", nil))
			}
			v.Leave()
		})
	}
	began := time.Now()
	tab.Snapshot()
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("a snapshot takes %s", took)
	}
	watching.Wait()
}
