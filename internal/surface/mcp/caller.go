package mcp

import (
	"cmp"
	"context"
	"math"
	"sync"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"chela/internal/op"
)

// callerOf returns the name of the agent in an MCP session. It is the name that the MCP client has
// given, with the id of the connection, since several connections may have the same name. The id of
// the MCP session is not used: over HTTP, whoever knows that id can make calls as the agent.
func (c *connection) callerOf(session *sdk.ServerSession) string {
	client := "mcp"
	if p := session.InitializeParams(); p != nil && p.ClientInfo != nil {
		client = cmp.Or(p.ClientInfo.Name, client)
	}
	return client + "#" + c.id
}

// withProgress returns a context whose progress is sent to the client as notifications, if the client
// gave a progress token. MCP requires that the number in these notifications grows. If a report has
// the same number as the last one but another text, the number is raised a little. A report with a
// smaller number is left out.
func withProgress(ctx context.Context, req *sdk.CallToolRequest) context.Context {
	token := req.Params.GetProgressToken()
	if token == nil {
		return ctx
	}
	var mu sync.Mutex
	last, lastDoing := -1.0, ""
	return op.WithProgress(ctx, func(done, total int, doing string) {
		mu.Lock()
		defer mu.Unlock()
		number := float64(done)
		if number == math.Floor(last) && doing != lastDoing {
			number = last + 0.01
		}
		if number <= last || doing == "" {
			return
		}
		last, lastDoing = number, doing
		// An error is ignored: the call must not fail because its progress could not be sent.
		req.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{
			ProgressToken: token, Progress: number, Total: float64(total), Message: op.Plain(doing),
		})
	})
}
