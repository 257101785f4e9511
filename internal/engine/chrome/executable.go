package chrome

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// Executable is a browser of the Chromium family.
type Executable struct {
	Path string
	Kind string // one of [Channels], or custom for a configured path
}

// IsHeadlessShell reports whether the executable is Chromium's headless shell, or a link to it. That
// program has no windows at all. It is recognized by its name.
func (e Executable) IsHeadlessShell() bool {
	path, err := filepath.EvalSymlinks(e.Path)
	if err != nil {
		path = e.Path
	}
	return strings.Contains(strings.ReplaceAll(filepath.Base(path), "_", "-"), "headless-shell")
}

// NotFoundError says that no browser was found to start. Either the configured path is not an
// executable file, or none of the usual places has a browser.
type NotFoundError struct {
	Configured bool     // a path was configured, and Places has only that
	Kind       string   // the kind that was searched for; "" for any
	Places     []string // the paths that were searched
}

func (e *NotFoundError) Error() string {
	if e.Configured {
		return "browser.executablePath not found: " + e.Places[0]
	}
	return "no " + cmp.Or(e.Kind, "Chromium, Chrome, Brave or Edge") + " found; searched " + strings.Join(e.Places, ", ")
}

// Find returns the browser to start: the configured path if there is one, else the first found in
// the usual places of this system. The error is a [*NotFoundError].
func Find(configured string) (Executable, error) {
	if configured != "" {
		if !isExecutable(configured) {
			return Executable{}, &NotFoundError{Configured: true, Places: []string{configured}}
		}
		return Executable{Path: configured, Kind: "custom"}, nil
	}
	return firstOf("", places(runtime.GOOS, os.Getenv))
}

// firstOf returns the first browser of a kind in one of the places; kind "" stands for any. The
// error is a [*NotFoundError].
func firstOf(kind string, places []place) (Executable, error) {
	var searched []string
	for _, p := range places {
		if kind != "" && p.kind != kind {
			continue
		}
		if path := p.find(); path != "" {
			return Executable{Path: path, Kind: p.kind}, nil
		}
		searched = append(searched, p.pattern)
	}
	return Executable{}, &NotFoundError{Kind: kind, Places: searched}
}

// isExecutable reports whether a path is an executable file. Windows has no permission to execute,
// so there any file counts.
func isExecutable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && (runtime.GOOS == "windows" || info.Mode()&0o111 != 0)
}

// place is where a browser may be. The pattern is the name of a program on the PATH, or a glob
// pattern. If several files match, the last by name counts: in a cache of versions, the newest.
type place struct{ kind, pattern string }

// find returns the path of the browser at p, "" if there is none.
func (p place) find() string {
	if p.pattern == filepath.Base(p.pattern) {
		path, err := exec.LookPath(p.pattern)
		if err != nil {
			return ""
		}
		return path
	}
	paths, _ := filepath.Glob(p.pattern) // the only error is for a malformed pattern, and the patterns of places are well formed
	for _, path := range slices.Backward(paths) {
		if isExecutable(path) {
			return path
		}
	}
	return ""
}

// places lists where a system may have browsers, the preferred ones first. Canary and Chromium come
// before Chrome, Brave and Edge. The user seldom has the first two open, so windows of chela are
// seldom taken for the user's own. Of each kind, names on the PATH come before fixed paths, since
// the user has chosen the PATH. The headless shell follows, because it can do less. Playwright's
// browsers come last, because they are made for tests, and no package manager updates them.
func places(system string, env func(string) string) []place {
	return append(installedPlaces(system, env), playwrightPlaces(system, env)...)
}

// installedPlaces lists where installers and package managers put browsers.
func installedPlaces(system string, env func(string) string) []place {
	switch system {
	case "darwin":
		return darwinPlaces(env)
	case "windows":
		return windowsPlaces(env)
	}
	return []place{
		{"canary", "google-chrome-canary"}, {"canary", "google-chrome-unstable"}, {"canary", "/opt/google/chrome-canary/chrome"},
		{"canary", "/opt/google/chrome-unstable/chrome"},
		{"chromium", "chromium"}, {"chromium", "chromium-browser"}, {"chromium", "/usr/lib/chromium/chromium"},
		{"chromium", "/usr/lib/chromium-browser/chromium-browser"}, {"chromium", "/snap/bin/chromium"},
		{"chrome", "google-chrome"}, {"chrome", "google-chrome-stable"}, {"chrome", "/usr/bin/chrome"},
		{"chrome", "/opt/google/chrome/chrome"},
		{"chrome-beta", "google-chrome-beta"}, {"chrome-beta", "/opt/google/chrome-beta/chrome"},
		{"brave", "brave-browser"}, {"brave", "brave-browser-stable"}, {"brave", "brave"},
		{"brave", "/snap/bin/brave"}, {"brave", "/opt/brave.com/brave/brave-browser"},
		{"edge", "microsoft-edge"}, {"edge", "microsoft-edge-stable"},
		{"headless-shell", "/usr/lib/chromium/chromium-headless-shell"}, // before the PATH: there, Debian has a script that waits for this program
		{"headless-shell", "chromium-headless-shell"}, {"headless-shell", "chrome-headless-shell"},
	}
}

// darwinPlaces lists application bundles. For each browser, the bundle for all users comes before
// the user's own. The program in a bundle has the name of the bundle.
func darwinPlaces(env func(string) string) []place {
	var all []place
	for _, app := range []place{
		{"canary", "Google Chrome Canary"}, {"chromium", "Chromium"}, {"chrome", "Google Chrome"}, {"chrome-beta", "Google Chrome Beta"},
		{"brave", "Brave Browser"}, {"edge", "Microsoft Edge"},
	} {
		for _, root := range []string{"", env("HOME")} {
			all = append(all, place{app.kind, fmt.Sprintf("%s/Applications/%s.app/Contents/MacOS/%[2]s", root, app.pattern)})
		}
	}
	return all
}

// windowsPlaces lists the folders in which installers put browsers: the user's own, and those of
// 64-bit and 32-bit programs. A folder whose variable is not set is left out: its path would begin
// at the root of the current drive.
func windowsPlaces(env func(string) string) []place {
	var all []place
	for _, app := range []place{
		{"canary", `Google\Chrome SxS\Application\chrome.exe`},
		{"chromium", `Chromium\Application\chrome.exe`},
		{"chrome", `Google\Chrome\Application\chrome.exe`},
		{"chrome-beta", `Google\Chrome Beta\Application\chrome.exe`},
		{"brave", `BraveSoftware\Brave-Browser\Application\brave.exe`},
		{"edge", `Microsoft\Edge\Application\msedge.exe`},
	} {
		for _, root := range []string{"LOCALAPPDATA", "ProgramFiles", "ProgramFiles(x86)"} {
			if env(root) != "" {
				all = append(all, place{app.kind, env(root) + `\` + app.pattern})
			}
		}
	}
	return all
}

// playwrightPlaces lists where Playwright keeps the browsers that it downloads, in folders such as
// chromium-1187. PLAYWRIGHT_BROWSERS_PATH names another cache; 0 means a folder inside of the package
// that uses Playwright, which cannot be found from here.
func playwrightPlaces(system string, env func(string) string) []place {
	cache, program, shell := env("HOME")+"/.cache/ms-playwright", "chrome-linux*/chrome", "chrome-*/*headless?shell"
	switch system {
	case "darwin":
		cache, program = env("HOME")+"/Library/Caches/ms-playwright", "chrome-mac*/*.app/Contents/MacOS/*"
	case "windows":
		cache, program, shell = env("LOCALAPPDATA")+`\ms-playwright`, `chrome-win*\chrome.exe`, `chrome-*\*headless?shell.exe`
	}
	if own := env("PLAYWRIGHT_BROWSERS_PATH"); own != "" && own != "0" {
		cache = own
	}
	return []place{
		{"chromium", filepath.Join(cache, "chromium-*", program)},
		{"headless-shell", filepath.Join(cache, "chromium_headless_shell-*", shell)},
	}
}
