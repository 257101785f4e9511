package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"chela/internal/op"
	"chela/internal/surface/mcp"
)

// withAgents makes the server offer the agent tool at /mcp. The channel ended gets the sessions of
// connections that have ended.
func withAgents(ended chan<- string) func(*Options) {
	return func(o *Options) {
		o.Agent = func(context.Context, http.Header) (mcp.Tool, error) {
			return mcp.Tool{Table: o.Table(), Runner: o.Runner, Version: o.Version}, nil
		}
		o.EndSession = func(_ context.Context, key string) (int, error) {
			ended <- key
			return 0, nil
		}
	}
}

// A bearer is an HTTP transport that sends the server's token with each request.
type bearer struct{}

func (bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+token)
	return http.DefaultTransport.RoundTrip(r)
}

// agent connects an agent to a running server.
func (r *running) agent(t *testing.T) *sdk.ClientSession {
	t.Helper()
	transport := &sdk.StreamableClientTransport{Endpoint: "http://" + r.addr + "/mcp", HTTPClient: &http.Client{Transport: bearer{}}}
	session, err := sdk.NewClient(&sdk.Implementation{Name: "claude"}, nil).Connect(t.Context(), transport, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { session.Close() })
	return session
}

func do(ctx context.Context, session *sdk.ClientSession, args string) (*sdk.CallToolResult, error) {
	return session.CallTool(ctx, &sdk.CallToolParams{Name: "browser", Arguments: json.RawMessage(args)})
}

func TestAgentOverHTTP(t *testing.T) {
	defer http.DefaultTransport.(*http.Transport).CloseIdleConnections()
	ended := make(chan string, 10)
	r := start(t, withAgents(ended))
	one, other := r.agent(t), r.agent(t)
	list, err := one.ListTools(t.Context(), nil)
	if err != nil || len(list.Tools) != 1 || list.Tools[0].Name != "browser" {
		t.Fatalf("%v %v", list, err)
	}
	for _, session := range []*sdk.ClientSession{one, other} {
		if res, err := do(t.Context(), session, `{"action":"click","ref":"e1"}`); err != nil || res.IsError {
			t.Fatalf("%v %v", res, err)
		}
	}

	// A call that the agent cancels ends. The SDK's client sends the cancellation in the background,
	// and ends its session if that fails. So this part uses another session than the part below, which
	// deletes its session.
	ctx, cancel := context.WithCancel(t.Context())
	failed := make(chan error)
	go func() {
		_, err := do(ctx, other, `{"action":"hold"}`)
		failed <- err
	}()
	<-r.entered
	cancel()
	if err := <-failed; !errors.Is(err, context.Canceled) {
		t.Errorf("a call that was cancelled: %v", err)
	}

	// The end of a connection ends its session and its calls.
	go func() {
		res, err := do(t.Context(), one, `{"action":"hold"}`)
		if err == nil && res.IsError {
			err = errors.New(res.Content[0].(*sdk.TextContent).Text)
		}
		failed <- err
	}()
	<-r.entered
	if resp, got := r.send(t, "tcp", "DELETE /mcp HTTP/1.1\nHost: HOST\n"+auth+"Mcp-Session-Id: "+one.ID()+"\n\n"); resp.StatusCode != 204 {
		t.Errorf("got %d %s", resp.StatusCode, got)
	}
	if err := <-failed; err == nil || !strings.Contains(err.Error(), "the agent has ended its session") {
		t.Errorf("a call that was in progress: %v", err)
	}
	key := <-ended
	if !strings.HasPrefix(key, "claude#") || strings.Contains(key, one.ID()) {
		t.Errorf("session %s of %s was ended", key, one.ID())
	}
	if _, err := do(t.Context(), other, `{"action":"status"}`); err != nil {
		t.Errorf("and with it another: %v", err)
	}
}

// At /mcp, a request that MCP does not allow is refused like any bad request.
func TestAgentRules(t *testing.T) {
	r := start(t, withAgents(make(chan string, 100)))
	const accept = "Accept: application/json, text/event-stream\n"
	mcp := func(headers, content string) string {
		return "POST /mcp HTTP/1.1\nHost: HOST\n" + auth + accept + headers + body(content)
	}
	session := r.begin(t)
	id := "Mcp-Session-Id: " + session + "\n"
	const ping = `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	r.test(t, []rule{
		{"no token", "POST /mcp HTTP/1.1\nHost: HOST\n" + accept + id + body(ping), 401, "unauthorized", ""},
		{"another token", "POST /mcp HTTP/1.1\nHost: HOST\nAuthorization: Bearer x\n" + accept + id + body(ping), 401, "unauthorized", ""},
		{"a page", mcp("Origin: http://evil.example\n"+id, ping), 403, "Forbidden", ""},
		{"a page of no origin", mcp("Origin: null\n"+id, ping), 403, "Forbidden", ""},
		{"a page, of a browser that says so", mcp("Sec-Fetch-Site: cross-site\n"+id, ping), 403, "Forbidden", ""},
		{"DNS rebinding", "POST /mcp HTTP/1.1\nHost: evil.example\n" + auth + accept + id + body(ping), 403, "Forbidden", ""},
		{"a page asks for permission", "OPTIONS /mcp HTTP/1.1\nHost: HOST\nOrigin: http://evil.example\nAccess-Control-Request-Method: POST\n\n", 403, "Forbidden", ""},
		{"methods", "OPTIONS /mcp HTTP/1.1\nHost: HOST\n" + auth + "\n", 200, `"GET","POST","DELETE"`, ""},
		{"the head of a stream", "HEAD /mcp HTTP/1.1\nHost: HOST\n" + auth + id + "\n", 405, "", ""},
		{"another method", "PUT /mcp HTTP/1.1\nHost: HOST\n" + auth + id + "\n", 405, "GET", ""},
		{"another's session", mcp("Mcp-Session-Id: AAAAAAAAAAAAAAAAAAAAAAAAAA\n", ping), 404, "initialize", ""},
		{"a stream of another's", "GET /mcp HTTP/1.1\nHost: HOST\n" + auth + accept + "Mcp-Session-Id: x\n\n", 404, "not_found", ""},
		{"the end of another's", "DELETE /mcp HTTP/1.1\nHost: HOST\n" + auth + "Mcp-Session-Id: x\n\n", 404, "not_found", ""},
		{"no session", "GET /mcp HTTP/1.1\nHost: HOST\n" + auth + accept + "\n", 404, "not_found", ""},
		{"two sessions", mcp(id+"Mcp-Session-Id: x\n", ping), 400, "", ""},
		{"too large", "POST /mcp HTTP/1.1\nHost: HOST\n" + auth + accept + id + "Content-Type: application/json\nContent-Length: 10485760\n\n", 413, "too_large", ""},
		{"no JSON", mcp(id, `{"jsonrpc"`), 400, "not JSON", ""},
		{"JSON twice", mcp(id, `{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/list"}`), 400, "not JSON", ""},
		{"deep JSON", mcp(id, strings.Repeat("[", 70)+strings.Repeat("]", 70)), 400, "nested", ""},
		{"no JSON-RPC", mcp(id, `{}`), 400, "invalid_request", ""},
		{"a list of nothing", mcp(id, `[]`), 400, "invalid_request", ""},
		{"no method", mcp(id, `{"jsonrpc":"2.0","id":1,"method":"<b>"}`), 400, "invalid_request", ""},
		{"another type", "POST /mcp HTTP/1.1\nHost: HOST\n" + auth + accept + id + "Content-Type: text/plain\nContent-Length: 2\n\n{}", 415, "unsupported_media_type", ""},
		{"no body", "POST /mcp HTTP/1.1\nHost: HOST\n" + auth + accept + id + "Content-Type: application/json\nContent-Length: 0\n\n", 400, "non-empty", ""},
		{"nothing is accepted", "POST /mcp HTTP/1.1\nHost: HOST\n" + auth + id + body(ping), 400, "Accept must contain", ""},
		{"a session as header, twice", mcp("X-Chela-Session: a\nX-Chela-Session: b\n", ping), 400, "more than one", ""},
		{"another session of chela", mcp(id+"X-Chela-Session: a\n", ping), 400, "began", ""},
		{"events that there were not", "GET /mcp HTTP/1.1\nHost: HOST\n" + auth + accept + id + "Last-Event-ID: x_7\n\n", 400, "replay", ""},
	})
}

// begin begins an MCP session and returns its id.
func (r *running) begin(t *testing.T) string {
	t.Helper()
	resp, got := r.send(t, "tcp", "POST /mcp HTTP/1.1\nHost: HOST\n"+auth+"Accept: application/json, text/event-stream\nConnection: close\n"+
		body(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"raw","version":"1"}}}`))
	if resp.StatusCode != 200 {
		t.Fatalf("initialize: %d %s", resp.StatusCode, got)
	}
	return resp.Header.Get("Mcp-Session-Id")
}

// Many open streams delay neither calls nor the shutdown of the server.
func TestManyStreams(t *testing.T) {
	r := start(t, withAgents(make(chan string, 100)))
	var opened sync.WaitGroup
	for range 64 {
		opened.Go(func() {
			c := r.connect(t, "tcp")
			fmt.Fprintf(c, "GET /mcp HTTP/1.1\r\nHost: %s\r\n%sAccept: text/event-stream\r\nMcp-Session-Id: %s\r\n\r\n", r.addr, strings.ReplaceAll(auth, "\n", "\r\n"), r.begin(t))
			resp, err := http.ReadResponse(c.answers, nil)
			if err != nil || resp.StatusCode != 200 {
				t.Errorf("%v %v", resp, err)
				return
			}
			t.Cleanup(func() {
				if _, err := io.Copy(io.Discard, resp.Body); err != nil {
					t.Errorf("a stream ended with %v", err)
				}
			})
		})
	}
	opened.Wait()
	if resp, _ := r.send(t, "tcp", get(auth)); resp.StatusCode != 200 {
		t.Errorf("got %d", resp.StatusCode)
	}
	began := time.Now()
	r.stop()
	if err := <-r.ended; err != nil || time.Since(began) >= graceForCalls {
		t.Errorf("the server ended after %v: %v", time.Since(began), err)
	}
}

// When the server shuts down, a running call is answered with an error that says so.
func TestAgentAtTheEnd(t *testing.T) {
	defer http.DefaultTransport.(*http.Transport).CloseIdleConnections()
	r := start(t, withAgents(make(chan string, 1)))
	session := r.agent(t)
	go func() {
		<-r.entered
		r.stop()
	}()
	res, err := do(t.Context(), session, `{"action":"hold"}`)
	if err != nil || !res.IsError || !strings.Contains(res.Content[0].(*sdk.TextContent).Text, string(op.Stopping)) {
		t.Errorf("got %v, %v", res, err)
	}
}
