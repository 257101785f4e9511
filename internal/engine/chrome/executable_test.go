package chrome

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// writeScript writes an executable file.
func writeScript(t *testing.T, path, script string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestFindConfigured(t *testing.T) {
	home := t.TempDir()
	path := writeScript(t, filepath.Join(home, "bin", "my-browser"), "")
	if got, err := Find(path); err != nil || got != (Executable{path, "custom"}) {
		t.Errorf("Find(%s) = %v, %v", path, got, err)
	}
	text := filepath.Join(home, "text")
	if err := os.WriteFile(text, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, configured := range []string{home, text, "/gone/browser"} {
		var none *NotFoundError
		if _, err := Find(configured); !errors.As(err, &none) || err.Error() != "browser.executablePath not found: "+configured {
			t.Errorf("Find(%s): %v", configured, err)
		}
	}
}

func TestPlaces(t *testing.T) {
	env := map[string]string{"HOME": "/h", "LOCALAPPDATA": `C:\l`, "ProgramFiles": `C:\p`}
	for system, want := range map[string][]string{
		"linux": {
			"google-chrome-unstable", "chromium", "/snap/bin/chromium", "google-chrome", "/snap/bin/brave", "microsoft-edge", "chromium-headless-shell",
			"/h/.cache/ms-playwright/chromium-*/chrome-linux*/chrome", "/h/.cache/ms-playwright/chromium_headless_shell-*/chrome-*/*headless?shell",
		},
		"darwin": {
			"/Applications/Google Chrome Canary.app/Contents/MacOS/Google Chrome Canary", "/Applications/Chromium.app/Contents/MacOS/Chromium",
			"/h/Applications/Chromium.app/Contents/MacOS/Chromium", "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
		},
		"windows": {
			`C:\l\Google\Chrome SxS\Application\chrome.exe`, `C:\l\Chromium\Application\chrome.exe`,
			`C:\l\Google\Chrome\Application\chrome.exe`, `C:\p\Microsoft\Edge\Application\msedge.exe`,
		},
	} {
		var patterns []string
		for _, p := range places(system, func(name string) string { return env[name] }) {
			patterns = append(patterns, p.pattern)
		}
		at := -1
		for _, pattern := range want {
			next := slices.Index(patterns, pattern)
			if next <= at {
				t.Errorf("%s: %s at %d, after %d, of %v", system, pattern, next, at, patterns)
			}
			at = next
		}
	}
}

func TestFindInTheCacheOfPlaywright(t *testing.T) {
	cache := t.TempDir()
	writeScript(t, filepath.Join(cache, "chromium-1100", "chrome-linux", "chrome"), "")
	newest := writeScript(t, filepath.Join(cache, "chromium-1200", "chrome-linux64", "chrome"), "")
	writeScript(t, filepath.Join(cache, "chromium_headless_shell-1100", "chrome-linux", "headless_shell"), "")
	shell := writeScript(t, filepath.Join(cache, "chromium_headless_shell-1200", "chrome-headless-shell-linux64", "chrome-headless-shell"), "")
	env := func(name string) string { return map[string]string{"PLAYWRIGHT_BROWSERS_PATH": cache}[name] }
	of := playwrightPlaces("linux", env)
	if got := of[0].find(); got != newest {
		t.Errorf("found %s, want %s", got, newest)
	}
	if got := of[1].find(); got != shell || !(Executable{Path: got}).IsHeadlessShell() {
		t.Errorf("found %s, want %s", got, shell)
	}
}

// If several browsers are installed, chela takes the one that is least likely the user's own.
func TestFindByName(t *testing.T) {
	bin := t.TempDir()
	t.Setenv("PATH", bin)
	writeScript(t, filepath.Join(bin, "google-chrome"), "")
	for _, next := range []Executable{{"chromium", "chromium"}, {"google-chrome-unstable", "canary"}} {
		next.Path = writeScript(t, filepath.Join(bin, next.Path), "")
		if got, err := Find(""); err != nil || got != next {
			t.Errorf("with %s: %v, %v", next.Kind, got, err)
		}
	}
}

func TestNotFoundNamesThePlaces(t *testing.T) {
	err := &NotFoundError{Places: []string{"google-chrome", "/snap/bin/chromium"}}
	if !strings.HasSuffix(err.Error(), "searched google-chrome, /snap/bin/chromium") {
		t.Errorf("error = %v", err)
	}
}
