package page

import (
	"context"
	"errors"
	"time"

	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/runtime"

	"chela/internal/cdp"
	"chela/internal/frame"
)

// patience is how long a page may take to answer before it counts as busy with itself.
const patience = 250 * time.Millisecond

// awake waits until a frame answers, and ends the guards that are left of an
// act that got no answer. What would be sent to a busy page before would take
// effect when its call has long been answered.
func (p *Page) awake(ctx context.Context, f *frame.Frame) error {
	for {
		w, err := p.worldOf(ctx, f)
		if err != nil {
			return err
		}
		p.endGuards(ctx, false)
		if _, err = frame.Call[verdict](ctx, w, "verify"); !errors.Is(err, frame.ErrGone) {
			return err
		}
		if err := p.replaced(ctx, f, w); err != nil {
			return err
		}
	}
}

// replaced waits until w, which has gone, is not the frame's world any more.
func (p *Page) replaced(ctx context.Context, f *frame.Frame, w *frame.World) error {
	return p.await(ctx, func() bool { return f.World != w || !p.frames.Has(f) })
}

// Unstick ends the script of a page that does not answer, so that it can not
// hold up what leads away from it, unless that is done before.
func (p *Page) Unstick(ctx context.Context, done <-chan struct{}) {
	ping := ping(p.session)
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case <-done:
	case <-ctx.Done():
	case <-ping:
	case <-timer.C:
		terminate(p.session)
	}
}

// interruptScript ends the script that keeps a session's page busy. It takes a
// moment to see whether there is one: sent to an idle page, the command would
// end whatever ran there next.
func interruptScript(s *cdp.Session) {
	timer := time.NewTimer(margin)
	defer timer.Stop()
	select {
	case <-ping(s):
	case <-timer.C:
		terminate(s)
	}
}

// ping returns what is closed when the session's page answers.
func ping(s *cdp.Session) <-chan struct{} {
	return cdp.Send(s, runtime.Evaluate, runtime.EvaluateParams{Expression: "0"}).Done()
}

// terminate ends the script that runs. When none does, what runs next would be
// ended: that is ours then.
func terminate(s *cdp.Session) {
	cdp.Send(s, runtime.TerminateExecution, protocol.Empty{})
	ping(s)
}
