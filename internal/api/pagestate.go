package api

import (
	"context"
	"slices"
	"time"

	"chela/internal/op"
	"chela/internal/page"
)

// showing is embedded by requests that lead a tab to a page: whether the answer has what that shows,
// for callers that would ask for it next.
type showing struct {
	seeing
	Snapshot string `json:"snapshot,omitempty" enum:"efficient,none" default:"none" agents:"efficient" doc:"efficient: wait until the page is quiet (at most 1000 ms), then return what can be acted on" tool:"-"`
}

// Linger is how long the page may take to become quiet, by which the deadline is later.
func (s showing) Linger() time.Duration {
	if s.Snapshot != "efficient" {
		return 0
	}
	return defaultSettle
}

// pageState is what a page shows where a navigation has led.
type pageState struct {
	Snapshot    *op.Foreign `json:"snapshot,omitempty" doc:"what can be acted on, as text"`
	Truncated   bool        `json:"truncated,omitempty" doc:"there is more than is shown"`
	Unavailable op.Foreign  `json:"snapshotUnavailable,omitempty" doc:"why the page could not be read"`
}

// Note says what a model does not see there.
func (s pageState) Note() string {
	if s.Snapshot == nil {
		return ""
	}
	return "only what can be acted on:"
}

// words are the page, or why it is missing. They are no [op.Texter]: results embed it.
func (s pageState) words() string {
	if s.Snapshot == nil {
		return string(s.Unavailable)
	}
	return string(*s.Snapshot)
}

// state is what the page shows when it has become quiet. A page that cannot be read is no failure of
// the navigation, which is done. One that opens a dialog meanwhile is: the error says which.
func (t *Turn) state(ctx context.Context, s showing) (state pageState, err error) {
	if s.Snapshot != "efficient" {
		return state, nil
	}
	limited, cancel := context.WithTimeout(ctx, defaultSettle)
	t.page.AwaitSettled(limited, quietTime)
	cancel()
	v := snapshotRequest{Mode: s.Snapshot}.view()
	v.Purpose, v.Hidden = "after", t.hidden(s.seeing)
	shows, err := t.page.Snapshot(ctx, v)
	switch {
	case asked(ctx):
		return state, context.Cause(ctx)
	case err != nil:
		state.Unavailable = op.AsError(explain(err)).Message + ". Use action=snapshot to read the page."
	default:
		state.Snapshot, state.Truncated = new(op.Foreign(shows.Text)), shows.Truncated
	}
	return state, nil
}

// quietTime is how long nothing may change and no request run before a page is read by itself.
const quietTime = 100 * time.Millisecond

// resolved is what is to be shown after an act that is to show something only if it has navigated: what
// has changed, or of another document what can be acted on.
func (t *Turn) resolved(a acting) acting {
	if a.Snapshot != "navigated" {
		return a
	}
	a.Snapshot = ""
	if slices.Contains(t.effects.Begun(), page.Navigated) || t.page.Leaving() != "" {
		a.Snapshot = "state"
	}
	return a
}
