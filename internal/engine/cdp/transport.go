package cdp

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"time"
)

// Transport carries whole protocol messages. Read and Write are each called by one goroutine at a
// time; Close may be called from any goroutine, and ends both.
//
// The caller may keep the bytes that Read returns: decoded messages point into them. Write may
// append to the message in place, so nothing else may use the capacity behind it.
type Transport interface {
	Read() ([]byte, error)
	Write(message []byte) error
	Close() error
}

// pipeBuffer is how many bytes one read from the browser can return. A pipe on Linux holds at most
// 1 MB, unless root has raised that, so one read can empty it.
const pipeBuffer = 1 << 20

// Pipe returns a transport over the two pipes of a browser started with --remote-debugging-pipe.
// Messages end with a NUL. JSON itself contains no NUL (in a string, it is escaped), so the first
// NUL is the end of the message.
func Pipe(r io.ReadCloser, w io.WriteCloser) Transport {
	p := &pipe{r: r, w: w, traffic: traffic{begun: time.Now()}}
	p.in = bufio.NewReaderSize(timedReader{r, &p.traffic}, pipeBuffer)
	return p
}

type pipe struct {
	in       *bufio.Reader
	r        io.ReadCloser
	w        io.WriteCloser
	maxBytes func(beginning []byte) int // see limiter; nil: messages are read whole
	traffic
}

// A timedReader records in a traffic when bytes were read.
type timedReader struct {
	io.Reader
	in *traffic
}

func (t timedReader) Read(b []byte) (int, error) {
	count, err := t.Reader.Read(b)
	t.in.noteRead()
	return count, err
}

func (p *pipe) limit(maxBytes func([]byte) int) { p.maxBytes = maxBytes }

// Read reads one message, in pieces if it does not fit into the buffer. If a message is too long,
// only the pieces up to the limit (at least one) and the end are kept, see [oversize].
func (p *pipe) Read() ([]byte, error) {
	var pieces [][]byte
	var end []byte // the last bytes of a message that is too long
	size, maxBytes := 0, 0
	for {
		piece, err := p.in.ReadSlice(0)
		switch {
		case err == nil:
			piece = piece[:len(piece)-1]
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, err
		case size == 0 && p.maxBytes != nil:
			maxBytes = p.maxBytes(piece)
		}
		size += len(piece)
		if maxBytes > 0 && size > maxBytes && len(pieces) > 0 {
			end = append(end, piece[max(0, len(piece)-shortenedBytes):]...)
			end = end[max(0, len(end)-shortenedBytes):]
		} else {
			pieces = append(pieces, piece)
		}
		switch {
		case err == nil && end != nil:
			return nil, &oversize{bytes.Join(pieces, nil), end, size}
		case err == nil:
			return bytes.Join(pieces, nil), nil
		case end == nil:
			pieces[len(pieces)-1] = bytes.Clone(piece) // the next ReadSlice overwrites the bytes of this piece
		}
	}
}

// Write appends the NUL to the message, so that one system call writes both.
func (p *pipe) Write(message []byte) error {
	_, err := p.w.Write(append(message, 0))
	p.noteWritten()
	return err
}

// Close ends a Read and a Write that wait. It also ends the browser: Chromium exits when the other
// end of its pipe is closed.
func (p *pipe) Close() error {
	return errors.Join(p.w.Close(), p.r.Close())
}
