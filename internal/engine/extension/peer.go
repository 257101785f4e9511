package extension

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"chela/internal/engine/cdp"
)

// A peer is a paired browser, whether it is connected now or not. A peer has the last reported
// state of the browser's shared tabs, and the commands that have no reply yet.
type peer struct {
	key   Key
	relay *Relay

	mu        sync.Mutex // guards the fields below, and the transport
	link      *link      // nil: the extension is not connected
	greeted   bool       // the first message of the link has come, so commands can be sent
	about     hello      // the last hello message, without its lists
	tabs      map[int]*Tab
	children  map[string]child // child sessions, by their ids
	seen      int64            // number of the last event that was handled
	away      time.Time        // when the extension was disconnected
	lastID    int64            // id of the newest command
	pending   []*command       // commands without a reply, the oldest first
	transport *transport       // nil: nothing drives the browser
	expiry    *time.Timer      // ends the transport when the browser stays disconnected; nil: was never needed
	closed    error            // why the extension may not connect any more; nil: it may
}

// A command is sent to the extension and waits for its reply. When a connection is lost, often the
// extension's service worker has ended. Then the reply never comes, even if Chromium has carried
// the command out.
type command struct {
	id     int64
	frame  []byte
	sent   bool // the command was sent at least once
	repeat bool // the command may be carried out twice without harm, see isRepeatable

	// done gets the reply. It is called once, with the mutex of the peer held.
	done func(result json.RawMessage, failed *failure)
}

var errUnconfirmed = &failure{cdp.Unconfirmed, "the connection to the extension was lost before the reply"}

func newPeer(r *Relay, key Key) *peer {
	return &peer{key: key, relay: r, tabs: map[int]*Tab{}, children: map[string]child{}, away: time.Now()}
}

// shared returns how many tabs are shared; 0 if p is nil.
func (p *peer) shared() int {
	if p == nil {
		return 0
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.tabs)
}

// admit makes a link the connection of the browser. It replaces an earlier link of the same run of
// the extension. If a link of another run still answers, the new link is refused. It comes from a
// second browser with a copy of the profile, which has the same key.
func (p *peer) admit(ctx context.Context, l *link) error {
	for {
		p.mu.Lock()
		old, seen := p.link, p.seen
		if p.closed != nil {
			p.mu.Unlock()
			return p.closed
		}
		if old == nil || old.run == l.run && old.generation < l.generation {
			p.link, p.greeted = l, false
			p.loseLocked()
			p.mu.Unlock()
			if old != nil {
				old.out.close(errReplaced)
			}
			return nil
		}
		p.mu.Unlock()
		ctx, cancel := context.WithTimeout(ctx, p.relay.answerTime)
		answers := old.answers(ctx, seen)
		cancel()
		if answers {
			return errAnswers
		}
		old.conn.CloseNow()
		<-old.done
		p.leave(old)
	}
}

// serve handles the messages of a link until the link ends. The error is a [*refusal] if the
// extension violates the protocol.
func (p *peer) serve(l *link) (err error) {
	defer p.leave(l)
	defer close(l.done)
	defer func() { l.out.close(err) }() // makes write end the connection, with the same error
	go l.write()
	stop := time.AfterFunc(openTime, func() { l.conn.CloseNow() })
	defer stop.Stop()
	m, err := l.read()
	if err == nil && (m.Hello == nil || m.Hello.Run != l.run) {
		err = errMalformed
	}
	if err != nil {
		return err
	}
	if !stop.Stop() || !p.greet(l, *m.Hello) {
		return errReplaced
	}
	pinging := make(chan struct{})
	defer close(pinging)
	go p.keepAlive(l, pinging)
	for {
		m, err := l.read()
		if err != nil {
			return err
		}
		p.take(l, m)
	}
}

// keepAlive pings the extension, since Chromium stops a service worker that gets no messages. If
// nothing comes from the extension for two pings, it ends the link.
func (p *peer) keepAlive(l *link, stop <-chan struct{}) {
	tick := time.NewTicker(p.relay.pingTime)
	defer tick.Stop()
	for {
		p.mu.Lock()
		seen := p.seen
		p.mu.Unlock()
		l.ping(seen)
		select {
		case <-stop:
			return
		case <-tick.C:
		}
		if l.silentFor() > 2*p.relay.pingTime {
			l.conn.CloseNow()
		}
	}
}

// greet handles the hello, the first message of a link. It returns false if another link has
// replaced this one meanwhile. If the extension has begun a new run, the transport ends, because
// the debugger is attached to no tab any more.
func (p *peer) greet(l *link, h hello) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.link != l {
		return false
	}
	first := p.about.Run != h.Run
	if first {
		p.endLocked(errOtherRun)
		p.tabs, p.children = map[int]*Tab{}, map[string]child{}
	}
	switch {
	case first: // ignore older events that are sent again: the hello is newer than they are
		p.seen = h.N
	case p.about.Worker != h.Worker:
		p.seen = 0
	}
	p.stoppedLocked(h.Stopped)
	p.greeted, p.about = true, h
	p.about.Tabs, p.about.Children = nil, nil
	if p.expiry != nil {
		p.expiry.Stop()
	}
	if first || h.Lost {
		p.compareLocked(h)
	}
	for _, c := range p.pending {
		p.sendLocked(c)
	}
	if p.transport == nil {
		p.letGoLocked()
	}
	p.relay.notify()
	return true
}

// letGoLocked stops pausing the requests of the attached tabs, because nothing judges them now. An
// earlier server, or a transport that has ended, has left Fetch enabled there. The tabs stay
// attached: detaching the debugger would lose an open dialog. A tab with an open dialog stays paused
// until the dialog has closed, see eventLocked. If Fetch were disabled and enabled again before that,
// Chromium would not pause the first requests after the dialog.
func (p *peer) letGoLocked() {
	for _, tab := range p.tabs {
		if tab.Attached && tab.Dialog == nil {
			p.unpauseLocked(tab.ID, "")
		}
	}
	for _, k := range p.children {
		p.unpauseLocked(k.Tab, k.Session) // workers have no Fetch
	}
}

func (p *peer) unpauseLocked(tab int, session string) {
	p.cdpLocked(tab, session, "Fetch.disable", nil, ignore)
}

// compareLocked compares the known tabs and children with those in the hello, and handles the
// differences as if they were reported. It is needed if events of the extension may have been lost.
func (p *peer) compareLocked(h hello) {
	t := p.transport
	if t != nil {
		t.resumedLocked()
	}
	for id := range p.tabs {
		if !slices.ContainsFunc(h.Tabs, func(tab Tab) bool { return tab.ID == id }) {
			p.goneLocked(id)
		}
	}
	for _, tab := range h.Tabs {
		was := p.tabs[tab.ID]
		if was != nil && was.Attached && !tab.Attached {
			p.detachedLocked(tab.ID)
		}
		p.tabLocked(tab)
	}
	old := p.children
	p.children = map[string]child{}
	for _, k := range h.Children {
		p.children[k.Session] = k
		if _, known := old[k.Session]; !known && t != nil {
			t.childLocked(k, true)
		}
	}
	for session, k := range old {
		if _, there := p.children[session]; !there && t != nil {
			t.childLocked(k, false)
		}
	}
}

// take handles a message of a link. It ignores an event or change that was handled before.
func (p *peer) take(l *link, m message) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.link != l || m.N > 0 && m.N <= p.seen {
		return
	}
	p.seen = max(p.seen, m.N)
	switch {
	case m.Change != nil:
		p.changeLocked(*m.Change)
	case m.Method != "":
		p.eventLocked(m)
	case m.ID != 0:
		p.replyLocked(m)
	}
}

func (p *peer) changeLocked(c change) {
	switch {
	case c.Tab != nil:
		p.tabLocked(*c.Tab)
	case c.Gone != 0:
		p.goneLocked(c.Gone)
	case c.Unshared != 0:
		p.goneLocked(c.Unshared)
	case c.Replaced[0] != 0:
		p.goneLocked(c.Replaced[0])
	case c.Detached != 0:
		p.detachedLocked(c.Detached)
	case c.Attached != 0:
		if tab := p.tabs[c.Attached]; tab != nil {
			tab.Attached = true
			p.tabLocked(*tab)
		}
	case c.Download != nil:
		if p.transport != nil {
			p.transport.downloadLocked(*c.Download)
		}
	case c.Stopped != nil:
		p.stoppedLocked(*c.Stopped)
	}
}

// stoppedLocked records whether the person has stopped all agents. If that has changed, an event is
// sent over the transport.
func (p *peer) stoppedLocked(stopped bool) {
	changed := p.about.Stopped != stopped
	p.about.Stopped = stopped
	if changed && p.transport != nil {
		p.transport.stoppedLocked()
	}
}

func (p *peer) tabLocked(tab Tab) {
	was := p.tabs[tab.ID]
	p.tabs[tab.ID] = &tab
	if p.transport != nil {
		p.transport.tabLocked(was, &tab)
	}
}

func (p *peer) goneLocked(id int) {
	tab := p.tabs[id]
	if tab == nil {
		return
	}
	delete(p.tabs, id)
	p.dropChildrenLocked(id)
	if p.transport != nil {
		p.transport.goneLocked(tab)
	}
}

// detachedLocked records that the debugger was detached from a tab that is still shared.
func (p *peer) detachedLocked(id int) {
	tab := p.tabs[id]
	if tab == nil {
		return
	}
	tab.Attached, tab.Dialog = false, nil
	p.dropChildrenLocked(id)
	if p.transport != nil {
		p.transport.detachedLocked(tab)
	}
}

func (p *peer) dropChildrenLocked(tab int) {
	for session, k := range p.children {
		if k.Tab == tab {
			delete(p.children, session)
		}
	}
}

// dropChildLocked forgets a child and the children below it, whose end Chromium does not report.
func (p *peer) dropChildLocked(session string) {
	delete(p.children, session)
	for below, k := range p.children {
		if k.Parent == session {
			p.dropChildLocked(below)
		}
	}
}

func (p *peer) eventLocked(m message) {
	if p.tabs[m.Tab] == nil {
		return
	}
	switch m.Method {
	case "Target.attachedToTarget":
		var ev struct {
			SessionID  string          `json:"sessionId"`
			TargetInfo json.RawMessage `json:"targetInfo"`
		}
		if json.Unmarshal(m.Params, &ev) == nil {
			p.children[ev.SessionID] = child{m.Tab, m.Session, ev.SessionID, ev.TargetInfo}
		}
	case "Target.detachedFromTarget":
		var ev struct {
			SessionID string `json:"sessionId"`
		}
		if json.Unmarshal(m.Params, &ev) == nil {
			p.dropChildLocked(ev.SessionID)
		}
	case "Page.javascriptDialogOpening":
		p.tabs[m.Tab].Dialog = m.Params
	case "Page.javascriptDialogClosed":
		p.tabs[m.Tab].Dialog = nil
		if p.transport == nil || p.transport.ofTabLocked(m.Tab).stale {
			p.unpauseLocked(m.Tab, "")
		}
	}
	if p.transport != nil {
		p.transport.eventLocked(m)
	}
}

func (p *peer) replyLocked(m message) {
	i := slices.IndexFunc(p.pending, func(c *command) bool { return c.id == m.ID })
	if i < 0 {
		return
	}
	c := p.pending[i]
	p.pending = slices.Delete(p.pending, i, i+1)
	c.done(m.Result, m.Error)
}

// cdpLocked sends a DevTools command for a tab, or for a child session of it.
func (p *peer) cdpLocked(tab int, session, method string, params json.RawMessage, done func(json.RawMessage, *failure)) {
	p.commandLocked(map[string]any{"tab": tab, "session": session, "method": method, "params": params}, isRepeatable(method), done)
}

// doLocked sends one of the extension's own commands, such as open, with the given fields.
func (p *peer) doLocked(what string, fields map[string]any, done func(json.RawMessage, *failure)) {
	fields["do"] = what
	repeat := !slices.Contains([]string{"open", "close"}, what) // the page may ask again whether it may be closed
	p.commandLocked(fields, repeat, done)
}

// commandLocked sends a command now or, if the extension is disconnected, when it has connected
// again.
func (p *peer) commandLocked(fields map[string]any, repeat bool, done func(json.RawMessage, *failure)) {
	for _, name := range []string{"session", "params"} { // the extension expects empty fields to be absent
		if v, ok := fields[name]; ok && (v == "" || isEmpty(v)) {
			delete(fields, name)
		}
	}
	p.lastID++
	fields["id"] = p.lastID
	c := &command{id: p.lastID, frame: encode(fields), repeat: repeat, done: done}
	if len(c.frame) > maxFrame {
		done(nil, &failure{-32000, "the command is too long for the extension"})
		return
	}
	p.pending = append(p.pending, c)
	if p.greeted {
		p.sendLocked(c)
	}
}

func isEmpty(v any) bool {
	raw, ok := v.(json.RawMessage)
	return ok && len(raw) == 0
}

func (p *peer) sendLocked(c *command) {
	c.sent = true
	p.link.out.put(c.frame)
}

// leave forgets a link that has ended.
func (p *peer) leave(l *link) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.link != l {
		return
	}
	p.link, p.greeted, p.away = nil, false, time.Now()
	p.loseLocked()
	if p.transport != nil {
		p.expiry = time.AfterFunc(p.relay.awayTime, p.expire)
	}
}

// loseLocked fails the commands that were sent over a link that was lost, unless they may be sent
// again.
func (p *peer) loseLocked() {
	var kept, lost []*command
	for _, c := range p.pending {
		if c.sent && !c.repeat {
			lost = append(lost, c)
		} else {
			kept = append(kept, c)
		}
	}
	p.pending = kept
	for _, c := range lost {
		c.done(nil, errUnconfirmed)
	}
}

// expire ends the transport if the browser has stayed disconnected for Relay.awayTime. The timer of
// an earlier absence may call it: that one may have been over before the timer could be stopped.
func (p *peer) expire() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.link == nil && time.Since(p.away) >= p.relay.awayTime {
		p.endLocked(ErrAway)
	}
}

// close ends the transport, and the link after all queued frames are sent. From then on, the
// extension may not connect. It returns the link, which is still ending, or nil if there was none.
func (p *peer) close(cause error) *link {
	p.mu.Lock()
	l := p.link
	p.closed = cause
	p.endLocked(cause)
	p.mu.Unlock()
	if l != nil {
		l.out.close(cause)
	}
	return l
}

// endLocked ends the transport. To its user, the connection to the browser is lost, with this
// cause.
func (p *peer) endLocked(cause error) {
	p.pending = nil
	if t := p.transport; t != nil {
		p.transport = nil
		t.in.close(cause)
	}
}

var errOtherRun = errors.New("the browser, or its extension, was restarted")

// isRepeatable reports whether a command can be carried out twice without harm. That holds for
// commands that set up a page or continue a paused request, but not for those that act on a page. The
// set commands of the DOM domain change the document: a page would get the same files twice. A page
// would also run the scripts of a document twice, and the debugger changes variables of scripts.
func isRepeatable(method string) bool {
	switch method {
	case "Page.addScriptToEvaluateOnNewDocument", "Page.createIsolatedWorld", "Runtime.runIfWaitingForDebugger", "Runtime.addBinding",
		"Page.removeScriptToEvaluateOnNewDocument", "Runtime.removeBinding", "Runtime.releaseObjectGroup",
		"Emulation.clearDeviceMetricsOverride", "Emulation.clearGeolocationOverride", "Emulation.clearIdleOverride",
		"Fetch.continueRequest", "Fetch.failRequest", "Fetch.fulfillRequest", "Fetch.continueWithAuth":
		return true
	}
	if method == "Page.setDocumentContent" || method == "Debugger.setVariableValue" {
		return false
	}
	domain, name, _ := strings.Cut(method, ".")
	if name == "enable" || name == "disable" {
		return true
	}
	return strings.HasPrefix(name, "get") || strings.HasPrefix(name, "set") && domain != "DOM"
}
