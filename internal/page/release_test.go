package page_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"chela/internal/page"
	"chela/test/tab"
)

// An element that the page has removed is not kept alive by what was done to it.
func TestObjectsAreReleased(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.txt")
	if err := os.WriteFile(file, []byte("a"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, do := range map[string]func(tt *tab.Tab) error{
		"files": func(tt *tab.Tab) error {
			return tt.On(`button "File"`, func(ctx context.Context, el *page.Element) error { return el.SetFiles(ctx, []string{file}) })
		},
		"a script": func(tt *tab.Tab) error {
			return tt.On(`button "File"`, func(ctx context.Context, el *page.Element) error {
				_, err := tt.Evaluate(ctx, "el => el.id", el)
				return err
			})
		},
		"an aria ref": func(tt *tab.Tab) error {
			return tt.OnRef(axRef(tt, "button", "File", 0), func(ctx context.Context, el *page.Element) error { return el.ScrollIntoView(ctx) })
		},
	} {
		t.Run(name, func(t *testing.T) {
			tt := tab.Open(t, "/frame.html")
			tab.Run[any](tt, `document.body.innerHTML = '<input type=file aria-label=File>'; undefined`)
			if err := do(tt); err != nil {
				t.Fatal(err)
			}
			tab.Run[any](tt, `(() => { const el = document.querySelector('input'); window.kept = new WeakRef(el); el.remove(); })()`)
			for held := true; held; held = tab.Run[bool](tt, "kept.deref() !== undefined") {
				if err := tt.InTurn(5*time.Second, func(ctx context.Context) error { return page.CollectGarbage(ctx, tt.Page) }); err != nil {
					t.Fatalf("the element is still held: %v", err)
				}
			}
		})
	}
}
