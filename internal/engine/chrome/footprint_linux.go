package chrome

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Footprint returns how many bytes of memory the processes of a browser have for themselves, by the
// id of their group. That is what Chromium's task manager shows: anonymous memory, in RAM or
// swapped out. Memory that they share, such as the program itself, is not in it. ok is false if no
// such process runs.
func Footprint(group int) (bytes int64, ok bool) {
	for _, dir := range living(group) {
		status, err := os.ReadFile(filepath.Join(dir, "status"))
		if err != nil {
			continue // it is gone
		}
		bytes, ok = bytes+anonymous(string(status)), true
	}
	return bytes, ok
}

// anonymous returns the anonymous memory in the text of a status file of /proc.
func anonymous(status string) (bytes int64) {
	for line := range strings.Lines(status) {
		var kB int64
		if strings.HasPrefix(line, "RssAnon:") || strings.HasPrefix(line, "VmSwap:") {
			_, value, _ := strings.Cut(line, ":")
			fmt.Sscan(value, &kB)
		}
		bytes += kB << 10
	}
	return bytes
}
