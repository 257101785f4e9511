package client

import (
	"context"
	"io"
	"time"
)

// holdTime is the time limit that the error for a stream names if the deadline of ctx has passed. It
// limits nothing itself.
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
