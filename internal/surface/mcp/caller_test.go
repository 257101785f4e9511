package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"chela/internal/op"
)

// A reporter is a runner that notes who called it, and reports progress.
type reporter struct{ caller, session string }

func (r *reporter) Run(ctx context.Context, _ *op.Op, _ op.Args) (json.RawMessage, error) {
	op.Progress(ctx, 0, 3, "one")
	op.Progress(ctx, 2, 3, "three")
	op.Progress(ctx, 1, 3, "two, again")
	op.Progress(ctx, 3, 3, "")
	r.caller, r.session = op.Caller(ctx), op.Session(ctx)
	return json.RawMessage(`{"ok":true}`), nil
}

// connectReporter connects an agent to r, and returns a channel with the notifications that the agent
// gets.
func connectReporter(t *testing.T, ctx context.Context, r *reporter) (*sdk.ClientSession, chan string) {
	t.Helper()
	here, there := sdk.NewInMemoryTransports()
	server, err := Tool{Table: table, Runner: r}.Server(ctx).Connect(ctx, there, nil)
	if err != nil {
		t.Fatal(err)
	}
	got := make(chan string, 10)
	session, err := sdk.NewClient(&sdk.Implementation{Name: "claude"}, &sdk.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, r *sdk.ProgressNotificationClientRequest) {
			got <- fmt.Sprint(r.Params.ProgressToken, " ", r.Params.Progress, "/", r.Params.Total, " ", r.Params.Message)
		},
	}).Connect(ctx, here, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		session.Close()
		server.Wait()
	})
	return session, got
}

func callStatus(t *testing.T, session *sdk.ClientSession, token any) {
	t.Helper()
	params := &sdk.CallToolParams{Name: "browser", Arguments: json.RawMessage(`{"action":"status"}`)}
	if token != nil {
		params.SetProgressToken(token)
	}
	if res, err := session.CallTool(t.Context(), params); err != nil || res.IsError {
		t.Fatalf("%v, %v", res, err)
	}
}

func TestCaller(t *testing.T) {
	r := new(reporter)
	caller := func(session *sdk.ClientSession) string {
		callStatus(t, session, nil)
		return r.caller
	}
	one, _ := connectReporter(t, t.Context(), r)
	other, _ := connectReporter(t, t.Context(), r)
	first, again, second := caller(one), caller(one), caller(other)
	if !strings.HasPrefix(first, "claude#") || again != first || second == first {
		t.Errorf("two connections are %s, %s and %s; want one name for each", first, again, second)
	}
	named, _ := connectReporter(t, op.WithCaller(t.Context(), "ada"), r)
	if got := caller(named); got != "ada" {
		t.Errorf("the name of the environment became %s", got)
	}
}

// Each connection is a session of its own, unless the context of the connection names a session.
func TestSession(t *testing.T) {
	r := new(reporter)
	key := func(session *sdk.ClientSession) string {
		callStatus(t, session, nil)
		return r.session
	}
	one, _ := connectReporter(t, t.Context(), r)
	other, _ := connectReporter(t, op.WithCaller(t.Context(), "ada"), r)
	named, _ := connectReporter(t, op.WithSession(t.Context(), "shopping"), r)
	first, again, second, third := key(one), key(one), key(other), key(named)
	if op.CheckSession(first) != nil || again != first || second == first || op.CheckSession(second) != nil || third != "shopping" {
		t.Errorf("two connections are in %s, %s and %s, and that of shopping in %s", first, again, second, third)
	}
}

func TestProgressNotifications(t *testing.T) {
	session, got := connectReporter(t, t.Context(), new(reporter))
	callStatus(t, session, nil)
	callStatus(t, session, "token")
	if all := []string{<-got, <-got}; !slices.Equal(all, []string{"token 0/3 one", "token 2/3 three"}) {
		t.Errorf("got %q", all)
	}
	session.Close()
	if len(got) > 0 {
		t.Errorf("and %q", <-got)
	}
}
