package chrome

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"chela/internal/base/process"
)

// groupAttributes puts the browser into a process group of its own. With Pdeathsig, the kernel
// kills the browser when the thread of chela that started it ends.
func groupAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// onlyZombies reports whether all processes of the group have ended and only their entries in the
// process table are left. After the end of the browser's main process (a child of chela), process 1
// is the parent of the others. Process 1 may be slow to wait for them, and in a container often
// never does.
func onlyZombies(group int) bool { return len(living(group)) == 0 }

// living returns the directories in /proc of the processes of a group that have not ended.
func living(group int) (dirs []string) {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat") // the pattern is well formed
	for _, file := range stats {
		stat, err := os.ReadFile(file)
		if err != nil {
			continue // the process has ended meanwhile
		}
		var state string
		var parent, of int
		// These fields follow the program's name, which is in brackets and may have spaces and
		// brackets in it.
		fmt.Sscan(string(stat[bytes.LastIndexByte(stat, ')')+1:]), &state, &parent, &of)
		if of == group && state != "Z" && state != "X" {
			dirs = append(dirs, filepath.Dir(file))
		}
	}
	return dirs
}

// tryNamespace starts a process in a new user namespace. It returns the kernel's error if the
// kernel refuses the namespace. Any other failure says nothing about namespaces, and is not
// returned.
func tryNamespace() error {
	cmd := exec.Command("/bin/true")
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWUSER}
	err := cmd.Run()
	for _, refusal := range []error{syscall.EPERM, syscall.EACCES, syscall.ENOSPC, syscall.ENOSYS} {
		if errors.Is(err, refusal) {
			return refusal
		}
	}
	return nil
}

// usesProfile reports whether the process pid is a browser that runs on dir, and whether that is
// certain. Process ids are used again, even for browsers on other directories, so only the command
// line is proof. A zombie has no command line. If the system hides the command lines of other
// users, a running process counts as the browser, but not for certain.
func usesProfile(pid int, dir string) (uses, certain bool) {
	line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	if err != nil {
		there := process.Runs(strconv.Itoa(pid))
		return there, !there
	}
	for arg := range strings.SplitSeq(string(line), "\x00") {
		if used, ok := strings.CutPrefix(arg, "--user-data-dir="); ok && sameDir(used, dir) {
			return true, true
		}
	}
	return false, true
}

// sameDir reports whether two paths lead to the same directory.
func sameDir(a, b string) bool {
	if filepath.Clean(a) == filepath.Clean(b) {
		return true
	}
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(infoA, infoB)
}
