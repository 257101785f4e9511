package api

import (
	"context"
	"errors"
	"reflect"
	"time"

	"chela/internal/engine/browser"
	"chela/internal/engine/cdp"
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
	service *Service
	tab     *browser.Tab
	page    *page.Page // of the tab when it was found: after a crash, another call may give the tab a new one
	found   op.Foreign // address that the page showed then

	// From when the turn has come:
	began   time.Time
	effects *page.Effects // what the page begins

	given snapshot.Given // what its acts have put into elements, as these have taken it
	hides string         // what becomes of hidden text in readings that do not say it, see seeing
}

// A call is what a request wants of the tab that it is about.
type call struct {
	acting
	acts         bool // its answer says what it has begun
	leaves       bool // it goes to another page; one that cannot be left is replaced
	sets         bool // it only sets something, and reads nothing of the page
	beside       bool // it only waits, and may while others touch the tab
	listsDialogs bool // its answer also lists the dialogs that were answered before it
	unread       any  // its result while a dialog hides the page; nil: the usual one
}

// A tabRequest is a request about one tab. Those that embed [On] or acting are
// one, and have their own method where they want something else.
type tabRequest interface{ call() call }

func (o On) call() call { return call{acting: acting{On: o}} }

func (a acting) call() call { return call{acting: a, acts: true} }

// A work is the function of a row, with its request.
type work = func(context.Context, *Turn) (any, error)

// reading is onTab for what can be asked again. When the browser is lost meanwhile, a new one is
// started with the same tabs, and asked again. An act is not repeated: its input may have reached
// the page before the browser was lost, and a second order may be sent.
func reading(ctx context.Context, s *Service, o *op.Op, req any, do work) (any, error) {
	result, err := onTab(ctx, s, o, req, do)
	if errors.Is(err, cdp.ErrClosed) {
		return onTab(ctx, s, o, req, do)
	}
	return result, err
}

// settingOnly is reading for what only sets something.
func settingOnly(ctx context.Context, s *Service, o *op.Op, req any, do work) (any, error) {
	return reading(ctx, s, o, setsOnly{req.(tabRequest)}, do)
}

// setsOnly is a request that only sets something.
type setsOnly struct{ tabRequest }

func (r setsOnly) call() call {
	c := r.tabRequest.call()
	c.sets = true
	return c
}

// onTab finds the tab that a request names, does its work in a turn of the tab, and answers with
// what came of it. The answer is one JSON object, with the fields of [tabAnswer] and of the work's
// own result. An error of the work may still be an answer: a dialog that opened is reported as
// blockedByDialog, and not as a failure. See end.
//
// It returns the errors of finding or opening the tab and of the work, and [page.ErrOccupied] when
// the turn did not come before the deadline.
func onTab(ctx context.Context, s *Service, o *op.Op, req any, do work) (any, error) {
	c := req.(tabRequest).call()
	t, recovered, err := s.turn(ctx, c)
	if err != nil {
		return nil, err
	}
	b := t.tab.Browser()
	own, err := t.run(ctx, c, do)
	if own == nil {
		own = reflect.Zero(o.Result).Interface() // the fields that are always there, as OpenClaw has them
	}
	if errors.Is(err, cdp.ErrClosed) {
		b.AwaitEnd(ctx) // the next call must not meet this browser
	}
	if recovered && !c.leaves && errors.Is(err, page.ErrCrashed) {
		err = errors.Join(browser.ErrCrashedAgain, err)
	}
	answer, err := t.end(own, err)
	if err != nil {
		return nil, soFar(own, err)
	}
	answer.addDialogs(t, c)
	answer.addRecovery(t.tab, recovered)
	answer.restored = s.takeRestored(ctx, c.InProfile)
	if answer.BlockedByDialog && c.unread != nil {
		own = c.unread
	}
	return op.Merge(answer, own)
}

// turn returns a turn, which has yet to come, of the tab that a call names. A
// page that crashed is opened again first; recovered reports that it was. A call that
// navigates gets an empty page instead: to load the old address first would take time,
// and might crash again.
func (s *Service) turn(ctx context.Context, c call) (t *Turn, recovered bool, err error) {
	anew := (*browser.Tab).Revive
	if c.leaves {
		anew = (*browser.Tab).Replace
	}
	renew := func(ctx context.Context, tab *browser.Tab) (err error) {
		recovered, err = anew(tab, ctx)
		return err
	}
	err = s.reach(ctx, way{On: c.On, blind: c.leaves || c.sets, renew: renew}, func(_ browser.Session, tab *browser.Tab) error {
		t = s.turnOf(tab)
		return nil
	})
	return t, recovered, err
}

// turnOf returns a turn of the page that the tab shows now.
func (s *Service) turnOf(tab *browser.Tab) *Turn {
	p := tab.Page()
	return &Turn{service: s, tab: tab, page: p, found: shown(p.URL())}
}

// gave notes what an act has put into the element of a ref, or "" if it has only clicked it.
func (t *Turn) gave(ref, what string) {
	if r, ok := page.ParseRef(ref); ok && !r.AX {
		if t.given == nil {
			t.given = snapshot.Given{}
		}
		t.given[r.String()] = what
	}
}

// run waits until it is this call's turn and does the work. The result is nil if
// the turn did not come. The page's effects are collected from before the work on, so
// that a quick one is not missed.
func (t *Turn) run(ctx context.Context, c call, do work) (own any, err error) {
	err = t.hold(ctx, c, func(ctx context.Context) (err error) {
		if err := seen(ctx, t.tab.Browser()).Admit(t.tab); err != nil {
			return err
		}
		t.began = time.Now()
		trace.Of(ctx).Before(ctx)
		t.effects = t.page.Collect(ctx)
		defer t.effects.End()
		if c.acts {
			own, err = t.act(ctx, c, do)
		} else {
			own, err = do(ctx, t)
		}
		if c.acts && !c.beside && err == nil {
			err = t.refused(ctx)
		}
		t.traceEffects(trace.Of(ctx))
		trace.Of(ctx).After(ctx)
		return err
	})
	return own, err
}

// hold runs fn while no other call touches the page, or beside those that do. A turn
// must come while there is still time for the act itself: see acting.deadline.
func (t *Turn) hold(ctx context.Context, c call, fn func(context.Context) error) error {
	if c.beside {
		return t.page.Watch(ctx, fn)
	}
	return t.page.TurnBefore(ctx, c.deadline(ctx), fn)
}

// forgetRefusal drops what the network policy has refused until now. It is for an act that has
// failed, whose error says it.
func (t *Turn) forgetRefusal() { t.effects.TakeRefusal() }

// refused returns why the network policy has not let the act lead the tab, or one that its page has
// opened, to an address. It is a [*guard.Refused], or nil. The tab shows its page, in most cases as
// it was; if the navigation could not be stopped, it goes back to the page.
func (t *Turn) refused(ctx context.Context) error {
	if refused := t.effects.TakeRefusal(); refused != nil {
		return refused
	}
	if page.IsError(string(t.found)) || !page.IsError(t.page.URL()) {
		return nil
	}
	if refused := t.page.Refused(); refused != nil {
		t.page.Back(ctx)
		return refused
	}
	return nil
}
