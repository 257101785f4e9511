package chrome

import (
	"os"
	"path/filepath"

	"chela/internal/base/memory"
)

// Footprint returns how many bytes of memory the processes of a browser have for themselves, by the
// id of their group. That is what Chromium's task manager shows: anonymous memory, in RAM or
// swapped out. Memory that they share, such as the program itself, is not in it. ok is false if no
// such process runs.
func Footprint(group int) (bytes int64, ok bool) {
	for _, dir := range living(group) {
		status, err := os.ReadFile(filepath.Join(dir, "status"))
		if err != nil {
			continue // the process has ended meanwhile
		}
		bytes, ok = bytes+memory.OfProcess(status), true
	}
	return bytes, ok
}
