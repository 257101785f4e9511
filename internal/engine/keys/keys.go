// Package keys has the key events that the keys of a US keyboard send. It finds the keys for a name
// such as "Control+Shift+A".
package keys

import (
	"runtime"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/chromedp/cdproto/input"
)

// Modifiers is the bit mask of held modifier keys, as in Input.dispatchKeyEvent. CDP's bits are 1
// for Alt, 2 for Control, 4 for Meta (Command on macOS, the Windows key) and 8 for Shift.
type Modifiers int64

// The modifier keys.
const (
	Alt Modifiers = 1 << iota
	Control
	Meta
	Shift
)

// Stroke is one press of one key while modifiers are held. It has all that the fields
// of KeyboardEvent depend on: pages look at key, code, keyCode, location and the
// modifiers, and these must agree.
type Stroke struct {
	key     key
	name    string    // KeyboardEvent.key
	held    Modifiers // modifier keys that are held down during the stroke
	command string    // on macOS, the editing command of the shortcut, see mac.go; "" for none
}

// Chord is a list of keys that are pressed one after the other and released in reverse. A shortcut
// such as Control+Shift+A is three strokes. Pages and Chromium also see the modifiers go down, as
// with a keyboard.
type Chord []Stroke

// Parse finds the keys for names joined by "+". A name is a value of KeyboardEvent.key ("Enter",
// "a", "?") or KeyboardEvent.code ("KeyA"), or another common name ("Esc", "Ctrl"). Names longer
// than one character may be in any case. The error is an [*UnknownKey]. ControlOrMeta is Meta on
// macOS, where shortcuts are made with Command, and Control elsewhere.
func Parse(names string) (Chord, error) { return parse(names, runtime.GOOS) }

func parse(names, system string) (Chord, error) {
	var chord Chord
	var held Modifiers
	for _, name := range split(names) {
		found, ok := find(name, system)
		if !ok {
			return nil, unknown(name)
		}
		chord = append(chord, found.holding(held, system))
		held |= found.key.modifier
	}
	return chord, nil
}

// ToEnd returns the shortcut that moves the caret to the end of the text, as a name for Parse.
// Chromium uses the shortcuts of the system on which it runs; that is assumed to be this one.
func ToEnd() string {
	if runtime.GOOS == "darwin" {
		return "Meta+ArrowDown"
	}
	return "Control+End"
}

// split separates names at each "+". A "+" at the start, or after another "+", is the key "+"
// itself. So "Control++" means Control and the key "+", and "+" alone is that key.
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

// ForRune returns the stroke that types r; false if no key of the US layout does. Text with other
// characters, such as é or an emoji, has to be inserted without key events (Input.insertText). A
// line break is the Enter key, which submits a form where the user's Enter would. A tab is text, as in
// a file that is pasted: the Tab key would move the focus away.
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

// holding returns the stroke with these modifiers held on a system. They may change its
// KeyboardEvent.key: Shift and "a" make "A".
//
// A name alone says which character is meant, so "A" and "?" come with Shift. In a shortcut,
// letters are written in upper case by custom. "Control+A" means Control and the key a, because
// pages compare event.key with "a" there; Shift must be written: "Control+Shift+A". "Control+?"
// stays as it is: the character is what the page looks for.
func (s Stroke) holding(held Modifiers, system string) Stroke {
	s.held = held
	letter := strings.HasPrefix(s.key.code, "Key")
	switch {
	case held&Shift != 0 && s.key.shifted != "":
		s.name = s.key.shifted
	case held == 0 && s.name == s.key.shifted:
		s.held = Shift // "A" and "?" cannot be typed without Shift
	case held&Shift == 0 && letter:
		s.name = s.key.name // in "Control+A", the a is the key without Shift
	}
	if s.command = ""; system == "darwin" {
		s.command = macCommand(s)
	}
	return s
}

// Held returns the modifier keys that are held down when the key is pressed. A modifier key does not
// count itself.
func (s Stroke) Held() Modifiers { return s.held }

// Code returns the KeyboardEvent.code of the key.
func (s Stroke) Code() string { return s.key.code }

// SameKey reports whether two strokes are of the same key, with any modifiers.
func (s Stroke) SameKey(other Stroke) bool { return s.key.code == other.key.code }

// Down returns the parameters of Input.dispatchKeyEvent that press the key.
//
// A key press has one of two types. With keyDown Chromium sends a keypress event and inserts the
// text. With rawKeyDown it only sends keydown, and runs the default action of the key, such as
// moving the caret. While Control, Alt or Meta is held, a key types nothing. Its event has no text,
// as with a keyboard, and so causes no keypress. As in browsers, the event of a modifier key
// includes that key. So event.shiftKey is true in the keydown of Shift, and false in its keyup.
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

// Up returns the parameters of Input.dispatchKeyEvent that release the key.
func (s Stroke) Up() input.DispatchKeyEventParams {
	p := s.params()
	p.Type = input.DispatchKeyEventTypeKeyUp
	p.Modifiers = int64(s.held)
	return p
}

// params returns the parameters that Down and Up have in common. Chromium derives keyCode and which
// from the Windows virtual key code, on all systems.
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

// While returns the stroke with further modifiers, see [Chord.While].
func (s Stroke) While(held Modifiers) Stroke { return Chord{s}.While(held)[0] }

// While returns the chord with further modifiers in each stroke, which the caller has pressed before
// and still holds. So after Control, "A" is the same as "Control+A".
func (c Chord) While(held Modifiers) Chord { return c.while(held, runtime.GOOS) }

func (c Chord) while(held Modifiers, system string) Chord {
	if held == 0 {
		return c
	}
	with := make(Chord, len(c))
	for i, s := range c {
		own := s.held
		if c.Modifiers()&Shift == 0 {
			own &^= Shift // only the name of the key, such as "A", has asked for it
		}
		with[i] = s.holding(own|held, system)
	}
	return with
}

// Modifiers returns the modifiers that are held when all keys of the chord are down.
func (c Chord) Modifiers() (all Modifiers) {
	for _, s := range c {
		all |= s.key.modifier
	}
	return all
}

// TypesText reports whether the chord enters a character, as "a" and "Shift+A" do, and not Enter,
// Tab or Control+A.
func (c Chord) TypesText() bool {
	return slices.ContainsFunc(c, func(s Stroke) bool { return s.held&^Shift == 0 && utf8.RuneCountInString(s.name) == 1 })
}

// String returns the keys as a person writes them, such as "Control+Shift+A".
func (c Chord) String() string {
	held := c.Modifiers()
	var names []string
	for _, s := range c {
		held |= s.held
		if s.key.modifier == 0 {
			names = append(names, s.label())
		}
	}
	for _, m := range []Modifiers{Shift, Alt, Control, Meta} {
		if held&m != 0 {
			names = slices.Insert(names, 0, modifierNames[m])
		}
	}
	return strings.Join(names, "+")
}

var modifierNames = map[Modifiers]string{Alt: "Alt", Control: "Control", Meta: "Meta", Shift: "Shift"}

// label returns the name of the key in String: for a character, its upper case.
func (s Stroke) label() string {
	switch {
	case s.name == " ":
		return "Space"
	case utf8.RuneCountInString(s.name) == 1:
		return strings.ToUpper(s.name)
	}
	return s.name
}

// Down returns the commands that press the keys, in order.
func (c Chord) Down() []input.DispatchKeyEventParams {
	var events []input.DispatchKeyEventParams
	for _, s := range c {
		events = append(events, s.Down())
		if s.activates(runtime.GOOS) {
			events = append(events, s.character())
		}
	}
	return events
}

// activates reports whether the key may be the accesskey of an element. On macOS the modifiers for that
// are others.
func (s Stroke) activates(system string) bool {
	return system != "darwin" && s.held&^Shift == Alt && utf8.RuneCountInString(s.name) == 1
}

// character returns the event by which Chromium finds the element with that accesskey. A keyboard sends it
// after the key with Alt is pressed. It is a system key: it types nothing, and pages get no keypress.
func (s Stroke) character() input.DispatchKeyEventParams {
	p := s.params()
	p.Type, p.Modifiers, p.IsSystemKey = input.DispatchKeyEventTypeChar, int64(s.held), new(true)
	p.Text, p.UnmodifiedText = s.name, s.name
	return p
}

// Up returns the commands that release the keys, the last one first. So the modifiers are still
// held while the key is released, as when a person types the shortcut: pages also react to keyup.
func (c Chord) Up() []input.DispatchKeyEventParams {
	var events []input.DispatchKeyEventParams
	for i := len(c) - 1; i >= 0; i-- {
		events = append(events, c[i].Up())
	}
	return events
}
