package cdp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	proto "github.com/chromedp/cdproto/cdp"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// peer is the browser's end of a connection in memory: tests read from it what was sent, and say
// what it answers.
type peer struct {
	sent chan string // frames that our side has sent
	says chan string // frames that the browser sends
	end  sync.Once
	gone chan struct{}
}

// breaks is a command whose frame the transport refuses to write, with errBroken.
var (
	breaks    = proto.Command[proto.Empty, proto.Empty]{Method: "Test.break"}
	errBroken = errors.New("broken")
)

func newPeer() *peer {
	return &peer{sent: make(chan string, 100), says: make(chan string, 100), gone: make(chan struct{})}
}

func (p *peer) Read() ([]byte, error) {
	select {
	case frame := <-p.says:
		return []byte(frame), nil
	case <-p.gone:
		return nil, io.EOF
	}
}

func (p *peer) Write(frame []byte) error {
	if strings.Contains(string(frame), breaks.Method) {
		return errBroken
	}
	select {
	case p.sent <- string(frame):
		return nil
	case <-p.gone:
		return io.ErrClosedPipe
	}
}

func (p *peer) Close() error {
	p.end.Do(func() { close(p.gone) })
	return nil
}

// connect returns both ends of a connection, which the test closes.
func connect(t *testing.T, o Options) (*Conn, *peer) {
	t.Helper()
	p := newPeer()
	c := NewConn(p, o)
	t.Cleanup(func() { c.Close() })
	return c, p
}

// attach reports a new session below parent, and returns it.
func (p *peer) attach(t *testing.T, parent *Session, id string) *Session {
	t.Helper()
	p.event(parent, "Target.attachedToTarget", fmt.Sprintf(`{"sessionId":%q,"waitingForDebugger":false}`, id))
	expect(t, parent.Events(), parent, "Target.attachedToTarget")
	s := parent.conn.Session(id)
	if s == nil {
		t.Fatalf("no session %s after it was attached", id)
	}
	return s
}

func (p *peer) event(s *Session, method, params string) {
	frame := fmt.Sprintf(`{"method":%q,"params":%s}`, method, params)
	if s.ID != "" {
		frame = strings.TrimSuffix(frame, "}") + fmt.Sprintf(`,"sessionId":%q}`, s.ID)
	}
	p.says <- frame
}

// expect takes the next event, and fails unless it is from this session and has this method.
func expect(t *testing.T, q *Queue, s *Session, method string) Event {
	t.Helper()
	ev, err := q.Next(soon(t))
	if err != nil || ev.Method != method || ev.Session != s {
		t.Fatalf("next event = %s %v, want %s", ev.Method, err, method)
	}
	return ev
}

// soon is a deadline far beyond the time that anything in these tests takes.
func soon(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	t.Cleanup(cancel)
	return ctx
}
