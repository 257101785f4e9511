package call

import (
	"context"
	"testing"
	"time"

	"chela/internal/engine/page"
)

// A person sees a file chooser, and a caller only learns of it from the answer.
func TestTextOfAFileChooser(t *testing.T) {
	a := aftermath{Effects: []string{page.Changed, page.Chooser}}
	if got, want := a.Text(), "the page asked for a file, and got none: upload with ref or inputRef gives it one"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// An act may open several dialogs. All that were answered in advance are named.
func TestTextOfDialogsAnsweredAhead(t *testing.T) {
	closed := []DialogInfo{
		{ID: "d1", Type: "confirm", Message: "Sure?", ClosedBy: page.ByArmed, Accepted: new(true)},
		{ID: "d2", Type: "alert", Message: "Wait", ClosedBy: "timeout"},
		{ID: "d3", Type: "alert", Message: "Late", ClosedBy: page.ByArmed, Accepted: new(false)},
	}
	var a ActAnswer
	a.BrowserState = &BrowserState{DialogLists{Recent: closed}}
	const want = "the page asked, and got the answer given in advance: d1 confirm \"Sure?\": accepted\n" +
		"the page asked, and got the answer given in advance: d3 alert \"Late\": dismissed"
	if got := a.Text(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if a.NotDone = true; a.Text() != "" {
		t.Errorf("a call without a turn: got %q", a.Text())
	}
}

// The time limit of an act leaves time for what the call does after the act.
func TestDeadlineOfAnAct(t *testing.T) {
	ms := func(n int) *int { return &n }
	for _, s := range []struct {
		name string
		act  Acting
		want time.Duration // how long before the deadline of the call the act must end
	}{
		{"alone", Acting{}, 0},
		{"with none", Acting{Following: Following{Snapshot: "none"}}, 0},
		{"with a snapshot", Acting{Following: Following{Snapshot: "delta"}}, time.Second},
		{"with a time to settle", Acting{Following: Following{SettleMs: ms(300)}}, 300 * time.Millisecond},
		{"with both", Acting{Following: Following{Snapshot: "delta", SettleMs: ms(0)}}, 0},
	} {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		end, _ := ctx.Deadline()
		if got := end.Sub(s.act.deadline(ctx)); got != s.want {
			t.Errorf("%s: %v before the end of the call, want %v", s.name, got, s.want)
		}
		cancel()
	}
}
