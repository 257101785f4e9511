package mcp

import (
	"encoding/json"
	"strings"
	"testing"

	"chela/internal/op"
)

// Each provider gets the same tools, in its own form.
func TestProviders(t *testing.T) {
	small := Tool{Forms: true, Table: &op.Table{Ops: []*op.Op{
		row[openRequest, ok]("POST /open", "open {url}", "Open.", op.AlsoTool("opener", "url", "Opens.")),
	}}}
	const (
		text   = `"Opens."`
		schema = `{"properties":{"url":{"description":"address","type":"string"}},"required":["url"],"type":"object"}`
	)
	whole, _ := json.Marshal(small.description())
	parameters, _ := json.Marshal(small.schema())
	for provider, form := range map[string]string{
		"mcp":       `[{"description":D1,"inputSchema":S1,"name":"browser","title":"Browser"},{"description":D2,"inputSchema":S2,"name":"opener"}]`,
		"anthropic": `[{"description":D1,"input_schema":S1,"name":"browser"},{"description":D2,"input_schema":S2,"name":"opener"}]`,
		"openai": `[{"function":{"description":D1,"name":"browser","parameters":S1},"type":"function"},` +
			`{"function":{"description":D2,"name":"opener","parameters":S2},"type":"function"}]`,
		"gemini": `[{"functionDeclarations":[{"description":D1,"name":"browser","parametersJsonSchema":S1},` +
			`{"description":D2,"name":"opener","parametersJsonSchema":S2}]}]`,
	} {
		want := strings.NewReplacer("D1", string(whole), "S1", string(parameters), "D2", text, "S2", schema).Replace(form)
		if got, err := json.Marshal(small.Definitions(provider)); err != nil || string(got) != want {
			t.Errorf("%s: got %s, %v; want %s", provider, got, err, want)
		}
	}
}
