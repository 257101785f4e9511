//go:build !windows

package cli

import "os"

// showsStyles reports whether a terminal shows styles, such as bold text. The value dumb says that it
// does not; the shell in an editor, for example, sets it.
func showsStyles(*os.File) bool { return os.Getenv("TERM") != "dumb" }
