package node

import "log/slog"

// Warm is how a node keeps browsers ready for calls, so that these need not wait for a start.
type Warm struct {
	Want  func() int             // how many of each kind, as the settings say now
	Keep  func(n int)            // has so many kept from now on
	Ready func() int             // how many are ready, of all kinds
	Free  func() (float64, bool) // share of the memory that is free; false: not known
}

// Browsers are kept ready until the memory is short, and again when there is enough. Between the two
// nothing changes, or they would be ended and started in turn.
const (
	shortMemory  = 0.1
	enoughMemory = 0.2
)

// A warming is what a node has had kept ready.
type warming struct {
	kept  int
	short bool
}

// adjust has as many browsers kept as the settings and the memory allow.
func (w *warming) adjust(o Warm) {
	if o.Want == nil {
		return
	}
	free, known := o.Free()
	switch {
	case known && free < shortMemory && !w.short:
		w.short = true
		slog.Warn("memory is short: no browsers are kept ready", "free", free)
	case free > enoughMemory || !known:
		w.short = false
	}
	want := o.Want()
	if w.short {
		want = 0
	}
	if want != w.kept {
		w.kept = want
		o.Keep(want)
	}
}
