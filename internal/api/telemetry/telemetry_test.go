package telemetry

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"chela/internal/base/stage"
	"chela/internal/engine/profile"
	"chela/internal/fleet/roster"
	"chela/internal/fleet/wire"
	"chela/internal/fleet/wire/wiretest"
	"chela/internal/op"
)

// source returns fixed figures in place of a service.
type source struct{}

func (source) Browsers() []profile.Figures {
	return []profile.Figures{{Profile: "chela", Tabs: 2, Memory: 3 << 20}, {Profile: "user", Tabs: 1}}
}

func (source) Dropped() map[string]int64 {
	return map[string]int64{"events": 4, "entries": 5, "frames": 6}
}

// runnerFunc is an [op.Runner].
type runnerFunc func(ctx context.Context, o *op.Op, args op.Args) (json.RawMessage, error)

func (f runnerFunc) Run(ctx context.Context, o *op.Op, args op.Args) (json.RawMessage, error) {
	return f(ctx, o, args)
}

var click = &op.Op{Words: []string{"click"}}

// scrape returns the metrics by their names with labels.
func scrape(t *testing.T, m *Telemetry) map[string]string {
	t.Helper()
	w := httptest.NewRecorder()
	m.ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	if kind := w.Header().Get("Content-Type"); !strings.HasPrefix(kind, "text/plain") {
		t.Errorf("the type is %q", kind)
	}
	found := map[string]string{}
	for line := range strings.Lines(w.Body.String()) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), " "); ok && name != "#" {
			found[name] = value
		}
	}
	return found
}

func expect(t *testing.T, found map[string]string, want map[string]string) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if found[name] != want[name] {
			t.Errorf("%s is %q, want %q", name, found[name], want[name])
		}
	}
}

// Each call is counted once, by its operation and its code, also one that panics.
func TestCalls(t *testing.T) {
	m := New(Options{Version: "1.2", Source: source{}})
	results := []error{
		nil, nil, op.Errorf(op.StaleRef, "e1 is gone"), context.Canceled, errors.New("a defect"), op.Errorf("of_another_version", "unknown"),
	}
	run := m.Runner(runnerFunc(func(context.Context, *op.Op, op.Args) (json.RawMessage, error) {
		if len(results) == 0 {
			panic("a defect")
		}
		err := results[0]
		results = results[1:]
		return nil, err
	}), Here)
	for len(results) > 0 {
		run.Run(t.Context(), click, nil)
	}
	func() {
		defer func() { recover() }()
		run.Run(t.Context(), click, nil)
	}()
	m.Runner(runnerFunc(func(context.Context, *op.Op, op.Args) (json.RawMessage, error) { return nil, nil }), Fleet).Run(t.Context(), click, nil)
	found := scrape(t, m)
	expect(t, found, map[string]string{
		`chela_calls_total{code="ok",from="here",operation="click"}`:        "2",
		`chela_calls_total{code="stale_ref",from="here",operation="click"}`: "1",
		`chela_calls_total{code="canceled",from="here",operation="click"}`:  "1",
		`chela_calls_total{code="internal",from="here",operation="click"}`:  "2",
		`chela_calls_total{code="other",from="here",operation="click"}`:     "1",
		`chela_calls_total{code="ok",from="fleet",operation="click"}`:       "1",
		`chela_call_seconds_count{operation="click"}`:                       "8",
		`chela_calls_running`:                         "0",
		`chela_info{version="1.2"}`:                   "1",
		`chela_tabs{profile="chela"}`:                 "2",
		`chela_browser_memory_bytes{profile="chela"}`: "3.145728e+06",
		`chela_browser_memory_bytes{profile="user"}`:  "",
		`chela_dropped_total{kind="events"}`:          "4",
		`chela_dropped_total{kind="entries"}`:         "5",
		`chela_dropped_total{kind="frames"}`:          "6",
		`chela_fleet_connected`:                       "",
		`chela_fleet_nodes{state="healthy"}`:          "",
	})
	for name := range found {
		if !strings.HasPrefix(name, "chela_") {
			t.Errorf("there is a metric %s", name)
		}
	}
}

// Turns are counted while they wait and run.
func TestTurns(t *testing.T) {
	m := New(Options{Source: source{}})
	m.Runner(runnerFunc(func(ctx context.Context, _ *op.Op, _ op.Args) (json.RawMessage, error) {
		_, begun := stage.Begin(ctx, stage.Wait)
		expect(t, scrape(t, m), map[string]string{"chela_turns_waiting": "1", "chela_turns_running": "0", "chela_calls_running": "1"})
		begun(nil)
		_, ended := stage.Begin(ctx, stage.Turn)
		expect(t, scrape(t, m), map[string]string{"chela_turns_waiting": "0", "chela_turns_running": "1", "chela_turn_wait_seconds_count": "1"})
		ended(nil)
		return nil, nil
	}), Here).Run(t.Context(), click, nil)
	expect(t, scrape(t, m), map[string]string{"chela_turns_waiting": "0", "chela_turns_running": "0", "chela_calls_running": "0"})
}

// The nodes of a fleet are counted by their states.
func TestNodes(t *testing.T) {
	line := wiretest.New()
	known, err := roster.New(line, "default")
	if err != nil {
		t.Fatal(err)
	}
	defer known.Close()
	m := New(Options{Source: source{}, Roster: known, Waiting: func() int { return 7 }})
	for _, s := range []wire.Status{
		{V: 1, Name: "a", Healthy: true, Load: &wire.Load{Calls: 3, Slots: 4, Queue: 1}},
		{V: 1, Name: "b", Healthy: true, Load: &wire.Load{Calls: 2, Slots: 4}},
		{V: 1, Name: "c", Reason: "no browser"},
		{V: 1, Name: "d", Healthy: true, Draining: true},
	} {
		line.Request(t.Context(), wire.Subjects{Tenant: "default"}.Beat(s.Name), wire.Encode(s), nil)
	}
	for deadline := time.Now().Add(5 * time.Second); len(known.Nodes(t.Context())) < 4; {
		if time.Now().After(deadline) {
			t.Fatal("the nodes are not known")
		}
	}
	expect(t, scrape(t, m), map[string]string{
		"chela_fleet_connected": "1", `chela_fleet_nodes{state="healthy"}`: "2", `chela_fleet_nodes{state="unhealthy"}`: "1",
		`chela_fleet_nodes{state="draining"}`: "1", "chela_fleet_calls": "5", "chela_fleet_queue": "1", "chela_fleet_waiting": "7",
	})
}

// Without a tracer, a stage allocates only what its counters need.
func TestWithoutTracer(t *testing.T) {
	m := New(Options{Source: source{}})
	ctx := stage.With(t.Context(), m)
	for s, most := range map[stage.Stage]float64{stage.Reach: 0, stage.Act: 0, stage.After: 0, stage.Hop: 0, stage.Wait: 2, stage.Turn: 2} {
		if n := testing.AllocsPerRun(100, func() {
			_, end := stage.Begin(ctx, s)
			end(nil)
		}); n > most {
			t.Errorf("%s: %v allocations", s, n)
		}
	}
}

func BenchmarkCall(b *testing.B) {
	m := New(Options{Source: source{}})
	run := m.Runner(runnerFunc(func(ctx context.Context, _ *op.Op, _ op.Args) (json.RawMessage, error) {
		for _, s := range []stage.Stage{stage.Reach, stage.Wait, stage.Turn, stage.Act, stage.After} {
			_, end := stage.Begin(ctx, s)
			end(nil)
		}
		return nil, nil
	}), Here)
	b.ReportAllocs()
	for b.Loop() {
		run.Run(b.Context(), click, nil)
	}
}
