package api

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"chela/internal/api/call"
	"chela/internal/api/words"
	"chela/internal/engine/browser"
	"chela/internal/op"
)

// sessionRows returns the operations on the sessions in which calls are made, see [op.Session].
// Agents need none of them: the connection of an agent is its session, which ends with the
// connection.
func sessionRows() []*op.Op {
	return []*op.Op{
		op.Define("GET /sessions", "sessions", "List the sessions, with the tabs of each.",
			sessions, op.Confined, op.NeverStart, op.NotForAgents),
		op.Define("POST /sessions/end", "session end {session?}", "End a session: its tabs are closed, in all profiles.",
			endSession, op.EndsSession, op.NotForAgents, op.Example("shopping")),
		op.Define("POST /tabs/{targetId}/lease", "lease {targetId} {ttlMs}",
			"Reserve a tab for the session, for a time. Calls of other sessions on this tab are refused.",
			leaseTab, op.Confined, op.NotForAgents, op.Example("t2 60000 --session shopping")),
		op.Define("POST /cdp", "cdp", "Show the address at which Playwright, Puppeteer and other programs can drive the tabs of the session.",
			endpoint, op.Confined, op.OnlyHere, op.Limit(45*s, 1*s, 120*s), op.NotForAgents, op.Example("--session shopping")),
	}
}

// sessionInfo is a session of one profile, in the list of sessions.
type sessionInfo struct {
	Session  string      `json:"session" doc:"key of the session"`
	Profile  string      `json:"profile" doc:"profile whose browser the session uses; empty for a session without a browser, which is listed because of its allowHosts"`
	Tabs     []op.Handle `json:"tabs" doc:"handles of the session's tabs"`
	Current  op.Handle   `json:"current,omitempty" doc:"handle of the session's current tab"`
	LastUsed *time.Time  `json:"lastUsedAt,omitempty" doc:"when the session made its last call on a tab"`
	Hosts    []string    `json:"allowHosts,omitempty" doc:"hosts that the session may open, in all profiles; absent: all that the network policy allows"`
	Own      bool        `json:"own,omitempty" doc:"this is the session of the call"`
}

// sessionList lists the sessions.
type sessionList struct {
	Sessions []sessionInfo `json:"sessions" doc:"the sessions; one that uses several profiles is listed once for each profile"`
	Tabless  int           `json:"isolatedWithoutTabs,omitempty" doc:"how many isolated sessions without tabs are not listed: all but the session of the call and those with allowHosts"`
}

// Text returns the list as a person reads it.
func (l sessionList) Text() string {
	if len(l.Sessions) == 0 && l.Tabless == 0 {
		return "no sessions"
	}
	var all []string
	for _, s := range l.Sessions {
		tabs := "no tabs"
		if len(s.Tabs) > 0 {
			tabs = op.JoinHandles(s.Tabs, " ")
		}
		only := ""
		if s.Hosts != nil {
			only = fmt.Sprintf(" (only %s)", strings.Join(s.Hosts, ", "))
		}
		all = append(all, fmt.Sprintf("%s [%s]: %s%s", s.Session, cmp.Or(s.Profile, "no profile"), tabs, only))
	}
	if l.Tabless > 0 {
		all = append(all, fmt.Sprintf("... and %d isolated sessions without tabs", l.Tabless))
	}
	return words.Lines(all...)
}

// sessions lists the sessions. It starts no browser. A session whose browser was lost is listed
// with the tabs that will be opened again. There may be thousands of isolated sessions without tabs, so
// these are only counted.
func sessions(ctx context.Context, s *call.Service, _ nothing) (sessionList, error) {
	list := sessionList{Sessions: []sessionInfo{}}
	hosts, limited := s.Limits.All(), s.Limited(ctx)
	add := func(info sessionInfo, tabless bool) {
		info.Hosts, info.Own = hosts[info.Session], info.Session == op.Session(ctx)
		seen := op.Sees(ctx, info.Profile) || info.Own && info.Profile == ""
		switch {
		case !seen || limited && !info.Own:
		case tabless && !info.Own && info.Hosts == nil:
			list.Tabless++
		default:
			list.Sessions = append(list.Sessions, info)
		}
	}
	unused := maps.Clone(hosts)
	for _, found := range s.Profiles.Sessions(ctx) {
		info := sessionInfo{Session: found.Key, Profile: found.Profile, Tabs: op.Handles(found.Tabs), Current: op.Handle(found.Current)}
		if !found.Used.IsZero() {
			info.LastUsed = &found.Used
		}
		add(info, found.Isolated && len(found.Tabs) == 0)
		delete(unused, found.Key)
	}
	for _, key := range slices.Sorted(maps.Keys(unused)) {
		add(sessionInfo{Session: key, Tabs: []op.Handle{}}, false)
	}
	return list, nil
}

// An endSessionRequest names the session to end. It may be the session of another caller: a caller
// that has gone cannot end its session itself.
type endSessionRequest struct {
	Session string `json:"session,omitempty" flag:"-" doc:"key of the session; the session of the call when left out"`
}

// endSessionResult is the session that has ended.
type endSessionResult struct {
	OK      bool   `json:"ok" doc:"always true"`
	Session string `json:"session" doc:"key of the session"`
	Closed  int    `json:"closed" doc:"how many tabs were closed"`

	Silent []string `json:"silent,omitempty" doc:"nodes that do not answer, or take no such calls: they close the tabs of the session when these are idle, and keep its limit"`
}

// Text says what was done.
func (r endSessionResult) Text() string {
	done := fmt.Sprintf("ended session %s: %d tabs closed", r.Session, r.Closed)
	if len(r.Silent) > 0 {
		done += "; these nodes have not ended it, and keep what it has there: " + strings.Join(r.Silent, ", ")
	}
	return done
}

// endSession succeeds for a session that does not exist: it has no tabs, which is what the caller
// wants.
func endSession(ctx context.Context, s *call.Service, r endSessionRequest) (endSessionResult, error) {
	key := cmp.Or(r.Session, op.Session(ctx))
	if key == "" {
		return endSessionResult{}, op.Errorf(op.Invalid, "session is required").Hinted("name the session that is to end, or call in it")
	}
	closed, err := s.EndSession(ctx, key)
	if err == nil && !s.GoesOn(ctx, key) { // while the session has tabs, its limits stay
		err = s.Limits.End(key)
	}
	return endSessionResult{OK: true, Session: key, Closed: closed}, err
}

// A leaseRequest reserves a tab for the session of the call, for a time.
type leaseRequest struct {
	call.InProfile
	TargetID string `json:"targetId" doc:"the tab: its handle (t1), label, or target id"`
	TTL      int    `json:"ttlMs" min:"0" max:"3600000" wrong:"ttlMs must be an integer from 0 to 3600000" doc:"for how many milliseconds, from now on; 0 ends the lease"`
}

// leaseResult says how long the session has the tab.
type leaseResult struct {
	OK       bool       `json:"ok" doc:"always true"`
	TargetID op.Handle  `json:"targetId" doc:"target id of the tab"`
	TabID    op.Handle  `json:"tabId" doc:"handle of the tab (t1), which never changes"`
	Session  string     `json:"session" doc:"session that has leased the tab"`
	Until    *time.Time `json:"leasedUntil,omitempty" doc:"when the lease ends; absent if it has ended"`
}

// Text says what was done.
func (r leaseResult) Text() string {
	if r.Until == nil {
		return fmt.Sprintf("tab %s is not leased any more", r.TabID)
	}
	return fmt.Sprintf("tab %s is leased by session %s until %s", r.TabID, r.Session, r.Until.Format(time.TimeOnly))
}

// leaseTab gives the session of the call a tab for a time, in which calls of other sessions may not
// use it. A call without a session gets an error.
func leaseTab(ctx context.Context, s *call.Service, r leaseRequest) (done leaseResult, err error) {
	if op.Session(ctx) == "" {
		return leaseResult{}, op.Errorf(op.Invalid, "a tab is leased by a session, and this call is in none").
			Hinted("give --session, or the header %s", op.SessionHeader)
	}
	err = s.Reach(ctx, call.Way{On: call.On{InProfile: r.InProfile, TargetID: r.TargetID}, OnlyOpen: true, Blind: true}, func(session browser.Session, tab *browser.Tab) error {
		lease, err := session.Lease(tab, time.Duration(r.TTL)*time.Millisecond)
		done = leaseResult{OK: true, TargetID: op.Handle(tab.Page().ID), TabID: op.Handle(tab.ID), Session: op.Session(ctx)}
		if !lease.Until.IsZero() {
			done.Until = &lease.Until
		}
		return err
	})
	return done, err
}
