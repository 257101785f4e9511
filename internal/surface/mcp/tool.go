// Package mcp offers a table of operations to agents, as one tool of the Model Context Protocol.
// The parameter action names the operation. The other parameters are the parameters of all
// operations.
//
// Text that comes from a page is put between boundaries (fence.go). So a model can distinguish it
// from the words of the user and of chela.
//
// A call goes through four steps. The function understand finds the operation and its arguments in
// what the model has written. An op.Runner runs it. A splitter separates the page's text in the
// result from the rest. The function answer writes both as the text of an MCP result.
//
// Over HTTP each agent has its own MCP server of the SDK (http.go). Its calls end with its connection
// (connection.go). The last events are kept, so that an agent can resume a stream that has broken off
// (events.go). The place of a call is chosen before its operation is known (place.go). Each place is
// an [op.Runner].
//
// An agent gets the pictures of a result as images, or as descriptions by a vision model
// (picture.go). The process that answers the agent calls the vision model.
package mcp

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"chela/internal/op"
)

// A Tool offers a table of operations to agents.
type Tool struct {
	Table   *op.Table
	Runner  op.Runner
	Version string
	Scripts bool   // offer operations and parameters that run scripts
	Places  Places // where calls may run; Runner runs them on the host
	Forms   bool   // also offer the tools with a single operation each, see op.AlsoTool
	Secrets bool   // agents may ask for credentials in requests, see allow

	// Update returns the tool with the present permissions. It is called for each call, so that a
	// change of the configuration applies to connected agents. If it is nil, permissions never change.
	// It is also called when the agent lists the tools. A definition that it has received stays.
	Update func(Tool) Tool

	target   op.Target       // the machine on which a call must run; set by route
	instead  op.Runner       // runs a call if its sandbox cannot be reached; nil: such a call fails
	Pictures func() Pictures // is called for each call, and returns how pictures are given to the model; nil: as images
}

const name = "browser"

// Serve answers one agent, until ctx ends or the agent closes the input. Messages of JSON-RPC are
// read and written one a line, as MCP requires for a program that the client has started. So the
// program must write nothing else to out.
func (t Tool) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	lines := &wholeLines{out: out}
	reader := &messages{in: bufio.NewReader(in), out: lines}
	return t.Server(ctx).Run(ctx, &sdk.IOTransport{Reader: io.NopCloser(reader), Writer: lines})
}

// Server returns an MCP server with the tool, for one agent. When life ends, so do its calls.
func (t Tool) Server(life context.Context) *sdk.Server {
	return t.connect(life, sdk.ServerOptions{}).server
}

// current returns the tool with the present permissions, see Update.
func (t Tool) current() Tool {
	if t.Update == nil {
		return t
	}
	return t.Update(t)
}

// call answers a call of the tool.
func (t Tool) call(ctx context.Context, arguments json.RawMessage) *sdk.CallToolResult {
	t = t.current()
	var args op.Args
	if len(arguments) > 0 && json.Unmarshal(arguments, &args) != nil {
		return renderError(op.Errorf(op.Invalid, "the arguments must be an object"))
	}
	if text(args["action"]) == help {
		return t.help(text(args["topic"]))
	}
	t, err := t.route(args)
	if err != nil {
		return renderError(err)
	}
	o, args, err := t.understand(args)
	if err != nil {
		return renderError(err)
	}
	return t.run(ctx, o, args)
}

// run runs an operation and answers with its result.
func (t Tool) run(ctx context.Context, o *op.Op, args op.Args) *sdk.CallToolResult {
	ctx = op.WithTarget(op.WithSurface(ctx, op.AgentTool), t.target)
	if err := t.allow(o, args); err != nil {
		return renderError(err)
	}
	t.Places.allowTime(o, args)
	args = o.ForAgent(o.Complete(args))
	if err := o.Check(args); err != nil { // checked here, because some HTTP routes ignore wrong values in a query
		return renderError(t.explainRefused(o, args, err))
	}
	raw, note, err := t.reach(ctx, o, args)
	if err != nil && t.Places.isOwn(args) {
		raw, err = t.staleTab(ctx, o, args, err)
	}
	if err != nil {
		return withNote(note, renderFailure(o, args, t.explainRefused(o, args, endedError(ctx, err))))
	}
	var p Pictures
	if t.Pictures != nil {
		p = t.Pictures()
	}
	return withNote(note, answer(ctx, o, args, raw, p))
}

// endedError returns the error for a call that failed with err. If the context has ended, the error
// is the context's cause or, if that is no [*op.Error], says that the agent has cancelled the call.
// As err does, the error says whether an act had been sent.
func endedError(ctx context.Context, err error) error {
	cause, known := errors.AsType[*op.Error](context.Cause(ctx))
	switch {
	case ctx.Err() == nil:
		return err
	case !known:
		cause = op.Errorf(op.Canceled, "the call was cancelled")
	}
	ended := *cause
	ended.Sent = op.AsError(err).Sent
	return &ended
}

// offeredOps lists the operations that agents may call.
func (t Tool) offeredOps() []*op.Op {
	var ops []*op.Op
	for _, o := range t.Table.Ops {
		if t.offers(o) {
			ops = append(ops, o)
		}
	}
	return ops
}

// allow refuses a call that asks for the cookies and tokens of requests, unless the user lets agents
// have them. The text of a page could make a model ask for them, and send them to the owner of the
// page. Operations that are only about such secrets, such as cookies, are not offered to agents at
// all: see [op.NotForAgents]. Whatever a script in the page can read is not protected, since agents
// may run scripts.
func (t Tool) allow(o *op.Op, args op.Args) error {
	if t.Secrets || !o.Reveals(args) {
		return nil
	}
	return op.Errorf(op.Forbidden, "agents are not shown cookies and tokens").
		Hinted("leave out secrets; the user can allow it by browser.agentsSeeSecrets: true in the configuration")
}

// params lists the parameters of o that agents may give. If scripts are forbidden, parameters whose
// value is a script are left out: a model would try them, and be refused. The same holds for
// parameters that reveal secrets.
func (t Tool) params(o *op.Op) []op.Param {
	var ps []op.Param
	for _, p := range o.Params() {
		if (t.Scripts || !p.Script) && (t.Secrets || !p.Reveals) {
			ps = append(ps, p)
		}
	}
	return ps
}
