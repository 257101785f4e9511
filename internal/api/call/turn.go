package call

import (
	"cmp"
	"context"
	"errors"
	"reflect"
	"slices"
	"time"

	"chela/internal/api/words"
	"chela/internal/base/stage"
	"chela/internal/engine/browser"
	"chela/internal/engine/cdp"
	"chela/internal/engine/frame"
	"chela/internal/engine/page"
	"chela/internal/op"
	"chela/internal/reading/snapshot"
	"chela/internal/record/trace"
)

// A Turn is what one call does to a tab. No other call touches the tab meanwhile; those that only
// wait run beside it.
//
// Several agents, and several calls of one agent, can be at work on a tab. If one's click came
// between the keys of another, both would do something that nobody asked for. The effects of a
// click could not be attributed to it. So calls on a tab take turns, in the order in which they
// came.
type Turn struct {
	Service *Service
	Tab     *browser.Tab
	Page    *page.Page  // page of the tab when it was found: after a crash, another call may give the tab a new page
	Found   op.PageText // address that the page showed then

	// These fields are set when the call has got its turn.
	began  time.Time
	visits int // [page.Page.Visits] at that time

	// These are what the page began before the act, and what no answer has reported yet. The tabs in kin are
	// those that the act may lead elsewhere.
	earlierTabs      []*browser.Tab
	earlierDownloads []*browser.Download
	kin              []kin

	effects *page.Effects // records what the page does during the turn

	refMode string         // what refs mean, see On; "": as configured
	given   snapshot.Given // text that the acts of this turn have put into elements, by ref
	hides   string         // how readings show hidden text if their requests do not say so, see Seeing
}

// A Want is what a request needs of its tab.
type Want struct {
	Acting
	Acts         bool // the answer lists what the act has begun, such as a navigation
	Leaves       bool // the call goes to another page; if the page of the tab cannot be left, the tab gets another page first
	Sets         bool // the call only changes settings or stored data, and does not read the page
	Beside       bool // the call only waits, so it may run beside other calls on the tab
	ListsDialogs bool // the answer also lists dialogs that were answered before the call
	Unread       any  // result of the call if a dialog blocks the page; nil: no special result
}

// A TabRequest is a request about one tab. [On] and [Acting] implement it. Requests that embed them
// and need something else override the method.
type TabRequest interface{ Want() Want }

// Want returns what most requests need of a tab: a turn. The answer does not report what the turn
// has begun.
func (o On) Want() Want { return Want{Acting: Acting{On: o}} }

// Want returns what acts need of a tab: a turn. The answer reports what the act has begun.
func (a Acting) Want() Want { return Want{Acting: a, Acts: true} }

// A Work runs an operation in a turn of a tab. The request is already bound to it.
type Work = func(context.Context, *Turn) (any, error)

// Reading does what OnTab does, for operations that may be repeated. If the browser is lost
// meanwhile, a new one is started with the same tabs, and the operation is repeated in it. If only
// the reply was lost, or the tab was detached, the same browser is asked again. An act is not
// repeated: its input may have reached the page before the browser was lost, and a second order may
// be sent.
func Reading(ctx context.Context, s *Service, o *op.Op, req any, do Work) (any, error) {
	result, err := OnTab(ctx, s, o, req, do)
	if errors.Is(err, cdp.ErrClosed) || errors.Is(err, cdp.ErrUnconfirmed) || errors.Is(err, page.ErrUnattached) {
		return OnTab(ctx, s, o, req, do)
	}
	return result, err
}

// SettingOnly does what Reading does, for operations that only change settings.
func SettingOnly(ctx context.Context, s *Service, o *op.Op, req any, do Work) (any, error) {
	return Reading(ctx, s, o, setsOnly{req.(TabRequest)}, do)
}

// setsOnly is a request whose Want says that it only changes settings.
type setsOnly struct{ TabRequest }

// Want returns what the request needs of the tab. Sets means that it reads nothing of the page.
func (r setsOnly) Want() Want {
	w := r.TabRequest.Want()
	w.Sets = true
	return w
}

// unset is the result of a call that was only to change settings or stored data.
type unset struct{}

// AfterDialog says how to make the change: nothing was set while the dialog was open.
func (unset) AfterDialog(page.Dialog) string { return "answer the dialog, then call again" }

// orUnset returns the result by which [Turn.End] decides what a dialog has prevented. An act that
// sets something may have opened the dialog itself, and keeps its own result.
func (w Want) orUnset(own any) any {
	if w.Sets && !w.Acts {
		return unset{}
	}
	return own
}

// OnTab finds the tab that a request names, does its work in a turn of the tab, and answers with
// the result. The answer is one JSON object, with the fields of [TabAnswer] and of the work's
// own result. An error of the work may still be an answer: a dialog that opened is reported as
// blockedByDialog, and not as a failure. See [Turn.End].
//
// It returns the errors of finding or opening the tab and of the work, and [page.ErrOccupied] when
// the turn did not come before the deadline.
func OnTab(ctx context.Context, s *Service, o *op.Op, req any, do Work) (any, error) {
	w := req.(TabRequest).Want()
	t, recovered, own, err := s.inTurn(ctx, w, do)
	if t == nil {
		return nil, err
	}
	if own == nil {
		own = reflect.Zero(o.Result).Interface() // the zero value: in OpenClaw each answer has all fields of its result
	}
	if errors.Is(err, cdp.ErrClosed) {
		t.Tab.Browser().AwaitEnd(ctx) // this browser is ending: the next call must not find it
	}
	if recovered && !w.Leaves && errors.Is(err, page.ErrCrashed) {
		err = errors.Join(browser.ErrCrashedAgain, err)
	}
	answer, err := t.End(ctx, w.orUnset(own), err)
	if err != nil {
		return nil, SoFar(own, err)
	}
	answer.NotDone = t.preventedBy(answer.Blocked, own, w)
	if answer.BlockedByDialog && w.Unread != nil {
		own = w.Unread
	}
	if w.Acts && !answer.BlockedByDialog {
		answer.Blocked = t.Blocking() // a dialog has opened while the page settled; the result is whole
	}
	answer.addDialogs(t, w)
	answer.addNews(ctx, t, w, recovered)
	return op.Merge(answer, own)
}

// inTurn does the work in a turn of the tab. The turn is nil if there was none. A navigation that
// follows a crash gets another new page if the first one crashes before it has shown anything:
// Chromium may put a page into the process of the old one, just before that process ends.
func (s *Service) inTurn(ctx context.Context, w Want, do Work) (t *Turn, recovered bool, own any, err error) {
	for range browser.MaxReopen {
		if t, recovered, err = s.Turn(ctx, w); err != nil {
			return nil, recovered, nil, err
		}
		if w.Acts || w.Leaves {
			noteOf(ctx).acts()
		}
		own, err = t.run(ctx, w, do)
		if again := w.Leaves && recovered && errors.Is(err, page.ErrCrashed) && t.Page.URL() == page.Blank; !again {
			break
		}
	}
	return t, recovered, own, err
}

// Turn prepares a turn of the tab that a call names; the turn has not begun yet. If the page has
// crashed, Turn opens it again first, and reports that as recovered. If the call navigates, the tab
// gets an empty page instead, since loading the old address would take time and might crash again.
func (s *Service) Turn(ctx context.Context, w Want) (t *Turn, recovered bool, err error) {
	anew := (*browser.Tab).Revive
	if w.Leaves {
		anew = (*browser.Tab).Replace
	}
	renew := func(ctx context.Context, tab *browser.Tab) (err error) {
		recovered, err = anew(tab, ctx)
		return err
	}
	ctx, end := stage.Begin(ctx, stage.Reach)
	defer func() { end(err) }()
	err = s.Reach(ctx, Way{On: w.On, Blind: w.Leaves || w.Sets, Renew: renew, latest: w.deadline(ctx)}, func(_ browser.Session, tab *browser.Tab) error {
		t = s.TurnOf(tab)
		t.refMode = w.RefMode
		return nil
	})
	return t, recovered, err
}

// TurnOf returns a turn of the page that the tab shows now.
func (s *Service) TurnOf(tab *browser.Tab) *Turn {
	p := tab.Page()
	return &Turn{Service: s, Tab: tab, Page: p, Found: words.Shown(p.URL())}
}

// HadEffectBesides reports whether the turn so far had any effect of another kind than the given one.
func (t *Turn) HadEffectBesides(kind string) bool {
	return slices.ContainsFunc(t.effects.Begun(), func(begun string) bool { return begun != kind })
}

// Gave notes the text that an act has put into the element of a ref; "" if the act has only clicked
// the element.
func (t *Turn) Gave(ref, what string) {
	if r, ok := page.ParseRef(ref); ok && !r.AX {
		if t.given == nil {
			t.given = snapshot.Given{}
		}
		t.given[r.String()] = what
	}
}

// run waits until it is this call's turn and does the work. The result is nil if the turn did not
// begin in time. Effects of the page are collected before the work begins, so that a quick one is
// not missed.
func (t *Turn) run(ctx context.Context, w Want, do Work) (own any, err error) {
	err = t.Hold(ctx, w, func(ctx context.Context) (err error) {
		t.began = time.Now()
		trace.Of(ctx).Before(ctx)
		t.visits = t.Page.Visits()
		t.effects = t.Page.Collect(ctx)
		defer t.effects.End()
		if w.Acts {
			own, err = t.act(ctx, w, do)
		} else {
			own, err = do(ctx, t)
		}
		if w.Acts && !w.Beside && err == nil {
			err = t.Refused(ctx)
		}
		t.traceEffects(trace.Of(ctx))
		trace.Of(ctx).After(ctx)
		return err
	})
	return own, err
}

// withRefMode returns a context in which refs mean what the call or the configuration wants.
func (t *Turn) withRefMode(ctx context.Context) context.Context {
	if cmp.Or(t.refMode, t.Service.Config.Current().Browser.Refs) == "element" {
		return frame.ElementRefs(ctx)
	}
	return ctx
}

// Hold runs fn while no other call touches the page. A call that only waits runs beside other
// calls. The turn must begin early enough for the act itself to be done: see Acting.deadline. While
// a person has taken over the tab, a call that touches it waits. After the wait, Hold returns the
// error of [browser.Session.Admit] if the session may not use the tab any more.
func (t *Turn) Hold(ctx context.Context, w Want, fn func(context.Context) error) error {
	ctx = t.withRefMode(ctx)
	begun := false
	admitted := func(ctx context.Context) error {
		begun = true
		if err := Session(ctx, t.Tab.Browser()).Admit(t.Tab); err != nil {
			return err
		}
		return fn(ctx)
	}
	if w.Beside {
		return t.Page.Watch(ctx, admitted)
	}
	for {
		err := t.Page.TurnBefore(ctx, w.deadline(ctx), admitted)
		if _, taken := errors.AsType[*page.TakenError](err); !taken || begun {
			return err
		}
		// A person took over the tab while the call waited for its turn.
		if err := t.Page.AwaitGiveBack(ctx, w.deadline(ctx)); err != nil {
			return err
		}
	}
}

// ForgetRefusal drops the refusals by the network policy until now. It is for an act that has
// failed, whose error already reports them.
func (t *Turn) ForgetRefusal() { t.effects.TakeRefusal() }

// Refused returns why the network policy refused an address to which the act led the tab, or a tab
// that its page opened. It is a [*guard.Refused], or nil. In most cases the tab still shows its
// page. If the navigation could not be stopped, Refused goes back to that page.
func (t *Turn) Refused(ctx context.Context) error {
	if refused := t.effects.TakeRefusal(); refused != nil {
		return refused
	}
	if page.IsError(string(t.Found)) || !page.IsError(t.Page.URL()) {
		return nil
	}
	if refused := t.Page.Refused(); refused != nil {
		t.Page.Back(ctx)
		return refused
	}
	return nil
}
