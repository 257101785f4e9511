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
func keepPrivate() { userMask = syscall.Umask(0o077) }

// userMask is the umask that keepPrivate has replaced.
var userMask = 0o077

// asUser calls the function do with the umask of the user. It is for files that are not chela's own,
// and for programs of the user.
func asUser(do func() error) error {
	defer syscall.Umask(syscall.Umask(userMask))
	return do()
}

// detach lets cmd live on when the terminal closes. It gives cmd a session of its own, without a
// terminal. So cmd gets neither the hangup signal when the terminal closes nor the signal of Ctrl-C.
func detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
