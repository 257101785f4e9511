package guard

import (
	"fmt"
	"strings"

	"chela/internal/base/hosts"
)

// The keys of the configuration that messages name.
const (
	privateKey   = "browser.ssrfPolicy.dangerouslyAllowPrivateNetwork"
	allowedKey   = "browser.ssrfPolicy.allowedHostnames"
	allowlistKey = "browser.ssrfPolicy.hostnameAllowlist"
	blockedKey   = "browser.ssrfPolicy.blockedHostnames"
)

// A Rule is the rule of the policy that forbids a connection.
type Rule string

const (
	Unlisted       Rule = "dangerouslyAllowPrivateNetwork" // dangerouslyAllowPrivateNetwork is false, and no list has the name
	Blocked        Rule = "blockedHostnames"
	NotAllowed     Rule = "hostnameAllowlist"
	NotInSession   Rule = "allow-hosts"
	PrivateNetwork Rule = "private-network"
	OwnPort        Rule = "own-port"     // a port of chela itself, or one by which it drives a browser
	LocalFile      Rule = "local-file"   // a file of this machine, opened in a tab
	Routed         Rule = "proxy-routed" // another proxy decides where connections lead
	Unenforced     Rule = "unenforced"   // chela has not started the browser, so it cannot enforce all rules
)

// A ProxySetting says where the configuration names another proxy.
type ProxySetting string

const (
	ProxyKey  ProxySetting = "browser.proxy"     // the setting of all profiles, or of one profile
	ProxyFlag ProxySetting = "browser.extraArgs" // a flag of Chromium, such as --proxy-server
)

// A Refused is the error for a connection that the policy forbids. Callers read its text. So the
// text does not contain the addresses of the host. A caller that may not open the host must not
// learn them.
type Refused struct {
	Rule  Rule
	Host  hosts.Host
	Kind  hosts.Kind   // kind of the address, if that is the reason
	Proxy ProxySetting // the other proxy, if that is the reason
}

// Error returns the text that OpenClaw has for the rule.
func (r *Refused) Error() string {
	switch r.Rule {
	case Unlisted:
		return "Navigation blocked: strict browser SSRF policy requires an IP-literal URL because " +
			"browser DNS rebinding protections are unavailable for hostname-based navigation"
	case Routed:
		return "Navigation blocked: strict browser SSRF policy cannot be enforced while this browser profile is proxy-routed"
	case Unenforced:
		return "Navigation blocked: strict browser SSRF policy cannot be enforced in a browser that chela does not start"
	}
	return "browser navigation blocked by policy"
}

// Reason names the rule, for people who want to know why a page does not work.
func (r *Refused) Reason() string {
	switch r.Rule {
	case Unlisted:
		return fmt.Sprintf("policy %s: is false, and %s is in no list of hosts", r.Rule, r.Host)
	case Blocked:
		return fmt.Sprintf("policy %s: %s is listed", r.Rule, r.Host)
	case NotAllowed, NotInSession:
		return fmt.Sprintf("policy %s: %s is not listed", r.Rule, r.Host)
	case OwnPort:
		return fmt.Sprintf("policy %s: browsers never open the ports of chela", r.Rule)
	case LocalFile:
		return fmt.Sprintf("policy %s: browsers that chela starts show no files of this machine", r.Rule)
	case Routed:
		return fmt.Sprintf("policy %s: another proxy decides where connections lead", r.Rule)
	case Unenforced:
		return fmt.Sprintf("policy %s: WebSockets and WebRTC of this browser are not judged, and %s is false", r.Rule, privateKey)
	}
	return fmt.Sprintf("policy %s: %s is of the %s network", r.Rule, r.Host, r.Kind)
}

// Hint says which setting would allow the connection, and how to change it. Callers may be agents,
// so the hint says that the user has to do so.
func (r *Refused) Hint() string {
	switch r.Rule {
	case Unlisted:
		return r.add(allowedKey)
	case Blocked:
		return fmt.Sprintf("the user has listed it in %s, which wins over all other lists", blockedKey)
	case NotAllowed:
		if addr, literal := r.Host.Addr(); isInternal(r.Host) || literal && hosts.KindOf(addr) != hosts.Public {
			return r.add(allowedKey)
		}
		return r.add(allowlistKey)
	case NotInSession:
		return "this session opens only the hosts that it was given with --allow-hosts when it began"
	case OwnPort:
		return "it is a port of chela itself or of a browser that it drives, which no setting opens"
	case LocalFile:
		return "the tab would show a file of this machine: give files to pages by upload, or by drop on an element that handles them"
	case Routed:
		if r.Proxy == ProxyKey {
			return fmt.Sprintf("the user can have a proxy or %s: false, and not both", privateKey)
		}
		return fmt.Sprintf("the user can remove the proxy from %s, and give its address as %s", ProxyFlag, ProxyKey)
	case Unenforced:
		return fmt.Sprintf("use a profile whose browser chela starts; or the user can remove %s: false, and have the policy held as far as requests can be paused", privateKey)
	}
	switch {
	case r.Kind == hosts.Metadata:
		return "no list of hosts opens it: there, a machine in a cloud gets its credentials"
	case mayBeExempt(r.Host, r.Kind):
		return r.add(allowedKey)
	case r.Kind == hosts.Loopback, r.Kind == hosts.Unspecified:
		return "what this machine serves is opened at localhost; " + allowAll
	}
	return "no list of hosts opens addresses of this kind; " + allowAll
}

const allowAll = "the user can allow all private addresses: chela config set " + privateKey + " true"

// add returns how a host is added to a list. It contains a command only for a host without
// characters that mean something to a shell. A page may have chosen the host, and the user may
// paste the command.
func (r *Refused) add(key string) string {
	host := r.Host.String()
	subject := "the user can allow it"
	_, literal := r.Host.Addr()
	switch {
	case r.Rule == PrivateNetwork && !literal && !isInternal(r.Host):
		subject = "the name leads to a private address; the user can allow that for this name"
	case r.Rule == PrivateNetwork:
		subject = "this machine and its network are closed to pages; the user can allow this host"
	}
	if strings.HasPrefix(host, "-") || strings.Trim(host, "abcdefghijklmnopqrstuvwxyz0123456789.:_-") != "" {
		return fmt.Sprintf("%s: add %q to %s", subject, host, key)
	}
	return fmt.Sprintf("%s: chela config set --add %s %s", subject, key, host)
}
