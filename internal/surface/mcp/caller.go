package mcp

import (
	"cmp"
	"context"
	"math"
	"sync"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"chela/internal/op"
)

// callerOf returns the name of a session's agent. It is the name that its MCP client has given,
// with the id of the connection, since an agent may have several. The id of MCP's session is not
// used: over HTTP, whoever knows it can call in the agent's name.
func (c *connection) callerOf(session *sdk.ServerSession) string {
	client := "mcp"
	if p := session.InitializeParams(); p != nil && p.ClientInfo != nil {
		client = cmp.Or(p.ClientInfo.Name, client)
	}
	return client + "#" + c.id
}

// withProgress returns a context whose progress is sent to the client as notifications, if the
// client gave a token for them. The protocol requires that the number in them grows. If a report
// has the same number but the operation does something else now, the number is raised a little. A
// report with a smaller number is left out.
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
		// The call is worth more than its progress: an error here is ignored.
		req.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{
			ProgressToken: token, Progress: number, Total: float64(total), Message: op.Plain(doing),
		})
	})
}
