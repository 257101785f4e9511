//go:build unix && !linux

package chrome

import (
	"os/exec"
	"strconv"
	"strings"
	"syscall"

	"chela/internal/base/process"
)

// groupAttributes puts the browser into a process group of its own. This system cannot kill it when
// chela dies, but Chromium ends by itself when its pipe is closed.
func groupAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true}
}

// onlyZombies returns false, because this system does not say which processes are zombies. The
// caller waits until the process table has no entry of the group.
func onlyZombies(int) bool { return false }

func tryNamespace() error { return nil }

// usesProfile reports whether the process pid is a browser that runs on dir, and whether that is
// certain. The output of ps has spaces between arguments, and the path may also contain spaces. So
// the path must be followed by another flag or by nothing.
func usesProfile(pid int, dir string) (uses, certain bool) {
	line, err := exec.Command("ps", "-ww", "-o", "command=", "-p", strconv.Itoa(pid)).Output()
	if err != nil {
		there := process.Runs(strconv.Itoa(pid))
		return there, !there
	}
	words := strings.TrimSpace(string(line)) + " --"
	return strings.Contains(words, "--user-data-dir="+dir+" --"), true
}
