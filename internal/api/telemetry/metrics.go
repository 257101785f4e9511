package telemetry

import (
	"log/slog"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/common/expfmt"

	"chela/internal/base/stage"
	"chela/internal/op"
)

// metrics are the figures that are counted as things happen. All others are read when they are
// asked for, see figures.
//
// No label may have values without bound: not addresses, sessions or tabs. The table
// has all operations, package op all codes, and the configuration all profiles.
type metrics struct {
	registry *prometheus.Registry

	calls   *prometheus.CounterVec   // number of calls, by operation, code and origin
	seconds *prometheus.HistogramVec // duration of calls, by operation
	running prometheus.Gauge

	waiting, turns prometheus.Gauge
	waited         prometheus.Histogram
}

// The upper bounds of the buckets, in seconds. Most calls take milliseconds. Those that wait for a
// page take seconds, and the deadline of most is 20 s.
var (
	callBuckets = []float64{.01, .05, .25, 1, 5, 20}
	waitBuckets = []float64{.001, .01, .1, 1, 10}
)

func newMetrics(o Options) metrics {
	m := metrics{
		registry: prometheus.NewRegistry(),
		calls: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "chela_calls_total", Help: "Calls that have ended, by operation, code (ok or that of the error), and where they came from: here or the fleet.",
		}, []string{"operation", "code", "from"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "chela_call_seconds", Help: "How long calls took, with the wait for their turn.", Buckets: callBuckets,
		}, []string{"operation"}),
		running: prometheus.NewGauge(prometheus.GaugeOpts{Name: "chela_calls_running", Help: "Calls under way."}),
		waiting: prometheus.NewGauge(prometheus.GaugeOpts{Name: "chela_turns_waiting", Help: "Calls that wait for the turn of a tab."}),
		turns:   prometheus.NewGauge(prometheus.GaugeOpts{Name: "chela_turns_running", Help: "Calls that have the turn of a tab."}),
		waited: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "chela_turn_wait_seconds", Help: "How long calls waited for the turn of a tab.", Buckets: waitBuckets,
		}),
	}
	m.registry.MustRegister(m.calls, m.seconds, m.running, m.waiting, m.turns, m.waited, figures{o})
	return m
}

// count counts a call that has ended.
func (m *metrics) count(o *op.Op, code op.Code, from Origin, took time.Duration) {
	m.calls.WithLabelValues(o.Name(), string(code), string(from)).Inc()
	m.seconds.WithLabelValues(o.Name()).Observe(took.Seconds())
}

// beginStage counts a stage that begins. It returns the function for its end, or nil for a stage
// that is not counted.
func (m *metrics) beginStage(s stage.Stage) (end func()) {
	switch s {
	case stage.Wait:
		began := time.Now()
		m.waiting.Inc()
		return func() {
			m.waiting.Dec()
			m.waited.Observe(time.Since(began).Seconds())
		}
	case stage.Turn:
		m.turns.Inc()
		return m.turns.Dec
	}
	return nil
}

// ServeHTTP answers with all metrics, in the format of Prometheus.
func (m *metrics) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	families, err := m.registry.Gather()
	if err != nil {
		slog.Error("metrics could not be read", "error", err)
	}
	format := expfmt.NegotiateAccept(r.Header, expfmt.DefaultAcceptedFormats()...)
	w.Header().Set("Content-Type", string(format))
	to := expfmt.NewEncoder(w, format)
	for _, family := range families {
		if to.Encode(family) != nil {
			return // the caller has gone
		}
	}
}
