//go:build !race

package child

import (
	"bytes"
	"os"
	"strconv"
	"sync"
	"syscall"
)

// limit sets the maximum of the memory (in bytes) that this process may map from now on. The system
// enforces it. Memory that is already mapped does not count: Go maps about 100 MB when a program
// starts, and uses little of it.
func limit(memory int64) {
	var now syscall.Rlimit
	if mapped, ok := mappedAtStart(); ok && syscall.Getrlimit(syscall.RLIMIT_DATA, &now) == nil {
		now.Cur = min(uint64(mapped+memory), now.Max)
		syscall.Setrlimit(syscall.RLIMIT_DATA, &now)
	}
}

// mappedAtStart is how many bytes of writable memory this process had mapped when this was first
// asked.
var mappedAtStart = sync.OnceValues(func() (bytesMapped int64, ok bool) {
	statm, err := os.ReadFile("/proc/self/statm") // pages: size, resident, shared, text, 0, data
	fields := bytes.Fields(statm)
	if err != nil || len(fields) < 6 {
		return 0, false
	}
	pages, err := strconv.ParseInt(string(fields[5]), 10, 64)
	return pages * int64(os.Getpagesize()), err == nil
})
