package page_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"chela/internal/page"
)

// What only a script listens on can be acted on like what says so itself.
func TestActOnWhatAScriptListensOn(t *testing.T) {
	drop := func(tt *tester) func(context.Context, *page.Element) error {
		zone := tt.ref("[ondrop]")
		return func(ctx context.Context, el *page.Element) error {
			onto, err := tt.Element(ctx, zone)
			if err != nil {
				return err
			}
			return el.DragTo(ctx, onto)
		}
	}
	for _, s := range []story{
		{"listener", "/listening.html", "Added listener", click, "Added listener", ""},
		{"handler property", "/listening.html", "Handler property", click, "property", ""},
		{"shape of a drawing", "/listening.html", "img: > [onclick]", click, "dot", ""},
		{"entry of a list", "/listening.html", "Second entry", click, "Second entry", ""},
		{"in a frame", "/listening.html", "In a frame", click, "frame", ""},
	} {
		t.Run(s.name, func(t *testing.T) {
			tt := open(t, s.path)
			err := tt.on(s.target, s.do)
			if err != nil {
				t.Fatal(err)
			}
			if all := "\n" + tt.log() + "\n"; !strings.Contains(all, "\n"+s.told+"\n") {
				t.Errorf("page told %q, want %q", tt.log(), s.told)
			}
		})
	}
	t.Run("empty drop zone", func(t *testing.T) {
		tt := open(t, "/listening.html")
		if err := tt.on("Item", drop(tt)); err != nil || tt.last() != "dropped" {
			t.Errorf("got %v, page told %q", err, tt.log())
		}
	})
}

// Listeners that come or go between two snapshots are seen by the second.
func TestListenersComeAndGo(t *testing.T) {
	tt := open(t, "/listening.html")
	has := func(words string) bool {
		for line := range strings.Lines(tt.text()) {
			if strings.Contains(line, words) {
				return strings.Contains(line, "[onclick]")
			}
		}
		t.Fatalf("no %q in\n%s", words, tt.text())
		return false
	}
	if has("Listens late") || has("Plain text") || !has("Added listener") {
		t.Errorf("before:\n%s", tt.text())
	}
	run[any](tt, "listen()")
	if !has("Listens late") || has("Plain text") || has("Added listener") {
		t.Errorf("after:\n%s", tt.text())
	}
}

// What a page listens for at last is seen at once, however long it was silent.
func TestListenersOfASilentPage(t *testing.T) {
	tt := open(t, "/frame.html")
	run[any](tt, "document.body.innerHTML = '<p>Silent</p>'; undefined")
	for range 2 {
		if text := tt.text(); strings.Contains(text, "[onclick]") {
			t.Fatalf("before:\n%s", text)
		}
	}
	run[any](tt, "document.querySelector('p').addEventListener('click', () => {})")
	for range 2 {
		if text := tt.text(); strings.Count(text, "[onclick]") != 1 {
			t.Errorf("after:\n%s", text)
		}
	}
}

// A handle that moves with the pointer changes its listeners all the time.
func TestListenersOfAPageOpenedAgainAndAgain(t *testing.T) {
	tt := open(t, "/listening.html")
	for range 15 {
		run[any](tt, "heard.onpointerdown = e => { heard.setPointerCapture(e.pointerId); heard.onpointermove = () => {}; }; heard.onpointerup = () => { heard.onpointermove = null; }; undefined")
		if err := tt.on("Added listener", click); err != nil {
			t.Fatal(err)
		}
		tt.text()
		if err := tt.touch(5*time.Second, func(ctx context.Context) error { return tt.Navigate(ctx, tt.URL()) }); err != nil {
			t.Fatal(err)
		}
	}
}
