package api

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"chela/internal/chrome"
	"chela/internal/op"
	"chela/internal/profile"
)

type profileRequest struct{ InProfile }

// Status says whether a browser runs, and how.
type Status struct {
	Enabled        bool    `json:"enabled" doc:"browsers may be driven at all"`
	Profile        string  `json:"profile" doc:"name of the profile"`
	Driver         string  `json:"driver" doc:"what drives it: chela"`
	Transport      string  `json:"transport" doc:"how it is driven: cdp"`
	Running        bool    `json:"running" doc:"the browser runs and answers"`
	CDPReady       bool    `json:"cdpReady" doc:"it answers the DevTools protocol"`
	CDPHTTP        bool    `json:"cdpHttp" doc:"it has a debugging port; false: it is driven by a pipe"`
	PageReady      bool    `json:"pageReady" doc:"it has a tab"`
	PID            *int    `json:"pid" doc:"process of the browser"`
	CDPPort        *int    `json:"cdpPort" doc:"debugging port, if it has one"`
	CDPURL         *string `json:"cdpUrl" doc:"address of the debugging port, if it has one"`
	ChosenBrowser  *string `json:"chosenBrowser" doc:"kind of the running browser: chrome, brave, edge, chromium, canary, custom"`
	Detected       *string `json:"detectedBrowser" doc:"kind of the browser found on this machine"`
	Executable     *string `json:"detectedExecutablePath" doc:"its program"`
	DetectError    *string `json:"detectError" doc:"why none was found"`
	UserDataDir    *string `json:"userDataDir" doc:"directory of the profile's data"`
	Color          string  `json:"color" doc:"color of the profile"`
	Headless       bool    `json:"headless" doc:"it has no windows, or would have none"`
	HeadlessSource string  `json:"headlessSource" doc:"what decided that: request, env, config, linux-display-fallback, default"`
	NoSandbox      bool    `json:"noSandbox" doc:"pages run without Chromium's sandbox"`
	SandboxOff     string  `json:"noSandboxReason,omitempty" doc:"why they do"`
	ExecutablePath *string `json:"executablePath" doc:"program named in the configuration"`
	AttachOnly     bool    `json:"attachOnly" doc:"the browser is never started by chela"`
	Graphics       *string `json:"graphics" doc:"graphics hardware, once known"`

	NotInEffect []string `json:"notInEffect,omitempty" doc:"settings of the configuration file that change nothing"`
}

// Terminal is the status as a person reads it.
func (s Status) Terminal() string {
	return lines(
		"profile: "+s.Profile,
		fmt.Sprintf("enabled: %v", s.Enabled),
		fmt.Sprintf("running: %v", s.Running),
		"transport: "+s.Transport,
		"cdpPort: "+s.port(),
		"cdpUrl: "+or(s.CDPURL, "none"),
		"browser: "+or(s.ChosenBrowser, "unknown"),
		"detectedBrowser: "+or(s.Detected, "none"),
		"detectedPath: "+or(s.Executable, "none"),
		fmt.Sprintf("headless: %v (%s)", s.Headless, s.HeadlessSource),
		"profileColor: "+s.Color,
		prefixed("graphics: ", or(s.Graphics, "")),
		prefixed("sandbox: off, ", s.SandboxOff),
		prefixed("detectError: ", or(s.DetectError, "")),
		prefixed("not in effect: ", strings.Join(s.NotInEffect, ", ")),
	)
}

func (s Status) port() string {
	if s.CDPPort == nil {
		return "none"
	}
	return strconv.Itoa(*s.CDPPort)
}

// summary is the one line of whoever starts or stops a browser.
func (s Status) summary() string {
	text := fmt.Sprintf("browser [%s] running: %v", s.Profile, s.Running)
	if s.Running && s.Headless {
		text += " (headless)"
	}
	return text
}

// lines joins the lines that say something.
func lines(all ...string) string {
	var b strings.Builder
	for _, line := range all {
		if line == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(line)
	}
	return b.String()
}

func prefixed(prefix, s string) string {
	if s == "" {
		return ""
	}
	return prefix + s
}

func or(s *string, otherwise string) string {
	if s == nil {
		return otherwise
	}
	return *s
}

func status(ctx context.Context, s *Service, r profileRequest) (Status, error) {
	p, b, err := s.running(r.InProfile)
	if err != nil {
		return Status{}, err
	}
	settings := s.config.Browser
	st := Status{
		Enabled: settings.Enabled, Profile: p.Name, Driver: "chela", Transport: "cdp", Color: settings.Color,
		NoSandbox: settings.NoSandbox, ExecutablePath: some(settings.ExecutablePath),
		AttachOnly: settings.AttachOnly, NotInEffect: s.config.NotInEffect(),
	}
	st.Headless, st.HeadlessSource = p.Mode()
	if found, err := chrome.Find(settings.ExecutablePath); err == nil {
		st.Detected, st.Executable = &found.Kind, &found.Path
		st.SandboxOff = chrome.WithoutSandbox(found, settings.NoSandbox)
		st.NoSandbox = st.SandboxOff != ""
	} else {
		st.DetectError = new(err.Error())
	}
	if b == nil {
		return st, nil
	}
	st.Running, st.CDPReady, st.PageReady = true, true, b.Count() > 0
	about := b.Describe()
	st.PID, st.ChosenBrowser, st.UserDataDir = &about.PID, &about.Executable.Kind, &about.UserDataDir
	if about.WebSocketURL != "" { // where a pipe does not work
		st.CDPHTTP, st.CDPURL = true, &about.WebSocketURL
	}
	return st, nil
}

func some(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

type startRequest struct {
	InProfile
	op.Timeout
	Headless *bool `json:"headless,omitempty" wrong:"Invalid headless value. Use \"true\" or \"false\"." doc:"without windows, or with, whatever the configuration says"`
}

// Started is the status of a browser that runs.
type Started struct {
	OK bool `json:"ok" doc:"always true"`
	Status
}

// Terminal is what a person reads of it.
func (s Started) Terminal() string { return s.summary() }

func start(ctx context.Context, s *Service, r startRequest) (Started, error) {
	p, err := s.profiles.Named(r.Profile)
	if err != nil {
		return Started{}, err
	}
	if _, err = p.Start(ctx, r.Headless); err != nil {
		return Started{}, err
	}
	st, err := status(ctx, s, profileRequest{r.InProfile})
	return Started{true, st}, err
}

// Stopped is the status of a browser that does not run.
type Stopped struct {
	OK      bool `json:"ok" doc:"always true"`
	Stopped bool `json:"stopped" doc:"it ran until now"`
	Status
}

type stopRequest struct {
	InProfile
	Forget bool `json:"forget,omitempty" doc:"forget session cookies, and the logins in them"`
}

// Terminal is what a person reads of it.
func (s Stopped) Terminal() string { return s.summary() }

func stop(ctx context.Context, s *Service, r stopRequest) (Stopped, error) {
	p, err := s.profiles.Named(r.Profile)
	if err != nil {
		return Stopped{}, err
	}
	stopped, err := p.Stop(ctx, r.Forget)
	if err != nil {
		return Stopped{}, err
	}
	st, err := status(ctx, s, profileRequest{r.InProfile})
	return Stopped{true, stopped, st}, err
}

type nothing struct{}

// OK is the answer of an operation that has nothing to tell.
type OK struct {
	OK bool `json:"ok" doc:"always true"`
}

func shutdown(_ context.Context, s *Service, _ nothing) (OK, error) {
	s.shutdown()
	return OK{true}, nil
}

// ProfileList lists the profiles.
type ProfileList struct {
	Profiles []ProfileInfo `json:"profiles" doc:"the profiles"`
}

// ProfileInfo is what is told of a profile.
type ProfileInfo struct {
	Name      string  `json:"name" doc:"its name"`
	Transport string  `json:"transport" doc:"how it is driven"`
	CDPPort   *int    `json:"cdpPort" doc:"debugging port, if it has one"`
	CDPURL    *string `json:"cdpUrl" doc:"address of the debugging port, if it has one"`
	Color     string  `json:"color" doc:"its color"`
	Driver    string  `json:"driver" doc:"what drives it"`
	Running   bool    `json:"running" doc:"its browser runs"`
	TabCount  int     `json:"tabCount" doc:"how many tabs it has"`
	IsDefault bool    `json:"isDefault" doc:"it is used when none is named"`
	IsRemote  bool    `json:"isRemote" doc:"its browser is on another machine"`
	Reconcile *string `json:"reconcileReason" doc:"what of its settings is not in effect yet"`
}

// Text is the list as a person reads it.
func (l ProfileList) Text() string {
	var all []string
	for _, p := range l.Profiles {
		state := "stopped"
		if p.Running {
			state = fmt.Sprintf("running (%d tabs)", p.TabCount)
		}
		if p.IsDefault {
			state += " [default]"
		}
		all = append(all, p.Name+": "+state, "  color: "+p.Color)
	}
	return lines(all...)
}

func profiles(ctx context.Context, s *Service, _ nothing) (ProfileList, error) {
	_, b, err := s.running(InProfile{})
	if err != nil {
		return ProfileList{}, err
	}
	info := ProfileInfo{Name: profile.Default, Transport: "cdp", Driver: "chela", Color: s.config.Browser.Color, IsDefault: true}
	if b != nil {
		info.Running, info.TabCount = true, b.Count()
	}
	return ProfileList{[]ProfileInfo{info}}, nil
}
