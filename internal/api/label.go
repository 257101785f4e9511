package api

import (
	"context"
	"fmt"

	"chela/internal/api/call"
	"chela/internal/engine/browser"
	"chela/internal/op"
)

// A labelRequest gives a tab a name of the caller's choice.
type labelRequest struct {
	call.InProfile
	TargetID string `json:"targetId" doc:"the tab: its handle (t1), label, or target id"`
	Label    string `json:"label" doc:"name: letters, digits and _ . : -"`
}

// Check returns errors with OpenClaw's texts, before the tab is looked for.
func (r labelRequest) Check() error { return checkLabel(r.Label) }

// labelTab gives a label to a tab that is open. It returns the errors of finding the tab. The tab of
// another session is refused: its label would count there, and not for this call's session.
func labelTab(ctx context.Context, s *call.Service, r labelRequest) (done labelResult, err error) {
	w := call.Way{On: call.On{InProfile: r.InProfile, TargetID: r.TargetID}, OnlyOpen: true, Blind: true}
	err = s.Reach(ctx, w, func(_ browser.Session, tab *browser.Tab) error {
		if info := tab.Info(); info.Owner != "" && info.Owner != op.Session(ctx) {
			return op.Errorf(op.Conflict, "tab %s belongs to session %s", info.ID, info.Owner).Hinted("name it by its id: a label counts only in the session of its tab")
		}
		before := tab.SetLabel(r.Label)
		done = labelResult{oneTab{true, call.TabOf(ctx, tab.Info()).LabelFrom(before)}}
		return nil
	})
	return done, err
}

// labelResult is a tab that got a label.
type labelResult struct{ oneTab }

// Terminal returns the text for the command line.
func (o labelResult) Terminal() string {
	return fmt.Sprintf("labeled tab %s as %s", o.Tab.TabID, o.Tab.LabelText())
}

// checkLabel returns an [*op.Error] for an invalid label. An empty label is valid: the request sets
// none.
func checkLabel(label string) error {
	if label == "" {
		return nil
	}
	return call.Explain(browser.CheckLabel(label))
}
