package call

import (
	"context"
	"fmt"
	"math"
	"time"

	"chela/internal/api/words"
	"chela/internal/engine/browser"
	"chela/internal/engine/journal"
	"chela/internal/engine/page"
	"chela/internal/op"
)

// touching returns the context of a call. If the call touches a tab that a person has taken over, it
// waits for the person. The user's own calls do not wait, and a guest's are refused.
func touching(ctx context.Context, o *op.Op, args op.Args) context.Context {
	guest := op.GuestOf(ctx).Share
	byUser := op.Session(ctx) == op.Person && guest == ""
	return page.WithTouch(ctx, !byUser && o.Touches(args), guest)
}

const takenReason = "taken_over_by_person"

// takenError returns the error of a call that touches a tab which a person has taken over. It is the
// same sort of error as for a person who has stopped all agents, see stopped.
func takenError(taken *page.TakenError) *op.Error {
	if taken.ToGuest {
		e := op.Errorf(op.PersonInControl, "somebody else has taken over the tab").Hinted("wait until they give it back")
		e.Reason = takenReason
		return e
	}
	e := op.Errorf(op.PersonInControl, "a person has taken over the tab (%s), since %s", taken.By, taken.Since.Format(time.TimeOnly)).
		Hinted("wait until the person gives it back, by %s at the latest, and call again; reading the tab is allowed, and so are other tabs",
			taken.Until.Format(time.TimeOnly))
	e.Reason = takenReason
	e.Details = map[string]any{"by": taken.By, "since": taken.Since, "until": taken.Until}
	return e
}

// ByAgent reports whether an agent makes the call. It must not end a browser in which a person has
// taken over a tab. A call outside of sessions is made by the user, and may end it.
func ByAgent(ctx context.Context) bool {
	session := op.Session(ctx)
	return session != op.Person && (session != "" || op.SurfaceOf(ctx) == op.AgentTool)
}

// withoutEntered returns the arguments of a person's call without what the person has entered.
// Traces use it because they do not look at the field, and so do not know whether it is a password
// field.
func withoutEntered(o *op.Op, args op.Args) op.Args {
	shown := op.Args{}
	for name, raw := range args {
		if p, _ := o.Param(name); p.Entered != "" && !(p.Entered == "key" && !typesText(textOf(raw))) {
			raw = quoted(journal.Secret)
		}
		shown[name] = raw
	}
	return shown
}

// TakenOver says that a person has a tab.
type TakenOver struct {
	Since time.Time `json:"since" doc:"since when the person has the tab"`
	Until time.Time `json:"until" doc:"when the takeover ends by itself"`
	By    string    `json:"by" doc:"what the person uses, such as live view or dashboard"`
	Guest string    `json:"guest,omitempty" doc:"id of the share, if a guest of it has the tab"`
}

// takenOver describes a takeover of a tab; nil if no person has taken the tab over.
func takenOver(t page.TakeOver) *TakenOver {
	if t == (page.TakeOver{}) {
		return nil
	}
	return &TakenOver{t.Since, t.Until, t.By, t.Guest}
}

// personWas says that a person has had the tab and has given it back.
type personWas struct {
	Minutes float64       `json:"minutes" doc:"for how many minutes the person had the tab"`
	Note    string        `json:"note,omitempty" doc:"note of the person to the agents"`
	Changes personChanges `json:"changes" doc:"what the person may have changed"`
}

// personChanges says what may be different after a person has had a tab.
type personChanges struct {
	From op.PageText `json:"from,omitempty" doc:"address of the tab at the takeover; absent if the person has not changed it"`
	To   op.PageText `json:"to,omitempty" doc:"address of the tab when it was given back; absent if the person has not changed it"`
	Refs string      `json:"refs" doc:"what to do about refs, which may be stale"`
}

// text returns that as sentences.
func (p *personWas) text() string {
	if p == nil {
		return ""
	}
	text := "a person has had the tab" + words.If(p.Minutes > 0, fmt.Sprintf(" for %g minutes", p.Minutes)) + " and has given it back: take a new snapshot"
	return words.Lines(text, words.Prefixed("the person writes: ", p.Note))
}

// isPerson reports whether a person makes the call, in the dashboard, the live view or as a guest.
func isPerson(ctx context.Context) bool {
	return op.Session(ctx) == op.Person || op.GuestOf(ctx) != op.Guest{}
}

// heardOf returns what a person has done with the tab, if no answer to the call's session has
// reported it yet; otherwise nil.
func heardOf(ctx context.Context, tab *browser.Tab) *personWas {
	g := Session(ctx, tab.Browser()).Hear(tab)
	if g == nil {
		return nil
	}
	was := &personWas{Minutes: Minutes(g.Took), Note: g.Note, Changes: personChanges{Refs: "may be stale: take a new snapshot"}}
	if g.From != g.To {
		was.Changes.From, was.Changes.To = words.Shown(g.From), words.Shown(g.To)
	}
	return was
}

// Minutes returns a length of time in minutes, with one digit behind the point.
func Minutes(d time.Duration) float64 { return math.Round(d.Minutes()*10) / 10 }
