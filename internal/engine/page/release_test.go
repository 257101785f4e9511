package page_test

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"chela/internal/engine/page"
	"chela/internal/engine/transfer"
	"chela/test/long"
	"chela/test/pages"
	"chela/test/tab"
)

// An act on an element does not keep it alive after the page has removed it. The page script keeps
// it until the next reading, to find the new element that stands for it (carry.js).
func TestObjectsAreReleased(t *testing.T) {
	long.Test(t)
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
				_, _, err := tt.Evaluate(ctx, "el => el.id", el)
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
			tt.Text()
			for held := true; held; held = tab.Run[bool](tt, "kept.deref() !== undefined") {
				if err := tt.InTurn(5*time.Second, func(ctx context.Context) error { return page.CollectGarbage(ctx, tt.Page) }); err != nil {
					t.Fatalf("the element is still held: %v", err)
				}
			}
		})
	}
}

// Two calls that read files of one document at the same time do not release each other's objects.
func TestTwoReaders(t *testing.T) {
	tt := tab.Borrow(t, "/frame.html")
	blob := func(text string) string {
		return tab.Run[string](tt, "URL.createObjectURL(new Blob(["+text+"]))")
	}
	long, short := blob("'a'.repeat(3<<20)"), blob("'b'")
	main := page.MainFrame(tt.Page)
	var got int
	err := tt.ReadBlob(tt.Ctx, main, long, writer(func(p []byte) (int, error) {
		got += len(p)
		return len(p), tt.ReadBlob(tt.Ctx, main, short, io.Discard)
	}))
	if err != nil || got != 3<<20 {
		t.Errorf("%d bytes, %v", got, err)
	}
}

type writer func([]byte) (int, error)

func (w writer) Write(p []byte) (int, error) { return w(p) }

// A blob: URL that cannot be read is revoked only if the page says so.
func TestUnreadBlob(t *testing.T) {
	tt := tab.Borrow(t, "/frame.html")
	url := tab.Run[string](tt, "URL.createObjectURL(new Blob(['a']))")
	late := errors.New("late")
	ended, end := context.WithCancelCause(tt.Ctx)
	end(late)
	main := page.MainFrame(tt.Page)
	if err := tt.ReadBlob(ended, main, url, io.Discard); !errors.Is(err, late) {
		t.Errorf("at the deadline: %v", err)
	}
	tab.Run[any](tt, "URL.revokeObjectURL('"+url+"'); undefined")
	_, revoked := errors.AsType[*transfer.FetchError](tt.ReadBlob(tt.Ctx, main, url, io.Discard))
	if !revoked {
		t.Error("a URL that was revoked is no FetchError")
	}
}

// A document may forbid its scripts to connect, and so to read its blobs.
func TestBlobOfStrictDocument(t *testing.T) {
	tt := tab.Open(t, pages.HTML(`<meta http-equiv=Content-Security-Policy content="connect-src 'none'">`))
	url := tab.Run[string](tt, "URL.createObjectURL(new Blob(['a']))")
	err := tt.ReadBlob(tt.Ctx, page.MainFrame(tt.Page), url, io.Discard)
	if _, refused := errors.AsType[*transfer.FetchError](err); !refused || !strings.Contains(err.Error(), "Content-Security-Policy") {
		t.Errorf("got %v", err)
	}
}

// Chromium forgets objects that were logged, and the page goes on.
func TestLoggedObjectsAreReleased(t *testing.T) {
	tt := tab.Empty(t)
	weak := func() float64 {
		if err := page.CollectGarbage(tt.Ctx, tt.Page); err != nil {
			t.Fatal(err)
		}
		return tab.Run[float64](tt, "weak.filter(ref => ref.deref()).length")
	}
	tab.Run[any](tt, "window.weak = []; for (let i = 0; i < 1000; i++) { const o = {i}; weak.push(new WeakRef(o)); console.log(o) }; undefined")
	tt.SyncJournal(tt.Ctx)
	tab.Run[any](tt, "console.clear()") // Chromium also keeps the last messages, for a console that is opened later
	if left := weak(); left > 200 {
		t.Errorf("%v of 1000 logged objects are kept", left)
	}
}
