//go:build unix

package cli

import (
	"os/exec"
	"syscall"
)

// detach lets cmd live on when the terminal closes. A new session has no terminal, so
// it gets neither the hangup signal of the terminal's end nor its Ctrl-C.
func detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
