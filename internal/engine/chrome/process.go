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
	// terminateTimeout is how long a browser may take to exit after SIGTERM.
	terminateTimeout = 2500 * time.Millisecond
	// killTimeout is how long its processes may take to be gone after SIGKILL.
	killTimeout = 250 * time.Millisecond
	// stderrTimeout is how long we wait for the end of stderr after the browser has exited. A
	// process that the browser started may hold the pipe open.
	stderrTimeout = 100 * time.Millisecond
)

// Process is a browser that was started, with all processes that it starts.
type Process struct {
	PID         int
	UserDataDir string // absolute

	// In takes commands and Out gives replies and events, each ended by a NUL; nil where the
	// browser listens at WebSocketURL instead.
	In           io.WriteCloser
	Out          io.ReadCloser
	WebSocketURL string

	group  group
	exited chan struct{}
	end    *ExitError // set before exited is closed
}

// ExitError says how a browser ended, also when it ended as it should.
type ExitError struct {
	State  string // "exit status 1", "signal: killed"
	Stderr string // the end of what it wrote to stderr, at most 2,000 bytes
}

func (e *ExitError) Error() string {
	if e.Stderr == "" {
		return "browser ended (" + e.State + ")"
	}
	return "browser ended (" + e.State + "): " + e.Stderr
}

// Exited is closed when the browser has ended and left nothing running.
func (p *Process) Exited() <-chan struct{} { return p.exited }

// ExitErr is nil while the browser runs, then an [*ExitError], also when it ended as it should.
func (p *Process) ExitErr() error {
	select {
	case <-p.exited:
		return p.end
	default:
		return nil
	}
}

// Terminate sends SIGTERM, and SIGKILL to the whole process group when the browser has not exited
// after 2.5 s or when ctx ends. On Windows, which has no SIGTERM, it ends all processes at once. It
// returns when the browser has exited. The error comes from the kill. It may be called more than
// once.
//
// After SIGTERM Chromium closes its windows and writes cookies and settings to the disk; a kill
// loses what has changed in the last seconds.
func (p *Process) Terminate(ctx context.Context) error {
	defer p.closePipes()
	ctx, cancel := context.WithTimeout(ctx, terminateTimeout)
	defer cancel()
	if errors.Is(p.group.terminate(), errors.ErrUnsupported) {
		cancel()
	}
	select {
	case <-p.exited:
		return nil
	case <-ctx.Done():
	}
	if p.ExitErr() != nil { // it has exited just now: its id may be that of another process
		return nil
	}
	if err := p.group.kill(); err != nil {
		return fmt.Errorf("kill browser %d: %w", p.PID, err)
	}
	<-p.exited
	return nil
}

// closePipes closes our ends of the DevTools pipes. Chromium ends by itself then.
func (p *Process) closePipes() {
	if p.In != nil {
		p.In.Close()
		p.Out.Close()
	}
}

// start runs cmd with the pipes of the DevTools protocol and of stderr, and starts the goroutine
// that waits for its end. Our copies of the browser's ends are closed when it has inherited them.
// If they stayed open, our ends would never report that the browser has ended.
func (p *Process) start(cmd *exec.Cmd) error {
	ours, stderr, err := os.Pipe()
	if err != nil {
		return err
	}
	defer stderr.Close()
	cmd.Stderr = stderr
	if !byPort {
		commands, replies, err := p.pipes()
		if err != nil {
			ours.Close()
			return err
		}
		defer commands.Close()
		defer replies.Close()
		cmd.ExtraFiles = []*os.File{commands, replies} // descriptors 3 and 4
	}
	started := make(chan error)
	go p.watch(cmd, ours, started)
	if err := <-started; err != nil {
		p.closePipes()
		return err
	}
	return nil
}

// pipes opens the two pipes of the DevTools protocol. It keeps our ends and returns those of the
// browser.
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

// watch starts the browser and waits until it has exited. It runs on a locked thread because of
// Pdeathsig. Linux kills the browser when the thread that forked it ends, and Go may end any thread
// that is not locked. The thread is never unlocked: it ends with this goroutine, when the browser
// has ended already.
//
// The order at the end matters. The mark on the user data directory is removed when no process
// writes to it any more. Exited is closed last, so a caller that has waited for it can start the
// next browser on the directory at once.
func (p *Process) watch(cmd *exec.Cmd, stderr *os.File, started chan<- error) {
	runtime.LockOSThread()
	group, err := startGroup(cmd)
	if err != nil {
		stderr.Close()
		started <- err
		return
	}
	p.PID, p.group = cmd.Process.Pid, group
	tail := followStderr(stderr)
	started <- nil

	state := "unknown"
	if s, err := cmd.Process.Wait(); err == nil {
		state = s.String()
	}
	p.closePipes() // its children may hold the other ends
	killRest(group)
	unlock(p.UserDataDir, p.PID)
	p.end = &ExitError{State: state, Stderr: tail.close()}
	close(p.exited)
}

// killRest kills the processes that the browser left running, and waits until they are gone. Until
// then they write to the user data directory. The next browser would use it at the same time, or a
// test could not remove it. There is no event for the end of a process that is not our child, so it
// polls. After killTimeout it gives up: in a container, zombies may stay for ever.
func killRest(g group) {
	limit := time.After(killTimeout)
	poll := time.NewTicker(5 * time.Millisecond)
	defer poll.Stop()
	for g.kill(); !g.gone(); {
		select {
		case <-poll.C:
		case <-limit:
			return
		}
	}
}
