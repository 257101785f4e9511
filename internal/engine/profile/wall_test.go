package profile

import (
	"os"
	"path/filepath"
	"testing"

	"chela/internal/base/config"
)

// The ports of a killed server stay in the list until the next browser starts. Starting a server
// does not tidy the list, because that would delay its first answer.
func TestListOfPortsIsTidied(t *testing.T) {
	temp := t.TempDir()
	left := filepath.Join(temp, "ports", "18800")
	if err := os.MkdirAll(left, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(left, "1073741824-killed"), nil, 0o600); err != nil { // no process has this id
		t.Fatal(err)
	}
	w := newWall(config.Fixed(new(config.Config)), temp)
	if _, err := os.Stat(left); err != nil {
		t.Errorf("after the start of a server: %v", err)
	}
	p, err := w.open(Setup{})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if _, err := os.Stat(left); !os.IsNotExist(err) {
		t.Errorf("after the start of a browser: %v, want none", err)
	}
}
