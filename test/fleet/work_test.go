//go:build unix

package fleet

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"chela/test/pages"
	"chela/test/service"
)

// reporting is a page whose form sends what was typed to the server. It does so by a synchronous
// request while the key is handled, so the report of an act is counted before the act is answered.
var reporting = pages.HTML(`<title>Work</title><form onsubmit="event.preventDefault(); report(document.querySelector('input').value)"><input aria-label=Id></form><script>
	function report(id) {
		const request = new XMLHttpRequest();
		request.open('POST', '/did?id=' + encodeURIComponent(id), false);
		request.send();
	}
</script>`)

// article is a page to read.
var article = pages.HTML("<title>Article</title><main><h1>Anywhere</h1><p>" + strings.Repeat("words ", 100) + "</main>")

// A work is what the agents do.
type work struct {
	t    *testing.T
	here *service.Service

	acting sync.WaitGroup
	ctx    context.Context
	stop   context.CancelFunc

	mu    sync.Mutex        // guards the rest
	calls map[string]int    // number of calls by operation and result
	acts  map[string]string // results by the ids of acts
	reads int
}

// newWork starts the agents.
func newWork(t *testing.T, here *service.Service) *work {
	w := &work{t: t, here: here, calls: map[string]int{}, acts: map[string]string{}}
	w.ctx, w.stop = context.WithCancel(context.Background())
	for i := range *outlivesAgents {
		w.acting.Go((&agent{work: w, number: i, here: here.In(fmt.Sprint("agent", i)), node: names[i%len(names)]}).run)
	}
	t.Cleanup(w.end)
	return w
}

// end has the agents finish the calls that they make.
func (w *work) end() {
	w.stop()
	w.acting.Wait()
}

// tally says how many calls had which result.
func (w *work) tally() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var all []string
	for _, name := range slices.Sorted(maps.Keys(w.calls)) {
		all = append(all, fmt.Sprintf("%s: %d", name, w.calls[name]))
	}
	return strings.Join(all, ", ")
}

func (w *work) done() (calls, reads int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, n := range w.calls {
		calls += n
	}
	return calls, w.reads
}

// goOnTime bounds the wait for a number of calls of the agents. It is long, because the machine may do
// much else.
const goOnTime = 2 * time.Minute

// awaitCalls waits until count more calls were answered.
func (w *work) awaitCalls(count int) {
	w.t.Helper()
	w.await(count, func() int { calls, _ := w.done(); return calls })
}

// awaitReads waits until count more readings were answered.
func (w *work) awaitReads(count int) {
	w.t.Helper()
	w.await(count, func() int { _, reads := w.done(); return reads })
}

func (w *work) await(count int, done func() int) {
	w.t.Helper()
	end, before := time.Now().Add(goOnTime), done()
	for done() < before+count {
		if time.Now().After(end) {
			w.t.Fatalf("of %d further calls, %d were answered: %s", count, done()-before, w.tally())
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// check compares what pages have done with the answers to the acts.
func (w *work) check() {
	w.mu.Lock()
	defer w.mu.Unlock()
	sure := 0
	for id, result := range w.acts {
		switch times := timesDone(id); {
		case times > 1:
			w.t.Errorf("act %s was done %d times: %s", id, times, result)
		case result == "ok" && times != 1:
			w.t.Errorf("act %s was answered with ok, and not done", id)
		case result == "not sent" && times != 0:
			w.t.Errorf("act %s was done, and the answer says that it was not sent", id)
		case result == "ok":
			sure++
		}
	}
	if sure < 10**outlivesAgents {
		w.t.Errorf("only %d acts succeeded", sure)
	}
}

// An agent works in a session of its own, with a tab on one node.
type agent struct {
	*work
	number int
	here   *service.Service
	node   string
	tab    string // "": the agent has no open tab
	count  int
}

// callTime is the deadline of each call. A render has renderTime: on a machine that does much else, a
// browser may take long for a page. After lostTime more an answer counts as lost.
const (
	callTime   = 15 * time.Second
	renderTime = 60 * time.Second
	lostTime   = 10 * time.Second
)

// budget is the deadline of a call.
func budget(what string) time.Duration {
	if what == "render" {
		return renderTime
	}
	return callTime
}

func (a *agent) run() {
	for a.ctx.Err() == nil {
		a.count++
		switch turn := (a.count + a.number) % 20; {
		case turn == 0:
			a.read("render", service.Args{"url": a.site(article), "mode": "screenshot", "wait_seconds": 0})
		case turn%4 == 0:
			a.read("read", service.Args{"url": a.site(article), "render": "never"})
		case a.tab == "":
			a.open()
		case turn == 1:
			a.picture()
		case turn%4 == 1:
			a.onTab("snapshot", "GET /snapshot?timeoutMs=15000&targetId="+a.tab, nil)
		case turn%2 == 0:
			a.act(func(id string) service.Args {
				return service.Args{"kind": "type", "ref": "e1", "text": id, "submit": true}
			})
		default:
			a.act(func(id string) service.Args {
				return service.Args{"kind": "evaluate", "fn": fmt.Sprintf("() => report(%q)", id)}
			})
		}
	}
}

func (*agent) site(path string) string { return site.URL + path }

// call makes a call, and counts its answer.
func (a *agent) call(what, request string, args service.Args) (answer service.Answer) {
	if args != nil {
		args["timeoutMs"] = budget(what).Milliseconds()
	}
	ctx, cancel := context.WithTimeout(context.Background(), budget(what)+lostTime)
	defer cancel()
	answer, err := a.here.Try(ctx, request, args)
	result := answer.Text("code")
	switch {
	case err != nil:
		a.t.Errorf("agent %d: %s was not answered: %v", a.number, what, err)
		result = "lost"
	case answer.Status == 200:
		result = "ok"
	case answer.Status >= 500 && answer.Text("code") == "internal":
		a.t.Errorf("agent %d: %s: %s", a.number, what, answer.Raw)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.calls[what+" "+result]++
	return answer
}

// read reads a page without a tab, on any node. It must succeed whatever breaks.
func (a *agent) read(what string, args service.Args) {
	began := time.Now()
	answer := a.call(what, "POST /"+what+"?target=node", args)
	if took := time.Since(began); answer.Status != 200 || took > budget(what)+service.Slack() {
		a.t.Errorf("agent %d: %s after %s: %d %s", a.number, what, took, answer.Status, answer.Raw)
	}
	if path := answer.Text("image_path"); path != "" {
		a.checkFile(path)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.reads++
}

// open opens the tab of the agent, and looks at it.
func (a *agent) open() {
	answer := a.call("open", "POST /tabs/open?node="+a.node, service.Args{"url": a.site(reporting)})
	if answer.Status != 200 {
		a.pause()
		return
	}
	a.tab = answer.Text("tabId")
	a.onTab("snapshot", "GET /snapshot?timeoutMs=15000&targetId="+a.tab, nil)
}

// pause is the time that an agent waits if its node is gone.
func (a *agent) pause() {
	select {
	case <-a.ctx.Done():
	case <-time.After(200 * time.Millisecond):
	}
}

// onTab makes a call on the tab. If it fails, the agent opens another tab next.
func (a *agent) onTab(what, request string, args service.Args) service.Answer {
	answer := a.call(what, request, args)
	if answer.Status != 200 {
		a.leave()
	}
	return answer
}

// leave closes the tab, if its node can be reached, so that few tabs are open.
func (a *agent) leave() {
	a.call("close", "DELETE /tabs/"+strings.ReplaceAll(a.tab, "/", "%2F"), nil)
	a.tab = ""
}

// act does something that the page reports once, with an id.
func (a *agent) act(of func(id string) service.Args) {
	id := fmt.Sprintf("%d-%d", a.number, a.count)
	args := of(id)
	args["targetId"] = a.tab
	what := fmt.Sprint(args["kind"])
	answer := a.onTab(what, "POST /act", args)
	result := "unknown"
	switch {
	case answer.Status == 200:
		result = "ok"
	case answer.Text("details.sent") == "no":
		result = "not sent"
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.acts[id] = result
}

// picture takes a picture of the tab, whose file is on this machine then.
func (a *agent) picture() {
	if answer := a.onTab("screenshot", "POST /screenshot", service.Args{"targetId": a.tab}); answer.Status == 200 {
		a.checkFile(answer.Text("path"))
	}
}

func (a *agent) checkFile(path string) {
	if info, err := os.Stat(path); err != nil || info.Size() == 0 {
		raw, _ := json.Marshal(path) // encoding a string cannot fail
		a.t.Errorf("agent %d: the picture %s is not here: %v", a.number, raw, err)
	}
}
