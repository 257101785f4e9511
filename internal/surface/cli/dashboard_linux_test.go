package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The program that opens the dashboard may become the user's browser, and run for weeks. It does not
// get chela's secrets.
func TestOpenerGetsNoSecrets(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	t.Setenv("DISPLAY", ":0")
	t.Setenv("CHELA_TOKEN", "secret-token")
	t.Setenv("SEEN", filepath.Join(dir, "seen"))
	if err := os.WriteFile(filepath.Join(dir, "xdg-open"), []byte("#!/bin/sh\nenv > \"$SEEN\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := openInBrowser("http://127.0.0.1/"); err != nil {
		t.Fatal(err)
	}
	seen, err := os.ReadFile(filepath.Join(dir, "seen"))
	if err != nil || !strings.Contains(string(seen), "DISPLAY=:0") || strings.Contains(string(seen), "secret-token") {
		t.Errorf("it got %s, %v", seen, err)
	}
}
