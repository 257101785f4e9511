//go:build !unix

package media

import "io/fs"

// noWait is for named pipes in folders, which these systems do not have.
const noWait = 0

// ownedByUs is true on systems whose files have no owner number. The temporary folder there is
// inside the user's own.
func ownedByUs(fs.FileInfo) bool { return true }

func links(fs.FileInfo) uint64 { return 1 }
