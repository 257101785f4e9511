//go:build !windows

package call

import "syscall"

// noSpace are the errors of the file system that mean that the disk, or the user's
// share of it, is full.
var noSpace = []error{syscall.ENOSPC, syscall.EDQUOT}
