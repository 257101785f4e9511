package cdp

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/coder/websocket"
)

// maxFrame limits the bytes that are read of one message of a WebSocket. Chromium has the same
// limit for messages from its clients. A longer message is skipped, and the connection stays.
const maxFrame = 100 << 20

// DialOptions say how the WebSocket of a browser is opened.
type DialOptions struct {
	Header http.Header // headers of the handshake; they may hold secrets
	Host   string      // sent as the Host header in place of the URL's host; empty: the URL's host

	TLS *tls.Config // used for wss; nil: Go's default

	// DialContext opens the network connection. If it is nil, the connection goes to any address of
	// the URL's host.
	DialContext func(ctx context.Context, network, address string) (net.Conn, error)
}

// A HandshakeError says why no WebSocket was opened. It contains no URL, since URLs of endpoints
// often contain secrets.
type HandshakeError struct {
	Status int // HTTP status of the answer; 0: there was none
	Err    error
}

func (e *HandshakeError) Error() string {
	if e.Status != 0 {
		return fmt.Sprintf("the WebSocket was answered with %d %s", e.Status, http.StatusText(e.Status))
	}
	return "the WebSocket could not be opened: " + e.Err.Error()
}

func (e *HandshakeError) Unwrap() error { return e.Err }

// Dial opens a WebSocket to the endpoint at a URL, and gives up when ctx ends. The error is a
// [*HandshakeError].
func Dial(ctx context.Context, rawURL string, o DialOptions) (Transport, error) {
	s := &socket{traffic: traffic{begun: time.Now()}}
	client := Client(s.timedDial(o.DialContext), o.TLS)
	conn, answer, err := websocket.Dial(ctx, rawURL, &websocket.DialOptions{
		HTTPClient: client, HTTPHeader: o.Header, Host: o.Host, CompressionMode: websocket.CompressionDisabled,
	})
	if err != nil {
		failed := &HandshakeError{Err: WithoutURL(err)}
		if answer != nil {
			failed.Status = answer.StatusCode
		}
		return nil, failed
	}
	conn.SetReadLimit(-1) // Read has its own limit, which does not close the connection
	s.conn = conn
	return s, nil
}

// Client returns an HTTP client for one request to the endpoint of a browser. It follows no
// redirect, and uses no proxy of the environment. Otherwise another server would get the secrets in
// the request.
func Client(dial func(ctx context.Context, network, address string) (net.Conn, error), secure *tls.Config) *http.Client {
	roundTripper := http.DefaultTransport.(*http.Transport).Clone()
	roundTripper.DisableKeepAlives = true // keep no idle connection
	roundTripper.Proxy = nil
	roundTripper.TLSClientConfig = secure
	if dial != nil {
		roundTripper.DialContext = dial
	}
	return &http.Client{
		Transport:     roundTripper,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// WithoutURL removes the URL from the error of an HTTP request.
func WithoutURL(err error) error {
	if failed, ok := errors.AsType[*url.Error](err); ok {
		return failed.Err
	}
	return err
}

type socket struct {
	conn     *websocket.Conn
	maxBytes func(beginning []byte) int // see limiter; nil: messages are read whole

	traffic
}

func (s *socket) limit(maxBytes func([]byte) int) { s.maxBytes = maxBytes }

// firstPiece is how many bytes of a message are read before the limit for the rest is decided.
const firstPiece = 4 << 10

// Read reads one message. It has no deadline: a browser may be silent for hours. A context cannot
// end it, since the library closes the connection when the context of a read ends. Close ends a
// Read that waits.
//
// If a message is too long, only its beginning and its end are kept, see [oversize].
func (s *socket) Read() ([]byte, error) {
	_, r, err := s.conn.Reader(context.Background())
	if err != nil {
		return nil, err
	}
	message, ended, err := readPiece(r, nil, firstPiece)
	if err != nil || ended {
		return message, err
	}
	maxBytes := maxFrame
	if s.maxBytes != nil {
		if n := s.maxBytes(message); n > 0 {
			maxBytes = min(n, maxFrame)
		}
	}
	for len(message) <= maxBytes {
		if message, ended, err = readPiece(r, message, min(len(message), maxBytes+1-len(message))); err != nil || ended {
			return message, err
		}
	}
	return nil, leaveOut(r, message)
}

// readPiece reads up to size bytes, and appends them to what was read of the message before. The
// result ended is true if the message is complete.
func readPiece(r io.Reader, message []byte, size int) (_ []byte, ended bool, err error) {
	have := len(message)
	message = append(message, make([]byte, size)...)
	n, err := io.ReadFull(r, message[have:])
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		ended, err = true, nil
	}
	return message[:have+n], ended, err
}

// leaveOut skips the rest of a message that is too long. It returns an [*oversize] with the
// beginning and the end of the message.
func leaveOut(r io.Reader, beginning []byte) error {
	size, end, piece := len(beginning), []byte(nil), make([]byte, 64<<10)
	for {
		n, err := r.Read(piece)
		size += n
		end = append(end, piece[:n]...)
		end = end[max(0, len(end)-shortenedBytes):]
		if err == io.EOF {
			return &oversize{beginning, end, size}
		}
		if err != nil {
			return err
		}
	}
}

func (s *socket) Write(message []byte) error {
	return s.conn.Write(context.Background(), websocket.MessageText, message)
}

// Close skips the closing handshake of WebSocket. That handshake waits for an answer, and a browser
// that hangs gives none.
func (s *socket) Close() error { return s.conn.CloseNow() }
