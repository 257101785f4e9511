package recovery

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"chela/test/long"
	"chela/test/service"
)

// badSites adds pages that do what pages should not.
func badSites(mux *http.ServeMux) {
	mux.HandleFunc("/drip", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, "<!doctype html><title>drip</title><button>First</button>")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
	mux.HandleFunc("/huge", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, "<!doctype html><title>huge</title><button>First</button><script type=text/plain>")
		chunk := slices.Repeat([]byte("x"), 1<<20)
		for range 100 {
			w.Write(chunk)
		}
		fmt.Fprint(w, "</script><button>Last</button>")
	})
	mux.HandleFunc("/circle", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/circle?again", http.StatusFound) })
}

// The errors that calls on bad pages may have. On a page that is only noisy, calls must succeed.
var (
	noExcuse []string
	slow     = []string{"deadline", "page_busy"}
	restless = append([]string{"page_failed", "stale_ref", "script_failed"}, slow...)
)

// Whatever a page does, every call on it is answered, and its tab can be used again; other tabs do
// not notice.
func TestBadPages(t *testing.T) {
	long.Test(t)
	healthy := shared.Borrow(t, html(`<button onclick="out.textContent += 'x'">Press</button><p id=out></p>`))
	press := healthy.Ref("Press")
	script := func(s string) string { return html("<title>bad</title><button>Bad</button><script>" + s + "</script>") }
	for _, s := range []struct {
		name, address string
		may           []string
	}{
		{"never answers", site.URL + "/hang", slow},
		{"never ends", site.URL + "/drip", slow},
		{"spins", script(`for (;;);`), slow},
		{"spins later", script(`setTimeout(() => { for (;;); }, 300)`), slow},
		{"is 100 MB", site.URL + "/huge", slow},
		{"redirects for ever", site.URL + "/circle", restless},
		{"reloads for ever", script(`location.href = location.href.replace(/&.*|$/, '&' + Math.random())`), restless},
		{"reloads in a timer", script(`setInterval(() => location.reload(), 30)`), restless},
		{"adds frames for ever", script(`setInterval(() => { const f = document.createElement('iframe'); f.srcdoc = 'x'; document.body.append(f); f.onload = () => f.remove() }, 5)`), noExcuse},
		{"changes for ever", script(`setInterval(() => { document.body.append(document.createElement('b')); document.querySelector('b').remove() }, 1)`), noExcuse},
		{"writes to the console", script(`for (let i = 0; i < 3000; i++) console.log('line ' + i, {i})`), noExcuse},
		{"has 100,000 nodes", script(`document.body.insertAdjacentHTML('beforeend', '<p>x'.repeat(50000))`), slow},
		{"throws", script(`setInterval(() => { throw new Error('again') }, 5)`), noExcuse},
		{"changes its address for ever", script(`setInterval(() => history.replaceState(0, '', '#' + Math.random()), 60)`), noExcuse},
		{"asks for ever", script(`setTimeout(() => { for (;;) confirm('again') }, 50)`), slow},
		{"asks a hundred times", script(`setTimeout(() => { for (let i = 0; i < 100; i++) confirm('again') }, 50)`), slow},
	} {
		t.Run(s.name, func(t *testing.T) {
			if s.may != nil { // a test of such a page mostly waits, so it needs little of the processor
				t.Parallel()
			}
			tab := shared.Open(t, "about:blank")
			opening, limit := time.Second, 300*time.Millisecond // each call on a page that spins takes the whole limit, and keeps a processor busy
			if s.may == nil {
				opening, limit = 10*time.Second, 10*time.Second // the time of calls that must succeed is not measured
			}
			for _, call := range []struct {
				request string
				args    args
				takes   time.Duration
			}{
				{"POST /navigate", args{"url": s.address, "timeoutMs": opening.Milliseconds()}, opening},
				{"GET /snapshot", args{"timeoutMs": limit.Milliseconds()}, limit},
				{"POST /act", args{"kind": "click", "ref": "e1", "timeoutMs": limit.Milliseconds()}, limit},
				{"POST /act", args{"kind": "evaluate", "fn": "document.title", "timeoutMs": limit.Milliseconds()}, limit},
				{"POST /act", args{"kind": "wait", "text": "never there", "timeoutMs": 500}, 500 * time.Millisecond},
				{"POST /act", args{"kind": "wait", "fn": "true", "timeoutMs": limit.Milliseconds()}, limit},
				{"POST /screenshot", args{"timeoutMs": limit.Milliseconds()}, limit},
			} {
				a := tab.Do(call.request, call.args)
				a.Within(t, call.takes)
				code := a.Text("code")
				asked := a.Get("blockedByDialog") == true || code == "conflict"
				switch {
				case asked && strings.HasPrefix(s.name, "asks"), a.Status == http.StatusOK, slices.Contains(s.may, code):
				case call.args["text"] != nil && (code == "deadline" || code == "page_busy"): // a page on a busy machine may not answer in so short a time
				case call.args["kind"] == "wait" && code == "deadline" && s.may != nil:
				case call.args["kind"] == "click" && code == "unknown_ref" && s.may != nil: // the page could not be read, so it has no refs
				default:
					t.Errorf("%s %v: %d %s", call.request, call.args, a.Status, a.Raw)
				}
				healthy.Act("click", args{"ref": press})
			}
			tab.Do("GET /snapshot", args{"timeoutMs": limit.Milliseconds()})
			for range 20 { // a document may open this many dialogs
				if tab.OK("GET /dialogs", nil).Count("browserState.dialogs.pending") == 0 {
					break
				}
				tab.Do("POST /hooks/dialog", args{"accept": false})
				tab.Do("POST /act", args{"kind": "wait", "fn": "true", "timeoutMs": 3000})
			}
			var a, read service.Answer
			for range 5 { // a page that navigates by itself may do so once more
				a = tab.Do("POST /navigate", args{"url": html("<button>Good</button>"), "timeoutMs": 3000})
				read = tab.Do("GET /snapshot", args{"timeoutMs": 3000})
				if strings.Contains(read.Text("snapshot"), `button "Good"`) {
					return
				}
			}
			t.Errorf("the tab cannot be used again: %s\n%s", a.Raw, read.Raw)
		})
	}
}

// A tab keeps its handle, label, address and cookies, also session cookies, when the browser is
// killed and the next one starts.
func TestWhatOutlivesAKilledBrowser(t *testing.T) {
	long.Test(t)
	s := mortal
	tab := s.Open(t, html("<title>one</title>"))
	tab.OK("POST /tabs/action", args{"action": "label", "label": "mine"})
	tab.OK("POST /navigate", args{"url": site.URL + "/cookie"})
	tab.OK("POST /navigate", args{"url": html("<button>Here</button>")})
	for range 2 {
		pid := int(s.OK(t, "GET /", nil).Get("pid").(float64))
		if err := service.Kill(pid); err != nil {
			t.Fatal(err)
		}
		mine := s.Tab(t, "mine")
		a := mine.OK("GET /snapshot", args{"timeoutMs": 60000})
		a.Has(t, "recovered", "true")
		if !strings.Contains(a.Text("snapshot"), `button "Here"`) {
			t.Errorf("then: %s", a.Raw)
		}
		if a = mine.OK("GET /snapshot", nil); a.Get("recovered") != nil {
			t.Errorf("it is said twice: %s", a.Raw)
		}
		if got := mine.Eval("fetch('/cookies').then(r => r.text())"); !strings.Contains(got, "session=of-the-session") || !strings.Contains(got, "kept=for-long") {
			t.Errorf("the cookies are %q", got)
		}
	}
}

// An act that may have been done is not done again.
func TestActsAreNotRepeated(t *testing.T) {
	s := mortal
	tab := s.Open(t, html("<button>Here</button>"))
	for range 2 {
		ref := tab.Ref("Here")
		pid := int(s.OK(t, "GET /", nil).Get("pid").(float64))
		failing := make(chan service.Answer, 1)
		go func() {
			a, _ := tab.Try(t.Context(), "evaluate", args{"fn": "new Promise(() => { window.begun = true })"})
			failing <- a
		}()
		tab.Act("wait", args{"fn": "window.begun"})
		service.Kill(pid)
		(<-failing).Fails(t, 502, "BROWSER_LOST", "")
		a, err := tab.Try(t.Context(), "click", args{"ref": ref})
		if err != nil {
			t.Fatal(err)
		}
		a.Fails(t, 404, "stale_ref", "has been replaced")
	}
}

// If a page gets the input and then never answers, the error says that it took the input: the act
// may have been done.
func TestActThatIsNotConfirmed(t *testing.T) {
	tab := shared.Open(t, html(`<button onclick="for (;;);">Go</button>`))
	a, err := tab.Try(t.Context(), "click", args{"ref": tab.Ref("Go"), "timeoutMs": 1000})
	if err != nil {
		t.Fatal(err)
	}
	a.Fails(t, 504, "page_busy", "the page took the input")
	a.Has(t, "sent", "true")
	tab.OK("POST /navigate", args{"url": html("<p>left")})
}
