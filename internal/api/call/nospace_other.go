//go:build !windows

package call

import "syscall"

// noSpace are the errors of the file system that mean a full disk, or that the quota of the user is
// used up.
var noSpace = []error{syscall.ENOSPC, syscall.EDQUOT}
