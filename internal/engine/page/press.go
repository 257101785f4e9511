package page

import (
	"maps"
	"slices"

	"chela/internal/engine/keys"
)

// A Press is one press of a mouse button or of keys, as it was sent to the page.
type Press struct {
	At   *Point // where the mouse was, in CSS pixels of the viewport; nil: keys were pressed
	Keys string // as in "Control+A"
}

// OnPress calls report for each press until stop is called. It leaves out keys that type text: the
// page shows the text in the field, unless that is secret. The function is called in the goroutine
// of the act, so it must not wait.
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

// reportKeys reports that a chord is pressed.
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
