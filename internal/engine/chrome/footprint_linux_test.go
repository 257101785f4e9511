package chrome

import (
	"os"
	"os/exec"
	"syscall"
	"testing"
)

// Footprint finds the memory of a group as long as its processes run.
func TestFootprint(t *testing.T) {
	cmd := exec.Command("cat")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if bytes, ok := Footprint(cmd.Process.Pid); !ok || bytes <= 0 {
		t.Errorf("the footprint of a process is %d, %v", bytes, ok)
	}
	in.Close()
	cmd.Wait()
	if bytes, ok := Footprint(cmd.Process.Pid); ok {
		t.Errorf("process %d of %d has ended, and its footprint is %d", cmd.Process.Pid, os.Getpid(), bytes)
	}
}
