package acts

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"chela/internal/engine/page"
	"chela/test/long"
	"chela/test/pages"
	"chela/test/tab"
)

// A page moves a frame under the mouse, or gives it the focus, while the page handles input. The
// frame gets nothing of the input that was meant for an element of the page.
func TestInputIsNotStolenByAFrame(t *testing.T) {
	long.Test(t)
	submit := func(ctx context.Context, el *page.Element) error {
		return el.Submit(ctx, func(ctx context.Context) error { _, err := el.Type(ctx, "Ada"); return err })
	}
	slowly := func(ctx context.Context, el *page.Element) error { _, err := el.TypeSlowly(ctx, "Ada"); return err }
	for _, s := range []struct {
		name, other, target string
		do                  func(context.Context, *page.Element) error
		fails               string
	}{
		{"a held press, other site", tab.Elsewhere(), `button "Opens"`, tab.Click, ""},
		{"a held press, same origin", "", `button "Opens"`, tab.Click, ""},
		{"a press after a long wait, other site", tab.Elsewhere(), `button "Waits"`, tab.Click, `: covered by iframe`},
		{"a press after a long wait, same origin", "", `button "Waits"`, tab.Click, `: covered by iframe`},
		{"Enter after a text", tab.Elsewhere(), `textbox "Text"`, submit, `: elsewhere by button "Pay"`},
		{"keys of a slow text, same origin", "", `textbox "Text"`, slowly, ""},
		{"keys of a slow text", tab.Elsewhere(), `textbox "Text"`, slowly, ""},
	} {
		t.Run(s.name, func(t *testing.T) {
			tt := tab.Borrow(t, "/steals.html?other="+s.other)
			tt.Await("the frame got its document")
			err := tt.OnRefFor(6*time.Second, tt.Ref(s.target), s.do)
			if s.fails == "" && err != nil || s.fails != "" && (err == nil || !strings.Contains(err.Error(), s.fails)) {
				t.Errorf("got error %v, want %q", err, s.fails)
			}
			if sent := errors.Is(err, page.ErrSent); sent != strings.Contains(s.fails, "elsewhere") {
				t.Errorf("error %v: sent %v", err, sent)
			}
			if got := tt.Logged(); got != "the frame got its document" {
				t.Errorf("page logged %q", got)
			}
		})
	}
}

// The page loads another document while a busy frame of another site is guarded. That document gets
// nothing of the input.
func TestInputGoesToNoDocumentThatComesMeanwhile(t *testing.T) {
	busy := tab.Elsewhere() + pages.HTML(`<script>onmessage = () => { for (const end = performance.now() + 1500; performance.now() < end;); }</script>`)
	next := pages.HTML(`<script src="log.js"></script><body style="height:100vh" onmousedown="log('pressed')" onkeydown="log(event.key)">`)
	leaves := pages.HTML(`<button onmousedown="this.append('ed'); leave()">Go</button><input aria-label=Text><script>
		leave = () => { top[1].postMessage(0, '*'); setTimeout(() => { location = '` + next + `' }, 50) }</script>`)
	path := pages.HTML(`<script src="log.js"></script><body><iframe src="` + leaves + `"></iframe><iframe src="` + busy + `"></iframe>`)
	t.Run("a held press", func(t *testing.T) {
		tt := tab.Open(t, path)
		if err := tt.OnRefFor(5*time.Second, tt.Ref(`button "Go"`), tab.Click); err != nil || tt.Logged() != "" {
			t.Errorf("got %v, the next document got %q", err, tt.Logged())
		}
	})
	t.Run("Enter after a text", func(t *testing.T) {
		tt := tab.Open(t, path)
		err := tt.OnRefFor(5*time.Second, tt.Ref(`textbox "Text"`), func(ctx context.Context, el *page.Element) error {
			return el.Submit(ctx, func(ctx context.Context) error {
				if _, err := el.Type(ctx, "Ada"); err != nil {
					return err
				}
				_, _, err := tt.Evaluate(ctx, "frames[0].leave()", nil)
				return err
			})
		})
		if !errors.Is(err, page.ErrReplaced) || !errors.Is(err, page.ErrSent) || tt.Logged() != "" {
			t.Errorf("got %v, the next document got %q", err, tt.Logged())
		}
	})
}

// A text makes the page load another document. That document does not get Enter.
func TestEnterGoesToNoOtherDocument(t *testing.T) {
	tt := tab.Borrow(t, "/steals.html?other=")
	tt.Await("the frame got its document")
	err := tt.On(`textbox "Text"`, func(ctx context.Context, el *page.Element) error {
		return el.Submit(ctx, func(ctx context.Context) error { return tt.Navigate(ctx, tab.Site.URL+"/press.html") })
	})
	if !errors.Is(err, page.ErrReplaced) || !errors.Is(err, page.ErrSent) {
		t.Errorf("got error %v", err)
	}
}

// The page has the text, and then does not answer. The error says so: nobody types the text again.
func TestEnterThatFailsAfterTheText(t *testing.T) {
	long.Test(t)
	tt := tab.Borrow(t, pages.HTML(`<input aria-label=Text>`))
	err := tt.OnRefFor(time.Second, tt.Ref(`textbox "Text"`), func(ctx context.Context, el *page.Element) error {
		return el.Submit(ctx, func(ctx context.Context) error {
			if _, err := el.Type(ctx, "Ada"); err != nil {
				return err
			}
			_, _, err := tt.Evaluate(ctx, "setTimeout(() => { for (const end = performance.now() + 1500; performance.now() < end;); }); undefined", nil)
			return err
		})
	})
	if !errors.Is(err, page.ErrBusy) || !errors.Is(err, page.ErrSent) {
		t.Errorf("got error %v", err)
	}
}
