package client

import (
	"context"
	"io"
	"time"
)

// holdTime is a number for an error message only, and limits nothing. If the deadline of ctx passes
// before a stream begins, the error says that the server did not answer within holdTime.
const holdTime = 10 * time.Second

// HoldSession asks the server to hold the session of ctx. When ctx or this process ends, the server
// ends the session and closes its tabs. See the route /sessions/hold. While it holds a session, the
// server does not end as idle, even if an agent thinks for long between two calls. The channel lost
// is closed when the connection has ended, for whatever reason. Errors are as in [Client.Run].
func (c *Client) HoldSession(ctx context.Context) (lost <-chan struct{}, err error) {
	resp, err := c.open(ctx, "/sessions/hold", holdTime)
	if err != nil {
		return nil, err
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		defer resp.Body.Close()
		io.Copy(io.Discard, resp.Body)
	}()
	return ended, nil
}
