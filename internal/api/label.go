package api

import (
	"context"
	"fmt"

	"chela/internal/engine/browser"
	"chela/internal/record/trace"
)

// A labelRequest gives a tab a name of the caller's choice.
type labelRequest struct {
	InProfile
	TargetID string `json:"targetId" doc:"tab: its id (t1), label, or target id"`
	Label    string `json:"label" doc:"name: letters, digits and _ . : -"`
}

// Check answers in OpenClaw's words, and comes before the tab is looked for.
func (r labelRequest) Check() error { return checkLabel(r.Label) }

// labelTab gives a label to a tab that is open. Errors are those of finding the tab.
func labelTab(ctx context.Context, s *Service, r labelRequest) (labelResult, error) {
	tab, _, err := s.found(ctx, r.InProfile, r.TargetID)
	if err != nil {
		return labelResult{}, err
	}
	trace.Of(ctx).On(tab)
	tab.SetLabel(r.Label)
	return labelResult{oneTab{true, tabOf(ctx, tab.Info())}}, nil
}

// labelResult is a tab that got a label.
type labelResult struct{ oneTab }

// Terminal is what a person reads of it.
func (o labelResult) Terminal() string {
	return fmt.Sprintf("labeled tab %s as %s", o.Tab.TabID, o.Tab.Label)
}

// checkLabel returns an [*op.Error] for what is no label. An empty one is right:
// the request gives none.
func checkLabel(label string) error {
	if label == "" {
		return nil
	}
	return explain(browser.CheckLabel(label))
}
