package media

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A file that a caller sent to chela is deleted after it was read; a file of the user stays.
func TestInput(t *testing.T) {
	r := roots(t)
	sent, err := r.Receive("state.json", strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	if raw, err := r.Input(sent, 2); err != nil || string(raw) != "{}" {
		t.Fatalf("%s %v", raw, err)
	}
	if raw, err := r.Input(sent, 2); err == nil {
		t.Errorf("it was read again: %s", raw)
	}
	own := filepath.Join(r.Uploads, "state.json")
	if err := os.WriteFile(own, []byte("{} "), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Input("state.json", 3); err != nil {
		t.Error(err)
	}
	if _, err := r.Input("state.json", 2); !errors.As(err, new(*SizeError)) {
		t.Errorf("3 bytes, of which 2 are read: %v", err)
	}
	if _, err := os.Stat(own); err != nil {
		t.Errorf("the user's file: %v", err)
	}
}
