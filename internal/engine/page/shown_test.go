package page_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"chela/test/tab"
)

// views is a page with two views, which it makes again each time it shows them.
const views = `<button onclick="show('Inbox')">To the inbox</button><button onclick="show('Labels')">To the labels</button><main id=m></main><script>
function show(view) {
  m.innerHTML = '<h1>' + view + '</h1><ul>' + Array.from({length: 12}, (_, i) =>
    '<li><a href="#' + i + '">' + view + ' ' + i + '</a> <button>Open</button></li>').join('') + '</ul>'
}
show('Inbox')
</script>`

// A view that comes back is compared with the earlier snapshot of this view, and its elements have
// their earlier refs.
func TestViewShownBefore(t *testing.T) {
	tt := tab.Open(t, "/frame.html")
	tt.Write(views)
	first := tt.Text()
	after := func(script string) string { return deltaAfter(tt, script) }
	if got := after("show('Labels')"); !strings.Contains(got, `+   heading "Labels"`) && !strings.Contains(got, "Labels 11") {
		t.Errorf("a view that is new comes as a whole: %s", got)
	}
	if got := after("show('Inbox')"); got != "(this view was shown before, and reads as it did then)" {
		t.Errorf("the first view again: %s", got)
	}
	if got := tt.Text(); got != first {
		t.Errorf("got %s, want %s", got, first)
	}
	if got := after("show('Labels'); document.querySelectorAll('li a')[3].textContent = 'Other'"); !strings.HasPrefix(got, "(compared with this view as it was shown before)\n") ||
		!strings.Contains(got, `"Other"`) || strings.Contains(got, "Labels 5") {
		t.Errorf("the second view, changed: %s", got)
	}
}

// A view that was read only to compare with has not been shown before.
func TestViewOnlyReadBefore(t *testing.T) {
	tt := tab.Open(t, "/frame.html")
	tt.Write(views)
	tt.MustAct(func(ctx context.Context) error {
		tt.Page.ReadBefore(ctx, "")
		return nil
	})
	deltaAfter(tt, "show('Labels')")
	if got := deltaAfter(tt, "show('Inbox')"); !strings.Contains(got, `heading "Inbox"`) {
		t.Errorf("got %s", got)
	}
}

// deltaAfter runs a script in the page, and returns what has changed.
func deltaAfter(tt *tab.Tab, script string) (text string) {
	tt.Helper()
	err := tt.InTurn(10*time.Second, func(ctx context.Context) error {
		if _, _, err := tt.Page.Evaluate(ctx, script, nil); err != nil {
			return err
		}
		d, why, err := tt.Page.Delta(ctx, "", nil, 0)
		if why != "" {
			tt.Errorf("no delta: %s", why)
		}
		text = d.Text
		return err
	})
	if err != nil {
		tt.Fatal(err)
	}
	return text
}
