package repo

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/tiktoken-go/tokenizer"

	"chela/internal/api"
	"chela/internal/op"
	"chela/internal/surface/mcp"
)

// maxToolTokens is what the definition of the agent tool may cost a model: it is a part of every
// conversation.
const maxToolTokens = 1500

// TestToolBudget counts the tokens of the tool's definition. To see what each row of the table
// adds, run: go test -run TestToolBudget -v ./test/repo
func TestToolBudget(t *testing.T) {
	t.Chdir(root)
	count := func(table *op.Table) int { return tokens(t, definition(t, table)) }
	whole := count(api.Table())
	var rows strings.Builder
	for i, o := range api.Table().Ops {
		without := *api.Table()
		without.Ops = append(append([]*op.Op{}, api.Table().Ops[:i]...), api.Table().Ops[i+1:]...)
		fmt.Fprintf(&rows, "%5d  %s\n", whole-count(&without), o.Name())
	}
	t.Logf("%d tokens, of which by row:\n%s", whole, rows.String())
	if whole > maxToolTokens {
		t.Errorf("the definition of the tool has %d tokens, want at most %d; mark rare rows op.Rare", whole, maxToolTokens)
	}
	places := mcp.Places{Sandbox: always(""), NoHost: true}
	if n := tokens(t, definitionOf(t, mcp.Tool{Table: api.Table(), Scripts: true, Places: places})); n > maxToolTokens {
		t.Errorf("with a sandbox, it has %d", n)
	}
}

// Parameters without which an agent could not follow the hint of an error are in the schema of the
// tool. Some clients send no others.
func TestAdvisedParametersAreInTheSchema(t *testing.T) {
	t.Chdir(root)
	schema := definition(t, api.Table())
	for _, name := range []string{"resend", "endX", "endY", "dialogId", "timeoutMs"} {
		if !strings.Contains(schema, fmt.Sprintf("%q:{", name)) {
			t.Errorf("%s is not there", name)
		}
	}
}

// maxActTokens is what the answer to an act costs a model when it has no text of the page.
const maxActTokens = 25

// TestActBudget counts the tokens of what a model reads after each act, without what comes from the
// page.
func TestActBudget(t *testing.T) {
	t.Chdir(root)
	const answer = `{"ok":true,"targetId":"1F0AD7C1D3C54D3F8D5E9A6B7C8D9E0F","tabId":"t12","url":"http://127.0.0.1:8080/orders/7?sort=name","effects":["changed","request"]%s}`
	own := map[string]string{
		"batch": `,"results":[{"ok":true},{"ok":true},{"ok":true}]`,
		"fill":  `,"filled":3`,
	}
	for _, o := range api.Table().Ops {
		if o.Routes[0].Path != "/act" || o.Untrusted() {
			continue
		}
		quiet := callTool(t, o, fmt.Sprintf(answer, own[o.Name()]))
		if n := tokens(t, quiet); n > maxActTokens || strings.Contains(quiet, "UNTRUSTED") || !strings.Contains(quiet, "t12") {
			t.Errorf("%s answers %d tokens, want at most %d, no fence, and the tab: %s", o.Name(), n, maxActTokens, quiet)
		}
		t.Logf("%s: %s", o.Name(), quiet)
		moved := callTool(t, o, fmt.Sprintf(answer, own[o.Name()]+`,"urlChanged":true`))
		before, fenced, _ := strings.Cut(moved, "<<<")
		if n := tokens(t, before); n > maxActTokens || strings.Contains(before, "http") || !strings.Contains(fenced, "url: http://127.0.0.1:8080/orders/7?sort=name\n") {
			t.Errorf("%s answers %d tokens before the fence, want at most %d, and the address in it: %s", o.Name(), n, maxActTokens, moved)
		}
	}
}

// always is an [op.Runner] that always gives the same answer.
type always string

func (a always) Run(context.Context, *op.Op, op.Args) (json.RawMessage, error) {
	return json.RawMessage(a), nil
}

// callTool returns the text that a model gets for an operation's answer.
func callTool(t *testing.T, o *op.Op, answer string) string {
	t.Helper()
	args := map[string]any{"action": mcp.Action(o)}
	for _, p := range o.Params() {
		if value, ok := sample[p.Name]; ok {
			args[p.Name] = value
		}
	}
	if args["ref"] != nil { // a ref in place of a point
		delete(args, "x")
		delete(args, "y")
	}
	res, err := agent(t, mcp.Tool{Table: api.Table(), Scripts: true, Runner: always(answer)}).CallTool(t.Context(), &sdk.CallToolParams{Name: "browser", Arguments: args})
	if err != nil || res.IsError {
		t.Fatalf("%s: %v %+v", o.Name(), err, res)
	}
	return res.Content[0].(*sdk.TextContent).Text
}

// sample has a value for parameters that acts require.
var sample = map[string]any{
	"ref": "e1", "startRef": "e1", "endRef": "e2", "text": "x", "key": "Enter", "direction": "down", "paths": []string{"a.txt"}, "values": []string{"x"}, "x": 1, "y": 1, "width": 800, "height": 600,
	"fields": []any{map[string]any{"ref": "e1", "value": "x"}}, "actions": []any{map[string]any{"kind": "press", "key": "Enter"}},
}

// definition returns what a model gets of the tool: its name, description and input schema.
func definition(t *testing.T, table *op.Table) string {
	t.Helper()
	return definitionOf(t, mcp.Tool{Table: table, Scripts: true})
}

func definitionOf(t *testing.T, tool mcp.Tool) string {
	t.Helper()
	session := agent(t, tool)
	list, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, tool := range list.Tools {
		schema, err := json.Marshal(tool.InputSchema)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&all, "%s\n%s\n%s\n", tool.Name, tool.Description, schema)
	}
	return all.String()
}

// agent connects an agent to a tool.
func agent(t *testing.T, tool mcp.Tool) *sdk.ClientSession {
	t.Helper()
	here, there := sdk.NewInMemoryTransports()
	server, err := tool.Server(t.Context()).Connect(t.Context(), there, nil)
	if err != nil {
		t.Fatal(err)
	}
	session, err := sdk.NewClient(&sdk.Implementation{Name: "agent"}, nil).Connect(t.Context(), here, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		session.Close()
		server.Wait()
	})
	return session
}

// tokens counts the tokens of a text.
func tokens(t *testing.T, text string) int {
	t.Helper()
	encoding, err := tokenizer.Get(tokenizer.O200kBase)
	if err != nil {
		t.Fatal(err)
	}
	n, err := encoding.Count(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}
