//go:build unix

package fleet

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chela/internal/engine/chrome"
	"chela/test/service"
)

// A node whose browser does not start says so, with the first line of the error. It tries again,
// and is healthy when a start works.
func TestNodeWithBrokenBrowser(t *testing.T) {
	b, dir := newBroker(t), t.TempDir()
	browser := filepath.Join(t.TempDir(), "browser")
	write := func(script string) {
		if err := os.WriteFile(browser, []byte("#!/bin/sh\n"+script+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	write("echo no memory >&2; echo more >&2; exit 1")
	settings := fmt.Sprintf("{browser: {noSandbox: true, headless: true, executablePath: %q}}", browser)
	if err := os.WriteFile(filepath.Join(dir, "chela.json"), []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	service.Run(t, dir, "node", "--nats", b.url(), "--name", "mac")
	here := b.newCaller(t, "")
	here.OK(t, "GET /fleet", nil).Has(t, "nodes.0.healthy", "true")
	here.Do(t, "POST /tabs/open?node=mac", service.Args{"url": site.URL}).Fails(t, 503, "browser_failed", "did not start")
	service.Eventually(t, "the node is not healthy", func() bool { return here.OK(t, "GET /fleet", nil).Text("nodes.0.healthy") == "false" })
	if reason := here.OK(t, "GET /fleet", nil).Text("nodes.0.reason"); !strings.Contains(reason, "did not start") || strings.Contains(reason, "\n") {
		t.Errorf("the reason is %q", reason)
	}
	found, err := chrome.Find("")
	if err != nil {
		t.Fatal(err)
	}
	write("exec " + found.Path + ` "$@"`)
	service.Eventually(t, "the node is healthy again", func() bool { return here.OK(t, "GET /fleet", nil).Text("nodes.0.healthy") == "true" })
}
