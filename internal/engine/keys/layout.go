package keys

import (
	"fmt"
	"strings"
)

// Values of KeyboardEvent.location.
const (
	standard = iota
	left
	right
	numpad
)

// key is one key of the US layout. The virtual key codes are the Windows ones, which browsers use
// for KeyboardEvent.keyCode everywhere.
type key struct {
	code     string    // KeyboardEvent.code
	name     string    // KeyboardEvent.key, without Shift
	shifted  string    // KeyboardEvent.key with Shift; "" if it is the same as without
	vk       int64     // Windows virtual key code
	location int64     // KeyboardEvent.location
	text     string    // the text that the key types, if it differs from name
	modifier Modifiers // the modifier that the key is; 0 for all other keys
}

// types returns the text that the key enters under a name. That is the field text or, if it is
// empty, a name that is one character; "" if the key enters no text. Enter enters a carriage
// return, for which Chromium submits the form or inserts a line break.
func (k key) types(name string) string {
	if k.text == "" && len(name) == 1 {
		return name
	}
	return k.text
}

// makeLayout returns the keys of the US layout. If two keys have the same name, Parse finds the
// first. Keyboards of other countries are not imitated: their characters can be typed as text, and
// callers write shortcuts by the names of keys. Tab has no text, since its effect is to move the
// focus.
func makeLayout() []key {
	all := []key{
		{code: "Enter", name: "Enter", vk: 13, text: "\r"},
		{code: "Space", name: " ", vk: 32},
		{code: "Tab", name: "Tab", vk: 9},
		{code: "Escape", name: "Escape", vk: 27},
		{code: "Backspace", name: "Backspace", vk: 8},
		{code: "Delete", name: "Delete", vk: 46},
		{code: "Insert", name: "Insert", vk: 45},
		{code: "Home", name: "Home", vk: 36},
		{code: "End", name: "End", vk: 35},
		{code: "PageUp", name: "PageUp", vk: 33},
		{code: "PageDown", name: "PageDown", vk: 34},
		{code: "ArrowLeft", name: "ArrowLeft", vk: 37},
		{code: "ArrowUp", name: "ArrowUp", vk: 38},
		{code: "ArrowRight", name: "ArrowRight", vk: 39},
		{code: "ArrowDown", name: "ArrowDown", vk: 40},

		{code: "ShiftLeft", name: "Shift", vk: 16, location: left, modifier: Shift},
		{code: "ShiftRight", name: "Shift", vk: 16, location: right, modifier: Shift},
		{code: "ControlLeft", name: "Control", vk: 17, location: left, modifier: Control},
		{code: "ControlRight", name: "Control", vk: 17, location: right, modifier: Control},
		{code: "AltLeft", name: "Alt", vk: 18, location: left, modifier: Alt},
		{code: "AltRight", name: "Alt", vk: 18, location: right, modifier: Alt},
		{code: "MetaLeft", name: "Meta", vk: 91, location: left, modifier: Meta},
		{code: "MetaRight", name: "Meta", vk: 92, location: right, modifier: Meta},
		{code: "AltRight", name: "AltGraph", vk: 225, location: right},

		{code: "CapsLock", name: "CapsLock", vk: 20},
		{code: "NumLock", name: "NumLock", vk: 144},
		{code: "ScrollLock", name: "ScrollLock", vk: 145},
		{code: "Pause", name: "Pause", vk: 19},
		{code: "PrintScreen", name: "PrintScreen", vk: 44},
		{code: "ContextMenu", name: "ContextMenu", vk: 93},
		{code: "AudioVolumeMute", name: "AudioVolumeMute", vk: 173},
		{code: "AudioVolumeDown", name: "AudioVolumeDown", vk: 174},
		{code: "AudioVolumeUp", name: "AudioVolumeUp", vk: 175},
		{code: "MediaTrackNext", name: "MediaTrackNext", vk: 176},
		{code: "MediaTrackPrevious", name: "MediaTrackPrevious", vk: 177},
		{code: "MediaStop", name: "MediaStop", vk: 178},
		{code: "MediaPlayPause", name: "MediaPlayPause", vk: 179},

		{code: "Minus", name: "-", shifted: "_", vk: 189},
		{code: "Equal", name: "=", shifted: "+", vk: 187},
		{code: "BracketLeft", name: "[", shifted: "{", vk: 219},
		{code: "BracketRight", name: "]", shifted: "}", vk: 221},
		{code: "Backslash", name: `\`, shifted: "|", vk: 220},
		{code: "Semicolon", name: ";", shifted: ":", vk: 186},
		{code: "Quote", name: "'", shifted: `"`, vk: 222},
		{code: "Backquote", name: "`", shifted: "~", vk: 192},
		{code: "Comma", name: ",", shifted: "<", vk: 188},
		{code: "Period", name: ".", shifted: ">", vk: 190},
		{code: "Slash", name: "/", shifted: "?", vk: 191},
	}
	for i, shifted := range strings.Split(`) ! @ # $ % ^ & * (`, " ") {
		all = append(all, key{code: fmt.Sprintf("Digit%d", i), name: fmt.Sprint(i), shifted: shifted, vk: int64('0' + i)})
	}
	for c := 'A'; c <= 'Z'; c++ {
		all = append(all, key{code: "Key" + string(c), name: string(c + 'a' - 'A'), shifted: string(c), vk: int64(c)})
	}
	for i := 1; i <= 24; i++ {
		name := fmt.Sprintf("F%d", i)
		all = append(all, key{code: name, name: name, vk: int64(111 + i)})
	}
	return append(all, makeNumpad()...)
}

// makeNumpad returns the keys of the number pad with NumLock on. They have the same names as keys
// of the main part, and come later. So "1" finds Digit1, and the number pad is reached by its
// codes: "Numpad1".
func makeNumpad() []key {
	all := []key{
		{code: "NumpadMultiply", name: "*", vk: 106},
		{code: "NumpadAdd", name: "+", vk: 107},
		{code: "NumpadSubtract", name: "-", vk: 109},
		{code: "NumpadDecimal", name: ".", vk: 110},
		{code: "NumpadDivide", name: "/", vk: 111},
		{code: "NumpadEnter", name: "Enter", vk: 13, text: "\r"},
	}
	for i := range 10 {
		all = append(all, key{code: fmt.Sprintf("Numpad%d", i), name: fmt.Sprint(i), vk: int64(96 + i)})
	}
	for i := range all {
		all[i].location = numpad
	}
	return all
}
