package guard

import "fmt"

// The keys of the configuration that messages name.
const (
	privateKey   = "browser.ssrfPolicy.dangerouslyAllowPrivateNetwork"
	allowedKey   = "browser.ssrfPolicy.allowedHostnames"
	allowlistKey = "browser.ssrfPolicy.hostnameAllowlist"
	blockedKey   = "browser.ssrfPolicy.blockedHostnames"
)

// A Rule is what in the policy forbids a connection.
type Rule string

const (
	Unlisted       Rule = "dangerouslyAllowPrivateNetwork" // it is false, and the name is in no list
	Blocked        Rule = "blockedHostnames"
	NotAllowed     Rule = "hostnameAllowlist"
	NotInSession   Rule = "allow-hosts"
	PrivateNetwork Rule = "private-network"
	OwnPort        Rule = "own-port"     // of chela itself
	Routed         Rule = "proxy-routed" // another proxy decides where connections lead
)

// A Refused is the error for a connection that the policy forbids. Its text is what
// callers read, and says nothing that a page has not said itself: where a name leads is
// not for those who may not go there.
type Refused struct {
	Rule Rule
	Host Host
	Kind Kind // of the address, if that is the reason
}

// Error returns the text of the contract.
func (r *Refused) Error() string {
	switch r.Rule {
	case Unlisted:
		return "Navigation blocked: strict browser SSRF policy requires an IP-literal URL because " +
			"browser DNS rebinding protections are unavailable for hostname-based navigation"
	case Routed:
		return "Navigation blocked: strict browser SSRF policy cannot be enforced while this browser profile is proxy-routed"
	}
	return "browser navigation blocked by policy"
}

// Reason says which rule it is, for those who look for why a page does not work.
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
	case Routed:
		return fmt.Sprintf("policy %s: another proxy decides where connections lead", r.Rule)
	}
	return fmt.Sprintf("policy %s: %s is of the %s network", r.Rule, r.Host, r.Kind)
}

// Hint says which setting would allow the connection.
func (r *Refused) Hint() string {
	switch r.Rule {
	case Unlisted:
		return r.add(allowedKey)
	case Blocked:
		return fmt.Sprintf("it is in %s", blockedKey)
	case NotAllowed:
		if isInternal(r.Host) || KindOf(r.Host.addr) != Public && r.Host.addr.IsValid() {
			return r.add(allowedKey)
		}
		return r.add(allowlistKey)
	case NotInSession:
		return "this session may open only the hosts that it was given when it began"
	case OwnPort:
		return "it is a port of chela itself, which no setting opens"
	case Routed:
		return "remove the proxy from browser.extraArgs and give it as browser.proxy"
	}
	if mayBeExempt(r.Host, r.Kind) {
		return r.add(allowedKey)
	}
	return fmt.Sprintf("only %s: true allows addresses of this kind", privateKey)
}

func (r *Refused) add(key string) string {
	return fmt.Sprintf("to allow it, add %q to %s", r.Host, key)
}
