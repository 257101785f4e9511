package config

import (
	"slices"
	"strings"
)

// A Weakness is a setting that weakens a promise of docs/security.md if its value is true, or not
// empty.
type Weakness struct {
	Name   string // key of the file, or variable of the environment
	Effect string
}

// Weakening lists the settings that weaken the promises of docs/security.md.
var Weakening = []Weakness{
	{"browser.ssrfPolicy.dangerouslyAllowPrivateNetwork", "pages reach this machine and its networks, and what gives machines in " +
		"a cloud their credentials; not the ports of chela"},
	{"browser.ssrfPolicy.allowPrivateNetwork", "the same"},
	{AllowPrivateNetwork, "the same, if the file has no `browser.ssrfPolicy`"},
	{"browser.ssrfPolicy.allowedHostnames", "pages reach these hosts also at private addresses"},
	{"browser.ssrfPolicy.allowRfc2544BenchmarkRange", "pages reach 198.18.0.0/15"},
	{"browser.ssrfPolicy.allowIpv6UniqueLocalRange", "pages reach fc00::/7"},
	{"browser.proxy", "that proxy decides where connections lead; only what chela knows of a host is judged (`best-effort`)"},
	{"browser.profiles.<name>.proxy", "the same"},
	{"browser.profiles.<name>.exposeCdp", "each program of this machine can drive the browser and read its pages; it does not get past " +
		"the policy by that"},
	{"browser.profiles.<name>.ignoreHTTPSErrors", "whoever is on the way to a site can read and change what goes there"},
	{"gateway.bind", "other machines reach the server, by https: who has the token or the password uses the browsers and their logins"},
	{"browser.noSandbox", "a page that breaks out of its process has the rights of the user who runs chela"},
	{"browser.extraArgs", "flags can switch off what protects in Chromium; those that would lead past the policy have no effect"},
	{"browser.systemClipboard", "callers read and change the clipboard of the user, in browsers with windows"},
	{"browser.agentsSeeSecrets", "models get the cookies and tokens of requests when they ask for them"},
}

// weakens reports whether a key of the file, with the given value, weakens a promise of
// docs/security.md.
func weakens(key string, value any) bool {
	if rest, ok := strings.CutPrefix(key, "browser.profiles."); ok {
		_, setting, _ := strings.Cut(rest, ".")
		key = "browser.profiles.<name>." + setting
	}
	if bind, ok := value.(string); ok && key == "gateway.bind" {
		return Gateway{Bind: bind}.bindsOutside()
	}
	return value != false && !isEmpty(value) && slices.ContainsFunc(Weakening, func(w Weakness) bool { return w.Name == key })
}

// Weakened lists the settings in force that weaken what docs/security.md promises.
func (c *Config) Weakened() []string {
	list := slices.Clone(c.weakened)
	if c.Browser.SSRFPolicy == nil && PrivateNetworkByEnv() {
		list = append(list, AllowPrivateNetwork)
	}
	return list
}
