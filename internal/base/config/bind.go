package config

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"chela/internal/base/hosts"
)

// loopbackBinds are values of gateway.bind with which the server listens on loopback only.
var loopbackBinds = []string{"", "auto", "loopback", "localhost", "127.0.0.1", "::1"}

// outsideBinds are values of gateway.bind in OpenClaw's configuration that mean addresses for other
// machines. In OpenClaw they concern its gateway only: its browser server always listens on
// loopback. So if chela reads OpenClaw's file, these values also mean loopback.
var outsideBinds = []string{"lan", "tailnet", "custom"}

// bindsOutside reports whether other machines shall reach the server.
func (g Gateway) bindsOutside() bool {
	return !slices.Contains(loopbackBinds, g.Bind) && !slices.Contains(outsideBinds, g.Bind)
}

// checkBind is a part of [Config.check]. It checks the keys that say which machines can reach the
// server. It does not look at this machine's addresses: see [Config.Outside].
func (c *Config) checkBind() *keyError {
	for i, host := range c.Gateway.Hosts {
		if e := checkHost(fmt.Sprintf("gateway.hosts[%d]", i), host); e != nil {
			return e
		}
	}
	g := c.Gateway
	switch {
	case slices.Contains(outsideBinds, g.Bind) && c.isOpenClaws():
		return nil
	case g.Bind == "tailnet" || g.Bind == "custom":
		return wrongf("gateway.bind", "is %q: name the address or the interface itself, such as 192.168.1.20, eth0 or tailscale0", g.Bind)
	case isWildcard(g.Bind):
		return wrongf("gateway.bind", "is %q, which is all networks of this machine, also those that it joins later: whoever reaches it and has the token "+
			"can use your browsers and their logins; name one address or one interface", g.Bind)
	case !g.bindsOutside():
		return nil
	case g.TLS.Cert == "" || g.TLS.Key == "":
		missing := "gateway.tls.cert"
		if g.TLS.Cert != "" {
			missing = "gateway.tls.key"
		}
		return wrongf("gateway.bind", "is %q, and %s is not set: other machines call by https only; chela cert make makes a certificate and sets both", g.Bind, missing)
	case g.Auth.Mode == "none":
		return wrongf("gateway.auth.mode", "is none, and by gateway.bind other machines reach the server: want token or password")
	}
	if _, err := netip.ParseAddrPort(g.Bind); err == nil {
		return wrongf("gateway.bind", "is %q: want an address without a port, which is two above gateway.port", g.Bind)
	}
	return nil
}

// isOpenClaws reports whether the file is OpenClaw's configuration file. Keys in it may be meant
// for OpenClaw only. The path may be a link to that file, or be named by OpenClaw's variable.
func (c *Config) isOpenClaws() bool {
	real, _ := realPath(c.File)
	named, err := AbsPath(openClawEnv("CHELA_CONFIG_PATH"))
	return filepath.Base(c.File) == openClawFile || filepath.Base(real) == openClawFile || err == nil && named == c.File
}

// isWildcard reports whether a value of gateway.bind stands for all addresses.
func isWildcard(bind string) bool {
	if addr, err := netip.ParseAddr(strings.Trim(bind, "[]")); err == nil {
		addr = addr.Unmap()
		return addr.IsUnspecified() || addr.IsMulticast()
	}
	if at, err := netip.ParseAddrPort(bind); err == nil {
		return at.Addr().IsUnspecified()
	}
	return slices.Contains([]string{"*", "+", "0", "any", "all", "public", "lan"}, strings.ToLower(bind))
}

// checkHost returns what is wrong with an entry of gateway.hosts.
func checkHost(key, entry string) *keyError {
	wrong := wrongf(key, "is %q: want a name without scheme and path, such as browsers.example.com, or browsers.example.com:443", entry)
	name, port := splitHost(entry)
	if _, ok := hosts.Parse(name); !ok || strings.ContainsAny(name, "*/@?# ") {
		return wrong
	}
	if _, err := parsePort(key, cmp.Or(port, "1"), 65535); err != nil {
		return wrong
	}
	return nil
}

// splitHost separates an entry of gateway.hosts into its host, without brackets, and its port,
// which may be "".
func splitHost(entry string) (host, port string) {
	if host, port, err := net.SplitHostPort(entry); err == nil {
		return host, port
	}
	return strings.Trim(entry, "[]"), ""
}

// HostNames lists the values of the header Host that gateway.hosts accepts for a server that
// listens on a port. For port 443 it also lists the name without a port, because clients leave out
// the standard port of https.
func (g Gateway) HostNames(port int) (names []string) {
	for _, entry := range g.Hosts {
		host, other := splitHost(strings.ToLower(entry))
		other = cmp.Or(other, strconv.Itoa(port))
		names = append(names, net.JoinHostPort(host, other))
		if other == "443" {
			names = append(names, strings.TrimSuffix(net.JoinHostPort(host, ""), ":"))
		}
	}
	return names
}

// Names lists the hosts of gateway.hosts, without ports.
func (g Gateway) Names() (names []string) {
	for _, entry := range g.Hosts {
		if host, _ := splitHost(strings.ToLower(entry)); !slices.Contains(names, host) {
			names = append(names, host)
		}
	}
	return names
}

// Outside says where other machines reach the server.
type Outside struct{ Addrs []netip.Addr }

// Outside returns where other machines reach the server; nil if they do not. The error is a
// [*FileError] if this machine does not have the address or interface of gateway.bind.
func (c *Config) Outside() (*Outside, error) {
	if !c.Gateway.bindsOutside() {
		return nil, nil
	}
	addrs, err := addressesOf(c.Gateway.Bind)
	if err != nil {
		return nil, c.keyFileError(wrongf("gateway.bind", "is %q: %v", c.Gateway.Bind, err))
	}
	return &Outside{addrs}, nil
}

// URLs returns the addresses by which other machines call the server. Names that the user has set
// for it come first.
func (c *Config) URLs(at *Outside) (urls []string) {
	if at == nil {
		return nil
	}
	names := c.Gateway.HostNames(c.Port)
	for _, addr := range at.Addrs {
		g := Gateway{Hosts: []string{addr.String()}}
		names = append(names, g.HostNames(c.Port)...)
	}
	for _, name := range names {
		if !strings.HasSuffix(name, ":443") { // the list also has this name without the default port
			urls = append(urls, "https://"+name)
		}
	}
	return urls
}

// CertificateFiles returns the paths of the files of gateway.tls.
func (c *Config) CertificateFiles() TLS {
	return TLS{Cert: c.fileOf(c.Gateway.TLS.Cert), Key: c.fileOf(c.Gateway.TLS.Key)}
}

// fileOf returns the path of a file that the configuration names. A relative path begins at the
// folder of the configuration file.
func (c *Config) fileOf(name string) string {
	name = fromHome(name)
	if name == "" || filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(filepath.Dir(c.File), name)
}

// addressesOf returns the addresses that a value of gateway.bind stands for. The value is an
// address, or the name of an interface.
func addressesOf(bind string) ([]netip.Addr, error) {
	all, err := Interfaces()
	if err != nil {
		return nil, err
	}
	if addr, err := netip.ParseAddr(strings.Trim(bind, "[]")); err == nil {
		if addr.IsLoopback() || slices.ContainsFunc(all, func(i Interface) bool { return slices.Contains(i.Addrs, addr.WithZone("")) }) {
			return []netip.Addr{addr}, nil
		}
		return nil, errors.New("this machine does not have that address; " + interfaceList(all))
	}
	i := slices.IndexFunc(all, func(i Interface) bool { return i.Name == bind })
	if i < 0 {
		return nil, errors.New("no address, and this machine has no interface of that name that has one and is up; " + interfaceList(all))
	}
	return all[i].Addrs, nil
}

// An Interface is a network interface of this machine that is up and has addresses that others
// reach.
type Interface struct {
	Name  string
	Addrs []netip.Addr
}

// Interfaces lists the network interfaces of this machine that other machines can reach.
func Interfaces() (all []Interface, err error) {
	system, err := net.Interfaces()
	if err != nil {
		return nil, err
	}
	for _, each := range system {
		if each.Flags&net.FlagUp == 0 || each.Flags&net.FlagLoopback != 0 {
			continue
		}
		addrs, err := each.Addrs()
		if err != nil {
			return nil, err
		}
		i := Interface{Name: each.Name}
		for _, addr := range addrs {
			prefix, err := netip.ParsePrefix(addr.String())
			// A link-local address can be called only with a zone, the name of the caller's own
			// interface.
			if own := prefix.Addr().Unmap(); err == nil && !own.IsLinkLocalUnicast() {
				i.Addrs = append(i.Addrs, own)
			}
		}
		if i.Addrs != nil {
			all = append(all, i)
		}
	}
	return all, nil
}

// interfaceList names the interfaces and their addresses, for error messages.
func interfaceList(all []Interface) string {
	if len(all) == 0 {
		return "it has none that others reach"
	}
	var each []string
	for _, i := range all {
		var addrs []string
		for _, addr := range i.Addrs {
			addrs = append(addrs, addr.String())
		}
		each = append(each, i.Name+" ("+strings.Join(addrs, ", ")+")")
	}
	return "it has " + strings.Join(each, ", ")
}

// localPort returns the port of a URL on this machine; 0 for any other URL.
func localPort(address string) int {
	u, err := url.Parse(address)
	if err != nil || !hosts.IsLoopback(u.Hostname()) {
		return 0
	}
	port, _ := strconv.Atoi(u.Port())
	return port
}
