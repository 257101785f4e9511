package stage

import (
	"context"
	"errors"
	"testing"
)

// recorder is a watcher that records its calls.
type recorder struct {
	log  []string
	mine string // the header that TraceParent returns
}

func (r *recorder) Begin(ctx context.Context, s Stage) (context.Context, End) {
	r.log = append(r.log, "begin "+string(s))
	return ctx, func(err error) {
		text := "end " + string(s)
		if err != nil {
			text += ": " + err.Error()
		}
		r.log = append(r.log, text)
	}
}

func (r *recorder) TraceParent(context.Context) string { return r.mine }

// A stage is reported to the watcher of its context, and to nobody without one.
func TestStages(t *testing.T) {
	r := new(recorder)
	ctx := With(t.Context(), r)
	_, endTurn := Begin(ctx, Turn)
	_, endAct := Begin(ctx, Act)
	endAct(errors.New("covered"))
	endTurn(nil)
	want := []string{"begin turn", "begin act", "end act: covered", "end turn"}
	for i := range want {
		if i >= len(r.log) || r.log[i] != want[i] {
			t.Fatalf("reported %q, want %q", r.log, want)
		}
	}
	_, end := Begin(t.Context(), Turn)
	end(nil)
}

// A stage that nobody watches costs nothing.
func TestWithoutWatcher(t *testing.T) {
	ctx := t.Context()
	if n := testing.AllocsPerRun(100, func() {
		_, end := Begin(ctx, Turn)
		end(nil)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// A call passes on its own trace or, if it has none, that of its caller.
func TestTraceParent(t *testing.T) {
	ctx := WithParent(t.Context(), "")
	if got := TraceParent(ctx); got != "" {
		t.Errorf("without a trace, it is %q", got)
	}
	ctx = WithParent(ctx, "theirs")
	for _, mine := range []string{"", "mine"} {
		want := mine
		if mine == "" {
			want = "theirs"
		}
		if got := TraceParent(With(ctx, &recorder{mine: mine})); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
