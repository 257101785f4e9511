package chela

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/tiktoken-go/tokenizer"

	"chela/internal/api"
	"chela/internal/mcp"
	"chela/internal/op"
)

// maxToolTokens is what the definition of the agent tool may cost a model: it is
// a part of every conversation.
const maxToolTokens = 1500

// TestToolBudget counts the tokens of the tool's definition, and shows what each
// row adds to it (go test -run TestToolBudget -v .).
func TestToolBudget(t *testing.T) {
	encoding, err := tokenizer.Get(tokenizer.O200kBase)
	if err != nil {
		t.Fatal(err)
	}
	count := func(table *op.Table) int {
		n, err := encoding.Count(definition(t, table))
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	whole := count(api.Table)
	var rows strings.Builder
	for i, o := range api.Table.Ops {
		without := *api.Table
		without.Ops = append(append([]*op.Op{}, api.Table.Ops[:i]...), api.Table.Ops[i+1:]...)
		fmt.Fprintf(&rows, "%5d  %s\n", whole-count(&without), o.Name())
	}
	t.Logf("%d tokens, of which by row:\n%s", whole, rows.String())
	if whole > maxToolTokens {
		t.Errorf("the definition of the tool has %d tokens, want at most %d; mark rare rows op.Rare", whole, maxToolTokens)
	}
}

// definition is what a model gets of the tool: its name, description and input schema.
func definition(t *testing.T, table *op.Table) string {
	t.Helper()
	here, there := sdk.NewInMemoryTransports()
	server, err := mcp.Tool{Table: table, Scripts: true}.Server().Connect(t.Context(), there, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer server.Wait()
	session, err := sdk.NewClient(&sdk.Implementation{Name: "agent"}, nil).Connect(t.Context(), here, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
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
