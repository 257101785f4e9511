package nativehost

import (
	"os"
	"path/filepath"
	"slices"

	"chela/internal/engine/chrome"
)

// A Place is where a browser looks for the manifest of a host. It is a file or, on Windows, a
// registry key with the path of the file.
type Place struct {
	Browser string `json:"browser"` // a name of [chrome.UserBrowsers], or the user data directory
	At      string `json:"at"`      // path of the file or the key
}

// manifests is the folder of manifests in a user data directory.
const manifests = "NativeMessagingHosts"

// In returns the place for a browser that is started with --user-data-dir. Such a browser looks
// nowhere else. On Windows there is no such place: all browsers of a maker read the same registry
// key.
func (h Host) In(userDataDir string) Place {
	return Place{userDataDir, filepath.Join(userDataDir, manifests, h.Name+".json")}
}

// Places lists the places of all browsers that a user of an operating system may have, installed or
// not.
func (h Host) Places(system string, env func(string) string) (all []Place) {
	for _, b := range chrome.UserBrowsers(system, env) {
		place := h.In(b.DataDir)
		place.Browser = b.Name
		if system == "windows" {
			place.At = registryKeys[b.Name] + `\NativeMessagingHosts\` + h.Name
		}
		all = append(all, place)
	}
	return all
}

// registryKeys has the registry keys of browsers, below HKEY_CURRENT_USER. Browsers of other makers
// that are built from Chromium read Chrome's key.
var registryKeys = map[string]string{
	"chrome": `Software\Google\Chrome`, "chrome-beta": `Software\Google\Chrome`, "chrome-dev": `Software\Google\Chrome`,
	"chrome-canary": `Software\Google\Chrome`, "chromium": `Software\Chromium`, "brave": `Software\Google\Chrome`,
	"edge": `Software\Microsoft\Edge`, "edge-beta": `Software\Microsoft\Edge`, "vivaldi": `Software\Google\Chrome`,
}

// Usual lists the places to use if no browser is named. These are the places of Chromium and
// Chrome, which may be installed later, and of the browsers that were used on this machine.
func (h Host) Usual(system string, env func(string) string) []Place {
	browsers := chrome.UserBrowsers(system, env)
	return slices.DeleteFunc(h.Places(system, env), func(place Place) bool {
		if place.Browser == "chromium" || place.Browser == "chrome" {
			return false
		}
		i := slices.IndexFunc(browsers, func(b chrome.UserBrowser) bool { return b.Name == place.Browser })
		_, err := os.Stat(browsers[i].DataDir)
		return err != nil
	})
}
