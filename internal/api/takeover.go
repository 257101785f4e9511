package api

import (
	"cmp"
	"context"
	"fmt"
	"time"
	"unicode/utf8"

	"chela/internal/api/call"
	"chela/internal/engine/browser"
	"chela/internal/engine/page"
	"chela/internal/op"
	"chela/internal/record/notify"
)

// personRows returns the operations by which a person takes over a tab and gives it back. They are
// not for agents, which must not end a person's control.
func personRows() []*op.Op {
	return []*op.Op{
		op.Define("POST /takeover", "takeover {targetId?}", "Take over a tab: calls of agents that touch it wait until you give it back.",
			takeOver, op.Looks, op.NotForAgents, op.ForGuests, op.Example("t2 --minutes 5")),
		op.Define("POST /giveback", "giveback {targetId?}", "Give a tab back to the agents, with a note to them.",
			giveBack, op.Looks, op.NotForAgents, op.ForGuests, op.Example(`t2 --note "You are logged in."`)),
	}
}

// A takeOverRequest names the tab that a person takes over.
type takeOverRequest struct {
	call.On
	Minutes int `json:"minutes,omitempty" min:"1" max:"120" doc:"minutes after which the takeover ends by itself; 15 when left out"`
}

// takeOverResult says until when the person has the tab.
type takeOverResult struct {
	OK    bool      `json:"ok" doc:"always true"`
	TabID op.Handle `json:"tabId" doc:"handle of the tab"`
	Since time.Time `json:"since" doc:"since when the person has the tab"`
	Until time.Time `json:"until" doc:"when the takeover ends by itself"`
}

// Text says what was done.
func (r takeOverResult) Text() string {
	return fmt.Sprintf("tab %s is yours until %s, or until you give it back", r.TabID, r.Until.Format(time.TimeOnly))
}

func takeOver(ctx context.Context, s *call.Service, r takeOverRequest) (done takeOverResult, err error) {
	err = s.Reach(ctx, forPerson(r.On), func(_ browser.Session, tab *browser.Tab) error {
		guest, length := op.GuestOf(ctx).Share, time.Duration(cmp.Or(r.Minutes, 15))*time.Minute
		taken, err := tab.TakeOver(page.TakeOver{By: op.Caller(ctx), Guest: guest, Until: time.Now().Add(length)})
		if err != nil {
			return err
		}
		if guest != "" && ctx.Err() != nil { // the share has ended meanwhile, and may have looked for the takeover before
			tab.GiveBack(guest, "")
			return context.Cause(ctx)
		}
		done = takeOverResult{true, op.Handle(tab.ID), taken.Since, taken.Until}
		s.Notify(notify.Event{Kind: "takeover", Session: op.Session(ctx), Caller: op.Caller(ctx), Tab: tab.ID, Profile: r.Profile, Until: taken.Until})
		return nil
	})
	return done, err
}

// forPerson returns the way to a tab for a person. Whether somebody has leased it does not matter.
func forPerson(on call.On) call.Way {
	return call.Way{On: on, OnlyOpen: true, Blind: true, Leased: true}
}

// A giveBackRequest names the tab that a person gives back.
type giveBackRequest struct {
	call.On
	Note string `json:"note,omitempty" doc:"what the agents should know, in at most 2,000 characters"`
}

// maxNote limits the text that a person writes to agents, in characters.
const maxNote = 2000

// Check refuses a note that is too long.
func (r giveBackRequest) Check() error { return noLonger("note", r.Note, maxNote) }

// giveBackResult says how long the person had the tab.
type giveBackResult struct {
	OK      bool      `json:"ok" doc:"always true"`
	TabID   op.Handle `json:"tabId" doc:"handle of the tab"`
	Minutes float64   `json:"minutes" doc:"for how many minutes the person had the tab"`
}

// Text says what was done.
func (r giveBackResult) Text() string { return fmt.Sprintf("tab %s is given back", r.TabID) }

func giveBack(ctx context.Context, s *call.Service, r giveBackRequest) (done giveBackResult, err error) {
	err = s.Reach(ctx, forPerson(r.On), func(_ browser.Session, tab *browser.Tab) error {
		took, had := tab.GiveBack(op.GuestOf(ctx).Share, r.Note)
		switch {
		case !had && tab.CheckTaken() != nil:
			return op.Errorf(op.Conflict, "somebody else has taken over tab %s", tab.ID).Hinted("wait until they give it back")
		case !had:
			return op.Errorf(op.Conflict, "no person has taken over tab %s", tab.ID).Hinted("chela tabs shows who has which tab")
		}
		done = giveBackResult{true, op.Handle(tab.ID), call.Minutes(took)}
		return nil
	})
	return done, err
}

// noLonger returns an error for a text that has too many characters.
func noLonger(name, text string, most int) error {
	if utf8.RuneCountInString(text) > most {
		return op.Errorf(op.Invalid, "%s must have at most %d characters", name, most)
	}
	return nil
}
