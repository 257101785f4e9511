package api

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"chela/internal/api/call"
	"chela/internal/engine/journal"
	"chela/internal/op"
)

// A callsRequest lists calls on the tabs of a browser.
type callsRequest struct {
	call.InProfile
	TargetID string `json:"targetId,omitempty" doc:"only calls on the tab with this id (t1), which may be closed"`
	Limit    int    `json:"limit,omitempty" min:"1" doc:"list only the newest, at most this many"`
}

// callsResult is a list of calls.
type callsResult struct {
	Calls []madeCall `json:"calls" doc:"the calls, the oldest first"`
	keptList
}

// madeCall is one call on a tab.
type madeCall struct {
	At        string      `json:"at" doc:"when the call arrived"`
	Session   string      `json:"session,omitempty" doc:"session of the call"`
	Caller    string      `json:"caller,omitempty" doc:"who made the call: the name that the caller gives itself"`
	Operation string      `json:"operation" doc:"operation that was called; for a batch, with its actions"`
	TabID     string      `json:"tabId" doc:"handle of the tab"`
	Site      op.PageText `json:"site,omitempty" doc:"site that the tab showed when the call ended"`
	TookMs    int64       `json:"tookMs" doc:"how long the call took, in milliseconds"`
	Failed    string      `json:"failed,omitempty" doc:"code of the call's error; absent if the call succeeded"`
}

// calls lists what callers have done in the tabs of a profile, also in those that are closed.
func calls(_ context.Context, s *call.Service, r callsRequest) (callsResult, error) {
	p, err := s.Profiles.Named(r.Profile)
	if err != nil {
		return callsResult{Calls: []madeCall{}}, err
	}
	all, dropped := p.Calls.List()
	if r.TargetID != "" {
		all = slices.DeleteFunc(all, func(c journal.TabCall) bool { return c.Tab != r.TargetID })
	}
	newest, kept := newest(all, r.Limit, dropped)
	list := make([]madeCall, len(newest))
	for i, c := range newest {
		list[i] = madeCall{timestamp(c.At), c.Session, c.Caller, c.Operation, c.Tab, op.PageText(c.Site), c.Took.Milliseconds(), c.Failed}
	}
	return callsResult{list, kept}, nil
}

// Text returns a line for each call.
func (r callsResult) Text() string {
	var lines []string
	for _, c := range r.Calls {
		line := fmt.Sprintf("%s %s (%s) %s: %s", c.At, cmp.Or(c.Session, "no session"), c.Caller, c.TabID, c.Operation)
		if c.Site != "" {
			line += " on " + string(c.Site)
		}
		if c.Failed != "" {
			line += ", failed: " + c.Failed
		}
		lines = append(lines, line)
	}
	return r.inFull(lines, "No calls.")
}
