package transfer

import (
	"context"
	"fmt"
	stdio "io"

	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/io"

	"chela/internal/engine/cdp"
	"chela/internal/engine/frame"
)

// pieceSize is how many bytes of a file or a stream are sent or read at once. It is small, so that
// other calls do not wait for long.
const pieceSize = 1 << 20

// A Stream reads a file that Chromium has made, from its beginning to its end.
type Stream struct {
	ctx     context.Context
	session *cdp.Session
	handle  io.StreamHandle

	piece []byte // bytes that Chromium has sent and that Read has not returned yet
	ended bool   // Chromium has sent the last piece
}

// NewStream returns the stream of a handle. Its Read returns the errors of [frame.Failure].
func NewStream(ctx context.Context, s *cdp.Session, handle io.StreamHandle) *Stream {
	return &Stream{ctx: ctx, session: s, handle: handle}
}

// CallStream sends a command that makes a stream, and waits for its reply. The function handle gets
// the stream from the reply; "" if there is none. If ctx ends first, the stream is closed when the
// reply comes. The errors are the same as for [cdp.Call].
func CallStream[P, R any](ctx context.Context, s *cdp.Session, c protocol.Command[P, R], p P, handle func(R) io.StreamHandle) (R, error) {
	reply := cdp.Send(s, c, p)
	select {
	case <-reply.Done():
		return reply.Wait(ctx)
	case <-ctx.Done():
	}
	go func() { // the goroutine ends with the reply or the session
		late, err := reply.Wait(context.Background())
		if made := handle(late); err == nil && made != "" {
			NewStream(ctx, s, made).Close()
		}
	}()
	var none R
	return none, context.Cause(ctx)
}

// Read implements io.Reader. When it has returned all bytes of a piece, it asks Chromium for the
// next.
func (s *Stream) Read(b []byte) (int, error) {
	for len(s.piece) == 0 {
		if s.ended {
			return 0, stdio.EOF
		}
		res, err := cdp.Call(s.ctx, s.session, io.Read, io.ReadParams{Handle: s.handle, Size: pieceSize})
		if err != nil {
			return 0, fmt.Errorf("read what the browser has made: %w", frame.Failure(s.ctx, err))
		}
		s.piece, s.ended = res.Data, res.EOF
	}
	n := copy(b, s.piece)
	s.piece = s.piece[n:]
	return n, nil
}

// Close lets Chromium remove the file. It does not wait for that.
func (s *Stream) Close() error {
	cdp.Send(s.session, io.Close, io.CloseParams{Handle: s.handle})
	return nil
}
