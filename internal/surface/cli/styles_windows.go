package cli

import (
	"os"

	"golang.org/x/sys/windows"
)

// showsStyles reports whether a terminal shows styles. A console of Windows writes the sequences for
// them as they are, until it is asked not to.
func showsStyles(terminal *os.File) bool {
	console := windows.Handle(terminal.Fd())
	var mode uint32
	if windows.GetConsoleMode(console, &mode) != nil {
		return false
	}
	return windows.SetConsoleMode(console, mode|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING) == nil
}
