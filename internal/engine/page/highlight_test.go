package page_test

import (
	"context"
	"testing"
	"time"

	"chela/internal/engine/page"
	"chela/test/long"
	"chela/test/tab"
)

// A highlight is visible in a screenshot, does not change the document, and ends with the next act
// and with the document.
func TestHighlight(t *testing.T) {
	tt := tab.Open(t, "/frame.html")
	const content = `document.body.innerHTML = '<style>html, body { margin: 0; background: #fff }</style><button style="position: absolute; left: 50px; top: 400px; width: 100px; height: 40px; border: 0; background: #fff">Go</button>';
		globalThis.changes = 0;
		new MutationObserver(list => changes += list.length).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
		undefined`
	tab.Run[any](tt, content)
	ref := tt.Ref(`button "Go"`)
	again := func() {
		t.Helper()
		if err := highlight(tt, ref); err != nil {
			t.Fatal(err)
		}
	}
	drawn := func() bool {
		t.Helper()
		r, g, b, _ := tt.Picture("").At(60, 410).RGBA()
		return r>>8 < 0xf8 || g>>8 < 0xf8 || b>>8 < 0xf8
	}
	if drawn() {
		t.Fatal("the button is drawn over before it is highlighted")
	}
	again()
	if !drawn() || tab.Run[int](tt, "changes") != 0 {
		t.Errorf("drawn %v with %d changes of the document", drawn(), tab.Run[int](tt, "changes"))
	}
	if err := tt.On(`button "Go"`, tab.Click); err != nil || drawn() {
		t.Errorf("a click ended with %v, and the button is still highlighted: %v", err, drawn())
	}
	again()
	if err := tt.InTurn(20*time.Second, func(ctx context.Context) error { return tt.Reload(ctx, page.Reloading{}) }); err != nil {
		t.Fatal(err)
	}
	tab.Run[any](tt, content)
	if drawn() {
		t.Error("the next document is highlighted")
	}
}

// An element in a cross-site frame is highlighted by the process of that frame. The test takes no
// screenshot, because it is not certain when Chromium paints a cross-site frame.
func TestHighlightInAFrame(t *testing.T) {
	long.Test(t)
	tt := tab.Open(t, "/frames.html?other="+tab.Elsewhere())
	for _, line := range []string{`iframe "other" > button "Press"`, `iframe "same" > button "Press"`} {
		if err := highlight(tt, tt.Ref(line)); err != nil {
			t.Errorf("%s: %v", line, err)
		}
	}
	if err := tt.On(`button "Press at the top"`, tab.Click); err != nil || tt.Last() != "top pressed" {
		t.Errorf("a click beside it ended with %v", err)
	}
}

func highlight(t *tab.Tab, ref string) error {
	return t.InTurn(10*time.Second, func(ctx context.Context) error {
		el, err := t.Element(ctx, ref)
		if err != nil {
			return err
		}
		return el.Highlight(ctx)
	})
}
