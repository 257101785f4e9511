package page

import (
	"errors"
	"fmt"
	"time"
)

// recentDialogs is how many closed dialogs are kept.
const recentDialogs = 20

// maxSaid is how many characters are kept of a dialog's message and default value.
const maxSaid = 2048

// A document that opens more than stormSize dialogs within stormTime does so in a loop, and no
// caller could answer them all. Further ones are answered at once.
const (
	stormSize = 20
	stormTime = 10 * time.Second
)

// dialogTimeout is how long a dialog waits for an answer before it is dismissed.
const dialogTimeout = 120 * time.Second

// dialogs are the dialogs of a tab. Chromium reports them on the session of the tab's main frame,
// whichever frame opened them. An open dialog blocks all frames. The page's mu guards the fields.
type dialogs struct {
	count      int       // how many dialogs of the tab have got an ID
	pending    []*Dialog // in the order in which they opened
	shown      int       // how many dialogs have opened and not closed, also those that were answered at once
	recent     []Dialog  // closed dialogs, the newest last; at most recentDialogs
	dismissed  int       // how many dialogs were answered at once because of stormSize
	lastClosed time.Time
	armed      *dialogAnswer   // the answer for the next dialog, which AnswerDialog has prepared
	inline     []*dialogAnswer // answers that calls under way carry, in the order of the calls
	timeout    time.Duration   // dialogTimeout, except in tests
	opened     []time.Time     // when the document's last dialogs opened, at most stormSize
	stormed    time.Time       // when a dialog beyond stormSize last opened
	document   time.Time       // when the tab's document was loaded
	unattended bool            // see DismissDialogs
}

// A dialogAnswer is armed for a dialog that has not opened yet. It answers one dialog.
type dialogAnswer struct {
	accept bool
	text   *string   // nil: the page's default value
	until  time.Time // when the answer expires; zero: not before it is taken back
}

// takeArmed returns the answer for a dialog that opens now, and removes it; nil if there is none.
// An answer that a call carries has precedence: it is meant for a dialog that this call opens. The
// answer in armed then stays for a later dialog.
func (d *dialogs) takeArmed(now time.Time) *dialogAnswer {
	if n := len(d.inline); n > 0 {
		answer := d.inline[n-1]
		d.inline = d.inline[:n-1]
		return answer
	}
	answer := d.armed
	d.armed = nil
	if answer != nil && now.After(answer.until) {
		return nil
	}
	return answer
}

// An Arming says that an answer was kept for the next dialog.
type Arming struct {
	Replaced *bool // the answer that waited before, and was dropped: accept or dismiss; nil: none waited
}

// arm keeps an answer for the next dialog.
func (d *dialogs) arm(answer *dialogAnswer) *Arming {
	before := d.armed
	d.armed = answer
	if before == nil || time.Now().After(before.until) {
		return &Arming{}
	}
	return &Arming{&before.accept}
}

// waiting lists the dialogs that wait for an answer, the oldest first. A dialog that was answered, and
// has not closed yet, does not count.
func (d *dialogs) waiting() (waiting []*Dialog) {
	for _, pending := range d.pending {
		if pending.ClosedBy == "" {
			waiting = append(waiting, pending)
		}
	}
	return waiting
}

// open returns a DialogOpen for the first dialog that waits for an answer, or nil.
func (d *dialogs) open() error {
	if waiting := d.waiting(); len(waiting) > 0 {
		return &DialogOpen{*waiting[0]}
	}
	return nil
}

// storms reports whether a dialog that opens now would be more than the stormSize dialogs that are
// allowed within stormTime.
func (d *dialogs) storms(now time.Time) bool {
	tooMany := len(d.opened) == stormSize && now.Sub(d.opened[0]) < stormTime
	d.opened = append(d.opened[max(0, len(d.opened)-stormSize+1):], now)
	return tooMany
}

// A NoDialogError says that no dialog with this id waits for an answer.
type NoDialogError struct{ ID string }

func (e *NoDialogError) Error() string { return fmt.Sprintf("the dialog %q is not open", e.ID) }

// ErrSeveralDialogs says that an answer must name its dialog, because several are open.
var ErrSeveralDialogs = errors.New("several dialogs are open")

// choose returns the dialog with this id that waits for an answer. Without an id it returns the only
// such dialog, or nil if there is none. A dialog that was answered gets no second answer: Chromium
// would take that for an answer to the next dialog.
func (d *dialogs) choose(id string) (*Dialog, error) {
	waiting := d.waiting()
	for _, each := range waiting {
		if each.ID == id {
			return each, nil
		}
	}
	switch {
	case id != "":
		return nil, &NoDialogError{id}
	case len(waiting) > 1:
		return nil, ErrSeveralDialogs
	case len(waiting) == 1:
		return waiting[0], nil
	}
	return nil, nil
}
