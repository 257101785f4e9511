package chaos

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"chela/test/long"
	"chela/test/service"
)

// cookieAge says which cookies may be lost with a server: those that were set within this time
// before its end.
const cookieAge = 2 * time.Second

// lingers is how long a process of a browser may outlive the server that was killed.
const lingers = 5 * time.Second

// The server is killed while agents use it. The next server has everything that was answered: tabs
// with their labels, addresses and sizes, settings and cookies. Only cookies that were set in the
// last moment may be missing. A change whose call was not answered is there as a whole, or not at
// all. Nothing of a browser outlives its server, and a server that ends as it should leaves no
// session.
func TestKilledServer(t *testing.T) {
	long.Test(t)
	dir, pages := t.TempDir(), newSite(t)
	all := make([]*agent, 4)
	for i := range all {
		all[i] = &agent{T: t, site: pages, rand: random(i), name: fmt.Sprintf("c%d", i), tabs: map[string]look{}}
	}
	all[0].zones = []string{"that of the machine"}
	killer := random(-1)
	var sockets []string
	var servers []int
	slowest := time.Duration(0)
	for round := range *serverKills + 1 {
		began := time.Now()
		server := service.Run(t, dir)
		slowest = max(slowest, time.Since(began))
		servers = append(servers, server.PID())
		restored(t, server, all, round > 0)
		if round == *serverKills {
			end(t, server)
			break
		}
		killAmid(server, all, killer)
		if socket, err := os.Readlink(filepath.Join(userData(dir), "SingletonSocket")); err == nil {
			sockets = append(sockets, filepath.Dir(socket))
		}
		if killer.IntN(2) == 0 { // otherwise the next server meets what is left of this browser
			gone(t, dir)
		}
		if t.Failed() {
			return
		}
	}
	gone(t, dir)
	nothingLeft(t, dir, sockets, servers)
	calls := 0
	for _, a := range all {
		calls += a.calls
	}
	t.Logf("seed %d: %d kills amid %d calls; a server was ready after at most %s", *seed, *serverKills, calls, slowest.Round(time.Millisecond))
}

func userData(dir string) string { return filepath.Join(dir, "browser", "chela", "user-data") }

// killAmid has the agents call the server until it is killed, at any moment of a call.
func killAmid(server *service.Program, all []*agent, killer *rand.Rand) {
	var calls atomic.Int64
	reached, dying := make(chan struct{}), make(chan struct{})
	limit := 1 + killer.Int64N(32)
	var running sync.WaitGroup
	for _, a := range all {
		a.server, a.dying = server, dying
		running.Go(func() {
			for a.step() {
				if calls.Add(1) == limit {
					close(reached)
				}
			}
		})
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		running.Wait()
	}()
	select {
	case <-reached:
	case <-ended: // all agents have failed
	}
	time.Sleep(time.Duration(killer.IntN(30)) * time.Millisecond)
	close(dying)
	server.Kill()
	at := time.Now()
	<-ended
	for _, a := range all {
		a.killed = at
	}
}

// gone waits until no process uses a state directory.
func gone(t *testing.T, dir string) {
	t.Helper()
	for limit := time.Now().Add(lingers); len(service.Using(dir)) > 0; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(limit) {
			t.Fatalf("%s after the end of the server these run: %v", lingers, service.Using(dir))
		}
	}
}

// restored compares the tabs that a new server lists with the answers that the agents got.
func restored(t *testing.T, server *service.Program, all []*agent, killed bool) {
	t.Helper()
	list := server.OK(t, "GET /tabs", nil)
	left := map[string]look{}
	for i := range list.Count("tabs") {
		tab := fmt.Sprintf("tabs.%d.", i)
		left[list.Text(tab+"tabId")] = look{url: list.Text(tab + "url"), label: list.Text(tab + "label")}
	}
	if killed && len(left) > 0 && list.Count("restored.tabs") != len(left) {
		t.Errorf("the server was killed, and the first answer of the next is %s", list.Raw)
	}
	for _, a := range all {
		a.server = server
		a.compare(left)
	}
	for id, l := range left {
		t.Errorf("nobody has opened %s: %+v", id, l)
	}
	for _, a := range all {
		a.look()
	}
}

// end ends a server as its user does.
func end(t *testing.T, server *service.Program) {
	t.Helper()
	if err := server.Close(); err != nil {
		t.Error(err)
	}
	folder := filepath.Join(server.Dir, "browser", "chela")
	if left, err := os.ReadFile(filepath.Join(folder, "session.json")); err == nil && strings.Contains(string(left), `"tabs"`) {
		t.Errorf("left of a session that has ended: %s", left)
	}
	if left, _ := filepath.Glob(filepath.Join(folder, ".*.new")); len(left) > 0 {
		t.Errorf("left: %q", left)
	}
}

// nothingLeft checks that servers and browsers that were killed have left nothing in other places.
func nothingLeft(t *testing.T, dir string, sockets []string, servers []int) {
	t.Helper()
	for _, socket := range sockets {
		if _, err := os.Stat(socket); err == nil {
			t.Errorf("left: %s", socket)
		}
	}
	for _, pid := range servers {
		if left, _ := filepath.Glob(fmt.Sprintf("/tmp/chela/staged-%d.*", pid)); len(left) > 0 {
			t.Errorf("left: %q", left)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*.new")); len(left) > 0 {
		t.Errorf("left: %q", left)
	}
}

// A look is what a tab has been set to: its address, label and width.
type look struct{ url, label, width string }

// An agent has some tabs, and remembers what the answers said about each.
type agent struct {
	*testing.T
	server *service.Program
	site   *site
	rand   *rand.Rand
	name   string
	dying  <-chan struct{} // closed when calls need not be answered any more

	tabs   map[string]look
	maybe  func(map[string]look) // what the call that was not answered would have changed, or nil
	zones  []string              // names of time zones, one is in effect; only the first agent sets it
	cookie int                   // the value that the agent has tried to set last
	set    []cookieSet
	calls  int
	killed time.Time
}

// A cookieSet is a cookie that an answer says is set.
type cookieSet struct {
	value int
	at    time.Time
}

// call makes a call, and reports whether it was answered with success. The function change makes
// the same change in what the agent remembers.
func (a *agent) call(request string, fields args, change func(tabs map[string]look, answer service.Answer)) bool {
	a.maybe = func(tabs map[string]look) { change(tabs, service.Answer{}) }
	answer, err := a.server.Try(a.Context(), request, fields)
	if err != nil {
		select {
		case <-a.dying:
		default:
			a.Errorf("%s %v was not answered: %v", request, fields, err)
		}
		return false
	}
	a.calls++
	a.maybe = nil
	if answer.Status != http.StatusOK {
		a.Errorf("%s %v: %d %s", request, fields, answer.Status, answer.Raw)
		return false
	}
	change(a.tabs, answer)
	return true
}

// step makes a call. It reports whether that was answered with success.
func (a *agent) step() bool {
	select {
	case <-a.dying:
		return false
	default:
	}
	ids := make([]string, 0, len(a.tabs))
	for id := range maps.Keys(a.tabs) {
		ids = append(ids, id)
	}
	if len(ids) == 0 || len(ids) < 3 && a.rand.IntN(4) == 0 {
		return a.open()
	}
	id := ids[a.rand.IntN(len(ids))]
	was := a.tabs[id]
	to := func(l look) func(map[string]look, service.Answer) {
		return func(tabs map[string]look, _ service.Answer) { tabs[id] = l }
	}
	switch a.rand.IntN(8) {
	case 0:
		return a.call("DELETE /tabs/"+id, nil, func(tabs map[string]look, _ service.Answer) { delete(tabs, id) })
	case 1:
		label := fmt.Sprintf("%s-%d", a.name, a.rand.IntN(1e6))
		return a.call("POST /tabs/action", args{"action": "label", "targetId": id, "label": label}, to(look{was.url, label, was.width}))
	case 2, 3:
		url := a.address()
		return a.call("POST /navigate", args{"targetId": id, "url": url}, to(look{url, was.label, was.width}))
	case 4:
		width := strconv.Itoa(400 + a.rand.IntN(400))
		return a.call("POST /act", args{"kind": "resize", "targetId": id, "width": width, "height": 400}, to(look{was.url, was.label, width}))
	case 5:
		return a.setZone(id)
	default:
		return a.setCookie(id)
	}
}

func (a *agent) address() string { return a.site.page(fmt.Sprintf("%s-%d", a.name, a.rand.IntN(1e6))) }

func (a *agent) open() bool {
	url := a.address()
	return a.call("POST /tabs/open", args{"url": url}, func(tabs map[string]look, answer service.Answer) {
		id := answer.Text("tabId")
		if id == "" {
			id = opening // the handle that the tab would have is not known
		}
		tabs[id] = look{url: url}
	})
}

// opening is the key of a tab whose opening was not answered, because its handle is not known.
const opening = "?"

// setZone sets the time zone of all tabs, which only the first agent does.
func (a *agent) setZone(id string) bool {
	if a.name != "c0" {
		return a.setCookie(id)
	}
	zones := []string{"Asia/Tokyo", "Europe/Rome", "America/Lima"}
	zone := zones[a.rand.IntN(len(zones))]
	a.zones = append(a.zones, zone)
	return a.call("POST /set/timezone", args{"targetId": id, "timezoneId": zone}, func(_ map[string]look, answer service.Answer) {
		if answer.Status == http.StatusOK {
			a.zones = []string{zone}
		}
	})
}

// setCookie sets a session cookie, which Chromium writes nowhere.
func (a *agent) setCookie(id string) bool {
	a.cookie++
	value := a.cookie
	script := fmt.Sprintf("void (document.cookie = '%s=%d; path=/')", a.name, value)
	return a.call("POST /act", args{"kind": "evaluate", "targetId": id, "fn": script}, func(_ map[string]look, answer service.Answer) {
		if answer.Status == http.StatusOK {
			a.set = append(a.set, cookieSet{value, time.Now()})
		}
	})
}

// compare takes the agent's tabs out of those that a server lists, and goes on with them.
func (a *agent) compare(left map[string]look) {
	a.Helper()
	if a.maybe == nil {
		a.maybe = func(map[string]look) {}
	}
	would := maps.Clone(a.tabs)
	a.maybe(would)
	now := map[string]look{}
	for id, want := range a.tabs {
		other, stays := would[id]
		got, there := left[id]
		delete(left, id)
		switch {
		case !there && stays:
			a.Errorf("%s of %s is lost: %+v", id, a.name, want)
		case !there:
		case same(got, want):
			now[id] = look{want.url, want.label, want.width}
			if other.width != want.width {
				now[id] = look{want.url, want.label, ""} // either width is right
			}
		case same(got, other):
			now[id] = other
		default:
			a.Errorf("%s of %s is %+v, and was %+v, perhaps %+v", id, a.name, got, want, other)
		}
	}
	if meant, ok := would[opening]; ok {
		for id, got := range left {
			if same(got, meant) {
				now[id] = got
				delete(left, id)
			} else if got.url == "about:blank" {
				delete(left, id) // the tab had not navigated yet
				a.server.OK(a, "DELETE /tabs/"+id, nil)
			}
		}
	}
	a.tabs, a.maybe = now, nil
}

// same reports whether two looks are the same in the list of tabs.
func same(a, b look) bool { return a.url == b.url && a.label == b.label }

// look checks that the page of one of the tabs shows what it should.
func (a *agent) look() {
	a.Helper()
	for id, want := range a.tabs {
		const script = "[document.querySelector('h1').textContent, innerWidth, Intl.DateTimeFormat().resolvedOptions().timeZone, document.cookie].join('|')"
		answer := a.server.OK(a, "POST /act", args{"kind": "evaluate", "targetId": id, "fn": script, "timeoutMs": 60000})
		answer.Has(a, "recovered", "true")
		shows := strings.Split(answer.Text("result"), "|")
		if h1 := "Page " + filepath.Base(want.url); shows[0] != h1 || want.width != "" && shows[1] != want.width {
			a.Errorf("%s shows %q, and was %+v", id, shows, want)
		}
		if len(a.zones) > 0 {
			if !slices.Contains(a.zones, shows[2]) && a.zones[0] != "that of the machine" {
				a.Errorf("the time zone is %s, and was one of %q", shows[2], a.zones)
			}
			a.zones = []string{shows[2]}
		}
		a.compareCookie(shows[3])
		return
	}
}

// compareCookie checks the agent's cookie in the cookies of a page.
func (a *agent) compareCookie(cookies string) {
	a.Helper()
	least := 0
	for _, c := range a.set {
		if a.killed.Sub(c.at) >= cookieAge {
			least = c.value
		}
	}
	_, after, _ := strings.Cut("; "+cookies, "; "+a.name+"=")
	value, _, _ := strings.Cut(after, ";")
	got, _ := strconv.Atoi(value)
	if got < least || got > a.cookie {
		a.Errorf("the cookie of %s is %d, and was at least %d; the last was %d, set %v before the end", a.name, got, least, a.cookie, a.set)
	}
	a.set = []cookieSet{{got, time.Time{}}}
}
