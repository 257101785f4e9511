package broker

import (
	"testing"

	json "github.com/chromedp/cdproto/cdp/jsonv2"
)

func TestKeysOfTheClipboard(t *testing.T) {
	for _, c := range []struct {
		event string
		want  bool
	}{
		{`{"type": "keyDown", "key": "v", "code": "KeyV", "windowsVirtualKeyCode": 86, "modifiers": 2}`, true},
		{`{"key": "a", "code": "KeyA", "windowsVirtualKeyCode": 86, "modifiers": 10}`, true}, // Chromium goes by the number
		{`{"key": "c", "code": "KeyC", "modifiers": 4}`, true},                               // as on a Mac
		{`{"key": "Insert", "windowsVirtualKeyCode": 45, "modifiers": 8}`, true},
		{`{"key": "Delete", "code": "Delete", "modifiers": 8}`, true},
		{`{"key": "Paste"}`, true},
		{`{"key": "a", "code": "KeyA", "commands": ["selectAll", "pasteAndMatchStyle"]}`, true},
		{`{"key": "a", "commands": ["Cut"]}`, true},

		{`{"key": "v", "code": "KeyV", "windowsVirtualKeyCode": 86}`, false},
		{`{"key": "V", "code": "KeyV", "windowsVirtualKeyCode": 86, "modifiers": 8}`, false},
		{`{"key": "a", "code": "KeyA", "windowsVirtualKeyCode": 65, "modifiers": 2, "commands": ["selectAll"]}`, false},
		{`{"key": "Delete", "windowsVirtualKeyCode": 46}`, false},
		{`{"key": "Execute"}`, false},
		{`{}`, false},
	} {
		var e keyEvent
		if err := json.Unmarshal([]byte(c.event), &e, lenient); err != nil {
			t.Fatal(err)
		}
		if got := e.usesClipboard(); got != c.want {
			t.Errorf("%s: %v", c.event, got)
		}
	}
}
