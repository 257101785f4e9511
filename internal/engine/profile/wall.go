package profile

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"path/filepath"
	"reflect"
	"sync"
	"time"

	"chela/internal/base/config"
	"chela/internal/engine/chrome"
	"chela/internal/wall/guard"
	"chela/internal/wall/proxy"
)

// A wall has the rules for network access that all browsers of a server share. These are the
// policy, and the ports of all chela servers of the user, which pages must not reach.
type wall struct {
	config *config.Live
	ports  *proxy.Ports

	mu      sync.Mutex         // guards the rest
	rules   *config.SSRFPolicy // the rules of the configuration that inForce was made from
	inForce *guard.Policy      // the policy made from rules; nil: it is made when it is first needed
}

// newWall returns the wall of a server. The parameter temp is the folder of the user's temporary
// files, in which all chela servers list their ports.
func newWall(c *config.Live, temp string) *wall {
	if temp == "" { // no browser is started
		return &wall{config: c, ports: new(proxy.Ports)}
	}
	return &wall{config: c, ports: proxy.SharePorts(filepath.Join(temp, "ports"))}
}

// policy returns the policy of the configuration. It returns the same pointer until the
// configuration changes. The error names the entry that is wrong. Once there has been a valid
// policy, an invalid one does not replace it.
func (w *wall) policy() (*guard.Policy, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	rules := w.config.Current().Browser.SSRFPolicy // read with the mutex held, so that an older configuration cannot replace a newer one
	if w.inForce != nil && (rules == w.rules || reflect.DeepEqual(rules, w.rules)) {
		return w.inForce, nil
	}
	var r guard.Rules
	by := "browser.ssrfPolicy"
	switch {
	case rules != nil:
		r = guard.Rules(*rules)
	case config.PrivateNetworkByEnv():
		r.AllowPrivateNetwork = new(true)
		by = config.AllowPrivateNetwork
	}
	policy, err := r.Policy()
	if err != nil { // cannot happen with the rules of a configuration file, which were checked when it was read
		return w.inForce, err
	}
	if policy.AllowsPrivate() {
		slog.Warn("pages can reach this machine and its network", "allowed by", by)
	}
	w.rules, w.inForce = rules, policy
	return policy, nil
}

// endpointTime limits how long resolving the name of a browser's endpoint may take.
const endpointTime = 2 * time.Second

// CheckEndpoint returns why the network policy does not allow a connection to the DevTools endpoint
// of a browser, a [*guard.Refused], or nil. An endpoint on this machine is allowed: it is the
// user's own. A name that cannot be resolved is no reason to refuse: its machine may be off.
func (m *Manager) CheckEndpoint(ctx context.Context, rawURL string) error {
	host, _, ok := guard.HostOf(rawURL)
	if !ok || isOnThisMachine(rawURL) {
		return nil
	}
	policy, err := m.wall.policy()
	if err != nil {
		return err
	}
	if refused := policy.CheckHost(host); refused != nil {
		return refused
	}
	ctx, cancel := context.WithTimeout(ctx, endpointTime)
	defer cancel()
	addrs, _ := net.DefaultResolver.LookupNetIP(ctx, "ip", host.String())
	if refused := policy.CheckAddrs(host, addrs); refused != nil {
		return refused
	}
	return nil
}

// open returns the proxy for a browser that is about to be started. Errors come from [wall.options]
// and from [proxy.Start]. It also tidies the list of ports, because tidying it when the server
// starts would delay the first answer.
func (w *wall) open(s Setup) (*proxy.Proxy, error) {
	w.ports.Tidy()
	o, err := w.options(s)
	if err != nil {
		return nil, err
	}
	return proxy.Start(o)
}

// judge returns a [proxy.Proxy] that judges the requests of a browser to which chela only connects.
// Errors come from [wall.options].
func (w *wall) judge(s Setup) (*proxy.Proxy, error) {
	o, err := w.options(s)
	if err != nil {
		return nil, err
	}
	return proxy.NewJudge(o)
}

// options returns the rules for the connections of a browser. Errors come from the policy and from
// [proxy.ParseUpstream].
func (w *wall) options(s Setup) (o proxy.Options, err error) {
	if _, err := w.policy(); err != nil {
		return o, err
	}
	o.Ports = w.ports
	_, o.Names = chrome.LastFlag(s.ExtraArgs, "--host-resolver-rules")
	o.Policy = func() *guard.Policy {
		policy, _ := w.policy()
		return policy
	}
	if s.Proxy != "" {
		if o.Upstream, err = proxy.ParseUpstream(s.Proxy); err != nil {
			return o, fmt.Errorf("profile %s: %w", s.Name, err)
		}
	} else if o.ByFlag = s.namesProxy(); o.ByFlag {
		if script, _ := chrome.LastFlag(s.ExtraArgs, "--proxy-pac-url", "--proxy-auto-detect"); script == "" {
			_, server := chrome.LastFlag(s.ExtraArgs, "--proxy-server")
			o.Upstream, _ = proxy.ParseUpstream(server) // an unreadable URL counts as no upstream proxy
		}
	}
	return o, nil
}

// namesProxy reports whether the user chooses a proxy by a flag for Chromium, see
// [proxy.Options].
func (s Setup) namesProxy() bool {
	name, _ := chrome.LastFlag(s.ExtraArgs, chrome.ProxyFlags...)
	return name != ""
}

// FlagsWithoutEffect lists the flags in the configuration that chela does not pass to the browser.
// With them, connections would go past the policy, or other programs could drive the browser.
func (s Setup) FlagsWithoutEffect() []string {
	if !s.Launched() {
		return nil
	}
	return chrome.WithoutEffect(s.ExtraArgs)
}

// Egress says how far the network policy applies to a profile. It is "enforced" if all connections
// obey it. It is "best-effort" if an upstream proxy decides where they lead. It is also
// "best-effort" if chela does not start the browser, and can only check its requests.
func (s Setup) Egress() string {
	switch {
	case !s.Launched(), s.Proxy != "", s.namesProxy():
		return "best-effort"
	}
	return "enforced"
}

// OwnPort adds a port on which chela listens. No page can connect to it until release is called.
func (m *Manager) OwnPort(port int) (release func()) { return m.wall.ports.Add(uint16(port)) }
