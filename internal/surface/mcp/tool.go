// Package mcp offers a table of operations to agents, as one tool of the Model Context Protocol.
// The parameter action names the operation. The other parameters are the parameters of all
// operations.
//
// Text that comes from a page is put between boundaries. By these, a model can distinguish it from
// the words of the user and of chela.
//
// A call goes through four steps. First, understand finds the operation and its arguments in what
// the model has written, and op.Runner runs it. Then splitter separates the page's text in the
// result from the rest, and answer writes both as the text of a result.
//
// Over HTTP each agent has an MCP server of the SDK for itself (http.go). Its calls end with its
// connection (connection.go). The last events are kept for streams that break off (events.go).
// Where a call runs is decided before its operation is known (place.go): each place is an
// [op.Runner].
//
// An agent gets the pictures of a result as content, or a model's description of them (picture.go).
// The process that answers the agent asks that model.
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
	Places  Places // other places where calls may run, besides Runner, which runs them on the host
	Forms   bool   // also offer operations as tools of their own, where the table says so
	Secrets bool   // show credentials in requests to models that ask for them, see allow

	// Update returns the tool with the permissions that the user gives it now. It is called for
	// each call, so that a change of the configuration applies to connected agents. If it is nil,
	// nothing changes. The definition that an agent has got stays as it was.
	Update func(Tool) Tool

	target   op.Target       // the place where the call shall run
	instead  op.Runner       // runs a call if its sandbox cannot be reached; nil: none
	Pictures func() Pictures // returns how pictures are given, for each call; nil: unchanged
}

const name = "browser"

// Serve answers one agent until it closes in, or ctx ends. It reads and writes messages of
// JSON-RPC, one a line, as MCP requires for a program that the client has started. So the program
// must write nothing else to out.
func (t Tool) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	lines := &wholeLines{out: out}
	reader := &messages{in: bufio.NewReader(in), out: lines}
	return t.Server().Run(ctx, &sdk.IOTransport{Reader: io.NopCloser(reader), Writer: lines})
}

// Server returns an MCP server with the tool, for one agent.
func (t Tool) Server() *sdk.Server {
	return t.connect(context.Background(), sdk.ServerOptions{}).server
}

// current returns the tool with the permissions that the user gives it now.
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
	ctx = op.WithSurface(ctx, op.AgentTool)
	if err := t.allow(o, args); err != nil {
		return renderError(err)
	}
	t.Places.allowTime(o, args)
	args = o.ForAgent(o.Complete(args))
	if err := o.Check(args); err != nil { // some routes ignore wrong values in a query, the tool does not
		return renderError(t.explainRefused(o, args, err))
	}
	raw, note, err := t.reach(ctx, o, args)
	if err != nil && t.Places.isOwn(args) {
		raw, err = t.staleTab(ctx, o, args, err)
	}
	if err != nil {
		return withNote(note, renderError(t.explainRefused(o, args, endedError(ctx, err))))
	}
	var p Pictures
	if t.Pictures != nil {
		p = t.Pictures()
	}
	return withNote(note, answer(ctx, o, args, raw, p))
}

// endedError returns the error for a call whose context has ended. It says why, if that is known,
// or else that the agent has cancelled the call. An act may have been sent by then.
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

// allow refuses to show the cookies and tokens of requests, unless the user lets agents have them.
// A page that a model reads could make it ask for them, and write them where the owner of the page
// reads them. Agents do not have operations that are only about such secrets, such as cookies: see
// [op.NotForAgents]. What a script of a page can read is not secret here, since agents may run
// scripts.
func (t Tool) allow(o *op.Op, args op.Args) error {
	if t.Secrets || !o.Reveals(args) {
		return nil
	}
	return op.Errorf(op.Forbidden, "agents are not shown cookies and tokens").
		Hinted("leave out secrets; the user can allow it by browser.agentsSeeSecrets: true in the configuration")
}

// params lists the parameters of o that agents may give. If scripts are forbidden, parameters that
// take one are left out: a model would try them, and be refused. The same holds for parameters that
// reveal secrets.
func (t Tool) params(o *op.Op) []op.Param {
	var ps []op.Param
	for _, p := range o.Params() {
		if (t.Scripts || !p.Script) && (t.Secrets || !p.Reveals) {
			ps = append(ps, p)
		}
	}
	return ps
}
