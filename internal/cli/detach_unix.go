//go:build unix

package cli

import (
	"os/exec"
	"syscall"
)

// detach lets cmd live on when the terminal closes.
func detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
