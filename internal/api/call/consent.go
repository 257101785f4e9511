package call

import (
	"context"
	"slices"
	"sync"
	"time"

	"chela/internal/engine/browser"
	"chela/internal/op"
)

// Choices of a question that asks a person for consent.
const (
	Allow  = "Allow"
	Refuse = "Refuse"
)

// Times of a consent.
const (
	consentTime  = 10 * time.Minute       // how long the question is open
	consentSlack = 250 * time.Millisecond // time that a call keeps for its own answer, if nobody has answered the question
)

// Consents are what persons have allowed for the time of a session. The zero value has none.
type Consents struct {
	mu   sync.Mutex // guards the rest
	list []consent
}

// A consent allows a session to use a secret in the pages of an origin.
type consent struct{ session, secret, origin string }

func (c *Consents) has(one consent) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Contains(c.list, one)
}

// add keeps a consent until its session ends. A consent without a session would never end, so it is
// not kept.
func (c *Consents) add(one consent) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if one.session != "" && !slices.Contains(c.list, one) {
		c.list = append(c.list, one)
	}
}

// endSession forgets what was allowed to a session.
func (c *Consents) endSession(key string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.list = slices.DeleteFunc(c.list, func(one consent) bool { return one.session == key })
}

// askConsent asks a person whether the session of ctx may use a secret in the pages of an origin.
// It waits for the answer until shortly before the deadline. The question stays open after that: a
// call that is repeated gets the answer that was given meanwhile. If once is true, the person is
// asked for each use.
//
// The error says that the person has refused, or has not answered yet.
func (s *Service) askConsent(ctx context.Context, secret, origin string, once bool, t *browser.Tab) error {
	this := consent{op.Session(ctx), secret, origin}
	if !once && s.Consents.has(this) {
		return nil
	}
	now := time.Now()
	q := Question{
		Message: "May the agent enter the secret " + secret + " on " + origin + "?", Choices: []string{Allow, Refuse}, Confirms: true,
		Session: this.session, Caller: op.Caller(ctx), Tab: t.ID, Since: now, Until: now.Add(consentTime),
	}
	if p := noteOf(ctx).profile; p != nil {
		q.Profile = p.Name
	}
	id, err := s.Ask(q)
	if err != nil {
		return err
	}
	latest := now.Add(consentTime)
	if deadline, ok := ctx.Deadline(); ok {
		latest = deadline.Add(-consentSlack)
	}
	reply, err := s.Asks.Await(ctx, id, this.session, latest)
	switch {
	case err != nil:
		return err
	case reply.Choice == Allow:
		s.Consents.add(this)
		return nil
	case reply.Answered:
		return op.Errorf(op.SecretRefused, "a person has refused the use of the secret %s on %s", secret, origin).Hinted("do not ask again; find out what the person wants")
	}
	return op.Errorf(op.Unconfirmed, "a person must confirm the use of the secret %s on %s, and has not answered yet", secret, origin).
		Hinted("ask for it: the person answers question %s in the dashboard, or by `chela confirm` in a terminal; then repeat the call", id)
}

// Confirm gives the answer of a person to a question that only a person may answer.
func (s *Service) Confirm(id, choice string) error {
	err := s.Asks.Answer(id, choice, "", true)
	s.changes.note(changedAsks)
	return err
}
