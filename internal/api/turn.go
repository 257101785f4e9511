package api

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"
	"time"

	"chela/internal/browser"
	"chela/internal/cdp"
	"chela/internal/op"
	"chela/internal/page"
)

// A Turn is the time in which one call, and no other, touches a tab.
type Turn struct {
	*page.Page
	service *Service
	tab     *browser.Tab
	effects *page.Effects // of the call
}

// Answer is what every operation on a tab answers beside its own.
type Answer struct {
	OK       bool       `json:"ok" doc:"always true"`
	TargetID string     `json:"targetId" doc:"target id of the tab"`
	URL      op.Foreign `json:"url,omitempty" doc:"address that the tab shows, or of the file that it was to go to"`
	Blocked
	Closed    bool         `json:"closed,omitempty" doc:"the tab closed while it was acted on"`
	Recovered bool         `json:"recovered,omitempty" doc:"the tab had crashed, or did not let go, and was opened anew"`
	Lost      []op.Foreign `json:"lost,omitempty" doc:"what the tab lost by that: refs, forms, scroll, history, sessionStorage, and cookies and armed answers that could not be kept"`
}

// Text says that the tab is not as the caller left it.
func (a Answer) Text() string {
	if !a.Recovered {
		return ""
	}
	lost := make([]string, len(a.Lost))
	for i, what := range a.Lost {
		lost[i] = string(what)
	}
	return "the tab was gone and has been opened anew; lost: " + strings.Join(lost, ", ")
}

// Blocked says that a dialog stands between the caller and the page.
type Blocked struct {
	BlockedByDialog bool          `json:"blockedByDialog,omitempty" doc:"a dialog of the page is open and must be answered first"`
	BrowserState    *BrowserState `json:"browserState,omitempty" doc:"what the browser waits for"`
}

// blockedBy says that a dialog stands in the way. It is listed though it may
// just have been answered: it is why the call has no other answer.
func blockedBy(p *page.Page, d page.Dialog) Blocked {
	dialogs := p.Dialogs()
	if len(dialogs.Pending) == 0 {
		dialogs.Pending = []page.Dialog{d}
	}
	return Blocked{true, &BrowserState{dialogs}}
}

// BrowserState is what the browser waits for.
type BrowserState struct {
	Dialogs page.Dialogs `json:"dialogs" doc:"dialogs of the page"`
}

// A deed is something done to a tab.
type deed = func(context.Context, *Turn) (any, error)

// onTab finds the tab that a request names and holds its turn while do runs.
func onTab(ctx context.Context, s *Service, o *op.Op, req any, do deed) (any, error) {
	return s.onTab(ctx, o, req, (*page.Page).Turn, do)
}

// reading is onTab for what can be asked again: when the browser is lost
// meanwhile, the next one is asked.
func reading(ctx context.Context, s *Service, o *op.Op, req any, do deed) (any, error) {
	res, err := onTab(ctx, s, o, req, do)
	if errors.Is(err, cdp.ErrClosed) {
		return onTab(ctx, s, o, req, do)
	}
	return res, err
}

func (s *Service) onTab(ctx context.Context, o *op.Op, req any, run func(*page.Page, context.Context, func(context.Context) error) error, do deed) (any, error) {
	renew := (*browser.Tab).Revive
	if _, away := req.(outbound); away {
		renew = (*browser.Tab).Replace
	}
	tab, recovered, err := s.renewed(ctx, req.(interface{ on() On }).on(), renew)
	if err != nil {
		return nil, err
	}
	// The tab may be given another page at any time: the call is about this one.
	b, p := tab.Browser(), tab.Page()
	var began time.Time // when the turn came: what happened before was another call's doing
	own := reflect.Zero(o.Result).Interface()
	err = run(p, ctx, func(ctx context.Context) (err error) {
		began = time.Now()
		effects := p.Collect(ctx)
		defer effects.End()
		own, err = do(ctx, &Turn{p, s, tab, effects})
		return err
	})
	if errors.Is(err, cdp.ErrClosed) {
		b.AwaitEnd(ctx) // the next call shall not meet it
	}
	answer, err := end(p, own, err)
	if err != nil {
		return nil, soFar(ctx, own, err)
	}
	if _, all := req.(dialogLister); all {
		answer.tellDialogs(p, time.Time{})
	} else if !began.IsZero() {
		answer.tellDialogs(p, began)
	}
	if hidden, ok := req.(unreadable); ok && answer.BlockedByDialog {
		own = hidden.unread()
	}
	answer.reportRecovery(tab, recovered)
	return op.Merge(answer, own)
}

// lost is what every tab loses that is opened anew.
var lost = []op.Foreign{"refs", "forms", "scroll", "history", "sessionStorage"}

// reportRecovery says that the tab was opened anew: by this call, or by one that failed
// and could not say so.
func (a *Answer) reportRecovery(tab *browser.Tab, byThis bool) {
	more, before := tab.TakeRecovery()
	if !byThis && !before {
		return
	}
	a.Recovered, a.Lost = true, slices.Clone(lost)
	for _, what := range more {
		a.Lost = append(a.Lost, op.Foreign(what))
	}
}

// tab finds the tab that a request names, and opens it again if it had crashed.
func (s *Service) tab(ctx context.Context, on On) (tab *browser.Tab, recovered bool, err error) {
	return s.renewed(ctx, on, (*browser.Tab).Revive)
}

// renewed finds the tab that a request names, and has it given a new page if it
// needs one. It reports whether it did.
func (s *Service) renewed(ctx context.Context, on On, renew func(*browser.Tab, context.Context) (bool, error)) (tab *browser.Tab, renewed bool, err error) {
	err = s.inBrowser(ctx, on.InProfile, func(b *browser.Browser) (err error) {
		if tab, err = b.Tab(ctx, on.TargetID); err == nil {
			renewed, err = renew(tab, ctx)
		}
		return err
	})
	return tab, renewed, err
}

// emptyTab opens a tab.
func (s *Service) emptyTab(ctx context.Context, in InProfile) (tab *browser.Tab, err error) {
	err = s.inBrowser(ctx, in, func(b *browser.Browser) (err error) {
		tab, err = b.Open(ctx)
		return err
	})
	return tab, err
}

// inBrowser runs do, which can be done again, in the profile's browser; when
// that turns out to be lost, in the next one.
func (s *Service) inBrowser(ctx context.Context, in InProfile, do func(*browser.Browser) error) error {
	for range 2 {
		b, err := s.started(ctx, in)
		if err != nil {
			return err
		}
		if err := do(b); !errors.Is(err, cdp.ErrClosed) {
			return err
		}
		b.AwaitEnd(ctx)
	}
	return cdp.ErrClosed
}

// An outbound request leads the tab elsewhere. A page that can not be left gets
// another in its place.
type outbound interface{ outbound() }

// A dialogLister is a request whose answer lists the dialogs that were answered
// before it, too: clients look there for what became of one.
type dialogLister interface{ listsDialogs() }

// An unreadable request has a result of its own for a page that a dialog hides.
type unreadable interface{ unread() any }

// A partial result knows what had been done when a call failed.
type partial interface{ soFar(*op.Error) }

// soFar adds to the error of a call what it had done before.
func soFar(ctx context.Context, own any, err error) error {
	p, ok := own.(partial)
	if err == nil || !ok {
		return err
	}
	e := op.AsError(explain(ctx, err))
	p.soFar(e)
	return errors.Join(e, err)
}

// An incomplete result can lack the file or the page that the call was for,
// when a dialog came first. afterDialog says how to get it, "" if it is there.
type incomplete interface{ afterDialog(page.Dialog) string }

// lacks is the error of a call that a dialog kept from the file or the page that
// it was for. An answer without it would look like success.
func (a Answer) lacks(own any, d page.Dialog) error {
	i, ok := own.(incomplete)
	if !ok {
		return nil
	}
	next := i.afterDialog(d)
	if next == "" {
		return nil
	}
	e := op.Errorf(op.Conflict, "Action blocked by a modal dialog (%q): %s %q", d.ID, d.Type, d.Message).Hinted("%s", next)
	e.BlockedByDialog, e.BrowserState = true, a.BrowserState
	return e
}

// A result that leads to an address has it in its answer, where else the one is
// that the tab shows.
type leading interface{ leadsTo() op.Foreign }

// end makes an answer of how a turn ended, beside its own result.
func end(p *page.Page, own any, err error) (Answer, error) {
	answer := Answer{OK: true, TargetID: p.ID, URL: op.Foreign(p.URL())}
	if l, ok := own.(leading); ok && l.leadsTo() != "" {
		answer.URL = l.leadsTo()
	}
	if dialog, ok := errors.AsType[*page.DialogOpen](err); ok {
		answer.URL = dialog.Dialog.URL
		answer.Blocked = blockedBy(p, dialog.Dialog)
		return answer, answer.lacks(own, dialog.Dialog)
	}
	if to := p.Leaving(); to != "" && errors.Is(err, page.ErrBusy) {
		return answer, op.Errorf(op.Deadline, "the tab is on its way to %s, whose server has not answered yet", to).
			Hinted("try again later, or navigate elsewhere")
	}
	return answer, err
}

// tellDialogs adds the recent dialogs when one was answered since a moment.
func (a *Answer) tellDialogs(p *page.Page, began time.Time) {
	if dialogs := p.Dialogs(); a.BrowserState == nil && dialogs.ClosedSince(began) {
		a.BrowserState = &BrowserState{dialogs}
	}
}
