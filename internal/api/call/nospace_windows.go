package call

import "golang.org/x/sys/windows"

// noSpace are the errors of the file system that mean that the disk, or the user's
// share of it, is full.
var noSpace = []error{windows.ERROR_DISK_FULL, windows.ERROR_HANDLE_DISK_FULL, windows.ERROR_DISK_QUOTA_EXCEEDED}
