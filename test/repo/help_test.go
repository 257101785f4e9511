package repo

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"chela/internal/api"
	"chela/internal/op"
	"chela/internal/surface/mcp"
)

// Each row of the table is a topic of the tool's help. The topic of an action has an example, which
// is a call of this action. The topic of any other row says how the user calls it.
func TestHelpTopics(t *testing.T) {
	t.Chdir(root)
	ran := new(lastRun)
	s := agent(t, mcp.Tool{Table: api.Table(), Scripts: true, Runner: ran})
	call := func(args string) (string, bool) {
		t.Helper()
		res, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: "browser", Arguments: json.RawMessage(args)})
		if err != nil {
			t.Fatal(err)
		}
		return res.Content[0].(*sdk.TextContent).Text, res.IsError
	}
	topics, _ := call(`{"action":"help"}`)
	for _, o := range api.Table().Ops {
		for _, topic := range []string{o.Name(), mcp.Action(o), o.Routes[0].Value} {
			if other := api.Table().Named(topic); topic == "" || o.Routes[0].Field != "kind" && topic == o.Routes[0].Value || other != nil && other != o {
				continue // the topic names an action, which has precedence
			}
			about, failed := call(`{"action":"help","topic":"` + topic + `"}`)
			if failed || !strings.HasPrefix(about, mcp.Action(o)+": "+o.Doc) {
				t.Errorf("help %s: %s", topic, about)
			}
			_, rest, _ := strings.Cut(about, "\nExample: ")
			example, _, _ := strings.Cut(rest, "\n")
			switch {
			case !o.ForAgents():
				if !strings.Contains(about, "chela "+o.Name()) {
					t.Errorf("help %s: %s", topic, about)
				}
				continue
			case !strings.Contains(topics, mcp.Action(o)):
				t.Errorf("help does not list %s", mcp.Action(o))
			}
			*ran = lastRun{}
			if answer, failed := call(example); failed || ran.op != o {
				t.Errorf("the example of %s, %s, runs %v: %s", topic, example, ran.op, answer)
			}
		}
		if about, failed := call(`{"action":"help","topic":"` + o.Group + `"}`); failed || !strings.Contains(about, o.Summary()) {
			t.Errorf("chapter %s lacks %s", o.Group, o.Name())
		}
	}
}

// lastRun is a runner that notes what it runs last.
type lastRun struct{ op *op.Op }

func (l *lastRun) Run(_ context.Context, o *op.Op, args op.Args) (json.RawMessage, error) {
	l.op = o
	return json.RawMessage(`{}`), o.Check(args)
}
