package guard

import (
	"cmp"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"
)

// Rules are the settings of a network policy: browser.ssrfPolicy of the configuration.
// A switch that is absent is not the same as one that is false.
type Rules struct {
	DangerouslyAllowPrivateNetwork *bool // private addresses may be opened; false: names only if they are listed
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
// A connection needs both of its answers: [Policy.CheckHost] before the name is
// resolved, and [Policy.CheckAddrs] for what it was resolved to. The connection must be
// made to one of these addresses, and not to the name: it may have others a moment later.
type Policy struct {
	private bool // all addresses are allowed
	strict  bool // names only if they are listed

	exempt  patterns // these names may have private addresses; a wildcard only lists its names
	only    patterns // no other hosts, but those of exempt
	never   patterns
	session *patterns // nil: all that the rest allows
	always  Host      // its zero value: none

	benchmark, uniqueLocal bool
}

// Policy returns the policy of the rules. Errors name the key and the entry that is not a
// host. There is no policy then: without an entry that blocks it would allow too much.
func (r Rules) Policy() (*Policy, error) {
	private := cmp.Or(r.DangerouslyAllowPrivateNetwork, r.AllowPrivateNetwork)
	p := &Policy{benchmark: r.AllowRFC2544, uniqueLocal: r.AllowIPv6ULA}
	if private != nil {
		p.private, p.strict = *private, !*private
	}
	var errs [3]error
	p.exempt, errs[0] = parsePatterns(allowedKey, r.AllowedHostnames)
	p.only, errs[1] = parsePatterns(allowlistKey, r.HostnameAllowlist)
	p.never, errs[2] = parsePatterns(blockedKey, r.BlockedHostnames)
	if err := errors.Join(errs[:]...); err != nil {
		return nil, err
	}
	return p, nil
}

// Narrow returns a policy that allows what p does, and of that only the hosts given.
// Errors are those of [Rules.Policy].
func (p *Policy) Narrow(hosts []string) (*Policy, error) {
	only, err := parsePatterns("the hosts of a session", hosts)
	if err != nil {
		return nil, err
	}
	narrow := *p
	narrow.session = &only
	return &narrow, nil
}

// Except returns a policy that allows what p does, and one host whatever its addresses are.
// It is for a browser that has to open a page of chela itself, and no other.
func (p *Policy) Except(h Host) *Policy {
	wider := *p
	wider.always = h
	return &wider
}

func (p *Policy) allowsAlways(h Host) bool { return h == p.always && h != Host{} }

// AllowsPrivate reports whether all addresses may be opened, as far as names do not
// forbid it.
func (p *Policy) AllowsPrivate() bool { return p.private }

// IsStrict reports whether the configuration has asked for the strict policy by name.
func (p *Policy) IsStrict() bool { return p.strict }

// CheckRouted returns why nothing may be opened in a browser that has a proxy other than
// ours, which resolves names and connects to what it likes, or nil.
func (p *Policy) CheckRouted() *Refused {
	if p.private {
		return nil
	}
	return &Refused{Rule: Routed}
}

// CheckHost returns why no connection to a host may be made, whatever its addresses
// are, or nil. Of a host that is an address it is the whole answer.
func (p *Policy) CheckHost(h Host) *Refused {
	_, literal := h.Addr()
	switch {
	case p.allowsAlways(h):
		return nil
	case p.strict && !literal && !p.exempt.match(h) && !p.only.match(h):
		return &Refused{Rule: Unlisted, Host: h}
	case p.never.match(h):
		return &Refused{Rule: Blocked, Host: h}
	case !p.only.empty() && !p.only.match(h) && !p.exempt.match(h):
		return &Refused{Rule: NotAllowed, Host: h}
	case p.session != nil && !p.session.match(h):
		return &Refused{Rule: NotInSession, Host: h}
	case literal:
		return p.CheckAddrs(h, []netip.Addr{h.addr})
	case !p.private && !p.exempt.exact[h] && isInternal(h):
		return &Refused{Rule: PrivateNetwork, Host: h, Kind: Private}
	}
	return nil
}

// CheckAddrs returns why no connection may be made to a host that has these addresses, or
// nil. One that is not allowed is enough: with a name that has a public and a private
// address, which one is connected to is a matter of chance, or of who controls the name.
func (p *Policy) CheckAddrs(h Host, addrs []netip.Addr) *Refused {
	for _, addr := range addrs {
		addr = addr.Unmap().WithZone("")
		kind := KindOf(addr)
		switch {
		case p.allowsAlways(h):
		case p.never.exact[Host{addr: addr}]:
			return &Refused{Rule: Blocked, Host: h}
		case !p.private && !p.allows(h, kind):
			return &Refused{Rule: PrivateNetwork, Host: h, Kind: kind}
		}
	}
	return nil
}

// allows reports whether an address of this kind may be connected to as that of h, where
// private addresses are not allowed in general.
func (p *Policy) allows(h Host, kind Kind) bool {
	return kind == Public || kind == Benchmark && p.benchmark || kind == UniqueLocal && p.uniqueLocal ||
		p.exempt.exact[h] && mayBeExempt(h, kind)
}

// mayBeExempt reports whether a list of hosts can make an exception for an address of
// this kind. Who lists the name of a server in the own network does not expect it to
// lead to this machine, or to the credentials of the cloud, if its DNS says so one day.
func mayBeExempt(h Host, kind Kind) bool {
	switch kind {
	case Unspecified, LinkLocal, Metadata:
		return false
	case Loopback:
		return h.IsLocalhost() || KindOf(h.addr) == Loopback
	}
	return true
}

// isInternal reports whether a name is used only within a machine or a network.
func isInternal(h Host) bool {
	return h.IsLocalhost() || strings.HasSuffix(h.name, ".local") || strings.HasSuffix(h.name, ".internal")
}

// patterns are hosts, and names of which all those below are meant.
type patterns struct {
	exact map[Host]bool
	below []string // with a dot in front
}

// parsePatterns reads a list of the configuration. *.example.com means all names below
// example.com, but not itself. A bare * is ignored: a list that means all hosts is
// rather an error than a wish.
func parsePatterns(key string, list []string) (p patterns, err error) {
	p.exact = map[Host]bool{}
	for _, entry := range list {
		text := strings.TrimSpace(entry)
		name, wild := strings.CutPrefix(text, "*.")
		if text == "" || text == "*" || name == "" {
			continue
		}
		h, ok := ParseHost(name)
		switch _, literal := h.Addr(); {
		case !ok, strings.Contains(name, "*"), wild && literal:
			return p, fmt.Errorf("%s: %q is not a host: give a name without scheme and port, *.name, or an IP address", key, entry)
		case wild:
			p.below = append(p.below, "."+h.name)
		default:
			p.exact[h] = true
		}
	}
	return p, nil
}

func (p patterns) empty() bool { return len(p.exact) == 0 && len(p.below) == 0 }

func (p patterns) match(h Host) bool {
	return p.exact[h] || slices.ContainsFunc(p.below, func(suffix string) bool { return strings.HasSuffix(h.name, suffix) })
}
