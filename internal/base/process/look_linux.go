package process

import (
	"errors"
	"io/fs"
	"os"
	"strconv"
	"strings"
)

// The fields of /proc/PID/stat that come after the name of the program, see proc(5).
const (
	stateField = 0
	startField = 19 // start of the process, in clock ticks since the system has started
)

// look reads the process table. A process that has ended stays there until its parent waits for it,
// which in a container may never happen.
func look(pid int) state {
	line, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return state{runs: !errors.Is(err, fs.ErrNotExist) || exists(pid)}
	}
	// The name is in brackets, and may hold spaces and brackets of its own.
	fields := strings.Fields(string(line[strings.LastIndexByte(string(line), ')')+1:]))
	if len(fields) <= startField {
		return state{runs: true}
	}
	return state{runs: fields[stateField] != "Z" && fields[stateField] != "X", start: fields[startField]}
}
