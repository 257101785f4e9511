package video

import (
	"sync"
	"time"

	"chela/internal/engine/page"
	"chela/internal/wall/secret"
)

// How long the marks of a press are shown.
const (
	ringTime    = 600 * time.Millisecond  // a ring at the position of the mouse
	captionTime = 1500 * time.Millisecond // the names of the pressed keys
)

// maxRings limits the rings on one picture. A further ring replaces the oldest one.
const maxRings = 8

// marks are what is drawn on a picture to show mouse and keys.
type marks struct {
	Rings []ring `json:"rings"` // where the mouse was pressed
	Keys  string `json:"keys"`  // the keys that were pressed last
}

// A ring shows where the mouse was pressed.
type ring struct {
	X     float64   `json:"x"` // share of the picture's width, from 0 at the left to 1 at the right
	Y     float64   `json:"y"` // share of its height, from 0 at the top to 1 at the bottom
	until time.Time // when it disappears
}

// input has the marks of recent presses. The goroutines of acts add marks, and the goroutine of the
// video reads them.
type input struct {
	more chan struct{} // has a value if there may be a new mark

	mu      sync.Mutex // guards the rest
	size    page.Point // size of the viewport, in CSS pixels; zero: not known yet
	rings   []ring
	keys    string    // names of the keys that were pressed last
	keysEnd time.Time // when the caption with keys disappears
}

func newInput() *input { return &input{more: make(chan struct{}, 1)} }

// resize sets the size of the viewport, in CSS pixels.
func (i *input) resize(width, height int) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.size = page.Point{X: float64(width), Y: float64(height)}
}

// press adds the mark of a press.
func (i *input) press(p page.Press) {
	i.mu.Lock()
	defer i.mu.Unlock()
	now := time.Now()
	switch {
	case i.size == page.Point{}:
		return // there is no picture yet
	case p.At == nil:
		i.keys, i.keysEnd = secret.Mask(p.Keys), now.Add(captionTime)
	default:
		i.rings = append(i.rings[max(0, len(i.rings)-maxRings+1):], ring{p.At.X / i.size.X, p.At.Y / i.size.Y, now.Add(ringTime)})
	}
	select {
	case i.more <- struct{}{}:
	default:
	}
}

// shown returns the marks for a picture that is drawn now, and when the first of them disappears. The
// time is zero if there are none.
func (i *input) shown(now time.Time) (m marks, ends time.Time) {
	i.mu.Lock()
	defer i.mu.Unlock()
	for len(i.rings) > 0 && !i.rings[0].until.After(now) {
		i.rings = i.rings[1:]
	}
	if len(i.rings) > 0 {
		m.Rings, ends = append(m.Rings, i.rings...), i.rings[0].until
	}
	if i.keysEnd.After(now) {
		m.Keys = i.keys
		if ends.IsZero() || i.keysEnd.Before(ends) {
			ends = i.keysEnd
		}
	}
	return m, ends
}
