package chrome

import (
	"net/url"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// defaultFlags are the flags of every browser that chela starts.
var defaultFlags = []string{
	"--no-first-run", // no welcome page, no dialog about the default browser
	"--no-default-browser-check",
	"--no-startup-window",         // each tab gets a window of its own; without a first one, the browser answers sooner
	"--password-store=basic",      // Linux: no prompt for the keyring
	"--use-mock-keychain",         // macOS: no prompt for the keychain
	"--hide-crash-restore-bubble", // no offer to restore pages after a kill: chela restores them itself
	"--disable-session-crashed-bubble",
	"--disable-search-engine-choice-screen",
	"--disable-hang-monitor",     // no "page unresponsive" prompt: the deadlines of calls decide
	"--disable-prompt-on-repost", // a reload must not wait for an answer
	"--disable-auto-reload",      // an error page would load its address again at any time, while a call reads it
	"--disable-breakpad",         // no crash reports
	"--disable-popup-blocking",   // package browser limits what a page opens, and reports it

	// No network traffic of Chromium itself: synchronization, updates, experiments.
	"--disable-sync",
	"--disable-background-networking",
	"--disable-component-update",
	"--disable-quic", // QUIC uses UDP, which would go past the proxy

	// Without this flag, navigator.webdriver is true, and pages behave differently than for a
	// person.
	"--disable-blink-features=AutomationControlled",

	// Each site has processes of its own, so a page cannot read, block or crash pages of other sites.
	// The headless shell does not do so by itself.
	"--site-per-process",

	// Many tabs are driven at once; none is throttled because it is in the background.
	"--disable-background-timer-throttling",
	"--disable-renderer-backgrounding",
	"--disable-backgrounding-occluded-windows",
	"--allow-pre-commit-input", // otherwise Chromium drops input right after a navigation
}

// disabledFeatures are Chromium features that chela switches off. A page in the back/forward cache,
// or a prerendered one, would be a second document that sends events for its tab. The popups of the
// address bar would load two more pages in each window. Chromium would ignore a click on a link if
// the tab navigates to the same address, or has just found a file there. No event would say so.
// When a page asks for digital credentials, such as a driving licence, Chromium opens a window of
// its own. Until somebody answers that, the tab takes no input. After a key or click, Chromium would
// put off the timers of a page until the next frame, up to 17 ms.
var disabledFeatures = []string{
	"Translate", "MediaRouter", "BackForwardCache", "Prerender2",
	"AutofillServerCommunication", "IgnoreDuplicateNavs", "DeferRendererTasksAfterInput",
	"WebIdentityDigitalCredentials", "WebIdentityDigitalCredentialsCreation",
	"WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup",
}

const featuresFlag = "--disable-features="

// mouseSettings tell pages of a headless browser that there is a mouse: a fine pointer (4) that can
// hover (2). Chromium would report the devices of the machine, and a server often has none. Then
// pages leave out what appears when the mouse is over an element, and show controls for phones. An
// emulated device with a touch screen replaces these settings. When it is cleared, they return with
// the next document.
var mouseSettings = []string{"primaryPointerType=4", "availablePointerTypes=4", "primaryHoverType=2", "availableHoverTypes=2"}

// noSelection keeps a click with the middle button from pasting. On Linux, in a browser with windows,
// it would paste what the user has selected last, in whatever program. Like the user's clipboard,
// callers may not read that. The click still opens links. In other browsers, the middle button is refused
// where the clipboard is.
const noSelection = "selectionClipboardBufferAvailable=false"

const blinkFlag = "--blink-settings="

// windowClass is the beginning of the class of a profile's windows (WM_CLASS of X11).
const windowClass = "chela-"

// arguments returns the command line of the browser. If a flag is given twice, Chromium takes the
// last, so the user's flags come last. For the same reason, the user's list of disabled features
// would replace chela's, so the two lists are joined; likewise the lists of Blink's settings.
func arguments(o Options) []string {
	features, blink := disabledFeatures, []string{noSelection}
	if o.Headless {
		blink = append(blink, mouseSettings...)
	}
	var extra []string
	for _, arg := range o.ExtraArgs {
		switch name, value := flagOf(arg); {
		case name+"=" == featuresFlag:
			features = append(slices.Clip(features), strings.Split(value, ",")...)
		case name+"=" == blinkFlag:
			blink = append(blink, strings.Split(value, ",")...)
		case !opensPort(name):
			extra = append(extra, arg)
		}
	}
	args := append(slices.Clone(defaultFlags), "--user-data-dir="+o.UserDataDir,
		featuresFlag+strings.Join(features, ","), blinkFlag+strings.Join(blink, ","))
	if !byPort {
		args = append(args, "--remote-debugging-pipe")
	}
	if byPort || o.Port != 0 {
		args = append(args, "--remote-debugging-port="+strconv.Itoa(o.Port)) // 0: Chromium chooses a port
	}
	if o.IgnoreCertificates {
		args = append(args, "--ignore-certificate-errors")
	}
	if o.Headless {
		// The new headless mode is the whole browser without windows; the old one was another
		// program. Without these flags, scroll bars would be in screenshots, and sound of invisible
		// pages would be heard.
		args = append(args, "--headless=new", "--disable-gpu", "--hide-scrollbars", "--mute-audio")

		// Chromium draws its tab strip and toolbar even where nobody sees them. Without animations
		// there, a new tab takes a fifth less processor time. The flag does not affect animations
		// in pages.
		args = append(args, "--animation-duration-scale=0")
	}
	if reason, _ := WithoutSandbox(o.Executable, o.NoSandbox); reason != "" {
		args = append(args, "--no-sandbox", "--disable-setuid-sandbox")
	}
	if runtime.GOOS == "linux" {
		args = append(args, "--disable-dev-shm-usage") // in containers, /dev/shm has only 64 MB
		if !o.Headless && o.ProfileName != "" {
			args = append(args, "--class="+windowClass+o.ProfileName) // the desktop uses this class to name and group windows
		}
	}
	switch {
	case o.Proxy != "":
		extra = slices.DeleteFunc(extra, choosesNetwork)
		args = append(args, throughProxy(o.Proxy)...)
	case !slices.ContainsFunc(extra, namesProxy):
		args = append(args, "--no-proxy-server") // otherwise Chromium takes the proxy of the system's settings
	}
	return append(args, extra...)
}

// NoBypass is a value of --proxy-bypass-list. With it, no connection goes past the proxy, see
// throughProxy.
const NoBypass = "<-loopback>"

// throughProxy returns the flags of a browser whose traffic all goes through a proxy.
//
// Without a list of exceptions Chromium has some of its own: connections to loopback addresses go
// past the proxy, unless <-loopback> removes this exception.
//
// With a proxy, Chromium resolves no names except for hints such as dns-prefetch. Those send
// whatever text the page chooses to a DNS server. So --host-resolver-rules makes every host unknown
// to Chromium except that of the proxy, which is this machine. The rule applies even to IP
// addresses. Then nothing else can be reached, even if an extension or a policy of the machine
// changes the proxy.
//
// WebRTC sends datagrams, which no proxy carries. Each of the two flags for WebRTC alone has let
// some through, so both are set. QUIC is switched off by a flag in [defaultFlags].
func throughProxy(address string) []string {
	host := address
	if u, err := url.Parse(address); err == nil {
		host = u.Hostname()
	}
	return []string{
		"--proxy-server=" + address,
		"--proxy-bypass-list=" + NoBypass,
		"--host-resolver-rules=MAP " + host + " 127.0.0.1, MAP * ~NOTFOUND",
		"--webrtc-ip-handling-policy=disable_non_proxied_udp",
		"--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
	}
}

// choosesNetwork reports whether a flag of the user could let traffic go past chela's proxy, or to
// another proxy.
func choosesNetwork(arg string) bool {
	name, _ := flagOf(arg)
	return namesProxy(arg) || slices.Contains([]string{
		"--no-proxy-server", "--proxy-bypass-list", "--host-resolver-rules", "--host-rules",
		"--webrtc-ip-handling-policy", "--force-webrtc-ip-handling-policy", "--enable-quic", "--quic-version", "--origin-to-force-quic-on",
	}, name)
}

// ProxyFlags are the flags by which users choose a proxy.
var ProxyFlags = []string{"--proxy-server", "--proxy-pac-url", "--proxy-auto-detect"}

// namesProxy reports whether a flag of the user chooses the proxy.
func namesProxy(arg string) bool {
	name, _ := flagOf(arg)
	return slices.Contains(ProxyFlags, name)
}

// WithoutProxy returns a list of flags without those that choose a proxy.
func WithoutProxy(extra []string) []string {
	return append([]string{}, slices.DeleteFunc(slices.Clone(extra), namesProxy)...)
}

// opensPort reports whether a flag of the user would open a port by which other programs drive the
// browser. Such a flag can also take the DevTools pipe from chela.
func opensPort(name string) bool { return strings.HasPrefix(name, "--remote-debugging-") }

// flagOf returns the name of a flag, with two dashes, and its value, as Chromium reads them.
// Chromium ignores spaces around a flag, and accepts one dash for two. The name is empty if arg is
// no flag.
func flagOf(arg string) (name, value string) {
	arg = strings.TrimSpace(arg)
	if runtime.GOOS == "windows" && strings.HasPrefix(arg, "/") {
		arg = "-" + arg[1:]
	}
	if !strings.HasPrefix(arg, "-") {
		return "", ""
	}
	name, value, _ = strings.Cut(strings.TrimPrefix(arg[1:], "-"), "=")
	return "--" + name, value
}

// LastFlag returns the last flag of extra that has one of the names, and its value; "" if there is
// none. Chromium ignores the earlier ones.
func LastFlag(extra []string, names ...string) (name, value string) {
	for _, arg := range slices.Backward(extra) {
		if name, value := flagOf(arg); slices.Contains(names, name) {
			return name, value
		}
	}
	return "", ""
}

// WithoutEffect lists the user's flags that chela neither passes to a browser behind its proxy nor
// obeys itself. Flags that choose a proxy, and --host-resolver-rules, are not listed: chela's proxy
// obeys them.
func WithoutEffect(extra []string) (names []string) {
	for _, arg := range extra {
		name, _ := flagOf(arg)
		if opensPort(name) || choosesNetwork(arg) && !namesProxy(arg) && name != "--host-resolver-rules" {
			names = append(names, name)
		}
	}
	return names
}
