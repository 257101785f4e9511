package service

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Kill ends a process at once.
func Kill(pid int) error {
	p, err := os.FindProcess(pid)
	if err != nil {
		return err
	}
	return p.Kill()
}

// Processes lists the living processes of the browser with this process id. It lists only processes
// whose command line contains the text in the argument what.
func Processes(browser int, what string) []int {
	var found []int
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, file := range stats {
		stat, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		var state string
		var parent, group int
		fmt.Sscan(string(stat[bytes.LastIndexByte(stat, ')')+1:]), &state, &parent, &group)
		line, _ := os.ReadFile(filepath.Join(filepath.Dir(file), "cmdline"))
		if group == browser && state != "Z" && strings.Contains(string(line), what) {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(file)))
			found = append(found, pid)
		}
	}
	return found
}

// Using lists the living processes that use the directory: their command line contains it, or they
// have a file in it open. A browser's process that loads resources has only files open. The command
// line of each contains all the other texts.
func Using(dir string, more ...string) []int {
	var found []int
	lines, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, file := range lines {
		line, err := os.ReadFile(file) // the command line of a zombie is empty
		lacks := func(text string) bool { return !bytes.Contains(line, []byte(text)) }
		process := filepath.Dir(file)
		if err == nil && !slices.ContainsFunc(more, lacks) && (!lacks(dir) || hasOpen(process, dir)) {
			pid, _ := strconv.Atoi(filepath.Base(process))
			found = append(found, pid)
		}
	}
	return found
}

// hasOpen tells whether a process, a folder in /proc, has a file in the directory open.
func hasOpen(process, dir string) bool {
	open, _ := filepath.Glob(filepath.Join(process, "fd", "*"))
	return slices.ContainsFunc(open, func(link string) bool {
		file, err := os.Readlink(link)
		return err == nil && strings.HasPrefix(file, dir+"/")
	})
}
