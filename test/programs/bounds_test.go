package programs

import (
	"fmt"
	"testing"

	"github.com/coder/websocket"

	"chela/test/long"
)

// A program that floods the endpoint is slowed, and a program that reads nothing is disconnected.
// Neither delays another program.
func TestNobodyIsDelayed(t *testing.T) {
	long.Test(t)
	busy := connect(t, shared, "busy")
	_, on := busy.open(site.URL + "/form.html")
	flooding := connect(t, shared, "flooding")
	_, floodingOn := flooding.open(site.URL + "/form.html")
	owner := connect(t, shared, "deaf")
	target, _ := owner.open(site.URL + "/form.html")

	ws, _ := endpoint(t, shared, "deaf")
	deaf, _, err := websocket.Dial(t.Context(), ws, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer deaf.CloseNow()
	if err := deaf.Write(t.Context(), websocket.MessageText, fmt.Appendf(nil, `{"id": 1, "method": "Target.attachToTarget", "params": {"targetId": %q, "flatten": true}}`, target)); err != nil {
		t.Fatal(err)
	}
	deafOn := sessionOf(t, deaf)

	dropped, flooded := make(chan struct{}), make(chan int)
	go func() { // each answer has 256 KB, and none is read
		defer close(dropped)
		for id := 2; ; id++ {
			ask := fmt.Appendf(nil, `{"id": %d, "method": "Runtime.evaluate", "params": {"expression": "'x'.repeat(1 << 18)"}, "sessionId": %q}`, id, deafOn)
			if deaf.Write(t.Context(), websocket.MessageText, ask) != nil {
				return
			}
		}
	}()
	go func() {
		n := 0
		for ; n < 20_000; n++ {
			ask := fmt.Appendf(nil, `{"id": %d, "method": "Runtime.evaluate", "params": {"expression": "1"}, "sessionId": %q}`, 1<<20+n, floodingOn)
			if flooding.conn.Write(t.Context(), websocket.MessageText, ask) != nil {
				break
			}
		}
		flooded <- n
	}()
	for range 500 {
		if got := busy.eval(on, "6 * 7"); got != "42" {
			t.Fatalf("got %s", got)
		}
	}
	<-dropped
	if n := <-flooded; n != 20_000 {
		t.Errorf("the flood ended after %d commands", n)
	}
	if got := owner.targets(); len(got) != 1 {
		t.Errorf("the tab of the program that was disconnected: %v", got)
	}
}

// sessionOf reads until the event that a session was attached, and returns its id.
func sessionOf(t *testing.T, c *websocket.Conn) string {
	t.Helper()
	for {
		_, message, err := c.Read(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var id string
		if n, _ := fmt.Sscanf(string(message), `{"method":"Target.attachedToTarget","params":{"sessionId":%q`, &id); n == 1 {
			return id
		}
	}
}

// A program that sends bad or too long messages harms only itself.
func TestBadMessages(t *testing.T) {
	p, other := connect(t, shared, "bad"), connect(t, shared, "good")
	for _, bad := range []string{
		`{"id": 101, "method": "Browser.getVersion"`, `[]`, `{"id": 101}`, `{"id": 101, "method": "A.b", "params": []}`,
		`{"id": 101, "method": "Page.navigate", "params": {"url": "http://a.test", "url": "file:///"}}`, `{"id": "x", "method": "A.b"}`,
	} {
		if err := p.conn.Write(t.Context(), websocket.MessageText, []byte(bad)); err != nil {
			t.Fatal(err)
		}
	}
	p.call("", "Browser.getVersion", nil)
	_, on := p.open("")
	p.fails(on, `Page.enable","x":"`, nil, "chela does not know it")
	long := make([]byte, 17<<20)
	for i := range long {
		long[i] = ' '
	}
	p.conn.Write(t.Context(), websocket.MessageText, long)
	if code := p.ended(); code != websocket.StatusMessageTooBig {
		t.Errorf("closed with %d", code)
	}
	other.call("", "Browser.getVersion", nil)
}

// A program may drive one page alone, as by the address in /json/list.
func TestOnePage(t *testing.T) {
	p := connect(t, shared, "page")
	target, _ := p.open(site.URL + "/form.html")
	_, address := endpoint(t, shared, "page")
	page := dial(t, "ws"+address[len("http"):]+"/devtools/page/"+target)
	page.call("", "Runtime.enable", nil)
	page.eval("", "console.log('here')")
	page.awaitEvent("", "Runtime.consoleAPICalled", "here")
	page.fails("", "Browser.close", nil, "belongs to others")
	p.call("", "Target.closeTarget", fields{"targetId": target})
	if code := page.ended(); code != websocket.StatusNormalClosure {
		t.Errorf("closed with %d", code)
	}
}
