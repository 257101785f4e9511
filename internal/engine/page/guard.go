package page

import (
	"context"
	"time"

	"chela/internal/engine/frame"
)

// Input that we send has coordinates, not a target. The page script computes a point of an element,
// and Chromium dispatches the input there a moment later. In between, the page may move something
// else to that point, and a click would press what the caller did not mean. So the page script
// guards the element. Its listeners on the window run before those of the page, and stop a trusted
// event that is for another element. See guard.js.
//
// The event may also go to another frame, perhaps in another process. So the documents of all
// origins are guarded against any input while one of them expects it. The verdict says where the
// input went: to the element, to something else that was kept from it, or nowhere yet.

// guardTime is how long a guard lasts for input that is on its way. It then ends by itself, so that
// a document does not keep blocking its user's input if chela dies.
const guardTime = 2 * time.Second

// guardAll guards the documents of all frames for a time, against the wheel, or against buttons and
// keys. It does not wait: commands of a session run in order. So a frame is guarded by the time it
// answers anything sent later. The act sends ready or takeVerdict there.
func (p *Page) guardAll(ctx context.Context, lasting time.Duration, wheel bool) {
	sendToOrigins[struct{}](ctx, p, "guardAll", lasting.Milliseconds(), wheel)
}

// A verdict is what a document's guard reports about the input that was sent.
type verdict struct {
	Seen    bool   // the document got it
	Passed  bool   // it was for the guarded element, and the page got it
	Late    bool   // it came after the deadline, so the page did not get it
	Slipped bool   // the element got the press, but moved away before the click
	Held    bool   // the press made the page render: send the same click again
	By      string // what it was for, if it was not for the element
	ByRef   int    // its ref, if it is in the element's document and has one

	Changes changes // in the documents of the element's origin
}

// takeVerdict ends the guards of all frames and returns where the input went. It asks all frames at
// once, in one round trip. If the input did not reach the element's frame, the answers of the other
// frames say what it was for. The error is frame.ErrGone if another document began to load in the
// element's frame, or in one around it, after the mark since. Most likely the input caused that.
func (e *Element) takeVerdict(ctx context.Context, since int) (verdict, error) {
	w, err := e.world(ctx)
	if err != nil {
		return verdict{}, frame.ErrGone
	}
	own := frame.Send[verdict](ctx, w, "takeVerdict")
	others := sendToOthers[verdict](ctx, e, "unguardAll", true)
	if err := e.awaitTaken(ctx, own.Done(), since); err != nil {
		return verdict{}, err
	}
	v, err := own.Wait(ctx)
	e.page.recordChanges(w, v.Changes)
	if err != nil || v.Seen {
		return v, err
	}
	soon, cancel := context.WithTimeout(ctx, busyAfter)
	defer cancel()
	for _, other := range others {
		if met, err := other.Wait(soon); err == nil && met.Seen {
			v.By = met.By
		}
	}
	return v, nil
}

// awaitTaken waits until the page has answered, or begins to load another document. While a
// document is replaced, Chromium delays the answers of its scripts until the new one is there. With
// a slow server that could use up the deadline of the call.
func (e *Element) awaitTaken(ctx context.Context, answered <-chan struct{}, since int) error {
	leaving := false
	err := e.page.awaitOr(ctx, answered, func() bool {
		leaving = e.page.leavingLocked(e.frame, since)
		return leaving
	})
	if leaving {
		return frame.ErrGone
	}
	return frame.Failure(ctx, err)
}

// endGuards ends the guards of all frames. With keepHeld it keeps a guard that holds a press. The
// answers say where input came meanwhile; they need not be waited for.
func (p *Page) endGuards(ctx context.Context, keepHeld bool) []frame.Answer[verdict] {
	return sendToOrigins[verdict](ctx, p, "unguardAll", keepHeld)
}
