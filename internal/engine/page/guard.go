package page

import (
	"context"
	"time"

	"chela/internal/engine/frame"
)

// Input that we send has coordinates, not a target. Between the moment when the page
// script has computed a point of an element and the moment when Chromium dispatches
// the input there, the page may have moved something else to that point, and a click
// would press what the caller did not mean. So the page script guards the element: its
// listeners on the window, which come before those of the page, stop a trusted event
// that is for another element. See guard.js.
//
// The event may also go to another frame, which may be in another process. So the
// documents of all origins are guarded against any input while one of them expects it.
// The verdict says where the input went: to the element, to something else that was
// kept from it, or nowhere yet.

// guardTime is how long a guard lasts for input that is on its way. It ends by
// itself then, so that a document never stays deaf to its user when we have died.
const guardTime = 2 * time.Second

// guardAll guards the documents of all frames against any input for a time: against
// the wheel, or against buttons and keys. It does not wait: commands of a session run in
// order, so a frame is guarded by the time it answers anything that is sent later, and
// the act sends ready or verify there.
func (p *Page) guardAll(ctx context.Context, lasting time.Duration, wheel bool) {
	sendToOrigins[struct{}](ctx, p, "guardAll", lasting.Milliseconds(), wheel)
}

// A verdict is what a document's guard says of the input that was sent.
type verdict struct {
	Seen    bool   // the document got it
	Passed  bool   // it was for the guarded element, and the page got it
	Late    bool   // it came after the deadline, so the page did not get it
	Slipped bool   // the element got the press, but it moved away before the click
	Held    bool   // the press made the page render: the same click is to be sent again
	By      string // what it was for, if not for the element
	ByRef   int    // its ref, if it is in the element's document and has one

	Changes changes // in the documents of the element's origin
}

// verdict ends the guards of all frames and returns where the input went. All are
// asked at once, so this is one round trip. The answers of the other frames count
// only when the input did not come to the element's: they say what got it then. If
// the document begins to be replaced, by a navigation later than the mark since, the
// error is frame.ErrGone: it got the input, as that is what made it leave.
func (e *Element) verdict(ctx context.Context, since int) (verdict, error) {
	w, err := e.world(ctx)
	if err != nil {
		return verdict{}, frame.ErrGone
	}
	own := frame.Send[verdict](ctx, w, "verify")
	others := sendToOthers[verdict](ctx, e, "unguardAll", true)
	if err := e.taken(ctx, own.Done(), since); err != nil {
		return verdict{}, err
	}
	v, err := own.Wait(ctx)
	e.page.recordChanges(w, v.Changes)
	if err != nil || v.Seen {
		return v, err
	}
	soon, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	for _, other := range others {
		if met, err := other.Wait(soon); err == nil && met.Seen {
			v.By = met.By
		}
	}
	return v, nil
}

// taken waits until the page has answered, or begins to load another document.
// While a document is replaced, Chromium holds back the answers of its scripts until
// the new one is there; a slow server would take the whole time of the call.
func (e *Element) taken(ctx context.Context, answered <-chan struct{}, since int) error {
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

// endGuards ends the guards of all frames, but with keepHeld not one that holds a
// press. The answers say where input came meanwhile; they need not be waited for.
func (p *Page) endGuards(ctx context.Context, keepHeld bool) []frame.Answer[verdict] {
	return sendToOrigins[verdict](ctx, p, "unguardAll", keepHeld)
}
