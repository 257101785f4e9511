// Package wiretest has a [wire.Line] within one process, for tests.
package wiretest

import (
	"context"
	"strings"
	"sync"
	"time"

	"chela/internal/fleet/wire"
)

// A Line is a [wire.Line] in memory. Tests can interrupt it, like a network.
type Line struct {
	mu    sync.Mutex // guards the rest
	begun time.Time
	cut   bool
	subs  map[*subscription]bool
}

type subscription struct {
	subject string
	inbox   chan func()
	handle  func([]byte, func([]byte) error)
}

// New returns a line.
func New() *Line { return &Line{begun: time.Now(), subs: map[*subscription]bool{}} }

// Cut(true) makes the line lose all messages, even the answers to earlier ones. Cut(false) ends that.
func (l *Line) Cut(cut bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.cut = cut
}

// Break(true) breaks the connection, so that the line loses all messages. Break(false) connects it
// again.
func (l *Line) Break(broken bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.cut, l.begun = broken, time.Now()
	if broken {
		l.begun = time.Time{}
	}
}

func (l *Line) isCut() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.cut
}

// Since implements [wire.Line].
func (l *Line) Since() time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.begun
}

// Most returns the size of the largest message in bytes, which is the default of NATS.
func (l *Line) Most() int { return 1 << 20 }

// Subscribe implements [wire.Line].
func (l *Line) Subscribe(subject string, handle func([]byte, func([]byte) error)) (func(), error) {
	s := &subscription{subject, make(chan func(), 1000), handle}
	l.mu.Lock()
	l.subs[s] = true
	l.mu.Unlock()
	done := make(chan struct{})
	go func() {
		defer close(done)
		for do := range s.inbox {
			do()
		}
	}()
	return sync.OnceFunc(func() {
		l.mu.Lock()
		delete(l.subs, s)
		close(s.inbox)
		l.mu.Unlock()
		<-done
	}), nil
}

// Request implements [wire.Line].
func (l *Line) Request(ctx context.Context, subject string, message []byte, each func([]byte) bool) error {
	answers := make(chan []byte, 1000)
	reply := func(answer []byte) error {
		if each == nil || l.isCut() {
			return nil
		}
		select {
		case answers <- answer:
		default:
		}
		return nil
	}
	if l.send(subject, message, reply) == 0 && !l.isCut() {
		return wire.ErrNobody
	}
	if each == nil {
		return nil
	}
	for {
		select {
		case answer := <-answers:
			if !each(answer) {
				return nil
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (l *Line) send(subject string, message []byte, reply func([]byte) error) (received int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.cut {
		return 0
	}
	for s := range l.subs {
		if matches(s.subject, subject) {
			received++
			s.inbox <- func() { s.handle(message, reply) }
		}
	}
	return received
}

func matches(pattern, subject string) bool {
	own, given := strings.Split(pattern, "."), strings.Split(subject, ".")
	if len(own) != len(given) {
		return false
	}
	for i := range own {
		if own[i] != "*" && own[i] != given[i] {
			return false
		}
	}
	return true
}
