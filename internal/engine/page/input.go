package page

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"

	proto "github.com/chromedp/cdproto/cdp"

	"chela/internal/engine/cdp"
	"chela/internal/engine/frame"
	"chela/internal/engine/keys"
)

// awaitHandled waits until the browser has handled input that was sent. If the input has closed the
// tab, or the frame has left its process, the input counts as handled.
func awaitHandled(ctx context.Context, replies []*cdp.Reply[proto.Empty]) error {
	for _, r := range replies {
		_, err := r.Wait(ctx)
		if errors.Is(err, ErrClosed) || errors.Is(err, cdp.ErrDetached) {
			return nil
		}
		if err != nil {
			return withSentIfBusy(frame.Failure(ctx, err))
		}
	}
	return nil
}

// withSentIfBusy adds ErrSent to the error of input that was sent, if the page may still handle the
// input, or has handled it. The page did not answer in time, or the process of a frame crashed. Or
// the turn was interrupted, for example by the end of the tab.
func withSentIfBusy(err error) error {
	if interrupts(err) || errors.Is(err, ErrBusy) || errors.Is(err, ErrFrameCrashed) {
		return withSent(err)
	}
	return err
}

// checkTime returns the cause of ctx if it has expired. It is called before input is sent: Chromium
// handles the input even if ctx ends, and nothing may happen after the call's answer.
func checkTime(ctx context.Context) error {
	if !frame.Expired(ctx) {
		return nil
	}
	return cmp.Or(context.Cause(ctx), context.DeadlineExceeded)
}

// ErrSent comes with another error if input had been sent before that error. The input may have had
// its effect, so the caller must not just try again.
var ErrSent = errors.New("the input was sent")

// A Press is one press of a mouse button or of keys, as it was sent to the page.
type Press struct {
	At   *Point // where the mouse was, in CSS pixels of the viewport; nil: keys were pressed
	Keys string // the keys, as in "Control+A"; "" if the mouse was pressed
}

// OnPress calls the function report for each press, until stop is called. It leaves out keys that
// type text: the page shows the text in the field, unless that is secret. The function is called in
// the goroutine of the act, so it must not wait.
func (p *Page) OnPress(report func(Press)) (stop func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.pressListeners == nil {
		p.pressListeners = map[*func(Press)]struct{}{}
	}
	p.pressListeners[&report] = struct{}{}
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.pressListeners, &report)
	}
}

// reportKeys reports that a chord is pressed, unless it types text.
func (p *Page) reportKeys(chord keys.Chord) {
	if !chord.TypesText() {
		p.reportPress(Press{Keys: chord.String()})
	}
}

func (p *Page) reportPress(press Press) {
	p.mu.Lock()
	listeners := slices.Collect(maps.Keys(p.pressListeners))
	p.mu.Unlock()
	for _, report := range listeners {
		(*report)(press)
	}
}
