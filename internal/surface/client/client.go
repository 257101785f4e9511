// Package client calls the operations of a running server over its HTTP API.
package client

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"time"

	"chela/internal/base/certificate"
	"chela/internal/op"
)

// A Client is an [op.Runner] that runs operations on a server, over HTTP. Over the server's Unix
// socket it needs no token, because only the user can open that socket. Several goroutines may use it.
type Client struct {
	Progress bool // ask the server for progress of calls whose context wants it (op.WithProgress)

	name      string          // name of the server, for messages
	base      string          // what all request URLs begin with, such as http://chela
	network   string          // tcp or unix
	addresses func() []string // addresses to dial, in this order
	tls       *tls.Config     // nil: the connection is not encrypted
	secret    Secret          // sent with each request
	transport *http.Transport
}

const (
	slack     = 5 * time.Second // how much longer than the operation's deadline a call may take
	maxAnswer = 64 << 20        // largest answer, in bytes
	fileTime  = time.Hour       // how long sending or fetching a file may take

	// followTime is a number for an error message only: how long a stream was waited for.
	followTime = 10 * time.Second
)

// ErrSilent means that the server took the connection, and did not answer in time. The call may have
// been carried out.
var ErrSilent = errors.New("the server does not answer")

// ErrNoServer means that no server listens at the address or socket of the client, so nothing has
// been done.
var ErrNoServer = op.ErrNotSent

// Unix returns a client of the server that listens on a Unix socket. The function socket returns the
// path of the socket. It is called for each connection, because a server that has been started since
// may use another path. The host name chela in the URLs is not resolved. If there is a secret, it is
// sent, and the server checks it.
func Unix(socket func() string, secret Secret) *Client {
	addresses := func() []string { return []string{socket()} }
	c := &Client{name: socket(), base: "http://chela", network: "unix", addresses: addresses, secret: secret}
	c.transport = c.newTransport()
	return c
}

// TCP returns a client of the server at an origin. With https, the certificate of the server is
// checked before anything is sent to it. If pin is given, the certificate must have this
// fingerprint. If not, the system must trust the certificate.
func TCP(origin Origin, secret Secret, pin certificate.Fingerprint) *Client {
	c := &Client{name: origin.String(), base: origin.String(), network: "tcp", addresses: origin.addresses, secret: secret}
	if origin.Scheme == "https" {
		c.tls = certificate.Trusting(origin.Host, pin)
	}
	c.transport = c.newTransport()
	return c
}

// Run runs o on the server. The error is an [*op.Error] that the server has sent, or that says what
// is wrong with the connection. If no server listens, it is also [ErrNoServer].
//
// The time limit is a little longer than the server's limit for the operation. So normally the
// server ends a call that takes too long, and its error says what the operation was waiting for. The
// limit here is for a server that hangs.
func (c *Client) Run(ctx context.Context, o *op.Op, args op.Args) (json.RawMessage, error) {
	req, err := c.request(ctx, o, args)
	if err != nil {
		return nil, err
	}
	if !o.EndsServer() { // without the header, a server of any version accepts the call, and can be ended
		req.Header.Set(op.ProtocolHeader, strconv.Itoa(op.ProtocolOf(op.TargetOf(ctx))))
	}
	return c.answer(req, o.Budget(args)+slack)
}

// answer sends a request and returns the body of the response, or the [*op.Error] in it. All of this
// may take the time in budget. It reads at most maxAnswer bytes, since the process that listens on
// the socket may not be chela. If the status is not 200 and the body has no error of chela, the error
// has the code Internal.
func (c *Client) answer(req *http.Request, budget time.Duration) (json.RawMessage, error) {
	ctx, cancel := context.WithTimeout(req.Context(), budget)
	defer cancel()
	req = req.WithContext(ctx)
	resp, err := c.do(req)
	if err != nil {
		return nil, c.unanswered(req.Context(), err, budget)
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
	switch {
	case err != nil:
		return nil, c.unanswered(req.Context(), err, budget)
	case len(raw) > maxAnswer:
		return nil, op.Errorf(op.TooLarge, "the answer is larger than %d bytes", maxAnswer)
	case resp.StatusCode == http.StatusOK:
		return bytes.TrimSpace(raw), nil
	}
	return nil, c.refusal(resp, raw)
}

// refusal returns the error for a response whose status is not 200. A redirect is also refused and
// not followed: it could lead to another server, which would get the secret.
func (c *Client) refusal(resp *http.Response, raw []byte) error {
	if e := op.ReadError(raw); e != nil {
		return e
	}
	return op.Errorf(op.Internal, "the server answered %s", resp.Status).Hinted("is it chela that answers at %s?", c.name)
}

// Send sends a file to the server, and returns the reference by which arguments of calls can name the
// file. The content is streamed. Its length may not be known beforehand, so the server counts the
// bytes, and refuses a file that is too large. Errors are as in [Client.Run].
func (c *Client) Send(ctx context.Context, name string, content io.Reader) (string, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.base+"/files?name="+url.QueryEscape(name), content)
	if err != nil {
		return "", err
	}
	req.Header.Set("Content-Type", "application/octet-stream")
	raw, err := c.answer(req, fileTime)
	if err != nil {
		return "", err
	}
	var sent struct{ Path string }
	return sent.Path, json.Unmarshal(raw, &sent)
}

// Fetch writes to w a file that an operation has made, see the route /files/{id}. It returns when w
// has the whole file. Errors are as in [Client.Run], or come from w.
func (c *Client) Fetch(ctx context.Context, id string, w io.Writer) error {
	ctx, cancel := context.WithTimeout(ctx, fileTime)
	defer cancel()
	resp, err := c.open(ctx, "/files/"+op.PathSegment(id), fileTime)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	_, err = io.Copy(w, resp.Body) // package net/http notices if the body ends before its Content-Length
	return err
}

// open sends a GET request whose response is a file or a stream, and returns the response. Errors
// are as in [Client.Run].
func (c *Client) open(ctx context.Context, path string, budget time.Duration) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.base+path, nil)
	if err != nil {
		return nil, err
	}
	resp, err := c.do(req)
	if err != nil {
		return nil, c.unanswered(ctx, err, budget)
	}
	if resp.StatusCode != http.StatusOK {
		defer resp.Body.Close()
		raw, _ := io.ReadAll(io.LimitReader(resp.Body, 1<<20)) // if reading fails, refusal uses the part that was read
		return nil, c.refusal(resp, raw)
	}
	return resp, nil
}

// Follow reads a stream, such as /downloads, and calls a function with every line, until ctx or the
// stream ends. The slice with the line is valid only during that call. If the server ends the
// stream, Follow returns nil. If ctx ends, Follow returns the error of the connection. Other errors
// are as in [Client.Run].
func (c *Client) Follow(ctx context.Context, path, profile string, each func(line []byte)) error {
	resp, err := c.open(ctx, path+"?profile="+url.QueryEscape(profile), followTime)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	lines := bufio.NewScanner(resp.Body)
	lines.Buffer(nil, maxAnswer)
	for lines.Scan() {
		each(lines.Bytes())
	}
	return lines.Err()
}

// unanswered returns the error for a call that got no response. The operation was certainly not
// carried out if no connection could be made, or if the server did not read the request. Then the
// error is also [ErrNoServer], and the caller may start a server and call again. In all other cases,
// a second call could repeat a click or a purchase.
func (c *Client) unanswered(ctx context.Context, err error, budget time.Duration) error {
	dial, ok := errors.AsType[*net.OpError](err)
	unsafe, isUnsafe := errors.AsType[*handshakeError](err)
	_, isUnread := errors.AsType[*unreadError](err)
	switch {
	case errors.Is(ctx.Err(), context.Canceled) && !errors.Is(context.Cause(ctx), context.DeadlineExceeded):
		return op.Errorf(op.Canceled, "interrupted")
	case ctx.Err() != nil, errors.Is(err, context.DeadlineExceeded), errors.Is(err, os.ErrDeadlineExceeded):
		// Package net has its own timer for the deadline of ctx, which may fire before ctx ends.
		// So the error is checked in addition to ctx.
		silent := op.Errorf(op.Deadline, "the server did not answer within %s", budget.Round(time.Second)).
			Hinted("chela shutdown ends it; the next command starts it again")
		if c.network == "tcp" {
			silent = silent.Hinted("if it hangs, end it on its machine, and start it again")
		}
		return fmt.Errorf("%w: %w", ErrSilent, silent)
	case isUnsafe:
		return op.Errorf(op.NotFound, "no safe connection to %s: %v", c.name, unsafe.err).Hinted("%s", unsafe.hint())
	case ok && dial.Op == "dial" && c.network == "tcp":
		absent := op.Errorf(op.NotFound, "no server answers at %s: %v", c.name, dial.Err).Hinted("is the URL right, and does chela serve run there?")
		return fmt.Errorf("%w: %w", ErrNoServer, absent)
	case ok && dial.Op == "dial", isUnread:
		return fmt.Errorf("%w: %w", ErrNoServer, op.Errorf(op.NotFound, "chela is not running").Hinted("chela serve"))
	}
	return op.Errorf(op.Internal, "the connection to the server broke: %v", err).
		Hinted("take a snapshot to see what came of the call; if the server has ended, its log has the reason")
}

// request makes the HTTP request of a call, see [op.Op.Sent]. To the arguments, it adds the target
// in ctx, which says on which machine the call must run.
func (c *Client) request(ctx context.Context, o *op.Op, args op.Args) (*http.Request, error) {
	args = maps.Clone(args)
	if args == nil {
		args = op.Args{}
	}
	op.TargetOf(ctx).AddTo(args)
	sent := o.Sent(args)
	url := c.base + sent.Path
	if query := sent.Values(); len(query) > 0 {
		url += "?" + query.Encode()
	}
	var body io.Reader
	if len(sent.Body) > 0 {
		raw, err := json.Marshal(sent.Body)
		if err != nil {
			return nil, op.Errorf(op.Invalid, "the arguments are not JSON: %v", err)
		}
		body = bytes.NewReader(raw)
	}
	req, err := http.NewRequestWithContext(ctx, sent.Method, url, body)
	if err != nil {
		return nil, err
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	return req, nil
}
