package proxy

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
)

// The ports of another process of chela are known while it listens on them and runs.
func TestPortsOfOthers(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "ports")
	ours, theirs := SharePorts(folder), SharePorts(folder)
	remove := theirs.Add(18800)
	if !ours.has(18800) || ours.has(18801) || !slices.Equal(ours.all(), []uint16{18800}) {
		t.Errorf("while it listens: %v", ours.all())
	}
	remove()
	if ours.has(18800) || len(ours.all()) != 0 {
		t.Errorf("afterwards: %v", ours.all())
	}

	other := exec.Command("cat")
	stdin, err := other.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	entries := []string{fmt.Sprintf("%d.X", other.Process.Pid), fmt.Sprintf("%d.X", os.Getpid())}
	if runtime.GOOS == "linux" { // the start time of a process is known
		entries = append(entries, fmt.Sprintf("%d.1", other.Process.Pid))
	}
	for i, entry := range entries {
		dir := filepath.Join(folder, fmt.Sprint(18810+i))
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, entry), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if !ours.has(18810) {
		t.Error("another process runs, and its port is not known")
	}
	if ours.has(18811) {
		t.Error("a port of an earlier process that had our id is taken for one in use")
	}
	if runtime.GOOS == "linux" && ours.has(18812) {
		t.Error("a port of a process that has ended is taken for one in use, as another process has its id")
	}
	stdin.Close()
	other.Wait()
	if ours.has(18810) {
		t.Error("the process has ended, and its port is still refused")
	}
	if left, _ := os.ReadDir(folder); len(left) != 0 {
		t.Errorf("left: %v", left)
	}
}
