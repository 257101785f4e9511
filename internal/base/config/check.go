package config

import (
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"chela/internal/base/certificate"
	"chela/internal/base/hosts"
	"chela/internal/base/lazyregexp"
)

// IsColor reports whether a text is a color in the form #RRGGBB.
func IsColor(text string) bool {
	digits, ok := strings.CutPrefix(text, "#")
	_, err := hex.DecodeString(digits)
	return ok && err == nil && len(digits) == 6
}

// variableReference matches ${NAME}, by which OpenClaw's file refers to a variable of the
// environment. Chela does not look up the variable.
var variableReference = lazyregexp.New(`^\$\{\w+\}$`)

func isVariable(text string) bool {
	return strings.HasPrefix(text, "$") && variableReference().MatchString(text)
}

// check returns an error for a value that has the right type, but is wrong in another way; nil if
// there is none.
func (c *Config) check() *keyError {
	g := c.Gateway
	switch {
	case g.Port < 1 || g.Port > 65535-controlAboveGateway:
		return wrongf("gateway.port", "is %d: want 1 to %d", g.Port, 65535-controlAboveGateway)
	case g.RelayPort < 0 || g.RelayPort > 65535:
		return wrongf("gateway.relayPort", "is %d: want 1 to 65535", g.RelayPort)
	case !slices.Contains([]string{"", "token", "none", "password", "trusted-proxy"}, g.Auth.Mode):
		return wrongf("gateway.auth.mode", "is %q: want token or password", g.Auth.Mode)
	case isVariable(g.Auth.Token):
		return wrongf("gateway.auth.token", "names a variable, which would be a secret that anybody can guess: set CHELA_TOKEN")
	case isVariable(g.Auth.Password):
		return wrongf("gateway.auth.password", "names a variable, which would be a secret that anybody can guess: set CHELA_PASSWORD")
	case !isAmountOrZero(g.IdleMinutes):
		return wrongf("gateway.idleMinutes", "is %v: want 0 to %d", g.IdleMinutes, maxAmount)
	case !slices.Contains([]string{"auto", "manual", "off"}, g.Nodes.Browser.Mode):
		return wrongf("gateway.nodes.browser.mode", "is %q: want auto, manual or off", g.Nodes.Browser.Mode)
	case !isAmount(c.Media.MaxAgeHours):
		return wrongf("media.maxAgeHours", "is %v: want more than 0, at most %d", c.Media.MaxAgeHours, maxAmount)
	case !isAmount(c.Media.MaxMB):
		return wrongf("media.maxMB", "is %v: want more than 0, at most %d", c.Media.MaxMB, maxAmount)
	}
	if e := c.checkBind(); e != nil {
		return e
	}
	if e := c.checkNotify(); e != nil {
		return e
	}
	if e := c.checkVision(); e != nil {
		return e
	}
	if e := c.Fleet.check(); e != nil {
		return e
	}
	if e := c.checkSandbox(); e != nil {
		return e
	}
	return c.Browser.check()
}

// maxAmount limits times and sizes, such as hours or MB. A time of this many hours still fits into a
// [time.Duration], and a size of this many MB into an int64. A larger one would become negative.
const maxAmount = 1_000_000

func isAmount(n float64) bool { return n > 0 && n <= maxAmount }

func isAmountOrZero(n float64) bool { return n == 0 || isAmount(n) }

// check returns what is wrong with the keys about browsers. It is a part of [Config.check].
func (b *Browser) check() *keyError {
	t := b.TabCleanup
	switch {
	case !slices.Contains([]string{"", "efficient"}, b.SnapshotDefaults.Mode):
		return wrongf("browser.snapshotDefaults.mode", "is %q: want efficient", b.SnapshotDefaults.Mode)
	case !slices.Contains([]string{"", "carry", "element"}, b.Refs):
		return wrongf("browser.refs", "is %q: want carry or element", b.Refs)
	case !IsColor(b.Color):
		return wrongf("browser.color", "is %q: want #RRGGBB", b.Color)
	case !isAmountOrZero(t.IdleMinutes):
		return wrongf("browser.tabCleanup.idleMinutes", "is %v: want 0 to %d", t.IdleMinutes, maxAmount)
	case t.MaxTabsPerSession < 0:
		return wrongf("browser.tabCleanup.maxTabsPerSession", "is %v: want 0 or more", t.MaxTabsPerSession)
	case !isAmount(t.SweepMinutes):
		return wrongf("browser.tabCleanup.sweepMinutes", "is %v: want more than 0, at most %d", t.SweepMinutes, maxAmount)
	case b.RemoteCDPTimeoutMs < 1:
		return wrongf("browser.remoteCdpTimeoutMs", "is %d: want 1 or more", b.RemoteCDPTimeoutMs)
	case b.RemoteCDPHandshakeMs < 0:
		return wrongf("browser.remoteCdpHandshakeTimeoutMs", "is %d: want 0 or more", b.RemoteCDPHandshakeMs)
	case b.RecorderLimits.Calls < 1 || b.RecorderLimits.Calls > maxAmount:
		return wrongf("browser.recorderLimits.calls", "is %d: want 1 to %d", b.RecorderLimits.Calls, maxAmount)
	case !isAmount(b.RecorderLimits.Hours):
		return wrongf("browser.recorderLimits.hours", "is %v: want more than 0, at most %d", b.RecorderLimits.Hours, maxAmount)
	case !isAmount(b.RecorderLimits.MB):
		return wrongf("browser.recorderLimits.mb", "is %v: want more than 0, at most %d", b.RecorderLimits.MB, maxAmount)
	case !isProxy(b.Proxy):
		return wrongf("browser.proxy", "is %q: want an address such as http://proxy.example.com:3128", withoutLogin(b.Proxy))
	case !isURL(b.ControlURL, CDPSchemes):
		return wrongf("browser.controlUrl", "must be http(s) or ws(s), got: %s", schemeOf(b.ControlURL))
	case isVariable(b.ControlToken):
		return wrongf("browser.controlToken", "names a variable: write env:NAME")
	case !isURL(b.CDPURL, CDPSchemes):
		return wrongf("browser.cdpUrl", "must be http(s) or ws(s), got: %s", schemeOf(b.CDPURL))
	case namesNoMachine(b.CDPURL):
		return wrongf("browser.cdpUrl", "%s", noMachine)
	case !isFingerprint(b.CDPFingerprint):
		return wrongf("browser.cdpFingerprint", "is %q: %s", b.CDPFingerprint, fingerprintForm)
	}
	if e := b.SSRFPolicy.check(); e != nil {
		return e
	}
	for _, name := range slices.Sorted(maps.Keys(b.Profiles)) {
		profile := b.Profiles[name]
		if e := profile.check("browser.profiles."+name, name); e != nil {
			return e
		}
	}
	if e := b.checkSecrets(); e != nil {
		return e
	}
	if names := b.ProfileNames(); !slices.Contains(names, b.ProfileName("")) {
		return wrongf("browser.defaultProfile", "is %q: there are the profiles %s", b.DefaultProfile, strings.Join(names, ", "))
	}
	return nil
}

// check returns what is wrong with the network policy, which may be nil. It is a part of
// [Config.check].
func (p *SSRFPolicy) check() *keyError {
	if p == nil {
		return nil
	}
	for _, list := range p.lists() {
		_, err := hosts.ParsePatterns(list.key, list.entries)
		if wrong, ok := errors.AsType[*hosts.EntryError](err); ok {
			return wrongf(fmt.Sprintf("%s[%d]", wrong.Key, wrong.Index), "%s", wrong.Problem())
		}
	}
	return nil
}

// hostList is a list of hosts in the network policy.
type hostList struct {
	key     string
	entries []string
}

func (p *SSRFPolicy) lists() []hostList {
	return []hostList{
		{"browser.ssrfPolicy.allowedHostnames", p.AllowedHostnames},
		{"browser.ssrfPolicy.blockedHostnames", p.BlockedHostnames},
		{"browser.ssrfPolicy.hostnameAllowlist", p.HostnameAllowlist},
	}
}

// CDPSchemes are the schemes that the URL of a DevTools endpoint can have.
var CDPSchemes = []string{"http", "https", "ws", "wss"}

var (
	profileName  = lazyregexp.New(`^[a-z0-9-]{1,64}$`)
	proxySchemes = []string{"http", "https", "socks5"}
	drivers      = append([]string{"", "chela", "existing-session", "extension"}, Aliases...)
)

// check returns what is wrong with a profile. The parameter key is the key of the profile. It is a
// part of [Config.check].
func (p *Profile) check(key, name string) *keyError {
	switch {
	case name == Render:
		return wrongf(key, "is the name of the browser that renders pages: choose another one")
	case !profileName().MatchString(name):
		return wrongf(key, "is no name of a profile: use lowercase letters, numbers, and hyphens only, 64 at most")
	case p.CDPPort < 0 || p.CDPPort > 65535:
		return wrongf(key+".cdpPort", "is %d: want 1 to 65535", p.CDPPort)
	case !isURL(p.CDPURL, CDPSchemes):
		return wrongf(key+".cdpUrl", "must be http(s) or ws(s), got: %s", schemeOf(p.CDPURL))
	case namesNoMachine(p.CDPURL):
		return wrongf(key+".cdpUrl", "%s", noMachine)
	case !isFingerprint(p.CDPFingerprint):
		return wrongf(key+".cdpFingerprint", "is %q: %s", p.CDPFingerprint, fingerprintForm)
	case !slices.Contains(drivers, p.Driver):
		return wrongf(key+".driver", "is %q: want chela, existing-session or extension", p.Driver)
	case p.Driver == "extension" && p.CDPURL != "":
		return wrongf(key+".cdpUrl", "cannot be used with the driver extension")
	case p.Driver != "existing-session" && p.UserDataDir != "":
		return wrongf(key+".userDataDir", "is for the driver existing-session")
	case p.Portable && (p.CDPURL != "" || p.AttachOnly != nil && *p.AttachOnly || p.Driver == "existing-session" || p.Driver == "extension"):
		return wrongf(key+".portable", "is for browsers that chela starts")
	case p.Color != "" && !IsColor(p.Color):
		return wrongf(key+".color", "is %q: want #RRGGBB", p.Color)
	case !isProxy(p.Proxy):
		return wrongf(key+".proxy", "is %q: want an address such as http://proxy.example.com:3128", withoutLogin(p.Proxy))
	}
	return nil
}

// fingerprintForm says in an error what a fingerprint must look like.
const fingerprintForm = "want 64 hexadecimal digits, with or without colons"

// isFingerprint reports whether a text is empty, or the SHA-256 fingerprint of a certificate.
func isFingerprint(text string) bool {
	_, err := certificate.ParseFingerprint(text)
	return text == "" || err == nil
}

// isProxy reports whether an address is empty, or is the address of a proxy: a URL with nothing
// after its host and port.
func isProxy(address string) bool {
	u, err := url.Parse(address)
	return isURL(address, proxySchemes) && err == nil && strings.Trim(u.Path, "/") == "" && u.RawQuery == "" && u.Fragment == ""
}

// isURL reports whether an address is empty, or has one of the schemes and a host.
func isURL(address string, schemes []string) bool {
	if address == "" {
		return true
	}
	u, err := url.Parse(address)
	return err == nil && u.Host != "" && slices.Contains(schemes, u.Scheme)
}

// noMachine is the fault of an address for which namesNoMachine is true.
const noMachine = "stands for all addresses, and names no machine: for this one write 127.0.0.1"

// namesNoMachine reports whether the host of a URL is 0.0.0.0 or the like.
func namesNoMachine(address string) bool {
	u, err := url.Parse(address)
	return err == nil && hosts.IsUnspecified(u.Hostname())
}

// Redacted returns the URL of an endpoint without its user and password, and without its query:
// services that rent browsers have their tokens there. It is "" if it cannot be read.
func Redacted(endpoint string) string {
	u, err := url.Parse(endpoint)
	if err != nil {
		return ""
	}
	u.User, u.RawQuery, u.Fragment = nil, "", ""
	return u.String()
}

// schemeOf returns the scheme of an address for messages, since the rest may hold a secret.
func schemeOf(address string) string {
	if u, err := url.Parse(address); err == nil && u.Scheme != "" {
		return u.Scheme
	}
	return "no address"
}
