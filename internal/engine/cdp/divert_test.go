package cdp

import (
	"errors"
	"testing"

	json "github.com/chromedp/cdproto/cdp/jsonv2"
)

// A diverted session's events and replies, and those of sessions below it, come in wire order, and
// none of them is queued.
func TestDivertedSession(t *testing.T) {
	c, p := connect(t, Options{Class: func(method string) Class {
		return map[string]Class{"DOM.setChildNodes": Observation, "Target.attachedToTarget": Structure, "Target.detachedFromTarget": Structure}[method]
	}})
	lent := p.attach(t, c.Root(), "LENT")
	got := make(chan string, 10)
	lent.Divert(func(ev Event) { got <- ev.Session.ID + " " + ev.Method })
	p.says <- `{"method":"Target.attachedToTarget","params":{"sessionId":"BELOW","targetInfo":{}},"sessionId":"LENT"}`
	if s := <-got; s != "LENT Target.attachedToTarget" {
		t.Errorf("the first event is %s", s)
	}
	below := c.Session("BELOW")
	below.Forward("Page.enable", json.Value(`{ "a": 1 }`), 0, func(result json.Value, err error) {
		got <- string(result)
	})
	if frame := <-p.sent; frame != `{"id":1,"method":"Page.enable","sessionId":"BELOW","params":{"a":1}}` {
		t.Errorf("sent %s", frame)
	}
	p.says <- `{"method":"Page.loadEventFired","params":{},"sessionId":"BELOW"}`
	p.says <- `{"id":1,"result":{"b":2},"sessionId":"BELOW"}`
	for _, want := range []string{"BELOW Page.loadEventFired", `{"b":2}`} {
		if s := <-got; s != want {
			t.Errorf("got %s, not %s", s, want)
		}
	}
	ended := make(chan error, 1)
	if n := c.limitOf([]byte(`{"method":"DOM.setChildNodes","params":{`)); n != maxDiverted {
		t.Errorf("%d bytes of an event are read", n)
	}
	c.route(message{Method: "DOM.setChildNodes", Params: make(json.Value, maxReported+1)})
	if lost := c.Root().Observations().TakeLost(); lost["DOM.setChildNodes"] != 1 {
		t.Errorf("lost events of a session that is not diverted: %v", lost)
	}
	below.Forward("Page.reload", nil, 0, func(_ json.Value, err error) { ended <- err })
	<-p.sent
	p.says <- `{"method":"Target.detachedFromTarget","params":{"sessionId":"LENT"}}`
	if err := <-ended; !errors.Is(err, ErrDetached) {
		t.Errorf("a command of a session that ended: %v", err)
	}
	below.Forward(`Page.x","id":1`, nil, 0, func(_ json.Value, err error) { ended <- err })
	if err := <-ended; !errors.Is(err, errNoMethod) {
		t.Errorf("a name that is none: %v", err)
	}
}
