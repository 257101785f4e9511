package extension

import (
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"time"

	"chela/internal/engine/cdp"
)

// A transport is a [cdp.Transport]: the DevTools endpoint of the browser of a peer, as far as its
// tabs are shared. All its fields but in are guarded by the mutex of the peer.
type transport struct {
	peer *peer
	in   *queue // frames for Read

	auto     bool                // tabs are announced, as after Target.setAutoAttach
	sessions map[string]*session // of tabs, by their ids
	ending   map[place]*ending   // scripts that are being terminated, see translate.go
}

// A session belongs to a tab. Its id stays the same for a run of the extension. So does the world
// that chela's script has in the page, which is named by it, and with that world the refs.
type session struct {
	id   string
	tab  int
	open bool // announced as attached

	stale bool      // an earlier transport has attached the tab, and left settings
	state attaching // to Chromium
	held  []request // commands that wait for it
}

// attaching says how far a tab is attached to the debugger.
type attaching int

const (
	apart attaching = iota
	underWay
	attached
)

// A request is a command from the user of the transport.
type request struct {
	ID      int64           `json:"id"`
	Method  string          `json:"method"`
	Session string          `json:"sessionId"`
	Params  json.RawMessage `json:"params"`
}

// A place is a session of chrome.debugger: a tab, or one of its children.
type place struct {
	tab     int
	session string
}

// connect returns the transport of a browser that nobody drives.
func (p *peer) connect() (*transport, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case !p.greeted:
		return nil, ErrAway
	case p.transport != nil:
		return nil, ErrBusy
	}
	t := &transport{peer: p, in: newQueue(), sessions: map[string]*session{}, ending: map[place]*ending{}}
	for _, tab := range p.tabs {
		t.addLocked(tab).stale = tab.Attached
	}
	p.transport = t
	return t, nil
}

func (t *transport) addLocked(tab *Tab) *session {
	s := &session{id: t.peer.about.Run + "." + strconv.Itoa(tab.ID), tab: tab.ID}
	if tab.Attached {
		s.state = attached
	}
	t.sessions[s.id] = s
	return s
}

func (t *transport) ofTabLocked(tab int) *session {
	return t.sessions[t.peer.about.Run+"."+strconv.Itoa(tab)]
}

// Read returns the next frame.
func (t *transport) Read() ([]byte, error) { return t.in.take() }

// Write takes a command. It does not wait for the extension.
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
	if r.Session == "" {
		t.answerLocked(r)
	} else if s := t.sessions[r.Session]; s != nil && s.open {
		t.requestLocked(s, r)
	} else if k, ok := p.children[r.Session]; ok {
		t.forwardLocked(place{k.Tab, k.Session}, r)
	} else {
		t.failLocked(r, -32001, "Session with given id not found.")
	}
	return nil
}

// Close gives the tabs back: it detaches those that are attached.
func (t *transport) Close() error {
	p := t.peer
	p.mu.Lock()
	defer p.mu.Unlock()
	t.in.close(io.EOF)
	if p.transport != t {
		return nil
	}
	p.endLocked(io.EOF)
	for _, s := range t.sessions {
		if s.state != apart {
			p.doLocked("detach", map[string]any{"tab": s.tab}, func(json.RawMessage, *failure) {})
			t.peer.tabs[s.tab].Attached = false
		}
	}
	return nil
}

// silentAfter is how long a browser may be away until calls need not wait for it.
const silentAfter = 2 * time.Second

// Silent reports whether the extension is away.
func (t *transport) Silent() bool {
	t.peer.mu.Lock()
	defer t.peer.mu.Unlock()
	return t.peer.link == nil && time.Since(t.peer.away) > silentAfter
}

// requestLocked handles a command for a tab. The first one attaches the tab. What only lets a tab
// run that was announced to us does not: nothing holds it.
func (t *transport) requestLocked(s *session, r request) {
	if (s.state == apart || s.stale) && r.Method == "Runtime.runIfWaitingForDebugger" {
		t.resultLocked(r, json.RawMessage(`{}`))
		return
	}
	if s.state == attached && !s.stale {
		t.forwardLocked(place{s.tab, ""}, r)
		return
	}
	s.held = append(s.held, r)
	if s.state != underWay {
		t.attachLocked(s, func(failed *failure) { t.sendHeldLocked(s, failed) })
	}
}

// attachLocked attaches a tab, and then calls done: failed is nil, or says why the tab cannot be
// attached. A tab that an earlier transport has left attached is attached anew, so that nothing set
// there is left.
func (t *transport) attachLocked(s *session, done func(failed *failure)) {
	what := "attach"
	if s.stale {
		what = "reattach"
	}
	s.state = underWay
	t.peer.doLocked(what, map[string]any{"tab": s.tab}, func(_ json.RawMessage, failed *failure) {
		if t.sessions[s.id] != s {
			done(&failure{cdp.Unshared, "no longer shared"})
			return
		}
		tab := t.peer.tabs[s.tab]
		open := s.stale && failed != nil && failed.Message == "dialog"
		s.state, s.stale = apart, false
		if failed != nil && !open {
			done(failed)
			return
		}
		s.state, tab.Attached = attached, true
		done(nil)
		if open && tab.Dialog != nil { // a dialog that is open would be lost by attaching anew
			t.emitLocked(s.id, "Page.javascriptDialogOpening", tab.Dialog)
		}
	})
}

// sendHeldLocked sends the commands that waited until a tab was attached, or fails them.
func (t *transport) sendHeldLocked(s *session, failed *failure) {
	held := s.held
	s.held = nil
	for _, r := range held {
		if failed != nil {
			t.failLocked(r, failed.Code, failed.Message)
		} else {
			t.forwardLocked(place{s.tab, ""}, r)
		}
	}
}

// forwardLocked sends a command to chrome.debugger.
func (t *transport) forwardLocked(at place, r request) {
	if reason := refusedForTab(r.Method); reason != "" {
		t.failLocked(r, notFound, r.Method+" "+reason)
		return
	}
	if r.Method == "Runtime.terminateExecution" {
		t.terminateLocked(at, r)
		return
	}
	t.peer.cdpLocked(at.tab, at.session, r.Method, r.Params, func(result json.RawMessage, failed *failure) {
		if failed != nil {
			t.failLocked(r, failed.Code, failed.Message)
			return
		}
		t.resultLocked(r, result)
	})
}

func (t *transport) resultLocked(r request, result json.RawMessage) {
	if len(result) == 0 {
		result = json.RawMessage(`{}`)
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
		params = json.RawMessage(`{}`)
	}
	frame := append([]byte(`{"method":`), encode(method)...)
	frame = append(append(frame, `,"params":`...), params...)
	t.in.put(finish(frame, session))
}

// finish completes a frame. The ids of sessions need no escapes: Chromium's are in hex.
func finish(frame []byte, session string) []byte {
	if session != "" {
		frame = append(append(append(frame, `,"sessionId":"`...), session...), '"')
	}
	return append(frame, '}')
}

// tabLocked takes it that a tab is new or has changed.
func (t *transport) tabLocked(was, tab *Tab) {
	s := t.ofTabLocked(tab.ID)
	switch {
	case s == nil:
		if s = t.addLocked(tab); t.auto {
			t.announceLocked(s)
		}
	case was.Target != tab.Target:
		t.goneLocked(was)
		t.tabLocked(nil, tab)
	case was.URL != tab.URL || was.Title != tab.Title:
		t.emitLocked("", "Target.targetInfoChanged", encode(map[string]any{"targetInfo": t.infoLocked(tab)}))
	}
	if s.state == apart && tab.Attached { // by the extension
		s.state = attached
	}
}

// announceLocked says that we are attached to a tab.
func (t *transport) announceLocked(s *session) {
	s.open = true
	info := t.infoLocked(t.peer.tabs[s.tab])
	info["attached"] = true
	t.emitLocked("", "Target.attachedToTarget", encode(map[string]any{"sessionId": s.id, "targetInfo": info, "waitingForDebugger": false}))
}

// closeLocked says that we are not attached to a tab any more. What waits for it fails with that.
func (t *transport) closeLocked(s *session) {
	s.held = nil
	if s.open {
		s.open = false
		t.emitLocked("", "Target.detachedFromTarget", encode(map[string]any{"sessionId": s.id}))
	}
}

func (t *transport) goneLocked(tab *Tab) {
	if s := t.ofTabLocked(tab.ID); s != nil {
		t.closeLocked(s)
		delete(t.sessions, s.id)
	}
	t.emitLocked("", "Target.targetDestroyed", encode(map[string]any{"targetId": tab.target()}))
}

// detachedLocked takes it that the debugger of a tab was detached. The tab is announced anew: the
// next command for it attaches it.
func (t *transport) detachedLocked(tab *Tab) {
	s := t.ofTabLocked(tab.ID)
	if s == nil {
		return
	}
	wasOpen := s.open
	t.closeLocked(s)
	delete(t.sessions, s.id)
	if fresh := t.addLocked(tab); wasOpen {
		t.announceLocked(fresh)
	}
}

// resumedLocked says to each attached tab that events of it may be missing.
func (t *transport) resumedLocked() {
	for _, s := range t.sessions {
		if s.open && s.state == attached {
			t.emitLocked(s.id, "Chela.resumed", nil)
		}
	}
}

// childLocked reports a child session that has come or gone: the event of that may be missing.
func (t *transport) childLocked(k child, came bool) {
	parent := k.Parent
	if s := t.ofTabLocked(k.Tab); parent == "" && s != nil {
		parent = s.id
	}
	if came {
		t.emitLocked(parent, "Target.attachedToTarget", encode(map[string]any{"sessionId": k.Session, "targetInfo": k.Info, "waitingForDebugger": false}))
		return
	}
	t.emitLocked(parent, "Target.detachedFromTarget", encode(map[string]any{"sessionId": k.Session}))
}

// eventLocked passes an event on.
func (t *transport) eventLocked(m message) {
	if t.pausedLocked(place{m.Tab, m.Session}, m.Method) {
		return
	}
	session := m.Session
	if s := t.ofTabLocked(m.Tab); session == "" && s != nil {
		session = s.id
	}
	t.emitLocked(session, m.Method, m.Params)
}

// target is the id of the tab's target. Chromium names none for some tabs that were discarded.
func (tab *Tab) target() string {
	if tab.Target == "" {
		return "tab-" + strconv.Itoa(tab.ID)
	}
	return tab.Target
}

var (
	// ErrUnpaired means that no browser is paired.
	ErrUnpaired = errors.New("no browser is paired with chela's extension")
	// ErrAway means that no paired browser is connected.
	ErrAway = errors.New("the extension is not connected")
	// ErrBusy means that another profile drives the browser.
	ErrBusy = errors.New("another profile drives the browser of the extension")
)
