package cli

import (
	"os/exec"
	"syscall"

	"golang.org/x/sys/windows"
)

// detach lets cmd live on when the console closes. Without a console it gets neither
// the events of its end nor its Ctrl-C.
func detach(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.DETACHED_PROCESS | windows.CREATE_NEW_PROCESS_GROUP}
}

// keepPrivate has nothing to do: files get their rights from the folder that they are in.
func keepPrivate() {}
