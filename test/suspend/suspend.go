//go:build unix

// Package suspend stops processes for tests of what hangs.
package suspend

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// Process stops a process until the end of the test. It returns when the process has stopped: the
// signal alone does not mean that, since threads run on until one of them has handled it. The result
// lets the process run again.
func Process(t testing.TB, pid int) (resume func()) {
	t.Helper()
	if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	resume = func() { syscall.Kill(pid, syscall.SIGCONT) }
	t.Cleanup(resume)
	for running(pid) {
		select {
		case <-t.Context().Done():
			t.Fatal(t.Context().Err())
		case <-time.After(5 * time.Millisecond):
		}
	}
	return resume
}

// running reports whether a thread of the process has not stopped. Where there is no /proc, it is
// not known.
func running(pid int) bool {
	stats, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", pid))
	for _, file := range stats {
		stat, err := os.ReadFile(file)
		if err != nil {
			continue // the thread has ended
		}
		var state string
		fmt.Sscan(string(stat[bytes.LastIndexByte(stat, ')')+1:]), &state)
		if state != "T" && state != "Z" {
			return true
		}
	}
	return false
}
