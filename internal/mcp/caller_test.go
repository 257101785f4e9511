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

// A reporter is a runner that answers who called it, and reports progress before.
type reporter struct{}

func (reporter) Run(ctx context.Context, _ *op.Op, _ op.Args) (json.RawMessage, error) {
	op.Progress(ctx, 0, 3, "one")
	op.Progress(ctx, 2, 3, "three")
	op.Progress(ctx, 1, 3, "two, again")
	op.Progress(ctx, 3, 3, "")
	return json.Marshal(map[string]string{"caller": op.Caller(ctx)})
}

// connectReporter connects an agent, and returns the notifications that it gets.
func connectReporter(t *testing.T, ctx context.Context) (*sdk.ClientSession, chan string) {
	t.Helper()
	here, there := sdk.NewInMemoryTransports()
	server, err := Tool{Table: table, Runner: reporter{}}.Server().Connect(ctx, there, nil)
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

func callerSeen(t *testing.T, session *sdk.ClientSession, params *sdk.CallToolParams) string {
	t.Helper()
	res, err := session.CallTool(t.Context(), params)
	if err != nil || res.IsError {
		t.Fatalf("%v, %v", res, err)
	}
	var answer struct{ Caller string }
	_, fields, _ := strings.Cut(firstText(res), "{")
	fields, _, _ = strings.Cut(fields, "}")
	if err := json.Unmarshal([]byte("{"+fields+"}"), &answer); err != nil {
		t.Fatal(err)
	}
	return answer.Caller
}

func TestCaller(t *testing.T) {
	result := func() *sdk.CallToolParams {
		return &sdk.CallToolParams{Name: "browser", Arguments: json.RawMessage(`{"action":"result"}`)}
	}
	one, _ := connectReporter(t, t.Context())
	other, _ := connectReporter(t, t.Context())
	first, again, second := callerSeen(t, one, result()), callerSeen(t, one, result()), callerSeen(t, other, result())
	if !strings.HasPrefix(first, "claude#") || again != first || second == first {
		t.Errorf("two connections are %s, %s and %s; want one name for each", first, again, second)
	}
	named, _ := connectReporter(t, op.WithCaller(t.Context(), "ada"))
	if got := callerSeen(t, named, result()); got != "ada" {
		t.Errorf("the name of the environment became %s", got)
	}
}

func TestProgressNotifications(t *testing.T) {
	session, got := connectReporter(t, t.Context())
	callerSeen(t, session, &sdk.CallToolParams{Name: "browser", Arguments: json.RawMessage(`{"action":"result"}`)}) // without a token
	params := &sdk.CallToolParams{Name: "browser", Arguments: json.RawMessage(`{"action":"result"}`)}
	params.SetProgressToken("token")
	callerSeen(t, session, params)
	if all := []string{<-got, <-got}; !slices.Equal(all, []string{"token 0/3 one", "token 2/3 three"}) {
		t.Errorf("got %q", all)
	}
	session.Close()
	if len(got) > 0 {
		t.Errorf("and %q", <-got)
	}
}
