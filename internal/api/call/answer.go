package call

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"chela/internal/api/words"
	"chela/internal/engine/browser"
	"chela/internal/engine/page"
	"chela/internal/op"
)

// TabAnswer is the part of the answer that all operations on a tab have, besides their own result.
type TabAnswer struct {
	OK       bool      `json:"ok" doc:"always true"`
	TargetID op.Handle `json:"targetId" doc:"target id of the tab" tool:"-"`
	TabID    op.Handle `json:"tabId" doc:"handle of the tab (t1), which never changes"`
	TabState
}

// TabState says how a call has left its tab.
type TabState struct {
	URL        op.PageText `json:"url,omitempty" doc:"address that the tab shows" tool:"if urlChanged"`
	URLChanged bool        `json:"urlChanged,omitempty" doc:"the call has changed the address" tool:"-"`
	Blocked
	TabOpened bool          `json:"tabOpened,omitempty" doc:"the session had no open tab, so an empty one was opened for this call; earlier tabs were closed, as with their browser"`
	Closed    bool          `json:"closed,omitempty" doc:"the tab has closed: the page closed itself"`
	OpenerTab op.Handle     `json:"openerTab,omitempty" doc:"with closed: the tab that had opened this one, and which calls without targetId use now"`
	Recovered bool          `json:"recovered,omitempty" doc:"the tab had crashed, or its page opened dialogs without end, so the tab was given a new page"`
	Lost      []op.PageText `json:"lost,omitempty" doc:"what was lost with the old page: refs, forms, scroll, history, sessionStorage, and cookies and armed answers that could not be kept"`
	Restored
	Emptied
	Person *personWas `json:"person,omitempty" doc:"a person took over the tab, and gave it back, since the last answer to this session"`
}

// Text names what the caller would not expect of its tab, such as that it has closed.
func (a TabState) Text() string {
	opened := ""
	if a.TabOpened {
		opened = "no tab was open, so an empty one was opened"
	}
	switch {
	case a.Closed && a.OpenerTab != "":
		return fmt.Sprintf("the tab has closed: %s, which had opened it, is the current tab now", a.OpenerTab)
	case a.Closed:
		return "the tab has closed"
	case !a.Recovered:
		return words.Lines(a.Person.text(), a.Restored.InWords(), a.Emptied.InWords(), opened)
	}
	lost := make([]string, len(a.Lost))
	for i, what := range a.Lost {
		lost[i] = string(what)
	}
	return words.Lines(a.Person.text(), a.Restored.InWords(), a.Emptied.InWords(), "the tab was gone and has been opened anew; lost: "+strings.Join(lost, ", "))
}

// Blocked says that a dialog stands between the caller and the page.
type Blocked struct {
	BlockedByDialog bool          `json:"blockedByDialog,omitempty" doc:"a dialog of the page is open and must be answered first"`
	NotDone         bool          `json:"notDone,omitempty" doc:"because of the dialog, nothing was done, or nothing could be read: the rest of the result is empty" tool:"-"`
	BrowserState    *BrowserState `json:"browserState,omitempty" doc:"the dialogs of the page"`
}

// BrowserState lists the dialogs of a page. While one is open, the browser waits for its answer.
type BrowserState struct {
	Dialogs DialogLists `json:"dialogs" doc:"dialogs of the page"`
}

// blockedBy returns the fields of the answer that say which dialog blocks the call. The dialog is
// listed even if it was answered meanwhile, since it is the reason why the call has no other
// answer.
func (t *Turn) blockedBy(d page.Dialog) Blocked {
	dialogs := t.Page.Dialogs().News(t.began)
	if len(dialogs.Pending) == 0 {
		dialogs.Pending = []page.Dialog{d}
	}
	return Blocked{BlockedByDialog: true, BrowserState: &BrowserState{DialogsOf(dialogs)}}
}

// Blocking returns the fields of the answer if a dialog of the page is open.
func (t *Turn) Blocking() Blocked {
	if open := t.Page.Dialogs().Pending; len(open) > 0 {
		return t.blockedBy(open[0])
	}
	return Blocked{}
}

// preventedBy reports whether the dialog in an answer kept the call from its work. An act that has
// begun was done: it opened the dialog. A reading or a wait then has no result. An [Incomplete] result
// that is an answer lacks nothing.
func (t *Turn) preventedBy(b Blocked, own any, w Want) bool {
	_, whole := own.(Incomplete)
	began := !t.began.IsZero()
	return b.BlockedByDialog && !whole && !(began && w.Acts && !w.Beside)
}

// End makes the answer of a call whose turn has ended, from its result (own) and its error. The
// result may be an Incomplete, which says whether it lacks something because of a dialog.
//
// A dialog is not an error by itself. While an alert, confirm or prompt is open, Chromium runs no
// script of the page and answers nothing about it. So the call ends, and its answer names the
// dialog that must be answered first. If the call was an act, such as a click, it was done: it has
// opened the dialog. If the call was to return something, such as a file, or to set something, and
// the dialog came first, the call fails: see lacks.
//
// A page also gives no answer while its tab navigates to another page; mostly the server has not
// sent the next document yet. This case has an error of its own, because the caller should act
// differently than for a page that hangs.
func (t *Turn) End(ctx context.Context, own any, err error) (TabAnswer, error) {
	answer := TabAnswer{OK: true, TargetID: op.Handle(t.Page.ID), TabID: op.Handle(t.Tab.Info().ID), TabState: TabState{URL: words.Shown(t.Page.URL())}}
	if dialog, ok := errors.AsType[*page.DialogOpen](err); ok {
		answer.Blocked = t.blockedBy(dialog.Dialog)
		err = answer.lacks(own, dialog.Dialog, errors.Is(err, page.ErrSent))
	}
	answer.URLChanged = answer.URL != t.Found
	if answer.Closed = t.hasClosed(); answer.Closed && err == nil {
		answer.OpenerTab = op.Handle(Session(ctx, t.Tab.Browser()).ReturnToOpener(ctx, t.Tab))
	}
	return answer, t.whyBusy(ctx, err)
}

// hasClosed reports whether the tab has closed.
func (t *Turn) hasClosed() bool { return errors.Is(t.Page.Err(), page.ErrClosed) }

// whyBusy adds to the error of a call whose page did not answer why that is so, if it is known. The tab
// may be on its way to another page, or another tab may show a dialog. Other errors stay as they are.
func (t *Turn) whyBusy(ctx context.Context, err error) error {
	if !errors.Is(err, page.ErrBusy) {
		return err
	}
	to, way := t.Page.Leaving(), t.Page.Way()
	other, d := t.Tab.DialogElsewhere()
	var why *op.Error
	switch {
	case to != "" && way != page.Unloading:
		why = onItsWay(to, way)
	case other != nil:
		why = blockedFrom(ctx, other.ID, d)
	case to != "":
		why = onItsWay(to, way)
	default:
		return err
	}
	why.Sent = errors.Is(err, page.ErrSent)
	return why
}

// BlockedElsewhere returns an error if the tab shows no dialog, and does not answer because another tab
// shows one. Otherwise it returns nil. It needs no turn.
func (t *Turn) BlockedElsewhere(ctx context.Context) error {
	other, d := t.Tab.DialogElsewhere()
	if other == nil || t.Blocking().BlockedByDialog || !t.Page.IsBusy() {
		return nil
	}
	return blockedFrom(ctx, other.ID, d)
}

// blockedFrom returns the error of a call on a tab that does not answer because another tab shows a
// dialog. A guest of a shared tab does not learn what other tabs show.
func blockedFrom(ctx context.Context, other string, d page.Dialog) *op.Error {
	if op.GuestOf(ctx) != (op.Guest{}) {
		return op.Errorf(op.PageBusy, "the page does not answer while another tab shows a dialog").
			Hinted("try again when the owner of the tab has answered the dialog")
	}
	return op.Errorf(op.PageBusy, "the page does not answer while tab %s shows the dialog %s", other, dialogList([]page.Dialog{d})[0].Title()).
		Hinted("answer the dialog with targetId %s, then call again", other)
}

// onItsWay returns the error of a call on a tab whose navigation to another page has begun. With
// [page.Unloading], the call must have found that the old page does not answer.
func onItsWay(to string, way page.Way) *op.Error {
	const begin = "the tab is on its way to %s, "
	switch shown := words.Shown(to); way {
	case page.Unloading:
		return op.Errorf(op.PageBusy, begin+"but the page that it leaves is busy with a script", shown).
			Hinted("navigate to the address that you want, which ends most scripts; if the tab does not go there, close it and open another")
	case page.Answered:
		return op.Errorf(op.Deadline, begin+"whose server has answered, but the page is not shown yet", shown).Hinted(laterOrElsewhere)
	default:
		return op.Errorf(op.Deadline, begin+"whose server has not answered yet", shown).Hinted(laterOrElsewhere)
	}
}

const laterOrElsewhere = "try again later, or navigate elsewhere"

// addDialogs adds the dialogs that were closed in this turn, if there are any. For a call that lists
// dialogs, they are those that were closed since the document was loaded. A dialog may be closed by an
// answer that was given before, by its timeout or by a person. The caller would not learn of it
// otherwise.
func (a *TabAnswer) addDialogs(t *Turn, w Want) {
	dialogs, since := t.Page.Dialogs(), t.began
	news := !since.IsZero() && dialogs.ClosedSince(since) // since is zero if the call never got its turn
	if w.ListsDialogs {
		news, since = dialogs.ClosedHere(), time.Time{}
	}
	if a.BrowserState == nil && news {
		a.BrowserState = &BrowserState{DialogsOf(dialogs.News(since))}
	}
}

// addNews adds what has become of the tab since the last answer. It was opened, opened again (see
// addRecovery) or restored, its isolated session was emptied, or a person had it.
func (a *TabAnswer) addNews(ctx context.Context, t *Turn, w Want, recovered bool) {
	a.addRecovery(t.Tab, recovered)
	a.TabOpened = t.Tab.TakeUnasked() && !w.Leaves
	a.Restored = t.Service.TakeRestored(ctx, w.InProfile)
	a.Emptied = TakeEmptied(ctx, t.Tab)
	a.Person = heardOf(ctx, t.Tab)
}

// lost lists what every tab loses when it is opened again.
var lost = []op.PageText{"refs", "forms", "scroll", "history", "sessionStorage"}

// addRecovery adds that the tab was opened again. This call has done so (byThis), or an earlier call
// that failed and could not say so. The caller has to know that its refs and forms are gone. Only
// one answer says it, because a second one would mean that the tab was opened a second time.
func (a *TabAnswer) addRecovery(tab *browser.Tab, byThis bool) {
	more, before := tab.TakeRecovery()
	if !byThis && !before {
		return
	}
	a.Recovered, a.Lost = true, slices.Clone(lost)
	for _, what := range more {
		a.Lost = append(a.Lost, op.PageText(what))
	}
}

// An Incomplete result can lack the file, the page or the values that the call was for, because a
// dialog came first. AfterDialog returns how to get it nevertheless; "" means that nothing is missing.
type Incomplete interface{ AfterDialog(page.Dialog) string }

// lacks returns the error of a call that did not get what it was for because of a dialog, or nil. An
// answer without it would look like success. The error is a conflict, with the text of OpenClaw, and
// has the dialog in its fields as an answer would. It also says whether the call's input was sent.
func (a TabAnswer) lacks(own any, d page.Dialog, sent bool) error {
	i, ok := own.(Incomplete)
	if !ok {
		return nil
	}
	next := i.AfterDialog(d)
	if next == "" {
		return nil
	}
	e := op.Errorf(op.Conflict, "Action blocked by a modal dialog (%q): %s %q", d.ID, d.Type, d.Message).Hinted("%s", next)
	e.BlockedByDialog, e.BrowserState, e.Sent = true, a.BrowserState, sent
	return e
}

// A Partial result knows what had been done when a call failed.
type Partial interface{ SoFar(*op.Error) }

// SoFar adds to the error of a call what the call had done before. The error is explained first
// (see Explain), since the addition becomes a part of its message. The original stays in the chain,
// for callers that look for its cause.
func SoFar(own any, err error) error {
	p, ok := own.(Partial)
	if err == nil || !ok {
		return err
	}
	e := op.AsError(Explain(err))
	p.SoFar(e)
	return errors.Join(e, err)
}

// AfterInput adds to the error of a call that its input has reached the page. It is for a call that
// clicks and then waits for what the click begins: a caller that repeats it clicks again.
func AfterInput(err error) error {
	if err == nil {
		return nil
	}
	e := *op.AsError(Explain(err))
	e.Sent = true
	return errors.Join(&e, err)
}

// Unconfirmed returns the error of a change that was sent to the browser. At the deadline the change
// may have been made, and the error says so. Other errors stay as they are.
func Unconfirmed(err error) error {
	if errors.Is(err, op.ErrDeadline) || errors.Is(err, context.DeadlineExceeded) {
		return AfterInput(err)
	}
	return err
}

// Done is the answer of an act whose result has no fields of its own.
type Done struct{}
