//go:build !windows

package config

import "syscall"

// NoSpace are the errors of the file system that mean a full disk, or that the quota of the user is
// used up.
var NoSpace = []error{syscall.ENOSPC, syscall.EDQUOT}
