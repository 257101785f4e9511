package call

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"chela/internal/api/words"
	"chela/internal/engine/browser"
	"chela/internal/engine/chrome"
	"chela/internal/engine/endpoint"
	"chela/internal/engine/profile"
	"chela/internal/op"
)

// BrowserStatus says whether a browser runs, and how. The names and their order are OpenClaw's. Its
// clients expect each field in every answer. So optional fields are pointers, which are null in
// JSON if there is no value.
type BrowserStatus struct {
	Enabled        bool    `json:"enabled" doc:"the configuration lets chela drive browsers"`
	Profile        string  `json:"profile" doc:"name of the profile"`
	Driver         string  `json:"driver" doc:"kind of the profile: existing-session; extension; or openclaw: a browser that chela starts, or reaches at a DevTools address"`
	Transport      string  `json:"transport" doc:"how chela drives the browser: cdp, chrome-mcp, extension"`
	Running        bool    `json:"running" doc:"the browser runs and answers"`
	Connected      *bool   `json:"connected,omitempty" doc:"for a browser that chela does not start: true if chela is connected to it; if false, the next call that needs the browser connects"`
	CDPReady       bool    `json:"cdpReady" doc:"the browser answers the DevTools protocol"`
	CDPHTTP        bool    `json:"cdpHttp" doc:"the browser's debugging port is open: exposeCdp is set, or chela has no other way to the browser"`
	PageReady      bool    `json:"pageReady" doc:"the browser has a tab"`
	PID            *int    `json:"pid" doc:"process id of the browser, if chela knows it"`
	CDPPort        *int    `json:"cdpPort" doc:"debugging port, if the browser has one; see cdpHttp"`
	CDPURL         *string `json:"cdpUrl" doc:"address of the debugging port, if it is open, or of a browser that chela connects to"`
	ChosenBrowser  *string `json:"chosenBrowser" doc:"kind of the running browser: chrome, brave, edge, chromium, canary, custom"`
	Detected       *string `json:"detectedBrowser" doc:"kind of the browser found on this machine"`
	Executable     *string `json:"detectedExecutablePath" doc:"path of the browser that detectedBrowser names"`
	DetectError    *string `json:"detectError" doc:"why no browser was found"`
	UserDataDir    *string `json:"userDataDir" doc:"directory of the profile's data"`
	Color          string  `json:"color" doc:"color of the profile"`
	Headless       bool    `json:"headless" doc:"the browser runs without windows, or would be started without them"`
	HeadlessSource string  `json:"headlessSource" doc:"what decided headless: request, env, profile, config, linux-display-fallback, executable, default"`
	NoSandbox      bool    `json:"noSandbox" doc:"pages run without Chromium's sandbox"`
	SandboxOff     string  `json:"noSandboxReason,omitempty" doc:"why pages run without the sandbox"`
	ExecutablePath *string `json:"executablePath" doc:"path of the browser in the configuration"`
	AttachOnly     bool    `json:"attachOnly" doc:"the browser is never started by chela"`
	Notice         string  `json:"notice,omitempty" doc:"a note: another program has started the browser at cdpUrl, so chela only connects to it; or the browser ran already, and not in the mode that start asked for"`

	Graphics *GraphicsInfo `json:"graphics" doc:"the graphics that pages are drawn with; null until the operation doctor has asked the running browser"`

	ExposeCDP         bool `json:"exposeCdp,omitempty" doc:"the debugging port is open, so any program of this machine can drive the browser"`
	IgnoreHTTPSErrors bool `json:"ignoreHTTPSErrors,omitempty" doc:"pages load even if their certificates are not valid"`

	Egress      string   `json:"egress" doc:"how far the network policy holds: enforced; best-effort: an upstream proxy decides where connections lead, or chela has not started the browser"`
	Outdated    string   `json:"configOutdated,omitempty" doc:"why the configuration file cannot be used; its last valid settings stay in force"`
	NotInEffect []string `json:"notInEffect,omitempty" doc:"settings of the configuration file that have no effect"`
	Pending     []string `json:"notYetInEffect,omitempty" doc:"settings that have changed since the browser was started; it has the new values from its next start"`
	Weakened    []string `json:"weakened,omitempty" doc:"settings in force that weaken what docs/security.md promises"`
	Unrecorded  string   `json:"unrecorded,omitempty" doc:"why the recorder has dropped its oldest calls since the last status, such as a full disk"`
	Restored

	SandboxFix string `json:"-"` // how to get the sandbox for pages back
}

// Terminal returns the status as the command line prints it. Settings for browsers that chela starts
// say nothing of one that it connects to.
func (s BrowserStatus) Terminal() string {
	own := s.Connected == nil
	return words.Lines(
		"profile: "+s.Profile,
		fmt.Sprintf("enabled: %v", s.Enabled),
		fmt.Sprintf("running: %v", s.Running),
		words.If(s.Unconnected(), "connected: false, the next call that needs the browser connects to it"),
		"transport: "+s.Transport,
		"cdpPort: "+s.port(),
		"cdpUrl: "+words.Or(s.CDPURL, "none"),
		"browser: "+words.Or(s.ChosenBrowser, "unknown"),
		"detectedBrowser: "+words.Or(s.Detected, "none"),
		"detectedPath: "+words.Or(s.Executable, "none"),
		fmt.Sprintf("headless: %v (%s)", s.Headless, s.HeadlessSource),
		"profileColor: "+s.Color,
		words.Prefixed("graphics: ", s.Graphics.Summary()),
		words.If(own && s.SandboxOff != "", "sandbox: off, "+s.SandboxOff),
		words.If(own && s.CDPPort != nil && s.Driver == profile.Managed.Name() && !s.ExposeCDP, "exposeCdp: false, so the port is not open"),
		words.If(s.ExposeCDP, "exposeCdp: true, each program of this machine can drive the browser by its port"),
		words.If(s.IgnoreHTTPSErrors, "ignoreHTTPSErrors: true, pages load though their certificates are not valid"),
		words.Prefixed("notice: ", s.Notice),
		words.Prefixed("detectError: ", words.Or(s.DetectError, "")),
		words.Prefixed("egress: ", s.Unenforced()),
		words.Prefixed("configuration: ", s.Outdated),
		words.Prefixed("not in effect: ", strings.Join(s.NotInEffect, ", ")),
		NotYet(s.Pending),
		words.Prefixed("weakened by: ", strings.Join(s.Weakened, ", ")),
		words.Prefixed("unrecorded: ", s.Unrecorded),
		s.Restored.InWords(),
	)
}

// NotYet lists settings that the running browser does not have yet; "" if there are none.
func NotYet(pending []string) string {
	return words.Prefixed("not in effect until the browser is started again: ", strings.Join(pending, ", "))
}

// port returns the debugging port as the command line prints it.
func (s BrowserStatus) port() string {
	if s.CDPPort == nil {
		return "none"
	}
	return strconv.Itoa(*s.CDPPort)
}

// Unenforced says how far the network policy applies to the browser, such as "best-effort". It is
// "" if the policy applies to all connections. See [profile.Setup.Egress].
func (s BrowserStatus) Unenforced() string {
	if s.Egress == "enforced" {
		return ""
	}
	return s.Egress
}

// Summary returns the one line that start and stop print.
func (s BrowserStatus) Summary() string {
	text := fmt.Sprintf("browser [%s] running: %v", s.Profile, s.Running) + words.If(s.Unconnected(), " (not connected)")
	if s.Running && s.Headless && !s.Unconnected() {
		text += " (headless)"
	}
	return words.Lines(text, s.Notice)
}

// Unconnected reports whether the browser runs and chela is not connected to it.
func (s BrowserStatus) Unconnected() bool { return s.Running && s.Connected != nil && !*s.Connected }

// AskedStatus returns the status of a profile's browser. Unlike StatusOf, it asks a browser that
// chela only connects to whether it runs.
func (s *Service) AskedStatus(ctx context.Context, p *profile.Profile) BrowserStatus {
	st := s.StatusOf(ctx, p)
	if is := p.AskedSetup(ctx); !st.Running && is.Found {
		st.addConnection(is, nil)
	}
	if st.Connected != nil && !st.Running {
		if v, err := p.Ask(ctx); err == nil {
			st.AddAnswer(v)
		}
	}
	return st
}

// AddAnswer notes that a browser runs to which chela is not connected. The argument is the answer
// of the browser's endpoint. It has the browser's version if the endpoint speaks HTTP.
func (s *BrowserStatus) AddAnswer(v endpoint.Version) {
	s.Running, s.CDPReady, s.CDPHTTP = true, true, v.Browser != ""
}

// StatusOf returns the status of a profile's browser. It asks nothing of the browser. A browser that
// runs is described as it was started.
func (s *Service) StatusOf(ctx context.Context, p *profile.Profile) BrowserStatus {
	c, listed := s.Config.Current(), p.Listed()
	is, b := listed.InForce, listed.Browser
	st := BrowserStatus{
		Enabled: c.Browser.Enabled, Profile: p.Name, Driver: is.Driver.Name(), Transport: is.Driver.Transport(), Color: is.Color,
		CDPPort: op.OrNull(is.Port), CDPURL: Endpoint(is, b), UserDataDir: op.OrNull(is.UserDataDir),
		NoSandbox: is.NoSandbox, ExecutablePath: op.OrNull(listed.Executable), AttachOnly: is.AttachOnly,
		ExposeCDP: is.ExposeCDP, IgnoreHTTPSErrors: is.IgnoreHTTPSErrors, Egress: is.Egress(),
		Unrecorded: s.Recorders.TakeProblem(p.Name), Outdated: c.Outdated, NotInEffect: c.NotInEffect(), Pending: listed.Pending, Weakened: c.Weakened(),
	}
	for _, flag := range is.FlagsWithoutEffect() {
		st.NotInEffect = append(st.NotInEffect, "browser.extraArgs "+flag)
	}
	st.Headless, st.HeadlessSource = p.Mode()
	st.addExecutable(listed.Executable, is.NoSandbox)
	if is.Connected() {
		st.addConnection(is, b)
	}
	if b != nil {
		st.addRunning(b)
		st.PageReady = Session(ctx, b).Count() > 0
	}
	st.Restored = s.Restored(ctx, p)
	return st
}

// addConnection adds what is known of a browser that chela has not started. The parameter b is nil
// while chela is not connected to that browser.
func (s *BrowserStatus) addConnection(is profile.Setup, b *browser.Browser) {
	s.Connected, s.Egress, s.CDPURL = new(b != nil), is.Egress(), op.OrNull(is.CDPURL())
	if is.Found {
		s.Notice = "a browser that chela has not started runs at " + is.CDPURL() + ": chela connects to it, and does not end it"
	}
}

// Endpoint returns the address of the DevTools endpoint of a profile; nil if none is open. A
// browser that chela drives by a pipe has one only with exposeCdp, while it runs.
func Endpoint(s profile.Setup, b *browser.Browser) *string {
	if s.Connected() || b != nil && b.Describe().Port != 0 {
		return op.OrNull(s.CDPURL())
	}
	return nil
}

// addExecutable adds the executable of the next start. While a browser runs, its own executable may
// be another one. The executable is looked for at each call, since a browser may have been
// installed meanwhile.
func (s *BrowserStatus) addExecutable(configured string, noSandbox bool) {
	found, err := chrome.Find(configured)
	if err != nil {
		s.DetectError = new(err.Error())
		return
	}
	s.Detected, s.Executable = &found.Kind, &found.Path
	s.SandboxOff, s.SandboxFix = chrome.WithoutSandbox(found, noSandbox)
	s.NoSandbox = s.SandboxOff != ""
}

// addRunning adds what there is to know of a browser that runs.
func (s *BrowserStatus) addRunning(b *browser.Browser) {
	s.Running, s.CDPReady = true, true
	about := b.Describe()
	s.PID, s.ChosenBrowser, s.UserDataDir = op.OrNull(about.PID), op.OrNull(about.Executable.Kind), op.OrNull(about.UserDataDir)
	s.CDPHTTP, s.Graphics = about.Port != 0, GraphicsOf(b.KnownGraphics())
	if about.WebSocketURL != "" { // the browser is driven over a WebSocket, not a pipe
		s.CDPHTTP, s.CDPURL = true, &about.WebSocketURL
	}
}
