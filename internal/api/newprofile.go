package api

import (
	"context"
	"errors"
	"fmt"

	"chela/internal/api/call"
	"chela/internal/api/words"
	"chela/internal/base/config"
	"chela/internal/engine/profile"
	"chela/internal/op"
	"chela/internal/wall/guard"
)

// A createRequest describes a profile to be made.
type createRequest struct {
	Name        string `json:"name" doc:"name of the profile: lowercase letters, numbers and hyphens"`
	Color       string `json:"color,omitempty" doc:"color of the window frames, as #RRGGBB; when left out, one that no other profile has"`
	CDPURL      string `json:"cdpUrl,omitempty" doc:"DevTools endpoint of a browser that runs already: http, https, ws or wss"`
	UserDataDir string `json:"userDataDir,omitempty" doc:"user data directory of a Chrome that you have started, for the driver existing-session"`
	Driver      string `json:"driver,omitempty" enum:"chela,openclaw,clawd,existing-session" lenient:"true" unknown:"--driver must be openclaw or existing-session" doc:"chela, openclaw or clawd: chela starts the browser; existing-session: it is your own Chrome"`
}

// Check runs before anything is written. The messages are OpenClaw's.
func (r createRequest) Check() error {
	driver, known := profile.ParseDriver(r.Driver)
	switch {
	case r.Name == "":
		return op.Errorf(op.Invalid, "name is required")
	case !profile.ValidName(r.Name):
		return op.Errorf(op.Invalid, "invalid profile name: use lowercase letters, numbers, and hyphens only").
			Hinted("begin with a letter or a number, and use 64 characters at most")
	case !known:
		return op.Errorf(op.Invalid, `unsupported profile driver %q; use "openclaw", "clawd", or "existing-session"`, r.Driver)
	case r.UserDataDir != "" && driver != profile.ExistingSession:
		return op.Errorf(op.Invalid, "driver=existing-session is required when userDataDir is provided")
	case r.Color != "" && !config.IsColor(r.Color):
		return op.Errorf(op.Invalid, "invalid profile color %q: use #RRGGBB", r.Color)
	}
	if r.CDPURL == "" {
		return nil
	}
	return urlError(profile.CheckURL(r.CDPURL))
}

// urlError explains why a URL is not accepted, with OpenClaw's texts.
func urlError(err error) error {
	wrong, ok := errors.AsType[*profile.URLError](err)
	if !ok {
		return err
	}
	if wrong.All {
		return op.Errorf(op.Invalid, "Invalid URL: its host stands for all addresses, and names no machine").Hinted("for this machine write 127.0.0.1")
	}
	e := op.Errorf(op.Invalid, "Invalid URL")
	if wrong.Scheme != "" {
		e = op.Errorf(op.Invalid, "browser.profiles.cdpUrl must be http(s) or ws(s), got: %s", wrong.Scheme)
	}
	return e.Hinted("give an address such as http://10.0.0.42:9222")
}

// createResult is a profile that was made. The names are OpenClaw's.
type createResult struct {
	OK          bool    `json:"ok" doc:"always true"`
	Profile     string  `json:"profile" doc:"name of the profile"`
	Transport   string  `json:"transport" doc:"how chela drives the browser: cdp, chrome-mcp or extension"`
	CDPPort     *int    `json:"cdpPort" doc:"debugging port of the browser, if there is one; it is open only with exposeCdp"`
	CDPURL      *string `json:"cdpUrl" doc:"address of the debugging port or of a browser on another machine"`
	UserDataDir *string `json:"userDataDir" doc:"user data directory, for the driver existing-session"`
	Color       string  `json:"color" doc:"color of the window frames"`
	IsRemote    bool    `json:"isRemote" doc:"the profile's browser is on another machine"`
	File        string  `json:"configFile" doc:"file in which the profile is kept"`
	Note        string  `json:"note,omitempty" doc:"why the profile is not kept in the configuration file"`
}

// Terminal returns the text for the command line, in OpenClaw's form.
func (r createResult) Terminal() string {
	port := ""
	if r.CDPPort != nil && !r.IsRemote {
		port = fmt.Sprintf("  port: %d", *r.CDPPort)
	}
	remote := ""
	if r.IsRemote {
		remote = "  cdpUrl: " + words.Or(r.CDPURL, "")
	}
	return words.Lines(fmt.Sprintf("Created profile %q", r.Profile), port, remote, "  color: "+r.Color, words.Prefixed("  ", r.Note))
}

// checkEndpoint returns an error if a profile cannot have an endpoint. If the network policy does
// not allow the endpoint, the error has OpenClaw's text.
func checkEndpoint(ctx context.Context, s *call.Service, rawURL string) error {
	err := s.Profiles.CheckEndpoint(ctx, rawURL)
	refused, ok := errors.AsType[*guard.Refused](err)
	if !ok {
		return err
	}
	return op.Errorf(op.Invalid, "browser endpoint blocked by policy | Blocked hostname or private/internal/special-use IP address").
		Hinted("%s", refused.Hint())
}

// createProfile adds a profile to the configuration. It starts no browser.
func createProfile(ctx context.Context, s *call.Service, r createRequest) (createResult, error) {
	driver, _ := profile.ParseDriver(r.Driver)
	if err := checkEndpoint(ctx, s, r.CDPURL); err != nil {
		return createResult{}, err
	}
	p, err := s.Profiles.Create(profile.New{Name: r.Name, Driver: driver, CDPURL: r.CDPURL, UserDataDir: r.UserDataDir, Color: r.Color})
	if err != nil {
		return createResult{}, err
	}
	made := createResult{
		OK: true, Profile: p.Name, Transport: p.Driver.Transport(), CDPPort: op.OrNull(p.Port), CDPURL: op.OrNull(p.CDPURL()),
		UserDataDir: op.OrNull(p.UserDataDir), Color: p.Color, IsRemote: p.Remote(), File: p.File,
	}
	if p.Instead != nil {
		made.Note = fmt.Sprintf("kept in %s, as %v", p.File, p.Instead)
	}
	return made, nil
}
