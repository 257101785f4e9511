// Package relay tests the extension in a browser with windows, as a person has it.
package relay

import (
	"fmt"
	"os"
	"os/exec"
	"testing"

	"chela/test/service"
)

// The tests need a display and a window manager, which `make relay` brings.
func TestMain(m *testing.M) {
	service.BeProgram()
	if os.Getenv("CHELA_TEST_RELAY") == "" {
		fmt.Println("not run: see make relay")
		return
	}
	os.Exit(withBuilt(func() int { return withWindows(m.Run) }))
}

// built is a folder for the program, if a test builds it.
var built string

func withBuilt(run func() int) int {
	var err error
	if built, err = os.MkdirTemp("", "chela-relay-test-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(built)
	return run()
}

// withWindows runs tests while a window manager gives the focus to windows that ask for it.
func withWindows(run func() int) int {
	manager := exec.Command("openbox")
	if err := manager.Start(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer manager.Wait()
	defer manager.Process.Kill()
	return run()
}
