package around

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"chela/test/chromium"
	"chela/test/service"
)

// Over a connection that is slow, breaks, is down, or loses data, calls end in time and say what is
// wrong. When the connection works again, tabs are as callers know them.
func TestLine(t *testing.T) {
	if !chromium.Elsewhere() {
		t.Skip("make remote runs it: it takes some seconds of CPU, and waits until a connection counts as lost")
	}
	browser, end, err := chromium.StartElsewhere(t.TempDir(), chromium.Names(site))
	if err != nil {
		t.Fatal(err)
	}
	defer end()
	line := chromium.NewLine(t, browser)
	far := service.Own(t, fmt.Sprintf(`{browser: {defaultProfile: "far", profiles: {far: {cdpUrl: %q, attachOnly: true}}}}`, line.URL))

	line.Set(chromium.Way{Delay: 100 * time.Millisecond})
	tab := far.Open(t, site.URL+"/frames.html")
	tab.OK("POST /tabs/action", args{"action": "label", "label": "mine"})
	tab.Click("button", nil)
	tab.OK("POST /navigate", args{"url": site.URL + "/form.html"}).Within(t, 20*time.Second)
	tab.Act("type", args{"ref": tab.Ref("textbox"), "text": "by a slow line"})
	line.Set(chromium.Way{})

	breaksWithinCall(t, line, tab)
	isDown(t, line, far)
	losesAll(t, line, far)
}

// breaksWithinCall checks a call that waits for the page when the connection ends. It also checks
// the tab after that.
func breaksWithinCall(t *testing.T, line *chromium.Line, tab *service.Tab) {
	t.Helper()
	begun, over := make(chan bool, 1), make(chan bool)
	held := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		begun <- true
		<-over
	}))
	defer held.Close()
	defer close(over)
	go func() {
		<-begun
		line.Cut()
	}()
	a, err := tab.Try(t.Context(), "evaluate", args{"fn": fmt.Sprintf("fetch(%q, {mode: 'no-cors'})", held.URL), "timeoutMs": 60000})
	if err != nil {
		t.Fatal(err)
	}
	a.AtOnce(t)
	a.Fails(t, 502, "BROWSER_LOST", "the connection to the browser ended during the call")
	if got := tab.Eval("document.querySelector('input').value"); got != "by a slow line" {
		t.Errorf("after the cut the input has %q", got)
	}
}

// isDown checks calls while the browser cannot be reached. They are refused at once, and done when
// the connection works again.
func isDown(t *testing.T, line *chromium.Line, far *service.Service) {
	t.Helper()
	line.Set(chromium.Way{Down: true})
	for _, request := range []string{"GET /snapshot?targetId=mine", "POST /act", "GET /snapshot?targetId=mine"} {
		a := far.Do(t, request, map[string]args{"POST /act": {"kind": "press", "key": "Enter", "targetId": "mine"}}[request])
		a.AtOnce(t)
		if a.Status == 502 { // the first call finds out that the connection has ended
			continue
		}
		a.Fails(t, 409, "conflict", `Browser attachOnly is enabled and profile "far" is not running.`)
	}
	if again := far.Do(t, "GET /snapshot", nil); !strings.Contains(again.Text("hint"), "the next try is possible in") {
		t.Errorf("soon after it: %s", again.Raw)
	}
	far.OK(t, "GET /tabs", nil).Has(t, "running", "false")
	line.Set(chromium.Way{})
	service.Eventually(t, "the browser is connected to again", func() bool { return far.Do(t, "GET /snapshot?targetId=mine", nil).Status == 200 })
}

// losesAll checks calls while the connection stays open but loses all data.
func losesAll(t *testing.T, line *chromium.Line, far *service.Service) {
	t.Helper()
	tab := far.Tab(t, "mine")
	ref := tab.Ref("textbox")
	line.Set(chromium.Way{Silent: true})
	a := tab.Do("GET /snapshot", nil)
	a.Within(t, 5*time.Second)
	a.Fails(t, 504, "deadline", "not done in time: the browser does not answer, nothing comes by the connection to it")
	for _, request := range []string{"GET /", "GET /profiles"} {
		far.OK(t, request, nil).AtOnce(t)
	}
	set := tab.Do("POST /cookies/set", args{"cookie": args{"name": "a", "value": "b", "url": site.URL}, "timeoutMs": 500})
	set.Fails(t, 504, "deadline", "does not answer")
	set.Has(t, "sent", "true") // the browser may yet set it
	a, err := tab.Try(t.Context(), "click", args{"ref": ref})
	if err != nil {
		t.Fatal(err)
	}
	a.Within(t, 8*time.Second)
	if found := a.Text("error") + a.Text("hint"); a.Status == 200 || !strings.Contains(found, "not answer") {
		t.Errorf("a click: %s", a.Raw)
	}
	const untilLost = 13 * time.Second // after this time, the browser counts as lost and no call waits for it
	far.OK(t, "GET /tabs", nil).Within(t, untilLost)
	far.OK(t, "GET /doctor", nil).Within(t, untilLost)
	service.Eventually(t, "the connection is ended", func() bool {
		return strings.Contains(far.Do(t, "GET /snapshot?targetId=mine&timeoutMs=500", nil).Raw, "the next try is possible in")
	})
	far.OK(t, "POST /stop", nil).AtOnce(t)
	line.Set(chromium.Way{})
	service.Eventually(t, "the browser is connected to again", func() bool { return far.Do(t, "GET /snapshot", nil).Status == 200 })
}
