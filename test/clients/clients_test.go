// Package clients has programs of others drive the tabs of sessions: sixteen agents at once, with
// Playwright, Puppeteer and chromedp. The browser is one of chela, or a person's that is shared by
// the extension with one consent.
package clients

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"chela/test/service"
)

// agents is the number of agents that work at once.
const agents = 16

// packages is the folder with the libraries.
var packages = os.Getenv("CHELA_TEST_CLIENTS")

var (
	shared *service.Service
	site   *httptest.Server
)

// The tests need the packages, which `make clients` brings.
func TestMain(m *testing.M) {
	if packages == "" {
		fmt.Println("not run: see make clients")
		return
	}
	form := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, `<title>Form</title><input><button onclick="document.title = 'Hello ' + document.querySelector('input').value">Go</button>`)
	})
	os.Exit(service.Main(m, form, func(alive, _ *service.Service, at *httptest.Server) { shared, site = alive, at }))
}

func TestAgentsAtOnce(t *testing.T) {
	for _, test := range []struct {
		library string
		command []string
	}{
		{"playwright-core", []string{"node", "endpoint.mjs", "playwright-core"}},
		{"puppeteer-core", []string{"node", "endpoint.mjs", "puppeteer-core"}},
		{"chromedp", []string{filepath.Join(packages, "chromedp")}},
	} {
		t.Run(test.library, func(t *testing.T) {
			args := append(test.command[1:], site.URL)
			for i := range agents {
				session := fmt.Sprintf("%s-%d", test.library, i)
				args = append(args, shared.In(session).OK(t, "POST /cdp", nil).Text("wsUrl"))
			}
			ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
			defer cancel()
			program := exec.CommandContext(ctx, test.command[0], args...)
			program.Dir = packages
			if out, err := program.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}
