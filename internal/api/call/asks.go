package call

import (
	"context"
	"slices"
	"strconv"
	"sync"
	"time"

	"chela/internal/op"
	"chela/internal/record/notify"
	"chela/internal/wall/proxy"
)

// A Question is what an agent asks a person.
type Question struct {
	ID      string
	Message string
	Choices []string // answers to choose from; nil: the person answers in words, or not at all

	// Confirms says that chela itself asks whether an agent may do something. Then only a person
	// can answer, see [Asks.Answer].
	Confirms bool

	Session string
	Caller  string
	Profile string // profile of Tab
	Tab     string // handle of the tab that the question is about; "": none
	Since   time.Time
	Until   time.Time // when the question expires
	State   AskState  // set in the result of List only
}

// isAsked reports whether two questions are the same one, asked again.
func (q Question) isAsked(other Question) bool {
	return q.Confirms == other.Confirms && q.Message == other.Message && slices.Equal(q.Choices, other.Choices) && q.Session == other.Session && q.Profile == other.Profile && q.Tab == other.Tab
}

// A Reply is the outcome of a question.
type Reply struct {
	Answered, Expired bool   // neither: the question is still open
	Choice, Note      string // what the person has answered
}

// An AskState says how far a question has come.
type AskState string

// The states of questions that a person can see.
const (
	AskWaiting  AskState = "waiting"  // a call waits for the answer
	AskPending  AskState = "pending"  // no call waits: the agent has to call again to get the answer
	AskAnswered AskState = "answered" // answered, but the agent has not fetched the answer yet
)

// The limits of questions.
const (
	maxQuestions    = 200              // how many questions may be open at a time
	maxOfSession    = 20               // how many questions of one session may be open at a time
	keepReply       = 10 * time.Minute // how long a reply is kept for its agent
	whileAskingEach = 15 * time.Second // how often a call that waits reports its progress
)

// Asks are the questions of agents to a person. The zero value has none.
type Asks struct {
	expired func() // called when a question expires; nil: nobody follows

	mu   sync.Mutex // guards the rest
	last int        // number of the newest question
	list []*ask     // in the order in which they came
}

// An ask is a question with its state.
type ask struct {
	Question
	over    chan struct{} // closed when reply or ended is set
	reply   Reply
	ended   error       // why the question was taken back; nil: it was not
	endedAt time.Time   // when the question was taken back, or the reply came
	expiry  *time.Timer // reports that the question has expired
	waiting int         // how many calls wait for the reply
	told    bool        // a call has returned the reply
}

// isOver reports whether nobody can answer any more.
func (a *ask) isOver() bool { return !a.endedAt.IsZero() }

func (a *ask) endLocked(reply Reply, why error, at time.Time) {
	if a.isOver() {
		return
	}
	a.reply, a.ended, a.endedAt = reply, why, at
	close(a.over)
	if !reply.Expired {
		a.expiry.Stop()
	}
}

// reportExpiry is called when a question has expired.
func (a *Asks) reportExpiry() {
	if a.expired != nil {
		a.expired()
	}
}

// Ask adds a question, and returns its id. If the same question is open, or its answer was not
// returned yet, it returns the id of that one, and fresh is false. A question that has expired is
// asked again: its caller wants a person to see it.
func (a *Asks) Ask(q Question) (id string, fresh bool, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	open := a.openLocked()
	ofSession := 0
	for _, each := range a.list {
		if each.isAsked(q) && !each.told && !each.reply.Expired {
			return each.ID, false, nil
		}
		if each.Session == q.Session && !each.isOver() {
			ofSession++
		}
	}
	if open >= maxQuestions || ofSession >= maxOfSession {
		return "", false, op.Errorf(op.TooMany, "too many questions wait for a person: %d in all, %d of this session", open, ofSession).
			Hinted("wait for the answers to the others")
	}
	a.last++
	q.ID = "q" + strconv.Itoa(a.last)
	a.list = append(a.list, &ask{Question: q, over: make(chan struct{}), expiry: time.AfterFunc(time.Until(q.Until), a.reportExpiry)})
	return q.ID, true, nil
}

// openLocked ends the questions whose time has passed, forgets old replies, and returns how many
// questions are open.
func (a *Asks) openLocked() (open int) {
	now := time.Now()
	a.list = slices.DeleteFunc(a.list, func(each *ask) bool {
		if !now.Before(each.Until) {
			each.endLocked(Reply{Expired: true}, nil, each.Until)
		}
		if !each.isOver() {
			open++
		}
		return each.isOver() && each.waiting == 0 && now.Sub(each.endedAt) > keepReply
	})
	return open
}

// findLocked returns the question with this id; nil if there is none.
func (a *Asks) findLocked(id string) *ask {
	a.openLocked()
	i := slices.IndexFunc(a.list, func(each *ask) bool { return each.ID == id })
	if i < 0 {
		return nil
	}
	return a.list[i]
}

// noQuestion returns the error for an id that no question has.
func noQuestion(id string) error {
	return op.Errorf(op.NotFound, "there is no question %q", id).Hinted("its session may have ended, or its answer was some time ago")
}

// Await waits for the reply to a question of a session. If no reply has come when the time in the
// parameter latest is reached, the Reply is neither Answered nor Expired. The error says that there
// is no such question or that its session has ended, or it is the cause of ctx.
func (a *Asks) Await(ctx context.Context, id, session string, latest time.Time) (Reply, error) {
	q, err := a.begin(id, session)
	if err != nil {
		return Reply{}, err
	}
	defer a.end(q)
	tick := time.NewTicker(whileAskingEach)
	defer tick.Stop()
	timer := time.NewTimer(time.Until(earlier(latest, q.Until)))
	defer timer.Stop()
	for {
		op.Progress(ctx, 0, 0, "waiting for a person to answer: "+q.Message)
		select {
		case <-q.over:
			return a.take(q)
		case <-timer.C:
			return a.take(q)
		case <-tick.C:
		case <-ctx.Done():
			return Reply{}, context.Cause(ctx)
		}
	}
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

// begin returns a question, and notes that one more call waits for its reply.
func (a *Asks) begin(id, session string) (*ask, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	q := a.findLocked(id)
	if q == nil || q.Session != session {
		return nil, noQuestion(id)
	}
	q.waiting++
	return q, nil
}

// end notes that a call does not wait any more.
func (a *Asks) end(q *ask) {
	a.mu.Lock()
	defer a.mu.Unlock()
	q.waiting--
}

// take returns the reply as it is now. If the question is over, it notes that a call has returned
// the reply.
func (a *Asks) take(q *ask) (Reply, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.openLocked()
	q.told = q.told || q.isOver()
	return q.reply, q.ended
}

// Answer answers a question. The parameter person says that certainly a person answers. The
// server's token does not show that, since agents also have it. The error says that there is no
// such open question, that the choice is not among its choices, or that only a person may answer.
func (a *Asks) Answer(id, choice, note string, person bool) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	q := a.findLocked(id)
	switch {
	case q == nil:
		return noQuestion(id)
	case q.isOver():
		return op.Errorf(op.Conflict, "question %s has been answered, or has expired", id).Hinted("chela asks lists the open questions")
	case q.Confirms && !person:
		return op.Errorf(op.Forbidden, "only a person may answer question %s", id).Hinted("answer it in the dashboard, or by `chela confirm` in a terminal")
	case q.Confirms && choice == "":
		return op.Errorf(op.Invalid, "the question needs a choice").Hinted("choose one of %q", q.Choices)
	case choice != "" && !slices.Contains(q.Choices, choice):
		return op.Errorf(op.Invalid, "%q is none of the choices", choice).Hinted("choose one of %q, or give a note only", q.Choices)
	}
	q.endLocked(Reply{Answered: true, Choice: choice, Note: note}, nil, time.Now())
	return nil
}

// endSession takes back the questions of a session that has ended.
func (a *Asks) endSession(key string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	why := op.Errorf(op.Conflict, "the session of the question has ended")
	a.list = slices.DeleteFunc(a.list, func(q *ask) bool {
		if q.Session == key {
			q.endLocked(Reply{}, why, time.Now())
		}
		return q.Session == key
	})
}

// List returns the questions that are open, and those whose agents do not have the reply yet.
func (a *Asks) List() (list []Question) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.openLocked()
	for _, q := range a.list {
		listed := q.Question
		listed.State = AskPending
		switch {
		case q.isOver() && (q.told || q.reply.Expired):
			continue
		case q.isOver():
			listed.State = AskAnswered
		case q.waiting > 0:
			listed.State = AskWaiting
		}
		list = append(list, listed)
	}
	return list
}

// Ask adds a question, and returns its id, see [Asks.Ask]. A person is notified of a new question.
// Followers of changes learn of it, and of its expiry.
func (s *Service) Ask(q Question) (id string, err error) {
	id, fresh, err := s.Asks.Ask(q)
	if fresh {
		s.changes.note(changedAsks)
		s.Notify(notify.Event{
			Kind: "question", ID: id, Message: q.Message, Choices: q.Choices, Session: q.Session, Caller: q.Caller, Tab: q.Tab, Profile: q.Profile, Until: q.Until,
		})
	}
	return id, err
}

// Notify notifies a person of an event, in the way that the configuration says.
func (s *Service) Notify(e notify.Event) {
	dialer := s.Profiles.Renderer().Dialer
	s.Notifier.Tell(s.Config.Current().Notify(), e, func() (*proxy.Dialer, error) { return dialer(nil) })
}
