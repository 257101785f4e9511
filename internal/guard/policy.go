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

// An EntryError says that an entry of a list is not a host.
type EntryError struct {
	Key   string // of the list
	Index int    // of the entry
	Entry string
}

func (e *EntryError) Error() string {
	return fmt.Sprintf("%s[%d] %s", e.Key, e.Index, e.Problem())
}

// Problem is the error without the place of the entry.
func (e *EntryError) Problem() string {
	return fmt.Sprintf("is %q: want a name without scheme and port, *.name for all below it, or an IP address", e.Entry)
}

// Policy returns the policy of the rules. The error is an [*EntryError]. There is no policy
// then: without an entry that blocks it would allow too much.
func (r Rules) Policy() (*Policy, error) {
	private := cmp.Or(r.DangerouslyAllowPrivateNetwork, r.AllowPrivateNetwork)
	p := &Policy{benchmark: r.AllowRFC2544, uniqueLocal: r.AllowIPv6ULA}
	if private != nil {
		p.private, p.strict = *private, !*private
	}
	for _, list := range []struct {
		key     string
		entries []string
		parsed  *patterns
	}{
		{allowedKey, r.AllowedHostnames, &p.exempt},
		{allowlistKey, r.HostnameAllowlist, &p.only},
		{blockedKey, r.BlockedHostnames, &p.never},
	} {
		var err error
		if *list.parsed, err = parsePatterns(list.key, list.entries); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// Ignored lists the entries of lists that mean no host, see [isIgnored], with their keys.
func (r Rules) Ignored() (all []EntryError) {
	for key, list := range map[string][]string{allowedKey: r.AllowedHostnames, allowlistKey: r.HostnameAllowlist, blockedKey: r.BlockedHostnames} {
		for i, entry := range list {
			if isIgnored(entry) {
				all = append(all, EntryError{key, i, entry})
			}
		}
	}
	slices.SortFunc(all, func(a, b EntryError) int { return cmp.Or(strings.Compare(a.Key, b.Key), a.Index-b.Index) })
	return all
}

// sessionKey is the field of a call that narrows the policy.
const sessionKey = "allowHosts"

// ErrNoHosts says that a session was given a list that has no hosts.
var ErrNoHosts = errors.New(sessionKey + " has no host")

// Narrow returns a policy that allows what p does, and of that only the hosts given.
// Errors are an [*EntryError] and [ErrNoHosts].
func (p *Policy) Narrow(hosts []string) (*Policy, error) {
	only, err := parsePatterns(sessionKey, hosts)
	if err == nil && only.empty() {
		err = ErrNoHosts
	}
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

// AllowsAll reports whether there is no host that may not be opened.
func (p *Policy) AllowsAll() bool {
	return p.private && p.never.empty() && p.only.empty() && p.session == nil
}

// IsStrict reports whether the configuration has asked for the strict policy by name.
func (p *Policy) IsStrict() bool { return p.strict }

// CheckRouted returns why nothing may be opened in a browser whose connections are passed
// on to another proxy, which resolves names and connects to what it likes, or nil. Setting
// is where the proxy is named. One that is named for chela is only against a policy that
// is strict by name.
func (p *Policy) CheckRouted(setting ProxySetting) *Refused {
	if p.private || setting == ProxyKey && !p.strict {
		return nil
	}
	return &Refused{Rule: Routed, Proxy: setting}
}

// CheckUnenforced returns why nothing may be opened in a browser that chela has not started, or nil: a
// policy that is strict by name is more than can be held there.
func (p *Policy) CheckUnenforced() *Refused {
	if p.strict {
		return &Refused{Rule: Unenforced}
	}
	return nil
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
		return &Refused{Rule: PrivateNetwork, Host: h, Kind: kindOfName(h)}
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

// kindOfName is what the addresses of an internal name are for.
func kindOfName(h Host) Kind {
	switch {
	case h.IsLocalhost():
		return Loopback
	case h.name == "metadata.google.internal":
		return Metadata
	}
	return Private
}

// patterns are hosts, and names of which all those below are meant.
type patterns struct {
	exact map[Host]bool
	below []string // with a dot in front
}

// parsePatterns reads a list of the configuration. *.example.com means all names below
// example.com, but not itself. A bare * is ignored, see isIgnored: a list that means all
// hosts is rather an error than a wish. The error is an [*EntryError].
func parsePatterns(key string, list []string) (p patterns, err error) {
	p.exact = map[Host]bool{}
	for i, entry := range list {
		if isIgnored(entry) {
			continue
		}
		name, wild := strings.CutPrefix(strings.TrimSpace(entry), "*.")
		h, ok := ParseHost(name)
		switch _, literal := h.Addr(); {
		case !ok, strings.Contains(name, "*"), wild && literal:
			return p, &EntryError{key, i, entry}
		case wild:
			p.below = append(p.below, "."+h.name)
		default:
			p.exact[h] = true
		}
	}
	return p, nil
}

// isIgnored reports whether an entry means no host, and no mistake.
func isIgnored(entry string) bool {
	return slices.Contains([]string{"", "*", "*."}, strings.TrimSpace(entry))
}

func (p patterns) empty() bool { return len(p.exact) == 0 && len(p.below) == 0 }

func (p patterns) match(h Host) bool {
	return p.exact[h] || slices.ContainsFunc(p.below, func(suffix string) bool { return strings.HasSuffix(h.name, suffix) })
}
