// Code generated from the table of operations by go generate ./test/repo; DO NOT EDIT.

package client

import (
	"context"
	"encoding/json"
	"time"
)

// Codes of errors, with their HTTP status.
const (
	CodeActEvaluateDisabled    Code = "ACT_EVALUATE_DISABLED"     // 403
	CodeActInvalidRequest      Code = "ACT_INVALID_REQUEST"       // 400
	CodeActKindRequired        Code = "ACT_KIND_REQUIRED"         // 400
	CodeActOperationFailed     Code = "ACT_OPERATION_FAILED"      // 422
	CodeActSelectorUnsupported Code = "ACT_SELECTOR_UNSUPPORTED"  // 400
	CodeActTargetIDMismatch    Code = "ACT_TARGET_ID_MISMATCH"    // 403
	CodeBodyGone               Code = "BODY_GONE"                 // 404
	CodeBrowserDisabled        Code = "BROWSER_DISABLED"          // 403
	CodeBrowserLost            Code = "BROWSER_LOST"              // 502
	CodeNodesBusy              Code = "NODES_BUSY"                // 429
	CodeNodeLost               Code = "NODE_LOST"                 // 502
	CodeNoBrowser              Code = "NO_BROWSER"                // 503
	CodeNoFocus                Code = "NO_FOCUS"                  // 409
	CodePersonInControl        Code = "PERSON_IN_CONTROL"         // 423
	CodeProfileElsewhere       Code = "PROFILE_ELSEWHERE"         // 409
	CodeSecretsFailed          Code = "SECRETS_FAILED"            // 503
	CodeSecretNotConfirmed     Code = "SECRET_NOT_CONFIRMED"      // 403
	CodeSecretNotForThisPlace  Code = "SECRET_NOT_FOR_THIS_PLACE" // 403
	CodeSecretNotFound         Code = "SECRET_NOT_FOUND"          // 404
	CodeSecretRefused          Code = "SECRET_REFUSED"            // 403
	CodeTooComplex             Code = "TOO_COMPLEX"               // 422
	CodeBrowserFailed          Code = "browser_failed"            // 503
	CodeCanceled               Code = "canceled"                  // 499
	CodeConflict               Code = "conflict"                  // 409
	CodeDeadline               Code = "deadline"                  // 504
	CodeFileFailed             Code = "file_failed"               // 507
	CodeForbidden              Code = "forbidden"                 // 403
	CodeHeadersTooLarge        Code = "headers_too_large"         // 431
	CodeInternal               Code = "internal"                  // 500
	CodeInvalidRequest         Code = "invalid_request"           // 400
	CodeMethodNotAllowed       Code = "method_not_allowed"        // 405
	CodeNavigationBlocked      Code = "navigation_blocked"        // 400
	CodeNoPort                 Code = "no_port"                   // 507
	CodeNoSpace                Code = "no_space"                  // 507
	CodeNotFound               Code = "not_found"                 // 404
	CodeNotMet                 Code = "not_met"                   // 422
	CodeNotSupported           Code = "not_supported"             // 501
	CodePageBusy               Code = "page_busy"                 // 504
	CodePageFailed             Code = "page_failed"               // 502
	CodeQueueFull              Code = "queue_full"                // 503
	CodeScriptFailed           Code = "script_failed"             // 422
	CodeShuttingDown           Code = "shutting_down"             // 503
	CodeStaleRef               Code = "stale_ref"                 // 404
	CodeTabClosed              Code = "tab_closed"                // 409
	CodeTabCrashed             Code = "tab_crashed"               // 502
	CodeTooLarge               Code = "too_large"                 // 413
	CodeTooMany                Code = "too_many"                  // 429
	CodeUnauthorized           Code = "unauthorized"              // 401
	CodeUnknownRef             Code = "unknown_ref"               // 404
	CodeUnsupportedMediaType   Code = "unsupported_media_type"    // 415
)

// Status runs the operation status. Show whether the browser runs, and how.
func (c *Client) Status(ctx context.Context, r StatusRequest) (*StatusResult, error) {
	return call[StatusResult](ctx, c, r, "GET /")
}

// StatusRequest has the parameters of [Client.Status].
type StatusRequest struct {
	Profile string `json:"profile,omitzero"` // browser profile; the default one when left out
}

// StatusResult is the answer of [Client.Status].
type StatusResult struct {
	Enabled                bool          `json:"enabled"`                    // the configuration lets chela drive browsers
	Profile                string        `json:"profile"`                    // name of the profile
	Driver                 string        `json:"driver"`                     // kind of the profile: existing-session; extension; or openclaw: a browser that chela starts, or reaches at a DevTools address
	Transport              string        `json:"transport"`                  // how chela drives the browser: cdp, chrome-mcp, extension
	Running                bool          `json:"running"`                    // the browser runs and answers
	Connected              *bool         `json:"connected,omitzero"`         // for a browser that chela does not start: true if chela is connected to it; if false, the next call that needs the browser connects
	CDPReady               bool          `json:"cdpReady"`                   // the browser answers the DevTools protocol
	CDPHTTP                bool          `json:"cdpHttp"`                    // the browser's debugging port is open: exposeCdp is set, or chela has no other way to the browser
	PageReady              bool          `json:"pageReady"`                  // the browser has a tab
	PID                    *int          `json:"pid"`                        // process id of the browser, if chela knows it
	CDPPort                *int          `json:"cdpPort"`                    // debugging port, if the browser has one; see cdpHttp
	CDPURL                 string        `json:"cdpUrl"`                     // address of the debugging port, if it is open, or of a browser that chela connects to
	ChosenBrowser          string        `json:"chosenBrowser"`              // kind of the running browser: chrome, brave, edge, chromium, canary, custom
	DetectedBrowser        string        `json:"detectedBrowser"`            // kind of the browser found on this machine
	DetectedExecutablePath string        `json:"detectedExecutablePath"`     // path of the browser that detectedBrowser names
	DetectError            string        `json:"detectError"`                // why no browser was found
	UserDataDir            string        `json:"userDataDir"`                // directory of the profile's data
	Color                  string        `json:"color"`                      // color of the profile
	Headless               bool          `json:"headless"`                   // the browser runs without windows, or would be started without them
	HeadlessSource         string        `json:"headlessSource"`             // what decided headless: request, env, profile, config, linux-display-fallback, executable, default
	NoSandbox              bool          `json:"noSandbox"`                  // pages run without Chromium's sandbox
	NoSandboxReason        string        `json:"noSandboxReason,omitzero"`   // why pages run without the sandbox
	ExecutablePath         string        `json:"executablePath"`             // path of the browser in the configuration
	AttachOnly             bool          `json:"attachOnly"`                 // the browser is never started by chela
	Notice                 string        `json:"notice,omitzero"`            // a note: another program has started the browser at cdpUrl, so chela only connects to it; or the browser ran already, and not in the mode that start asked for
	Graphics               *GraphicsInfo `json:"graphics"`                   // the graphics that pages are drawn with; null until the operation doctor has asked the running browser
	ExposeCDP              bool          `json:"exposeCdp,omitzero"`         // the debugging port is open, so any program of this machine can drive the browser
	IgnoreHTTPSErrors      bool          `json:"ignoreHTTPSErrors,omitzero"` // pages load even if their certificates are not valid
	Egress                 string        `json:"egress"`                     // how far the network policy holds: enforced; best-effort: an upstream proxy decides where connections lead, or chela has not started the browser
	ConfigOutdated         string        `json:"configOutdated,omitzero"`    // why the configuration file cannot be used; its last valid settings stay in force
	NotInEffect            []string      `json:"notInEffect,omitzero"`       // settings of the configuration file that have no effect
	NotYetInEffect         []string      `json:"notYetInEffect,omitzero"`    // settings that have changed since the browser was started; it has the new values from its next start
	Weakened               []string      `json:"weakened,omitzero"`          // settings in force that weaken what docs/security.md promises
	Unrecorded             string        `json:"unrecorded,omitzero"`        // why the recorder has dropped its oldest calls since the last status, such as a full disk
	Restored               *Restoration  `json:"restored,omitzero"`          // what this server restored after the previous server was killed; only in the first answers
	Ignored                []string      `json:"ignored,omitzero"`           // names of the given parameters, and of fields in them, that had no effect
}

// Start runs the operation start. Start the browser.
func (c *Client) Start(ctx context.Context, r StartRequest) (*StartResult, error) {
	return call[StartResult](ctx, c, r, "POST /start")
}

// StartRequest has the parameters of [Client.Start].
type StartRequest struct {
	Profile   string `json:"profile,omitzero"`   // browser profile; the default one when left out
	TimeoutMs int    `json:"timeoutMs,omitzero"` // deadline in milliseconds, at most 120000; when left out, 45000
	Headless  *bool  `json:"headless,omitzero"`  // true: run without windows; false: with windows; when left out, as the configuration says
}

// StartResult is the answer of [Client.Start].
type StartResult struct {
	OK                     bool          `json:"ok"`                         // always true
	Enabled                bool          `json:"enabled"`                    // the configuration lets chela drive browsers
	Profile                string        `json:"profile"`                    // name of the profile
	Driver                 string        `json:"driver"`                     // kind of the profile: existing-session; extension; or openclaw: a browser that chela starts, or reaches at a DevTools address
	Transport              string        `json:"transport"`                  // how chela drives the browser: cdp, chrome-mcp, extension
	Running                bool          `json:"running"`                    // the browser runs and answers
	Connected              *bool         `json:"connected,omitzero"`         // for a browser that chela does not start: true if chela is connected to it; if false, the next call that needs the browser connects
	CDPReady               bool          `json:"cdpReady"`                   // the browser answers the DevTools protocol
	CDPHTTP                bool          `json:"cdpHttp"`                    // the browser's debugging port is open: exposeCdp is set, or chela has no other way to the browser
	PageReady              bool          `json:"pageReady"`                  // the browser has a tab
	PID                    *int          `json:"pid"`                        // process id of the browser, if chela knows it
	CDPPort                *int          `json:"cdpPort"`                    // debugging port, if the browser has one; see cdpHttp
	CDPURL                 string        `json:"cdpUrl"`                     // address of the debugging port, if it is open, or of a browser that chela connects to
	ChosenBrowser          string        `json:"chosenBrowser"`              // kind of the running browser: chrome, brave, edge, chromium, canary, custom
	DetectedBrowser        string        `json:"detectedBrowser"`            // kind of the browser found on this machine
	DetectedExecutablePath string        `json:"detectedExecutablePath"`     // path of the browser that detectedBrowser names
	DetectError            string        `json:"detectError"`                // why no browser was found
	UserDataDir            string        `json:"userDataDir"`                // directory of the profile's data
	Color                  string        `json:"color"`                      // color of the profile
	Headless               bool          `json:"headless"`                   // the browser runs without windows, or would be started without them
	HeadlessSource         string        `json:"headlessSource"`             // what decided headless: request, env, profile, config, linux-display-fallback, executable, default
	NoSandbox              bool          `json:"noSandbox"`                  // pages run without Chromium's sandbox
	NoSandboxReason        string        `json:"noSandboxReason,omitzero"`   // why pages run without the sandbox
	ExecutablePath         string        `json:"executablePath"`             // path of the browser in the configuration
	AttachOnly             bool          `json:"attachOnly"`                 // the browser is never started by chela
	Notice                 string        `json:"notice,omitzero"`            // a note: another program has started the browser at cdpUrl, so chela only connects to it; or the browser ran already, and not in the mode that start asked for
	Graphics               *GraphicsInfo `json:"graphics"`                   // the graphics that pages are drawn with; null until the operation doctor has asked the running browser
	ExposeCDP              bool          `json:"exposeCdp,omitzero"`         // the debugging port is open, so any program of this machine can drive the browser
	IgnoreHTTPSErrors      bool          `json:"ignoreHTTPSErrors,omitzero"` // pages load even if their certificates are not valid
	Egress                 string        `json:"egress"`                     // how far the network policy holds: enforced; best-effort: an upstream proxy decides where connections lead, or chela has not started the browser
	ConfigOutdated         string        `json:"configOutdated,omitzero"`    // why the configuration file cannot be used; its last valid settings stay in force
	NotInEffect            []string      `json:"notInEffect,omitzero"`       // settings of the configuration file that have no effect
	NotYetInEffect         []string      `json:"notYetInEffect,omitzero"`    // settings that have changed since the browser was started; it has the new values from its next start
	Weakened               []string      `json:"weakened,omitzero"`          // settings in force that weaken what docs/security.md promises
	Unrecorded             string        `json:"unrecorded,omitzero"`        // why the recorder has dropped its oldest calls since the last status, such as a full disk
	Restored               *Restoration  `json:"restored,omitzero"`          // what this server restored after the previous server was killed; only in the first answers
	Ignored                []string      `json:"ignored,omitzero"`           // names of the given parameters, and of fields in them, that had no effect
}

// Stop runs the operation stop. Stop the browser. Its tabs close. Its cookies are kept, but forget
// deletes session cookies.
func (c *Client) Stop(ctx context.Context, r StopRequest) (*StopResult, error) {
	return call[StopResult](ctx, c, r, "POST /stop")
}

// StopRequest has the parameters of [Client.Stop].
type StopRequest struct {
	Profile string `json:"profile,omitzero"` // browser profile; the default one when left out
	Forget  bool   `json:"forget,omitzero"`  // delete session cookies, and with them the logins that they hold
}

// StopResult is the answer of [Client.Stop].
type StopResult struct {
	OK                     bool          `json:"ok"`                         // always true
	Stopped                bool          `json:"stopped"`                    // the browser was running, and was stopped
	Enabled                bool          `json:"enabled"`                    // the configuration lets chela drive browsers
	Profile                string        `json:"profile"`                    // name of the profile
	Driver                 string        `json:"driver"`                     // kind of the profile: existing-session; extension; or openclaw: a browser that chela starts, or reaches at a DevTools address
	Transport              string        `json:"transport"`                  // how chela drives the browser: cdp, chrome-mcp, extension
	Running                bool          `json:"running"`                    // the browser runs and answers
	Connected              *bool         `json:"connected,omitzero"`         // for a browser that chela does not start: true if chela is connected to it; if false, the next call that needs the browser connects
	CDPReady               bool          `json:"cdpReady"`                   // the browser answers the DevTools protocol
	CDPHTTP                bool          `json:"cdpHttp"`                    // the browser's debugging port is open: exposeCdp is set, or chela has no other way to the browser
	PageReady              bool          `json:"pageReady"`                  // the browser has a tab
	PID                    *int          `json:"pid"`                        // process id of the browser, if chela knows it
	CDPPort                *int          `json:"cdpPort"`                    // debugging port, if the browser has one; see cdpHttp
	CDPURL                 string        `json:"cdpUrl"`                     // address of the debugging port, if it is open, or of a browser that chela connects to
	ChosenBrowser          string        `json:"chosenBrowser"`              // kind of the running browser: chrome, brave, edge, chromium, canary, custom
	DetectedBrowser        string        `json:"detectedBrowser"`            // kind of the browser found on this machine
	DetectedExecutablePath string        `json:"detectedExecutablePath"`     // path of the browser that detectedBrowser names
	DetectError            string        `json:"detectError"`                // why no browser was found
	UserDataDir            string        `json:"userDataDir"`                // directory of the profile's data
	Color                  string        `json:"color"`                      // color of the profile
	Headless               bool          `json:"headless"`                   // the browser runs without windows, or would be started without them
	HeadlessSource         string        `json:"headlessSource"`             // what decided headless: request, env, profile, config, linux-display-fallback, executable, default
	NoSandbox              bool          `json:"noSandbox"`                  // pages run without Chromium's sandbox
	NoSandboxReason        string        `json:"noSandboxReason,omitzero"`   // why pages run without the sandbox
	ExecutablePath         string        `json:"executablePath"`             // path of the browser in the configuration
	AttachOnly             bool          `json:"attachOnly"`                 // the browser is never started by chela
	Notice                 string        `json:"notice,omitzero"`            // a note: another program has started the browser at cdpUrl, so chela only connects to it; or the browser ran already, and not in the mode that start asked for
	Graphics               *GraphicsInfo `json:"graphics"`                   // the graphics that pages are drawn with; null until the operation doctor has asked the running browser
	ExposeCDP              bool          `json:"exposeCdp,omitzero"`         // the debugging port is open, so any program of this machine can drive the browser
	IgnoreHTTPSErrors      bool          `json:"ignoreHTTPSErrors,omitzero"` // pages load even if their certificates are not valid
	Egress                 string        `json:"egress"`                     // how far the network policy holds: enforced; best-effort: an upstream proxy decides where connections lead, or chela has not started the browser
	ConfigOutdated         string        `json:"configOutdated,omitzero"`    // why the configuration file cannot be used; its last valid settings stay in force
	NotInEffect            []string      `json:"notInEffect,omitzero"`       // settings of the configuration file that have no effect
	NotYetInEffect         []string      `json:"notYetInEffect,omitzero"`    // settings that have changed since the browser was started; it has the new values from its next start
	Weakened               []string      `json:"weakened,omitzero"`          // settings in force that weaken what docs/security.md promises
	Unrecorded             string        `json:"unrecorded,omitzero"`        // why the recorder has dropped its oldest calls since the last status, such as a full disk
	Restored               *Restoration  `json:"restored,omitzero"`          // what this server restored after the previous server was killed; only in the first answers
	Ignored                []string      `json:"ignored,omitzero"`           // names of the given parameters, and of fields in them, that had no effect
}

// Profiles runs the operation profiles. List the profiles.
func (c *Client) Profiles(ctx context.Context, r ProfilesRequest) (*ProfileList, error) {
	return call[ProfileList](ctx, c, r, "GET /profiles")
}

// ProfilesRequest has the parameters of [Client.Profiles].
type ProfilesRequest struct {
}

// ProfileList is the answer of [Client.Profiles].
type ProfileList struct {
	Profiles []ProfileInfo `json:"profiles"`         // the profiles
	Ignored  []string      `json:"ignored,omitzero"` // names of the given parameters, and of fields in them, that had no effect
}

// ProfilesCreate runs the operation profiles create. Make a profile: a browser with logins, tabs
// and a color of its own.
func (c *Client) ProfilesCreate(ctx context.Context, r ProfilesCreateRequest) (*CreateResult, error) {
	return call[CreateResult](ctx, c, r, "POST /profiles/create")
}

// ProfilesCreateRequest has the parameters of [Client.ProfilesCreate].
type ProfilesCreateRequest struct {
	Name        string `json:"name"`                 // name of the profile: lowercase letters, numbers and hyphens
	Color       string `json:"color,omitzero"`       // color of the window frames, as #RRGGBB; when left out, one that no other profile has
	CDPURL      string `json:"cdpUrl,omitzero"`      // DevTools endpoint of a browser that runs already: http, https, ws or wss
	UserDataDir string `json:"userDataDir,omitzero"` // user data directory of a Chrome that you have started, for the driver existing-session
	Driver      string `json:"driver,omitzero"`      // chela, openclaw or clawd: chela starts the browser; existing-session: it is your own Chrome; one of chela, openclaw, clawd, existing-session
}

// CreateResult is the answer of [Client.ProfilesCreate].
type CreateResult struct {
	OK          bool     `json:"ok"`               // always true
	Profile     string   `json:"profile"`          // name of the profile
	Transport   string   `json:"transport"`        // how chela drives the browser: cdp, chrome-mcp or extension
	CDPPort     *int     `json:"cdpPort"`          // debugging port of the browser, if there is one; it is open only with exposeCdp
	CDPURL      string   `json:"cdpUrl"`           // address of the debugging port or of a browser on another machine
	UserDataDir string   `json:"userDataDir"`      // user data directory, for the driver existing-session
	Color       string   `json:"color"`            // color of the window frames
	IsRemote    bool     `json:"isRemote"`         // the profile's browser is on another machine
	ConfigFile  string   `json:"configFile"`       // file in which the profile is kept
	Note        string   `json:"note,omitzero"`    // why the profile is not kept in the configuration file
	Ignored     []string `json:"ignored,omitzero"` // names of the given parameters, and of fields in them, that had no effect
}

// ProfilesDelete runs the operation profiles delete. Stop a profile's browser, and move the
// profile's data to the trash.
func (c *Client) ProfilesDelete(ctx context.Context, r ProfilesDeleteRequest) (*DeleteResult, error) {
	return call[DeleteResult](ctx, c, r, "DELETE /profiles/{name}")
}

// ProfilesDeleteRequest has the parameters of [Client.ProfilesDelete].
type ProfilesDeleteRequest struct {
	Name      string `json:"name"`               // name of the profile
	TimeoutMs int    `json:"timeoutMs,omitzero"` // deadline in milliseconds, at most 60000; when left out, 20000
}

// DeleteResult is the answer of [Client.ProfilesDelete].
type DeleteResult struct {
	OK      bool     `json:"ok"`               // always true
	Profile string   `json:"profile"`          // name of the profile
	Deleted bool     `json:"deleted"`          // the profile had data, which is now in the trash of the state directory; the trash keeps the newest ten
	Ignored []string `json:"ignored,omitzero"` // names of the given parameters, and of fields in them, that had no effect
}

// ResetProfile runs the operation reset-profile. Stop a profile's browser and move its data to the
// trash: logins, cookies, settings.
func (c *Client) ResetProfile(ctx context.Context, r ResetProfileRequest) (*ResetResult, error) {
	return call[ResetResult](ctx, c, r, "POST /reset-profile")
}

// ResetProfileRequest has the parameters of [Client.ResetProfile].
type ResetProfileRequest struct {
	Profile   string `json:"profile,omitzero"`   // browser profile; the default one when left out
	TimeoutMs int    `json:"timeoutMs,omitzero"` // deadline in milliseconds, at most 60000; when left out, 20000
}

// ResetResult is the answer of [Client.ResetProfile].
type ResetResult struct {
	OK      bool     `json:"ok"`               // always true
	Profile string   `json:"profile"`          // name of the profile
	Moved   bool     `json:"moved"`            // the profile had data, which was moved
	From    string   `json:"from"`             // folder that had the data
	To      string   `json:"to,omitzero"`      // folder in the trash that has the data now; the trash keeps the newest ten
	Ignored []string `json:"ignored,omitzero"` // names of the given parameters, and of fields in them, that had no effect
}

// Doctor runs the operation doctor. Check that this machine has all that a browser needs.
func (c *Client) Doctor(ctx context.Context, r DoctorRequest) (*Report, error) {
	return call[Report](ctx, c, r, "GET /doctor")
}

// DoctorRequest has the parameters of [Client.Doctor].
type DoctorRequest struct {
	Profile   string `json:"profile,omitzero"`   // browser profile; the default one when left out
	TimeoutMs int    `json:"timeoutMs,omitzero"` // deadline in milliseconds, at most 120000; when left out, 45000
	Deep      bool   `json:"deep,omitzero"`      // also start the browser and read a page, and ask the models that describe pictures
	Wall      bool   `json:"wall,omitzero"`      // also let a page in a separate browser try every way past the network policy
	Fix       bool   `json:"fix,omitzero"`       // repair what can be repaired: install a browser, end a leftover browser that still uses the profile's data, keep other users from secrets
}

// Report is the answer of [Client.Doctor].
type Report struct {
	OK        bool          `json:"ok"`               // nothing failed
	Profile   string        `json:"profile"`          // name of the profile
	Transport string        `json:"transport"`        // how chela drives the browser: cdp, chrome-mcp or extension
	Checks    []Check       `json:"checks"`           // the results of the checks
	Fixed     []string      `json:"fixed,omitzero"`   // checks whose fault was repaired
	Wall      *WallReport   `json:"wall,omitzero"`    // result of the attempts to get past the network policy
	Status    BrowserStatus `json:"status"`           // status of the browser
	Ignored   []string      `json:"ignored,omitzero"` // names of the given parameters, and of fields in them, that had no effect
}

// Fleet runs the operation fleet. List the nodes of the fleet: other machines with browsers that
// calls can use.
func (c *Client) Fleet(ctx context.Context, r FleetRequest) (*FleetResult, error) {
	return call[FleetResult](ctx, c, r, "GET /fleet")
}

// FleetRequest has the parameters of [Client.Fleet].
type FleetRequest struct {
}

// FleetResult is the answer of [Client.Fleet].
type FleetResult struct {
	Nats      string     `json:"nats"`             // address of the NATS server; empty if this server has no fleet
	Connected bool       `json:"connected"`        // NATS answers
	Nodes     []NodeInfo `json:"nodes"`            // nodes that have reported in the last 2 seconds, or had when NATS ceased to answer; sorted by name
	Ignored   []string   `json:"ignored,omitzero"` // names of the given parameters, and of fields in them, that had no effect
}

// Shutdown runs the operation shutdown. Stop the browser and end the server.
func (c *Client) Shutdown(ctx context.Context, r ShutdownRequest) (*OKResult, error) {
	return call[OKResult](ctx, c, r, "POST /shutdown")
}

// ShutdownRequest has the parameters of [Client.Shutdown].
type ShutdownRequest struct {
}

// OKResult is the answer of [Client.Shutdown], [Client.ExtensionRevoke].
type OKResult struct {
	OK      bool     `json:"ok"`               // always true
	Ignored []string `json:"ignored,omitzero"` // names of the given parameters, and of fields in them, that had no effect
}

// Tabs runs the operation tabs. List the open tabs.
func (c *Client) Tabs(ctx context.Context, r TabsRequest) (*TabList, error) {
	return call[TabList](ctx, c, r, "GET /tabs")
}

// TabsRequest has the parameters of [Client.Tabs].
type TabsRequest struct {
	Profile   string `json:"profile,omitzero"`   // browser profile; the default one when left out
	TimeoutMs int    `json:"timeoutMs,omitzero"` // deadline in milliseconds, at most 120000; when left out, 20000
}

// TabList is the answer of [Client.Tabs].
type TabList struct {
	Running  bool         `json:"running"`           // the browser runs
	Tabs     []TabInfo    `json:"tabs"`              // the tabs, the most recently used first; tabs of other sessions come after those of the call's session
	Restored *Restoration `json:"restored,omitzero"` // what this server restored after the previous server was killed; only in the first answers
	Ignored  []string     `json:"ignored,omitzero"`  // names of the given parameters, and of fields in them, that had no effect
}

// Open runs the operation open. Open a URL in a new tab.
func (c *Client) Open(ctx context.Context, r OpenRequest) (*OpenResult, error) {
	return call[OpenResult](ctx, c, r, "POST /tabs/open")
}

// OpenRequest has the parameters of [Client.Open].
type OpenRequest struct {
	Profile    string   `json:"profile,omitzero"`    // browser profile; the default one when left out
	TimeoutMs  int      `json:"timeoutMs,omitzero"`  // deadline in milliseconds, at most 120000; when left out, 30000
	URL        string   `json:"url"`                 // address: http, https or about:blank
	OrHTTP     bool     `json:"orHttp,omitzero"`     // if the server refuses https, use http, as for an address without a scheme
	Hidden     string   `json:"hidden,omitzero"`     // what to do with text that a person cannot see (transparent, clipped away, tiny, off-screen, in the color of its background): show it, omit and count it, or mark it. Controls and their labels are always shown; one of show, omit, mark (default: show)
	Snapshot   string   `json:"snapshot,omitzero"`   // wait until the page is quiet (at most 1000 ms, or settleMs), then return what can be acted on (efficient, navigated; all text, if nothing can be) or what changed since the last snapshot (delta). For a new document, delta is the whole page without menus and the like that read as before; one of delta, efficient, navigated, none (default: none)
	SettleMs   *int     `json:"settleMs,omitzero"`   // how many milliseconds to wait, at most, until the page is quiet; if left out 1000, and up to 5000 more while a new page is blank
	MaxChars   *int     `json:"maxChars,omitzero"`   // characters of the snapshot; 8000 when left out
	Label      string   `json:"label,omitzero"`      // name for the tab
	AllowHosts []string `json:"allowHosts,omitzero"` // with isolated: hosts that tabs of the session may connect to, if the network policy allows them as well; *.example.com means all below it
	Isolated   bool     `json:"isolated,omitzero"`   // give the session its own cookies, storage and permissions, in memory only; they are for this tab and later ones of the session
}

// OpenResult is the answer of [Client.Open].
type OpenResult struct {
	TargetID             string            `json:"targetId"`                      // target id; changes when the browser replaces the target
	Title                string            `json:"title"`                         // title of the page
	URL                  string            `json:"url"`                           // address of the page
	WSURL                string            `json:"wsUrl,omitzero"`                // DevTools endpoint of the tab, if exposeCdp is set
	URLUnavailableReason string            `json:"urlUnavailableReason,omitzero"` // why url is empty: navigation_blocked
	Type                 string            `json:"type"`                          // always page
	SuggestedTargetID    string            `json:"suggestedTargetId"`             // name to use for the tab in calls: its label, or else its handle
	TabID                string            `json:"tabId"`                         // handle of the tab (t1), which never changes
	Label                string            `json:"label,omitzero"`                // label of the tab
	LabelTakenFrom       string            `json:"labelTakenFrom,omitzero"`       // in an answer that gives the label: the tab that had it before, and now has none
	Current              bool              `json:"current,omitzero"`              // in a list: calls of this session that name no tab use this one
	Session              string            `json:"session,omitzero"`              // session that the tab belongs to
	Other                bool              `json:"other,omitzero"`                // the tab belongs to another session; calls of this session have to name it by its handle
	Unowned              bool              `json:"unowned,omitzero"`              // the tab belongs to no session: it is not known who opened it
	Users                bool              `json:"users,omitzero"`                // the user has opened the tab, in a browser that chela has not started
	Isolated             bool              `json:"isolated,omitzero"`             // the tab shares cookies, storage and permissions only with the tabs of its session
	LeasedTo             string            `json:"leasedTo,omitzero"`             // session that has leased the tab for itself
	LeasedUntil          *time.Time        `json:"leasedUntil,omitzero"`          // when the lease ends
	Person               *TakenOver        `json:"person,omitzero"`               // a person has taken over the tab: calls that touch it wait
	Crashed              bool              `json:"crashed,omitzero"`              // the page crashed; the next call on the tab opens its address again
	LoadFailed           string            `json:"loadFailed,omitzero"`           // of a new tab: why its page could not be loaded, and the address
	HTTPStatus           string            `json:"httpStatus,omitzero"`           // of a new tab: the HTTP status of its page in words, unless it is a success: 404 Not Found
	Dialog               *DialogInfo       `json:"dialog,omitzero"`               // of a new tab: the dialog that it shows, which blocks it and other tabs of its site
	BlockedByDialog      bool              `json:"blockedByDialog,omitzero"`      // a dialog of the page is open and must be answered first
	NotDone              bool              `json:"notDone,omitzero"`              // because of the dialog, nothing was done, or nothing could be read: the rest of the result is empty
	BrowserState         *BrowserState     `json:"browserState,omitzero"`         // the dialogs of the page
	Status               int               `json:"status,omitzero"`               // HTTP status of the document; absent for about:blank, a new fragment or a file
	StatusText           string            `json:"statusText,omitzero"`           // the HTTP status in words, unless it is a success: 404 Not Found
	Hint                 string            `json:"hint,omitzero"`                 // what to do about the status, or about a failure to load
	FellBack             string            `json:"fellBack,omitzero"`             // a note that https failed, so the address was reached over http
	Download             *DownloadedFile   `json:"download,omitzero"`             // the file that the address leads to; the tab still shows the page that it showed before
	Delta                string            `json:"delta,omitzero"`                // what changed since the last snapshot, or since an earlier one of the same view if less changed: + new lines, ~ changed ones, > moved ones, then - removed ones. A removed line stands for all inside it; a line that begins with spaces names the row, card or landmark of what follows
	NoDelta              string            `json:"noDelta,omitzero"`              // why there is a snapshot in place of a delta: there is no earlier snapshot to compare with, or the document is another one
	Snapshot             string            `json:"snapshot,omitzero"`             // the page as text: what can be acted on, or the whole page if a delta was asked for
	Truncated            bool              `json:"truncated,omitzero"`            // the snapshot or delta was cut
	Stats                *Stats            `json:"stats,omitzero"`                // size of the snapshot
	SnapshotUnavailable  string            `json:"snapshotUnavailable,omitzero"`  // why the page could not be read
	ResolvedProfile      string            `json:"resolvedProfile"`               // profile of the tab
	Restored             *Restoration      `json:"restored,omitzero"`             // what this server restored after the previous server was killed; only in the first answers
	Emptied              bool              `json:"emptied,omitzero"`              // cookies, storage and permissions that the isolated session had are gone: it had no tab for long, or the browser was closed
	Ignored              []string          `json:"ignored,omitzero"`              // names of the given parameters, and of fields in them, that had no effect
	FileIDs              map[string]string `json:"fileIds,omitzero"`              // ids for GET /files/{id}, by the path of each file in the answer; over the Unix socket only if the header X-Chela-File-Ids asks for them
}

// Focus runs the operation focus. Make a tab the current one. It comes to the front.
func (c *Client) Focus(ctx context.Context, r FocusRequest) (*OfTab, error) {
	return call[OfTab](ctx, c, r, "POST /tabs/focus")
}

// FocusRequest has the parameters of [Client.Focus].
type FocusRequest struct {
	Profile   string `json:"profile,omitzero"`   // browser profile; the default one when left out
	TimeoutMs int    `json:"timeoutMs,omitzero"` // deadline in milliseconds, at most 120000; when left out, 20000
	TargetID  string `json:"targetId"`           // the tab: its handle (t1), label, or target id
}

// OfTab is the answer of [Client.Focus], [Client.TabSelect], [Client.TabClose].
type OfTab struct {
	OK       bool     `json:"ok"`               // always true
	TargetID string   `json:"targetId"`         // target id of the tab
	Ignored  []string `json:"ignored,omitzero"` // names of the given parameters, and of fields in them, that had no effect
}

// Close runs the operation close. Close a tab, by default the current one.
func (c *Client) Close(ctx context.Context, r CloseRequest) (*CloseResult, error) {
	return call[CloseResult](ctx, c, r, "DELETE /tabs/{targetId}", "POST /act kind=close")
}

// CloseRequest has the parameters of [Client.Close].
type CloseRequest struct {
	Profile      string `json:"profile,omitzero"`      // browser profile; the default one when left out
	TargetID     string `json:"targetId,omitzero"`     // the tab: its handle (t1), label, or target id; the current tab when left out
	RefMode      string `json:"refMode,omitzero"`      // what becomes of a ref when the page replaces its element: carry: the ref names the new element; element: the ref becomes stale; default: the setting browser.refs; one of carry, element
	TimeoutMs    int    `json:"timeoutMs,omitzero"`    // deadline in milliseconds, at most 120000; when left out, 20000
	TargetIDMode string `json:"targetIdMode,omitzero"` // raw: targetId is a complete target id
}

// CloseResult is the answer of [Client.Close].
type CloseResult struct {
	OK       bool     `json:"ok"`               // always true
	TargetID string   `json:"targetId"`         // target id of the tab
	URL      string   `json:"url"`              // address that the tab showed
	Ignored  []string `json:"ignored,omitzero"` // names of the given parameters, and of fields in them, that had no effect
}

// Tab runs the operation tab. List the open tabs.
func (c *Client) Tab(ctx context.Context, r TabRequest) (*TabListResult, error) {
	return call[TabListResult](ctx, c, r, "POST /tabs/action action=list")
}

// TabRequest has the parameters of [Client.Tab].
type TabRequest struct {
	Profile   string `json:"profile,omitzero"`   // browser profile; the default one when left out
	TimeoutMs int    `json:"timeoutMs,omitzero"` // deadline in milliseconds, at most 120000; when left out, 20000
}

// TabListResult is the answer of [Client.Tab].
type TabListResult struct {
	OK       bool         `json:"ok"`                // always true
	Tabs     []TabInfo    `json:"tabs"`              // the tabs, the most recently used first; tabs of other sessions come after those of the call's session
	Restored *Restoration `json:"restored,omitzero"` // what this server restored after the previous server was killed; only in the first answers
	Ignored  []string     `json:"ignored,omitzero"`  // names of the given parameters, and of fields in them, that had no effect
}

// TabNew runs the operation tab new. Open an empty tab.
func (c *Client) TabNew(ctx context.Context, r TabNewRequest) (*NewTabResult, error) {
	return call[NewTabResult](ctx, c, r, "POST /tabs/action action=new")
}

// TabNewRequest has the parameters of [Client.TabNew].
type TabNewRequest struct {
	Profile string `json:"profile,omitzero"` // browser profile; the default one when left out
	Label   string `json:"label,omitzero"`   // name for the tab
}

// NewTabResult is the answer of [Client.TabNew].
type NewTabResult struct {
	OK      bool     `json:"ok"`               // always true
	Tab     TabInfo  `json:"tab"`              // the tab
	Ignored []string `json:"ignored,omitzero"` // names of the given parameters, and of fields in them, that had no effect
}

// TabLabel runs the operation tab label. Name a tab.
func (c *Client) TabLabel(ctx context.Context, r TabLabelRequest) (*LabelResult, error) {
	return call[LabelResult](ctx, c, r, "POST /tabs/action action=label")
}

// TabLabelRequest has the parameters of [Client.TabLabel].
type TabLabelRequest struct {
	Profile  string `json:"profile,omitzero"` // browser profile; the default one when left out
	TargetID string `json:"targetId"`         // the tab: its handle (t1), label, or target id
	Label    string `json:"label"`            // name: letters, digits and _ . : -
}

// LabelResult is the answer of [Client.TabLabel].
type LabelResult struct {
	OK      bool     `json:"ok"`               // always true
	Tab     TabInfo  `json:"tab"`              // the tab
	Ignored []string `json:"ignored,omitzero"` // names of the given parameters, and of fields in them, that had no effect
}

// TabSelect runs the operation tab select. Make a tab the current one, by its place in the list.
func (c *Client) TabSelect(ctx context.Context, r TabSelectRequest) (*OfTab, error) {
	return call[OfTab](ctx, c, r, "POST /tabs/action action=select")
}

// TabSelectRequest has the parameters of [Client.TabSelect].
type TabSelectRequest struct {
	Profile string `json:"profile,omitzero"` // browser profile; the default one when left out
	Index   int    `json:"index"`            // place in the list of tabs; counted from 0, on the command line from 1
}

// TabClose runs the operation tab close. Close a tab by its place in the list, by default the
// first.
func (c *Client) TabClose(ctx context.Context, r TabCloseRequest) (*OfTab, error) {
	return call[OfTab](ctx, c, r, "POST /tabs/action action=close")
}

// TabCloseRequest has the parameters of [Client.TabClose].
type TabCloseRequest struct {
	Profile  string `json:"profile,omitzero"`  // browser profile; the default one when left out
	Index    *int   `json:"index,omitzero"`    // place in the list of tabs; counted from 0, on the command line from 1
	TargetID string `json:"targetId,omitzero"` // the tab, instead of its place: its handle (t1), label, or target id
}

// Navigate runs the operation navigate. Open a URL in the tab.
func (c *Client) Navigate(ctx context.Context, r NavigateRequest) (*Destination, error) {
	return call[Destination](ctx, c, r, "POST /navigate")
}

// NavigateRequest has the parameters of [Client.Navigate].
type NavigateRequest struct {
	Profile   string `json:"profile,omitzero"`   // browser profile; the default one when left out
	TargetID  string `json:"targetId,omitzero"`  // the tab: its handle (t1), label, or target id; the current tab when left out
	RefMode   string `json:"refMode,omitzero"`   // what becomes of a ref when the page replaces its element: carry: the ref names the new element; element: the ref becomes stale; default: the setting browser.refs; one of carry, element
	TimeoutMs int    `json:"timeoutMs,omitzero"` // deadline in milliseconds, at most 120000; when left out, 20000
	URL       string `json:"url"`                // address: http, https or about:blank
	OrHTTP    bool   `json:"orHttp,omitzero"`    // if the server refuses https, use http, as for an address without a scheme
	Hidden    string `json:"hidden,omitzero"`    // what to do with text that a person cannot see (transparent, clipped away, tiny, off-screen, in the color of its background): show it, omit and count it, or mark it. Controls and their labels are always shown; one of show, omit, mark (default: show)
	Snapshot  string `json:"snapshot,omitzero"`  // wait until the page is quiet (at most 1000 ms, or settleMs), then return what can be acted on (efficient, navigated; all text, if nothing can be) or what changed since the last snapshot (delta). For a new document, delta is the whole page without menus and the like that read as before; one of delta, efficient, navigated, none (default: none)
	SettleMs  *int   `json:"settleMs,omitzero"`  // how many milliseconds to wait, at most, until the page is quiet; if left out 1000, and up to 5000 more while a new page is blank
	MaxChars  *int   `json:"maxChars,omitzero"`  // characters of the snapshot; 8000 when left out
}

// TabAnswer has fields that the answers of several operations share. For some operations this is
// the whole answer.
type TabAnswer struct {
	OK              bool              `json:"ok"`                       // always true
	TargetID        string            `json:"targetId"`                 // target id of the tab
	TabID           string            `json:"tabId"`                    // handle of the tab (t1), which never changes
	URL             string            `json:"url,omitzero"`             // address that the tab shows
	URLChanged      bool              `json:"urlChanged,omitzero"`      // the call has changed the address
	BlockedByDialog bool              `json:"blockedByDialog,omitzero"` // a dialog of the page is open and must be answered first
	NotDone         bool              `json:"notDone,omitzero"`         // because of the dialog, nothing was done, or nothing could be read: the rest of the result is empty
	BrowserState    *BrowserState     `json:"browserState,omitzero"`    // the dialogs of the page
	TabOpened       bool              `json:"tabOpened,omitzero"`       // the session had no open tab, so an empty one was opened for this call; earlier tabs were closed, as with their browser
	Closed          bool              `json:"closed,omitzero"`          // the tab has closed: the page closed itself
	OpenerTab       string            `json:"openerTab,omitzero"`       // with closed: the tab that had opened this one, and which calls without targetId use now
	Recovered       bool              `json:"recovered,omitzero"`       // the tab had crashed, or its page opened dialogs without end, so the tab was given a new page
	Lost            []string          `json:"lost,omitzero"`            // what was lost with the old page: refs, forms, scroll, history, sessionStorage, and cookies and armed answers that could not be kept
	Restored        *Restoration      `json:"restored,omitzero"`        // what this server restored after the previous server was killed; only in the first answers
	Emptied         bool              `json:"emptied,omitzero"`         // cookies, storage and permissions that the isolated session had are gone: it had no tab for long, or the browser was closed
	Person          *PersonWas        `json:"person,omitzero"`          // a person took over the tab, and gave it back, since the last answer to this session
	Ignored         []string          `json:"ignored,omitzero"`         // names of the given parameters, and of fields in them, that had no effect
	FileIDs         map[string]string `json:"fileIds,omitzero"`         // ids for GET /files/{id}, by the path of each file in the answer; over the Unix socket only if the header X-Chela-File-Ids asks for them
}

// Destination is the answer of [Client.Navigate], [Client.Back], [Client.Forward], [Client.Reload].
type Destination struct {
	TabAnswer

	Status              int             `json:"status,omitzero"`              // HTTP status of the document; absent for about:blank, a new fragment or a file
	StatusText          string          `json:"statusText,omitzero"`          // the HTTP status in words, unless it is a success: 404 Not Found
	Hint                string          `json:"hint,omitzero"`                // what to do about the status, or about a failure to load
	FellBack            string          `json:"fellBack,omitzero"`            // a note that https failed, so the address was reached over http
	Download            *DownloadedFile `json:"download,omitzero"`            // the file that the address leads to; the tab still shows the page that it showed before
	Delta               string          `json:"delta,omitzero"`               // what changed since the last snapshot, or since an earlier one of the same view if less changed: + new lines, ~ changed ones, > moved ones, then - removed ones. A removed line stands for all inside it; a line that begins with spaces names the row, card or landmark of what follows
	NoDelta             string          `json:"noDelta,omitzero"`             // why there is a snapshot in place of a delta: there is no earlier snapshot to compare with, or the document is another one
	Snapshot            string          `json:"snapshot,omitzero"`            // the page as text: what can be acted on, or the whole page if a delta was asked for
	Truncated           bool            `json:"truncated,omitzero"`           // the snapshot or delta was cut
	Stats               *Stats          `json:"stats,omitzero"`               // size of the snapshot
	SnapshotUnavailable string          `json:"snapshotUnavailable,omitzero"` // why the page could not be read
}

// Back runs the operation back. Go back in the history.
func (c *Client) Back(ctx context.Context, r BackRequest) (*Destination, error) {
	return call[Destination](ctx, c, r, "POST /back")
}

// BackRequest has the parameters of [Client.Back].
type BackRequest struct {
	Profile   string `json:"profile,omitzero"`   // browser profile; the default one when left out
	TargetID  string `json:"targetId,omitzero"`  // the tab: its handle (t1), label, or target id; the current tab when left out
	RefMode   string `json:"refMode,omitzero"`   // what becomes of a ref when the page replaces its element: carry: the ref names the new element; element: the ref becomes stale; default: the setting browser.refs; one of carry, element
	TimeoutMs int    `json:"timeoutMs,omitzero"` // deadline in milliseconds, at most 120000; when left out, 20000
	Hidden    string `json:"hidden,omitzero"`    // what to do with text that a person cannot see (transparent, clipped away, tiny, off-screen, in the color of its background): show it, omit and count it, or mark it. Controls and their labels are always shown; one of show, omit, mark (default: show)
	Snapshot  string `json:"snapshot,omitzero"`  // wait until the page is quiet (at most 1000 ms, or settleMs), then return what can be acted on (efficient, navigated; all text, if nothing can be) or what changed since the last snapshot (delta). For a new document, delta is the whole page without menus and the like that read as before; one of delta, efficient, navigated, none (default: none)
	SettleMs  *int   `json:"settleMs,omitzero"`  // how many milliseconds to wait, at most, until the page is quiet; if left out 1000, and up to 5000 more while a new page is blank
	MaxChars  *int   `json:"maxChars,omitzero"`  // characters of the snapshot; 8000 when left out
}

// Forward runs the operation forward. Go forward again.
func (c *Client) Forward(ctx context.Context, r ForwardRequest) (*Destination, error) {
	return call[Destination](ctx, c, r, "POST /forward")
}

// ForwardRequest has the parameters of [Client.Forward].
type ForwardRequest struct {
	Profile   string `json:"profile,omitzero"`   // browser profile; the default one when left out
	TargetID  string `json:"targetId,omitzero"`  // the tab: its handle (t1), label, or target id; the current tab when left out
	RefMode   string `json:"refMode,omitzero"`   // what becomes of a ref when the page replaces its element: carry: the ref names the new element; element: the ref becomes stale; default: the setting browser.refs; one of carry, element
	TimeoutMs int    `json:"timeoutMs,omitzero"` // deadline in milliseconds, at most 120000; when left out, 20000
	Hidden    string `json:"hidden,omitzero"`    // what to do with text that a person cannot see (transparent, clipped away, tiny, off-screen, in the color of its background): show it, omit and count it, or mark it. Controls and their labels are always shown; one of show, omit, mark (default: show)
	Snapshot  string `json:"snapshot,omitzero"`  // wait until the page is quiet (at most 1000 ms, or settleMs), then return what can be acted on (efficient, navigated; all text, if nothing can be) or what changed since the last snapshot (delta). For a new document, delta is the whole page without menus and the like that read as before; one of delta, efficient, navigated, none (default: none)
	SettleMs  *int   `json:"settleMs,omitzero"`  // how many milliseconds to wait, at most, until the page is quiet; if left out 1000, and up to 5000 more while a new page is blank
	MaxChars  *int   `json:"maxChars,omitzero"`  // characters of the snapshot; 8000 when left out
}

// Reload runs the operation reload. Load the page again.
func (c *Client) Reload(ctx context.Context, r ReloadRequest) (*Destination, error) {
	return call[Destination](ctx, c, r, "POST /reload")
}

// ReloadRequest has the parameters of [Client.Reload].
type ReloadRequest struct {
	Profile   string `json:"profile,omitzero"`   // browser profile; the default one when left out
	TargetID  string `json:"targetId,omitzero"`  // the tab: its handle (t1), label, or target id; the current tab when left out
	RefMode   string `json:"refMode,omitzero"`   // what becomes of a ref when the page replaces its element: carry: the ref names the new element; element: the ref becomes stale; default: the setting browser.refs; one of carry, element
	TimeoutMs int    `json:"timeoutMs,omitzero"` // deadline in milliseconds, at most 120000; when left out, 20000
	Hidden    string `json:"hidden,omitzero"`    // what to do with text that a person cannot see (transparent, clipped away, tiny, off-screen, in the color of its background): show it, omit and count it, or mark it. Controls and their labels are always shown; one of show, omit, mark (default: show)
	Snapshot  string `json:"snapshot,omitzero"`  // wait until the page is quiet (at most 1000 ms, or settleMs), then return what can be acted on (efficient, navigated; all text, if nothing can be) or what changed since the last snapshot (delta). For a new document, delta is the whole page without menus and the like that read as before; one of delta, efficient, navigated, none (default: none)
	SettleMs  *int   `json:"settleMs,omitzero"`  // how many milliseconds to wait, at most, until the page is quiet; if left out 1000, and up to 5000 more while a new page is blank
	MaxChars  *int   `json:"maxChars,omitzero"`  // characters of the snapshot; 8000 when left out
	Resend    bool   `json:"resend,omitzero"`    // if the page is the answer to a form, send the form again, which may be a second order
	Hard      bool   `json:"hard,omitzero"`      // load the page and its resources from the network, and nothing from the cache
}

// Sessions runs the operation sessions. List the sessions, with the tabs of each.
func (c *Client) Sessions(ctx context.Context, r SessionsRequest) (*SessionList, error) {
	return call[SessionList](ctx, c, r, "GET /sessions")
}

// SessionsRequest has the parameters of [Client.Sessions].
type SessionsRequest struct {
}

// SessionList is the answer of [Client.Sessions].
type SessionList struct {
	Sessions            []SessionInfo `json:"sessions"`                     // the sessions; one that uses several profiles is listed once for each profile
	IsolatedWithoutTabs int           `json:"isolatedWithoutTabs,omitzero"` // how many isolated sessions without tabs are not listed: all but the session of the call and those with allowHosts
	Ignored             []string      `json:"ignored,omitzero"`             // names of the given parameters, and of fields in them, that had no effect
}

// SessionEnd runs the operation session end. End a session: its tabs are closed, in all profiles.
func (c *Client) SessionEnd(ctx context.Context, r SessionEndRequest) (*EndSessionResult, error) {
	return call[EndSessionResult](ctx, c, r, "POST /sessions/end")
}

// SessionEndRequest has the parameters of [Client.SessionEnd].
type SessionEndRequest struct {
	Session string `json:"session,omitzero"` // key of the session; the session of the call when left out
}

// EndSessionResult is the answer of [Client.SessionEnd].
type EndSessionResult struct {
	OK      bool     `json:"ok"`               // always true
	Session string   `json:"session"`          // key of the session
	Closed  int      `json:"closed"`           // how many tabs were closed
	Silent  []string `json:"silent,omitzero"`  // nodes that do not answer, or take no such calls: they close the tabs of the session when these are idle, and keep its limit
	Ignored []string `json:"ignored,omitzero"` // names of the given parameters, and of fields in them, that had no effect
}

// Lease runs the operation lease. Reserve a tab for the session, for a time. Calls of other
// sessions on this tab are refused.
func (c *Client) Lease(ctx context.Context, r LeaseRequest) (*LeaseResult, error) {
	return call[LeaseResult](ctx, c, r, "POST /tabs/{targetId}/lease")
}

// LeaseRequest has the parameters of [Client.Lease].
type LeaseRequest struct {
	Profile  string `json:"profile,omitzero"` // browser profile; the default one when left out
	TargetID string `json:"targetId"`         // the tab: its handle (t1), label, or target id
	TtlMs    int    `json:"ttlMs"`            // for how many milliseconds, from now on; 0 ends the lease
}

// LeaseResult is the answer of [Client.Lease].
type LeaseResult struct {
	OK          bool       `json:"ok"`                   // always true
	TargetID    string     `json:"targetId"`             // target id of the tab
	TabID       string     `json:"tabId"`                // handle of the tab (t1), which never changes
	Session     string     `json:"session"`              // session that has leased the tab
	LeasedUntil *time.Time `json:"leasedUntil,omitzero"` // when the lease ends; absent if it has ended
	Ignored     []string   `json:"ignored,omitzero"`     // names of the given parameters, and of fields in them, that had no effect
}

// CDP runs the operation cdp. Show the address at which Playwright, Puppeteer and other programs
// can drive the tabs of the session.
func (c *Client) CDP(ctx context.Context, r CDPRequest) (*CDPResult, error) {
	return call[CDPResult](ctx, c, r, "POST /cdp")
}

// CDPRequest has the parameters of [Client.CDP].
type CDPRequest struct {
	Profile   string `json:"profile,omitzero"`   // browser profile; the default one when left out
	TimeoutMs int    `json:"timeoutMs,omitzero"` // deadline in milliseconds, at most 120000; when left out, 45000
	Session   string `json:"session,omitzero"`   // key of the session; the session of the call when left out
}

// CDPResult is the answer of [Client.CDP].
type CDPResult struct {
	WSURL   string   `json:"wsUrl"`            // WebSocket address to give to Playwright, Puppeteer or chromedp
	HTTPURL string   `json:"httpUrl"`          // HTTP address below which /json/version and /json/list answer
	Ignored []string `json:"ignored,omitzero"` // names of the given parameters, and of fields in them, that had no effect
}

// TakeOver runs the operation takeover. Take over a tab: calls of agents that touch it wait until
// you give it back.
func (c *Client) TakeOver(ctx context.Context, r TakeOverRequest) (*TakeOverResult, error) {
	return call[TakeOverResult](ctx, c, r, "POST /takeover")
}

// TakeOverRequest has the parameters of [Client.TakeOver].
type TakeOverRequest struct {
	Profile  string `json:"profile,omitzero"`  // browser profile; the default one when left out
	TargetID string `json:"targetId,omitzero"` // the tab: its handle (t1), label, or target id; the current tab when left out
	RefMode  string `json:"refMode,omitzero"`  // what becomes of a ref when the page replaces its element: carry: the ref names the new element; element: the ref becomes stale; default: the setting browser.refs; one of carry, element
	Minutes  int    `json:"minutes,omitzero"`  // minutes after which the takeover ends by itself; 15 when left out
}

// TakeOverResult is the answer of [Client.TakeOver].
type TakeOverResult struct {
	OK      bool      `json:"ok"`               // always true
	TabID   string    `json:"tabId"`            // handle of the tab
	Since   time.Time `json:"since"`            // since when the person has the tab
	Until   time.Time `json:"until"`            // when the takeover ends by itself
	Ignored []string  `json:"ignored,omitzero"` // names of the given parameters, and of fields in them, that had no effect
}

// GiveBack runs the operation giveback. Give a tab back to the agents, with a note to them.
func (c *Client) GiveBack(ctx context.Context, r GiveBackRequest) (*GiveBackResult, error) {
	return call[GiveBackResult](ctx, c, r, "POST /giveback")
}

// GiveBackRequest has the parameters of [Client.GiveBack].
type GiveBackRequest struct {
	Profile  string `json:"profile,omitzero"`  // browser profile; the default one when left out
	TargetID string `json:"targetId,omitzero"` // the tab: its handle (t1), label, or target id; the current tab when left out
	RefMode  string `json:"refMode,omitzero"`  // what becomes of a ref when the page replaces its element: carry: the ref names the new element; element: the ref becomes stale; default: the setting browser.refs; one of carry, element
	Note     string `json:"note,omitzero"`     // what the agents should know, in at most 2,000 characters
}

// GiveBackResult is the answer of [Client.GiveBack].
type GiveBackResult struct {
	OK      bool     `json:"ok"`               // always true
	TabID   string   `json:"tabId"`            // handle of the tab
	Minutes float64  `json:"minutes"`          // for how many minutes the person had the tab
	Ignored []string `json:"ignored,omitzero"` // names of the given parameters, and of fields in them, that had no effect
}

// Ask runs the operation ask. Ask a person to do something, such as log in, and wait for the
// answer.
func (c *Client) Ask(ctx context.Context, r AskRequest) (*AskResult, error) {
	return call[AskResult](ctx, c, r, "POST /ask")
}

// AskRequest has the parameters of [Client.Ask].
type AskRequest struct {
	Profile   string   `json:"profile,omitzero"`   // browser profile; the default one when left out
	Message   string   `json:"message,omitzero"`   // what the person is to do or to say
	Choices   []string `json:"choices,omitzero"`   // answers to choose from, at most 12
	TargetID  string   `json:"targetId,omitzero"`  // tab that the question is about; the person may take it over
	TimeoutMs int      `json:"timeoutMs,omitzero"` // how long the question is open, in milliseconds: 1 second to 24 hours; 10 minutes when left out
	ID        string   `json:"id,omitzero"`        // id of a pending question, to wait for its answer again; used without message
}

// AskResult is the answer of [Client.Ask].
type AskResult struct {
	Answered bool     `json:"answered"`         // the person has answered
	Choice   string   `json:"choice,omitzero"`  // what the person has chosen
	Note     string   `json:"note,omitzero"`    // what the person has written
	Pending  string   `json:"pending,omitzero"` // id of the question if nobody has answered yet: call again with this id
	Expired  bool     `json:"expired,omitzero"` // nobody has answered in time
	Ignored  []string `json:"ignored,omitzero"` // names of the given parameters, and of fields in them, that had no effect
}

// Asks runs the operation asks. List the questions that agents ask you.
func (c *Client) Asks(ctx context.Context, r AsksRequest) (*AsksResult, error) {
	return call[AsksResult](ctx, c, r, "GET /asks")
}

// AsksRequest has the parameters of [Client.Asks].
type AsksRequest struct {
}

// AsksResult is the answer of [Client.Asks].
type AsksResult struct {
	Asks    []AskInfo `json:"asks"`             // the questions, the oldest first
	Ignored []string  `json:"ignored,omitzero"` // names of the given parameters, and of fields in them, that had no effect
}

// AsksAnswer runs the operation asks answer. Answer a question of an agent.
func (c *Client) AsksAnswer(ctx context.Context, r AsksAnswerRequest) (*AnswerAskResult, error) {
	return call[AnswerAskResult](ctx, c, r, "POST /asks/answer")
}

// AsksAnswerRequest has the parameters of [Client.AsksAnswer].
type AsksAnswerRequest struct {
	ID     string `json:"id"`              // id of the question
	Choice string `json:"choice,omitzero"` // one of the question's choices
	Note   string `json:"note,omitzero"`   // what the agent should know, in at most 2,000 characters
}

// AnswerAskResult is the answer of [Client.AsksAnswer].
type AnswerAskResult struct {
	OK      bool     `json:"ok"`               // always true
	ID      string   `json:"id"`               // id of the question
	Ignored []string `json:"ignored,omitzero"` // names of the given parameters, and of fields in them, that had no effect
}

// Secrets runs the operation secrets. List the secrets that can be entered in place of a text:
// their names and origins, never their values.
func (c *Client) Secrets(ctx context.Context, r SecretsRequest) (*SecretList, error) {
	return call[SecretList](ctx, c, r, "GET /secrets")
}

// SecretsRequest has the parameters of [Client.Secrets].
type SecretsRequest struct {
}

// SecretList is the answer of [Client.Secrets].
type SecretList struct {
	Secrets []SecretInfo `json:"secrets"`          // the secrets, by their names
	Problem string       `json:"problem,omitzero"` // what is wrong with a secret of the configuration; that secret is not in the list
	Ignored []string     `json:"ignored,omitzero"` // names of the given parameters, and of fields in them, that had no effect
}

// SecretSet runs the operation secret set. Set a secret, with the origins where it may be entered.
func (c *Client) SecretSet(ctx context.Context, r SecretSetRequest) (*SetSecretResult, error) {
	return call[SetSecretResult](ctx, c, r, "POST /secrets/set")
}

// SecretSetRequest has the parameters of [Client.SecretSet].
type SecretSetRequest struct {
	Name  string   `json:"name"`           // name of the secret: lower-case letters, digits and hyphens in parts separated by slashes, such as github/password; the first part may be the host of its site, as in github.com/password
	Value string   `json:"value,omitzero"` // value of the secret, which is required; the command asks for it, or reads it from standard input with --stdin
	For   []string `json:"for,omitzero"`   // origins where it may be entered, such as https://github.com or https://*.example.com; when left out, the host in the name
	Totp  bool     `json:"totp,omitzero"`  // the value is an otpauth URL, or the key in one; pages get the current one-time password. True for a name that ends in /totp
	Ask   string   `json:"ask,omitzero"`   // whether a person is asked before the secret is used; session: once in each session; one of always, session, never (default: never)
	Store string   `json:"store,omitzero"` // where to keep all secrets; the first call decides. When left out, the keyring of the system if it answers, else an encrypted file; one of keyring, file
}

// SetSecretResult is the answer of [Client.SecretSet].
type SetSecretResult struct {
	OK      bool     `json:"ok"`               // always true
	Name    string   `json:"name"`             // name of the secret
	For     []string `json:"for"`              // origins where it may be entered
	Store   string   `json:"store"`            // where the value is kept: keyring or file
	Ignored []string `json:"ignored,omitzero"` // names of the given parameters, and of fields in them, that had no effect
}

// SecretRemove runs the operation secret remove. Remove a secret.
func (c *Client) SecretRemove(ctx context.Context, r SecretRemoveRequest) (*RemoveSecretResult, error) {
	return call[RemoveSecretResult](ctx, c, r, "POST /secrets/remove")
}

// SecretRemoveRequest has the parameters of [Client.SecretRemove].
type SecretRemoveRequest struct {
	Name string `json:"name"` // name of the secret
}

// RemoveSecretResult is the answer of [Client.SecretRemove].
type RemoveSecretResult struct {
	OK      bool     `json:"ok"`               // always true
	Name    string   `json:"name"`             // name of the secret
	Ignored []string `json:"ignored,omitzero"` // names of the given parameters, and of fields in them, that had no effect
}

// SecretImport runs the operation secret import. Set the secrets of a file that a browser or
// password manager has exported.
func (c *Client) SecretImport(ctx context.Context, r SecretImportRequest) (*ImportResult, error) {
	return call[ImportResult](ctx, c, r, "POST /secrets/import")
}

// SecretImportRequest has the parameters of [Client.SecretImport].
type SecretImportRequest struct {
	Csv   string `json:"csv"`            // logins in CSV, as Chrome, Firefox, Safari, Bitwarden and 1Password export them; on the command line: the file, or - for standard input
	Store string `json:"store,omitzero"` // where to keep all secrets; the first call decides. When left out, the keyring of the system if it answers, else an encrypted file; one of keyring, file
}

// ImportResult is the answer of [Client.SecretImport].
type ImportResult struct {
	OK      bool          `json:"ok"`               // always true
	Names   []string      `json:"names"`            // names of the secrets that were set
	Store   string        `json:"store,omitzero"`   // where their values are kept: keyring or file
	Skipped []NotImported `json:"skipped"`          // lines of the file that were not imported
	Ignored []string      `json:"ignored,omitzero"` // names of the given parameters, and of fields in them, that had no effect
}

// SecretLog runs the operation secret log. List the uses of secrets: when, in which session, for
// which page.
func (c *Client) SecretLog(ctx context.Context, r SecretLogRequest) (*SecretUses, error) {
	return call[SecretUses](ctx, c, r, "GET /secrets/log")
}

// SecretLogRequest has the parameters of [Client.SecretLog].
type SecretLogRequest struct {
	Name string `json:"name,omitzero"` // only uses of this secret
}

// SecretUses is the answer of [Client.SecretLog].
type SecretUses struct {
	Uses    []UseInfo `json:"uses"`             // the uses, the oldest first
	Ignored []string  `json:"ignored,omitzero"` // names of the given parameters, and of fields in them, that had no effect
}

// ExtensionList runs the operation extension list. List the browsers whose chela extension is
// paired with this server.
func (c *Client) ExtensionList(ctx context.Context, r ExtensionListRequest) (*PairedBrowsers, error) {
	return call[PairedBrowsers](ctx, c, r, "GET /extension")
}

// ExtensionListRequest has the parameters of [Client.ExtensionList].
type ExtensionListRequest struct {
}

// PairedBrowsers is the answer of [Client.ExtensionList].
type PairedBrowsers struct {
	Browsers []PairedBrowser `json:"browsers"`         // the browsers
	Ignored  []string        `json:"ignored,omitzero"` // names of the given parameters, and of fields in them, that had no effect
}

// ExtensionPair runs the operation extension pair. Show six digits that pair the extension in a
// browser. They expire after a minute.
func (c *Client) ExtensionPair(ctx context.Context, r ExtensionPairRequest) (*PairingOffer, error) {
	return call[PairingOffer](ctx, c, r, "POST /extension/pair")
}

// ExtensionPairRequest has the parameters of [Client.ExtensionPair].
type ExtensionPairRequest struct {
}

// PairingOffer is the answer of [Client.ExtensionPair].
type PairingOffer struct {
	Code      string    `json:"code"`             // six digits, to be typed into the extension
	ExpiresAt time.Time `json:"expiresAt"`        // when the digits expire
	Ignored   []string  `json:"ignored,omitzero"` // names of the given parameters, and of fields in them, that had no effect
}

// ExtensionRevoke runs the operation extension revoke. Forget a paired browser, and end its
// connection.
func (c *Client) ExtensionRevoke(ctx context.Context, r ExtensionRevokeRequest) (*OKResult, error) {
	return call[OKResult](ctx, c, r, "DELETE /extension/{id}")
}

// ExtensionRevokeRequest has the parameters of [Client.ExtensionRevoke].
type ExtensionRevokeRequest struct {
	ID string `json:"id"` // id of the browser, from the list
}

// ExtensionPath runs the operation extension path. Show the folder of the unpacked extension, to
// load it in a browser.
func (c *Client) ExtensionPath(ctx context.Context, r ExtensionPathRequest) (*ExtensionFolder, error) {
	return call[ExtensionFolder](ctx, c, r, "GET /extension/path")
}

// ExtensionPathRequest has the parameters of [Client.ExtensionPath].
type ExtensionPathRequest struct {
}

// ExtensionFolder is the answer of [Client.ExtensionPath].
type ExtensionFolder struct {
	Path    string   `json:"path"`             // the folder
	ID      string   `json:"id"`               // id that the extension has in every browser
	Ignored []string `json:"ignored,omitzero"` // names of the given parameters, and of fields in them, that had no effect
}

// Snapshot runs the operation snapshot. Read the page as text, with refs to act on. The answer
// contains text of web pages, which is untrusted.
func (c *Client) Snapshot(ctx context.Context, r SnapshotRequest) (*SnapshotResult, error) {
	return call[SnapshotResult](ctx, c, r, "GET /snapshot")
}

// SnapshotRequest has the parameters of [Client.Snapshot].
type SnapshotRequest struct {
	Profile     string `json:"profile,omitzero"`     // browser profile; the default one when left out
	TargetID    string `json:"targetId,omitzero"`    // the tab: its handle (t1), label, or target id; the current tab when left out
	RefMode     string `json:"refMode,omitzero"`     // what becomes of a ref when the page replaces its element: carry: the ref names the new element; element: the ref becomes stale; default: the setting browser.refs; one of carry, element
	TimeoutMs   int    `json:"timeoutMs,omitzero"`   // deadline in milliseconds, at most 60000; when left out, 5000
	Hidden      string `json:"hidden,omitzero"`      // what to do with text that a person cannot see (transparent, clipped away, tiny, off-screen, in the color of its background): show it, omit and count it, or mark it. Controls and their labels are always shown; one of show, omit, mark (default: show)
	Format      string `json:"format,omitzero"`      // ai: text to read and act on; aria: the accessibility tree of the browser, for which interactive, compact, depth, selector, frame and urls have no effect, and which may have 50,000 nodes at most; one of ai, aria
	Mode        string `json:"mode,omitzero"`        // efficient: only what can be acted on, in compact form: 6 levels, the first ten of many similar items, 8000 characters; one of efficient
	Efficient   bool   `json:"efficient,omitzero"`   // the same as mode efficient
	Refs        string `json:"refs,omitzero"`        // all: every line has a ref, not only what can be acted on; role and aria have no effect; one of role, aria, all
	Interactive bool   `json:"interactive,omitzero"` // only what can be acted on
	Compact     bool   `json:"compact,omitzero"`     // without wrappers that have no content of their own
	Depth       *int   `json:"depth,omitzero"`       // levels of the tree to show
	Selector    string `json:"selector,omitzero"`    // only the first element that this CSS selector matches
	Frame       string `json:"frame,omitzero"`       // only the content of the iframe that this CSS selector matches
	URLs        bool   `json:"urls,omitzero"`        // with the addresses of links
	Labels      bool   `json:"labels,omitzero"`      // with a picture that has the refs drawn on it
	MaxChars    *int   `json:"maxChars,omitzero"`    // characters to show, 0 for all; when left out 40000, 8000 in mode efficient, 200000 of an aria snapshot
	Limit       int    `json:"limit,omitzero"`       // nodes of an aria snapshot, at most 2000; 500 when left out
	Query       string `json:"query,omitzero"`       // only lines with all of these words, ignoring case; find also puts the best first
}

// SnapshotResult is the answer of [Client.Snapshot].
type SnapshotResult struct {
	TabAnswer

	Format        string         `json:"format"`               // ai or aria
	Snapshot      string         `json:"snapshot,omitzero"`    // the page as text
	Refs          map[string]Ref `json:"refs,omitzero"`        // what each ref stands for
	Stats         *Stats         `json:"stats,omitzero"`       // size of the text
	NoMatch       bool           `json:"noMatch,omitzero"`     // no element matches the selector
	Truncated     bool           `json:"truncated,omitzero"`   // the page has more than is shown: the text was cut, or leaves out similar lines and says how many
	Hidden        *Unseen        `json:"hidden,omitzero"`      // how much text was left out because a person cannot see it
	NewElements   *int           `json:"newElements,omitzero"` // how many elements are new since the last snapshot with the same options
	Nodes         []AriaNode     `json:"nodes,omitzero"`       // nodes of the accessibility tree
	Labels        bool           `json:"labels"`               // refs are drawn on the picture
	LabelsCount   int            `json:"labelsCount"`          // how many refs are drawn
	LabelsSkipped int            `json:"labelsSkipped"`        // how many refs are not drawn: outside of the picture, or beyond the limit
	Annotations   []Annotation   `json:"annotations"`          // each drawn ref, with its place on the picture
	MatchCount    *int           `json:"matchCount,omitzero"`  // how many lines match the query
	ImagePath     string         `json:"imagePath,omitzero"`   // picture with the refs drawn on it
	ImageType     string         `json:"imageType,omitzero"`   // png or jpeg
}

// Find runs the operation find. Find lines of the page, with refs. The answer contains text of web
// pages, which is untrusted.
func (c *Client) Find(ctx context.Context, r FindRequest) (*FindResult, error) {
	return call[FindResult](ctx, c, r, "POST /find")
}

// FindRequest has the parameters of [Client.Find].
type FindRequest struct {
	Profile   string `json:"profile,omitzero"`   // browser profile; the default one when left out
	TargetID  string `json:"targetId,omitzero"`  // the tab: its handle (t1), label, or target id; the current tab when left out
	RefMode   string `json:"refMode,omitzero"`   // what becomes of a ref when the page replaces its element: carry: the ref names the new element; element: the ref becomes stale; default: the setting browser.refs; one of carry, element
	TimeoutMs int    `json:"timeoutMs,omitzero"` // deadline in milliseconds, at most 60000; when left out, 5000
	Hidden    string `json:"hidden,omitzero"`    // what to do with text that a person cannot see (transparent, clipped away, tiny, off-screen, in the color of its background): show it, omit and count it, or mark it. Controls and their labels are always shown; one of show, omit, mark (default: show)
	Text      string `json:"text,omitzero"`      // words that the line has in its name, text, value, placeholder or description, ignoring case and order. A number that a line has by itself is not looked for in longer ones. If no such line can be acted on, the controls of its row or card follow
	Role      string `json:"role,omitzero"`      // role of the element: button, link, textbox, cell
	Near      string `json:"near,omitzero"`      // words of another line, row or card: matches that are close to it, such as in the same row, come first
	Limit     int    `json:"limit,omitzero"`     // lines to show (default: 20)
	MaxChars  *int   `json:"maxChars,omitzero"`  // characters of lines to show, 0 for all; 40000 when left out
}

// FindResult is the answer of [Client.Find].
type FindResult struct {
	TabAnswer

	Matches     []FoundLine `json:"matches"`              // the lines, the best first
	Total       int         `json:"total"`                // how many lines match or follow
	Unread      string      `json:"unread,omitzero"`      // why a part of the page was not searched
	NearNothing bool        `json:"nearNothing,omitzero"` // the words of near are nowhere on the page, so the matches are in the order of the page
}

// Expect runs the operation expect. Wait until the page is as expected, and answer whether it is.
func (c *Client) Expect(ctx context.Context, r ExpectRequest) (*ExpectResult, error) {
	return call[ExpectResult](ctx, c, r, "POST /expect")
}

// ExpectRequest has the parameters of [Client.Expect].
type ExpectRequest struct {
	Profile   string  `json:"profile,omitzero"`   // browser profile; the default one when left out
	TargetID  string  `json:"targetId,omitzero"`  // the tab: its handle (t1), label, or target id; the current tab when left out
	RefMode   string  `json:"refMode,omitzero"`   // what becomes of a ref when the page replaces its element: carry: the ref names the new element; element: the ref becomes stale; default: the setting browser.refs; one of carry, element
	TimeoutMs int     `json:"timeoutMs,omitzero"` // deadline in milliseconds, at most 120000; when left out, 5000
	Hidden    string  `json:"hidden,omitzero"`    // what to do with text that a person cannot see (transparent, clipped away, tiny, off-screen, in the color of its background): show it, omit and count it, or mark it. Controls and their labels are always shown; one of show, omit, mark (default: show)
	Text      string  `json:"text,omitzero"`      // the page shows this text, ignoring case
	Gone      string  `json:"gone,omitzero"`      // the page does not show this text
	URL       string  `json:"url,omitzero"`       // the address is this, contains this, or fits this glob (** crosses slashes), and the page has loaded
	Ref       string  `json:"ref,omitzero"`       // element that value, checked and enabled are about; text and count then look only inside it
	Value     *string `json:"value,omitzero"`     // the field holds this text; in a select, the option with this value or label is chosen
	Checked   *bool   `json:"checked,omitzero"`   // true: the element is checked; false: it is not
	Enabled   *bool   `json:"enabled,omitzero"`   // true: the element is enabled; false: it is disabled
	Role      string  `json:"role,omitzero"`      // role of the lines that text and count are about: button, link, listitem
	Count     *int    `json:"count,omitzero"`     // how many lines have the text and the role; with a ref, only inside that element. With a ref alone: how many items, rows or options the element has
}

// ExpectResult is the answer of [Client.Expect].
type ExpectResult struct {
	TabAnswer

	Met     bool   `json:"met"`              // the page is as expected
	Line    string `json:"line,omitzero"`    // what was found: a line of the snapshot, with its ref, or the address; absent if the page is not as expected
	Instead string `json:"instead,omitzero"` // what is there instead: the closest line, the value, the address, the count, or what was not read
}

// Screenshot runs the operation screenshot. Save a picture of the page.
func (c *Client) Screenshot(ctx context.Context, r ScreenshotRequest) (*ScreenshotResult, error) {
	return call[ScreenshotResult](ctx, c, r, "POST /screenshot")
}

// ScreenshotRequest has the parameters of [Client.Screenshot].
type ScreenshotRequest struct {
	Profile   string   `json:"profile,omitzero"`   // browser profile; the default one when left out
	TargetID  string   `json:"targetId,omitzero"`  // the tab: its handle (t1), label, or target id; the current tab when left out
	RefMode   string   `json:"refMode,omitzero"`   // what becomes of a ref when the page replaces its element: carry: the ref names the new element; element: the ref becomes stale; default: the setting browser.refs; one of carry, element
	TimeoutMs int      `json:"timeoutMs,omitzero"` // deadline in milliseconds, at most 120000; when left out, 20000
	Hidden    string   `json:"hidden,omitzero"`    // what to do with text that a person cannot see (transparent, clipped away, tiny, off-screen, in the color of its background): show it, omit and count it, or mark it. Controls and their labels are always shown; one of show, omit, mark (default: show)
	FullPage  bool     `json:"fullPage,omitzero"`  // the whole page, not only what is in view
	Ref       string   `json:"ref,omitzero"`       // only this element
	Element   string   `json:"element,omitzero"`   // only the element that this CSS selector matches
	Labels    bool     `json:"labels,omitzero"`    // draw the refs of the last snapshot on the picture, or, without a snapshot, all refs
	IfChanged bool     `json:"ifChanged,omitzero"` // if the page looks the same as in the tab's last such picture, answer unchanged and the path of that picture
	Threshold *float64 `json:"threshold,omitzero"` // with ifChanged: percentage of pixels that may differ (default: 0.1)
	Type      string   `json:"type,omitzero"`      // format of the picture; if it is too large as png, it is saved as jpeg; one of png, jpeg
}

// ScreenshotResult is the answer of [Client.Screenshot].
type ScreenshotResult struct {
	TabAnswer

	Path          string       `json:"path,omitzero"`      // where the picture was saved
	Unchanged     bool         `json:"unchanged,omitzero"` // the page looks the same as in the earlier picture at path; no new picture was saved
	Scale         float64      `json:"scale,omitzero"`     // how many pixels the picture has for each CSS pixel; 1 when left out
	PartOf        *Extent      `json:"partOf,omitzero"`    // size of the page or element, if the picture shows only its top left part
	Labels        bool         `json:"labels"`             // refs are drawn on the picture
	LabelsCount   int          `json:"labelsCount"`        // how many refs are drawn
	LabelsSkipped int          `json:"labelsSkipped"`      // how many refs are not drawn: outside of the picture, or beyond the limit
	Annotations   []Annotation `json:"annotations"`        // each drawn ref, with its place on the picture
}

// ScreenshotDiff runs the operation screenshot diff. Compare two pictures: how much has changed,
// and where.
func (c *Client) ScreenshotDiff(ctx context.Context, r ScreenshotDiffRequest) (*DiffResult, error) {
	return call[DiffResult](ctx, c, r, "POST /screenshot/diff")
}

// ScreenshotDiffRequest has the parameters of [Client.ScreenshotDiff].
type ScreenshotDiffRequest struct {
	Profile   string `json:"profile,omitzero"`   // browser profile; the default one when left out
	TargetID  string `json:"targetId,omitzero"`  // the tab: its handle (t1), label, or target id; the current tab when left out
	RefMode   string `json:"refMode,omitzero"`   // what becomes of a ref when the page replaces its element: carry: the ref names the new element; element: the ref becomes stale; default: the setting browser.refs; one of carry, element
	TimeoutMs int    `json:"timeoutMs,omitzero"` // deadline in milliseconds, at most 120000; when left out, 20000
	Before    string `json:"before"`             // the earlier picture: a path that screenshot has answered, or a file in the uploads folder
	After     string `json:"after"`              // the later picture, named in the same way
}

// DiffResult is the answer of [Client.ScreenshotDiff].
type DiffResult struct {
	TabAnswer

	Changed float64   `json:"changed"`       // share of the pixels that differ, 0 to 1
	Boxes   []DiffBox `json:"boxes"`         // places where pixels differ, from top to bottom, at most 20
	Path    string    `json:"path,omitzero"` // the later picture with these places marked; absent if nothing has changed
}

// Text runs the operation text. Read the page as plain text, without refs: its article, else its
// main part, else all of it. The answer contains text of web pages, which is untrusted.
func (c *Client) Text(ctx context.Context, r TextRequest) (*PageText, error) {
	return call[PageText](ctx, c, r, "GET /text")
}

// TextRequest has the parameters of [Client.Text].
type TextRequest struct {
	Profile   string `json:"profile,omitzero"`   // browser profile; the default one when left out
	TargetID  string `json:"targetId,omitzero"`  // the tab: its handle (t1), label, or target id; the current tab when left out
	RefMode   string `json:"refMode,omitzero"`   // what becomes of a ref when the page replaces its element: carry: the ref names the new element; element: the ref becomes stale; default: the setting browser.refs; one of carry, element
	TimeoutMs int    `json:"timeoutMs,omitzero"` // deadline in milliseconds, at most 60000; when left out, 5000
	Hidden    string `json:"hidden,omitzero"`    // what to do with text that a person cannot see (transparent, clipped away, tiny, off-screen, in the color of its background): show it, omit and count it, or mark it. Controls and their labels are always shown; one of show, omit, mark (default: show)
	Selector  string `json:"selector,omitzero"`  // only the first element that this CSS selector matches; when left out the page's article, else its main part, else all of it
	MaxChars  *int   `json:"maxChars,omitzero"`  // characters to show; 40000 when left out
}

// PageText is the answer of [Client.Text].
type PageText struct {
	TabAnswer

	Text      string  `json:"text"`              // the text
	Truncated bool    `json:"truncated"`         // the text was cut
	Hidden    *Unseen `json:"hidden,omitzero"`   // how much text was left out because a person cannot see it
	Unopened  bool    `json:"unopened,omitzero"` // some elements may have content that was not read: the page has too many closed shadow roots, or keeps changing. Another call on the tab may read more
}

// PDF runs the operation pdf. Save the page as a PDF. To read how it prints, set media print and
// take a snapshot.
func (c *Client) PDF(ctx context.Context, r PDFRequest) (*PDFResult, error) {
	return call[PDFResult](ctx, c, r, "POST /pdf")
}

// PDFRequest has the parameters of [Client.PDF].
type PDFRequest struct {
	Profile           string   `json:"profile,omitzero"`           // browser profile; the default one when left out
	TargetID          string   `json:"targetId,omitzero"`          // the tab: its handle (t1), label, or target id; the current tab when left out
	RefMode           string   `json:"refMode,omitzero"`           // what becomes of a ref when the page replaces its element: carry: the ref names the new element; element: the ref becomes stale; default: the setting browser.refs; one of carry, element
	TimeoutMs         int      `json:"timeoutMs,omitzero"`         // deadline in milliseconds, at most 120000; when left out, 20000
	Paper             string   `json:"paper,omitzero"`             // size of the paper: letter (the default), legal, tabloid, ledger, a0 to a6, or a size such as 210x297mm
	Landscape         bool     `json:"landscape,omitzero"`         // print in landscape format
	Margin            string   `json:"margin,omitzero"`            // one to four lengths in px, pt, mm, cm or in, in the order top, right, bottom, left; 1cm when left out
	Scale             *float64 `json:"scale,omitzero"`             // size of the content, from 0.1 to 2; 1 when left out
	PrintBackground   *bool    `json:"printBackground,omitzero"`   // print the colors and pictures of the background; true when left out
	PreferCSSPageSize bool     `json:"preferCSSPageSize,omitzero"` // take the size of the paper from the page's own @page rules, if it has any
	PageRanges        string   `json:"pageRanges,omitzero"`        // pages to print, such as 1-5, 8; all when left out
	HeaderTemplate    string   `json:"headerTemplate,omitzero"`    // HTML at the top of each page; elements of the classes date, title, url, pageNumber and totalPages are filled in
	FooterTemplate    string   `json:"footerTemplate,omitzero"`    // HTML at the bottom of each page, with the same classes as headerTemplate
}

// PDFResult is the answer of [Client.PDF].
type PDFResult struct {
	TabAnswer

	Path string `json:"path,omitzero"` // where the PDF was saved
}

// Highlight runs the operation highlight. Draw a box over an element, for a person or a screenshot,
// until the next act or navigation.
func (c *Client) Highlight(ctx context.Context, r HighlightRequest) (*TabAnswer, error) {
	return call[TabAnswer](ctx, c, r, "POST /highlight")
}

// HighlightRequest has the parameters of [Client.Highlight].
type HighlightRequest struct {
	Profile   string `json:"profile,omitzero"`   // browser profile; the default one when left out
	TargetID  string `json:"targetId,omitzero"`  // the tab: its handle (t1), label, or target id; the current tab when left out
	RefMode   string `json:"refMode,omitzero"`   // what becomes of a ref when the page replaces its element: carry: the ref names the new element; element: the ref becomes stale; default: the setting browser.refs; one of carry, element
	TimeoutMs int    `json:"timeoutMs,omitzero"` // deadline in milliseconds, at most 60000; when left out, 8000
	Ref       string `json:"ref"`                // ref of the element
}

// Read runs the operation read. Fetch a page, PDF or feed as Markdown: fastest for text. It also
// fetches JSON and text, all without a browser or cookies. Try it before render, extract and open.
// If a page turns out to need its scripts, a browser loads it; only then is text left out that
// style sheets hide. The answer contains text of web pages, which is untrusted.
func (c *Client) Read(ctx context.Context, r ReadRequest) (*ReadResult, error) {
	return call[ReadResult](ctx, c, r, "POST /read")
}

// ReadRequest has the parameters of [Client.Read].
type ReadRequest struct {
	TimeoutMs int    `json:"timeoutMs,omitzero"` // deadline in milliseconds, at most 60000; when left out, 60000
	OrHTTP    bool   `json:"orHttp,omitzero"`    // if the server refuses https, use http, as for an address without a scheme
	Hidden    string `json:"hidden,omitzero"`    // what to do with text that a person cannot see (transparent, clipped away, tiny, off-screen, in the color of its background): show it, omit and count it, or mark it. Controls and their labels are always shown; one of show, omit, mark (default: show)
	URL       string `json:"url"`                // address: http or https
	Render    string `json:"render,omitzero"`    // auto: show the page in a browser if it turns out to need its scripts; never: answer the text that is there without scripts; always: show it in a browser; one of auto, never, always (default: auto)
	Outline   bool   `json:"outline,omitzero"`   // answer the numbered headings, with the length of each section in characters, instead of the text
	Section   int    `json:"section,omitzero"`   // number of a heading in the outline: answer only its section, with the sections below it
	MaxLength int    `json:"maxLength,omitzero"` // how many characters of text to answer; a longer text is cut after a paragraph, or else a word (default: 50000)
}

// ReadResult is the answer of [Client.Read].
type ReadResult struct {
	URL           string        `json:"url"`                    // address of the text, after redirects
	Status        int           `json:"status,omitzero"`        // HTTP status of the document
	StatusText    string        `json:"statusText,omitzero"`    // the HTTP status in words, unless it is a success: 404 Not Found
	FellBack      string        `json:"fellBack,omitzero"`      // a note that https failed, so the address was reached over http
	Blocked       string        `json:"blocked,omitzero"`       // why the network policy stopped a navigation that the page itself began, such as by a meta refresh
	Way           string        `json:"way"`                    // how the text was read: static: by a plain fetch; rendered: in a browser, with the page's scripts
	Why           string        `json:"why,omitzero"`           // why a browser was used, or would be needed for the whole text
	Kind          string        `json:"kind"`                   // kind of document: html, pdf, feed, json, xml, markdown or text
	Pages         int           `json:"pages,omitzero"`         // number of pages of a PDF; each page is a section
	Partial       bool          `json:"partial,omitzero"`       // the document or page is not complete: the connection ended, or the time was over
	Note          string        `json:"note,omitzero"`          // what is missing from the text, and why
	Outline       []ReadHeading `json:"outline,omitzero"`       // the headings, instead of the text
	Section       *ReadHeading  `json:"section,omitzero"`       // heading of the section, if section was given
	Hidden        *Unseen       `json:"hidden,omitzero"`        // how much text was left out because a person cannot see it
	Unopened      bool          `json:"unopened,omitzero"`      // some elements may have content that was not read: the page has too many closed shadow roots, or keeps changing. Another call on the tab may read more
	Title         string        `json:"title"`                  // title of the page
	Byline        string        `json:"byline"`                 // author of the content
	Published     string        `json:"published"`              // when the content was published: RFC 3339 if the page gives a time with an offset, else as the page writes it
	Lang          string        `json:"lang"`                   // language tag, such as en-GB
	Excerpt       string        `json:"excerpt"`                // the page's description of itself, or its first paragraph
	FoundBy       string        `json:"foundBy"`                // how the content was found. readability: by Mozilla's algorithm; article, main, body: it is in that element; text: no main content was found, so this is all text of the page; caller: by the given selector; document: this is not an HTML page, so all of it is content
	Markdown      string        `json:"markdown,omitzero"`      // the content as Markdown
	Text          string        `json:"text,omitzero"`          // the content as text
	HTML          string        `json:"html,omitzero"`          // the content as HTML
	Links         []ContentLink `json:"links"`                  // links in the content: each address once, 1000 at most
	MoreLinks     bool          `json:"moreLinks,omitzero"`     // the content has more links
	Length        int           `json:"length"`                 // characters of the whole content in this format
	Truncated     bool          `json:"truncated"`              // the content has more than maxLength characters, or only the beginning of the page was read
	PageTruncated bool          `json:"pageTruncated,omitzero"` // only the beginning of the page was read: it is too large, or there was no time for more
	Structured    *ContentData  `json:"structured,omitzero"`    // structured data of the page
	Ignored       []string      `json:"ignored,omitzero"`       // names of the given parameters, and of fields in them, that had no effect
}

// Render runs the operation render. Load a page without tab or cookies, and answer its picture or
// text. For text, read is faster: it uses a browser only for pages that need their scripts. The
// answer contains text of web pages, which is untrusted.
func (c *Client) Render(ctx context.Context, r RenderRequest) (*RenderResult, error) {
	return call[RenderResult](ctx, c, r, "POST /render")
}

// RenderRequest has the parameters of [Client.Render].
type RenderRequest struct {
	URL         string   `json:"url"`                   // address: http or https
	OrHTTP      bool     `json:"orHttp,omitzero"`       // if the server refuses https, use http, as for an address without a scheme
	TimeoutMs   int      `json:"timeoutMs,omitzero"`    // deadline in milliseconds, at most 60000; when left out, 60000
	Hidden      string   `json:"hidden,omitzero"`       // what to do with text that a person cannot see (transparent, clipped away, tiny, off-screen, in the color of its background): show it, omit and count it, or mark it. Controls and their labels are always shown; one of show, omit, mark (default: show)
	Mode        string   `json:"mode"`                  // screenshot: a picture; extract: the main content as Markdown, or what javascript answers; one of screenshot, extract
	Width       int      `json:"width,omitzero"`        // width of the viewport in CSS pixels (default: 412)
	Height      int      `json:"height,omitzero"`       // height of the viewport in CSS pixels (default: 915)
	Wait        string   `json:"wait,omitzero"`         // auto: wait until network and document were quiet for 0.5 s, at most 10 s. Mostly faster than wait_seconds; one of auto
	WaitSeconds *float64 `json:"wait_seconds,omitzero"` // seconds to wait after the page has loaded, for content that its scripts add (default: 2)
	FullPage    bool     `json:"full_page,omitzero"`    // a picture of the whole page, up to a height of 10000 pixels, not only of the viewport
	Type        string   `json:"type,omitzero"`         // kind of picture; one of png, jpeg (default: png)
	MaxLength   *int     `json:"max_length,omitzero"`   // characters of text to answer (default: 50000)
	Javascript  string   `json:"javascript,omitzero"`   // for mode extract: answer the value of this script instead of the content. The script is an expression, or statements that end with one
}

// RenderResult is the answer of [Client.Render].
type RenderResult struct {
	Status        int               `json:"status,omitzero"`        // HTTP status of the document
	StatusText    string            `json:"statusText,omitzero"`    // the HTTP status in words, unless it is a success: 404 Not Found
	FellBack      string            `json:"fellBack,omitzero"`      // a note that https failed, so the address was reached over http
	Blocked       string            `json:"blocked,omitzero"`       // why the network policy stopped a navigation that the page itself began, such as by a meta refresh
	ImagePath     string            `json:"image_path,omitzero"`    // where the picture was saved
	Markdown      string            `json:"markdown,omitzero"`      // main content of the page, with its title
	Result        json.RawMessage   `json:"result,omitzero"`        // value of the script
	Truncated     bool              `json:"truncated,omitzero"`     // the text has more than max_length characters, or the page is larger than the picture
	PageTruncated bool              `json:"pageTruncated,omitzero"` // only the beginning of the page was read: it is too large, or there was no time for more
	Partial       bool              `json:"partial,omitzero"`       // the page had not finished loading: the time was over, or the connection ended
	Hidden        *Unseen           `json:"hidden,omitzero"`        // how much text was left out because a person cannot see it
	Unopened      bool              `json:"unopened,omitzero"`      // some elements may have content that was not read: the page has too many closed shadow roots, or keeps changing. Another call on the tab may read more
	Ignored       []string          `json:"ignored,omitzero"`       // names of the given parameters, and of fields in them, that had no effect
	FileIDs       map[string]string `json:"fileIds,omitzero"`       // ids for GET /files/{id}, by the path of each file in the answer; over the Unix socket only if the header X-Chela-File-Ids asks for them
}

// Extract runs the operation extract. Read the main content of a page as Markdown, text or HTML,
// with its links and structured data. It reads the page in the tab, or loads an address outside of
// all tabs and without cookies. The answer contains text of web pages, which is untrusted.
func (c *Client) Extract(ctx context.Context, r ExtractRequest) (*ExtractResult, error) {
	return call[ExtractResult](ctx, c, r, "POST /extract")
}

// ExtractRequest has the parameters of [Client.Extract].
type ExtractRequest struct {
	Profile     string   `json:"profile,omitzero"`     // browser profile; the default one when left out
	TargetID    string   `json:"targetId,omitzero"`    // the tab: its handle (t1), label, or target id; the current tab when left out
	RefMode     string   `json:"refMode,omitzero"`     // what becomes of a ref when the page replaces its element: carry: the ref names the new element; element: the ref becomes stale; default: the setting browser.refs; one of carry, element
	TimeoutMs   int      `json:"timeoutMs,omitzero"`   // deadline in milliseconds, at most 60000; when left out, 60000
	OrHTTP      bool     `json:"orHttp,omitzero"`      // if the server refuses https, use http, as for an address without a scheme
	Hidden      string   `json:"hidden,omitzero"`      // what to do with text that a person cannot see (transparent, clipped away, tiny, off-screen, in the color of its background): show it, omit and count it, or mark it. Controls and their labels are always shown; one of show, omit, mark (default: show)
	URL         string   `json:"url,omitzero"`         // address to load outside of all tabs: http or https; when left out, the page of the tab is read
	Selector    string   `json:"selector,omitzero"`    // CSS selector, or in a tab a ref: take all of the first element that matches, instead of looking for the content
	Javascript  string   `json:"javascript,omitzero"`  // answer the value of this script instead of the content. The script is an expression, or statements that end with one
	Schema      any      `json:"schema,omitzero"`      // what to read as JSON, instead of the content. The schema gives each name a CSS selector, or in a tab a ref: {"title": "h1", "items": [{"selector": ".row", "fields": {"price": {"selector": ".price", "type": "number"}}}]}. See docs/schema.md
	Format      string   `json:"format,omitzero"`      // markdown; text: without markup; html: cleaned; json: everything, as one JSON document; one of markdown, text, html, json (default: markdown)
	MaxLength   int      `json:"maxLength,omitzero"`   // how many characters of content to answer; longer content is cut after a paragraph, or else a word. With a schema: characters of data, and 200000 when left out (default: 50000)
	Wait        string   `json:"wait,omitzero"`        // auto: wait until network and document were quiet for 0.5 s, at most 10 s. Mostly faster than waitSeconds; one of auto
	WaitSeconds *float64 `json:"waitSeconds,omitzero"` // seconds to wait for what scripts add to the page; when left out, 2 after an address has loaded, and 0 in a tab
}

// ShownAnswer has fields that the answers of several operations share. For some operations this is
// the whole answer.
type ShownAnswer struct {
	OK              bool              `json:"ok"`                       // always true
	TargetID        string            `json:"targetId,omitzero"`        // target id of the tab, if the page is in one
	TabID           string            `json:"tabId,omitzero"`           // handle of the tab (t1), if the page is in one
	Partial         bool              `json:"partial,omitzero"`         // the page at the address had not finished loading: the time was over, or the connection ended
	Status          int               `json:"status,omitzero"`          // HTTP status of the document
	StatusText      string            `json:"statusText,omitzero"`      // the HTTP status in words, unless it is a success: 404 Not Found
	FellBack        string            `json:"fellBack,omitzero"`        // a note that https failed, so the address was reached over http
	Blocked         string            `json:"blocked,omitzero"`         // why the network policy stopped a navigation that the page itself began, such as by a meta refresh
	URL             string            `json:"url,omitzero"`             // address that the tab shows
	URLChanged      bool              `json:"urlChanged,omitzero"`      // the call has changed the address
	BlockedByDialog bool              `json:"blockedByDialog,omitzero"` // a dialog of the page is open and must be answered first
	NotDone         bool              `json:"notDone,omitzero"`         // because of the dialog, nothing was done, or nothing could be read: the rest of the result is empty
	BrowserState    *BrowserState     `json:"browserState,omitzero"`    // the dialogs of the page
	TabOpened       bool              `json:"tabOpened,omitzero"`       // the session had no open tab, so an empty one was opened for this call; earlier tabs were closed, as with their browser
	Closed          bool              `json:"closed,omitzero"`          // the tab has closed: the page closed itself
	OpenerTab       string            `json:"openerTab,omitzero"`       // with closed: the tab that had opened this one, and which calls without targetId use now
	Recovered       bool              `json:"recovered,omitzero"`       // the tab had crashed, or its page opened dialogs without end, so the tab was given a new page
	Lost            []string          `json:"lost,omitzero"`            // what was lost with the old page: refs, forms, scroll, history, sessionStorage, and cookies and armed answers that could not be kept
	Restored        *Restoration      `json:"restored,omitzero"`        // what this server restored after the previous server was killed; only in the first answers
	Emptied         bool              `json:"emptied,omitzero"`         // cookies, storage and permissions that the isolated session had are gone: it had no tab for long, or the browser was closed
	Person          *PersonWas        `json:"person,omitzero"`          // a person took over the tab, and gave it back, since the last answer to this session
	Ignored         []string          `json:"ignored,omitzero"`         // names of the given parameters, and of fields in them, that had no effect
	FileIDs         map[string]string `json:"fileIds,omitzero"`         // ids for GET /files/{id}, by the path of each file in the answer; over the Unix socket only if the header X-Chela-File-Ids asks for them
}

// ExtractResult is the answer of [Client.Extract].
type ExtractResult struct {
	ShownAnswer

	Title           string            `json:"title"`                    // title of the page
	Byline          string            `json:"byline"`                   // author of the content
	Published       string            `json:"published"`                // when the content was published: RFC 3339 if the page gives a time with an offset, else as the page writes it
	Lang            string            `json:"lang"`                     // language tag, such as en-GB
	Excerpt         string            `json:"excerpt"`                  // the page's description of itself, or its first paragraph
	FoundBy         string            `json:"foundBy"`                  // how the content was found. readability: by Mozilla's algorithm; article, main, body: it is in that element; text: no main content was found, so this is all text of the page; caller: by the given selector; document: this is not an HTML page, so all of it is content
	Markdown        string            `json:"markdown,omitzero"`        // the content as Markdown
	Text            string            `json:"text,omitzero"`            // the content as text
	HTML            string            `json:"html,omitzero"`            // the content as HTML
	Links           []ContentLink     `json:"links"`                    // links in the content: each address once, 1000 at most
	MoreLinks       bool              `json:"moreLinks,omitzero"`       // the content has more links
	Length          int               `json:"length"`                   // characters of the whole content in this format
	Truncated       bool              `json:"truncated"`                // the content has more than maxLength characters, or only the beginning of the page was read
	PageTruncated   bool              `json:"pageTruncated,omitzero"`   // only the beginning of the page was read: it is too large, or there was no time for more
	Structured      *ContentData      `json:"structured,omitzero"`      // structured data of the page
	Data            json.RawMessage   `json:"data,omitzero"`            // what the schema asks for, in its order; a missing or unreadable value is null, or an empty list
	Missing         []string          `json:"missing,omitzero"`         // the first 100 places in data without a value: the page has none, and the schema no default. An empty path stands for all of data
	Unreadable      []UnreadableField `json:"unreadable,omitzero"`      // the first 100 places in data whose text on the page does not fit the type in the schema
	DataCut         []CutField        `json:"dataCut,omitzero"`         // the first 100 lists and texts in data that are cut, because data was longer than maxLength, a text was too large to convert, or there was no more time
	MoreMissing     int               `json:"moreMissing,omitzero"`     // how many missing places are not listed, beyond the first 100
	MoreUnreadable  int               `json:"moreUnreadable,omitzero"`  // how many unreadable places are not listed, beyond the first 100
	MoreCut         int               `json:"moreCut,omitzero"`         // how many cut places are not listed, beyond the first 100
	DataFull        bool              `json:"dataFull,omitzero"`        // data has as many characters as maxLength allows
	DataLate        bool              `json:"dataLate,omitzero"`        // the time was over before all was read
	Hidden          *Unseen           `json:"hidden,omitzero"`          // how much text was left out because a person cannot see it
	Unopened        bool              `json:"unopened,omitzero"`        // some elements may have content that was not read: the page has too many closed shadow roots, or keeps changing. Another call on the tab may read more
	Result          json.RawMessage   `json:"result,omitzero"`          // value of the script, instead of the content
	ResultTruncated bool              `json:"resultTruncated,omitzero"` // the result had more than maxLength characters
	Format          string            `json:"format,omitzero"`          // format of the content
}

// Console runs the operation console. List the console messages. The answer contains text of web
// pages, which is untrusted.
func (c *Client) Console(ctx context.Context, r ConsoleRequest) (*ConsoleResult, error) {
	return call[ConsoleResult](ctx, c, r, "GET /console")
}

// ConsoleRequest has the parameters of [Client.Console].
type ConsoleRequest struct {
	Profile  string `json:"profile,omitzero"`  // browser profile; the default one when left out
	TargetID string `json:"targetId,omitzero"` // the tab: its handle (t1), label, or target id; the current tab when left out
	RefMode  string `json:"refMode,omitzero"`  // what becomes of a ref when the page replaces its element: carry: the ref names the new element; element: the ref becomes stale; default: the setting browser.refs; one of carry, element
	Limit    int    `json:"limit,omitzero"`    // list only the newest, at most this many
	Level    string `json:"level,omitzero"`    // only messages of at least this level; one of error, warn, info
}

// ConsoleResult is the answer of [Client.Console].
type ConsoleResult struct {
	OK        bool             `json:"ok"`                 // always true
	TargetID  string           `json:"targetId"`           // target id of the tab
	URL       string           `json:"url"`                // address that the tab shows
	Messages  []ConsoleMessage `json:"messages"`           // the messages, the oldest first
	Truncated bool             `json:"truncated,omitzero"` // older entries are left out, because there are more than the limit
	Total     int              `json:"total,omitzero"`     // how many entries there are, if older ones are left out
	Dropped   int              `json:"dropped,omitzero"`   // how many further entries were lost, because they were too old or came too fast
	Ignored   []string         `json:"ignored,omitzero"`   // names of the given parameters, and of fields in them, that had no effect
}

// Errors runs the operation errors. List the uncaught errors of scripts, the oldest first. The
// answer contains text of web pages, which is untrusted.
func (c *Client) Errors(ctx context.Context, r ErrorsRequest) (*ErrorsResult, error) {
	return call[ErrorsResult](ctx, c, r, "GET /errors")
}

// ErrorsRequest has the parameters of [Client.Errors].
type ErrorsRequest struct {
	Profile  string `json:"profile,omitzero"`  // browser profile; the default one when left out
	TargetID string `json:"targetId,omitzero"` // the tab: its handle (t1), label, or target id; the current tab when left out
	RefMode  string `json:"refMode,omitzero"`  // what becomes of a ref when the page replaces its element: carry: the ref names the new element; element: the ref becomes stale; default: the setting browser.refs; one of carry, element
	Limit    int    `json:"limit,omitzero"`    // list only the newest, at most this many
	Clear    bool   `json:"clear,omitzero"`    // empty the list after this call has read it
}

// ErrorsResult is the answer of [Client.Errors].
type ErrorsResult struct {
	OK        bool        `json:"ok"`                 // always true
	TargetID  string      `json:"targetId"`           // target id of the tab
	URL       string      `json:"url"`                // address that the tab shows
	Errors    []PageError `json:"errors"`             // the errors, the oldest first
	Truncated bool        `json:"truncated,omitzero"` // older entries are left out, because there are more than the limit
	Total     int         `json:"total,omitzero"`     // how many entries there are, if older ones are left out
	Dropped   int         `json:"dropped,omitzero"`   // how many further entries were lost, because they were too old or came too fast
	Ignored   []string    `json:"ignored,omitzero"`   // names of the given parameters, and of fields in them, that had no effect
}

// Requests runs the operation requests. List the requests on the network, the oldest first. The
// answer contains text of web pages, which is untrusted.
func (c *Client) Requests(ctx context.Context, r RequestsRequest) (*RequestsResult, error) {
	return call[RequestsResult](ctx, c, r, "GET /requests")
}

// RequestsRequest has the parameters of [Client.Requests].
type RequestsRequest struct {
	Profile  string `json:"profile,omitzero"`  // browser profile; the default one when left out
	TargetID string `json:"targetId,omitzero"` // the tab: its handle (t1), label, or target id; the current tab when left out
	RefMode  string `json:"refMode,omitzero"`  // what becomes of a ref when the page replaces its element: carry: the ref names the new element; element: the ref becomes stale; default: the setting browser.refs; one of carry, element
	Limit    int    `json:"limit,omitzero"`    // list only the newest, at most this many
	Filter   string `json:"filter,omitzero"`   // only requests with this text in their address or resource type
	Clear    bool   `json:"clear,omitzero"`    // empty the list after this call has read it
}

// RequestsResult is the answer of [Client.Requests].
type RequestsResult struct {
	OK        bool            `json:"ok"`                 // always true
	TargetID  string          `json:"targetId"`           // target id of the tab
	URL       string          `json:"url"`                // address that the tab shows
	Requests  []ListedRequest `json:"requests"`           // the requests, the oldest first
	Truncated bool            `json:"truncated,omitzero"` // older entries are left out, because there are more than the limit
	Total     int             `json:"total,omitzero"`     // how many entries there are, if older ones are left out
	Dropped   int             `json:"dropped,omitzero"`   // how many further entries were lost, because they were too old or came too fast
	Ignored   []string        `json:"ignored,omitzero"`   // names of the given parameters, and of fields in them, that had no effect
}

// Request runs the operation request. Show a request: its headers, its timing, what has sent it,
// and the body of the answer. The answer contains text of web pages, which is untrusted.
func (c *Client) Request(ctx context.Context, r RequestRequest) (*RequestResult, error) {
	return call[RequestResult](ctx, c, r, "GET /requests/{id}")
}

// RequestRequest has the parameters of [Client.Request].
type RequestRequest struct {
	Profile  string `json:"profile,omitzero"`  // browser profile; the default one when left out
	TargetID string `json:"targetId,omitzero"` // the tab: its handle (t1), label, or target id; the current tab when left out
	RefMode  string `json:"refMode,omitzero"`  // what becomes of a ref when the page replaces its element: carry: the ref names the new element; element: the ref becomes stale; default: the setting browser.refs; one of carry, element
	ID       string `json:"id"`                // id of the request, from the list: r12
	MaxChars int    `json:"maxChars,omitzero"` // how many characters of the body to show, at most (default: 20000)
	Secrets  bool   `json:"secrets,omitzero"`  // also show cookies, authorization, and values whose names suggest a secret
}

// RequestResult is the answer of [Client.Request].
type RequestResult struct {
	OK       bool          `json:"ok"`               // always true
	TargetID string        `json:"targetId"`         // target id of the tab
	URL      string        `json:"url"`              // address that the tab shows
	Request  RequestDetail `json:"request"`          // the request
	Ignored  []string      `json:"ignored,omitzero"` // names of the given parameters, and of fields in them, that had no effect
}

// Downloads runs the operation downloads. List the downloads of the tab, the oldest first: those
// under way, and those that have ended. The answer contains text of web pages, which is untrusted.
func (c *Client) Downloads(ctx context.Context, r DownloadsRequest) (*DownloadsResult, error) {
	return call[DownloadsResult](ctx, c, r, "GET /downloads/list")
}

// DownloadsRequest has the parameters of [Client.Downloads].
type DownloadsRequest struct {
	Profile  string `json:"profile,omitzero"`  // browser profile; the default one when left out
	TargetID string `json:"targetId,omitzero"` // the tab: its handle (t1), label, or target id; the current tab when left out
	RefMode  string `json:"refMode,omitzero"`  // what becomes of a ref when the page replaces its element: carry: the ref names the new element; element: the ref becomes stale; default: the setting browser.refs; one of carry, element
}

// DownloadsResult is the answer of [Client.Downloads].
type DownloadsResult struct {
	OK        bool              `json:"ok"`               // always true
	TargetID  string            `json:"targetId"`         // target id of the tab
	URL       string            `json:"url"`              // address that the tab shows
	Downloads []DownloadedFile  `json:"downloads"`        // the downloads, the oldest first
	Ignored   []string          `json:"ignored,omitzero"` // names of the given parameters, and of fields in them, that had no effect
	FileIDs   map[string]string `json:"fileIds,omitzero"` // ids for GET /files/{id}, by the path of each file in the answer; over the Unix socket only if the header X-Chela-File-Ids asks for them
}

// Calls runs the operation calls. List the calls on tabs, including closed ones: who has done what,
// the oldest first. The answer contains text of web pages, which is untrusted.
func (c *Client) Calls(ctx context.Context, r CallsRequest) (*CallsResult, error) {
	return call[CallsResult](ctx, c, r, "GET /calls")
}

// CallsRequest has the parameters of [Client.Calls].
type CallsRequest struct {
	Profile  string `json:"profile,omitzero"`  // browser profile; the default one when left out
	TargetID string `json:"targetId,omitzero"` // only calls on the tab with this id (t1), which may be closed
	Limit    int    `json:"limit,omitzero"`    // list only the newest, at most this many
}

// CallsResult is the answer of [Client.Calls].
type CallsResult struct {
	Calls     []MadeCall `json:"calls"`              // the calls, the oldest first
	Truncated bool       `json:"truncated,omitzero"` // older entries are left out, because there are more than the limit
	Total     int        `json:"total,omitzero"`     // how many entries there are, if older ones are left out
	Dropped   int        `json:"dropped,omitzero"`   // how many further entries were lost, because they were too old or came too fast
	Ignored   []string   `json:"ignored,omitzero"`   // names of the given parameters, and of fields in them, that had no effect
}

// ResponseBody runs the operation responsebody. Wait for the next response to a request of the
// page, and return its body. The answer contains text of web pages, which is untrusted.
func (c *Client) ResponseBody(ctx context.Context, r ResponseBodyRequest) (*ResponseBodyResult, error) {
	return call[ResponseBodyResult](ctx, c, r, "POST /response/body")
}

// ResponseBodyRequest has the parameters of [Client.ResponseBody].
type ResponseBodyRequest struct {
	Profile   string `json:"profile,omitzero"`   // browser profile; the default one when left out
	TargetID  string `json:"targetId,omitzero"`  // the tab: its handle (t1), label, or target id; the current tab when left out
	RefMode   string `json:"refMode,omitzero"`   // what becomes of a ref when the page replaces its element: carry: the ref names the new element; element: the ref becomes stale; default: the setting browser.refs; one of carry, element
	TimeoutMs int    `json:"timeoutMs,omitzero"` // deadline in milliseconds, at most 120000; when left out, 20000
	URL       string `json:"url"`                // address of the response, a part of it, or a glob: ** stands for any characters, * for any but a slash
	Past      bool   `json:"past,omitzero"`      // if a matching response came before this call, return the newest one at once
	MaxChars  int    `json:"maxChars,omitzero"`  // how many characters of the body to return, at most 5000000 (default: 200000)
}

// ResponseBodyResult is the answer of [Client.ResponseBody].
type ResponseBodyResult struct {
	TabAnswer

	Response Response `json:"response"` // the answer
}

// HAR runs the operation har. Write the requests of the tab as an HTTP Archive (HAR 1.2), without
// response bodies. The answer contains text of web pages, which is untrusted.
func (c *Client) HAR(ctx context.Context, r HARRequest) (*HARResult, error) {
	return call[HARResult](ctx, c, r, "GET /requests format=har")
}

// HARRequest has the parameters of [Client.HAR].
type HARRequest struct {
	Profile  string `json:"profile,omitzero"`  // browser profile; the default one when left out
	TargetID string `json:"targetId,omitzero"` // the tab: its handle (t1), label, or target id; the current tab when left out
	RefMode  string `json:"refMode,omitzero"`  // what becomes of a ref when the page replaces its element: carry: the ref names the new element; element: the ref becomes stale; default: the setting browser.refs; one of carry, element
	Limit    int    `json:"limit,omitzero"`    // list only the newest, at most this many
	Secrets  bool   `json:"secrets,omitzero"`  // keep credentials, values of cookies, and values whose names suggest a secret; otherwise they are replaced
}

// HARResult is the answer of [Client.HAR].
type HARResult struct {
	OK        bool            `json:"ok"`                 // always true
	TargetID  string          `json:"targetId"`           // target id of the tab
	URL       string          `json:"url"`                // address that the tab shows
	Log       json.RawMessage `json:"log"`                // the archive, see http://www.softwareishard.com/blog/har-12-spec/
	Truncated bool            `json:"truncated,omitzero"` // older entries are left out, because there are more than the limit
	Total     int             `json:"total,omitzero"`     // how many entries there are, if older ones are left out
	Dropped   int             `json:"dropped,omitzero"`   // how many further entries were lost, because they were too old or came too fast
	Ignored   []string        `json:"ignored,omitzero"`   // names of the given parameters, and of fields in them, that had no effect
}

// TraceStart runs the operation trace start. Record what is done in all tabs of the browser, for
// Playwright's trace viewer. The trace has the calls, what the page showed before and after each,
// pictures, console and requests. It ends with trace stop; if the browser is stopped before, there
// is no file.
func (c *Client) TraceStart(ctx context.Context, r TraceStartRequest) (*TraceResult, error) {
	return call[TraceResult](ctx, c, r, "POST /trace/start")
}

// TraceStartRequest has the parameters of [Client.TraceStart].
type TraceStartRequest struct {
	Profile     string `json:"profile,omitzero"`     // browser profile; the default one when left out
	TargetID    string `json:"targetId,omitzero"`    // the tab: its handle (t1), label, or target id; the current tab when left out
	RefMode     string `json:"refMode,omitzero"`     // what becomes of a ref when the page replaces its element: carry: the ref names the new element; element: the ref becomes stale; default: the setting browser.refs; one of carry, element
	TimeoutMs   int    `json:"timeoutMs,omitzero"`   // deadline in milliseconds, at most 120000; when left out, 20000
	Screenshots *bool  `json:"screenshots,omitzero"` // record pictures of each tab, as a filmstrip (default: true)
	Snapshots   *bool  `json:"snapshots,omitzero"`   // record the page before and after each call (default: true)
	Sources     bool   `json:"sources,omitzero"`     // accepted without effect, because calls come from no source files
	Secrets     bool   `json:"secrets,omitzero"`     // record credentials, cookies and values whose names suggest a secret, instead of replacing them; text that calls type is recorded either way
}

// TraceResult is the answer of [Client.TraceStart].
type TraceResult struct {
	OK       bool     `json:"ok"`                // always true
	TargetID string   `json:"targetId,omitzero"` // target id of the tab
	URL      string   `json:"url,omitzero"`      // address that the tab shows
	Ignored  []string `json:"ignored,omitzero"`  // names of the given parameters, and of fields in them, that had no effect
}

// TraceStop runs the operation trace stop. End the trace and save it as a file, which npx
// playwright show-trace opens.
func (c *Client) TraceStop(ctx context.Context, r TraceStopRequest) (*TraceStopResult, error) {
	return call[TraceStopResult](ctx, c, r, "POST /trace/stop")
}

// TraceStopRequest has the parameters of [Client.TraceStop].
type TraceStopRequest struct {
	Profile   string `json:"profile,omitzero"`   // browser profile; the default one when left out
	TargetID  string `json:"targetId,omitzero"`  // the tab: its handle (t1), label, or target id; the current tab when left out
	RefMode   string `json:"refMode,omitzero"`   // what becomes of a ref when the page replaces its element: carry: the ref names the new element; element: the ref becomes stale; default: the setting browser.refs; one of carry, element
	TimeoutMs int    `json:"timeoutMs,omitzero"` // deadline in milliseconds, at most 120000; when left out, 60000
	Path      string `json:"path,omitzero"`      // file below the folder of temporary files (/tmp/chela); browser-trace-<uuid>.zip when left out
}

// TraceStopResult is the answer of [Client.TraceStop].
type TraceStopResult struct {
	OK        bool              `json:"ok"`                 // always true
	TargetID  string            `json:"targetId,omitzero"`  // target id of the tab
	URL       string            `json:"url,omitzero"`       // address that the tab shows
	Path      string            `json:"path"`               // where the trace was saved
	Truncated bool              `json:"truncated,omitzero"` // the trace is not complete, because it lasted too long or something in it was too large
	Missing   string            `json:"missing,omitzero"`   // why the trace is not complete
	Ignored   []string          `json:"ignored,omitzero"`   // names of the given parameters, and of fields in them, that had no effect
	FileIDs   map[string]string `json:"fileIds,omitzero"`   // ids for GET /files/{id}, by the path of each file in the answer; over the Unix socket only if the header X-Chela-File-Ids asks for them
}

// VideoStart runs the operation video start. Record the tab as a WebM video, until video stop,
// until the tab closes, or for 10 minutes. If the browser is stopped, the video is lost.
func (c *Client) VideoStart(ctx context.Context, r VideoStartRequest) (*VideoTab, error) {
	return call[VideoTab](ctx, c, r, "POST /video/start")
}

// VideoStartRequest has the parameters of [Client.VideoStart].
type VideoStartRequest struct {
	Profile   string `json:"profile,omitzero"`   // browser profile; the default one when left out
	TargetID  string `json:"targetId,omitzero"`  // the tab: its handle (t1), label, or target id; the current tab when left out
	RefMode   string `json:"refMode,omitzero"`   // what becomes of a ref when the page replaces its element: carry: the ref names the new element; element: the ref becomes stale; default: the setting browser.refs; one of carry, element
	TimeoutMs int    `json:"timeoutMs,omitzero"` // deadline in milliseconds, at most 120000; when left out, 20000
	FPS       int    `json:"fps,omitzero"`       // how many pictures a second, at most; there are none while the page does not change (default: 10)
	Size      string `json:"size,omitzero"`      // width and height of the video in pixels, at most 1920x1080; pictures of the tab are scaled down to fit, but never up (default: 1280x720)
	ShowInput bool   `json:"showInput,omitzero"` // draw a ring where the mouse is pressed, and the names of keys, but not typed text
}

// VideoTab is the answer of [Client.VideoStart].
type VideoTab struct {
	OK       bool     `json:"ok"`               // always true
	TargetID string   `json:"targetId"`         // target id of the tab
	TabID    string   `json:"tabId"`            // handle of the tab
	URL      string   `json:"url,omitzero"`     // address that the tab shows
	Ignored  []string `json:"ignored,omitzero"` // names of the given parameters, and of fields in them, that had no effect
}

// VideoStop runs the operation video stop. End the video of the tab, and save it as a file. The tab
// may have closed.
func (c *Client) VideoStop(ctx context.Context, r VideoStopRequest) (*VideoResult, error) {
	return call[VideoResult](ctx, c, r, "POST /video/stop")
}

// VideoStopRequest has the parameters of [Client.VideoStop].
type VideoStopRequest struct {
	Profile   string `json:"profile,omitzero"`   // browser profile; the default one when left out
	TargetID  string `json:"targetId,omitzero"`  // the tab: its handle (t1), label, or target id; the current tab when left out
	RefMode   string `json:"refMode,omitzero"`   // what becomes of a ref when the page replaces its element: carry: the ref names the new element; element: the ref becomes stale; default: the setting browser.refs; one of carry, element
	TimeoutMs int    `json:"timeoutMs,omitzero"` // deadline in milliseconds, at most 120000; when left out, 60000
	Path      string `json:"path,omitzero"`      // file below the folder of temporary files (/tmp/chela); browser-video-<uuid>.webm when left out
}

// VideoResult is the answer of [Client.VideoStop].
type VideoResult struct {
	OK        bool              `json:"ok"`                 // always true
	TabID     string            `json:"tabId"`              // handle of the tab that was filmed
	Path      string            `json:"path"`               // where the video was saved
	Seconds   float64           `json:"seconds"`            // length of the video in seconds
	Bytes     int64             `json:"bytes"`              // size of the file
	Truncated bool              `json:"truncated,omitzero"` // the video ended before it was stopped
	Missing   string            `json:"missing,omitzero"`   // why the video ended early
	Ignored   []string          `json:"ignored,omitzero"`   // names of the given parameters, and of fields in them, that had no effect
	FileIDs   map[string]string `json:"fileIds,omitzero"`   // ids for GET /files/{id}, by the path of each file in the answer; over the Unix socket only if the header X-Chela-File-Ids asks for them
}

// Recorder runs the operation recorder. List what was done in the tabs: each call with its element,
// its effects, its error and a picture. The list is kept for a day, even if the server restarts.
// The answer contains text of web pages, which is untrusted.
func (c *Client) Recorder(ctx context.Context, r RecorderRequest) (*RecorderResult, error) {
	return call[RecorderResult](ctx, c, r, "GET /recorder")
}

// RecorderRequest has the parameters of [Client.Recorder].
type RecorderRequest struct {
	Profile  string `json:"profile,omitzero"`  // browser profile; the default one when left out
	TargetID string `json:"targetId,omitzero"` // only what was done in the tab with this id (t1), which may be closed
	Session  string `json:"session,omitzero"`  // only calls of the session with this key; when left out, of the session of this call, or of all sessions if this call has none
	Since    string `json:"since,omitzero"`    // how far back to look: 90s, 10m or 2h
	Limit    int    `json:"limit,omitzero"`    // list only the newest, at most this many
}

// RecorderResult is the answer of [Client.Recorder].
type RecorderResult struct {
	Entries   []RecordedCall    `json:"entries"`            // the calls, the oldest first
	Truncated bool              `json:"truncated,omitzero"` // older entries are left out, because there are more than the limit
	Total     int               `json:"total,omitzero"`     // how many entries there are, if older ones are left out
	Dropped   int               `json:"dropped,omitzero"`   // how many further entries were lost, because they were too old or came too fast
	Ignored   []string          `json:"ignored,omitzero"`   // names of the given parameters, and of fields in them, that had no effect
	FileIDs   map[string]string `json:"fileIds,omitzero"`   // ids for GET /files/{id}, by the path of each file in the answer; over the Unix socket only if the header X-Chela-File-Ids asks for them
}

// RecorderClear runs the operation recorder clear. Delete what was recorded in the tabs of a
// profile, and its pictures.
func (c *Client) RecorderClear(ctx context.Context, r RecorderClearRequest) (*Done, error) {
	return call[Done](ctx, c, r, "POST /recorder/clear")
}

// RecorderClearRequest has the parameters of [Client.RecorderClear].
type RecorderClearRequest struct {
	Profile string `json:"profile,omitzero"` // browser profile; the default one when left out
}

// Done is the answer of [Client.RecorderClear].
type Done struct {
	Ignored []string `json:"ignored,omitzero"` // names of the given parameters, and of fields in them, that had no effect
}

// ScreencastTicket runs the operation screencast ticket. Get a ticket for the live view of a tab:
// GET /screencast accepts it once, instead of the server's token.
func (c *Client) ScreencastTicket(ctx context.Context, r ScreencastTicketRequest) (*TicketResult, error) {
	return call[TicketResult](ctx, c, r, "POST /screencast/ticket")
}

// ScreencastTicketRequest has the parameters of [Client.ScreencastTicket].
type ScreencastTicketRequest struct {
	Profile  string `json:"profile,omitzero"`  // browser profile; the default one when left out
	TargetID string `json:"targetId,omitzero"` // the tab: its handle (t1), label, or target id; the current tab when left out
	RefMode  string `json:"refMode,omitzero"`  // what becomes of a ref when the page replaces its element: carry: the ref names the new element; element: the ref becomes stale; default: the setting browser.refs; one of carry, element
	TtlMs    int    `json:"ttlMs,omitzero"`    // milliseconds for which the ticket is good (default: 30000)
	Control  bool   `json:"control,omitzero"`  // who uses the ticket may also act in the tab, by mouse and keys
}

// TicketResult is the answer of [Client.ScreencastTicket].
type TicketResult struct {
	OK        bool      `json:"ok"`               // always true
	Ticket    string    `json:"ticket"`           // value of the parameter ticket of GET /screencast; it works once
	TargetID  string    `json:"targetId"`         // target id of the tab
	TabID     string    `json:"tabId"`            // handle of the tab
	ExpiresAt time.Time `json:"expiresAt"`        // when the ticket expires
	Control   bool      `json:"control,omitzero"` // the viewer may also act in the tab
	Ignored   []string  `json:"ignored,omitzero"` // names of the given parameters, and of fields in them, that had no effect
}

// Report runs the operation report. Write one HTML file that shows, with pictures, what was done:
// the calls that were recorded lately, or a trace.
func (c *Client) Report(ctx context.Context, r ReportRequest) (*ReportResult, error) {
	return call[ReportResult](ctx, c, r, "POST /report")
}

// ReportRequest has the parameters of [Client.Report].
type ReportRequest struct {
	Profile   string `json:"profile,omitzero"`   // browser profile; the default one when left out
	TimeoutMs int    `json:"timeoutMs,omitzero"` // deadline in milliseconds, at most 120000; when left out, 60000
	TargetID  string `json:"targetId,omitzero"`  // only what was done in the tab with this id (t1), which may be closed
	Session   string `json:"session,omitzero"`   // only calls of the session with this key; when left out, of the session of this call, or of all sessions if this call has none
	Since     string `json:"since,omitzero"`     // how far back to look: 90s, 10m or 2h
	Trace     string `json:"trace,omitzero"`     // trace to show instead of what was recorded: the path from trace stop, a file in the uploads folder, or what POST /files has answered
	Path      string `json:"path,omitzero"`      // file below the folder of temporary files (/tmp/chela); browser-report-<uuid>.html when left out
}

// ReportResult is the answer of [Client.Report].
type ReportResult struct {
	OK      bool              `json:"ok"`               // always true
	Calls   int               `json:"calls"`            // how many calls the report shows
	Path    string            `json:"path"`             // where the report was saved
	Ignored []string          `json:"ignored,omitzero"` // names of the given parameters, and of fields in them, that had no effect
	FileIDs map[string]string `json:"fileIds,omitzero"` // ids for GET /files/{id}, by the path of each file in the answer; over the Unix socket only if the header X-Chela-File-Ids asks for them
}

// Click runs the operation click. Click an element.
func (c *Client) Click(ctx context.Context, r ClickRequest) (*ClickResult, error) {
	return call[ClickResult](ctx, c, r, "POST /act kind=click")
}

// ClickRequest has the parameters of [Client.Click].
type ClickRequest struct {
	Profile     string        `json:"profile,omitzero"`     // browser profile; the default one when left out
	TargetID    string        `json:"targetId,omitzero"`    // the tab: its handle (t1), label, or target id; the current tab when left out
	RefMode     string        `json:"refMode,omitzero"`     // what becomes of a ref when the page replaces its element: carry: the ref names the new element; element: the ref becomes stale; default: the setting browser.refs; one of carry, element
	TimeoutMs   int           `json:"timeoutMs,omitzero"`   // deadline in milliseconds, at most 60000; when left out, 8000
	Hidden      string        `json:"hidden,omitzero"`      // what to do with text that a person cannot see (transparent, clipped away, tiny, off-screen, in the color of its background): show it, omit and count it, or mark it. Controls and their labels are always shown; one of show, omit, mark (default: show)
	Snapshot    string        `json:"snapshot,omitzero"`    // wait until the page is quiet (no change or scroll for 100 ms, no request, no transition; at most 1000 ms, or settleMs), then return what changed since the last snapshot, or by this call if there is none (delta), or what can be acted on (efficient); navigated: only after a navigation, as efficient for a new document and as delta in the same one; one of delta, efficient, navigated, none
	Given       string        `json:"given,omitzero"`       // in a delta: show or omit lines in which only the text that this call entered, or the focus, has changed; one of show, omit (default: show)
	SettleMs    *int          `json:"settleMs,omitzero"`    // how many milliseconds to wait, at most: first for a late effect (a change, or an answer other than an image, font or style, more than 50 ms after the input), then until the page is quiet. The wait takes this long if no effect comes or a request does not end
	MaxChars    *int          `json:"maxChars,omitzero"`    // characters of the snapshot; 8000 when left out
	Dialog      *DialogAnswer `json:"dialog,omitzero"`      // answer to a dialog that the act opens: {accept, promptText}
	Ref         string        `json:"ref"`                  // ref of the element, from a snapshot
	DoubleClick bool          `json:"doubleClick,omitzero"` // click twice
	Count       int           `json:"count,omitzero"`       // number of clicks; 3 selects a paragraph
	Button      string        `json:"button,omitzero"`      // mouse button; by default the left one; one of left, right, middle
	DelayMs     int           `json:"delayMs,omitzero"`     // milliseconds between press and release, at most 5000
	Modifiers   []string      `json:"modifiers,omitzero"`   // keys that are held during the click; one of Alt, Control, ControlOrMeta, Meta, Shift
	Position    *Position     `json:"position,omitzero"`    // where in the element: {x, y}, in pixels from the top left corner inside its border
}

// ActAnswer has fields that the answers of several operations share. For some operations this is
// the whole answer.
type ActAnswer struct {
	OK                  bool              `json:"ok"`                           // always true
	TargetID            string            `json:"targetId"`                     // target id of the tab
	TabID               string            `json:"tabId"`                        // handle of the tab (t1), which never changes
	URL                 string            `json:"url,omitzero"`                 // address that the tab shows
	URLChanged          bool              `json:"urlChanged,omitzero"`          // the call has changed the address
	BlockedByDialog     bool              `json:"blockedByDialog,omitzero"`     // a dialog of the page is open and must be answered first
	NotDone             bool              `json:"notDone,omitzero"`             // because of the dialog, nothing was done, or nothing could be read: the rest of the result is empty
	BrowserState        *BrowserState     `json:"browserState,omitzero"`        // the dialogs of the page
	TabOpened           bool              `json:"tabOpened,omitzero"`           // the session had no open tab, so an empty one was opened for this call; earlier tabs were closed, as with their browser
	Closed              bool              `json:"closed,omitzero"`              // the tab has closed: the page closed itself
	OpenerTab           string            `json:"openerTab,omitzero"`           // with closed: the tab that had opened this one, and which calls without targetId use now
	Recovered           bool              `json:"recovered,omitzero"`           // the tab had crashed, or its page opened dialogs without end, so the tab was given a new page
	Lost                []string          `json:"lost,omitzero"`                // what was lost with the old page: refs, forms, scroll, history, sessionStorage, and cookies and armed answers that could not be kept
	Restored            *Restoration      `json:"restored,omitzero"`            // what this server restored after the previous server was killed; only in the first answers
	Emptied             bool              `json:"emptied,omitzero"`             // cookies, storage and permissions that the isolated session had are gone: it had no tab for long, or the browser was closed
	Person              *PersonWas        `json:"person,omitzero"`              // a person took over the tab, and gave it back, since the last answer to this session
	Effects             []string          `json:"effects"`                      // what the act caused until the answer, in order: changed, navigated, dialog, download, newTab, fileChooser (dismissed, because no files were armed), request
	Earlier             *EarlierEffects   `json:"earlier,omitzero"`             // what the page began before this act, and no answer has reported yet: not effects of the act
	LoadFailed          string            `json:"loadFailed,omitzero"`          // why the document to which the act led could not be loaded, and its address: the tab shows the browser's error page
	StatusText          string            `json:"statusText,omitzero"`          // the HTTP status in words, unless it is a success: 404 Not Found
	Hint                string            `json:"hint,omitzero"`                // what to do about the status, or about a failure to load
	FormRefused         *FormRefused      `json:"formRefused,omitzero"`         // the browser did not send a form, because a control does not hold what the form requires
	OnItsWay            string            `json:"onItsWay,omitzero"`            // to which address the tab is on its way, and why it is not there yet
	NewTabs             []TabInfo         `json:"newTabs,omitzero"`             // tabs that the page opened
	CurrentTab          string            `json:"currentTab,omitzero"`          // with newTabs: the tab that calls without targetId use, until focus or a call names another one
	MovedTabs           []TabInfo         `json:"movedTabs,omitzero"`           // tabs of the same opener, or that have opened this one, whose address changed during the act
	ClosedTabs          []string          `json:"closedTabs,omitzero"`          // tabs that the page had opened, that an answer has named, and that have closed by themselves since
	PopupsClosed        int               `json:"popupsClosed,omitzero"`        // how many new tabs were closed, because an act may open 8, and a page may have 20 open
	Downloads           []DownloadedFile  `json:"downloads,omitzero"`           // files whose download began
	Delta               string            `json:"delta,omitzero"`               // what changed since the last snapshot, or since an earlier one of the same view if less changed: + new lines, ~ changed ones, > moved ones, then - removed ones. A removed line stands for all inside it; a line that begins with spaces names the row, card or landmark of what follows
	NoDelta             string            `json:"noDelta,omitzero"`             // why there is a snapshot in place of a delta: there is no earlier snapshot to compare with, or the document is another one
	Snapshot            string            `json:"snapshot,omitzero"`            // the page as text: what can be acted on, or the whole page if a delta was asked for
	Truncated           bool              `json:"truncated,omitzero"`           // the snapshot or delta was cut
	Stats               *Stats            `json:"stats,omitzero"`               // size of the snapshot
	SnapshotUnavailable string            `json:"snapshotUnavailable,omitzero"` // why the page could not be read
	Ignored             []string          `json:"ignored,omitzero"`             // names of the given parameters, and of fields in them, that had no effect
	FileIDs             map[string]string `json:"fileIds,omitzero"`             // ids for GET /files/{id}, by the path of each file in the answer; over the Unix socket only if the header X-Chela-File-Ids asks for them
}

// ClickResult is the answer of [Client.Click].
type ClickResult struct {
	ActAnswer

	Note string `json:"note,omitzero"` // why the click may not have done what was wanted: the page changed after the press, so that no click came, the mouse alone had opened the element, the element had another name than in the last snapshot, or a script of the page failed meanwhile
}

// ClickCoords runs the operation click-coords. Click at a point of the viewport.
func (c *Client) ClickCoords(ctx context.Context, r ClickCoordsRequest) (*ActAnswer, error) {
	return call[ActAnswer](ctx, c, r, "POST /act kind=clickCoords")
}

// ClickCoordsRequest has the parameters of [Client.ClickCoords].
type ClickCoordsRequest struct {
	Profile     string        `json:"profile,omitzero"`     // browser profile; the default one when left out
	TargetID    string        `json:"targetId,omitzero"`    // the tab: its handle (t1), label, or target id; the current tab when left out
	RefMode     string        `json:"refMode,omitzero"`     // what becomes of a ref when the page replaces its element: carry: the ref names the new element; element: the ref becomes stale; default: the setting browser.refs; one of carry, element
	TimeoutMs   int           `json:"timeoutMs,omitzero"`   // deadline in milliseconds, at most 60000; when left out, 8000
	Hidden      string        `json:"hidden,omitzero"`      // what to do with text that a person cannot see (transparent, clipped away, tiny, off-screen, in the color of its background): show it, omit and count it, or mark it. Controls and their labels are always shown; one of show, omit, mark (default: show)
	Snapshot    string        `json:"snapshot,omitzero"`    // wait until the page is quiet (no change or scroll for 100 ms, no request, no transition; at most 1000 ms, or settleMs), then return what changed since the last snapshot, or by this call if there is none (delta), or what can be acted on (efficient); navigated: only after a navigation, as efficient for a new document and as delta in the same one; one of delta, efficient, navigated, none
	Given       string        `json:"given,omitzero"`       // in a delta: show or omit lines in which only the text that this call entered, or the focus, has changed; one of show, omit (default: show)
	SettleMs    *int          `json:"settleMs,omitzero"`    // how many milliseconds to wait, at most: first for a late effect (a change, or an answer other than an image, font or style, more than 50 ms after the input), then until the page is quiet. The wait takes this long if no effect comes or a request does not end
	MaxChars    *int          `json:"maxChars,omitzero"`    // characters of the snapshot; 8000 when left out
	Dialog      *DialogAnswer `json:"dialog,omitzero"`      // answer to a dialog that the act opens: {accept, promptText}
	DoubleClick bool          `json:"doubleClick,omitzero"` // click twice
	Count       int           `json:"count,omitzero"`       // number of clicks; 3 selects a paragraph
	Button      string        `json:"button,omitzero"`      // mouse button; by default the left one; one of left, right, middle
	DelayMs     int           `json:"delayMs,omitzero"`     // milliseconds between press and release, at most 5000
	Modifiers   []string      `json:"modifiers,omitzero"`   // keys that are held during the click; one of Alt, Control, ControlOrMeta, Meta, Shift
	X           float64       `json:"x"`                    // pixels from the left of the viewport
	Y           float64       `json:"y"`                    // pixels from the top of the viewport
}

// Type runs the operation type. Replace the text of a field; without ref, type at the focus. Dates,
// times, months, weeks, colors and positions of sliders may be written as people write them.
func (c *Client) Type(ctx context.Context, r TypeRequest) (*TypeResult, error) {
	return call[TypeResult](ctx, c, r, "POST /act kind=type")
}

// TypeRequest has the parameters of [Client.Type].
type TypeRequest struct {
	Profile   string        `json:"profile,omitzero"`   // browser profile; the default one when left out
	TargetID  string        `json:"targetId,omitzero"`  // the tab: its handle (t1), label, or target id; the current tab when left out
	RefMode   string        `json:"refMode,omitzero"`   // what becomes of a ref when the page replaces its element: carry: the ref names the new element; element: the ref becomes stale; default: the setting browser.refs; one of carry, element
	TimeoutMs int           `json:"timeoutMs,omitzero"` // deadline in milliseconds, at most 60000; when left out, 8000
	Hidden    string        `json:"hidden,omitzero"`    // what to do with text that a person cannot see (transparent, clipped away, tiny, off-screen, in the color of its background): show it, omit and count it, or mark it. Controls and their labels are always shown; one of show, omit, mark (default: show)
	Snapshot  string        `json:"snapshot,omitzero"`  // wait until the page is quiet (no change or scroll for 100 ms, no request, no transition; at most 1000 ms, or settleMs), then return what changed since the last snapshot, or by this call if there is none (delta), or what can be acted on (efficient); navigated: only after a navigation, as efficient for a new document and as delta in the same one; one of delta, efficient, navigated, none
	Given     string        `json:"given,omitzero"`     // in a delta: show or omit lines in which only the text that this call entered, or the focus, has changed; one of show, omit (default: show)
	SettleMs  *int          `json:"settleMs,omitzero"`  // how many milliseconds to wait, at most: first for a late effect (a change, or an answer other than an image, font or style, more than 50 ms after the input), then until the page is quiet. The wait takes this long if no effect comes or a request does not end
	MaxChars  *int          `json:"maxChars,omitzero"`  // characters of the snapshot; 8000 when left out
	Dialog    *DialogAnswer `json:"dialog,omitzero"`    // answer to a dialog that the act opens: {accept, promptText}
	Ref       string        `json:"ref,omitzero"`       // element, from a snapshot; without a ref, the text is typed key by key at the focus; a date or the like there is set at once, unless slowly
	Text      string        `json:"text"`               // text to put in; empty clears the field; secret:NAME stands for the value of a secret
	Submit    bool          `json:"submit,omitzero"`    // press Enter afterwards
	Slowly    bool          `json:"slowly,omitzero"`    // type key by key, after the present text of the field
}

// TypeResult is the answer of [Client.Type], [Client.Clear].
type TypeResult struct {
	ActAnswer

	Value *string `json:"value,omitzero"` // what the field holds now, if that is not the text; absent: the field holds the text
	Note  string  `json:"note,omitzero"`  // a note that the page has emptied the field, that its text was empty already, that the focus has moved to another field or was in none, or that it does not hold the exact secret
}

// InsertText runs the operation insert-text. Insert text at the caret, as if pasted.
func (c *Client) InsertText(ctx context.Context, r InsertTextRequest) (*InsertTextResult, error) {
	return call[InsertTextResult](ctx, c, r, "POST /act kind=insertText")
}

// InsertTextRequest has the parameters of [Client.InsertText].
type InsertTextRequest struct {
	Profile   string        `json:"profile,omitzero"`   // browser profile; the default one when left out
	TargetID  string        `json:"targetId,omitzero"`  // the tab: its handle (t1), label, or target id; the current tab when left out
	RefMode   string        `json:"refMode,omitzero"`   // what becomes of a ref when the page replaces its element: carry: the ref names the new element; element: the ref becomes stale; default: the setting browser.refs; one of carry, element
	TimeoutMs int           `json:"timeoutMs,omitzero"` // deadline in milliseconds, at most 60000; when left out, 8000
	Hidden    string        `json:"hidden,omitzero"`    // what to do with text that a person cannot see (transparent, clipped away, tiny, off-screen, in the color of its background): show it, omit and count it, or mark it. Controls and their labels are always shown; one of show, omit, mark (default: show)
	Snapshot  string        `json:"snapshot,omitzero"`  // wait until the page is quiet (no change or scroll for 100 ms, no request, no transition; at most 1000 ms, or settleMs), then return what changed since the last snapshot, or by this call if there is none (delta), or what can be acted on (efficient); navigated: only after a navigation, as efficient for a new document and as delta in the same one; one of delta, efficient, navigated, none
	Given     string        `json:"given,omitzero"`     // in a delta: show or omit lines in which only the text that this call entered, or the focus, has changed; one of show, omit (default: show)
	SettleMs  *int          `json:"settleMs,omitzero"`  // how many milliseconds to wait, at most: first for a late effect (a change, or an answer other than an image, font or style, more than 50 ms after the input), then until the page is quiet. The wait takes this long if no effect comes or a request does not end
	MaxChars  *int          `json:"maxChars,omitzero"`  // characters of the snapshot; 8000 when left out
	Dialog    *DialogAnswer `json:"dialog,omitzero"`    // answer to a dialog that the act opens: {accept, promptText}
	Text      string        `json:"text"`               // text to insert; secret:NAME instead replaces all text of the field by a secret
}

// InsertTextResult is the answer of [Client.InsertText].
type InsertTextResult struct {
	ActAnswer

	Note string `json:"note,omitzero"` // a note that the field does not hold the exact secret
}

// Press runs the operation press. Press a key, or keys together.
func (c *Client) Press(ctx context.Context, r PressRequest) (*ActAnswer, error) {
	return call[ActAnswer](ctx, c, r, "POST /act kind=press")
}

// PressRequest has the parameters of [Client.Press].
type PressRequest struct {
	Profile   string        `json:"profile,omitzero"`   // browser profile; the default one when left out
	TargetID  string        `json:"targetId,omitzero"`  // the tab: its handle (t1), label, or target id; the current tab when left out
	RefMode   string        `json:"refMode,omitzero"`   // what becomes of a ref when the page replaces its element: carry: the ref names the new element; element: the ref becomes stale; default: the setting browser.refs; one of carry, element
	TimeoutMs int           `json:"timeoutMs,omitzero"` // deadline in milliseconds, at most 60000; when left out, 8000
	Hidden    string        `json:"hidden,omitzero"`    // what to do with text that a person cannot see (transparent, clipped away, tiny, off-screen, in the color of its background): show it, omit and count it, or mark it. Controls and their labels are always shown; one of show, omit, mark (default: show)
	Snapshot  string        `json:"snapshot,omitzero"`  // wait until the page is quiet (no change or scroll for 100 ms, no request, no transition; at most 1000 ms, or settleMs), then return what changed since the last snapshot, or by this call if there is none (delta), or what can be acted on (efficient); navigated: only after a navigation, as efficient for a new document and as delta in the same one; one of delta, efficient, navigated, none
	Given     string        `json:"given,omitzero"`     // in a delta: show or omit lines in which only the text that this call entered, or the focus, has changed; one of show, omit (default: show)
	SettleMs  *int          `json:"settleMs,omitzero"`  // how many milliseconds to wait, at most: first for a late effect (a change, or an answer other than an image, font or style, more than 50 ms after the input), then until the page is quiet. The wait takes this long if no effect comes or a request does not end
	MaxChars  *int          `json:"maxChars,omitzero"`  // characters of the snapshot; 8000 when left out
	Dialog    *DialogAnswer `json:"dialog,omitzero"`    // answer to a dialog that the act opens: {accept, promptText}
	Ref       string        `json:"ref,omitzero"`       // element to focus first; without a ref, the key goes to what has the focus
	Key       string        `json:"key"`                // key, or keys joined by +: Enter, ArrowDown, Control+A
	DelayMs   int           `json:"delayMs,omitzero"`   // milliseconds between press and release
}

// KeyDown runs the operation keydown. Press a key and keep it down during the next acts, until
// keyup.
func (c *Client) KeyDown(ctx context.Context, r KeyDownRequest) (*ActAnswer, error) {
	return call[ActAnswer](ctx, c, r, "POST /act kind=keydown")
}

// KeyDownRequest has the parameters of [Client.KeyDown].
type KeyDownRequest struct {
	Profile   string        `json:"profile,omitzero"`   // browser profile; the default one when left out
	TargetID  string        `json:"targetId,omitzero"`  // the tab: its handle (t1), label, or target id; the current tab when left out
	RefMode   string        `json:"refMode,omitzero"`   // what becomes of a ref when the page replaces its element: carry: the ref names the new element; element: the ref becomes stale; default: the setting browser.refs; one of carry, element
	TimeoutMs int           `json:"timeoutMs,omitzero"` // deadline in milliseconds, at most 60000; when left out, 8000
	Hidden    string        `json:"hidden,omitzero"`    // what to do with text that a person cannot see (transparent, clipped away, tiny, off-screen, in the color of its background): show it, omit and count it, or mark it. Controls and their labels are always shown; one of show, omit, mark (default: show)
	Snapshot  string        `json:"snapshot,omitzero"`  // wait until the page is quiet (no change or scroll for 100 ms, no request, no transition; at most 1000 ms, or settleMs), then return what changed since the last snapshot, or by this call if there is none (delta), or what can be acted on (efficient); navigated: only after a navigation, as efficient for a new document and as delta in the same one; one of delta, efficient, navigated, none
	Given     string        `json:"given,omitzero"`     // in a delta: show or omit lines in which only the text that this call entered, or the focus, has changed; one of show, omit (default: show)
	SettleMs  *int          `json:"settleMs,omitzero"`  // how many milliseconds to wait, at most: first for a late effect (a change, or an answer other than an image, font or style, more than 50 ms after the input), then until the page is quiet. The wait takes this long if no effect comes or a request does not end
	MaxChars  *int          `json:"maxChars,omitzero"`  // characters of the snapshot; 8000 when left out
	Dialog    *DialogAnswer `json:"dialog,omitzero"`    // answer to a dialog that the act opens: {accept, promptText}
	Key       string        `json:"key"`                // key, or keys joined by +
}

// KeyUp runs the operation keyup. Release a key.
func (c *Client) KeyUp(ctx context.Context, r KeyUpRequest) (*ActAnswer, error) {
	return call[ActAnswer](ctx, c, r, "POST /act kind=keyup")
}

// KeyUpRequest has the parameters of [Client.KeyUp].
type KeyUpRequest struct {
	Profile   string        `json:"profile,omitzero"`   // browser profile; the default one when left out
	TargetID  string        `json:"targetId,omitzero"`  // the tab: its handle (t1), label, or target id; the current tab when left out
	RefMode   string        `json:"refMode,omitzero"`   // what becomes of a ref when the page replaces its element: carry: the ref names the new element; element: the ref becomes stale; default: the setting browser.refs; one of carry, element
	TimeoutMs int           `json:"timeoutMs,omitzero"` // deadline in milliseconds, at most 60000; when left out, 8000
	Hidden    string        `json:"hidden,omitzero"`    // what to do with text that a person cannot see (transparent, clipped away, tiny, off-screen, in the color of its background): show it, omit and count it, or mark it. Controls and their labels are always shown; one of show, omit, mark (default: show)
	Snapshot  string        `json:"snapshot,omitzero"`  // wait until the page is quiet (no change or scroll for 100 ms, no request, no transition; at most 1000 ms, or settleMs), then return what changed since the last snapshot, or by this call if there is none (delta), or what can be acted on (efficient); navigated: only after a navigation, as efficient for a new document and as delta in the same one; one of delta, efficient, navigated, none
	Given     string        `json:"given,omitzero"`     // in a delta: show or omit lines in which only the text that this call entered, or the focus, has changed; one of show, omit (default: show)
	SettleMs  *int          `json:"settleMs,omitzero"`  // how many milliseconds to wait, at most: first for a late effect (a change, or an answer other than an image, font or style, more than 50 ms after the input), then until the page is quiet. The wait takes this long if no effect comes or a request does not end
	MaxChars  *int          `json:"maxChars,omitzero"`  // characters of the snapshot; 8000 when left out
	Dialog    *DialogAnswer `json:"dialog,omitzero"`    // answer to a dialog that the act opens: {accept, promptText}
	Key       string        `json:"key"`                // key, or keys joined by +
}

// Hover runs the operation hover. Move the mouse over an element.
func (c *Client) Hover(ctx context.Context, r HoverRequest) (*ActAnswer, error) {
	return call[ActAnswer](ctx, c, r, "POST /act kind=hover")
}

// HoverRequest has the parameters of [Client.Hover].
type HoverRequest struct {
	Profile   string        `json:"profile,omitzero"`   // browser profile; the default one when left out
	TargetID  string        `json:"targetId,omitzero"`  // the tab: its handle (t1), label, or target id; the current tab when left out
	RefMode   string        `json:"refMode,omitzero"`   // what becomes of a ref when the page replaces its element: carry: the ref names the new element; element: the ref becomes stale; default: the setting browser.refs; one of carry, element
	TimeoutMs int           `json:"timeoutMs,omitzero"` // deadline in milliseconds, at most 60000; when left out, 8000
	Hidden    string        `json:"hidden,omitzero"`    // what to do with text that a person cannot see (transparent, clipped away, tiny, off-screen, in the color of its background): show it, omit and count it, or mark it. Controls and their labels are always shown; one of show, omit, mark (default: show)
	Snapshot  string        `json:"snapshot,omitzero"`  // wait until the page is quiet (no change or scroll for 100 ms, no request, no transition; at most 1000 ms, or settleMs), then return what changed since the last snapshot, or by this call if there is none (delta), or what can be acted on (efficient); navigated: only after a navigation, as efficient for a new document and as delta in the same one; one of delta, efficient, navigated, none
	Given     string        `json:"given,omitzero"`     // in a delta: show or omit lines in which only the text that this call entered, or the focus, has changed; one of show, omit (default: show)
	SettleMs  *int          `json:"settleMs,omitzero"`  // how many milliseconds to wait, at most: first for a late effect (a change, or an answer other than an image, font or style, more than 50 ms after the input), then until the page is quiet. The wait takes this long if no effect comes or a request does not end
	MaxChars  *int          `json:"maxChars,omitzero"`  // characters of the snapshot; 8000 when left out
	Dialog    *DialogAnswer `json:"dialog,omitzero"`    // answer to a dialog that the act opens: {accept, promptText}
	Ref       string        `json:"ref"`                // ref of the element, from a snapshot
}

// ScrollIntoView runs the operation scrollintoview. Scroll until an element is in view.
func (c *Client) ScrollIntoView(ctx context.Context, r ScrollIntoViewRequest) (*ActAnswer, error) {
	return call[ActAnswer](ctx, c, r, "POST /act kind=scrollIntoView")
}

// ScrollIntoViewRequest has the parameters of [Client.ScrollIntoView].
type ScrollIntoViewRequest struct {
	Profile   string        `json:"profile,omitzero"`   // browser profile; the default one when left out
	TargetID  string        `json:"targetId,omitzero"`  // the tab: its handle (t1), label, or target id; the current tab when left out
	RefMode   string        `json:"refMode,omitzero"`   // what becomes of a ref when the page replaces its element: carry: the ref names the new element; element: the ref becomes stale; default: the setting browser.refs; one of carry, element
	TimeoutMs int           `json:"timeoutMs,omitzero"` // deadline in milliseconds, at most 120000; when left out, 20000
	Hidden    string        `json:"hidden,omitzero"`    // what to do with text that a person cannot see (transparent, clipped away, tiny, off-screen, in the color of its background): show it, omit and count it, or mark it. Controls and their labels are always shown; one of show, omit, mark (default: show)
	Snapshot  string        `json:"snapshot,omitzero"`  // wait until the page is quiet (no change or scroll for 100 ms, no request, no transition; at most 1000 ms, or settleMs), then return what changed since the last snapshot, or by this call if there is none (delta), or what can be acted on (efficient); navigated: only after a navigation, as efficient for a new document and as delta in the same one; one of delta, efficient, navigated, none
	Given     string        `json:"given,omitzero"`     // in a delta: show or omit lines in which only the text that this call entered, or the focus, has changed; one of show, omit (default: show)
	SettleMs  *int          `json:"settleMs,omitzero"`  // how many milliseconds to wait, at most: first for a late effect (a change, or an answer other than an image, font or style, more than 50 ms after the input), then until the page is quiet. The wait takes this long if no effect comes or a request does not end
	MaxChars  *int          `json:"maxChars,omitzero"`  // characters of the snapshot; 8000 when left out
	Dialog    *DialogAnswer `json:"dialog,omitzero"`    // answer to a dialog that the act opens: {accept, promptText}
	Ref       string        `json:"ref"`                // ref of the element, from a snapshot
}

// Scroll runs the operation scroll. Scroll an element or the page. This turns the mouse wheel over
// it.
func (c *Client) Scroll(ctx context.Context, r ScrollRequest) (*ScrollResult, error) {
	return call[ScrollResult](ctx, c, r, "POST /act kind=scroll")
}

// ScrollRequest has the parameters of [Client.Scroll].
type ScrollRequest struct {
	Profile   string        `json:"profile,omitzero"`   // browser profile; the default one when left out
	TargetID  string        `json:"targetId,omitzero"`  // the tab: its handle (t1), label, or target id; the current tab when left out
	RefMode   string        `json:"refMode,omitzero"`   // what becomes of a ref when the page replaces its element: carry: the ref names the new element; element: the ref becomes stale; default: the setting browser.refs; one of carry, element
	TimeoutMs int           `json:"timeoutMs,omitzero"` // deadline in milliseconds, at most 60000; when left out, 8000
	Hidden    string        `json:"hidden,omitzero"`    // what to do with text that a person cannot see (transparent, clipped away, tiny, off-screen, in the color of its background): show it, omit and count it, or mark it. Controls and their labels are always shown; one of show, omit, mark (default: show)
	Snapshot  string        `json:"snapshot,omitzero"`  // wait until the page is quiet (no change or scroll for 100 ms, no request, no transition; at most 1000 ms, or settleMs), then return what changed since the last snapshot, or by this call if there is none (delta), or what can be acted on (efficient); navigated: only after a navigation, as efficient for a new document and as delta in the same one; one of delta, efficient, navigated, none
	Given     string        `json:"given,omitzero"`     // in a delta: show or omit lines in which only the text that this call entered, or the focus, has changed; one of show, omit (default: show)
	SettleMs  *int          `json:"settleMs,omitzero"`  // how many milliseconds to wait, at most: first for a late effect (a change, or an answer other than an image, font or style, more than 50 ms after the input), then until the page is quiet. The wait takes this long if no effect comes or a request does not end
	MaxChars  *int          `json:"maxChars,omitzero"`  // characters of the snapshot; 8000 when left out
	Dialog    *DialogAnswer `json:"dialog,omitzero"`    // answer to a dialog that the act opens: {accept, promptText}
	Ref       string        `json:"ref,omitzero"`       // element to turn the wheel over: it scrolls, or else the nearest box around it that can; when left out, the middle of the viewport
	Direction string        `json:"direction,omitzero"` // scroll this way, by a little less than the visible part; one of up, down, left, right
	DeltaX    float64       `json:"deltaX,omitzero"`    // pixels to the right, negative: to the left
	DeltaY    float64       `json:"deltaY,omitzero"`    // pixels down, negative: up
	X         *float64      `json:"x,omitzero"`         // point to turn the wheel at, instead of the middle: pixels from the left of the viewport
	Y         *float64      `json:"y,omitzero"`         // point to turn the wheel at: pixels from the top of the viewport
	To        string        `json:"to,omitzero"`        // scroll all the way; a list that loads more at its end scrolls to its present end; one of top, bottom
}

// ScrollResult is the answer of [Client.Scroll].
type ScrollResult struct {
	ActAnswer

	ScrollTop     *int   `json:"scrollTop,omitzero"`     // pixels above the visible part of the box that was scrolled; if nothing moved, of the nearest box that can scroll
	ScrollHeight  *int   `json:"scrollHeight,omitzero"`  // height of all content of that box, in pixels
	ClientHeight  *int   `json:"clientHeight,omitzero"`  // height of the visible part, in pixels
	ScrollLeft    *int   `json:"scrollLeft,omitzero"`    // pixels to the left of the visible part, after a scroll to the left or right
	ScrollWidth   *int   `json:"scrollWidth,omitzero"`   // width of all content of that box, in pixels
	ClientWidth   *int   `json:"clientWidth,omitzero"`   // width of the visible part, in pixels
	AtEnd         *bool  `json:"atEnd,omitzero"`         // the box cannot be scrolled further in this direction
	InsteadRef    string `json:"insteadRef,omitzero"`    // ref of the box that was scrolled instead, because the element has gone; an earlier scroll over the element had moved this box
	HandledByPage bool   `json:"handledByPage,omitzero"` // the page handled the wheel itself, as maps do; what it did is not known
}

// Drag runs the operation drag. Drag an element onto another.
func (c *Client) Drag(ctx context.Context, r DragRequest) (*DragResult, error) {
	return call[DragResult](ctx, c, r, "POST /act kind=drag")
}

// DragRequest has the parameters of [Client.Drag].
type DragRequest struct {
	Profile      string        `json:"profile,omitzero"`      // browser profile; the default one when left out
	TargetID     string        `json:"targetId,omitzero"`     // the tab: its handle (t1), label, or target id; the current tab when left out
	RefMode      string        `json:"refMode,omitzero"`      // what becomes of a ref when the page replaces its element: carry: the ref names the new element; element: the ref becomes stale; default: the setting browser.refs; one of carry, element
	TimeoutMs    int           `json:"timeoutMs,omitzero"`    // deadline in milliseconds, at most 60000; when left out, 8000
	Hidden       string        `json:"hidden,omitzero"`       // what to do with text that a person cannot see (transparent, clipped away, tiny, off-screen, in the color of its background): show it, omit and count it, or mark it. Controls and their labels are always shown; one of show, omit, mark (default: show)
	Snapshot     string        `json:"snapshot,omitzero"`     // wait until the page is quiet (no change or scroll for 100 ms, no request, no transition; at most 1000 ms, or settleMs), then return what changed since the last snapshot, or by this call if there is none (delta), or what can be acted on (efficient); navigated: only after a navigation, as efficient for a new document and as delta in the same one; one of delta, efficient, navigated, none
	Given        string        `json:"given,omitzero"`        // in a delta: show or omit lines in which only the text that this call entered, or the focus, has changed; one of show, omit (default: show)
	SettleMs     *int          `json:"settleMs,omitzero"`     // how many milliseconds to wait, at most: first for a late effect (a change, or an answer other than an image, font or style, more than 50 ms after the input), then until the page is quiet. The wait takes this long if no effect comes or a request does not end
	MaxChars     *int          `json:"maxChars,omitzero"`     // characters of the snapshot; 8000 when left out
	Dialog       *DialogAnswer `json:"dialog,omitzero"`       // answer to a dialog that the act opens: {accept, promptText}
	StartRef     string        `json:"startRef"`              // element to drag
	EndRef       string        `json:"endRef,omitzero"`       // element to drop it on
	EndX         *float64      `json:"endX,omitzero"`         // point to drop it at, instead of an element: pixels from the left of the viewport
	EndY         *float64      `json:"endY,omitzero"`         // pixels from the top of the viewport
	OffsetX      *float64      `json:"offsetX,omitzero"`      // with endRef: drop it so many pixels from the left of that element; without: drag it so many pixels to the right
	OffsetY      *float64      `json:"offsetY,omitzero"`      // with endRef: drop it so many pixels from the top of that element; without: drag it so many pixels down
	StartOffsetX *float64      `json:"startOffsetX,omitzero"` // press it so many pixels from its left, as at an edge that resizes it; anywhere when left out
	StartOffsetY *float64      `json:"startOffsetY,omitzero"` // press it so many pixels from its top
	Steps        int           `json:"steps,omitzero"`        // how many mouse moves to make on the way, as some pages need many; 8 when left out
	DelayMs      int           `json:"delayMs,omitzero"`      // milliseconds to hold the mouse before it moves, for what can be dragged only after a long press
}

// DragResult is the answer of [Client.Drag].
type DragResult struct {
	ActAnswer

	At   string `json:"at,omitzero"`   // where the element was dropped, if not on another one: a point of the viewport, or a distance
	Note string `json:"note,omitzero"` // that the page has not taken the drag, and what to try; or how far the element has moved, if it was not dropped on another one and did not go with the mouse
}

// MouseMove runs the operation mouse move. Move the mouse to a point of the viewport.
func (c *Client) MouseMove(ctx context.Context, r MouseMoveRequest) (*ActAnswer, error) {
	return call[ActAnswer](ctx, c, r, "POST /act kind=mouseMove")
}

// MouseMoveRequest has the parameters of [Client.MouseMove].
type MouseMoveRequest struct {
	Profile   string        `json:"profile,omitzero"`   // browser profile; the default one when left out
	TargetID  string        `json:"targetId,omitzero"`  // the tab: its handle (t1), label, or target id; the current tab when left out
	RefMode   string        `json:"refMode,omitzero"`   // what becomes of a ref when the page replaces its element: carry: the ref names the new element; element: the ref becomes stale; default: the setting browser.refs; one of carry, element
	TimeoutMs int           `json:"timeoutMs,omitzero"` // deadline in milliseconds, at most 60000; when left out, 8000
	Hidden    string        `json:"hidden,omitzero"`    // what to do with text that a person cannot see (transparent, clipped away, tiny, off-screen, in the color of its background): show it, omit and count it, or mark it. Controls and their labels are always shown; one of show, omit, mark (default: show)
	Snapshot  string        `json:"snapshot,omitzero"`  // wait until the page is quiet (no change or scroll for 100 ms, no request, no transition; at most 1000 ms, or settleMs), then return what changed since the last snapshot, or by this call if there is none (delta), or what can be acted on (efficient); navigated: only after a navigation, as efficient for a new document and as delta in the same one; one of delta, efficient, navigated, none
	Given     string        `json:"given,omitzero"`     // in a delta: show or omit lines in which only the text that this call entered, or the focus, has changed; one of show, omit (default: show)
	SettleMs  *int          `json:"settleMs,omitzero"`  // how many milliseconds to wait, at most: first for a late effect (a change, or an answer other than an image, font or style, more than 50 ms after the input), then until the page is quiet. The wait takes this long if no effect comes or a request does not end
	MaxChars  *int          `json:"maxChars,omitzero"`  // characters of the snapshot; 8000 when left out
	Dialog    *DialogAnswer `json:"dialog,omitzero"`    // answer to a dialog that the act opens: {accept, promptText}
	X         float64       `json:"x"`                  // pixels from the left of the viewport; -1 to leave the page
	Y         float64       `json:"y"`                  // pixels from the top of the viewport; -1 to leave the page
}

// MouseDown runs the operation mouse down. Press a mouse button where the mouse is, and keep it
// down.
func (c *Client) MouseDown(ctx context.Context, r MouseDownRequest) (*ActAnswer, error) {
	return call[ActAnswer](ctx, c, r, "POST /act kind=mouseDown")
}

// MouseDownRequest has the parameters of [Client.MouseDown].
type MouseDownRequest struct {
	Profile   string        `json:"profile,omitzero"`   // browser profile; the default one when left out
	TargetID  string        `json:"targetId,omitzero"`  // the tab: its handle (t1), label, or target id; the current tab when left out
	RefMode   string        `json:"refMode,omitzero"`   // what becomes of a ref when the page replaces its element: carry: the ref names the new element; element: the ref becomes stale; default: the setting browser.refs; one of carry, element
	TimeoutMs int           `json:"timeoutMs,omitzero"` // deadline in milliseconds, at most 60000; when left out, 8000
	Hidden    string        `json:"hidden,omitzero"`    // what to do with text that a person cannot see (transparent, clipped away, tiny, off-screen, in the color of its background): show it, omit and count it, or mark it. Controls and their labels are always shown; one of show, omit, mark (default: show)
	Snapshot  string        `json:"snapshot,omitzero"`  // wait until the page is quiet (no change or scroll for 100 ms, no request, no transition; at most 1000 ms, or settleMs), then return what changed since the last snapshot, or by this call if there is none (delta), or what can be acted on (efficient); navigated: only after a navigation, as efficient for a new document and as delta in the same one; one of delta, efficient, navigated, none
	Given     string        `json:"given,omitzero"`     // in a delta: show or omit lines in which only the text that this call entered, or the focus, has changed; one of show, omit (default: show)
	SettleMs  *int          `json:"settleMs,omitzero"`  // how many milliseconds to wait, at most: first for a late effect (a change, or an answer other than an image, font or style, more than 50 ms after the input), then until the page is quiet. The wait takes this long if no effect comes or a request does not end
	MaxChars  *int          `json:"maxChars,omitzero"`  // characters of the snapshot; 8000 when left out
	Dialog    *DialogAnswer `json:"dialog,omitzero"`    // answer to a dialog that the act opens: {accept, promptText}
	Button    string        `json:"button,omitzero"`    // mouse button; by default the left one; one of left, right, middle
}

// MouseUp runs the operation mouse up. Release a mouse button where the mouse is.
func (c *Client) MouseUp(ctx context.Context, r MouseUpRequest) (*ActAnswer, error) {
	return call[ActAnswer](ctx, c, r, "POST /act kind=mouseUp")
}

// MouseUpRequest has the parameters of [Client.MouseUp].
type MouseUpRequest struct {
	Profile   string        `json:"profile,omitzero"`   // browser profile; the default one when left out
	TargetID  string        `json:"targetId,omitzero"`  // the tab: its handle (t1), label, or target id; the current tab when left out
	RefMode   string        `json:"refMode,omitzero"`   // what becomes of a ref when the page replaces its element: carry: the ref names the new element; element: the ref becomes stale; default: the setting browser.refs; one of carry, element
	TimeoutMs int           `json:"timeoutMs,omitzero"` // deadline in milliseconds, at most 60000; when left out, 8000
	Hidden    string        `json:"hidden,omitzero"`    // what to do with text that a person cannot see (transparent, clipped away, tiny, off-screen, in the color of its background): show it, omit and count it, or mark it. Controls and their labels are always shown; one of show, omit, mark (default: show)
	Snapshot  string        `json:"snapshot,omitzero"`  // wait until the page is quiet (no change or scroll for 100 ms, no request, no transition; at most 1000 ms, or settleMs), then return what changed since the last snapshot, or by this call if there is none (delta), or what can be acted on (efficient); navigated: only after a navigation, as efficient for a new document and as delta in the same one; one of delta, efficient, navigated, none
	Given     string        `json:"given,omitzero"`     // in a delta: show or omit lines in which only the text that this call entered, or the focus, has changed; one of show, omit (default: show)
	SettleMs  *int          `json:"settleMs,omitzero"`  // how many milliseconds to wait, at most: first for a late effect (a change, or an answer other than an image, font or style, more than 50 ms after the input), then until the page is quiet. The wait takes this long if no effect comes or a request does not end
	MaxChars  *int          `json:"maxChars,omitzero"`  // characters of the snapshot; 8000 when left out
	Dialog    *DialogAnswer `json:"dialog,omitzero"`    // answer to a dialog that the act opens: {accept, promptText}
	Button    string        `json:"button,omitzero"`    // mouse button; by default the left one; one of left, right, middle
}

// Drop runs the operation drop. Drop files on an element.
func (c *Client) Drop(ctx context.Context, r DropRequest) (*DropResult, error) {
	return call[DropResult](ctx, c, r, "POST /act kind=drop")
}

// DropRequest has the parameters of [Client.Drop].
type DropRequest struct {
	Profile   string        `json:"profile,omitzero"`   // browser profile; the default one when left out
	TargetID  string        `json:"targetId,omitzero"`  // the tab: its handle (t1), label, or target id; the current tab when left out
	RefMode   string        `json:"refMode,omitzero"`   // what becomes of a ref when the page replaces its element: carry: the ref names the new element; element: the ref becomes stale; default: the setting browser.refs; one of carry, element
	TimeoutMs int           `json:"timeoutMs,omitzero"` // deadline in milliseconds, at most 60000; when left out, 8000
	Hidden    string        `json:"hidden,omitzero"`    // what to do with text that a person cannot see (transparent, clipped away, tiny, off-screen, in the color of its background): show it, omit and count it, or mark it. Controls and their labels are always shown; one of show, omit, mark (default: show)
	Snapshot  string        `json:"snapshot,omitzero"`  // wait until the page is quiet (no change or scroll for 100 ms, no request, no transition; at most 1000 ms, or settleMs), then return what changed since the last snapshot, or by this call if there is none (delta), or what can be acted on (efficient); navigated: only after a navigation, as efficient for a new document and as delta in the same one; one of delta, efficient, navigated, none
	Given     string        `json:"given,omitzero"`     // in a delta: show or omit lines in which only the text that this call entered, or the focus, has changed; one of show, omit (default: show)
	SettleMs  *int          `json:"settleMs,omitzero"`  // how many milliseconds to wait, at most: first for a late effect (a change, or an answer other than an image, font or style, more than 50 ms after the input), then until the page is quiet. The wait takes this long if no effect comes or a request does not end
	MaxChars  *int          `json:"maxChars,omitzero"`  // characters of the snapshot; 8000 when left out
	Dialog    *DialogAnswer `json:"dialog,omitzero"`    // answer to a dialog that the act opens: {accept, promptText}
	Ref       string        `json:"ref"`                // ref of the element, from a snapshot
	Paths     []string      `json:"paths"`              // files to drop, in the uploads folder
}

// DropResult is the answer of [Client.Drop].
type DropResult struct {
	ActAnswer

	Files      int    `json:"files"`               // how many files were dropped
	DropEffect string `json:"dropEffect,omitzero"` // what the page does with the dropped files: copy, move or link
}

// Select runs the operation select. Choose options of a select, listbox or combobox.
func (c *Client) Select(ctx context.Context, r SelectRequest) (*SelectResult, error) {
	return call[SelectResult](ctx, c, r, "POST /act kind=select")
}

// SelectRequest has the parameters of [Client.Select].
type SelectRequest struct {
	Profile   string        `json:"profile,omitzero"`   // browser profile; the default one when left out
	TargetID  string        `json:"targetId,omitzero"`  // the tab: its handle (t1), label, or target id; the current tab when left out
	RefMode   string        `json:"refMode,omitzero"`   // what becomes of a ref when the page replaces its element: carry: the ref names the new element; element: the ref becomes stale; default: the setting browser.refs; one of carry, element
	TimeoutMs int           `json:"timeoutMs,omitzero"` // deadline in milliseconds, at most 60000; when left out, 8000
	Hidden    string        `json:"hidden,omitzero"`    // what to do with text that a person cannot see (transparent, clipped away, tiny, off-screen, in the color of its background): show it, omit and count it, or mark it. Controls and their labels are always shown; one of show, omit, mark (default: show)
	Snapshot  string        `json:"snapshot,omitzero"`  // wait until the page is quiet (no change or scroll for 100 ms, no request, no transition; at most 1000 ms, or settleMs), then return what changed since the last snapshot, or by this call if there is none (delta), or what can be acted on (efficient); navigated: only after a navigation, as efficient for a new document and as delta in the same one; one of delta, efficient, navigated, none
	Given     string        `json:"given,omitzero"`     // in a delta: show or omit lines in which only the text that this call entered, or the focus, has changed; one of show, omit (default: show)
	SettleMs  *int          `json:"settleMs,omitzero"`  // how many milliseconds to wait, at most: first for a late effect (a change, or an answer other than an image, font or style, more than 50 ms after the input), then until the page is quiet. The wait takes this long if no effect comes or a request does not end
	MaxChars  *int          `json:"maxChars,omitzero"`  // characters of the snapshot; 8000 when left out
	Dialog    *DialogAnswer `json:"dialog,omitzero"`    // answer to a dialog that the act opens: {accept, promptText}
	Ref       string        `json:"ref"`                // ref of the element, from a snapshot
	Values    []string      `json:"values"`             // options to choose, each by its value or label
}

// SelectResult is the answer of [Client.Select].
type SelectResult struct {
	ActAnswer

	Value *string `json:"value,omitzero"` // what a select element shows after the choice, if the page has set it back: a menu does so after it has acted
}

// Check runs the operation check. Check a checkbox, radio button or switch, unless it is checked.
func (c *Client) Check(ctx context.Context, r CheckRequest) (*ActAnswer, error) {
	return call[ActAnswer](ctx, c, r, "POST /act kind=check")
}

// CheckRequest has the parameters of [Client.Check].
type CheckRequest struct {
	Profile   string        `json:"profile,omitzero"`   // browser profile; the default one when left out
	TargetID  string        `json:"targetId,omitzero"`  // the tab: its handle (t1), label, or target id; the current tab when left out
	RefMode   string        `json:"refMode,omitzero"`   // what becomes of a ref when the page replaces its element: carry: the ref names the new element; element: the ref becomes stale; default: the setting browser.refs; one of carry, element
	TimeoutMs int           `json:"timeoutMs,omitzero"` // deadline in milliseconds, at most 60000; when left out, 8000
	Hidden    string        `json:"hidden,omitzero"`    // what to do with text that a person cannot see (transparent, clipped away, tiny, off-screen, in the color of its background): show it, omit and count it, or mark it. Controls and their labels are always shown; one of show, omit, mark (default: show)
	Snapshot  string        `json:"snapshot,omitzero"`  // wait until the page is quiet (no change or scroll for 100 ms, no request, no transition; at most 1000 ms, or settleMs), then return what changed since the last snapshot, or by this call if there is none (delta), or what can be acted on (efficient); navigated: only after a navigation, as efficient for a new document and as delta in the same one; one of delta, efficient, navigated, none
	Given     string        `json:"given,omitzero"`     // in a delta: show or omit lines in which only the text that this call entered, or the focus, has changed; one of show, omit (default: show)
	SettleMs  *int          `json:"settleMs,omitzero"`  // how many milliseconds to wait, at most: first for a late effect (a change, or an answer other than an image, font or style, more than 50 ms after the input), then until the page is quiet. The wait takes this long if no effect comes or a request does not end
	MaxChars  *int          `json:"maxChars,omitzero"`  // characters of the snapshot; 8000 when left out
	Dialog    *DialogAnswer `json:"dialog,omitzero"`    // answer to a dialog that the act opens: {accept, promptText}
	Ref       string        `json:"ref"`                // ref of the element, from a snapshot
}

// Uncheck runs the operation uncheck. Uncheck a checkbox or switch, unless it is unchecked.
func (c *Client) Uncheck(ctx context.Context, r UncheckRequest) (*ActAnswer, error) {
	return call[ActAnswer](ctx, c, r, "POST /act kind=uncheck")
}

// UncheckRequest has the parameters of [Client.Uncheck].
type UncheckRequest struct {
	Profile   string        `json:"profile,omitzero"`   // browser profile; the default one when left out
	TargetID  string        `json:"targetId,omitzero"`  // the tab: its handle (t1), label, or target id; the current tab when left out
	RefMode   string        `json:"refMode,omitzero"`   // what becomes of a ref when the page replaces its element: carry: the ref names the new element; element: the ref becomes stale; default: the setting browser.refs; one of carry, element
	TimeoutMs int           `json:"timeoutMs,omitzero"` // deadline in milliseconds, at most 60000; when left out, 8000
	Hidden    string        `json:"hidden,omitzero"`    // what to do with text that a person cannot see (transparent, clipped away, tiny, off-screen, in the color of its background): show it, omit and count it, or mark it. Controls and their labels are always shown; one of show, omit, mark (default: show)
	Snapshot  string        `json:"snapshot,omitzero"`  // wait until the page is quiet (no change or scroll for 100 ms, no request, no transition; at most 1000 ms, or settleMs), then return what changed since the last snapshot, or by this call if there is none (delta), or what can be acted on (efficient); navigated: only after a navigation, as efficient for a new document and as delta in the same one; one of delta, efficient, navigated, none
	Given     string        `json:"given,omitzero"`     // in a delta: show or omit lines in which only the text that this call entered, or the focus, has changed; one of show, omit (default: show)
	SettleMs  *int          `json:"settleMs,omitzero"`  // how many milliseconds to wait, at most: first for a late effect (a change, or an answer other than an image, font or style, more than 50 ms after the input), then until the page is quiet. The wait takes this long if no effect comes or a request does not end
	MaxChars  *int          `json:"maxChars,omitzero"`  // characters of the snapshot; 8000 when left out
	Dialog    *DialogAnswer `json:"dialog,omitzero"`    // answer to a dialog that the act opens: {accept, promptText}
	Ref       string        `json:"ref"`                // ref of the element, from a snapshot
}

// FocusElement runs the operation focus-element. Give an element the focus, without a click.
func (c *Client) FocusElement(ctx context.Context, r FocusElementRequest) (*ActAnswer, error) {
	return call[ActAnswer](ctx, c, r, "POST /act kind=focus")
}

// FocusElementRequest has the parameters of [Client.FocusElement].
type FocusElementRequest struct {
	Profile   string        `json:"profile,omitzero"`   // browser profile; the default one when left out
	TargetID  string        `json:"targetId,omitzero"`  // the tab: its handle (t1), label, or target id; the current tab when left out
	RefMode   string        `json:"refMode,omitzero"`   // what becomes of a ref when the page replaces its element: carry: the ref names the new element; element: the ref becomes stale; default: the setting browser.refs; one of carry, element
	TimeoutMs int           `json:"timeoutMs,omitzero"` // deadline in milliseconds, at most 60000; when left out, 8000
	Hidden    string        `json:"hidden,omitzero"`    // what to do with text that a person cannot see (transparent, clipped away, tiny, off-screen, in the color of its background): show it, omit and count it, or mark it. Controls and their labels are always shown; one of show, omit, mark (default: show)
	Snapshot  string        `json:"snapshot,omitzero"`  // wait until the page is quiet (no change or scroll for 100 ms, no request, no transition; at most 1000 ms, or settleMs), then return what changed since the last snapshot, or by this call if there is none (delta), or what can be acted on (efficient); navigated: only after a navigation, as efficient for a new document and as delta in the same one; one of delta, efficient, navigated, none
	Given     string        `json:"given,omitzero"`     // in a delta: show or omit lines in which only the text that this call entered, or the focus, has changed; one of show, omit (default: show)
	SettleMs  *int          `json:"settleMs,omitzero"`  // how many milliseconds to wait, at most: first for a late effect (a change, or an answer other than an image, font or style, more than 50 ms after the input), then until the page is quiet. The wait takes this long if no effect comes or a request does not end
	MaxChars  *int          `json:"maxChars,omitzero"`  // characters of the snapshot; 8000 when left out
	Dialog    *DialogAnswer `json:"dialog,omitzero"`    // answer to a dialog that the act opens: {accept, promptText}
	Ref       string        `json:"ref"`                // ref of the element, from a snapshot
}

// Clear runs the operation clear. Empty a field.
func (c *Client) Clear(ctx context.Context, r ClearRequest) (*TypeResult, error) {
	return call[TypeResult](ctx, c, r, "POST /act kind=clear")
}

// ClearRequest has the parameters of [Client.Clear].
type ClearRequest struct {
	Profile   string        `json:"profile,omitzero"`   // browser profile; the default one when left out
	TargetID  string        `json:"targetId,omitzero"`  // the tab: its handle (t1), label, or target id; the current tab when left out
	RefMode   string        `json:"refMode,omitzero"`   // what becomes of a ref when the page replaces its element: carry: the ref names the new element; element: the ref becomes stale; default: the setting browser.refs; one of carry, element
	TimeoutMs int           `json:"timeoutMs,omitzero"` // deadline in milliseconds, at most 60000; when left out, 8000
	Hidden    string        `json:"hidden,omitzero"`    // what to do with text that a person cannot see (transparent, clipped away, tiny, off-screen, in the color of its background): show it, omit and count it, or mark it. Controls and their labels are always shown; one of show, omit, mark (default: show)
	Snapshot  string        `json:"snapshot,omitzero"`  // wait until the page is quiet (no change or scroll for 100 ms, no request, no transition; at most 1000 ms, or settleMs), then return what changed since the last snapshot, or by this call if there is none (delta), or what can be acted on (efficient); navigated: only after a navigation, as efficient for a new document and as delta in the same one; one of delta, efficient, navigated, none
	Given     string        `json:"given,omitzero"`     // in a delta: show or omit lines in which only the text that this call entered, or the focus, has changed; one of show, omit (default: show)
	SettleMs  *int          `json:"settleMs,omitzero"`  // how many milliseconds to wait, at most: first for a late effect (a change, or an answer other than an image, font or style, more than 50 ms after the input), then until the page is quiet. The wait takes this long if no effect comes or a request does not end
	MaxChars  *int          `json:"maxChars,omitzero"`  // characters of the snapshot; 8000 when left out
	Dialog    *DialogAnswer `json:"dialog,omitzero"`    // answer to a dialog that the act opens: {accept, promptText}
	Ref       string        `json:"ref"`                // ref of the element, from a snapshot
}

// Fill runs the operation fill. Fill several fields of a form.
func (c *Client) Fill(ctx context.Context, r FillRequest) (*FillResult, error) {
	return call[FillResult](ctx, c, r, "POST /act kind=fill")
}

// FillRequest has the parameters of [Client.Fill].
type FillRequest struct {
	Profile   string        `json:"profile,omitzero"`   // browser profile; the default one when left out
	TargetID  string        `json:"targetId,omitzero"`  // the tab: its handle (t1), label, or target id; the current tab when left out
	RefMode   string        `json:"refMode,omitzero"`   // what becomes of a ref when the page replaces its element: carry: the ref names the new element; element: the ref becomes stale; default: the setting browser.refs; one of carry, element
	TimeoutMs int           `json:"timeoutMs,omitzero"` // deadline in milliseconds, at most 120000; when left out, 60000
	Hidden    string        `json:"hidden,omitzero"`    // what to do with text that a person cannot see (transparent, clipped away, tiny, off-screen, in the color of its background): show it, omit and count it, or mark it. Controls and their labels are always shown; one of show, omit, mark (default: show)
	Snapshot  string        `json:"snapshot,omitzero"`  // wait until the page is quiet (no change or scroll for 100 ms, no request, no transition; at most 1000 ms, or settleMs), then return what changed since the last snapshot, or by this call if there is none (delta), or what can be acted on (efficient); navigated: only after a navigation, as efficient for a new document and as delta in the same one; one of delta, efficient, navigated, none
	Given     string        `json:"given,omitzero"`     // in a delta: show or omit lines in which only the text that this call entered, or the focus, has changed; one of show, omit (default: show)
	SettleMs  *int          `json:"settleMs,omitzero"`  // how many milliseconds to wait, at most: first for a late effect (a change, or an answer other than an image, font or style, more than 50 ms after the input), then until the page is quiet. The wait takes this long if no effect comes or a request does not end
	MaxChars  *int          `json:"maxChars,omitzero"`  // characters of the snapshot; 8000 when left out
	Dialog    *DialogAnswer `json:"dialog,omitzero"`    // answer to a dialog that the act opens: {accept, promptText}
	Fields    []FormField   `json:"fields"`             // the fields: a list of {ref, value, type}; type is text, checkbox or radio, by default text; secret:NAME as the value stands for a secret
}

// FillResult is the answer of [Client.Fill].
type FillResult struct {
	ActAnswer

	Filled int              `json:"filled"`          // how many fields were filled
	Differ []DifferingField `json:"differ,omitzero"` // fields that do not hold the given value, because the page changed it
}

// Login runs the operation login. Log in with saved secrets. The form that the page shows is filled
// in and sent, and so are the forms that follow.
func (c *Client) Login(ctx context.Context, r LoginRequest) (*LoginResult, error) {
	return call[LoginResult](ctx, c, r, "POST /act kind=login")
}

// LoginRequest has the parameters of [Client.Login].
type LoginRequest struct {
	Profile   string        `json:"profile,omitzero"`   // browser profile; the default one when left out
	TargetID  string        `json:"targetId,omitzero"`  // the tab: its handle (t1), label, or target id; the current tab when left out
	RefMode   string        `json:"refMode,omitzero"`   // what becomes of a ref when the page replaces its element: carry: the ref names the new element; element: the ref becomes stale; default: the setting browser.refs; one of carry, element
	TimeoutMs int           `json:"timeoutMs,omitzero"` // deadline in milliseconds, at most 120000; when left out, 30000
	Hidden    string        `json:"hidden,omitzero"`    // what to do with text that a person cannot see (transparent, clipped away, tiny, off-screen, in the color of its background): show it, omit and count it, or mark it. Controls and their labels are always shown; one of show, omit, mark (default: show)
	Snapshot  string        `json:"snapshot,omitzero"`  // wait until the page is quiet (no change or scroll for 100 ms, no request, no transition; at most 1000 ms, or settleMs), then return what changed since the last snapshot, or by this call if there is none (delta), or what can be acted on (efficient); navigated: only after a navigation, as efficient for a new document and as delta in the same one; one of delta, efficient, navigated, none
	Given     string        `json:"given,omitzero"`     // in a delta: show or omit lines in which only the text that this call entered, or the focus, has changed; one of show, omit (default: show)
	SettleMs  *int          `json:"settleMs,omitzero"`  // how many milliseconds to wait, at most: first for a late effect (a change, or an answer other than an image, font or style, more than 50 ms after the input), then until the page is quiet. The wait takes this long if no effect comes or a request does not end
	MaxChars  *int          `json:"maxChars,omitzero"`  // characters of the snapshot; 8000 when left out
	Dialog    *DialogAnswer `json:"dialog,omitzero"`    // answer to a dialog that the act opens: {accept, promptText}
	Name      string        `json:"name,omitzero"`      // the account: its secrets are NAME/username, NAME/password and NAME/totp; by default the only one for the site
}

// LoginResult is the answer of [Client.Login].
type LoginResult struct {
	ActAnswer

	Account string   `json:"account"`       // name of the account
	Entered []string `json:"entered"`       // what was entered, in order: username, password, one-time code
	Asks    string   `json:"asks,omitzero"` // what the page still asks for after the form was sent; then the login has failed, or is not complete
}

// Resize runs the operation resize. Set the size of the viewport.
func (c *Client) Resize(ctx context.Context, r ResizeRequest) (*ActAnswer, error) {
	return call[ActAnswer](ctx, c, r, "POST /act kind=resize")
}

// ResizeRequest has the parameters of [Client.Resize].
type ResizeRequest struct {
	Profile   string        `json:"profile,omitzero"`   // browser profile; the default one when left out
	TargetID  string        `json:"targetId,omitzero"`  // the tab: its handle (t1), label, or target id; the current tab when left out
	RefMode   string        `json:"refMode,omitzero"`   // what becomes of a ref when the page replaces its element: carry: the ref names the new element; element: the ref becomes stale; default: the setting browser.refs; one of carry, element
	TimeoutMs int           `json:"timeoutMs,omitzero"` // deadline in milliseconds, at most 60000; when left out, 8000
	Hidden    string        `json:"hidden,omitzero"`    // what to do with text that a person cannot see (transparent, clipped away, tiny, off-screen, in the color of its background): show it, omit and count it, or mark it. Controls and their labels are always shown; one of show, omit, mark (default: show)
	Snapshot  string        `json:"snapshot,omitzero"`  // wait until the page is quiet (no change or scroll for 100 ms, no request, no transition; at most 1000 ms, or settleMs), then return what changed since the last snapshot, or by this call if there is none (delta), or what can be acted on (efficient); navigated: only after a navigation, as efficient for a new document and as delta in the same one; one of delta, efficient, navigated, none
	Given     string        `json:"given,omitzero"`     // in a delta: show or omit lines in which only the text that this call entered, or the focus, has changed; one of show, omit (default: show)
	SettleMs  *int          `json:"settleMs,omitzero"`  // how many milliseconds to wait, at most: first for a late effect (a change, or an answer other than an image, font or style, more than 50 ms after the input), then until the page is quiet. The wait takes this long if no effect comes or a request does not end
	MaxChars  *int          `json:"maxChars,omitzero"`  // characters of the snapshot; 8000 when left out
	Dialog    *DialogAnswer `json:"dialog,omitzero"`    // answer to a dialog that the act opens: {accept, promptText}
	Width     int           `json:"width"`              // pixels, 1 to 8192
	Height    int           `json:"height"`             // pixels, 1 to 8192
}

// Batch runs the operation batch. Do several acts, in order.
func (c *Client) Batch(ctx context.Context, r BatchRequest) (*BatchResult, error) {
	return call[BatchResult](ctx, c, r, "POST /act kind=batch")
}

// BatchRequest has the parameters of [Client.Batch].
type BatchRequest struct {
	Profile     string        `json:"profile,omitzero"`     // browser profile; the default one when left out
	TargetID    string        `json:"targetId,omitzero"`    // the tab: its handle (t1), label, or target id; the current tab when left out
	RefMode     string        `json:"refMode,omitzero"`     // what becomes of a ref when the page replaces its element: carry: the ref names the new element; element: the ref becomes stale; default: the setting browser.refs; one of carry, element
	TimeoutMs   int           `json:"timeoutMs,omitzero"`   // deadline in milliseconds, at most 600000; when left out, the sum of its parts
	Hidden      string        `json:"hidden,omitzero"`      // what to do with text that a person cannot see (transparent, clipped away, tiny, off-screen, in the color of its background): show it, omit and count it, or mark it. Controls and their labels are always shown; one of show, omit, mark (default: show)
	Snapshot    string        `json:"snapshot,omitzero"`    // wait until the page is quiet (no change or scroll for 100 ms, no request, no transition; at most 1000 ms, or settleMs), then return what changed since the last snapshot, or by this call if there is none (delta), or what can be acted on (efficient); navigated: only after a navigation, as efficient for a new document and as delta in the same one; one of delta, efficient, navigated, none
	Given       string        `json:"given,omitzero"`       // in a delta: show or omit lines in which only the text that this call entered, or the focus, has changed; one of show, omit (default: show)
	SettleMs    *int          `json:"settleMs,omitzero"`    // how many milliseconds to wait, at most: first for a late effect (a change, or an answer other than an image, font or style, more than 50 ms after the input), then until the page is quiet. The wait takes this long if no effect comes or a request does not end
	MaxChars    *int          `json:"maxChars,omitzero"`    // characters of the snapshot; 8000 when left out
	Dialog      *DialogAnswer `json:"dialog,omitzero"`      // answer to a dialog that the act opens: {accept, promptText}
	Actions     Actions       `json:"actions"`              // what to do: a list of objects, each with a kind and its arguments. The kind is that of an act, or one of navigate, back, forward, reload, snapshot, find, expect, screenshot
	StopOnError *bool         `json:"stopOnError,omitzero"` // stop at the first action that fails (default: true)
}

// BatchResult is the answer of [Client.Batch].
type BatchResult struct {
	ActAnswer

	Results []Outcome `json:"results"`          // the result of each action, in order
	Aborted *Aborted  `json:"aborted,omitzero"` // why the batch stopped early although no action failed
}

// Evaluate runs the operation evaluate. Run a script in the page and return its result. This
// operation is off when browser.evaluateEnabled is false. The answer contains text of web pages,
// which is untrusted.
func (c *Client) Evaluate(ctx context.Context, r EvaluateRequest) (*EvaluateResult, error) {
	return call[EvaluateResult](ctx, c, r, "POST /act kind=evaluate")
}

// EvaluateRequest has the parameters of [Client.Evaluate].
type EvaluateRequest struct {
	Profile   string        `json:"profile,omitzero"`   // browser profile; the default one when left out
	TargetID  string        `json:"targetId,omitzero"`  // the tab: its handle (t1), label, or target id; the current tab when left out
	RefMode   string        `json:"refMode,omitzero"`   // what becomes of a ref when the page replaces its element: carry: the ref names the new element; element: the ref becomes stale; default: the setting browser.refs; one of carry, element
	TimeoutMs int           `json:"timeoutMs,omitzero"` // deadline in milliseconds, at most 120000; when left out, 20000
	Hidden    string        `json:"hidden,omitzero"`    // what to do with text that a person cannot see (transparent, clipped away, tiny, off-screen, in the color of its background): show it, omit and count it, or mark it. Controls and their labels are always shown; one of show, omit, mark (default: show)
	Snapshot  string        `json:"snapshot,omitzero"`  // wait until the page is quiet (no change or scroll for 100 ms, no request, no transition; at most 1000 ms, or settleMs), then return what changed since the last snapshot, or by this call if there is none (delta), or what can be acted on (efficient); navigated: only after a navigation, as efficient for a new document and as delta in the same one; one of delta, efficient, navigated, none
	Given     string        `json:"given,omitzero"`     // in a delta: show or omit lines in which only the text that this call entered, or the focus, has changed; one of show, omit (default: show)
	SettleMs  *int          `json:"settleMs,omitzero"`  // how many milliseconds to wait, at most: first for a late effect (a change, or an answer other than an image, font or style, more than 50 ms after the input), then until the page is quiet. The wait takes this long if no effect comes or a request does not end
	MaxChars  *int          `json:"maxChars,omitzero"`  // characters of the snapshot; 8000 when left out
	Dialog    *DialogAnswer `json:"dialog,omitzero"`    // answer to a dialog that the act opens: {accept, promptText}
	Fn        string        `json:"fn"`                 // script: an expression, a function, or the body of a function
	Ref       string        `json:"ref,omitzero"`       // element to pass to the function as its argument
}

// EvaluateResult is the answer of [Client.Evaluate].
type EvaluateResult struct {
	ActAnswer

	Result    json.RawMessage `json:"result,omitzero"`    // value of the script; absent if there is none
	NoReturn  bool            `json:"noReturn,omitzero"`  // there is no result: the script is no expression and no function, and has no return
	Truncated bool            `json:"truncated,omitzero"` // the result had more than 1000000 characters, so this is only the beginning of the text, or of its JSON as a text
}

// Wait runs the operation wait. Wait for a text, element, address or script. Better use expect,
// which says what is there instead of timing out.
func (c *Client) Wait(ctx context.Context, r WaitRequest) (*ActAnswer, error) {
	return call[ActAnswer](ctx, c, r, "POST /act kind=wait")
}

// WaitRequest has the parameters of [Client.Wait].
type WaitRequest struct {
	Profile   string        `json:"profile,omitzero"`   // browser profile; the default one when left out
	TargetID  string        `json:"targetId,omitzero"`  // the tab: its handle (t1), label, or target id; the current tab when left out
	RefMode   string        `json:"refMode,omitzero"`   // what becomes of a ref when the page replaces its element: carry: the ref names the new element; element: the ref becomes stale; default: the setting browser.refs; one of carry, element
	TimeoutMs int           `json:"timeoutMs,omitzero"` // deadline in milliseconds, at most 120000; when left out, 20000
	Hidden    string        `json:"hidden,omitzero"`    // what to do with text that a person cannot see (transparent, clipped away, tiny, off-screen, in the color of its background): show it, omit and count it, or mark it. Controls and their labels are always shown; one of show, omit, mark (default: show)
	Snapshot  string        `json:"snapshot,omitzero"`  // wait until the page is quiet (no change or scroll for 100 ms, no request, no transition; at most 1000 ms, or settleMs), then return what changed since the last snapshot, or by this call if there is none (delta), or what can be acted on (efficient); navigated: only after a navigation, as efficient for a new document and as delta in the same one; one of delta, efficient, navigated, none
	Given     string        `json:"given,omitzero"`     // in a delta: show or omit lines in which only the text that this call entered, or the focus, has changed; one of show, omit (default: show)
	SettleMs  *int          `json:"settleMs,omitzero"`  // how many milliseconds to wait, at most: first for a late effect (a change, or an answer other than an image, font or style, more than 50 ms after the input), then until the page is quiet. The wait takes this long if no effect comes or a request does not end
	MaxChars  *int          `json:"maxChars,omitzero"`  // characters of the snapshot; 8000 when left out
	Dialog    *DialogAnswer `json:"dialog,omitzero"`    // answer to a dialog that the act opens: {accept, promptText}
	TimeMs    *int          `json:"timeMs,omitzero"`    // milliseconds to wait first, at most 30000
	Text      string        `json:"text,omitzero"`      // until this text is shown
	TextGone  string        `json:"textGone,omitzero"`  // until this text is no longer shown
	Selector  string        `json:"selector,omitzero"`  // until an element that this CSS selector matches is visible
	URL       string        `json:"url,omitzero"`       // until the address is this, contains this, or fits this glob (** crosses slashes)
	LoadState string        `json:"loadState,omitzero"` // until the page has reached this state; one of load, domcontentloaded, networkidle
	Fn        string        `json:"fn,omitzero"`        // until this script returns a true value
}

// Upload runs the operation upload. Give files to a file input or file chooser. The chooser is the
// one that a click on ref opens, or else the next one.
func (c *Client) Upload(ctx context.Context, r UploadRequest) (*UploadResult, error) {
	return call[UploadResult](ctx, c, r, "POST /hooks/file-chooser")
}

// UploadRequest has the parameters of [Client.Upload].
type UploadRequest struct {
	Profile   string   `json:"profile,omitzero"`   // browser profile; the default one when left out
	TargetID  string   `json:"targetId,omitzero"`  // the tab: its handle (t1), label, or target id; the current tab when left out
	RefMode   string   `json:"refMode,omitzero"`   // what becomes of a ref when the page replaces its element: carry: the ref names the new element; element: the ref becomes stale; default: the setting browser.refs; one of carry, element
	TimeoutMs int      `json:"timeoutMs,omitzero"` // deadline in milliseconds, at most 120000; when left out, 120000
	Hidden    string   `json:"hidden,omitzero"`    // what to do with text that a person cannot see (transparent, clipped away, tiny, off-screen, in the color of its background): show it, omit and count it, or mark it. Controls and their labels are always shown; one of show, omit, mark (default: show)
	Snapshot  string   `json:"snapshot,omitzero"`  // afterwards wait until the page is quiet (at most 1000 ms, or settleMs), then return what changed since the last snapshot (delta) or what can be acted on (efficient); navigated: only after a navigation; one of delta, efficient, navigated, none
	SettleMs  *int     `json:"settleMs,omitzero"`  // how many milliseconds to wait, at most, until the page is quiet
	MaxChars  *int     `json:"maxChars,omitzero"`  // characters of the snapshot; 8000 when left out
	Paths     []string `json:"paths"`              // files to upload, in the uploads folder
	Ref       *string  `json:"ref,omitzero"`       // element whose click opens the file chooser
	InputRef  *string  `json:"inputRef,omitzero"`  // file input that takes the files directly
	Element   string   `json:"element,omitzero"`   // CSS selector of the file input that takes the files directly
}

// UploadResult is the answer of [Client.Upload].
type UploadResult struct {
	OK                  bool          `json:"ok"`                           // always true
	Files               int           `json:"files"`                        // how many files the page gets
	Armed               bool          `json:"armed,omitzero"`               // the files wait for the page's next file chooser
	Replaced            int           `json:"replaced,omitzero"`            // with armed: how many files waited before, and were dropped
	BlockedByDialog     bool          `json:"blockedByDialog,omitzero"`     // a dialog of the page is open and must be answered first
	NotDone             bool          `json:"notDone,omitzero"`             // because of the dialog, nothing was done, or nothing could be read: the rest of the result is empty
	BrowserState        *BrowserState `json:"browserState,omitzero"`        // the dialogs of the page
	Delta               string        `json:"delta,omitzero"`               // what changed since the last snapshot, or since an earlier one of the same view if less changed: + new lines, ~ changed ones, > moved ones, then - removed ones. A removed line stands for all inside it; a line that begins with spaces names the row, card or landmark of what follows
	NoDelta             string        `json:"noDelta,omitzero"`             // why there is a snapshot in place of a delta: there is no earlier snapshot to compare with, or the document is another one
	Snapshot            string        `json:"snapshot,omitzero"`            // the page as text: what can be acted on, or the whole page if a delta was asked for
	Truncated           bool          `json:"truncated,omitzero"`           // the snapshot or delta was cut
	Stats               *Stats        `json:"stats,omitzero"`               // size of the snapshot
	SnapshotUnavailable string        `json:"snapshotUnavailable,omitzero"` // why the page could not be read
	Ignored             []string      `json:"ignored,omitzero"`             // names of the given parameters, and of fields in them, that had no effect
}

// Download runs the operation download. Click an element that starts a download, and wait for the
// file.
func (c *Client) Download(ctx context.Context, r DownloadRequest) (*DownloadResult, error) {
	return call[DownloadResult](ctx, c, r, "POST /download")
}

// DownloadRequest has the parameters of [Client.Download].
type DownloadRequest struct {
	Profile   string `json:"profile,omitzero"`   // browser profile; the default one when left out
	TargetID  string `json:"targetId,omitzero"`  // the tab: its handle (t1), label, or target id; the current tab when left out
	RefMode   string `json:"refMode,omitzero"`   // what becomes of a ref when the page replaces its element: carry: the ref names the new element; element: the ref becomes stale; default: the setting browser.refs; one of carry, element
	TimeoutMs int    `json:"timeoutMs,omitzero"` // deadline in milliseconds, at most 120000; when left out, 120000
	Hidden    string `json:"hidden,omitzero"`    // what to do with text that a person cannot see (transparent, clipped away, tiny, off-screen, in the color of its background): show it, omit and count it, or mark it. Controls and their labels are always shown; one of show, omit, mark (default: show)
	Snapshot  string `json:"snapshot,omitzero"`  // afterwards wait until the page is quiet (at most 1000 ms, or settleMs), then return what changed since the last snapshot (delta) or what can be acted on (efficient); navigated: only after a navigation; one of delta, efficient, navigated, none
	SettleMs  *int   `json:"settleMs,omitzero"`  // how many milliseconds to wait, at most, until the page is quiet
	MaxChars  *int   `json:"maxChars,omitzero"`  // characters of the snapshot; 8000 when left out
	Ref       string `json:"ref"`                // element whose click begins the download
	Path      string `json:"path"`               // file to save it as, below the downloads folder
}

// DownloadResult is the answer of [Client.Download], [Client.WaitForDownload].
type DownloadResult struct {
	OK                  bool              `json:"ok"`                           // always true
	TargetID            string            `json:"targetId"`                     // target id of the tab
	Download            DownloadedFile    `json:"download"`                     // the file
	Delta               string            `json:"delta,omitzero"`               // what changed since the last snapshot, or since an earlier one of the same view if less changed: + new lines, ~ changed ones, > moved ones, then - removed ones. A removed line stands for all inside it; a line that begins with spaces names the row, card or landmark of what follows
	NoDelta             string            `json:"noDelta,omitzero"`             // why there is a snapshot in place of a delta: there is no earlier snapshot to compare with, or the document is another one
	Snapshot            string            `json:"snapshot,omitzero"`            // the page as text: what can be acted on, or the whole page if a delta was asked for
	Truncated           bool              `json:"truncated,omitzero"`           // the snapshot or delta was cut
	Stats               *Stats            `json:"stats,omitzero"`               // size of the snapshot
	SnapshotUnavailable string            `json:"snapshotUnavailable,omitzero"` // why the page could not be read
	Ignored             []string          `json:"ignored,omitzero"`             // names of the given parameters, and of fields in them, that had no effect
	FileIDs             map[string]string `json:"fileIds,omitzero"`             // ids for GET /files/{id}, by the path of each file in the answer; over the Unix socket only if the header X-Chela-File-Ids asks for them
}

// WaitForDownload runs the operation waitfordownload. Wait for a download that has begun, or the
// next one.
func (c *Client) WaitForDownload(ctx context.Context, r WaitForDownloadRequest) (*DownloadResult, error) {
	return call[DownloadResult](ctx, c, r, "POST /wait/download")
}

// WaitForDownloadRequest has the parameters of [Client.WaitForDownload].
type WaitForDownloadRequest struct {
	Profile   string `json:"profile,omitzero"`   // browser profile; the default one when left out
	TargetID  string `json:"targetId,omitzero"`  // the tab: its handle (t1), label, or target id; the current tab when left out
	RefMode   string `json:"refMode,omitzero"`   // what becomes of a ref when the page replaces its element: carry: the ref names the new element; element: the ref becomes stale; default: the setting browser.refs; one of carry, element
	TimeoutMs int    `json:"timeoutMs,omitzero"` // deadline in milliseconds, at most 120000; when left out, 120000
	Path      string `json:"path,omitzero"`      // file to save it as, below the downloads folder
}

// ClipboardWrite runs the operation clipboard write. Put a text or a picture on the browser's
// clipboard. The keys Control+V paste it.
func (c *Client) ClipboardWrite(ctx context.Context, r ClipboardWriteRequest) (*ClipboardResult, error) {
	return call[ClipboardResult](ctx, c, r, "POST /clipboard/write")
}

// ClipboardWriteRequest has the parameters of [Client.ClipboardWrite].
type ClipboardWriteRequest struct {
	Profile   string  `json:"profile,omitzero"`   // browser profile; the default one when left out
	TimeoutMs int     `json:"timeoutMs,omitzero"` // deadline in milliseconds, at most 120000; when left out, 20000
	Text      *string `json:"text,omitzero"`      // text to put on the clipboard
	Path      string  `json:"path,omitzero"`      // picture to put on the clipboard instead: a file in the uploads folder
}

// ClipboardResult is the answer of [Client.ClipboardWrite].
type ClipboardResult struct {
	OK      bool     `json:"ok"`               // always true
	Ignored []string `json:"ignored,omitzero"` // names of the given parameters, and of fields in them, that had no effect
}

// ClipboardRead runs the operation clipboard read. Read the text or the picture on the browser's
// clipboard, for example after press Control+C.
func (c *Client) ClipboardRead(ctx context.Context, r ClipboardReadRequest) (*ClipboardContent, error) {
	return call[ClipboardContent](ctx, c, r, "GET /clipboard")
}

// ClipboardReadRequest has the parameters of [Client.ClipboardRead].
type ClipboardReadRequest struct {
	Profile   string `json:"profile,omitzero"`   // browser profile; the default one when left out
	TimeoutMs int    `json:"timeoutMs,omitzero"` // deadline in milliseconds, at most 120000; when left out, 20000
}

// ClipboardContent is the answer of [Client.ClipboardRead].
type ClipboardContent struct {
	OK      bool              `json:"ok"`               // always true
	Text    string            `json:"text"`             // text on the clipboard
	Path    string            `json:"path,omitzero"`    // where the picture on the clipboard was saved
	Ignored []string          `json:"ignored,omitzero"` // names of the given parameters, and of fields in them, that had no effect
	FileIDs map[string]string `json:"fileIds,omitzero"` // ids for GET /files/{id}, by the path of each file in the answer; over the Unix socket only if the header X-Chela-File-Ids asks for them
}

// Dialogs runs the operation dialogs. List the open dialogs, and those that were closed last. The
// answer contains text of web pages, which is untrusted.
func (c *Client) Dialogs(ctx context.Context, r DialogsRequest) (*DialogState, error) {
	return call[DialogState](ctx, c, r, "GET /dialogs")
}

// DialogsRequest has the parameters of [Client.Dialogs].
type DialogsRequest struct {
	Profile  string `json:"profile,omitzero"`  // browser profile; the default one when left out
	TargetID string `json:"targetId,omitzero"` // the tab: its handle (t1), label, or target id; the current tab when left out
	RefMode  string `json:"refMode,omitzero"`  // what becomes of a ref when the page replaces its element: carry: the ref names the new element; element: the ref becomes stale; default: the setting browser.refs; one of carry, element
}

// DialogState is the answer of [Client.Dialogs].
type DialogState struct {
	OK           bool         `json:"ok"`                 // always true
	TargetID     string       `json:"targetId"`           // target id of the tab
	URL          string       `json:"url"`                // address that the tab shows
	BrowserState BrowserState `json:"browserState"`       // the dialogs of the tab: those that are open, and the last that were closed
	Elsewhere    string       `json:"elsewhere,omitzero"` // the dialog of another tab that keeps the page from answering
	Ignored      []string     `json:"ignored,omitzero"`   // names of the given parameters, and of fields in them, that had no effect
}

// Dialog runs the operation dialog. Answer the open dialog, or the next one in advance.
func (c *Client) Dialog(ctx context.Context, r DialogRequest) (*DialogResult, error) {
	return call[DialogResult](ctx, c, r, "POST /hooks/dialog")
}

// DialogRequest has the parameters of [Client.Dialog].
type DialogRequest struct {
	Profile    string  `json:"profile,omitzero"`    // browser profile; the default one when left out
	TargetID   string  `json:"targetId,omitzero"`   // the tab: its handle (t1), label, or target id; the current tab when left out
	RefMode    string  `json:"refMode,omitzero"`    // what becomes of a ref when the page replaces its element: carry: the ref names the new element; element: the ref becomes stale; default: the setting browser.refs; one of carry, element
	TimeoutMs  int     `json:"timeoutMs,omitzero"`  // deadline in milliseconds, at most 120000; when left out, 120000
	Hidden     string  `json:"hidden,omitzero"`     // what to do with text that a person cannot see (transparent, clipped away, tiny, off-screen, in the color of its background): show it, omit and count it, or mark it. Controls and their labels are always shown; one of show, omit, mark (default: show)
	Snapshot   string  `json:"snapshot,omitzero"`   // afterwards wait until the page is quiet (at most 1000 ms, or settleMs), then return what changed since the last snapshot (delta) or what can be acted on (efficient); navigated: only after a navigation; one of delta, efficient, navigated, none
	SettleMs   *int    `json:"settleMs,omitzero"`   // how many milliseconds to wait, at most, until the page is quiet
	MaxChars   *int    `json:"maxChars,omitzero"`   // characters of the snapshot; 8000 when left out
	Accept     bool    `json:"accept"`              // accept the dialog
	PromptText *string `json:"promptText,omitzero"` // answer to a prompt; when left out, the default value of the page
	DialogID   string  `json:"dialogId,omitzero"`   // id of the dialog; when left out, the only open one
}

// DialogResult is the answer of [Client.Dialog].
type DialogResult struct {
	Armed               bool              `json:"armed,omitzero"`               // no dialog was open, so the answer is kept for the next one
	Accept              bool              `json:"accept"`                       // the dialog is accepted; false: it is dismissed
	Replaced            string            `json:"replaced,omitzero"`            // with armed: the answer that waited before, and was dropped: accept or dismiss
	OK                  bool              `json:"ok"`                           // always true
	TargetID            string            `json:"targetId"`                     // target id of the tab
	TabID               string            `json:"tabId"`                        // handle of the tab (t1), which never changes
	URL                 string            `json:"url,omitzero"`                 // address that the tab shows
	URLChanged          bool              `json:"urlChanged,omitzero"`          // the call has changed the address
	BlockedByDialog     bool              `json:"blockedByDialog,omitzero"`     // a dialog of the page is open and must be answered first
	NotDone             bool              `json:"notDone,omitzero"`             // because of the dialog, nothing was done, or nothing could be read: the rest of the result is empty
	BrowserState        *BrowserState     `json:"browserState,omitzero"`        // the dialogs of the page
	TabOpened           bool              `json:"tabOpened,omitzero"`           // the session had no open tab, so an empty one was opened for this call; earlier tabs were closed, as with their browser
	Closed              bool              `json:"closed,omitzero"`              // the tab has closed: the page closed itself
	OpenerTab           string            `json:"openerTab,omitzero"`           // with closed: the tab that had opened this one, and which calls without targetId use now
	Recovered           bool              `json:"recovered,omitzero"`           // the tab had crashed, or its page opened dialogs without end, so the tab was given a new page
	Lost                []string          `json:"lost,omitzero"`                // what was lost with the old page: refs, forms, scroll, history, sessionStorage, and cookies and armed answers that could not be kept
	Restored            *Restoration      `json:"restored,omitzero"`            // what this server restored after the previous server was killed; only in the first answers
	Emptied             bool              `json:"emptied,omitzero"`             // cookies, storage and permissions that the isolated session had are gone: it had no tab for long, or the browser was closed
	Person              *PersonWas        `json:"person,omitzero"`              // a person took over the tab, and gave it back, since the last answer to this session
	Effects             []string          `json:"effects"`                      // what the act caused until the answer, in order: changed, navigated, dialog, download, newTab, fileChooser (dismissed, because no files were armed), request
	Earlier             *EarlierEffects   `json:"earlier,omitzero"`             // what the page began before this act, and no answer has reported yet: not effects of the act
	LoadFailed          string            `json:"loadFailed,omitzero"`          // why the document to which the act led could not be loaded, and its address: the tab shows the browser's error page
	StatusText          string            `json:"statusText,omitzero"`          // the HTTP status in words, unless it is a success: 404 Not Found
	Hint                string            `json:"hint,omitzero"`                // what to do about the status, or about a failure to load
	FormRefused         *FormRefused      `json:"formRefused,omitzero"`         // the browser did not send a form, because a control does not hold what the form requires
	OnItsWay            string            `json:"onItsWay,omitzero"`            // to which address the tab is on its way, and why it is not there yet
	NewTabs             []TabInfo         `json:"newTabs,omitzero"`             // tabs that the page opened
	CurrentTab          string            `json:"currentTab,omitzero"`          // with newTabs: the tab that calls without targetId use, until focus or a call names another one
	MovedTabs           []TabInfo         `json:"movedTabs,omitzero"`           // tabs of the same opener, or that have opened this one, whose address changed during the act
	ClosedTabs          []string          `json:"closedTabs,omitzero"`          // tabs that the page had opened, that an answer has named, and that have closed by themselves since
	PopupsClosed        int               `json:"popupsClosed,omitzero"`        // how many new tabs were closed, because an act may open 8, and a page may have 20 open
	Downloads           []DownloadedFile  `json:"downloads,omitzero"`           // files whose download began
	Delta               string            `json:"delta,omitzero"`               // what changed since the last snapshot, or since an earlier one of the same view if less changed: + new lines, ~ changed ones, > moved ones, then - removed ones. A removed line stands for all inside it; a line that begins with spaces names the row, card or landmark of what follows
	NoDelta             string            `json:"noDelta,omitzero"`             // why there is a snapshot in place of a delta: there is no earlier snapshot to compare with, or the document is another one
	Snapshot            string            `json:"snapshot,omitzero"`            // the page as text: what can be acted on, or the whole page if a delta was asked for
	Truncated           bool              `json:"truncated,omitzero"`           // the snapshot or delta was cut
	Stats               *Stats            `json:"stats,omitzero"`               // size of the snapshot
	SnapshotUnavailable string            `json:"snapshotUnavailable,omitzero"` // why the page could not be read
	Ignored             []string          `json:"ignored,omitzero"`             // names of the given parameters, and of fields in them, that had no effect
	FileIDs             map[string]string `json:"fileIds,omitzero"`             // ids for GET /files/{id}, by the path of each file in the answer; over the Unix socket only if the header X-Chela-File-Ids asks for them
}

// Set runs the operation set. Show the browser's settings, such as the emulated device. They apply
// to all its tabs.
func (c *Client) Set(ctx context.Context, r SetRequest) (*InForce, error) {
	return call[InForce](ctx, c, r, "GET /set")
}

// SetRequest has the parameters of [Client.Set].
type SetRequest struct {
	Profile string `json:"profile,omitzero"` // browser profile; the default one when left out
}

// InForce is the answer of [Client.Set].
type InForce struct {
	OK          bool            `json:"ok"`                   // always true
	Offline     bool            `json:"offline,omitzero"`     // the browser is cut off from the network
	Network     string          `json:"network,omitzero"`     // how slow the network is: slow-3g, fast-3g or 4g; absent: not slowed down
	CPU         float64         `json:"cpu,omitzero"`         // how many times slower the processor is
	Geolocation *Geoposition    `json:"geolocation,omitzero"` // position that pages get
	Media       *MediaSet       `json:"media,omitzero"`       // media type and media features for style sheets
	TimezoneID  string          `json:"timezoneId,omitzero"`  // IANA name of the time zone
	Locale      string          `json:"locale,omitzero"`      // language tag, such as de-DE
	Device      string          `json:"device,omitzero"`      // name of the device that is emulated
	Headers     []OriginHeaders `json:"headers,omitzero"`     // headers that are added to requests, by origin
	Credentials []OriginLogin   `json:"credentials,omitzero"` // user names for servers that ask for HTTP authentication, by origin
	Routes      int             `json:"routes,omitzero"`      // number of routes, which the operation routes lists
	Ignored     []string        `json:"ignored,omitzero"`     // names of the given parameters, and of fields in them, that had no effect
}

// Emulate runs the operation emulate. Emulate a device, media, place, language or slow network:
// several settings in one call.
func (c *Client) Emulate(ctx context.Context, r EmulateRequest) (*Emulated, error) {
	return call[Emulated](ctx, c, r, "POST /set")
}

// EmulateRequest has the parameters of [Client.Emulate].
type EmulateRequest struct {
	Profile       string   `json:"profile,omitzero"`       // browser profile; the default one when left out
	TargetID      string   `json:"targetId,omitzero"`      // the tab: its handle (t1), label, or target id; the current tab when left out
	RefMode       string   `json:"refMode,omitzero"`       // what becomes of a ref when the page replaces its element: carry: the ref names the new element; element: the ref becomes stale; default: the setting browser.refs; one of carry, element
	Device        string   `json:"device,omitzero"`        // name of a device in Playwright's list; none: no device
	ColorScheme   string   `json:"colorScheme,omitzero"`   // prefers-color-scheme; one of dark, light, no-preference, none
	Media         string   `json:"media,omitzero"`         // media type; one of print, screen, none
	ReducedMotion string   `json:"reducedMotion,omitzero"` // prefers-reduced-motion; one of reduce, no-preference, none
	Contrast      string   `json:"contrast,omitzero"`      // prefers-contrast; one of more, less, no-preference, none
	ForcedColors  string   `json:"forcedColors,omitzero"`  // forced-colors; one of active, inactive, none
	TimezoneID    string   `json:"timezoneId,omitzero"`    // IANA name of the time zone; none: this machine's time zone
	Locale        string   `json:"locale,omitzero"`        // language tag, such as de-DE; none: this machine's language
	Offline       *bool    `json:"offline,omitzero"`       // true: no request gets through
	Network       string   `json:"network,omitzero"`       // how slow the network is; none: not slowed down; one of slow-3g, fast-3g, 4g, none
	Rate          *float64 `json:"rate,omitzero"`          // how many times slower the processor is; 1: not slowed down
	Latitude      *float64 `json:"latitude,omitzero"`      // degrees north
	Longitude     *float64 `json:"longitude,omitzero"`     // degrees east
}

// Emulated is the answer of [Client.Emulate].
type Emulated struct {
	TabAnswer

	Applied []string `json:"applied"` // the settings that were given
}

// SetOffline runs the operation set offline. Cut the browser off from the network, or connect it
// again.
func (c *Client) SetOffline(ctx context.Context, r SetOfflineRequest) (*TabAnswer, error) {
	return call[TabAnswer](ctx, c, r, "POST /set/offline")
}

// SetOfflineRequest has the parameters of [Client.SetOffline].
type SetOfflineRequest struct {
	Profile  string `json:"profile,omitzero"`  // browser profile; the default one when left out
	TargetID string `json:"targetId,omitzero"` // the tab: its handle (t1), label, or target id; the current tab when left out
	RefMode  string `json:"refMode,omitzero"`  // what becomes of a ref when the page replaces its element: carry: the ref names the new element; element: the ref becomes stale; default: the setting browser.refs; one of carry, element
	Offline  bool   `json:"offline"`           // on: no request gets through
}

// SetNetwork runs the operation set network. Slow the network down, or restore its speed.
func (c *Client) SetNetwork(ctx context.Context, r SetNetworkRequest) (*TabAnswer, error) {
	return call[TabAnswer](ctx, c, r, "POST /set/network")
}

// SetNetworkRequest has the parameters of [Client.SetNetwork].
type SetNetworkRequest struct {
	Profile  string `json:"profile,omitzero"`  // browser profile; the default one when left out
	TargetID string `json:"targetId,omitzero"` // the tab: its handle (t1), label, or target id; the current tab when left out
	RefMode  string `json:"refMode,omitzero"`  // what becomes of a ref when the page replaces its element: carry: the ref names the new element; element: the ref becomes stale; default: the setting browser.refs; one of carry, element
	Network  string `json:"network"`           // how slow the network is; none: not slowed down; one of slow-3g, fast-3g, 4g, none
}

// SetCPU runs the operation set cpu. Slow the processor down for pages.
func (c *Client) SetCPU(ctx context.Context, r SetCPURequest) (*TabAnswer, error) {
	return call[TabAnswer](ctx, c, r, "POST /set/cpu")
}

// SetCPURequest has the parameters of [Client.SetCPU].
type SetCPURequest struct {
	Profile  string  `json:"profile,omitzero"`  // browser profile; the default one when left out
	TargetID string  `json:"targetId,omitzero"` // the tab: its handle (t1), label, or target id; the current tab when left out
	RefMode  string  `json:"refMode,omitzero"`  // what becomes of a ref when the page replaces its element: carry: the ref names the new element; element: the ref becomes stale; default: the setting browser.refs; one of carry, element
	Rate     float64 `json:"rate"`              // how many times slower; 1: not slowed down
}

// SetGeo runs the operation set geo. Set the position that pages get, and let the pages of an
// origin ask for it.
func (c *Client) SetGeo(ctx context.Context, r SetGeoRequest) (*Changed, error) {
	return call[Changed](ctx, c, r, "POST /set/geolocation")
}

// SetGeoRequest has the parameters of [Client.SetGeo].
type SetGeoRequest struct {
	Profile   string   `json:"profile,omitzero"`   // browser profile; the default one when left out
	TargetID  string   `json:"targetId,omitzero"`  // the tab: its handle (t1), label, or target id; the current tab when left out
	RefMode   string   `json:"refMode,omitzero"`   // what becomes of a ref when the page replaces its element: carry: the ref names the new element; element: the ref becomes stale; default: the setting browser.refs; one of carry, element
	Clear     bool     `json:"clear,omitzero"`     // restore the browser's own value
	Latitude  *float64 `json:"latitude,omitzero"`  // degrees north
	Longitude *float64 `json:"longitude,omitzero"` // degrees east
	Accuracy  float64  `json:"accuracy,omitzero"`  // accuracy of the position, in metres
	Origin    string   `json:"origin,omitzero"`    // origin whose pages may ask for the position; when left out, the origin of the tab, or any origin if the tab shows no site
}

// Changed is the answer of [Client.SetGeo], [Client.SetTimezone], [Client.SetLocale].
type Changed struct {
	TabAnswer

	State string `json:"state,omitzero"` // cleared: the value was removed; set: a position was set; otherwise absent
}

// SetMedia runs the operation set media. Set media features, such as the color scheme. What is left
// out stays as it is; none restores the browser's own value.
func (c *Client) SetMedia(ctx context.Context, r SetMediaRequest) (*TabAnswer, error) {
	return call[TabAnswer](ctx, c, r, "POST /set/media")
}

// SetMediaRequest has the parameters of [Client.SetMedia].
type SetMediaRequest struct {
	Profile       string `json:"profile,omitzero"`       // browser profile; the default one when left out
	TargetID      string `json:"targetId,omitzero"`      // the tab: its handle (t1), label, or target id; the current tab when left out
	RefMode       string `json:"refMode,omitzero"`       // what becomes of a ref when the page replaces its element: carry: the ref names the new element; element: the ref becomes stale; default: the setting browser.refs; one of carry, element
	ColorScheme   string `json:"colorScheme,omitzero"`   // prefers-color-scheme; one of dark, light, no-preference, none
	Media         string `json:"media,omitzero"`         // media type; one of print, screen, none
	ReducedMotion string `json:"reducedMotion,omitzero"` // prefers-reduced-motion; one of reduce, no-preference, none
	Contrast      string `json:"contrast,omitzero"`      // prefers-contrast; one of more, less, no-preference, none
	ForcedColors  string `json:"forcedColors,omitzero"`  // forced-colors; one of active, inactive, none
}

// SetTimezone runs the operation set timezone. Set the time zone.
func (c *Client) SetTimezone(ctx context.Context, r SetTimezoneRequest) (*Changed, error) {
	return call[Changed](ctx, c, r, "POST /set/timezone")
}

// SetTimezoneRequest has the parameters of [Client.SetTimezone].
type SetTimezoneRequest struct {
	Profile    string `json:"profile,omitzero"`    // browser profile; the default one when left out
	TargetID   string `json:"targetId,omitzero"`   // the tab: its handle (t1), label, or target id; the current tab when left out
	RefMode    string `json:"refMode,omitzero"`    // what becomes of a ref when the page replaces its element: carry: the ref names the new element; element: the ref becomes stale; default: the setting browser.refs; one of carry, element
	Clear      bool   `json:"clear,omitzero"`      // restore the browser's own value
	TimezoneID string `json:"timezoneId,omitzero"` // IANA name of the time zone; none: this machine's time zone
}

// SetLocale runs the operation set locale. Set the language that is requested of servers, and in
// which pages write numbers and dates.
func (c *Client) SetLocale(ctx context.Context, r SetLocaleRequest) (*Changed, error) {
	return call[Changed](ctx, c, r, "POST /set/locale")
}

// SetLocaleRequest has the parameters of [Client.SetLocale].
type SetLocaleRequest struct {
	Profile  string `json:"profile,omitzero"`  // browser profile; the default one when left out
	TargetID string `json:"targetId,omitzero"` // the tab: its handle (t1), label, or target id; the current tab when left out
	RefMode  string `json:"refMode,omitzero"`  // what becomes of a ref when the page replaces its element: carry: the ref names the new element; element: the ref becomes stale; default: the setting browser.refs; one of carry, element
	Clear    bool   `json:"clear,omitzero"`    // restore the browser's own value
	Locale   string `json:"locale,omitzero"`   // language tag, such as de-DE; none: the browser's own language
}

// SetDevice runs the operation set device. Show pages as on a device of this name: its viewport,
// pixel ratio, touch and user agent. Other tabs that were resized keep their size.
func (c *Client) SetDevice(ctx context.Context, r SetDeviceRequest) (*DeviceSet, error) {
	return call[DeviceSet](ctx, c, r, "POST /set/device")
}

// SetDeviceRequest has the parameters of [Client.SetDevice].
type SetDeviceRequest struct {
	Profile  string `json:"profile,omitzero"`  // browser profile; the default one when left out
	TargetID string `json:"targetId,omitzero"` // the tab: its handle (t1), label, or target id; the current tab when left out
	RefMode  string `json:"refMode,omitzero"`  // what becomes of a ref when the page replaces its element: carry: the ref names the new element; element: the ref becomes stale; default: the setting browser.refs; one of carry, element
	Clear    bool   `json:"clear,omitzero"`    // restore the browser's own value
	Name     string `json:"name,omitzero"`     // name of the device in Playwright's list
}

// DeviceSet is the answer of [Client.SetDevice].
type DeviceSet struct {
	TabAnswer

	State  string `json:"state,omitzero"`  // cleared: the value was removed; set: a position was set; otherwise absent
	Device string `json:"device,omitzero"` // name of the device
}

// Routes runs the operation routes. List your routes, and what they do with requests.
func (c *Client) Routes(ctx context.Context, r RoutesRequest) (*RouteList, error) {
	return call[RouteList](ctx, c, r, "GET /routes")
}

// RoutesRequest has the parameters of [Client.Routes].
type RoutesRequest struct {
	Profile string `json:"profile,omitzero"` // browser profile; the default one when left out
}

// RouteList is the answer of [Client.Routes].
type RouteList struct {
	OK      bool        `json:"ok"`               // always true
	Routes  []RouteInfo `json:"routes"`           // the routes; the first one that fits a request is used
	Ignored []string    `json:"ignored,omitzero"` // names of the given parameters, and of fields in them, that had no effect
}

// SetHeaders runs the operation set headers. Add headers to all requests to the origin of the tab,
// or to other origins. {} removes them. While the tab shows no site, this is done for the first
// origin that the session opens.
func (c *Client) SetHeaders(ctx context.Context, r SetHeadersRequest) (*HeadersSet, error) {
	return call[HeadersSet](ctx, c, r, "POST /set/headers")
}

// SetHeadersRequest has the parameters of [Client.SetHeaders].
type SetHeadersRequest struct {
	Profile  string         `json:"profile,omitzero"`  // browser profile; the default one when left out
	TargetID string         `json:"targetId,omitzero"` // the tab: its handle (t1), label, or target id; the current tab when left out
	RefMode  string         `json:"refMode,omitzero"`  // what becomes of a ref when the page replaces its element: carry: the ref names the new element; element: the ref becomes stale; default: the setting browser.refs; one of carry, element
	Origins  []string       `json:"origins,omitzero"`  // the origins: https://example.com, or * for all. When left out: the origin of the tab; while the tab shows no site, the first one that the session opens; to clear, all
	Headers  map[string]any `json:"headers"`           // names and values of headers; secret:NAME stands for the value of a secret; {} clears
}

// HeadersSet is the answer of [Client.SetHeaders].
type HeadersSet struct {
	TabAnswer

	Origins []string `json:"origins"`          // the origins that this was done for. first, or first:SESSION: the next origin that the session navigates to. Empty list: the headers of all origins are cleared
	Dropped []string `json:"dropped,omitzero"` // names of headers that are not sent, because their values are not texts
	Cleared bool     `json:"cleared,omitzero"` // there are no headers any more
}

// SetCredentials runs the operation set credentials. Set the name and password for HTTP
// authentication (401) at the origin of the tab, or at other origins. While the tab shows no site,
// this is done for the first origin that the session opens.
func (c *Client) SetCredentials(ctx context.Context, r SetCredentialsRequest) (*CredentialsSet, error) {
	return call[CredentialsSet](ctx, c, r, "POST /set/credentials")
}

// SetCredentialsRequest has the parameters of [Client.SetCredentials].
type SetCredentialsRequest struct {
	Profile  string   `json:"profile,omitzero"`  // browser profile; the default one when left out
	TargetID string   `json:"targetId,omitzero"` // the tab: its handle (t1), label, or target id; the current tab when left out
	RefMode  string   `json:"refMode,omitzero"`  // what becomes of a ref when the page replaces its element: carry: the ref names the new element; element: the ref becomes stale; default: the setting browser.refs; one of carry, element
	Origins  []string `json:"origins,omitzero"`  // the origins: https://example.com, or * for all. When left out: the origin of the tab; while the tab shows no site, the first one that the session opens; to clear, all
	Username string   `json:"username,omitzero"` // name; secret:NAME stands for the value of a secret
	Password string   `json:"password,omitzero"` // password; secret:NAME stands for the value of a secret
	Clear    bool     `json:"clear,omitzero"`    // forget names and passwords
}

// CredentialsSet is the answer of [Client.SetCredentials].
type CredentialsSet struct {
	TabAnswer

	Origins []string `json:"origins"`          // the origins that this was done for. first, or first:SESSION: the next origin that the session navigates to. Empty list: the credentials of all origins are cleared
	Cleared bool     `json:"cleared,omitzero"` // there are no credentials any more
}

// Route runs the operation route. Abort, answer, change or delay the requests of all tabs that fit
// a pattern. Of several routes that fit, the one added last is used. Routes have no effect on
// requests of some shared workers.
func (c *Client) Route(ctx context.Context, r RouteRequest) (*RouteResult, error) {
	return call[RouteResult](ctx, c, r, "POST /route")
}

// RouteRequest has the parameters of [Client.Route].
type RouteRequest struct {
	Profile     string         `json:"profile,omitzero"`     // browser profile; the default one when left out
	TargetID    string         `json:"targetId,omitzero"`    // the tab: its handle (t1), label, or target id; the current tab when left out
	RefMode     string         `json:"refMode,omitzero"`     // what becomes of a ref when the page replaces its element: carry: the ref names the new element; element: the ref becomes stale; default: the setting browser.refs; one of carry, element
	URL         string         `json:"url,omitzero"`         // which addresses: a glob for the whole address, in which * is anything but a slash, ** anything, {a,b} a or b; or a whole address; or a path (/api/**); or a part of the address
	Types       []string       `json:"types,omitzero"`       // only requests for these: document, stylesheet, image, media, font, script, xhr (also fetch), ping, other
	Block       []string       `json:"block,omitzero"`       // abort requests for these types of resources: images,fonts
	Abort       string         `json:"abort,omitzero"`       // fail the requests: true, or the reason that the page sees: blockedbyclient, timedout, connectionrefused, namenotresolved …
	Fulfill     *Fulfillment   `json:"fulfill,omitzero"`     // answer the requests without asking the server: {status, headers, contentType, and body, json, base64 or path}
	Headers     map[string]any `json:"headers,omitzero"`     // headers that the requests get, by name; null removes one
	DelayMs     int            `json:"delayMs,omitzero"`     // milliseconds to wait before the request is answered, failed or sent
	Times       int            `json:"times,omitzero"`       // only for this many requests, of all tabs together
	Status      int            `json:"status,omitzero"`      // answer with this status
	ContentType string         `json:"contentType,omitzero"` // answer with this type: application/json
	Body        *string        `json:"body,omitzero"`        // answer with this text
	BodyFile    string         `json:"bodyFile,omitzero"`    // answer with this file
}

// RouteResult is the answer of [Client.Route].
type RouteResult struct {
	TabAnswer

	ID        string             `json:"id"`                 // id of the route
	URL       string             `json:"url,omitzero"`       // pattern for addresses
	Types     []string           `json:"types,omitzero"`     // types of requests
	Abort     string             `json:"abort,omitzero"`     // why the requests fail
	Fulfill   *Fulfilled         `json:"fulfill,omitzero"`   // what the requests are answered with
	Headers   map[string]*string `json:"headers,omitzero"`   // headers that the requests get; null removes one
	DelayMs   int64              `json:"delayMs,omitzero"`   // milliseconds before the request is answered, failed or sent
	TimesLeft int                `json:"timesLeft,omitzero"` // how many more requests the route is for; absent: for all
	Does      string             `json:"does"`               // what the route does, in words
}

// Unroute runs the operation unroute. Remove the route with an id, the routes with a pattern, or
// all routes.
func (c *Client) Unroute(ctx context.Context, r UnrouteRequest) (*Unrouted, error) {
	return call[Unrouted](ctx, c, r, "DELETE /route")
}

// UnrouteRequest has the parameters of [Client.Unroute].
type UnrouteRequest struct {
	Profile  string `json:"profile,omitzero"`  // browser profile; the default one when left out
	TargetID string `json:"targetId,omitzero"` // the tab: its handle (t1), label, or target id; the current tab when left out
	RefMode  string `json:"refMode,omitzero"`  // what becomes of a ref when the page replaces its element: carry: the ref names the new element; element: the ref becomes stale; default: the setting browser.refs; one of carry, element
	URL      string `json:"url,omitzero"`      // pattern of the routes to remove, exactly as it was added, or the id of one; without url and id, all are removed
	ID       string `json:"id,omitzero"`       // id of the route to remove
}

// Unrouted is the answer of [Client.Unroute].
type Unrouted struct {
	TabAnswer

	Removed int `json:"removed"` // how many routes were removed
}

// Cookies runs the operation cookies. List the cookies of the browser. The answer contains text of
// web pages, which is untrusted.
func (c *Client) Cookies(ctx context.Context, r CookiesRequest) (*CookieList, error) {
	return call[CookieList](ctx, c, r, "GET /cookies")
}

// CookiesRequest has the parameters of [Client.Cookies].
type CookiesRequest struct {
	Profile   string `json:"profile,omitzero"`   // browser profile; the default one when left out
	TargetID  string `json:"targetId,omitzero"`  // the tab: its handle (t1), label, or target id; the current tab when left out
	RefMode   string `json:"refMode,omitzero"`   // what becomes of a ref when the page replaces its element: carry: the ref names the new element; element: the ref becomes stale; default: the setting browser.refs; one of carry, element
	TimeoutMs int    `json:"timeoutMs,omitzero"` // deadline in milliseconds, at most 120000; when left out, 20000
	Name      string `json:"name,omitzero"`      // only cookies of this name
	Domain    string `json:"domain,omitzero"`    // only cookies of this domain
	Path      string `json:"path,omitzero"`      // only cookies of this path
}

// CookieList is the answer of [Client.Cookies].
type CookieList struct {
	OK        bool     `json:"ok"`                 // always true
	TargetID  string   `json:"targetId"`           // target id of the tab
	Emptied   bool     `json:"emptied,omitzero"`   // cookies, storage and permissions that the isolated session had are gone: it had no tab for long, or the browser was closed
	Cookies   []Cookie `json:"cookies"`            // the cookies of all sites
	Truncated bool     `json:"truncated,omitzero"` // some cookies were left out
	Total     int      `json:"total,omitzero"`     // how many cookies there are, if some were left out
	Ignored   []string `json:"ignored,omitzero"`   // names of the given parameters, and of fields in them, that had no effect
}

// CookiesSet runs the operation cookies set. Set a cookie, or the cookies of a request that was
// copied from a browser as cURL.
func (c *Client) CookiesSet(ctx context.Context, r CookiesSetRequest) (*CookiesChanged, error) {
	return call[CookiesChanged](ctx, c, r, "POST /cookies/set")
}

// CookiesSetRequest has the parameters of [Client.CookiesSet].
type CookiesSetRequest struct {
	Profile                string     `json:"profile,omitzero"`                 // browser profile; the default one when left out
	TargetID               string     `json:"targetId,omitzero"`                // the tab: its handle (t1), label, or target id; the current tab when left out
	RefMode                string     `json:"refMode,omitzero"`                 // what becomes of a ref when the page replaces its element: carry: the ref names the new element; element: the ref becomes stale; default: the setting browser.refs; one of carry, element
	TimeoutMs              int        `json:"timeoutMs,omitzero"`               // deadline in milliseconds, at most 120000; when left out, 20000
	Cookie                 *NewCookie `json:"cookie,omitzero"`                  // the cookie as an object; its fields are the other parameters
	Name                   string     `json:"name,omitzero"`                    // name of the cookie
	Value                  *string    `json:"value,omitzero"`                   // value of the cookie
	URL                    string     `json:"url,omitzero"`                     // an address that gets the cookie, in place of domain and path
	Domain                 string     `json:"domain,omitzero"`                  // host that gets the cookie; with a dot before it, also the hosts below it
	Path                   string     `json:"path,omitzero"`                    // beginning of the paths that get the cookie
	Expires                *float64   `json:"expires,omitzero"`                 // when the cookie expires, in seconds since 1970; when left out, with the browser
	HTTPOnly               bool       `json:"httpOnly,omitzero"`                // scripts of pages cannot read the cookie
	Secure                 *bool      `json:"secure,omitzero"`                  // the cookie is sent over https only; when left out, true if the url is https
	SameSite               string     `json:"sameSite,omitzero"`                // whether requests from other sites send the cookie; one of Strict, Lax, None
	PartitionKey           string     `json:"partitionKey,omitzero"`            // for a partitioned cookie: the tab must show this site, or the cookie is not sent
	CrHasCrossSiteAncestor *bool      `json:"_crHasCrossSiteAncestor,omitzero"` // for a partitioned cookie: the cookie was set in a frame inside a page of another site
	Curl                   string     `json:"curl,omitzero"`                    // a request that was copied from a browser as cURL (bash); its cookies are set for its address
}

// CookiesChanged is the answer of [Client.CookiesSet], [Client.CookiesSetMany],
// [Client.CookiesClear].
type CookiesChanged struct {
	OK       bool     `json:"ok"`               // always true
	TargetID string   `json:"targetId"`         // target id of the tab
	Emptied  bool     `json:"emptied,omitzero"` // cookies, storage and permissions that the isolated session had are gone: it had no tab for long, or the browser was closed
	Added    int      `json:"added,omitzero"`   // how many cookies were set
	Names    []string `json:"names,omitzero"`   // names of the cookies that were set
	Removed  int      `json:"removed,omitzero"` // how many cookies were removed
	Ignored  []string `json:"ignored,omitzero"` // names of the given parameters, and of fields in them, that had no effect
}

// CookiesSetMany runs the operation cookies set-many. Set several cookies.
func (c *Client) CookiesSetMany(ctx context.Context, r CookiesSetManyRequest) (*CookiesChanged, error) {
	return call[CookiesChanged](ctx, c, r, "POST /cookies/set-many")
}

// CookiesSetManyRequest has the parameters of [Client.CookiesSetMany].
type CookiesSetManyRequest struct {
	Profile   string      `json:"profile,omitzero"`   // browser profile; the default one when left out
	TargetID  string      `json:"targetId,omitzero"`  // the tab: its handle (t1), label, or target id; the current tab when left out
	RefMode   string      `json:"refMode,omitzero"`   // what becomes of a ref when the page replaces its element: carry: the ref names the new element; element: the ref becomes stale; default: the setting browser.refs; one of carry, element
	TimeoutMs int         `json:"timeoutMs,omitzero"` // deadline in milliseconds, at most 120000; when left out, 20000
	Cookies   []NewCookie `json:"cookies"`            // the cookies: {name, value, url} or {name, value, domain, path}, and further fields as in cookies set
}

// CookiesClear runs the operation cookies clear. Remove the cookies of the browser, or those of one
// name, domain or path.
func (c *Client) CookiesClear(ctx context.Context, r CookiesClearRequest) (*CookiesChanged, error) {
	return call[CookiesChanged](ctx, c, r, "POST /cookies/clear")
}

// CookiesClearRequest has the parameters of [Client.CookiesClear].
type CookiesClearRequest struct {
	Profile   string `json:"profile,omitzero"`   // browser profile; the default one when left out
	TargetID  string `json:"targetId,omitzero"`  // the tab: its handle (t1), label, or target id; the current tab when left out
	RefMode   string `json:"refMode,omitzero"`   // what becomes of a ref when the page replaces its element: carry: the ref names the new element; element: the ref becomes stale; default: the setting browser.refs; one of carry, element
	TimeoutMs int    `json:"timeoutMs,omitzero"` // deadline in milliseconds, at most 120000; when left out, 20000
	Name      string `json:"name,omitzero"`      // only cookies of this name
	Domain    string `json:"domain,omitzero"`    // only cookies of this domain
	Path      string `json:"path,omitzero"`      // only cookies of this path
}

// StateSave runs the operation state save. Save cookies, localStorage, IndexedDB and the
// sessionStorage of open tabs to a file, in the form of Playwright's storage state.
func (c *Client) StateSave(ctx context.Context, r StateSaveRequest) (*SavedState, error) {
	return call[SavedState](ctx, c, r, "GET /state")
}

// StateSaveRequest has the parameters of [Client.StateSave].
type StateSaveRequest struct {
	Profile   string   `json:"profile,omitzero"`   // browser profile; the default one when left out
	TargetID  string   `json:"targetId,omitzero"`  // the tab: its handle (t1), label, or target id; the current tab when left out
	RefMode   string   `json:"refMode,omitzero"`   // what becomes of a ref when the page replaces its element: carry: the ref names the new element; element: the ref becomes stale; default: the setting browser.refs; one of carry, element
	TimeoutMs int      `json:"timeoutMs,omitzero"` // deadline in milliseconds, at most 300000; when left out, 60000
	Origins   []string `json:"origins,omitzero"`   // further origins whose storage is saved, in addition to those that tabs have shown
}

// SavedState is the answer of [Client.StateSave].
type SavedState struct {
	OK             bool      `json:"ok"`                      // always true
	TargetID       string    `json:"targetId"`                // target id of the tab
	Emptied        bool      `json:"emptied,omitzero"`        // cookies, storage and permissions that the isolated session had are gone: it had no tab for long, or the browser was closed
	Cookies        []Cookie  `json:"cookies"`                 // cookies of all sites
	Origins        []Origin  `json:"origins"`                 // localStorage and IndexedDB, by origin
	SessionStorage []Session `json:"sessionStorage,omitzero"` // sessionStorage of the open tabs
	NotSaved       []string  `json:"notSaved,omitzero"`       // what could not be saved, and why
	Ignored        []string  `json:"ignored,omitzero"`        // names of the given parameters, and of fields in them, that had no effect
}

// StateLoad runs the operation state load. Load a state that chela or Playwright has saved. The
// state's cookies are added to the browser's; its storage replaces that of the same origins.
func (c *Client) StateLoad(ctx context.Context, r StateLoadRequest) (*LoadedState, error) {
	return call[LoadedState](ctx, c, r, "POST /state")
}

// StateLoadRequest has the parameters of [Client.StateLoad].
type StateLoadRequest struct {
	Profile        string    `json:"profile,omitzero"`        // browser profile; the default one when left out
	TargetID       string    `json:"targetId,omitzero"`       // the tab: its handle (t1), label, or target id; the current tab when left out
	RefMode        string    `json:"refMode,omitzero"`        // what becomes of a ref when the page replaces its element: carry: the ref names the new element; element: the ref becomes stale; default: the setting browser.refs; one of carry, element
	TimeoutMs      int       `json:"timeoutMs,omitzero"`      // deadline in milliseconds, at most 300000; when left out, 60000
	File           string    `json:"file,omitzero"`           // file with the state, as state save and Playwright write it
	Cookies        []Cookie  `json:"cookies,omitzero"`        // cookies, as GET /state answers them
	Origins        []Origin  `json:"origins,omitzero"`        // localStorage and IndexedDB by origin, as GET /state answers them
	SessionStorage []Session `json:"sessionStorage,omitzero"` // sessionStorage of tabs, as GET /state answers it
	Clear          bool      `json:"clear,omitzero"`          // first remove all cookies, and the storage of the origins that tabs have shown
}

// LoadedState is the answer of [Client.StateLoad].
type LoadedState struct {
	OK              bool     `json:"ok"`                       // always true
	TargetID        string   `json:"targetId"`                 // target id of the tab
	Emptied         bool     `json:"emptied,omitzero"`         // cookies, storage and permissions that the isolated session had are gone: it had no tab for long, or the browser was closed
	Cookies         int      `json:"cookies"`                  // how many cookies were set
	Origins         int      `json:"origins"`                  // number of origins whose storage was set
	Tabs            int      `json:"tabs"`                     // how many tabs were given their sessionStorage
	PendingSessions int      `json:"pendingSessions,omitzero"` // how many more sessionStorages are set later, when a tab opens their origin
	NotLoaded       []string `json:"notLoaded,omitzero"`       // what could not be loaded, and why
	Ignored         []string `json:"ignored,omitzero"`         // names of the given parameters, and of fields in them, that had no effect
}

// PermissionsGrant runs the operation permissions grant. Grant an origin permissions, such as the
// use of geolocation or the camera.
func (c *Client) PermissionsGrant(ctx context.Context, r PermissionsGrantRequest) (*GrantResult, error) {
	return call[GrantResult](ctx, c, r, "POST /permissions/grant")
}

// PermissionsGrantRequest has the parameters of [Client.PermissionsGrant].
type PermissionsGrantRequest struct {
	Profile             string   `json:"profile,omitzero"`             // browser profile; the default one when left out
	TargetID            string   `json:"targetId,omitzero"`            // the tab: its handle (t1), label, or target id; the current tab when left out
	RefMode             string   `json:"refMode,omitzero"`             // what becomes of a ref when the page replaces its element: carry: the ref names the new element; element: the ref becomes stale; default: the setting browser.refs; one of carry, element
	TimeoutMs           int      `json:"timeoutMs,omitzero"`           // deadline in milliseconds, at most 120000; when left out, 5000
	Origin              string   `json:"origin"`                       // origin that gets the permissions: https://example.com
	Permissions         []string `json:"permissions"`                  // permissions, by their names in the DevTools protocol or in Playwright: geolocation, notifications, camera
	OptionalPermissions []string `json:"optionalPermissions,omitzero"` // further permissions; one that this browser does not know is no error
}

// GrantResult is the answer of [Client.PermissionsGrant].
type GrantResult struct {
	OK                     bool     `json:"ok"`                     // always true
	Origin                 string   `json:"origin"`                 // origin that got the permissions
	GrantedPermissions     []string `json:"grantedPermissions"`     // permissions that were granted
	UnsupportedPermissions []string `json:"unsupportedPermissions"` // optional permissions that this browser does not know
	GrantMethod            string   `json:"grantMethod"`            // always cdp
	Ignored                []string `json:"ignored,omitzero"`       // names of the given parameters, and of fields in them, that had no effect
}

// StorageGet runs the operation storage get. Read localStorage or sessionStorage. The answer
// contains text of web pages, which is untrusted.
func (c *Client) StorageGet(ctx context.Context, r StorageGetRequest) (*StorageValues, error) {
	return call[StorageValues](ctx, c, r, "GET /storage/{area}")
}

// StorageGetRequest has the parameters of [Client.StorageGet].
type StorageGetRequest struct {
	Profile   string `json:"profile,omitzero"`   // browser profile; the default one when left out
	TargetID  string `json:"targetId,omitzero"`  // the tab: its handle (t1), label, or target id; the current tab when left out
	RefMode   string `json:"refMode,omitzero"`   // what becomes of a ref when the page replaces its element: carry: the ref names the new element; element: the ref becomes stale; default: the setting browser.refs; one of carry, element
	TimeoutMs int    `json:"timeoutMs,omitzero"` // deadline in milliseconds, at most 120000; when left out, 20000
	Area      string `json:"area"`               // localStorage, or the sessionStorage of the tab; one of local, session
	Origin    string `json:"origin,omitzero"`    // origin of the storage, by default the page's. No tab needs to show it, except for sessionStorage, which belongs to a tab
	Key       string `json:"key,omitzero"`       // only this key
}

// StorageValues is the answer of [Client.StorageGet].
type StorageValues struct {
	TabAnswer

	Values  map[string]string `json:"values"`           // values by key
	Changed []string          `json:"changed,omitzero"` // keys whose values are not valid Unicode: in values, U+FFFD replaces what JSON cannot hold
}

// StorageSet runs the operation storage set. Set a key of localStorage or sessionStorage.
func (c *Client) StorageSet(ctx context.Context, r StorageSetRequest) (*TabAnswer, error) {
	return call[TabAnswer](ctx, c, r, "POST /storage/{area}/set")
}

// StorageSetRequest has the parameters of [Client.StorageSet].
type StorageSetRequest struct {
	Profile   string `json:"profile,omitzero"`   // browser profile; the default one when left out
	TargetID  string `json:"targetId,omitzero"`  // the tab: its handle (t1), label, or target id; the current tab when left out
	RefMode   string `json:"refMode,omitzero"`   // what becomes of a ref when the page replaces its element: carry: the ref names the new element; element: the ref becomes stale; default: the setting browser.refs; one of carry, element
	TimeoutMs int    `json:"timeoutMs,omitzero"` // deadline in milliseconds, at most 120000; when left out, 20000
	Area      string `json:"area"`               // localStorage, or the sessionStorage of the tab; one of local, session
	Origin    string `json:"origin,omitzero"`    // origin of the storage, by default the page's. No tab needs to show it, except for sessionStorage, which belongs to a tab
	Key       string `json:"key"`                // key to set
	Value     string `json:"value,omitzero"`     // value of the key
}

// StorageClear runs the operation storage clear. Empty localStorage or sessionStorage, or remove
// one key.
func (c *Client) StorageClear(ctx context.Context, r StorageClearRequest) (*StorageCleared, error) {
	return call[StorageCleared](ctx, c, r, "POST /storage/{area}/clear")
}

// StorageClearRequest has the parameters of [Client.StorageClear].
type StorageClearRequest struct {
	Profile   string `json:"profile,omitzero"`   // browser profile; the default one when left out
	TargetID  string `json:"targetId,omitzero"`  // the tab: its handle (t1), label, or target id; the current tab when left out
	RefMode   string `json:"refMode,omitzero"`   // what becomes of a ref when the page replaces its element: carry: the ref names the new element; element: the ref becomes stale; default: the setting browser.refs; one of carry, element
	TimeoutMs int    `json:"timeoutMs,omitzero"` // deadline in milliseconds, at most 120000; when left out, 20000
	Area      string `json:"area"`               // localStorage, or the sessionStorage of the tab; one of local, session
	Origin    string `json:"origin,omitzero"`    // origin of the storage, by default the page's. No tab needs to show it, except for sessionStorage, which belongs to a tab
	Key       string `json:"key,omitzero"`       // only this key
}

// StorageCleared is the answer of [Client.StorageClear].
type StorageCleared struct {
	TabAnswer

	Missing bool `json:"missing,omitzero"` // there was no such key
}

func (BackRequest) action() string { return "back" }

func (BatchRequest) action() string { return "batch" }

func (CheckRequest) action() string { return "check" }

func (ClearRequest) action() string { return "clear" }

func (ClickRequest) action() string { return "click" }

func (ClickCoordsRequest) action() string { return "clickCoords" }

func (CloseRequest) action() string { return "close" }

func (DragRequest) action() string { return "drag" }

func (DropRequest) action() string { return "drop" }

func (EvaluateRequest) action() string { return "evaluate" }

func (ExpectRequest) action() string { return "expect" }

func (FillRequest) action() string { return "fill" }

func (FindRequest) action() string { return "find" }

func (FocusElementRequest) action() string { return "focus" }

func (ForwardRequest) action() string { return "forward" }

func (HoverRequest) action() string { return "hover" }

func (InsertTextRequest) action() string { return "insertText" }

func (KeyDownRequest) action() string { return "keydown" }

func (KeyUpRequest) action() string { return "keyup" }

func (LoginRequest) action() string { return "login" }

func (MouseDownRequest) action() string { return "mouseDown" }

func (MouseMoveRequest) action() string { return "mouseMove" }

func (MouseUpRequest) action() string { return "mouseUp" }

func (NavigateRequest) action() string { return "navigate" }

func (PressRequest) action() string { return "press" }

func (ReloadRequest) action() string { return "reload" }

func (ResizeRequest) action() string { return "resize" }

func (ScreenshotRequest) action() string { return "screenshot" }

func (ScreenshotDiffRequest) action() string { return "screenshot diff" }

func (ScrollRequest) action() string { return "scroll" }

func (ScrollIntoViewRequest) action() string { return "scrollIntoView" }

func (SelectRequest) action() string { return "select" }

func (SnapshotRequest) action() string { return "snapshot" }

func (TypeRequest) action() string { return "type" }

func (UncheckRequest) action() string { return "uncheck" }

func (WaitRequest) action() string { return "wait" }

// GraphicsInfo describes a value of [StatusResult.Graphics].
type GraphicsInfo struct {
	Status               string            `json:"status"`               // the word available, always
	ObservedAt           int64             `json:"observedAt"`           // when the browser was asked, in ms since 1970
	Acceleration         string            `json:"acceleration"`         // software or hardware
	Renderer             string            `json:"renderer"`             // name of the renderer: a graphics card, or a program such as SwiftShader
	Vendor               string            `json:"vendor"`               // maker of the renderer
	Version              string            `json:"version"`              // version of the renderer
	Backend              string            `json:"backend"`              // graphics library through which Chromium draws
	Devices              []GraphicsDevice  `json:"devices"`              // graphics devices; the first one is in use
	FeatureStatus        map[string]string `json:"featureStatus"`        // state of each feature, in Chromium's words
	DisabledFeatures     []GraphicsFeature `json:"disabledFeatures"`     // features that are not enabled
	DriverBugWorkarounds []string          `json:"driverBugWorkarounds"` // Chromium's workarounds for faults of the driver
	VideoDecoding        []string          `json:"videoDecoding"`        // kinds of video that hardware decodes
	VideoEncoding        []string          `json:"videoEncoding"`        // kinds of video that hardware encodes
}

// Restoration describes a value of [StatusResult.Restored].
type Restoration struct {
	Tabs     []string `json:"tabs"`     // handles of the restored tabs; each opens its address when it is used first
	Cookies  int      `json:"cookies"`  // how many cookies were restored, including those of isolated sessions
	Settings bool     `json:"settings"` // the browser's settings were restored, such as an emulated time zone
	SavedAt  string   `json:"savedAt"`  // when the restored data was saved last; cookies may be 2 s older
}

// ProfileInfo describes a value of [ProfileList.Profiles].
type ProfileInfo struct {
	Name              string `json:"name"`                       // name of the profile
	Transport         string `json:"transport"`                  // how chela drives the browser: cdp, chrome-mcp or extension
	CDPPort           *int   `json:"cdpPort"`                    // debugging port of the browser, if there is one; it is open only with exposeCdp
	CDPURL            string `json:"cdpUrl"`                     // address of the debugging port, if it is open, or of a browser that chela connects to
	Color             string `json:"color"`                      // color of the window frames
	Driver            string `json:"driver"`                     // kind of the profile, as in the status
	Running           bool   `json:"running"`                    // the profile's browser runs
	Connected         *bool  `json:"connected,omitzero"`         // for a browser that chela does not start: true if chela is connected to it; only then is tabCount known
	TabCount          int    `json:"tabCount"`                   // how many tabs the profile's browser has
	IsDefault         bool   `json:"isDefault"`                  // the profile is used when none is named
	IsRemote          bool   `json:"isRemote"`                   // the profile's browser is on another machine
	MissingFromConfig bool   `json:"missingFromConfig,omitzero"` // the profile is no longer in the configuration, but its browser still runs
	ReconcileReason   string `json:"reconcileReason"`            // settings of the profile that take effect only when its browser is started again
}

// Check describes a value of [Report.Checks].
type Check struct {
	ID      string `json:"id"`               // id of the check
	Label   string `json:"label"`            // title of the check
	Status  string `json:"status"`           // pass, warn, fail or info
	Summary string `json:"summary"`          // what was found
	FixHint string `json:"fixHint,omitzero"` // what to do about a fault
}

// WallReport describes a value of [Report.Wall].
type WallReport struct {
	Ways        []WallWay `json:"ways"`                // each way in which the page has tried to reach a forbidden server
	Connections int       `json:"connections"`         // how many connections have reached the forbidden server
	Datagrams   int       `json:"datagrams"`           // how many datagrams have reached the forbidden server
	Candidates  []string  `json:"candidates,omitzero"` // addresses of this machine that WebRTC has revealed to the page
	OwnPorts    bool      `json:"ownPorts,omitzero"`   // the policy allows this machine, so the page has tried to reach chela's own ports, which are always forbidden
	Allowed     []string  `json:"allowed,omitzero"`    // names of this machine that were not tried, because the policy allows them
}

// BrowserStatus describes a value of [Report.Status].
type BrowserStatus struct {
	Enabled                bool          `json:"enabled"`                    // the configuration lets chela drive browsers
	Profile                string        `json:"profile"`                    // name of the profile
	Driver                 string        `json:"driver"`                     // kind of the profile: existing-session; extension; or openclaw: a browser that chela starts, or reaches at a DevTools address
	Transport              string        `json:"transport"`                  // how chela drives the browser: cdp, chrome-mcp, extension
	Running                bool          `json:"running"`                    // the browser runs and answers
	Connected              *bool         `json:"connected,omitzero"`         // for a browser that chela does not start: true if chela is connected to it; if false, the next call that needs the browser connects
	CDPReady               bool          `json:"cdpReady"`                   // the browser answers the DevTools protocol
	CDPHTTP                bool          `json:"cdpHttp"`                    // the browser's debugging port is open: exposeCdp is set, or chela has no other way to the browser
	PageReady              bool          `json:"pageReady"`                  // the browser has a tab
	PID                    *int          `json:"pid"`                        // process id of the browser, if chela knows it
	CDPPort                *int          `json:"cdpPort"`                    // debugging port, if the browser has one; see cdpHttp
	CDPURL                 string        `json:"cdpUrl"`                     // address of the debugging port, if it is open, or of a browser that chela connects to
	ChosenBrowser          string        `json:"chosenBrowser"`              // kind of the running browser: chrome, brave, edge, chromium, canary, custom
	DetectedBrowser        string        `json:"detectedBrowser"`            // kind of the browser found on this machine
	DetectedExecutablePath string        `json:"detectedExecutablePath"`     // path of the browser that detectedBrowser names
	DetectError            string        `json:"detectError"`                // why no browser was found
	UserDataDir            string        `json:"userDataDir"`                // directory of the profile's data
	Color                  string        `json:"color"`                      // color of the profile
	Headless               bool          `json:"headless"`                   // the browser runs without windows, or would be started without them
	HeadlessSource         string        `json:"headlessSource"`             // what decided headless: request, env, profile, config, linux-display-fallback, executable, default
	NoSandbox              bool          `json:"noSandbox"`                  // pages run without Chromium's sandbox
	NoSandboxReason        string        `json:"noSandboxReason,omitzero"`   // why pages run without the sandbox
	ExecutablePath         string        `json:"executablePath"`             // path of the browser in the configuration
	AttachOnly             bool          `json:"attachOnly"`                 // the browser is never started by chela
	Notice                 string        `json:"notice,omitzero"`            // a note: another program has started the browser at cdpUrl, so chela only connects to it; or the browser ran already, and not in the mode that start asked for
	Graphics               *GraphicsInfo `json:"graphics"`                   // the graphics that pages are drawn with; null until the operation doctor has asked the running browser
	ExposeCDP              bool          `json:"exposeCdp,omitzero"`         // the debugging port is open, so any program of this machine can drive the browser
	IgnoreHTTPSErrors      bool          `json:"ignoreHTTPSErrors,omitzero"` // pages load even if their certificates are not valid
	Egress                 string        `json:"egress"`                     // how far the network policy holds: enforced; best-effort: an upstream proxy decides where connections lead, or chela has not started the browser
	ConfigOutdated         string        `json:"configOutdated,omitzero"`    // why the configuration file cannot be used; its last valid settings stay in force
	NotInEffect            []string      `json:"notInEffect,omitzero"`       // settings of the configuration file that have no effect
	NotYetInEffect         []string      `json:"notYetInEffect,omitzero"`    // settings that have changed since the browser was started; it has the new values from its next start
	Weakened               []string      `json:"weakened,omitzero"`          // settings in force that weaken what docs/security.md promises
	Unrecorded             string        `json:"unrecorded,omitzero"`        // why the recorder has dropped its oldest calls since the last status, such as a full disk
	Restored               *Restoration  `json:"restored,omitzero"`          // what this server restored after the previous server was killed; only in the first answers
}

// NodeInfo describes a value of [FleetResult.Nodes].
type NodeInfo struct {
	Name     string            `json:"name"`            // name of the node; a call that gives this name runs there
	Healthy  bool              `json:"healthy"`         // the node's browser can start
	Reason   string            `json:"reason,omitzero"` // why the node's browser cannot start
	Draining bool              `json:"draining"`        // the node takes no new calls, because it is shutting down
	Tabs     int               `json:"tabs"`            // open tabs
	Load     NodeLoad          `json:"load"`            // how busy the node is; all 0 while it is draining or not healthy
	Queue    int               `json:"queue"`           // calls that wait on the node
	Labels   map[string]string `json:"labels"`          // labels of the node, as its owner has set them
	Version  string            `json:"version"`         // version of chela on the node
}

// TabInfo describes a value of [TabList.Tabs].
type TabInfo struct {
	TargetID             string      `json:"targetId"`                      // target id; changes when the browser replaces the target
	Title                string      `json:"title"`                         // title of the page
	URL                  string      `json:"url"`                           // address of the page
	WSURL                string      `json:"wsUrl,omitzero"`                // DevTools endpoint of the tab, if exposeCdp is set
	URLUnavailableReason string      `json:"urlUnavailableReason,omitzero"` // why url is empty: navigation_blocked
	Type                 string      `json:"type"`                          // always page
	SuggestedTargetID    string      `json:"suggestedTargetId"`             // name to use for the tab in calls: its label, or else its handle
	TabID                string      `json:"tabId"`                         // handle of the tab (t1), which never changes
	Label                string      `json:"label,omitzero"`                // label of the tab
	LabelTakenFrom       string      `json:"labelTakenFrom,omitzero"`       // in an answer that gives the label: the tab that had it before, and now has none
	Current              bool        `json:"current,omitzero"`              // in a list: calls of this session that name no tab use this one
	Session              string      `json:"session,omitzero"`              // session that the tab belongs to
	Other                bool        `json:"other,omitzero"`                // the tab belongs to another session; calls of this session have to name it by its handle
	Unowned              bool        `json:"unowned,omitzero"`              // the tab belongs to no session: it is not known who opened it
	Users                bool        `json:"users,omitzero"`                // the user has opened the tab, in a browser that chela has not started
	Isolated             bool        `json:"isolated,omitzero"`             // the tab shares cookies, storage and permissions only with the tabs of its session
	LeasedTo             string      `json:"leasedTo,omitzero"`             // session that has leased the tab for itself
	LeasedUntil          *time.Time  `json:"leasedUntil,omitzero"`          // when the lease ends
	Person               *TakenOver  `json:"person,omitzero"`               // a person has taken over the tab: calls that touch it wait
	Crashed              bool        `json:"crashed,omitzero"`              // the page crashed; the next call on the tab opens its address again
	LoadFailed           string      `json:"loadFailed,omitzero"`           // of a new tab: why its page could not be loaded, and the address
	HTTPStatus           string      `json:"httpStatus,omitzero"`           // of a new tab: the HTTP status of its page in words, unless it is a success: 404 Not Found
	Dialog               *DialogInfo `json:"dialog,omitzero"`               // of a new tab: the dialog that it shows, which blocks it and other tabs of its site
}

// TakenOver describes a value of [OpenResult.Person].
type TakenOver struct {
	Since time.Time `json:"since"`          // since when the person has the tab
	Until time.Time `json:"until"`          // when the takeover ends by itself
	By    string    `json:"by"`             // what the person uses, such as live view or dashboard
	Guest string    `json:"guest,omitzero"` // id of the share, if a guest of it has the tab
}

// DialogInfo describes a value of [OpenResult.Dialog].
type DialogInfo struct {
	ID           string     `json:"id"`                    // id of the dialog
	Type         string     `json:"type"`                  // alert, confirm, prompt or beforeunload
	Message      string     `json:"message"`               // what the page asks
	DefaultValue string     `json:"defaultValue,omitzero"` // what a prompt suggests
	URL          string     `json:"url"`                   // address of the frame that opened the dialog
	OpenedAt     time.Time  `json:"openedAt"`              // when the dialog opened
	ClosedAt     *time.Time `json:"closedAt,omitzero"`     // when the dialog closed
	ClosedBy     string     `json:"closedBy,omitzero"`     // what closed the dialog. agent: a call; armed: an answer given in advance; timeout: chela, because nobody answered; remote: the page or a person
	Accepted     *bool      `json:"accepted,omitzero"`     // whether the answer of chela was to accept the dialog; left out if chela gave none
}

// BrowserState describes a value of [OpenResult.BrowserState].
type BrowserState struct {
	Dialogs DialogLists `json:"dialogs"` // dialogs of the page
}

// DownloadedFile describes a value of [OpenResult.Download].
type DownloadedFile struct {
	URL               string `json:"url"`               // address that the file came from
	SuggestedFilename string `json:"suggestedFilename"` // file name that the server suggests
	Path              string `json:"path,omitzero"`     // path of the file, which may not be complete yet; absent if the download failed
	State             string `json:"state,omitzero"`    // inProgress: not complete yet, wait/download waits for it; failed; absent: complete
	Error             string `json:"error,omitzero"`    // why the download failed; may contain the name of the file
}

// Stats describes a value of [OpenResult.Stats].
type Stats struct {
	Lines       int `json:"lines"`
	Chars       int `json:"chars"`
	Refs        int `json:"refs"`
	Interactive int `json:"interactive"`
}

// PersonWas describes a value of [TabAnswer.Person].
type PersonWas struct {
	Minutes float64       `json:"minutes"`       // for how many minutes the person had the tab
	Note    string        `json:"note,omitzero"` // note of the person to the agents
	Changes PersonChanges `json:"changes"`       // what the person may have changed
}

// SessionInfo describes a value of [SessionList.Sessions].
type SessionInfo struct {
	Session    string     `json:"session"`             // key of the session
	Profile    string     `json:"profile"`             // profile whose browser the session uses; empty for a session without a browser, which is listed because of its allowHosts
	Tabs       []string   `json:"tabs"`                // handles of the session's tabs
	Current    string     `json:"current,omitzero"`    // handle of the session's current tab
	LastUsedAt *time.Time `json:"lastUsedAt,omitzero"` // when the session made its last call on a tab
	AllowHosts []string   `json:"allowHosts,omitzero"` // hosts that the session may open, in all profiles; absent: all that the network policy allows
	Own        bool       `json:"own,omitzero"`        // this is the session of the call
}

// AskInfo describes a value of [AsksResult.Asks].
type AskInfo struct {
	ID       string    `json:"id"`                // id of the question
	Message  string    `json:"message"`           // what the agent asks
	Choices  []string  `json:"choices"`           // answers to choose from
	Confirms bool      `json:"confirms,omitzero"` // the server itself asks whether an agent may do something: only a person can answer, in the dashboard or by chela confirm
	Session  string    `json:"session,omitzero"`  // session of the agent that asks
	Caller   string    `json:"caller,omitzero"`   // name that the asking program gives itself
	TabID    string    `json:"tabId,omitzero"`    // handle of the tab that the question is about
	Profile  string    `json:"profile,omitzero"`  // profile of that tab
	Since    time.Time `json:"since"`             // when the question was asked
	Until    time.Time `json:"until"`             // when the question expires if nobody answers
	State    string    `json:"state"`             // waiting: a call waits for the answer; pending: no call waits, so the agent has to ask again; answered: but the agent does not have the answer yet
}

// SecretInfo describes a value of [SecretList.Secrets].
type SecretInfo struct {
	Name       string     `json:"name"`                // name of the secret: secret:NAME stands for it in place of a text
	For        []string   `json:"for"`                 // origins where it may be entered
	Totp       bool       `json:"totp,omitzero"`       // the value is a key for one-time codes; pages get the current code
	Ask        string     `json:"ask"`                 // whether a person is asked before the secret is used: always; session: once in each session; never
	From       string     `json:"from"`                // where the value is kept: keyring, file, or the source that the configuration names
	LastUsedAt *time.Time `json:"lastUsedAt,omitzero"` // when the secret was last used
}

// NotImported describes a value of [ImportResult.Skipped].
type NotImported struct {
	Line int    `json:"line"`          // line of the file, from 1
	Site string `json:"site,omitzero"` // host of the login, if the line has one
	Why  string `json:"why"`           // why the line was not imported
}

// UseInfo describes a value of [SecretUses.Uses].
type UseInfo struct {
	At      time.Time `json:"at"`               // when the secret was used
	Name    string    `json:"name"`             // name of the secret
	Session string    `json:"session,omitzero"` // session of the call
	Origin  string    `json:"origin,omitzero"`  // origin of the page that got the secret
	TabID   string    `json:"tabId,omitzero"`   // handle of the tab
	Profile string    `json:"profile,omitzero"` // profile of the browser
	Op      string    `json:"op,omitzero"`      // operation that used the secret
}

// PairedBrowser describes a value of [PairedBrowsers.Browsers].
type PairedBrowser struct {
	ID         string `json:"id"`         // id of the browser, for extension revoke
	Name       string `json:"name"`       // name of the browser, as its extension reports it
	Profile    string `json:"profile"`    // product and version of the browser; empty: the extension has not connected since chela started
	Connected  bool   `json:"connected"`  // the browser's extension is connected
	SharedTabs int    `json:"sharedTabs"` // how many tabs of the browser are shared with chela
}

// Ref describes a value of [SnapshotResult.Refs].
type Ref struct {
	Role        string `json:"role"`
	Name        string `json:"name,omitzero"`
	Nth         *int   `json:"nth,omitzero"`
	Description string `json:"description,omitzero"`
}

// Unseen describes a value of [SnapshotResult.Hidden].
type Unseen struct {
	Texts int `json:"texts"` // number of texts that a person cannot see
	Chars int `json:"chars"` // total length of these texts in characters
}

// AriaNode describes a value of [SnapshotResult.Nodes].
type AriaNode struct {
	Ref              string `json:"ref"`
	Role             string `json:"role"`
	Name             string `json:"name"`
	Value            string `json:"value,omitzero"`
	Description      string `json:"description,omitzero"`
	BackendDOMNodeID int64  `json:"backendDOMNodeId,omitzero"`
	Depth            int    `json:"depth"`
}

// Annotation describes a value of [SnapshotResult.Annotations].
type Annotation struct {
	Ref    string `json:"ref"`           // the ref
	Number int    `json:"number"`        // number of the label on the picture, from 1
	Role   string `json:"role"`          // role of the element
	Name   string `json:"name,omitzero"` // name of the element
	Box    Box    `json:"box"`           // where the element is in the picture, in pixels
}

// FoundLine describes a value of [FindResult.Matches].
type FoundLine struct {
	Ref  string `json:"ref,omitzero"` // ref of the element to act on; if the line is a text, of the element around it
	Line string `json:"line"`         // the line in the snapshot, with its ref
	In   string `json:"in,omitzero"`  // with near, of a control that follows, or if several matches read the same: other text of the match's row or card, else its heading or landmark, or the beginning of its part of the page; of a text, the element around if it has the ref and holds more
}

// Extent describes a value of [ScreenshotResult.PartOf].
type Extent struct {
	Width  float64 `json:"width"`  // width in CSS pixels
	Height float64 `json:"height"` // height in CSS pixels
}

// DiffBox describes a value of [DiffResult.Boxes].
type DiffBox struct {
	X      float64  `json:"x"`             // pixels from the left
	Y      float64  `json:"y"`             // pixels from the top
	Width  float64  `json:"width"`         // width in pixels
	Height float64  `json:"height"`        // height in pixels
	Refs   []string `json:"refs,omitzero"` // refs of the last snapshot for elements that are at this place now, if the later picture is a screenshot of the tab
}

// ReadHeading describes a value of [ReadResult.Outline].
type ReadHeading struct {
	Number int    `json:"number"` // number of the heading in the outline, from 1
	Level  int    `json:"level"`  // 1 to 6, as in h1 to h6
	Title  string `json:"title"`  // text of the heading
	Length int    `json:"length"` // length of its section in characters, with the sections below it
}

// ContentLink describes a value of [ReadResult.Links].
type ContentLink struct {
	Text string `json:"text"` // text of the link
	URL  string `json:"url"`  // address that the link leads to
}

// ContentData describes a value of [ReadResult.Structured].
type ContentData struct {
	JSONLd        []json.RawMessage   `json:"jsonLd,omitzero"`        // blocks of JSON-LD
	InvalidJSONLd int                 `json:"invalidJsonLd,omitzero"` // blocks of JSON-LD that are no JSON, or too long
	OpenGraph     map[string][]string `json:"openGraph,omitzero"`     // values of OpenGraph and Twitter cards by property
	Microdata     []*Item             `json:"microdata,omitzero"`     // items of microdata
	Tables        []Table             `json:"tables,omitzero"`        // tables of data, row by row
	More          []string            `json:"more,omitzero"`          // kinds of data of which the page has more than is listed
	LeftOut       []string            `json:"leftOut,omitzero"`       // kinds of data that are too large to be answered, and their sizes in bytes
}

// UnreadableField describes a value of [ExtractResult.Unreadable].
type UnreadableField struct {
	Path string `json:"path"` // the place in data, such as items[3].price
	Type string `json:"type"` // type in the schema
	Text string `json:"text"` // the beginning of the text
}

// CutField describes a value of [ExtractResult.DataCut].
type CutField struct {
	Path string `json:"path"` // the place in data, such as items[3].price; empty for all of data
	Kept int    `json:"kept"` // how much of the list or text is in data: elements, or UTF-16 code units
	Of   int    `json:"of"`   // how much of the list or text the page has, in the same unit; 0 if that is not known
}

// ConsoleMessage describes a value of [ConsoleResult.Messages].
type ConsoleMessage struct {
	Type      string   `json:"type"`               // log, info, warning, error, debug, or another function of console; verbose for a message of the browser
	Text      string   `json:"text"`               // what was logged, at most 2048 characters
	Truncated bool     `json:"truncated,omitzero"` // the text was longer
	MoreChars int      `json:"moreChars,omitzero"` // how many characters were cut off
	Timestamp string   `json:"timestamp"`          // when it happened
	Location  Location `json:"location"`           // script and line that logged the message; lines and columns count from 0
}

// PageError describes a value of [ErrorsResult.Errors].
type PageError struct {
	Message   string `json:"message"`            // message of the error
	Name      string `json:"name,omitzero"`      // kind of the error, such as TypeError
	Stack     string `json:"stack,omitzero"`     // stack trace: the functions that led to the error
	Truncated bool   `json:"truncated,omitzero"` // the message or the stack was longer
	MoreChars int    `json:"moreChars,omitzero"` // how many characters were cut off
	Timestamp string `json:"timestamp"`          // when it happened
}

// ListedRequest describes a value of [RequestsResult.Requests].
type ListedRequest struct {
	ID           string  `json:"id"`                   // id of the request: r12
	Timestamp    string  `json:"timestamp"`            // when the request was sent
	Method       string  `json:"method"`               // GET, POST …
	URL          string  `json:"url"`                  // address, at most 2048 characters
	ResourceType string  `json:"resourceType"`         // document, script, stylesheet, image, fetch, xhr, websocket …
	Status       int     `json:"status,omitzero"`      // HTTP status of the answer
	OK           *bool   `json:"ok,omitzero"`          // the request has succeeded: its status is 200 to 299, or 101 for a WebSocket, and nothing failed later
	FailureText  string  `json:"failureText,omitzero"` // why there is no response, or only a part of it
	Reason       string  `json:"reason,omitzero"`      // the rule that blocked the request, if one did
	WebSocket    *Socket `json:"webSocket,omitzero"`   // for a WebSocket: how many frames it has carried
}

// RequestDetail describes a value of [RequestResult.Request].
type RequestDetail struct {
	ID                string    `json:"id"`                         // id of the request: r12
	Timestamp         string    `json:"timestamp"`                  // when the request was sent
	Method            string    `json:"method"`                     // GET, POST …
	URL               string    `json:"url"`                        // address, at most 2048 characters
	ResourceType      string    `json:"resourceType"`               // document, script, stylesheet, image, fetch, xhr, websocket …
	Status            int       `json:"status,omitzero"`            // HTTP status of the answer
	OK                *bool     `json:"ok,omitzero"`                // the request has succeeded: its status is 200 to 299, or 101 for a WebSocket, and nothing failed later
	FailureText       string    `json:"failureText,omitzero"`       // why there is no response, or only a part of it
	Reason            string    `json:"reason,omitzero"`            // the rule that blocked the request, if one did
	WebSocket         *Socket   `json:"webSocket,omitzero"`         // for a WebSocket: how many frames it has carried
	StatusText        string    `json:"statusText,omitzero"`        // reason phrase that the server has sent with the status
	RequestHeaders    []Header  `json:"requestHeaders"`             // headers that were sent
	ResponseHeaders   []Header  `json:"responseHeaders"`            // headers of the answer
	PostData          string    `json:"postData,omitzero"`          // body of the request
	MimeType          string    `json:"mimeType,omitzero"`          // type of the answer
	Protocol          string    `json:"protocol,omitzero"`          // http/1.1, h2, h3 …
	RemoteAddress     string    `json:"remoteAddress,omitzero"`     // address and port of the server, or of the proxy in front of it
	FromCache         bool      `json:"fromCache,omitzero"`         // the browser's cache has answered it
	FromServiceWorker bool      `json:"fromServiceWorker,omitzero"` // a service worker has answered it
	RedirectedFrom    string    `json:"redirectedFrom,omitzero"`    // id of the request that was redirected to this one
	RedirectedTo      string    `json:"redirectedTo,omitzero"`      // id of the request that this one was redirected to
	Initiator         Initiator `json:"initiator"`                  // what made the page send the request
	Timing            *Timing   `json:"timing,omitzero"`            // how long the parts of the request took, in milliseconds
	TransferSize      int64     `json:"transferSize,omitzero"`      // bytes of the answer on the network, with headers
	BodySize          int64     `json:"bodySize,omitzero"`          // bytes of the body, decompressed
	Body              string    `json:"body"`                       // body of the answer
	Base64Encoded     bool      `json:"base64Encoded,omitzero"`     // the body is not text, so it is encoded in base64
	Truncated         bool      `json:"truncated,omitzero"`         // the body has more characters
	BodyMissing       string    `json:"bodyMissing,omitzero"`       // why there is no body
}

// MadeCall describes a value of [CallsResult.Calls].
type MadeCall struct {
	At        string `json:"at"`               // when the call arrived
	Session   string `json:"session,omitzero"` // session of the call
	Caller    string `json:"caller,omitzero"`  // who made the call: the name that the caller gives itself
	Operation string `json:"operation"`        // operation that was called; for a batch, with its actions
	TabID     string `json:"tabId"`            // handle of the tab
	Site      string `json:"site,omitzero"`    // site that the tab showed when the call ended
	TookMs    int64  `json:"tookMs"`           // how long the call took, in milliseconds
	Failed    string `json:"failed,omitzero"`  // code of the call's error; absent if the call succeeded
}

// Response describes a value of [ResponseBodyResult.Response].
type Response struct {
	URL           string            `json:"url"`                    // address that the answer came from
	Status        int               `json:"status"`                 // HTTP status
	Headers       map[string]string `json:"headers"`                // headers by their names in lower case
	Body          string            `json:"body"`                   // body of the answer
	Base64Encoded bool              `json:"base64Encoded,omitzero"` // the body is not text, so it is encoded in base64
	Truncated     bool              `json:"truncated,omitzero"`     // the body has more characters
	BodyMissing   string            `json:"bodyMissing,omitzero"`   // why there is no body
}

// RecordedCall describes a value of [RecorderResult.Entries].
type RecordedCall struct {
	ID      string                     `json:"id"`               // id of the entry
	Time    string                     `json:"time"`             // when the call arrived
	Session string                     `json:"session,omitzero"` // session of the call
	Caller  string                     `json:"caller,omitzero"`  // who made the call: the name that the caller gives itself
	Tab     string                     `json:"tab"`              // handle of the tab
	Op      string                     `json:"op"`               // name of the operation
	Title   string                     `json:"title"`            // the operation with its main arguments
	Part    bool                       `json:"part,omitzero"`    // the call is an action of a batch; the entry of the batch follows those of its actions
	Args    map[string]json.RawMessage `json:"args,omitzero"`    // arguments of the call; secrets, and what was typed into fields that may hold secrets, are replaced
	Element *RecordedElement           `json:"element,omitzero"` // element that the call was about
	Effects []string                   `json:"effects,omitzero"` // what the call caused: changed, navigated, dialog, download, newTab, fileChooser, request
	URL     string                     `json:"url,omitzero"`     // address that the tab showed when the call ended
	Error   string                     `json:"error,omitzero"`   // text of the error; absent if the call succeeded
	Code    string                     `json:"code,omitzero"`    // code of the error
	Ms      int64                      `json:"ms"`               // how long the call took, in milliseconds
	Picture string                     `json:"picture,omitzero"` // picture of the tab after the call, a JPEG of at most 640 by 480 pixels; absent if the next call came before it was taken, or a field showed a secret
}

// DialogAnswer describes a value of [ClickRequest.Dialog].
type DialogAnswer struct {
	Accept     bool    `json:"accept"`              // true: accept the dialog; false: dismiss it
	PromptText *string `json:"promptText,omitzero"` // answer to a prompt; when left out, the default value of the page
}

// Position describes a value of [ClickRequest.Position].
type Position struct {
	X float64 `json:"x"` // pixels from the left of the element
	Y float64 `json:"y"` // pixels from the top of the element
}

// EarlierEffects describes a value of [ActAnswer.Earlier].
type EarlierEffects struct {
	NewTabs   []TabInfo        `json:"newTabs,omitzero"`   // tabs that the page opened
	Downloads []DownloadedFile `json:"downloads,omitzero"` // files whose download began
}

// FormRefused describes a value of [ActAnswer.FormRefused].
type FormRefused struct {
	Ref     string `json:"ref,omitzero"`    // ref of the control
	Name    string `json:"name,omitzero"`   // name of the control
	Hidden  bool   `json:"hidden,omitzero"` // true: the page does not show the control
	Message string `json:"message"`         // what is wrong with its value
}

// FormField describes a value of [FillRequest.Fields].
type FormField struct {
	Ref   string `json:"ref"`            // element, from a snapshot
	Type  string `json:"type,omitzero"`  // text, checkbox or radio; by default text
	Value any    `json:"value,omitzero"` // what to fill in: a text, a number, true or false; secret:NAME stands for a secret
}

// DifferingField describes a value of [FillResult.Differ].
type DifferingField struct {
	Ref   string `json:"ref"`           // the field
	Value string `json:"value"`         // what the field holds now; empty for a secret
	Note  string `json:"note,omitzero"` // a note that the field does not hold the exact secret
}

// Outcome describes a value of [BatchResult.Results].
type Outcome struct {
	OK                  bool             `json:"ok"`                           // the action was done
	Skipped             bool             `json:"skipped,omitzero"`             // the action was left out because of a navigation, although a later one was done
	Kind                string           `json:"kind,omitzero"`                // kind of the action; absent if it has no result
	Error               string           `json:"error,omitzero"`               // why the action failed
	Code                Code             `json:"code,omitzero"`                // code of the error
	Hint                string           `json:"hint,omitzero"`                // what to do next
	Details             map[string]any   `json:"details,omitzero"`             // details of the error
	Sent                bool             `json:"sent,omitzero"`                // the action's input was sent to the page, but the page may not have handled it
	Navigated           bool             `json:"navigated,omitzero"`           // the page has navigated during the action
	URL                 string           `json:"url,omitzero"`                 // address that the page has navigated to
	Result              json.RawMessage  `json:"result,omitzero"`              // value of the script
	Truncated           bool             `json:"truncated,omitzero"`           // a text of this result was cut
	Results             json.RawMessage  `json:"results,omitzero"`             // for a batch in the batch: the result of each of its actions
	Aborted             *Aborted         `json:"aborted,omitzero"`             // for a batch in the batch: why it stopped before its end
	Ignored             []string         `json:"ignored,omitzero"`             // fields that the action does not know
	Note                string           `json:"note,omitzero"`                // why the click may not have done what was wanted: the page changed after the press, so that no click came, the mouse alone had opened the element, the element had another name than in the last snapshot, or a script of the page failed meanwhile
	Value               *string          `json:"value,omitzero"`               // what the field holds now, if that is not the text; absent: the field holds the text
	ScrollTop           *int             `json:"scrollTop,omitzero"`           // pixels above the visible part of the box that was scrolled; if nothing moved, of the nearest box that can scroll
	ScrollHeight        *int             `json:"scrollHeight,omitzero"`        // height of all content of that box, in pixels
	ClientHeight        *int             `json:"clientHeight,omitzero"`        // height of the visible part, in pixels
	ScrollLeft          *int             `json:"scrollLeft,omitzero"`          // pixels to the left of the visible part, after a scroll to the left or right
	ScrollWidth         *int             `json:"scrollWidth,omitzero"`         // width of all content of that box, in pixels
	ClientWidth         *int             `json:"clientWidth,omitzero"`         // width of the visible part, in pixels
	AtEnd               *bool            `json:"atEnd,omitzero"`               // the box cannot be scrolled further in this direction
	InsteadRef          string           `json:"insteadRef,omitzero"`          // ref of the box that was scrolled instead, because the element has gone; an earlier scroll over the element had moved this box
	HandledByPage       bool             `json:"handledByPage,omitzero"`       // the page handled the wheel itself, as maps do; what it did is not known
	At                  string           `json:"at,omitzero"`                  // where the element was dropped, if not on another one: a point of the viewport, or a distance
	Files               int              `json:"files,omitzero"`               // how many files were dropped
	DropEffect          string           `json:"dropEffect,omitzero"`          // what the page does with the dropped files: copy, move or link
	Filled              int              `json:"filled,omitzero"`              // how many fields were filled
	Differ              []DifferingField `json:"differ,omitzero"`              // fields that do not hold the given value, because the page changed it
	Account             string           `json:"account,omitzero"`             // name of the account
	Entered             []string         `json:"entered,omitzero"`             // what was entered, in order: username, password, one-time code
	Asks                string           `json:"asks,omitzero"`                // what the page still asks for after the form was sent; then the login has failed, or is not complete
	NoReturn            bool             `json:"noReturn,omitzero"`            // there is no result: the script is no expression and no function, and has no return
	Status              int              `json:"status,omitzero"`              // HTTP status of the document; absent for about:blank, a new fragment or a file
	StatusText          string           `json:"statusText,omitzero"`          // the HTTP status in words, unless it is a success: 404 Not Found
	FellBack            string           `json:"fellBack,omitzero"`            // a note that https failed, so the address was reached over http
	Download            *DownloadedFile  `json:"download,omitzero"`            // the file that the address leads to; the tab still shows the page that it showed before
	Delta               string           `json:"delta,omitzero"`               // what changed since the last snapshot, or since an earlier one of the same view if less changed: + new lines, ~ changed ones, > moved ones, then - removed ones. A removed line stands for all inside it; a line that begins with spaces names the row, card or landmark of what follows
	NoDelta             string           `json:"noDelta,omitzero"`             // why there is a snapshot in place of a delta: there is no earlier snapshot to compare with, or the document is another one
	Snapshot            string           `json:"snapshot,omitzero"`            // the page as text: what can be acted on, or the whole page if a delta was asked for
	Stats               *Stats           `json:"stats,omitzero"`               // size of the snapshot
	SnapshotUnavailable string           `json:"snapshotUnavailable,omitzero"` // why the page could not be read
	Format              string           `json:"format,omitzero"`              // ai or aria
	Refs                map[string]Ref   `json:"refs,omitzero"`                // what each ref stands for
	NoMatch             bool             `json:"noMatch,omitzero"`             // no element matches the selector
	Hidden              *Unseen          `json:"hidden,omitzero"`              // how much text was left out because a person cannot see it
	NewElements         *int             `json:"newElements,omitzero"`         // how many elements are new since the last snapshot with the same options
	Nodes               []AriaNode       `json:"nodes,omitzero"`               // nodes of the accessibility tree
	Labels              bool             `json:"labels,omitzero"`              // refs are drawn on the picture
	LabelsCount         int              `json:"labelsCount,omitzero"`         // how many refs are drawn
	LabelsSkipped       int              `json:"labelsSkipped,omitzero"`       // how many refs are not drawn: outside of the picture, or beyond the limit
	Annotations         []Annotation     `json:"annotations,omitzero"`         // each drawn ref, with its place on the picture
	MatchCount          *int             `json:"matchCount,omitzero"`          // how many lines match the query
	ImagePath           string           `json:"imagePath,omitzero"`           // picture with the refs drawn on it
	ImageType           string           `json:"imageType,omitzero"`           // png or jpeg
	Matches             []FoundLine      `json:"matches,omitzero"`             // the lines, the best first
	Total               int              `json:"total,omitzero"`               // how many lines match or follow
	Unread              string           `json:"unread,omitzero"`              // why a part of the page was not searched
	NearNothing         bool             `json:"nearNothing,omitzero"`         // the words of near are nowhere on the page, so the matches are in the order of the page
	Met                 bool             `json:"met,omitzero"`                 // the page is as expected
	Line                string           `json:"line,omitzero"`                // what was found: a line of the snapshot, with its ref, or the address; absent if the page is not as expected
	Instead             string           `json:"instead,omitzero"`             // what is there instead: the closest line, the value, the address, the count, or what was not read
	Path                string           `json:"path,omitzero"`                // where the picture was saved
	Unchanged           bool             `json:"unchanged,omitzero"`           // the page looks the same as in the earlier picture at path; no new picture was saved
	Scale               float64          `json:"scale,omitzero"`               // how many pixels the picture has for each CSS pixel; 1 when left out
	PartOf              *Extent          `json:"partOf,omitzero"`              // size of the page or element, if the picture shows only its top left part
	Changed             float64          `json:"changed,omitzero"`             // share of the pixels that differ, 0 to 1
	Boxes               []DiffBox        `json:"boxes,omitzero"`               // places where pixels differ, from top to bottom, at most 20
}

// Aborted describes a value of [BatchResult.Aborted].
type Aborted struct {
	Reason      string `json:"reason"`      // navigation: refs are stale now; closed: the tab has gone; dialog: a dialog is open and must be answered first
	AfterAction int    `json:"afterAction"` // number of the action after which the batch stopped, from 1; later actions that only read, or release a key or button, were still done
	URL         string `json:"url"`         // where the page is now
	Skipped     int    `json:"skipped"`     // how many actions were not done
}

// Geoposition describes a value of [InForce.Geolocation].
type Geoposition struct {
	Latitude  float64  `json:"latitude"`         // degrees north
	Longitude float64  `json:"longitude"`        // degrees east
	Accuracy  float64  `json:"accuracy"`         // accuracy of the position, in metres
	Origins   []string `json:"origins,omitzero"` // origins whose pages may ask for the position; * is all
}

// MediaSet describes a value of [InForce.Media].
type MediaSet struct {
	ColorScheme   string `json:"colorScheme,omitzero"`   // prefers-color-scheme
	Media         string `json:"media,omitzero"`         // media type
	ReducedMotion string `json:"reducedMotion,omitzero"` // prefers-reduced-motion
	Contrast      string `json:"contrast,omitzero"`      // prefers-contrast
	ForcedColors  string `json:"forcedColors,omitzero"`  // forced-colors
}

// OriginHeaders describes a value of [InForce.Headers].
type OriginHeaders struct {
	Origin  string             `json:"origin"`  // the origin; *: all origins; first, or first:SESSION: the origin that the session opens next
	Headers map[string]*string `json:"headers"` // the headers
}

// OriginLogin describes a value of [InForce.Credentials].
type OriginLogin struct {
	Origin   string `json:"origin"`   // the origin; *: all origins; first, or first:SESSION: the origin that the session opens next
	Username string `json:"username"` // user name
}

// RouteInfo describes a value of [RouteList.Routes].
type RouteInfo struct {
	ID        string             `json:"id"`                 // id of the route
	URL       string             `json:"url,omitzero"`       // pattern for addresses
	Types     []string           `json:"types,omitzero"`     // types of requests
	Abort     string             `json:"abort,omitzero"`     // why the requests fail
	Fulfill   *Fulfilled         `json:"fulfill,omitzero"`   // what the requests are answered with
	Headers   map[string]*string `json:"headers,omitzero"`   // headers that the requests get; null removes one
	DelayMs   int64              `json:"delayMs,omitzero"`   // milliseconds before the request is answered, failed or sent
	TimesLeft int                `json:"timesLeft,omitzero"` // how many more requests the route is for; absent: for all
	Does      string             `json:"does"`               // what the route does, in words
}

// Fulfillment describes a value of [RouteRequest.Fulfill].
type Fulfillment struct {
	Status      int            `json:"status,omitzero"`      // HTTP status; 200 by default
	Headers     map[string]any `json:"headers,omitzero"`     // headers by name
	ContentType string         `json:"contentType,omitzero"` // type of the body
	Body        *string        `json:"body,omitzero"`        // body as text
	JSON        any            `json:"json,omitzero"`        // body as JSON
	Base64      []uint8        `json:"base64,omitzero"`      // body in base64
	Path        string         `json:"path,omitzero"`        // file with the body: a file in the uploads folder, or what POST /files has answered
}

// Fulfilled describes a value of [RouteResult.Fulfill].
type Fulfilled struct {
	Status  int               `json:"status"`           // HTTP status
	Headers map[string]string `json:"headers,omitzero"` // headers of the answer
	Bytes   int               `json:"bytes"`            // size of the body in bytes
}

// Cookie describes a value of [CookieList.Cookies].
type Cookie struct {
	Name                   string  `json:"name"`
	Value                  string  `json:"value"`
	Domain                 string  `json:"domain"`
	Path                   string  `json:"path"`
	Expires                float64 `json:"expires"`
	HTTPOnly               bool    `json:"httpOnly"`
	Secure                 bool    `json:"secure"`
	SameSite               string  `json:"sameSite"`
	PartitionKey           string  `json:"partitionKey,omitzero"`
	CrHasCrossSiteAncestor *bool   `json:"_crHasCrossSiteAncestor,omitzero"`
}

// NewCookie describes a value of [CookiesSetRequest.Cookie].
type NewCookie struct {
	Name                   string   `json:"name,omitzero"`                    // name of the cookie
	Value                  *string  `json:"value,omitzero"`                   // value of the cookie
	URL                    string   `json:"url,omitzero"`                     // an address that gets the cookie, in place of domain and path
	Domain                 string   `json:"domain,omitzero"`                  // host that gets the cookie; with a dot before it, also the hosts below it
	Path                   string   `json:"path,omitzero"`                    // beginning of the paths that get the cookie
	Expires                *float64 `json:"expires,omitzero"`                 // when the cookie expires, in seconds since 1970; when left out, with the browser
	HTTPOnly               bool     `json:"httpOnly,omitzero"`                // scripts of pages cannot read the cookie
	Secure                 *bool    `json:"secure,omitzero"`                  // the cookie is sent over https only; when left out, true if the url is https
	SameSite               string   `json:"sameSite,omitzero"`                // whether requests from other sites send the cookie; one of Strict, Lax, None
	PartitionKey           string   `json:"partitionKey,omitzero"`            // for a partitioned cookie: the tab must show this site, or the cookie is not sent
	CrHasCrossSiteAncestor *bool    `json:"_crHasCrossSiteAncestor,omitzero"` // for a partitioned cookie: the cookie was set in a frame inside a page of another site
}

// Origin describes a value of [SavedState.Origins].
type Origin struct {
	Origin       string        `json:"origin"`
	LocalStorage []StorageItem `json:"localStorage"`
	IndexedDB    []Database    `json:"indexedDB,omitzero"`
}

// Session describes a value of [SavedState.SessionStorage].
type Session struct {
	Origin string        `json:"origin"`
	Items  []StorageItem `json:"items"`
}

// GraphicsDevice describes a value of [GraphicsInfo.Devices].
type GraphicsDevice struct {
	VendorID      int    `json:"vendorId"`
	DeviceID      int    `json:"deviceId"`
	Vendor        string `json:"vendor"`
	Device        string `json:"device"`
	DriverVendor  string `json:"driverVendor"`
	DriverVersion string `json:"driverVersion"`
}

// GraphicsFeature describes a value of [GraphicsInfo.DisabledFeatures].
type GraphicsFeature struct {
	Feature string `json:"feature"`
	Status  string `json:"status"`
}

// WallWay describes a value of [WallReport.Ways].
type WallWay struct {
	Name   string `json:"name"`   // id of the way
	Way    string `json:"way"`    // description of the way
	Status string `json:"status"` // ok: the page did not reach the server; reached: it did, so the policy does not hold; shut: this way fails in a browser with a proxy, whatever the address; untried: this way did not even reach an allowed address in this browser
}

// NodeLoad describes a value of [NodeInfo.Load].
type NodeLoad struct {
	Calls int `json:"calls"` // calls in progress
	Slots int `json:"slots"` // how many calls the node runs at once
}

// DialogLists describes a value of [BrowserState.Dialogs].
type DialogLists struct {
	Pending   []DialogInfo `json:"pending"`            // dialogs that wait for an answer
	Recent    []DialogInfo `json:"recent"`             // the last dialogs that were closed; in the answer of an act, only those that were closed meanwhile
	Dismissed int          `json:"dismissed,omitzero"` // how many more were dismissed at once, because a document had opened more than 20 within 10 seconds
}

// PersonChanges describes a value of [PersonWas.Changes].
type PersonChanges struct {
	From string `json:"from,omitzero"` // address of the tab at the takeover; absent if the person has not changed it
	To   string `json:"to,omitzero"`   // address of the tab when it was given back; absent if the person has not changed it
	Refs string `json:"refs"`          // what to do about refs, which may be stale
}

// Box describes a value of [Annotation.Box].
type Box struct {
	X      float64 `json:"x"`      // pixels from the left
	Y      float64 `json:"y"`      // pixels from the top
	Width  float64 `json:"width"`  // width in pixels
	Height float64 `json:"height"` // height in pixels
}

// Item describes a value of [ContentData.Microdata].
type Item struct {
	Type       string           `json:"type,omitzero"`
	ID         string           `json:"id,omitzero"`
	Properties map[string][]any `json:"properties"`
}

// Table describes a value of [ContentData.Tables].
type Table struct {
	Caption string     `json:"caption,omitzero"`
	Header  []string   `json:"header,omitzero"`
	Rows    [][]string `json:"rows"`
	Cut     bool       `json:"cut,omitzero"`
}

// Location describes a value of [ConsoleMessage.Location].
type Location struct {
	URL          string `json:"url"`          // address of the script or document
	Line         int    `json:"line"`         // line, from 0
	Column       int    `json:"column"`       // column, from 0
	LineNumber   int    `json:"lineNumber"`   // same as line
	ColumnNumber int    `json:"columnNumber"` // same as column
}

// Socket describes a value of [ListedRequest.WebSocket].
type Socket struct {
	FramesSent     int  `json:"framesSent"`     // how many frames the page has sent
	FramesReceived int  `json:"framesReceived"` // how many frames the page has received
	Closed         bool `json:"closed"`         // the WebSocket is closed
}

// Header describes a value of [RequestDetail.RequestHeaders].
type Header struct {
	Name  string `json:"name"`  // name of the header
	Value string `json:"value"` // value of the header
}

// Initiator describes a value of [RequestDetail.Initiator].
type Initiator struct {
	Type       string   `json:"type"`                // parser, script, preload, preflight, other
	URL        string   `json:"url,omitzero"`        // address of the document or script that caused the request
	LineNumber int      `json:"lineNumber,omitzero"` // line of the document or script, from 0
	Stack      []string `json:"stack,omitzero"`      // functions on the stack when the request was sent, the innermost first
}

// Timing describes a value of [RequestDetail.Timing].
type Timing struct {
	QueuedMs  float64 `json:"queuedMs,omitzero"`  // waiting before the DNS lookup and the connection
	DnsMs     float64 `json:"dnsMs,omitzero"`     // looking up the name of the server (DNS)
	ConnectMs float64 `json:"connectMs,omitzero"` // connecting, TLS included
	TLSMs     float64 `json:"tlsMs,omitzero"`     // TLS handshake
	SendMs    float64 `json:"sendMs,omitzero"`    // sending the request
	WaitMs    float64 `json:"waitMs,omitzero"`    // waiting for the first byte of the answer
	ReceiveMs float64 `json:"receiveMs,omitzero"` // receiving the answer
	TotalMs   float64 `json:"totalMs,omitzero"`   // all of it, from the request to the end of the answer
}

// RecordedElement describes a value of [RecordedCall.Element].
type RecordedElement struct {
	Ref  string `json:"ref,omitzero"`  // ref of the element; absent if the call was on the element with the focus
	Role string `json:"role,omitzero"` // role of the element
	Name string `json:"name,omitzero"` // name of the element
	Box  *Box   `json:"box,omitzero"`  // where the element was in the viewport, in CSS pixels
}

// StorageItem describes a value of [Origin.LocalStorage].
type StorageItem struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Database describes a value of [Origin.IndexedDB].
type Database struct {
	Name    string  `json:"name"`
	Version float64 `json:"version"`
	Stores  []Store `json:"stores"`
}

// Store describes a value of [Database.Stores].
type Store struct {
	Name          string            `json:"name"`
	AutoIncrement bool              `json:"autoIncrement"`
	KeyPath       string            `json:"keyPath,omitzero"`
	KeyPathArray  []string          `json:"keyPathArray,omitzero"`
	Records       []json.RawMessage `json:"records"`
	Indexes       []Index           `json:"indexes"`
}

// Index describes a value of [Store.Indexes].
type Index struct {
	Name         string   `json:"name"`
	KeyPath      string   `json:"keyPath,omitzero"`
	KeyPathArray []string `json:"keyPathArray,omitzero"`
	MultiEntry   bool     `json:"multiEntry"`
	Unique       bool     `json:"unique"`
}
