package api

import (
	"context"

	"chela/internal/op"
)

// Dialogued is the state of a tab's dialogs.
type Dialogued struct {
	OK           bool         `json:"ok" doc:"always true"`
	TargetID     string       `json:"targetId" doc:"target id of the tab"`
	URL          op.Foreign   `json:"url" doc:"address that the tab shows"`
	BrowserState BrowserState `json:"browserState" doc:"what the browser waits for"`
}

type dialogsRequest struct{ On }

func dialogs(ctx context.Context, s *Service, r dialogsRequest) (Dialogued, error) {
	t, _, err := s.turn(ctx, r.call())
	if err != nil {
		return Dialogued{}, err
	}
	info := t.tab.Info()
	return Dialogued{true, info.TargetID, op.Foreign(info.URL), BrowserState{t.page.Dialogs()}}, nil
}

type answerDialogRequest struct {
	On
	op.Timeout
	Accept     *bool  `json:"accept" flag:"accept,!dismiss" doc:"accept the dialog, or dismiss it"`
	PromptText string `json:"promptText,omitempty" flag:"prompt" verbatim:"true" doc:"answer to a prompt"`
	DialogID   string `json:"dialogId,omitempty" doc:"which dialog; the only one that is open when left out" tool:"-"`
}

// DialogAnswered says what became of an answer.
type DialogAnswered struct {
	OK    bool `json:"ok" doc:"always true"`
	Armed bool `json:"armed,omitempty" doc:"no dialog was open: the answer waits for the next one"`
}

// Text is what became of the answer.
func (d DialogAnswered) Text() string {
	if d.Armed {
		return "dialog armed"
	}
	return "dialog answered"
}

func answerDialog(ctx context.Context, s *Service, r answerDialogRequest) (DialogAnswered, error) {
	t, _, err := s.turn(ctx, r.call())
	if err != nil {
		return DialogAnswered{}, err
	}
	armed, err := t.page.AnswerDialog(ctx, r.DialogID, *r.Accept, r.PromptText, armedFor(r.TimeoutMs))
	return DialogAnswered{true, armed}, err
}
