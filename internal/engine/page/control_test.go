package page

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// While a person has a tab, no call of others touches it. An agent waits for the end. A guest is
// refused at once, unless a guest of the same share has the tab.
func TestWithheld(t *testing.T) {
	const user, one, two = "", "s1", "s2" // the shares of guests
	for _, test := range []struct {
		name    string
		has     string
		touches bool
		guest   string
		waits   bool
		refused bool
	}{
		{"an agent", user, true, "", true, false},
		{"an agent that looks", user, false, "", false, false},
		{"an agent, and a guest has it", one, true, "", true, false},
		{"a guest", user, true, one, false, true},
		{"a guest who looks", user, false, one, false, false},
		{"a guest, and another has it", two, true, one, false, true},
		{"a guest who has it", one, true, one, false, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := &Page{control: new(Control), calls: map[*context.CancelCauseFunc]touch{}}
				ctx := WithTouch(t.Context(), test.touches, test.guest)
				work, done := p.interruptible(ctx)
				defer done()
				taken := TakeOver{By: "a name", Since: time.Now(), Until: time.Now().Add(time.Second), Guest: test.has}
				p.control.Set(taken)
				p.Interrupt(&TakenError{TakeOver: taken})
				held, kept := errors.AsType[*TakenError](context.Cause(work))
				if kept != (test.waits || test.refused) || kept && held.ToGuest != (test.guest != "") {
					t.Errorf("the call under way ended with %v", context.Cause(work))
				}
				begun := time.Now()
				_, refused := errors.AsType[*TakenError](p.AwaitGiveBack(ctx, begun.Add(time.Minute)))
				if waited := time.Since(begun) > 0; waited != test.waits || refused != test.refused {
					t.Errorf("waits: %t, refused: %t", waited, refused)
				}
			})
		})
	}
}
