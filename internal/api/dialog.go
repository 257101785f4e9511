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
	tab, _, err := s.tab(ctx, r.On)
	if err != nil {
		return Dialogued{}, err
	}
	info := tab.Info()
	return Dialogued{true, info.TargetID, op.Foreign(info.URL), BrowserState{tab.Page().Dialogs()}}, nil
}

type answerDialogRequest struct {
	On
	op.Timeout
	Accept     *bool  `json:"accept" flag:"accept,!dismiss" doc:"accept the dialog, or dismiss it"`
	PromptText string `json:"promptText,omitempty" flag:"prompt" verbatim:"true" doc:"answer to a prompt"`
	DialogID   string `json:"dialogId,omitempty" doc:"which dialog; the only one that is open when left out"`
}

func answerDialog(ctx context.Context, s *Service, r answerDialogRequest) (OK, error) {
	tab, _, err := s.tab(ctx, r.On)
	if err != nil {
		return OK{}, err
	}
	return OK{true}, tab.Page().AnswerDialog(ctx, r.DialogID, *r.Accept, r.PromptText, armedFor(r.TimeoutMs))
}
