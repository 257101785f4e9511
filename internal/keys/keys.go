// Package keys knows the keyboard: which key events each key of the US layout
// sends, and which keys are meant by "Control+Shift+A".
package keys

import (
	"runtime"
	"strings"

	"github.com/chromedp/cdproto/input"
)

// Modifiers is the bit mask of held modifier keys, as in Input.dispatchKeyEvent.
type Modifiers int64

const (
	Alt Modifiers = 1 << iota
	Control
	Meta
	Shift
)

// Stroke is one press of one key, with the modifiers that are held meanwhile.
type Stroke struct {
	key     key
	name    string    // KeyboardEvent.key
	held    Modifiers // by other keys
	command string    // on macOS, the editing command that the shortcut means
}

// Chord is keys that are pressed one after the other and released in reverse.
type Chord []Stroke

// Parse reads the names of keys joined by "+": of the values of
// KeyboardEvent.key ("Enter", "a", "?") and KeyboardEvent.code ("KeyA"), in
// any case if they are longer than one character, and some common others. The
// error names a key that is not known.
func Parse(names string) (Chord, error) { return parse(names, runtime.GOOS) }

func parse(names, system string) (Chord, error) {
	var chord Chord
	var held Modifiers
	for _, name := range split(names) {
		found, ok := find(name, system)
		if !ok {
			return nil, unknown(name)
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

// split cuts at each "+" between names. A "+" at the start, or after another
// "+", is the key "+" itself.
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

// ForRune returns the stroke that types r; false if no key of the US layout does.
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

// holding returns the stroke with these modifiers held, which may change its
// KeyboardEvent.key.
func (s Stroke) holding(held Modifiers) Stroke {
	s.held = held
	letter := strings.HasPrefix(s.key.code, "Key")
	switch {
	case held&Shift != 0 && s.key.shifted != "":
		s.name = s.key.shifted
	case held == 0 && s.name == s.key.shifted:
		s.held = Shift // "A" and "?" cannot be typed without Shift
	case held&Shift == 0 && letter:
		s.name = s.key.name // "Control+A" means Control and the key a, without Shift
	}
	return s
}

// Down is the command that presses the key.
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

// Up is the command that releases the key.
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
		p.IsKeypad, p.Location = &keypad, standard // Chromium sets the location of keypad keys itself
	}
	return p
}

// Modifiers returns the modifiers that are held when all keys of the chord are down.
func (c Chord) Modifiers() (all Modifiers) {
	for _, s := range c {
		all |= s.key.modifier
	}
	return all
}

// Down returns the commands that press the keys, in order.
func (c Chord) Down() []input.DispatchKeyEventParams {
	var events []input.DispatchKeyEventParams
	for _, s := range c {
		events = append(events, s.Down())
	}
	return events
}

// Up returns the commands that release the keys, the last one first.
func (c Chord) Up() []input.DispatchKeyEventParams {
	var events []input.DispatchKeyEventParams
	for i := len(c) - 1; i >= 0; i-- {
		events = append(events, c[i].Up())
	}
	return events
}
