package child

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"
)

const mb = 1 << 20

// The kinds of work for these tests. Their memory limits are large enough for a program with the
// race detector.
var (
	echo = &Work{Name: "echo", Memory: 64 * mb, Time: time.Minute, Do: func(t Task) (any, error) {
		return string(t.Params) + string(t.Body), nil
	}}
	pid     = &Work{Name: "pid", Memory: 64 * mb, Time: time.Minute, Do: func(Task) (any, error) { return os.Getpid(), nil }}
	failing = &Work{Name: "failing", Memory: 64 * mb, Time: time.Minute, Do: func(Task) (any, error) { return nil, errors.New("no such thing") }}
	broken  = &Work{Name: "broken", Memory: 64 * mb, Time: time.Minute, Do: func(Task) (any, error) { panic("out of range") }}
	endless = &Work{Name: "endless", Memory: 64 * mb, Time: time.Minute, Do: func(Task) (any, error) {
		for n := 1; n > 0; n = n%7 + 1 {
		}
		return nil, nil
	}}
	greedy = &Work{Name: "greedy", Memory: 64 * mb, Time: time.Minute, Do: func(Task) (any, error) {
		var all [][]byte
		for {
			all = append(all, make([]byte, mb))
			clear(all[len(all)-1])
		}
	}}
	nested  = &Work{Name: "nested", Memory: 200 * mb, Time: time.Minute, Do: func(Task) (any, error) { return nest(1), nil }}
	growing = &Work{Name: "growing", Memory: 200 * mb, Time: time.Minute, Do: func(Task) (any, error) {
		return len(strings.Repeat("x", 100*mb)), nil
	}}
)

// nest calls itself until the stack is full.
func nest(n int) int {
	if n < 0 {
		return 0
	}
	return n + nest(n+1)
}

func TestMain(m *testing.M) {
	RunIfChild(echo, pid, failing, broken, endless, greedy, nested, growing)
	os.Exit(m.Run())
}

func pool(t *testing.T) *Pool {
	p := NewPool()
	t.Cleanup(p.Close)
	return p
}

func (p *Pool) mustPID(t *testing.T) (id int) {
	t.Helper()
	if err := p.Do(t.Context(), pid, nil, nil, &id); err != nil {
		t.Fatal(err)
	}
	return id
}

func TestWork(t *testing.T) {
	p := pool(t)
	var got string
	if err := p.Do(t.Context(), echo, map[string]int{"a": 1}, []byte("body"), &got); err != nil || strings.TrimSpace(got) != `{"a":1}body` {
		t.Errorf("got %q, %v", got, err)
	}
	first := p.mustPID(t)
	for _, w := range []*Work{failing, broken} {
		if err := p.Do(t.Context(), w, nil, nil, new(any)); err == nil || errors.Is(err, ErrTooMuch) {
			t.Errorf("%s: %v", w.Name, err)
		}
	}
	if p.mustPID(t) != first {
		t.Error("a child that has answered did not get the next work")
	}
}

// Work that takes too much time or memory ends its child. Another child does the next work.
func TestTooMuch(t *testing.T) {
	p := pool(t)
	for _, w := range []*Work{endless, greedy, nested} {
		before := p.mustPID(t)
		limit := time.Minute
		if w == endless {
			limit = 200 * time.Millisecond
		}
		ctx, cancel := context.WithTimeout(t.Context(), limit)
		err := p.Do(ctx, w, nil, nil, new(any))
		if !errors.Is(err, ErrTooMuch) {
			t.Errorf("%s: %v", w.Name, err)
		}
		cancel()
		if p.mustPID(t) == before {
			t.Errorf("%s has not ended its child", w.Name)
		}
	}
	limited := *endless
	limited.Time = 10 * time.Millisecond
	if err := p.Do(t.Context(), &limited, nil, nil, new(any)); !errors.Is(err, ErrTooMuch) {
		t.Errorf("without a deadline: %v", err)
	}
}

// Work that never ends does not keep other work waiting as long as a place is free.
func TestBesideEndlessWork(t *testing.T) {
	p := pool(t)
	ctx, cancel := context.WithCancelCause(t.Context())
	gone, ended := errors.New("the caller has gone"), make(chan error)
	for range minAtOnce - 1 {
		go func() { ended <- p.Do(ctx, endless, nil, nil, new(any)) }()
	}
	for range 3 {
		p.mustPID(t)
	}
	cancel(gone)
	for range minAtOnce - 1 {
		if err := <-ended; err != gone {
			t.Errorf("the endless work: %v", err)
		}
	}
}

// When all places are taken, work waits until its deadline.
func TestNoPlace(t *testing.T) {
	p := &Pool{places: make(chan struct{}, 1)}
	p.places <- struct{}{}
	ctx, cancel := context.WithCancelCause(t.Context())
	gone := errors.New("gone")
	cancel(gone)
	if err := p.Do(ctx, echo, nil, nil, new(any)); err != gone {
		t.Errorf("got %v", err)
	}
}

// A child may be killed while it has no work, and Do takes it before this is known. The work is then
// done by another child.
func TestChildThatCannotBeGivenWork(t *testing.T) {
	p := pool(t)
	p.Prepare()
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	reader.Close()
	defer writer.Close()
	first := p.idle[0]
	defer first.in.Close()
	first.in = writer
	p.mustPID(t)
	<-first.ended
}

// A child ends when it had no work for long, although another one has worked meanwhile.
func TestIdleChildrenEndOneByOne(t *testing.T) {
	p := pool(t)
	first, err := p.take(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	second, err := p.take(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	p.giveBack(first, true)
	since := time.Now()
	p.giveBack(second, true)
	p.mustPID(t)
	p.endIdle(since.Add(idleTime))
	if !first.hasEnded() || second.hasEnded() || p.timer == nil {
		t.Errorf("ended: %v and %v, want only the first; the next end is planned: %v", first.hasEnded(), second.hasEnded(), p.timer != nil)
	}
	p.endIdle(time.Now().Add(idleTime))
	if !second.hasEnded() || p.timer != nil {
		t.Errorf("the second has ended: %v; another end is planned: %v", second.hasEnded(), p.timer != nil)
	}
}

func TestChildrenThatEnd(t *testing.T) {
	p := pool(t)
	p.Prepare()
	p.Prepare()
	if len(p.idle) != 1 {
		t.Fatalf("%d children were prepared", len(p.idle))
	}
	first := p.mustPID(t)
	p.idle[0].cmd.Process.Kill()
	<-p.idle[0].ended
	second := p.mustPID(t)
	if second == first {
		t.Error("a child that was killed did work")
	}
	p.endIdle(time.Now().Add(idleTime))
	if third := p.mustPID(t); third == second {
		t.Error("a child that had no work for long did not end")
	}
	if err := p.Do(t.Context(), growing, nil, nil, new(int)); err != nil {
		t.Error(err)
	}
	if len(p.idle) != 0 {
		t.Error("a child that has grown is kept")
	}
	p.Close()
	if err := p.Do(t.Context(), echo, nil, nil, new(any)); err != ErrClosed {
		t.Errorf("after the end: %v", err)
	}
	p.Prepare()
	if len(p.idle) != 0 {
		t.Error("a closed pool has started a child")
	}
}
