//go:build unix

package fleet

import (
	"syscall"
	"testing"
)

// stopProcess stops a process, as a machine does that goes to sleep.
func stopProcess(t testing.TB, pid int) { signal(t, pid, syscall.SIGSTOP) }

// stopGently has a process end as its user does.
func stopGently(t testing.TB, pid int) { signal(t, pid, syscall.SIGTERM) }

func continueProcess(t testing.TB, pid int) { signal(t, pid, syscall.SIGCONT) }

func signal(t testing.TB, pid int, s syscall.Signal) {
	t.Helper()
	if err := syscall.Kill(pid, s); err != nil {
		t.Fatal(err)
	}
}
