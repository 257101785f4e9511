package profile

import (
	"chela/internal/base/config"
	"chela/internal/engine/chrome"
)

// A mode says whether a browser has windows, and what decided it.
type mode struct {
	Headless bool
	Source   string // request, env, profile, config, linux-display-fallback, executable or default
}

// decideMode decides whether a browser has windows. The first of these that is set counts: the
// request, CHELA_HEADLESS, the settings of the profile, the settings of all profiles. If none is
// set, the browser has windows if there is a display and if its program can have some. If the error
// is a [*NoDisplayError] or a [*NoWindowsError], the mode is the requested one.
func decideMode(request *bool, s Setup) (mode, error) {
	display := hasDisplay()
	m := mode{Headless: !display, Source: "default"}
	env := config.HeadlessByEnv()
	switch {
	case request != nil:
		m = mode{*request, "request"}
	case env != nil:
		m = mode{*env, "env"}
	case s.Headless != nil:
		m = mode{*s.Headless, s.headlessFrom}
	case !display:
		m.Source = "linux-display-fallback"
	}
	if m.Headless {
		return m, nil
	}
	if found, err := chrome.Find(s.Executable); err == nil && found.IsHeadlessShell() {
		if m.Source == "default" {
			return mode{true, "executable"}, nil
		}
		return m, &NoWindowsError{Profile: s.Name, Source: m.Source, Executable: found.Path}
	}
	if !display {
		return m, &NoDisplayError{Profile: s.Name, Source: m.Source}
	}
	return m, nil
}
