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
	"chela/test/long"
	tests "chela/test/service"
)

// gated returns a server whose browser only starts when something is written to the file gate. The
// file starts has one line for each start.
func gated(t *testing.T) (s *service, starts, gate string) {
	found, err := chrome.Find("")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	starts, gate = filepath.Join(dir, "starts"), filepath.Join(dir, "gate")
	slow := filepath.Join(dir, "chromium")
	script := fmt.Sprintf("#!/bin/sh\necho start >> %s\nread line < %s\nexec %s \"$@\"\n", starts, gate, found.Path)
	if err := errors.Join(os.WriteFile(slow, []byte(script), 0o700), syscall.Mkfifo(gate, 0o600)); err != nil {
		t.Fatal(err)
	}
	return own(t, fmt.Sprintf(`{browser: {headless: %v, noSandbox: true, executablePath: %q}}`, chromium.Headless(), slow)), starts, gate
}

// If a browser takes longer to start than its call may last, the start goes on. The next call finds
// the browser.
func TestBrowserThatStartsSlowly(t *testing.T) {
	long.Test(t)
	s, starts, gate := gated(t)
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

// A browser that hangs as it starts can be stopped, and its profile reset. The calls that wait for
// the browser say so, and the next call starts another one.
func TestStopOfAStart(t *testing.T) {
	s, starts, gate := gated(t)
	for i, request := range []string{"POST /stop", "POST /reset-profile"} {
		waiting := make(chan tests.Answer, 1)
		go func() { waiting <- s.do(t, "GET /snapshot", "") }()
		tests.Eventually(t, "the browser is starting", func() bool {
			log, _ := os.ReadFile(starts)
			return strings.Count(string(log), "start") == i+1
		})
		if a := s.ok(t, request, ""); request == "POST /stop" && a.Get("stopped") != true {
			t.Errorf("%s: %s", request, a.Raw)
		}
		a := <-waiting
		a.Fails(t, 409, "conflict", "the browser was stopped while it was starting")
		if a.Text("hint") == "" {
			t.Errorf("%s: %s", request, a.Raw)
		}
	}
	go os.WriteFile(gate, []byte("\n"), 0) // opening it waits until the browser starts
	s.ok(t, "POST /start", "")
}
