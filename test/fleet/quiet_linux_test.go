package fleet

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chela/test/service"
)

// A server without settings for a fleet or a collector connects to nothing.
func TestNoConnections(t *testing.T) {
	here := service.Run(t, stateDir(t, ""))
	for _, request := range []string{"GET /", "GET /fleet", "GET /tabs", "GET /sessions"} {
		here.OK(t, request, nil)
	}
	var port int
	if _, err := fmt.Sscanf(here.URL, "http://127.0.0.1:%d", &port); err != nil {
		t.Fatal(err)
	}
	if other := connections(t, here.PID(), port); len(other) > 0 {
		t.Errorf("the server has connections: %s", other)
	}
}

// connections returns the TCP connections of a process, as the kernel lists them. It leaves out
// those to the process's own port.
func connections(t *testing.T, pid, port int) (found []string) {
	t.Helper()
	links, _ := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", pid))
	own := map[string]bool{}
	for _, link := range links {
		to, _ := os.Readlink(link)
		if inode, isSocket := strings.CutPrefix(to, "socket:["); isSocket {
			own[strings.TrimSuffix(inode, "]")] = true
		}
	}
	if len(own) == 0 {
		t.Fatal("the server has no sockets at all")
	}
	for _, table := range []string{"tcp", "tcp6"} {
		raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/net/%s", pid, table))
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(raw)) {
			f := strings.Fields(line) // number, local, remote, state, …, the 10th is the inode
			const listens = "0A"
			if len(f) > 9 && own[f[9]] && f[3] != listens && !strings.HasSuffix(f[1], fmt.Sprintf(":%04X", port)) {
				found = append(found, line)
			}
		}
	}
	return found
}
