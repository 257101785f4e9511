package client

import (
	"context"
	"io"
	"time"
)

// holdTime is how long a server may take to begin a stream. It is used only for the text of an
// error. The deadline itself comes from ctx.
const holdTime = 10 * time.Second

// HoldSession has the server hold the session of ctx until ctx or this process ends. Then the
// session ends, see the route /sessions/hold. A server that holds a session does not end as idle,
// even if an agent thinks for long between two calls. The channel lost is closed when the
// connection has ended, for whatever reason. Errors are as in [Client.Run].
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
