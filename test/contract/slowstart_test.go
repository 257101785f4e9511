//go:build unix

package contract

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"chela/internal/engine/chrome"
	"chela/test/chromium"
)

// If a browser takes longer to start than its call may last, the start goes on. The next call finds
// the browser.
func TestBrowserThatStartsSlowly(t *testing.T) {
	found, err := chrome.Find("")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	slow, starts, gate := filepath.Join(dir, "chromium"), filepath.Join(dir, "starts"), filepath.Join(dir, "gate")
	script := fmt.Sprintf("#!/bin/sh\necho start >> %s\nread line < %s\nexec %s \"$@\"\n", starts, gate, found.Path)
	if err := errors.Join(os.WriteFile(slow, []byte(script), 0o700), syscall.Mkfifo(gate, 0o600)); err != nil {
		t.Fatal(err)
	}
	s := own(t, fmt.Sprintf(`{browser: {headless: %v, noSandbox: true, executablePath: %q}}`, chromium.Headless(), slow))
	for range 2 {
		a := s.do(t, "GET /snapshot?timeoutMs=500", "")
		a.Fails(t, 504, "deadline", "the browser is still starting")
		a.Within(t, 500*time.Millisecond)
		if !strings.Contains(a.Text("hint"), "call again") {
			t.Errorf("got %s", a.Raw)
		}
	}
	if err := os.WriteFile(gate, []byte("\n"), 0); err != nil {
		t.Fatal(err)
	}
	s.ok(t, "POST /start", "")
	s.ok(t, "POST /tabs/open", `{"url": "about:blank"}`)
	if text, err := os.ReadFile(starts); string(text) != "start\n" {
		t.Errorf("started %q, %v", text, err)
	}
}
