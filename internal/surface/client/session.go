package client

import (
	"bufio"
	"context"
	"errors"
	"io"
	"time"

	"chela/internal/op"
)

// holdTime is how long a server may take to begin the answer of a hold. A server that runs begins it at
// once; only one that hangs takes longer.
const holdTime = 3 * time.Second

// HoldSession asks the server to hold the session of ctx. When ctx or this process ends, the server
// ends the session and closes its tabs. See the route /sessions/hold. While it holds a session, the
// server does not end as idle, even if an agent thinks for long between two calls. The channel lost
// is closed when the connection has ended, for whatever reason. If the server is ending the session,
// HoldSession waits for that end. Errors are as in [Client.Run]. If the server has not begun to answer
// within holdTime, or does not end the session in time, the error has the code [op.Deadline].
func (c *Client) HoldSession(ctx context.Context) (lost <-chan struct{}, err error) {
	ctx, end := context.WithCancelCause(ctx)
	late := time.AfterFunc(holdTime, func() { end(context.DeadlineExceeded) })
	resp, err := c.open(ctx, "/sessions/hold", holdTime)
	if err != nil {
		end(nil)
		return nil, err
	}
	late.Reset(op.EndSessionTime + holdTime) // if it has just fired, the body ends at once
	lines := bufio.NewReader(resp.Body)
	_, err = lines.ReadString('\n') // the line comes when the session is held
	late.Stop()
	if err != nil {
		resp.Body.Close()
		defer end(nil)
		if errors.Is(err, io.EOF) { // the answer has ended without its line
			return nil, op.Errorf(op.Stopping, "the server is shutting down").Hinted("call again: the next command starts it again")
		}
		return nil, c.unanswered(ctx, err, op.EndSessionTime)
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
