package client

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"time"
)

// pairTime limits how long a server may take to make a key.
const pairTime = 5 * time.Second

// Pair returns a new key for the extension in a browser, in the JSON of the route /extension/key.
// Errors are as in [Client.Run].
func (c *Client) Pair(ctx context.Context, name string) (json.RawMessage, error) {
	ctx, cancel := context.WithTimeout(ctx, pairTime)
	defer cancel()
	body, err := json.Marshal(map[string]string{"name": name})
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.base+"/extension/key", bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	return c.answer(req, pairTime)
}
