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

// A Client is an [op.Runner] whose operations run on a server. Over the Unix socket it needs
// no token, as only the user can open that. It may be used by several goroutines.
type Client struct {
	Progress bool // ask for the progress of calls whose caller listens

	name      string          // of the server, for messages
	base      string          // begins all URLs
	network   string          // tcp or unix
	addresses func() []string // to dial, in order
	tls       *tls.Config     // nil: the connection is not encrypted
	secret    Secret
	transport *http.Transport
}

const (
	slack     = 5 * time.Second // how much longer than the operation's deadline a call may take
	maxAnswer = 64 << 20        // bytes
	fileTime  = time.Hour       // how long sending a file may take
)

// ErrNoServer means that no server listens there, so nothing has been done.
var ErrNoServer = op.ErrNotSent

// Unix returns a client of the server that listens on a Unix socket. The socket's path is asked for
// when it is dialed: a server that is started meanwhile may choose it. The host name in its URLs is
// not resolved. A secret that is given is sent, and the server checks it.
func Unix(socket func() string, secret Secret) *Client {
	addresses := func() []string { return []string{socket()} }
	c := &Client{name: socket(), base: "http://chela", network: "unix", addresses: addresses, secret: secret}
	c.transport = c.newTransport()
	return c
}

// TCP returns a client of the server at an origin. With https, the certificate of the server is
// checked before anything is sent to it. It must have this fingerprint or, if there is none, the
// system must trust it.
func TCP(origin Origin, secret Secret, pin certificate.Fingerprint) *Client {
	c := &Client{name: origin.String(), base: origin.String(), network: "tcp", addresses: origin.addresses, secret: secret}
	if origin.Scheme == "https" {
		c.tls = certificate.Trusting(origin.Host, pin)
	}
	c.transport = c.newTransport()
	return c
}

// Run runs o on the server. The error is an [*op.Error], of the server or about the connection; one
// without a server is also [ErrNoServer]. The time limit is a little longer than the server's. So
// normally the server ends the call, and its error says what the operation was waiting for. The
// limit here is for a server that hangs.
func (c *Client) Run(ctx context.Context, o *op.Op, args op.Args) (json.RawMessage, error) {
	budget := o.Budget(args) + slack
	ctx, cancel := context.WithTimeout(ctx, budget)
	defer cancel()
	req, err := c.request(ctx, o, args)
	if err != nil {
		return nil, err
	}
	if !o.EndsServer() { // any server may be ended, including older ones
		req.Header.Set(op.ProtocolHeader, strconv.Itoa(op.ProtocolOf(op.TargetOf(ctx))))
	}
	return c.answer(req, budget)
}

// answer sends a request and returns the response, or the [*op.Error] in it. The limit of maxAnswer
// protects this process against a process on the socket that is not chela. An answer of another
// status than 200 that has no error of chela in it gets the code Internal.
func (c *Client) answer(req *http.Request, budget time.Duration) (json.RawMessage, error) {
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

// refusal is the error of an answer of another status than 200. A redirect is also a refusal: it is
// not followed, as it could lead to another server, which would get the secret.
func (c *Client) refusal(resp *http.Response, raw []byte) error {
	if e := op.ReadError(raw); e != nil {
		return e
	}
	return op.Errorf(op.Internal, "the server answered %s", resp.Status).Hinted("is it chela that answers at %s?", c.name)
}

// Send sends a file to the server, and returns the reference by which upload names it. The content
// is streamed. Its length is announced only if content is of a type that net/http knows. So the
// server counts the bytes and refuses what is too large. Errors are as in Run.
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

// Fetch writes a file that an operation has made, see the route /files/{id}, and returns when it is
// whole. It returns the errors of Run, and the errors of w.
func (c *Client) Fetch(ctx context.Context, id string, w io.Writer) error {
	ctx, cancel := context.WithTimeout(ctx, fileTime)
	defer cancel()
	resp, err := c.open(ctx, "/files/"+op.PathSegment(id), fileTime)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	n, err := io.Copy(w, resp.Body)
	if err == nil && n < resp.ContentLength {
		err = io.ErrUnexpectedEOF
	}
	return err
}

// open returns the response to a GET whose body is a file or a stream. Errors are as in Run.
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
		raw, _ := io.ReadAll(io.LimitReader(resp.Body, 1<<20)) // what can be read of the error
		return nil, c.refusal(resp, raw)
	}
	return resp, nil
}

// Follow calls each with every line of a stream, such as /downloads, until ctx or the stream ends.
// The slice that each gets is valid only during the call. The error is nil when the server has
// ended the stream. Others are as in Run, and the connection's when ctx ends it.
func (c *Client) Follow(ctx context.Context, path, profile string, each func(line []byte)) error {
	resp, err := c.open(ctx, path+"?profile="+url.QueryEscape(profile), holdTime)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	lines := bufio.NewScanner(resp.Body)
	for lines.Scan() {
		each(lines.Bytes())
	}
	return lines.Err()
}

// unanswered is the error of a call that got no response. Whether the operation was carried out
// depends on when the call broke off. It is certain that nothing has been done only for a failed
// dial, and for a request that was not read. Only then may the caller start a server and call
// again: repeating a click or a purchase would be worse than an error. That error, and no other, is
// also [ErrNoServer].
func (c *Client) unanswered(ctx context.Context, err error, budget time.Duration) error {
	dial, ok := errors.AsType[*net.OpError](err)
	unsafe, isUnsafe := errors.AsType[*handshakeError](err)
	_, isUnread := errors.AsType[*unreadError](err)
	switch {
	case errors.Is(ctx.Err(), context.Canceled):
		return op.Errorf(op.Canceled, "interrupted")
	case errors.Is(ctx.Err(), context.DeadlineExceeded), errors.Is(err, context.DeadlineExceeded), errors.Is(err, os.ErrDeadlineExceeded):
		// a connection has a timer of its own for the deadline of ctx, which may be first
		return op.Errorf(op.Deadline, "the server did not answer within %s", budget.Round(time.Second)).
			Hinted("chela shutdown ends it; the next command starts it again")
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

// request makes the HTTP request of a call, see [op.Op.Sent]. It also says where the call shall run.
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
