package profile

import "os"

// A mode is whether a browser has windows, and what decided it.
type mode struct {
	Headless bool
	Source   string // request, env, config, linux-display-fallback or default
}

// decide says whether a browser is to have windows: by the request, else the
// variable CHELA_HEADLESS, else the settings, else by whether there is a
// display. The error is a [*NoDisplayError], and the mode what was asked for.
func decide(request, setting *bool) (mode, error) {
	display := hasDisplay()
	m := mode{Headless: !display, Source: "default"}
	env := os.Getenv("CHELA_HEADLESS")
	switch {
	case request != nil:
		m = mode{*request, "request"}
	case env == "1" || env == "0":
		m = mode{env == "1", "env"}
	case setting != nil:
		m = mode{*setting, "config"}
	case !display:
		m.Source = "linux-display-fallback"
	}
	if m.Headless || display {
		return m, nil
	}
	return m, &NoDisplayError{Profile: Default, Source: m.Source}
}
