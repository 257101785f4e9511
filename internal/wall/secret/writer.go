package secret

import (
	"io"
	"sync"
)

// A Writer masks a text that is written in parts. If the end of what was written may be the beginning
// of a value, it is held back until the rest comes. Anything else is written at once, so a log or a
// stream of events is not late. Messages of JSON are better masked whole, see [MaskBytes].
//
// It may be used from several goroutines.
type Writer struct {
	to    io.Writer
	known *known

	mu     sync.Mutex // guards the rest
	held   []byte
	hidden int // bytes of held that belong to a value whose mark was written
}

// NewWriter returns a writer that writes to another one. In the end, Close must be called.
func NewWriter(to io.Writer) *Writer { return &Writer{to: to, known: &inUse} }

// Write masks and writes p. It returns the error of the other writer.
func (w *Writer) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	m := w.known.masker()
	if m == nil && len(w.held) == 0 {
		return w.to.Write(p)
	}
	w.held = append(w.held, p...)
	if err := w.writeLocked(m, false); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Close writes what was held back. It does not close the other writer, and the Writer can be used
// again.
func (w *Writer) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.held) == 0 {
		return nil
	}
	return w.writeLocked(w.known.masker(), true)
}

// writeLocked writes the held text. Unless all is true, more text will follow. Then an end of the
// held text that may be the beginning of a value stays held.
func (w *Writer) writeLocked(m *masker, all bool) error {
	var hits []hit
	upTo := len(w.held)
	if m != nil {
		var open int
		if hits, open = m.find(w.held); !all {
			upTo = open
		}
	}
	out, end := replace(nil, w.held, hits, w.hidden, upTo)
	w.held = append([]byte(nil), w.held[upTo:]...)
	w.hidden = end - upTo
	if len(out) == 0 {
		return nil
	}
	_, err := w.to.Write(out)
	return err
}
