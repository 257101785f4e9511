//go:build !linux

package memory

func free() (share float64, known bool) { return 0, false }
