//go:build unix && !linux

package chrome

import "syscall"

// groupAttributes has nothing that kills the browser when we die, but Chromium
// ends by itself when its pipe does.
func groupAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true}
}

// onlyZombies is not known here: the caller waits until the process table has no
// entry of the group.
func onlyZombies(int) bool { return false }

func tryNamespace() error { return nil }

func usesProfile(pid int, _ string) bool { return alive(pid) }
