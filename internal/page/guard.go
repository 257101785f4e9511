package page

import (
	"context"
	"time"

	"chela/internal/frame"
)

// guardTime is how long the page script guards an element for input that is on
// its way; it disarms itself then.
const guardTime = 2 * time.Second

// shield makes all frames swallow input that lands in them, for a time. Commands
// of a session run in order, so a frame is shielded by the time it answers
// anything sent later: nobody waits for it.
func (p *Page) guardAll(ctx context.Context, lasting time.Duration) {
	for _, w := range p.origins() {
		frame.Send[struct{}](ctx, w, "guardAll", lasting.Milliseconds())
	}
}

// A verdict says where input went.
type verdict struct {
	Seen, Passed bool
	Late         bool   // it came after the deadline, so nothing got it
	Slipped      bool   // the element got the press, but it moved away before the click
	Held         bool   // the press made the page render: the same click is to be sent again
	By           string // what it met instead

	Changes changes // in the documents of the element's origin
}

// verdict ends the guards of all frames and says where the input went. The
// other frames are waited for only when it did not come to the element's. When
// the page is leaving since then, the answer is errWorldGone.
func (e *Element) verdict(ctx context.Context, since int) (verdict, error) {
	w, err := e.world(ctx)
	if err != nil {
		return verdict{}, frame.ErrGone
	}
	own := frame.Send[verdict](ctx, w, "verify")
	others := e.page.endGuards(ctx, true)
	if err := e.taken(ctx, own.Done(), since); err != nil {
		return verdict{}, err
	}
	v, err := own.Wait(ctx)
	e.page.recordChanges(w, v.Changes)
	if err != nil || v.Seen {
		return v, err
	}
	soon, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for _, other := range others {
		if met, err := other.Wait(soon); err == nil && met.Seen {
			v.By = met.By
		}
	}
	return v, nil
}

// taken waits until the page has answered, or is leaving for another document:
// Chromium then holds back all answers until that is there.
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

// lower ends the guards of all frames, but with keepHeld not one that holds a
// press, and says where input came meanwhile.
func (p *Page) endGuards(ctx context.Context, keepHeld bool) []frame.Answer[verdict] {
	var verdicts []frame.Answer[verdict]
	for _, w := range p.origins() {
		verdicts = append(verdicts, frame.Send[verdict](ctx, w, "unguardAll", keepHeld))
	}
	return verdicts
}
