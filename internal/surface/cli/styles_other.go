//go:build !windows

package cli

import "os"

// showsStyles reports whether a terminal shows styles. The shell of an editor, for example, says by
// this variable that it does not.
func showsStyles(*os.File) bool { return os.Getenv("TERM") != "dumb" }
