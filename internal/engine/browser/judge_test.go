package browser_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"chela/internal/engine/browser"
	"chela/internal/engine/capture"
	"chela/internal/engine/chrome"
	"chela/internal/engine/page"
	"chela/internal/engine/setting"
	"chela/internal/wall/attack"
	"chela/internal/wall/guard"
	"chela/internal/wall/proxy"
	"chela/test/chromium"
)

// judging starts a browser that connects without a proxy, with a judge of its requests or nil.
func judging(t testing.TB, network *proxy.Proxy, flags ...string) *browser.Browser {
	t.Helper()
	executable, err := chrome.Find("")
	if err != nil {
		t.Fatal(err)
	}
	host, err := browser.Launch(t.Context(), chrome.Options{Executable: executable, UserDataDir: t.TempDir(), Headless: chromium.Headless(), ExtraArgs: flags})
	if err != nil {
		t.Fatal(err)
	}
	b, err := browser.Start(t.Context(), host, browser.Options{Network: network})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close(context.Background()) })
	return b
}

// judgeOf returns a judge that reads the policy for each request.
func judgeOf(t testing.TB, policy *atomic.Pointer[guard.Policy]) *proxy.Proxy {
	t.Helper()
	network, err := proxy.NewJudge(proxy.Options{Policy: policy.Load})
	if err != nil {
		t.Fatal(err)
	}
	return network
}

func policyOf(t testing.TB, r guard.Rules) *guard.Policy {
	t.Helper()
	p, err := r.Policy()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// newCanary starts a server that no request must reach. The function reached lists the requests
// that have.
func newCanary(t testing.TB) (url string, reached func() []string) {
	var mu sync.Mutex
	var all []string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		all = append(all, r.Host+r.URL.Path)
		w.Header().Set("Access-Control-Allow-Origin", "*")
		fmt.Fprint(w, "a secret")
	}))
	t.Cleanup(func() { s.CloseClientConnections(); s.Close() })
	return s.URL, func() []string {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(all)
	}
}

// waysPage tries to reach CANARY in many ways. INNER is a frame of another site that does the same.
const waysPage = `<!doctype html><title>own</title><body><script>
const ended = new Set(), done = name => ended.add(name)
const tries = (name, promise) => promise.then(() => done(name), () => done(name))
const loads = (name, tag, set) => tries(name, new Promise(r => {
	const e = Object.assign(document.createElement(tag), set); e.onload = e.onerror = r; document.body.append(e)
}))
tries('fetch', fetch('CANARY/fetch'))
tries('redirected', fetch('/to?CANARY/redirected'))
tries('preflight', fetch('CANARY/preflight', {method: 'PUT'}))
tries('beacon', fetch('CANARY/keepalive', {keepalive: true, mode: 'no-cors', method: 'POST'}))
navigator.sendBeacon('CANARY/beacon')
loads('image', 'img', {src: 'CANARY/image'})
loads('script', 'script', {src: 'CANARY/script'})
loads('style', 'link', {rel: 'stylesheet', href: 'CANARY/style'})
loads('frame', 'iframe', {src: '/to?CANARY/framed'})
loads('inner', 'iframe', {src: 'INNER/inner'})
tries('worker', new Promise(r => new Worker('/worker.js').onmessage = r))
const stream = new EventSource('CANARY/stream'); stream.onerror = () => { stream.close(); done('stream') }
</script>`

const innerPage = `<!doctype html><body><script>fetch('CANARY/from-inner').catch(() => {}); new Image().src = 'CANARY/image-of-inner'</script>`

// waysSite serves waysPage at localhost, and what that page needs.
func waysSite(t testing.TB, canary string) string {
	var own *httptest.Server
	own = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		port := own.Listener.Addr().(*net.TCPAddr).Port
		fill := strings.NewReplacer("CANARY", canary, "INNER", fmt.Sprintf("http://app.localhost:%d", port))
		switch r.URL.Path {
		case "/to":
			http.Redirect(w, r, r.URL.RawQuery, http.StatusTemporaryRedirect)
		case "/worker.js":
			w.Header().Set("Content-Type", "text/javascript")
			fill.WriteString(w, `fetch('CANARY/worker').catch(() => {}).then(() => postMessage(1))`)
		case "/inner":
			w.Header().Set("Content-Type", "text/html")
			fill.WriteString(w, innerPage)
		case "/ways":
			w.Header().Set("Content-Type", "text/html")
			fill.WriteString(w, waysPage)
		default:
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, "<!doctype html><title>plain</title>")
		}
	}))
	t.Cleanup(func() { own.CloseClientConnections(); own.Close() })
	return strings.Replace(own.URL, "127.0.0.1", "localhost", 1)
}

// A tester acts in one tab, and fails the test if that fails.
type tester struct {
	testing.TB
	tab *browser.Tab
	ctx context.Context
}

func (t tester) turn(fn func(context.Context, *page.Page) error) error {
	p := t.tab.Page()
	return p.Turn(t.ctx, func(ctx context.Context) error { return fn(ctx, p) })
}

func (t tester) run(script string) string {
	t.Helper()
	var out any
	err := t.turn(func(ctx context.Context, p *page.Page) error {
		raw, _, err := p.Evaluate(ctx, script, nil)
		if err != nil || raw == nil {
			return err
		}
		return json.Unmarshal(raw, &out)
	})
	if err != nil {
		t.Fatalf("%s: %v", script, err)
	}
	return fmt.Sprint(out)
}

func (t tester) navigate(url string) error {
	return t.turn(func(ctx context.Context, p *page.Page) error { return p.Navigate(ctx, url) })
}

// If no proxy carries the connections, requests are judged one by one, before they are sent.
func TestRequestsAreJudged(t *testing.T) {
	canary, reached := newCanary(t)
	site := waysSite(t, canary)
	var policy atomic.Pointer[guard.Policy]
	policy.Store(policyOf(t, guard.Rules{AllowedHostnames: []string{"localhost", "app.localhost"}}))
	b := judging(t, judgeOf(t, &policy))
	ctx, cancel := context.WithTimeout(t.Context(), 40*time.Second)
	defer cancel()
	tab, err := b.Session("").Open(ctx)
	if err != nil {
		t.Fatal(err)
	}
	tt := tester{t, tab, ctx}
	if err := tt.navigate(site + "/ways"); err != nil {
		t.Fatal(err)
	}
	tt.run("new Promise(r => { const look = () => ended.size == 11 ? r() : setTimeout(look, 10); look() })")
	for _, url := range []string{canary + "/navigated", site + "/to?" + canary + "/led"} {
		load, failed := errors.AsType[*page.LoadError](tt.navigate(url))
		if !failed || load.Refused == nil || load.Refused.Rule != guard.PrivateNetwork {
			t.Errorf("%s: %v", url, load)
		}
		if at := tab.Page().URL(); at != site+"/ways" {
			t.Errorf("after %s the tab is at %s", url, at)
		}
	}
	// Popups, among them more than a page may open, and a form that is posted to one.
	tt.run(`(() => {
		const form = Object.assign(document.createElement('form'), {action: '` + canary + `/posted', method: 'post', target: '_blank'})
		document.body.append(form); form.submit()
		window.open('` + canary + `/noopener', '', 'noopener')
		for (let i = 0; i < 9; i++) window.open('` + canary + `/popup' + i)
	})()`)
	tab.Popups(ctx, nil, []string{canary})
	tab.SyncJournal(ctx)
	for _, path := range []string{"/fetch", "/redirected", "/image", "/script", "/style", "/framed", "/worker", "/stream", "/from-inner", "/navigated"} {
		reason := ""
		requests, _ := tab.Journal().Requests()
		for _, r := range requests {
			if strings.HasSuffix(r.URL, path) {
				reason = r.Failure + " " + r.Reason
			}
		}
		if !strings.Contains(reason, proxy.Blocked) || !strings.Contains(reason, "policy private-network: 127.0.0.1") {
			t.Errorf("%s is listed with %q", path, reason)
		}
	}
	answersItself(tt, canary)
	laterPolicies(tt, b, &policy, canary, reached)
}

// A port that chela opens after the tab is also judged, under a policy that allows everything.
func TestLaterPortsAreJudged(t *testing.T) {
	canary, reached := newCanary(t)
	_, text, _ := strings.Cut(canary, "http://127.0.0.1:")
	port, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	var policy atomic.Pointer[guard.Policy]
	policy.Store(policyOf(t, guard.Rules{DangerouslyAllowPrivateNetwork: new(true)}))
	network := judgeOf(t, &policy)
	b := judging(t, network)
	tab, err := b.Session("").Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	tt := tester{t, tab, t.Context()}
	if err := tt.navigate(canary + "/before"); err != nil {
		t.Fatal(err)
	}
	network.Own(port)
	for _, host := range []string{"127.0.0.1", "localhost", "a.localhost", "0.0.0.0", "[::ffff:127.0.0.1]"} {
		tt.run("fetch('http://" + host + ":" + text + "/after', {mode: 'no-cors'}).catch(() => {})")
	}
	for _, path := range reached() {
		if strings.HasSuffix(path, "/after") {
			t.Errorf("%s was reached", path)
		}
	}
}

// answersItself checks that routes apply before the judge: a request that a route answers is never
// sent.
func answersItself(t tester, canary string) {
	t.Helper()
	set := func(routes ...*setting.Route) {
		t.Helper()
		err := t.turn(func(ctx context.Context, _ *page.Page) error {
			return t.tab.Set(ctx, func(c *setting.Common) error { c.Routes = routes; return nil })
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	set(&setting.Route{Rule: setting.Rule{ID: "1", URL: canary + "/made", Fulfill: &setting.Fulfillment{Status: 200, Body: []byte("made up")}}})
	got := t.run(`Promise.all(['made', 'other'].map(path => fetch('` + canary + `/' + path).then(r => r.text(), () => 'no')))`)
	if got != "[made up no]" {
		t.Errorf("with a route: %s", got)
	}
	set()
}

// laterPolicies checks that a change of the policy applies to documents that are already open.
func laterPolicies(t tester, b *browser.Browser, policy *atomic.Pointer[guard.Policy], canary string, reached func() []string) {
	t.Helper()
	if got := reached(); len(got) > 0 {
		t.Errorf("reached: %q", got)
	}
	apply := func(r guard.Rules) {
		policy.Store(policyOf(t, r))
		b.Reconfigure()
	}
	apply(guard.Rules{DangerouslyAllowPrivateNetwork: new(true)})
	if got := t.run(`fetch('` + canary + `/allowed').then(r => r.text())`); got != "a secret" || t.tab.Info().Refused {
		t.Errorf("allowed: %s, %+v", got, t.tab.Info())
	}
	apply(guard.Rules{BlockedHostnames: []string{"localhost"}})
	if !t.tab.Info().Refused || t.tab.Page().Unreadable() == nil {
		t.Error("the tab may still be read")
	}
	notFilmed(t, func() { apply(guard.Rules{DangerouslyAllowPrivateNetwork: new(true)}) })
	apply(guard.Rules{DangerouslyAllowPrivateNetwork: new(false), HostnameAllowlist: []string{"localhost"}})
	if why := t.tab.Page().Unreadable(); why == nil || why.Rule != guard.Unenforced {
		t.Errorf("a policy that is strict by name: %v", why)
	}
	if got := reached(); len(got) != 1 {
		t.Errorf("reached: %q", got)
	}
}

// notFilmed checks that a film has no pictures of the page until the function allow was called, which
// allows reading it.
func notFilmed(t tester, allow func()) {
	t.Helper()
	p, shown := t.tab.Page(), make(chan bool, 100)
	film := capture.StartFilm(p, capture.Filming{MaxWidth: 100, MaxHeight: 100, Quality: 50}, func(capture.Still) {
		shown <- p.Unreadable() == nil
	})
	defer film.Stop()
	viewer := p.View(page.Casting{MaxWidth: 100, MaxHeight: 100, Quality: 50})
	defer viewer.Stop()
	for _, color := range []string{"red", "blue"} {
		viewer.Next()
		t.run("document.documentElement.style.background = '" + color + "'; undefined")
	}
	allow()
	t.run("document.documentElement.style.background = 'white'; undefined")
	select {
	case allowed := <-shown:
		if !allowed {
			t.Error("a film has a picture of a page that may not be read")
		}
	case <-t.ctx.Done():
		t.Error("a film has no picture of a page that may be read again")
	}
}

// unjudged are the ways of package attack for which Chromium pauses no request. docs/security.md
// lists them.
var unjudged = strings.Fields("stun turn turn-tcp turn-tls websocket websocket-tls worker-socket transport payment")

// The documentation names exactly the ways that are not judged. `make egress` runs this test.
func TestWhatIsNotJudged(t *testing.T) {
	if os.Getenv("CHELA_TEST_EGRESS") == "" {
		t.Skip("run by make egress")
	}
	site, err := attack.Start(attack.Options{
		Open: "localhost", Closed: "127.0.0.1", Forms: []string{"2130706433", "0177.1", "0.0.0.0", "[::ffff:127.0.0.1]", "１２７.0.0.1"},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer site.Close()
	var policy atomic.Pointer[guard.Policy]
	policy.Store(policyOf(t, guard.Rules{AllowedHostnames: []string{"localhost"}}))
	b := judging(t, judgeOf(t, &policy), "--webrtc-ip-handling-policy=default", "--force-webrtc-ip-handling-policy=default")
	ctx, cancel := context.WithTimeout(t.Context(), 90*time.Second)
	defer cancel()
	tab, err := b.Session("").Open(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if err := (tester{t, tab, ctx}).navigate(site.URL); err != nil {
		t.Fatal(err)
	}
	report, err := site.Wait(ctx)
	if err != nil {
		t.Fatal(err)
	}
	proven := 0
	for _, way := range report.Ways {
		if way.Reached && !slices.Contains(unjudged, way.Name) {
			t.Errorf("%s: %+v", way.Text, way)
		}
		if way.Proven() && !way.Reached {
			proven++
		}
	}
	if proven < 40 {
		t.Errorf("only %d ways are held", proven)
	}
}

// BenchmarkJudge compares a document with 100 images in a browser whose requests are judged with
// one in which they are not: medians of alternating runs.
func BenchmarkJudge(b *testing.B) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/image" {
			w.Header().Set("Content-Type", "image/svg+xml")
			fmt.Fprint(w, `<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>`, strings.Repeat(" ", 4000))
			return
		}
		fmt.Fprint(w, "<!doctype html>")
		for i := range 100 {
			fmt.Fprintf(w, `<img src="/image?%s-%d">`, r.URL.RawQuery, i)
		}
	}))
	defer site.Close()
	var policy atomic.Pointer[guard.Policy]
	policy.Store(policyOf(b, guard.Rules{AllowedHostnames: []string{"127.0.0.1"}}))
	networks := []*proxy.Proxy{nil, judgeOf(b, &policy)}
	var took [2][]float64
	var tabs []tester
	for _, network := range networks {
		tab, err := judging(b, network).Session("").Open(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		tabs = append(tabs, tester{b, tab, b.Context()})
	}
	number := 0
	for b.Loop() {
		for i, tab := range tabs {
			number++
			begin := time.Now()
			if err := tab.navigate(fmt.Sprintf("%s/?%d", site.URL, number)); err != nil {
				b.Fatal(err)
			}
			took[i] = append(took[i], float64(time.Since(begin).Microseconds())/1000)
		}
	}
	for i := range took {
		slices.Sort(took[i])
	}
	without, with := took[0][len(took[0])/2], took[1][len(took[1])/2]
	b.ReportMetric(without, "ms-without")
	b.ReportMetric(with, "ms-judged")
	b.ReportMetric(with/without, "times")
}
