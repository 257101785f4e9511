// Package child parses documents that strangers wrote. It does so in processes of their own, which
// have limits and can be killed.
//
// A parser can be made to run for ever, to take all memory, or to nest until its stack is full. The
// last two end a Go program whatever it recovers from, and with the server all browsers would end.
// So the server parses nothing of that kind itself. It starts this program once more, by another
// name, and sends it one piece of work after the other (wire.go). A child that takes too much
// memory ends itself (watch.go); one that takes too much time is killed (pool.go). Both are
// [ErrTooMuch]. A child says when it begins: the failure of a child that has not begun says
// nothing about the document, and is [ErrNotBegun].
//
// A child does one piece of work at a time, so work that ends its child ends no other work.
package child

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"sync/atomic"
	"time"
)

// Work is something that children do, with its limits.
type Work struct {
	Name   string        // a child finds the work by its name
	Memory int64         // how many bytes the child may use
	Time   time.Duration // how long one task may take

	// Do does the work, in the child. Its result becomes JSON. If it returns an error or panics,
	// [Pool.Do] returns an error with the same text.
	Do func(Task) (any, error)
}

// A Task is one piece of work for a child.
type Task struct {
	Params json.RawMessage
	Body   []byte
	Left   time.Duration // how long until the child is ended
}

// ErrTooMuch says that work took more time or memory than it may.
var ErrTooMuch = errors.New("it takes too much time or memory")

// ErrNotBegun says that no child has begun the work: at the deadline, or because two children have ended before that.
var ErrNotBegun = errors.New("the process that reads documents has not begun")

const (
	name          = "chela-parses"   // argv[0] of a child
	maxProcessors = 2                // processors that a child uses at once: one for its work, one for the garbage collector
	maxStack      = 64 << 20         // bytes
	maxGrown      = 64 << 20         // bytes that a child may keep after a task; if it has more, the child ends
	maxReply      = 32 << 20         // bytes of a result
	maxRequest    = 128 << 20        // bytes of params and of a body
	idleTime      = 30 * time.Second // children without work end after this time
)

// RunIfChild is to be called first by each program that calls [Pool.Do], and by its tests. In a
// process that Do has started, it does the work and ends the process. In any other process it
// returns at once.
func RunIfChild(all ...*Work) {
	runsChildren.Store(true)
	if len(os.Args) != 1 || os.Args[0] != name {
		return
	}
	debug.SetMaxStack(maxStack)
	runtime.GOMAXPROCS(min(maxProcessors, runtime.GOMAXPROCS(0)))
	requests := make(chan request)
	go func() {
		for in := bufio.NewReader(os.Stdin); ; {
			var r request
			if err := receive(in, &r.head, &r.body, maxRequest); err != nil {
				os.Exit(0) // the process that has started this one has ended, or no longer needs it
			}
			requests <- r
		}
	}()
	for r := range requests {
		if last, err := answer(r, all); last || err != nil {
			os.Exit(1)
		}
	}
}

// runsChildren says that RunIfChild was called. Only then does this program, started once more,
// become a child instead of running as a whole.
var runsChildren atomic.Bool

// answer does the work that a request names, and sends its result. If the result last is true, this
// process keeps too much memory, and the pool starts a new one for the next work.
func answer(r request, all []*Work) (last bool, err error) {
	for _, w := range all {
		if w.Name != r.head.Work {
			continue
		}
		if err := send(os.Stdout, struct{}{}, nil); err != nil { // the work begins
			return true, err
		}
		end := watch(w.Memory)
		result, err := attempt(w, Task{r.head.Params, r.body, r.head.Left})
		var raw []byte
		if err == nil {
			raw, err = encode(result)
		}
		end()
		head := replyHead{Last: memoryUsed() > maxGrown}
		if err != nil {
			head.Fault = err.Error()
		}
		return head.Last, send(os.Stdout, head, raw)
	}
	return true, fmt.Errorf("no work is called %q", r.head.Work)
}

// attempt does the work. It turns a panic of a library into an error.
func attempt(w *Work, t Task) (result any, err error) {
	defer func() {
		if broken := recover(); broken != nil {
			err = fmt.Errorf("%s: %v\n%s", w.Name, broken, debug.Stack())
		}
	}()
	return w.Do(t)
}
