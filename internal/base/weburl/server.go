package weburl

import (
	"strconv"
	"strings"

	"chela/internal/base/hosts"
)

// A Server is what a URL says of the server that a browser connects to for it.
type Server struct {
	Scheme   string // http, https, ws or wss
	User     string // user name and password, as they are written
	Hostname string // the host as it stands in location.hostname
	Host     hosts.Host
	Port     uint16
	Path     string // the path as it is written, but with slashes for backslashes
}

// ServerOf reads a URL by the WHATWG URL standard and, where Chromium differs from that, as Chromium
// does. If the browser connects to nothing for the URL, ok is false.
func ServerOf(raw string) (s Server, ok bool) {
	scheme, rest, ok := CutScheme(Trim(raw))
	if _, network := standardPorts[scheme]; !ok || !network {
		return Server{}, false
	}
	user, host, tail := CutAuthority(rest)
	name, written := CutPort(host)
	path := tail[:strings.IndexAny(tail+"?", "?#")]
	s = Server{Scheme: scheme, User: user, Path: strings.ReplaceAll(path, `\`, "/")}
	if s.Host, s.Hostname, ok = hosts.Canonical(name); !ok {
		return Server{}, false
	}
	if s.Port, ok = parsePort(written, standardPorts[scheme]); !ok {
		return Server{}, false
	}
	return s, true
}

// Origin returns the origin of the URL, as it is written in location.origin.
func (s Server) Origin() string {
	origin := s.Scheme + "://" + s.Hostname
	if s.Port != standardPorts[s.Scheme] {
		origin += ":" + strconv.Itoa(int(s.Port))
	}
	return origin
}

// standardPorts are the ports of the schemes for which browsers connect to a host.
var standardPorts = map[string]uint16{"http": 80, "ws": 80, "https": 443, "wss": 443}

// Trim removes what browsers remove from an address: control characters and spaces
// around it, tabs and line ends anywhere.
func Trim(raw string) string {
	raw = strings.TrimFunc(raw, func(r rune) bool { return r <= ' ' })
	return withoutLineEnds.Replace(raw)
}

var withoutLineEnds = strings.NewReplacer("\t", "", "\n", "", "\r", "")

// CutScheme returns the scheme of an address, in lower case, and what follows the colon.
func CutScheme(text string) (scheme, rest string, ok bool) {
	scheme, rest, ok = strings.Cut(text, ":")
	scheme = strings.ToLower(scheme)
	if !ok || scheme == "" || scheme[0] < 'a' || scheme[0] > 'z' {
		return "", "", false
	}
	return scheme, rest, strings.Trim(scheme, "abcdefghijklmnopqrstuvwxyz0123456789+-.") == ""
}

// CutAuthority divides the part of an address after its scheme. It returns the user name and
// password, the host with its port, and everything after these.
func CutAuthority(rest string) (user, host, tail string) {
	rest = strings.TrimLeft(rest, `/\`)
	end := strings.IndexAny(rest+"/", `/\?#`)
	at := strings.LastIndexByte(rest[:end], '@')
	return rest[:max(0, at)], rest[at+1 : end], rest[end:]
}

// CutPort separates a host from its port, which may be missing.
func CutPort(host string) (name, port string) {
	colon := strings.LastIndexByte(host, ':')
	if colon < 0 || strings.HasSuffix(host, "]") {
		return host, ""
	}
	return host[:colon], host[colon+1:]
}

// IsPort reports whether the port in an address is valid. It may be missing.
func IsPort(port string) bool {
	_, ok := parsePort(port, 0)
	return ok
}

// parsePort reads the port in an address, which may be missing.
func parsePort(port string, missing uint16) (uint16, bool) {
	if port == "" {
		return missing, true
	}
	if strings.Trim(port, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.ParseUint(port, 10, 16)
	return uint16(n), err == nil
}
