package page

import (
	"context"
	"errors"
	"time"

	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/runtime"

	"chela/internal/engine/cdp"
	"chela/internal/engine/frame"
)

// busyAfter is how long a page may take to answer before it counts as busy with its own scripts.
// An idle page answers within some milliseconds.
const busyAfter = 250 * time.Millisecond

// AwaitAnswer waits until the main frame answers and is not blocked by a script of the page. The
// error is the cause of ctx.
func (p *Page) AwaitAnswer(ctx context.Context) error {
	select {
	case <-p.Ping():
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Ping returns a channel that is closed when the main frame answers and is not blocked by a script
// of the page.
func (p *Page) Ping() <-chan struct{} { return ping(p.session) }

// IsBusy reports whether the main frame does not answer within busyAfter.
func (p *Page) IsBusy() bool { return !isDoneWithin(busyAfter, p.Ping()) }

// Awake waits until the main frame answers, see awake.
func (p *Page) Awake(ctx context.Context) error { return p.awake(ctx, p.main()) }

// awake waits until a frame answers. It also ends input guards (guard.go) that an act without an
// answer has left in the documents. It is called before input that names no element: keys,
// coordinates and scripts of the caller. Without the wait, a busy page would handle such input
// after its call was answered with ErrBusy.
func (p *Page) awake(ctx context.Context, f *frame.Frame) error { return p.wake(ctx, f, false) }

// takesInput waits until the main frame answers, as awake does, before keys or mouse events are
// sent. In a browser that chela has not started, it also waits until the document has been painted:
// see firstPainted in ready.js.
func (p *Page) takesInput(ctx context.Context) error { return p.wake(ctx, p.main(), p.isLent()) }

func (p *Page) wake(ctx context.Context, f *frame.Frame, painted bool) error {
	for {
		w, err := p.worldOf(ctx, f)
		if err != nil {
			return err
		}
		sendToAllBut[struct{}](ctx, p, w, "unguardAll", false)
		_, err = frame.Call[struct{}](describingFocus(ctx), w, "wake", map[string]any{"painted": painted, "by": ScriptDeadline(ctx)})
		if errors.Is(err, frame.ErrEnded) {
			continue // a call that changes nothing can be repeated
		}
		if !errors.Is(err, frame.ErrGone) {
			return err
		}
		if err := p.awaitReplaced(ctx, f, w); err != nil {
			return err
		}
	}
}

// awaitReplaced waits until the frame has another world than w, or has been removed. A command has
// already failed because w is gone, but the event that says so may come later.
func (p *Page) awaitReplaced(ctx context.Context, f *frame.Frame, w *frame.World) error {
	return p.await(ctx, func() bool { return f.World != w || !p.frames.Has(f) })
}

// Unstick ends a script that keeps a page from answering for 250 ms. It does nothing if the channel
// done is closed before. It reports whether it has ended a script. It is called when a navigation
// or the closing of the tab would have to wait for the script.
func (p *Page) Unstick(ctx context.Context, done <-chan struct{}) (ended bool) {
	ping := ping(p.session)
	timer := time.NewTimer(busyAfter)
	defer timer.Stop()
	select {
	case <-done:
	case <-ctx.Done():
	case <-ping:
	case <-timer.C:
		terminate(p.session)
		return true
	}
	return false
}

// interruptScript ends the script that keeps a session's page busy, unless the page answers within
// the time of margin. If the page answers, nothing is sent: Runtime.terminateExecution would then
// end the next script that runs.
func interruptScript(s *cdp.Session) {
	timer := time.NewTimer(margin)
	defer timer.Stop()
	select {
	case <-ping(s):
	case <-timer.C:
		terminate(s)
	}
}

// ping returns a channel that is closed when the session's page answers.
func ping(s *cdp.Session) <-chan struct{} {
	return cdp.Send(s, runtime.Evaluate, runtime.EvaluateParams{Expression: "0"}).Done()
}

// terminate ends the running script. If none runs, V8 ends the next script instead. So a ping
// follows: V8 then ends the ping, and not a script that is needed.
func terminate(s *cdp.Session) {
	cdp.Send(s, runtime.TerminateExecution, protocol.Empty{})
	ping(s)
}
