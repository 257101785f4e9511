//go:build !unix

package media

import "io/fs"

// noWait is 0 on systems without named pipes in folders.
const noWait = 0

// ownedByUs is always true on systems without numeric owners of files. There the temporary folder
// is inside the user's own.
func ownedByUs(fs.FileInfo) bool { return true }

func links(fs.FileInfo) uint64 { return 1 }
