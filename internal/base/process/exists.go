package process

import (
	"errors"
	"os"
	"syscall"
)

// exists reports whether there is a process with this id. It may belong to another user.
func exists(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	defer p.Release()
	return !errors.Is(p.Signal(syscall.Signal(0)), os.ErrProcessDone)
}
