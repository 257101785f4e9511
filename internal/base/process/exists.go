package process

import (
	"errors"
	"os"
	"syscall"
)

// exists reports whether a process has this id. A process that we may not send signals to exists.
func exists(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	defer p.Release()
	return !errors.Is(p.Signal(syscall.Signal(0)), os.ErrProcessDone)
}
