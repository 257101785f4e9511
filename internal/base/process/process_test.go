package process

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
)

func TestRuns(t *testing.T) {
	other := exec.Command("cat")
	stdin, err := other.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	pid, start := other.Process.Pid, look(other.Process.Pid).start
	check := func(when string, rows map[string]bool) {
		t.Helper()
		for name, want := range rows {
			if got := Runs(name); got != want {
				t.Errorf("%s: %q runs: %v, want %v", when, name, got, want)
			}
		}
	}
	named := fmt.Sprintf("%d.%s", pid, start)
	check("while it runs", map[string]bool{
		Self(): true, named: true, fmt.Sprint(pid): true, fmt.Sprintf("%d.ABC", pid): true, // without a known start, the id is enough
		fmt.Sprintf("%d.1", os.Getpid()): false, "": false, "x": false,
	})
	if knowsStart := runtime.GOOS == "linux"; knowsStart {
		check("a later process has its id", map[string]bool{fmt.Sprintf("%d.1", pid): false})
		stdin.Close()
		for stateOf(t, pid) != "Z" { // the process has ended, and nobody has waited for it
			runtime.Gosched()
		}
		check("when it has ended", map[string]bool{named: false, fmt.Sprint(pid): false})
	}
	stdin.Close()
	other.Wait()
	check("when it has gone", map[string]bool{named: false, fmt.Sprint(pid): false})
}

func stateOf(t *testing.T, pid int) string {
	line, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(line[strings.LastIndexByte(string(line), ')')+1:]))[0]
}
