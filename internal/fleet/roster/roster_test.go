package roster_test

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"chela/internal/fleet/roster"
	"chela/internal/fleet/wire"
	"chela/internal/fleet/wire/wiretest"
)

// answer makes a node that answers questions for its status after some time, and sends no beats.
func answer(t *testing.T, line *wiretest.Line, name string, after time.Duration) {
	end, err := line.Subscribe(wire.Subjects{Tenant: "default"}.Question(), func(_ []byte, reply func([]byte) error) {
		time.AfterFunc(after, func() { reply(wire.Encode(wire.Status{V: wire.Version, Name: name})) })
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(end)
}

// open returns a new roster, for the time of the test.
func open(t *testing.T, line wire.Line) *roster.Roster {
	t.Helper()
	known, err := roster.New(line, "default")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(known.Close)
	return known
}

// openWithBeats returns a new roster on a line of its own, and a function that sends a beat of a node. It
// is for tests in a bubble of synctest.
func openWithBeats(t *testing.T) (line *wiretest.Line, known *roster.Roster, beat func(name string)) {
	t.Helper()
	line = wiretest.New()
	return line, open(t, line), func(name string) {
		line.Request(t.Context(), wire.Subjects{Tenant: "default"}.Beat(name), wire.Encode(wire.Status{V: wire.Version, Name: name}), nil)
		synctest.Wait()
	}
}

// A new roster waits for the node that is asked for, although others answer sooner. Several callers
// may ask at the same time.
func TestFarNode(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		line := wiretest.New()
		answer(t, line, "near", time.Millisecond)
		answer(t, line, "tokyo", 150*time.Millisecond)
		known := open(t, line)
		found := make(chan bool)
		for range 2 {
			go func() { _, ok := known.Node(t.Context(), "tokyo"); found <- ok }()
		}
		for range 2 {
			if !<-found {
				t.Error("the far node is not found")
			}
		}
	})
}

// Several callers of a new roster all get its nodes. When all nodes must have sent their status, the
// roster does not ask for them any more.
func TestNewRoster(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		line := wiretest.New()
		known := open(t, line)
		answer(t, line, "mac", time.Millisecond)
		counts := make(chan int)
		for range 2 {
			go func() { counts <- len(known.Nodes(t.Context())) }()
		}
		for range 2 {
			if got := <-counts; got != 1 {
				t.Errorf("there are %d nodes", got)
			}
		}
		time.Sleep(time.Minute)
		began := time.Now()
		if all := known.Nodes(t.Context()); len(all) > 0 || time.Since(began) > 0 {
			t.Errorf("after a minute without beats the nodes are %v, known after %s", all, time.Since(began))
		}
	})
}

// A node that was gone before the connection to NATS broke does not come back by that. One that was
// there counts as there until it is silent on the new connection.
func TestGoneNodes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		line, known, beat := openWithBeats(t)
		expect := func(when string, want ...string) {
			t.Helper()
			var got []string
			for _, n := range known.Known() {
				got = append(got, n.Name)
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s there are %q, want %q", when, got, want)
			}
		}
		beat("mac")
		time.Sleep(2 * roster.Silence)
		beat("pc")
		line.Break(true)
		time.Sleep(time.Minute)
		expect("during the break", "pc")
		if silent := known.Silent("mac"); silent < time.Minute {
			t.Errorf("mac was silent for %s", silent)
		}
		line.Break(false)
		expect("after it", "pc")
		beat("mac")
		expect("when mac is back", "mac", "pc")
		time.Sleep(2 * roster.Silence)
		expect("when both are silent")
	})
}

// The line may be dead for seconds before that is noticed. Nodes that were silent only then are not
// gone. A node that was silent while others were not is.
func TestDeadLine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		line, known, beat := openWithBeats(t)
		beat("mac")
		time.Sleep(2 * roster.Silence)
		beat("pc")
		beat("pi")
		time.Sleep(3 * roster.Silence)
		if all := known.Known(); len(all) > 0 {
			t.Errorf("before the break is noticed there are %+v", all)
		}
		line.Break(true)
		time.Sleep(roster.Silence)
		if pc, mac := known.Silent("pc"), known.Silent("mac"); pc > roster.Silence || mac < roster.Silence {
			t.Errorf("pc was silent for %s, mac for %s", pc, mac)
		}
		line.Break(false)
		beat("pc")
		var names []string
		for _, n := range known.Nodes(t.Context()) {
			names = append(names, n.Name)
		}
		if !slices.Equal(names, []string{"pc", "pi"}) {
			t.Errorf("after it there are %q", names)
		}
	})
}

// A roster that is new asks, even if it knows a node already: others may not have sent their status.
func TestNewRosterWithOneNode(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		line := wiretest.New()
		answer(t, line, "mac", time.Millisecond)
		known := open(t, line)
		line.Request(t.Context(), wire.Subjects{Tenant: "default"}.Beat("pc"), wire.Encode(wire.Status{V: wire.Version, Name: "pc"}), nil)
		synctest.Wait()
		if all := known.Nodes(t.Context()); len(all) != 2 {
			t.Errorf("there are %+v", all)
		}
	})
}
