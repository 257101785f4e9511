package api

import (
	"cmp"
	"context"
	"encoding/json"
	"strings"
	"time"

	"chela/internal/api/call"
	"chela/internal/op"
	"chela/internal/record/live"
)

// screencastRows returns the operations of the live view. The view itself is a WebSocket, and so no
// operation: see server/screencast.go.
func screencastRows() []*op.Op {
	return []*op.Op{
		op.Define("POST /screencast/ticket", "screencast ticket {targetId?}",
			"Get a ticket for the live view of a tab: GET /screencast accepts it once, instead of the server's token.",
			screencastTicket, op.OnlyHere, op.Looks, op.NotForAgents, op.ForViewers, op.NeverStart, op.Example("t2 --ttl-ms 10000")),
	}
}

// A ticketRequest names the tab that a ticket is for.
type ticketRequest struct {
	call.On
	TTL     int  `json:"ttlMs,omitempty" min:"1" max:"60000" default:"30000" doc:"milliseconds for which the ticket is good"`
	Control bool `json:"control,omitempty" doc:"who uses the ticket may also act in the tab, by mouse and keys"`
}

// A ticketResult has the ticket.
type ticketResult struct {
	OK        bool      `json:"ok" doc:"always true"`
	Ticket    string    `json:"ticket" doc:"value of the parameter ticket of GET /screencast; it works once"`
	TargetID  op.Handle `json:"targetId" doc:"target id of the tab"`
	TabID     op.Handle `json:"tabId" doc:"handle of the tab"`
	ExpiresAt time.Time `json:"expiresAt" doc:"when the ticket expires"`
	Control   bool      `json:"control,omitempty" doc:"the viewer may also act in the tab"`
}

// Text is the ticket alone, for scripts.
func (r ticketResult) Text() string { return r.Ticket }

// maxTickets limits the tickets that wait for their viewers. When there are more, the one that would
// expire first is dropped, so one guest may have only maxGuestTickets.
const (
	maxTickets      = 1000
	maxGuestTickets = 20
)

func screencastTicket(ctx context.Context, s *call.Service, r ticketRequest) (ticketResult, error) {
	stream, err := s.Watch(ctx, r.Profile, r.TargetID, r.Control)
	if err != nil {
		return ticketResult{}, err
	}
	if stream.Guest = op.GuestOf(ctx).Share; stream.Guest != "" { // the ticket works only below the path of the share, where guests are confined
		if s.Tickets.Count(func(other *live.Stream) bool { return other.Guest == stream.Guest }) >= maxGuestTickets {
			return ticketResult{}, op.Errorf(op.TooMany, "this guest has %d unused tickets", maxGuestTickets).Hinted("use one, or wait until they expire")
		}
	}
	ttl := time.Duration(cmp.Or(r.TTL, 30_000)) * time.Millisecond
	return ticketResult{
		OK: true, Ticket: s.Tickets.New(stream, ttl, maxTickets), TargetID: op.Handle(stream.Tab.Page().ID), TabID: op.Handle(stream.Tab.ID),
		ExpiresAt: time.Now().Add(ttl), Control: r.Control,
	}, nil
}

// input converts what a person has done in the live view of a tab into an operation with its
// arguments. What needs several acts becomes a batch, so that no other call comes between them. A
// dialog is answered, and files are given to the next file chooser.
func input(t *op.Table, in op.UserInput) (*op.Op, op.Args, error) {
	var fields op.Object
	path := "/act"
	switch in.Type {
	case "dialog":
		path, fields = "/hooks/dialog", op.Object{"accept": in.Accept, "promptText": in.Text}
	case "files":
		path, fields = "/hooks/file-chooser", op.Object{"paths": in.Paths}
	default:
		acts, err := actsOf(in)
		if err != nil {
			return nil, nil, err
		}
		if fields = acts[0]; len(acts) > 1 {
			fields = op.Object{"kind": "batch", "actions": acts}
		}
	}
	args := op.Args{}
	for name, value := range fields {
		raw, err := json.Marshal(value)
		if err != nil {
			return nil, nil, err
		}
		args[name] = raw
	}
	o, err := t.Choose("POST", path, args)
	return o, args, err
}

// modifierActs returns the act of that kind that presses or releases modifier keys, if there are any.
func modifierActs(kind string, modifiers []string) []op.Object {
	if len(modifiers) == 0 {
		return nil
	}
	return []op.Object{{"kind": kind, "key": strings.Join(modifiers, "+")}}
}

// actsOf returns the arguments of the acts for an input. An input of type text is inserted at once,
// as by a paste or an input method; single keys have the type key. A text such as secret:NAME is
// inserted as it is and stands for no secret: whoever works in the live view may be a guest.
func actsOf(in op.UserInput) ([]op.Object, error) {
	move := op.Object{"kind": "mouseMove", "x": in.X, "y": in.Y}
	point := in.X != nil && in.Y != nil
	switch {
	case in.Type == "mouse" && point:
		switch in.Event {
		case "click":
			return []op.Object{{"kind": "clickCoords", "x": in.X, "y": in.Y, "button": in.Button, "modifiers": in.Modifiers}}, nil
		case "move":
			return []op.Object{move}, nil
		case "down":
			return append(modifierActs("keyDown", in.Modifiers), move, op.Object{"kind": "mouseDown", "button": in.Button}), nil
		case "up":
			return append([]op.Object{move, {"kind": "mouseUp", "button": in.Button}}, modifierActs("keyUp", in.Modifiers)...), nil
		}
		return nil, op.Errorf(op.Invalid, "the event of the mouse must be click, move, down or up")
	case in.Type == "wheel" && point:
		return []op.Object{{"kind": "scroll", "x": in.X, "y": in.Y, "deltaX": in.DeltaX, "deltaY": in.DeltaY}}, nil
	case in.Type == "key":
		return []op.Object{{"kind": "press", "key": in.Key}}, nil
	case in.Type == "text":
		return []op.Object{{"kind": "insertText", "text": op.Unsealed(in.Text)}}, nil
	case in.Type == "mouse", in.Type == "wheel":
		return nil, op.Errorf(op.Invalid, "%s requires x and y", in.Type)
	}
	return nil, op.Errorf(op.Invalid, "unknown type %q", in.Type).Hinted("send ack, mouse, wheel, key, text, dialog or files")
}
