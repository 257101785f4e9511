//go:build unix

package media

import (
	"io/fs"
	"os"
	"syscall"
)

// noWait opens a named pipe without waiting for a writer. It has no effect on plain files.
const noWait = syscall.O_NONBLOCK

// ownedByUs reports whether a file belongs to the user who runs this process.
func ownedByUs(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Getuid()
}

// links returns the number of hard links to a file.
func links(info fs.FileInfo) uint64 {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 1
	}
	return uint64(stat.Nlink)
}
