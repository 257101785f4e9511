package page_test

import (
	"strings"
	"testing"

	"chela/test/tab"
)

// While chela closes a tab, acts on it can still succeed. They also do if Chromium leaves the tab open.
func TestActWhileTheTabIsClosing(t *testing.T) {
	tt := tab.Open(t, "/frame.html")
	tt.Write(`<button onclick="this.textContent = 'done'">Go</button>`)
	ref := tt.Ref(`"Go"`)
	tt.Page.SetClosing(true)
	err := tt.OnRef(ref, tab.Click)
	if got := tt.Text(); err != nil || !strings.Contains(got, `button "done"`) {
		t.Errorf("got %v, and the page reads\n%s", err, got)
	}
}
