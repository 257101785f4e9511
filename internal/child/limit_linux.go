//go:build !race

package child

import (
	"bytes"
	"os"
	"strconv"
	"sync"
	"syscall"
)

// limit has the system refuse this process more memory than it has mapped now, and so much. Go maps about
// 100 MB when a program starts, and uses little of that.
func limit(memory int64) {
	var now syscall.Rlimit
	if mapped, ok := mappedAtStart(); ok && syscall.Getrlimit(syscall.RLIMIT_DATA, &now) == nil {
		now.Cur = min(uint64(mapped+memory), now.Max)
		syscall.Setrlimit(syscall.RLIMIT_DATA, &now)
	}
}

// mappedAtStart is how much memory that can be written this process had when it was first asked, in bytes.
var mappedAtStart = sync.OnceValues(func() (bytesMapped int64, ok bool) {
	statm, err := os.ReadFile("/proc/self/statm") // pages: size, resident, shared, text, 0, data
	fields := bytes.Fields(statm)
	if err != nil || len(fields) < 6 {
		return 0, false
	}
	pages, err := strconv.ParseInt(string(fields[5]), 10, 64)
	return pages * int64(os.Getpagesize()), err == nil
})
