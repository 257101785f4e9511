package page_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"chela/internal/engine/page"
	"chela/test/pages"
	"chela/test/tab"
)

// remembering is an editor that knows its selection from selectionchange and a timer, as Quill does.
// What takes the focus from it acts on the selection that the editor knows.
const remembering = `<script src=/log.js></script><button id=b>Bold</button><button id=c onfocus="log(last)">Next</button><input id=f onfocus="log(last)" aria-label=Field><input id=d type=date onfocus="log(last)" aria-label=Day>
	<div id=ed contenteditable role=textbox aria-label=Editor>Neque turpis</div><script>
	let last = 'nothing';
	const note = () => { if (document.activeElement === ed) last = String(getSelection()); };
	document.addEventListener('selectionchange', () => setTimeout(note, 1));
	b.onmousedown = event => { event.preventDefault(); log(last); };</script>`

// An act that leaves an editor comes when the editor knows what the keys before have selected.
func TestActAfterKeys(t *testing.T) {
	for name, s := range map[string]struct {
		line string
		do   func(context.Context, *page.Element) error
	}{
		"click": {`"Bold"`, tab.Click},
		"focus": {`"Next"`, func(ctx context.Context, el *page.Element) error { return el.Focus(ctx) }},
		"type":  {`"Field"`, tab.Typing("x")},
		"date":  {`"Day"`, tab.Typing("2020-01-02")},
	} {
		t.Run(name, func(t *testing.T) {
			for _, keys := range [][]string{{"Control+a"}, {"Control+Home", "Shift+ArrowRight", "Shift+ArrowRight", "Shift+ArrowRight", "Shift+ArrowRight", "Shift+ArrowRight"}} {
				tt := tab.Open(t, pages.HTML(remembering))
				ref := tt.Ref(s.line)
				if err := tt.On(`"Editor"`, tab.Click); err != nil {
					t.Fatal(err)
				}
				for _, key := range keys {
					if err := tt.PressKeys(key); err != nil {
						t.Fatal(err)
					}
				}
				if err := tt.OnRef(ref, s.do); err != nil {
					t.Fatal(err)
				}
				want := map[int]string{1: "Neque turpis", 6: "Neque"}[len(keys)]
				if got := tt.Last(); got != want {
					t.Errorf("after %v the editor knows %q, want %q", keys, got, want)
				}
			}
		})
	}
}

// A list gives the focus back to its field by a timer, after a press on an entry. What comes next finds
// the focus there, and keeps it.
func TestActAfterAPress(t *testing.T) {
	for name, s := range map[string]struct {
		do   func(tt *tab.Tab, to string) error
		want string // the field that has the focus, and what both hold
	}{
		"type": {func(tt *tab.Tab, to string) error { return tt.OnRef(to, tab.Typing("x")) }, "to  x"},
		"focus": {func(tt *tab.Tab, to string) error {
			return tt.OnRef(to, func(ctx context.Context, el *page.Element) error { return el.Focus(ctx) })
		}, "to  "},
		"key": {func(tt *tab.Tab, _ string) error { return tt.PressKeys("x") }, "from x "},
	} {
		t.Run(name, func(t *testing.T) {
			tt := tab.Open(t, pages.HTML(`<input id=from aria-label=From><input id=to aria-label=To><button id=entry onmousedown="event.preventDefault()">Emmonak</button>
				<script>entry.onclick = () => setTimeout(() => { from.focus(); document.title = 'back' });</script>`))
			to := tt.Ref(`"To"`)
			if err := tt.On(`"Emmonak"`, tab.Click); err != nil {
				t.Fatal(err)
			}
			if err := s.do(tt, to); err != nil {
				t.Fatal(err)
			}
			if err := tt.InTurn(5*time.Second, func(ctx context.Context) error { return tt.WaitFunction(ctx, "document.title === 'back'") }); err != nil {
				t.Fatal(err)
			}
			got := tab.Run[string](tt, "[document.activeElement.id, from.value, to.value].join(' ')")
			if got != s.want {
				t.Errorf("got %q, want %q", got, s.want)
			}
		})
	}
}

// The page has acted on a focus that it moves on, so the error says that something was sent.
func TestFocusThatIsMovedOn(t *testing.T) {
	tt := tab.Open(t, pages.HTML(`<input onfocus="this.blur()">`))
	err := tt.On("textbox", func(ctx context.Context, el *page.Element) error { return el.Focus(ctx) })
	if !errors.Is(err, page.ErrSent) || !strings.HasSuffix(err.Error(), ": refocused by body") {
		t.Errorf("got %v", err)
	}
}
