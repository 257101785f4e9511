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
type Transport interface {
	Read() ([]byte, error)
	Write(message []byte) error
	Close() error
}

// pipeBuffer is one read from the browser; its pipe holds no more than this.
const pipeBuffer = 1 << 20

// Pipe makes a transport of the two ends that a browser started with
// --remote-debugging-pipe is driven by: messages end with a NUL.
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

func (p *pipe) Write(message []byte) error {
	_, err := p.w.Write(append(message, 0))
	return err
}

func (p *pipe) Close() error {
	return errors.Join(p.w.Close(), p.r.Close())
}

// Dial opens a WebSocket to the endpoint at url, giving up when ctx ends.
// Redirects are refused: header may hold secrets meant for that host only.
func Dial(ctx context.Context, url string, header http.Header) (Transport, error) {
	roundTripper := http.DefaultTransport.(*http.Transport).Clone()
	roundTripper.DisableKeepAlives = true
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

// The connection is ended by Close, not by a context.
func (s socket) Read() ([]byte, error) {
	_, message, err := s.conn.Read(context.Background())
	return message, err
}

func (s socket) Write(message []byte) error {
	return s.conn.Write(context.Background(), websocket.MessageText, message)
}

func (s socket) Close() error { return s.conn.CloseNow() }
