package config

// A Config is the settings of one server. Its exported structs have the shape of the configuration
// file. The struct tag json is the name of a key, and doc says what the key is for. The tag `later`
// marks a key that is read and checked but has no effect yet. Whoever implements the key removes
// the tag. The tag from says from when a changed value is in force, see [From]. Both tags hold for all
// below a key, unless that has another from.
type Config struct {
	Gateway   Gateway   `json:"gateway" from:"server"`
	Browser   Browser   `json:"browser"`
	Media     Media     `json:"media" from:"server"`
	NodeHost  NodeHost  `json:"nodeHost"`
	Dashboard Dashboard `json:"dashboard"`
	Fleet     Fleet     `json:"fleet"`
	Agents    Agents    `json:"agents"`
	Tools     Tools     `json:"tools"`

	File     string   `json:"-"` // the configuration file, which may not exist
	State    State    `json:"-"`
	Port     int      `json:"-"` // the control port
	Explicit bool     `json:"-"` // the user has set the port itself, so the server does not fall back to another one
	Warnings []string `json:"-"` // about the file and the environment: unknown keys, for example

	// Outdated says why a change of the file has no effect; the settings read before stay in force.
	// It is empty if the file is in force.
	Outdated string `json:"-"`

	fileRead    bool // the file was there
	savedRead   bool // the file of saved profiles was there
	notInEffect []string
	weakened    []string
	lines       map[string]int // line numbers of the keys in the file
}

// Gateway says how the server is reached.
type Gateway struct {
	Port        int      `json:"port" doc:"base of the ports: the control port is this number plus 2, or a free port if that one is taken"`
	RelayPort   int      `json:"relayPort" doc:"port of this machine at which the extension of a browser reaches chela; absent: eight above the control port"`
	Bind        string   `json:"bind" doc:"one address or interface on which other machines reach the server, too, by https; absent: none do"`
	TLS         TLS      `json:"tls"`
	Hosts       []string `json:"hosts" doc:"names by which other machines call the server, besides its addresses; name:port if they call another port, such as that of a proxy"`
	Auth        Auth     `json:"auth"`
	IdleMinutes float64  `json:"idleMinutes" doc:"idle time after which a server that a command started ends; 0: never"`

	Nodes struct {
		Browser NodeBrowser `json:"browser"`
	} `json:"nodes" from:"call"`
}

// TLS has the files, in PEM, by which the server proves itself to other machines. They are read
// again when they have changed.
type TLS struct {
	Cert string `json:"cert" doc:"file with the certificate for gateway.bind, followed by those of its issuers; chela cert make makes one"`
	Key  string `json:"key" doc:"file with the key of that certificate, which only the user can read"`
}

// Auth says which secrets the control port accepts.
type Auth struct {
	Mode     string `json:"mode" doc:"token or password: accept only that; empty: whatever is set"`
	Token    string `json:"token" secret:"value" doc:"accepted as Authorization: Bearer; empty: one is made and kept in the state directory"`
	Password string `json:"password" secret:"value" doc:"accepted as x-chela-password and as Basic"`
}

// NodeBrowser says which machine's browser is used.
type NodeBrowser struct {
	Mode string `json:"mode" doc:"auto: agents use the node if there is exactly one, and say target=host for this machine; manual: nodes only for calls that ask for one; off: none"`
	Node string `json:"node" doc:"name of the node for calls that name none"`
}

// Dashboard says how a person is notified when an agent asks for something.
type Dashboard struct {
	Notify any `json:"notify" secret:"hook" doc:"tells a person of a question: a program as a list of words, such as [\"notify-send\", \"chela\", \"{{message}}\"], or an http(s) URL that gets a POST with JSON; absent: nobody is told"`
}

// NodeHost says what other machines may do with the browsers of this one.
type NodeHost struct {
	BrowserProxy struct {
		Enabled       bool     `json:"enabled" doc:"false: chela node does not offer the browsers of this machine to others"`
		AllowProfiles []string `json:"allowProfiles" doc:"only these profiles are for other machines; empty: all"`
	} `json:"browserProxy"`
}

// Agents has the settings that OpenClaw has for agents, as far as they concern the browser.
type Agents struct {
	Defaults struct {
		ImageMaxDimensionPx int `json:"imageMaxDimensionPx" doc:"longest side, in pixels, of pictures that are given to agents and to models that describe pictures; 0: as they are"`
		ImageModel          any `json:"imageModel" doc:"model that describes pictures where no list has one: provider/model, or an object with primary and fallbacks"`

		Sandbox struct {
			Browser SandboxBrowser `json:"browser"`
		} `json:"sandbox"`
	} `json:"defaults"`
}

// SandboxBrowser says which browsers agents in a sandbox use.
type SandboxBrowser struct {
	Enabled          bool   `json:"enabled" from:"agent" doc:"calls of agents go to the chela server in their sandbox, unless they say target=host"`
	AllowHostControl bool   `json:"allowHostControl" doc:"false: agents may not use the browsers of this machine, whether there is a sandbox or not"`
	URL              string `json:"url" from:"agent" doc:"URL of that server, such as http://127.0.0.1:18891: https, or http on this machine"`
	Token            string `json:"token" secret:"variable" from:"agent" doc:"token of that server, or env:NAME; it is sent to no other server"`
}

// Browser says how browsers are started and what callers may do with them.
type Browser struct {
	Enabled         bool   `json:"enabled" doc:"false: no browser runs, and calls are refused (BROWSER_DISABLED)"`
	DefaultProfile  string `json:"defaultProfile" doc:"profile of calls that name none"`
	EvaluateEnabled bool   `json:"evaluateEnabled" doc:"callers may run scripts of their own in pages"`
	AttachOnly      bool   `json:"attachOnly" doc:"no browser is started; one that runs is connected to, at cdpUrl or cdpPort"`

	Headless       *bool    `json:"headless" from:"browser" doc:"true: no windows; absent: depends on whether there is a display"`
	NoSandbox      bool     `json:"noSandbox" from:"browser" doc:"pages run without Chromium's sandbox"`
	ExecutablePath string   `json:"executablePath" from:"browser" doc:"program of the browser; absent: one is looked for"`
	ExtraArgs      []string `json:"extraArgs" from:"browser" doc:"further arguments for the browser"`
	Color          string   `json:"color" from:"browser" doc:"#RRGGBB, color of the windows"`
	Proxy          string   `json:"proxy" secret:"address" from:"browser" doc:"proxy to which connections of all browsers are passed on: http, https or socks5, with name:password@ if it wants a login"`

	SystemClipboard  bool `json:"systemClipboard" doc:"callers use the clipboard of a browser with windows, which is the user's"`
	AgentsSeeSecrets bool `json:"agentsSeeSecrets" doc:"the agent tool shows cookies and tokens of requests to models that ask for them"`

	Refs             string           `json:"refs" doc:"what refs mean after the page has replaced elements: carry: the new elements that stand for them, if that is certain; element: only the elements they were given to; absent: carry"`
	SnapshotDefaults SnapshotDefaults `json:"snapshotDefaults"`
	SSRFPolicy       *SSRFPolicy      `json:"ssrfPolicy"` // nil: the file has none
	TabCleanup       TabCleanup       `json:"tabCleanup"`
	Recorder         bool             `json:"recorder" doc:"false: what callers do in tabs is not recorded"`
	RecorderLimits   RecorderLimits   `json:"recorderLimits"`

	Profiles map[string]Profile `json:"profiles"` // by name; profiles that always exist are in it only if the file has settings for them

	Secrets map[string]NamedSecret `json:"secrets"` // by name: secrets whose values stay in their sources, and are read when they are used

	ControlURL         string `json:"controlUrl" from:"agent" doc:"server that commands and agents call if they name no other, such as https://browsers.example.com:18791; for a server on this machine, only the port counts"`
	ControlToken       string `json:"controlToken" secret:"variable" from:"agent" doc:"token of that server, or env:NAME; it is sent to no other server"`
	ControlFingerprint string `json:"controlFingerprint" from:"agent" doc:"SHA-256 fingerprint of the certificate of that server, if it is self-signed: chela cert prints it there"`

	CDPURL                   string         `json:"cdpUrl" secret:"endpoint" from:"browser" doc:"DevTools endpoint for profiles that have no cdpUrl: http, https, ws or wss; chela connects to it, unless it is on this machine and attachOnly is not set"`
	CDPFingerprint           string         `json:"cdpFingerprint" from:"browser" doc:"SHA-256 fingerprint of the certificate at cdpUrl, if that is self-signed"`
	RemoteCDPTimeoutMs       int            `json:"remoteCdpTimeoutMs" doc:"longest wait for the HTTP answer of a browser that chela connects to, in milliseconds"`
	RemoteCDPHandshakeMs     int            `json:"remoteCdpHandshakeTimeoutMs" doc:"longest wait for the WebSocket of such a browser, in milliseconds, at each of three tries; absent: 5 s, 7 s and 9 s"`
	LocalLaunchTimeoutMs     int            `json:"localLaunchTimeoutMs" later:"yes" doc:"longest start of a browser; it is 30 s"`
	LocalCDPReadyTimeoutMs   int            `json:"localCdpReadyTimeoutMs" later:"yes" doc:"part of the start; it has no limit of its own"`
	ActionTimeoutMs          int            `json:"actionTimeoutMs" later:"yes" doc:"calls have their own timeoutMs"`
	CDPPortRangeStart        int            `json:"cdpPortRangeStart" later:"yes" doc:"first debugging port; it is 18800"`
	ExtensionRelay           ExtensionRelay `json:"extensionRelay"`
	AllowSystemProfileImport bool           `json:"allowSystemProfileImport" later:"yes" doc:"cookies of other browsers may be imported"`

	Models        []VisionModel `json:"models" doc:"models that describe pictures for agents that read only text; the first that can is used; they have precedence over those of tools.media"`
	VisionEnabled *bool         `json:"visionEnabled" doc:"false: pictures are not described"`
	VisionPrompt  string        `json:"visionPrompt" doc:"what models are asked that have no prompt of their own"`

	PreferredModel string `json:"preferredModel" doc:"which models are asked before the others: provider/model, a model, provider:NAME, or cli:COMMAND"`
}

// A VisionModel describes pictures: the model of a provider, or a program. It has the shape of the
// entries in OpenClaw's lists, with baseUrl and apiKey added.
type VisionModel struct {
	Type           string   `json:"type,omitempty" doc:"provider or cli; absent: cli if there is a command and no provider"`
	Provider       string   `json:"provider,omitempty" doc:"openai, anthropic, google or gemini; any other name: a server at baseUrl that speaks OpenAI's protocol"`
	Model          string   `json:"model,omitempty" doc:"what the provider calls the model"`
	BaseURL        string   `json:"baseUrl,omitempty" doc:"where the model is asked, up to the version, such as http://127.0.0.1:11434/v1; absent: the provider's own"`
	APIKey         string   `json:"apiKey,omitempty" secret:"variable" doc:"the key, or env:NAME; absent: OPENAI_API_KEY, ANTHROPIC_API_KEY, GEMINI_API_KEY or GOOGLE_API_KEY, or none if there is a baseUrl"`
	Command        string   `json:"command,omitempty" doc:"program that writes a description to its output; it is run without a shell"`
	Args           []string `json:"args,omitempty" doc:"arguments of the command; {{AttachmentPath}}, {{Prompt}} and others are replaced"`
	Capabilities   []string `json:"capabilities,omitempty" doc:"image, audio, video: a model that has some, and not image, describes no pictures"`
	Prompt         string   `json:"prompt,omitempty" doc:"what the model is asked"`
	TimeoutSeconds float64  `json:"timeoutSeconds,omitempty" doc:"longest time for a description, in seconds"`
	MaxBytes       int      `json:"maxBytes,omitempty" doc:"largest picture that the model is given, in bytes; a larger one is made smaller"`
	MaxChars       int      `json:"maxChars,omitempty" doc:"longest description, in characters"`

	Profile          string `json:"profile,omitempty" later:"yes" doc:"OpenClaw's profile with the key"`
	PreferredProfile string `json:"preferredProfile,omitempty" later:"yes" doc:"the profile that is tried first"`
	Headers          any    `json:"headers,omitempty" secret:"variable" later:"yes" doc:"further headers of requests"`
}

// Tools has OpenClaw's settings about understanding media. Chela uses those about pictures.
type Tools struct {
	Media struct {
		Models []VisionModel `json:"models" doc:"models for all media, with the keys of browser.models; those that have capabilities without image are not used"`
		Image  ImageTool     `json:"image"`
	} `json:"media"`
}

// ImageTool says how pictures are described. Settings in [Browser] have precedence.
type ImageTool struct {
	Enabled        *bool         `json:"enabled" doc:"false: pictures are described only if browser.models or browser.visionEnabled is set"`
	Models         []VisionModel `json:"models" doc:"models for pictures, with the keys of browser.models; before those of tools.media.models"`
	Prompt         string        `json:"prompt" doc:"what models are asked that have no prompt of their own"`
	TimeoutSeconds float64       `json:"timeoutSeconds" doc:"longest time for a description, in seconds; 0: 30"`
	MaxBytes       int           `json:"maxBytes" doc:"largest picture that a model is given, in bytes; 0: 10 MB"`
	MaxChars       int           `json:"maxChars" doc:"longest description, in characters; 0: 4000"`
	PreferredModel string        `json:"preferredModel" doc:"same as browser.preferredModel, which has precedence"`

	Scope   any    `json:"scope" later:"yes" doc:"in which chats pictures are described"`
	BaseURL string `json:"baseUrl" later:"yes" doc:"baseUrl of all models"`
	Headers any    `json:"headers" secret:"variable" later:"yes" doc:"headers of all models"`
}

// SnapshotDefaults apply to snapshots whose caller gives no parameters.
type SnapshotDefaults struct {
	Mode string `json:"mode" doc:"efficient: short snapshots, unless a call asks for another kind"`
}

// ExtensionRelay has the settings of the relay to which chela's browser extension connects.
type ExtensionRelay struct {
	AllowLegacyAuth bool `json:"allowLegacyAuth" later:"yes" doc:"older ways to give its token are accepted"`
}

// SSRFPolicy says which addresses browsers may open. A switch that is absent is not the same as one
// that is false.
type SSRFPolicy struct {
	DangerouslyAllowPrivateNetwork *bool    `json:"dangerouslyAllowPrivateNetwork" doc:"true: private addresses may be opened; absent: only public ones; false: the strict policy, which also refuses names that are in no list"`
	AllowPrivateNetwork            *bool    `json:"allowPrivateNetwork" doc:"older name of dangerouslyAllowPrivateNetwork"`
	AllowedHostnames               []string `json:"allowedHostnames" doc:"hosts that may be opened though their address is private; *.example.com counts as in hostnameAllowlist, and never opens private addresses"`
	HostnameAllowlist              []string `json:"hostnameAllowlist" doc:"only these hosts and those of allowedHostnames may be opened; *.example.com is all below it"`
	BlockedHostnames               []string `json:"blockedHostnames" doc:"hosts that are never opened, whatever allows them; *.example.com is all below it"`
	AllowRFC2544                   bool     `json:"allowRfc2544BenchmarkRange" doc:"198.18.0.0/15 may be opened, which proxies use for names that they resolve themselves"`
	AllowIPv6ULA                   bool     `json:"allowIpv6UniqueLocalRange" doc:"fc00::/7 may be opened, which proxies use in the same way"`
}

// TabCleanup says when chela closes tabs of sessions by itself.
type TabCleanup struct {
	Enabled           bool    `json:"enabled" doc:"tabs of sessions are closed when they are idle or too many"`
	IdleMinutes       float64 `json:"idleMinutes" doc:"a tab is closed when it was not used for so long; 0: never"`
	MaxTabsPerSession int     `json:"maxTabsPerSession" doc:"most tabs of a session: if it has more, those unused for longest are closed; 0: no limit"`
	SweepMinutes      float64 `json:"sweepMinutes" doc:"for how many minutes a session may have more tabs than maxTabsPerSession"`
}

// RecorderLimits bound what is recorded in each profile. If a limit is reached, the oldest records
// are removed.
type RecorderLimits struct {
	Calls int     `json:"calls" doc:"how many calls are kept"`
	Hours float64 `json:"hours" doc:"for how many hours calls are kept"`
	MB    float64 `json:"mb" doc:"size of the calls with their pictures, in MB"`
}

// A Profile is what the file says about one named browser. For settings that it leaves out, the
// ones of [Browser] apply.
type Profile struct {
	CDPPort        int    `json:"cdpPort,omitempty" from:"browser" doc:"debugging port of the profile; absent or 0: one is chosen and kept"`
	CDPURL         string `json:"cdpUrl,omitempty" secret:"endpoint" from:"browser" doc:"DevTools endpoint of a browser to connect to: http, https, ws or wss; if it is on this machine and nothing answers there, chela starts one of its own, unless attachOnly is set"`
	CDPFingerprint string `json:"cdpFingerprint,omitempty" from:"browser" doc:"SHA-256 fingerprint of the certificate at cdpUrl, if that is self-signed"`
	Driver         string `json:"driver,omitempty" doc:"chela, existing-session or extension; absent: chela"`
	Color          string `json:"color,omitempty" from:"browser" doc:"#RRGGBB, color of its windows"`

	Headless          *bool  `json:"headless,omitempty" from:"browser" doc:"true: no windows"`
	ExecutablePath    string `json:"executablePath,omitempty" from:"browser" doc:"program of its browser"`
	AttachOnly        *bool  `json:"attachOnly,omitempty" doc:"its browser is not started, but connected to, at cdpUrl or cdpPort"`
	Proxy             string `json:"proxy,omitempty" secret:"address" from:"browser" doc:"proxy of its browser, as browser.proxy"`
	ExposeCDP         bool   `json:"exposeCdp,omitempty" from:"browser" doc:"true: its debugging port is opened for other programs"`
	IgnoreHTTPSErrors bool   `json:"ignoreHTTPSErrors,omitempty" from:"browser" doc:"pages load even if their certificates are not valid"`
	Portable          bool   `json:"portable,omitempty" from:"browser" doc:"true: the profile may move between the nodes of a fleet, with cookies, storage and tabs; it runs only on nodes (fleet.keyFile)"`

	// These settings are only for an existing session.
	UserDataDir string   `json:"userDataDir,omitempty" from:"browser" doc:"user data directory of that browser; absent: Chrome and similar browsers are looked for"`
	MCPCommand  string   `json:"mcpCommand,omitempty" later:"yes" doc:"program that connects to it"`
	MCPArgs     []string `json:"mcpArgs,omitempty" later:"yes" doc:"arguments of that program"`
}

// Media limits what is kept of pictures, downloads and files that callers sent, see
// package media.
type Media struct {
	MaxAgeHours float64 `json:"maxAgeHours" doc:"pictures and files are removed when they are older"`
	MaxMB       float64 `json:"maxMB" doc:"largest total size of each kind of file, in MB: above it, the oldest files are removed; downloads under way that together exceed it are stopped"`
}

// defaults returns the configuration of an empty file.
func defaults() Config {
	c := Config{
		Gateway: Gateway{Port: 18789, IdleMinutes: 60},
		Browser: Browser{
			Enabled: true, EvaluateEnabled: true, DefaultProfile: Managed, Color: "#FF4500",
			TabCleanup: TabCleanup{Enabled: true, IdleMinutes: 120, MaxTabsPerSession: 8, SweepMinutes: 5},
			Recorder:   true, RecorderLimits: RecorderLimits{Calls: 500, Hours: 24, MB: 40},
			RemoteCDPTimeoutMs: 1500,
			ExtensionRelay:     ExtensionRelay{AllowLegacyAuth: true}, AllowSystemProfileImport: true,
		},
		Media: Media{MaxAgeHours: 24, MaxMB: 1000},
	}
	c.Gateway.Nodes.Browser.Mode = "auto"
	c.Agents.Defaults.Sandbox.Browser.AllowHostControl = true
	c.NodeHost.BrowserProxy.Enabled = true
	c.Fleet.Tenant = "default"
	return c
}
