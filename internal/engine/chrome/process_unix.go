//go:build unix

package chrome

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// group is the process group of the browser and its children.
type group struct{ leader *os.Process }

func startGroup(cmd *exec.Cmd) (group, error) {
	cmd.SysProcAttr = groupAttributes()
	err := cmd.Start()
	return group{cmd.Process}, err
}

// terminate asks the browser to exit.
func (g group) terminate() error { return g.leader.Signal(syscall.SIGTERM) }

// kill ends all processes of the group at once. It is no error if the group has already ended.
func (g group) kill() error {
	if err := syscall.Kill(-g.leader.Pid, syscall.SIGKILL); !errors.Is(err, syscall.ESRCH) {
		return err
	}
	return nil
}

// gone reports whether no process of the group runs. When chela is process 1 of a container, it
// inherits the children of a dead browser; Wait4 removes these zombies from the process table.
func (g group) gone() bool {
	for {
		pid, err := syscall.Wait4(-g.leader.Pid, nil, syscall.WNOHANG, nil)
		if pid <= 0 && !errors.Is(err, syscall.EINTR) {
			break
		}
	}
	return errors.Is(syscall.Kill(-g.leader.Pid, 0), syscall.ESRCH) || onlyZombies(g.leader.Pid)
}

// endOther ends a process that is not a child of chela. It asks the process to exit. If the process
// has not exited after terminateTimeout, or when ctx ends, it kills the process and its group. The
// process may have no group of its own.
func endOther(ctx context.Context, process *os.Process) error {
	ctx, cancel := context.WithTimeout(ctx, terminateTimeout)
	defer cancel()
	if ended, err := signalUntilEnded(ctx, process, syscall.SIGTERM); ended || err != nil {
		return err
	}
	killRest(group{process})
	ctx, cancel = context.WithTimeout(context.Background(), killTimeout)
	defer cancel()
	_, err := signalUntilEnded(ctx, process, syscall.SIGKILL)
	return err
}

// signalUntilEnded sends a signal to a process, and waits until the process has ended or ctx ends.
// There is no event for the end of a process that is not a child of chela, so it polls. A zombie counts
// as running.
func signalUntilEnded(ctx context.Context, process *os.Process, s syscall.Signal) (ended bool, err error) {
	poll := time.NewTicker(5 * time.Millisecond)
	defer poll.Stop()
	for err = process.Signal(s); ; err = process.Signal(syscall.Signal(0)) {
		if errors.Is(err, os.ErrProcessDone) {
			return true, nil
		}
		if err != nil {
			return false, fmt.Errorf("end browser %d: %w", process.Pid, err)
		}
		select {
		case <-poll.C:
		case <-ctx.Done():
			return false, nil
		}
	}
}
