package service

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// BrowserPID returns the process ID of the running browser.
func (s *Service) BrowserPID(t testing.TB) int {
	t.Helper()
	pid, ok := s.OK(t, "GET /", nil).Get("pid").(float64)
	if !ok {
		t.Fatal("no browser runs")
	}
	return int(pid)
}

// KillBrowser kills the running browser, and waits until the server has noticed that.
func (s *Service) KillBrowser(t testing.TB) {
	t.Helper()
	if err := Kill(s.BrowserPID(t)); err != nil {
		t.Fatal(err)
	}
	Eventually(t, "the browser has gone", func() bool { return s.OK(t, "GET /", nil).Get("running") == false })
}

// KillRenderers kills the processes of all pages. It waits until the server reports all tabs as
// crashed, including the tabs that earlier tests have left open.
func (s *Service) KillRenderers(t testing.TB) {
	t.Helper()
	for _, pid := range Processes(s.BrowserPID(t), "--type=renderer") {
		Kill(pid)
	}
	Eventually(t, "the tabs have crashed", func() bool {
		tabs := s.OK(t, "GET /tabs", nil)
		return tabs.Count("tabs") == strings.Count(tabs.Raw, `"crashed":true`)
	})
}

// Reopened takes a snapshot of a tab whose renderer or browser has ended. The server opens the tab
// again for that, perhaps in another browser, which may take long on a busy machine.
func (s *Service) Reopened(t testing.TB, tab string) Answer {
	t.Helper()
	return s.OK(t, "GET /snapshot?timeoutMs=60000&targetId="+tab, nil)
}

// Saved waits until a text is in the session file, and returns the file's content. The next browser
// of the profile gets its tabs from this file.
func (s *Service) Saved(t testing.TB, text string) (session []byte) {
	t.Helper()
	Eventually(t, text+" is saved", func() bool {
		session, _ = os.ReadFile(s.SessionFile())
		return strings.Contains(string(session), text)
	})
	return session
}

// SessionFile is the path of the session file of the default profile.
func (s *Service) SessionFile() string {
	return filepath.Join(s.Dir, "browser", "chela", "session.json")
}

// Handles lists the handles of the tabs, in order, with spaces between them.
func (s *Service) Handles(t testing.TB) string {
	t.Helper()
	list := s.OK(t, "GET /tabs", nil)
	var all []string
	for i := range list.Count("tabs") {
		all = append(all, list.Text(fmt.Sprintf("tabs.%d.tabId", i)))
	}
	return strings.Join(all, " ")
}
