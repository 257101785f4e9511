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
	Enabled                bool          `json:"enabled"`                    // browsers may be driven at all
	Profile                string        `json:"profile"`                    // name of the profile
	Driver                 string        `json:"driver"`                     // kind of the profile: existing-session, extension, or openclaw, which is the name that clients know for a browser that chela starts or connects to
	Transport              string        `json:"transport"`                  // how chela drives the browser: cdp, chrome-mcp, extension
	Running                bool          `json:"running"`                    // the browser runs and answers
	Connected              *bool         `json:"connected,omitzero"`         // for a browser that chela does not start: chela is connected to it; false: it connects with the next call that needs the browser
	CDPReady               bool          `json:"cdpReady"`                   // the browser answers the DevTools protocol
	CDPHTTP                bool          `json:"cdpHttp"`                    // its debugging port is open: for other programs, or because the browser has no pipe
	PageReady              bool          `json:"pageReady"`                  // the browser has a tab
	PID                    *int          `json:"pid"`                        // process id of the browser
	CDPPort                *int          `json:"cdpPort"`                    // debugging port, if it has one; see cdpHttp
	CDPURL                 string        `json:"cdpUrl"`                     // address of the debugging port, if it is open, or of a browser that chela connects to
	ChosenBrowser          string        `json:"chosenBrowser"`              // kind of the running browser: chrome, brave, edge, chromium, canary, custom
	DetectedBrowser        string        `json:"detectedBrowser"`            // kind of the browser found on this machine
	DetectedExecutablePath string        `json:"detectedExecutablePath"`     // path of the program of detectedBrowser
	DetectError            string        `json:"detectError"`                // why no browser was found
	UserDataDir            string        `json:"userDataDir"`                // directory of the profile's data
	Color                  string        `json:"color"`                      // color of the profile
	Headless               bool          `json:"headless"`                   // the browser runs without windows, or would be started so
	HeadlessSource         string        `json:"headlessSource"`             // what decided headless: request, env, profile, config, linux-display-fallback, default
	NoSandbox              bool          `json:"noSandbox"`                  // pages run without Chromium's sandbox
	NoSandboxReason        string        `json:"noSandboxReason,omitzero"`   // why pages run without the sandbox
	ExecutablePath         string        `json:"executablePath"`             // program named in the configuration
	AttachOnly             bool          `json:"attachOnly"`                 // the browser is never started by chela
	Notice                 string        `json:"notice,omitzero"`            // a note that chela connects to a browser of another program at cdpUrl, and starts none
	Graphics               *GraphicsInfo `json:"graphics"`                   // the graphics that pages are drawn with; known once the doctor has looked at the running browser
	ExposeCDP              bool          `json:"exposeCdp,omitzero"`         // the debugging port is opened: each program of this machine can drive the browser
	IgnoreHTTPSErrors      bool          `json:"ignoreHTTPSErrors,omitzero"` // pages load though their certificates are not valid
	Egress                 string        `json:"egress"`                     // how far the network policy holds: enforced, best-effort (behind another proxy, or requests of a browser that chela has not started), unenforced (a browser that chela does not drive)
	ConfigOutdated         string        `json:"configOutdated,omitzero"`    // why the configuration file cannot be used; the settings it had before stay in force
	NotInEffect            []string      `json:"notInEffect,omitzero"`       // settings of the configuration file that have no effect
	Weakened               []string      `json:"weakened,omitzero"`          // settings in force that weaken what docs/security.md promises
	Unrecorded             string        `json:"unrecorded,omitzero"`        // why the recorder has dropped its oldest calls, since the last status; the disk is full, for example
	Restored               *Restoration  `json:"restored,omitzero"`          // what this server took over from the one before it, which was killed; only in the first answers
	Ignored                []string      `json:"ignored,omitzero"`           // names of the given parameters that had no effect
}

// Start runs the operation start. Start the browser.
func (c *Client) Start(ctx context.Context, r StartRequest) (*StartResult, error) {
	return call[StartResult](ctx, c, r, "POST /start")
}

// StartRequest has the parameters of [Client.Start].
type StartRequest struct {
	Profile   string `json:"profile,omitzero"`   // browser profile; the default one when left out
	TimeoutMs int    `json:"timeoutMs,omitzero"` // deadline in milliseconds
	Headless  *bool  `json:"headless,omitzero"`  // true: run without windows; false: with windows; when left out, as the configuration says
}

// StartResult is the answer of [Client.Start].
type StartResult struct {
	OK                     bool          `json:"ok"`                         // always true
	Enabled                bool          `json:"enabled"`                    // browsers may be driven at all
	Profile                string        `json:"profile"`                    // name of the profile
	Driver                 string        `json:"driver"`                     // kind of the profile: existing-session, extension, or openclaw, which is the name that clients know for a browser that chela starts or connects to
	Transport              string        `json:"transport"`                  // how chela drives the browser: cdp, chrome-mcp, extension
	Running                bool          `json:"running"`                    // the browser runs and answers
	Connected              *bool         `json:"connected,omitzero"`         // for a browser that chela does not start: chela is connected to it; false: it connects with the next call that needs the browser
	CDPReady               bool          `json:"cdpReady"`                   // the browser answers the DevTools protocol
	CDPHTTP                bool          `json:"cdpHttp"`                    // its debugging port is open: for other programs, or because the browser has no pipe
	PageReady              bool          `json:"pageReady"`                  // the browser has a tab
	PID                    *int          `json:"pid"`                        // process id of the browser
	CDPPort                *int          `json:"cdpPort"`                    // debugging port, if it has one; see cdpHttp
	CDPURL                 string        `json:"cdpUrl"`                     // address of the debugging port, if it is open, or of a browser that chela connects to
	ChosenBrowser          string        `json:"chosenBrowser"`              // kind of the running browser: chrome, brave, edge, chromium, canary, custom
	DetectedBrowser        string        `json:"detectedBrowser"`            // kind of the browser found on this machine
	DetectedExecutablePath string        `json:"detectedExecutablePath"`     // path of the program of detectedBrowser
	DetectError            string        `json:"detectError"`                // why no browser was found
	UserDataDir            string        `json:"userDataDir"`                // directory of the profile's data
	Color                  string        `json:"color"`                      // color of the profile
	Headless               bool          `json:"headless"`                   // the browser runs without windows, or would be started so
	HeadlessSource         string        `json:"headlessSource"`             // what decided headless: request, env, profile, config, linux-display-fallback, default
	NoSandbox              bool          `json:"noSandbox"`                  // pages run without Chromium's sandbox
	NoSandboxReason        string        `json:"noSandboxReason,omitzero"`   // why pages run without the sandbox
	ExecutablePath         string        `json:"executablePath"`             // program named in the configuration
	AttachOnly             bool          `json:"attachOnly"`                 // the browser is never started by chela
	Notice                 string        `json:"notice,omitzero"`            // a note that chela connects to a browser of another program at cdpUrl, and starts none
	Graphics               *GraphicsInfo `json:"graphics"`                   // the graphics that pages are drawn with; known once the doctor has looked at the running browser
	ExposeCDP              bool          `json:"exposeCdp,omitzero"`         // the debugging port is opened: each program of this machine can drive the browser
	IgnoreHTTPSErrors      bool          `json:"ignoreHTTPSErrors,omitzero"` // pages load though their certificates are not valid
	Egress                 string        `json:"egress"`                     // how far the network policy holds: enforced, best-effort (behind another proxy, or requests of a browser that chela has not started), unenforced (a browser that chela does not drive)
	ConfigOutdated         string        `json:"configOutdated,omitzero"`    // why the configuration file cannot be used; the settings it had before stay in force
	NotInEffect            []string      `json:"notInEffect,omitzero"`       // settings of the configuration file that have no effect
	Weakened               []string      `json:"weakened,omitzero"`          // settings in force that weaken what docs/security.md promises
	Unrecorded             string        `json:"unrecorded,omitzero"`        // why the recorder has dropped its oldest calls, since the last status; the disk is full, for example
	Restored               *Restoration  `json:"restored,omitzero"`          // what this server took over from the one before it, which was killed; only in the first answers
	Ignored                []string      `json:"ignored,omitzero"`           // names of the given parameters that had no effect
}

// Stop runs the operation stop. Stop the browser. Its tabs close; its cookies are kept, session
// cookies too unless they are to be forgotten.
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
	Stopped                bool          `json:"stopped"`                    // the browser ran until now
	Enabled                bool          `json:"enabled"`                    // browsers may be driven at all
	Profile                string        `json:"profile"`                    // name of the profile
	Driver                 string        `json:"driver"`                     // kind of the profile: existing-session, extension, or openclaw, which is the name that clients know for a browser that chela starts or connects to
	Transport              string        `json:"transport"`                  // how chela drives the browser: cdp, chrome-mcp, extension
	Running                bool          `json:"running"`                    // the browser runs and answers
	Connected              *bool         `json:"connected,omitzero"`         // for a browser that chela does not start: chela is connected to it; false: it connects with the next call that needs the browser
	CDPReady               bool          `json:"cdpReady"`                   // the browser answers the DevTools protocol
	CDPHTTP                bool          `json:"cdpHttp"`                    // its debugging port is open: for other programs, or because the browser has no pipe
	PageReady              bool          `json:"pageReady"`                  // the browser has a tab
	PID                    *int          `json:"pid"`                        // process id of the browser
	CDPPort                *int          `json:"cdpPort"`                    // debugging port, if it has one; see cdpHttp
	CDPURL                 string        `json:"cdpUrl"`                     // address of the debugging port, if it is open, or of a browser that chela connects to
	ChosenBrowser          string        `json:"chosenBrowser"`              // kind of the running browser: chrome, brave, edge, chromium, canary, custom
	DetectedBrowser        string        `json:"detectedBrowser"`            // kind of the browser found on this machine
	DetectedExecutablePath string        `json:"detectedExecutablePath"`     // path of the program of detectedBrowser
	DetectError            string        `json:"detectError"`                // why no browser was found
	UserDataDir            string        `json:"userDataDir"`                // directory of the profile's data
	Color                  string        `json:"color"`                      // color of the profile
	Headless               bool          `json:"headless"`                   // the browser runs without windows, or would be started so
	HeadlessSource         string        `json:"headlessSource"`             // what decided headless: request, env, profile, config, linux-display-fallback, default
	NoSandbox              bool          `json:"noSandbox"`                  // pages run without Chromium's sandbox
	NoSandboxReason        string        `json:"noSandboxReason,omitzero"`   // why pages run without the sandbox
	ExecutablePath         string        `json:"executablePath"`             // program named in the configuration
	AttachOnly             bool          `json:"attachOnly"`                 // the browser is never started by chela
	Notice                 string        `json:"notice,omitzero"`            // a note that chela connects to a browser of another program at cdpUrl, and starts none
	Graphics               *GraphicsInfo `json:"graphics"`                   // the graphics that pages are drawn with; known once the doctor has looked at the running browser
	ExposeCDP              bool          `json:"exposeCdp,omitzero"`         // the debugging port is opened: each program of this machine can drive the browser
	IgnoreHTTPSErrors      bool          `json:"ignoreHTTPSErrors,omitzero"` // pages load though their certificates are not valid
	Egress                 string        `json:"egress"`                     // how far the network policy holds: enforced, best-effort (behind another proxy, or requests of a browser that chela has not started), unenforced (a browser that chela does not drive)
	ConfigOutdated         string        `json:"configOutdated,omitzero"`    // why the configuration file cannot be used; the settings it had before stay in force
	NotInEffect            []string      `json:"notInEffect,omitzero"`       // settings of the configuration file that have no effect
	Weakened               []string      `json:"weakened,omitzero"`          // settings in force that weaken what docs/security.md promises
	Unrecorded             string        `json:"unrecorded,omitzero"`        // why the recorder has dropped its oldest calls, since the last status; the disk is full, for example
	Restored               *Restoration  `json:"restored,omitzero"`          // what this server took over from the one before it, which was killed; only in the first answers
	Ignored                []string      `json:"ignored,omitzero"`           // names of the given parameters that had no effect
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
	Ignored  []string      `json:"ignored,omitzero"` // names of the given parameters that had no effect
}

// ProfilesCreate runs the operation profiles create. Make a profile: a browser with logins, tabs
// and a color of its own.
func (c *Client) ProfilesCreate(ctx context.Context, r ProfilesCreateRequest) (*CreateResult, error) {
	return call[CreateResult](ctx, c, r, "POST /profiles/create")
}

// ProfilesCreateRequest has the parameters of [Client.ProfilesCreate].
type ProfilesCreateRequest struct {
	Name        string `json:"name"`                 // name of the profile: lowercase letters, numbers and hyphens
	Color       string `json:"color,omitzero"`       // color of the frame of its windows, as #RRGGBB; when left out, one that no other profile has
	CDPURL      string `json:"cdpUrl,omitzero"`      // DevTools endpoint of a browser that runs already: http, https, ws or wss
	UserDataDir string `json:"userDataDir,omitzero"` // user data directory of a Chrome that you have started, for the driver existing-session
	Driver      string `json:"driver,omitzero"`      // chela: its browser is started by chela; existing-session: it is your own Chrome; one of chela, openclaw, clawd, existing-session
}

// CreateResult is the answer of [Client.ProfilesCreate].
type CreateResult struct {
	OK          bool     `json:"ok"`               // always true
	Profile     string   `json:"profile"`          // name of the profile
	Transport   string   `json:"transport"`        // how chela drives its browser: cdp, chrome-mcp or extension
	CDPPort     *int     `json:"cdpPort"`          // its debugging port, if it has one; it is open only with exposeCdp
	CDPURL      string   `json:"cdpUrl"`           // address of the debugging port or of a browser on another machine
	UserDataDir string   `json:"userDataDir"`      // user data directory, for the driver existing-session
	Color       string   `json:"color"`            // color of the frame of its windows
	IsRemote    bool     `json:"isRemote"`         // its browser is on another machine
	ConfigFile  string   `json:"configFile"`       // file in which the profile is kept
	Note        string   `json:"note,omitzero"`    // why the profile is not kept in the configuration file
	Ignored     []string `json:"ignored,omitzero"` // names of the given parameters that had no effect
}

// ProfilesDelete runs the operation profiles delete. Stop a profile's browser, and move the
// profile's data to the trash.
func (c *Client) ProfilesDelete(ctx context.Context, r ProfilesDeleteRequest) (*DeleteResult, error) {
	return call[DeleteResult](ctx, c, r, "DELETE /profiles/{name}")
}

// ProfilesDeleteRequest has the parameters of [Client.ProfilesDelete].
type ProfilesDeleteRequest struct {
	Name      string `json:"name"`               // name of the profile
	TimeoutMs int    `json:"timeoutMs,omitzero"` // deadline in milliseconds
}

// DeleteResult is the answer of [Client.ProfilesDelete].
type DeleteResult struct {
	OK      bool     `json:"ok"`               // always true
	Profile string   `json:"profile"`          // name of the profile
	Deleted bool     `json:"deleted"`          // the profile had data: they are in the trash of the state directory, which keeps the newest ten
	Ignored []string `json:"ignored,omitzero"` // names of the given parameters that had no effect
}

// ResetProfile runs the operation reset-profile. Stop a profile's browser and move its data to the
// trash: logins, cookies, settings.
func (c *Client) ResetProfile(ctx context.Context, r ResetProfileRequest) (*ResetResult, error) {
	return call[ResetResult](ctx, c, r, "POST /reset-profile")
}

// ResetProfileRequest has the parameters of [Client.ResetProfile].
type ResetProfileRequest struct {
	Profile   string `json:"profile,omitzero"`   // browser profile; the default one when left out
	TimeoutMs int    `json:"timeoutMs,omitzero"` // deadline in milliseconds
}

// ResetResult is the answer of [Client.ResetProfile].
type ResetResult struct {
	OK      bool     `json:"ok"`               // always true
	Profile string   `json:"profile"`          // name of the profile
	Moved   bool     `json:"moved"`            // there were data, and they were moved
	From    string   `json:"from"`             // folder that had the data
	To      string   `json:"to,omitzero"`      // folder in the trash that has the data now; the trash keeps the newest ten
	Ignored []string `json:"ignored,omitzero"` // names of the given parameters that had no effect
}

// Doctor runs the operation doctor. Check that this machine has all that a browser needs.
func (c *Client) Doctor(ctx context.Context, r DoctorRequest) (*Report, error) {
	return call[Report](ctx, c, r, "GET /doctor")
}

// DoctorRequest has the parameters of [Client.Doctor].
type DoctorRequest struct {
	Profile   string `json:"profile,omitzero"`   // browser profile; the default one when left out
	TimeoutMs int    `json:"timeoutMs,omitzero"` // deadline in milliseconds
	Deep      bool   `json:"deep,omitzero"`      // also start the browser and read a page, and ask the models that describe pictures
	Wall      bool   `json:"wall,omitzero"`      // also have a page try every way past the network policy, in a browser of its own
	Fix       bool   `json:"fix,omitzero"`       // repair what can be repaired: install a browser, end one that was left on the profile's data, keep other users from secrets
}

// Report is the answer of [Client.Doctor].
type Report struct {
	OK        bool          `json:"ok"`               // nothing failed
	Profile   string        `json:"profile"`          // name of the profile
	Transport string        `json:"transport"`        // how chela drives its browser: cdp, chrome-mcp or extension
	Checks    []Check       `json:"checks"`           // the results of the checks
	Fixed     []string      `json:"fixed,omitzero"`   // checks whose fault was repaired
	Wall      *WallReport   `json:"wall,omitzero"`    // result of trying to get past the network policy
	Status    BrowserStatus `json:"status"`           // status of the browser
	Ignored   []string      `json:"ignored,omitzero"` // names of the given parameters that had no effect
}

// Fleet runs the operation fleet. List the nodes of the fleet: other machines whose browsers calls
// can use.
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
	Nodes     []NodeInfo `json:"nodes"`            // nodes that have reported in the last 2 seconds, sorted by name
	Ignored   []string   `json:"ignored,omitzero"` // names of the given parameters that had no effect
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
	Ignored []string `json:"ignored,omitzero"` // names of the given parameters that had no effect
}

// Tabs runs the operation tabs. List the open tabs.
func (c *Client) Tabs(ctx context.Context, r TabsRequest) (*TabList, error) {
	return call[TabList](ctx, c, r, "GET /tabs")
}

// TabsRequest has the parameters of [Client.Tabs].
type TabsRequest struct {
	Profile   string `json:"profile,omitzero"`   // browser profile; the default one when left out
	TimeoutMs int    `json:"timeoutMs,omitzero"` // deadline in milliseconds
}

// TabList is the answer of [Client.Tabs].
type TabList struct {
	Running  bool         `json:"running"`           // the browser runs
	Tabs     []TabInfo    `json:"tabs"`              // the tabs, the most recently used first; tabs of other sessions come after those of the call's session
	Restored *Restoration `json:"restored,omitzero"` // what this server took over from the one before it, which was killed; only in the first answers
	Ignored  []string     `json:"ignored,omitzero"`  // names of the given parameters that had no effect
}

// Open runs the operation open. Open a URL in a new tab.
func (c *Client) Open(ctx context.Context, r OpenRequest) (*OpenResult, error) {
	return call[OpenResult](ctx, c, r, "POST /tabs/open")
}

// OpenRequest has the parameters of [Client.Open].
type OpenRequest struct {
	Profile    string   `json:"profile,omitzero"`    // browser profile; the default one when left out
	TimeoutMs  int      `json:"timeoutMs,omitzero"`  // deadline in milliseconds
	URL        string   `json:"url"`                 // address: http, https or about:blank
	OrHTTP     bool     `json:"orHttp,omitzero"`     // open the address over http if its server refuses https, as for an address written without a scheme
	Hidden     string   `json:"hidden,omitzero"`     // text that a person cannot see (transparent, clipped away, tiny, off-screen, in the color of what is behind it), but never a control or its label: show it, omit and count it, or mark it; one of show, omit, mark (default: show)
	Snapshot   string   `json:"snapshot,omitzero"`   // wait until the page is quiet (at most 1000 ms, or settleMs), then return what can be acted on (efficient, navigated) or what changed since the last snapshot (delta); for a new document, delta is all of it except menus and the like that read as before; one of delta, efficient, navigated, none (default: none)
	SettleMs   *int     `json:"settleMs,omitzero"`   // milliseconds to wait at most until the page is quiet
	MaxChars   *int     `json:"maxChars,omitzero"`   // characters of the snapshot; 8000 when left out
	Label      string   `json:"label,omitzero"`      // name for the tab
	AllowHosts []string `json:"allowHosts,omitzero"` // with isolated: the only hosts that tabs of the session may connect to, of those that the network policy allows; *.example.com means all below it
	Isolated   bool     `json:"isolated,omitzero"`   // give the session cookies, storage and permissions of its own, in memory only, for this tab and those that it opens later
}

// OpenResult is the answer of [Client.Open].
type OpenResult struct {
	TargetID             string            `json:"targetId"`                      // target id; changes when the browser replaces the target
	Title                string            `json:"title"`                         // title of the page
	URL                  string            `json:"url"`                           // address of the page
	WSURL                string            `json:"wsUrl,omitzero"`                // its DevTools endpoint, with exposeCdp
	URLUnavailableReason string            `json:"urlUnavailableReason,omitzero"` // why the address is not listed: navigation_blocked
	Type                 string            `json:"type"`                          // always page
	SuggestedTargetID    string            `json:"suggestedTargetId"`             // name to use for the tab in calls: its label, or else its handle
	TabID                string            `json:"tabId"`                         // handle that stays: t1
	Label                string            `json:"label,omitzero"`                // label of the tab
	Current              bool              `json:"current,omitzero"`              // in a list: the tab that calls of this session use if they name none
	Session              string            `json:"session,omitzero"`              // session that the tab belongs to
	Other                bool              `json:"other,omitzero"`                // the tab belongs to another session; this session uses it only by its id
	Unowned              bool              `json:"unowned,omitzero"`              // the tab belongs to no session: it is not known who opened it
	Users                bool              `json:"users,omitzero"`                // the tab is the user's own: the browser is not started by chela, and no call has opened the tab
	Isolated             bool              `json:"isolated,omitzero"`             // the tab shares cookies, storage and permissions only with the tabs of its session
	LeasedTo             string            `json:"leasedTo,omitzero"`             // session that has leased the tab for itself
	LeasedUntil          *time.Time        `json:"leasedUntil,omitzero"`          // when the lease ends
	Person               *TakenOver        `json:"person,omitzero"`               // a person has taken over the tab: calls that touch it wait
	Crashed              bool              `json:"crashed,omitzero"`              // its page crashed; the next call opens it again
	BlockedByDialog      bool              `json:"blockedByDialog,omitzero"`      // a dialog of the page is open and must be answered first
	BrowserState         *BrowserState     `json:"browserState,omitzero"`         // the dialogs of the page
	Status               int               `json:"status,omitzero"`               // HTTP status of the document; none for about:blank, a fragment or a file
	StatusText           string            `json:"statusText,omitzero"`           // the HTTP status in words, unless it is a success: 404 Not Found
	FellBack             string            `json:"fellBack,omitzero"`             // how the address was reached, if https was tried first and failed
	Hint                 string            `json:"hint,omitzero"`                 // what to do about the status
	Download             *DownloadedFile   `json:"download,omitzero"`             // the file that the address leads to; the tab still shows the page that it showed before
	Delta                string            `json:"delta,omitzero"`                // what changed since the last snapshot, or since this view of the page was shown before: + new lines, ~ changed ones, > moved ones, then - removed ones, each of which stands for all inside it; lines that begin with spaces name the row, card or landmark of what follows
	NoDelta              string            `json:"noDelta,omitzero"`              // why there is a snapshot in place of a delta: no earlier reading to compare, or another document
	Snapshot             string            `json:"snapshot,omitzero"`             // the page as text: what can be acted on, or all of it where a delta was asked for
	Truncated            bool              `json:"truncated,omitzero"`            // there is more than is shown
	Stats                *Stats            `json:"stats,omitzero"`                // size of the snapshot
	SnapshotUnavailable  string            `json:"snapshotUnavailable,omitzero"`  // why the page could not be read
	ResolvedProfile      string            `json:"resolvedProfile"`               // profile of the tab
	Restored             *Restoration      `json:"restored,omitzero"`             // what this server took over from the one before it, which was killed; only in the first answers
	Ignored              []string          `json:"ignored,omitzero"`              // names of the given parameters that had no effect
	FileIDs              map[string]string `json:"fileIds,omitzero"`              // for each path of a file in the answer, its id for GET /files/{id}. Over the Unix socket, only if the header X-Chela-File-Ids asks for it
}

// Focus runs the operation focus. Make a tab the current one. It comes to the front.
func (c *Client) Focus(ctx context.Context, r FocusRequest) (*OfTab, error) {
	return call[OfTab](ctx, c, r, "POST /tabs/focus")
}

// FocusRequest has the parameters of [Client.Focus].
type FocusRequest struct {
	Profile   string `json:"profile,omitzero"`   // browser profile; the default one when left out
	TimeoutMs int    `json:"timeoutMs,omitzero"` // deadline in milliseconds
	TargetID  string `json:"targetId"`           // tab: its id (t1), label, or target id
}

// OfTab is the answer of [Client.Focus], [Client.TabSelect], [Client.TabClose].
type OfTab struct {
	OK       bool     `json:"ok"`               // always true
	TargetID string   `json:"targetId"`         // target id of the tab
	Ignored  []string `json:"ignored,omitzero"` // names of the given parameters that had no effect
}

// Close runs the operation close. Close a tab, by default the current one.
func (c *Client) Close(ctx context.Context, r CloseRequest) (*CloseResult, error) {
	return call[CloseResult](ctx, c, r, "DELETE /tabs/{targetId}", "POST /act kind=close")
}

// CloseRequest has the parameters of [Client.Close].
type CloseRequest struct {
	Profile      string `json:"profile,omitzero"`      // browser profile; the default one when left out
	TargetID     string `json:"targetId,omitzero"`     // tab: its id (t1), label, or target id; the current tab when left out
	RefMode      string `json:"refMode,omitzero"`      // what refs mean after the page has replaced elements: the new elements that stand for them (carry), or only the elements they were given to (element); when left out, as the setting browser.refs says; one of carry, element
	TimeoutMs    int    `json:"timeoutMs,omitzero"`    // deadline in milliseconds
	TargetIDMode string `json:"targetIdMode,omitzero"` // raw: targetId is a complete target id
}

// CloseResult is the answer of [Client.Close].
type CloseResult struct {
	OK       bool     `json:"ok"`               // always true
	TargetID string   `json:"targetId"`         // target id of the tab
	URL      string   `json:"url"`              // address that the tab showed
	Ignored  []string `json:"ignored,omitzero"` // names of the given parameters that had no effect
}

// Tab runs the operation tab. List the open tabs.
func (c *Client) Tab(ctx context.Context, r TabRequest) (*TabListResult, error) {
	return call[TabListResult](ctx, c, r, "POST /tabs/action action=list")
}

// TabRequest has the parameters of [Client.Tab].
type TabRequest struct {
	Profile   string `json:"profile,omitzero"`   // browser profile; the default one when left out
	TimeoutMs int    `json:"timeoutMs,omitzero"` // deadline in milliseconds
}

// TabListResult is the answer of [Client.Tab].
type TabListResult struct {
	OK       bool         `json:"ok"`                // always true
	Tabs     []TabInfo    `json:"tabs"`              // the tabs, the most recently used first; tabs of other sessions come after those of the call's session
	Restored *Restoration `json:"restored,omitzero"` // what this server took over from the one before it, which was killed; only in the first answers
	Ignored  []string     `json:"ignored,omitzero"`  // names of the given parameters that had no effect
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
	Ignored []string `json:"ignored,omitzero"` // names of the given parameters that had no effect
}

// TabLabel runs the operation tab label. Name a tab.
func (c *Client) TabLabel(ctx context.Context, r TabLabelRequest) (*LabelResult, error) {
	return call[LabelResult](ctx, c, r, "POST /tabs/action action=label")
}

// TabLabelRequest has the parameters of [Client.TabLabel].
type TabLabelRequest struct {
	Profile  string `json:"profile,omitzero"` // browser profile; the default one when left out
	TargetID string `json:"targetId"`         // tab: its id (t1), label, or target id
	Label    string `json:"label"`            // name: letters, digits and _ . : -
}

// LabelResult is the answer of [Client.TabLabel].
type LabelResult struct {
	OK      bool     `json:"ok"`               // always true
	Tab     TabInfo  `json:"tab"`              // the tab
	Ignored []string `json:"ignored,omitzero"` // names of the given parameters that had no effect
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

// TabClose runs the operation tab close. Close a tab by its place in the list; the first when none
// is given.
func (c *Client) TabClose(ctx context.Context, r TabCloseRequest) (*OfTab, error) {
	return call[OfTab](ctx, c, r, "POST /tabs/action action=close")
}

// TabCloseRequest has the parameters of [Client.TabClose].
type TabCloseRequest struct {
	Profile string `json:"profile,omitzero"` // browser profile; the default one when left out
	Index   *int   `json:"index,omitzero"`   // place in the list of tabs; counted from 0, on the command line from 1
}

// Navigate runs the operation navigate. Open a URL in the tab.
func (c *Client) Navigate(ctx context.Context, r NavigateRequest) (*Destination, error) {
	return call[Destination](ctx, c, r, "POST /navigate")
}

// NavigateRequest has the parameters of [Client.Navigate].
type NavigateRequest struct {
	Profile   string `json:"profile,omitzero"`   // browser profile; the default one when left out
	TargetID  string `json:"targetId,omitzero"`  // tab: its id (t1), label, or target id; the current tab when left out
	RefMode   string `json:"refMode,omitzero"`   // what refs mean after the page has replaced elements: the new elements that stand for them (carry), or only the elements they were given to (element); when left out, as the setting browser.refs says; one of carry, element
	TimeoutMs int    `json:"timeoutMs,omitzero"` // deadline in milliseconds
	URL       string `json:"url"`                // address: http, https or about:blank
	OrHTTP    bool   `json:"orHttp,omitzero"`    // open the address over http if its server refuses https, as for an address written without a scheme
	Hidden    string `json:"hidden,omitzero"`    // text that a person cannot see (transparent, clipped away, tiny, off-screen, in the color of what is behind it), but never a control or its label: show it, omit and count it, or mark it; one of show, omit, mark (default: show)
	Snapshot  string `json:"snapshot,omitzero"`  // wait until the page is quiet (at most 1000 ms, or settleMs), then return what can be acted on (efficient, navigated) or what changed since the last snapshot (delta); for a new document, delta is all of it except menus and the like that read as before; one of delta, efficient, navigated, none (default: none)
	SettleMs  *int   `json:"settleMs,omitzero"`  // milliseconds to wait at most until the page is quiet
	MaxChars  *int   `json:"maxChars,omitzero"`  // characters of the snapshot; 8000 when left out
}

// TabAnswer has the fields that the answers of several operations have in common. Some answers have
// no others.
type TabAnswer struct {
	OK              bool              `json:"ok"`                       // always true
	TargetID        string            `json:"targetId"`                 // target id of the tab
	TabID           string            `json:"tabId"`                    // handle of the tab, such as t1; it never changes
	URL             string            `json:"url,omitzero"`             // address that the tab shows
	URLChanged      bool              `json:"urlChanged,omitzero"`      // the address is another than before the call
	BlockedByDialog bool              `json:"blockedByDialog,omitzero"` // a dialog of the page is open and must be answered first
	BrowserState    *BrowserState     `json:"browserState,omitzero"`    // the dialogs of the page
	Closed          bool              `json:"closed,omitzero"`          // the tab has closed: the page closed itself
	Recovered       bool              `json:"recovered,omitzero"`       // the tab had crashed, or its page could not be left, so its address was opened again in a new tab
	Lost            []string          `json:"lost,omitzero"`            // what the tab lost by that: refs, forms, scroll, history, sessionStorage, and cookies and armed answers that could not be kept
	Restored        *Restoration      `json:"restored,omitzero"`        // what this server took over from the one before it, which was killed; only in the first answers
	Person          *PersonWas        `json:"person,omitzero"`          // a person has had the tab since the last answer to this session
	Ignored         []string          `json:"ignored,omitzero"`         // names of the given parameters that had no effect
	FileIDs         map[string]string `json:"fileIds,omitzero"`         // for each path of a file in the answer, its id for GET /files/{id}. Over the Unix socket, only if the header X-Chela-File-Ids asks for it
}

// Destination is the answer of [Client.Navigate], [Client.Back], [Client.Forward], [Client.Reload].
type Destination struct {
	TabAnswer

	Status              int             `json:"status,omitzero"`              // HTTP status of the document; none for about:blank, a fragment or a file
	StatusText          string          `json:"statusText,omitzero"`          // the HTTP status in words, unless it is a success: 404 Not Found
	FellBack            string          `json:"fellBack,omitzero"`            // how the address was reached, if https was tried first and failed
	Hint                string          `json:"hint,omitzero"`                // what to do about the status
	Download            *DownloadedFile `json:"download,omitzero"`            // the file that the address leads to; the tab still shows the page that it showed before
	Delta               string          `json:"delta,omitzero"`               // what changed since the last snapshot, or since this view of the page was shown before: + new lines, ~ changed ones, > moved ones, then - removed ones, each of which stands for all inside it; lines that begin with spaces name the row, card or landmark of what follows
	NoDelta             string          `json:"noDelta,omitzero"`             // why there is a snapshot in place of a delta: no earlier reading to compare, or another document
	Snapshot            string          `json:"snapshot,omitzero"`            // the page as text: what can be acted on, or all of it where a delta was asked for
	Truncated           bool            `json:"truncated,omitzero"`           // there is more than is shown
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
	TargetID  string `json:"targetId,omitzero"`  // tab: its id (t1), label, or target id; the current tab when left out
	RefMode   string `json:"refMode,omitzero"`   // what refs mean after the page has replaced elements: the new elements that stand for them (carry), or only the elements they were given to (element); when left out, as the setting browser.refs says; one of carry, element
	TimeoutMs int    `json:"timeoutMs,omitzero"` // deadline in milliseconds
	Hidden    string `json:"hidden,omitzero"`    // text that a person cannot see (transparent, clipped away, tiny, off-screen, in the color of what is behind it), but never a control or its label: show it, omit and count it, or mark it; one of show, omit, mark (default: show)
	Snapshot  string `json:"snapshot,omitzero"`  // wait until the page is quiet (at most 1000 ms, or settleMs), then return what can be acted on (efficient, navigated) or what changed since the last snapshot (delta); for a new document, delta is all of it except menus and the like that read as before; one of delta, efficient, navigated, none (default: none)
	SettleMs  *int   `json:"settleMs,omitzero"`  // milliseconds to wait at most until the page is quiet
	MaxChars  *int   `json:"maxChars,omitzero"`  // characters of the snapshot; 8000 when left out
}

// Forward runs the operation forward. Go forward again.
func (c *Client) Forward(ctx context.Context, r ForwardRequest) (*Destination, error) {
	return call[Destination](ctx, c, r, "POST /forward")
}

// ForwardRequest has the parameters of [Client.Forward].
type ForwardRequest struct {
	Profile   string `json:"profile,omitzero"`   // browser profile; the default one when left out
	TargetID  string `json:"targetId,omitzero"`  // tab: its id (t1), label, or target id; the current tab when left out
	RefMode   string `json:"refMode,omitzero"`   // what refs mean after the page has replaced elements: the new elements that stand for them (carry), or only the elements they were given to (element); when left out, as the setting browser.refs says; one of carry, element
	TimeoutMs int    `json:"timeoutMs,omitzero"` // deadline in milliseconds
	Hidden    string `json:"hidden,omitzero"`    // text that a person cannot see (transparent, clipped away, tiny, off-screen, in the color of what is behind it), but never a control or its label: show it, omit and count it, or mark it; one of show, omit, mark (default: show)
	Snapshot  string `json:"snapshot,omitzero"`  // wait until the page is quiet (at most 1000 ms, or settleMs), then return what can be acted on (efficient, navigated) or what changed since the last snapshot (delta); for a new document, delta is all of it except menus and the like that read as before; one of delta, efficient, navigated, none (default: none)
	SettleMs  *int   `json:"settleMs,omitzero"`  // milliseconds to wait at most until the page is quiet
	MaxChars  *int   `json:"maxChars,omitzero"`  // characters of the snapshot; 8000 when left out
}

// Reload runs the operation reload. Load the page again.
func (c *Client) Reload(ctx context.Context, r ReloadRequest) (*Destination, error) {
	return call[Destination](ctx, c, r, "POST /reload")
}

// ReloadRequest has the parameters of [Client.Reload].
type ReloadRequest struct {
	Profile   string `json:"profile,omitzero"`   // browser profile; the default one when left out
	TargetID  string `json:"targetId,omitzero"`  // tab: its id (t1), label, or target id; the current tab when left out
	RefMode   string `json:"refMode,omitzero"`   // what refs mean after the page has replaced elements: the new elements that stand for them (carry), or only the elements they were given to (element); when left out, as the setting browser.refs says; one of carry, element
	TimeoutMs int    `json:"timeoutMs,omitzero"` // deadline in milliseconds
	Hidden    string `json:"hidden,omitzero"`    // text that a person cannot see (transparent, clipped away, tiny, off-screen, in the color of what is behind it), but never a control or its label: show it, omit and count it, or mark it; one of show, omit, mark (default: show)
	Snapshot  string `json:"snapshot,omitzero"`  // wait until the page is quiet (at most 1000 ms, or settleMs), then return what can be acted on (efficient, navigated) or what changed since the last snapshot (delta); for a new document, delta is all of it except menus and the like that read as before; one of delta, efficient, navigated, none (default: none)
	SettleMs  *int   `json:"settleMs,omitzero"`  // milliseconds to wait at most until the page is quiet
	MaxChars  *int   `json:"maxChars,omitzero"`  // characters of the snapshot; 8000 when left out
	Hard      bool   `json:"hard,omitzero"`      // load the page and all that belongs to it from the network, and nothing from the cache
}

// Sessions runs the operation sessions. List the sessions that have tabs, or use them.
func (c *Client) Sessions(ctx context.Context, r SessionsRequest) (*SessionList, error) {
	return call[SessionList](ctx, c, r, "GET /sessions")
}

// SessionsRequest has the parameters of [Client.Sessions].
type SessionsRequest struct {
}

// SessionList is the answer of [Client.Sessions].
type SessionList struct {
	Sessions []SessionInfo `json:"sessions"`         // the sessions; one that uses several profiles is listed for each
	Ignored  []string      `json:"ignored,omitzero"` // names of the given parameters that had no effect
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
	Ignored []string `json:"ignored,omitzero"` // names of the given parameters that had no effect
}

// Lease runs the operation lease. Reserve a tab for the session, for a time. Calls of other
// sessions on it are refused.
func (c *Client) Lease(ctx context.Context, r LeaseRequest) (*LeaseResult, error) {
	return call[LeaseResult](ctx, c, r, "POST /tabs/{targetId}/lease")
}

// LeaseRequest has the parameters of [Client.Lease].
type LeaseRequest struct {
	Profile  string `json:"profile,omitzero"` // browser profile; the default one when left out
	TargetID string `json:"targetId"`         // tab: its id (t1), label, or target id
	TtlMs    int    `json:"ttlMs"`            // for how many milliseconds, from now on; 0 ends the lease
}

// LeaseResult is the answer of [Client.Lease].
type LeaseResult struct {
	OK          bool       `json:"ok"`                   // always true
	TargetID    string     `json:"targetId"`             // target id of the tab
	TabID       string     `json:"tabId"`                // handle of the tab, such as t1; it never changes
	Session     string     `json:"session"`              // session that has the tab
	LeasedUntil *time.Time `json:"leasedUntil,omitzero"` // when the lease ends; absent if it has ended
	Ignored     []string   `json:"ignored,omitzero"`     // names of the given parameters that had no effect
}

// CDP runs the operation cdp. Show the address at which Playwright, Puppeteer and other programs
// can drive the tabs of the session.
func (c *Client) CDP(ctx context.Context, r CDPRequest) (*CDPResult, error) {
	return call[CDPResult](ctx, c, r, "POST /cdp")
}

// CDPRequest has the parameters of [Client.CDP].
type CDPRequest struct {
	Profile   string `json:"profile,omitzero"`   // browser profile; the default one when left out
	TimeoutMs int    `json:"timeoutMs,omitzero"` // deadline in milliseconds
	Session   string `json:"session,omitzero"`   // key of the session; the session of the call when left out
}

// CDPResult is the answer of [Client.CDP].
type CDPResult struct {
	WSURL   string   `json:"wsUrl"`            // WebSocket of the browser, as Playwright, Puppeteer and chromedp take it
	HTTPURL string   `json:"httpUrl"`          // address with /json/version and /json/list below it
	Ignored []string `json:"ignored,omitzero"` // names of the given parameters that had no effect
}

// TakeOver runs the operation takeover. Take over a tab: calls of agents that touch it wait until
// you give it back.
func (c *Client) TakeOver(ctx context.Context, r TakeOverRequest) (*TakeOverResult, error) {
	return call[TakeOverResult](ctx, c, r, "POST /takeover")
}

// TakeOverRequest has the parameters of [Client.TakeOver].
type TakeOverRequest struct {
	Profile  string `json:"profile,omitzero"`  // browser profile; the default one when left out
	TargetID string `json:"targetId,omitzero"` // tab: its id (t1), label, or target id; the current tab when left out
	RefMode  string `json:"refMode,omitzero"`  // what refs mean after the page has replaced elements: the new elements that stand for them (carry), or only the elements they were given to (element); when left out, as the setting browser.refs says; one of carry, element
	Minutes  int    `json:"minutes,omitzero"`  // minutes after which the takeover ends by itself; 15 when left out
}

// TakeOverResult is the answer of [Client.TakeOver].
type TakeOverResult struct {
	OK      bool      `json:"ok"`               // always true
	TabID   string    `json:"tabId"`            // handle of the tab
	Since   time.Time `json:"since"`            // since when the person has the tab
	Until   time.Time `json:"until"`            // when the takeover ends by itself
	Ignored []string  `json:"ignored,omitzero"` // names of the given parameters that had no effect
}

// GiveBack runs the operation giveback. Give a tab back to the agents, with a note to them.
func (c *Client) GiveBack(ctx context.Context, r GiveBackRequest) (*GiveBackResult, error) {
	return call[GiveBackResult](ctx, c, r, "POST /giveback")
}

// GiveBackRequest has the parameters of [Client.GiveBack].
type GiveBackRequest struct {
	Profile  string `json:"profile,omitzero"`  // browser profile; the default one when left out
	TargetID string `json:"targetId,omitzero"` // tab: its id (t1), label, or target id; the current tab when left out
	RefMode  string `json:"refMode,omitzero"`  // what refs mean after the page has replaced elements: the new elements that stand for them (carry), or only the elements they were given to (element); when left out, as the setting browser.refs says; one of carry, element
	Note     string `json:"note,omitzero"`     // what the agents should know, in at most 2,000 characters
}

// GiveBackResult is the answer of [Client.GiveBack].
type GiveBackResult struct {
	OK      bool     `json:"ok"`               // always true
	TabID   string   `json:"tabId"`            // handle of the tab
	Minutes float64  `json:"minutes"`          // for how many minutes the person had the tab
	Ignored []string `json:"ignored,omitzero"` // names of the given parameters that had no effect
}

// Ask runs the operation ask. Ask a person, such as to log in in a tab, and wait for the answer.
func (c *Client) Ask(ctx context.Context, r AskRequest) (*AskResult, error) {
	return call[AskResult](ctx, c, r, "POST /ask")
}

// AskRequest has the parameters of [Client.Ask].
type AskRequest struct {
	Profile   string   `json:"profile,omitzero"`   // browser profile; the default one when left out
	Message   string   `json:"message,omitzero"`   // what the person is to do or to say
	Choices   []string `json:"choices,omitzero"`   // answers to choose from, at most 12
	TargetID  string   `json:"targetId,omitzero"`  // tab that the question is about, which the person may take over
	TimeoutMs int      `json:"timeoutMs,omitzero"` // how long the question is open, in milliseconds: 1 second to 24 hours; 10 minutes when left out
	ID        string   `json:"id,omitzero"`        // id of a pending question, to ask again for its answer; without message
}

// AskResult is the answer of [Client.Ask].
type AskResult struct {
	Answered bool     `json:"answered"`         // the person has answered
	Choice   string   `json:"choice,omitzero"`  // what the person has chosen
	Note     string   `json:"note,omitzero"`    // what the person has written
	Pending  string   `json:"pending,omitzero"` // id of the question, which is still open: call again with this id
	Expired  bool     `json:"expired,omitzero"` // nobody has answered in time
	Ignored  []string `json:"ignored,omitzero"` // names of the given parameters that had no effect
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
	Ignored []string  `json:"ignored,omitzero"` // names of the given parameters that had no effect
}

// AsksAnswer runs the operation asks answer. Answer a question of an agent.
func (c *Client) AsksAnswer(ctx context.Context, r AsksAnswerRequest) (*AnswerAskResult, error) {
	return call[AnswerAskResult](ctx, c, r, "POST /asks/answer")
}

// AsksAnswerRequest has the parameters of [Client.AsksAnswer].
type AsksAnswerRequest struct {
	ID     string `json:"id"`              // id of the question
	Choice string `json:"choice,omitzero"` // one of its choices
	Note   string `json:"note,omitzero"`   // what the agent should know, in at most 2,000 characters
}

// AnswerAskResult is the answer of [Client.AsksAnswer].
type AnswerAskResult struct {
	OK      bool     `json:"ok"`               // always true
	ID      string   `json:"id"`               // id of the question
	Ignored []string `json:"ignored,omitzero"` // names of the given parameters that had no effect
}

// Secrets runs the operation secrets. List the secrets that can be entered in place of a text:
// their names and places, never their values.
func (c *Client) Secrets(ctx context.Context, r SecretsRequest) (*SecretList, error) {
	return call[SecretList](ctx, c, r, "GET /secrets")
}

// SecretsRequest has the parameters of [Client.Secrets].
type SecretsRequest struct {
}

// SecretList is the answer of [Client.Secrets].
type SecretList struct {
	Secrets []SecretInfo `json:"secrets"`          // the secrets, by their names
	Problem string       `json:"problem,omitzero"` // what is wrong with a secret of the configuration, which is not in the list
	Ignored []string     `json:"ignored,omitzero"` // names of the given parameters that had no effect
}

// SecretSet runs the operation secret set. Set a secret, with the places where it may be entered.
func (c *Client) SecretSet(ctx context.Context, r SecretSetRequest) (*SetSecretResult, error) {
	return call[SetSecretResult](ctx, c, r, "POST /secrets/set")
}

// SecretSetRequest has the parameters of [Client.SecretSet].
type SecretSetRequest struct {
	Name  string   `json:"name"`           // name of the secret: lower-case letters, digits and hyphens in parts separated by slashes, such as github/password; the first part may be the host of its site, as in github.com/password
	Value string   `json:"value,omitzero"` // value of the secret, which is required; the command asks for it, or reads it from standard input with --stdin
	For   []string `json:"for,omitzero"`   // origin of pages that it may be entered in, such as https://github.com or https://*.example.com; with a host in the name, that host when left out
	Totp  bool     `json:"totp,omitzero"`  // the value is an otpauth URL, or the key in it, and the current one-time password is entered; a name that ends in /totp means the same
	Ask   string   `json:"ask,omitzero"`   // whether a person is asked before it is used; session: once in each session; one of always, session, never (default: never)
	Store string   `json:"store,omitzero"` // where all secrets are kept, decided with the first one; when left out, the keyring of the system if it answers, else encrypted on the disk; one of keyring, file
}

// SetSecretResult is the answer of [Client.SecretSet].
type SetSecretResult struct {
	OK      bool     `json:"ok"`               // always true
	Name    string   `json:"name"`             // name of the secret
	For     []string `json:"for"`              // origins of the pages that it may be entered in
	Store   string   `json:"store"`            // where its value is kept: keyring or file
	Ignored []string `json:"ignored,omitzero"` // names of the given parameters that had no effect
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
	Ignored []string `json:"ignored,omitzero"` // names of the given parameters that had no effect
}

// SecretImport runs the operation secret import. Set the secrets of a file that a browser or
// password manager has exported.
func (c *Client) SecretImport(ctx context.Context, r SecretImportRequest) (*ImportResult, error) {
	return call[ImportResult](ctx, c, r, "POST /secrets/import")
}

// SecretImportRequest has the parameters of [Client.SecretImport].
type SecretImportRequest struct {
	Csv   string `json:"csv"`            // logins in CSV, as Chrome, Firefox, Safari, Bitwarden and 1Password export them; on the command line: the name under which they are saved, or - for standard input
	Store string `json:"store,omitzero"` // where all secrets are kept, decided with the first one; when left out, the keyring of the system if it answers, else encrypted on the disk; one of keyring, file
}

// ImportResult is the answer of [Client.SecretImport].
type ImportResult struct {
	OK      bool          `json:"ok"`               // always true
	Names   []string      `json:"names"`            // names of the secrets that were set
	Store   string        `json:"store,omitzero"`   // where their values are kept: keyring or file
	Skipped []NotImported `json:"skipped"`          // what was not imported
	Ignored []string      `json:"ignored,omitzero"` // names of the given parameters that had no effect
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
	Ignored []string  `json:"ignored,omitzero"` // names of the given parameters that had no effect
}

// ExtensionList runs the operation extension list. List the browsers that are paired with chela's
// extension.
func (c *Client) ExtensionList(ctx context.Context, r ExtensionListRequest) (*PairedBrowsers, error) {
	return call[PairedBrowsers](ctx, c, r, "GET /extension")
}

// ExtensionListRequest has the parameters of [Client.ExtensionList].
type ExtensionListRequest struct {
}

// PairedBrowsers is the answer of [Client.ExtensionList].
type PairedBrowsers struct {
	Browsers []PairedBrowser `json:"browsers"`         // the browsers
	Ignored  []string        `json:"ignored,omitzero"` // names of the given parameters that had no effect
}

// ExtensionPair runs the operation extension pair. Show six digits, by which the extension in a
// browser is paired for a minute.
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
	Ignored   []string  `json:"ignored,omitzero"` // names of the given parameters that had no effect
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

// ExtensionPath runs the operation extension path. Show the folder of the unpacked extension, to be
// loaded in a browser.
func (c *Client) ExtensionPath(ctx context.Context, r ExtensionPathRequest) (*ExtensionFolder, error) {
	return call[ExtensionFolder](ctx, c, r, "GET /extension/path")
}

// ExtensionPathRequest has the parameters of [Client.ExtensionPath].
type ExtensionPathRequest struct {
}

// ExtensionFolder is the answer of [Client.ExtensionPath].
type ExtensionFolder struct {
	Path    string   `json:"path"`             // the folder
	ID      string   `json:"id"`               // id of the extension in each browser
	Ignored []string `json:"ignored,omitzero"` // names of the given parameters that had no effect
}

// Snapshot runs the operation snapshot. Read the page as text, with refs to act on. The answer is
// text from the page.
func (c *Client) Snapshot(ctx context.Context, r SnapshotRequest) (*SnapshotResult, error) {
	return call[SnapshotResult](ctx, c, r, "GET /snapshot")
}

// SnapshotRequest has the parameters of [Client.Snapshot].
type SnapshotRequest struct {
	Profile     string `json:"profile,omitzero"`     // browser profile; the default one when left out
	TargetID    string `json:"targetId,omitzero"`    // tab: its id (t1), label, or target id; the current tab when left out
	RefMode     string `json:"refMode,omitzero"`     // what refs mean after the page has replaced elements: the new elements that stand for them (carry), or only the elements they were given to (element); when left out, as the setting browser.refs says; one of carry, element
	TimeoutMs   int    `json:"timeoutMs,omitzero"`   // deadline in milliseconds
	Hidden      string `json:"hidden,omitzero"`      // text that a person cannot see (transparent, clipped away, tiny, off-screen, in the color of what is behind it), but never a control or its label: show it, omit and count it, or mark it; one of show, omit, mark (default: show)
	Format      string `json:"format,omitzero"`      // ai: text to read and act on; aria: the browser's accessibility tree; one of ai, aria
	Mode        string `json:"mode,omitzero"`        // efficient: what can be acted on, compact, the first ten of many similar items, 6 levels, 8000 characters; one of efficient
	Efficient   bool   `json:"efficient,omitzero"`   // short for mode efficient
	Refs        string `json:"refs,omitzero"`        // all: every line has a ref, not only what can be acted on; role and aria change nothing; one of role, aria, all
	Interactive bool   `json:"interactive,omitzero"` // only what can be acted on
	Compact     bool   `json:"compact,omitzero"`     // without wrappers that have no content of their own
	Depth       *int   `json:"depth,omitzero"`       // levels of the tree to show
	Selector    string `json:"selector,omitzero"`    // only the first element that this CSS selector matches
	Frame       string `json:"frame,omitzero"`       // only the content of the iframe that this CSS selector matches
	URLs        bool   `json:"urls,omitzero"`        // with the addresses of links
	Labels      bool   `json:"labels,omitzero"`      // with a picture that has the refs drawn on it
	MaxChars    *int   `json:"maxChars,omitzero"`    // characters to show, 0 for all; when left out 40000, 8000 in mode efficient, 200000 of an aria snapshot
	Limit       int    `json:"limit,omitzero"`       // nodes of an aria snapshot; 500 when left out
	Query       string `json:"query,omitzero"`       // only the lines that have all of these words, in upper or lower case; find also puts the best first
}

// SnapshotResult is the answer of [Client.Snapshot].
type SnapshotResult struct {
	TabAnswer

	Format        string         `json:"format"`               // ai or aria
	Snapshot      string         `json:"snapshot,omitzero"`    // the page as text
	Refs          map[string]Ref `json:"refs,omitzero"`        // what each ref stands for
	Stats         *Stats         `json:"stats,omitzero"`       // size of the text
	Truncated     bool           `json:"truncated,omitzero"`   // the page has more than is shown
	Hidden        *Unseen        `json:"hidden,omitzero"`      // text that was left out because a person cannot see it
	NewElements   *int           `json:"newElements,omitzero"` // how many elements the last snapshot of this kind did not show
	Nodes         []AriaNode     `json:"nodes,omitzero"`       // nodes of the accessibility tree
	Labels        bool           `json:"labels"`               // refs are drawn on the picture
	LabelsCount   int            `json:"labelsCount"`          // how many refs are drawn
	LabelsSkipped int            `json:"labelsSkipped"`        // how many refs are not drawn: outside of the picture, or beyond the limit
	Annotations   []Annotation   `json:"annotations"`          // the drawn refs, and where each is
	MatchCount    *int           `json:"matchCount,omitzero"`  // how many lines match the query
	ImagePath     string         `json:"imagePath,omitzero"`   // picture with the refs drawn on it
	ImageType     string         `json:"imageType,omitzero"`   // png or jpeg
}

// Find runs the operation find. Find lines of the page, with refs. The answer is text from the
// page.
func (c *Client) Find(ctx context.Context, r FindRequest) (*FindResult, error) {
	return call[FindResult](ctx, c, r, "POST /find")
}

// FindRequest has the parameters of [Client.Find].
type FindRequest struct {
	Profile   string `json:"profile,omitzero"`   // browser profile; the default one when left out
	TargetID  string `json:"targetId,omitzero"`  // tab: its id (t1), label, or target id; the current tab when left out
	RefMode   string `json:"refMode,omitzero"`   // what refs mean after the page has replaced elements: the new elements that stand for them (carry), or only the elements they were given to (element); when left out, as the setting browser.refs says; one of carry, element
	TimeoutMs int    `json:"timeoutMs,omitzero"` // deadline in milliseconds
	Hidden    string `json:"hidden,omitzero"`    // text that a person cannot see (transparent, clipped away, tiny, off-screen, in the color of what is behind it), but never a control or its label: show it, omit and count it, or mark it; one of show, omit, mark (default: show)
	Text      string `json:"text,omitzero"`      // words that the line has in its name, text, value, placeholder or description, in any order and in upper or lower case
	Role      string `json:"role,omitzero"`      // role of the element: button, link, textbox, cell
	Near      string `json:"near,omitzero"`      // words of another line, row or card: matches that are close to it, such as in the same row, come first
	Limit     int    `json:"limit,omitzero"`     // lines to show (default: 20)
	MaxChars  *int   `json:"maxChars,omitzero"`  // characters of lines to show, 0 for all; 40000 when left out
}

// FindResult is the answer of [Client.Find].
type FindResult struct {
	TabAnswer

	Matches     []FoundLine `json:"matches"`              // the lines, the best first
	Total       int         `json:"total"`                // how many lines match
	NearNothing bool        `json:"nearNothing,omitzero"` // the words of near are nowhere on the page, so the matches are in the order of the page
}

// Expect runs the operation expect. Wait until the page is as expected, and answer whether it is.
func (c *Client) Expect(ctx context.Context, r ExpectRequest) (*ExpectResult, error) {
	return call[ExpectResult](ctx, c, r, "POST /expect")
}

// ExpectRequest has the parameters of [Client.Expect].
type ExpectRequest struct {
	Profile   string  `json:"profile,omitzero"`   // browser profile; the default one when left out
	TargetID  string  `json:"targetId,omitzero"`  // tab: its id (t1), label, or target id; the current tab when left out
	RefMode   string  `json:"refMode,omitzero"`   // what refs mean after the page has replaced elements: the new elements that stand for them (carry), or only the elements they were given to (element); when left out, as the setting browser.refs says; one of carry, element
	TimeoutMs int     `json:"timeoutMs,omitzero"` // deadline in milliseconds
	Hidden    string  `json:"hidden,omitzero"`    // text that a person cannot see (transparent, clipped away, tiny, off-screen, in the color of what is behind it), but never a control or its label: show it, omit and count it, or mark it; one of show, omit, mark (default: show)
	Text      string  `json:"text,omitzero"`      // the page shows this text, in upper or lower case
	Gone      string  `json:"gone,omitzero"`      // the page does not show this text
	URL       string  `json:"url,omitzero"`       // the address is this, contains this, or fits this glob (** crosses slashes), and the page has loaded
	Ref       string  `json:"ref,omitzero"`       // the element that value, checked, enabled, and text and count, are about
	Value     *string `json:"value,omitzero"`     // the element holds this text; for a select, this option by value or label
	Checked   *bool   `json:"checked,omitzero"`   // the element is checked, or is not
	Enabled   *bool   `json:"enabled,omitzero"`   // the element can be acted on, or cannot
	Role      string  `json:"role,omitzero"`      // role of the lines that text and count are about: button, link, listitem
	Count     *int    `json:"count,omitzero"`     // so many lines have the text and the role; with a ref, inside that element; with a ref alone, so many items, rows or options are in it
}

// ExpectResult is the answer of [Client.Expect].
type ExpectResult struct {
	TabAnswer

	Met     bool   `json:"met"`              // the page is as expected
	Line    string `json:"line,omitzero"`    // what was found: the line of the snapshot, with the ref, or the address; absent if nothing is as expected
	Instead string `json:"instead,omitzero"` // what is there instead: the closest line, the value, the address, the count
}

// Screenshot runs the operation screenshot. Save a picture of the page.
func (c *Client) Screenshot(ctx context.Context, r ScreenshotRequest) (*ScreenshotResult, error) {
	return call[ScreenshotResult](ctx, c, r, "POST /screenshot")
}

// ScreenshotRequest has the parameters of [Client.Screenshot].
type ScreenshotRequest struct {
	Profile   string   `json:"profile,omitzero"`   // browser profile; the default one when left out
	TargetID  string   `json:"targetId,omitzero"`  // tab: its id (t1), label, or target id; the current tab when left out
	RefMode   string   `json:"refMode,omitzero"`   // what refs mean after the page has replaced elements: the new elements that stand for them (carry), or only the elements they were given to (element); when left out, as the setting browser.refs says; one of carry, element
	TimeoutMs int      `json:"timeoutMs,omitzero"` // deadline in milliseconds
	Hidden    string   `json:"hidden,omitzero"`    // text that a person cannot see (transparent, clipped away, tiny, off-screen, in the color of what is behind it), but never a control or its label: show it, omit and count it, or mark it; one of show, omit, mark (default: show)
	FullPage  bool     `json:"fullPage,omitzero"`  // the whole page, not only what is in view
	Ref       string   `json:"ref,omitzero"`       // only this element
	Element   string   `json:"element,omitzero"`   // only the element that this CSS selector matches
	Labels    bool     `json:"labels,omitzero"`    // draw the refs of the last snapshot on the picture, or all refs if there is none
	IfChanged bool     `json:"ifChanged,omitzero"` // if the page looks as on the last such picture of the tab, answer unchanged and that picture
	Threshold *float64 `json:"threshold,omitzero"` // with ifChanged: percentage of pixels that may differ (default: 0.1)
	Type      string   `json:"type,omitzero"`      // kind of picture; one that is too large as png is saved as jpeg; one of png, jpeg
}

// ScreenshotResult is the answer of [Client.Screenshot].
type ScreenshotResult struct {
	TabAnswer

	Path          string       `json:"path,omitzero"`      // where the picture was saved
	Unchanged     bool         `json:"unchanged,omitzero"` // the page looks as on the earlier picture at path; no new one was saved
	Labels        bool         `json:"labels"`             // refs are drawn on the picture
	LabelsCount   int          `json:"labelsCount"`        // how many refs are drawn
	LabelsSkipped int          `json:"labelsSkipped"`      // how many refs are not drawn: outside of the picture, or beyond the limit
	Annotations   []Annotation `json:"annotations"`        // the drawn refs, and where each is
}

// ScreenshotDiff runs the operation screenshot diff. Compare two pictures: how much has changed,
// and where.
func (c *Client) ScreenshotDiff(ctx context.Context, r ScreenshotDiffRequest) (*DiffResult, error) {
	return call[DiffResult](ctx, c, r, "POST /screenshot/diff")
}

// ScreenshotDiffRequest has the parameters of [Client.ScreenshotDiff].
type ScreenshotDiffRequest struct {
	Profile   string `json:"profile,omitzero"`   // browser profile; the default one when left out
	TargetID  string `json:"targetId,omitzero"`  // tab: its id (t1), label, or target id; the current tab when left out
	RefMode   string `json:"refMode,omitzero"`   // what refs mean after the page has replaced elements: the new elements that stand for them (carry), or only the elements they were given to (element); when left out, as the setting browser.refs says; one of carry, element
	TimeoutMs int    `json:"timeoutMs,omitzero"` // deadline in milliseconds
	Before    string `json:"before"`             // a picture: the path that screenshot has answered, or a file in the folder for uploads
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
// main part, else all of it. The answer is text from the page.
func (c *Client) Text(ctx context.Context, r TextRequest) (*PageText, error) {
	return call[PageText](ctx, c, r, "GET /text")
}

// TextRequest has the parameters of [Client.Text].
type TextRequest struct {
	Profile   string `json:"profile,omitzero"`   // browser profile; the default one when left out
	TargetID  string `json:"targetId,omitzero"`  // tab: its id (t1), label, or target id; the current tab when left out
	RefMode   string `json:"refMode,omitzero"`   // what refs mean after the page has replaced elements: the new elements that stand for them (carry), or only the elements they were given to (element); when left out, as the setting browser.refs says; one of carry, element
	TimeoutMs int    `json:"timeoutMs,omitzero"` // deadline in milliseconds
	Hidden    string `json:"hidden,omitzero"`    // text that a person cannot see (transparent, clipped away, tiny, off-screen, in the color of what is behind it), but never a control or its label: show it, omit and count it, or mark it; one of show, omit, mark (default: show)
	Selector  string `json:"selector,omitzero"`  // only the first element that this CSS selector matches; when left out the page's article, else its main part, else all of it
	MaxChars  *int   `json:"maxChars,omitzero"`  // characters to show; 40000 when left out
}

// PageText is the answer of [Client.Text].
type PageText struct {
	TabAnswer

	Text      string  `json:"text"`            // the text
	Truncated bool    `json:"truncated"`       // the text was cut
	Hidden    *Unseen `json:"hidden,omitzero"` // text that was left out because a person cannot see it
}

// PDF runs the operation pdf. Save the page as a PDF.
func (c *Client) PDF(ctx context.Context, r PDFRequest) (*PDFResult, error) {
	return call[PDFResult](ctx, c, r, "POST /pdf")
}

// PDFRequest has the parameters of [Client.PDF].
type PDFRequest struct {
	Profile           string   `json:"profile,omitzero"`           // browser profile; the default one when left out
	TargetID          string   `json:"targetId,omitzero"`          // tab: its id (t1), label, or target id; the current tab when left out
	RefMode           string   `json:"refMode,omitzero"`           // what refs mean after the page has replaced elements: the new elements that stand for them (carry), or only the elements they were given to (element); when left out, as the setting browser.refs says; one of carry, element
	TimeoutMs         int      `json:"timeoutMs,omitzero"`         // deadline in milliseconds
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

	Path string `json:"path,omitzero"` // where it was saved
}

// Highlight runs the operation highlight. Draw a box over an element, for a person or a screenshot,
// until the next act or navigation.
func (c *Client) Highlight(ctx context.Context, r HighlightRequest) (*TabAnswer, error) {
	return call[TabAnswer](ctx, c, r, "POST /highlight")
}

// HighlightRequest has the parameters of [Client.Highlight].
type HighlightRequest struct {
	Profile   string `json:"profile,omitzero"`   // browser profile; the default one when left out
	TargetID  string `json:"targetId,omitzero"`  // tab: its id (t1), label, or target id; the current tab when left out
	RefMode   string `json:"refMode,omitzero"`   // what refs mean after the page has replaced elements: the new elements that stand for them (carry), or only the elements they were given to (element); when left out, as the setting browser.refs says; one of carry, element
	TimeoutMs int    `json:"timeoutMs,omitzero"` // deadline in milliseconds
	Ref       string `json:"ref"`                // ref of the element
}

// Read runs the operation read. Fetch a page, PDF or feed as Markdown: fastest for text. It is a
// plain fetch, without cookies; also of JSON and text. Try it before render, extract and open. A
// page that turns out to need its scripts is shown in a browser. Text that style sheets hide is
// left out only then. The answer is text from the page.
func (c *Client) Read(ctx context.Context, r ReadRequest) (*ReadResult, error) {
	return call[ReadResult](ctx, c, r, "POST /read")
}

// ReadRequest has the parameters of [Client.Read].
type ReadRequest struct {
	TimeoutMs int    `json:"timeoutMs,omitzero"` // deadline in milliseconds
	OrHTTP    bool   `json:"orHttp,omitzero"`    // open the address over http if its server refuses https, as for an address written without a scheme
	Hidden    string `json:"hidden,omitzero"`    // text that a person cannot see (transparent, clipped away, tiny, off-screen, in the color of what is behind it), but never a control or its label: show it, omit and count it, or mark it; one of show, omit, mark (default: show)
	URL       string `json:"url"`                // address: http or https
	Render    string `json:"render,omitzero"`    // auto: show the page in a browser if it turns out to need its scripts; never: answer the text that is there without scripts; always: show it in a browser; one of auto, never, always (default: auto)
	Outline   bool   `json:"outline,omitzero"`   // answer the numbered headings, with the characters below each, instead of the text
	Section   int    `json:"section,omitzero"`   // answer only the section of this heading, with those below it, by its number in the outline
	MaxLength int    `json:"maxLength,omitzero"` // characters of text to answer; it is cut after a paragraph, or else a word (default: 50000)
}

// ReadResult is the answer of [Client.Read].
type ReadResult struct {
	URL           string        `json:"url"`                    // address of the text, after redirects
	Status        int           `json:"status,omitzero"`        // HTTP status of the document
	StatusText    string        `json:"statusText,omitzero"`    // the HTTP status in words, unless it is a success: 404 Not Found
	FellBack      string        `json:"fellBack,omitzero"`      // how the address was reached, if https was tried first and failed
	Blocked       string        `json:"blocked,omitzero"`       // why the network policy stopped a navigation that the page began by itself, such as by a meta refresh
	Way           string        `json:"way"`                    // static: by a plain fetch; rendered: in a browser, with its scripts
	Why           string        `json:"why,omitzero"`           // why a browser was used, or would be needed
	Kind          string        `json:"kind"`                   // kind of document: html, pdf, feed, json, xml, markdown or text
	Pages         int           `json:"pages,omitzero"`         // pages of a PDF; each is a section
	Partial       bool          `json:"partial,omitzero"`       // the document or page is not complete: the connection ended, or the time was over
	Note          string        `json:"note,omitzero"`          // what is missing from the text, and why
	Outline       []ReadHeading `json:"outline,omitzero"`       // the headings, instead of the text
	Section       *ReadHeading  `json:"section,omitzero"`       // the heading of the section that was asked for
	Hidden        *Unseen       `json:"hidden,omitzero"`        // text that was left out because a person cannot see it, if the page was shown in a browser
	Title         string        `json:"title"`                  // title of the page
	Byline        string        `json:"byline"`                 // who wrote it
	Published     string        `json:"published"`              // when it was published or changed: RFC 3339, or as the page writes it
	Lang          string        `json:"lang"`                   // language tag, such as en-GB
	Excerpt       string        `json:"excerpt"`                // the page's description of itself, or its first paragraph
	FoundBy       string        `json:"foundBy"`                // how the content was found. readability: by Mozilla's algorithm; article, main, body: that element has it; text: no main content was found, so this is all text of the page; caller: by the selector; document: this is not an HTML page, so all of it is content
	Markdown      string        `json:"markdown,omitzero"`      // the content as Markdown
	Text          string        `json:"text,omitzero"`          // the content as text
	HTML          string        `json:"html,omitzero"`          // the content as HTML
	Links         []ContentLink `json:"links"`                  // links in the content: each address once, 1000 at most
	MoreLinks     bool          `json:"moreLinks,omitzero"`     // the content has more links
	Length        int           `json:"length"`                 // characters of the whole content in this format
	Truncated     bool          `json:"truncated"`              // the content has more than maxLength characters, or only the beginning of the page was read
	PageTruncated bool          `json:"pageTruncated,omitzero"` // only the beginning of the page was read: it is too large, or there was no time for more
	Structured    *ContentData  `json:"structured,omitzero"`    // structured data of the page
	Ignored       []string      `json:"ignored,omitzero"`       // names of the given parameters that had no effect
}

// Render runs the operation render. Load a page alone, without cookies, and answer its picture or
// text. For its text, read is faster: it renders only pages that need their scripts. The answer is
// text from the page.
func (c *Client) Render(ctx context.Context, r RenderRequest) (*RenderResult, error) {
	return call[RenderResult](ctx, c, r, "POST /render")
}

// RenderRequest has the parameters of [Client.Render].
type RenderRequest struct {
	URL         string   `json:"url"`                   // address: http or https
	OrHTTP      bool     `json:"orHttp,omitzero"`       // open the address over http if its server refuses https, as for an address written without a scheme
	TimeoutMs   int      `json:"timeoutMs,omitzero"`    // deadline in milliseconds
	Hidden      string   `json:"hidden,omitzero"`       // text that a person cannot see (transparent, clipped away, tiny, off-screen, in the color of what is behind it), but never a control or its label: show it, omit and count it, or mark it; one of show, omit, mark (default: show)
	Mode        string   `json:"mode"`                  // screenshot: a picture; extract: the main content as Markdown, or what javascript answers; one of screenshot, extract
	Width       int      `json:"width,omitzero"`        // width of the viewport in CSS pixels (default: 412)
	Height      int      `json:"height,omitzero"`       // height of the viewport in CSS pixels (default: 915)
	Wait        string   `json:"wait,omitzero"`         // auto: wait until network and document were quiet for 0.5 s, at most 10 s. Better than wait_seconds: as long as is needed, and no longer; one of auto
	WaitSeconds *float64 `json:"wait_seconds,omitzero"` // seconds to wait after the page has loaded, for what its scripts add to it (default: 2)
	FullPage    bool     `json:"full_page,omitzero"`    // a picture of the whole page, up to a height of 10000 pixels, not only of the viewport
	Type        string   `json:"type,omitzero"`         // kind of picture; one of png, jpeg (default: png)
	MaxLength   *int     `json:"max_length,omitzero"`   // characters of text to answer (default: 50000)
	Javascript  string   `json:"javascript,omitzero"`   // script for mode extract, whose value is answered instead of the content: an expression, or statements, whose last one gives the value
}

// RenderResult is the answer of [Client.Render].
type RenderResult struct {
	Status        int               `json:"status,omitzero"`        // HTTP status of the document
	StatusText    string            `json:"statusText,omitzero"`    // the HTTP status in words, unless it is a success: 404 Not Found
	FellBack      string            `json:"fellBack,omitzero"`      // how the address was reached, if https was tried first and failed
	Blocked       string            `json:"blocked,omitzero"`       // why the network policy stopped a navigation that the page began by itself, such as by a meta refresh
	ImagePath     string            `json:"image_path,omitzero"`    // where the picture was saved
	Markdown      string            `json:"markdown,omitzero"`      // main content of the page, with its title
	Result        json.RawMessage   `json:"result,omitzero"`        // what the script answered
	Truncated     bool              `json:"truncated,omitzero"`     // the text has more than max_length characters, or the page is larger than the picture
	PageTruncated bool              `json:"pageTruncated,omitzero"` // only the beginning of the page was read: it is too large, or there was no time for more
	Partial       bool              `json:"partial,omitzero"`       // the page had not finished loading: the time was over, or the connection ended
	Hidden        *Unseen           `json:"hidden,omitzero"`        // text that was left out because a person cannot see it
	Ignored       []string          `json:"ignored,omitzero"`       // names of the given parameters that had no effect
	FileIDs       map[string]string `json:"fileIds,omitzero"`       // for each path of a file in the answer, its id for GET /files/{id}. Over the Unix socket, only if the header X-Chela-File-Ids asks for it
}

// Extract runs the operation extract. Read the main content of a page as Markdown, text or HTML,
// with its links and structured data. The page is that in the current tab, or an address, which is
// loaded outside of all tabs and without cookies. The answer is text from the page.
func (c *Client) Extract(ctx context.Context, r ExtractRequest) (*ExtractResult, error) {
	return call[ExtractResult](ctx, c, r, "POST /extract")
}

// ExtractRequest has the parameters of [Client.Extract].
type ExtractRequest struct {
	Profile     string   `json:"profile,omitzero"`     // browser profile; the default one when left out
	TargetID    string   `json:"targetId,omitzero"`    // tab: its id (t1), label, or target id; the current tab when left out
	RefMode     string   `json:"refMode,omitzero"`     // what refs mean after the page has replaced elements: the new elements that stand for them (carry), or only the elements they were given to (element); when left out, as the setting browser.refs says; one of carry, element
	TimeoutMs   int      `json:"timeoutMs,omitzero"`   // deadline in milliseconds
	OrHTTP      bool     `json:"orHttp,omitzero"`      // open the address over http if its server refuses https, as for an address written without a scheme
	Hidden      string   `json:"hidden,omitzero"`      // text that a person cannot see (transparent, clipped away, tiny, off-screen, in the color of what is behind it), but never a control or its label: show it, omit and count it, or mark it; one of show, omit, mark (default: show)
	URL         string   `json:"url,omitzero"`         // address to load outside of all tabs: http or https; when left out, the page of the tab is read
	Selector    string   `json:"selector,omitzero"`    // take the first element that this CSS selector matches, all of it, instead of looking for the content; in a tab also a ref
	Javascript  string   `json:"javascript,omitzero"`  // script whose value is answered instead of the content: an expression, or statements, whose last one gives the value
	Schema      any      `json:"schema,omitzero"`      // what to read as JSON, instead of the content: names with CSS selectors, or in a tab refs: {"title": "h1", "items": [{"selector": ".row", "fields": {"price": {"selector": ".price", "type": "number"}}}]}. See docs/schema.md
	Format      string   `json:"format,omitzero"`      // markdown; text: without markup; html: cleaned; json: everything, as one JSON document; one of markdown, text, html, json (default: markdown)
	MaxLength   int      `json:"maxLength,omitzero"`   // characters of content to answer; it is cut after a paragraph, or else a word. With a schema it counts characters of data, and is 200000 when left out (default: 50000)
	Wait        string   `json:"wait,omitzero"`        // auto: wait until network and document were quiet for 0.5 s, at most 10 s. Better than waitSeconds: as long as is needed, and no longer; one of auto
	WaitSeconds *float64 `json:"waitSeconds,omitzero"` // seconds to wait for what scripts add to the page; when left out, 2 after an address has loaded, and 0 in a tab
}

// ShownAnswer has the fields that the answers of several operations have in common. Some answers
// have no others.
type ShownAnswer struct {
	OK              bool              `json:"ok"`                       // always true
	TargetID        string            `json:"targetId,omitzero"`        // target id of the tab, if the page is in one
	TabID           string            `json:"tabId,omitzero"`           // handle of the tab, such as t1, if the page is in one
	Partial         bool              `json:"partial,omitzero"`         // the page at the address had not finished loading: the time was over, or the connection ended
	Status          int               `json:"status,omitzero"`          // HTTP status of the document
	StatusText      string            `json:"statusText,omitzero"`      // the HTTP status in words, unless it is a success: 404 Not Found
	FellBack        string            `json:"fellBack,omitzero"`        // how the address was reached, if https was tried first and failed
	Blocked         string            `json:"blocked,omitzero"`         // why the network policy stopped a navigation that the page began by itself, such as by a meta refresh
	URL             string            `json:"url,omitzero"`             // address that the tab shows
	URLChanged      bool              `json:"urlChanged,omitzero"`      // the address is another than before the call
	BlockedByDialog bool              `json:"blockedByDialog,omitzero"` // a dialog of the page is open and must be answered first
	BrowserState    *BrowserState     `json:"browserState,omitzero"`    // the dialogs of the page
	Closed          bool              `json:"closed,omitzero"`          // the tab has closed: the page closed itself
	Recovered       bool              `json:"recovered,omitzero"`       // the tab had crashed, or its page could not be left, so its address was opened again in a new tab
	Lost            []string          `json:"lost,omitzero"`            // what the tab lost by that: refs, forms, scroll, history, sessionStorage, and cookies and armed answers that could not be kept
	Restored        *Restoration      `json:"restored,omitzero"`        // what this server took over from the one before it, which was killed; only in the first answers
	Person          *PersonWas        `json:"person,omitzero"`          // a person has had the tab since the last answer to this session
	Ignored         []string          `json:"ignored,omitzero"`         // names of the given parameters that had no effect
	FileIDs         map[string]string `json:"fileIds,omitzero"`         // for each path of a file in the answer, its id for GET /files/{id}. Over the Unix socket, only if the header X-Chela-File-Ids asks for it
}

// ExtractResult is the answer of [Client.Extract].
type ExtractResult struct {
	ShownAnswer

	Title           string            `json:"title"`                    // title of the page
	Byline          string            `json:"byline"`                   // who wrote it
	Published       string            `json:"published"`                // when it was published or changed: RFC 3339, or as the page writes it
	Lang            string            `json:"lang"`                     // language tag, such as en-GB
	Excerpt         string            `json:"excerpt"`                  // the page's description of itself, or its first paragraph
	FoundBy         string            `json:"foundBy"`                  // how the content was found. readability: by Mozilla's algorithm; article, main, body: that element has it; text: no main content was found, so this is all text of the page; caller: by the selector; document: this is not an HTML page, so all of it is content
	Markdown        string            `json:"markdown,omitzero"`        // the content as Markdown
	Text            string            `json:"text,omitzero"`            // the content as text
	HTML            string            `json:"html,omitzero"`            // the content as HTML
	Links           []ContentLink     `json:"links"`                    // links in the content: each address once, 1000 at most
	MoreLinks       bool              `json:"moreLinks,omitzero"`       // the content has more links
	Length          int               `json:"length"`                   // characters of the whole content in this format
	Truncated       bool              `json:"truncated"`                // the content has more than maxLength characters, or only the beginning of the page was read
	PageTruncated   bool              `json:"pageTruncated,omitzero"`   // only the beginning of the page was read: it is too large, or there was no time for more
	Structured      *ContentData      `json:"structured,omitzero"`      // structured data of the page
	Data            json.RawMessage   `json:"data,omitzero"`            // what the schema asks for, in its order; what is missing or unreadable is null, or a list without elements
	Missing         []string          `json:"missing,omitzero"`         // the first 100 places in data for which the page has nothing, and the schema no default; empty for all of it
	Unreadable      []UnreadableField `json:"unreadable,omitzero"`      // the first 100 places whose text cannot be read as the type that the schema says
	DataCut         []CutField        `json:"dataCut,omitzero"`         // the first 100 lists and texts that are not whole: there was more than maxLength characters, or no more time
	MoreMissing     int               `json:"moreMissing,omitzero"`     // how many more places are missing than are listed
	MoreUnreadable  int               `json:"moreUnreadable,omitzero"`  // how many more places are unreadable than are listed
	MoreCut         int               `json:"moreCut,omitzero"`         // how many more places are cut than are listed
	DataLate        bool              `json:"dataLate,omitzero"`        // the time was over before all was read
	Hidden          *Unseen           `json:"hidden,omitzero"`          // text that was left out because a person cannot see it
	Result          json.RawMessage   `json:"result,omitzero"`          // what the script answered, instead of the content
	ResultTruncated bool              `json:"resultTruncated,omitzero"` // the result had more than maxLength characters
	Format          string            `json:"format,omitzero"`          // format of the content
}

// Console runs the operation console. List the console messages. The answer is text from the page.
func (c *Client) Console(ctx context.Context, r ConsoleRequest) (*ConsoleResult, error) {
	return call[ConsoleResult](ctx, c, r, "GET /console")
}

// ConsoleRequest has the parameters of [Client.Console].
type ConsoleRequest struct {
	Profile  string `json:"profile,omitzero"`  // browser profile; the default one when left out
	TargetID string `json:"targetId,omitzero"` // tab: its id (t1), label, or target id; the current tab when left out
	RefMode  string `json:"refMode,omitzero"`  // what refs mean after the page has replaced elements: the new elements that stand for them (carry), or only the elements they were given to (element); when left out, as the setting browser.refs says; one of carry, element
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
	Dropped   int              `json:"dropped,omitzero"`   // how many more entries were lost: they were too old to be kept, or came too fast
	Ignored   []string         `json:"ignored,omitzero"`   // names of the given parameters that had no effect
}

// Errors runs the operation errors. List the errors of scripts that nothing has caught, the oldest
// first. The answer is text from the page.
func (c *Client) Errors(ctx context.Context, r ErrorsRequest) (*ErrorsResult, error) {
	return call[ErrorsResult](ctx, c, r, "GET /errors")
}

// ErrorsRequest has the parameters of [Client.Errors].
type ErrorsRequest struct {
	Profile  string `json:"profile,omitzero"`  // browser profile; the default one when left out
	TargetID string `json:"targetId,omitzero"` // tab: its id (t1), label, or target id; the current tab when left out
	RefMode  string `json:"refMode,omitzero"`  // what refs mean after the page has replaced elements: the new elements that stand for them (carry), or only the elements they were given to (element); when left out, as the setting browser.refs says; one of carry, element
	Limit    int    `json:"limit,omitzero"`    // list only the newest, at most this many
	Clear    bool   `json:"clear,omitzero"`    // empty the list, after it was read
}

// ErrorsResult is the answer of [Client.Errors].
type ErrorsResult struct {
	OK        bool        `json:"ok"`                 // always true
	TargetID  string      `json:"targetId"`           // target id of the tab
	URL       string      `json:"url"`                // address that the tab shows
	Errors    []PageError `json:"errors"`             // the errors, the oldest first
	Truncated bool        `json:"truncated,omitzero"` // older entries are left out, because there are more than the limit
	Total     int         `json:"total,omitzero"`     // how many entries there are, if older ones are left out
	Dropped   int         `json:"dropped,omitzero"`   // how many more entries were lost: they were too old to be kept, or came too fast
	Ignored   []string    `json:"ignored,omitzero"`   // names of the given parameters that had no effect
}

// Requests runs the operation requests. List the requests on the network, the oldest first. The
// answer is text from the page.
func (c *Client) Requests(ctx context.Context, r RequestsRequest) (*RequestsResult, error) {
	return call[RequestsResult](ctx, c, r, "GET /requests")
}

// RequestsRequest has the parameters of [Client.Requests].
type RequestsRequest struct {
	Profile  string `json:"profile,omitzero"`  // browser profile; the default one when left out
	TargetID string `json:"targetId,omitzero"` // tab: its id (t1), label, or target id; the current tab when left out
	RefMode  string `json:"refMode,omitzero"`  // what refs mean after the page has replaced elements: the new elements that stand for them (carry), or only the elements they were given to (element); when left out, as the setting browser.refs says; one of carry, element
	Limit    int    `json:"limit,omitzero"`    // list only the newest, at most this many
	Filter   string `json:"filter,omitzero"`   // only those with this text in their address or resource type
	Clear    bool   `json:"clear,omitzero"`    // empty the list, after it was read
}

// RequestsResult is the answer of [Client.Requests].
type RequestsResult struct {
	OK        bool            `json:"ok"`                 // always true
	TargetID  string          `json:"targetId"`           // target id of the tab
	URL       string          `json:"url"`                // address that the tab shows
	Requests  []ListedRequest `json:"requests"`           // the requests, the oldest first
	Truncated bool            `json:"truncated,omitzero"` // older entries are left out, because there are more than the limit
	Total     int             `json:"total,omitzero"`     // how many entries there are, if older ones are left out
	Dropped   int             `json:"dropped,omitzero"`   // how many more entries were lost: they were too old to be kept, or came too fast
	Ignored   []string        `json:"ignored,omitzero"`   // names of the given parameters that had no effect
}

// Request runs the operation request. Show a request: its headers, its timing, what has sent it,
// and the body of the answer. The answer is text from the page.
func (c *Client) Request(ctx context.Context, r RequestRequest) (*RequestResult, error) {
	return call[RequestResult](ctx, c, r, "GET /requests/{id}")
}

// RequestRequest has the parameters of [Client.Request].
type RequestRequest struct {
	Profile  string `json:"profile,omitzero"`  // browser profile; the default one when left out
	TargetID string `json:"targetId,omitzero"` // tab: its id (t1), label, or target id; the current tab when left out
	RefMode  string `json:"refMode,omitzero"`  // what refs mean after the page has replaced elements: the new elements that stand for them (carry), or only the elements they were given to (element); when left out, as the setting browser.refs says; one of carry, element
	ID       string `json:"id"`                // id of the request, from the list: r12
	MaxChars int    `json:"maxChars,omitzero"` // characters of the body at most (default: 20000)
	Secrets  bool   `json:"secrets,omitzero"`  // also show cookies, authorization, and values whose names suggest a secret
}

// RequestResult is the answer of [Client.Request].
type RequestResult struct {
	OK       bool          `json:"ok"`               // always true
	TargetID string        `json:"targetId"`         // target id of the tab
	URL      string        `json:"url"`              // address that the tab shows
	Request  RequestDetail `json:"request"`          // the request
	Ignored  []string      `json:"ignored,omitzero"` // names of the given parameters that had no effect
}

// Downloads runs the operation downloads. List the downloads of the tab, the oldest first: those
// under way, and those that have ended. The answer is text from the page.
func (c *Client) Downloads(ctx context.Context, r DownloadsRequest) (*DownloadsResult, error) {
	return call[DownloadsResult](ctx, c, r, "GET /downloads/list")
}

// DownloadsRequest has the parameters of [Client.Downloads].
type DownloadsRequest struct {
	Profile  string `json:"profile,omitzero"`  // browser profile; the default one when left out
	TargetID string `json:"targetId,omitzero"` // tab: its id (t1), label, or target id; the current tab when left out
	RefMode  string `json:"refMode,omitzero"`  // what refs mean after the page has replaced elements: the new elements that stand for them (carry), or only the elements they were given to (element); when left out, as the setting browser.refs says; one of carry, element
}

// DownloadsResult is the answer of [Client.Downloads].
type DownloadsResult struct {
	OK        bool              `json:"ok"`               // always true
	TargetID  string            `json:"targetId"`         // target id of the tab
	URL       string            `json:"url"`              // address that the tab shows
	Downloads []DownloadedFile  `json:"downloads"`        // the downloads, the oldest first
	Ignored   []string          `json:"ignored,omitzero"` // names of the given parameters that had no effect
	FileIDs   map[string]string `json:"fileIds,omitzero"` // for each path of a file in the answer, its id for GET /files/{id}. Over the Unix socket, only if the header X-Chela-File-Ids asks for it
}

// Calls runs the operation calls. List the calls on tabs, also on closed ones: who has done what,
// the oldest first. The answer is text from the page.
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
	Dropped   int        `json:"dropped,omitzero"`   // how many more entries were lost: they were too old to be kept, or came too fast
	Ignored   []string   `json:"ignored,omitzero"`   // names of the given parameters that had no effect
}

// ResponseBody runs the operation responsebody. Wait for the next answer of a server to the page,
// and return its body. The answer is text from the page.
func (c *Client) ResponseBody(ctx context.Context, r ResponseBodyRequest) (*ResponseBodyResult, error) {
	return call[ResponseBodyResult](ctx, c, r, "POST /response/body")
}

// ResponseBodyRequest has the parameters of [Client.ResponseBody].
type ResponseBodyRequest struct {
	Profile   string `json:"profile,omitzero"`   // browser profile; the default one when left out
	TargetID  string `json:"targetId,omitzero"`  // tab: its id (t1), label, or target id; the current tab when left out
	RefMode   string `json:"refMode,omitzero"`   // what refs mean after the page has replaced elements: the new elements that stand for them (carry), or only the elements they were given to (element); when left out, as the setting browser.refs says; one of carry, element
	TimeoutMs int    `json:"timeoutMs,omitzero"` // deadline in milliseconds
	URL       string `json:"url"`                // the address, a part of it, or a glob: ** stands for any characters, * for any but a slash
	Past      bool   `json:"past,omitzero"`      // if such a response came before this call, return the newest of these at once
	MaxChars  int    `json:"maxChars,omitzero"`  // characters of the body at most; never more than 5000000 (default: 200000)
}

// ResponseBodyResult is the answer of [Client.ResponseBody].
type ResponseBodyResult struct {
	TabAnswer

	Response Response `json:"response"` // the answer
}

// HAR runs the operation har. Write the requests of the tab as an HTTP Archive (HAR 1.2), without
// the bodies of their answers. The answer is text from the page.
func (c *Client) HAR(ctx context.Context, r HARRequest) (*HARResult, error) {
	return call[HARResult](ctx, c, r, "GET /requests format=har")
}

// HARRequest has the parameters of [Client.HAR].
type HARRequest struct {
	Profile  string `json:"profile,omitzero"`  // browser profile; the default one when left out
	TargetID string `json:"targetId,omitzero"` // tab: its id (t1), label, or target id; the current tab when left out
	RefMode  string `json:"refMode,omitzero"`  // what refs mean after the page has replaced elements: the new elements that stand for them (carry), or only the elements they were given to (element); when left out, as the setting browser.refs says; one of carry, element
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
	Dropped   int             `json:"dropped,omitzero"`   // how many more entries were lost: they were too old to be kept, or came too fast
	Ignored   []string        `json:"ignored,omitzero"`   // names of the given parameters that had no effect
}

// TraceStart runs the operation trace start. Record what is done in all tabs of the browser, for
// Playwright's trace viewer. The trace has the calls, what the page showed before and after each,
// pictures, console and requests. It ends with trace stop, or without a file when the browser is
// stopped.
func (c *Client) TraceStart(ctx context.Context, r TraceStartRequest) (*TraceResult, error) {
	return call[TraceResult](ctx, c, r, "POST /trace/start")
}

// TraceStartRequest has the parameters of [Client.TraceStart].
type TraceStartRequest struct {
	Profile     string `json:"profile,omitzero"`     // browser profile; the default one when left out
	TargetID    string `json:"targetId,omitzero"`    // tab: its id (t1), label, or target id; the current tab when left out
	RefMode     string `json:"refMode,omitzero"`     // what refs mean after the page has replaced elements: the new elements that stand for them (carry), or only the elements they were given to (element); when left out, as the setting browser.refs says; one of carry, element
	TimeoutMs   int    `json:"timeoutMs,omitzero"`   // deadline in milliseconds
	Screenshots *bool  `json:"screenshots,omitzero"` // with a filmstrip of each tab (default: true)
	Snapshots   *bool  `json:"snapshots,omitzero"`   // with the page before and after each call (default: true)
	Sources     bool   `json:"sources,omitzero"`     // accepted, and without effect: calls come from no source files
	Secrets     bool   `json:"secrets,omitzero"`     // record credentials, cookies and values whose names suggest a secret, instead of replacing them; what calls type is recorded either way
}

// TraceResult is the answer of [Client.TraceStart].
type TraceResult struct {
	OK       bool     `json:"ok"`                // always true
	TargetID string   `json:"targetId,omitzero"` // target id of the tab
	URL      string   `json:"url,omitzero"`      // address that the tab shows
	Ignored  []string `json:"ignored,omitzero"`  // names of the given parameters that had no effect
}

// TraceStop runs the operation trace stop. End the trace and save it as a file, which npx
// playwright show-trace opens.
func (c *Client) TraceStop(ctx context.Context, r TraceStopRequest) (*TraceStopResult, error) {
	return call[TraceStopResult](ctx, c, r, "POST /trace/stop")
}

// TraceStopRequest has the parameters of [Client.TraceStop].
type TraceStopRequest struct {
	Profile   string `json:"profile,omitzero"`   // browser profile; the default one when left out
	TargetID  string `json:"targetId,omitzero"`  // tab: its id (t1), label, or target id; the current tab when left out
	RefMode   string `json:"refMode,omitzero"`   // what refs mean after the page has replaced elements: the new elements that stand for them (carry), or only the elements they were given to (element); when left out, as the setting browser.refs says; one of carry, element
	TimeoutMs int    `json:"timeoutMs,omitzero"` // deadline in milliseconds
	Path      string `json:"path,omitzero"`      // file below the folder of temporary files (/tmp/chela); browser-trace-<uuid>.zip when left out
}

// TraceStopResult is the answer of [Client.TraceStop].
type TraceStopResult struct {
	OK        bool              `json:"ok"`                 // always true
	TargetID  string            `json:"targetId,omitzero"`  // target id of the tab
	URL       string            `json:"url,omitzero"`       // address that the tab shows
	Path      string            `json:"path"`               // where the trace was saved
	Truncated bool              `json:"truncated,omitzero"` // the trace is not complete, because something was too large or it lasted too long
	Missing   string            `json:"missing,omitzero"`   // why the trace is not complete
	Ignored   []string          `json:"ignored,omitzero"`   // names of the given parameters that had no effect
	FileIDs   map[string]string `json:"fileIds,omitzero"`   // for each path of a file in the answer, its id for GET /files/{id}. Over the Unix socket, only if the header X-Chela-File-Ids asks for it
}

// VideoStart runs the operation video start. Film the tab, as a video of WebM. It goes on until
// video stop, until the tab closes, or for 10 minutes. If the browser is stopped, it is lost.
func (c *Client) VideoStart(ctx context.Context, r VideoStartRequest) (*VideoTab, error) {
	return call[VideoTab](ctx, c, r, "POST /video/start")
}

// VideoStartRequest has the parameters of [Client.VideoStart].
type VideoStartRequest struct {
	Profile   string `json:"profile,omitzero"`   // browser profile; the default one when left out
	TargetID  string `json:"targetId,omitzero"`  // tab: its id (t1), label, or target id; the current tab when left out
	RefMode   string `json:"refMode,omitzero"`   // what refs mean after the page has replaced elements: the new elements that stand for them (carry), or only the elements they were given to (element); when left out, as the setting browser.refs says; one of carry, element
	TimeoutMs int    `json:"timeoutMs,omitzero"` // deadline in milliseconds
	FPS       int    `json:"fps,omitzero"`       // pictures a second, at most; while the page does not change, there are none (default: 10)
	Size      string `json:"size,omitzero"`      // width and height of the video in pixels, at most 1920x1080; the tab is made smaller to fit, and never larger (default: 1280x720)
	ShowInput bool   `json:"showInput,omitzero"` // show a ring where the mouse is pressed, and the names of keys; text that is typed is only shown by the page
}

// VideoTab is the answer of [Client.VideoStart].
type VideoTab struct {
	OK       bool     `json:"ok"`               // always true
	TargetID string   `json:"targetId"`         // target id of the tab
	TabID    string   `json:"tabId"`            // handle of the tab
	URL      string   `json:"url,omitzero"`     // address that the tab shows
	Ignored  []string `json:"ignored,omitzero"` // names of the given parameters that had no effect
}

// VideoStop runs the operation video stop. End the video of the tab, and save it as a file. The tab
// may be closed by now.
func (c *Client) VideoStop(ctx context.Context, r VideoStopRequest) (*VideoResult, error) {
	return call[VideoResult](ctx, c, r, "POST /video/stop")
}

// VideoStopRequest has the parameters of [Client.VideoStop].
type VideoStopRequest struct {
	Profile   string `json:"profile,omitzero"`   // browser profile; the default one when left out
	TargetID  string `json:"targetId,omitzero"`  // tab: its id (t1), label, or target id; the current tab when left out
	RefMode   string `json:"refMode,omitzero"`   // what refs mean after the page has replaced elements: the new elements that stand for them (carry), or only the elements they were given to (element); when left out, as the setting browser.refs says; one of carry, element
	TimeoutMs int    `json:"timeoutMs,omitzero"` // deadline in milliseconds
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
	Ignored   []string          `json:"ignored,omitzero"`   // names of the given parameters that had no effect
	FileIDs   map[string]string `json:"fileIds,omitzero"`   // for each path of a file in the answer, its id for GET /files/{id}. Over the Unix socket, only if the header X-Chela-File-Ids asks for it
}

// Recorder runs the operation recorder. List what was done in the tabs: each call with its element,
// its effects, its error and a picture. It is kept for a day, also after a restart. The answer is
// text from the page.
func (c *Client) Recorder(ctx context.Context, r RecorderRequest) (*RecorderResult, error) {
	return call[RecorderResult](ctx, c, r, "GET /recorder")
}

// RecorderRequest has the parameters of [Client.Recorder].
type RecorderRequest struct {
	Profile  string `json:"profile,omitzero"`  // browser profile; the default one when left out
	TargetID string `json:"targetId,omitzero"` // only what was done in the tab with this id (t1), which may be closed
	Session  string `json:"session,omitzero"`  // only calls of the session with this key; when left out, of the session of this call, or of all sessions if it is in none
	Since    string `json:"since,omitzero"`    // only what was done in this time before now, such as 90s, 10m or 2h
	Limit    int    `json:"limit,omitzero"`    // list only the newest, at most this many
}

// RecorderResult is the answer of [Client.Recorder].
type RecorderResult struct {
	Entries   []RecordedCall    `json:"entries"`            // the calls, the oldest first
	Truncated bool              `json:"truncated,omitzero"` // older entries are left out, because there are more than the limit
	Total     int               `json:"total,omitzero"`     // how many entries there are, if older ones are left out
	Dropped   int               `json:"dropped,omitzero"`   // how many more entries were lost: they were too old to be kept, or came too fast
	Ignored   []string          `json:"ignored,omitzero"`   // names of the given parameters that had no effect
	FileIDs   map[string]string `json:"fileIds,omitzero"`   // for each path of a file in the answer, its id for GET /files/{id}. Over the Unix socket, only if the header X-Chela-File-Ids asks for it
}

// RecorderClear runs the operation recorder clear. Remove what was recorded in the tabs of a
// profile, with the pictures.
func (c *Client) RecorderClear(ctx context.Context, r RecorderClearRequest) (*Done, error) {
	return call[Done](ctx, c, r, "POST /recorder/clear")
}

// RecorderClearRequest has the parameters of [Client.RecorderClear].
type RecorderClearRequest struct {
	Profile string `json:"profile,omitzero"` // browser profile; the default one when left out
}

// Done is the answer of [Client.RecorderClear].
type Done struct {
	Ignored []string `json:"ignored,omitzero"` // names of the given parameters that had no effect
}

// ScreencastTicket runs the operation screencast ticket. Get a ticket for the live view of a tab:
// GET /screencast takes it once, in place of the server's token.
func (c *Client) ScreencastTicket(ctx context.Context, r ScreencastTicketRequest) (*TicketResult, error) {
	return call[TicketResult](ctx, c, r, "POST /screencast/ticket")
}

// ScreencastTicketRequest has the parameters of [Client.ScreencastTicket].
type ScreencastTicketRequest struct {
	Profile  string `json:"profile,omitzero"`  // browser profile; the default one when left out
	TargetID string `json:"targetId,omitzero"` // tab: its id (t1), label, or target id; the current tab when left out
	RefMode  string `json:"refMode,omitzero"`  // what refs mean after the page has replaced elements: the new elements that stand for them (carry), or only the elements they were given to (element); when left out, as the setting browser.refs says; one of carry, element
	TtlMs    int    `json:"ttlMs,omitzero"`    // milliseconds for which the ticket is good (default: 30000)
	Control  bool   `json:"control,omitzero"`  // whoever has the ticket may also act in the tab, by mouse and keys
}

// TicketResult is the answer of [Client.ScreencastTicket].
type TicketResult struct {
	OK        bool      `json:"ok"`               // always true
	Ticket    string    `json:"ticket"`           // secret that works once, as the parameter ticket of GET /screencast
	TargetID  string    `json:"targetId"`         // target id of the tab
	TabID     string    `json:"tabId"`            // handle of the tab
	ExpiresAt time.Time `json:"expiresAt"`        // when the ticket expires
	Control   bool      `json:"control,omitzero"` // the viewer may also act in the tab
	Ignored   []string  `json:"ignored,omitzero"` // names of the given parameters that had no effect
}

// Report runs the operation report. Write what was done as one HTML file with pictures, to be
// opened in any browser: what was recorded lately, or a trace.
func (c *Client) Report(ctx context.Context, r ReportRequest) (*ReportResult, error) {
	return call[ReportResult](ctx, c, r, "POST /report")
}

// ReportRequest has the parameters of [Client.Report].
type ReportRequest struct {
	Profile   string `json:"profile,omitzero"`   // browser profile; the default one when left out
	TimeoutMs int    `json:"timeoutMs,omitzero"` // deadline in milliseconds
	TargetID  string `json:"targetId,omitzero"`  // only what was done in the tab with this id (t1), which may be closed
	Session   string `json:"session,omitzero"`   // only calls of the session with this key; when left out, of the session of this call, or of all sessions if it is in none
	Since     string `json:"since,omitzero"`     // only what was done in this time before now, such as 90s, 10m or 2h
	Trace     string `json:"trace,omitzero"`     // show this trace instead of what was recorded: a file that trace stop has saved, where it saved it or in the folder for uploads, or as POST /files answers it
	Path      string `json:"path,omitzero"`      // file below the folder of temporary files (/tmp/chela); browser-report-<uuid>.html when left out
}

// ReportResult is the answer of [Client.Report].
type ReportResult struct {
	OK      bool              `json:"ok"`               // always true
	Calls   int               `json:"calls"`            // how many calls the report shows
	Path    string            `json:"path"`             // where the report was saved
	Ignored []string          `json:"ignored,omitzero"` // names of the given parameters that had no effect
	FileIDs map[string]string `json:"fileIds,omitzero"` // for each path of a file in the answer, its id for GET /files/{id}. Over the Unix socket, only if the header X-Chela-File-Ids asks for it
}

// Click runs the operation click. Click an element.
func (c *Client) Click(ctx context.Context, r ClickRequest) (*ActAnswer, error) {
	return call[ActAnswer](ctx, c, r, "POST /act kind=click")
}

// ClickRequest has the parameters of [Client.Click].
type ClickRequest struct {
	Profile     string        `json:"profile,omitzero"`     // browser profile; the default one when left out
	TargetID    string        `json:"targetId,omitzero"`    // tab: its id (t1), label, or target id; the current tab when left out
	RefMode     string        `json:"refMode,omitzero"`     // what refs mean after the page has replaced elements: the new elements that stand for them (carry), or only the elements they were given to (element); when left out, as the setting browser.refs says; one of carry, element
	TimeoutMs   int           `json:"timeoutMs,omitzero"`   // deadline in milliseconds
	Hidden      string        `json:"hidden,omitzero"`      // text that a person cannot see (transparent, clipped away, tiny, off-screen, in the color of what is behind it), but never a control or its label: show it, omit and count it, or mark it; one of show, omit, mark (default: show)
	Snapshot    string        `json:"snapshot,omitzero"`    // wait until the page is quiet (no change for 100 ms, no request, no transition; at most 1000 ms, or settleMs), then return what changed since the last snapshot (delta) or what can be acted on (efficient); navigated: only after a navigation, efficient for a new document and delta within the same one; one of delta, efficient, navigated, none
	Given       string        `json:"given,omitzero"`       // in a delta: show or omit lines whose only change is what this call entered, or the focus; one of show, omit (default: show)
	SettleMs    *int          `json:"settleMs,omitzero"`    // milliseconds to wait at most for a late effect (a change, response or document more than 50 ms after the input), and then until the page is quiet; all of it if no effect comes, or a request does not end
	MaxChars    *int          `json:"maxChars,omitzero"`    // characters of the snapshot; 8000 when left out
	Dialog      *DialogAnswer `json:"dialog,omitzero"`      // answer to a dialog that the act opens: {accept, promptText}
	Ref         string        `json:"ref"`                  // ref of the element, from a snapshot
	DoubleClick bool          `json:"doubleClick,omitzero"` // click twice
	Count       int           `json:"count,omitzero"`       // number of clicks; 3 selects a paragraph
	Button      string        `json:"button,omitzero"`      // mouse button; left when left out; one of left, right, middle
	DelayMs     int           `json:"delayMs,omitzero"`     // milliseconds between press and release, at most 5000
	Position    *Position     `json:"position,omitzero"`    // where in the element: {x, y}, in pixels from its top left corner inside the border
	Modifiers   []string      `json:"modifiers,omitzero"`   // keys that are held during the click; one of Alt, Control, ControlOrMeta, Meta, Shift
}

// ActAnswer has the fields that the answers of several operations have in common. Some answers have
// no others.
type ActAnswer struct {
	OK                  bool              `json:"ok"`                           // always true
	TargetID            string            `json:"targetId"`                     // target id of the tab
	TabID               string            `json:"tabId"`                        // handle of the tab, such as t1; it never changes
	URL                 string            `json:"url,omitzero"`                 // address that the tab shows
	URLChanged          bool              `json:"urlChanged,omitzero"`          // the address is another than before the call
	BlockedByDialog     bool              `json:"blockedByDialog,omitzero"`     // a dialog of the page is open and must be answered first
	BrowserState        *BrowserState     `json:"browserState,omitzero"`        // the dialogs of the page
	Closed              bool              `json:"closed,omitzero"`              // the tab has closed: the page closed itself
	Recovered           bool              `json:"recovered,omitzero"`           // the tab had crashed, or its page could not be left, so its address was opened again in a new tab
	Lost                []string          `json:"lost,omitzero"`                // what the tab lost by that: refs, forms, scroll, history, sessionStorage, and cookies and armed answers that could not be kept
	Restored            *Restoration      `json:"restored,omitzero"`            // what this server took over from the one before it, which was killed; only in the first answers
	Person              *PersonWas        `json:"person,omitzero"`              // a person has had the tab since the last answer to this session
	Effects             []string          `json:"effects"`                      // what began before the answer, in order: changed, navigated, dialog, download, newTab, fileChooser (none was armed, so it was dismissed), request
	NewTabs             []TabInfo         `json:"newTabs,omitzero"`             // tabs that the page opened
	CurrentTab          string            `json:"currentTab,omitzero"`          // with newTabs: the tab that calls without targetId still mean, until focus or a call names another one
	PopupsClosed        int               `json:"popupsClosed,omitzero"`        // how many new tabs were closed: an act may open 8, and a page may have 20 open
	Downloads           []DownloadedFile  `json:"downloads,omitzero"`           // files whose download began
	Delta               string            `json:"delta,omitzero"`               // what changed since the last snapshot, or since this view of the page was shown before: + new lines, ~ changed ones, > moved ones, then - removed ones, each of which stands for all inside it; lines that begin with spaces name the row, card or landmark of what follows
	NoDelta             string            `json:"noDelta,omitzero"`             // why there is a snapshot in place of a delta: no earlier reading to compare, or another document
	Snapshot            string            `json:"snapshot,omitzero"`            // the page as text: what can be acted on, or all of it where a delta was asked for
	Truncated           bool              `json:"truncated,omitzero"`           // there is more than is shown
	Stats               *Stats            `json:"stats,omitzero"`               // size of the snapshot
	SnapshotUnavailable string            `json:"snapshotUnavailable,omitzero"` // why the page could not be read
	Ignored             []string          `json:"ignored,omitzero"`             // names of the given parameters that had no effect
	FileIDs             map[string]string `json:"fileIds,omitzero"`             // for each path of a file in the answer, its id for GET /files/{id}. Over the Unix socket, only if the header X-Chela-File-Ids asks for it
}

// ClickCoords runs the operation click-coords. Click at a point of the viewport.
func (c *Client) ClickCoords(ctx context.Context, r ClickCoordsRequest) (*ActAnswer, error) {
	return call[ActAnswer](ctx, c, r, "POST /act kind=clickCoords")
}

// ClickCoordsRequest has the parameters of [Client.ClickCoords].
type ClickCoordsRequest struct {
	Profile     string        `json:"profile,omitzero"`     // browser profile; the default one when left out
	TargetID    string        `json:"targetId,omitzero"`    // tab: its id (t1), label, or target id; the current tab when left out
	RefMode     string        `json:"refMode,omitzero"`     // what refs mean after the page has replaced elements: the new elements that stand for them (carry), or only the elements they were given to (element); when left out, as the setting browser.refs says; one of carry, element
	TimeoutMs   int           `json:"timeoutMs,omitzero"`   // deadline in milliseconds
	Hidden      string        `json:"hidden,omitzero"`      // text that a person cannot see (transparent, clipped away, tiny, off-screen, in the color of what is behind it), but never a control or its label: show it, omit and count it, or mark it; one of show, omit, mark (default: show)
	Snapshot    string        `json:"snapshot,omitzero"`    // wait until the page is quiet (no change for 100 ms, no request, no transition; at most 1000 ms, or settleMs), then return what changed since the last snapshot (delta) or what can be acted on (efficient); navigated: only after a navigation, efficient for a new document and delta within the same one; one of delta, efficient, navigated, none
	Given       string        `json:"given,omitzero"`       // in a delta: show or omit lines whose only change is what this call entered, or the focus; one of show, omit (default: show)
	SettleMs    *int          `json:"settleMs,omitzero"`    // milliseconds to wait at most for a late effect (a change, response or document more than 50 ms after the input), and then until the page is quiet; all of it if no effect comes, or a request does not end
	MaxChars    *int          `json:"maxChars,omitzero"`    // characters of the snapshot; 8000 when left out
	Dialog      *DialogAnswer `json:"dialog,omitzero"`      // answer to a dialog that the act opens: {accept, promptText}
	DoubleClick bool          `json:"doubleClick,omitzero"` // click twice
	Count       int           `json:"count,omitzero"`       // number of clicks; 3 selects a paragraph
	Button      string        `json:"button,omitzero"`      // mouse button; left when left out; one of left, right, middle
	DelayMs     int           `json:"delayMs,omitzero"`     // milliseconds between press and release, at most 5000
	X           float64       `json:"x"`                    // pixels from the left of the viewport
	Y           float64       `json:"y"`                    // pixels from the top of the viewport
}

// Type runs the operation type. Replace the text of a field; without ref, type at the focus. Dates,
// times, months, weeks, colors and positions of sliders may be written as people do.
func (c *Client) Type(ctx context.Context, r TypeRequest) (*TypeResult, error) {
	return call[TypeResult](ctx, c, r, "POST /act kind=type")
}

// TypeRequest has the parameters of [Client.Type].
type TypeRequest struct {
	Profile   string        `json:"profile,omitzero"`   // browser profile; the default one when left out
	TargetID  string        `json:"targetId,omitzero"`  // tab: its id (t1), label, or target id; the current tab when left out
	RefMode   string        `json:"refMode,omitzero"`   // what refs mean after the page has replaced elements: the new elements that stand for them (carry), or only the elements they were given to (element); when left out, as the setting browser.refs says; one of carry, element
	TimeoutMs int           `json:"timeoutMs,omitzero"` // deadline in milliseconds
	Hidden    string        `json:"hidden,omitzero"`    // text that a person cannot see (transparent, clipped away, tiny, off-screen, in the color of what is behind it), but never a control or its label: show it, omit and count it, or mark it; one of show, omit, mark (default: show)
	Snapshot  string        `json:"snapshot,omitzero"`  // wait until the page is quiet (no change for 100 ms, no request, no transition; at most 1000 ms, or settleMs), then return what changed since the last snapshot (delta) or what can be acted on (efficient); navigated: only after a navigation, efficient for a new document and delta within the same one; one of delta, efficient, navigated, none
	Given     string        `json:"given,omitzero"`     // in a delta: show or omit lines whose only change is what this call entered, or the focus; one of show, omit (default: show)
	SettleMs  *int          `json:"settleMs,omitzero"`  // milliseconds to wait at most for a late effect (a change, response or document more than 50 ms after the input), and then until the page is quiet; all of it if no effect comes, or a request does not end
	MaxChars  *int          `json:"maxChars,omitzero"`  // characters of the snapshot; 8000 when left out
	Dialog    *DialogAnswer `json:"dialog,omitzero"`    // answer to a dialog that the act opens: {accept, promptText}
	Ref       string        `json:"ref,omitzero"`       // element, from a snapshot; without one, the text is typed by keys where the focus is
	Text      string        `json:"text"`               // text to put in; empty clears the field; secret:NAME stands for the value of a secret
	Submit    bool          `json:"submit,omitzero"`    // press Enter afterwards
	Slowly    bool          `json:"slowly,omitzero"`    // type key by key, after the text that is there
}

// TypeResult is the answer of [Client.Type], [Client.Clear].
type TypeResult struct {
	ActAnswer

	Value *string `json:"value,omitzero"` // what the field holds now, if the page changed the text; absent: it holds the text
	Note  string  `json:"note,omitzero"`  // a note that the field is empty, because the page removed all of the text, or that it does not hold the exact secret
}

// InsertText runs the operation insert-text. Insert text at the caret, as if pasted.
func (c *Client) InsertText(ctx context.Context, r InsertTextRequest) (*InsertTextResult, error) {
	return call[InsertTextResult](ctx, c, r, "POST /act kind=insertText")
}

// InsertTextRequest has the parameters of [Client.InsertText].
type InsertTextRequest struct {
	Profile   string        `json:"profile,omitzero"`   // browser profile; the default one when left out
	TargetID  string        `json:"targetId,omitzero"`  // tab: its id (t1), label, or target id; the current tab when left out
	RefMode   string        `json:"refMode,omitzero"`   // what refs mean after the page has replaced elements: the new elements that stand for them (carry), or only the elements they were given to (element); when left out, as the setting browser.refs says; one of carry, element
	TimeoutMs int           `json:"timeoutMs,omitzero"` // deadline in milliseconds
	Hidden    string        `json:"hidden,omitzero"`    // text that a person cannot see (transparent, clipped away, tiny, off-screen, in the color of what is behind it), but never a control or its label: show it, omit and count it, or mark it; one of show, omit, mark (default: show)
	Snapshot  string        `json:"snapshot,omitzero"`  // wait until the page is quiet (no change for 100 ms, no request, no transition; at most 1000 ms, or settleMs), then return what changed since the last snapshot (delta) or what can be acted on (efficient); navigated: only after a navigation, efficient for a new document and delta within the same one; one of delta, efficient, navigated, none
	Given     string        `json:"given,omitzero"`     // in a delta: show or omit lines whose only change is what this call entered, or the focus; one of show, omit (default: show)
	SettleMs  *int          `json:"settleMs,omitzero"`  // milliseconds to wait at most for a late effect (a change, response or document more than 50 ms after the input), and then until the page is quiet; all of it if no effect comes, or a request does not end
	MaxChars  *int          `json:"maxChars,omitzero"`  // characters of the snapshot; 8000 when left out
	Dialog    *DialogAnswer `json:"dialog,omitzero"`    // answer to a dialog that the act opens: {accept, promptText}
	Text      string        `json:"text"`               // text to put in; secret:NAME replaces what the field holds by a secret
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
	TargetID  string        `json:"targetId,omitzero"`  // tab: its id (t1), label, or target id; the current tab when left out
	RefMode   string        `json:"refMode,omitzero"`   // what refs mean after the page has replaced elements: the new elements that stand for them (carry), or only the elements they were given to (element); when left out, as the setting browser.refs says; one of carry, element
	TimeoutMs int           `json:"timeoutMs,omitzero"` // deadline in milliseconds
	Hidden    string        `json:"hidden,omitzero"`    // text that a person cannot see (transparent, clipped away, tiny, off-screen, in the color of what is behind it), but never a control or its label: show it, omit and count it, or mark it; one of show, omit, mark (default: show)
	Snapshot  string        `json:"snapshot,omitzero"`  // wait until the page is quiet (no change for 100 ms, no request, no transition; at most 1000 ms, or settleMs), then return what changed since the last snapshot (delta) or what can be acted on (efficient); navigated: only after a navigation, efficient for a new document and delta within the same one; one of delta, efficient, navigated, none
	Given     string        `json:"given,omitzero"`     // in a delta: show or omit lines whose only change is what this call entered, or the focus; one of show, omit (default: show)
	SettleMs  *int          `json:"settleMs,omitzero"`  // milliseconds to wait at most for a late effect (a change, response or document more than 50 ms after the input), and then until the page is quiet; all of it if no effect comes, or a request does not end
	MaxChars  *int          `json:"maxChars,omitzero"`  // characters of the snapshot; 8000 when left out
	Dialog    *DialogAnswer `json:"dialog,omitzero"`    // answer to a dialog that the act opens: {accept, promptText}
	Key       string        `json:"key"`                // key, or keys joined by +: Enter, ArrowDown, Control+A
	DelayMs   int           `json:"delayMs,omitzero"`   // milliseconds between press and release
}

// KeyDown runs the operation keydown. Press a key and keep it down, also for the acts that follow.
func (c *Client) KeyDown(ctx context.Context, r KeyDownRequest) (*ActAnswer, error) {
	return call[ActAnswer](ctx, c, r, "POST /act kind=keydown")
}

// KeyDownRequest has the parameters of [Client.KeyDown].
type KeyDownRequest struct {
	Profile   string        `json:"profile,omitzero"`   // browser profile; the default one when left out
	TargetID  string        `json:"targetId,omitzero"`  // tab: its id (t1), label, or target id; the current tab when left out
	RefMode   string        `json:"refMode,omitzero"`   // what refs mean after the page has replaced elements: the new elements that stand for them (carry), or only the elements they were given to (element); when left out, as the setting browser.refs says; one of carry, element
	TimeoutMs int           `json:"timeoutMs,omitzero"` // deadline in milliseconds
	Hidden    string        `json:"hidden,omitzero"`    // text that a person cannot see (transparent, clipped away, tiny, off-screen, in the color of what is behind it), but never a control or its label: show it, omit and count it, or mark it; one of show, omit, mark (default: show)
	Snapshot  string        `json:"snapshot,omitzero"`  // wait until the page is quiet (no change for 100 ms, no request, no transition; at most 1000 ms, or settleMs), then return what changed since the last snapshot (delta) or what can be acted on (efficient); navigated: only after a navigation, efficient for a new document and delta within the same one; one of delta, efficient, navigated, none
	Given     string        `json:"given,omitzero"`     // in a delta: show or omit lines whose only change is what this call entered, or the focus; one of show, omit (default: show)
	SettleMs  *int          `json:"settleMs,omitzero"`  // milliseconds to wait at most for a late effect (a change, response or document more than 50 ms after the input), and then until the page is quiet; all of it if no effect comes, or a request does not end
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
	TargetID  string        `json:"targetId,omitzero"`  // tab: its id (t1), label, or target id; the current tab when left out
	RefMode   string        `json:"refMode,omitzero"`   // what refs mean after the page has replaced elements: the new elements that stand for them (carry), or only the elements they were given to (element); when left out, as the setting browser.refs says; one of carry, element
	TimeoutMs int           `json:"timeoutMs,omitzero"` // deadline in milliseconds
	Hidden    string        `json:"hidden,omitzero"`    // text that a person cannot see (transparent, clipped away, tiny, off-screen, in the color of what is behind it), but never a control or its label: show it, omit and count it, or mark it; one of show, omit, mark (default: show)
	Snapshot  string        `json:"snapshot,omitzero"`  // wait until the page is quiet (no change for 100 ms, no request, no transition; at most 1000 ms, or settleMs), then return what changed since the last snapshot (delta) or what can be acted on (efficient); navigated: only after a navigation, efficient for a new document and delta within the same one; one of delta, efficient, navigated, none
	Given     string        `json:"given,omitzero"`     // in a delta: show or omit lines whose only change is what this call entered, or the focus; one of show, omit (default: show)
	SettleMs  *int          `json:"settleMs,omitzero"`  // milliseconds to wait at most for a late effect (a change, response or document more than 50 ms after the input), and then until the page is quiet; all of it if no effect comes, or a request does not end
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
	TargetID  string        `json:"targetId,omitzero"`  // tab: its id (t1), label, or target id; the current tab when left out
	RefMode   string        `json:"refMode,omitzero"`   // what refs mean after the page has replaced elements: the new elements that stand for them (carry), or only the elements they were given to (element); when left out, as the setting browser.refs says; one of carry, element
	TimeoutMs int           `json:"timeoutMs,omitzero"` // deadline in milliseconds
	Hidden    string        `json:"hidden,omitzero"`    // text that a person cannot see (transparent, clipped away, tiny, off-screen, in the color of what is behind it), but never a control or its label: show it, omit and count it, or mark it; one of show, omit, mark (default: show)
	Snapshot  string        `json:"snapshot,omitzero"`  // wait until the page is quiet (no change for 100 ms, no request, no transition; at most 1000 ms, or settleMs), then return what changed since the last snapshot (delta) or what can be acted on (efficient); navigated: only after a navigation, efficient for a new document and delta within the same one; one of delta, efficient, navigated, none
	Given     string        `json:"given,omitzero"`     // in a delta: show or omit lines whose only change is what this call entered, or the focus; one of show, omit (default: show)
	SettleMs  *int          `json:"settleMs,omitzero"`  // milliseconds to wait at most for a late effect (a change, response or document more than 50 ms after the input), and then until the page is quiet; all of it if no effect comes, or a request does not end
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
	TargetID  string        `json:"targetId,omitzero"`  // tab: its id (t1), label, or target id; the current tab when left out
	RefMode   string        `json:"refMode,omitzero"`   // what refs mean after the page has replaced elements: the new elements that stand for them (carry), or only the elements they were given to (element); when left out, as the setting browser.refs says; one of carry, element
	TimeoutMs int           `json:"timeoutMs,omitzero"` // deadline in milliseconds
	Hidden    string        `json:"hidden,omitzero"`    // text that a person cannot see (transparent, clipped away, tiny, off-screen, in the color of what is behind it), but never a control or its label: show it, omit and count it, or mark it; one of show, omit, mark (default: show)
	Snapshot  string        `json:"snapshot,omitzero"`  // wait until the page is quiet (no change for 100 ms, no request, no transition; at most 1000 ms, or settleMs), then return what changed since the last snapshot (delta) or what can be acted on (efficient); navigated: only after a navigation, efficient for a new document and delta within the same one; one of delta, efficient, navigated, none
	Given     string        `json:"given,omitzero"`     // in a delta: show or omit lines whose only change is what this call entered, or the focus; one of show, omit (default: show)
	SettleMs  *int          `json:"settleMs,omitzero"`  // milliseconds to wait at most for a late effect (a change, response or document more than 50 ms after the input), and then until the page is quiet; all of it if no effect comes, or a request does not end
	MaxChars  *int          `json:"maxChars,omitzero"`  // characters of the snapshot; 8000 when left out
	Dialog    *DialogAnswer `json:"dialog,omitzero"`    // answer to a dialog that the act opens: {accept, promptText}
	Ref       string        `json:"ref"`                // ref of the element, from a snapshot
}

// Scroll runs the operation scroll. Scroll an element or the page. The mouse wheel is turned over
// it.
func (c *Client) Scroll(ctx context.Context, r ScrollRequest) (*ScrollResult, error) {
	return call[ScrollResult](ctx, c, r, "POST /act kind=scroll")
}

// ScrollRequest has the parameters of [Client.Scroll].
type ScrollRequest struct {
	Profile   string        `json:"profile,omitzero"`   // browser profile; the default one when left out
	TargetID  string        `json:"targetId,omitzero"`  // tab: its id (t1), label, or target id; the current tab when left out
	RefMode   string        `json:"refMode,omitzero"`   // what refs mean after the page has replaced elements: the new elements that stand for them (carry), or only the elements they were given to (element); when left out, as the setting browser.refs says; one of carry, element
	TimeoutMs int           `json:"timeoutMs,omitzero"` // deadline in milliseconds
	Hidden    string        `json:"hidden,omitzero"`    // text that a person cannot see (transparent, clipped away, tiny, off-screen, in the color of what is behind it), but never a control or its label: show it, omit and count it, or mark it; one of show, omit, mark (default: show)
	Snapshot  string        `json:"snapshot,omitzero"`  // wait until the page is quiet (no change for 100 ms, no request, no transition; at most 1000 ms, or settleMs), then return what changed since the last snapshot (delta) or what can be acted on (efficient); navigated: only after a navigation, efficient for a new document and delta within the same one; one of delta, efficient, navigated, none
	Given     string        `json:"given,omitzero"`     // in a delta: show or omit lines whose only change is what this call entered, or the focus; one of show, omit (default: show)
	SettleMs  *int          `json:"settleMs,omitzero"`  // milliseconds to wait at most for a late effect (a change, response or document more than 50 ms after the input), and then until the page is quiet; all of it if no effect comes, or a request does not end
	MaxChars  *int          `json:"maxChars,omitzero"`  // characters of the snapshot; 8000 when left out
	Dialog    *DialogAnswer `json:"dialog,omitzero"`    // answer to a dialog that the act opens: {accept, promptText}
	Ref       string        `json:"ref,omitzero"`       // turn the wheel over this element: it is scrolled, or the box around it that scrolls; when left out, what is in the middle of the viewport
	Direction string        `json:"direction,omitzero"` // scroll by most of what is in view; one of up, down, left, right
	DeltaX    float64       `json:"deltaX,omitzero"`    // pixels to the right, negative: to the left
	DeltaY    float64       `json:"deltaY,omitzero"`    // pixels down, negative: up
	X         *float64      `json:"x,omitzero"`         // turn the wheel at this point, in pixels from the left of the viewport, and not in its middle
	Y         *float64      `json:"y,omitzero"`         // the same, in pixels from the top
	To        string        `json:"to,omitzero"`        // scroll all the way; in a list that loads more at its end, only to the end that it has now; one of top, bottom
}

// ScrollResult is the answer of [Client.Scroll].
type ScrollResult struct {
	ActAnswer

	ScrollTop     *int   `json:"scrollTop,omitzero"`     // pixels above the visible part of the box that was scrolled or, if none could be, of the nearest one that scrolls
	ScrollHeight  *int   `json:"scrollHeight,omitzero"`  // height of all content of that box, in pixels
	ClientHeight  *int   `json:"clientHeight,omitzero"`  // height of the visible part, in pixels
	ScrollLeft    *int   `json:"scrollLeft,omitzero"`    // pixels to the left of the visible part, after a scroll to the left or right
	ScrollWidth   *int   `json:"scrollWidth,omitzero"`   // width of all content of that box, in pixels
	ClientWidth   *int   `json:"clientWidth,omitzero"`   // width of the visible part, in pixels
	AtEnd         *bool  `json:"atEnd,omitzero"`         // the box cannot be scrolled further in this direction
	InsteadRef    string `json:"insteadRef,omitzero"`    // ref of the box that was scrolled, because the element has gone: an earlier scroll over the element had scrolled this box
	HandledByPage bool   `json:"handledByPage,omitzero"` // the page handled the wheel itself, as maps do; what it did is not known
}

// Drag runs the operation drag. Drag an element onto another.
func (c *Client) Drag(ctx context.Context, r DragRequest) (*DragResult, error) {
	return call[DragResult](ctx, c, r, "POST /act kind=drag")
}

// DragRequest has the parameters of [Client.Drag].
type DragRequest struct {
	Profile   string        `json:"profile,omitzero"`   // browser profile; the default one when left out
	TargetID  string        `json:"targetId,omitzero"`  // tab: its id (t1), label, or target id; the current tab when left out
	RefMode   string        `json:"refMode,omitzero"`   // what refs mean after the page has replaced elements: the new elements that stand for them (carry), or only the elements they were given to (element); when left out, as the setting browser.refs says; one of carry, element
	TimeoutMs int           `json:"timeoutMs,omitzero"` // deadline in milliseconds
	Hidden    string        `json:"hidden,omitzero"`    // text that a person cannot see (transparent, clipped away, tiny, off-screen, in the color of what is behind it), but never a control or its label: show it, omit and count it, or mark it; one of show, omit, mark (default: show)
	Snapshot  string        `json:"snapshot,omitzero"`  // wait until the page is quiet (no change for 100 ms, no request, no transition; at most 1000 ms, or settleMs), then return what changed since the last snapshot (delta) or what can be acted on (efficient); navigated: only after a navigation, efficient for a new document and delta within the same one; one of delta, efficient, navigated, none
	Given     string        `json:"given,omitzero"`     // in a delta: show or omit lines whose only change is what this call entered, or the focus; one of show, omit (default: show)
	SettleMs  *int          `json:"settleMs,omitzero"`  // milliseconds to wait at most for a late effect (a change, response or document more than 50 ms after the input), and then until the page is quiet; all of it if no effect comes, or a request does not end
	MaxChars  *int          `json:"maxChars,omitzero"`  // characters of the snapshot; 8000 when left out
	Dialog    *DialogAnswer `json:"dialog,omitzero"`    // answer to a dialog that the act opens: {accept, promptText}
	StartRef  string        `json:"startRef"`           // element to drag
	EndRef    string        `json:"endRef,omitzero"`    // element to drop it on
	EndX      *float64      `json:"endX,omitzero"`      // drop it here instead: pixels from the left of the viewport
	EndY      *float64      `json:"endY,omitzero"`      // pixels from the top of the viewport
	OffsetX   *float64      `json:"offsetX,omitzero"`   // with endRef: drop it so many pixels from the left of that element; without: drag it so many pixels to the right
	OffsetY   *float64      `json:"offsetY,omitzero"`   // with endRef: drop it so many pixels from the top of that element; without: drag it so many pixels down
	Steps     int           `json:"steps,omitzero"`     // moves of the mouse on the way, for pages that want many; 8 when left out
}

// DragResult is the answer of [Client.Drag].
type DragResult struct {
	ActAnswer

	At string `json:"at,omitzero"` // where it was dropped, if not on an element: a point of the viewport, or the distance to that point
}

// MouseMove runs the operation mouse move. Move the mouse to a point of the viewport.
func (c *Client) MouseMove(ctx context.Context, r MouseMoveRequest) (*ActAnswer, error) {
	return call[ActAnswer](ctx, c, r, "POST /act kind=mouseMove")
}

// MouseMoveRequest has the parameters of [Client.MouseMove].
type MouseMoveRequest struct {
	Profile   string        `json:"profile,omitzero"`   // browser profile; the default one when left out
	TargetID  string        `json:"targetId,omitzero"`  // tab: its id (t1), label, or target id; the current tab when left out
	RefMode   string        `json:"refMode,omitzero"`   // what refs mean after the page has replaced elements: the new elements that stand for them (carry), or only the elements they were given to (element); when left out, as the setting browser.refs says; one of carry, element
	TimeoutMs int           `json:"timeoutMs,omitzero"` // deadline in milliseconds
	Hidden    string        `json:"hidden,omitzero"`    // text that a person cannot see (transparent, clipped away, tiny, off-screen, in the color of what is behind it), but never a control or its label: show it, omit and count it, or mark it; one of show, omit, mark (default: show)
	Snapshot  string        `json:"snapshot,omitzero"`  // wait until the page is quiet (no change for 100 ms, no request, no transition; at most 1000 ms, or settleMs), then return what changed since the last snapshot (delta) or what can be acted on (efficient); navigated: only after a navigation, efficient for a new document and delta within the same one; one of delta, efficient, navigated, none
	Given     string        `json:"given,omitzero"`     // in a delta: show or omit lines whose only change is what this call entered, or the focus; one of show, omit (default: show)
	SettleMs  *int          `json:"settleMs,omitzero"`  // milliseconds to wait at most for a late effect (a change, response or document more than 50 ms after the input), and then until the page is quiet; all of it if no effect comes, or a request does not end
	MaxChars  *int          `json:"maxChars,omitzero"`  // characters of the snapshot; 8000 when left out
	Dialog    *DialogAnswer `json:"dialog,omitzero"`    // answer to a dialog that the act opens: {accept, promptText}
	X         float64       `json:"x"`                  // pixels from the left of the viewport
	Y         float64       `json:"y"`                  // pixels from the top of the viewport
}

// MouseDown runs the operation mouse down. Press a mouse button where the mouse is, and keep it
// down.
func (c *Client) MouseDown(ctx context.Context, r MouseDownRequest) (*ActAnswer, error) {
	return call[ActAnswer](ctx, c, r, "POST /act kind=mouseDown")
}

// MouseDownRequest has the parameters of [Client.MouseDown].
type MouseDownRequest struct {
	Profile   string        `json:"profile,omitzero"`   // browser profile; the default one when left out
	TargetID  string        `json:"targetId,omitzero"`  // tab: its id (t1), label, or target id; the current tab when left out
	RefMode   string        `json:"refMode,omitzero"`   // what refs mean after the page has replaced elements: the new elements that stand for them (carry), or only the elements they were given to (element); when left out, as the setting browser.refs says; one of carry, element
	TimeoutMs int           `json:"timeoutMs,omitzero"` // deadline in milliseconds
	Hidden    string        `json:"hidden,omitzero"`    // text that a person cannot see (transparent, clipped away, tiny, off-screen, in the color of what is behind it), but never a control or its label: show it, omit and count it, or mark it; one of show, omit, mark (default: show)
	Snapshot  string        `json:"snapshot,omitzero"`  // wait until the page is quiet (no change for 100 ms, no request, no transition; at most 1000 ms, or settleMs), then return what changed since the last snapshot (delta) or what can be acted on (efficient); navigated: only after a navigation, efficient for a new document and delta within the same one; one of delta, efficient, navigated, none
	Given     string        `json:"given,omitzero"`     // in a delta: show or omit lines whose only change is what this call entered, or the focus; one of show, omit (default: show)
	SettleMs  *int          `json:"settleMs,omitzero"`  // milliseconds to wait at most for a late effect (a change, response or document more than 50 ms after the input), and then until the page is quiet; all of it if no effect comes, or a request does not end
	MaxChars  *int          `json:"maxChars,omitzero"`  // characters of the snapshot; 8000 when left out
	Dialog    *DialogAnswer `json:"dialog,omitzero"`    // answer to a dialog that the act opens: {accept, promptText}
	Button    string        `json:"button,omitzero"`    // mouse button; left when left out; one of left, right, middle
}

// MouseUp runs the operation mouse up. Release a mouse button where the mouse is.
func (c *Client) MouseUp(ctx context.Context, r MouseUpRequest) (*ActAnswer, error) {
	return call[ActAnswer](ctx, c, r, "POST /act kind=mouseUp")
}

// MouseUpRequest has the parameters of [Client.MouseUp].
type MouseUpRequest struct {
	Profile   string        `json:"profile,omitzero"`   // browser profile; the default one when left out
	TargetID  string        `json:"targetId,omitzero"`  // tab: its id (t1), label, or target id; the current tab when left out
	RefMode   string        `json:"refMode,omitzero"`   // what refs mean after the page has replaced elements: the new elements that stand for them (carry), or only the elements they were given to (element); when left out, as the setting browser.refs says; one of carry, element
	TimeoutMs int           `json:"timeoutMs,omitzero"` // deadline in milliseconds
	Hidden    string        `json:"hidden,omitzero"`    // text that a person cannot see (transparent, clipped away, tiny, off-screen, in the color of what is behind it), but never a control or its label: show it, omit and count it, or mark it; one of show, omit, mark (default: show)
	Snapshot  string        `json:"snapshot,omitzero"`  // wait until the page is quiet (no change for 100 ms, no request, no transition; at most 1000 ms, or settleMs), then return what changed since the last snapshot (delta) or what can be acted on (efficient); navigated: only after a navigation, efficient for a new document and delta within the same one; one of delta, efficient, navigated, none
	Given     string        `json:"given,omitzero"`     // in a delta: show or omit lines whose only change is what this call entered, or the focus; one of show, omit (default: show)
	SettleMs  *int          `json:"settleMs,omitzero"`  // milliseconds to wait at most for a late effect (a change, response or document more than 50 ms after the input), and then until the page is quiet; all of it if no effect comes, or a request does not end
	MaxChars  *int          `json:"maxChars,omitzero"`  // characters of the snapshot; 8000 when left out
	Dialog    *DialogAnswer `json:"dialog,omitzero"`    // answer to a dialog that the act opens: {accept, promptText}
	Button    string        `json:"button,omitzero"`    // mouse button; left when left out; one of left, right, middle
}

// Drop runs the operation drop. Drop files on an element.
func (c *Client) Drop(ctx context.Context, r DropRequest) (*DropResult, error) {
	return call[DropResult](ctx, c, r, "POST /act kind=drop")
}

// DropRequest has the parameters of [Client.Drop].
type DropRequest struct {
	Profile   string        `json:"profile,omitzero"`   // browser profile; the default one when left out
	TargetID  string        `json:"targetId,omitzero"`  // tab: its id (t1), label, or target id; the current tab when left out
	RefMode   string        `json:"refMode,omitzero"`   // what refs mean after the page has replaced elements: the new elements that stand for them (carry), or only the elements they were given to (element); when left out, as the setting browser.refs says; one of carry, element
	TimeoutMs int           `json:"timeoutMs,omitzero"` // deadline in milliseconds
	Hidden    string        `json:"hidden,omitzero"`    // text that a person cannot see (transparent, clipped away, tiny, off-screen, in the color of what is behind it), but never a control or its label: show it, omit and count it, or mark it; one of show, omit, mark (default: show)
	Snapshot  string        `json:"snapshot,omitzero"`  // wait until the page is quiet (no change for 100 ms, no request, no transition; at most 1000 ms, or settleMs), then return what changed since the last snapshot (delta) or what can be acted on (efficient); navigated: only after a navigation, efficient for a new document and delta within the same one; one of delta, efficient, navigated, none
	Given     string        `json:"given,omitzero"`     // in a delta: show or omit lines whose only change is what this call entered, or the focus; one of show, omit (default: show)
	SettleMs  *int          `json:"settleMs,omitzero"`  // milliseconds to wait at most for a late effect (a change, response or document more than 50 ms after the input), and then until the page is quiet; all of it if no effect comes, or a request does not end
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
func (c *Client) Select(ctx context.Context, r SelectRequest) (*ActAnswer, error) {
	return call[ActAnswer](ctx, c, r, "POST /act kind=select")
}

// SelectRequest has the parameters of [Client.Select].
type SelectRequest struct {
	Profile   string        `json:"profile,omitzero"`   // browser profile; the default one when left out
	TargetID  string        `json:"targetId,omitzero"`  // tab: its id (t1), label, or target id; the current tab when left out
	RefMode   string        `json:"refMode,omitzero"`   // what refs mean after the page has replaced elements: the new elements that stand for them (carry), or only the elements they were given to (element); when left out, as the setting browser.refs says; one of carry, element
	TimeoutMs int           `json:"timeoutMs,omitzero"` // deadline in milliseconds
	Hidden    string        `json:"hidden,omitzero"`    // text that a person cannot see (transparent, clipped away, tiny, off-screen, in the color of what is behind it), but never a control or its label: show it, omit and count it, or mark it; one of show, omit, mark (default: show)
	Snapshot  string        `json:"snapshot,omitzero"`  // wait until the page is quiet (no change for 100 ms, no request, no transition; at most 1000 ms, or settleMs), then return what changed since the last snapshot (delta) or what can be acted on (efficient); navigated: only after a navigation, efficient for a new document and delta within the same one; one of delta, efficient, navigated, none
	Given     string        `json:"given,omitzero"`     // in a delta: show or omit lines whose only change is what this call entered, or the focus; one of show, omit (default: show)
	SettleMs  *int          `json:"settleMs,omitzero"`  // milliseconds to wait at most for a late effect (a change, response or document more than 50 ms after the input), and then until the page is quiet; all of it if no effect comes, or a request does not end
	MaxChars  *int          `json:"maxChars,omitzero"`  // characters of the snapshot; 8000 when left out
	Dialog    *DialogAnswer `json:"dialog,omitzero"`    // answer to a dialog that the act opens: {accept, promptText}
	Ref       string        `json:"ref"`                // ref of the element, from a snapshot
	Values    []string      `json:"values"`             // options to choose, by value or label
}

// Check runs the operation check. Check a checkbox, radio button or switch, unless it is checked.
func (c *Client) Check(ctx context.Context, r CheckRequest) (*ActAnswer, error) {
	return call[ActAnswer](ctx, c, r, "POST /act kind=check")
}

// CheckRequest has the parameters of [Client.Check].
type CheckRequest struct {
	Profile   string        `json:"profile,omitzero"`   // browser profile; the default one when left out
	TargetID  string        `json:"targetId,omitzero"`  // tab: its id (t1), label, or target id; the current tab when left out
	RefMode   string        `json:"refMode,omitzero"`   // what refs mean after the page has replaced elements: the new elements that stand for them (carry), or only the elements they were given to (element); when left out, as the setting browser.refs says; one of carry, element
	TimeoutMs int           `json:"timeoutMs,omitzero"` // deadline in milliseconds
	Hidden    string        `json:"hidden,omitzero"`    // text that a person cannot see (transparent, clipped away, tiny, off-screen, in the color of what is behind it), but never a control or its label: show it, omit and count it, or mark it; one of show, omit, mark (default: show)
	Snapshot  string        `json:"snapshot,omitzero"`  // wait until the page is quiet (no change for 100 ms, no request, no transition; at most 1000 ms, or settleMs), then return what changed since the last snapshot (delta) or what can be acted on (efficient); navigated: only after a navigation, efficient for a new document and delta within the same one; one of delta, efficient, navigated, none
	Given     string        `json:"given,omitzero"`     // in a delta: show or omit lines whose only change is what this call entered, or the focus; one of show, omit (default: show)
	SettleMs  *int          `json:"settleMs,omitzero"`  // milliseconds to wait at most for a late effect (a change, response or document more than 50 ms after the input), and then until the page is quiet; all of it if no effect comes, or a request does not end
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
	TargetID  string        `json:"targetId,omitzero"`  // tab: its id (t1), label, or target id; the current tab when left out
	RefMode   string        `json:"refMode,omitzero"`   // what refs mean after the page has replaced elements: the new elements that stand for them (carry), or only the elements they were given to (element); when left out, as the setting browser.refs says; one of carry, element
	TimeoutMs int           `json:"timeoutMs,omitzero"` // deadline in milliseconds
	Hidden    string        `json:"hidden,omitzero"`    // text that a person cannot see (transparent, clipped away, tiny, off-screen, in the color of what is behind it), but never a control or its label: show it, omit and count it, or mark it; one of show, omit, mark (default: show)
	Snapshot  string        `json:"snapshot,omitzero"`  // wait until the page is quiet (no change for 100 ms, no request, no transition; at most 1000 ms, or settleMs), then return what changed since the last snapshot (delta) or what can be acted on (efficient); navigated: only after a navigation, efficient for a new document and delta within the same one; one of delta, efficient, navigated, none
	Given     string        `json:"given,omitzero"`     // in a delta: show or omit lines whose only change is what this call entered, or the focus; one of show, omit (default: show)
	SettleMs  *int          `json:"settleMs,omitzero"`  // milliseconds to wait at most for a late effect (a change, response or document more than 50 ms after the input), and then until the page is quiet; all of it if no effect comes, or a request does not end
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
	TargetID  string        `json:"targetId,omitzero"`  // tab: its id (t1), label, or target id; the current tab when left out
	RefMode   string        `json:"refMode,omitzero"`   // what refs mean after the page has replaced elements: the new elements that stand for them (carry), or only the elements they were given to (element); when left out, as the setting browser.refs says; one of carry, element
	TimeoutMs int           `json:"timeoutMs,omitzero"` // deadline in milliseconds
	Hidden    string        `json:"hidden,omitzero"`    // text that a person cannot see (transparent, clipped away, tiny, off-screen, in the color of what is behind it), but never a control or its label: show it, omit and count it, or mark it; one of show, omit, mark (default: show)
	Snapshot  string        `json:"snapshot,omitzero"`  // wait until the page is quiet (no change for 100 ms, no request, no transition; at most 1000 ms, or settleMs), then return what changed since the last snapshot (delta) or what can be acted on (efficient); navigated: only after a navigation, efficient for a new document and delta within the same one; one of delta, efficient, navigated, none
	Given     string        `json:"given,omitzero"`     // in a delta: show or omit lines whose only change is what this call entered, or the focus; one of show, omit (default: show)
	SettleMs  *int          `json:"settleMs,omitzero"`  // milliseconds to wait at most for a late effect (a change, response or document more than 50 ms after the input), and then until the page is quiet; all of it if no effect comes, or a request does not end
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
	TargetID  string        `json:"targetId,omitzero"`  // tab: its id (t1), label, or target id; the current tab when left out
	RefMode   string        `json:"refMode,omitzero"`   // what refs mean after the page has replaced elements: the new elements that stand for them (carry), or only the elements they were given to (element); when left out, as the setting browser.refs says; one of carry, element
	TimeoutMs int           `json:"timeoutMs,omitzero"` // deadline in milliseconds
	Hidden    string        `json:"hidden,omitzero"`    // text that a person cannot see (transparent, clipped away, tiny, off-screen, in the color of what is behind it), but never a control or its label: show it, omit and count it, or mark it; one of show, omit, mark (default: show)
	Snapshot  string        `json:"snapshot,omitzero"`  // wait until the page is quiet (no change for 100 ms, no request, no transition; at most 1000 ms, or settleMs), then return what changed since the last snapshot (delta) or what can be acted on (efficient); navigated: only after a navigation, efficient for a new document and delta within the same one; one of delta, efficient, navigated, none
	Given     string        `json:"given,omitzero"`     // in a delta: show or omit lines whose only change is what this call entered, or the focus; one of show, omit (default: show)
	SettleMs  *int          `json:"settleMs,omitzero"`  // milliseconds to wait at most for a late effect (a change, response or document more than 50 ms after the input), and then until the page is quiet; all of it if no effect comes, or a request does not end
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
	TargetID  string        `json:"targetId,omitzero"`  // tab: its id (t1), label, or target id; the current tab when left out
	RefMode   string        `json:"refMode,omitzero"`   // what refs mean after the page has replaced elements: the new elements that stand for them (carry), or only the elements they were given to (element); when left out, as the setting browser.refs says; one of carry, element
	TimeoutMs int           `json:"timeoutMs,omitzero"` // deadline in milliseconds
	Hidden    string        `json:"hidden,omitzero"`    // text that a person cannot see (transparent, clipped away, tiny, off-screen, in the color of what is behind it), but never a control or its label: show it, omit and count it, or mark it; one of show, omit, mark (default: show)
	Snapshot  string        `json:"snapshot,omitzero"`  // wait until the page is quiet (no change for 100 ms, no request, no transition; at most 1000 ms, or settleMs), then return what changed since the last snapshot (delta) or what can be acted on (efficient); navigated: only after a navigation, efficient for a new document and delta within the same one; one of delta, efficient, navigated, none
	Given     string        `json:"given,omitzero"`     // in a delta: show or omit lines whose only change is what this call entered, or the focus; one of show, omit (default: show)
	SettleMs  *int          `json:"settleMs,omitzero"`  // milliseconds to wait at most for a late effect (a change, response or document more than 50 ms after the input), and then until the page is quiet; all of it if no effect comes, or a request does not end
	MaxChars  *int          `json:"maxChars,omitzero"`  // characters of the snapshot; 8000 when left out
	Dialog    *DialogAnswer `json:"dialog,omitzero"`    // answer to a dialog that the act opens: {accept, promptText}
	Fields    []FormField   `json:"fields"`             // the fields: a list of {ref, value, type}; type is text, or checkbox or radio for what is to be checked; secret:NAME as the value stands for a secret
}

// FillResult is the answer of [Client.Fill].
type FillResult struct {
	ActAnswer

	Filled int              `json:"filled"`          // how many fields were filled
	Differ []DifferingField `json:"differ,omitzero"` // fields that hold something else than the value: the page changed it
}

// Login runs the operation login. Log in with saved secrets. The form that the page shows is filled
// in and sent, and so are the forms that follow.
func (c *Client) Login(ctx context.Context, r LoginRequest) (*LoginResult, error) {
	return call[LoginResult](ctx, c, r, "POST /act kind=login")
}

// LoginRequest has the parameters of [Client.Login].
type LoginRequest struct {
	Profile   string        `json:"profile,omitzero"`   // browser profile; the default one when left out
	TargetID  string        `json:"targetId,omitzero"`  // tab: its id (t1), label, or target id; the current tab when left out
	RefMode   string        `json:"refMode,omitzero"`   // what refs mean after the page has replaced elements: the new elements that stand for them (carry), or only the elements they were given to (element); when left out, as the setting browser.refs says; one of carry, element
	TimeoutMs int           `json:"timeoutMs,omitzero"` // deadline in milliseconds
	Hidden    string        `json:"hidden,omitzero"`    // text that a person cannot see (transparent, clipped away, tiny, off-screen, in the color of what is behind it), but never a control or its label: show it, omit and count it, or mark it; one of show, omit, mark (default: show)
	Snapshot  string        `json:"snapshot,omitzero"`  // wait until the page is quiet (no change for 100 ms, no request, no transition; at most 1000 ms, or settleMs), then return what changed since the last snapshot (delta) or what can be acted on (efficient); navigated: only after a navigation, efficient for a new document and delta within the same one; one of delta, efficient, navigated, none
	Given     string        `json:"given,omitzero"`     // in a delta: show or omit lines whose only change is what this call entered, or the focus; one of show, omit (default: show)
	SettleMs  *int          `json:"settleMs,omitzero"`  // milliseconds to wait at most for a late effect (a change, response or document more than 50 ms after the input), and then until the page is quiet; all of it if no effect comes, or a request does not end
	MaxChars  *int          `json:"maxChars,omitzero"`  // characters of the snapshot; 8000 when left out
	Dialog    *DialogAnswer `json:"dialog,omitzero"`    // answer to a dialog that the act opens: {accept, promptText}
	Name      string        `json:"name,omitzero"`      // the account: its secrets are NAME/username, NAME/password and NAME/totp; left out, the only one for the site
}

// LoginResult is the answer of [Client.Login].
type LoginResult struct {
	ActAnswer

	Account string   `json:"account"`       // name of the account
	Entered []string `json:"entered"`       // what was entered, in order: username, password, one-time code
	Asks    string   `json:"asks,omitzero"` // what the page still asks for, after the form was sent: the login has failed, or is not done
}

// Resize runs the operation resize. Set the size of the viewport.
func (c *Client) Resize(ctx context.Context, r ResizeRequest) (*ActAnswer, error) {
	return call[ActAnswer](ctx, c, r, "POST /act kind=resize")
}

// ResizeRequest has the parameters of [Client.Resize].
type ResizeRequest struct {
	Profile   string        `json:"profile,omitzero"`   // browser profile; the default one when left out
	TargetID  string        `json:"targetId,omitzero"`  // tab: its id (t1), label, or target id; the current tab when left out
	RefMode   string        `json:"refMode,omitzero"`   // what refs mean after the page has replaced elements: the new elements that stand for them (carry), or only the elements they were given to (element); when left out, as the setting browser.refs says; one of carry, element
	TimeoutMs int           `json:"timeoutMs,omitzero"` // deadline in milliseconds
	Hidden    string        `json:"hidden,omitzero"`    // text that a person cannot see (transparent, clipped away, tiny, off-screen, in the color of what is behind it), but never a control or its label: show it, omit and count it, or mark it; one of show, omit, mark (default: show)
	Snapshot  string        `json:"snapshot,omitzero"`  // wait until the page is quiet (no change for 100 ms, no request, no transition; at most 1000 ms, or settleMs), then return what changed since the last snapshot (delta) or what can be acted on (efficient); navigated: only after a navigation, efficient for a new document and delta within the same one; one of delta, efficient, navigated, none
	Given     string        `json:"given,omitzero"`     // in a delta: show or omit lines whose only change is what this call entered, or the focus; one of show, omit (default: show)
	SettleMs  *int          `json:"settleMs,omitzero"`  // milliseconds to wait at most for a late effect (a change, response or document more than 50 ms after the input), and then until the page is quiet; all of it if no effect comes, or a request does not end
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
	TargetID    string        `json:"targetId,omitzero"`    // tab: its id (t1), label, or target id; the current tab when left out
	RefMode     string        `json:"refMode,omitzero"`     // what refs mean after the page has replaced elements: the new elements that stand for them (carry), or only the elements they were given to (element); when left out, as the setting browser.refs says; one of carry, element
	TimeoutMs   int           `json:"timeoutMs,omitzero"`   // deadline in milliseconds
	Hidden      string        `json:"hidden,omitzero"`      // text that a person cannot see (transparent, clipped away, tiny, off-screen, in the color of what is behind it), but never a control or its label: show it, omit and count it, or mark it; one of show, omit, mark (default: show)
	Snapshot    string        `json:"snapshot,omitzero"`    // wait until the page is quiet (no change for 100 ms, no request, no transition; at most 1000 ms, or settleMs), then return what changed since the last snapshot (delta) or what can be acted on (efficient); navigated: only after a navigation, efficient for a new document and delta within the same one; one of delta, efficient, navigated, none
	Given       string        `json:"given,omitzero"`       // in a delta: show or omit lines whose only change is what this call entered, or the focus; one of show, omit (default: show)
	SettleMs    *int          `json:"settleMs,omitzero"`    // milliseconds to wait at most for a late effect (a change, response or document more than 50 ms after the input), and then until the page is quiet; all of it if no effect comes, or a request does not end
	MaxChars    *int          `json:"maxChars,omitzero"`    // characters of the snapshot; 8000 when left out
	Dialog      *DialogAnswer `json:"dialog,omitzero"`      // answer to a dialog that the act opens: {accept, promptText}
	Actions     Actions       `json:"actions"`              // what to do: a list of objects, each with a kind and its arguments. The kind is that of an act, or one of navigate, back, forward, reload, snapshot, find, expect, screenshot
	StopOnError *bool         `json:"stopOnError,omitzero"` // stop at the first action that fails (default: true)
}

// BatchResult is the answer of [Client.Batch].
type BatchResult struct {
	ActAnswer

	Results []Outcome `json:"results"`          // the result of each action, in order
	Aborted *Aborted  `json:"aborted,omitzero"` // why the batch stopped before its end, though no action failed
}

// Evaluate runs the operation evaluate. Run a script in the page and return its result. It is off
// when browser.evaluateEnabled is false. The answer is text from the page.
func (c *Client) Evaluate(ctx context.Context, r EvaluateRequest) (*EvaluateResult, error) {
	return call[EvaluateResult](ctx, c, r, "POST /act kind=evaluate")
}

// EvaluateRequest has the parameters of [Client.Evaluate].
type EvaluateRequest struct {
	Profile   string        `json:"profile,omitzero"`   // browser profile; the default one when left out
	TargetID  string        `json:"targetId,omitzero"`  // tab: its id (t1), label, or target id; the current tab when left out
	RefMode   string        `json:"refMode,omitzero"`   // what refs mean after the page has replaced elements: the new elements that stand for them (carry), or only the elements they were given to (element); when left out, as the setting browser.refs says; one of carry, element
	TimeoutMs int           `json:"timeoutMs,omitzero"` // deadline in milliseconds
	Hidden    string        `json:"hidden,omitzero"`    // text that a person cannot see (transparent, clipped away, tiny, off-screen, in the color of what is behind it), but never a control or its label: show it, omit and count it, or mark it; one of show, omit, mark (default: show)
	Snapshot  string        `json:"snapshot,omitzero"`  // wait until the page is quiet (no change for 100 ms, no request, no transition; at most 1000 ms, or settleMs), then return what changed since the last snapshot (delta) or what can be acted on (efficient); navigated: only after a navigation, efficient for a new document and delta within the same one; one of delta, efficient, navigated, none
	Given     string        `json:"given,omitzero"`     // in a delta: show or omit lines whose only change is what this call entered, or the focus; one of show, omit (default: show)
	SettleMs  *int          `json:"settleMs,omitzero"`  // milliseconds to wait at most for a late effect (a change, response or document more than 50 ms after the input), and then until the page is quiet; all of it if no effect comes, or a request does not end
	MaxChars  *int          `json:"maxChars,omitzero"`  // characters of the snapshot; 8000 when left out
	Dialog    *DialogAnswer `json:"dialog,omitzero"`    // answer to a dialog that the act opens: {accept, promptText}
	Fn        string        `json:"fn"`                 // script: an expression, a function, or the body of a function
	Ref       string        `json:"ref,omitzero"`       // element that the function gets as its argument
}

// EvaluateResult is the answer of [Client.Evaluate].
type EvaluateResult struct {
	ActAnswer

	Result    json.RawMessage `json:"result,omitzero"`    // what the script answered; absent if nothing
	Truncated bool            `json:"truncated,omitzero"` // the result had more than 1000000 characters: this is the beginning of the text, or of the result's JSON as a text
}

// Wait runs the operation wait. Wait for a text, element, address or script; expect is better. If
// it would only time out, expect says what is there instead.
func (c *Client) Wait(ctx context.Context, r WaitRequest) (*ActAnswer, error) {
	return call[ActAnswer](ctx, c, r, "POST /act kind=wait")
}

// WaitRequest has the parameters of [Client.Wait].
type WaitRequest struct {
	Profile   string        `json:"profile,omitzero"`   // browser profile; the default one when left out
	TargetID  string        `json:"targetId,omitzero"`  // tab: its id (t1), label, or target id; the current tab when left out
	RefMode   string        `json:"refMode,omitzero"`   // what refs mean after the page has replaced elements: the new elements that stand for them (carry), or only the elements they were given to (element); when left out, as the setting browser.refs says; one of carry, element
	TimeoutMs int           `json:"timeoutMs,omitzero"` // deadline in milliseconds
	Hidden    string        `json:"hidden,omitzero"`    // text that a person cannot see (transparent, clipped away, tiny, off-screen, in the color of what is behind it), but never a control or its label: show it, omit and count it, or mark it; one of show, omit, mark (default: show)
	Snapshot  string        `json:"snapshot,omitzero"`  // wait until the page is quiet (no change for 100 ms, no request, no transition; at most 1000 ms, or settleMs), then return what changed since the last snapshot (delta) or what can be acted on (efficient); navigated: only after a navigation, efficient for a new document and delta within the same one; one of delta, efficient, navigated, none
	Given     string        `json:"given,omitzero"`     // in a delta: show or omit lines whose only change is what this call entered, or the focus; one of show, omit (default: show)
	SettleMs  *int          `json:"settleMs,omitzero"`  // milliseconds to wait at most for a late effect (a change, response or document more than 50 ms after the input), and then until the page is quiet; all of it if no effect comes, or a request does not end
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

// Upload runs the operation upload. Give files to a file input or file chooser. It is the chooser
// that a click on ref opens, or else the next one.
func (c *Client) Upload(ctx context.Context, r UploadRequest) (*UploadResult, error) {
	return call[UploadResult](ctx, c, r, "POST /hooks/file-chooser")
}

// UploadRequest has the parameters of [Client.Upload].
type UploadRequest struct {
	Profile   string   `json:"profile,omitzero"`   // browser profile; the default one when left out
	TargetID  string   `json:"targetId,omitzero"`  // tab: its id (t1), label, or target id; the current tab when left out
	RefMode   string   `json:"refMode,omitzero"`   // what refs mean after the page has replaced elements: the new elements that stand for them (carry), or only the elements they were given to (element); when left out, as the setting browser.refs says; one of carry, element
	TimeoutMs int      `json:"timeoutMs,omitzero"` // deadline in milliseconds
	Hidden    string   `json:"hidden,omitzero"`    // text that a person cannot see (transparent, clipped away, tiny, off-screen, in the color of what is behind it), but never a control or its label: show it, omit and count it, or mark it; one of show, omit, mark (default: show)
	Snapshot  string   `json:"snapshot,omitzero"`  // when it is done, wait until the page is quiet (at most 1000 ms, or settleMs), then return what changed since the last snapshot (delta) or what can be acted on (efficient); navigated: only after a navigation; one of delta, efficient, navigated, none
	SettleMs  *int     `json:"settleMs,omitzero"`  // milliseconds to wait at most until the page is quiet
	MaxChars  *int     `json:"maxChars,omitzero"`  // characters of the snapshot; 8000 when left out
	Paths     []string `json:"paths"`              // files to upload, in the uploads folder
	Ref       *string  `json:"ref,omitzero"`       // element whose click opens the file chooser
	InputRef  *string  `json:"inputRef,omitzero"`  // file input that takes the files directly
	Element   string   `json:"element,omitzero"`   // CSS selector of the file input that takes the files directly
}

// UploadResult is the answer of [Client.Upload].
type UploadResult struct {
	OK                  bool     `json:"ok"`                           // always true
	Files               int      `json:"files"`                        // how many files the page gets
	Armed               bool     `json:"armed,omitzero"`               // the files wait for the page's next file chooser
	Delta               string   `json:"delta,omitzero"`               // what changed since the last snapshot, or since this view of the page was shown before: + new lines, ~ changed ones, > moved ones, then - removed ones, each of which stands for all inside it; lines that begin with spaces name the row, card or landmark of what follows
	NoDelta             string   `json:"noDelta,omitzero"`             // why there is a snapshot in place of a delta: no earlier reading to compare, or another document
	Snapshot            string   `json:"snapshot,omitzero"`            // the page as text: what can be acted on, or all of it where a delta was asked for
	Truncated           bool     `json:"truncated,omitzero"`           // there is more than is shown
	Stats               *Stats   `json:"stats,omitzero"`               // size of the snapshot
	SnapshotUnavailable string   `json:"snapshotUnavailable,omitzero"` // why the page could not be read
	Ignored             []string `json:"ignored,omitzero"`             // names of the given parameters that had no effect
}

// Download runs the operation download. Click an element that starts a download, and wait for the
// file.
func (c *Client) Download(ctx context.Context, r DownloadRequest) (*DownloadResult, error) {
	return call[DownloadResult](ctx, c, r, "POST /download")
}

// DownloadRequest has the parameters of [Client.Download].
type DownloadRequest struct {
	Profile   string `json:"profile,omitzero"`   // browser profile; the default one when left out
	TargetID  string `json:"targetId,omitzero"`  // tab: its id (t1), label, or target id; the current tab when left out
	RefMode   string `json:"refMode,omitzero"`   // what refs mean after the page has replaced elements: the new elements that stand for them (carry), or only the elements they were given to (element); when left out, as the setting browser.refs says; one of carry, element
	TimeoutMs int    `json:"timeoutMs,omitzero"` // deadline in milliseconds
	Hidden    string `json:"hidden,omitzero"`    // text that a person cannot see (transparent, clipped away, tiny, off-screen, in the color of what is behind it), but never a control or its label: show it, omit and count it, or mark it; one of show, omit, mark (default: show)
	Snapshot  string `json:"snapshot,omitzero"`  // when it is done, wait until the page is quiet (at most 1000 ms, or settleMs), then return what changed since the last snapshot (delta) or what can be acted on (efficient); navigated: only after a navigation; one of delta, efficient, navigated, none
	SettleMs  *int   `json:"settleMs,omitzero"`  // milliseconds to wait at most until the page is quiet
	MaxChars  *int   `json:"maxChars,omitzero"`  // characters of the snapshot; 8000 when left out
	Ref       string `json:"ref"`                // element whose click begins the download
	Path      string `json:"path"`               // file to save it as, below the downloads folder
}

// DownloadResult is the answer of [Client.Download], [Client.WaitForDownload].
type DownloadResult struct {
	OK                  bool              `json:"ok"`                           // always true
	TargetID            string            `json:"targetId"`                     // target id of the tab
	Download            DownloadedFile    `json:"download"`                     // the file
	Delta               string            `json:"delta,omitzero"`               // what changed since the last snapshot, or since this view of the page was shown before: + new lines, ~ changed ones, > moved ones, then - removed ones, each of which stands for all inside it; lines that begin with spaces name the row, card or landmark of what follows
	NoDelta             string            `json:"noDelta,omitzero"`             // why there is a snapshot in place of a delta: no earlier reading to compare, or another document
	Snapshot            string            `json:"snapshot,omitzero"`            // the page as text: what can be acted on, or all of it where a delta was asked for
	Truncated           bool              `json:"truncated,omitzero"`           // there is more than is shown
	Stats               *Stats            `json:"stats,omitzero"`               // size of the snapshot
	SnapshotUnavailable string            `json:"snapshotUnavailable,omitzero"` // why the page could not be read
	Ignored             []string          `json:"ignored,omitzero"`             // names of the given parameters that had no effect
	FileIDs             map[string]string `json:"fileIds,omitzero"`             // for each path of a file in the answer, its id for GET /files/{id}. Over the Unix socket, only if the header X-Chela-File-Ids asks for it
}

// WaitForDownload runs the operation waitfordownload. Wait for a download that has begun, or the
// next.
func (c *Client) WaitForDownload(ctx context.Context, r WaitForDownloadRequest) (*DownloadResult, error) {
	return call[DownloadResult](ctx, c, r, "POST /wait/download")
}

// WaitForDownloadRequest has the parameters of [Client.WaitForDownload].
type WaitForDownloadRequest struct {
	Profile   string `json:"profile,omitzero"`   // browser profile; the default one when left out
	TargetID  string `json:"targetId,omitzero"`  // tab: its id (t1), label, or target id; the current tab when left out
	RefMode   string `json:"refMode,omitzero"`   // what refs mean after the page has replaced elements: the new elements that stand for them (carry), or only the elements they were given to (element); when left out, as the setting browser.refs says; one of carry, element
	TimeoutMs int    `json:"timeoutMs,omitzero"` // deadline in milliseconds
	Path      string `json:"path,omitzero"`      // file to save it as, below the downloads folder
}

// ClipboardWrite runs the operation clipboard write. Put a text or a picture on the browser's
// clipboard, to be pasted by press Control+V.
func (c *Client) ClipboardWrite(ctx context.Context, r ClipboardWriteRequest) (*ClipboardResult, error) {
	return call[ClipboardResult](ctx, c, r, "POST /clipboard/write")
}

// ClipboardWriteRequest has the parameters of [Client.ClipboardWrite].
type ClipboardWriteRequest struct {
	Profile   string  `json:"profile,omitzero"`   // browser profile; the default one when left out
	TimeoutMs int     `json:"timeoutMs,omitzero"` // deadline in milliseconds
	Text      *string `json:"text,omitzero"`      // text to put on the clipboard
	Path      string  `json:"path,omitzero"`      // picture to put on the clipboard instead: a file in the uploads folder
}

// ClipboardResult is the answer of [Client.ClipboardWrite].
type ClipboardResult struct {
	OK      bool     `json:"ok"`               // always true
	Ignored []string `json:"ignored,omitzero"` // names of the given parameters that had no effect
}

// ClipboardRead runs the operation clipboard read. Read the text or the picture on the browser's
// clipboard, such as press Control+C puts there.
func (c *Client) ClipboardRead(ctx context.Context, r ClipboardReadRequest) (*ClipboardContent, error) {
	return call[ClipboardContent](ctx, c, r, "GET /clipboard")
}

// ClipboardReadRequest has the parameters of [Client.ClipboardRead].
type ClipboardReadRequest struct {
	Profile   string `json:"profile,omitzero"`   // browser profile; the default one when left out
	TimeoutMs int    `json:"timeoutMs,omitzero"` // deadline in milliseconds
}

// ClipboardContent is the answer of [Client.ClipboardRead].
type ClipboardContent struct {
	OK      bool              `json:"ok"`               // always true
	Text    string            `json:"text"`             // text on the clipboard
	Path    string            `json:"path,omitzero"`    // where the picture on the clipboard was saved
	Ignored []string          `json:"ignored,omitzero"` // names of the given parameters that had no effect
	FileIDs map[string]string `json:"fileIds,omitzero"` // for each path of a file in the answer, its id for GET /files/{id}. Over the Unix socket, only if the header X-Chela-File-Ids asks for it
}

// Dialogs runs the operation dialogs. List open dialogs, and the last that were answered. The
// answer is text from the page.
func (c *Client) Dialogs(ctx context.Context, r DialogsRequest) (*DialogState, error) {
	return call[DialogState](ctx, c, r, "GET /dialogs")
}

// DialogsRequest has the parameters of [Client.Dialogs].
type DialogsRequest struct {
	Profile  string `json:"profile,omitzero"`  // browser profile; the default one when left out
	TargetID string `json:"targetId,omitzero"` // tab: its id (t1), label, or target id; the current tab when left out
	RefMode  string `json:"refMode,omitzero"`  // what refs mean after the page has replaced elements: the new elements that stand for them (carry), or only the elements they were given to (element); when left out, as the setting browser.refs says; one of carry, element
}

// DialogState is the answer of [Client.Dialogs].
type DialogState struct {
	OK           bool         `json:"ok"`               // always true
	TargetID     string       `json:"targetId"`         // target id of the tab
	URL          string       `json:"url"`              // address that the tab shows
	BrowserState BrowserState `json:"browserState"`     // the dialogs of the tab: those that are open, and the last that were closed
	Ignored      []string     `json:"ignored,omitzero"` // names of the given parameters that had no effect
}

// Dialog runs the operation dialog. Answer the open dialog, or the next one in advance.
func (c *Client) Dialog(ctx context.Context, r DialogRequest) (*DialogResult, error) {
	return call[DialogResult](ctx, c, r, "POST /hooks/dialog")
}

// DialogRequest has the parameters of [Client.Dialog].
type DialogRequest struct {
	Profile    string `json:"profile,omitzero"`    // browser profile; the default one when left out
	TargetID   string `json:"targetId,omitzero"`   // tab: its id (t1), label, or target id; the current tab when left out
	RefMode    string `json:"refMode,omitzero"`    // what refs mean after the page has replaced elements: the new elements that stand for them (carry), or only the elements they were given to (element); when left out, as the setting browser.refs says; one of carry, element
	TimeoutMs  int    `json:"timeoutMs,omitzero"`  // deadline in milliseconds
	Hidden     string `json:"hidden,omitzero"`     // text that a person cannot see (transparent, clipped away, tiny, off-screen, in the color of what is behind it), but never a control or its label: show it, omit and count it, or mark it; one of show, omit, mark (default: show)
	Snapshot   string `json:"snapshot,omitzero"`   // when it is done, wait until the page is quiet (at most 1000 ms, or settleMs), then return what changed since the last snapshot (delta) or what can be acted on (efficient); navigated: only after a navigation; one of delta, efficient, navigated, none
	SettleMs   *int   `json:"settleMs,omitzero"`   // milliseconds to wait at most until the page is quiet
	MaxChars   *int   `json:"maxChars,omitzero"`   // characters of the snapshot; 8000 when left out
	Accept     bool   `json:"accept"`              // accept the dialog
	PromptText string `json:"promptText,omitzero"` // answer to a prompt
	DialogID   string `json:"dialogId,omitzero"`   // id of the dialog; when left out, the only open one
}

// DialogResult is the answer of [Client.Dialog].
type DialogResult struct {
	OK                  bool     `json:"ok"`                           // always true
	Armed               bool     `json:"armed,omitzero"`               // no dialog was open: the answer waits for the next one
	Delta               string   `json:"delta,omitzero"`               // what changed since the last snapshot, or since this view of the page was shown before: + new lines, ~ changed ones, > moved ones, then - removed ones, each of which stands for all inside it; lines that begin with spaces name the row, card or landmark of what follows
	NoDelta             string   `json:"noDelta,omitzero"`             // why there is a snapshot in place of a delta: no earlier reading to compare, or another document
	Snapshot            string   `json:"snapshot,omitzero"`            // the page as text: what can be acted on, or all of it where a delta was asked for
	Truncated           bool     `json:"truncated,omitzero"`           // there is more than is shown
	Stats               *Stats   `json:"stats,omitzero"`               // size of the snapshot
	SnapshotUnavailable string   `json:"snapshotUnavailable,omitzero"` // why the page could not be read
	Ignored             []string `json:"ignored,omitzero"`             // names of the given parameters that had no effect
}

// Set runs the operation set. Show the settings of the browser, which hold in all its tabs.
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
	Network     string          `json:"network,omitzero"`     // to what the network is slowed down: slow-3g, fast-3g or 4g
	CPU         float64         `json:"cpu,omitzero"`         // how many times slower the processor is
	Geolocation *Geoposition    `json:"geolocation,omitzero"` // position that pages get
	Media       *MediaSet       `json:"media,omitzero"`       // media type and media features, which style sheets query
	TimezoneID  string          `json:"timezoneId,omitzero"`  // IANA name of the time zone
	Locale      string          `json:"locale,omitzero"`      // language tag, such as de-DE
	Device      string          `json:"device,omitzero"`      // name of the device that is emulated
	Headers     []OriginHeaders `json:"headers,omitzero"`     // headers that requests to an origin get
	Credentials []OriginLogin   `json:"credentials,omitzero"` // names for servers that ask for a login
	Routes      int             `json:"routes,omitzero"`      // number of routes, which the operation routes lists
	Ignored     []string        `json:"ignored,omitzero"`     // names of the given parameters that had no effect
}

// Emulate runs the operation emulate. Show pages as on another device, or in other surroundings:
// several settings in one call.
func (c *Client) Emulate(ctx context.Context, r EmulateRequest) (*Emulated, error) {
	return call[Emulated](ctx, c, r, "POST /set")
}

// EmulateRequest has the parameters of [Client.Emulate].
type EmulateRequest struct {
	Profile       string   `json:"profile,omitzero"`       // browser profile; the default one when left out
	TargetID      string   `json:"targetId,omitzero"`      // tab: its id (t1), label, or target id; the current tab when left out
	RefMode       string   `json:"refMode,omitzero"`       // what refs mean after the page has replaced elements: the new elements that stand for them (carry), or only the elements they were given to (element); when left out, as the setting browser.refs says; one of carry, element
	Device        string   `json:"device,omitzero"`        // name of a device, as Playwright has it; none: no device
	ColorScheme   string   `json:"colorScheme,omitzero"`   // prefers-color-scheme; one of dark, light, no-preference, none
	Media         string   `json:"media,omitzero"`         // media type; one of print, screen, none
	ReducedMotion string   `json:"reducedMotion,omitzero"` // prefers-reduced-motion; one of reduce, no-preference, none
	Contrast      string   `json:"contrast,omitzero"`      // prefers-contrast; one of more, less, no-preference, none
	ForcedColors  string   `json:"forcedColors,omitzero"`  // forced-colors; one of active, inactive, none
	TimezoneID    string   `json:"timezoneId,omitzero"`    // IANA name of the time zone; none: that of this machine
	Locale        string   `json:"locale,omitzero"`        // language tag, such as de-DE; none: that of this machine
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
	TargetID string `json:"targetId,omitzero"` // tab: its id (t1), label, or target id; the current tab when left out
	RefMode  string `json:"refMode,omitzero"`  // what refs mean after the page has replaced elements: the new elements that stand for them (carry), or only the elements they were given to (element); when left out, as the setting browser.refs says; one of carry, element
	Offline  bool   `json:"offline"`           // on: no request gets through
}

// SetNetwork runs the operation set network. Slow the network down, or restore its speed.
func (c *Client) SetNetwork(ctx context.Context, r SetNetworkRequest) (*TabAnswer, error) {
	return call[TabAnswer](ctx, c, r, "POST /set/network")
}

// SetNetworkRequest has the parameters of [Client.SetNetwork].
type SetNetworkRequest struct {
	Profile  string `json:"profile,omitzero"`  // browser profile; the default one when left out
	TargetID string `json:"targetId,omitzero"` // tab: its id (t1), label, or target id; the current tab when left out
	RefMode  string `json:"refMode,omitzero"`  // what refs mean after the page has replaced elements: the new elements that stand for them (carry), or only the elements they were given to (element); when left out, as the setting browser.refs says; one of carry, element
	Network  string `json:"network"`           // how slow the network is; none: not slowed down; one of slow-3g, fast-3g, 4g, none
}

// SetCPU runs the operation set cpu. Slow the processor down for pages.
func (c *Client) SetCPU(ctx context.Context, r SetCPURequest) (*TabAnswer, error) {
	return call[TabAnswer](ctx, c, r, "POST /set/cpu")
}

// SetCPURequest has the parameters of [Client.SetCPU].
type SetCPURequest struct {
	Profile  string  `json:"profile,omitzero"`  // browser profile; the default one when left out
	TargetID string  `json:"targetId,omitzero"` // tab: its id (t1), label, or target id; the current tab when left out
	RefMode  string  `json:"refMode,omitzero"`  // what refs mean after the page has replaced elements: the new elements that stand for them (carry), or only the elements they were given to (element); when left out, as the setting browser.refs says; one of carry, element
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
	TargetID  string   `json:"targetId,omitzero"`  // tab: its id (t1), label, or target id; the current tab when left out
	RefMode   string   `json:"refMode,omitzero"`   // what refs mean after the page has replaced elements: the new elements that stand for them (carry), or only the elements they were given to (element); when left out, as the setting browser.refs says; one of carry, element
	Clear     bool     `json:"clear,omitzero"`     // restore the browser's own value
	Latitude  *float64 `json:"latitude,omitzero"`  // degrees north
	Longitude *float64 `json:"longitude,omitzero"` // degrees east
	Accuracy  float64  `json:"accuracy,omitzero"`  // accuracy of the position, in metres
	Origin    string   `json:"origin,omitzero"`    // origin whose pages may ask for the position; when left out, the origin of the tab, or any origin if the tab shows no site
}

// Changed is the answer of [Client.SetGeo], [Client.SetTimezone], [Client.SetLocale].
type Changed struct {
	TabAnswer

	State string `json:"state,omitzero"` // cleared, or for some settings: set
}

// SetMedia runs the operation set media. Set media features, such as the color scheme. What is left
// out stays as it is; none restores the browser's own value.
func (c *Client) SetMedia(ctx context.Context, r SetMediaRequest) (*TabAnswer, error) {
	return call[TabAnswer](ctx, c, r, "POST /set/media")
}

// SetMediaRequest has the parameters of [Client.SetMedia].
type SetMediaRequest struct {
	Profile       string `json:"profile,omitzero"`       // browser profile; the default one when left out
	TargetID      string `json:"targetId,omitzero"`      // tab: its id (t1), label, or target id; the current tab when left out
	RefMode       string `json:"refMode,omitzero"`       // what refs mean after the page has replaced elements: the new elements that stand for them (carry), or only the elements they were given to (element); when left out, as the setting browser.refs says; one of carry, element
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
	TargetID   string `json:"targetId,omitzero"`   // tab: its id (t1), label, or target id; the current tab when left out
	RefMode    string `json:"refMode,omitzero"`    // what refs mean after the page has replaced elements: the new elements that stand for them (carry), or only the elements they were given to (element); when left out, as the setting browser.refs says; one of carry, element
	Clear      bool   `json:"clear,omitzero"`      // restore the browser's own value
	TimezoneID string `json:"timezoneId,omitzero"` // IANA name of the time zone
}

// SetLocale runs the operation set locale. Set the language that pages are asked for, and how they
// write numbers and dates.
func (c *Client) SetLocale(ctx context.Context, r SetLocaleRequest) (*Changed, error) {
	return call[Changed](ctx, c, r, "POST /set/locale")
}

// SetLocaleRequest has the parameters of [Client.SetLocale].
type SetLocaleRequest struct {
	Profile  string `json:"profile,omitzero"`  // browser profile; the default one when left out
	TargetID string `json:"targetId,omitzero"` // tab: its id (t1), label, or target id; the current tab when left out
	RefMode  string `json:"refMode,omitzero"`  // what refs mean after the page has replaced elements: the new elements that stand for them (carry), or only the elements they were given to (element); when left out, as the setting browser.refs says; one of carry, element
	Clear    bool   `json:"clear,omitzero"`    // restore the browser's own value
	Locale   string `json:"locale,omitzero"`   // language tag, such as de-DE
}

// SetDevice runs the operation set device. Show pages as on a device of this name: its viewport,
// pixel ratio, touch and user agent. A tab that was resized keeps its size.
func (c *Client) SetDevice(ctx context.Context, r SetDeviceRequest) (*DeviceSet, error) {
	return call[DeviceSet](ctx, c, r, "POST /set/device")
}

// SetDeviceRequest has the parameters of [Client.SetDevice].
type SetDeviceRequest struct {
	Profile  string `json:"profile,omitzero"`  // browser profile; the default one when left out
	TargetID string `json:"targetId,omitzero"` // tab: its id (t1), label, or target id; the current tab when left out
	RefMode  string `json:"refMode,omitzero"`  // what refs mean after the page has replaced elements: the new elements that stand for them (carry), or only the elements they were given to (element); when left out, as the setting browser.refs says; one of carry, element
	Clear    bool   `json:"clear,omitzero"`    // restore the browser's own value
	Name     string `json:"name,omitzero"`     // name of the device, as Playwright has it
}

// DeviceSet is the answer of [Client.SetDevice].
type DeviceSet struct {
	TabAnswer

	State  string `json:"state,omitzero"`  // cleared, or for some settings: set
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
	Routes  []RouteInfo `json:"routes"`           // the routes; of those that fit a request, the first counts
	Ignored []string    `json:"ignored,omitzero"` // names of the given parameters that had no effect
}

// SetHeaders runs the operation set headers. Add headers to all requests to the origin of the tab,
// or to others. {} removes them. While the tab shows no site, they are for the first that is
// opened.
func (c *Client) SetHeaders(ctx context.Context, r SetHeadersRequest) (*HeadersSet, error) {
	return call[HeadersSet](ctx, c, r, "POST /set/headers")
}

// SetHeadersRequest has the parameters of [Client.SetHeaders].
type SetHeadersRequest struct {
	Profile  string         `json:"profile,omitzero"`  // browser profile; the default one when left out
	TargetID string         `json:"targetId,omitzero"` // tab: its id (t1), label, or target id; the current tab when left out
	RefMode  string         `json:"refMode,omitzero"`  // what refs mean after the page has replaced elements: the new elements that stand for them (carry), or only the elements they were given to (element); when left out, as the setting browser.refs says; one of carry, element
	Origins  []string       `json:"origins,omitzero"`  // for which origins: https://example.com, or * for all. When left out, it is the origin of the tab, or the first that is opened while the tab shows no site; to clear, it is all
	Headers  map[string]any `json:"headers"`           // headers by name, whose values are texts, or secret:NAME for the value of a secret; {} clears
}

// HeadersSet is the answer of [Client.SetHeaders].
type HeadersSet struct {
	TabAnswer

	Origins []string `json:"origins"`          // the origins that this was done for. The word first stands for the first origin that a call navigates to. No origins: the headers of all are cleared
	Dropped []string `json:"dropped,omitzero"` // names of headers that are not sent, because their values are not texts
	Cleared bool     `json:"cleared,omitzero"` // there are no headers any more
}

// SetCredentials runs the operation set credentials. Give the name and password for servers that
// ask for them by HTTP (401), of the origin of the tab or of others. While the tab shows no site,
// they are for the first that is opened.
func (c *Client) SetCredentials(ctx context.Context, r SetCredentialsRequest) (*CredentialsSet, error) {
	return call[CredentialsSet](ctx, c, r, "POST /set/credentials")
}

// SetCredentialsRequest has the parameters of [Client.SetCredentials].
type SetCredentialsRequest struct {
	Profile  string   `json:"profile,omitzero"`  // browser profile; the default one when left out
	TargetID string   `json:"targetId,omitzero"` // tab: its id (t1), label, or target id; the current tab when left out
	RefMode  string   `json:"refMode,omitzero"`  // what refs mean after the page has replaced elements: the new elements that stand for them (carry), or only the elements they were given to (element); when left out, as the setting browser.refs says; one of carry, element
	Origins  []string `json:"origins,omitzero"`  // for which origins: https://example.com, or * for all. When left out, it is the origin of the tab, or the first that is opened while the tab shows no site; to clear, it is all
	Username string   `json:"username,omitzero"` // name; secret:NAME stands for the value of a secret
	Password string   `json:"password,omitzero"` // password; secret:NAME stands for the value of a secret
	Clear    bool     `json:"clear,omitzero"`    // forget names and passwords
}

// CredentialsSet is the answer of [Client.SetCredentials].
type CredentialsSet struct {
	TabAnswer

	Origins []string `json:"origins"`          // the origins that this was done for. The word first stands for the first origin that a call navigates to. No origins: the credentials of all are cleared
	Cleared bool     `json:"cleared,omitzero"` // there are no credentials any more
}

// Route runs the operation route. Abort, answer, change or delay the requests of all tabs that fit
// a pattern. Of several routes that fit, the one added last counts. Chromium lets the requests of
// some shared workers pass.
func (c *Client) Route(ctx context.Context, r RouteRequest) (*RouteResult, error) {
	return call[RouteResult](ctx, c, r, "POST /route")
}

// RouteRequest has the parameters of [Client.Route].
type RouteRequest struct {
	Profile     string         `json:"profile,omitzero"`     // browser profile; the default one when left out
	TargetID    string         `json:"targetId,omitzero"`    // tab: its id (t1), label, or target id; the current tab when left out
	RefMode     string         `json:"refMode,omitzero"`     // what refs mean after the page has replaced elements: the new elements that stand for them (carry), or only the elements they were given to (element); when left out, as the setting browser.refs says; one of carry, element
	URL         string         `json:"url,omitzero"`         // which addresses: a glob for the whole address, in which * is anything but a slash, ** anything, {a,b} a or b; or a whole address; or a path (/api/**); or a part of the address
	Types       []string       `json:"types,omitzero"`       // only requests for these: document, stylesheet, image, media, font, script, xhr (also fetch), ping, other
	Block       []string       `json:"block,omitzero"`       // abort the requests for these types: images,fonts
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
	TimesLeft int                `json:"timesLeft,omitzero"` // for how many more requests; left out: for all
	Does      string             `json:"does"`               // what the route does, in words
}

// Unroute runs the operation unroute. Remove the route of an id, or those of a pattern, or all.
func (c *Client) Unroute(ctx context.Context, r UnrouteRequest) (*Unrouted, error) {
	return call[Unrouted](ctx, c, r, "DELETE /route")
}

// UnrouteRequest has the parameters of [Client.Unroute].
type UnrouteRequest struct {
	Profile  string `json:"profile,omitzero"`  // browser profile; the default one when left out
	TargetID string `json:"targetId,omitzero"` // tab: its id (t1), label, or target id; the current tab when left out
	RefMode  string `json:"refMode,omitzero"`  // what refs mean after the page has replaced elements: the new elements that stand for them (carry), or only the elements they were given to (element); when left out, as the setting browser.refs says; one of carry, element
	URL      string `json:"url,omitzero"`      // pattern of the routes to remove, exactly as it was added, or the id of one; without url and id, all are removed
	ID       string `json:"id,omitzero"`       // id of the route to remove
}

// Unrouted is the answer of [Client.Unroute].
type Unrouted struct {
	TabAnswer

	Removed int `json:"removed"` // how many routes were removed
}

// Cookies runs the operation cookies. List the cookies of the browser. The answer is text from the
// page.
func (c *Client) Cookies(ctx context.Context, r CookiesRequest) (*CookieList, error) {
	return call[CookieList](ctx, c, r, "GET /cookies")
}

// CookiesRequest has the parameters of [Client.Cookies].
type CookiesRequest struct {
	Profile   string `json:"profile,omitzero"`   // browser profile; the default one when left out
	TargetID  string `json:"targetId,omitzero"`  // tab: its id (t1), label, or target id; the current tab when left out
	RefMode   string `json:"refMode,omitzero"`   // what refs mean after the page has replaced elements: the new elements that stand for them (carry), or only the elements they were given to (element); when left out, as the setting browser.refs says; one of carry, element
	TimeoutMs int    `json:"timeoutMs,omitzero"` // deadline in milliseconds
	Name      string `json:"name,omitzero"`      // only cookies of this name
	Domain    string `json:"domain,omitzero"`    // only cookies of this domain
	Path      string `json:"path,omitzero"`      // only cookies of this path
}

// CookieList is the answer of [Client.Cookies].
type CookieList struct {
	OK        bool     `json:"ok"`                 // always true
	TargetID  string   `json:"targetId"`           // target id of the tab
	Cookies   []Cookie `json:"cookies"`            // the cookies of all sites
	Truncated bool     `json:"truncated,omitzero"` // some cookies were left out
	Total     int      `json:"total,omitzero"`     // how many cookies there are, if some were left out
	Ignored   []string `json:"ignored,omitzero"`   // names of the given parameters that had no effect
}

// CookiesSet runs the operation cookies set. Set a cookie, or those of a request that a browser has
// copied as cURL.
func (c *Client) CookiesSet(ctx context.Context, r CookiesSetRequest) (*CookiesChanged, error) {
	return call[CookiesChanged](ctx, c, r, "POST /cookies/set")
}

// CookiesSetRequest has the parameters of [Client.CookiesSet].
type CookiesSetRequest struct {
	Profile                string     `json:"profile,omitzero"`                 // browser profile; the default one when left out
	TargetID               string     `json:"targetId,omitzero"`                // tab: its id (t1), label, or target id; the current tab when left out
	RefMode                string     `json:"refMode,omitzero"`                 // what refs mean after the page has replaced elements: the new elements that stand for them (carry), or only the elements they were given to (element); when left out, as the setting browser.refs says; one of carry, element
	TimeoutMs              int        `json:"timeoutMs,omitzero"`               // deadline in milliseconds
	Cookie                 *NewCookie `json:"cookie,omitzero"`                  // the cookie, as an object with the other parameters as its fields
	Name                   string     `json:"name,omitzero"`                    // name of the cookie
	Value                  *string    `json:"value,omitzero"`                   // value of the cookie
	URL                    string     `json:"url,omitzero"`                     // an address that gets the cookie, in place of domain and path
	Domain                 string     `json:"domain,omitzero"`                  // host that gets the cookie; with a dot before it, also the hosts below it
	Path                   string     `json:"path,omitzero"`                    // beginning of the paths that get the cookie
	Expires                *float64   `json:"expires,omitzero"`                 // when the cookie ends, in seconds since 1970; when left out, it ends with the browser
	HTTPOnly               bool       `json:"httpOnly,omitzero"`                // scripts of pages cannot read it
	Secure                 *bool      `json:"secure,omitzero"`                  // the cookie is sent over https only; when left out, this is so if the url is https
	SameSite               string     `json:"sameSite,omitzero"`                // whether requests from other sites send it; one of Strict, Lax, None
	PartitionKey           string     `json:"partitionKey,omitzero"`            // for a partitioned cookie: site that a tab must show for the cookie to be sent
	CrHasCrossSiteAncestor *bool      `json:"_crHasCrossSiteAncestor,omitzero"` // for a partitioned cookie: it was set in a frame inside a page of another site
	Curl                   string     `json:"curl,omitzero"`                    // a request that a browser has copied as cURL (bash): its cookies are set for its address
}

// CookiesChanged is the answer of [Client.CookiesSet], [Client.CookiesSetMany],
// [Client.CookiesClear].
type CookiesChanged struct {
	OK       bool     `json:"ok"`               // always true
	TargetID string   `json:"targetId"`         // target id of the tab
	Added    int      `json:"added,omitzero"`   // how many cookies were set
	Names    []string `json:"names,omitzero"`   // names of the cookies that were set
	Removed  int      `json:"removed,omitzero"` // how many cookies were removed
	Ignored  []string `json:"ignored,omitzero"` // names of the given parameters that had no effect
}

// CookiesSetMany runs the operation cookies set-many. Set several cookies.
func (c *Client) CookiesSetMany(ctx context.Context, r CookiesSetManyRequest) (*CookiesChanged, error) {
	return call[CookiesChanged](ctx, c, r, "POST /cookies/set-many")
}

// CookiesSetManyRequest has the parameters of [Client.CookiesSetMany].
type CookiesSetManyRequest struct {
	Profile   string      `json:"profile,omitzero"`   // browser profile; the default one when left out
	TargetID  string      `json:"targetId,omitzero"`  // tab: its id (t1), label, or target id; the current tab when left out
	RefMode   string      `json:"refMode,omitzero"`   // what refs mean after the page has replaced elements: the new elements that stand for them (carry), or only the elements they were given to (element); when left out, as the setting browser.refs says; one of carry, element
	TimeoutMs int         `json:"timeoutMs,omitzero"` // deadline in milliseconds
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
	TargetID  string `json:"targetId,omitzero"`  // tab: its id (t1), label, or target id; the current tab when left out
	RefMode   string `json:"refMode,omitzero"`   // what refs mean after the page has replaced elements: the new elements that stand for them (carry), or only the elements they were given to (element); when left out, as the setting browser.refs says; one of carry, element
	TimeoutMs int    `json:"timeoutMs,omitzero"` // deadline in milliseconds
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
	TargetID  string   `json:"targetId,omitzero"`  // tab: its id (t1), label, or target id; the current tab when left out
	RefMode   string   `json:"refMode,omitzero"`   // what refs mean after the page has replaced elements: the new elements that stand for them (carry), or only the elements they were given to (element); when left out, as the setting browser.refs says; one of carry, element
	TimeoutMs int      `json:"timeoutMs,omitzero"` // deadline in milliseconds
	Origins   []string `json:"origins,omitzero"`   // further origins whose storage is saved, in addition to those that tabs have shown
}

// SavedState is the answer of [Client.StateSave].
type SavedState struct {
	OK             bool      `json:"ok"`                      // always true
	TargetID       string    `json:"targetId"`                // target id of the tab
	Cookies        []Cookie  `json:"cookies"`                 // cookies of all sites
	Origins        []Origin  `json:"origins"`                 // localStorage and IndexedDB, by origin
	SessionStorage []Session `json:"sessionStorage,omitzero"` // sessionStorage of the open tabs
	NotSaved       []string  `json:"notSaved,omitzero"`       // what could not be saved, and why
	Ignored        []string  `json:"ignored,omitzero"`        // names of the given parameters that had no effect
}

// StateLoad runs the operation state load. Load a state that chela or Playwright has saved. Its
// cookies are added to those of the browser; its storage replaces that of the same origins.
func (c *Client) StateLoad(ctx context.Context, r StateLoadRequest) (*LoadedState, error) {
	return call[LoadedState](ctx, c, r, "POST /state")
}

// StateLoadRequest has the parameters of [Client.StateLoad].
type StateLoadRequest struct {
	Profile        string    `json:"profile,omitzero"`        // browser profile; the default one when left out
	TargetID       string    `json:"targetId,omitzero"`       // tab: its id (t1), label, or target id; the current tab when left out
	RefMode        string    `json:"refMode,omitzero"`        // what refs mean after the page has replaced elements: the new elements that stand for them (carry), or only the elements they were given to (element); when left out, as the setting browser.refs says; one of carry, element
	TimeoutMs      int       `json:"timeoutMs,omitzero"`      // deadline in milliseconds
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
	Cookies         int      `json:"cookies"`                  // how many cookies were set
	Origins         int      `json:"origins"`                  // number of origins whose storage was set
	Tabs            int      `json:"tabs"`                     // how many tabs were given their sessionStorage
	PendingSessions int      `json:"pendingSessions,omitzero"` // how many more sessionStorages wait for a tab that is opened at or navigated to their origin
	NotLoaded       []string `json:"notLoaded,omitzero"`       // what could not be loaded, and why
	Ignored         []string `json:"ignored,omitzero"`         // names of the given parameters that had no effect
}

// PermissionsGrant runs the operation permissions grant. Grant permissions, such as for the
// geolocation or the camera, to an origin.
func (c *Client) PermissionsGrant(ctx context.Context, r PermissionsGrantRequest) (*GrantResult, error) {
	return call[GrantResult](ctx, c, r, "POST /permissions/grant")
}

// PermissionsGrantRequest has the parameters of [Client.PermissionsGrant].
type PermissionsGrantRequest struct {
	Profile             string   `json:"profile,omitzero"`             // browser profile; the default one when left out
	TargetID            string   `json:"targetId,omitzero"`            // tab: its id (t1), label, or target id; the current tab when left out
	RefMode             string   `json:"refMode,omitzero"`             // what refs mean after the page has replaced elements: the new elements that stand for them (carry), or only the elements they were given to (element); when left out, as the setting browser.refs says; one of carry, element
	TimeoutMs           int      `json:"timeoutMs,omitzero"`           // deadline in milliseconds
	Origin              string   `json:"origin"`                       // origin that gets the permissions: https://example.com
	Permissions         []string `json:"permissions"`                  // permissions, by their names in the DevTools protocol or in Playwright: geolocation, notifications, camera
	OptionalPermissions []string `json:"optionalPermissions,omitzero"` // further permissions; it is no error if this browser does not know one of them
}

// GrantResult is the answer of [Client.PermissionsGrant].
type GrantResult struct {
	OK                     bool     `json:"ok"`                     // always true
	Origin                 string   `json:"origin"`                 // origin that got the permissions
	GrantedPermissions     []string `json:"grantedPermissions"`     // permissions that were granted
	UnsupportedPermissions []string `json:"unsupportedPermissions"` // optional permissions that this browser does not know
	GrantMethod            string   `json:"grantMethod"`            // always cdp
	Ignored                []string `json:"ignored,omitzero"`       // names of the given parameters that had no effect
}

// StorageGet runs the operation storage get. Read localStorage or sessionStorage. The answer is
// text from the page.
func (c *Client) StorageGet(ctx context.Context, r StorageGetRequest) (*StorageValues, error) {
	return call[StorageValues](ctx, c, r, "GET /storage/{area}")
}

// StorageGetRequest has the parameters of [Client.StorageGet].
type StorageGetRequest struct {
	Profile   string `json:"profile,omitzero"`   // browser profile; the default one when left out
	TargetID  string `json:"targetId,omitzero"`  // tab: its id (t1), label, or target id; the current tab when left out
	RefMode   string `json:"refMode,omitzero"`   // what refs mean after the page has replaced elements: the new elements that stand for them (carry), or only the elements they were given to (element); when left out, as the setting browser.refs says; one of carry, element
	TimeoutMs int    `json:"timeoutMs,omitzero"` // deadline in milliseconds
	Area      string `json:"area"`               // localStorage, or the sessionStorage of the tab; one of local, session
	Origin    string `json:"origin,omitzero"`    // origin of the storage, even if no tab shows it; the page's when left out. sessionStorage belongs to a tab, so the tab must show the origin
	Key       string `json:"key,omitzero"`       // only this key
}

// StorageValues is the answer of [Client.StorageGet].
type StorageValues struct {
	TabAnswer

	Values  map[string]string `json:"values"`           // values by key
	Changed []string          `json:"changed,omitzero"` // keys of values that are no text, in which U+FFFD stands for what JSON cannot hold
}

// StorageSet runs the operation storage set. Set a key of localStorage or sessionStorage.
func (c *Client) StorageSet(ctx context.Context, r StorageSetRequest) (*TabAnswer, error) {
	return call[TabAnswer](ctx, c, r, "POST /storage/{area}/set")
}

// StorageSetRequest has the parameters of [Client.StorageSet].
type StorageSetRequest struct {
	Profile   string `json:"profile,omitzero"`   // browser profile; the default one when left out
	TargetID  string `json:"targetId,omitzero"`  // tab: its id (t1), label, or target id; the current tab when left out
	RefMode   string `json:"refMode,omitzero"`   // what refs mean after the page has replaced elements: the new elements that stand for them (carry), or only the elements they were given to (element); when left out, as the setting browser.refs says; one of carry, element
	TimeoutMs int    `json:"timeoutMs,omitzero"` // deadline in milliseconds
	Area      string `json:"area"`               // localStorage, or the sessionStorage of the tab; one of local, session
	Origin    string `json:"origin,omitzero"`    // origin of the storage, even if no tab shows it; the page's when left out. sessionStorage belongs to a tab, so the tab must show the origin
	Key       string `json:"key"`                // key to set
	Value     string `json:"value,omitzero"`     // value of the key
}

// StorageClear runs the operation storage clear. Empty localStorage or sessionStorage, or remove
// one key.
func (c *Client) StorageClear(ctx context.Context, r StorageClearRequest) (*TabAnswer, error) {
	return call[TabAnswer](ctx, c, r, "POST /storage/{area}/clear")
}

// StorageClearRequest has the parameters of [Client.StorageClear].
type StorageClearRequest struct {
	Profile   string `json:"profile,omitzero"`   // browser profile; the default one when left out
	TargetID  string `json:"targetId,omitzero"`  // tab: its id (t1), label, or target id; the current tab when left out
	RefMode   string `json:"refMode,omitzero"`   // what refs mean after the page has replaced elements: the new elements that stand for them (carry), or only the elements they were given to (element); when left out, as the setting browser.refs says; one of carry, element
	TimeoutMs int    `json:"timeoutMs,omitzero"` // deadline in milliseconds
	Area      string `json:"area"`               // localStorage, or the sessionStorage of the tab; one of local, session
	Origin    string `json:"origin,omitzero"`    // origin of the storage, even if no tab shows it; the page's when left out. sessionStorage belongs to a tab, so the tab must show the origin
	Key       string `json:"key,omitzero"`       // only this key
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

// GraphicsInfo is a part of [StatusResult].
type GraphicsInfo struct {
	Status               string            `json:"status"`               // always available
	ObservedAt           int64             `json:"observedAt"`           // when the browser was asked, in ms since 1970
	Acceleration         string            `json:"acceleration"`         // software or hardware
	Renderer             string            `json:"renderer"`             // name of what draws: the graphics card, or a program such as SwiftShader
	Vendor               string            `json:"vendor"`               // maker of the renderer
	Version              string            `json:"version"`              // version of the renderer
	Backend              string            `json:"backend"`              // graphics library by which Chromium uses it
	Devices              []GraphicsDevice  `json:"devices"`              // graphics devices; the first one is in use
	FeatureStatus        map[string]string `json:"featureStatus"`        // state of each feature, in Chromium's words
	DisabledFeatures     []GraphicsFeature `json:"disabledFeatures"`     // features that are not enabled
	DriverBugWorkarounds []string          `json:"driverBugWorkarounds"` // Chromium's workarounds for faults of the driver
	VideoDecoding        []string          `json:"videoDecoding"`        // kinds of video that hardware decodes
	VideoEncoding        []string          `json:"videoEncoding"`        // kinds of video that hardware encodes
}

// Restoration is a part of [StatusResult].
type Restoration struct {
	Tabs     []string `json:"tabs"`     // handles of the tabs; each opens its address again when it is used
	Cookies  int      `json:"cookies"`  // how many cookies were restored, including those of isolated sessions
	Settings bool     `json:"settings"` // settings of all tabs were restored, such as an emulated time zone
	SavedAt  string   `json:"savedAt"`  // when what was restored was saved last; cookies may be 2 s older than that
}

// ProfileInfo is a part of [ProfileList].
type ProfileInfo struct {
	Name              string `json:"name"`                       // name of the profile
	Transport         string `json:"transport"`                  // how chela drives its browser: cdp, chrome-mcp or extension
	CDPPort           *int   `json:"cdpPort"`                    // debugging port, if it has one; it is open only with exposeCdp
	CDPURL            string `json:"cdpUrl"`                     // address of the debugging port, if it is open, or of a browser that chela connects to
	Color             string `json:"color"`                      // color of the frame of its windows
	Driver            string `json:"driver"`                     // kind of the profile, as in the status
	Running           bool   `json:"running"`                    // its browser runs
	Connected         *bool  `json:"connected,omitzero"`         // for a browser that chela does not start: chela is connected to it, so tabCount is known
	TabCount          int    `json:"tabCount"`                   // how many tabs its browser has
	IsDefault         bool   `json:"isDefault"`                  // the profile is used when none is named
	IsRemote          bool   `json:"isRemote"`                   // its browser is on another machine
	MissingFromConfig bool   `json:"missingFromConfig,omitzero"` // the configuration does not have it any more, but its browser runs
	ReconcileReason   string `json:"reconcileReason"`            // which of its settings are not in effect until the browser is started again
}

// Check is a part of [Report].
type Check struct {
	ID      string `json:"id"`               // id of the check
	Label   string `json:"label"`            // title of the check
	Status  string `json:"status"`           // pass, warn, fail or info
	Summary string `json:"summary"`          // what was found
	FixHint string `json:"fixHint,omitzero"` // what to do about a fault
}

// WallReport is a part of [Report].
type WallReport struct {
	Ways        []WallWay `json:"ways"`                // each way in which the page has tried to reach a server that it may not reach
	Connections int       `json:"connections"`         // connections that have reached that server
	Datagrams   int       `json:"datagrams"`           // datagrams that have reached that server
	Candidates  []string  `json:"candidates,omitzero"` // addresses of this machine that WebRTC has told the page
	OwnPorts    bool      `json:"ownPorts,omitzero"`   // the policy allows this machine, so the page has tried to reach ports of chela, which no policy allows
	Allowed     []string  `json:"allowed,omitzero"`    // names of this machine that the policy allows, and that were not tried
}

// BrowserStatus is a part of [Report].
type BrowserStatus struct {
	Enabled                bool          `json:"enabled"`                    // browsers may be driven at all
	Profile                string        `json:"profile"`                    // name of the profile
	Driver                 string        `json:"driver"`                     // kind of the profile: existing-session, extension, or openclaw, which is the name that clients know for a browser that chela starts or connects to
	Transport              string        `json:"transport"`                  // how chela drives the browser: cdp, chrome-mcp, extension
	Running                bool          `json:"running"`                    // the browser runs and answers
	Connected              *bool         `json:"connected,omitzero"`         // for a browser that chela does not start: chela is connected to it; false: it connects with the next call that needs the browser
	CDPReady               bool          `json:"cdpReady"`                   // the browser answers the DevTools protocol
	CDPHTTP                bool          `json:"cdpHttp"`                    // its debugging port is open: for other programs, or because the browser has no pipe
	PageReady              bool          `json:"pageReady"`                  // the browser has a tab
	PID                    *int          `json:"pid"`                        // process id of the browser
	CDPPort                *int          `json:"cdpPort"`                    // debugging port, if it has one; see cdpHttp
	CDPURL                 string        `json:"cdpUrl"`                     // address of the debugging port, if it is open, or of a browser that chela connects to
	ChosenBrowser          string        `json:"chosenBrowser"`              // kind of the running browser: chrome, brave, edge, chromium, canary, custom
	DetectedBrowser        string        `json:"detectedBrowser"`            // kind of the browser found on this machine
	DetectedExecutablePath string        `json:"detectedExecutablePath"`     // path of the program of detectedBrowser
	DetectError            string        `json:"detectError"`                // why no browser was found
	UserDataDir            string        `json:"userDataDir"`                // directory of the profile's data
	Color                  string        `json:"color"`                      // color of the profile
	Headless               bool          `json:"headless"`                   // the browser runs without windows, or would be started so
	HeadlessSource         string        `json:"headlessSource"`             // what decided headless: request, env, profile, config, linux-display-fallback, default
	NoSandbox              bool          `json:"noSandbox"`                  // pages run without Chromium's sandbox
	NoSandboxReason        string        `json:"noSandboxReason,omitzero"`   // why pages run without the sandbox
	ExecutablePath         string        `json:"executablePath"`             // program named in the configuration
	AttachOnly             bool          `json:"attachOnly"`                 // the browser is never started by chela
	Notice                 string        `json:"notice,omitzero"`            // a note that chela connects to a browser of another program at cdpUrl, and starts none
	Graphics               *GraphicsInfo `json:"graphics"`                   // the graphics that pages are drawn with; known once the doctor has looked at the running browser
	ExposeCDP              bool          `json:"exposeCdp,omitzero"`         // the debugging port is opened: each program of this machine can drive the browser
	IgnoreHTTPSErrors      bool          `json:"ignoreHTTPSErrors,omitzero"` // pages load though their certificates are not valid
	Egress                 string        `json:"egress"`                     // how far the network policy holds: enforced, best-effort (behind another proxy, or requests of a browser that chela has not started), unenforced (a browser that chela does not drive)
	ConfigOutdated         string        `json:"configOutdated,omitzero"`    // why the configuration file cannot be used; the settings it had before stay in force
	NotInEffect            []string      `json:"notInEffect,omitzero"`       // settings of the configuration file that have no effect
	Weakened               []string      `json:"weakened,omitzero"`          // settings in force that weaken what docs/security.md promises
	Unrecorded             string        `json:"unrecorded,omitzero"`        // why the recorder has dropped its oldest calls, since the last status; the disk is full, for example
	Restored               *Restoration  `json:"restored,omitzero"`          // what this server took over from the one before it, which was killed; only in the first answers
}

// NodeInfo is a part of [FleetResult].
type NodeInfo struct {
	Name     string            `json:"name"`            // name of the node; a call that names it runs there
	Healthy  bool              `json:"healthy"`         // its browser can start
	Reason   string            `json:"reason,omitzero"` // why its browser cannot start
	Draining bool              `json:"draining"`        // the node takes no new calls, because it ends
	Tabs     int               `json:"tabs"`            // open tabs
	Load     NodeLoad          `json:"load"`            // how busy it is; all 0 while it takes no calls that may run on any node
	Queue    int               `json:"queue"`           // calls that wait on the node
	Labels   map[string]string `json:"labels"`          // labels that its owner has given it
	Version  string            `json:"version"`         // version of chela on the node
}

// TabInfo is a part of [TabList].
type TabInfo struct {
	TargetID             string     `json:"targetId"`                      // target id; changes when the browser replaces the target
	Title                string     `json:"title"`                         // title of the page
	URL                  string     `json:"url"`                           // address of the page
	WSURL                string     `json:"wsUrl,omitzero"`                // its DevTools endpoint, with exposeCdp
	URLUnavailableReason string     `json:"urlUnavailableReason,omitzero"` // why the address is not listed: navigation_blocked
	Type                 string     `json:"type"`                          // always page
	SuggestedTargetID    string     `json:"suggestedTargetId"`             // name to use for the tab in calls: its label, or else its handle
	TabID                string     `json:"tabId"`                         // handle that stays: t1
	Label                string     `json:"label,omitzero"`                // label of the tab
	Current              bool       `json:"current,omitzero"`              // in a list: the tab that calls of this session use if they name none
	Session              string     `json:"session,omitzero"`              // session that the tab belongs to
	Other                bool       `json:"other,omitzero"`                // the tab belongs to another session; this session uses it only by its id
	Unowned              bool       `json:"unowned,omitzero"`              // the tab belongs to no session: it is not known who opened it
	Users                bool       `json:"users,omitzero"`                // the tab is the user's own: the browser is not started by chela, and no call has opened the tab
	Isolated             bool       `json:"isolated,omitzero"`             // the tab shares cookies, storage and permissions only with the tabs of its session
	LeasedTo             string     `json:"leasedTo,omitzero"`             // session that has leased the tab for itself
	LeasedUntil          *time.Time `json:"leasedUntil,omitzero"`          // when the lease ends
	Person               *TakenOver `json:"person,omitzero"`               // a person has taken over the tab: calls that touch it wait
	Crashed              bool       `json:"crashed,omitzero"`              // its page crashed; the next call opens it again
}

// TakenOver is a part of [OpenResult].
type TakenOver struct {
	Since time.Time `json:"since"` // since when the person has the tab
	Until time.Time `json:"until"` // when the takeover ends by itself
	By    string    `json:"by"`    // what the person uses, such as live view or dashboard
}

// BrowserState is a part of [OpenResult].
type BrowserState struct {
	Dialogs DialogLists `json:"dialogs"` // dialogs of the page
}

// DownloadedFile is a part of [OpenResult].
type DownloadedFile struct {
	URL               string `json:"url"`               // address that the file came from
	SuggestedFilename string `json:"suggestedFilename"` // name that the server suggests
	Path              string `json:"path,omitzero"`     // where the file is, or will be; absent if the download failed
	State             string `json:"state,omitzero"`    // inProgress: it still arrives, wait/download waits for it; failed: it never will
	Error             string `json:"error,omitzero"`    // why it failed; may name the file
}

// Stats is a part of [OpenResult].
type Stats struct {
	Lines       int `json:"lines"`
	Chars       int `json:"chars"`
	Refs        int `json:"refs"`
	Interactive int `json:"interactive"`
}

// PersonWas is a part of [TabAnswer].
type PersonWas struct {
	Minutes float64       `json:"minutes"`       // for how many minutes the person had the tab
	Note    string        `json:"note,omitzero"` // note of the person to the agents
	Changes PersonChanges `json:"changes"`       // what may be different now
}

// SessionInfo is a part of [SessionList].
type SessionInfo struct {
	Session    string     `json:"session"`             // key of the session
	Profile    string     `json:"profile"`             // profile whose browser it uses; empty if it uses none and is listed because it has a limit
	Tabs       []string   `json:"tabs"`                // handles of the tabs that belong to it
	Current    string     `json:"current,omitzero"`    // handle of its current tab
	LastUsedAt *time.Time `json:"lastUsedAt,omitzero"` // when it made its last call on a tab
	AllowHosts []string   `json:"allowHosts,omitzero"` // the only hosts that it may open, in all profiles; absent: all that the policy allows
	Own        bool       `json:"own,omitzero"`        // it is the session of this call
}

// AskInfo is a part of [AsksResult].
type AskInfo struct {
	ID       string    `json:"id"`                // its id
	Message  string    `json:"message"`           // what the agent asks
	Choices  []string  `json:"choices"`           // answers to choose from
	Confirms bool      `json:"confirms,omitzero"` // chela asks whether an agent may do something: only a person can answer, in the dashboard or by chela confirm
	Session  string    `json:"session,omitzero"`  // session of the agent that asks
	Caller   string    `json:"caller,omitzero"`   // who asks, as it calls itself
	TabID    string    `json:"tabId,omitzero"`    // handle of the tab that the question is about
	Profile  string    `json:"profile,omitzero"`  // profile of that tab
	Since    time.Time `json:"since"`             // when it was asked
	Until    time.Time `json:"until"`             // when it expires if nobody answers
	State    string    `json:"state"`             // waiting: a call waits for the answer; pending: the agent has to ask again; answered: the agent does not have the answer yet
}

// SecretInfo is a part of [SecretList].
type SecretInfo struct {
	Name       string     `json:"name"`                // name of the secret: secret:NAME stands for it in place of a text
	For        []string   `json:"for"`                 // origins of the pages that it may be entered in
	Totp       bool       `json:"totp,omitzero"`       // its value is a key for one-time codes, and the current code is entered
	Ask        string     `json:"ask"`                 // whether a person is asked before it is used: always, session: once in each session, or never
	From       string     `json:"from"`                // where its value is: keyring, file, or the source that the configuration names
	LastUsedAt *time.Time `json:"lastUsedAt,omitzero"` // when it was last used
}

// NotImported is a part of [ImportResult].
type NotImported struct {
	Line int    `json:"line"`          // line of the file, from 1
	Site string `json:"site,omitzero"` // host, if there is one
	Why  string `json:"why"`           // why it was not imported
}

// UseInfo is a part of [SecretUses].
type UseInfo struct {
	At      time.Time `json:"at"`               // when it was used
	Name    string    `json:"name"`             // name of the secret
	Session string    `json:"session,omitzero"` // session of the call
	Origin  string    `json:"origin,omitzero"`  // origin of the page that got it
	TabID   string    `json:"tabId,omitzero"`   // handle of the tab
	Profile string    `json:"profile,omitzero"` // profile of the browser
	Op      string    `json:"op,omitzero"`      // operation that used it
}

// PairedBrowser is a part of [PairedBrowsers].
type PairedBrowser struct {
	ID         string `json:"id"`         // id by which the pairing is revoked
	Name       string `json:"name"`       // name of the browser, as its extension reports it
	Profile    string `json:"profile"`    // product and version of the browser; empty: it has not connected since chela started
	Connected  bool   `json:"connected"`  // its extension is connected
	SharedTabs int    `json:"sharedTabs"` // how many of its tabs are shared
}

// Ref is a part of [SnapshotResult].
type Ref struct {
	Role        string `json:"role"`
	Name        string `json:"name,omitzero"`
	Nth         *int   `json:"nth,omitzero"`
	Description string `json:"description,omitzero"`
}

// Unseen is a part of [SnapshotResult].
type Unseen struct {
	Texts int `json:"texts"` // number of texts that a person cannot see
	Chars int `json:"chars"` // their characters in total
}

// AriaNode is a part of [SnapshotResult].
type AriaNode struct {
	Ref              string `json:"ref"`
	Role             string `json:"role"`
	Name             string `json:"name"`
	Value            string `json:"value,omitzero"`
	Description      string `json:"description,omitzero"`
	BackendDOMNodeID int64  `json:"backendDOMNodeId,omitzero"`
	Depth            int    `json:"depth"`
}

// Annotation is a part of [SnapshotResult].
type Annotation struct {
	Ref    string `json:"ref"`           // the ref
	Number int    `json:"number"`        // its place among the labels, from 1
	Role   string `json:"role"`          // role of the element
	Name   string `json:"name,omitzero"` // name of the element
	Box    Box    `json:"box"`           // where the element is in the picture, in pixels
}

// FoundLine is a part of [FindResult].
type FoundLine struct {
	Ref  string `json:"ref,omitzero"` // element to act on; for the ref of a text, the element around it
	Line string `json:"line"`         // its line in the snapshot, with the ref
	In   string `json:"in,omitzero"`  // with near, or if other matches read the same: what else its row or card says, else the heading above it or the landmark that it is in
}

// DiffBox is a part of [DiffResult].
type DiffBox struct {
	X      float64  `json:"x"`             // pixels from the left
	Y      float64  `json:"y"`             // pixels from the top
	Width  float64  `json:"width"`         // width in pixels
	Height float64  `json:"height"`        // height in pixels
	Refs   []string `json:"refs,omitzero"` // refs of the last snapshot whose elements are at this place now, if the later picture is a screenshot of the tab
}

// ReadHeading is a part of [ReadResult].
type ReadHeading struct {
	Number int    `json:"number"` // its place among the headings, from 1
	Level  int    `json:"level"`  // 1 to 6, as in h1 to h6
	Title  string `json:"title"`  // text of the heading
	Length int    `json:"length"` // characters of its section, with the sections below it
}

// ContentLink is a part of [ReadResult].
type ContentLink struct {
	Text string `json:"text"` // text of the link
	URL  string `json:"url"`  // address that the link leads to
}

// ContentData is a part of [ReadResult].
type ContentData struct {
	JSONLd        []json.RawMessage   `json:"jsonLd,omitzero"`        // blocks of JSON-LD
	InvalidJSONLd int                 `json:"invalidJsonLd,omitzero"` // blocks of JSON-LD that are no JSON, or too long
	OpenGraph     map[string][]string `json:"openGraph,omitzero"`     // values of OpenGraph and Twitter cards by property
	Microdata     []*Item             `json:"microdata,omitzero"`     // items of microdata
	Tables        []Table             `json:"tables,omitzero"`        // tables of data, row by row
	LeftOut       []string            `json:"leftOut,omitzero"`       // kinds of data that are too large to be answered, and their sizes in bytes
}

// UnreadableField is a part of [ExtractResult].
type UnreadableField struct {
	Path string `json:"path"` // the place in data, such as items[3].price
	Type string `json:"type"` // type that the schema says
	Text string `json:"text"` // the beginning of the text
}

// CutField is a part of [ExtractResult].
type CutField struct {
	Path string `json:"path"` // the place in data, such as items[3].price; empty for all of data
	Kept int    `json:"kept"` // elements of the list, or UTF-16 code units of the text, that data has
	Of   int    `json:"of"`   // how many there are; 0 if that is not known
}

// ConsoleMessage is a part of [ConsoleResult].
type ConsoleMessage struct {
	Type      string   `json:"type"`               // log, info, warning, error, debug and other functions of console; verbose
	Text      string   `json:"text"`               // what was logged, at most 2048 characters
	Truncated bool     `json:"truncated,omitzero"` // the text was longer
	MoreChars int      `json:"moreChars,omitzero"` // how many characters were cut off
	Timestamp string   `json:"timestamp"`          // when it happened
	Location  Location `json:"location"`           // script and line that logged the message; lines and columns count from 0
}

// PageError is a part of [ErrorsResult].
type PageError struct {
	Message   string `json:"message"`            // what was wrong
	Name      string `json:"name,omitzero"`      // kind of the error, such as TypeError
	Stack     string `json:"stack,omitzero"`     // stack trace: the functions that led to the error
	Truncated bool   `json:"truncated,omitzero"` // message or stack were longer
	MoreChars int    `json:"moreChars,omitzero"` // how many characters were cut off
	Timestamp string `json:"timestamp"`          // when it happened
}

// ListedRequest is a part of [RequestsResult].
type ListedRequest struct {
	ID           string  `json:"id"`                   // id of the request: r12
	Timestamp    string  `json:"timestamp"`            // when it was sent
	Method       string  `json:"method"`               // GET, POST …
	URL          string  `json:"url"`                  // address, at most 2048 characters
	ResourceType string  `json:"resourceType"`         // document, script, stylesheet, image, fetch, xhr, websocket …
	Status       int     `json:"status,omitzero"`      // HTTP status of the answer
	OK           *bool   `json:"ok,omitzero"`          // the request has succeeded: a status from 200 to 299, or 101 for a WebSocket, and no failure
	FailureText  string  `json:"failureText,omitzero"` // why there is no response, or only a part of it
	Reason       string  `json:"reason,omitzero"`      // more on the failure: the rule that blocked the request
	WebSocket    *Socket `json:"webSocket,omitzero"`   // for a WebSocket: how many frames it has carried
}

// RequestDetail is a part of [RequestResult].
type RequestDetail struct {
	ID                string    `json:"id"`                         // id of the request: r12
	Timestamp         string    `json:"timestamp"`                  // when it was sent
	Method            string    `json:"method"`                     // GET, POST …
	URL               string    `json:"url"`                        // address, at most 2048 characters
	ResourceType      string    `json:"resourceType"`               // document, script, stylesheet, image, fetch, xhr, websocket …
	Status            int       `json:"status,omitzero"`            // HTTP status of the answer
	OK                *bool     `json:"ok,omitzero"`                // the request has succeeded: a status from 200 to 299, or 101 for a WebSocket, and no failure
	FailureText       string    `json:"failureText,omitzero"`       // why there is no response, or only a part of it
	Reason            string    `json:"reason,omitzero"`            // more on the failure: the rule that blocked the request
	WebSocket         *Socket   `json:"webSocket,omitzero"`         // for a WebSocket: how many frames it has carried
	StatusText        string    `json:"statusText,omitzero"`        // text that the server has sent with the status
	RequestHeaders    []Header  `json:"requestHeaders"`             // headers that were sent
	ResponseHeaders   []Header  `json:"responseHeaders"`            // headers of the answer
	PostData          string    `json:"postData,omitzero"`          // body of the request
	MimeType          string    `json:"mimeType,omitzero"`          // type of the answer
	Protocol          string    `json:"protocol,omitzero"`          // http/1.1, h2, h3 …
	RemoteAddress     string    `json:"remoteAddress,omitzero"`     // address and port of the server, or of the proxy before it
	FromCache         bool      `json:"fromCache,omitzero"`         // the browser's cache has answered it
	FromServiceWorker bool      `json:"fromServiceWorker,omitzero"` // a service worker has answered it
	RedirectedFrom    string    `json:"redirectedFrom,omitzero"`    // id of the request that was redirected to this one
	RedirectedTo      string    `json:"redirectedTo,omitzero"`      // id of the request that this one was redirected to
	Initiator         Initiator `json:"initiator"`                  // what made the page send it
	Timing            *Timing   `json:"timing,omitzero"`            // how long the parts of the request took, in milliseconds
	TransferSize      int64     `json:"transferSize,omitzero"`      // bytes of the answer on the network, with headers
	BodySize          int64     `json:"bodySize,omitzero"`          // bytes of the body, decompressed
	Body              string    `json:"body"`                       // body of the answer
	Base64Encoded     bool      `json:"base64Encoded,omitzero"`     // the body is no text, and is written in base64
	Truncated         bool      `json:"truncated,omitzero"`         // the body has more characters
	BodyMissing       string    `json:"bodyMissing,omitzero"`       // why there is no body
}

// MadeCall is a part of [CallsResult].
type MadeCall struct {
	At        string `json:"at"`               // when the call arrived
	Session   string `json:"session,omitzero"` // session in which it was made
	Caller    string `json:"caller,omitzero"`  // who made the call: the name that the caller gives itself
	Operation string `json:"operation"`        // what was done; of a batch with its actions
	TabID     string `json:"tabId"`            // handle of the tab
	Site      string `json:"site,omitzero"`    // site that the tab showed when the call ended
	TookMs    int64  `json:"tookMs"`           // how long it took, in milliseconds
	Failed    string `json:"failed,omitzero"`  // code of its error; absent if it succeeded
}

// Response is a part of [ResponseBodyResult].
type Response struct {
	URL           string            `json:"url"`                    // address that the answer came from
	Status        int               `json:"status"`                 // HTTP status
	Headers       map[string]string `json:"headers"`                // headers by their names in lower case
	Body          string            `json:"body"`                   // body of the answer
	Base64Encoded bool              `json:"base64Encoded,omitzero"` // the body is no text, and is written in base64
	Truncated     bool              `json:"truncated,omitzero"`     // the body has more characters
	BodyMissing   string            `json:"bodyMissing,omitzero"`   // why there is no body
}

// RecordedCall is a part of [RecorderResult].
type RecordedCall struct {
	ID      string                     `json:"id"`               // id of the entry
	Time    string                     `json:"time"`             // when the call arrived
	Session string                     `json:"session,omitzero"` // session in which it was made
	Caller  string                     `json:"caller,omitzero"`  // who made the call: the name that the caller gives itself
	Tab     string                     `json:"tab"`              // handle of the tab
	Op      string                     `json:"op"`               // name of the operation
	Title   string                     `json:"title"`            // the operation with its main arguments
	Part    bool                       `json:"part,omitzero"`    // the call is an action of a batch; the batch comes after its actions
	Args    map[string]json.RawMessage `json:"args,omitzero"`    // arguments of the call; secrets, and what was typed into fields that may hold secrets, are replaced
	Element *RecordedElement           `json:"element,omitzero"` // element that the call was about
	Effects []string                   `json:"effects,omitzero"` // what the call caused: changed, navigated, dialog, download, newTab, fileChooser, request
	URL     string                     `json:"url,omitzero"`     // address that the tab showed when the call ended
	Error   string                     `json:"error,omitzero"`   // text of the error; absent if the call succeeded
	Code    string                     `json:"code,omitzero"`    // code of the error
	Ms      int64                      `json:"ms"`               // how long the call took, in milliseconds
	Picture string                     `json:"picture,omitzero"` // picture of the tab after the call, a JPEG of at most 640 by 480 pixels; absent if another call came first, or a field showed a secret
}

// DialogAnswer is a part of [ClickRequest].
type DialogAnswer struct {
	Accept     bool   `json:"accept"`              // true: accept the dialog; false: dismiss it
	PromptText string `json:"promptText,omitzero"` // answer to a prompt
}

// Position is a part of [ClickRequest].
type Position struct {
	X float64 `json:"x"` // pixels from its left
	Y float64 `json:"y"` // pixels from its top
}

// FormField is a part of [FillRequest].
type FormField struct {
	Ref   string `json:"ref"`            // element, from a snapshot
	Type  string `json:"type,omitzero"`  // text, or checkbox or radio for what is to be checked
	Value any    `json:"value,omitzero"` // what to fill in: a text, a number, true or false; secret:NAME stands for a secret
}

// DifferingField is a part of [FillResult].
type DifferingField struct {
	Ref   string `json:"ref"`           // the field
	Value string `json:"value"`         // what the field holds now; empty for a secret
	Note  string `json:"note,omitzero"` // a note that the field does not hold the exact secret
}

// Outcome is a part of [BatchResult].
type Outcome struct {
	OK                  bool             `json:"ok"`                           // the action was done
	Skipped             bool             `json:"skipped,omitzero"`             // the action was left out because of a navigation, but a later action was done
	Kind                string           `json:"kind,omitzero"`                // kind of the action, if the action has answered anything
	Error               string           `json:"error,omitzero"`               // why the action failed
	Code                Code             `json:"code,omitzero"`                // code of the error
	Hint                string           `json:"hint,omitzero"`                // what to do next
	Details             map[string]any   `json:"details,omitzero"`             // details of the error
	Sent                bool             `json:"sent,omitzero"`                // its input was sent to the page, but not confirmed
	Navigated           bool             `json:"navigated,omitzero"`           // the page has navigated during the action
	URL                 string           `json:"url,omitzero"`                 // address that the page has navigated to
	Result              json.RawMessage  `json:"result,omitzero"`              // what a script answered
	Truncated           bool             `json:"truncated,omitzero"`           // a text of this result was cut
	Results             json.RawMessage  `json:"results,omitzero"`             // for a batch in the batch: the result of each of its actions
	Aborted             *Aborted         `json:"aborted,omitzero"`             // for a batch in the batch: why it stopped before its end
	Ignored             []string         `json:"ignored,omitzero"`             // fields that the action does not know
	Value               *string          `json:"value,omitzero"`               // what the field holds now, if the page changed the text; absent: it holds the text
	Note                string           `json:"note,omitzero"`                // a note that the field is empty, because the page removed all of the text, or that it does not hold the exact secret
	ScrollTop           *int             `json:"scrollTop,omitzero"`           // pixels above the visible part of the box that was scrolled or, if none could be, of the nearest one that scrolls
	ScrollHeight        *int             `json:"scrollHeight,omitzero"`        // height of all content of that box, in pixels
	ClientHeight        *int             `json:"clientHeight,omitzero"`        // height of the visible part, in pixels
	ScrollLeft          *int             `json:"scrollLeft,omitzero"`          // pixels to the left of the visible part, after a scroll to the left or right
	ScrollWidth         *int             `json:"scrollWidth,omitzero"`         // width of all content of that box, in pixels
	ClientWidth         *int             `json:"clientWidth,omitzero"`         // width of the visible part, in pixels
	AtEnd               *bool            `json:"atEnd,omitzero"`               // the box cannot be scrolled further in this direction
	InsteadRef          string           `json:"insteadRef,omitzero"`          // ref of the box that was scrolled, because the element has gone: an earlier scroll over the element had scrolled this box
	HandledByPage       bool             `json:"handledByPage,omitzero"`       // the page handled the wheel itself, as maps do; what it did is not known
	At                  string           `json:"at,omitzero"`                  // where it was dropped, if not on an element: a point of the viewport, or the distance to that point
	Files               int              `json:"files,omitzero"`               // how many files were dropped
	DropEffect          string           `json:"dropEffect,omitzero"`          // what the page does with the dropped files: copy, move or link
	Filled              int              `json:"filled,omitzero"`              // how many fields were filled
	Differ              []DifferingField `json:"differ,omitzero"`              // fields that hold something else than the value: the page changed it
	Account             string           `json:"account,omitzero"`             // name of the account
	Entered             []string         `json:"entered,omitzero"`             // what was entered, in order: username, password, one-time code
	Asks                string           `json:"asks,omitzero"`                // what the page still asks for, after the form was sent: the login has failed, or is not done
	Status              int              `json:"status,omitzero"`              // HTTP status of the document; none for about:blank, a fragment or a file
	StatusText          string           `json:"statusText,omitzero"`          // the HTTP status in words, unless it is a success: 404 Not Found
	FellBack            string           `json:"fellBack,omitzero"`            // how the address was reached, if https was tried first and failed
	Download            *DownloadedFile  `json:"download,omitzero"`            // the file that the address leads to; the tab still shows the page that it showed before
	Delta               string           `json:"delta,omitzero"`               // what changed since the last snapshot, or since this view of the page was shown before: + new lines, ~ changed ones, > moved ones, then - removed ones, each of which stands for all inside it; lines that begin with spaces name the row, card or landmark of what follows
	NoDelta             string           `json:"noDelta,omitzero"`             // why there is a snapshot in place of a delta: no earlier reading to compare, or another document
	Snapshot            string           `json:"snapshot,omitzero"`            // the page as text: what can be acted on, or all of it where a delta was asked for
	Stats               *Stats           `json:"stats,omitzero"`               // size of the snapshot
	SnapshotUnavailable string           `json:"snapshotUnavailable,omitzero"` // why the page could not be read
	Format              string           `json:"format,omitzero"`              // ai or aria
	Refs                map[string]Ref   `json:"refs,omitzero"`                // what each ref stands for
	Hidden              *Unseen          `json:"hidden,omitzero"`              // text that was left out because a person cannot see it
	NewElements         *int             `json:"newElements,omitzero"`         // how many elements the last snapshot of this kind did not show
	Nodes               []AriaNode       `json:"nodes,omitzero"`               // nodes of the accessibility tree
	Labels              bool             `json:"labels,omitzero"`              // refs are drawn on the picture
	LabelsCount         int              `json:"labelsCount,omitzero"`         // how many refs are drawn
	LabelsSkipped       int              `json:"labelsSkipped,omitzero"`       // how many refs are not drawn: outside of the picture, or beyond the limit
	Annotations         []Annotation     `json:"annotations,omitzero"`         // the drawn refs, and where each is
	MatchCount          *int             `json:"matchCount,omitzero"`          // how many lines match the query
	ImagePath           string           `json:"imagePath,omitzero"`           // picture with the refs drawn on it
	ImageType           string           `json:"imageType,omitzero"`           // png or jpeg
	Matches             []FoundLine      `json:"matches,omitzero"`             // the lines, the best first
	Total               int              `json:"total,omitzero"`               // how many lines match
	NearNothing         bool             `json:"nearNothing,omitzero"`         // the words of near are nowhere on the page, so the matches are in the order of the page
	Met                 bool             `json:"met,omitzero"`                 // the page is as expected
	Line                string           `json:"line,omitzero"`                // what was found: the line of the snapshot, with the ref, or the address; absent if nothing is as expected
	Instead             string           `json:"instead,omitzero"`             // what is there instead: the closest line, the value, the address, the count
	Path                string           `json:"path,omitzero"`                // where the picture was saved
	Unchanged           bool             `json:"unchanged,omitzero"`           // the page looks as on the earlier picture at path; no new one was saved
	Changed             float64          `json:"changed,omitzero"`             // share of the pixels that differ, 0 to 1
	Boxes               []DiffBox        `json:"boxes,omitzero"`               // places where pixels differ, from top to bottom, at most 20
}

// Aborted is a part of [BatchResult].
type Aborted struct {
	Reason      string `json:"reason"`      // navigation: refs are stale now; closed: the tab has gone; dialog: it must be answered first
	AfterAction int    `json:"afterAction"` // the action after which the batch stopped, counted from 1; readings that come later were still done
	URL         string `json:"url"`         // where the page is now
	Skipped     int    `json:"skipped"`     // how many actions were not done
}

// Geoposition is a part of [InForce].
type Geoposition struct {
	Latitude  float64  `json:"latitude"`         // degrees north
	Longitude float64  `json:"longitude"`        // degrees east
	Accuracy  float64  `json:"accuracy"`         // accuracy of the position, in metres
	Origins   []string `json:"origins,omitzero"` // origins whose pages may ask for the position; * is all
}

// MediaSet is a part of [InForce].
type MediaSet struct {
	ColorScheme   string `json:"colorScheme,omitzero"`   // prefers-color-scheme
	Media         string `json:"media,omitzero"`         // media type
	ReducedMotion string `json:"reducedMotion,omitzero"` // prefers-reduced-motion
	Contrast      string `json:"contrast,omitzero"`      // prefers-contrast
	ForcedColors  string `json:"forcedColors,omitzero"`  // forced-colors
}

// OriginHeaders is a part of [InForce].
type OriginHeaders struct {
	Origin  string             `json:"origin"`  // the origin; * stands for all, and first for the one that is opened next
	Headers map[string]*string `json:"headers"` // the headers
}

// OriginLogin is a part of [InForce].
type OriginLogin struct {
	Origin   string `json:"origin"`   // the origin; * stands for all, and first for the one that is opened next
	Username string `json:"username"` // name that the login has
}

// RouteInfo is a part of [RouteList].
type RouteInfo struct {
	ID        string             `json:"id"`                 // id of the route
	URL       string             `json:"url,omitzero"`       // pattern for addresses
	Types     []string           `json:"types,omitzero"`     // types of requests
	Abort     string             `json:"abort,omitzero"`     // why the requests fail
	Fulfill   *Fulfilled         `json:"fulfill,omitzero"`   // what the requests are answered with
	Headers   map[string]*string `json:"headers,omitzero"`   // headers that the requests get; null removes one
	DelayMs   int64              `json:"delayMs,omitzero"`   // milliseconds before the request is answered, failed or sent
	TimesLeft int                `json:"timesLeft,omitzero"` // for how many more requests; left out: for all
	Does      string             `json:"does"`               // what the route does, in words
}

// Fulfillment is a part of [RouteRequest].
type Fulfillment struct {
	Status      int            `json:"status,omitzero"`      // HTTP status; 200 by default
	Headers     map[string]any `json:"headers,omitzero"`     // headers by name
	ContentType string         `json:"contentType,omitzero"` // type of the body
	Body        *string        `json:"body,omitzero"`        // body as text
	JSON        any            `json:"json,omitzero"`        // body as JSON
	Base64      []uint8        `json:"base64,omitzero"`      // body in base64
	Path        string         `json:"path,omitzero"`        // file with the body: in the folder for uploads, or as POST /files answers it
}

// Fulfilled is a part of [RouteResult].
type Fulfilled struct {
	Status  int               `json:"status"`           // HTTP status
	Headers map[string]string `json:"headers,omitzero"` // headers of the answer
	Bytes   int               `json:"bytes"`            // size of the body in bytes
}

// Cookie is a part of [CookieList].
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

// NewCookie is a part of [CookiesSetRequest].
type NewCookie struct {
	Name                   string   `json:"name,omitzero"`                    // name of the cookie
	Value                  *string  `json:"value,omitzero"`                   // value of the cookie
	URL                    string   `json:"url,omitzero"`                     // an address that gets the cookie, in place of domain and path
	Domain                 string   `json:"domain,omitzero"`                  // host that gets the cookie; with a dot before it, also the hosts below it
	Path                   string   `json:"path,omitzero"`                    // beginning of the paths that get the cookie
	Expires                *float64 `json:"expires,omitzero"`                 // when the cookie ends, in seconds since 1970; when left out, it ends with the browser
	HTTPOnly               bool     `json:"httpOnly,omitzero"`                // scripts of pages cannot read it
	Secure                 *bool    `json:"secure,omitzero"`                  // the cookie is sent over https only; when left out, this is so if the url is https
	SameSite               string   `json:"sameSite,omitzero"`                // whether requests from other sites send it; one of Strict, Lax, None
	PartitionKey           string   `json:"partitionKey,omitzero"`            // for a partitioned cookie: site that a tab must show for the cookie to be sent
	CrHasCrossSiteAncestor *bool    `json:"_crHasCrossSiteAncestor,omitzero"` // for a partitioned cookie: it was set in a frame inside a page of another site
}

// Origin is a part of [SavedState].
type Origin struct {
	Origin       string        `json:"origin"`
	LocalStorage []StorageItem `json:"localStorage"`
	IndexedDB    []Database    `json:"indexedDB,omitzero"`
}

// Session is a part of [SavedState].
type Session struct {
	Origin string        `json:"origin"`
	Items  []StorageItem `json:"items"`
}

// GraphicsDevice is a part of [GraphicsInfo].
type GraphicsDevice struct {
	VendorID      int    `json:"vendorId"`
	DeviceID      int    `json:"deviceId"`
	Vendor        string `json:"vendor"`
	Device        string `json:"device"`
	DriverVendor  string `json:"driverVendor"`
	DriverVersion string `json:"driverVersion"`
}

// GraphicsFeature is a part of [GraphicsInfo].
type GraphicsFeature struct {
	Feature string `json:"feature"`
	Status  string `json:"status"`
}

// WallWay is a part of [WallReport].
type WallWay struct {
	Name   string `json:"name"`   // id of the way
	Way    string `json:"way"`    // description of the way
	Status string `json:"status"` // ok: the page did not reach the server; reached: it did, so the policy does not hold; shut: this way fails in a browser with a proxy, whatever the address; untried: this way was not seen to work in this browser
}

// NodeLoad is a part of [NodeInfo].
type NodeLoad struct {
	Calls int `json:"calls"` // calls in progress
	Slots int `json:"slots"` // how many calls it runs at once
}

// DialogLists is a part of [BrowserState].
type DialogLists struct {
	Pending   []DialogInfo `json:"pending"`            // dialogs that wait for an answer
	Recent    []DialogInfo `json:"recent"`             // the last dialogs that were closed
	Dismissed int          `json:"dismissed,omitzero"` // how many more were dismissed at once, since a document had opened more than 20 within 10 seconds
}

// PersonChanges is a part of [PersonWas].
type PersonChanges struct {
	From string `json:"from,omitzero"` // address of the tab before, if it has changed
	To   string `json:"to,omitzero"`   // address of the tab when it was given back, if it has changed
	Refs string `json:"refs"`          // what to do about refs, which may be stale
}

// Box is a part of [Annotation].
type Box struct {
	X      float64 `json:"x"`      // pixels from the left
	Y      float64 `json:"y"`      // pixels from the top
	Width  float64 `json:"width"`  // width in pixels
	Height float64 `json:"height"` // height in pixels
}

// Item is a part of [ContentData].
type Item struct {
	Type       string           `json:"type,omitzero"`
	ID         string           `json:"id,omitzero"`
	Properties map[string][]any `json:"properties"`
}

// Table is a part of [ContentData].
type Table struct {
	Caption string     `json:"caption,omitzero"`
	Header  []string   `json:"header,omitzero"`
	Rows    [][]string `json:"rows"`
	Cut     bool       `json:"cut,omitzero"`
}

// Location is a part of [ConsoleMessage].
type Location struct {
	URL          string `json:"url"`          // address of the script or document
	Line         int    `json:"line"`         // line, from 0
	Column       int    `json:"column"`       // column, from 0
	LineNumber   int    `json:"lineNumber"`   // same as line
	ColumnNumber int    `json:"columnNumber"` // same as column
}

// Socket is a part of [ListedRequest].
type Socket struct {
	FramesSent     int  `json:"framesSent"`     // how many frames the page has sent
	FramesReceived int  `json:"framesReceived"` // how many frames the page has received
	Closed         bool `json:"closed"`         // the WebSocket is closed
}

// Header is a part of [RequestDetail].
type Header struct {
	Name  string `json:"name"`  // name of the header
	Value string `json:"value"` // its value
}

// Initiator is a part of [RequestDetail].
type Initiator struct {
	Type       string   `json:"type"`                // parser, script, preload, preflight, other
	URL        string   `json:"url,omitzero"`        // address of the document or script that caused it
	LineNumber int      `json:"lineNumber,omitzero"` // line of the document or script, from 0
	Stack      []string `json:"stack,omitzero"`      // stack of the functions that sent it, the innermost first
}

// Timing is a part of [RequestDetail].
type Timing struct {
	QueuedMs  float64 `json:"queuedMs,omitzero"`  // waiting before a connection was looked for
	DnsMs     float64 `json:"dnsMs,omitzero"`     // looking up the name of the server (DNS)
	ConnectMs float64 `json:"connectMs,omitzero"` // connecting, TLS included
	TLSMs     float64 `json:"tlsMs,omitzero"`     // TLS handshake
	SendMs    float64 `json:"sendMs,omitzero"`    // sending the request
	WaitMs    float64 `json:"waitMs,omitzero"`    // waiting for the answer to begin
	ReceiveMs float64 `json:"receiveMs,omitzero"` // receiving the answer
	TotalMs   float64 `json:"totalMs,omitzero"`   // all of it, from the request to the end of the answer
}

// RecordedElement is a part of [RecordedCall].
type RecordedElement struct {
	Ref  string `json:"ref,omitzero"`  // ref of the element; absent if the call was on the element with the focus
	Role string `json:"role,omitzero"` // role of the element
	Name string `json:"name,omitzero"` // name of the element
	Box  *Box   `json:"box,omitzero"`  // where it was in the viewport, in CSS pixels
}

// StorageItem is a part of [Origin].
type StorageItem struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Database is a part of [Origin].
type Database struct {
	Name    string  `json:"name"`
	Version float64 `json:"version"`
	Stores  []Store `json:"stores"`
}

// DialogInfo is a part of [DialogLists].
type DialogInfo struct {
	ID           string     `json:"id"`                    // id of the dialog
	Type         string     `json:"type"`                  // alert, confirm, prompt or beforeunload
	Message      string     `json:"message"`               // what the page asks
	DefaultValue string     `json:"defaultValue,omitzero"` // what a prompt suggests
	URL          string     `json:"url"`                   // address of the frame that opened it
	OpenedAt     time.Time  `json:"openedAt"`              // when it opened
	ClosedAt     *time.Time `json:"closedAt,omitzero"`     // when it closed
	ClosedBy     string     `json:"closedBy,omitzero"`     // what closed it. agent: a call; armed: an answer given in advance; timeout: chela, since nobody answered; remote: the page or a person
}

// Store is a part of [Database].
type Store struct {
	Name          string            `json:"name"`
	AutoIncrement bool              `json:"autoIncrement"`
	KeyPath       string            `json:"keyPath,omitzero"`
	KeyPathArray  []string          `json:"keyPathArray,omitzero"`
	Records       []json.RawMessage `json:"records"`
	Indexes       []Index           `json:"indexes"`
}

// Index is a part of [Store].
type Index struct {
	Name         string   `json:"name"`
	KeyPath      string   `json:"keyPath,omitzero"`
	KeyPathArray []string `json:"keyPathArray,omitzero"`
	MultiEntry   bool     `json:"multiEntry"`
	Unique       bool     `json:"unique"`
}
