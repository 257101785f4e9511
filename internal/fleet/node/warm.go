package node

import "log/slog"

// Warm is how a node keeps browsers ready for calls, so that these need not wait for a start.
type Warm struct {
	Want  func() int             // how many empty tabs each browser keeps ready, as the settings say now
	Keep  func(n int)            // makes browsers keep this many tabs ready from now on
	Ready func() int             // how many are ready, of all kinds
	Free  func() (float64, bool) // share of the memory that is free; false: not known
}

// These are shares of the machine's memory. Browsers are kept ready until less than shortMemory is
// free, and again when more than enoughMemory is free. Between the two nothing changes. Otherwise
// browsers would be ended and started in turn.
const (
	shortMemory  = 0.1
	enoughMemory = 0.2
)

// A warming is the number of tabs that a node keeps ready in each browser.
type warming struct {
	kept  int
	short bool
}

// adjust changes how many tabs are kept ready, to what the settings and the free memory allow.
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
