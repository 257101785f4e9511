package client

import (
	"bufio"
	"context"
	"io"
	"time"
)

// holdTime is how long a server may take to begin the answer of a hold. A server that runs begins it at
// once; only one that hangs takes longer.
const holdTime = 3 * time.Second

// HoldSession asks the server to hold the session of ctx. When ctx or this process ends, the server
// ends the session and closes its tabs. See the route /sessions/hold. While it holds a session, the
// server does not end as idle, even if an agent thinks for long between two calls. The channel lost
// is closed when the connection has ended, for whatever reason. If the server is ending the session,
// HoldSession waits for that end. Errors are as in [Client.Run]. If the server has not begun to answer
// within holdTime, the error has the code [op.Deadline].
func (c *Client) HoldSession(ctx context.Context) (lost <-chan struct{}, err error) {
	ctx, end := context.WithCancelCause(ctx)
	late := time.AfterFunc(holdTime, func() { end(context.DeadlineExceeded) })
	resp, err := c.open(ctx, "/sessions/hold", holdTime)
	late.Stop() // if it has just fired, the body ends at once
	if err != nil {
		end(nil)
		return nil, err
	}
	lines := bufio.NewReader(resp.Body)
	if _, err := lines.ReadString('\n'); err != nil { // the line comes when the session is held
		resp.Body.Close()
		defer end(nil)
		return nil, c.unanswered(ctx, err, holdTime)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		defer end(nil)
		defer resp.Body.Close()
		io.Copy(io.Discard, lines)
	}()
	return ended, nil
}
