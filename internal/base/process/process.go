// Package process names processes, so that a file can say which process it belongs to, even after
// that process has ended. The system reuses the id of a process that has ended, so a name also has
// the start time.
package process

import (
	"crypto/rand"
	"os"
	"strconv"
	"strings"
	"sync"
)

// Self returns the name of this process: its id, a dot, and when it started. It has no dash, and
// only characters that paths may have. If the start is not known, a random text stands for it. So
// the name differs from that of an earlier process with the same id. In a container, that id is
// often 1.
var Self = sync.OnceValue(func() string {
	start := look(os.Getpid()).start
	if start == "" {
		start = rand.Text()
	}
	return strconv.Itoa(os.Getpid()) + "." + start
})

// Runs reports whether the process with a name runs. If the start time is missing in the name, or
// unknown for the process that has the id now, the id alone decides.
func Runs(name string) bool {
	pid, start, err := parse(name)
	if err != nil || pid == os.Getpid() {
		return name == Self()
	}
	s := look(pid)
	if _, err := strconv.ParseUint(start, 10, 64); err != nil || s.start == "" {
		return s.runs
	}
	return s.runs && s.start == start
}

// CertainlyRuns reports whether the process with a name runs, and its start time is known. So it is not
// another process with the same id, and may be ended.
func CertainlyRuns(name string) bool {
	pid, start, err := parse(name)
	if err != nil {
		return false
	}
	s := look(pid)
	return s.runs && s.start != "" && s.start == start
}

// parse returns the id and the start time in the name of a process.
func parse(name string) (pid int, start string, err error) {
	id, start, _ := strings.Cut(name, ".")
	pid, err = strconv.Atoi(id)
	return pid, start, err
}

// A state is what is known of the process that now has an id.
type state struct {
	runs  bool
	start string // time of the start, as a number of the system; "": not known
}
