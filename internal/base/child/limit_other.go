//go:build !linux || race

package child

// limit does nothing where the system has no such limit. The same holds with the race detector,
// which takes many times the memory of the program. There the memory is bounded only by watch.go.
func limit(int64) {}
