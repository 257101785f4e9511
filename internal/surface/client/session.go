package client

import (
	"context"
	"io"
	"time"
)

// holdTime is how long a server may take to begin a stream. It is only for the text of an error:
// the deadline itself is in ctx.
const holdTime = 10 * time.Second

// HoldSession has the server hold the session of ctx until ctx ends, or this process
// does: then the session ends, see the route /sessions/hold. While it is held, the server
// does not end as idle, also when an agent thinks for long between two calls. Lost is
// closed when the connection has ended, for whatever reason. Errors are as in Run.
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
