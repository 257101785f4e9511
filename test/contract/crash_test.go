//go:build unix

package contract

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"chela/test/long"
	tests "chela/test/service"
)

// pid is the process of the running browser.
func (s *service) pid(t *testing.T) int {
	t.Helper()
	pid, ok := s.ok(t, "GET /", "").Get("pid").(float64)
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

// If something breaks a call while it runs, the call is answered at once with that error. The next
// call works.
func TestCrashedRenderer(t *testing.T) {
	s := mortal
	tab := s.open(t, page("<title>here</title><button>Go</button>"))
	s.ok(t, "POST /tabs/action", fmt.Sprintf(`{"action": "label", "targetId": %q, "label": "mine"}`, tab))
	ref := s.ref(t, tab, "Go")
	raw := fmt.Sprint(s.tab(t, tab)["targetId"])
	failing := s.during(t, `"kind": "evaluate", "fn": "new Promise(() => document.title = 'runs')"`, tab)
	kill(t, tests.Processes(s.pid(t), "--type=renderer")...)
	a := <-failing
	a.Fails(t, 502, "tab_crashed", "the tab crashed")

	tests.Eventually(t, "the list says so", func() bool { return s.tab(t, tab)["crashed"] == true })
	s.do(t, "POST /act", s.body("mine", `"kind": "click", "ref": "`+ref+`"`)).Fails(t, 404, "stale_ref", "has been replaced")
	a = s.ok(t, "GET /snapshot?targetId=mine", "")
	if !strings.Contains(a.Text("snapshot"), `button "Go"`) || s.handles(t) != tab || s.tab(t, tab)["crashed"] != nil {
		t.Errorf("then: %s %v", a.Raw, s.tabs(t))
	}

	kill(t, tests.Processes(s.pid(t), "--type=renderer")...)
	tests.Eventually(t, "the list says so again", func() bool { return s.tab(t, tab)["crashed"] == true })
	a = s.ok(t, "GET /snapshot?targetId="+tab, "")
	if a.Get("recovered") != true || a.Text("lost") == "" || a.Text("url") != page("<title>here</title><button>Go</button>") {
		t.Errorf("recovery: %s", a.Raw)
	}
	if a = s.ok(t, "GET /snapshot?targetId="+raw, ""); a.Text("targetId") == raw {
		t.Errorf("the tab has its target of before the crash: %s", a.Raw)
	}
}

// A page that crashes whenever it is shown is an error at each call. Other tabs are not disturbed,
// and the tab can navigate away.
func TestPageThatAlwaysCrashes(t *testing.T) {
	long.Test(t)
	s := mortal
	other := s.open(t, page("<button>Go</button>"))
	tab := s.open(t, page("<title>here</title>"))
	pid := s.pid(t)
	// Blink computes the layout of nested boxes recursively, until it has no stack
	// left. The script asks for a height, so that it does that before the page has loaded.
	deep := page(`<body><script>
		let e = document.body
		for (let i = 0; i < 20000; i++) e = e.appendChild(document.createElement("div"))
		e.textContent = "x"
		e.offsetHeight
	</script>`)
	a := s.do(t, "POST /navigate", s.body(tab, fmt.Sprintf(`"url": %q`, deep)))
	a.Fails(t, 502, "tab_crashed", "the tab crashed")
	if !strings.Contains(a.Text("hint"), "the next call opens it again") {
		t.Errorf("the first: %s", a.Raw)
	}
	for _, request := range []string{"GET /snapshot?targetId=" + tab, "POST /act"} {
		body := ""
		if request == "POST /act" {
			body = s.body(tab, `"kind": "press", "key": "a"`)
		}
		a := s.do(t, request, body)
		a.Fails(t, 502, "tab_crashed", "crashed again")
		if !strings.Contains(a.Text("hint"), "navigate it elsewhere") {
			t.Errorf("%s: %s", request, a.Raw)
		}
		if a := s.ok(t, "GET /snapshot?targetId="+other, ""); a.Get("recovered") != nil || s.pid(t) != pid {
			t.Errorf("the other tab: %s", a.Raw)
		}
	}
	a = s.ok(t, "POST /navigate", s.body(tab, fmt.Sprintf(`"url": %q`, page("<title>there</title>"))))
	if s.tab(t, tab)["title"] != "there" || s.tab(t, tab)["crashed"] != nil || s.handles(t) != tab+" "+other {
		t.Errorf("left: %s %v", a.Raw, s.tabs(t))
	}
}

// during begins an act that sets the title to "runs". The returned channel gets its answer.
func (s *service) during(t *testing.T, fields, tab string) <-chan tests.Answer {
	t.Helper()
	answers := make(chan tests.Answer, 1)
	go func() {
		a, err := s.TryText(context.Background(), "POST /act", s.body(tab, fields))
		if err != nil {
			a.Raw = err.Error()
		}
		answers <- a
	}()
	tests.Eventually(t, "the act runs", func() bool { return s.tab(t, tab)["title"] == "runs" })
	return answers
}

func TestCallsOfAKilledBrowser(t *testing.T) {
	long.Test(t)
	s := mortal
	tab := s.open(t, page("<title>here</title><button>Go</button>"))
	second := s.open(t, page("<title>two</title>"))
	s.ok(t, "POST /tabs/action", fmt.Sprintf(`{"action": "label", "targetId": %q, "label": "mine"}`, tab))
	failing := s.during(t, `"kind": "evaluate", "fn": "new Promise(() => document.title = 'runs')"`, tab)
	pid := s.pid(t)
	kill(t, pid)
	a := <-failing
	a.Fails(t, 502, "BROWSER_LOST", "the browser ended during the call")

	a = s.ok(t, "GET /snapshot?targetId=mine", "")
	if a.Get("recovered") != true || !strings.Contains(a.Text("snapshot"), `button "Go"`) {
		t.Errorf("then: %s", a.Raw)
	}
	if got := s.handles(t); got != tab+" "+second {
		t.Errorf("the tabs are %s", got)
	}
	if s.pid(t) == pid || len(tests.Processes(pid, "")) != 0 {
		t.Error("the old browser is left")
	}
	a = s.ok(t, "GET /snapshot?targetId="+second, "")
	if a.Get("recovered") != true || a.Text("url") != page("<title>two</title>") {
		t.Errorf("the other: %s", a.Raw)
	}
}

// However many calls come at once, a profile has only one browser.
func TestOneBrowser(t *testing.T) {
	s := own(t, "")
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			a, err := s.TryText(t.Context(), "POST /tabs/open", `{"url": "about:blank"}`)
			if err != nil || a.Status != http.StatusOK {
				t.Errorf("%v %s", err, a.Raw)
			}
		})
	}
	all.Wait()
	if got := len(s.tabs(t)); got != 8 {
		t.Errorf("%d tabs", got)
	}
	a := s.ok(t, "POST /stop", "")
	if a.Get("stopped") != true {
		t.Errorf("stop: %s", a.Raw)
	}
	a = s.ok(t, "POST /stop", "")
	if a.Get("stopped") != false {
		t.Errorf("stop again: %s", a.Raw)
	}
	if a := s.ok(t, "POST /tabs/open", `{"url": "about:blank"}`); a.Text("tabId") != "t9" {
		t.Errorf("a handle is used again: %s", a.Text("tabId"))
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
	if _, err := net.Dial("tcp", strings.TrimPrefix(s.URL, "http://")); !errors.Is(err, syscall.ECONNREFUSED) {
		t.Errorf("the next call would reach the server that ends: %v", err)
	}
	a := <-failing
	a.Fails(t, 503, "shutting_down", "")
	<-s.Ended()
	if took := time.Since(begun); took > 5*time.Second {
		t.Errorf("took %v", took)
	}
	// A killed process is gone as soon as the kernel has dealt with it.
	tests.Eventually(t, "no process of the browser is left", func() bool { return len(tests.Processes(pid, "")) == 0 })
}

func TestStopWhileStarting(t *testing.T) {
	s := own(t, "")
	started := make(chan tests.Answer)
	go func() {
		a, _ := s.TryText(context.Background(), "POST /start", "")
		started <- a
	}()
	s.ok(t, "POST /stop", "")
	<-started
	s.ok(t, "POST /stop", "")
	if s.ok(t, "GET /", "").Get("running") != false {
		t.Error("it runs")
	}
}
