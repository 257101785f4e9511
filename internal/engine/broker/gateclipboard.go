package broker

import (
	"slices"
	"strings"

	"chela/internal/engine/browser"
	"chela/internal/engine/keys"
)

// A keyEvent has those parameters of Input.dispatchKeyEvent by which Chromium may copy, cut or paste.
type keyEvent struct {
	Key       string         `json:"key"`
	Code      string         `json:"code"`
	KeyCode   int            `json:"windowsVirtualKeyCode"`
	Modifiers keys.Modifiers `json:"modifiers"`
	Commands  []string       `json:"commands"`
}

// clipboardKeys passes a key unless it copies, cuts or pastes and the program may not use the
// clipboard.
func clipboardKeys(cmd *command) error {
	event, err := read[keyEvent](cmd.request)
	if err != nil || !event.usesClipboard() {
		return err
	}
	return permitted(cmd, cmd.Clipboard)
}

// middleButton passes an event of the mouse unless the program may not use its middle button.
func middleButton(cmd *command) error {
	p, err := read[struct {
		Button string `json:"button"`
	}](cmd.request)
	if err != nil || p.Button != "middle" {
		return err
	}
	return permitted(cmd, cmd.MiddleButton)
}

// permitted passes a command if a function of the grant returns no error for the browser.
func permitted(cmd *command, check func(*browser.Browser) error) error {
	if err := check(cmd.browser); err != nil {
		return refused(err.Error())(cmd)
	}
	return nil
}

// usesClipboard reports whether Chromium may copy, cut or paste because of the event. It takes the
// key from its code number, and the commands from a list, whatever the other parameters say. Any of
// them counts here, as other systems and versions may use another.
func (e keyEvent) usesClipboard() bool {
	is := func(code string, number int) bool { return e.Code == code || e.KeyCode == number }
	held := func(bits keys.Modifiers) bool { return e.Modifiers&bits != 0 }
	switch {
	case slices.ContainsFunc(e.Commands, clips), clips(e.Key), clips(e.Code):
		return true
	case is("KeyC", 'C'), is("KeyX", 'X'), is("KeyV", 'V'):
		return held(keys.Control | keys.Meta)
	case is("Insert", 45), is("Delete", 46):
		return held(keys.Control | keys.Shift)
	}
	return false
}

// clips reports whether a key or a command of an editor uses the clipboard by its name, such as
// PasteAndMatchStyle. Chromium ignores case in names of commands.
func clips(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc([]string{"copy", "cut", "paste"}, func(word string) bool { return strings.HasPrefix(name, word) })
}
