//go:build !linux

package chrome

// Footprint is not known here: ok is false.
func Footprint(int) (bytes int64, ok bool) { return 0, false }
