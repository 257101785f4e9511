// Package telemetry has what operators see of a server: metrics in the format of Prometheus, and
// traces of OpenTelemetry.
//
// Calls are counted in one place, the [op.Runner] that [Telemetry.Runner] makes. It puts the
// Telemetry into the context of a call as its [stage.Watcher]. So turns, acts and hops to nodes are
// counted, and become spans, where packages report their stages.
package telemetry

import (
	"context"
	"encoding/json"
	"time"

	"go.opentelemetry.io/otel/trace"

	"chela/internal/base/stage"
	"chela/internal/engine/profile"
	"chela/internal/fleet/roster"
	"chela/internal/op"
)

// A Source is the service whose figures are read when somebody asks for them.
type Source interface {
	Browsers() []profile.Figures // the running browsers
	Dropped() map[string]int64   // how many events, journal entries and frames were dropped since the start, by kind
}

// Options are the parts of a server that a Telemetry observes.
type Options struct {
	Version string
	Source  Source
	Roster  *roster.Roster // the nodes of the fleet; nil: there is no fleet
	Waiting func() int     // how many calls wait here for a place on any machine
	Tracer  trace.Tracer   // nil: no traces are made
}

// A Telemetry counts the calls of a server. Use it after [New].
type Telemetry struct {
	metrics
	tracer trace.Tracer // nil: no traces are made
}

// New returns a Telemetry that has counted nothing yet.
func New(o Options) *Telemetry { return &Telemetry{newMetrics(o), o.Tracer} }

// Origin says who makes calls.
type Origin string

// The origins of calls.
const (
	Here  Origin = "here"  // callers of this server
	Fleet Origin = "fleet" // other machines, for which this one is a node
)

// Runner returns a runner that counts calls and passes them on to the runner next.
func (t *Telemetry) Runner(next op.Runner, from Origin) op.Runner { return &runner{t, next, from} }

type runner struct {
	*Telemetry
	next op.Runner
	from Origin
}

// Run implements [op.Runner]. The error comes from next.
func (r *runner) Run(ctx context.Context, o *op.Op, args op.Args) (raw json.RawMessage, err error) {
	ctx, endSpan := r.beginCall(stage.With(ctx, r.Telemetry), o)
	began := time.Now()
	r.running.Inc()
	code := op.Internal // the code if next panics
	defer func() {
		r.count(o, code, r.from, time.Since(began))
		r.running.Dec() // last, so that all calls are counted when running shows none
		endSpan(code)
	}()
	raw, err = r.next.Run(ctx, o, args)
	code = codeOf(ctx, err)
	return raw, err
}

// ok is the code of calls that succeed.
const ok op.Code = "ok"

// codeOf returns the code of a call's result. Nodes of another version may have codes that this one
// does not know; all of these count as one code.
func codeOf(ctx context.Context, err error) op.Code {
	if err == nil {
		return ok
	}
	if code := op.FailureOf(ctx, err).Code; code.Known() {
		return code
	}
	return "other"
}

// Begin implements [stage.Watcher].
func (t *Telemetry) Begin(ctx context.Context, s stage.Stage) (context.Context, stage.End) {
	ctx, endSpan := beginSpan(ctx, s)
	endCount := t.beginStage(s)
	if endCount == nil {
		return ctx, endSpan
	}
	return ctx, func(err error) {
		endCount()
		endSpan(err)
	}
}
