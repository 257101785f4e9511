package chrome

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// An ActiveBrowser is a browser of the user that lets other programs drive it. Since version 144,
// users of Chrome can allow that at chrome://inspect/#remote-debugging. The browser asks its user
// again for each program that connects. It opens a port on this machine, and writes the address to
// portFile in its user data directory. The browser does not remove the file when it ends.
type ActiveBrowser struct {
	UserDataDir  string
	WebSocketURL string
}

// A NotActiveError says that no browser of the user was found that lets other programs drive it.
type NotActiveError struct {
	Places []string // user data directories that were searched
	Ended  bool     // a browser of the user has run with remote debugging, but has ended or no longer allows it
}

func (e *NotActiveError) Error() string {
	if e.Ended {
		return "the browser of " + strings.Join(e.Places, ", ") + " has ended, or lets itself be driven no more"
	}
	return fmt.Sprintf("no browser lets itself be driven: there is no %s in %s", portFile, strings.Join(e.Places, ", "))
}

// FindActive returns the browsers of the user that let other programs drive them. It also returns
// those that did so when they last ran. Chrome comes before its other editions and the browsers
// built from it. If userDataDir is not "", only the browser of that directory counts. The error is
// a [*NotActiveError].
func FindActive(userDataDir string) (found []ActiveBrowser, err error) {
	places := []string{userDataDir}
	if userDataDir == "" {
		places = userDataDirs(runtime.GOOS, os.Getenv)
	}
	for _, dir := range places {
		if url, ok := readEndpoint(filepath.Join(dir, portFile)); ok {
			found = append(found, ActiveBrowser{dir, url})
		}
	}
	if found == nil {
		return nil, &NotActiveError{Places: places}
	}
	return found, nil
}
