package trace

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"chela/internal/engine/browser"
	"chela/internal/engine/page"
)

// A Call is what a caller has asked for, as the trace records it. Its texts are written to the
// trace unchanged. So whoever makes the Call first replaces arguments that must not be in a file,
// or that are too long for a file.
type Call struct {
	Name   string                     // name of the operation
	Title  string                     // title of the call in the viewer's list
	Params map[string]json.RawMessage // arguments of the call
	Ref    string                     // ref of the element that the call acts on, or ""
	Parent *Action                    // the call that contains this one, such as a batch; nil if there is none
}

// RefParams are the parameters that name the element of a call. If a call has several, the first in
// this list counts.
var RefParams = []string{"ref", "inputRef", "startRef"}

// An Action is one call in a trace. All methods may be called on nil, which is a call that is not
// recorded. So callers need not know whether a trace is under way.
//
// The lines of an Action are written together when it ends. A call that never comes to a tab, such
// as one that lists profiles, writes none. The call that stops the trace is not in the trace
// either. The goroutine of the call uses the Action, and the goroutine that stops the trace may
// write it at the same time: hence the mutex.
type Action struct {
	recorder *Recorder
	id       string
	call     Call
	began    time.Time

	mu     sync.Mutex // guards the rest
	tab    *tabRecord // nil while the call has not come to a tab
	page   *page.Page
	moves  int      // result of mouseMoves before the call
	before bool     // there is a snapshot from before the call
	after  bool     // there is a snapshot from after the call
	log    []logged // lines of Log
	over   bool     // the lines of the call were written, or the archive had no room for them
}

type actionKey struct{}

// With returns a context that carries the action of a call. So the functions that are called on the
// way from the operation to the tab need no parameter for it.
func With(ctx context.Context, a *Action) context.Context {
	return context.WithValue(ctx, actionKey{}, a)
}

// Of returns the action that a context carries; nil if the call is not recorded.
func Of(ctx context.Context) *Action {
	a, _ := ctx.Value(actionKey{}).(*Action)
	return a
}

// Begin begins to record a call, from now on; [Action.End] writes it. It returns nil if the
// trace has ended. Calls that never come to a tab are not written: see [Action.On].
func (r *Recorder) Begin(c Call) *Action { return r.begin(&Action{call: c}) }

// begin adds the action a to the calls under way and returns it. It returns nil if the trace has
// ended. For a part of another call (see [Action.Part]), the caller must have set the tab. The
// reason is that the goroutine that stops the trace may write every action in r.open. It would
// leave out a call without a tab.
func (r *Recorder) begin(a *Action) *Action {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ended {
		return nil
	}
	r.lastCall++
	a.recorder, a.id, a.began = r, fmt.Sprintf("call@%d", r.lastCall), time.Now()
	r.open[a] = struct{}{}
	return a
}

// Part begins to record a call that is a part of this one, such as an action of a batch. The viewer
// shows the part below this call. The part has the tab of this call, so [Action.On] need not be
// called for it.
func (a *Action) Part(c Call) *Action {
	if a == nil {
		return nil
	}
	c.Parent = a
	a.mu.Lock()
	tab, p := a.tab, a.page
	a.mu.Unlock()
	return a.recorder.begin(&Action{call: c, tab: tab, page: p, moves: mouseMoves(p)})
}

// Secrets reports whether the trace of the call has credentials and cookies as they are, see
// [Recorder.Secrets].
func (a *Action) Secrets() bool { return a != nil && a.recorder.Secrets() }

// On records which tab the call is about. It also begins to record the tab's browser and page, if
// they are not recorded yet. The browser may be new, because the last one was lost. The page may be
// new, and FollowTabs may report it only after the call has acted on it.
func (a *Action) On(tab *browser.Tab) {
	if a == nil {
		return
	}
	a.recorder.Follow(tab.Browser())
	record, p := a.recorder.tabRecord(tab), tab.Page()
	record.see(p)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.tab, a.page, a.moves = record, p, mouseMoves(p)
}

// mouseMoves returns the number of mouse events that calls have sent to the page; 0 without a page.
// If the number grows during a call, the call has used the mouse.
func mouseMoves(p *page.Page) int {
	if p == nil {
		return 0
	}
	_, moves := p.Mouse()
	return moves
}

// Log adds a line to the log of the call, with the time. Lines beyond maxLog are dropped.
func (a *Action) Log(format string, args ...any) {
	if a == nil {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.log) < maxLog {
		a.log = append(a.log, logged{"log", a.id, a.recorder.at(time.Now()), fmt.Sprintf(format, args...)})
	}
}

// maxLog bounds the log of one call, in lines.
const maxLog = 100

// snapshotTime bounds how long a call waits for one snapshot. A page that does not answer
// by then is busy, and would most likely not answer the call itself either.
const snapshotTime = 2 * time.Second

// Before records what the tab shows before the call. It must be called when the call has its turn,
// and not earlier: until then other calls may change the page.
func (a *Action) Before(ctx context.Context) {
	if a.snapshot(ctx, "before") {
		a.mu.Lock()
		a.before = true
		a.mu.Unlock()
	}
}

// After records what the tab shows after the call.
func (a *Action) After(ctx context.Context) {
	if a.snapshot(ctx, "after") {
		a.mu.Lock()
		a.after = true
		a.mu.Unlock()
	}
}

// snapshot records what the tab shows in a phase of the call, before or after. It reports whether
// it did. A page that is busy or has a dialog open shows nothing, which must not fail the call.
// [page.Page.Watch] ends the context as soon as a dialog opens or the page crashes, so that
// snapshotTime is not spent waiting for it. A page that the network policy forbids is not read.
func (a *Action) snapshot(ctx context.Context, phase string) (taken bool) {
	if a == nil || !a.recorder.options.Snapshots {
		return false
	}
	a.mu.Lock()
	tab, p := a.tab, a.page
	a.mu.Unlock()
	if p == nil || p.Unreadable() != nil {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, snapshotTime)
	defer cancel()
	p.Watch(ctx, func(ctx context.Context) error {
		taken = tab.snapshot(ctx, p, a.id, phase, a.call.Ref)
		return nil
	})
	return taken
}

// End writes the call, with its error if it has failed. It does not wait for a snapshot. A snapshot
// that comes later has a line of its own, which the viewer finds wherever it is in the file.
func (a *Action) End(err error) {
	if a == nil {
		return
	}
	a.mu.Lock()
	late := !a.after && a.page != nil
	a.mu.Unlock()
	if late && a.recorder.options.Snapshots {
		// A call that has failed at its deadline had no time for a snapshot, although its page may
		// show why it failed. So the snapshot is taken now. Calls that take no turn (a.page is nil)
		// have none.
		a.recorder.inBackground(snapshotTime, a.After)
	}
	a.write(err)
}

// write writes the lines of the call, once, with the before line first. For an input or after line,
// the viewer looks up the call, and fails if it has not read the before line of that call. So if
// the archive has no room for the before line, nothing of the call is written, although its smaller
// lines might still fit. The name of the snapshot after the call is always written, because that
// snapshot may still come: see End.
func (a *Action) write(err error) {
	r := a.recorder
	r.mu.Lock()
	delete(r.open, a)
	r.mu.Unlock()
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.over || a.page == nil {
		return
	}
	a.over = true
	if !r.archive.event(calls, a.beginningLocked()) {
		return
	}
	if at, moves := a.page.Mouse(); moves != a.moves {
		r.archive.event(calls, input{"input", a.id, point(at)})
	}
	for _, line := range a.log {
		r.archive.event(calls, line)
	}
	end := after{Type: "after", Call: a.id, End: r.at(time.Now()), Snapshot: "after@" + a.id}
	if err != nil {
		end.Error = &failure{Name: "Error", Message: err.Error()}
	}
	r.archive.event(calls, end)
}

// beginningLocked returns the before line, with the name of its snapshot if there is one.
func (a *Action) beginningLocked() before {
	line := before{
		Type: "before", Call: a.id, Start: a.recorder.at(a.began), Title: a.call.Title, Class: "chela", Method: a.call.Name,
		Params: a.call.Params, Page: "page@" + a.page.ID,
	}
	if a.before {
		line.Snapshot = "before@" + a.id
	}
	if a.call.Parent != nil {
		line.Parent = a.call.Parent.id
	}
	return line
}

// endOpen writes the calls that are under way when the trace ends. What they have done so far is
// already in the trace, and must belong to a call. How they end is not known, so they have no
// error, and their log says why. When End is called for them later, it writes nothing more.
func (r *Recorder) endOpen() {
	r.mu.Lock()
	var open []*Action
	for a := range r.open {
		open = append(open, a)
	}
	r.mu.Unlock()
	for _, a := range open {
		a.Log("the trace was stopped while this call was under way")
		a.write(nil)
	}
}
