package mcp

import (
	"context"
	"encoding/json"
	"maps"
	"slices"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"chela/internal/op"
)

// A servedTool is the definition of a tool for a model, and the function that answers its calls.
type servedTool struct {
	tool   *sdk.Tool
	answer answerer
}

// tools lists the tool with all operations and, if t.Forms is set, the tools with a single operation
// each (see [op.AlsoTool]).
func (t Tool) tools() []servedTool {
	whole := &sdk.Tool{Name: name, Title: "Browser", Description: t.description(), InputSchema: t.schema()}
	all := []servedTool{{whole, t.call}}
	if !t.Forms {
		return all
	}
	for _, o := range t.offeredOps() {
		for _, form := range o.Tools {
			tool := &sdk.Tool{Name: form.Name, Description: form.Doc, InputSchema: schemaOf(t.paramsOf(o, form))}
			all = append(all, servedTool{tool, func(ctx context.Context, arguments json.RawMessage) *sdk.CallToolResult {
				return t.callForm(ctx, o, form, arguments)
			}})
		}
	}
	return all
}

// paramsOf lists the parameters that agents may give to a tool with a single operation (a form).
func (t Tool) paramsOf(o *op.Op, form op.ToolForm) []op.Param {
	return slices.DeleteFunc(t.params(o), func(p op.Param) bool { return !slices.Contains(form.Params, p.Name) })
}

// schemaOf returns the schema of an object with these parameters and their defaults.
func schemaOf(ps []op.Param) op.Object {
	schema := op.ObjectSchema(ps)
	props := schema["properties"].(op.Object)
	for _, p := range ps {
		if value, err := p.Parse(p.Default); p.Default != "" && err == nil {
			props[p.Name].(op.Object)["default"] = value
		}
	}
	return schema
}

// callForm answers a call of a tool with a single operation. A call cannot change the parameters in
// form.Fixed.
func (t Tool) callForm(ctx context.Context, o *op.Op, form op.ToolForm, arguments json.RawMessage) *sdk.CallToolResult {
	t, args := t.current(), op.Args{}
	if len(arguments) > 0 && json.Unmarshal(arguments, &args) != nil {
		return renderError(op.Errorf(op.Invalid, "the arguments must be an object"))
	}
	t, err := t.route(args)
	if err != nil {
		return renderError(err)
	}
	args = camelCaseArgs(o, args)
	maps.Copy(args, form.Fixed)
	args, err = t.complete(o, args)
	if err != nil {
		return renderError(err)
	}
	return t.run(ctx, o, args)
}
