package call

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"chela/internal/base/config"
	"chela/internal/op"
)

// A call that waits returns without a reply when its time is over, and a later call gets the reply.
// The reply is kept for a while.
func TestAsksInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asks Asks
		id, fresh, err := asks.Ask(Question{Message: "a", Until: time.Now().Add(time.Hour)})
		if err != nil || !fresh {
			t.Fatalf("got %t, %v", fresh, err)
		}
		if r, err := asks.Await(t.Context(), id, "", time.Now().Add(time.Minute)); r != (Reply{}) || err != nil {
			t.Errorf("after a minute: got %+v, %v", r, err)
		}
		if same, fresh, _ := asks.Ask(Question{Message: "a", Until: time.Now().Add(time.Hour)}); same != id || fresh {
			t.Errorf("the same question is %s", same)
		}
		if r, err := asks.Await(t.Context(), id, "", time.Now().Add(2*time.Hour)); !r.Expired || err != nil {
			t.Errorf("after its time: got %+v, %v", r, err)
		}
		if again, fresh, _ := asks.Ask(Question{Message: "a", Until: time.Now().Add(time.Hour)}); again == id || !fresh {
			t.Error("after the reply was returned, the same question is not a new one")
		}
		time.Sleep(keepReply + time.Second)
		if _, err := asks.Await(t.Context(), id, "", time.Now()); op.AsError(err).Code != op.NotFound {
			t.Errorf("the reply is kept for long: %v", err)
		}
	})
}

// A question that expired while no call waited is asked again. One that was answered is not.
func TestAskAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asks Asks
		ask := func() (id string, fresh bool) {
			id, fresh, err := asks.Ask(Question{Message: "a", Choices: []string{"Done"}, Until: time.Now().Add(time.Second)})
			if err != nil {
				t.Fatal(err)
			}
			return id, fresh
		}
		first, _ := ask()
		time.Sleep(2 * time.Second)
		second, fresh := ask()
		if second == first || !fresh {
			t.Errorf("after it has expired: %s, %t", second, fresh)
		}
		if r, err := asks.Await(t.Context(), second, "", time.Now()); r != (Reply{}) || err != nil {
			t.Errorf("nobody was asked: %+v, %v", r, err)
		}
		if err := asks.Answer(second, "Done", "", true); err != nil {
			t.Fatal(err)
		}
		time.Sleep(2 * time.Second)
		if third, fresh := ask(); third != second || fresh {
			t.Errorf("after it was answered: %s, %t", third, fresh)
		}
	})
}

// The number of open questions is bounded, for each session and for all together.
func TestAsksAreBounded(t *testing.T) {
	var asks Asks
	add := func(session string, n int) (err error) {
		_, _, err = asks.Ask(Question{Message: string(rune('a' + n)), Session: session, Until: time.Now().Add(time.Hour)})
		return err
	}
	for s := range maxQuestions / maxOfSession {
		for n := range maxOfSession {
			if err := add(string(rune('A'+s)), n); err != nil {
				t.Fatal(err)
			}
		}
		if err := add(string(rune('A'+s)), maxOfSession); op.AsError(err).Code != op.TooMany {
			t.Fatalf("one session asks more than %d: %v", maxOfSession, err)
		}
	}
	if err := add("more", 0); op.AsError(err).Code != op.TooMany {
		t.Errorf("there are more than %d: %v", maxQuestions, err)
	}
	asks.endSession("A")
	if err := add("more", 0); err != nil {
		t.Error(err)
	}
}

// Only a person answers a question of chela itself. If an agent asks in the same words, that is
// another question, and its answer allows nothing.
func TestOnlyAPersonConfirms(t *testing.T) {
	var asks Asks
	q := Question{Message: "a", Choices: []string{Allow, Refuse}, Until: time.Now().Add(time.Hour)}
	own, _, _ := asks.Ask(q)
	if err := asks.Answer(own, Allow, "", false); err != nil {
		t.Error(err)
	}
	q.Confirms = true
	id, fresh, _ := asks.Ask(q)
	if id == own || !fresh {
		t.Error("the question is that of the agent")
	}
	if err := asks.Answer(id, Allow, "", false); op.AsError(err).Code != op.Forbidden {
		t.Errorf("got %v, want forbidden", err)
	}
	if err := asks.Answer(id, "", "yes", true); op.AsError(err).Code != op.Invalid {
		t.Errorf("without a choice: got %v, want invalid", err)
	}
	if err := asks.Answer(id, Refuse, "", true); err != nil {
		t.Error(err)
	}
	if r, err := asks.Await(t.Context(), id, "", time.Now()); r.Choice != Refuse || err != nil {
		t.Errorf("got %+v, %v", r, err)
	}
}

// Followers, such as the dashboard, learn of a question when it is asked, because the call that asks
// may wait for hours. They learn of its end even when no call ends it.
func TestAsksAreReported(t *testing.T) { synctest.Test(t, asksAreReported) }

func asksAreReported(t *testing.T) {
	live, err := config.Open(config.Flags{StateDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(live, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close(t.Context())
	f, stop := s.changes.follow()
	defer stop()
	for _, want := range []string{changedAsks, ""} { // the second time, the same question is not a new one
		if _, err := s.Ask(Question{Message: "a", Until: time.Now().Add(time.Hour)}); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(s.changes.take(f), " "); got != want {
			t.Errorf("reported %q, want %q", got, want)
		}
	}
	for name, test := range map[string]struct {
		end  func(id string) error
		want string // what is reported at the time when the question expires
	}{
		"nobody answers":    {func(string) error { return nil }, changedAsks},
		"answered":          {func(id string) error { return s.Asks.Answer(id, "", "yes", true) }, ""},
		"session has ended": {func(string) error { s.Asks.endSession("B"); return nil }, ""},
	} {
		id, err := s.Ask(Question{Message: name, Session: "B", Until: time.Now().Add(time.Minute)})
		if err = errors.Join(err, test.end(id)); err != nil {
			t.Fatal(err)
		}
		s.changes.take(f)
		time.Sleep(time.Minute)
		synctest.Wait()
		if got := strings.Join(s.changes.take(f), " "); got != test.want {
			t.Errorf("%s: reported %q, want %q", name, got, test.want)
		}
	}
	confirms, err := s.Ask(Question{Message: "b", Choices: []string{Allow, Refuse}, Confirms: true, Until: time.Now().Add(time.Hour)})
	if err != nil {
		t.Fatal(err)
	}
	for name, end := range map[string]func() error{
		"a person's answer":    func() error { return s.Confirm(confirms, Allow) },
		"the end of a session": func() error { _, err := s.EndSession(t.Context(), "A"); return err },
	} {
		s.changes.take(f)
		if err := end(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if got := s.changes.take(f); !slices.Equal(got, []string{changedAsks}) {
			t.Errorf("%s: reported %q", name, got)
		}
	}
}
