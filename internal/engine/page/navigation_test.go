package page

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	proto "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"

	"chela/internal/engine/cdp"
	"chela/internal/engine/setting"
)

// A worker without a web origin, such as one of an extension, is of no page.
func TestPageHasNoEmptyOrigin(t *testing.T) {
	p := Unattached("TAB", "chrome://newtab/", Callbacks{})
	if p.HasOrLoads("") {
		t.Error("a page without a web origin has the origin of every extension's worker")
	}
	if p.MovedTo("https://a.test/100%"); !p.HasOrLoads("https://a.test") {
		t.Error("the page does not have its own origin")
	}
}

// Events of a navigation of the main frame, as Chromium sends them.
const (
	requested  = `{"method":"Page.frameRequestedNavigation","sessionId":"TAB","params":{"frameId":"TAB","reason":"anchorClick","url":"http://a.test/f","disposition":"currentTab"}}`
	started    = `{"method":"Page.frameStartedNavigating","sessionId":"TAB","params":{"frameId":"TAB","url":"http://a.test/f","loaderId":"L","navigationType":"differentDocument"}}`
	traversing = `{"method":"Page.frameStartedNavigating","sessionId":"TAB","params":{"frameId":"TAB","url":"http://a.test/f","loaderId":"L","navigationType":"historyDifferentDocument"}}`
	sent       = `{"method":"Network.requestWillBeSent","sessionId":"TAB","params":{"requestId":"L","loaderId":"L","documentURL":"http://a.test/f",` +
		`"request":{"url":"http://a.test/f","method":"GET","headers":{},"initialPriority":"VeryHigh","referrerPolicy":"no-referrer"},` +
		`"timestamp":1,"wallTime":1,"initiator":{"type":"other"},"redirectHasExtraInfo":false,"type":"Document","frameId":"TAB"}}`
	answered = `{"method":"Network.responseReceived","sessionId":"TAB","params":{"requestId":"L","loaderId":"L","timestamp":1,"type":"Document",` +
		`"response":{"url":"http://a.test/f","status":%d,"statusText":"","headers":{},"mimeType":"application/zip","charset":"","connectionReused":false,` +
		`"connectionId":1,"encodedDataLength":1,"securityState":"insecure"},"hasExtraInfo":false,"frameId":"TAB"}}`
	failed  = `{"method":"Network.loadingFailed","sessionId":"TAB","params":{"requestId":"L","timestamp":1,"type":"Document","errorText":"net::ERR_ABORTED","canceled":true}}`
	stopped = `{"method":"Page.frameStoppedLoading","sessionId":"TAB","params":{"frameId":"TAB"}}`
)

// A beforeunload handler is ended when it has held up a navigation for some time. It is also ended
// if the document that is left has stopped loading meanwhile. It is not ended while a server is
// awaited.
func TestHandlersThatHoldUpANavigation(t *testing.T) {
	const headers = `{"method":"Network.responseReceivedExtraInfo","sessionId":"TAB","params":{"requestId":"L","blockedCookies":[],"headers":{},` +
		`"resourceIPAddressSpace":"Loopback","statusCode":200}}`
	for _, s := range []struct {
		name   string
		events []string
		ended  bool
	}{
		{"not sent", []string{started}, true},
		{"only requested", []string{requested}, true},
		{"the document before stops early", []string{started, stopped}, true},
		{"sent", []string{started, sent}, false},
		{"sent after the document before stops early", []string{started, stopped, sent}, false},
		{"answered by another host", []string{started, sent, headers}, false},
	} {
		t.Run(s.name, func(t *testing.T) {
			p, r := record(t, setting.Settings{})
			for _, event := range s.events {
				r.says <- event
			}
			written(t, p)
			if err := p.Sync(t.Context()); err != nil {
				t.Fatal(err)
			}
			if got := p.unloadsSince(time.Now().Add(-unloadTime)); got != s.ended {
				t.Errorf("handlers are ended: %v, want %v", got, s.ended)
			}
			if p.unloadsSince(time.Now()) {
				t.Error("they are ended at once")
			}
		})
	}
}

// A navigation that the page has only requested may never start. So Expect does not wait for it as
// for one that has started.
func TestRequestedNavigationThatNeverStarts(t *testing.T) {
	p, r := record(t, setting.Settings{})
	for _, s := range []struct {
		event    string
		underWay bool
	}{{requested, false}, {started, true}} {
		before, _ := activityOf(p)
		r.says <- s.event
		written(t, p)
		if err := p.Sync(t.Context()); err != nil {
			t.Fatal(err)
		}
		if now, underWay := activityOf(p); underWay != s.underWay || now == before {
			t.Errorf("after %s: under way: %v, begun: %v", s.event, underWay, now != before)
		}
	}
}

func activityOf(p *Page) (activity, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.activityLocked()
}

// A page is busy with its beforeunload handler, before a navigation of its own. When the handler
// has been ended, that navigation begins, and is stopped before ours.
func TestNavigationOfThePageBeforeOurs(t *testing.T) {
	p, r := record(t, setting.Settings{})
	r.says <- requested
	written(t, p)
	r.take("TAB")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r.mu.Lock()
	r.silent = runtime.Evaluate.Method
	r.got = func(method string) {
		switch method {
		case runtime.TerminateExecution.Method:
			r.says <- started
			r.says <- sent
		case proto.StopLoading.Method:
			r.says <- failed
			r.says <- stopped
		case proto.Navigate.Method:
			cancel()
		}
	}
	r.mu.Unlock()
	if err := p.Navigate(ctx, "http://a.test/g"); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	got := slices.DeleteFunc(r.take("TAB"), func(m string) bool { return m == runtime.Evaluate.Method })
	if want := []string{runtime.TerminateExecution.Method, proto.StopLoading.Method, proto.Navigate.Method}; !slices.Equal(got[:min(3, len(got))], want) {
		t.Errorf("sent %v, want %v", got, want)
	}
}

// A navigation that a command has begun and that brings no document is reported as such, even if it
// was over before anybody looked.
func TestHistoryAfterAShortNavigation(t *testing.T) {
	p, r := record(t, setting.Settings{})
	m := p.beginReplacing(isTraversal)
	for _, event := range []string{traversing, sent, fmt.Sprintf(answered, 204), failed, stopped} {
		r.says <- event
	}
	written(t, p)
	if err := p.Sync(t.Context()); err != nil {
		t.Fatal(err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if over := m.updateLocked(p); !over || m.begun != 1 || m.arrived {
		t.Errorf("over: %v, %+v", over, m)
	}
}

// The history may lead to a document in the back/forward cache. Chromium's first navigation then
// ends without a document, and after that the cached document comes. No event reports the frames in
// it.
func TestHistoryOfAKeptDocument(t *testing.T) {
	const kept = `{"method":"Page.frameNavigated","sessionId":"TAB","params":{"frame":{"id":"TAB","loaderId":"M","url":"http://a.test/f","domainAndRegistry":"",` +
		`"securityOrigin":"http://a.test","mimeType":"text/html","secureContextType":"Secure","crossOriginIsolatedContextType":"NotIsolated","gatedAPIFeatures":[]},` +
		`"type":"BackForwardCacheRestore"}}`
	p, r := record(t, setting.Settings{})
	written(t, p)
	r.take("TAB")
	err := p.replaceDocument(t.Context(), "http://a.test/f", isTraversal, func() error {
		for _, event := range []string{traversing, sent, failed, stopped} {
			r.says <- event
		}
		written(t, p)
		time.AfterFunc(20*time.Millisecond, func() { r.says <- kept })
		return p.Sync(t.Context())
	})
	if err == nil {
		err = p.awaitDocument(t.Context(), "M")
	}
	if err != nil {
		t.Error(err)
	}
	written(t, p)
	if !slices.Contains(r.take("TAB"), proto.GetFrameTree.Method) {
		t.Error("its frames are not asked for")
	}
}

// An act waits for the file that a navigation leads to, even when the document that is left stops
// loading in between. It does not wait for a navigation that was canceled.
func TestActAwaitsTheAnswerOfANavigation(t *testing.T) {
	file, nothing := fmt.Sprintf(answered, 200), fmt.Sprintf(answered, 204)
	for _, s := range []struct {
		name   string
		events []string
		waits  bool // the navigation waits for an answer, or for a file
	}{
		{"a file", []string{requested, started, sent, file, failed, stopped}, true},
		{"a file of a link whose count is lost", []string{started, sent, file, failed, stopped}, true},
		{"no content", []string{requested, started, sent, nothing, failed, stopped}, false},
		{"canceled", []string{requested, started, sent, failed, stopped}, false},
		{"never sent", []string{requested, started, stopped}, false},
		{"the document before stops", []string{requested, started, sent, stopped}, true},
		{"the document before stops, then a file comes", []string{requested, started, sent, stopped, file, failed, stopped}, true},
		{"the document before stops, then it is canceled", []string{requested, started, sent, stopped, failed, stopped}, false},
		{"the document before stops early", []string{requested, started, stopped, sent}, true},
		{"the document before stops early, then a file comes", []string{requested, started, stopped, sent, file, failed, stopped}, true},
	} {
		t.Run(s.name, func(t *testing.T) {
			p, r := record(t, setting.Settings{})
			files := p.downloadsMark()
			for _, event := range s.events {
				r.says <- event
			}
			if _, err := cdp.Call(t.Context(), p.session, runtime.Disable, protocol.Empty{}); err != nil { // the answer comes after the events
				t.Fatal(err)
			}
			if err := p.Sync(t.Context()); err != nil {
				t.Fatal(err)
			}
			p.mu.Lock()
			waits := p.leavingAnyLocked(0) || p.downloadPendingLocked(files)
			p.mu.Unlock()
			if waits != s.waits {
				t.Errorf("an act waits: %v, want %v", waits, s.waits)
			}
			if !waits {
				return
			}
			for _, event := range []string{file, failed, stopped} {
				r.says <- event
			}
			ended := make(chan error, 1)
			go func() { ended <- p.settle(t.Context(), 0, files) }()
			p.FileBegan()
			if err := <-ended; err != nil {
				t.Errorf("the act ends with %v", err)
			}
		})
	}
}

// While a navigation is under way, no key is sent: it could go to the next document. A navigation
// that never starts does not keep the keys for long.
func TestNoKeyDuringANavigation(t *testing.T) {
	for _, s := range []struct {
		name        string
		begin, ends []string
	}{
		{"requested", []string{requested}, nil},
		{"started", []string{started, sent}, []string{failed, stopped}},
		{"requested, then started", []string{requested, started, sent}, []string{failed, stopped}},
	} {
		t.Run(s.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p, r := record(t, setting.Settings{})
				var keys atomic.Int32
				r.mu.Lock()
				r.got = func(method string) {
					if method != input.DispatchKeyEvent.Method {
						return
					}
					if keys.Add(1) == 2 { // "a" is released
						for _, event := range s.begin {
							r.says <- event
						}
					}
				}
				r.mu.Unlock()
				ended := make(chan error, 1)
				go func() { ended <- p.typeText(t.Context(), "abc", pace{}, p.main(), p.ourWorld(p.main().ID)) }()
				synctest.Wait()
				if n := keys.Load(); n != 2 {
					t.Errorf("%d key events were sent before the navigation had ended, want 2", n)
				}
				for _, event := range s.ends {
					r.says <- event
				}
				if err := <-ended; err != nil || keys.Load() != 6 {
					t.Errorf("%d key events were sent, want 6: %v", keys.Load(), err)
				}
			})
		})
	}
}
