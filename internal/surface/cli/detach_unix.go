//go:build unix

package cli

import (
	"os/exec"
	"syscall"
)

// keepPrivate makes this process, and those that it starts, create files and folders that only
// their user can read. Browsers leave the modes of their files to the umask. The user's own umask
// is replaced: if it took rights from the user, chela could not use its own state.
func keepPrivate() { syscall.Umask(0o077) }

// detach lets cmd live on when the terminal closes. A new session has no terminal, so it gets
// neither the hangup signal at the terminal's end nor its Ctrl-C.
func detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
