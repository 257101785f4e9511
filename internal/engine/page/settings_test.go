package page

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"

	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/runtime"
	"github.com/go-json-experiment/json"

	"chela/internal/engine/cdp"
	"chela/internal/engine/setting"
	"chela/internal/reading/pagejs"
)

// A recorder is a browser that records the methods that each session got. It answers commands with
// an empty result. Commands that a test wants refused, and Page.getFrameTree, get an error. Calls
// of the page script get the answer that a test sets.
type recorder struct {
	says chan string
	gone chan struct{}
	end  sync.Once

	mu      sync.Mutex // guards the rest
	methods map[string][]string
	refused string
	silent  string              // a method that gets no answer
	got     func(method string) // called for each command

	// evaluate returns the answer to a call of the page script; "" if there is no answer. The prefix
	// "error: " says that Chromium refuses the call with this message.
	evaluate func(call string) string
}

func (r *recorder) Read() ([]byte, error) {
	select {
	case frame := <-r.says:
		return []byte(frame), nil
	case <-r.gone:
		return nil, io.EOF
	}
}

func (r *recorder) Write(frame []byte) error {
	var command struct {
		ID                int64
		Method, SessionID string
	}
	if err := json.Unmarshal(frame, &command, json.MatchCaseInsensitiveNames(true)); err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.methods[command.SessionID] = append(r.methods[command.SessionID], command.Method)
	if r.got != nil {
		r.got(command.Method)
	}
	if command.Method == r.silent {
		return nil
	}
	if command.Method == runtime.CallFunctionOn.Method && r.evaluate != nil {
		value := r.evaluate(string(frame))
		if message, ok := strings.CutPrefix(value, "error: "); ok {
			r.says <- fmt.Sprintf(`{"id":%d,"sessionId":%q,"error":{"code":-32000,"message":%q}}`, command.ID, command.SessionID, message)
		} else if value != "" {
			r.says <- fmt.Sprintf(`{"id":%d,"sessionId":%q,"result":{"result":{"type":"object","value":%s}}}`, command.ID, command.SessionID, value)
		}
		return nil
	}
	answer := map[string]any{"id": command.ID, "sessionId": command.SessionID, "result": map[string]any{}}
	if command.Method == r.refused || command.Method == "Page.getFrameTree" {
		answer["error"] = map[string]any{"code": -32000, "message": "refused"}
		delete(answer, "result")
	}
	raw, err := json.Marshal(answer)
	r.says <- string(raw)
	return err
}

func (r *recorder) Close() error {
	r.end.Do(func() { close(r.gone) })
	return nil
}

// take returns the methods that a session got since the last call.
func (r *recorder) take(session string) []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	got := r.methods[session]
	r.methods[session] = nil
	return got
}

// attached adds a target of this kind below a session.
func (r *recorder) attached(parent, session, kind string) {
	r.says <- fmt.Sprintf(`{"method":"Target.attachedToTarget","sessionId":%q,"params":{"sessionId":%q,"waitingForDebugger":true,
		"targetInfo":{"targetId":%q,"type":%q,"title":"","url":"","attached":true,"canAccessOpener":false}}}`, parent, session, session, kind)
}

// document gives a frame a document, with a world of the page script.
func (r *recorder) document(frame string) {
	r.says <- fmt.Sprintf(`{"method":"Runtime.executionContextCreated","sessionId":"TAB","params":{"context":{
		"id":1,"uniqueId":"1","origin":"http://a.test","name":%q,"auxData":{"frameId":%q,"isDefault":false}}}}`, pagejs.World+"TAB", frame)
}

// record returns a page with settings in a recording browser.
func record(t *testing.T, s setting.Settings) (*Page, *recorder) {
	t.Helper()
	r := &recorder{says: make(chan string, 1000), gone: make(chan struct{}), methods: map[string][]string{}}
	conn := cdp.NewConn(r, cdp.Options{Class: Class})
	r.attached("", "TAB", "page")
	if _, err := conn.Root().Events().Next(t.Context()); err != nil {
		t.Fatal(err)
	}
	p := New(conn.Session("TAB"), "TAB", true, s, Callbacks{Idle: func() {}})
	t.Cleanup(func() { conn.Close(); <-p.Ended() })
	return p, r
}

// written waits until the browser has received all that was sent.
func written(t *testing.T, p *Page) {
	t.Helper()
	if _, err := cdp.Call(t.Context(), p.session, runtime.Disable, protocol.Empty{}); err != nil {
		t.Fatal(err)
	}
}

const (
	resize = "Emulation.setDeviceMetricsOverride"
	unset  = "Emulation.clearDeviceMetricsOverride"
	run    = "Runtime.runIfWaitingForDebugger"
)

// sized returns the methods of a session that set its size, or let it run.
func sized(methods []string) string {
	return strings.Join(slices.DeleteFunc(methods, func(m string) bool { return !slices.Contains([]string{resize, unset, run}, m) }), " ")
}

func TestSettingsComeBeforeTheTargetRuns(t *testing.T) {
	for _, c := range []struct {
		name     string
		settings setting.Settings
		want     string
	}{
		{"none", setting.Settings{}, run},
		{"a viewport", setting.Settings{Viewport: setting.Viewport{Width: 800, Height: 600}}, resize + " " + run},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, r := record(t, c.settings)
			r.attached("TAB", "FRAME", "iframe")
			r.attached("FRAME", "WORKER", "worker")
			if err := p.await(t.Context(), func() bool { return len(p.sessions) == 3 }); err != nil {
				t.Fatal(err)
			}
			written(t, p)
			if got := sized(r.take("TAB")); got != c.want {
				t.Errorf("the tab got %q, want %q", got, c.want)
			}
			for _, session := range []string{"FRAME", "WORKER"} {
				if got := sized(r.take(session)); got != run {
					t.Errorf("%s got %q, want %q: only a tab has a size", session, got, run)
				}
			}
		})
	}
}

func TestResize(t *testing.T) {
	p, r := record(t, setting.Settings{})
	small := setting.Viewport{Width: 320, Height: 200}
	written(t, p)
	for _, c := range []struct {
		name     string
		viewport setting.Viewport
		refused  string
		want     string
	}{
		{"nothing to set", setting.Viewport{}, "", ""},
		{"a size that Chromium refuses", small, resize, resize + " " + unset},
		{"which counts as not set", setting.Viewport{}, "", ""},
		{"a size", small, "", resize},
		{"back to that of the window", setting.Viewport{}, "", unset},
	} {
		r.take("TAB")
		r.mu.Lock()
		r.refused = c.refused
		r.mu.Unlock()
		err := p.Resize(t.Context(), c.viewport)
		if _, refused := errors.AsType[*setting.RefusedError](err); refused != (c.refused != "") || err != nil && !refused {
			t.Errorf("%s: %v", c.name, err)
		}
		written(t, p)
		if got := sized(r.take("TAB")); got != c.want {
			t.Errorf("%s: sent %q, want %q", c.name, got, c.want)
		}
	}
}

func TestSessionsThatWereDetachedGetNoSettings(t *testing.T) {
	p, r := record(t, setting.Settings{})
	r.attached("TAB", "FRAME", "iframe")
	r.attached("FRAME", "WORKER", "worker")
	if err := p.await(t.Context(), func() bool { return len(p.sessions) == 3 }); err != nil {
		t.Fatal(err)
	}
	r.says <- `{"method":"Target.detachedFromTarget","sessionId":"TAB","params":{"sessionId":"FRAME"}}`
	if err := p.await(t.Context(), func() bool { return len(p.sessions) == 1 }); err != nil {
		t.Fatal(err)
	}
}

// Requests are paused only if a setting needs it. Chromium then gets the command before the target
// runs, and again when a route is used up.
func TestPausing(t *testing.T) {
	const enable, disable = "Fetch.enable", "Fetch.disable"
	fetches := func(methods []string) string {
		return strings.Join(slices.DeleteFunc(methods, func(m string) bool { return !slices.Contains([]string{enable, disable, run}, m) }), " ")
	}
	once := &setting.Route{Rule: setting.Rule{URL: "http://a.test/x", Abort: "failed", Times: 1}}
	for _, c := range []struct {
		name     string
		settings setting.Common
		want     string
	}{
		{"nothing", setting.Common{}, run},
		{"a route that is spent", setting.Common{Routes: []*setting.Route{{Rule: setting.Rule{Times: -1}}}}, run},
		{"a route", setting.Common{Routes: []*setting.Route{once}}, enable + " " + run},
		{"headers", setting.Common{Headers: []*setting.OriginHeaders{{Origin: setting.AnyOrigin}}}, enable + " " + run},
		{"a login", setting.Common{Logins: []*setting.Login{{}}}, enable + " " + run},
	} {
		p, r := record(t, setting.Settings{Common: c.settings})
		r.attached("TAB", "FRAME", "iframe")
		r.attached("FRAME", "WORKER", "worker")
		if err := p.await(t.Context(), func() bool { return len(p.sessions) == 3 }); err != nil {
			t.Fatal(err)
		}
		written(t, p)
		for _, session := range []string{"TAB", "FRAME"} {
			if got := fetches(r.take(session)); got != c.want {
				t.Errorf("%s: %s got %q, want %q", c.name, session, got, c.want)
			}
		}
		if got := fetches(r.take("WORKER")); got != run {
			t.Errorf("%s: the worker got %q: its requests are those of its frame", c.name, got)
		}
	}
	p, r := record(t, setting.Settings{Common: setting.Common{Routes: []*setting.Route{once}}})
	written(t, p)
	r.take("TAB")
	r.says <- `{"method":"Fetch.requestPaused","sessionId":"TAB","params":{"requestId":"1","request":{"url":"http://a.test/x","method":"GET","headers":{},"initialPriority":"Low","referrerPolicy":"origin"},"frameId":"TAB","resourceType":"XHR"}}`
	if err := p.await(t.Context(), once.Spent); err != nil {
		t.Fatal(err)
	}
	if err := p.Sync(t.Context()); err != nil {
		t.Fatal(err)
	}
	written(t, p)
	if got := strings.Join(r.take("TAB"), " "); got != "Fetch.failRequest Fetch.disable Runtime.disable" {
		t.Errorf("then got %q", got)
	}
}
