package config

import "golang.org/x/sys/windows"

// NoSpace are the errors of the file system that mean a full disk, or that the quota of the user is
// used up.
var NoSpace = []error{windows.ERROR_DISK_FULL, windows.ERROR_HANDLE_DISK_FULL, windows.ERROR_DISK_QUOTA_EXCEEDED}
