//go:build unix

package program

import (
	"errors"
	"os"
	"syscall"
)

// killGroup ends all processes of the group that the process leads. The error is
// [os.ErrProcessDone] if there are none.
func killGroup(leader *os.Process) error {
	err := syscall.Kill(-leader.Pid, syscall.SIGKILL)
	if errors.Is(err, syscall.ESRCH) {
		return os.ErrProcessDone
	}
	return err
}
