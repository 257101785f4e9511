package extension

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/coder/websocket"
)

// closeReplaced is the WebSocket close code of a connection that a later connection of the same
// extension replaces.
const closeReplaced = 4001

// A link is one connection with the extension of a paired browser, after the handshake.
type link struct {
	conn       *websocket.Conn
	run        string // the run of the extension, see hello
	generation int64  // number of the connection in its run; a higher one replaces a lower one
	out        *queue
	done       chan struct{} // closed when the last frame was read

	mu     sync.Mutex    // guards the rest
	heard  chan struct{} // closed at the next frame
	last   time.Time     // when the last frame came
	pinged int64         // number in the last ping: the Unix time in milliseconds, or if that has not grown, the last number plus 1
	ponged int64         // number of the last ping that was answered
}

func newLink(conn *websocket.Conn, o opening) *link {
	return &link{conn: conn, run: o.Run, generation: o.Generation, out: newQueue(), done: make(chan struct{}), heard: make(chan struct{}), last: time.Now()}
}

// write sends the queued frames, and ends the connection when the queue was closed and is empty. It
// blocks while the browser does not read.
func (l *link) write() {
	for {
		frame, err := l.out.take()
		if err != nil {
			end(l.conn, err)
			return
		}
		if l.conn.Write(context.Background(), websocket.MessageText, frame) != nil {
			l.conn.CloseNow()
			return
		}
	}
}

// read returns the next message.
func (l *link) read() (m message, err error) {
	_, frame, err := l.conn.Read(context.Background())
	if err != nil {
		return m, err
	}
	if json.Unmarshal(frame, &m) != nil {
		err = errMalformed
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	close(l.heard)
	l.heard, l.last, l.ponged = make(chan struct{}), time.Now(), max(l.ponged, m.Pong)
	return m, err
}

// ping sends a ping, and returns the number that the answer will have. The parameter seen is the
// number of the last event that was handled.
func (l *link) ping(seen int64) int64 {
	l.mu.Lock()
	l.pinged = max(l.pinged+1, time.Now().UnixMilli())
	ping := l.pinged
	l.mu.Unlock()
	l.out.put(encode(map[string]int64{"ping": ping, "seen": seen}))
	return ping
}

// roundTrip sends a ping, and reports whether the extension answers this ping before ctx ends.
func (l *link) roundTrip(ctx context.Context, seen int64) bool {
	asked := l.ping(seen)
	for {
		l.mu.Lock()
		heard, ponged := l.heard, l.ponged
		l.mu.Unlock()
		if ponged >= asked {
			return true
		}
		select {
		case <-heard:
		case <-l.done:
			return false
		case <-ctx.Done():
			return false
		}
	}
}

// silentFor returns the time since the last frame came.
func (l *link) silentFor() time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	return time.Since(l.last)
}

// answers sends a ping, and reports whether anything comes from the extension before ctx ends.
func (l *link) answers(ctx context.Context, seen int64) bool {
	l.mu.Lock()
	heard := l.heard
	l.mu.Unlock()
	l.ping(seen)
	select {
	case <-heard:
		return true
	case <-l.done:
	case <-ctx.Done():
	}
	return false
}

// closeTime limits the time for the last frame and for the closing handshake.
const closeTime = time.Second

// end closes the connection. If err is a [*refusal], the extension gets it as a last frame, and its
// status in the close code.
func end(conn *websocket.Conn, err error) {
	code, reason := websocket.StatusGoingAway, "the server ends"
	if refused, ok := errors.AsType[*refusal](err); ok {
		ctx, cancel := context.WithTimeout(context.Background(), closeTime)
		defer cancel()
		conn.Write(ctx, websocket.MessageText, encode(refused))
		code, reason = websocket.StatusCode(4000+refused.Status), refused.Reason
	} else if errors.Is(err, errReplaced) {
		code, reason = closeReplaced, err.Error()
	}
	closing := time.AfterFunc(closeTime, func() { conn.CloseNow() })
	defer closing.Stop()
	conn.Close(code, reason)
}

var (
	errReplaced = errors.New("a later connection of the same browser has replaced this one")
	errAnswers  = refuse(http.StatusConflict, "another connection with this key answers")
)

// encode encodes a value that this package has made as JSON, which cannot fail.
func encode(v any) []byte {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return raw
}
