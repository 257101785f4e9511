package page

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"chela/internal/engine/setting"
	"chela/internal/reading/pagejs"
)

// A page is not reported as busy if it answers in time what is missing, although the wait itself
// answers late. A page that answers nothing is reported as busy.
func TestReasonAtTheDeadline(t *testing.T) {
	for _, c := range []struct {
		name   string
		answer string // answer of lastMissing; "": none
		want   pagejs.Missing
	}{
		{"a page that answered before", `{"now": 1, "value": {"missing": "covered", "by": "div"}}`, pagejs.Covered},
		{"a page that had found nothing", `{"now": 1, "value": {}}`, ""},
		{"a page that never answered", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, r := record(t, setting.Settings{})
			r.mu.Lock()
			r.evaluate = func(call string) string {
				if strings.Contains(call, `"lastMissing"`) {
					return c.answer
				}
				return ""
			}
			r.mu.Unlock()
			r.document("TAB")
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			_, err := (&Element{page: p, frame: p.main(), ref: Ref{Number: 1}, given: Ref{Number: 1}}).aim(ctx, needs{})
			lacks, ok := errors.AsType[*ElementError](err)
			if ok && lacks.Missing != c.want || !ok && (c.want != "" || !errors.Is(err, ErrBusy)) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

// A page is asked once more whether it answers if Chromium has ended chela's script. That happens
// when a script of another tab in the same process was ended.
func TestAwakeThoughTheScriptWasEnded(t *testing.T) {
	p, r := record(t, setting.Settings{})
	answers := []string{"error: Execution was terminated", `{"now": 1}`}
	r.mu.Lock()
	r.evaluate = func(string) string {
		next := answers[0]
		answers = answers[1:]
		return next
	}
	r.mu.Unlock()
	r.document("TAB")
	if err := p.Awake(t.Context()); err != nil {
		t.Error(err)
	}
}
