package observe_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"chela/internal/engine/journal"
	"chela/internal/engine/observe"
	"chela/test/tab"
)

// working is a page with a WebSocket, a cross-site frame and workers of all kinds. Each of these
// logs a message and sends a request, and all but the service worker have an uncaught error. The
// service worker sends several requests: the browser's session may start it before the tab's
// session records it.
func working(t *testing.T) *httptest.Server {
	const main = `<script>
		const does = name => "console.log('" + name + " logs'); setTimeout(() => { throw new TypeError('" + name + " throws') }); fetch('/did/" + name + "')"
		new Function(does("main"))()
		const frame = document.documentElement.appendChild(document.createElement("iframe"))
		frame.src = location.origin.replace("127.0.0.1", "localhost") + "/frame"
		new Worker("/script?" + does("worker"))
		new Worker("/script?new Worker('/script?' + " + JSON.stringify(does("inner")) + ")")
		new SharedWorker("/script?" + does("shared"))
		const socket = new WebSocket("ws://" + location.host + "/socket")
		socket.onopen = () => socket.send("hi")
		navigator.serviceWorker.register("/script?console.log('service logs'); setInterval(() => fetch('/did/service'), 50)", {scope: "/"})
	</script>`
	mux := http.NewServeMux()
	serve := func(path, kind string, text func(*http.Request) string) {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", kind)
			io.WriteString(w, text(r))
		})
	}
	serve("/", "text/html", func(*http.Request) string { return main })
	serve("/frame", "text/html", func(*http.Request) string {
		return `<script>console.log("frame logs"); setTimeout(() => { throw new TypeError("frame throws") }); fetch("/did/frame")</script>`
	})
	serve("/script", "text/javascript", func(r *http.Request) string {
		script, _ := url.PathUnescape(r.URL.RawQuery)
		return script
	})
	mux.HandleFunc("/socket", func(w http.ResponseWriter, r *http.Request) {
		if socket, err := websocket.Accept(w, r, nil); err == nil {
			socket.Read(r.Context())
			socket.Write(r.Context(), websocket.MessageText, []byte("ho"))
			socket.Close(websocket.StatusNormalClosure, "")
		}
	})
	serve("/did/", "text/plain", func(*http.Request) string { return "done" })
	site := httptest.NewServer(mux)
	t.Cleanup(func() { site.CloseClientConnections(); site.Close() })
	return site
}

// The event log has the messages, errors and requests of a page, of its frames and of its workers.
func TestJournalHasFramesAndWorkers(t *testing.T) {
	tt := tab.Empty(t)
	site := working(t)
	seen := make(chan string, 100)
	defer tt.Journal().Listen(journal.Listener{
		Message: func(m journal.Message) { seen <- m.Text },
		Error:   func(e journal.Error) { seen <- e.Name + " " + e.Message },
		Request: func(r journal.Request) {
			if r.Type == journal.WebSocket && r.Ended > 0 {
				seen <- fmt.Sprintf("socket %d %d/%d", r.Response.Status, r.Frames.Sent, r.Frames.Received)
			} else if path := strings.TrimPrefix(r.URL, site.URL); r.Ended > 0 && r.OK() {
				seen <- strings.Replace(path, strings.Replace(site.URL, "127.0.0.1", "localhost", 1), "", 1)
			}
		},
	})()
	want := map[string]bool{"service logs": true, "/did/service": true, "socket 101 1/1": true}
	for _, who := range []string{"main", "frame", "worker", "inner", "shared"} {
		want[who+" logs"], want["TypeError "+who+" throws"], want["/did/"+who] = true, true, true
	}
	if err := tt.InTurn(20*time.Second, func(ctx context.Context) error { return tt.Navigate(ctx, site.URL) }); err != nil {
		t.Fatal(err)
	}
	for len(want) > 0 {
		select {
		case what := <-seen:
			delete(want, what)
		case <-tt.Ctx.Done():
			t.Fatalf("the journal has no %v", want)
		}
	}
}

// The event log of each tab has the requests of a service worker from the first one on. The worker
// has a session in the browser and in each tab of its host, and none lets it run too early.
func TestFirstRequestsOfServiceWorkers(t *testing.T) {
	const workers = 40
	path := strings.Repeat("/a", workers) + "/" // in the scopes of all the workers
	site := http.NewServeMux()
	site.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<script>for (let i = 0; i < %d; i++) navigator.serviceWorker.register("/worker?" + i, {scope: "/a".repeat(i) + "/"})</script>`, workers)
	})
	site.HandleFunc("/other", func(http.ResponseWriter, *http.Request) {})
	site.HandleFunc("/worker", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/javascript")
		w.Header().Set("Service-Worker-Allowed", "/")
		io.WriteString(w, `fetch("/did/" + location.search.slice(1))`)
	})
	site.HandleFunc("/did/", func(http.ResponseWriter, *http.Request) {})
	server := httptest.NewServer(site)
	defer server.Close()
	tabs := []*tab.Tab{tab.Empty(t), tab.Empty(t)}
	for i, path := range []string{"/other", path} {
		if err := tabs[i].InTurn(20*time.Second, func(ctx context.Context) error { return tabs[i].Navigate(ctx, server.URL+path) }); err != nil {
			t.Fatal(err)
		}
	}
	for i, tt := range tabs {
		did := map[string]bool{}
		for deadline := time.Now().Add(10 * time.Second); len(did) < workers && time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
			requests, _ := tt.Journal().Requests()
			for _, r := range requests {
				if strings.Contains(r.URL, "/did/") {
					did[r.URL] = true
				}
			}
		}
		if len(did) < workers {
			t.Errorf("tab %d has the requests of %d service workers, want %d", i, len(did), workers)
		}
	}
}

// A page that logs a lot delays no act, even while a listener blocks the observer. Afterwards each
// message is in the event log, or counted as dropped.
func TestFloodDelaysNoAct(t *testing.T) {
	tt := tab.Empty(t)
	tt.Write(`<button onclick="this.textContent = 'clicked'">Click</button>`)
	blocked := make(chan struct{})
	stop := tt.Journal().Listen(journal.Listener{Message: func(journal.Message) { <-blocked }})
	const lines = 10_000
	tab.Run[any](tt, fmt.Sprintf("for (let i = 0; i < %d; i++) console.log(i, 'x'.repeat(1000)); undefined", lines))
	if err := tt.On(`button "Click"`, tab.Click); err != nil {
		t.Error(err)
	}
	if text := tt.Text(); !strings.Contains(text, `button "clicked"`) {
		t.Errorf("the page shows %s", text)
	}
	stop()
	close(blocked)
	tt.SyncJournal(tt.Ctx)
	messages, dropped := tt.Journal().Messages()
	if len(messages)+dropped != lines || len(messages) != 500 || !strings.HasPrefix(messages[499].Text, "9999 ") {
		t.Errorf("%d messages, %d dropped, of %d", len(messages), dropped, lines)
	}
}

// The text of console messages is the same as in Playwright.
func TestTextOfMessages(t *testing.T) {
	tt := tab.Empty(t)
	for _, c := range []struct{ call, kind, text string }{
		{`log("a", 1, true, null, undefined)`, "log", "a 1 true null undefined"},
		{`log({a: 1, b: "two", c: {d: 3}})`, "log", "{a: 1, b: two, c: Object}"},
		{`log({a: 1, b: 2, c: 3, d: 4, e: 5, f: 6})`, "log", "{a: 1, b: 2, c: 3, d: 4, e: 5, …}"},
		{`log({get a() { return 1 }})`, "log", "{a: (...)}"},
		{`log([1, , "x", , , 2])`, "log", "[1, empty, x, empty x 2, 2]"},
		{`log([])`, "log", "[]"},
		{`log(3n, -0, NaN, Symbol("s"))`, "log", "3n -0 NaN Symbol(s)"},
		{`log("\ud83d")`, "log", "\ufffd"},
		{`log(document.body)`, "log", "body"},
		{`log(new Map([[1, 2]]))`, "log", "Map(1)"},
		{`info("i")`, "info", "i"},
		{`warn("w")`, "warning", "w"},
		{`error("e")`, "error", "e"},
		{`debug("d")`, "debug", "d"},
		{`assert(false, "not so")`, "assert", "not so"},
		{`table([1])`, "table", "[1]"},
	} {
		tab.Run[any](tt, "console."+c.call)
		tt.SyncJournal(tt.Ctx)
		all, _ := tt.Journal().Messages()
		if m := all[len(all)-1]; m.Type != c.kind || m.Text != c.text {
			t.Errorf("console.%s is %s %q, want %s %q", c.call, m.Type, m.Text, c.kind, c.text)
		}
	}
}

// An exception of a script is split into its parts.
func TestUncaughtErrors(t *testing.T) {
	tt := tab.Empty(t)
	seen := make(chan journal.Error, 1)
	defer tt.Journal().Listen(journal.Listener{Error: func(e journal.Error) { seen <- e }})()
	for _, c := range []struct {
		script, name, message string
		stack                 bool
	}{
		{`throw new RangeError("too: far")`, "RangeError", "too: far", true},
		{`throw new Error("two\nlines")`, "Error", "two\nlines", true},
		{`throw new Error("")`, "Error", "", true},
		{`class Odd extends Error { name = "Odd" }; throw new Odd("thing")`, "Odd", "thing", true},
		{`throw "a: text"`, "", "a: text", false},
		{`throw {a: 1}`, "", "Object", false},
		{`throw null`, "", "null", false},
		{`Promise.reject(new Error("rejected"))`, "Error", "rejected", true},
	} {
		tab.Run[any](tt, fmt.Sprintf("setTimeout(%q); undefined", c.script))
		select {
		case e := <-seen:
			if e.Name != c.name || e.Message != c.message || c.stack != strings.Contains(e.Stack, "\n    at ") {
				t.Errorf("%s: got %q %q, stack %q; want %q %q", c.script, e.Name, e.Message, e.Stack, c.name, c.message)
			}
		case <-tt.Ctx.Done():
			t.Fatalf("%s: no error", c.script)
		}
	}
}

// The place of a message or an error of the page hides the secrets in the page's own address.
func TestPlacesHideSecretParameters(t *testing.T) {
	tt := tab.Open(t, "/text.html?access_token=abc")
	seen := make(chan string, 100)
	defer tt.Journal().Listen(journal.Listener{
		Message: func(m journal.Message) { seen <- m.Location.URL },
		Error:   func(e journal.Error) { seen <- e.Location.URL; seen <- e.Stack },
	})()
	tab.Run[any](tt, `const script = document.createElement("script"); script.text = 'console.log("here"); throw new Error("there") //# sourceURL=' + location.href; document.body.append(script); undefined`)
	for _, what := range []string{"message", "error", "stack"} {
		select {
		case got := <-seen:
			if !strings.Contains(got, "/text.html?access_token=[secret]") {
				t.Errorf("%s: %q", what, got)
			}
		case <-tt.Ctx.Done():
			t.Fatalf("no %s", what)
		}
	}
}

// A message of the browser hides the secrets in the addresses of requests, as the list of requests
// does.
func TestMessagesHideSecretParameters(t *testing.T) {
	tt := tab.Open(t, "/text.html")
	seen := make(chan journal.Message, 100)
	defer tt.Journal().Listen(journal.Listener{Message: func(m journal.Message) { seen <- m }})()
	for _, where := range []string{"", tab.Elsewhere()} {
		tab.Run[any](tt, fmt.Sprintf("fetch(%q).catch(() => 0)", where+"/missing?access_token=abc"))
		for hidden := false; !hidden; {
			select {
			case m := <-seen:
				if all := m.Text + m.Location.URL; strings.Contains(all, "abc") {
					t.Errorf("%q", all)
				} else {
					hidden = strings.Contains(all, where+"/missing?access_token=[secret]")
				}
			case <-tt.Ctx.Done():
				t.Fatal("no message with the address")
			}
		}
	}
}

// AwaitResponse finds a response that came before the call, or waits for a later one. Its pattern
// may be an exact address, a part of one, or a glob.
func TestAwaitResponse(t *testing.T) {
	tt := tab.Open(t, "/text.html")
	await := func(pattern string, past bool, limit time.Duration) (string, error) {
		ctx, cancel := context.WithTimeout(tt.Ctx, limit)
		defer cancel()
		r, err := observe.AwaitResponse(ctx, tt.Journal(), pattern, past)
		if err != nil {
			return "", err
		}
		body, _, err := tt.Body(ctx, r)
		return string(body), err
	}
	fetch := func(path string) { tab.Run[any](tt, fmt.Sprintf("fetch(%q).then(r => r.text())", path)) }
	fetch("/echo?token=sesame")
	fetch("/echo?n=1")
	for _, c := range []struct{ pattern, want string }{
		{tab.Site.URL + "/echo?n=1", "GET n=1"},
		{"/echo?n", "GET n=1"},
		{"**/echo*", "GET n=1"},
		{"/echo?token=sesame", "GET token=sesame"},
	} {
		if got, err := await(c.pattern, true, 20*time.Second); err != nil || !strings.Contains(got, c.want) {
			t.Errorf("%s is %q, %v; want %s", c.pattern, got, err, c.want)
		}
	}
	for _, guess := range []string{"sesa", "**=s*"} {
		if got, err := await(guess, true, time.Millisecond); err == nil {
			t.Errorf("%q found %q, although the value is secret", guess, got)
		}
	}
	if got, err := await("/echo", false, time.Millisecond); got != "" || err == nil || !strings.Contains(err.Error(), "no response") {
		t.Errorf("an answer of before: %q, %v", got, err)
	}

	got := make(chan string)
	go func() {
		body, err := await("redirect=", false, 20*time.Second)
		got <- fmt.Sprint(body, err)
	}()
	for n, body := 1, ""; body == ""; n++ { // one of these requests comes after the wait has begun
		fetch(fmt.Sprintf("/redirect?to=/echo?redirect=%d", n))
		select {
		case body = <-got:
			if !strings.Contains(body, "GET redirect=") {
				t.Errorf("after a redirect: %q", body)
			}
		default:
		}
	}
}

// After a navigation, the body of the earlier document is gone.
func TestBodyGone(t *testing.T) {
	tt := tab.Open(t, "/text.html")
	requests, _ := tt.Journal().Requests()
	document := requests[slices.IndexFunc(requests, func(r journal.Request) bool { return r.Navigation })]
	if body, text, err := tt.Body(tt.Ctx, document); err != nil || !text || !strings.Contains(string(body), "<") {
		t.Errorf("the document: %q, text: %v, %v", body, text, err)
	}
	if err := tt.InTurn(20*time.Second, func(ctx context.Context) error { return tt.Navigate(ctx, tab.Site.URL+"/form.html") }); err != nil {
		t.Fatal(err)
	}
	if body, _, err := tt.Body(tt.Ctx, document); err != observe.ErrBodyGone {
		t.Errorf("the document before: %q, %v; want %v", body, err, observe.ErrBodyGone)
	}
}
