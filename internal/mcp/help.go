package mcp

import (
	"fmt"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"chela/internal/op"
)

// help is the action that describes the others. It is not an operation, since the
// command line has a help of its own.
const help = "help"

// help answers with the list of all actions, or with all parameters of one.
func (t Tool) help(topic string) *sdk.CallToolResult {
	if topic == "" {
		return plain(t.listActions())
	}
	o := t.named(topic)
	if o == nil {
		return failed(op.Errorf(op.Invalid, "there is no action %q", topic).Hinted("help without a topic lists the actions"))
	}
	return plain(t.describe(o))
}

// listActions lists all actions, the rare ones included.
func (t Tool) listActions() string {
	var b strings.Builder
	for _, o := range t.offered() {
		fmt.Fprintf(&b, "%s: %s\n", Action(o), o.Summary())
	}
	b.WriteString("help with a topic describes the parameters of one action.")
	return b.String()
}

// describe is an action with all its parameters, also those that the definition leaves
// out, with the whole documentation of each.
func (t Tool) describe(o *op.Op) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", Action(o), o.Doc)
	for _, p := range t.params(o) {
		fmt.Fprintf(&b, "- %s%s: %s\n", p.Name, about(p), p.Doc)
	}
	return strings.TrimSpace(b.String())
}

// about says what a parameter takes, and whether it must be given.
func about(p op.Param) string {
	var words []string
	if p.Required {
		words = append(words, "required")
	}
	switch kind, _ := p.Schema()["type"].(string); {
	case len(p.Enum) > 0:
		words = append(words, strings.Join(p.Enum, "|"))
	case kind != "":
		words = append(words, kind)
	}
	if len(words) == 0 {
		return ""
	}
	return " (" + strings.Join(words, ", ") + ")"
}

// plain is a result that is a text of chela, without anything of a page.
func plain(text string) *sdk.CallToolResult {
	return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: text}}}
}
