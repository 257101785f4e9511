package page

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// A TakeOver says that a person alone uses a tab, for a limited time. It ends by itself, since the
// person may have left without giving the tab back.
type TakeOver struct {
	Since time.Time `json:"since"`
	Until time.Time `json:"until"`
	By    string    `json:"by,omitempty"` // name of the caller through which the person has taken over the tab

	// Guest is the id of the share, if its guest has the tab. It is "" if the user has it.
	Guest string `json:"guest,omitempty"`
}

// At returns t if it still lasts at the given time, else the zero TakeOver.
func (t TakeOver) At(now time.Time) TakeOver {
	if now.Before(t.Until) {
		return t
	}
	return TakeOver{}
}

// Check returns a [*TakenError], unless t is the zero TakeOver.
func (t TakeOver) Check() error {
	if t == (TakeOver{}) {
		return nil
	}
	return &TakenError{TakeOver: t}
}

// A TakenError says that a person has taken over the tab.
type TakenError struct {
	TakeOver
	ToGuest bool // the call is a guest's, who must not learn the names of others
}

func (e *TakenError) Error() string {
	return fmt.Sprintf("a person has had the tab since %s (%s)", e.Since.Format(time.TimeOnly), e.By)
}

// A Control says whether a person has taken over a tab. The pages that a tab has, one after the
// other, share it. So it lasts through navigations and crashes. A nil Control is never taken.
type Control struct {
	mu      sync.Mutex // guards the rest; no other mutex is locked while this one is held
	taken   TakeOver
	changed chan struct{} // closed when taken changes; nil: nobody waits
}

// Taken returns the person's use of the tab now. The zero TakeOver means that nobody has it.
func (c *Control) Taken() TakeOver {
	if c == nil {
		return TakeOver{}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.takenLocked()
}

func (c *Control) takenLocked() TakeOver { return c.taken.At(time.Now()) }

// Last returns the value of the last Set, even if its time has passed.
func (c *Control) Last() TakeOver {
	if c == nil {
		return TakeOver{}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.taken
}

// Set gives the tab to a person; the zero TakeOver gives it back. After giving the tab to a person,
// the caller must interrupt the tab's pages with a [*TakenError], see [Page.Interrupt].
func (c *Control) Set(t TakeOver) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.setLocked(t)
}

// EndGuest ends the use of the tab by a guest of a share now, as if its time was over. Any other use
// goes on.
func (c *Control) EndGuest(share string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if taken := c.takenLocked(); taken != (TakeOver{}) && taken.Guest == share {
		taken.Until = time.Now()
		c.setLocked(taken)
	}
}

func (c *Control) setLocked(t TakeOver) {
	c.taken = t
	if c.changed != nil {
		close(c.changed)
		c.changed = nil
	}
}

// follow returns the person's use of the tab now, and a channel that is closed when it changes.
func (c *Control) follow() (TakeOver, <-chan struct{}) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.changed == nil {
		c.changed = make(chan struct{})
	}
	return c.takenLocked(), c.changed
}

type touchKey struct{}

// WithTouch returns a context for a call that touches pages: it acts, navigates, runs a script or
// changes a setting. While a person has the tab, such a call is refused with a [*TakenError]. All
// other calls only look, or are the user's own.
//
// The parameter guest is the id of the share whose guest makes the call, or "". A guest is not
// refused while a guest of the same share has the tab.
func WithTouch(ctx context.Context, touches bool, guest string) context.Context {
	return context.WithValue(ctx, touchKey{}, touch{touches, guest})
}

// A touch says whether a call touches pages, and whose it is, see [WithTouch].
type touch struct {
	touches bool
	guest   string
}

func touchOf(ctx context.Context) touch {
	t, _ := ctx.Value(touchKey{}).(touch)
	return t
}

// withheld returns a [*TakenError] if the call must not touch a tab which is taken over like this.
func (t touch) withheld(by TakeOver) error {
	if !t.touches || by == (TakeOver{}) || t.guest != "" && t.guest == by.Guest {
		return nil
	}
	return &TakenError{by, t.guest != ""}
}

// ControlledBy sets the control of the page's tab.
func (p *Page) ControlledBy(c *Control) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.control = c
}

// AwaitGiveBack waits until the person who has taken over the tab gives it back. If the person
// still has the tab at the time in the parameter latest, the error is a [*TakenError]. Other errors
// are the cause of ctx and ErrClosed. A call that does not touch pages never waits. Neither does a
// guest's: what a guest does by hand must not be done later.
func (p *Page) AwaitGiveBack(ctx context.Context, latest time.Time) error {
	p.mu.Lock()
	control := p.control
	p.mu.Unlock()
	touch := touchOf(ctx)
	if why := touch.withheld(control.Taken()); why == nil || touch.guest != "" {
		return why
	}
	waiting, cancel := context.WithDeadlineCause(ctx, latest, context.DeadlineExceeded)
	defer cancel()
	for ended := p.ended; ; {
		taken, changed := control.follow()
		why := touch.withheld(taken)
		if why == nil {
			return nil
		}
		over := time.NewTimer(time.Until(taken.Until))
		select {
		case <-changed:
		case <-over.C:
		case <-waiting.Done():
		case <-ended:
			if err := p.Err(); errors.Is(err, ErrClosed) {
				over.Stop()
				return err
			}
			ended = nil // the tab is about to get another page, perhaps in another browser
		}
		over.Stop()
		switch {
		case errors.Is(waiting.Err(), context.DeadlineExceeded):
			return why
		case waiting.Err() != nil:
			return context.Cause(waiting)
		}
	}
}

// withheldLocked returns why a person keeps the call of ctx from using the page: ErrStopped if all
// agents are stopped, a [*TakenError] if the call touches a tab that was taken over, or nil.
func (p *Page) withheldLocked(ctx context.Context) error {
	if p.on.Stopped != nil && p.on.Stopped() {
		return ErrStopped
	}
	return touchOf(ctx).withheld(p.control.Taken())
}

// byPerson reports whether a person has ended a call: an error of withheldLocked is in the chain of
// err.
func byPerson(err error) bool {
	_, taken := errors.AsType[*TakenError](err)
	return taken || errors.Is(err, ErrStopped)
}
