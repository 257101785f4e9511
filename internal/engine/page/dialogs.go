package page

import (
	"errors"
	"fmt"
	"time"
)

// recentDialogs is how many closed dialogs are kept.
const recentDialogs = 20

// maxSaid is how many characters are kept of what a dialog says, and suggests.
const maxSaid = 2048

// A document that opens more than stormSize dialogs within stormTime does so in a
// loop, and no caller could answer them all. Those beyond are answered at once.
const (
	stormSize = 20
	stormTime = 10 * time.Second
)

// unanswered is how long a dialog waits for its answer before it is dismissed.
const unanswered = 120 * time.Second

// dialogs are those of a tab. Chromium reports them on the session of the tab's
// main frame, whichever frame opened them, and one that is open blocks all frames.
// They are guarded by the page's mu.
type dialogs struct {
	count      int
	pending    []*Dialog // in the order in which they opened
	recent     []Dialog
	dismissed  int
	lastClosed time.Time
	armed      *dialogAnswer   // by AnswerDialog, for a time
	inline     []*dialogAnswer // of calls under way that carry one, in the order of their calls
	unanswered time.Duration   // the constant, but for tests
	opened     []time.Time     // the last of the document, at most stormSize
	stormed    time.Time       // when one more than stormSize last opened
	document   time.Time       // when the tab's document came
	unattended bool            // see DismissDialogs
}

// A dialogAnswer is given ahead, for a dialog that has not opened yet. It answers one.
type dialogAnswer struct {
	accept bool
	text   string
	until  time.Time // zero: until it is taken back
}

// takeArmed returns the answer for a dialog that opens now, and uses it up; nil
// if there is none. A call's own answer comes before the one that is armed for
// any dialog: it was given for what the call opens, and the other stays for later.
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

// open returns a DialogOpen for the first dialog that waits for its answer, or nil.
func (d *dialogs) open() error {
	for _, pending := range d.pending {
		if pending.ClosedBy == "" {
			return &DialogOpen{*pending}
		}
	}
	return nil
}

// storms reports whether a dialog that opens now is one more than stormSize within stormTime.
func (d *dialogs) storms(now time.Time) bool {
	tooMany := len(d.opened) == stormSize && now.Sub(d.opened[0]) < stormTime
	d.opened = append(d.opened[max(0, len(d.opened)-stormSize+1):], now)
	return tooMany
}

// A NoDialogError says that no dialog with this id waits for an answer.
type NoDialogError struct{ ID string }

func (e *NoDialogError) Error() string { return fmt.Sprintf("the dialog %q is not open", e.ID) }

// ErrSeveralDialogs says that an answer has to name its dialog, as several are open.
var ErrSeveralDialogs = errors.New("several dialogs are open")

// choose returns the pending dialog with this id. Without an id it is the only one
// that is pending, or nil if none is.
func (d *dialogs) choose(id string) (*Dialog, error) {
	for _, pending := range d.pending {
		if pending.ID == id {
			return pending, nil
		}
	}
	switch {
	case id != "":
		return nil, &NoDialogError{id}
	case len(d.pending) > 1:
		return nil, ErrSeveralDialogs
	case len(d.pending) == 1:
		return d.pending[0], nil
	}
	return nil, nil
}
