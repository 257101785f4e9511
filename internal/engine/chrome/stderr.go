package chrome

import (
	"io"
	"os"
	"strings"
	"time"
)

// maxStderr is how many bytes of the end of stderr are kept for error messages.
const maxStderr = 2000

// stderrTail keeps the last maxStderr bytes that the browser wrote to stderr.
type stderrTail struct {
	pipe *os.File
	tail []byte        // owned by the copying goroutine until done is closed
	done chan struct{} // closed when the copying goroutine has ended
}

// followStderr starts to read the pipe, so that the browser never blocks on a full one. The caller
// ends it with [stderrTail.close].
func followStderr(pipe *os.File) *stderrTail {
	t := &stderrTail{pipe: pipe, done: make(chan struct{})}
	go func() {
		defer close(t.done)
		io.Copy(t, pipe)
	}()
	return t
}

func (t *stderrTail) Write(p []byte) (int, error) {
	t.tail = append(t.tail, p...)
	if len(t.tail) > maxStderr {
		t.tail = append([]byte(nil), t.tail[len(t.tail)-maxStderr:]...)
	}
	return len(p), nil
}

// close reads what is left in the pipe, closes it and returns the tail. A process that the browser
// started may hold the other end open, so close waits no longer than stderrTimeout for the end of
// the pipe.
func (t *stderrTail) close() string {
	defer t.pipe.Close()
	if err := t.pipe.SetReadDeadline(time.Now().Add(stderrTimeout)); err != nil {
		t.pipe.Close() // this system has no deadlines for pipes
	}
	<-t.done
	return strings.ToValidUTF8(strings.TrimSpace(string(t.tail)), "")
}
