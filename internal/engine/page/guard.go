package page

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"chela/internal/engine/frame"
	"chela/internal/reading/pagejs"
)

// Input is sent with coordinates, not with a target. The page script computes a point of an
// element, and Chromium dispatches the input there a moment later. In between, the page may move
// something else to that point. A click would then press what the caller did not mean. So the page
// script guards the element with listeners on the window, which run before those of the page. The
// listeners stop a trusted event whose target is another element. See guard.js.
//
// The event may also go to another frame, perhaps in another process. So while one document expects
// input, the documents of all other origins are guarded against any input. The verdict says where
// the input went: to the element, to something else (then the guard has stopped it), or nowhere
// yet.

// guardAfter is how long a guard goes on after the deadline of its call, for input that is still on
// its way. It then ends by itself, so that a document does not keep blocking its user's input if
// chela dies.
const guardAfter = 2 * time.Second

// guardTime returns how long a guard lasts that begins now. It does not end before the deadline. If
// it did, a page could get late input that the guard has not seen, and the input would be sent again.
func guardTime(ctx context.Context) time.Duration { return remaining(ctx) + guardAfter }

// guardAll guards the documents of all frames for a time, against the wheel, or against buttons and
// keys. It does not wait. Commands of a session run in order, so a frame is guarded before it
// answers the commands that the act sends later.
func (p *Page) guardAll(ctx context.Context, lasting time.Duration, wheel bool) {
	sendToOrigins[struct{}](ctx, p, "guardAll", lasting.Milliseconds(), wheel)
}

// guardOthers guards the documents of all origins but that of the element's document, against
// buttons and keys. It waits until they are guarded, for busyAfter at most.
func (e *Element) guardOthers(ctx context.Context) {
	soon, cancel := context.WithTimeout(ctx, busyAfter)
	defer cancel()
	for _, answer := range sendToOthers[struct{}](ctx, e, "guardAll", guardTime(ctx).Milliseconds(), false) {
		answer.Wait(soon)
	}
}

// unguardOthers ends what guardOthers has begun. It returns what whatWasMet returns.
func (e *Element) unguardOthers(ctx context.Context) (by string) {
	return whatWasMet(ctx, sendToOthers[verdict](ctx, e, "unguardAll", false))
}

// whatWasMet waits for the verdicts of documents that must get no input, for busyAfter at most. If
// input came to one of them, the result describes the element there that it was for; otherwise it is "".
func whatWasMet(ctx context.Context, verdicts []frame.Answer[verdict]) (by string) {
	soon, cancel := context.WithTimeout(ctx, busyAfter)
	defer cancel()
	for _, each := range verdicts {
		if v, err := each.Wait(soon); err == nil && v.Seen {
			return v.By
		}
	}
	return ""
}

// A verdict is what a document's guard reports about the input that was sent.
type verdict struct {
	Seen   bool   // the document got the input
	Passed bool   // the input was for the guarded element, and the page got it
	Late   bool   // the input came after the deadline, so the page did not get it
	Partly bool   // of several keys, the page got the first
	Held   bool   // the press made the page render, so the guard kept the release: send the click again (hold.js)
	By     string // the other element that the input, or a later press of it, would have reached; "": none
	ByRef  int    // number of that element, if it is in the guarded element's document and has a number

	Missing pagejs.Missing // what a click lacks that the element got: Slipped, Unclicked or Reclosed; "": nothing

	Changes changes // changes in the documents of the element's origin
}

// takeVerdict ends the input guards of all frames and returns which element the input reached. It
// asks all frames at once, in one round trip. If the input did not reach the element's frame, the
// other frames say which of their elements it reached.
//
// If the element's frame, or one around it, has begun to load another document after the mark, the
// error is frame.ErrGone. Most likely the input caused that load. If a load that had begun before
// has replaced the document, nobody knows whether the page got the input. Then the error is a
// [StaleRefError] with ErrSent.
func (e *Element) takeVerdict(ctx context.Context, before inputMark) (verdict, error) {
	return e.awaitVerdict(ctx, frame.Send[verdict](ctx, before.world, "takeVerdict"), before)
}

// An inputMark is taken just before input is sent to an element, and after all waits for the
// element. If the element's document is replaced later, the mark tells whether the input can be the
// cause.
type inputMark struct {
	world       *frame.World // the element's document
	navigations int          // the navigationMark
	leaving     bool         // the element's frame, or one around it, was already loading another document
}

// inputMark takes the mark. The parameter w is the document in which the element was found and
// guarded. If the frame has another document by now, the input must not be sent: that document has
// no guard. Then the guards of the others are ended, and the error is a [StaleRefError].
func (e *Element) inputMark(ctx context.Context, w *frame.World) (inputMark, error) {
	p := e.page
	p.mu.Lock()
	leaving := p.leavingLocked(e.frame, 0)
	p.mu.Unlock()
	mark := inputMark{w, p.navigationMark(), leaving}
	if p.ourWorld(e.frame.ID) != w {
		p.endGuards(ctx, false) // no input follows
		return mark, e.stale()
	}
	return mark, nil
}

// hasLeft reports whether the element's document has been replaced, or has begun to be, since the
// mark. Further input must not be sent then. takeVerdict says the same about what was sent.
func (e *Element) hasLeft(before inputMark) bool { return e.page.hasLeft(e.frame, before) }

func (p *Page) hasLeft(f *frame.Frame, before inputMark) bool {
	if p.ourWorld(f.ID) != before.world {
		return true
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.leavingLocked(f, before.navigations)
}

// unguardFrame ends the guards of input to an iframe element, since the content of the iframe gets
// that input. If the element's document is being replaced, the input must not be sent: the next
// document has no guard. Then the error is a [StaleRefError].
func (e *Element) unguardFrame(ctx context.Context, before inputMark) error {
	_, err := e.takeVerdict(ctx, before)
	if _, replaced := errors.AsType[*StaleRefError](err); replaced || errors.Is(err, frame.ErrGone) {
		return e.stale() // the error of takeVerdict is about input that was sent
	}
	return err
}

// gone returns the error of input whose document is gone: see takeVerdict.
func (e *Element) gone(before inputMark) error {
	e.page.mu.Lock()
	earlier := before.leaving && !e.page.leavingLocked(e.frame, before.navigations)
	e.page.mu.Unlock()
	if earlier {
		return withSent(e.stale())
	}
	return frame.ErrGone
}

// clickAndTakeVerdict calls send, which sends the click c, and then takes the verdict. It also
// returns the error of send.
//
// For a plain click, it does not wait for the reply to the release before it asks for the verdict.
// That saves most of a round trip. It asks when Chromium has replied to the press: send then calls
// pressed. Mostly the page has handled the click when it gets the question. If not, awaitClick waits
// for the click. A page that removes the element on the press gets no click. So endClick ends the
// wait soon after the reply to the release.
func (e *Element) clickAndTakeVerdict(ctx context.Context, c Click, before inputMark, send func(pressed func()) error) (v verdict, sent, err error) {
	if !c.isPlain() {
		sent = send(func() {})
		v, err = e.takeVerdict(ctx, before)
		return v, sent, err
	}
	var own frame.Answer[verdict]
	ask := sync.OnceFunc(func() { own = frame.Send[verdict](ctx, before.world, "awaitClick") })
	sent = send(ask)
	ask()
	if !isDoneWithin(answerTime, own.Done()) {
		frame.Send[struct{}](ctx, before.world, "endClick")
	}
	v, err = e.awaitVerdict(ctx, own, before)
	return v, sent, err
}

// awaitVerdict waits for own, the verdict of the element's document, which was asked for. It also
// ends the guards of the other frames. It returns what takeVerdict returns.
func (e *Element) awaitVerdict(ctx context.Context, own frame.Answer[verdict], before inputMark) (verdict, error) {
	others := sendToOthers[verdict](ctx, e, "unguardAll", true)
	v, err := awaitTaken(ctx, e, own, before)
	e.page.recordChanges(before.world, v.Changes)
	if err != nil || v.Seen {
		return v, err
	}
	v.By = cmp.Or(whatWasMet(ctx, others), v.By)
	return v, nil
}

// awaitTaken waits for the answer of the element's document to input that was sent. If the
// element's frame begins to load another document before that, it does not wait any longer. While a
// document is replaced, Chromium delays the answers of its scripts until the new document is there.
// With a slow server, waiting for them could use up the deadline of the call. The errors are
// explained at takeVerdict.
func awaitTaken[T any](ctx context.Context, e *Element, answer frame.Answer[T], before inputMark) (result T, err error) {
	leaving := false
	err = e.page.awaitOr(ctx, answer.Done(), func() bool {
		leaving = e.page.leavingLocked(e.frame, before.navigations)
		return leaving
	})
	if leaving {
		return result, frame.ErrGone
	}
	if err != nil {
		return result, frame.Failure(ctx, err)
	}
	if result, err = answer.Wait(ctx); errors.Is(err, frame.ErrGone) {
		err = e.gone(before)
	}
	return result, err
}

// whileStaying returns a context that also ends when the element's frame begins to load another
// document after the mark, see until. It is for calls of the page script that follow input: see
// awaitTaken. The caller must call cancel.
func (e *Element) whileStaying(ctx context.Context, before inputMark) (staying context.Context, cancel func()) {
	return e.page.until(ctx, func() bool { return e.page.leavingLocked(e.frame, before.navigations) })
}

// missed returns the error of an act whose input the page did not get. Either the input came after
// the deadline, as the page was busy, or it would have reached another element. ErrSent comes with it if
// the page got a part of the input.
func (e *Element) missed(act string, v verdict) error {
	err := e.failure(report{Missing: MissedInput, By: v.By, ByRef: v.ByRef})
	if v.Late {
		err = fmt.Errorf("%s: %w", act, ErrBusy)
	}
	if v.Partly {
		return withSent(err)
	}
	return err
}

// endGuards ends the guards of all frames. If keepHeld is true, a guard that keeps back the release
// of a click stays (hold.js). The verdicts say where input went while the guards were active; the
// caller need not wait for them.
func (p *Page) endGuards(ctx context.Context, keepHeld bool) []frame.Answer[verdict] {
	return sendToOrigins[verdict](ctx, p, "unguardAll", keepHeld)
}
