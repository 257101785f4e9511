package program

import (
	"os"
	"syscall"
)

func groupAttributes() *syscall.SysProcAttr { return nil }

// killGroup ends the process. What it has started goes on: Windows has no process groups.
func killGroup(leader *os.Process) error { return leader.Kill() }
