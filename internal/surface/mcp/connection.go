package mcp

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"sync/atomic"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"chela/internal/op"
)

// A connection belongs to one agent, over any transport. It has a session with tabs of its own,
// unless the user has named a session for the agent's calls.
type connection struct {
	Tool
	id     string          // distinguishes the connections of agents of the same name
	life   context.Context // ends with the connection; its cause is the [*op.Error] of the calls that end then
	places chan struct{}   // holds a value for each call in progress
	used   atomic.Bool     // the connection has made a call
	server *sdk.Server
	last   lastPicture // the picture that resources/read returns
}

// maxCalls limits the calls of one connection that are in progress. An agent makes a few at the same
// time, but without a limit a batch of JSON-RPC could begin thousands.
const maxCalls = 32

// connect makes the connection of an agent. When life ends, the calls of the connection end.
func (t Tool) connect(life context.Context, options sdk.ServerOptions) *connection {
	c := &connection{Tool: t, id: rand.Text()[:8], life: life, places: make(chan struct{}, maxCalls)}
	options.Capabilities = &sdk.ServerCapabilities{Resources: &sdk.ResourceCapabilities{ListChanged: true, Subscribe: true}}
	options.SubscribeHandler, options.UnsubscribeHandler = c.subscribe, c.unsubscribe
	c.server = sdk.NewServer(&sdk.Implementation{Name: "chela", Version: t.Version}, &options)
	for _, each := range t.tools() {
		c.server.AddTool(each.tool, c.inSession(each.answer))
	}
	c.server.AddReceivingMiddleware(c.listPermitted)
	return c
}

// listPermitted has tools/list return the definitions that the present permissions allow. The SDK
// keeps those of the time when the agent connected.
func (c *connection) listPermitted(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
		result, err := next(ctx, method, req)
		if list, ok := result.(*sdk.ListToolsResult); ok && err == nil {
			list.Tools = nil
			for _, each := range c.current().tools() {
				list.Tools = append(list.Tools, each.tool)
			}
		}
		return result, err
	}
}

// An answerer answers a call of a tool. It reports failures as results for the model, and never as
// errors of the protocol. A client need not show errors of the protocol to the model. Then the
// model could not correct its call.
type answerer func(ctx context.Context, arguments json.RawMessage) *sdk.CallToolResult

// inSession returns a handler that runs answer with the caller name and the session of the agent in
// its context. A call ends when the agent cancels it, or when the connection ends.
func (c *connection) inSession(answer answerer) sdk.ToolHandler {
	return func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		select {
		case c.places <- struct{}{}:
			defer func() { <-c.places }()
		default:
			return renderError(op.Errorf(op.QueueFull, "%d calls of this connection are in progress", maxCalls).Hinted("wait for their answers")), nil
		}
		c.used.Store(true)
		ctx, cancel := context.WithCancelCause(ctx)
		defer cancel(nil)
		defer context.AfterFunc(c.life, func() { cancel(context.Cause(c.life)) })()
		if op.Caller(ctx) == "" { // a caller that the user has named has precedence
			ctx = op.WithCaller(ctx, c.callerOf(req.Session))
		}
		if op.Session(ctx) == "" {
			ctx = op.WithSession(ctx, c.sessionOf(req.Session))
		}
		result := answer(withProgress(ctx, req), req.Params.Arguments)
		c.keepPicture(ctx, result)
		return result, nil
	}
}

// sessionOf returns the key of the connection's own session, for calls that name no session.
func (c *connection) sessionOf(session *sdk.ServerSession) string {
	return op.SessionOf(c.callerOf(session))
}
