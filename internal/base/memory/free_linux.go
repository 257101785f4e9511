package memory

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
)

// Files in which Linux tells how much memory there is: for the machine, and for the control group
// of a container.
var (
	meminfo = "/proc/meminfo"
	cgroup  = "/sys/fs/cgroup"
)

func free() (share float64, known bool) {
	share, known = ofMachine()
	if limited, ok := ofGroup(); ok && (!known || limited < share) {
		return limited, true
	}
	return share, known
}

func ofMachine() (share float64, known bool) {
	text, err := os.ReadFile(meminfo)
	if err != nil {
		return 0, false
	}
	total, ok := numberAfter(text, "MemTotal:")
	available, known := numberAfter(text, "MemAvailable:")
	return available / max(1, total), ok && known
}

// ofGroup returns which share of the memory limit of the control group is free. When memory runs
// out, the kernel drops cached files before it kills a process. So inactive cached files count as
// free.
func ofGroup() (share float64, known bool) {
	limit, limited := numberIn("memory.max") // without a limit, the file has the word max
	used, ok := numberIn("memory.current")
	if !limited || !ok || limit == 0 {
		return 0, false
	}
	stat, _ := os.ReadFile(filepath.Join(cgroup, "memory.stat")) // without it nothing can be dropped
	files, _ := numberAfter(stat, "inactive_file")
	return max(0, limit-used+files) / limit, true
}

func numberIn(name string) (n float64, ok bool) {
	text, err := os.ReadFile(filepath.Join(cgroup, name))
	if err != nil {
		return 0, false
	}
	n, err = strconv.ParseFloat(string(bytes.TrimSpace(text)), 64)
	return n, err == nil
}
