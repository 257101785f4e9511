package api

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"chela/internal/api/call"
	"chela/internal/api/words"
	"chela/internal/engine/browser"
	"chela/internal/op"
)

// tabList lists the tabs of a browser.
type tabList struct {
	Running bool           `json:"running" doc:"the browser runs"`
	Tabs    []call.TabInfo `json:"tabs" doc:"the tabs, the most recently used first; tabs of other sessions come after those of the call's session"`
	call.Restored
}

// Text returns the list as a person reads it.
func (l tabList) Text() string { return words.Lines(l.Restored.InWords(), listText(l.Tabs)) }

// listText writes tabs in OpenClaw's form. Places are counted from 1, as tab select takes them;
// tabs of other sessions have none.
func listText(tabs []call.TabInfo) string {
	if len(tabs) == 0 {
		return "No tabs (browser closed or no targets)."
	}
	var all []string
	place := 0
	for _, t := range tabs {
		label, mark, of := "", "-", ""
		if t.Label != "" {
			label = " label:" + t.Label
		}
		switch {
		case t.Unowned:
			of = " nobody's"
		case t.Other:
			of = " session:" + cmp.Or(t.Session, "none")
		default:
			place++
			mark = fmt.Sprintf("%d.", place)
		}
		if t.Users {
			of += " the user's"
		}
		if t.Person != nil {
			of += " a person has it"
		}
		name := fmt.Sprintf("%s %s [use: %s tab: %s%s%s]", mark, titleBreaks.Replace(entry(string(t.Title))), t.Suggested, t.TabID, label, of)
		if t.Current {
			name += " (current)"
		}
		all = append(all, name, "   "+entry(string(t.URL)), "   id: "+string(t.TargetID))
	}
	return words.Lines(all...)
}

// titleBreaks breaks what a title imitates of the rest of its line, such as the name of another tab.
var titleBreaks = strings.NewReplacer("[use:", `[use\u003a`, "tab: t", `tab\u003a t`, "(current)", `(current\u0029`)

// A tabsRequest is about the tabs of a browser.
type tabsRequest struct {
	call.InProfile
	op.Timeout
}

// tabs lists the tabs, also of a browser that was lost: they open again when they are used.
func tabs(ctx context.Context, s *call.Service, r tabsRequest) (tabList, error) {
	running, list, err := s.Tabs(ctx, r.InProfile)
	if err != nil {
		return tabList{Tabs: []call.TabInfo{}}, err
	}
	p, err := s.Profiles.Named(r.Profile)
	if err != nil {
		return tabList{Tabs: []call.TabInfo{}}, err
	}
	return tabList{running, list, s.Restored(ctx, p)}, nil
}

// A focusRequest names the tab that becomes the current one.
type focusRequest struct {
	call.InProfile
	op.Timeout
	TargetID string `json:"targetId" doc:"the tab: its handle (t1), label, or target id"`
}

// ofTab names the tab of an operation in its answer.
type ofTab struct {
	OK       bool      `json:"ok" doc:"always true"`
	TargetID op.Handle `json:"targetId" doc:"target id of the tab"`
}

func focusTab(ctx context.Context, s *call.Service, r focusRequest) (ofTab, error) {
	return focus(ctx, s, call.Way{On: call.On{InProfile: r.InProfile, TargetID: r.TargetID}})
}

// focus brings a tab to the front. A tab that crashed is opened again first.
func focus(ctx context.Context, s *call.Service, w call.Way) (done ofTab, err error) {
	w.OnlyOpen, w.Renew = true, revive
	err = s.Reach(ctx, w, func(session browser.Session, tab *browser.Tab) error {
		done = ofTab{true, op.Handle(tab.Page().ID)}
		return session.Focus(ctx, tab)
	})
	return done, err
}

// revive opens the last address of a crashed tab again.
func revive(ctx context.Context, tab *browser.Tab) error {
	_, err := tab.Revive(ctx)
	return err
}

// A closeRequest names the tab to close. Without a name, that is the current tab.
type closeRequest struct {
	call.On
	op.Timeout
	Mode string `json:"targetIdMode,omitempty" doc:"raw: targetId is a complete target id" tool:"-"`
}

// Check accepts one mode, OpenClaw's raw: the name is then a target id, and never a label or handle
// that looks like one.
func (r closeRequest) Check() error {
	if r.Mode != "" && r.Mode != "raw" {
		return op.Errorf(op.Invalid, `targetIdMode must be "raw"`)
	}
	return nil
}

// closeResult is the tab that was closed.
type closeResult struct {
	ofTab
	URL op.PageText `json:"url" doc:"address that the tab showed" tool:"-"`
}

// closeTab waits until the tab has gone. Mode raw is for programs that keep target ids. Without
// that mode, a text that is also the beginning of another tab's id, or its label, could close that
// other tab.
func closeTab(ctx context.Context, s *call.Service, r closeRequest) (done closeResult, err error) {
	err = s.Reach(ctx, call.Way{On: r.On, OnlyOpen: true, Blind: true}, func(session browser.Session, tab *browser.Tab) error {
		if r.Mode == "raw" && tab.Page().ID != r.TargetID {
			return op.NoTab("tab not found").Hinted("list the tabs")
		}
		was := tab.Info()
		done = closeResult{ofTab{true, op.Handle(was.TargetID)}, words.Shown(was.URL)}
		return call.Unconfirmed(session.Close(ctx, tab))
	})
	return done, err
}

// tabListResult lists the tabs of a browser, for /tabs/action.
type tabListResult struct {
	OK   bool           `json:"ok" doc:"always true"`
	Tabs []call.TabInfo `json:"tabs" doc:"the tabs, the most recently used first; tabs of other sessions come after those of the call's session"`
	call.Restored
}

// Text returns the list as a person reads it.
func (l tabListResult) Text() string { return words.Lines(l.Restored.InWords(), listText(l.Tabs)) }

// listTabs does the same as tabs, for a second route that OpenClaw also has.
func listTabs(ctx context.Context, s *call.Service, r tabsRequest) (tabListResult, error) {
	list, err := tabs(ctx, s, r)
	return tabListResult{true, list.Tabs, list.Restored}, err
}

// oneTab is one tab, for /tabs/action.
type oneTab struct {
	OK  bool         `json:"ok" doc:"always true"`
	Tab call.TabInfo `json:"tab" doc:"the tab"`
}

// A selectTabRequest names a tab by its place in the list.
type selectTabRequest struct {
	call.InProfile
	Index *Index `json:"index" doc:"place in the list of tabs; counted from 0, on the command line from 1"`
}

// selectTab makes a tab the current one, by its place in the list of tabs. Focusing a tab moves it
// to the front of that list.
func selectTab(ctx context.Context, s *call.Service, r selectTabRequest) (ofTab, error) {
	return focus(ctx, s, call.Way{On: call.On{InProfile: r.InProfile}, Place: (*int)(r.Index)})
}

// A closeAtRequest names the tab to close by its place in the list, or as other requests do. If it
// names none, that is the first.
type closeAtRequest struct {
	call.InProfile
	Index    *Index `json:"index,omitempty" doc:"place in the list of tabs; counted from 0, on the command line from 1"`
	TargetID string `json:"targetId,omitempty" doc:"the tab, instead of its place: its handle (t1), label, or target id"`
}

// Check refuses two names for the tab.
func (r closeAtRequest) Check() error {
	if r.Index != nil && r.TargetID != "" {
		return op.Errorf(op.Invalid, "index cannot be combined with targetId")
	}
	return nil
}

// closeTabAt closes the first tab if none is named, as in OpenClaw: that is the one used last.
func closeTabAt(ctx context.Context, s *call.Service, r closeAtRequest) (done ofTab, err error) {
	if r.Index == nil && r.TargetID == "" {
		r.Index = new(Index(0))
	}
	w := call.Way{On: call.On{InProfile: r.InProfile, TargetID: r.TargetID}, Place: (*int)(r.Index), OnlyOpen: true, Blind: true}
	err = s.Reach(ctx, w, func(session browser.Session, tab *browser.Tab) error {
		done = ofTab{true, op.Handle(tab.Page().ID)}
		return session.Close(ctx, tab)
	})
	return done, err
}
