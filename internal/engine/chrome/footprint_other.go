//go:build !linux

package chrome

// Footprint returns false for ok, because it is only implemented for Linux.
func Footprint(int) (bytes int64, ok bool) { return 0, false }
