package keys

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/google/go-cmp/cmp"
)

// written formats events: type, key, code and virtual key code, then modifiers, text, location and
// commands if there are any.
func written(events []input.DispatchKeyEventParams) string {
	var lines []string
	for _, e := range events {
		line := fmt.Sprintf("%s %s %s %d", e.Type, e.Key, e.Code, e.WindowsVirtualKeyCode)
		if e.Modifiers != 0 {
			line += fmt.Sprintf(" modifiers=%d", e.Modifiers)
		}
		if e.Text != "" {
			line += fmt.Sprintf(" text=%q", e.Text)
		}
		if e.Location != 0 {
			line += fmt.Sprintf(" location=%d", e.Location)
		}
		if e.IsKeypad != nil {
			line += " keypad"
		}
		if len(e.Commands) > 0 {
			line += " " + strings.Join(e.Commands, ",")
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

func TestChordInWords(t *testing.T) {
	for _, test := range []struct {
		names, want string
		types       bool
	}{
		{"a", "A", true},
		{"?", "Shift+?", true},
		{"Space", "Space", true},
		{"Shift+a", "Shift+A", true},
		{"Enter", "Enter", false},
		{"Shift+Tab", "Shift+Tab", false},
		{"ctrl+shift+KeyA", "Control+Shift+A", false},
		{"Meta+Alt+ArrowUp", "Meta+Alt+ArrowUp", false},
		{"Shift", "Shift", false},
	} {
		chord, err := parse(test.names, "linux")
		if err != nil {
			t.Fatal(err)
		}
		if got, types := chord.String(), chord.TypesText(); got != test.want || types != test.types {
			t.Errorf("%s: %q, types %v; want %q, %v", test.names, got, types, test.want, test.types)
		}
	}
}

func TestParse(t *testing.T) {
	for _, test := range []struct{ names, want string }{
		{"a", "keyDown a KeyA 65 text=\"a\"\nkeyUp a KeyA 65"},
		{"A", "keyDown A KeyA 65 modifiers=8 text=\"A\"\nkeyUp A KeyA 65 modifiers=8"},
		{"KeyA", "keyDown a KeyA 65 text=\"a\"\nkeyUp a KeyA 65"},
		{"?", "keyDown ? Slash 191 modifiers=8 text=\"?\"\nkeyUp ? Slash 191 modifiers=8"},
		{"+", "keyDown + Equal 187 modifiers=8 text=\"+\"\nkeyUp + Equal 187 modifiers=8"},
		{" ", "keyDown   Space 32 text=\" \"\nkeyUp   Space 32"},
		{"Enter", "keyDown Enter Enter 13 text=\"\\r\"\nkeyUp Enter Enter 13"},
		{"Tab", "rawKeyDown Tab Tab 9\nkeyUp Tab Tab 9"},
		{"F12", "rawKeyDown F12 F12 123\nkeyUp F12 F12 123"},
		{"Numpad5", "keyDown 5 Numpad5 101 text=\"5\" keypad\nkeyUp 5 Numpad5 101 keypad"},
		{"NumpadEnter", "keyDown Enter NumpadEnter 13 text=\"\\r\" keypad\nkeyUp Enter NumpadEnter 13 keypad"},
		{"ShiftRight", "rawKeyDown Shift ShiftRight 16 modifiers=8 location=2\nkeyUp Shift ShiftRight 16 location=2"},
		{"Shift+a", `rawKeyDown Shift ShiftLeft 16 modifiers=8 location=1
keyDown A KeyA 65 modifiers=8 text="A"
keyUp A KeyA 65 modifiers=8
keyUp Shift ShiftLeft 16 location=1`},
		{"Shift+Enter", `rawKeyDown Shift ShiftLeft 16 modifiers=8 location=1
keyDown Enter Enter 13 modifiers=8 text="\r"
keyUp Enter Enter 13 modifiers=8
keyUp Shift ShiftLeft 16 location=1`},
		{"Control+A", `rawKeyDown Control ControlLeft 17 modifiers=2 location=1
rawKeyDown a KeyA 65 modifiers=2
keyUp a KeyA 65 modifiers=2
keyUp Control ControlLeft 17 location=1`},
		{"Control++", `rawKeyDown Control ControlLeft 17 modifiers=2 location=1
rawKeyDown + Equal 187 modifiers=2
keyUp + Equal 187 modifiers=2
keyUp Control ControlLeft 17 location=1`},
		{"Control+Shift+A", `rawKeyDown Control ControlLeft 17 modifiers=2 location=1
rawKeyDown Shift ShiftLeft 16 modifiers=10 location=1
rawKeyDown A KeyA 65 modifiers=10
keyUp A KeyA 65 modifiers=10
keyUp Shift ShiftLeft 16 modifiers=2 location=1
keyUp Control ControlLeft 17 location=1`},
		{"Alt+ArrowLeft", `rawKeyDown Alt AltLeft 18 modifiers=1 location=1
rawKeyDown ArrowLeft ArrowLeft 37 modifiers=1
keyUp ArrowLeft ArrowLeft 37 modifiers=1
keyUp Alt AltLeft 18 location=1`},
	} {
		t.Run(test.names, func(t *testing.T) {
			chord, err := parse(test.names, "linux")
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, written(append(chord.Down(), chord.Up()...))); diff != "" {
				t.Errorf("events (-want +got):\n%s", diff)
			}
		})
	}
}

func TestOtherNames(t *testing.T) {
	for name, same := range map[string]string{
		"esc": "Escape", "Esc": "Escape", "return": "Enter", "del": "Delete", "space": " ", "Space": " ",
		"ctrl+c": "Control+c", "cmd+c": "Meta+c", "enter": "Enter", "PAGEDOWN": "PageDown", "keya": "KeyA",
		"ControlOrMeta+c": "Control+c", "Down": "ArrowDown", "shift+TAB": "Shift+Tab",
	} {
		got, err := parse(name, "linux")
		want, wantErr := parse(same, "linux")
		if err != nil || wantErr != nil || written(got.Down()) != written(want.Down()) {
			t.Errorf("%s = %s, %v, want that of %s", name, written(got.Down()), err, same)
		}
	}
}

func TestUnknownKeys(t *testing.T) {
	for names, unknown := range map[string]string{
		"Foo": "Foo", "Control+Foo": "Foo", "": "", "Control+": "", "é": "é", "AB": "AB", "Control Shift": "Control Shift",
	} {
		want := `keyboard.press: Unknown key: "` + unknown + `"`
		if chord, err := Parse(names); err == nil || err.Error() != want {
			t.Errorf("Parse(%q) = %v, %v, want %s", names, chord, err, want)
		}
	}
}

func TestShortcutsOfMacOS(t *testing.T) {
	for names, want := range map[string]string{
		"ControlOrMeta+A": "selectAll", "Meta+c": "copy", "Meta+Shift+z": "redo", "Alt+Backspace": "deleteWordBackward",
	} {
		chord, err := parse(names, "darwin")
		if err != nil {
			t.Fatal(err)
		}
		if last := chord[len(chord)-1].Down(); len(last.Commands) != 1 || last.Commands[0] != want || last.Text != "" {
			t.Errorf("%s = %s, want the command %s", names, written(chord.Down()), want)
		}
	}
}

// Keys that are pressed while modifiers are held are the same as the whole shortcut.
func TestWhile(t *testing.T) {
	for _, test := range []struct {
		held                Modifiers
		names, same, system string
	}{
		{Control, "C", "Control+C", "linux"},
		{Control, "c", "Control+C", "linux"},
		{Control, "Shift+C", "Control+Shift+C", "linux"},
		{Control, "?", "Control+?", "linux"},
		{Shift, "a", "Shift+A", "linux"},
		{Shift, "A", "Shift+A", "linux"},
		{Shift, "F5", "Shift+F5", "linux"},
		{Meta, "a", "Meta+A", "darwin"},
		{Meta, "Shift+z", "Meta+Shift+Z", "darwin"},
	} {
		chord, err := parse(test.names, test.system)
		if err != nil {
			t.Fatal(err)
		}
		whole, err := parse(test.same, test.system)
		if err != nil {
			t.Fatal(err)
		}
		got, want := chord.while(test.held, test.system).Down(), whole.Down()
		if last := len(want) - 1; written(got[len(got)-1:]) != written(want[last:]) || !slices.Equal(got[len(got)-1].Commands, want[last].Commands) {
			t.Errorf("%s while %d is held: %s, want that of %s: %s", test.names, test.held, written(got), test.same, written(want))
		}
	}
}

func TestForRune(t *testing.T) {
	for r := rune(' '); r <= '~'; r++ {
		s, ok := ForRune(r)
		if down := s.Down(); !ok || down.Text != string(r) || down.Key != string(r) || down.Code == "" || down.WindowsVirtualKeyCode == 0 {
			t.Errorf("%q = %+v, %v", r, down, ok)
		}
		if s.key.location != standard {
			t.Errorf("%q is typed on the number pad", r)
		}
	}
	for r, want := range map[rune]string{
		'a':  `keyDown a KeyA 65 text="a"`,
		'A':  `keyDown A KeyA 65 modifiers=8 text="A"`,
		'!':  `keyDown ! Digit1 49 modifiers=8 text="!"`,
		'\n': `keyDown Enter Enter 13 text="\r"`,
	} {
		s, _ := ForRune(r)
		if got := written([]input.DispatchKeyEventParams{s.Down()}); got != want {
			t.Errorf("%q = %s, want %s", r, got, want)
		}
	}
	for _, r := range "é€\t\x00日" {
		if s, ok := ForRune(r); ok {
			t.Errorf("%q = %+v, want no key", r, s.Down())
		}
	}
}

func TestModifiers(t *testing.T) {
	for names, want := range map[string]Modifiers{"a": 0, "Shift+Alt": Shift | Alt, "Control+Meta+a": Control | Meta} {
		if chord, err := Parse(names); err != nil || chord.Modifiers() != want {
			t.Errorf("%s: %v, %v, want %v", names, chord.Modifiers(), err, want)
		}
	}
}

func TestLayoutIsWhole(t *testing.T) {
	for _, k := range makeLayout() {
		if k.code == "" || k.name == "" || k.vk == 0 {
			t.Errorf("%+v lacks something", k)
		}
		if k.modifier != 0 && k.location == standard {
			t.Errorf("%+v is on neither side", k)
		}
	}
}

// The error for an unknown name suggests similar names of keys.
func TestNearNames(t *testing.T) {
	for _, s := range []struct{ keys, want string }{
		{"Entr", "Enter"},
		{"Contrl+A", "Control"},
		{"ArrowDwn", "ArrowDown"},
		{"Escpe", "Escape"},
		{"Shift+tabb", "Tab"},
		{"Nonsense", ""},
		{"ß", ""},
	} {
		_, err := Parse(s.keys)
		var near []string
		if u, ok := errors.AsType[*UnknownKey](err); ok {
			near = u.Near
		} else {
			t.Errorf("%s: got %v", s.keys, err)
		}
		if s.want == "" && len(near) > 0 || s.want != "" && (len(near) == 0 || near[0] != s.want) {
			t.Errorf("%s: got %q, want %q first", s.keys, near, s.want)
		}
	}
}
