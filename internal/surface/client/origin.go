package client

import (
	"net"
	"net/url"
	"strconv"
	"strings"

	"chela/internal/base/hosts"
	"chela/internal/op"
)

// An Origin is the address of a server over TCP: a scheme, a host and a port. The secret is sent to
// exactly this origin, and a redirect to another is not followed.
type Origin struct {
	Scheme string // http or https
	Host   string // a name or an address, without brackets
	Port   int
}

// ParseOrigin reads the URL of a server. The schemes ws and wss stand for http and https, because
// the URLs of OpenClaw's command line have these schemes. A URL with a path, query or fragment is
// refused, because these would have no effect. A URL with a password is refused, because the
// password would be seen in the list of processes. Plain http is allowed only for this machine,
// because anybody in between could read the token and the content of pages. Errors are [*op.Error].
func ParseOrigin(text string) (Origin, error) {
	wrong := func(why string) (Origin, error) {
		return Origin{}, op.Errorf(op.Invalid, "%s", why).Hinted("--server https://example.com, or http://127.0.0.1:18791")
	}
	u, err := url.Parse(strings.TrimSpace(text))
	if err != nil || u.Hostname() == "" {
		return wrong("the server's URL is not a URL with a scheme and a host")
	}
	o := Origin{Scheme: strings.Replace(strings.ToLower(u.Scheme), "ws", "http", 1), Host: strings.ToLower(u.Hostname())}
	switch {
	case o.Scheme != "http" && o.Scheme != "https":
		return wrong("the server's URL must begin with http:// or https://")
	case u.User != nil:
		return Origin{}, op.Errorf(op.Invalid, "the server's URL must not have a password in it").
			Hinted("--token, --password, $CHELA_TOKEN or $CHELA_PASSWORD")
	case strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "":
		return wrong("the server's URL must end after its host and port")
	case o.Scheme == "http" && !o.Loopback():
		return wrong("plain http is only for this machine: a server on " + o.Host + " needs https")
	}
	if o.Port, err = o.port(u.Port()); err != nil {
		return wrong("the server's URL has no valid port")
	}
	return o, nil
}

// port returns the number of a port in a URL, or the default of the scheme if the text is empty.
func (o Origin) port(text string) (int, error) {
	switch {
	case text != "":
		n, err := strconv.ParseUint(text, 10, 16)
		return int(n), err
	case o.Scheme == "https":
		return 443, nil
	}
	return 80, nil
}

// Loopback reports whether the server is on this machine, or at the end of a tunnel that
// begins on it.
func (o Origin) Loopback() bool { return hosts.IsLoopback(o.Host) }

func (o Origin) String() string {
	return o.Scheme + "://" + net.JoinHostPort(o.Host, strconv.Itoa(o.Port))
}

// addresses lists the addresses to dial, in order. The name localhost is not resolved: a resolver
// could lead it to another machine.
func (o Origin) addresses() (all []string) {
	hosts := []string{o.Host}
	if o.Host == "localhost" {
		hosts = []string{"127.0.0.1", "::1"}
	}
	for _, host := range hosts {
		all = append(all, net.JoinHostPort(host, strconv.Itoa(o.Port)))
	}
	return all
}

// A Secret is a token or a password with which a caller authenticates itself; both may be empty.
type Secret struct{ Token, Password string }
