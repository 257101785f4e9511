//go:build unix

package fleet

import (
	"flag"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"chela/test/chromium"
	"chela/test/service"
)

// How much [TestFleetOutlives] does.
var (
	outlivesAgents = flag.Int("agents", 16, "agents that work on the fleet")
	outlivesRounds = flag.Int("rounds", 1, "how often each node, line and NATS breaks")
)

// The nodes of the fleet.
var names = []string{"n0", "n1", "n2", "n3"}

// Agents work on four nodes while these are killed, stopped, cut off from NATS and drained, and NATS
// itself starts again. No act is done twice, and each call is answered once. Each reading succeeds
// within its deadline. A node that is gone is noticed within 2 s.
func TestFleetOutlives(t *testing.T) {
	b := newBroker(t, withObjects(t)...)
	f := &fleet{t: t, broker: b, nodes: map[string]*service.Program{}, lines: map[string]*chromium.Line{}, dirs: map[string]string{}}
	for _, name := range names {
		f.lines[name] = chromium.NewLine(t, strings.Replace(b.url(), "nats://", "http://", 1))
		f.dirs[name] = stateDir(t, "")
		f.start(name)
	}
	f.caller = b.newCaller(t, "")
	f.awaitNodes(len(names))
	work := newWork(t, f.caller.Service)
	watchClock(t)
	work.awaitCalls(8 * *outlivesAgents)
	for round := range *outlivesRounds {
		for i, step := range []func(name string){f.kill, f.pause, f.cut, f.lose, f.restartNATS} {
			began := time.Now()
			step(names[(round+i)%len(names)])
			f.awaitNodes(len(names))
			t.Logf("round %d, step %d took %s; %s", round, i, time.Since(began).Round(time.Millisecond), work.tally())
			work.awaitCalls(4 * *outlivesAgents)
		}
	}
	f.drain(names[len(names)-1], work)
	work.end()
	t.Logf("in all: %s", work.tally())
	work.check()
}

// A fleet has the parts that the tests break: the NATS server, the caller, the nodes, their lines.
type fleet struct {
	t      *testing.T
	broker *broker
	caller *service.Program
	nodes  map[string]*service.Program
	lines  map[string]*chromium.Line // connections to NATS, by node
	dirs   map[string]string         // state directories, by node
}

// start starts a node, or starts it again under the same name.
func (f *fleet) start(name string) {
	at := strings.Replace(f.lines[name].URL, "http://", "nats://", 1)
	f.nodes[name] = service.Run(f.t, f.dirs[name], "node", "--nats", at, "--name", name, "--drain", "1m")
}

// known returns the nodes that are in the caller's list.
func (f *fleet) known() (all []string) {
	a := f.caller.OK(f.t, "GET /fleet", nil)
	for i := range a.Count("nodes") {
		all = append(all, a.Text(fmt.Sprintf("nodes.%d.name", i)))
	}
	return all
}

// awaitNodes waits until the caller knows of this number of nodes.
func (f *fleet) awaitNodes(count int) {
	f.t.Helper()
	service.Eventually(f.t, fmt.Sprintf("there are %d nodes", count), func() bool { return len(f.known()) == count })
}

// awaitLoss waits until the caller has noticed that a node is gone. That may take 2 s, and longer
// if the machine is slow.
func (f *fleet) awaitLoss(name, why string) {
	f.t.Helper()
	gone := time.Now()
	all := fmt.Sprintf(`chela_fleet_nodes{state="healthy"} %d`, len(names)) // metrics are quicker than a call that asks the nodes
	service.Eventually(f.t, "the caller has noticed that "+name+" is "+why, func() bool { return !slices.Contains(metrics(f.t, f.caller), all) })
	took := time.Since(gone)
	f.t.Logf("%s is %s, which was noticed after %s; the machine delays by %s", name, why, took.Round(time.Millisecond), delay())
	if most := 2*time.Second + 2*delay() + 100*time.Millisecond; took > most {
		f.t.Errorf("%s is %s, which was noticed after %s, want at most %s", name, why, took, most)
	}
}

func (f *fleet) kill(name string) {
	f.nodes[name].Kill()
	f.awaitLoss(name, "killed")
	f.start(name)
}

// stopTime is for how long a node is stopped, or cut off.
const stopTime = 5 * time.Second

func (f *fleet) pause(name string) {
	stopProcess(f.t, f.nodes[name].PID())
	end := time.Now().Add(stopTime)
	f.awaitLoss(name, "stopped")
	time.Sleep(time.Until(end))
	continueProcess(f.t, f.nodes[name].PID())
}

// cut ends the connection of a node to NATS, and refuses new ones for a time.
func (f *fleet) cut(name string) {
	f.lines[name].Set(chromium.Way{Down: true})
	end := time.Now().Add(stopTime)
	f.awaitLoss(name, "cut off")
	time.Sleep(time.Until(end))
	f.lines[name].Set(chromium.Way{})
}

// lose has the connection of a node to NATS lose all that is sent, as a network does that reports
// no error.
func (f *fleet) lose(name string) {
	f.lines[name].Set(chromium.Way{Silent: true})
	end := time.Now().Add(stopTime)
	f.awaitLoss(name, "silent")
	time.Sleep(time.Until(end))
	f.lines[name].Set(chromium.Way{})
}

func (f *fleet) restartNATS(string) {
	f.broker.kill()
	time.Sleep(time.Second)
	f.broker.start()
}

// drain ends a node as its user does. No reading is placed there from then on.
func (f *fleet) drain(name string, work *work) {
	f.t.Helper()
	n := f.nodes[name]
	stopGently(f.t, n.PID())
	service.Eventually(f.t, name+" drains", func() bool {
		a := f.caller.OK(f.t, "GET /fleet", nil)
		i := slices.Index(f.known(), name)
		return i >= 0 && a.Text(fmt.Sprintf("nodes.%d.draining", i)) == "true"
	})
	idle := func() bool { return slices.Contains(metrics(f.t, n), "chela_calls_running 0") }
	for end := time.Now().Add(goOnTime); !idle(); time.Sleep(time.Millisecond) { // the readings that were placed before end within this time
		if time.Now().After(end) {
			f.t.Fatalf("the calls of %s do not end", name)
		}
	}
	before := readings(f.t, n)
	work.awaitReads(8 * len(names))
	if after := readings(f.t, n); after != before {
		f.t.Errorf("%s drains, and has got readings:\n%s\nbefore:\n%s", name, after, before)
	}
}

// metrics returns the lines of the metrics of a server.
func metrics(t *testing.T, p *service.Program) (lines []string) {
	for line := range p.Follow(t, "/metrics") {
		lines = append(lines, line)
	}
	return lines
}

// readings returns the lines of the metrics that count the readings of a node.
func readings(t *testing.T, p *service.Program) string {
	var counts []string
	for _, line := range metrics(t, p) {
		if strings.HasPrefix(line, "chela_calls_total") && (strings.Contains(line, `operation="read"`) || strings.Contains(line, `operation="render"`)) {
			counts = append(counts, line)
		}
	}
	return strings.Join(counts, "\n")
}

// clock keeps the longest delay with which this machine has run a goroutine.
var clock struct {
	sync.Mutex
	most time.Duration
}

// watchClock measures, for the time of the test, by how long a goroutine that sleeps is late.
func watchClock(t *testing.T) {
	const nap = 10 * time.Millisecond
	go func() {
		for t.Context().Err() == nil {
			began := time.Now()
			time.Sleep(nap)
			late := time.Since(began) - nap
			clock.Lock()
			clock.most = max(clock.most, late)
			clock.Unlock()
		}
	}()
}

// delay is the longest delay so far.
func delay() time.Duration {
	clock.Lock()
	defer clock.Unlock()
	return clock.most
}
