package profile

import "chela/internal/base/config"

// A mode is whether a browser has windows, and what decided it.
type mode struct {
	Headless bool
	Source   string // request, env, profile, config, linux-display-fallback or default
}

// decide says whether a browser is to have windows: by the request, else the
// variable CHELA_HEADLESS, else the settings of the profile or of all, else by whether
// there is a display. The error is a [*NoDisplayError], and the mode what was asked for.
func decide(request *bool, s Setup) (mode, error) {
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
	if m.Headless || display {
		return m, nil
	}
	return m, &NoDisplayError{Profile: s.Name, Source: m.Source}
}
