package api

import (
	"context"
	"fmt"
	"time"

	"chela/internal/api/call"
	"chela/internal/api/words"
	"chela/internal/op"
)

// dialogState is the state of a tab's dialogs.
type dialogState struct {
	OK           bool              `json:"ok" doc:"always true"`
	TargetID     op.Handle         `json:"targetId" doc:"target id of the tab"`
	URL          op.PageText       `json:"url" doc:"address that the tab shows"`
	BrowserState call.BrowserState `json:"browserState" doc:"the dialogs of the tab: those that are open, and the last that were closed"`
	Elsewhere    op.PageText       `json:"elsewhere,omitempty" doc:"the dialog of another tab that keeps the page from answering"`
}

// Text lists the dialogs for a person, those that wait for an answer first.
func (d dialogState) Text() string {
	all := []string{}
	if d.Elsewhere != "" {
		all = append(all, string(d.Elsewhere))
	}
	for _, open := range d.BrowserState.Dialogs.Pending {
		all = append(all, open.Title()+": waits for an answer")
	}
	for _, closed := range d.BrowserState.Dialogs.Recent {
		all = append(all, closed.Title()+": closed ("+closed.ClosedBy+words.Prefixed(", ", closed.Answer())+")")
	}
	if more := d.BrowserState.Dialogs.Dismissed; more > 0 {
		all = append(all, fmt.Sprintf("%d more were dismissed at once", more))
	}
	if len(all) == 0 {
		return "no dialogs"
	}
	return words.Lines(all...)
}

// A dialogsRequest names a tab, whose dialogs alone are in the answer.
type dialogsRequest struct{ call.On }

// dialogs lists the dialogs without a turn of the tab. It is often an open dialog that keeps the
// call with the turn from ending.
func dialogs(ctx context.Context, s *call.Service, r dialogsRequest) (dialogState, error) {
	t, _, err := s.Turn(ctx, r.Want())
	if err != nil {
		return dialogState{}, err
	}
	info := t.Tab.Info()
	state := dialogState{OK: true, TargetID: op.Handle(info.TargetID), URL: words.Shown(info.URL)}
	state.BrowserState.Dialogs = call.DialogsOf(t.Page.Dialogs())
	if err := t.BlockedElsewhere(ctx); err != nil {
		state.Elsewhere = op.PageText(err.Error())
	}
	return state, nil
}

// An answerDialogRequest answers the dialog that is open. If none is open, the answer is kept for
// the next dialog, for TimeoutMs or 120 s. The call does not wait for a turn of the tab: the call
// that has the turn may be waiting for this answer.
type answerDialogRequest struct {
	call.On
	op.Timeout
	call.Ending
	Accept     *bool   `json:"accept" flag:"accept,!dismiss" doc:"accept the dialog"`
	PromptText *string `json:"promptText,omitempty" flag:"prompt" entered:"text" verbatim:"true" doc:"answer to a prompt; when left out, the default value of the page"`
	DialogID   string  `json:"dialogId,omitempty" doc:"id of the dialog; when left out, the only open one" tool:"+"`
}

// dialogResult says what an answer to a dialog has done, and what the page did then.
type dialogResult struct {
	Armed  bool `json:"armed,omitempty" doc:"no dialog was open, so the answer is kept for the next one"`
	Accept bool `json:"accept" doc:"the dialog is accepted; false: it is dismissed"`

	Replaced string `json:"replaced,omitempty" doc:"with armed: the answer that waited before, and was dropped: accept or dismiss"`
	call.ActAnswer
}

// Text says what the answer has done.
func (d dialogResult) Text() string {
	if d.Armed {
		return words.Lines("dialog armed", d.ActAnswer.Text())
	}
	return words.Lines("dialog answered", d.ActAnswer.Text())
}

// Terminal also says on the command line that no dialog is open. A second answer to one dialog is
// such a case.
func (d dialogResult) Terminal() string {
	if d.Armed {
		return words.Lines(d.Text(), d.Note())
	}
	return d.Text()
}

// Note tells a model when the answer was only kept for a later dialog. It says which answer: a model
// that leaves out accept dismisses the dialog.
func (d dialogResult) Note() string {
	if !d.Armed {
		return words.Lines(d.PageState.Note(), d.ActAnswer.Note())
	}
	next := "dismissed"
	if d.Accept {
		next = "accepted"
	}
	return words.Lines("no dialog is open: the next one is "+next, words.Prefixed("an answer that waited before was dropped: ", d.Replaced))
}

// answerDialog answers the open dialog, or the one that DialogID names. If several are open and
// none is named, that is an error: an answer to the wrong question may do harm. So it is if
// another tab's dialog keeps the page from answering: the answer is then hardly meant for this tab's
// next dialog. The page may ask the next question at once, so the answer says if a dialog is
// open again.
func answerDialog(ctx context.Context, s *call.Service, r answerDialogRequest) (dialogResult, error) {
	w := r.Want()
	w.Following = r.Following()
	t, recovered, err := s.Turn(ctx, w)
	if err != nil {
		return dialogResult{}, err
	}
	if err := t.BlockedElsewhere(ctx); err != nil {
		return dialogResult{}, err
	}
	done := dialogResult{Accept: *r.Accept}
	done.ActAnswer, done.Armed, err = t.Answer(ctx, w, recovered, func() (bool, error) {
		armed, err := t.Page.AnswerDialog(ctx, r.DialogID, *r.Accept, r.PromptText, armedFor(r.TimeoutMs))
		if armed != nil && armed.Replaced != nil {
			done.Replaced = "dismiss"
			if *armed.Replaced {
				done.Replaced = "accept"
			}
		}
		return armed != nil, err
	})
	return done, err
}

// maxArmed is how long an answer that was given in advance waits for its dialog, or files for their
// file chooser. A caller can ask for less.
const maxArmed = 120 * time.Second

// armedFor returns how long an answer waits for its dialog. The parameter timeoutMs is the
// caller's, or 0 if it gave none.
func armedFor(timeoutMs int) time.Duration {
	if timeoutMs > 0 {
		return timeOf(timeoutMs, maxArmed)
	}
	return maxArmed
}
