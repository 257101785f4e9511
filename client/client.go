// Package client calls a chela server from a Go program. It needs only the standard library.
//
//	c, err := client.New(client.Options{})
//	...
//	page, err := c.Open(ctx, client.OpenRequest{URL: "https://example.com"})
//	view, err := c.Snapshot(ctx, client.SnapshotRequest{TargetID: page.TabID})
//	_, err = c.Click(ctx, client.ClickRequest{Ref: "e12"})
//
// Each operation of the server is a method, with a type for its request. docs/reference.md
// describes the operations. The server limits the time of each call; the field TimeoutMs of a
// request sets the limit. The context may end a call earlier. Texts in answers may come from a web
// page: a program that shows them to a model must mark them as untrusted.
//
// The server must run: the package starts none. `chela serve` starts one, and so does any command
// of chela, such as `chela start`.
package client

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
)

// Options say which server a client calls, and as whom. Without any option, the environment variable
// CHELA_URL names the server. If it is not set, the server of the state directory is called. Commands
// of chela call the same server, unless their configuration names another one (browser.controlUrl).
type Options struct {
	// URL is the address of the server: https://browsers.example.com, or http://127.0.0.1:18791 on
	// this machine. If it is empty, $CHELA_URL has it. If that is empty as well, the Unix socket in
	// the state directory is used, which needs no token.
	URL string

	// Token or Password proves to the server that the client may call it. If both are empty,
	// $CHELA_TOKEN or $CHELA_PASSWORD is used. These variables are used only for the server that
	// $CHELA_URL names or, if $CHELA_URL is not set, for servers on this machine.
	Token    string
	Password string

	// Fingerprint is the SHA-256 fingerprint of the server's certificate, as chela cert prints it.
	// Only this certificate is accepted, and it may be self-signed. If Fingerprint is empty,
	// $CHELA_FINGERPRINT is used in the same cases as $CHELA_TOKEN.
	Fingerprint string

	// StateDir is the state directory of the server. If it is empty, $CHELA_STATE_DIR is used, or
	// else ~/.chela.
	StateDir string

	Session string // calls with different sessions have tabs of their own; $CHELA_SESSION if empty
	Caller  string // name of the caller in the server's log; $CHELA_CALLER if empty
	Node    string // machine of the fleet whose browser is used; "" leaves that to the server
}

// A Client calls one server. Several goroutines may use it.
type Client struct {
	base     string // scheme and host of all URLs
	http     *http.Client
	header   http.Header
	node     string
	whenGone string // hint of the error when no server answers
}

// New returns a client. It makes no connection; the error is about the options.
func New(o Options) (*Client, error) {
	c := &Client{node: o.Node, header: http.Header{}}
	at, err := o.find()
	if err != nil {
		return nil, err
	}
	c.base, c.whenGone, c.http = at.base, at.whenGone, at.httpClient()
	for name, value := range map[string]string{
		"Authorization":    bearer(at.token),
		"X-Chela-Password": at.password,
		"X-Chela-Session":  cmp.Or(o.Session, os.Getenv("CHELA_SESSION")),
		"X-Chela-Caller":   cmp.Or(o.Caller, os.Getenv("CHELA_CALLER"), "go"),
		"X-Chela-File-Ids": "1",
	} {
		if value != "" {
			c.header.Set(name, value)
		}
	}
	if err := checkHeader(c.header); err != nil {
		return nil, err
	}
	return c, nil
}

// checkHeader returns an error if net/http would refuse to send the header. Such an error of net/http
// looks like one of the connection.
func checkHeader(header http.Header) error {
	for name, values := range header {
		if strings.ContainsFunc(values[0], func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }) {
			return &Error{Code: CodeInvalidRequest, Message: name + " has a line feed or another control character", Hint: "remove white space from what is read from a file"}
		}
	}
	return nil
}

func bearer(token string) string {
	if token == "" {
		return ""
	}
	return "Bearer " + token
}

// In returns a client of the same server whose calls are in another session, or, for "", in none.
func (c *Client) In(session string) *Client {
	other := *c
	other.header = c.header.Clone()
	other.header.Del("X-Chela-Session")
	if session != "" {
		other.header.Set("X-Chela-Session", session)
	}
	return &other
}

// SendFile sends a file to the server. The returned path stands for the file in one later request,
// such as in [UploadRequest.Paths]. The page sees the file with the given name.
func (c *Client) SendFile(ctx context.Context, name string, content io.Reader) (path string, err error) {
	resp, err := c.send(ctx, http.MethodPost, "/files?name="+url.QueryEscape(name), "application/octet-stream", content)
	if err != nil {
		return "", err
	}
	var sent struct {
		Path string `json:"path"`
	}
	err = readAnswer(ctx, resp, &sent)
	return sent.Path, err
}

// FetchFile fetches a file that an operation has made, and writes it to w. The id is in the answer
// of the operation: its FileIDs maps each path to an id, as in shot.FileIDs[shot.Path]. The id is
// valid for an hour, and only in the same session.
func (c *Client) FetchFile(ctx context.Context, id string, w io.Writer) error {
	if id == "" {
		return &Error{Code: CodeNotFound, Message: "the answer names no such file", Hint: "a download may still be under way"}
	}
	resp, err := c.send(ctx, http.MethodGet, "/files/"+segment(id), "", nil)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	_, err = io.Copy(w, body{ctx, resp.Body})
	return err
}

// A body is the body of a response. If the connection breaks, its Read returns an [*Error].
type body struct {
	ctx context.Context
	io.Reader
}

// Read reads from the body. If the body ends before its Content-Length, the error comes from
// package net/http.
func (b body) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	if err != nil && err != io.EOF {
		err = broken(b.ctx, err)
	}
	return n, err
}

// call runs an operation of the server. It uses the first route whose path parameters all have a
// value in the request. A route is written as in the table of operations: POST /act kind=click.
func call[Answer any](ctx context.Context, c *Client, request any, routes ...string) (*Answer, error) {
	fields, err := fieldsOf(request)
	if err != nil {
		return nil, &Error{Code: CodeInvalidRequest, Message: "the request is not JSON: " + err.Error()}
	}
	if c.node != "" {
		fields["target"], fields["node"] = quote("node"), quote(c.node)
	}
	method, path, err := fill(routes, fields)
	if err != nil {
		return nil, err
	}
	var body io.Reader
	mediaType := ""
	switch {
	case len(fields) == 0:
	case method == http.MethodPost:
		raw, err := json.Marshal(fields)
		if err != nil {
			return nil, err
		}
		body, mediaType = bytes.NewReader(raw), "application/json"
	default:
		path += "?" + query(fields).Encode()
	}
	resp, err := c.send(ctx, method, path, mediaType, body)
	if err != nil {
		return nil, err
	}
	answer := new(Answer)
	if err := readAnswer(ctx, resp, answer); err != nil {
		return nil, err
	}
	return answer, nil
}

// send sends a request. A response with another status than 200 is returned as an [*Error].
func (c *Client) send(ctx context.Context, method, path, mediaType string, body io.Reader) (*http.Response, error) {
	if err := checkHeader(c.header); err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, method, c.base+path, body)
	if err != nil {
		return nil, &Error{Code: CodeInvalidRequest, Message: err.Error(), cause: err}
	}
	req.Header = c.header.Clone()
	if mediaType != "" {
		req.Header.Set("Content-Type", mediaType)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, c.unanswered(ctx, err)
	}
	if resp.StatusCode != http.StatusOK {
		return nil, refusal(resp)
	}
	return resp, nil
}

// maxAnswer is how long an answer may be, in bytes. The limit is needed because the program at the
// server's address may not be chela.
const maxAnswer = 64 << 20

// readAnswer decodes the answer of an operation.
func readAnswer(ctx context.Context, resp *http.Response, answer any) error {
	defer resp.Body.Close()
	raw, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
	switch {
	case err != nil:
		return broken(ctx, err)
	case len(raw) > maxAnswer:
		return &Error{Code: CodeTooLarge, Message: fmt.Sprintf("the answer is larger than %d bytes", maxAnswer)}
	}
	if err := json.Unmarshal(raw, answer); err != nil {
		return &Error{Code: CodeInternal, Status: resp.StatusCode, Message: "the answer cannot be read: " + err.Error(), Hint: "is the server of the same version as package client?", cause: err}
	}
	return nil
}
