package video

import (
	"sync"
	"time"

	"chela/internal/engine/page"
	"chela/internal/wall/secret"
)

// How long the marks of a press are shown.
const (
	ringTime    = 600 * time.Millisecond
	captionTime = 1500 * time.Millisecond
)

// maxRings limits the rings on one picture. The oldest makes room.
const maxRings = 8

// marks are drawn on a picture.
type marks struct {
	Rings []ring `json:"rings"` // where the mouse was pressed
	Keys  string `json:"keys"`  // the keys that were pressed last
}

// A ring shows where the mouse was pressed.
type ring struct {
	X     float64   `json:"x"` // as a part of the picture's width: 0 is left, 1 is right
	Y     float64   `json:"y"`
	until time.Time // when it disappears
}

// input is what was pressed of late. The goroutines of acts add to it, and the video's reads it.
type input struct {
	more chan struct{} // has a value if there may be a new mark

	mu      sync.Mutex // guards the rest
	size    page.Point // of the viewport, in CSS pixels; zero: not known yet
	rings   []ring
	keys    string
	keysEnd time.Time // when the caption disappears
}

func newInput() *input { return &input{more: make(chan struct{}, 1)} }

// resize says how large the viewport is.
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

// shown returns the marks for a picture of now, and when the first of them disappears; zero if there
// is none.
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
