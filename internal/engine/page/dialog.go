package page

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	protocol "github.com/chromedp/cdproto/cdp"
	proto "github.com/chromedp/cdproto/page"

	"chela/internal/engine/cdp"
	"chela/internal/engine/frame"
	"chela/internal/wall/excerpt"
)

// A Dialog is an alert, confirm, prompt or beforeunload question of the page.
type Dialog struct {
	ID           string // d1, d2 …: the dialogs of a tab in the order in which they opened
	Type         string // alert, confirm, prompt or beforeunload
	Message      string // the text that the page shows in the dialog
	DefaultValue string // default value of a prompt
	URL          string // URL of the frame that opened the dialog
	OpenedAt     time.Time
	ClosedAt     *time.Time // nil while the dialog is open
	ClosedBy     string     // who closed the dialog: one of the constants below; "" until it is answered
	Accepted     bool       // the answer was to accept; false if there was none of chela

	suggested string      // the whole default value
	overdue   *time.Timer // answers the dialog if nobody else does; nil if it was answered at once
}

// The values of [Dialog.ClosedBy].
const (
	byAgent   = "agent"   // AnswerDialog
	ByArmed   = "armed"   // an answer that was armed before
	byTimeout = "timeout" // nobody answered the dialog in time
	byRemote  = "remote"  // closed by the page, by a navigation, or by a person at the window
)

// IsAnswered reports whether chela has answered the dialog.
func (d Dialog) IsAnswered() bool { return d.ClosedBy != "" && d.ClosedBy != byRemote }

// Dialogs describes the dialogs of a tab: the open ones, and those that were closed last.
type Dialogs struct {
	Pending   []Dialog // open dialogs; not nil
	Recent    []Dialog // dialogs closed recently, newest last; not nil
	Dismissed int      // how many further dialogs were dismissed at once, because there were too many

	lastClosed time.Time
	document   time.Time // when the tab's document was loaded
}

// ClosedSince reports whether a dialog was closed after a time.
func (d Dialogs) ClosedSince(t time.Time) bool { return d.lastClosed.After(t) }

// ClosedHere reports whether a dialog was closed in the document that the tab shows.
func (d Dialogs) ClosedHere() bool { return d.ClosedSince(d.document) }

// News returns the dialogs that a call has to report. It leaves out dialogs that were closed before a
// time (since), which is when the call began. If since is zero, it leaves out those that were closed
// before the tab's document was loaded. Dialogs of earlier pages could fill all answers about later pages.
func (d Dialogs) News(since time.Time) Dialogs {
	if since.IsZero() {
		since = d.document
	}
	d.Recent = slices.DeleteFunc(slices.Clone(d.Recent), func(each Dialog) bool { return !each.ClosedAt.After(since) })
	return d
}

// A DialogOpen is the error of a turn that ended because a dialog opened. No script of the tab runs
// until the dialog is answered, so the page answers nothing.
type DialogOpen struct{ Dialog Dialog }

func (d *DialogOpen) Error() string {
	return fmt.Sprintf("the page waits for an answer to its %s dialog %s", d.Dialog.Type, d.Dialog.ID)
}

// Storming reports whether the page opens one dialog after another. Such a page can be closed, but
// not left: Chromium accepts no answer to a dialog while the tab navigates.
func (p *Page) Storming() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return time.Since(p.dialogs.stormed) < time.Second
}

// DismissDialogs has each dialog dismissed as soon as it opens, because nobody will answer it.
func (p *Page) DismissDialogs() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.dialogs.unattended = true
}

// dialogOpening handles Page.javascriptDialogOpening. If no caller can answer, or if dialogs come
// one after the other without end, the dialog is answered at once. If a caller has given an answer
// for the next dialog (an armed answer), the dialog gets that. Any other dialog ends the turns
// under way. It is dismissed if nobody answers in time, unless the user also sees it. Dismissing a
// beforeunload question would cancel the navigation that has opened it, so chela itself accepts
// those.
func (p *Page) dialogOpening(_ *cdp.Session, ev proto.EventJavascriptDialogOpening) {
	now := time.Now()
	p.recordLocked(DialogOpened, now)
	p.dialogs.shown++
	leave := ev.Type == proto.DialogTypeBeforeunload
	if p.dialogs.unattended {
		p.handleDialog(leave, "")
		return
	}
	if p.dialogs.storms(now) {
		p.dialogs.dismissed++
		p.dialogs.lastClosed, p.dialogs.stormed = now, now
		p.handleDialog(leave, "")
		return
	}
	p.dialogs.count++
	d := &Dialog{
		ID: fmt.Sprintf("d%d", p.dialogs.count), Type: string(ev.Type), Message: excerpt.Of(ev.Message, maxSaid),
		DefaultValue: excerpt.Of(ev.DefaultPrompt, maxSaid), suggested: ev.DefaultPrompt, URL: excerpt.Of(ev.URL, maxSaid), OpenedAt: now,
	}
	p.dialogs.pending = append(p.dialogs.pending, d)
	if answer := p.dialogs.takeArmed(now); answer != nil {
		go p.awaitClosed(context.Background(), d, p.answerLocked(d, ByArmed, answer.accept, answer.text)) // ends with the reply or the session
		return
	}
	if !p.settings.Shared {
		d.overdue = time.AfterFunc(p.dialogs.timeout, func() { p.dismissOverdue(d, leave) })
	}
	p.releaseKeysLocked()
	p.interruptLocked(&DialogOpen{*d})
}

// dismissOverdue answers a dialog that nobody has answered in time. If leave is true, it accepts
// the dialog; otherwise it dismisses it.
func (p *Page) dismissOverdue(d *Dialog, leave bool) {
	p.mu.Lock()
	if d.ClosedBy != "" || d.ClosedAt != nil {
		p.mu.Unlock()
		return
	}
	reply := p.answerLocked(d, byTimeout, leave, nil)
	p.mu.Unlock()
	p.awaitClosed(context.Background(), d, reply)
}

// dialogClosed handles Page.javascriptDialogClosed. The dialog that has closed is the one that opened
// first. If another one is open, Chromium has closed the first to show that one, and takes no answer
// to it any more: see ErrStuck.
func (p *Page) dialogClosed(_ *cdp.Session, _ proto.EventJavascriptDialogClosed) {
	now := time.Now()
	p.closeFirstLocked(now)
	if p.dialogs.shown = max(0, p.dialogs.shown-1); p.dialogs.shown == 0 {
		return
	}
	for len(p.dialogs.pending) > 0 {
		p.closeFirstLocked(now)
	}
	p.endLocked(ErrStuck)
}

// closeFirstLocked records that the first pending dialog, if any, has closed.
func (p *Page) closeFirstLocked(now time.Time) {
	if len(p.dialogs.pending) == 0 {
		return
	}
	d := p.dialogs.pending[0]
	p.dialogs.pending = p.dialogs.pending[1:]
	if d.ClosedAt = &now; d.ClosedBy == "" {
		d.ClosedBy = byRemote
	}
	if d.overdue != nil {
		d.overdue.Stop()
	}
	p.dialogs.lastClosed = now
	d.suggested = "" // only a pending dialog needs it, and a page decides how long it is
	p.dialogs.recent = append(p.dialogs.recent, *d)
	p.dialogs.recent = p.dialogs.recent[max(0, len(p.dialogs.recent)-recentDialogs):]
}

// answerLocked sends the answer to a dialog, and does not wait. If text is nil, a prompt gets the
// default value of the page, as from a person who presses OK.
func (p *Page) answerLocked(d *Dialog, by string, accept bool, text *string) *cdp.Reply[protocol.Empty] {
	d.ClosedBy, d.Accepted = by, accept
	if text == nil {
		text = new(d.suggested)
	}
	return p.handleDialog(accept, *text)
}

// handleDialog sends the answer to the dialog that is shown, and does not wait.
func (p *Page) handleDialog(accept bool, text string) *cdp.Reply[protocol.Empty] {
	return cdp.Send(p.session, proto.HandleJavaScriptDialog, proto.HandleJavaScriptDialogParams{Accept: accept, PromptText: text})
}

// Dialogs returns the state of the tab's dialogs.
func (p *Page) Dialogs() Dialogs {
	p.mu.Lock()
	defer p.mu.Unlock()
	state := Dialogs{
		Pending: []Dialog{}, Recent: append([]Dialog{}, p.dialogs.recent...),
		Dismissed: p.dialogs.dismissed, lastClosed: p.dialogs.lastClosed, document: p.dialogs.document,
	}
	for _, d := range p.dialogs.pending {
		state.Pending = append(state.Pending, *d)
	}
	return state
}

// FollowDialogs calls the function report with the state of the tab's dialogs, at once and whenever
// one has opened or closed. It ends with ctx or the page.
func (p *Page) FollowDialogs(ctx context.Context, report func(Dialogs)) {
	opened, pending := -1, 0
	for {
		news := false
		err := p.awaitOr(ctx, p.ended, func() bool {
			news = opened != p.dialogs.count || pending != len(p.dialogs.pending)
			opened, pending = p.dialogs.count, len(p.dialogs.pending)
			return news
		})
		if err != nil || !news {
			return
		}
		report(p.Dialogs())
	}
}

// AnswerDialog answers the dialog with this id and waits until it is closed. Without an id it
// answers the only open one. If none is open, it keeps the answer for the next dialog that opens
// within armFor, and the result armed is not nil. If text is nil, a prompt gets the page's default value.
// The page may open its next dialog when this one closes: AnswerDialog waits until it has, or until
// the script has ended, for busyAfter at most. Then it waits as an act does until the navigations and
// downloads that the script began have an outcome, for openTime at most.
//
// The error is a [NoDialogError], ErrSeveralDialogs, ErrStuck, or what ended ctx or the page.
func (p *Page) AnswerDialog(ctx context.Context, id string, accept bool, text *string, armFor time.Duration) (armed *Arming, err error) {
	mark, files := p.navigationMark(), p.downloadsMark()
	p.mu.Lock()
	d, err := p.dialogs.choose(id)
	if err == nil && d == nil {
		armed = p.dialogs.arm(&dialogAnswer{accept, text, time.Now().Add(armFor)})
		p.notifyLocked()
	}
	if err != nil || d == nil {
		p.mu.Unlock()
		return armed, err
	}
	reply := p.answerLocked(d, byAgent, accept, text)
	p.mu.Unlock()
	err = p.awaitClosed(ctx, d, reply)
	switch {
	case err != nil:
	case accept && d.Type == string(proto.DialogTypeBeforeunload):
		p.awaitNavigation(ctx)
	default:
		soon, cancel := context.WithTimeout(ctx, busyAfter)
		defer cancel()
		p.awaitOr(soon, p.Ping(), func() bool { return len(p.dialogs.waiting()) > 0 })
		p.settleAnswered(ctx, mark, files)
	}
	return nil, err
}

// settleAnswered does at the end of AnswerDialog what Act does at its end. It ends early if the page
// opens another dialog.
func (p *Page) settleAnswered(ctx context.Context, since int, files downloads) {
	limited, cancel := context.WithTimeout(ctx, openTime)
	defer cancel()
	p.Watch(limited, func(ctx context.Context) error {
		p.collectChanges(ctx, since)
		return p.settle(ctx, since, files)
	})
}

// ErrStuck says that Chromium takes no answer to a dialog of the page. The tab can only leave the
// page or be closed, see EndDialogs. There are two cases:
//   - The page opened the dialog just after it had begun a navigation. When the next document comes
//     from the same site, it needs the process that waits for the answer. But by then Chromium passes
//     the commands of the tab on to that document.
//   - Frames in two processes opened dialogs at the same time. Chromium shows the second, closes the
//     first, and takes that for the end of both. The process of the second waits for ever.
var ErrStuck = errors.New("the browser takes no answer to a dialog that opened as the tab was leaving its page, or together with another one")

// EndDialogs is called before the tab is closed. If a dialog is open, it navigates the tab to an
// empty page, without waiting for it. That closes all dialogs of the tab. If the tab were closed with
// dialogs of several frames, Chromium would crash or hang.
func (p *Page) EndDialogs() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.dialogs.shown > 0 {
		cdp.Send(p.session, proto.Navigate, proto.NavigateParams{URL: Blank})
	}
}

// awaitClosed waits until a dialog is closed; reply is that to its answer. If Chromium has refused
// the answer, the page or a navigation has already closed the dialog, which is reported soon. If it
// is not, the page ends with ErrStuck. Other errors are what ended ctx or the page.
func (p *Page) awaitClosed(ctx context.Context, d *Dialog, reply *cdp.Reply[protocol.Empty]) error {
	_, err := reply.Wait(ctx)
	_, refused := errors.AsType[*cdp.Error](err)
	if err != nil && !refused {
		if ctx.Err() != nil {
			go p.awaitClosed(context.Background(), d, reply) // the answer may still be refused; ends with the reply or the session
		}
		return fmt.Errorf("answer dialog %s: %w", d.ID, frame.Failure(ctx, err))
	}
	limited := ctx
	if refused {
		p.mu.Lock()
		d.ClosedBy = ""
		p.mu.Unlock()
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeoutCause(ctx, openTime, ErrStuck)
		defer cancel()
	}
	// A page that has ended, perhaps because of the answer, does not report that its dialog closed.
	err = p.await(limited, func() bool {
		return p.end != nil || len(p.dialogs.pending) == 0 || p.dialogs.pending[0] != d
	})
	if errors.Is(err, ErrStuck) {
		p.mu.Lock()
		p.endLocked(ErrStuck)
		p.notifyLocked()
		p.mu.Unlock()
	}
	return err
}

// ArmDialog keeps an answer for the next dialog, for a call that carries such an answer. At the end
// of the call, the function takeBack must be called. It removes the answer if no dialog has used
// it.
func (p *Page) ArmDialog(accept bool, text *string) (takeBack func()) {
	answer := &dialogAnswer{accept: accept, text: text}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.dialogs.inline = append(p.dialogs.inline, answer)
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.dialogs.inline = slices.DeleteFunc(p.dialogs.inline, func(other *dialogAnswer) bool { return other == answer })
	}
}
