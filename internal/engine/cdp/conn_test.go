package cdp

import (
	"bytes"
	"errors"
	"io"
	"log/slog"
	"strings"
	"testing"

	proto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
)

func TestEventsOfATabArriveInOneQueue(t *testing.T) {
	c, p := connect(t, Options{})
	tab := p.attach(t, c.Root(), "TAB")
	other := p.attach(t, c.Root(), "OTHER")
	frame := p.attach(t, tab, "FRAME")
	nested := p.attach(t, frame, "NESTED")
	if tab.Events() == c.Root().Events() || tab.Events() == other.Events() {
		t.Fatal("a tab must have a queue of its own")
	}
	if nested.Parent != frame || frame.Parent != tab || tab.Parent != c.Root() {
		t.Fatal("sessions do not know what they were attached on")
	}
	order := []*Session{nested, tab, frame, tab, nested}
	for _, s := range order {
		p.event(other, "Page.loadEventFired", `{"timestamp":0}`)
		p.event(s, "Page.loadEventFired", `{"timestamp":1}`)
	}
	for _, s := range order {
		ev := expect(t, tab.Events(), s, "Page.loadEventFired")
		if load, ok := Decode(ev, page.LoadEventFired); !ok || load.Timestamp != 1 {
			t.Errorf("decoded %v, %v", load, ok)
		}
		if _, ok := Decode(ev, page.FrameNavigated); ok {
			t.Error("decoded as another event")
		}
	}
}

// An event that cannot be read is counted, and logged once for its kind.
func TestEventsThatCannotBeRead(t *testing.T) {
	var log bytes.Buffer
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	defer slog.SetDefault(before)
	c, p := connect(t, Options{})
	tab := p.attach(t, c.Root(), "TAB")
	for range 3 {
		p.event(tab, "Page.loadEventFired", `{"timestamp":{}}`)
		if got, ok := Decode(expect(t, tab.Events(), tab, "Page.loadEventFired"), page.LoadEventFired); ok {
			t.Errorf("decoded %v", got)
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.undecoded["Page.loadEventFired"] != 3 || strings.Count(log.String(), "Page.loadEventFired") != 1 {
		t.Errorf("counted %v, logged %s", c.undecoded, log.String())
	}
}

func TestEventsWaitForWhoTakesThem(t *testing.T) {
	c, p := connect(t, Options{})
	p.says <- `{"method":"Target.attachedToTarget","params":{"sessionId":"S"}}`
	for range 1000 {
		p.says <- `{"method":"Page.frameResized","params":{},"sessionId":"S"}`
	}
	expect(t, c.Root().Events(), c.Root(), "Target.attachedToTarget")
	s := c.Session("S")
	for range 1000 {
		expect(t, s.Events(), s, "Page.frameResized")
	}
}

func TestEventsAreQueuedByClass(t *testing.T) {
	c, p := connect(t, Options{Class: func(method string) Class {
		domain, _, _ := strings.Cut(method, ".")
		return map[string]Class{"Target": Structure, "Page": Structure, "Log": Observation}[domain]
	}})
	tab := p.attach(t, c.Root(), "TAB")
	frame := p.attach(t, tab, "FRAME")
	p.event(tab, "Network.dataReceived", `{}`)
	p.event(frame, "Log.entryAdded", `{}`)
	p.event(tab, "Page.frameResized", `{}`)
	expect(t, tab.Events(), tab, "Page.frameResized")
	expect(t, tab.Observations(), frame, "Log.entryAdded")
}

// Only the beginning of a Shortened event's parameters is kept, so many fit into the queue.
func TestShortenedEvents(t *testing.T) {
	c, p := connect(t, Options{Class: func(method string) Class {
		return map[string]Class{"Network.dataReceived": Observation | Shortened, "Log.entryAdded": Observation}[method] | Structure
	}})
	tab := p.attach(t, c.Root(), "TAB")
	long := `{"requestId":"1","data":"` + strings.Repeat("x", 1000) + `"}`
	for method, want := range map[string]int{"Network.dataReceived": shortenedBytes, "Log.entryAdded": len(long)} {
		p.event(tab, method, long)
		ev, err := tab.Observations().Next(t.Context())
		if err != nil || len(ev.Params) != want || !strings.HasPrefix(long, string(ev.Params)) {
			t.Errorf("%s: got %d bytes, %v, want %d", method, len(ev.Params), err, want)
		}
	}
}

func TestObservationsAreBounded(t *testing.T) {
	c, p := connect(t, Options{Class: func(method string) Class {
		if strings.HasPrefix(method, "Log.") {
			return Observation
		}
		return Structure
	}})
	tab := p.attach(t, c.Root(), "TAB")
	text := `{"text":"` + strings.Repeat("x", 1<<20) + `"}` // three fit in 4 MB
	for range 10 {
		p.event(tab, "Log.entryAdded", text)
	}
	p.event(tab, "Page.frameResized", `{}`)
	expect(t, tab.Events(), tab, "Page.frameResized") // the ten entries came before this event
	if got := tab.Observations().TakeLost()["Log.entryAdded"]; got != 7 {
		t.Errorf("lost = %d, want 7", got)
	}
	for range 3 {
		expect(t, tab.Observations(), tab, "Log.entryAdded")
	}
	p.event(tab, "Log.entryAdded", `{}`)
	expect(t, tab.Observations(), tab, "Log.entryAdded")
}

func TestSessionsGoEvenWhenTheEventIsNotKept(t *testing.T) {
	c, p := connect(t, Options{Class: func(string) Class { return Ignored }})
	p.says <- `{"method":"Target.attachedToTarget","params":{"sessionId":"S"}}`
	reply := Send(c.Root(), version, proto.Empty{})
	p.says <- `{"id":1,"result":{}}`
	<-reply.Done()
	s := c.Session("S")
	p.says <- `{"method":"Target.detachedFromTarget","params":{"sessionId":"S"}}`
	if _, err := s.Events().Next(soon(t)); !errors.Is(err, ErrDetached) {
		t.Errorf("error = %v, want ErrDetached", err)
	}
}

func TestDetachedSession(t *testing.T) {
	c, p := connect(t, Options{})
	tab := p.attach(t, c.Root(), "TAB")
	frame := p.attach(t, tab, "FRAME")
	other := p.attach(t, c.Root(), "OTHER")
	ofTab, ofFrame := Send(tab, page.Enable, page.EnableParams{}), Send(frame, page.Enable, page.EnableParams{})
	ofOther := Send(other, page.Enable, page.EnableParams{})
	p.event(tab, "Page.frameResized", `{}`)
	p.event(c.Root(), "Target.detachedFromTarget", `{"sessionId":"TAB"}`)

	for _, reply := range []*Reply[proto.Empty]{ofTab, ofFrame, Send(tab, page.Enable, page.EnableParams{})} {
		if _, err := reply.Wait(soon(t)); !errors.Is(err, ErrDetached) || err.Error() != "Page.enable: "+ErrDetached.Error() {
			t.Errorf("error = %v, want ErrDetached", err)
		}
	}
	expect(t, tab.Events(), tab, "Page.frameResized")
	if _, err := tab.Events().Next(soon(t)); !errors.Is(err, ErrDetached) {
		t.Errorf("queue ends with %v, want ErrDetached", err)
	}
	if c.Session("TAB") != nil || c.Session("FRAME") != nil {
		t.Error("the sessions are still known")
	}
	p.says <- `{"id":3,"result":{},"sessionId":"OTHER"}`
	if _, err := ofOther.Wait(soon(t)); err != nil {
		t.Errorf("another tab noticed: %v", err)
	}
}

func TestDetachedFrameLeavesItsTab(t *testing.T) {
	c, p := connect(t, Options{})
	tab := p.attach(t, c.Root(), "TAB")
	frame := p.attach(t, tab, "FRAME")
	p.event(tab, "Target.detachedFromTarget", `{"sessionId":"FRAME"}`)
	p.event(tab, "Page.frameResized", `{}`)
	expect(t, tab.Events(), tab, "Target.detachedFromTarget")
	expect(t, tab.Events(), tab, "Page.frameResized")
	if _, err := Call(soon(t), frame, page.Enable, page.EnableParams{}); !errors.Is(err, ErrDetached) {
		t.Errorf("error = %v, want ErrDetached", err)
	}
}

func TestFailedSession(t *testing.T) {
	c, p := connect(t, Options{})
	tab, other := p.attach(t, c.Root(), "TAB"), p.attach(t, c.Root(), "OTHER")
	waiting, unharmed := Send(tab, page.Enable, page.EnableParams{}), Send(other, page.Enable, page.EnableParams{})
	crashed := errors.New("tab crashed")
	tab.Fail(crashed)
	tab.Fail(errors.New("something later"))
	for _, reply := range []*Reply[proto.Empty]{waiting, Send(tab, page.Enable, page.EnableParams{})} {
		if _, err := reply.Wait(soon(t)); !errors.Is(err, crashed) {
			t.Errorf("error = %v, want %v", err, crashed)
		}
	}
	p.says <- `{"id":1,"result":{},"sessionId":"TAB"}` // a late reply is dropped
	p.says <- `{"id":2,"result":{},"sessionId":"OTHER"}`
	if _, err := unharmed.Wait(soon(t)); err != nil {
		t.Errorf("another tab noticed: %v", err)
	}
	p.event(tab, "Inspector.targetReloadedAfterCrash", `{}`)
	expect(t, tab.Events(), tab, "Inspector.targetReloadedAfterCrash")
}

func TestEndOfTheConnection(t *testing.T) {
	for _, test := range []struct {
		name  string
		end   func(c *Conn, p *peer)
		cause error
	}{
		{"by us", func(c *Conn, p *peer) { c.Close() }, ErrClosed},
		{"by the browser", func(c *Conn, p *peer) { p.Close() }, io.EOF},
		{"by a failed write", func(c *Conn, p *peer) { Send(c.Root(), breaks, proto.Empty{}) }, errBroken},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := newPeer()
			c := NewConn(p, Options{})
			tab := p.attach(t, c.Root(), "TAB")
			if c.Err() != nil {
				t.Errorf("error before the end: %v", c.Err())
			}
			waiting := Send(tab, page.Enable, page.EnableParams{})
			<-p.sent // otherwise the writer may be the first to notice the end
			test.end(c, p)
			<-c.Done()
			_, inFlight := waiting.Wait(soon(t))
			_, after := Call(soon(t), tab, page.Enable, page.EnableParams{})
			_, events := tab.Events().Next(soon(t))
			_, rootEvents := c.Root().Events().Next(soon(t))
			for what, err := range map[string]error{
				"Err": c.Err(), "call in flight": inFlight, "call after": after, "events": events, "root events": rootEvents,
			} {
				if !errors.Is(err, ErrClosed) || !errors.Is(err, test.cause) {
					t.Errorf("%s: error = %v, want closed by %v", what, err, test.cause)
				}
			}
			c.Close()
			c.Close()
		})
	}
}

func TestFramesThatAreNoMessages(t *testing.T) {
	c, p := connect(t, Options{})
	tab := p.attach(t, c.Root(), "TAB")
	garbage := []string{
		``, `null`, `[]`, `{}`, `{"id":`, `{"id":0,"result":{}}`, "\xff\x00", `{"id":"1","result":{}}`,
		`{"method":"Page.frameResized","params":{},"sessionId":"NOBODY"}`,
		`{"method":"Target.attachedToTarget","params":{"sessionId":""}}`,
		`{"method":"Target.attachedToTarget","params":{"sessionId":"TAB"}}`,
		`{"method":"Target.attachedToTarget","params":{"sessionId":"a\"b"}}`,
	}
	for _, frame := range garbage {
		p.says <- frame
	}
	p.says <- `{"method":"Target.detachedFromTarget","params":{"sessionId":""}}`
	p.says <- `{"method":"Target.detachedFromTarget","params":{"sessionId":"NOBODY"}}`
	p.event(tab, "Page.frameResized", `{}`)
	expect(t, tab.Events(), tab, "Page.frameResized")
	if got := c.garbage.Load(); got != int64(len(garbage)) {
		t.Errorf("garbage = %d, want %d", got, len(garbage))
	}
}
