package profile

import (
	"fmt"
	"net"
	"strconv"
	"strings"

	"chela/internal/config"
)

// The debugging ports of profiles are in this range. Clients of OpenClaw know it.
const (
	firstPort = 18800
	lastPort  = 18899
)

// freePort returns the first port of the range that no profile of the configuration has, 0 if
// all are used. The first one is that of the default profile, unless another one was given it.
func freePort(c *config.Config) int {
	used := map[int]bool{}
	for name := range c.Browser.Profiles {
		s, _ := setupOf(c, name)
		used[s.Port] = true
	}
	for port := firstPort; port <= lastPort; port++ {
		if !used[port] {
			return port
		}
	}
	return 0
}

// A PortError says that the debugging port of a profile is used by another program.
type PortError struct {
	Profile string
	Port    int
}

func (e *PortError) Error() string {
	return fmt.Sprintf("port %d of profile %q is in use", e.Port, e.Profile)
}

// checkPort returns a [*PortError] if a port that a browser is to open cannot be had. Chromium
// would only log that, and run without it; and callers that then use the port would drive
// another browser.
func checkPort(profile string, port int) error {
	l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		return &PortError{profile, port}
	}
	return l.Close()
}

// isOneBrowser reports whether the path of a WebSocket is that of one run of a browser.
func isOneBrowser(path string) bool { return strings.Contains(path, "/devtools/browser/") }
