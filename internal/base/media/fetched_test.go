package media

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestKeep(t *testing.T) {
	r := roots(t)
	text := func(w io.Writer) error {
		_, err := io.WriteString(w, "text")
		return err
	}
	old, err := r.Keep("../old.txt", text)
	if got, read := os.ReadFile(old); err != nil || string(got) != "text" || filepath.Dir(old) != filepath.Join(r.Temp, "fetched") {
		t.Fatalf("%s: %q, %v, %v", old, got, read, err)
	}
	again, _ := r.Keep(filepath.Base(old), text)
	if SuggestedName(filepath.Base(again)) != "old.txt" || again == old {
		t.Errorf("of %s, it kept %s", old, again)
	}
	if err := os.Chtimes(old, time.Time{}, time.Now().Add(-25*time.Hour)); err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken off")
	if _, err := r.Keep("new", func(w io.Writer) error { text(w); return broken }); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
	if _, err := r.Keep("new", text); err != nil {
		t.Error(err)
	}
	all, _ := os.ReadDir(filepath.Dir(old))
	if _, err := os.Stat(old); err == nil || len(all) != 2 {
		t.Errorf("%d files are kept", len(all))
	}
}
