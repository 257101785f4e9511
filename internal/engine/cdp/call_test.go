package cdp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/browser"
	proto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/runtime"
	"github.com/google/go-cmp/cmp"
)

var version = browser.GetVersion

func TestCommandsOnTheWire(t *testing.T) {
	c, p := connect(t, Options{})
	tab := p.attach(t, c.Root(), "S1")
	Send(c.Root(), version, proto.Empty{})
	Send(tab, runtime.Evaluate, runtime.EvaluateParams{Expression: `"é\"` + "\n"})
	want := []string{
		`{"id":1,"method":"Browser.getVersion"}`,
		`{"id":2,"method":"Runtime.evaluate","sessionId":"S1","params":{"expression":"\"é\\\"\n"}}`,
	}
	for i := range want {
		want[i] = strings.ReplaceAll(want[i], "\n", `\n`)
	}
	if diff := cmp.Diff(want, []string{<-p.sent, <-p.sent}); diff != "" {
		t.Errorf("frames (-want +got):\n%s", diff)
	}
}

func TestRepliesMayComeInAnyOrder(t *testing.T) {
	c, p := connect(t, Options{})
	first := Send(c.Root(), version, proto.Empty{})
	second := Send(c.Root(), version, proto.Empty{})
	p.says <- `{"id":2,"result":{"product":"two"}}`
	p.says <- `{"id":1,"result":{"product":"one"}}`
	p.says <- `{"id":1,"result":{"product":"one again"}}`
	p.says <- `{"id":77,"result":{"product":"nobody asked"}}`
	for want, reply := range map[string]*Reply[browser.GetVersionResult]{"one": first, "two": second} {
		got, err := reply.Wait(soon(t))
		if err != nil || got.Product != want {
			t.Errorf("reply = %q, %v, want %q", got.Product, err, want)
		}
	}
}

// Commands about many things are sent ahead, but only so many that their replies need little memory.
func TestCallEach(t *testing.T) {
	c, p := connect(t, Options{})
	go func() {
		for id := 1; id <= 2*maxPending; {
			if id == 1 || id > maxPending { // by then maxPending commands were sent
				for range maxPending {
					<-p.sent
				}
			}
			for range maxPending {
				p.says <- fmt.Sprintf(`{"id":%d,"result":{"result":{"description":"%[1]d"}}}`, id)
				id++
			}
		}
	}()
	ended := errors.New("ended")
	next := 1
	err := CallEach(soon(t), c.Root(), runtime.Evaluate, make([]runtime.EvaluateParams, 3*maxPending), 1000,
		func(i int, res runtime.EvaluateResult, err error) error {
			if err != nil || i != next-1 || res.Result.Description != strconv.Itoa(next) {
				t.Errorf("result %d: %q, %v, want that of command %d", i, res.Result.Description, err, next)
			}
			if most := next - 1 + maxPending; int(c.lastID) > most {
				t.Errorf("%d commands were sent before result %d, want %d at most", c.lastID, i, most)
			}
			if next++; next > 2*maxPending {
				return ended
			}
			return nil
		})
	if err != ended {
		t.Errorf("got %v, want the error of the function", err)
	}
}

// A reply that is sent for in order is handled between the events before it and those after it.
func TestRepliesInOrder(t *testing.T) {
	c, p := connect(t, Options{})
	tab := p.attach(t, c.Root(), "TAB")
	var handled []string
	reply := SendInOrder(tab, version, proto.Empty{}, func(v browser.GetVersionResult) { handled = append(handled, v.Product) })
	refused := SendInOrder(tab, version, proto.Empty{}, func(browser.GetVersionResult) { t.Error("an error is handled as a reply") })
	p.event(tab, "Page.frameResized", `{}`)
	p.says <- `{"id":1,"sessionId":"TAB","result":{"product":"Test"}}`
	p.says <- `{"id":2,"sessionId":"TAB","error":{"code":1,"message":"no"}}`
	p.event(tab, "Page.loadEventFired", `{}`)
	if v, err := reply.Wait(soon(t)); err != nil || v.Product != "Test" {
		t.Fatalf("got %v, %v", v, err)
	}
	if _, err := refused.Wait(soon(t)); err == nil {
		t.Fatal("not refused")
	}
	for _, method := range []string{"Page.frameResized", "Page.loadEventFired"} {
		handled = append(handled, expect(t, tab.Events(), tab, method).Method)
	}
	if want := []string{"Page.frameResized", "Test", "Page.loadEventFired"}; !slices.Equal(handled, want) {
		t.Errorf("handled %q, want %q", handled, want)
	}
}

func TestWhatWaitAnswers(t *testing.T) {
	for _, test := range []struct {
		name, frame, want string
	}{
		{"result", `{"id":1,"result":{"product":"Chrome"}}`, ""},
		{"odd spacing", `{ "id": 1, "result": {"product": "Chrome"} }`, ""},
		{"invalid UTF-8", "{\"id\":1,\"result\":{\"product\":\"Chrome\",\"userAgent\":\"\xff\"}}", ""},
		{"refusal", `{"id":1,"error":{"code":-32601,"message":"no such method"}}`, "Browser.getVersion: no such method (-32601)"},
		{"not what was asked", `{"id":1,"result":{"product":7}}`, "Browser.getVersion: read the reply: "},
		{"broken in the middle", `{"id":1,"result":{"product":"Chrome",,}}`, "Browser.getVersion: read the reply: "},
	} {
		t.Run(test.name, func(t *testing.T) {
			c, p := connect(t, Options{})
			reply := Send(c.Root(), version, proto.Empty{})
			p.says <- test.frame
			got, err := reply.Wait(soon(t))
			switch {
			case test.want == "" && (err != nil || got.Product != "Chrome"):
				t.Errorf("got %q, %v", got.Product, err)
			case test.want != "" && (err == nil || !strings.HasPrefix(err.Error(), test.want)):
				t.Errorf("error = %v, want %q", err, test.want)
			}
		})
	}
}

func TestRefusalIsAnError(t *testing.T) {
	c, p := connect(t, Options{})
	reply := Send(c.Root(), version, proto.Empty{})
	p.says <- `{"id":1,"error":{"code":-32000,"message":"no"}}`
	_, err := reply.Wait(soon(t))
	var refused *Error
	if !errors.As(err, &refused) || *refused != (Error{Code: -32000, Message: "no", Method: "Browser.getVersion"}) {
		t.Errorf("error = %#v", err)
	}
}

func TestCallIsForgottenWithItsContext(t *testing.T) {
	c, p := connect(t, Options{})
	why := errors.New("the caller left")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(why)
	if _, err := Call(ctx, c.Root(), version, proto.Empty{}); err != why {
		t.Errorf("error = %v, want the cause of the context", err)
	}
	if n := len(c.pending); n != 0 {
		t.Errorf("%d calls pending, want none", n)
	}
	p.says <- `{"id":1,"result":{}}` // a reply that comes too late
	reply := Send(c.Root(), version, proto.Empty{})
	p.says <- `{"id":2,"result":{"product":"next"}}`
	if got, err := reply.Wait(soon(t)); err != nil || got.Product != "next" {
		t.Errorf("the call after it = %q, %v", got.Product, err)
	}
}

func TestReplyThatCameCountsWhenTheContextHasEnded(t *testing.T) {
	c, p := connect(t, Options{})
	reply := Send(c.Root(), version, proto.Empty{})
	p.says <- `{"id":1,"result":{"product":"in time"}}`
	<-reply.Done()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for range 2 {
		if got, err := reply.Wait(ctx); err != nil || got.Product != "in time" {
			t.Errorf("got %q, %v", got.Product, err)
		}
	}
}

func TestRawReply(t *testing.T) {
	c, p := connect(t, Options{})
	reply := Send(c.Root(), version, proto.Empty{})
	p.says <- `{"id":1,"result":{"not":"looked at"}}`
	raw, err := reply.raw(soon(t))
	if err != nil || string(raw) != `{"not":"looked at"}` {
		t.Errorf("raw = %s, %v", raw, err)
	}
}

func TestBrowserThatStopsReadingHoldsNobody(t *testing.T) {
	r, w := io.Pipe() // nobody reads from r
	fromBrowser, _ := io.Pipe()
	defer r.Close()
	c := NewConn(Pipe(fromBrowser, w), Options{})
	defer c.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for range 3 {
		if _, err := Call(ctx, c.Root(), version, proto.Empty{}); !errors.Is(err, context.Canceled) {
			t.Errorf("error = %v, want canceled", err)
		}
	}
}

func TestParametersThatCannotBeWritten(t *testing.T) {
	c, _ := connect(t, Options{})
	odd := proto.Command[func(), proto.Empty]{Method: "Odd.command"}
	_, err := Call(soon(t), c.Root(), odd, func() {})
	if err == nil || !strings.HasPrefix(err.Error(), "Odd.command: write the parameters: ") {
		t.Errorf("error = %v", err)
	}
}
