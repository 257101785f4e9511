package chrome

import (
	"os"
	"path/filepath"

	"chela/internal/base/memory"
)

// Footprint returns how many bytes of memory the processes of a browser use for themselves. The
// parameter group is their process group. As in Chromium's task manager, this is anonymous memory,
// in RAM or swapped out. Shared memory, such as that of the program itself, is not included. ok is
// false if no process of the group runs.
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
