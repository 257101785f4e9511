package chrome

import (
	"io"
	"os"
	"strings"
	"time"
)

// maxWords is how much of the end of stderr is worth showing, in bytes.
const maxWords = 2000

// lastWords keeps the end of what is read from a pipe.
type lastWords struct {
	from *os.File
	tail []byte
	done chan struct{} // closed at the end of from; tail is the reader's before
}

func listen(from *os.File) *lastWords {
	w := &lastWords{from: from, done: make(chan struct{})}
	go func() {
		defer close(w.done)
		io.Copy(w, from)
	}()
	return w
}

func (w *lastWords) Write(p []byte) (int, error) {
	w.tail = append(w.tail, p...)
	if len(w.tail) > maxWords {
		w.tail = append([]byte(nil), w.tail[len(w.tail)-maxWords:]...)
	}
	return len(p), nil
}

// end reads what is left and closes the pipe. A grandchild may hold its other
// end open, so it waits no longer than lastWordsPatience.
func (w *lastWords) end() string {
	defer w.from.Close()
	if err := w.from.SetReadDeadline(time.Now().Add(lastWordsPatience)); err != nil {
		w.from.Close() // no deadlines on this system
	}
	<-w.done
	return strings.ToValidUTF8(strings.TrimSpace(string(w.tail)), "")
}
