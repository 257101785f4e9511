package profile

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"slices"

	"chela/internal/base/config"
	"chela/internal/base/hosts"
	"chela/internal/base/lazyregexp"
)

// A New describes a profile to be made. chela chooses values for some empty fields.
type New struct {
	Name        string
	Driver      Driver // Managed or ExistingSession
	CDPURL      string // URL of the browser that the profile connects to
	UserDataDir string // user data directory of an existing session
	Color       string // #RRGGBB
}

// A Created is a profile that was made.
type Created struct {
	Setup
	File    string                  // the file in which the profile was saved
	Instead *config.UneditableError // why File is not the configuration file, which could not be edited; nil if it is
}

var profileName = lazyregexp.New(`^[a-z0-9][a-z0-9-]{0,63}$`)

// ValidName reports whether a new profile may have this name. The profile's folder gets the same
// name.
func ValidName(name string) bool { return profileName().MatchString(name) }

// ParseDriver returns the driver of a new profile by its name in a request. It returns false if no
// such driver exists, or no profile can be made with it.
func ParseDriver(name string) (Driver, bool) {
	d := driverOf(name)
	return d, d == Managed || d == ExistingSession
}

// ErrNoPort says that all debugging ports for profiles are in use.
var ErrNoPort = errors.New("no available CDP ports in range")

// An ExistsError says that there is a profile of that name already.
type ExistsError struct{ Name string }

func (e *ExistsError) Error() string { return fmt.Sprintf("profile %q already exists", e.Name) }

// A DirError says that a user data directory is not there.
type DirError struct{ Dir string }

func (e *DirError) Error() string { return "browser user data directory not found: " + e.Dir }

// A URLError says that the URL of a DevTools endpoint cannot be used.
type URLError struct {
	Scheme string // the scheme, if an endpoint cannot have it; "": the text is not a URL
	All    bool   // the host of the URL stands for all addresses of a machine, as 0.0.0.0 does
}

func (e *URLError) Error() string {
	if e.All {
		return "the host of the URL stands for all addresses"
	}
	return fmt.Sprintf("no DevTools endpoint has a URL of scheme %q", e.Scheme)
}

// CheckURL returns a [*URLError] if a text cannot be the URL of a DevTools endpoint.
func CheckURL(raw string) error {
	u, err := url.Parse(raw)
	switch {
	case err != nil || u.Scheme == "" || u.Host == "":
		return &URLError{}
	case !slices.Contains(config.CDPSchemes, u.Scheme):
		return &URLError{Scheme: u.Scheme}
	case hosts.IsUnspecified(u.Hostname()):
		return &URLError{All: true}
	}
	return nil
}

// Create makes a profile and writes it to the configuration. If chela starts its browser, the
// profile gets a color and a debugging port of its own. The port is reserved, though it is only
// opened with exposeCdp. The caller has checked the name, the driver and the URL. Errors are an
// [*ExistsError], a [*DirError] and [ErrNoPort], or come from [config.Live.SaveProfile].
func (m *Manager) Create(n New) (Created, error) {
	m.changing.Lock()
	defer m.changing.Unlock()
	c := m.config.Current()
	if exists(c, c.Browser.ProfileName(n.Name)) || n.Name == config.Render {
		return Created{}, &ExistsError{n.Name}
	}
	settings, err := n.settings(c)
	if err != nil {
		return Created{}, err
	}
	file, instead, err := m.config.SaveProfile(n.Name, settings)
	if err != nil {
		return Created{}, err
	}
	s, ok := setupOf(m.config.Current(), n.Name)
	if !ok {
		return Created{}, fmt.Errorf("profile %q was written to %s, but is not read from there", n.Name, file)
	}
	return Created{s, file, instead}, nil
}

// settings returns the settings of the profile for the configuration file: only those that differ
// from the defaults.
func (n New) settings(c *config.Config) (config.Profile, error) {
	p := config.Profile{CDPURL: n.CDPURL, UserDataDir: n.UserDataDir, Color: n.Color}
	if p.Color == "" {
		p.Color = freeColor(c)
	}
	if n.Driver == ExistingSession {
		p.Driver, p.AttachOnly = string(n.Driver), new(true)
		if n.UserDataDir == "" {
			return p, nil
		}
		if info, err := os.Stat(n.UserDataDir); err != nil || !info.IsDir() {
			return p, &DirError{n.UserDataDir}
		}
		var err error
		p.UserDataDir, err = config.AbsPath(n.UserDataDir) // a relative path in the file begins elsewhere
		return p, err
	}
	if n.CDPURL != "" {
		return p, nil
	}
	if p.CDPPort = newPort(c); p.CDPPort == 0 {
		return p, ErrNoPort
	}
	return p, nil
}

// colors are the colors of new profiles. The first belongs to the default profile.
var colors = []string{
	"#FF4500", "#0066CC", "#00AA00", "#9933FF", "#FF6699", "#00CCCC", "#FF9900", "#6666FF", "#CC3366", "#339966",
}

// freeColor returns the first color that no profile has. If all are used, they are given again in
// turn.
func freeColor(c *config.Config) string {
	used := map[string]bool{}
	all := c.Browser.ProfileNames()
	for _, name := range all {
		s, _ := setupOf(c, name)
		used[s.Color] = true
	}
	for _, color := range colors {
		if !used[color] {
			return color
		}
	}
	return colors[len(all)%len(colors)]
}
