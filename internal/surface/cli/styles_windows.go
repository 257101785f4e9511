package cli

import (
	"os"

	"golang.org/x/sys/windows"
)

// showsStyles reports whether a terminal shows styles, such as bold text, and makes it do so. Before
// that, a console of Windows prints the escape sequences for styles as characters.
func showsStyles(terminal *os.File) bool {
	console := windows.Handle(terminal.Fd())
	var mode uint32
	if windows.GetConsoleMode(console, &mode) != nil {
		return false
	}
	return windows.SetConsoleMode(console, mode|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING) == nil
}
