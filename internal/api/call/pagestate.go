package call

import (
	"context"
	"slices"
	"time"

	"chela/internal/api/words"
	"chela/internal/engine/page"
	"chela/internal/op"
	"chela/internal/reading/snapshot"
)

// Following is embedded by requests that do something to a page. It says whether the answer also
// shows the page as it is afterwards, and means the same in all of these requests.
type Following struct {
	Seeing
	Snapshot string `json:"snapshot,omitempty" enum:"delta,efficient,navigated,none" agents:"navigated" doc:"wait until the page is quiet (no change or scroll for 100 ms, no request, no transition; at most 1000 ms, or settleMs), then return what changed since the last snapshot, or by this call if there is none (delta), or what can be acted on (efficient); navigated: only after a navigation, as efficient for a new document and as delta in the same one" tool:"then show what changed (delta) or refs"`
	Given    string `json:"given,omitempty" enum:"show,omit" default:"show" agents:"omit" doc:"in a delta: show or omit lines in which only the text that this call entered, or the focus, has changed" tool:"-"`
	SettleMs *int   `json:"settleMs,omitempty" min:"0" max:"30000" doc:"how many milliseconds to wait, at most: first for a late effect (a change, or an answer other than an image, font or style, more than 50 ms after the input), then until the page is quiet. The wait takes this long if no effect comes or a request does not end"`
	MaxChars *int   `json:"maxChars,omitempty" min:"0" doc:"characters of the snapshot; 8000 when left out"`
}

// Shows returns which kind of snapshot the answer has; "" means none.
func (l Following) Shows() string {
	if l.Snapshot == "none" {
		return ""
	}
	return l.Snapshot
}

// defaultSettle is how long a call that is followed by a snapshot waits for the page to settle,
// at most.
const defaultSettle = time.Second

// WaitTime returns how long the page may take to settle. The deadline of the call is later by this
// time.
func (l Following) WaitTime() time.Duration { return l.Settle() }

// Settle returns how long to wait for the page to settle; 0: not at all.
func (l Following) Settle() time.Duration {
	switch {
	case l.SettleMs != nil:
		return time.Duration(*l.SettleMs) * time.Millisecond
	case l.Shows() != "" && l.Shows() != "navigated":
		return defaultSettle
	}
	return 0
}

// Showing is embedded in place of Following by requests that navigate a tab, since agents usually
// want to see where they arrived.
type Showing struct {
	Seeing
	Snapshot string `json:"snapshot,omitempty" enum:"delta,efficient,navigated,none" default:"none" agents:"efficient" doc:"wait until the page is quiet (at most 1000 ms, or settleMs), then return what can be acted on (efficient, navigated; all text, if nothing can be) or what changed since the last snapshot (delta). For a new document, delta is the whole page without menus and the like that read as before" tool:"-"`
	SettleMs *int   `json:"settleMs,omitempty" min:"0" max:"30000" doc:"how many milliseconds to wait, at most, until the page is quiet; if left out 1000, and up to 5000 more while a new page is blank" tool:"-"`
	MaxChars *int   `json:"maxChars,omitempty" min:"0" doc:"characters of the snapshot; 8000 when left out" tool:"-"`
}

// Following converts the request. A tab that navigates certainly shows another page, so "navigated"
// becomes "efficient".
func (s Showing) Following() Following {
	l := Following{Seeing: s.Seeing, Snapshot: s.Snapshot, SettleMs: s.SettleMs, MaxChars: s.MaxChars}
	if l.Snapshot == "navigated" {
		l.Snapshot = "efficient"
	}
	return l
}

// WaitTime returns what is added to the deadline, as the WaitTime of a Following does.
func (s Showing) WaitTime() time.Duration { return s.Following().WaitTime() }

// Ending is like [Following], for requests that wait for an event of a tab, or respond to one.
type Ending struct {
	Seeing
	Snapshot string `json:"snapshot,omitempty" enum:"delta,efficient,navigated,none" agents:"navigated" doc:"afterwards wait until the page is quiet (at most 1000 ms, or settleMs), then return what changed since the last snapshot (delta) or what can be acted on (efficient); navigated: only after a navigation" tool:"-"`
	SettleMs *int   `json:"settleMs,omitempty" min:"0" max:"30000" doc:"how many milliseconds to wait, at most, until the page is quiet" tool:"-"`
	MaxChars *int   `json:"maxChars,omitempty" min:"0" doc:"characters of the snapshot; 8000 when left out" tool:"-"`
}

// Following converts the request: it says what the answer shows of the page after the event.
func (e Ending) Following() Following {
	return Following{Seeing: e.Seeing, Snapshot: e.Snapshot, SettleMs: e.SettleMs, MaxChars: e.MaxChars}
}

// WaitTime returns what is added to the deadline, as the WaitTime of a Following does.
func (e Ending) WaitTime() time.Duration { return e.Following().WaitTime() }

// PageState is what a page shows after a call.
type PageState struct {
	Delta       *op.PageText    `json:"delta,omitempty" doc:"what changed since the last snapshot, or since an earlier one of the same view if less changed: + new lines, ~ changed ones, > moved ones, then - removed ones. A removed line stands for all inside it; a line that begins with spaces names the row, card or landmark of what follows" tool:"document"`
	NoDelta     page.NoBase     `json:"noDelta,omitempty" doc:"why there is a snapshot in place of a delta: there is no earlier snapshot to compare with, or the document is another one"`
	Snapshot    *op.PageText    `json:"snapshot,omitempty" doc:"the page as text: what can be acted on, or the whole page if a delta was asked for" tool:"document"`
	Truncated   bool            `json:"truncated,omitempty" doc:"the snapshot or delta was cut"`
	Stats       *snapshot.Stats `json:"stats,omitempty" doc:"size of the snapshot" tool:"-"`
	Unavailable op.PageText     `json:"snapshotUnavailable,omitempty" doc:"why the page could not be read"`
}

// Note tells a model what the page state leaves out. A page without refs is shown as a whole.
func (s PageState) Note() string {
	if s.Snapshot == nil || s.NoDelta != "" || s.Stats != nil && s.Stats.Refs == 0 {
		return ""
	}
	return "only what can be acted on:"
}

// Words returns the text of the page state, or why there is none. The method is not called Text,
// because then each result that embeds a PageState would be an [op.Texter].
func (s PageState) Words() string {
	all := []string{string(s.Unavailable), string(s.NoDelta)}
	for _, page := range []*op.PageText{s.Delta, s.Snapshot} {
		if page != nil {
			all = append(all, string(*page))
		}
	}
	return words.Lines(all...)
}

// ReadBefore reads the page before an act if the answer says what the act has changed.
func (t *Turn) ReadBefore(ctx context.Context, l Following) {
	if l.Shows() == "delta" {
		t.Page.ReadBefore(ctx, t.Hidden(l.Seeing))
	}
}

// State returns what the page shows when it has become quiet. The call itself is done, so it does
// not fail because the page cannot be read. It fails only if the page opens a dialog meanwhile: the
// error says which dialog.
func (t *Turn) State(ctx context.Context, l Following) (state PageState, err error) {
	if l.Shows() == "" {
		return state, nil
	}
	limited, cancel := context.WithTimeout(ctx, l.Settle())
	t.Page.AwaitSettled(limited, quietTime)
	cancel()
	if state = t.look(ctx, l); stoppedByDialog(ctx) {
		return PageState{}, context.Cause(ctx)
	}
	return state, nil
}

// quietTime is how long a page must not change and have no open request before it is read after an
// act.
const quietTime = 100 * time.Millisecond

// Afterwards returns the page state for a call that ran without a turn, or whose turn has ended.
// The parameter begun has what the page has begun since the start of the call. The call is done, so
// there is no error. If another call has the turn, Afterwards waits only for a short time. The
// other call may itself wait for something that this call has begun.
func (t *Turn) Afterwards(ctx context.Context, l Following, begun *page.Effects) (state PageState) {
	t.effects = begun
	if l = t.resolved(l); l.Shows() == "" {
		return state
	}
	ctx, cancel := context.WithTimeoutCause(ctx, l.Settle()+readTime, op.ErrDeadline)
	defer cancel()
	err := t.Page.Turn(t.withRefMode(ctx), func(ctx context.Context) (err error) {
		state, err = t.State(ctx, l)
		return err
	})
	if err != nil {
		return t.unread(ctx, err)
	}
	return state
}

// readTime is how long it may take to get a turn and to read a page.
const readTime = 5 * time.Second

// unread returns the answer that says why a page could not be read.
func (t *Turn) unread(ctx context.Context, err error) PageState {
	return PageState{Unavailable: op.AsError(Explain(t.whyBusy(ctx, err))).Message + ". Take a snapshot to read the page."}
}

// look returns what the page shows after an act. In most cases these are the changes since the last
// snapshot. If the request asks for efficient, they are the elements that can be acted on. If there
// is no snapshot to compare with, look returns these elements or, for delta, the whole text. If the
// page cannot be read, that is not an error: the act was done, and an error would make the caller
// repeat it.
func (t *Turn) look(ctx context.Context, l Following) (state PageState) {
	limit := EfficientChars
	if l.MaxChars != nil {
		limit = *l.MaxChars
	}
	var given snapshot.Given
	if l.Given == "omit" {
		given = t.given
	}
	if l.Shows() != "efficient" {
		d, why, err := t.Page.Delta(ctx, t.Hidden(l.Seeing), given, limit)
		if err == nil && why == "" {
			return PageState{Delta: new(op.PageText(d.Text)), Truncated: d.Truncated}
		}
		if why == page.OtherDocument && t.visits == t.Page.Visits() {
			why = page.NotRead // the document is new since the last snapshot, but not since this call began
		}
		if l.Shows() == "delta" {
			state.NoDelta = why
		}
	}
	v := page.View{Options: snapshot.Options{MaxChars: limit, MainFirst: true}, Purpose: "after", Hidden: t.Hidden(l.Seeing)}
	v.News = l.Shows() == "delta" || t.Page.HasMoved(ctx) // a page that was reloaded is shown as a whole: all its refs are new
	s, err := t.showing(ctx, l, v, limit)
	if err != nil {
		return t.unread(ctx, err)
	}
	state.Snapshot, state.Truncated, state.Stats = new(op.PageText(s.Text)), s.Truncated, &s.Stats
	return state
}

// showing reads the page: the whole of it (view whole) for delta, else what can be acted on. A page
// without anything to act on is shown as a whole, as its text is all that it has. An application
// that shows nothing yet gets some time, unless the request says how long to wait.
func (t *Turn) showing(ctx context.Context, l Following, whole page.View, limit int) (snapshot.Snapshot, error) {
	efficient := Efficient(whole, limit)
	if l.Shows() != "delta" {
		s, err := t.Page.Snapshot(ctx, efficient)
		if err != nil || s.Stats.Refs > 0 || s.Truncated {
			return s, err
		}
	}
	var most time.Duration
	if l.SettleMs == nil {
		most = startTime
	}
	s, err := t.Page.SnapshotOfFilled(ctx, whole, most)
	if err != nil || l.Shows() == "delta" || s.Stats.Refs == 0 {
		return s, err
	}
	return t.Page.Snapshot(ctx, efficient)
}

// startTime is how long an application may take to show anything.
const startTime = 5 * time.Second

// resolved decides what is shown after an act whose page is shown only if it has navigated. For the
// same document it is a delta, for another one the elements that can be acted on.
func (t *Turn) resolved(l Following) Following {
	if l.Shows() != "navigated" {
		return l
	}
	l.Snapshot = ""
	if slices.Contains(t.effects.Begun(), page.Navigated) || t.Page.Leaving() != "" {
		l.Snapshot = "state"
	}
	return l
}
