// Package keys knows the keyboard: what each key of the US layout tells a page
// when it is pressed, and which keys are meant by "Control+Shift+A".
package keys

import (
	"fmt"
	"runtime"
	"strings"

	"github.com/chromedp/cdproto/input"
)

// Modifiers are keys that are held, as the protocol counts them.
type Modifiers int64

const (
	Alt Modifiers = 1 << iota
	Control
	Meta
	Shift
)

// Stroke is one key as it is pressed, with what is held meanwhile.
type Stroke struct {
	key     key
	name    string    // KeyboardEvent.key
	held    Modifiers // by other keys
	command string    // the editing command of a shortcut
}

// Chord is keys that are pressed one after the other and released in reverse.
type Chord []Stroke

// Parse reads the names of keys joined by "+": of the values of
// KeyboardEvent.key ("Enter", "a", "?") and KeyboardEvent.code ("KeyA"), in
// any case if they are longer than one character, and some common others.
func Parse(names string) (Chord, error) { return parse(names, runtime.GOOS) }

func parse(names, system string) (Chord, error) {
	var chord Chord
	var held Modifiers
	for _, name := range split(names) {
		found, ok := find(name, system)
		if !ok {
			return nil, fmt.Errorf("keyboard.press: Unknown key: %q", name)
		}
		s := found.holding(held)
		if system == "darwin" {
			s.command = macCommand(s)
		}
		chord = append(chord, s)
		held |= s.key.modifier
	}
	return chord, nil
}

// ToEnd names the keys that put the caret behind all text.
func ToEnd() string {
	if runtime.GOOS == "darwin" {
		return "Meta+ArrowDown"
	}
	return "Control+End"
}

// split cuts at each "+" that stands between names; others are the key "+".
func split(names string) []string {
	var all []string
	for {
		plus := strings.IndexByte(names[min(1, len(names)):], '+') + 1
		if plus == 0 {
			return append(all, names)
		}
		all = append(all, names[:plus])
		names = names[plus+1:]
	}
}

// ForRune is the stroke that types r; false if no key of the layout does.
func ForRune(r rune) (Stroke, bool) {
	if r == '\n' || r == '\r' {
		return known().exact["Enter"], true
	}
	s, ok := known().exact[string(r)]
	if ok && s.name == s.key.shifted {
		s.held = Shift
	}
	return s, ok
}

// holding is the stroke made while others hold modifiers.
func (s Stroke) holding(held Modifiers) Stroke {
	s.held = held
	letter := strings.HasPrefix(s.key.code, "Key")
	switch {
	case held&Shift != 0 && s.key.shifted != "":
		s.name = s.key.shifted
	case held == 0 && s.name == s.key.shifted:
		s.held = Shift // "A" and "?" alone cannot be pressed without
	case held&Shift == 0 && letter:
		s.name = s.key.name // as in "Control+A", which does not mean Shift
	}
	return s
}

// Down is what tells Chromium that the key is pressed.
func (s Stroke) Down() input.DispatchKeyEventParams {
	p := s.params()
	p.Type = input.DispatchKeyEventTypeRawKeyDown
	p.Modifiers = int64(s.held | s.key.modifier)
	if s.held&^Shift == 0 {
		p.Text = s.key.types(s.name)
		p.UnmodifiedText = p.Text
	}
	if p.Text != "" {
		p.Type = input.DispatchKeyEventTypeKeyDown
	}
	if s.command != "" {
		p.Commands = []string{s.command}
	}
	return p
}

// Up is what tells Chromium that the key is released.
func (s Stroke) Up() input.DispatchKeyEventParams {
	p := s.params()
	p.Type = input.DispatchKeyEventTypeKeyUp
	p.Modifiers = int64(s.held)
	return p
}

func (s Stroke) params() input.DispatchKeyEventParams {
	p := input.DispatchKeyEventParams{
		Key:                   s.name,
		Code:                  s.key.code,
		WindowsVirtualKeyCode: s.key.vk,
		Location:              s.key.location,
	}
	if s.key.location == numpad {
		keypad := true
		p.IsKeypad, p.Location = &keypad, standard // IsKeypad gives the page its location
	}
	return p
}

// Modifiers are those that are held when all keys of the chord are down.
func (c Chord) Modifiers() (all Modifiers) {
	for _, s := range c {
		all |= s.key.modifier
	}
	return all
}

// Down presses the keys in order.
func (c Chord) Down() []input.DispatchKeyEventParams {
	var events []input.DispatchKeyEventParams
	for _, s := range c {
		events = append(events, s.Down())
	}
	return events
}

// Up releases them, the last one first.
func (c Chord) Up() []input.DispatchKeyEventParams {
	var events []input.DispatchKeyEventParams
	for i := len(c) - 1; i >= 0; i-- {
		events = append(events, c[i].Up())
	}
	return events
}
