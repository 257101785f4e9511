package chrome

import "path/filepath"

// A UserBrowser is an edition of a browser that the user may have installed.
type UserBrowser struct {
	Name    string // chromium, chrome, chrome-beta and so on
	DataDir string // default user data directory
}

// userBrowsers lists the default folders of user data, relative to a folder of the operating
// system, see [UserBrowsers]. Chrome's folder comes before those of its other editions and of the
// browsers built from it.
var userBrowsers = []struct{ name, linux, darwin, windows string }{
	{"chrome", "google-chrome", "Google/Chrome", "Google/Chrome"},
	{"chrome-beta", "google-chrome-beta", "Google/Chrome Beta", "Google/Chrome Beta"},
	{"chrome-dev", "google-chrome-unstable", "Google/Chrome Dev", "Google/Chrome Dev"},
	{"chrome-canary", "", "Google/Chrome Canary", "Google/Chrome SxS"},
	{"chromium", "chromium", "Chromium", "Chromium"},
	{"brave", "BraveSoftware/Brave-Browser", "BraveSoftware/Brave-Browser", "BraveSoftware/Brave-Browser"},
	{"edge", "microsoft-edge", "Microsoft Edge", "Microsoft/Edge"},
	{"edge-beta", "microsoft-edge-beta", "Microsoft Edge Beta", "Microsoft/Edge Beta"},
	{"vivaldi", "vivaldi", "Vivaldi", "Vivaldi"},
}

// UserBrowsers lists the editions of browsers that exist for an operating system, whether they are
// installed or not.
func UserBrowsers(system string, env func(string) string) (all []UserBrowser) {
	base := filepath.Join(env("HOME"), ".config")
	switch {
	case system == "darwin":
		base = filepath.Join(env("HOME"), "Library", "Application Support")
	case system == "windows":
		base = env("LOCALAPPDATA")
	case env("CHROME_CONFIG_HOME") != "":
		base = env("CHROME_CONFIG_HOME")
	case env("XDG_CONFIG_HOME") != "":
		base = env("XDG_CONFIG_HOME")
	}
	for _, b := range userBrowsers {
		below := b.linux
		switch system {
		case "darwin":
			below = b.darwin
		case "windows":
			below = b.windows + "/User Data"
		}
		if below != "" {
			all = append(all, UserBrowser{b.name, filepath.Join(base, filepath.FromSlash(below))})
		}
	}
	return all
}

// userDataDirs lists the default user data directories of the user's browsers.
func userDataDirs(system string, env func(string) string) (dirs []string) {
	for _, b := range UserBrowsers(system, env) {
		dirs = append(dirs, b.DataDir)
	}
	if system == "linux" { // packages of Snap and Flatpak keep user data in folders of their own
		for _, name := range []string{
			"snap/chromium/common/chromium", "snap/brave/current/.config/BraveSoftware/Brave-Browser",
			".var/app/com.google.Chrome/config/google-chrome", ".var/app/org.chromium.Chromium/config/chromium",
		} {
			dirs = append(dirs, filepath.Join(env("HOME"), filepath.FromSlash(name)))
		}
	}
	return dirs
}
