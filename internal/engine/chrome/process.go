package chrome

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"
)

const (
	// terminateTimeout is how long a browser may take to exit after SIGTERM.
	terminateTimeout = 2500 * time.Millisecond
	// killTimeout is how long the browser's processes may take to end after SIGKILL.
	killTimeout = 250 * time.Millisecond
	// stderrTimeout is how long to wait for the end of stderr after the browser has exited. A
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

// ExitError says how a browser ended, even if it ended as intended.
type ExitError struct {
	State  string // such as "exit status 1" or "signal: killed"
	Stderr string // the end of Chromium's output on stderr, at most 2,000 bytes
}

func (e *ExitError) Error() string {
	if e.Stderr == "" {
		return "browser ended (" + e.State + ")"
	}
	return "browser ended (" + e.State + "): " + e.reason()
}

// reason returns the lines with which Chromium says why it ends itself. If there are none, it returns
// all of Stderr. Most other lines, about D-Bus and the like, are in the output of each start.
func (e *ExitError) reason() string {
	var fatal []string
	for line := range strings.Lines(e.Stderr) {
		if strings.Contains(line, ":FATAL:") {
			fatal = append(fatal, strings.TrimSpace(line))
		}
	}
	if len(fatal) == 0 {
		return e.Stderr
	}
	return strings.Join(fatal, "\n")
}

// LacksFiles reports whether the browser ended because it could not open more files.
func (e *ExitError) LacksFiles() bool { return strings.Contains(e.Stderr, "Too many open files") }

// LacksTemp reports whether the browser ended because it could not make its socket in the folder for
// temporary files. The folder is missing, or its path is too long for a socket.
func (e *ExitError) LacksTemp() bool {
	return strings.Contains(e.Stderr, "Socket path too long") || strings.Contains(e.Stderr, "Failed to create socket directory")
}

// Exited returns a channel that is closed when the browser and all its processes have ended.
func (p *Process) Exited() <-chan struct{} { return p.exited }

// ExitErr returns nil while the browser runs, and then an [*ExitError], even if it ended as
// intended.
func (p *Process) ExitErr() error {
	select {
	case <-p.exited:
		return p.end
	default:
		return nil
	}
}

// Terminate sends SIGTERM to the browser. If the browser has not exited after terminateTimeout, or
// when ctx ends, it sends SIGKILL to the whole process group. If ctx has ended already, it sends that
// at once, as on Windows, which has no SIGTERM. It returns when the browser has exited. The error comes
// from the kill. It may be called more than once.
//
// After SIGTERM Chromium closes its windows and writes cookies and settings to disk. A kill loses
// what has changed in the last seconds.
func (p *Process) Terminate(ctx context.Context) error {
	defer p.closePipes()
	ctx, cancel := context.WithTimeout(ctx, terminateTimeout)
	defer cancel()
	if ctx.Err() != nil || errors.Is(p.group.terminate(), errors.ErrUnsupported) {
		cancel()
	}
	select {
	case <-p.exited:
		return nil
	case <-ctx.Done():
	}
	if p.ExitErr() != nil { // the process has just exited: its id may belong to another process now
		return nil
	}
	if err := p.group.kill(); err != nil {
		return fmt.Errorf("kill browser %d: %w", p.PID, err)
	}
	<-p.exited
	return nil
}

// closePipes closes chela's ends of the DevTools pipes. Chromium then ends by itself.
func (p *Process) closePipes() {
	if p.In != nil {
		p.In.Close()
		p.Out.Close()
	}
}

// start runs cmd with the pipes of the DevTools protocol and of stderr, and starts the goroutine
// that waits for the end of the browser. When the browser has inherited its ends of the pipes,
// chela closes its copies of them. If the copies stayed open, chela's own ends would never report
// that the browser has ended.
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
		cmd.ExtraFiles = []*os.File{commands, replies} // the child has them as descriptors 3 and 4
	}
	started := make(chan error)
	go p.watch(cmd, ours, started)
	if err := <-started; err != nil {
		p.closePipes()
		return err
	}
	return nil
}

// pipes opens the two pipes of the DevTools protocol. It keeps chela's ends in p, and returns those
// of the browser.
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
// The order at the end matters. The mark on the user data directory (singletonLock) is removed when
// no process writes to the directory any more. The channel of Exited is closed last, so a caller
// that has waited for it can start the next browser on the directory at once.
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
	p.closePipes() // children of the browser may still hold the other ends
	killRest(group)
	forgetTabs(p.UserDataDir) // after an error, the next start tries again
	unlock(p.UserDataDir, p.PID)
	p.end = &ExitError{State: state, Stderr: tail.close()}
	close(p.exited)
}

// killRest kills the processes that the browser has left running, and waits until they have ended.
// Until then they write to the user data directory, which the next browser would use at the same
// time. There is no event for the end of a process that is not a child of chela, so killRest polls.
// After killTimeout it gives up, because in a container zombies may stay for ever.
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
