package api

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"chela/internal/lazyregexp"
	"chela/internal/op"
	"chela/internal/profile"
)

// profileList lists the profiles.
type profileList struct {
	Profiles []profileInfo `json:"profiles" doc:"the profiles"`
}

// profileInfo is what is listed of a profile. As in the status, fields that have nothing to say
// are null and not absent. The names are the contract's.
type profileInfo struct {
	Name      string  `json:"name" doc:"its name"`
	Transport string  `json:"transport" doc:"how it is driven"`
	CDPPort   *int    `json:"cdpPort" doc:"debugging port, if it has one; it is open only with exposeCdp"`
	CDPURL    *string `json:"cdpUrl" doc:"address of the debugging port or of a browser on another machine"`
	Color     string  `json:"color" doc:"its color"`
	Driver    string  `json:"driver" doc:"what drives it"`
	Running   bool    `json:"running" doc:"its browser runs"`
	TabCount  int     `json:"tabCount" doc:"how many tabs it has"`
	IsDefault bool    `json:"isDefault" doc:"it is used when none is named"`
	IsRemote  bool    `json:"isRemote" doc:"its browser is on another machine"`
	Missing   bool    `json:"missingFromConfig,omitempty" doc:"the configuration does not have it any more, but its browser runs"`
	Reconcile *string `json:"reconcileReason" doc:"what of its settings is not in effect yet"`
}

// Text is the list as a person reads it, in the contract's form.
func (l profileList) Text() string {
	var all []string
	for _, p := range l.Profiles {
		all = append(all, p.title(), "  "+p.reachedBy()+", color: "+p.Color, prefixed("  ", or(p.Reconcile, "")))
	}
	return lines(all...)
}

// title is its name and its state.
func (p profileInfo) title() string {
	text := p.Name + ": stopped"
	if p.Running {
		text = fmt.Sprintf("%s: running (%d tabs)", p.Name, p.TabCount)
	}
	if p.IsDefault {
		text += " [default]"
	}
	switch {
	case p.IsRemote:
		text += " [remote]"
	case p.Driver != string(profile.Managed):
		text += " [" + p.Driver + "]"
	}
	if p.Missing {
		text += " [not in the configuration any more]"
	}
	return text
}

// reachedBy is what its browser is reached by: the port of one that chela starts.
func (p profileInfo) reachedBy() string {
	switch {
	case p.Driver != string(profile.Managed):
		return "transport: " + p.Transport
	case p.IsRemote:
		return "cdpUrl: " + or(p.CDPURL, "none")
	case p.CDPPort == nil:
		return "port: none"
	}
	return "port: " + strconv.Itoa(*p.CDPPort)
}

// profiles starts no browser.
func profiles(_ context.Context, s *Service, _ nothing) (profileList, error) {
	l := profileList{[]profileInfo{}}
	for _, p := range s.profiles.List() {
		l.Profiles = append(l.Profiles, infoOfProfile(p))
	}
	return l, nil
}

func infoOfProfile(p profile.Listed) profileInfo {
	info := profileInfo{
		Name: p.Name, Transport: p.Driver.Transport(), CDPPort: number(p.Port), CDPURL: some(p.CDPURL()), Color: p.Color, Driver: string(p.Driver),
		IsDefault: p.IsDefault, IsRemote: p.Remote(), Missing: p.Missing,
	}
	if p.Browser != nil {
		info.Running, info.TabCount = true, p.Browser.Count()
	}
	if len(p.Pending) > 0 {
		info.Reconcile = new("not in effect until the browser is started again: " + strings.Join(p.Pending, ", "))
	}
	return info
}

// number is a number, nil for 0.
func number(n int) *int {
	if n == 0 {
		return nil
	}
	return &n
}

// A createRequest describes a new profile.
type createRequest struct {
	Name        string `json:"name" doc:"its name: lowercase letters, numbers and hyphens"`
	Color       string `json:"color,omitempty" doc:"#RRGGBB, of the frame of its windows; one that no other profile has when left out"`
	CDPURL      string `json:"cdpUrl,omitempty" doc:"DevTools endpoint of a browser that runs already: http, https, ws or wss"`
	UserDataDir string `json:"userDataDir,omitempty" doc:"of a Chrome that you have started, for the driver existing-session"`
	Driver      string `json:"driver,omitempty" enum:"chela,openclaw,clawd,existing-session" lenient:"true" unknown:"--driver must be openclaw or existing-session" doc:"chela: its browser is started by chela; existing-session: it is your own Chrome"`
}

var profileColor = lazyregexp.New(`^#[0-9A-Fa-f]{6}$`)

// Check comes before anything is written. The messages are the contract's.
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
	case r.Color != "" && !profileColor().MatchString(r.Color):
		return op.Errorf(op.Invalid, "invalid profile color %q: use #RRGGBB", r.Color)
	}
	if r.CDPURL == "" {
		return nil
	}
	return urlError(profile.CheckURL(r.CDPURL))
}

// urlError words why a URL is not taken, as the contract does.
func urlError(err error) error {
	wrong, ok := errors.AsType[*profile.URLError](err)
	if !ok {
		return err
	}
	e := op.Errorf(op.Invalid, "Invalid URL")
	if wrong.Scheme != "" {
		e = op.Errorf(op.Invalid, "browser.profiles.cdpUrl must be http(s) or ws(s), got: %s", wrong.Scheme)
	}
	return e.Hinted("give an address such as http://10.0.0.42:9222")
}

// createResult is a profile that was made. The names are the contract's.
type createResult struct {
	OK          bool    `json:"ok" doc:"always true"`
	Profile     string  `json:"profile" doc:"its name"`
	Transport   string  `json:"transport" doc:"how it is driven"`
	CDPPort     *int    `json:"cdpPort" doc:"its debugging port, if it has one; it is open only with exposeCdp"`
	CDPURL      *string `json:"cdpUrl" doc:"address of the debugging port or of a browser on another machine"`
	UserDataDir *string `json:"userDataDir" doc:"of an existing session"`
	Color       string  `json:"color" doc:"its color"`
	IsRemote    bool    `json:"isRemote" doc:"its browser is on another machine"`
	File        string  `json:"configFile" doc:"where it is kept"`
	Note        string  `json:"note,omitempty" doc:"why it is not kept in the configuration file"`
}

// Terminal is what a person reads of it, in the contract's form.
func (r createResult) Terminal() string {
	port := ""
	if r.CDPPort != nil && !r.IsRemote {
		port = fmt.Sprintf("  port: %d", *r.CDPPort)
	}
	remote := ""
	if r.IsRemote {
		remote = "  cdpUrl: " + or(r.CDPURL, "")
	}
	return lines(fmt.Sprintf("Created profile %q", r.Profile), port, remote, "  color: "+r.Color, prefixed("  ", r.Note))
}

// createProfile starts no browser.
func createProfile(_ context.Context, s *Service, r createRequest) (createResult, error) {
	driver, _ := profile.ParseDriver(r.Driver)
	p, err := s.profiles.Create(profile.New{Name: r.Name, Driver: driver, CDPURL: r.CDPURL, UserDataDir: r.UserDataDir, Color: r.Color})
	if err != nil {
		return createResult{}, err
	}
	made := createResult{
		OK: true, Profile: p.Name, Transport: p.Driver.Transport(), CDPPort: number(p.Port), CDPURL: some(p.CDPURL()),
		UserDataDir: some(p.UserDataDir), Color: p.Color, IsRemote: p.Remote(), File: p.File,
	}
	if p.Instead != nil {
		made.Note = fmt.Sprintf("kept in %s, as %v", p.File, p.Instead)
	}
	return made, nil
}

// A deleteRequest names the profile to delete.
type deleteRequest struct {
	Name string `json:"name" doc:"name of the profile"`
	op.Timeout
}

// Check has the contract's message.
func (r deleteRequest) Check() error {
	if !profile.ValidName(r.Name) {
		return op.Errorf(op.Invalid, "invalid profile name").Hinted("list the profiles")
	}
	return nil
}

// deleteResult says whether there were data of the profile.
type deleteResult struct {
	OK      bool   `json:"ok" doc:"always true"`
	Profile string `json:"profile" doc:"its name"`
	Deleted bool   `json:"deleted" doc:"it had data: they are in the trash of the state directory, which keeps the newest ten"`
}

// Terminal is what a person reads of it, in the contract's form.
func (r deleteResult) Terminal() string {
	if r.Deleted {
		return fmt.Sprintf("Deleted profile %q (user data removed)", r.Profile)
	}
	return fmt.Sprintf("Deleted profile %q (user data removal not confirmed)", r.Profile)
}

// deleteProfile ends a trace of the profile, too, without a file: it is of a browser that is ended.
func deleteProfile(ctx context.Context, s *Service, r deleteRequest) (deleteResult, error) {
	moved, err := s.profiles.Delete(ctx, r.Name)
	if err != nil {
		return deleteResult{}, err
	}
	s.traces.discard(r.Name)
	return deleteResult{true, r.Name, moved}, nil
}

// A resetRequest is about one profile.
type resetRequest struct {
	InProfile
	op.Timeout
}

// resetResult says where the data of a profile are now.
type resetResult struct {
	OK      bool   `json:"ok" doc:"always true"`
	Profile string `json:"profile" doc:"name of the profile"`
	Moved   bool   `json:"moved" doc:"there were data"`
	From    string `json:"from" doc:"where they were"`
	To      string `json:"to,omitempty" doc:"where they are now: the newest ten of the trash are kept"`
}

// Terminal is what a person reads of it, in the contract's words.
func (r resetResult) Terminal() string {
	if !r.Moved {
		return "browser profile already missing."
	}
	return "browser profile moved to Trash (" + r.To + ")"
}

// resetProfile ends a trace of the profile, too, without a file: it is of a browser that is ended.
func resetProfile(ctx context.Context, s *Service, r resetRequest) (resetResult, error) {
	p, err := s.profiles.Named(r.Profile)
	if err != nil {
		return resetResult{}, err
	}
	from, to, err := p.Reset(ctx)
	if err != nil {
		return resetResult{}, err
	}
	s.traces.discard(p.Name)
	return resetResult{OK: true, Profile: p.Name, Moved: to != "", From: from, To: to}, nil
}
