package client

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"time"
)

// socketTime limits how long a server may take for what only its Unix socket offers.
const socketTime = 5 * time.Second

// Pair returns a new key for the extension in a browser, in the JSON of the route /extension/key.
// Errors are as in [Client.Run].
func (c *Client) Pair(ctx context.Context, name string) (json.RawMessage, error) {
	return c.post(ctx, "/extension/key", map[string]string{"name": name})
}

// DashboardLink returns a link to the dashboard, in the JSON of the route /dashboard/link. Errors are
// as in [Client.Run].
func (c *Client) DashboardLink(ctx context.Context) (json.RawMessage, error) {
	return c.post(ctx, "/dashboard/link", struct{}{})
}

// post asks for something that only the Unix socket offers.
func (c *Client) post(ctx context.Context, path string, args any) (json.RawMessage, error) {
	ctx, cancel := context.WithTimeout(ctx, socketTime)
	defer cancel()
	body, err := json.Marshal(args)
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.base+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	return c.answer(req, socketTime)
}
