//go:build unix

package certificate

import (
	"io/fs"
	"os"
	"syscall"
)

// isPrivate reports whether the mode of a key's file keeps others out. If the file belongs to
// another user, such as root, its group may read it. We can read such a file only as members of
// that group.
func isPrivate(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if ok && int(stat.Uid) != os.Geteuid() {
		return info.Mode().Perm()&0o007 == 0
	}
	return info.Mode().Perm()&0o077 == 0
}
