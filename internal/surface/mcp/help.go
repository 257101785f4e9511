package mcp

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"chela/internal/op"
)

// help is the name of the action that describes the other actions. It is not an operation, since the
// command line has its own help.
const help = "help"

// help returns the help on a topic. If topic is "", that is the list of all actions; else the actions of
// a chapter, or all parameters of one action. For an operation that agents may not use, the help says
// how the user can.
func (t Tool) help(topic string) *sdk.CallToolResult {
	if topic == "" || topic == help {
		return plainText(t.topics())
	}
	var about []string
	for route, action := range t.paths() {
		if action == topic {
			about = append(about, t.describePath(route, action))
		}
	}
	if o := t.topic(topic); o != nil {
		about = append(about, t.describe(o))
	}
	if chapter := t.chapter(topic); chapter != "" { // a chapter and an action may have the same name
		about = append(about, chapter)
	}
	if about != nil {
		return plainText(strings.Join(about, "\n\n"))
	}
	return renderError(op.Errorf(op.Invalid, "there is no topic %q", topic).Hinted("%s", op.DidYouMean(topic, t.actions())+
		"; help without a topic lists all"))
}

// topic returns the operation that a topic names, or nil. If several operations have the name, it
// prefers one that agents may call.
func (t Tool) topic(topic string) *op.Op {
	if o := t.byName(topic); o != nil {
		return o
	}
	for _, o := range t.Table.Ops {
		if o.Is(topic) || slices.ContainsFunc(o.Routes, func(r op.Route) bool { return r.Value != "" && r.Value == topic }) {
			return o
		}
	}
	return nil
}

// topics lists the chapters, and the actions of each.
func (t Tool) topics() string {
	var b strings.Builder
	b.WriteString("Topics of help: an action, for its parameters and an example, or a chapter, for what its actions do.\n")
	for _, group := range t.chapters() {
		var names []string
		for _, o := range t.offeredOps() {
			if o.Group == group {
				names = append(names, Action(o))
			}
		}
		if names != nil {
			fmt.Fprintf(&b, "%s: %s\n", cmp.Or(group, "Actions"), strings.Join(names, ", "))
		}
	}
	b.WriteString("Example: " + `{"action":"help","topic":"` + t.actions()[0] + `"}`)
	return b.String()
}

// chapters lists the titles of the groups of operations, each once.
func (t Tool) chapters() (all []string) {
	for _, o := range t.Table.Ops {
		if !slices.Contains(all, o.Group) {
			all = append(all, o.Group)
		}
	}
	return all
}

// chapter describes the operations of a chapter, each in a line. It returns "" if no chapter has this
// title.
func (t Tool) chapter(title string) string {
	var b strings.Builder
	for _, o := range t.Table.Ops {
		switch {
		case o.Group == "" || !strings.EqualFold(o.Group, title):
		case t.offers(o):
			fmt.Fprintf(&b, "%s: %s\n", Action(o), o.Summary())
		default:
			fmt.Fprintf(&b, "%s: %s (not an action: chela %s)\n", o.Name(), o.Summary(), o.Name())
		}
	}
	return strings.TrimSpace(b.String())
}

// offers reports whether agents may call an operation.
func (t Tool) offers(o *op.Op) bool { return o.ForAgents() && (t.Scripts || !o.RunsScript()) }

// describe returns the help on an action: an example and all its parameters with their whole
// documentation, including those that the definition leaves out.
func (t Tool) describe(o *op.Op) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", Action(o), o.Doc)
	switch {
	case !o.ForAgents():
		command := strings.TrimSpace("chela " + o.Name() + " " + o.Example)
		fmt.Fprintf(&b, "It is not an action of this tool. The user can call it on the command line: %s", command)
		return b.String()
	case !t.offers(o):
		b.WriteString("It runs a script, and the user has switched scripts off (browser.evaluateEnabled).")
		return b.String()
	}
	fmt.Fprintf(&b, "Example: %s\n", o.ExampleCall(Action(o)))
	params := t.params(o)
	slices.SortStableFunc(params, func(a, b op.Param) int { return cmp.Compare(rank(a), rank(b)) })
	for _, p := range params {
		fmt.Fprintf(&b, "- %s%s: %s\n", p.Name, about(p), p.Doc)
	}
	return strings.TrimSpace(b.String())
}

// describePath returns the help on an action whose route several operations share, such as act.
func (t Tool) describePath(route op.Route, action string) string {
	field := t.field(route)
	var values []string
	example := ""
	for _, o := range t.Table.At(route.Method, route.Path) {
		value := o.Routes[0].Value
		if !t.offers(o) || value == "" {
			continue
		}
		values = append(values, value)
		if example == "" && o.Example != "" {
			beginning := fmt.Sprintf(`{"action":%q`, action)
			example = strings.Replace(o.ExampleCall(action), beginning, fmt.Sprintf(`%s,%q:%q`, beginning, field, value), 1)
		}
	}
	return fmt.Sprintf("%s: One of these, chosen by %s: %s. Each is a topic and an action of its own, too.\nExample: %s",
		action, field, strings.Join(values, ", "), example)
}

// rank returns the number by which parameters are sorted: required ones come first.
func rank(p op.Param) int {
	if p.Required {
		return 0
	}
	return 1
}

// about returns the values of a parameter, whether it is required, and its default, in parentheses.
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
	if value := cmp.Or(p.Agents, p.Default); value != "" {
		words = append(words, "default "+value)
	}
	if len(words) == 0 {
		return ""
	}
	return " (" + strings.Join(words, ", ") + ")"
}

// plainText returns a result with a text of chela, which needs no boundaries.
func plainText(text string) *sdk.CallToolResult {
	return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: text}}}
}
