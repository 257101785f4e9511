//go:build !unix

package media

import "io/fs"

// noWait is 0 on systems without named pipes in folders.
const noWait = 0

// ownedByUs returns true: this system has no numeric owners of files. The temporary folder of such
// a system is inside the user's own folder.
func ownedByUs(fs.FileInfo) bool { return true }

func links(fs.FileInfo) uint64 { return 1 }
