// Package program runs a program that the configuration names, without a shell. It also has the
// variables that programs of others inherit.
package program

import (
	"errors"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"time"
)

// outputTime is how long Run waits for the end of the output after the program has exited. A process
// that the program has left behind may hold the output open.
const outputTime = time.Second

// Environment returns the variables that a program of others inherits. These are all except chela's,
// which contain the secrets that control a browser.
func Environment() []string {
	return slices.DeleteFunc(os.Environ(), func(variable string) bool {
		name := strings.ToUpper(variable) // Windows does not distinguish case
		return strings.HasPrefix(name, "CHELA_") || strings.HasPrefix(name, "OPENCLAW_")
	})
}

// Run runs cmd without chela's secrets, in a process group of its own. When cmd or its context has
// ended, Run ends the whole group. A program that leaves another process behind is no error. On
// Linux, the kernel kills the program when the thread that started it ends. So the program does not
// outlive chela; Run keeps the thread until then.
func Run(cmd *exec.Cmd) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	cmd.Env, cmd.WaitDelay, cmd.SysProcAttr = Environment(), outputTime, groupAttributes()
	cmd.Cancel = func() error { return killGroup(cmd.Process) }
	if err := cmd.Start(); err != nil {
		return err
	}
	defer killGroup(cmd.Process) // ends processes that the program has left behind
	if err := cmd.Wait(); !errors.Is(err, exec.ErrWaitDelay) {
		return err
	}
	return nil
}
