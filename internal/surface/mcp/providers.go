package mcp

import "chela/internal/op"

// Providers lists the model providers for which [Tool.Definitions] can write tools.
var Providers = []string{"mcp", "openai", "anthropic", "gemini"}

// Definitions returns the tools in the form that a provider expects in the field tools of a
// request. They are for programs that call a model themselves, and pass its tool calls on to chela.
// An unknown provider counts as the first one of Providers.
func (t Tool) Definitions(provider string) []op.Object {
	var all, functions []op.Object
	for _, each := range t.tools() {
		about := op.Object{"name": each.tool.Name, "description": each.tool.Description}
		schema := each.tool.InputSchema
		switch provider {
		case "openai":
			about["parameters"] = schema
			about = op.Object{"type": "function", "function": about}
		case "anthropic":
			about["input_schema"] = schema
		case "gemini":
			about["parametersJsonSchema"] = schema
			functions = append(functions, about)
			continue
		default:
			about["inputSchema"] = schema
			if each.tool.Title != "" {
				about["title"] = each.tool.Title
			}
		}
		all = append(all, about)
	}
	if functions != nil {
		return []op.Object{{"functionDeclarations": functions}} // one tool with all functions
	}
	return all
}
