package guard

import (
	"cmp"
	"errors"
	"net/netip"
	"slices"
	"strings"

	"chela/internal/base/hosts"
)

// Rules are the settings of a network policy: browser.ssrfPolicy of the configuration. A switch
// that is absent (nil) is not the same as one that is false.
type Rules struct {
	DangerouslyAllowPrivateNetwork *bool // private addresses may be opened; false: they may not, and a host name only if it is listed
	AllowPrivateNetwork            *bool // older name of DangerouslyAllowPrivateNetwork
	AllowedHostnames               []string
	HostnameAllowlist              []string
	BlockedHostnames               []string
	AllowRFC2544                   bool
	AllowIPv6ULA                   bool
}

// A Policy decides where browsers may connect to. Its zero value is the policy of a
// configuration that says nothing: the internet, and nothing else. It does not change,
// so it may be used by several goroutines.
//
// A connection must pass two checks: [Policy.CheckHost] before the name of the host is resolved,
// and [Policy.CheckAddrs] for the addresses that it has. The connection must then be made to one of
// these addresses, and not to the name, which may have other addresses a moment later.
type Policy struct {
	private bool // connections to all addresses are allowed, also to private ones
	strict  bool // a host name must be listed, an IP address need not be

	exempt  hosts.Patterns // hosts that may have private addresses, except hosts that match only a wildcard
	only    hosts.Patterns // only these hosts and those in exempt are allowed
	never   hosts.Patterns
	session *hosts.Patterns // the only hosts that the session may open; nil: the session has no such list
	always  hosts.Host      // a host that is always allowed; the zero value: none

	benchmark, uniqueLocal bool
}

// Policy returns the policy of the rules. The error is an [*hosts.EntryError]. There is no policy
// then: if a wrong entry of BlockedHostnames were left out, the policy would allow too much.
func (r Rules) Policy() (*Policy, error) {
	private := cmp.Or(r.DangerouslyAllowPrivateNetwork, r.AllowPrivateNetwork)
	p := &Policy{benchmark: r.AllowRFC2544, uniqueLocal: r.AllowIPv6ULA}
	if private != nil {
		p.private, p.strict = *private, !*private
	}
	for _, list := range []struct {
		key     string
		entries []string
		parsed  *hosts.Patterns
	}{
		{allowedKey, r.AllowedHostnames, &p.exempt},
		{allowlistKey, r.HostnameAllowlist, &p.only},
		{blockedKey, r.BlockedHostnames, &p.never},
	} {
		var err error
		if *list.parsed, err = hosts.ParsePatterns(list.key, list.entries); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// sessionKey is the name of the list of hosts that a call gives to its session. Errors quote it.
const sessionKey = "allowHosts"

// ErrNoHosts says that a session was given a list that has no hosts.
var ErrNoHosts = errors.New(sessionKey + " has no host")

// Narrow returns a policy that allows only the given hosts, and these only if p allows them. Errors
// are an [*hosts.EntryError] and [ErrNoHosts].
func (p *Policy) Narrow(list []string) (*Policy, error) {
	only, err := hosts.ParsePatterns(sessionKey, list)
	if err == nil && only.IsEmpty() {
		err = ErrNoHosts
	}
	if err != nil {
		return nil, err
	}
	narrow := *p
	narrow.session = &only
	return &narrow, nil
}

// Except returns a policy that allows what p does, and also one host, whatever its addresses are.
// It is for a browser that has to open a page that chela itself serves.
func (p *Policy) Except(h hosts.Host) *Policy {
	wider := *p
	wider.always = h
	return &wider
}

func (p *Policy) allowsAlways(h hosts.Host) bool { return h == p.always && h != hosts.Host{} }

// AllowsPrivate reports whether private addresses may be opened. Rules about names still apply.
func (p *Policy) AllowsPrivate() bool { return p.private }

// ChecksAddrs reports whether [Policy.CheckAddrs] may refuse any address.
func (p *Policy) ChecksAddrs() bool { return !p.private || p.never.HasAddrs() }

// AllowsAll reports whether every host may be opened.
func (p *Policy) AllowsAll() bool {
	return p.private && p.never.IsEmpty() && p.only.IsEmpty() && p.session == nil
}

// IsStrict reports whether the configuration explicitly forbids private networks: the switch is
// there, and false.
func (p *Policy) IsStrict() bool { return p.strict }

// CheckRouted returns why nothing may be opened in a browser whose connections go on to another
// proxy, or nil. That proxy resolves names itself and connects to what it likes. The parameter
// setting says where the proxy is named. If it is named in chela's configuration (ProxyKey), only a
// strict policy conflicts with it, see IsStrict.
func (p *Policy) CheckRouted(setting ProxySetting) *Refused {
	if p.private || setting == ProxyKey && !p.strict {
		return nil
	}
	return &Refused{Rule: Routed, Proxy: setting}
}

// CheckUnenforced returns why nothing may be opened in a browser that chela has not started, or
// nil. A strict policy, see IsStrict, cannot be enforced there.
func (p *Policy) CheckUnenforced() *Refused {
	if p.strict {
		return &Refused{Rule: Unenforced}
	}
	return nil
}

// CheckHost returns why no connection to a host may be made, whatever its addresses are, or nil. If
// the host is an IP address, no further check is needed.
func (p *Policy) CheckHost(h hosts.Host) *Refused {
	addr, literal := h.Addr()
	switch {
	case p.allowsAlways(h):
		return nil
	case p.strict && !literal && !p.exempt.Match(h) && !p.only.Match(h):
		return &Refused{Rule: Unlisted, Host: h}
	case p.never.Match(h):
		return &Refused{Rule: Blocked, Host: h}
	case !p.only.IsEmpty() && !p.only.Match(h) && !p.exempt.Match(h):
		return &Refused{Rule: NotAllowed, Host: h}
	case p.session != nil && !p.session.Match(h):
		return &Refused{Rule: NotInSession, Host: h}
	case literal:
		return p.CheckAddrs(h, []netip.Addr{addr})
	case !p.private && !p.exempt.Has(h) && isInternal(h):
		return &Refused{Rule: PrivateNetwork, Host: h, Kind: kindOfName(h)}
	}
	return nil
}

// CheckAddrs returns why no connection may be made to a host that has these addresses, or nil. One
// address that is not allowed is enough to refuse. If a name has a public and a private address,
// chance or the owner of the name decides which one is used. A blocked IPv4 address is also blocked
// within IPv6, see [hosts.Embedded].
func (p *Policy) CheckAddrs(h hosts.Host, addrs []netip.Addr) *Refused {
	for _, addr := range addrs {
		addr = addr.Unmap().WithZone("")
		kind := hosts.KindOf(addr)
		switch {
		case p.allowsAlways(h):
		case slices.ContainsFunc(append(hosts.Embedded(addr), addr), func(a netip.Addr) bool { return p.never.Has(hosts.OfAddr(a)) }):
			return &Refused{Rule: Blocked, Host: h}
		case !p.private && !p.allows(h, kind):
			return &Refused{Rule: PrivateNetwork, Host: h, Kind: kind}
		}
	}
	return nil
}

// allows reports whether connections to the host h at an address of this kind are allowed, if
// private addresses are not allowed in general.
func (p *Policy) allows(h hosts.Host, kind hosts.Kind) bool {
	return kind == hosts.Public || kind == hosts.Benchmark && p.benchmark || kind == hosts.UniqueLocal && p.uniqueLocal ||
		p.exempt.Has(h) && mayBeExempt(h, kind)
}

// mayBeExempt reports whether a list of hosts can make an exception for an address of this kind. A
// user who lists a server of their own network expects its name to lead only there. But DNS could
// later give the name the address of this machine, or the address where a cloud serves credentials.
func mayBeExempt(h hosts.Host, kind hosts.Kind) bool {
	switch kind {
	case hosts.Unspecified, hosts.LinkLocal, hosts.Metadata:
		return false
	case hosts.Loopback:
		addr, literal := h.Addr()
		return h.IsLocalhost() || literal && hosts.KindOf(addr) == hosts.Loopback
	}
	return true
}

// isInternal reports whether a name is used only within a machine or a network.
func isInternal(h hosts.Host) bool {
	return h.IsLocalhost() || strings.HasSuffix(h.String(), ".local") || strings.HasSuffix(h.String(), ".internal")
}

// kindOfName returns the kind of addresses that an internal name stands for.
func kindOfName(h hosts.Host) hosts.Kind {
	switch {
	case h.IsLocalhost():
		return hosts.Loopback
	case h.String() == "metadata.google.internal":
		return hosts.Metadata
	}
	return hosts.Private
}
