//go:build unix

package contract

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	tests "chela/test/service"
)

// pid is the process of the running browser.
func (s *service) pid(t *testing.T) int {
	t.Helper()
	pid, ok := s.ok(t, "GET /", "").fields["pid"].(float64)
	if !ok {
		t.Fatal("no browser runs")
	}
	return int(pid)
}

func kill(t *testing.T, pids ...int) {
	t.Helper()
	if len(pids) == 0 {
		t.Fatal("nothing to kill")
	}
	for _, pid := range pids {
		syscall.Kill(pid, syscall.SIGKILL)
	}
}

// While a call runs, what breaks it is told at once, and the next call works.
func TestCrashedRenderer(t *testing.T) {
	s := own(t, "")
	tab := s.open(t, page("<title>here</title><button>Go</button>"))
	s.ok(t, "POST /tabs/action", fmt.Sprintf(`{"action": "label", "targetId": %q, "label": "mine"}`, tab))
	ref := s.ref(t, tab, "Go")
	raw := fmt.Sprint(s.tab(t, tab)["targetId"])
	failing := s.during(t, `"kind": "evaluate", "fn": "new Promise(() => document.title = 'runs')"`, tab)
	kill(t, tests.Processes(s.pid(t), "--type=renderer")...)
	a := <-failing
	a.fails(t, 502, "tab_crashed", "the tab crashed")

	eventually(t, "the list says so", func() bool { return s.tab(t, tab)["crashed"] == true })
	s.do(t, "POST /act", s.body("mine", `"kind": "click", "ref": "`+ref+`"`)).fails(t, 404, "unknown_ref", "")
	a = s.ok(t, "GET /snapshot?targetId=mine", "")
	if !strings.Contains(a.text("snapshot"), `button "Go"`) || s.handles(t) != tab || s.tab(t, tab)["crashed"] != nil {
		t.Errorf("then: %s %v", a.raw, s.tabs(t))
	}

	kill(t, tests.Processes(s.pid(t), "--type=renderer")...)
	eventually(t, "the list says so again", func() bool { return s.tab(t, tab)["crashed"] == true })
	a = s.ok(t, "GET /snapshot?targetId="+tab, "")
	if a.fields["recovered"] != true || list(a.fields["lost"]) == "" || a.text("url") != page("<title>here</title><button>Go</button>") {
		t.Errorf("recovery: %s", a.raw)
	}
	if a = s.ok(t, "GET /snapshot?targetId="+raw, ""); a.text("targetId") == raw {
		t.Errorf("the tab has its target of before the crash: %s", a.raw)
	}
}

// during begins an act that sets the title to "runs", and returns where its answer will come.
func (s *service) during(t *testing.T, fields, tab string) <-chan answer {
	t.Helper()
	answers := make(chan answer, 1)
	go func() {
		a, err := s.try(context.Background(), "POST /act", s.body(tab, fields))
		if err != nil {
			a.raw = err.Error()
		}
		answers <- a
	}()
	eventually(t, "the act runs", func() bool { return s.tab(t, tab)["title"] == "runs" })
	return answers
}

func TestKilledBrowser(t *testing.T) {
	s := own(t, "")
	tab := s.open(t, page("<title>here</title><button>Go</button>"))
	second := s.open(t, page("<title>two</title>"))
	s.ok(t, "POST /tabs/action", fmt.Sprintf(`{"action": "label", "targetId": %q, "label": "mine"}`, tab))
	failing := s.during(t, `"kind": "evaluate", "fn": "new Promise(() => document.title = 'runs')"`, tab)
	pid := s.pid(t)
	kill(t, pid)
	a := <-failing
	a.fails(t, 502, "BROWSER_LOST", "the browser ended during the call")

	a = s.ok(t, "GET /snapshot?targetId=mine", "")
	if a.fields["recovered"] != true || !strings.Contains(a.text("snapshot"), `button "Go"`) {
		t.Errorf("then: %s", a.raw)
	}
	if got := s.handles(t); got != tab+" "+second {
		t.Errorf("the tabs are %s", got)
	}
	if s.pid(t) == pid || len(tests.Processes(pid, "")) != 0 {
		t.Error("the old browser is left")
	}
	a = s.ok(t, "GET /snapshot?targetId="+second, "")
	if a.fields["recovered"] != true || a.text("url") != page("<title>two</title>") {
		t.Errorf("the other: %s", a.raw)
	}
}

// However many ask at once, a profile has one browser.
func TestOneBrowser(t *testing.T) {
	s := own(t, "")
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			a, err := s.try(t.Context(), "POST /tabs/open", `{"url": "about:blank"}`)
			if err != nil || a.status != http.StatusOK {
				t.Errorf("%v %s", err, a.raw)
			}
		})
	}
	all.Wait()
	if got := len(s.tabs(t)); got != 8 {
		t.Errorf("%d tabs", got)
	}
	a := s.ok(t, "POST /stop", "")
	if a.fields["stopped"] != true {
		t.Errorf("stop: %s", a.raw)
	}
	a = s.ok(t, "POST /stop", "")
	if a.fields["stopped"] != false {
		t.Errorf("stop again: %s", a.raw)
	}
	if a := s.ok(t, "POST /tabs/open", `{"url": "about:blank"}`); a.text("tabId") != "t9" {
		t.Errorf("a handle is used again: %s", a.text("tabId"))
	}
}

// A server that ends while calls run answers them, and takes its browser with it.
func TestShutdownDuringCalls(t *testing.T) {
	s := own(t, "")
	tab := s.open(t, page("<p>page"))
	failing := s.during(t, `"kind": "evaluate", "fn": "new Promise(() => document.title = 'runs')"`, tab)
	pid := s.pid(t)
	begun := time.Now()
	s.ok(t, "POST /shutdown", "")
	a := <-failing
	a.fails(t, 503, "shutting_down", "")
	<-s.Ended()
	if took := time.Since(begun); took > 5*time.Second {
		t.Errorf("took %v", took)
	}
	if left := tests.Processes(pid, ""); len(left) != 0 {
		t.Errorf("left %v", left)
	}
}

func TestStopWhileStarting(t *testing.T) {
	s := own(t, "")
	started := make(chan answer)
	go func() {
		a, _ := s.try(context.Background(), "POST /start", "")
		started <- a
	}()
	s.ok(t, "POST /stop", "")
	<-started
	s.ok(t, "POST /stop", "")
	if s.ok(t, "GET /", "").fields["running"] != false {
		t.Error("it runs")
	}
}
