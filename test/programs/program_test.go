package programs

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"chela/test/service"
)

// A program drives tabs by the endpoint of a session.
type program struct {
	testing.TB
	conn *websocket.Conn
	read chan struct{} // closed when the connection has ended

	mu      sync.Mutex // guards the rest
	last    int
	replies map[int]chan reply
	events  []event
	changed chan struct{} // closed at the next event
	end     error         // how the connection has ended
}

type reply struct {
	Result json.RawMessage
	Error  *struct {
		Code    int
		Message string
	}
}

type event struct {
	Method    string
	SessionID string
	Params    json.RawMessage
}

// fields are JSON objects, of parameters and results.
type fields map[string]any

// endpoint returns the addresses at which programs drive the tabs of a session.
func endpoint(t testing.TB, s *service.Service, session string) (ws, http string) {
	t.Helper()
	a := s.In(session).OK(t, "POST /cdp", args{})
	return a.Text("wsUrl"), a.Text("httpUrl")
}

// connect connects a program to the endpoint of a session.
func connect(t testing.TB, s *service.Service, session string) *program {
	t.Helper()
	ws, _ := endpoint(t, s, session)
	return dial(t, ws)
}

func dial(t testing.TB, ws string) *program {
	t.Helper()
	conn, _, err := websocket.Dial(t.Context(), ws, nil)
	if err != nil {
		t.Fatal(err)
	}
	conn.SetReadLimit(-1)
	p := &program{TB: t, conn: conn, read: make(chan struct{}), replies: map[int]chan reply{}, changed: make(chan struct{})}
	go p.take()
	t.Cleanup(func() {
		conn.CloseNow()
		<-p.read
	})
	return p
}

// take reads messages until the connection ends.
func (p *program) take() {
	defer close(p.read)
	for {
		_, message, err := p.conn.Read(context.Background())
		if err != nil {
			p.mu.Lock()
			p.end = err
			p.mu.Unlock()
			return
		}
		var m struct {
			ID int
			reply
			event
		}
		if err := json.Unmarshal(message, &m); err != nil {
			p.Errorf("%v: %s", err, message)
		}
		p.mu.Lock()
		switch got := p.replies[m.ID]; {
		case got != nil:
			got <- m.reply
			delete(p.replies, m.ID)
		case m.Method != "":
			p.events = append(p.events, m.event)
			close(p.changed)
			p.changed = make(chan struct{})
		}
		p.mu.Unlock()
	}
}

// try sends a command and waits for its reply.
func (p *program) try(session, method string, params fields) reply {
	p.Helper()
	p.mu.Lock()
	p.last++
	id, got := p.last, make(chan reply, 1)
	p.replies[id] = got
	p.mu.Unlock()
	message := fields{"id": id, "method": method}
	if session != "" {
		message["sessionId"] = session
	}
	if params != nil {
		message["params"] = params
	}
	raw, err := json.Marshal(message)
	if err == nil {
		err = p.conn.Write(p.Context(), websocket.MessageText, raw)
	}
	if err != nil {
		p.Fatalf("%s: %v", method, err)
	}
	select {
	case r := <-got:
		return r
	case <-p.read:
		p.Fatalf("%s: the connection ended: %v", method, p.end)
	case <-time.After(20 * time.Second):
		p.Fatalf("%s was not answered", method)
	}
	panic("unreachable")
}

// call makes a call that must succeed.
func (p *program) call(session, method string, params fields) (result fields) {
	p.Helper()
	r := p.try(session, method, params)
	if r.Error != nil {
		p.Fatalf("%s %v: %s (%d)", method, params, r.Error.Message, r.Error.Code)
	}
	if err := json.Unmarshal(r.Result, &result); err != nil {
		p.Fatalf("%s: %s: %v", method, r.Result, err)
	}
	return result
}

// fails makes a call that must fail with a text.
func (p *program) fails(session, method string, params fields, text string) {
	p.Helper()
	if r := p.try(session, method, params); r.Error == nil || !contains(r.Error.Message, text) {
		p.Errorf("%s %v: %s %v, want %q", method, params, r.Result, r.Error, text)
	}
}

// await waits for an event for which the function which is true.
func (p *program) await(what string, which func(event) bool) event {
	p.Helper()
	late := time.After(20 * time.Second)
	for {
		p.mu.Lock()
		events, changed := p.events, p.changed
		p.mu.Unlock()
		for _, e := range events {
			if which(e) {
				return e
			}
		}
		select {
		case <-changed:
		case <-p.read:
			p.Fatalf("%s: the connection ended: %v", what, p.end)
		case <-late:
			p.Fatalf("%s did not come; events are %v", what, p.names())
		}
	}
}

// awaitEvent waits for an event of a session whose parameters contain a text.
func (p *program) awaitEvent(session, method, text string) event {
	p.Helper()
	return p.await(method+" "+text, func(e event) bool {
		return e.SessionID == session && e.Method == method && contains(string(e.Params), text)
	})
}

// has reports whether an event that contains a text has come.
func (p *program) has(text string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, e := range p.events {
		if contains(string(e.Params), text) {
			return true
		}
	}
	return false
}

func (p *program) names() (names []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, e := range p.events {
		names = append(names, e.Method+" "+e.SessionID)
	}
	return names
}

// open opens a tab, attaches to it, and shows an address.
func (p *program) open(address string) (target, session string) {
	p.Helper()
	target = p.call("", "Target.createTarget", fields{"url": "about:blank"})["targetId"].(string)
	session = p.attach(target)
	if address != "" {
		p.show(session, address)
	}
	return target, session
}

func (p *program) attach(target string) (session string) {
	p.Helper()
	return p.call("", "Target.attachToTarget", fields{"targetId": target, "flatten": true})["sessionId"].(string)
}

// show navigates, and waits until the document has loaded.
func (p *program) show(session, address string) {
	p.Helper()
	p.call(session, "Page.enable", nil)
	p.call(session, "Page.setLifecycleEventsEnabled", fields{"enabled": true})
	loader := p.call(session, "Page.navigate", fields{"url": address})["loaderId"]
	p.await("the load of "+address, func(e event) bool {
		return e.SessionID == session && e.Method == "Page.lifecycleEvent" && contains(string(e.Params), fmt.Sprintf(`"loaderId":"%v"`, loader)) &&
			contains(string(e.Params), `"name":"load"`)
	})
}

// eval returns the value of an expression as text.
func (p *program) eval(session, expression string) string {
	p.Helper()
	result := p.call(session, "Runtime.evaluate", fields{"expression": expression, "awaitPromise": true, "returnByValue": true})
	return fmt.Sprint(result["result"].(map[string]any)["value"])
}

// targets lists the ids of the pages that the program sees.
func (p *program) targets() (ids []string) {
	p.Helper()
	for _, info := range p.call("", "Target.getTargets", nil)["targetInfos"].([]any) {
		ids = append(ids, info.(map[string]any)["targetId"].(string))
	}
	return ids
}

// ended waits until the connection has ended, and returns the code that it was closed with.
func (p *program) ended() websocket.StatusCode {
	p.Helper()
	select {
	case <-p.read:
		return websocket.CloseStatus(p.end)
	case <-time.After(20 * time.Second):
		p.Fatal("the connection has not ended")
	}
	return 0
}
