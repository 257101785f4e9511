//go:build !windows

package cli

import "os"

// showsStyles reports whether a terminal shows styles, such as bold text. The value dumb of the
// variable TERM says that it does not. For example, the shell in an editor sets this value.
func showsStyles(*os.File) bool { return os.Getenv("TERM") != "dumb" }
