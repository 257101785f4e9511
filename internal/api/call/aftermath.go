package call

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"chela/internal/api/words"
	"chela/internal/base/stage"
	"chela/internal/engine/browser"
	"chela/internal/engine/page"
	"chela/internal/op"
)

// Acting is embedded by requests of acts. It says on which tab the act is done, how long it may
// take, and what the answer reports of its effects.
type Acting struct {
	On
	op.Timeout
	Following
	Dialog *DialogAnswer `json:"dialog,omitempty" flag:"dialog" entered:"text" doc:"answer to a dialog that the act opens: {accept, promptText}" tool:"{accept, promptText}"`
}

// A DialogAnswer is the answer to a dialog, given before it opens.
type DialogAnswer struct {
	Accept     bool    `json:"accept" doc:"true: accept the dialog; false: dismiss it"`
	PromptText *string `json:"promptText,omitempty" doc:"answer to a prompt; when left out, the default value of the page"`
}

// deadline returns the time by which the act itself must be done. WaitTime has extended the
// deadline of the call by the time that the page may take to settle. That time does not belong to
// the act. So a click on an element that never shows fails after the same time with and without a
// snapshot after it.
func (a Acting) deadline(ctx context.Context) time.Time {
	end, limited := ctx.Deadline()
	if !limited {
		return time.Now().Add(time.Hour) // only calls of tests have no deadline
	}
	return end.Add(-a.Settle())
}

// ActAnswer is what the answers of all acts have in common.
type ActAnswer struct {
	TabAnswer
	aftermath
}

// Text returns what happened besides the result of the act itself, such as a navigation or a new
// tab.
func (a ActAnswer) Text() string {
	went := ""
	if slices.Contains(a.Effects, page.Navigated) {
		went = "navigated to " + string(a.URL)
	}
	if a.StatusText != "" {
		went += ": " + a.StatusText
	}
	if a.LoadFailed != "" {
		went = string(a.LoadFailed)
	}
	return words.Lines(a.Earlier.text(), a.TabAnswer.Text(), a.answeredAhead(), went, words.Prefixed("try: ", a.Hint), a.aftermath.Text())
}

// answeredAhead names the dialogs that answers given in advance have closed during the act. The act may
// have done more by that than its caller knows. If the act had its turn, the answer lists no other
// closed dialogs than those of the act.
func (a ActAnswer) answeredAhead() string {
	if a.BrowserState == nil || a.NotDone {
		return ""
	}
	var all []string
	for _, d := range a.BrowserState.Dialogs.Recent {
		if d.ClosedBy == page.ByArmed {
			all = append(all, "the page asked, and got the answer given in advance: "+d.Title()+words.Prefixed(": ", d.Answer()))
		}
	}
	return words.Lines(all...)
}

// Note tells a model when the delta after the act is empty.
func (a ActAnswer) Note() string {
	if a.Delta == nil || *a.Delta != "" {
		return ""
	}
	return "nothing else has changed yet; settleMs waits for what comes later"
}

// aftermath is what an act has begun.
type aftermath struct {
	Effects    []string        `json:"effects" doc:"what the act caused until the answer, in order: changed, navigated, dialog, download, newTab, fileChooser (dismissed, because no files were armed), request"`
	Earlier    *earlierEffects `json:"earlier,omitempty" doc:"what the page began before this act, and no answer has reported yet: not effects of the act"`
	LoadFailed op.PageText     `json:"loadFailed,omitempty" doc:"why the document to which the act led could not be loaded, and its address: the tab shows the browser's error page"`
	Reached
	FormRefused  *formRefused     `json:"formRefused,omitempty" doc:"the browser did not send a form, because a control does not hold what the form requires"`
	OnItsWay     op.PageText      `json:"onItsWay,omitempty" doc:"to which address the tab is on its way, and why it is not there yet"`
	NewTabs      []TabInfo        `json:"newTabs,omitempty" doc:"tabs that the page opened"`
	CurrentTab   op.Handle        `json:"currentTab,omitempty" doc:"with newTabs: the tab that calls without targetId use, until focus or a call names another one"`
	MovedTabs    []TabInfo        `json:"movedTabs,omitempty" doc:"tabs of the same opener, or that have opened this one, whose address changed during the act"`
	ClosedTabs   []op.Handle      `json:"closedTabs,omitempty" doc:"tabs that the page had opened, that an answer has named, and that have closed by themselves since"`
	PopupsClosed int              `json:"popupsClosed,omitempty" doc:"how many new tabs were closed, because an act may open 8, and a page may have 20 open"`
	Downloads    []DownloadedFile `json:"downloads,omitempty" doc:"files whose download began"`
	PageState
}

// Text reports what the act has begun, besides the act itself.
func (a aftermath) Text() string {
	var all []string
	for _, t := range a.NewTabs {
		all = append(all, t.opened())
	}
	if a.CurrentTab != "" {
		all = append(all, fmt.Sprintf("tab %s stays current: to switch, focus %s", a.CurrentTab, a.NewTabs[0].TabID))
	}
	for _, t := range a.MovedTabs {
		all = append(all, fmt.Sprintf("tab %s went to %s", t.TabID, t.reached()))
	}
	for _, id := range a.ClosedTabs {
		all = append(all, fmt.Sprintf("tab %s has closed", id))
	}
	if a.PopupsClosed > 0 {
		all = append(all, fmt.Sprintf("%d more tabs were closed", a.PopupsClosed))
	}
	if slices.Contains(a.Effects, page.Chooser) {
		all = append(all, "the page asked for a file, and got none: upload with ref or inputRef gives it one")
	}
	for _, d := range a.Downloads {
		all = append(all, d.Text())
	}
	return words.Lines(append(all, a.FormRefused.text(), string(a.OnItsWay), a.PageState.Words())...)
}

// formRefused is the control that kept a form from being sent, and the message that a person sees.
type formRefused struct {
	Ref     op.Handle   `json:"ref,omitempty" doc:"ref of the control"`
	Name    op.PageText `json:"name,omitempty" doc:"name of the control"`
	Hidden  bool        `json:"hidden,omitempty" doc:"true: the page does not show the control"`
	Message op.PageText `json:"message" doc:"what is wrong with its value"`
}

// formRefusedBy describes a control in an answer; nil if there is none.
func formRefusedBy(c *page.InvalidControl) *formRefused {
	if c == nil {
		return nil
	}
	f := &formRefused{Name: words.Shown(c.Name), Hidden: c.Hidden, Message: words.Shown(c.Message)}
	if c.Ref != (page.Ref{}) {
		f.Ref = op.Handle(c.Ref.String())
	}
	return f
}

// text says for a person why the form was not sent.
func (f *formRefused) text() string {
	if f == nil {
		return ""
	}
	of := fmt.Sprintf("%q", f.Name)
	if f.Ref != "" {
		of += fmt.Sprintf(" [ref=%s]", f.Ref)
	}
	of += words.If(f.Hidden, " (hidden)")
	return fmt.Sprintf("the form was not sent: %s: %s", of, f.Message)
}

// earlierEffects are what a page began before an act, also through an act that failed. They are no
// effects of this one.
type earlierEffects struct {
	NewTabs   []TabInfo        `json:"newTabs,omitempty" doc:"tabs that the page opened"`
	Downloads []DownloadedFile `json:"downloads,omitempty" doc:"files whose download began"`
}

// text lists what the page began, for a person.
func (e *earlierEffects) text() string {
	if e == nil {
		return ""
	}
	var all []string
	for _, t := range e.NewTabs {
		all = append(all, "not reported before: "+t.opened())
	}
	for _, d := range e.Downloads {
		all = append(all, "not reported before: "+d.Text())
	}
	return words.Lines(all...)
}

// act does an act, or a wait that runs while other calls act, and adds to its result what began
// meanwhile. The act has its own deadline: settling comes after it. Nothing is added if the act
// failed. If a dialog ended the act, that is not a failure: the act was done, and the dialog is one
// of its effects. If the page cannot be looked at afterwards, the call fails.
func (t *Turn) act(ctx context.Context, w Want, do Work) (any, error) {
	if !w.Beside {
		t.beginCount()
		if w.SettleMs != nil {
			t.effects.AwaitLater()
		}
	}
	defer t.AnswerAhead(w.Dialog)()
	acting, cancel := context.WithDeadlineCause(ctx, w.deadline(ctx), op.ErrDeadline)
	defer cancel()
	acting, end := stage.Begin(acting, stage.Act)
	if !w.Beside {
		t.ReadBefore(acting, w.Following)
	}
	own, err := do(acting, t)
	end(err)
	if err != nil && !stoppedByDialog(ctx) {
		return own, err
	}
	ctx, end = stage.Begin(ctx, stage.After)
	after, failed := t.after(ctx, w)
	end(failed)
	whole, broken := op.Merge(own, after)
	return whole, errors.Join(err, failed, broken)
}

// beginCount notes which tabs and downloads the page has begun before the act.
func (t *Turn) beginCount() {
	t.earlierTabs, t.earlierDownloads = t.Tab.Unreported()
	t.Tab.BeginAct()
	t.kin = nil
	for _, tab := range t.Tab.Kin() {
		t.kin = append(t.kin, kin{tab, tab.Page().Place()})
	}
}

// A kin is a tab that an act may lead elsewhere, and where it was before the act.
type kin struct {
	*browser.Tab
	at page.Place
}

// movedTime limits how long an answer waits for the documents to which an act has led other tabs.
const movedTime = 500 * time.Millisecond

// movedTabs lists the other tabs that have gone elsewhere since the act began. A link whose target is the
// name of an open tab leads that tab there, and nothing happens in its own. Chromium does not report the
// cause, so a tab that goes elsewhere by itself at this time is listed too.
func (t *Turn) movedTabs(ctx context.Context) (moved []TabInfo) {
	soon, cancel := context.WithTimeout(ctx, movedTime)
	defer cancel()
	for _, k := range t.kin {
		if k.at.HasLeft(soon) {
			moved = append(moved, newTab(ctx, k.Tab))
		}
	}
	return moved
}

// answeredTime limits how long the answer to a dialog waits for a download that begins with it.
const answeredTime = 5 * time.Second

// Answer calls give, which answers a dialog of the page, and reports what the page then begins, as
// for an act. Answer needs no turn: the call that has it may wait for this answer. So the popups of
// that call are still counted. If armed is true, the answer is kept for a later dialog. What the page
// begins then is reported by the call that opens the dialog. A person sees what follows, so it stays
// unreported until a call of an agent answers.
func (t *Turn) Answer(ctx context.Context, w Want, recovered bool, give func() (armed bool, err error)) (answer ActAnswer, armed bool, err error) {
	t.began = time.Now() // the answer lists no dialogs that were closed before
	t.earlierTabs, t.earlierDownloads = t.Tab.Unreported()
	begun := t.Tab.Downloads()
	t.visits, t.effects = t.Page.Visits(), t.Page.Collect(ctx)
	defer t.effects.End()
	if armed, err = give(); err != nil {
		return answer, armed, err
	}
	answer.Effects = []string{}
	if !armed && !isPerson(ctx) {
		soon, cancel := context.WithTimeoutCause(ctx, answeredTime, op.ErrDeadline)
		defer cancel()
		answer.aftermath = t.aftermath(soon, Acting{})
		for _, d := range t.Tab.Downloads() {
			if !slices.Contains(begun, d) {
				d.OfferToWait() // a call that asked for a file, and met the dialog, may wait for it now
			}
		}
	}
	if !armed && !t.hasClosed() && !t.Blocking().BlockedByDialog {
		answer.PageState = t.Afterwards(ctx, w.Following, t.effects)
		answer.Effects = t.effects.Begun()
	}
	answer.TabAnswer, err = t.End(ctx, nil, nil)
	answer.Blocked = t.Blocking()
	if !isPerson(ctx) {
		answer.addNews(ctx, t, w, recovered)
	}
	return answer, armed, err
}

// after looks at what an act has begun. An act that ran beside other calls needs a turn for this if
// it waits until the page settles, or reads the page.
func (t *Turn) after(ctx context.Context, w Want) (after aftermath, err error) {
	if !w.Beside || w.Settle() == 0 {
		if w.Beside && w.Shows() == "navigated" {
			w.Snapshot = "" // no snapshot: other calls have the turn
		}
		return t.aftermath(ctx, w.Acting), nil
	}
	err = t.Page.Turn(ctx, func(ctx context.Context) error {
		after = t.aftermath(ctx, w.Acting)
		return nil
	})
	return after, err
}

// AnswerAhead prepares the answer to a dialog that an act may open. The answer must be there before
// the act: the page stands still while the dialog is open, so without an answer the act ends there.
// The caller calls takeBack after the act. So an answer that was not used is not given to a later
// dialog, which asks something else.
func (t *Turn) AnswerAhead(d *DialogAnswer) (takeBack func()) {
	if d == nil {
		return func() {}
	}
	return t.Page.ArmDialog(d.Accept, d.PromptText)
}

// stoppedByDialog reports whether a turn ended because the page opened a dialog.
func stoppedByDialog(ctx context.Context) bool {
	_, dialog := errors.AsType[*page.DialogOpen](context.Cause(ctx))
	return dialog
}

// aftermath gathers what an act has begun. The order matters: tabs and downloads are asked for when
// the page is quiet. The effects come last, because one may come during the other steps. While a
// dialog is open the page cannot be read, so there is no snapshot.
//
// How long to wait by default depends on whether the act has navigated, see resolved. A wait of
// settleMs comes before that, because the act may navigate meanwhile.
func (t *Turn) aftermath(ctx context.Context, a Acting) (after aftermath) {
	if a.SettleMs != nil {
		t.effects.AwaitQuiet(ctx, a.Settle())
	}
	a.Following = t.resolved(a.Following)
	if a.SettleMs == nil && a.Settle() > 0 {
		t.effects.AwaitQuiet(ctx, a.Settle())
	}
	t.addPopups(ctx, &after)
	after.MovedTabs = t.movedTabs(ctx)
	for _, id := range t.Tab.ClosedPopups() {
		after.ClosedTabs = append(after.ClosedTabs, op.Handle(id))
	}
	t.addDownloads(ctx, &after)
	if a.Shows() != "" && !stoppedByDialog(ctx) && !t.hasClosed() {
		if shown := t.look(ctx, a.Following); !stoppedByDialog(ctx) {
			after.PageState = shown
		}
	}
	after.Effects, after.FormRefused = t.effects.Begun(), formRefusedBy(t.effects.Invalid())
	t.addArrival(ctx, &after)
	if len(after.NewTabs) == 0 && slices.Contains(after.Effects, page.NewTab) {
		t.addPopups(ctx, &after) // a form whose target is a new tab is submitted in a task after the click, so that tab may have come only now
	}
	return after
}

// addDownloads adds the downloads that no answer has reported yet. It waits for those of the act as
// AwaitDownload does. Most files are small, so the caller has the file with the answer of its click,
// without a second call.
func (t *Turn) addDownloads(ctx context.Context, after *aftermath) {
	for _, d := range t.Tab.ReportDownloads() {
		if slices.Contains(t.earlierDownloads, d) {
			earlier := after.before()
			earlier.Downloads = append(earlier.Downloads, reportDownload(d))
		} else {
			after.Downloads = append(after.Downloads, AwaitDownload(ctx, d))
		}
	}
}

// before returns the part of the answer about what the page began before the act.
func (a *aftermath) before() *earlierEffects {
	if a.Earlier == nil {
		a.Earlier = &earlierEffects{}
	}
	return a.Earlier
}

// Arrived says that an action of a batch has answered how the tab came to its document. The answer of
// the batch says it only of a later one.
func (t *Turn) Arrived() { t.visits = t.Page.Visits() }

// addArrival adds how the document was reached to which the act has led, or why none has come. If a
// dialog is open, it is the reason.
func (t *Turn) addArrival(ctx context.Context, after *aftermath) {
	if slices.Contains(after.Effects, page.Navigated) && t.Page.Visits() != t.visits {
		after.Reached = ReachedBy(t.Page.ArrivalSince(t.visits))
		if failed := loadFailure(ctx, t.Page); failed != nil {
			after.LoadFailed = failed.Message
			if !failed.Code.HintQuotesPage() {
				after.Hint = failed.Hint
			}
		}
	}
	if to := t.Page.Leaving(); to != "" && after.Unavailable == "" && len(t.Page.Dialogs().Pending) == 0 {
		after.OnItsWay = onItsWay(to, min(t.Page.Way(), page.Answered)).Message // nobody has asked whether the old page is busy
	}
}

// addPopups adds the tabs that the page has opened to the answer.
func (t *Turn) addPopups(ctx context.Context, after *aftermath) {
	var opened []*browser.Tab
	opened, after.PopupsClosed = t.Tab.Popups(ctx, t.earlierTabs, t.effects.Windows())
	for _, tab := range opened {
		list := &after.NewTabs
		if slices.Contains(t.earlierTabs, tab) {
			list = &after.before().NewTabs
		}
		*list = append(*list, newTab(ctx, tab))
	}
	if len(after.NewTabs) > 0 {
		if current, err := Session(ctx, t.Tab.Browser()).Find(""); err == nil && current != nil {
			after.CurrentTab = op.Handle(current.ID)
		}
	}
}
