package child

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"time"
)

// A process is one child.
type process struct {
	cmd   *exec.Cmd
	in    io.WriteCloser
	pipe  *os.File // the child's standard output
	out   *bufio.Reader
	ended chan struct{} // closed when the process has ended
	since time.Time     // since when an idle child has had no work
}

// start starts a child.
func start() (*process, error) {
	if !runsChildren.Load() {
		return nil, errors.New("child.RunIfChild was not called")
	}
	self, err := program()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(self)
	cmd.Args = []string{name}
	cmd.Env = []string{"GORACE=" + os.Getenv("GORACE")} // GORACE, which makes a child with Go's race detector end at once, is the only variable that it inherits
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, ours, err := os.Pipe()
	if err != nil {
		in.Close()
		return nil, err
	}
	defer ours.Close()
	cmd.Stdout = ours
	if err := cmd.Start(); err != nil {
		in.Close()
		out.Close()
		return nil, err
	}
	c := &process{cmd: cmd, in: in, pipe: out, out: bufio.NewReader(out), ended: make(chan struct{})}
	go func() {
		cmd.Wait() // closes its standard input
		close(c.ended)
	}()
	return c, nil
}

// program returns the file of this program, even if another one was installed in its place
// meanwhile.
func program() (string, error) {
	if runtime.GOOS == "linux" {
		return "/proc/self/exe", nil
	}
	return os.Executable()
}

func (c *process) hasEnded() bool {
	select {
	case <-c.ended:
		return true
	default:
		return false
	}
}

// errNotSent says that a child did not take a request, and so has not begun the work.
var errNotSent = errors.New("the request was not sent")

// work sends a request to the child, and decodes the result, if there is one. After an error the
// child has ended, or is being ended. The error is [errNotSent] if the child did not take the request.
func (c *process) work(ctx context.Context, head requestHead, body []byte, result any) (reply replyHead, err error) {
	stop := context.AfterFunc(ctx, func() { c.cmd.Process.Kill() })
	defer stop()
	if err := send(c.in, head, body); err != nil {
		return reply, fmt.Errorf("%w: %w", errNotSent, err)
	}
	var raw []byte
	if err := receive(c.out, &reply, &raw, maxReply); err != nil {
		return reply, err
	}
	if !stop() {
		return reply, context.Cause(ctx) // the child was killed after its answer
	}
	if reply.Fault != "" {
		return reply, nil
	}
	return reply, json.Unmarshal(raw, result)
}

// end ends the child, and waits until it has ended.
func (c *process) end() {
	c.cmd.Process.Kill()
	<-c.ended
	c.pipe.Close()
}
