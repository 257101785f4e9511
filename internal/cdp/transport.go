package cdp

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net/http"

	"github.com/coder/websocket"
)

// Transport carries whole protocol messages. Read and Write are each called
// by one goroutine at a time; Close may come from any and ends both.
//
// The bytes that Read returns are the caller's to keep: decoded messages point into
// them. Write may use the capacity behind the message, so its bytes must not be a
// part of a slice that is used elsewhere.
type Transport interface {
	Read() ([]byte, error)
	Write(message []byte) error
	Close() error
}

// pipeBuffer is how many bytes one read from the browser can take. A pipe on Linux
// holds at most 1 MB, unless root has raised that, so one read can empty it.
const pipeBuffer = 1 << 20

// Pipe makes a transport of the two ends that a browser started with
// --remote-debugging-pipe is driven by: messages end with a NUL. JSON has no NUL,
// as strings write it as an escape, so the first one is the end of the message.
func Pipe(r io.ReadCloser, w io.WriteCloser) Transport {
	return &pipe{in: bufio.NewReaderSize(r, pipeBuffer), r: r, w: w}
}

type pipe struct {
	in *bufio.Reader
	r  io.ReadCloser
	w  io.WriteCloser
}

func (p *pipe) Read() ([]byte, error) {
	message, err := p.in.ReadBytes(0)
	if err != nil {
		return nil, err
	}
	return message[:len(message)-1], nil
}

// Write adds the NUL and writes in one call, since two would be two system calls.
func (p *pipe) Write(message []byte) error {
	_, err := p.w.Write(append(message, 0))
	return err
}

// Close ends a Read and a Write that wait, and the browser: Chromium exits when the
// other end of its pipe is closed.
func (p *pipe) Close() error {
	return errors.Join(p.w.Close(), p.r.Close())
}

// Dial opens a WebSocket to the endpoint at url, giving up when ctx ends.
// Redirects are refused: header may hold secrets meant for that host only.
func Dial(ctx context.Context, url string, header http.Header) (Transport, error) {
	roundTripper := http.DefaultTransport.(*http.Transport).Clone()
	roundTripper.DisableKeepAlives = true // this transport is used once: keep no idle connection of it
	client := &http.Client{
		Transport:     roundTripper,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	conn, _, err := websocket.Dial(ctx, url, &websocket.DialOptions{
		HTTPClient:      client,
		HTTPHeader:      header,
		CompressionMode: websocket.CompressionDisabled,
	})
	if err != nil {
		return nil, err
	}
	conn.SetReadLimit(-1) // screenshots and trees have no useful bound
	return socket{conn}, nil
}

type socket struct{ conn *websocket.Conn }

// Read has no deadline: a browser may be silent for hours. A context would not do as
// one either, as the library closes the connection when the context of a read ends.
// Close ends a Read that waits.
func (s socket) Read() ([]byte, error) {
	_, message, err := s.conn.Read(context.Background())
	return message, err
}

func (s socket) Write(message []byte) error {
	return s.conn.Write(context.Background(), websocket.MessageText, message)
}

// Close skips the closing handshake of WebSocket: it waits for an answer, and a
// browser that hangs gives none.
func (s socket) Close() error { return s.conn.CloseNow() }
