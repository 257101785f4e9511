package profile

import (
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"

	"chela/internal/base/config"
)

// This is the range of the debugging ports of profiles, which clients of OpenClaw know.
const (
	firstPort = 18800
	lastPort  = 18899
)

// freePort returns the first port of the range that no profile of the configuration has. It skips
// the ports in the parameter taken. It returns 0 if all are used. The first port belongs to
// [Default], unless the configuration says otherwise.
func freePort(c *config.Config, taken ...int) int {
	for name := range c.Browser.Profiles {
		s, _ := setupOf(c, name)
		taken = append(taken, s.Port)
	}
	for port := firstPort; port <= lastPort; port++ {
		if !slices.Contains(taken, port) {
			return port
		}
	}
	return 0
}

// newPort returns a free debugging port for a new profile, or 0 if all are used.
func newPort(c *config.Config) int {
	first, _ := setupOf(c, Default)
	return freePort(c, first.Port)
}

// A PortError says that the debugging port of a profile is used by another program.
type PortError struct {
	Profile string
	Port    int
}

func (e *PortError) Error() string {
	return fmt.Sprintf("port %d of profile %q is in use", e.Port, e.Profile)
}

// checkPort returns a [*PortError] if the debugging port of a profile is in use. Chromium would
// only log that, and run without the port. Callers that then use the port would drive another
// browser.
func checkPort(profile string, port int) error {
	l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		return &PortError{profile, port}
	}
	return l.Close()
}

// isOneBrowser reports whether the path of a WebSocket URL has the id of one run of a browser, and
// so changes with the next run.
func isOneBrowser(path string) bool { return strings.Contains(path, "/devtools/browser/") }

// givePort gives a profile a debugging port, and writes it to the configuration. It is for a
// profile that was written by hand, without a port, and has exposeCdp. Errors are [ErrNoPort], or
// come from [config.Live.SaveProfile].
func (p *Profile) givePort() (port int, err error) {
	p.changing.Lock()
	defer p.changing.Unlock()
	if port = newPort(p.config.Current()); port == 0 {
		return 0, ErrNoPort
	}
	_, _, err = p.config.SaveProfile(p.Name, config.Profile{CDPPort: port})
	return port, err
}
