package client

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"time"
)

// socketTime limits how long the server may take to answer the requests in this file. The server
// accepts most of these requests only over its Unix socket.
const socketTime = 5 * time.Second

// Pair returns a new key for the extension in a browser, in the JSON of the route /extension/key.
// Errors are as in [Client.Run].
func (c *Client) Pair(ctx context.Context, name string) (json.RawMessage, error) {
	return c.post(ctx, "/extension/key", map[string]string{"name": name})
}

// Asks lists the questions of agents to a person, in the JSON of the operation GET /asks. Errors are
// as in [Client.Run].
func (c *Client) Asks(ctx context.Context) (json.RawMessage, error) {
	return c.ask(ctx, http.MethodGet, "/asks", nil)
}

// Confirm answers a question that only a person may answer. Errors are as in [Client.Run].
func (c *Client) Confirm(ctx context.Context, id, choice string) error {
	_, err := c.post(ctx, "/asks/confirm", map[string]any{"id": id, "choice": choice})
	return err
}

// DashboardLink returns a link to the dashboard, in the JSON of the route /dashboard/link. Errors are
// as in [Client.Run].
func (c *Client) DashboardLink(ctx context.Context) (json.RawMessage, error) {
	return c.post(ctx, "/dashboard/link", struct{}{})
}

// Share shares a tab. The argument args and the result have the JSON of the route
// /dashboard/shares/new. Errors are as in [Client.Run].
func (c *Client) Share(ctx context.Context, args map[string]any) (json.RawMessage, error) {
	return c.post(ctx, "/dashboard/shares/new", args)
}

// Shares lists the tabs that are shared, in the JSON of the route /dashboard/shares. Errors are as in
// [Client.Run].
func (c *Client) Shares(ctx context.Context) (json.RawMessage, error) {
	return c.ask(ctx, http.MethodGet, "/dashboard/shares", nil)
}

// RevokeShare ends a share. Errors are as in [Client.Run].
func (c *Client) RevokeShare(ctx context.Context, id string) (json.RawMessage, error) {
	return c.post(ctx, "/dashboard/shares/revoke", map[string]string{"id": id})
}

// post sends a POST request with args as its JSON body, and returns the answer.
func (c *Client) post(ctx context.Context, path string, args any) (json.RawMessage, error) {
	body, err := json.Marshal(args)
	if err != nil {
		return nil, err
	}
	return c.ask(ctx, http.MethodPost, path, bytes.NewReader(body))
}

func (c *Client) ask(ctx context.Context, method, path string, body io.Reader) (json.RawMessage, error) {
	ctx, cancel := context.WithTimeout(ctx, socketTime)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, c.base+path, body)
	if err != nil {
		return nil, err
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	return c.answer(req, socketTime)
}
