package api

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"chela/internal/api/call"
	"chela/internal/api/words"
	"chela/internal/engine/browser"
	"chela/internal/op"
)

// askRows returns the operations by which agents ask a person, and the person answers.
func askRows() []*op.Op {
	return []*op.Op{
		op.Define("POST /ask", "ask {message?}", "Ask a person to do something, such as log in, and wait for the answer.",
			askPerson, op.Confined, op.Looks, op.Asks, op.OnlyHere, op.Rare, op.Limit(askWait, time.Second, askWait), op.Example(`"Please log in" --tab t2 --timeout 10m`)),
		op.Define("GET /asks", "asks", "List the questions that agents ask you.", asks, op.NeverStart, op.OnlyHere, op.NotForAgents),
		op.Define("POST /asks/answer", "asks answer {id} {choice?}", "Answer a question of an agent.",
			answerAsk, op.NeverStart, op.OnlyHere, op.NotForAgents, op.Example(`q1 --note "You are logged in."`)),
	}
}

// The times of a question.
const (
	askWait      = 120 * time.Second      // how long a call waits before it answers that the question is still open
	askWaitAgent = 50 * time.Second       // the same for the agent tool: many of its clients give up after a minute
	askTime      = 10 * time.Minute       // how long a question is open if its caller does not say
	askSlack     = 150 * time.Millisecond // how long a call may still take after its question has expired
)

// The limits of a question.
const (
	maxQuestion = 2000 // characters
	maxChoices  = 12
	maxChoice   = 200 // characters
)

// An askTimeout is how long a question is open, in milliseconds. On the command line it may be
// written as 10m.
type askTimeout int

// UnmarshalText reads what a person has written: milliseconds, or a length of time such as 10m.
func (a *askTimeout) UnmarshalText(text []byte) error {
	if n, err := strconv.Atoi(string(text)); err == nil {
		*a = askTimeout(n)
		return nil
	}
	length, err := time.ParseDuration(string(text))
	if err != nil {
		return op.Errorf(op.Invalid, "timeout must be a number of milliseconds, or a length of time such as 10m")
	}
	*a = askTimeout(length.Milliseconds())
	return nil
}

// UnmarshalJSON reads milliseconds.
func (a *askTimeout) UnmarshalJSON(raw []byte) error {
	if json.Unmarshal(raw, (*int)(a)) != nil {
		return op.Errorf(op.Invalid, "timeoutMs must be a number of milliseconds")
	}
	return nil
}

// JSONSchema says that it is a number.
func (askTimeout) JSONSchema() op.Object { return op.Object{"type": "integer"} }

// An askRequest asks a person a question. If it has an id, it waits again for the answer to an
// earlier question.
type askRequest struct {
	call.InProfile
	Message  string     `json:"message,omitempty" doc:"what the person is to do or to say"`
	Choices  []string   `json:"choices,omitempty" flag:"choice" doc:"answers to choose from, at most 12"`
	TargetID string     `json:"targetId,omitempty" flag:"tab" doc:"tab that the question is about; the person may take it over"`
	Timeout  askTimeout `json:"timeoutMs,omitempty" strict:"true" min:"1000" max:"86400000" wrong:"timeoutMs must be from 1000 to 86400000: from 1 second to 24 hours" flag:"timeout-ms,timeout" doc:"how long the question is open, in milliseconds: 1 second to 24 hours; 10 minutes when left out"`
	ID       string     `json:"id,omitempty" flag:"id" doc:"id of a pending question, to wait for its answer again; used without message"`
}

// Check returns an error if there is no question, or if a text is too long.
func (r askRequest) Check() error {
	switch {
	case r.ID != "" && r.Message != "":
		return op.Errorf(op.Invalid, "id cannot be combined with message")
	case r.ID == "" && strings.TrimSpace(r.Message) == "":
		return op.Errorf(op.Invalid, "message is required")
	case len(r.Choices) > maxChoices:
		return op.Errorf(op.Invalid, "choices must be at most %d", maxChoices)
	}
	for _, choice := range r.Choices {
		if choice == "" {
			return op.Errorf(op.Invalid, "choices must not be empty")
		}
		if err := noLonger("choices", choice, maxChoice); err != nil {
			return err
		}
	}
	return noLonger("message", r.Message, maxQuestion)
}

// WaitTime returns what is added to the deadline, so that the call can still answer that its
// question has expired.
func (r askRequest) WaitTime() time.Duration { return askSlack }

// askResult is the answer of a person, or says that there is none.
type askResult struct {
	Answered bool   `json:"answered" doc:"the person has answered"`
	Choice   string `json:"choice,omitempty" doc:"what the person has chosen"`
	Note     string `json:"note,omitempty" doc:"what the person has written"`
	Pending  string `json:"pending,omitempty" doc:"id of the question if nobody has answered yet: call again with this id"`
	Expired  bool   `json:"expired,omitempty" doc:"nobody has answered in time"`
}

// Resume returns the arguments of a call that goes on waiting for the answer; nil if the question
// is not open.
func (r askResult) Resume() op.Args {
	if r.Pending == "" {
		return nil
	}
	raw, _ := json.Marshal(r.Pending) // a string can be encoded
	return op.Args{"id": raw}
}

// Text returns the answer.
func (r askResult) Text() string {
	switch {
	case r.Expired:
		return "nobody has answered in time"
	case !r.Answered:
		return "nobody has answered yet: ask again with id " + r.Pending
	}
	return cmp.Or(words.Lines(r.Choice, r.Note), "the person has answered: done")
}

// Failure returns an error if nobody has answered in time. So a script learns it from the exit code.
func (r askResult) Failure() error {
	if !r.Expired {
		return nil
	}
	return op.Errorf(op.Deadline, "nobody has answered in time").Hinted("ask again when somebody is there; dashboard.notify tells a person who is not looking")
}

// askPerson asks, and waits for the answer. A question can stay open for longer than one call may
// take; the caller then calls again. The call holds no turn of the tab, because the person works in
// the tab meanwhile.
func askPerson(ctx context.Context, s *call.Service, r askRequest) (askResult, error) {
	id := r.ID
	if id == "" {
		q, err := questionOf(ctx, s, r)
		if err != nil {
			return askResult{}, err
		}
		if id, err = s.Ask(q); err != nil {
			return askResult{}, err
		}
	}
	reply, err := s.Asks.Await(ctx, id, op.Session(ctx), askUntil(ctx))
	if err != nil {
		return askResult{}, err
	}
	result := askResult{Answered: reply.Answered, Choice: reply.Choice, Note: reply.Note, Expired: reply.Expired}
	if !reply.Answered && !reply.Expired {
		result.Pending = id
	}
	return result, nil
}

// askUntil returns until when a call waits for an answer.
func askUntil(ctx context.Context) time.Time {
	wait := askWait
	if op.SurfaceOf(ctx) == op.AgentTool {
		wait = askWaitAgent
	}
	latest := time.Now().Add(wait)
	if deadline, ok := ctx.Deadline(); ok && latest.After(deadline.Add(-askSlack/2)) {
		return deadline.Add(-askSlack / 2)
	}
	return latest
}

// questionOf returns the question of a request. If it names a tab, the session must be allowed to
// use that tab: an agent must learn nothing of other tabs.
func questionOf(ctx context.Context, s *call.Service, r askRequest) (call.Question, error) {
	now := time.Now()
	open := time.Duration(r.Timeout) * time.Millisecond
	q := call.Question{
		Message: r.Message, Choices: r.Choices, Session: op.Session(ctx), Caller: op.Caller(ctx), Since: now, Until: now.Add(cmp.Or(open, askTime)),
	}
	if r.TargetID == "" {
		return q, nil
	}
	err := s.Reach(ctx, forPerson(call.On{InProfile: r.InProfile, TargetID: r.TargetID}), func(_ browser.Session, tab *browser.Tab) error {
		q.Tab = tab.ID
		return nil
	})
	if p, none := s.Profiles.Named(r.Profile); err == nil && none == nil {
		q.Profile = p.Name
	}
	return q, err
}

// asksResult lists questions.
type asksResult struct {
	Asks []askInfo `json:"asks" doc:"the questions, the oldest first"`
}

// askInfo is a question in the list.
type askInfo struct {
	ID       string        `json:"id" doc:"id of the question"`
	Message  string        `json:"message" doc:"what the agent asks"`
	Choices  []string      `json:"choices" doc:"answers to choose from"`
	Confirms bool          `json:"confirms,omitempty" doc:"the server itself asks whether an agent may do something: only a person can answer, in the dashboard or by chela confirm"`
	Session  string        `json:"session,omitempty" doc:"session of the agent that asks"`
	Caller   string        `json:"caller,omitempty" doc:"name that the asking program gives itself"`
	TabID    op.Handle     `json:"tabId,omitempty" doc:"handle of the tab that the question is about"`
	Profile  string        `json:"profile,omitempty" doc:"profile of that tab"`
	Since    time.Time     `json:"since" doc:"when the question was asked"`
	Until    time.Time     `json:"until" doc:"when the question expires if nobody answers"`
	State    call.AskState `json:"state" doc:"waiting: a call waits for the answer; pending: no call waits, so the agent has to ask again; answered: but the agent does not have the answer yet"`
}

// Text lists the questions for a person.
func (r asksResult) Text() string {
	if len(r.Asks) == 0 {
		return "no questions"
	}
	var all []string
	for _, q := range r.Asks {
		line := fmt.Sprintf("%s (%s, %s): %s", q.ID, cmp.Or(q.Session, q.Caller, "no session"), q.State, q.Message)
		all = append(all, line, words.Prefixed("   tab: ", string(q.TabID)), words.Prefixed("   choices: ", strings.Join(q.Choices, " | ")))
	}
	return words.Lines(all...)
}

func asks(_ context.Context, s *call.Service, _ nothing) (asksResult, error) {
	result := asksResult{[]askInfo{}}
	for _, q := range s.Asks.List() {
		result.Asks = append(result.Asks, askInfo{
			q.ID, q.Message, append([]string{}, q.Choices...), q.Confirms, q.Session, q.Caller, op.Handle(q.Tab), q.Profile, q.Since, q.Until, q.State,
		})
	}
	return result, nil
}

// An answerAskRequest answers a question.
type answerAskRequest struct {
	ID     string `json:"id" flag:"-" doc:"id of the question"`
	Choice string `json:"choice,omitempty" flag:"-" doc:"one of the question's choices"`
	Note   string `json:"note,omitempty" doc:"what the agent should know, in at most 2,000 characters"`
}

// Check refuses a note that is too long.
func (r answerAskRequest) Check() error { return noLonger("note", r.Note, maxNote) }

// answerAskResult says that the answer was given.
type answerAskResult struct {
	OK bool   `json:"ok" doc:"always true"`
	ID string `json:"id" doc:"id of the question"`
}

// Text says what was done.
func (r answerAskResult) Text() string { return "answered " + r.ID }

func answerAsk(ctx context.Context, s *call.Service, r answerAskRequest) (answerAskResult, error) {
	return answerAskResult{true, r.ID}, s.Asks.Answer(r.ID, r.Choice, r.Note, op.SurfaceOf(ctx) == op.Dashboard)
}
