//go:build unix

package cli

import (
	"os/exec"
	"syscall"
)

// keepPrivate makes this process, and those that it starts, create files and folders that only
// their user can read. Browsers leave the modes of their files to the umask. The umask that the
// user has set is replaced. Otherwise a umask that takes rights even from the user would make
// chela's own state unusable.
func keepPrivate() { syscall.Umask(0o077) }

// detach lets cmd live on when the terminal closes. It gives cmd a session of its own, without a
// terminal. So cmd gets neither the hangup signal when the terminal closes nor the signal of Ctrl-C.
func detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
