package acts

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"chela/internal/engine/page"
	"chela/test/tab"
)

// twoFiles makes files whose content is their name.
func twoFiles(t *testing.T) []string {
	t.Helper()
	var paths []string
	for _, name := range []string{"a.txt", "b.txt"} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	return paths
}

func TestDrop(t *testing.T) {
	const both = "a.txt=a.txt,b.txt=b.txt"
	for _, s := range []struct{ onto, log string }{
		{"Plain area", "plain got " + both},
		{"Entries area", "entries got " + both},
		{"Veiled area", "veil got " + both}, // the page shows a veil above the area, which gets the files
		{"Late area", "late got " + both},
		{"Slow area", "slow got " + both}, // the page is busy with dragenter
		{"Busy area", "busy got " + both}, // the page is busy while files are over the area, and then takes them
		{"Many files", "input got " + both},
		{"Behind a label", "around got " + both}, // the label ignores the mouse as long as files are over the area around it
		{"Fleeing area", "fleeing got " + both},  // the area gets the files, not what comes to its place
	} {
		t.Run(s.onto, func(t *testing.T) {
			tt := tab.Borrow(t, "/drop.html")
			effect, err := drop(tt, s.onto, twoFiles(t)...)
			if err != nil || effect != "copy" {
				t.Fatalf("%q, %v", effect, err)
			}
			tt.Await(s.log)
			if got := tt.Logged(); got != s.log {
				t.Errorf("page told %q, want %q", got, s.log)
			}
		})
	}
}

func TestDropThatIsNotTaken(t *testing.T) {
	tt := tab.Borrow(t, "/drop.html")
	for _, onto := range []string{"Deaf area", "Deaf area", "Closed area"} {
		_, err := drop(tt, onto, twoFiles(t)...)
		if lacks, ok := errors.AsType[*page.ElementError](err); !ok || lacks.Missing != page.NoDrop {
			t.Errorf("%s: %v", onto, err)
		}
	}
	if _, err := drop(tt, "One file", twoFiles(t)...); !errors.Is(err, page.ErrOneFile) {
		t.Errorf("one file: %v", err)
	}
	if got := tt.Logged(); got != "" {
		t.Errorf("page told %q", got)
	}
	if _, err := drop(tt, "One file", twoFiles(t)[0]); err != nil {
		t.Errorf("one file: %v", err)
	}
	tt.Await("input got a.txt=a.txt")
	if got := tt.URL(); !strings.HasSuffix(got, "/drop.html") {
		t.Errorf("the tab went to %s", got)
	}
}

// drop drops files on the element of this name.
func drop(t *tab.Tab, name string, paths ...string) (effect string, err error) {
	t.Helper()
	el, err := t.BySelector(`[aria-label="` + name + `"]`)
	if err != nil {
		t.Fatal(err)
	}
	err = t.InActFor(10*time.Second, func(ctx context.Context) (err error) {
		effect, err = el.Drop(ctx, paths)
		return err
	})
	return effect, err
}
