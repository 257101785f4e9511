// Package program runs a program that the configuration names, without a shell.
package program

import (
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
)

// Environment returns the variables that such a program inherits. These are all except chela's, which
// contain the secrets that control a browser.
func Environment() []string {
	return slices.DeleteFunc(os.Environ(), func(variable string) bool {
		return strings.HasPrefix(variable, "CHELA_") || strings.HasPrefix(variable, "OPENCLAW_")
	})
}

// Run runs cmd in a process group of its own, and ends all of the group when cmd has ended, or its
// context. On Linux the program also ends with the thread that has started it, which is kept for that
// time: so it does not outlive chela.
func Run(cmd *exec.Cmd) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	cmd.SysProcAttr = groupAttributes()
	cmd.Cancel = func() error { return killGroup(cmd.Process) }
	if err := cmd.Start(); err != nil {
		return err
	}
	defer killGroup(cmd.Process) // ends processes that the program has left behind
	return cmd.Wait()
}
