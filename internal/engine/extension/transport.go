package extension

import (
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"strings"
	"time"

	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"

	"chela/internal/engine/cdp"
)

var _ cdp.Transport = (*transport)(nil)

// A transport is a [cdp.Transport] to the browser of a peer. It behaves like the DevTools endpoint
// of a browser that has only the shared tabs. The peer's mutex guards all fields, except the field
// in.
type transport struct {
	peer *peer
	in   *queue // frames that Read returns

	auto      bool // Target.setAutoAttach was sent, so shared tabs are announced
	flashing  bool // the extension has not answered the last flash
	debuggees map[place]*debuggee
	sessions  map[string]*session // sessions by id
	numbered  int                 // how many session ids with a number were given
	ending    map[place]*ending   // terminations under way, see translate.go
	downloads map[string]int      // id in chrome.downloads of each reported download, by its GUID; 0: it has ended
}

// A request is a command from the user of the transport.
type request struct {
	ID      int64           `json:"id"`
	Method  string          `json:"method"`
	Session string          `json:"sessionId"`
	Params  json.RawMessage `json:"params"`
}

// paramsOf decodes the parameters of a command, or its zero value if they cannot be read. It
// distinguishes upper and lower case, as Chromium does. If it did not, a program could give one
// parameter twice, as name and NAME, and only one of the two would be checked here.
func paramsOf[P any](params json.RawMessage) (p P) {
	jsonv2.Unmarshal(params, &p, jsonv2.AllowInvalidUTF8(true))
	return p
}

// connect returns a new transport to the browser, unless another one is in use.
func (p *peer) connect() (*transport, error) {
	if p == nil {
		return nil, ErrAway
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case !p.greeted:
		return nil, ErrAway
	case p.transport != nil:
		return nil, ErrBusy
	}
	t := &transport{peer: p, in: newQueue(), debuggees: map[place]*debuggee{}, sessions: map[string]*session{}, ending: map[place]*ending{}, downloads: map[string]int{}}
	for _, tab := range p.tabs {
		t.addLocked(tab).stale = tab.Attached
	}
	p.transport = t
	return t, nil
}

// Paired returns the id of the browser's key, see [browser.Description].
func (t *transport) Paired() string { return t.peer.key.ID }

// Read returns the next frame.
func (t *transport) Read() ([]byte, error) { return t.in.take() }

// Write carries out a command, without waiting for the extension.
func (t *transport) Write(frame []byte) error {
	var r request
	if err := json.Unmarshal(frame, &r); err != nil {
		return err
	}
	p := t.peer
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.transport != t {
		return io.ErrClosedPipe
	}
	switch s := t.sessions[r.Session]; {
	case r.Session == "" || s != nil && s.on == nil:
		t.answerLocked(r)
	case s != nil:
		t.requestLocked(s, r)
	default:
		t.failLocked(r, -32001, "Session with given id not found.")
	}
	return nil
}

// Close detaches the debugger from all tabs, and so leaves them to the user.
func (t *transport) Close() error {
	p := t.peer
	p.mu.Lock()
	defer p.mu.Unlock()
	t.in.close(io.EOF)
	if p.transport != t {
		return nil
	}
	p.endLocked(io.EOF)
	for _, d := range t.debuggees {
		if d.isTab() && d.state != detached {
			t.letGoLocked(d)
		}
	}
	return nil
}

// silentAfter is the time after which [transport.Silent] reports a disconnected browser.
const silentAfter = 2 * time.Second

// Silent reports whether the extension has been disconnected for longer than silentAfter.
func (t *transport) Silent() bool {
	t.peer.mu.Lock()
	defer t.peer.mu.Unlock()
	return t.peer.link == nil && time.Since(t.peer.away) > silentAfter
}

// forwardLocked carries out a command of a session with a debuggee. Commands that concern other
// sessions of the same debuggee have functions of their own; all others go to chrome.debugger.
func (t *transport) forwardLocked(s *session, r request) {
	if reason := refusedForTab(r.Method); reason != "" {
		t.failLocked(r, notFound, r.Method+" "+reason)
		return
	}
	if handle := handlerOf(r.Method); handle != nil {
		handle(t, s, r)
		return
	}
	t.passLocked(s, r)
}

// passLocked sends a command to chrome.debugger, and returns the reply to the session.
func (t *transport) passLocked(s *session, r request) {
	t.callLocked(s, r, func(json.RawMessage) {})
}

// leftBehind reports whether a failure is Chromium's error for a command whose tab, frame or worker
// has ended meanwhile. The event that reports the end comes next, and the user of the transport
// then fails the command.
func (f *failure) leftBehind() bool {
	return f != nil && (f.Message == "Detached while handling command." || strings.HasPrefix(f.Message, "No tab with given id"))
}

// errNotAttached is the extension's error for a command to a tab that has no debugger attached. The
// server has then missed that the debugger was detached. So the tab is announced again, and the
// next command attaches the debugger.
var errNotAttached = failure{409, "not attached"}

// callLocked sends a command to chrome.debugger. It calls the function done with the result before
// it returns the result to the session.
func (t *transport) callLocked(s *session, r request, done func(result json.RawMessage)) {
	t.peer.cdpLocked(s.on.tab, s.on.session, r.Method, r.Params, func(result json.RawMessage, failed *failure) {
		if failed.leftBehind() {
			return
		}
		if failed != nil && *failed == errNotAttached && t.sessions[s.id] == s {
			t.peer.detachedLocked(s.on.tab) // this also ends the session, and fails its commands
			return
		}
		if failed != nil {
			t.failLocked(r, failed.Code, failed.Message)
			return
		}
		done(result)
		t.resultLocked(r, result)
	})
}

// sendLocked sends a command of the transport itself, and ignores its reply. A failure needs no
// handling: the debuggee has ended, or what the command would undo is already gone.
func (t *transport) sendLocked(d *debuggee, method string, params json.RawMessage) {
	t.peer.cdpLocked(d.tab, d.session, method, params, ignore)
}

func (t *transport) resultLocked(r request, result json.RawMessage) {
	if len(result) == 0 {
		result = empty
	}
	frame := make([]byte, 0, len(result)+len(r.Session)+64)
	frame = strconv.AppendInt(append(frame, `{"id":`...), r.ID, 10)
	frame = append(append(frame, `,"result":`...), result...)
	t.in.put(finish(frame, r.Session))
}

func (t *transport) failLocked(r request, code int, text string) {
	frame := strconv.AppendInt([]byte(`{"id":`), r.ID, 10)
	frame = append(append(frame, `,"error":`...), encode(failure{code, text})...)
	t.in.put(finish(frame, r.Session))
}

func (t *transport) emitLocked(session, method string, params json.RawMessage) {
	if len(params) == 0 {
		params = empty
	}
	frame := append([]byte(`{"method":`), encode(method)...)
	frame = append(append(frame, `,"params":`...), params...)
	t.in.put(finish(frame, session))
}

// finish adds the session id and the closing brace to a frame. Session ids need no escapes: they
// are hexadecimal, as Chromium's are, or end with a point and digits.
func finish(frame []byte, session string) []byte {
	if session != "" {
		frame = append(append(append(frame, `,"sessionId":"`...), session...), '"')
	}
	return append(frame, '}')
}

// eventLocked passes an event on to the sessions that get it, see session.gets.
func (t *transport) eventLocked(m message) {
	d := t.debuggees[place{m.Tab, m.Session}]
	if d == nil || t.pausedLocked(d.place, m.Method) {
		return
	}
	if handle := eventHandlers[m.Method]; handle != nil && !handle(t, d, m) {
		return
	}
	for _, s := range d.sessions {
		if s.gets(m) {
			t.emitLocked(s.id, m.Method, m.Params)
		}
	}
}

var (
	// ErrUnpaired means that no browser is paired.
	ErrUnpaired = errors.New("no browser is paired with chela's extension")
	// ErrAway means that no paired browser is connected.
	ErrAway = errors.New("the extension is not connected")
	// ErrBusy means that another profile drives the browser.
	ErrBusy = errors.New("another profile drives the browser of the extension")
)
