package cli

import (
	"os/exec"
	"syscall"

	"golang.org/x/sys/windows"
)

// detach lets cmd live on when the console closes. Without a console, cmd gets neither the event
// for the closing of the console nor the event for Ctrl-C.
func detach(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.DETACHED_PROCESS | windows.CREATE_NEW_PROCESS_GROUP}
}

// keepPrivate does nothing on Windows: files inherit their permissions from their folder.
func keepPrivate() {}

// asUser calls the function do.
func asUser(do func() error) error { return do() }
