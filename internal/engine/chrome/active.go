package chrome

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// An ActiveBrowser is a browser of the user's that lets programs drive it. Since version 144 its
// user can allow that at chrome://inspect/#remote-debugging. The user is asked again for each
// program that connects. The browser then opens a port on this machine, and writes its address to
// portFile in its user data directory. The file stays when the browser ends.
type ActiveBrowser struct {
	UserDataDir  string
	WebSocketURL string
}

// A NotActiveError says that no browser was found that lets programs drive it.
type NotActiveError struct {
	Places []string // user data directories that were searched
	Ended  bool     // one was found there, but it has ended, or cannot be driven any more
}

func (e *NotActiveError) Error() string {
	if e.Ended {
		return "the browser of " + strings.Join(e.Places, ", ") + " has ended, or lets itself be driven no more"
	}
	return fmt.Sprintf("no browser lets itself be driven: there is no %s in %s", portFile, strings.Join(e.Places, ", "))
}

// FindActive returns the browsers of the user that let themselves be driven, or did so when they
// last ran. Chrome comes before its other editions and the browsers built from it. With a
// directory, only that directory's browser counts. The error is a [*NotActiveError].
func FindActive(userDataDir string) (found []ActiveBrowser, err error) {
	places := []string{expandHome(userDataDir)}
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

// userDataDirs are where the browsers keep the data of their user on an operating system, unless
// told otherwise.
func userDataDirs(system string, env func(string) string) []string {
	var base string
	var below []string
	switch system {
	case "darwin":
		base = filepath.Join(env("HOME"), "Library", "Application Support")
		below = []string{
			"Google/Chrome", "Google/Chrome Beta", "Google/Chrome Dev", "Google/Chrome Canary", "Chromium",
			"BraveSoftware/Brave-Browser", "Microsoft Edge", "Microsoft Edge Beta", "Vivaldi",
		}
	case "windows":
		base = env("LOCALAPPDATA")
		for _, name := range []string{
			"Google/Chrome", "Google/Chrome Beta", "Google/Chrome Dev", "Google/Chrome SxS", "Chromium",
			"BraveSoftware/Brave-Browser", "Microsoft/Edge", "Microsoft/Edge Beta", "Vivaldi",
		} {
			below = append(below, name+"/User Data")
		}
	default:
		if base = env("CHROME_CONFIG_HOME"); base == "" {
			base = env("XDG_CONFIG_HOME")
		}
		if base == "" {
			base = filepath.Join(env("HOME"), ".config")
		}
		below = []string{
			"google-chrome", "google-chrome-beta", "google-chrome-unstable", "chromium",
			"BraveSoftware/Brave-Browser", "microsoft-edge", "microsoft-edge-beta", "vivaldi",
		}
	}
	var dirs []string
	for _, name := range below {
		dirs = append(dirs, filepath.Join(base, filepath.FromSlash(name)))
	}
	if system == "linux" { // packages of Snap and Flatpak have a home of their own
		for _, name := range []string{
			"snap/chromium/common/chromium", "snap/brave/current/.config/BraveSoftware/Brave-Browser",
			".var/app/com.google.Chrome/config/google-chrome", ".var/app/org.chromium.Chromium/config/chromium",
		} {
			dirs = append(dirs, filepath.Join(env("HOME"), filepath.FromSlash(name)))
		}
	}
	return dirs
}
