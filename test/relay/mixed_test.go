package relay

import (
	"context"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"chela/test/pages"
	"chela/test/service"
)

// The sizes of the tests in this file. `make relay FULL=1` sets larger ones.
var (
	agents   = flag.Int("agents", 3, "how many agents work at once")
	deaths   = flag.Int("deaths", 10, "how often the worker dies while agents work")
	restarts = flag.Int("restarts", 3, "how often the server is restarted while agents work")
)

func TestAgentsOutliveDeaths(t *testing.T) {
	newTeam(t).outlive("death", *deaths, func(team *team, i int) {
		if i%2 == 0 {
			team.p.stopWorker()
		} else {
			team.p.killExtension()
		}
	})
}

func TestAgentsOutliveRestarts(t *testing.T) {
	newTeam(t).outlive("restart", *restarts, func(team *team, _ int) { team.restart() })
}

// A team is agents that work in tabs of their own, in a person's browser, while something goes
// wrong again and again. Each call is answered by its deadline, and no tab is lost. The person
// notices nothing: no dialog comes, and the focus stays where it was.
type team struct {
	t     *testing.T
	p     *person
	front string // target id of the person's own page, which counts how often it loses the focus
	tabs  []string

	server     atomic.Pointer[service.Service]
	restarting atomic.Bool

	mu    sync.Mutex // guards the rest
	took  []time.Duration
	codes map[int]int // number of answers by status
}

func newTeam(t *testing.T) *team {
	site := httptest.NewServer(pages.Handler())
	t.Cleanup(site.Close)
	port := unusedPort(t)
	s := service.Start(t.TempDir(), relayAt(port))
	team := &team{t: t, p: pair(t, s, port), codes: map[int]int{}}
	team.server.Store(s)
	t.Cleanup(func() { team.server.Load().Close() })
	team.watchFront()
	page := site.URL + pages.HTML(`<title>Count</title><button onclick="this.textContent=+this.textContent+1">0</button><input aria-label="Name">`)
	ok(t, s, "POST /start?profile=chrome", "")
	for i := range *agents {
		team.tabs = append(team.tabs, ok(t, s.In(key(i)), "POST /tabs/open?profile=chrome", fmt.Sprintf(`{"url": %q}`, page)).Text("tabId"))
	}
	return team
}

// key is the session of an agent.
func key(agent int) string { return fmt.Sprintf("agent-%d", agent) }

// outlive disturbs the agents this many times. Each time it waits until all their tabs answer
// again.
func (team *team) outlive(what string, times int, disturb func(team *team, i int)) {
	t := team.t
	ctx, end := context.WithCancel(t.Context())
	defer end()
	var working sync.WaitGroup
	for i, tab := range team.tabs {
		working.Go(func() { team.work(ctx, i, tab) })
	}
	windows := windows(t)
	var away []time.Duration
	for i := range times {
		disturb(team, i)
		began := time.Now()
		var returning sync.WaitGroup
		for agent, tab := range team.tabs {
			returning.Go(func() {
				for ctx.Err() == nil {
					if a, err := team.server.Load().In(key(agent)).TryText(ctx, "GET /snapshot?profile=chrome&targetId="+tab, ""); err == nil && a.Status == http.StatusOK {
						break
					}
				}
				team.mu.Lock()
				defer team.mu.Unlock()
				away = append(away, time.Since(began))
			})
		}
		returning.Wait()
		team.checkPerson(what, i)
	}
	end()
	working.Wait()
	if got := windowsUntil(t, windows); got != windows {
		t.Errorf("%d windows, before: %d", got, windows)
	}
	list := ok(t, team.server.Load(), "GET /tabs?profile=chrome", "").Raw
	for _, tab := range team.tabs {
		if !strings.Contains(list, fmt.Sprintf(`"tabId":%q`, tab)) {
			t.Errorf("tab %s is lost: %s", tab, list)
		}
	}
	t.Logf("%d times %s, %d agents: %d calls %v; a call took %v; all worked again after %v",
		times, what, len(team.tabs), len(team.took), team.codes, percentiles(team.took), percentiles(away))
}

// percentiles are the median, the 99th percentile and the longest of some times.
func percentiles(times []time.Duration) string {
	slices.Sort(times)
	at := func(share float64) time.Duration {
		return times[int(share*float64(len(times)-1))].Round(time.Millisecond)
	}
	return fmt.Sprintf("p50 %v, p99 %v, max %v", at(0.5), at(0.99), at(1))
}

// restart ends the server, and starts the next one on the same state and port.
func (team *team) restart() {
	old := team.server.Load()
	team.restarting.Store(true)
	old.Close()
	team.server.Store(service.Start(old.Dir, relayAt(team.p.port)))
	team.restarting.Store(false)
}

// watchFront puts a page in front and gives it the focus. The page counts when it loses the focus.
func (team *team) watchFront() {
	p := team.p
	id := p.number(`return (await chrome.tabs.query({active: true}))[0].id`)
	p.in(fmt.Sprintf(`await chrome.windows.update((await chrome.tabs.get(%d)).windowId, {focused: true})`, id))
	p.until("the browser has the focus", func() bool { return p.in(`return (await chrome.windows.getLastFocused()).focused`) == true })
	team.front = p.in(fmt.Sprintf(`return (await chrome.debugger.getTargets()).find((target) => target.tabId === %d).id`, id)).(string)
	front := p.attach(team.front)
	p.until("the page has the focus", func() bool {
		xdotool(team.t, "mousemove", "500", "500", "click", "1") // before the click, the address bar has the focus
		return p.ask(front, `document.hasFocus()`) == true
	})
	p.ask(front, `left = 0; addEventListener("blur", () => left++); document.addEventListener("visibilitychange", () => left++); 1`)
}

// checkPerson checks that the person's page has kept the focus all the time.
func (team *team) checkPerson(what string, i int) {
	if left := team.p.ask(team.p.attach(team.front), `document.hasFocus() ? left : -1`); left != 0.0 {
		team.t.Errorf("%s %d: the person's page has lost the focus: %v", what, i, left)
	}
}

// windows counts the windows on the screen, dialogs included.
func windows(t *testing.T) int {
	t.Helper()
	return len(strings.Fields(xdotool(t, "search", "--onlyvisible", "--name", ".+")))
}

// windowsUntil counts the windows when there are as many as wanted, or else after a while. A bubble
// of the browser may take some time to fade out.
func windowsUntil(t *testing.T, want int) (got int) {
	t.Helper()
	for range 50 {
		if got = windows(t); got == want {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	return got
}

// callTime is the deadline of the agents' calls.
const callTime = 5 * time.Second

var button = regexp.MustCompile(`button \\"\d+\\".*?\[ref=(e\d+)\].*?textbox \\"Name\\".*?\[ref=(e\d+)\]`)

// work reads, clicks, types, evaluates, navigates, and opens and closes another tab, until ctx
// ends. After a call that failed it reads the page again.
func (team *team) work(ctx context.Context, agent int, tab string) {
	var refs []string
	extra := ""
	for n := 0; ctx.Err() == nil; n++ {
		if refs == nil {
			a, done := team.call(ctx, agent, "GET /snapshot?profile=chrome&timeoutMs=5000&targetId="+tab, "")
			if !done {
				continue
			}
			if refs = button.FindStringSubmatch(a.Raw); refs == nil {
				team.t.Errorf("no button and field in %s", a.Raw)
				return
			}
		}
		act := func(fields string, args ...any) bool {
			body := fmt.Sprintf(`{"targetId": %q, "timeoutMs": 5000, %s}`, tab, fmt.Sprintf(fields, args...))
			_, done := team.call(ctx, agent, "POST /act?profile=chrome", body)
			return done
		}
		done := true
		switch n % 10 {
		default:
			done = act(`"kind": "click", "ref": %q`, refs[1])
		case 3:
			done = act(`"kind": "type", "ref": %q, "text": "Ada"`, refs[2])
		case 5:
			done = act(`"kind": "evaluate", "fn": "() => document.title"`)
		case 7:
			done = act(`"kind": "evaluate", "fn": "() => location.reload()"`)
			refs = nil
		case 8:
			var a service.Answer
			if a, done = team.call(ctx, agent, "POST /tabs/open?profile=chrome", `{"url": "about:blank", "timeoutMs": 5000}`); done {
				extra = a.Text("tabId")
			}
		case 9:
			if extra != "" {
				_, done = team.call(ctx, agent, "DELETE /tabs/"+extra+"?profile=chrome", "")
				extra = ""
			}
		}
		if !done {
			refs = nil
		}
	}
}

// call makes a call, and reports whether it succeeded. Any call is answered by its deadline, even
// while the other side is gone; only a server that is being restarted may not answer.
func (team *team) call(ctx context.Context, agent int, request, body string) (a service.Answer, done bool) {
	server, restarting := team.server.Load(), team.restarting.Load()
	a, err := server.In(key(agent)).TryText(context.WithoutCancel(ctx), request, body)
	if err != nil {
		if !restarting && !team.restarting.Load() && server == team.server.Load() {
			team.t.Errorf("%s %s: %v", request, body, err)
		}
		return a, false
	}
	team.mu.Lock()
	team.took = append(team.took, a.Took)
	team.codes[a.Status]++
	team.mu.Unlock()
	if a.Took > callTime+service.Slack() && !strings.HasPrefix(request, "DELETE") {
		team.t.Errorf("%s %s: answered after %v", request, body, a.Took)
	}
	switch a.Status {
	case http.StatusOK:
		return a, true
	case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
	default:
		team.t.Errorf("%s %s: %d %s", request, body, a.Status, a.Raw)
	}
	return a, false
}
