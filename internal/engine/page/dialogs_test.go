package page

import (
	"errors"
	"strings"
	"testing"
	"time"
)

// A dialog gets the right one of the armed answers.
func TestAnswersGivenAhead(t *testing.T) {
	now := time.Now()
	given := func(text string) *dialogAnswer { return &dialogAnswer{text: &text} }
	armed := func(text string, after time.Duration) *dialogAnswer {
		return &dialogAnswer{text: &text, until: now.Add(after)}
	}
	for _, s := range []struct {
		name  string
		armed *dialogAnswer
		calls []*dialogAnswer
		want  string // the answers to three dialogs
	}{
		{"none", nil, nil, "- - -"},
		{"armed", armed("armed", time.Second), nil, "armed - -"},
		{"armed for too short a time", armed("armed", -time.Second), nil, "- - -"},
		{"of a call", nil, []*dialogAnswer{given("call")}, "call - -"},
		{"of a call before the armed", armed("armed", time.Second), []*dialogAnswer{given("call")}, "call armed -"},
		{"of the latest call first", nil, []*dialogAnswer{given("first"), given("second")}, "second first -"},
	} {
		d := dialogs{armed: s.armed, inline: s.calls}
		var got []string
		for range 3 {
			text := "-"
			if answer := d.takeArmed(now); answer != nil {
				text = *answer.text
			}
			got = append(got, text)
		}
		if strings.Join(got, " ") != s.want {
			t.Errorf("%s: got %q, want %q", s.name, got, s.want)
		}
	}
}

func TestStorm(t *testing.T) {
	for _, s := range []struct {
		name  string
		every time.Duration
		want  int // how many of 30 dialogs are too many
	}{
		{"one a millisecond", time.Millisecond, 10},
		{"two a second", 500*time.Millisecond - time.Millisecond, 10},
		{"twenty in just ten seconds", 500 * time.Millisecond, 0},
		{"one a second", time.Second, 0},
	} {
		var d dialogs
		tooMany := 0
		for i := range 30 {
			if d.storms(time.Unix(0, 0).Add(time.Duration(i) * s.every)) {
				tooMany++
			}
		}
		if tooMany != s.want {
			t.Errorf("%s: %d are too many, want %d", s.name, tooMany, s.want)
		}
	}
}

func TestChooseADialog(t *testing.T) {
	first, second, answered := &Dialog{ID: "d1"}, &Dialog{ID: "d2"}, &Dialog{ID: "d1", ClosedBy: byAgent}
	for _, s := range []struct {
		name    string
		pending []*Dialog
		id      string
		want    *Dialog
		err     error
	}{
		{"none is open", nil, "", nil, nil},
		{"the only one", []*Dialog{first}, "", first, nil},
		{"by its id", []*Dialog{first, second}, "d2", second, nil},
		{"several", []*Dialog{first, second}, "", nil, ErrSeveralDialogs},
		{"none of this id", []*Dialog{first}, "d2", nil, &NoDialogError{"d2"}},
		{"none at all", nil, "d2", nil, &NoDialogError{"d2"}},
		{"one that was answered", []*Dialog{answered}, "d1", nil, &NoDialogError{"d1"}},
		{"the only one was answered", []*Dialog{answered}, "", nil, nil},
		{"all but one were answered", []*Dialog{answered, second}, "", second, nil},
	} {
		d := dialogs{pending: s.pending}
		got, err := d.choose(s.id)
		_, unknown := errors.AsType[*NoDialogError](s.err)
		if got != s.want || (err == nil) != (s.err == nil) || err != nil && !unknown && !errors.Is(err, s.err) {
			t.Errorf("%s: got %v, %v, want %v, %v", s.name, got, err, s.want, s.err)
		}
		if e, ok := errors.AsType[*NoDialogError](err); ok != unknown || ok && e.ID != s.id {
			t.Errorf("%s: got %v", s.name, err)
		}
	}
}

func TestOpenDialog(t *testing.T) {
	answered, open := &Dialog{ID: "d1", ClosedBy: byAgent}, &Dialog{ID: "d2"}
	d := dialogs{pending: []*Dialog{answered, open}}
	if e, ok := errors.AsType[*DialogOpen](d.open()); !ok || e.Dialog.ID != "d2" {
		t.Errorf("got %v, want that d2 is open", d.open())
	}
	d.pending = d.pending[:1]
	if err := d.open(); err != nil {
		t.Errorf("one that was answered blocks: %v", err)
	}
}
