package node

import "log/slog"

// Warm is how a node keeps browsers ready for calls, so that these need not wait for a start.
type Warm struct {
	Want  func() int             // returns how many empty tabs each browser keeps ready, by the current settings
	Keep  func(n int)            // makes browsers keep this many tabs ready from now on
	Ready func() int             // returns how many tabs are ready in all browsers
	Free  func() (float64, bool) // returns the share of the memory that is free, from 0 to 1; false: not known
}

// These are shares of the machine's memory. Browsers are kept ready until less than shortMemory is
// free, and again when more than enoughMemory is free. With one limit instead of two, browsers
// could be ended and started again and again, since both change the free memory.
const (
	shortMemory  = 0.1
	enoughMemory = 0.2
)

// A warming is the number of tabs that a node keeps ready in each browser.
type warming struct {
	kept  int  // number that was last passed to Warm.Keep
	short bool // too little memory is free, so no tabs are kept ready
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
