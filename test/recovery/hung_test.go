//go:build unix

package recovery

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	proto "github.com/chromedp/cdproto/cdp"

	"chela/internal/engine/cdp"
	"chela/test/long"
	"chela/test/service"
	"chela/test/suspend"
)

// A browser that hangs is ended, and later pages are rendered by another one.
func TestHungRenderer(t *testing.T) {
	long.Test(t)
	t.Parallel() // the test waits for a process that hangs
	s := service.Own(t, "")
	request := args{"url": site.URL + "/text.html", "mode": "extract", "wait_seconds": 0}
	s.OK(t, "POST /render", request)
	for _, pid := range service.Using(s.Dir, "chela-render") {
		suspend.Process(t, pid) // a crash handler outlives the browser, and ends when it runs again
	}
	var calls sync.WaitGroup
	request["timeoutMs"] = 1000
	for range 8 {
		calls.Go(func() {
			if a, err := s.Try(t.Context(), "POST /render", request); err != nil || a.Status != 504 {
				t.Errorf("%v, %s", err, a.Raw)
			}
		})
	}
	calls.Wait()
	request["timeoutMs"] = 60000
	s.OK(t, "POST /render", request)
}

// A browser that hangs is ended after half a minute, even if calls are tried again and again. Until
// then they say that the browser does not answer, and not that the page is busy. The next call has a
// new browser, with the tab. Meanwhile its tabs are listed at once.
func TestHungBrowser(t *testing.T) {
	long.Test(t)
	t.Parallel() // the test waits for a process that hangs
	s := service.Own(t, "")
	tab := s.Open(t, html("<button>Here</button>"))
	process := func() int {
		pid, _ := s.OK(t, "GET /", nil).Get("pid").(float64) // 0: no browser runs
		return int(pid)
	}
	pid := process()
	for _, hung := range service.Using(s.Dir, "browser/chela/") {
		suspend.Process(t, hung) // a crash handler outlives the browser, and ends when it runs again
	}
	listed := s.Do(t, "GET /tabs", nil)
	listed.Within(t, 3*time.Second)
	if !strings.Contains(string(listed.Raw), tab.ID) {
		t.Errorf("the list lacks the tab: %s", listed.Raw)
	}
	silent := false
	for {
		a := tab.Do("GET /snapshot", args{"timeoutMs": 3000})
		if a.Status == 200 {
			a.Has(t, "recovered", "true")
			break
		}
		a.Within(t, 3*time.Second)
		silent = silent || strings.Contains(a.Text("error"), "the browser does not answer")
		if a.Text("code") == "page_busy" && process() == pid { // on a loaded machine, the page in the next browser may be busy
			t.Fatalf("a call says that the page is busy: %s", a.Raw)
		}
	}
	if !silent {
		t.Error("no call said that the browser does not answer")
	}
	if process() == pid {
		t.Errorf("the browser is still %d", pid)
	}
}

// If the process that paints hangs, a picture fails at its deadline, and the error does not blame the
// page. Calls that need no picture go on.
//
// On a loaded machine, Chromium sometimes still sets up its painting. Then the page or the whole
// browser waits for the process that hangs. That wait must end with the hang.
func TestHungPainter(t *testing.T) {
	long.Test(t)
	t.Parallel()
	s := service.Own(t, "")
	tab := s.Open(t, html("<button>Here</button>"))
	tab.OK("POST /screenshot", nil)
	runsScripts := bareEvaluate(tab)
	painters := service.Processes(int(s.OK(t, "GET /", nil).Get("pid").(float64)), "--type=gpu-process")
	if len(painters) == 0 {
		t.Fatal("there is no process that paints")
	}
	var resume []func()
	for _, pid := range painters {
		resume = append(resume, suspend.Process(t, pid))
	}
	picture := tab.Do("POST /screenshot", args{"timeoutMs": 2000})
	picture.Within(t, 2*time.Second)
	if picture.Status == 200 {
		t.Errorf("a picture that nobody painted: %s", picture.Raw)
	}
	run := args{"kind": "evaluate", "fn": "1"}
	if a := tab.Do("POST /act", run); a.Status != 200 {
		if runsScripts() {
			t.Fatalf("only chela waits: %s", a.Raw)
		}
		for _, resume := range resume {
			resume()
		}
		tab.OK("POST /act", run)
		t.Skipf("Chromium itself waits: %s", a.Raw)
	}
	if picture.Text("code") != "deadline" || !strings.Contains(picture.Text("error"), "did not paint") {
		t.Errorf("got %s", picture.Raw)
	}
}

// bareEvaluate connects to the tab as other programs do. The result reports whether the browser runs a
// script there by a bare command, without what chela does before and after one.
func bareEvaluate(tab *service.Tab) (runsScripts func() bool) {
	tab.Helper()
	target := tab.OK("GET /snapshot", nil).Text("targetId")
	transport, err := cdp.Dial(tab.Context(), tab.Service.OK(tab, "POST /cdp", args{}).Text("wsUrl"), cdp.DialOptions{})
	if err != nil {
		tab.Fatal(err)
	}
	conn := cdp.NewConn(transport, cdp.Options{})
	tab.Cleanup(func() { conn.Close() })
	call := func(ctx context.Context, session *cdp.Session, method string, params args) (args, error) {
		return cdp.Call(ctx, session, proto.Command[args, args]{Method: method}, params)
	}
	attached, err := call(tab.Context(), conn.Root(), "Target.attachToTarget", args{"targetId": target, "flatten": true})
	if err != nil {
		tab.Fatal(err)
	}
	page := conn.Session(attached["sessionId"].(string))
	return func() bool {
		ctx, cancel := context.WithTimeout(tab.Context(), 3*time.Second)
		defer cancel()
		_, err := call(ctx, page, "Runtime.evaluate", args{"expression": "1"})
		return err == nil
	}
}
