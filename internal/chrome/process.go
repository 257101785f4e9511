package chrome

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"time"
)

const (
	// patience is how long a browser may take to end when asked to.
	patience = 2500 * time.Millisecond
	// killPatience is how long its children may take to be gone when killed.
	killPatience = 250 * time.Millisecond
	// lastWordsPatience is how long what it left behind may hold its stderr.
	lastWordsPatience = 100 * time.Millisecond
)

// Process is a browser that was started.
type Process struct {
	PID int

	// In takes commands and Out gives replies and events, each ended by a NUL;
	// nil where the browser listens at WebSocketURL instead.
	In           io.WriteCloser
	Out          io.ReadCloser
	WebSocketURL string

	dir    string
	group  group
	exited chan struct{}
	end    *ExitError // set before exited is closed
}

// ExitError is how a browser ended.
type ExitError struct {
	State string // "exit status 1", "signal: killed"
	Words string // the end of what it said on stderr
}

func (e *ExitError) Error() string {
	if e.Words == "" {
		return "browser ended (" + e.State + ")"
	}
	return "browser ended (" + e.State + "): " + e.Words
}

// Exited is closed when the browser has ended and left nothing running.
func (p *Process) Exited() <-chan struct{} { return p.exited }

// ExitErr is nil while the browser runs, then an [*ExitError], also when it
// ended as it should.
func (p *Process) ExitErr() error {
	select {
	case <-p.exited:
		return p.end
	default:
		return nil
	}
}

// Terminate asks the browser to end, kills it and its children when that takes
// too long or ctx ends, and returns when it is gone.
func (p *Process) Terminate(ctx context.Context) error {
	defer p.closePipes()
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if errors.Is(p.group.ask(), errors.ErrUnsupported) {
		cancel()
	}
	select {
	case <-p.exited:
		return nil
	case <-ctx.Done():
	}
	if p.ExitErr() != nil { // its id may be of another by now
		return nil
	}
	if err := p.group.kill(); err != nil {
		return fmt.Errorf("kill browser %d: %w", p.PID, err)
	}
	<-p.exited
	return nil
}

func (p *Process) closePipes() {
	if p.In != nil {
		p.In.Close()
		p.Out.Close()
	}
}

// start runs cmd with both ends of its pipes in place, and watches over it.
func (p *Process) start(cmd *exec.Cmd) error {
	words, stderr, err := os.Pipe()
	if err != nil {
		return err
	}
	defer stderr.Close()
	cmd.Stderr = stderr
	if !byPort {
		commands, replies, err := p.pipes()
		if err != nil {
			words.Close()
			return err
		}
		defer commands.Close()
		defer replies.Close()
		cmd.ExtraFiles = []*os.File{commands, replies} // descriptors 3 and 4
	}
	started := make(chan error)
	go p.watch(cmd, words, started)
	if err := <-started; err != nil {
		p.closePipes()
		return err
	}
	return nil
}

// pipes opens our ends and gives those of the browser.
func (p *Process) pipes() (commands, replies *os.File, err error) {
	commands, in, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	out, replies, err := os.Pipe()
	if err != nil {
		commands.Close()
		in.Close()
		return nil, nil, err
	}
	p.In, p.Out = in, out
	return commands, replies, nil
}

// watch starts the browser and stays until it has ended. It keeps its thread:
// Linux kills the browser when the thread that forked it ends, and that must
// mean that we ended.
func (p *Process) watch(cmd *exec.Cmd, words *os.File, started chan<- error) {
	runtime.LockOSThread()
	group, err := startGroup(cmd)
	if err != nil {
		words.Close()
		started <- err
		return
	}
	p.PID, p.group = cmd.Process.Pid, group
	last := listen(words)
	started <- nil

	state := "unknown"
	if s, err := cmd.Process.Wait(); err == nil {
		state = s.String()
	}
	p.closePipes() // its children may hold the other ends
	bury(group)
	unlock(p.dir, p.PID)
	p.end = &ExitError{State: state, Words: last.end()}
	close(p.exited)
}

// bury kills what the browser left running, and stays until it no longer
// writes into the profile. It gives up on zombies that their new parent leaves.
func bury(g group) {
	limit := time.After(killPatience)
	look := time.NewTicker(5 * time.Millisecond)
	defer look.Stop()
	for g.kill(); !g.gone(); {
		select {
		case <-look.C:
		case <-limit:
			return
		}
	}
}
