package config

import "fmt"

// StateVersion is the version of the files that a server leaves in the state directory for the next
// server. The folder test/state lists these files. It is raised when an older chela would misread
// or lose what a file has. A file without a version is of version 1.
const StateVersion = 1

// A NewerError says that a newer chela has written a file. The file is left as it is.
type NewerError struct {
	File    string
	Version int // version number of the file
}

func (e *NewerError) Error() string {
	return fmt.Sprintf("%s was written by a newer chela: it has version %d, and this one knows %d", e.File, e.Version, StateVersion)
}

// Hint says what the user can do.
func (e *NewerError) Hint() string {
	return "update chela, or use another state directory (--state-dir), or move the file away and do without what it has"
}

// CheckVersion returns a [*NewerError] if this program is too old to read and write a file of the
// given version.
func CheckVersion(file string, version int) error {
	if version > StateVersion {
		return &NewerError{file, version}
	}
	return nil
}
