package broker

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	json "github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/coder/websocket"

	"chela/internal/base/mutex"
	"chela/internal/engine/browser"
	"chela/internal/engine/cdp"
	"chela/internal/wall/secret"
)

// A client is the connection of a program that drives tabs. One goroutine reads from its WebSocket
// and one writes. A third one follows changes of the session's tabs. Each command that has to wait
// runs in a goroutine of its own. The window limits how many commands may be without a reply.
type client struct {
	*endpoint
	browser *browser.Browser
	as      browser.Session
	conn    *websocket.Conn
	socket  net.Conn // below conn
	out     *queue
	written chan struct{} // closed when nothing more is written to conn
	window  *window
	dropped *atomic.Int64  // Broker.Dropped
	work    sync.WaitGroup // counts the client's goroutines

	ctx context.Context
	end context.CancelCauseFunc

	updating mutex.Mutex // locked while tabs are announced and attached

	mu        sync.Mutex // guards the rest; nothing else is locked while it is held
	base      string     // id of the session that messages without a session id belong to
	sessions  map[string]*session
	tabs      map[string]*browser.Tab // tabs that the client has attached to, or is attaching to, by target id
	notes     map[lastNote]time.Time  // when a command was last recorded, see note
	tabTarget string                  // target id of the tab for which a session is being made, see tabtarget.go
}

func newClient(e *endpoint, of *browser.Browser) *client {
	c := &client{
		endpoint: e, browser: of, as: of.Session(e.Session), out: newQueue(), written: make(chan struct{}), window: newWindow(), updating: mutex.New(),
		sessions: map[string]*session{}, tabs: map[string]*browser.Tab{}, notes: map[lastNote]time.Time{},
	}
	c.ctx, c.end = context.WithCancelCause(context.Background())
	return c
}

// Why the connection of a program ends.
var (
	errBrowserGone  = errors.New("the browser has ended")
	errSessionEnded = errors.New("the session has ended")
	errServerEnds   = errors.New("chela ends")
	errSlow         = errors.New("the program does not read what it is sent")
	errClosed       = errors.New("the program closed the browser, which only ends its connection")
	errTabGone      = errors.New("the tab is not the session's any more")
)

// closeCodes has the WebSocket close code for each reason why a connection ends.
var closeCodes = map[error]websocket.StatusCode{
	errBrowserGone: websocket.StatusGoingAway, errServerEnds: websocket.StatusGoingAway, errSlow: websocket.StatusPolicyViolation,
	errSessionEnded: websocket.StatusNormalClosure, errClosed: websocket.StatusNormalClosure, errTabGone: websocket.StatusNormalClosure,
}

// serve serves the program until its connection ends. If target is not "", the program drives only
// the tab with that target id.
func (c *client) serve(target string) {
	release, err := c.begin(target)
	if err != nil {
		c.close(websocket.StatusInternalError, err)
		return
	}
	c.work.Go(c.write)
	c.work.Go(c.follow)
	c.work.Go(c.read)
	<-c.ctx.Done()
	why := context.Cause(c.ctx)
	if why == errSlow {
		slog.Warn("a program was disconnected", "session", c.Session, "profile", c.Profile, "why", why)
	}
	release()
	if why == errClosed {
		c.finish()
	}
	if left := c.out.close(); why == errSlow {
		c.dropped.Add(int64(left) + 1) // one more for the frame that found no room
	}
	if code, known := closeCodes[why]; known {
		c.close(code, why)
	}
	c.conn.CloseNow()
	c.work.Wait()
}

// begin gives the client its first session. If target is not "", it attaches the client to that tab.
// The function release ends all sessions of the client.
func (c *client) begin(target string) (release func(), err error) {
	ctx, cancel := context.WithTimeout(c.ctx, waitTime)
	defer cancel()
	root, release, err := c.browser.Lend(ctx, c.take)
	if err != nil {
		return nil, err
	}
	c.base = root.ID
	c.add(&session{Session: root, whole: true})
	if target != "" {
		err = c.beginWithTab(ctx, target)
	}
	if err != nil {
		release()
	}
	return release, err
}

// finishTime limits how long a program may take to read the last messages before its connection is
// closed.
const finishTime = time.Second

// close tells the program why its connection ends, and waits, for finishTime at most, until the
// program has closed it as well.
func (c *client) close(code websocket.StatusCode, why error) {
	limit := time.AfterFunc(finishTime, func() { c.socket.Close() }) // otherwise Close waits for 5 s
	defer limit.Stop()
	c.conn.Close(code, briefly(why))
}

// finish waits, for finishTime at most, until the queued frames have been sent to the program.
func (c *client) finish() {
	c.out.finish()
	select {
	case <-c.written:
	case <-time.After(finishTime):
	}
}

// briefly returns the text of an error, shortened for a WebSocket close frame: its reason may have
// 123 bytes.
func briefly(err error) string {
	text := secret.Mask(err.Error())
	return text[:min(len(text), 120)]
}

// read reads and handles the commands of the program, until the connection ends.
func (c *client) read() {
	for {
		_, message, err := c.conn.Read(context.Background()) // its end would close the connection without a close code
		if err != nil {
			c.end(err)
			return
		}
		r, err := parse(message)
		if err != nil {
			c.send(replyFrame(r.ID, "", nil, &failure{-32700, "the message cannot be read: " + err.Error()}))
			continue
		}
		if c.window.enter(c.ctx, r.size) != nil {
			return
		}
		c.handle(&r)
	}
}

// write sends the queued frames. It does not end with the context: cancelling a write would end the
// connection without a close code.
func (c *client) write() {
	defer close(c.written)
	for {
		frame, ok := c.out.take()
		if !ok {
			return
		}
		if err := c.conn.Write(context.Background(), websocket.MessageText, secret.MaskBytes(frame)); err != nil {
			c.end(err)
			return
		}
	}
}

// send adds a frame to the queue for the program. A program that leaves too much unread is
// disconnected. The caller may hold mutexes of the connection to the browser.
func (c *client) send(frame []byte) {
	if !c.out.put(frame) {
		c.end(errSlow)
	}
}

// follow reports changes of the session's tabs to the program, until the connection ends.
func (c *client) follow() {
	err := c.browser.FollowTabs(c.ctx, func([]*browser.Tab) {
		ctx, cancel := context.WithTimeout(c.ctx, waitTime)
		defer cancel()
		c.update(ctx)
	})
	if errors.Is(err, cdp.ErrClosed) {
		c.end(errBrowserGone)
	}
}

// handle carries out a command.
func (c *client) handle(r *request) {
	s := c.session(r.Session)
	switch {
	case s == nil:
		c.answer(r, nil, errNoSession)
	case s.tab != nil:
		c.handleForTab(s, r)
	default:
		c.handleForWhole(s, r)
	}
}

// handleForTab carries out a command for a tab, or for a frame or worker of it.
func (c *client) handleForTab(s *session, r *request) {
	cmd := &command{client: c, session: s, request: r}
	switch err := cmd.pass(); {
	case err == errAnswered:
	case err != nil:
		c.answer(r, nil, err)
	default:
		c.note(s.tab, r)
		c.forward(s, r)
	}
}

// forward sends a command for a tab to the browser unchanged. Input, screenshots and scripts may
// wait for an animation frame, so the tab is painted meanwhile, even behind others in its window
// (see [page.Page.Paint]). The function that gets the reply runs while mutexes of the connection
// are held. The function stop locks the page's mutex, which is not allowed then, so it runs in a
// goroutine of its own.
func (c *client) forward(s *session, r *request) {
	stop := func() {}
	if domain, _, _ := strings.Cut(r.Method, "."); domain == "Input" || domain == "Runtime" || r.Method == "Page.captureScreenshot" {
		stop = s.tab.Page().Paint()
	}
	s.Forward(r.Method, r.Params, maxReply, func(result json.Value, err error) {
		c.forgetPaused(s, r, err)
		c.answer(r, result, err)
		go stop()
	})
}

// answer sends the reply to a command. Mutexes of the connection to the browser may be held.
func (c *client) answer(r *request, result json.Value, err error) {
	c.window.leave(r.size)
	c.send(replyFrame(r.ID, r.Session, result, err))
}

// background runs the function do, which carries out a command, in a goroutine. So the client's
// next commands need not wait.
func (c *client) background(r *request, do func(context.Context) (any, error)) {
	c.work.Go(func() {
		ctx, cancel := context.WithTimeoutCause(c.ctx, waitTime, &failure{refusedCode, r.Method + " took too long"})
		defer cancel()
		result, err := do(ctx)
		raw, is := result.(json.Value) // from the browser, which may be another program's: it is not encoded again
		if err == nil && !is {
			raw = encode(result)
		}
		c.answer(r, raw, err)
	})
}

// waitTime limits how long a command may take that the broker itself carries out.
const waitTime = 30 * time.Second

// call sends a command of the broker itself, and waits for its result.
func call(ctx context.Context, s *cdp.Session, method string, params any) (json.Value, error) {
	type answer struct {
		result json.Value
		err    error
	}
	got := make(chan answer, 1)
	s.Forward(method, encode(params), maxReply, func(result json.Value, err error) { got <- answer{result, err} })
	select {
	case a := <-got:
		return a.result, a.err
	case <-ctx.Done():
		return nil, fmt.Errorf("%s: %w", method, context.Cause(ctx))
	}
}
