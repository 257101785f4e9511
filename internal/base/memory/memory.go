// Package memory says how much memory this machine has left for more programs, and how much a
// process uses.
package memory

import (
	"bytes"
	"strconv"
)

// Free returns the share of the memory that is free, or can be freed at once. In a container with a
// limit it is the share of the limit. It returns false where that is not known.
func Free() (share float64, known bool) { return free() }

// OfProcess returns how many bytes of anonymous memory a process uses, in RAM or swapped out. The
// argument is the text of the file /proc/PID/status.
func OfProcess(status []byte) int64 {
	inRAM, _ := numberAfter(status, "RssAnon:")
	swapped, _ := numberAfter(status, "VmSwap:")
	return int64(inRAM+swapped) << 10 // inRAM and swapped are in kB
}

// numberAfter returns the number after a word that begins a line, as in /proc/meminfo.
func numberAfter(text []byte, word string) (n float64, ok bool) {
	for line := range bytes.Lines(text) {
		fields := bytes.Fields(line)
		if len(fields) < 2 || string(fields[0]) != word {
			continue
		}
		n, err := strconv.ParseFloat(string(fields[1]), 64)
		return n, err == nil
	}
	return 0, false
}
