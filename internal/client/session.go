package client

import (
	"context"
	"io"
	"net/http"
	"time"
)

// holdTime bounds how long the server may take to hold a session.
const holdTime = 10 * time.Second

// HoldSession has the server hold the session of ctx until ctx ends, or this process
// does: then the session ends, see the route /sessions/hold. While it is held, the server
// does not end as idle, also when an agent thinks for long between two calls. Lost is
// closed when the connection has ended, for whatever reason. Errors are as in Run.
func (c *Client) HoldSession(ctx context.Context) (lost <-chan struct{}, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.base+"/sessions/hold", nil)
	if err != nil {
		return nil, err
	}
	resp, err := c.do(req)
	if err != nil {
		return nil, c.unanswered(ctx, err, holdTime)
	}
	if resp.StatusCode != http.StatusOK {
		defer resp.Body.Close()
		raw, _ := io.ReadAll(io.LimitReader(resp.Body, 1<<20)) // what can be read of the error
		return nil, c.refusal(resp, raw)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		defer resp.Body.Close()
		io.Copy(io.Discard, resp.Body)
	}()
	return ended, nil
}
