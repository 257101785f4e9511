package around

import (
	"strings"
	"testing"
)

// Without a ref, text is typed by keys where the focus is, which need not be a field.
func TestTypeWhereTheFocusIs(t *testing.T) {
	tab := shared.Open(t, html(`<input aria-label=Name value="Lady "><div tabindex=0 role=application aria-label=Game style="height:20px"
		onkeydown="this.ariaLabel += ' ' + (event.shiftKey ? '^' : '') + event.key"></div>`))
	tab.Click("Name", nil)
	tab.Act("press", args{"key": "End"})
	tab.Act("type", args{"text": "Ada"})
	if text := tab.Snapshot(); !strings.Contains(text, "Lady Ada") {
		t.Errorf("got %s", text)
	}
	tab.Click("Game", nil)
	tab.Act("keydown", args{"key": "Shift"})
	tab.Act("press", args{"key": "ArrowUp"})
	tab.Act("keyup", args{"key": "Shift"})
	tab.Act("type", args{"text": "wd", "submit": true})
	if text := tab.Snapshot(); !strings.Contains(text, "Game ^Shift ^ArrowUp w d Enter") {
		t.Errorf("got %s", text)
	}
}
