package chaos

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"chela/test/pages"
	"chela/test/service"
)

// A step is one call of the day. Its answer depends on what earlier steps have done, but on nothing
// that a tab loses when it is opened again.
type step struct {
	session, request string
	fields           args
}

// theDay returns the steps that several agents do with one browser. The site answers /page/x with a
// page that is titled x, and /data with "server".
func theDay(site string) []step {
	page := func(name string) string { return site + "/page/" + name }
	other := pages.Elsewhere(site)
	open := func(session, url string) step { return step{session, "POST /tabs/open", args{"url": url}} }
	eval := func(session, tab, script string) step {
		return step{session, "POST /act", args{"kind": "evaluate", "targetId": tab, "fn": script, "timeoutMs": 60000}}
	}
	get := func(session, path string) step { return step{session, "GET " + path, nil} }
	session := func(origin string) args {
		return args{"cookies": []args{}, "origins": []args{}, "sessionStorage": []args{{"origin": origin, "items": []args{{"name": "kept", "value": origin}}}}}
	}
	const shows = `[document.title, innerWidth, Intl.DateTimeFormat().resolvedOptions().timeZone].join(' ')`
	const fetched = `fetch('/data').then(r => r.text())`
	list, sessions := get("ann", "/tabs"), get("ann", "/sessions")
	return []step{
		open("ann", page("one")), // t1
		{"ann", "POST /tabs/action", args{"action": "label", "targetId": "t1", "label": "mine"}},
		open("ann", page("two")),   // t2
		open("bob", page("three")), // t3
		open("", page("four")),     // t4
		list, sessions,
		eval("ann", "", shows), // its current tab is t2
		{"ann", "POST /act", args{"kind": "resize", "targetId": "t2", "width": 500, "height": 400}},
		{"ann", "POST /set/timezone", args{"targetId": "t2", "timezoneId": "Asia/Tokyo"}},
		eval("ann", "t2", shows),
		eval("bob", "", shows),
		{"bob", "POST /tabs/t3/lease", args{"ttlMs": 3600000}},
		eval("ann", "t3", shows), // refused: bob has the lease
		eval("bob", "t3", shows),
		eval("ann", "mine", shows),
		eval("ann", "", shows), // its current tab is t1
		{"bob", "DELETE /tabs/t1", nil},
		eval("ann", "", shows), // refused: the call is not done to t2 instead
		list, sessions,
		{"ann", "POST /tabs/focus", args{"targetId": "t2"}},
		eval("ann", "", "window.open('/page/five', '_blank', 'width=300') && 'opened'"), // t5
		list,
		{"", "POST /cookies/set", args{"name": "login", "value": "of-the-session", "url": site}},
		{"", "POST /route", args{"targetId": "t4", "url": "**/data", "fulfill": args{"body": "once"}, "times": 1}},
		get("", "/routes"),
		eval("", "t4", fetched), // the route answers once
		get("", "/routes"),
		eval("", "t4", fetched), // the server answers
		{"", "POST /permissions/grant", args{"origin": site, "permissions": []string{"geolocation"}}},
		eval("", "t4", "navigator.permissions.query({name: 'geolocation'}).then(p => p.state)"),
		{"", "POST /set/headers", args{"targetId": "t4", "headers": args{"X-Day": "yes"}}},
		eval("", "t4", "fetch('/headers').then(r => r.text())"),
		{"", "POST /state", session(site + "0")}, // storage for an origin that no tab shows
		{"", "POST /state", session(other)},
		{"", "POST /navigate", args{"targetId": "t4", "url": other + "/page/stored"}},
		get("", "/routes"),
		open("ann", page("six")), // t6
		eval("ann", "", "document.title + document.cookie"),
		{"bob", "POST /sessions/end", args{}},
		eval("ann", "t3", shows), // refused: t3 is closed
		list, sessions,
		{"cyd", "POST /tabs/open", args{"url": page("seven"), "isolated": true}}, // t7
		eval("cyd", "", "document.title + document.cookie"),
		list, sessions,
		{"cyd", "POST /sessions/end", args{}},
		{"", "DELETE /tabs/t6", nil},
		eval("ann", "", shows), // refused: the current tab is closed
		{"ann", "POST /tabs/action", args{"action": "select", "index": 1}},
		list, get("", "/cookies"),
		{"", "POST /stop", nil},
		list, sessions,
		open("ann", page("eight")), // t8
		eval("ann", "", "document.title + document.cookie"),
	}
}

// TestDay has the browser and the server killed between steps of a day. The answers differ from
// those of an undisturbed day only by what was restored, recovered and lost.
func TestDay(t *testing.T) {
	site := newDaySite(t)
	all := theDay(site.URL)
	want := (&day{T: t, steps: all}).live(map[int]func(*day){})
	stored := site.taken()
	for done, round := 0, 0; done < *places; round++ {
		choose := random(100 + round)
		kills := map[int]func(*day){}
		for _, at := range choose.Perm(len(all) - 1)[:min(*places-done, 10)] {
			kills[at+1] = []func(*day){(*day).killBrowser, (*day).killServer, (*day).killBoth}[choose.IntN(3)]
		}
		done += len(kills)
		d := &day{T: t, steps: all, rand: choose}
		got := d.live(kills)
		for i, s := range all {
			if got[i] != want[i] {
				t.Errorf("round %d (%s)\nstep %d: %s %s %v\nanswered %s\nwithout  %s", round, d.log, i, s.session, s.request, s.fields, got[i], want[i])
				return // later differences may follow from this one
			}
		}
		if got := site.taken(); got != stored {
			t.Errorf("round %d (%s): pages had the sessionStorage %s, and without kills %s", round, d.log, got, stored)
		}
	}
}

// A day is one run of the steps.
type day struct {
	*testing.T
	steps  []step
	rand   *rand.Rand
	dir    string
	server *service.Program
	log    string // at which steps the server or the browser was killed
}

// live runs the day and returns the answers. Before a step that is in kills, it calls the function
// there.
func (d *day) live(kills map[int]func(*day)) (answers []string) {
	d.dir = d.TempDir()
	d.server = service.Run(d, d.dir)
	for i, s := range d.steps {
		if kill := kills[i]; kill != nil {
			d.log += fmt.Sprintf("%d:", i)
			kill(d)
		}
		answer := d.server.In(s.session).Do(d, s.request, s.fields)
		answers = append(answers, comparable(answer))
	}
	if err := d.server.Close(); err != nil {
		d.Error(err)
	}
	gone(d.T, d.dir)
	return answers
}

// killBrowser kills the browser if one runs, and waits until the server knows. If a call is then
// under way, it cannot be known whether it was carried out.
func (d *day) killBrowser() {
	d.log += "browser "
	pid, runs := d.server.OK(d, "GET /", nil).Get("pid").(float64)
	if !runs {
		return
	}
	service.Kill(int(pid))
	service.Eventually(d, "the browser has gone", func() bool { return d.server.OK(d, "GET /", nil).Get("running") == false })
}

// killServer kills the server. Its browser ends by itself, and may still be there when the next
// server starts.
func (d *day) killServer() {
	d.log += "server "
	d.server.Kill()
	if d.rand.IntN(2) == 0 {
		gone(d.T, d.dir)
	}
	d.server = service.Run(d, d.dir)
}

func (d *day) killBoth() {
	d.killBrowser()
	d.killServer()
}

// volatile are fields of answers that may differ. They are about kills, about times, or about
// targets, which have other ids after a kill. Titles are kept a second after calls, as Chromium
// does not report them.
var volatile = []string{
	"recovered", "lost", "emptied", "restored", "crashed", "running", "stopped", "targetId", "title", "lastUsedAt", "leasedUntil", "until",
}

// clock is a time of day in a message.
var clock = regexp.MustCompile(`\d\d:\d\d:\d\d`)

// comparable returns an answer without its volatile fields.
func comparable(a service.Answer) string {
	var fields any
	if err := json.Unmarshal([]byte(a.Raw), &fields); err != nil {
		return fmt.Sprint(a.Status, " ", a.Raw)
	}
	raw, _ := json.Marshal(stable(fields))
	return fmt.Sprint(a.Status, " ", clock.ReplaceAllString(string(raw), "a time"))
}

func stable(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for name, each := range v {
			if slices.Contains(volatile, name) {
				delete(v, name)
			} else {
				v[name] = stable(each)
			}
		}
	case []any:
		for i, each := range v {
			v[i] = stable(each)
		}
	}
	return v
}

// A daySite serves the pages of the day. A page that is titled stored reports its sessionStorage.
type daySite struct {
	*httptest.Server

	mu     sync.Mutex
	stored []string
}

func newDaySite(t *testing.T) *daySite {
	s := &daySite{}
	mux := http.NewServeMux()
	mux.HandleFunc("/page/", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<!doctype html><title>%s</title><link rel=icon href=data:,><script>
if (sessionStorage.kept) { const x = new XMLHttpRequest(); x.open('POST', '/stored', false); x.send(sessionStorage.kept); }
</script>`, strings.TrimPrefix(r.URL.Path, "/page/"))
	})
	mux.HandleFunc("/stored", func(_ http.ResponseWriter, r *http.Request) {
		what, _ := io.ReadAll(r.Body)
		s.mu.Lock()
		defer s.mu.Unlock()
		s.stored = append(s.stored, string(what))
	})
	mux.HandleFunc("/data", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		io.WriteString(w, "server")
	})
	mux.HandleFunc("/headers", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		io.WriteString(w, "X-Day: "+r.Header.Get("X-Day"))
	})
	s.Server = httptest.NewServer(mux)
	t.Cleanup(func() {
		s.CloseClientConnections()
		s.Close()
	})
	return s
}

// taken returns what the sessionStorage of pages had since the last call.
func (s *daySite) taken() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	stored := fmt.Sprint(s.stored)
	s.stored = nil
	return stored
}
