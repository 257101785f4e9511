package page_test

import (
	"context"
	"testing"
	"time"

	"chela/internal/page"
)

// longest is how long a page may take to come to rest in a test where it should
// do so at once: a page that never does would take all of it.
const longest = 30 * time.Second

// comesToRest fails unless the page is at rest long before the longest time.
func (t *tester) comesToRest() {
	t.Helper()
	began := time.Now()
	if err := t.touch(2*longest, func(ctx context.Context) error { t.Rest(ctx, longest); return nil }); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(began); took > longest/2 {
		t.Errorf("at rest after %v; requests under way: %q", took, page.UnderWay(t.Page))
	}
}

// Requests whose end Chromium does not report keep no page from coming to rest.
func TestRestWithoutReportOfTheEnd(t *testing.T) {
	for _, s := range []struct{ name, script string }{
		{"a worker", `new Worker('/log.js')`},
		{"a worker that is missing", `new Worker('/missing.js')`},
		{"a module worker", `new Worker('/log.js', { type: 'module' })`},
		{"a worker that has ended", `new Worker('/log.js').terminate()`},
		{"a worker that waits for its server", `new Worker(URL.createObjectURL(new Blob(['fetch("' + location.origin + '/hang")'])))`},
		{"a busy worker", `new Worker(URL.createObjectURL(new Blob(['for (;;);'])))`},
		{"a worker in a worker", `new Worker(URL.createObjectURL(new Blob(['new Worker("' + location.origin + '/log.js")'])))`},
		{"a shared worker", `new SharedWorker('/log.js')`},
		{"a service worker", `navigator.serviceWorker.register('/log.js')`},
		{"a removed frame", `(() => { const f = document.createElement('iframe'); f.srcdoc = '<script>fetch("/hang")<' + '/script>'; document.body.append(f); f.onload = () => f.remove(); })()`},
		{"a removed frame of another site", `(() => { const f = document.createElement('iframe'); f.src = '` + elsewhere() + `/frame.html?fetch=/hang'; document.body.append(f); f.onload = () => f.remove(); })()`},
		{"another document in a frame", `(() => { const f = document.createElement('iframe'); f.srcdoc = '<script>fetch("/hang")<' + '/script>'; document.body.append(f); f.onload = () => { f.onload = null; f.srcdoc = 'Next'; }; })()`},
		{"a navigation given up for another", `location = '/hang'; setTimeout(() => { location = '/status?code=204'; }, 50)`},
		{"an answer without content", `location = '/status?code=204'`},
		{"a stopped fetch", `fetch('/hang').catch(() => {}); setTimeout(() => stop(), 50)`},
		{"an aborted fetch", `(() => { const c = new AbortController(); fetch('/hang', { signal: c.signal }).catch(() => {}); setTimeout(() => c.abort(), 50); })()`},
		{"a beacon", `navigator.sendBeacon('/hang')`},
		{"a stream of events", `new EventSource('/hang')`},
		{"a preflight", `fetch('` + elsewhere() + `/log.js', { headers: { 'X-Extra': '1' } }).catch(() => {})`},
	} {
		t.Run(s.name, func(t *testing.T) {
			tt := open(t, "/frame.html")
			run[any](tt, s.script+"; undefined")
			tt.comesToRest()
		})
	}
}

// What a document waited for is forgotten when another one takes its place.
func TestRestAfterAPageThatWaited(t *testing.T) {
	for name, next := range map[string]string{"of the same site": site.URL, "of another site": elsewhere()} {
		t.Run(name, func(t *testing.T) {
			tt := open(t, "/frame.html")
			run[any](tt, `fetch('/hang').catch(() => {}); undefined`)
			if err := tt.touch(20*time.Second, func(ctx context.Context) error { return tt.Navigate(ctx, next+"/form.html") }); err != nil {
				t.Fatal(err)
			}
			tt.comesToRest()
		})
	}
}
