package page

import (
	"context"
	"slices"
	"sync"

	"chela/internal/engine/frame"
)

// reasons collects why an element is not ready, while a function of the page script waits for it.
// The function ends a margin before the deadline and answers what was still missing. On a loaded
// machine, that answer may still come too late. The caller would then read that the page is busy,
// although a button stayed disabled. So the page is also asked while the function waits: when half
// of the time is over, and again at half of the rest. A wait that ends sooner costs no additional
// message.
type reasons struct {
	*halving
	element *Element

	mu    sync.Mutex // guards the rest
	asked []frame.Answer[report]
}

// askReasons begins to ask the page why the element is not ready for input. It asks in the world of
// the element's document.
func (e *Element) askReasons(ctx context.Context, w *frame.World) *reasons {
	r := &reasons{element: e}
	r.halving = atHalves(ctx, func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.asked = append(r.asked, frame.Send[report](ctx, w, "lastMissing", e.ref.Number))
	})
	return r
}

// failure returns the last reason that the page has answered, as an error; nil if it has answered
// none.
func (r *reasons) failure(ctx context.Context) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := len(r.asked) - 1; i >= 0; i-- {
		select {
		case <-r.asked[i].Done():
		default:
			continue
		}
		if lacks, err := r.asked[i].Wait(ctx); err == nil && lacks.Missing != "" {
			return r.element.failure(lacks)
		}
	}
	return nil
}

// pings find out whether a page answers at all, while a call waits for something that the page
// shows. They are sent at the same times as the questions of [reasons].
type pings struct {
	*halving

	mu   sync.Mutex // guards the rest
	sent []<-chan struct{}
}

func (p *Page) sendPings(ctx context.Context) *pings {
	s := &pings{}
	s.halving = atHalves(ctx, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.sent = append(s.sent, ping(p.session))
	})
	return s
}

// answered reports whether the page has answered a ping.
func (s *pings) answered() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.ContainsFunc(s.sent, func(done <-chan struct{}) bool {
		select {
		case <-done:
			return true
		default:
			return false
		}
	})
}
