package page

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/chromedp/cdproto/input"

	"chela/internal/engine/keys"
)

// held lists the keys and mouse buttons that a caller has pressed and not released. They are
// released when the tab navigates, when a person takes it over or stops all agents, and heldTimeout
// after the last act. Keys are also released when a dialog opens: the page takes no input then, so
// the act that releases them cannot be done. Chromium would keep them down for ever, even for the
// next caller. Each click would then be made with Shift, or each move would be a drag.
type held struct {
	keys    []keys.Stroke // in the order in which they were pressed
	buttons []Button
	at      point         // where the mouse is
	last    buttonEvent   // the last press, or its release
	moves   int           // how often the mouse was moved, pressed or released
	expire  *time.Timer   // releases what is held; nil during an act, and if nothing is held
	timeout time.Duration // heldTimeout, except in tests
}

// heldTimeout is how long keys and buttons stay down after the last act on the tab.
const heldTimeout = 30 * time.Second

// KeyDown presses the keys of a chord and leaves them down. Modifier keys among them apply to the
// acts that follow. Errors are the same as for [Page.Press].
func (p *Page) KeyDown(ctx context.Context, chord keys.Chord) error {
	return p.changeHeld(ctx, chord, (*held).press)
}

// KeyUp releases the keys of a chord, the last one first. It also releases a key that is not down:
// the page may wait for that. Errors are the same as for [Page.Press].
func (p *Page) KeyUp(ctx context.Context, chord keys.Chord) error {
	return p.changeHeld(ctx, chord, (*held).release)
}

// changeHeld presses or releases the keys of a chord, by the given function of held, and sends the
// key events.
func (p *Page) changeHeld(ctx context.Context, chord keys.Chord, change func(*held, keys.Chord) []input.DispatchKeyEventParams) error {
	if err := p.takesInput(ctx); err != nil {
		return err
	}
	if err := checkTime(ctx); err != nil {
		return err
	}
	p.mu.Lock()
	events := change(&p.held, chord)
	replies := p.sendKeys(events) // with mu held, so that the events are sent in the order of the changes
	p.mu.Unlock()
	return awaitHandled(ctx, replies)
}

// press records that the keys of a chord are down, and returns the events that press them.
func (h *held) press(chord keys.Chord) (events []input.DispatchKeyEventParams) {
	for _, s := range chord {
		s = s.While(h.modifiers())
		down := s.Down()
		if again := h.index(s) >= 0; again {
			down.AutoRepeat = &again // a keyboard repeats a key that stays down
		} else {
			h.keys = append(h.keys, s)
		}
		events = append(events, down)
	}
	return events
}

// release records that the keys of a chord are up, and returns the events that release them.
func (h *held) release(chord keys.Chord) (events []input.DispatchKeyEventParams) {
	for _, s := range slices.Backward(chord) {
		if i := h.index(s); i >= 0 {
			h.keys = slices.Delete(h.keys, i, i+1)
		}
		events = append(events, s.While(h.modifiers()).Up())
	}
	return events
}

// modifiers returns the modifier keys that are down.
func (h *held) modifiers() keys.Modifiers { return keys.Chord(h.keys).Modifiers() }

// index returns the index of a key in h.keys, or -1 if it is not held.
func (h *held) index(s keys.Stroke) int {
	return slices.IndexFunc(h.keys, func(other keys.Stroke) bool { return other.SameKey(s) })
}

// holdButtonLocked records that a mouse button was pressed at a point.
func (p *Page) holdButtonLocked(b Button, at point) {
	p.held.at = at
	if !slices.Contains(p.held.buttons, b) {
		p.held.buttons = append(p.held.buttons, b)
	}
}

// A HeldError says that a mouse button is held, see [Page.MouseDown]. A page takes no press for a click or a drag then:
// the mouse already drags, or the press makes no pointerdown.
type HeldError struct{ Button Button }

func (e *HeldError) Error() string { return fmt.Sprintf("the %s mouse button is held", e.Button) }

// checkReleased returns a [HeldError] if a mouse button is held.
func (p *Page) checkReleased() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.held.buttons) > 0 {
		return &HeldError{p.held.buttons[0]}
	}
	return nil
}

// A buttonEvent is a press of a mouse button. When the button is released, only the time changes.
type buttonEvent struct {
	button Button
	at     point     // where the press was
	count  int64     // which click of a double or triple click it is: 1 to 3
	when   time.Time // when the event was sent
}

// The limits within which a press continues a double or triple click, as on most systems.
const (
	multiClickTime     = 500 * time.Millisecond
	multiClickDistance = 4 // in CSS pixels
)

// nextClick returns which click of a double or triple click a press would be now.
func (h *held) nextClick(b Button) int64 {
	l := h.last
	if l.button == b && time.Since(l.when) <= multiClickTime && math.Hypot(h.at.X-l.at.X, h.at.Y-l.at.Y) <= multiClickDistance {
		return min(l.count+1, 3)
	}
	return 1
}

// record records that a button event was sent.
func (h *held) record(kind input.DispatchMouseEventType, e buttonEvent) {
	switch kind {
	case input.DispatchMouseEventTypeMousePressed:
		h.last = e
	case input.DispatchMouseEventTypeMouseReleased:
		h.last.when = e.when
	}
}

// releaseButtonLocked records that a button was released.
func (p *Page) releaseButtonLocked(b Button) {
	p.held.buttons = slices.DeleteFunc(p.held.buttons, func(other Button) bool { return other == b })
}

// heldModifiers returns the modifier keys that are down.
func (p *Page) heldModifiers() keys.Modifiers {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.held.modifiers()
}

// keepHeld stops the timer that releases held keys and buttons. It is called when an act begins. At
// the end of the act, the caller calls the returned function, which starts the timer again.
func (p *Page) keepHeld() (afterwards func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stopExpiryLocked()
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if len(p.held.keys)+len(p.held.buttons) > 0 && p.held.expire == nil && p.end == nil {
			p.held.expire = time.AfterFunc(p.held.timeout, p.ReleaseHeld)
		}
	}
}

func (p *Page) stopExpiryLocked() {
	if p.held.expire != nil {
		p.held.expire.Stop()
		p.held.expire = nil
	}
}

// ReleaseHeld releases all held keys and mouse buttons, and waits for no reply.
func (p *Page) ReleaseHeld() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.releaseHeldLocked()
}

// releaseHeldLocked releases all held keys and buttons. It waits for no reply, since event handlers
// also call it. Nothing depends on when the page has handled the events.
func (p *Page) releaseHeldLocked() {
	p.stopExpiryLocked()
	if len(p.held.buttons) > 0 {
		p.cancelDragLocked()
	}
	for _, b := range p.held.buttons {
		p.sendRawMouse(input.DispatchMouseEventTypeMouseReleased, p.held.at, Click{Button: b}, 1)
	}
	p.held.buttons = nil
	p.releaseKeysLocked()
}

// releaseKeysLocked releases all held keys, and waits for no reply either.
func (p *Page) releaseKeysLocked() {
	for len(p.held.keys) > 0 {
		last := p.held.keys[len(p.held.keys)-1]
		p.held.keys = p.held.keys[:len(p.held.keys)-1]
		p.sendKeys([]input.DispatchKeyEventParams{last.While(p.held.modifiers()).Up()})
	}
}
