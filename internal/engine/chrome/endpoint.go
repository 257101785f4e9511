package chrome

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"chela/internal/base/regular"
)

// maxFile limits, in bytes, the size of a file that is read from a user data directory. Preferences
// have some 100 kB.
const maxFile = 16 << 20

// portFile is the file into which Chromium writes its DevTools port and path.
const portFile = "DevToolsActivePort"

// endpoint waits until the browser has written portFile, and returns its WebSocket URL. The file of
// an earlier run was removed before the start. The error is an [*ExitError], or wraps the cause of
// ctx. It looks for the file again and again, since Go has no event for a new file that works on
// each system.
func (p *Process) endpoint(ctx context.Context) (string, error) {
	poll := time.NewTicker(20 * time.Millisecond)
	defer poll.Stop()
	for {
		if url, ok := readEndpoint(filepath.Join(p.UserDataDir, portFile)); ok {
			return url, nil
		}
		select {
		case <-poll.C:
		case <-p.exited:
			return "", p.end
		case <-ctx.Done():
			return "", errors.Join(errors.New("the browser did not report its port"), context.Cause(ctx))
		}
	}
}

// readEndpoint reads "PORT\n/devtools/browser/ID"; it returns false for a file that is not there or
// half written.
func readEndpoint(file string) (url string, ok bool) {
	text, err := regular.ReadFile(file, maxFile)
	if err != nil {
		return "", false
	}
	port, path, _ := strings.Cut(strings.TrimSpace(string(text)), "\n")
	n, err := strconv.ParseUint(strings.TrimSpace(port), 10, 16)
	if err != nil || !strings.HasPrefix(path, "/devtools/browser/") {
		return "", false
	}
	return fmt.Sprintf("ws://127.0.0.1:%d%s", n, path), true
}
