package child

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"runtime"
	"sync/atomic"
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
	ended := make(chan struct{})
	go func() {
		cmd.Wait() // closes its standard input
		close(ended)
	}()
	return &process{cmd: cmd, in: in, pipe: out, out: bufio.NewReader(out), ended: ended}, nil
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

// A task is one piece of work, on its way through a [Pool].
type task struct {
	head requestHead
	body []byte

	begun  atomic.Bool // a child has the whole request, and does the work
	reply  replyHead
	result []byte     // JSON
	done   chan error // gets one value when reply and result are set, or with the reason why not
}

// work sends a task to the child, and waits for its reply. After an error the child has ended, or is
// being ended.
func (c *process) work(ctx context.Context, t *task) error {
	stop := context.AfterFunc(ctx, func() { c.cmd.Process.Kill() })
	defer stop()
	if deadline, ok := ctx.Deadline(); ok {
		t.head.Left = time.Until(deadline)
	}
	if err := send(c.in, t.head, t.body); err != nil {
		return err
	}
	if err := receive(c.out, &struct{}{}, new([]byte), maxReply); err != nil {
		return err
	}
	t.begun.Store(true)
	if err := receive(c.out, &t.reply, &t.result, maxReply); err != nil {
		return err
	}
	if !stop() {
		return context.Cause(ctx) // the child was killed after its answer
	}
	return nil
}

// end kills the child. It does not wait until the child has ended.
func (c *process) end() {
	c.cmd.Process.Kill()
	c.pipe.Close()
}

// endAll ends children, and waits until they have ended.
func endAll(all []*process) {
	for _, c := range all {
		c.end()
	}
	for _, c := range all {
		<-c.ended
	}
}
