package mcp

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"chela/internal/op"
)

// A blocker is a runner. Its calls send to begun when they begin, and end when the test sends to goOn.
type blocker struct{ begun, goOn chan struct{} }

func (b *blocker) Run(ctx context.Context, _ *op.Op, _ op.Args) (json.RawMessage, error) {
	b.begun <- struct{}{}
	select {
	case <-b.goOn:
		return json.RawMessage(`{"ok":true}`), nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// served is a test server with an [HTTP]. It does not check who may call.
type served struct {
	*HTTP
	url   string
	ended chan string // sessions whose connections have ended
	stop  context.CancelCauseFunc
	posts *sync.WaitGroup // POST requests that are being answered
}

func serveHTTP(t *testing.T, r op.Runner, left, idle time.Duration) served {
	t.Helper()
	life, stop := context.WithCancelCause(context.Background())
	s := served{ended: make(chan string, maxAgents+1), stop: stop, posts: new(sync.WaitGroup)}
	s.HTTP = NewHTTP(HTTPOptions{
		Tool:  func(context.Context, http.Header) (Tool, error) { return Tool{Table: table, Runner: r}, nil },
		Life:  life,
		Ended: func(session string) { s.ended <- session }, leftAfter: left, idleAfter: idle,
	})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			s.posts.Add(1)
			defer s.posts.Done()
		}
		if err := s.Serve(w, r); err != nil {
			http.Error(w, err.Error(), op.AsError(err).Code.Status())
		}
	}))
	s.url = server.URL
	t.Cleanup(func() {
		stop(op.Errorf(op.Stopping, "the end"))
		s.Wait(context.Background())
		server.Close()
		http.DefaultTransport.(*http.Transport).CloseIdleConnections()
	})
	return s
}

// request sends a request in a session of MCP. The caller closes the body of the response.
func (s served) request(t *testing.T, ctx context.Context, method, session, message string, headers ...string) *http.Response {
	t.Helper()
	req, err := http.NewRequestWithContext(ctx, method, s.url, strings.NewReader(message))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	req.Header.Set("Mcp-Protocol-Version", "2025-11-25")
	if session != "" {
		req.Header.Set("Mcp-Session-Id", session)
	}
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	return resp
}

// post sends a message and returns the status and the answer.
func (s served) post(t *testing.T, session, message string) (status int, answer string) {
	t.Helper()
	resp := s.request(t, t.Context(), "POST", session, message)
	defer resp.Body.Close()
	raw, _ := io.ReadAll(resp.Body)
	return resp.StatusCode, string(raw)
}

// begin connects an agent, and returns the id of its MCP session.
func (s served) begin(t *testing.T) string {
	t.Helper()
	resp := s.request(t, t.Context(), "POST", "", `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"raw","version":"1"}}}`)
	defer resp.Body.Close()
	if raw, _ := io.ReadAll(resp.Body); resp.StatusCode != 200 {
		t.Fatalf("%s: %s", resp.Status, raw)
	}
	session := resp.Header.Get("Mcp-Session-Id")
	s.post(t, session, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return session
}

const (
	ping   = `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	status = `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"browser","arguments":{"action":"status"}}}`
	never  = time.Hour
	aPNG   = "\x89PNG\r\n\x1a\n........"
	soon   = 20 * time.Millisecond
)

// A connection ends when its agent's stream has broken off, is idle for too long, or sends DELETE.
func TestEndsOfConnections(t *testing.T) {
	gone := func(t *testing.T, s served, session string) {
		t.Helper()
		if key := <-s.ended; !strings.HasPrefix(key, "raw#") || strings.Contains(key, session) {
			t.Errorf("the session that ended is %q", key)
		}
		if status, _ := s.post(t, session, ping); status != http.StatusNotFound {
			t.Errorf("its next request: %d", status)
		}
	}
	t.Run("its stream has broken off", func(t *testing.T) {
		s := serveHTTP(t, new(recorder), soon, never)
		session := s.begin(t)
		s.request(t, t.Context(), "GET", session, "").Body.Close()
		gone(t, s, session)
	})
	t.Run("a call has broken off", func(t *testing.T) {
		b := &blocker{begun: make(chan struct{}), goOn: make(chan struct{})}
		s := serveHTTP(t, b, soon, never)
		session := s.begin(t)
		body := s.request(t, t.Context(), "POST", session, fmt.Sprintf(status, 1)).Body
		<-b.begun
		body.Close()
		gone(t, s, session)
	})
	t.Run("it is idle", func(t *testing.T) {
		s := serveHTTP(t, new(recorder), never, soon)
		gone(t, s, s.begin(t))
	})
	t.Run("it says so", func(t *testing.T) {
		s := serveHTTP(t, new(recorder), never, never)
		session := s.begin(t)
		resp := s.request(t, t.Context(), "DELETE", session, "")
		if resp.Body.Close(); resp.StatusCode != http.StatusNoContent {
			t.Errorf("got %s", resp.Status)
		}
		gone(t, s, session)
	})
	t.Run("it has never begun", func(t *testing.T) {
		s := serveHTTP(t, new(recorder), never, never)
		if s.post(t, "", ping); s.Busy() {
			s.Wait(t.Context())
		}
		if len(s.ended) > 0 {
			t.Errorf("session %s has ended", <-s.ended)
		}
	})
}

// While a call of an agent runs, its connection does not end, even if its stream has broken off.
func TestPresence(t *testing.T) {
	b := &blocker{begun: make(chan struct{}), goOn: make(chan struct{})}
	s := serveHTTP(t, b, soon, never)
	session, other := s.begin(t), s.begin(t)
	call := s.request(t, t.Context(), "POST", session, fmt.Sprintf(status, 1)).Body
	<-b.begun
	s.request(t, t.Context(), "GET", session, "").Body.Close()
	s.request(t, t.Context(), "GET", other, "").Body.Close()
	<-s.ended // the session without a running call has ended in the same time
	b.goOn <- struct{}{}
	if raw, err := io.ReadAll(call); err != nil || !strings.Contains(string(raw), `"result"`) {
		t.Errorf("got %s, %v", raw, err)
	}
}

// If the connection of an agent breaks off, the agent gets the rest of the answer on another
// connection.
func TestResume(t *testing.T) {
	b := &blocker{begun: make(chan struct{}), goOn: make(chan struct{})}
	s := serveHTTP(t, b, never, never)
	session := s.begin(t)
	resp := s.request(t, t.Context(), "POST", session, fmt.Sprintf(status, 1))
	lines := bufio.NewScanner(resp.Body)
	last := ""
	for lines.Scan() && last == "" {
		if id, ok := strings.CutPrefix(lines.Text(), "id: "); ok {
			last = id
		}
	}
	<-b.begun
	resp.Body.Close()
	s.posts.Wait() // until the server has noticed that the connection is closed
	b.goOn <- struct{}{}
	rest := s.request(t, t.Context(), "GET", session, "", "Last-Event-ID", last)
	defer rest.Body.Close()
	if raw, err := io.ReadAll(rest.Body); err != nil || !strings.Contains(string(raw), `"result"`) {
		t.Errorf("got %s %s, %v", rest.Status, raw, err)
	}
}

// Agents that connect and do nothing do not prevent others from connecting.
func TestManyAgents(t *testing.T) {
	s := serveHTTP(t, &recorder{answer: `{"ok":true}`}, never, never)
	busy, used := s.begin(t), s.begin(t)
	stream := s.request(t, t.Context(), "GET", busy, "").Body
	defer stream.Close()
	s.post(t, used, fmt.Sprintf(status, 1))
	for range maxAgents + 3 {
		s.begin(t)
	}
	for range 5 {
		<-s.ended
	}
	for name, session := range map[string]string{"has a stream": busy, "was used": used} {
		if status, answer := s.post(t, session, ping); status != http.StatusOK {
			t.Errorf("the agent that %s: %d %s", name, status, answer)
		}
	}
	if len(s.ended) > 0 {
		t.Errorf("and session %s has ended", <-s.ended)
	}
}

// The number of calls that a connection has in progress is limited.
func TestManyCalls(t *testing.T) {
	b := &blocker{begun: make(chan struct{}, maxCalls), goOn: make(chan struct{})}
	s := serveHTTP(t, b, never, never)
	session := s.begin(t)
	for i := range maxCalls {
		defer s.request(t, t.Context(), "POST", session, fmt.Sprintf(status, 1+i)).Body.Close()
	}
	for range maxCalls {
		<-b.begun
	}
	if status, answer := s.post(t, session, fmt.Sprintf(status, 100)); status != 200 || !strings.Contains(answer, "queue_full") {
		t.Errorf("got %d %s", status, answer)
	}
}

// The last picture of a connection can be read as a resource, over this connection only.
func TestLastPicture(t *testing.T) {
	path := t.TempDir() + "/a b.png"
	if err := os.WriteFile(path, []byte(aPNG), 0o600); err != nil {
		t.Fatal(err)
	}
	raw, _ := json.Marshal(map[string]string{"path": path})
	r := &recorder{answer: string(raw)}
	updated := make(chan string, 1)
	h := serveHTTP(t, r, never, never)
	s, err := sdk.NewClient(&sdk.Implementation{Name: "host"}, &sdk.ClientOptions{
		ResourceUpdatedHandler: func(_ context.Context, r *sdk.ResourceUpdatedNotificationRequest) { updated <- r.Params.URI },
	}).Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: h.url}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if list, err := s.ListResources(t.Context(), nil); err != nil || len(list.Resources) != 0 {
		t.Errorf("before the first picture: %v, %v", list, err)
	}
	if err := s.Subscribe(t.Context(), &sdk.SubscribeParams{URI: "file:///etc/passwd"}); err == nil {
		t.Error("another resource can be subscribed to")
	}
	if err := s.Subscribe(t.Context(), &sdk.SubscribeParams{URI: pictureURI}); err != nil {
		t.Error(err)
	}
	call(t, s, `{"action":"screenshot"}`)
	if got := <-updated; got != pictureURI {
		t.Errorf("updated is %s", got)
	}
	list, err := s.ListResources(t.Context(), nil)
	if err != nil || len(list.Resources) != 1 || list.Resources[0].URI != pictureURI || list.Resources[0].MIMEType != "image/png" {
		t.Errorf("got %+v, %v", list, err)
	}
	read := func() (*sdk.ReadResourceResult, error) {
		return s.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: pictureURI})
	}
	if got, err := read(); err != nil || string(got.Contents[0].Blob) != aPNG {
		t.Errorf("got %v, %v", got, err)
	}
	os.Remove(path)
	if got, err := read(); err == nil {
		t.Errorf("a picture that was removed is %v", got)
	}
	other := connect(t, r, true)
	if list, err := other.ListResources(t.Context(), nil); err != nil || len(list.Resources) != 0 {
		t.Errorf("another connection has %v, %v", list, err)
	}
}

// The number and size of the events that are kept for resuming a stream are bounded.
func TestEvents(t *testing.T) {
	e := new(events)
	ctx := t.Context()
	count := func(session, id string, place int) (n int, failed error) {
		for _, err := range e.After(ctx, session, id, place) {
			if err != nil {
				return n, err
			}
			n++
		}
		return n, nil
	}
	e.Open(ctx, "a", "")
	e.Open(ctx, "a", "call")
	for range maxEvents + 2 {
		e.Append(ctx, "a", "call", []byte("x"))
	}
	if n, err := count("a", "call", maxEvents); n != 1 || err != nil {
		t.Errorf("the last is %d, %v", n, err)
	}
	if _, err := count("a", "call", 0); err == nil {
		t.Error("an event that was dropped is not missing")
	}
	e.Open(ctx, "b", "large")
	e.Append(ctx, "b", "large", make([]byte, maxEventBytes+1))
	if n, err := count("b", "large", -1); n != 1 || err != nil {
		t.Errorf("the newest stream has %d, %v", n, err)
	}
	if _, err := count("a", "call", maxEvents); err == nil || e.Append(ctx, "a", "call", nil) == nil {
		t.Error("the older stream was kept")
	}
	if n, err := count("a", "", -1); n != 0 || err != nil {
		t.Errorf("that of the session has %d, %v", n, err)
	}
	for i := range maxStreams + 10 {
		e.Open(ctx, "b", fmt.Sprint("call ", i))
	}
	if len(e.streams) > maxStreams {
		t.Errorf("there are %d streams", len(e.streams))
	}
	e.SessionClosed(ctx, "b")
	e.SessionClosed(ctx, "a")
	if len(e.streams) > 0 || e.bytes != 0 {
		t.Errorf("%d streams and %d bytes stay", len(e.streams), e.bytes)
	}
}

// The context that the tool gets ends with the connection, so that work such as holding a session
// elsewhere ends. The context has the session that the user has named.
func TestLifeOfConnections(t *testing.T) {
	s := serveHTTP(t, new(recorder), never, never)
	lives := make(chan context.Context, 1)
	s.o.Tool = func(life context.Context, _ http.Header) (Tool, error) {
		lives <- life
		return Tool{Table: table}, nil
	}
	session := s.begin(t)
	life := <-lives
	if life.Err() != nil || op.Session(life) != "" {
		t.Errorf("it begins with %v, in session %q", life.Err(), op.Session(life))
	}
	s.request(t, t.Context(), "DELETE", session, "").Body.Close()
	<-life.Done()
	h := NewHTTP(HTTPOptions{Tool: s.o.Tool, Life: t.Context(), Ended: func(string) {}})
	named := httptest.NewRequestWithContext(op.WithSession(t.Context(), "shopping"), "POST", "/mcp", strings.NewReader("{}"))
	h.Serve(httptest.NewRecorder(), named)
	if life := <-lives; op.Session(life) != "shopping" || life.Err() == nil { // the message was no initialize, so the connection has ended
		t.Errorf("%v, in session %q", life.Err(), op.Session(life))
	}
}
