package secret

import (
	"fmt"
	"net/netip"
	"net/url"
	"strings"

	"chela/internal/base/hosts"
	"chela/internal/base/weburl"
)

// A Place is where a secret may be entered: an origin such as https://github.com, or all hosts below
// one, such as https://*.example.com. Scheme and port must be the same. It is in the form that
// [ParsePlace] returns.
type Place string

// ParsePlace reads an origin. A host alone means https, and the address of a page means its origin.
// An origin with http must be on this machine: on a network, others could read what is entered.
func ParsePlace(text string) (Place, error) {
	if !strings.Contains(text, "://") {
		text = "https://" + text
	}
	s, ok := weburl.ServerOf(text)
	if !ok || s.User != "" || s.Scheme != "http" && s.Scheme != "https" {
		return "", fmt.Errorf("%q is no origin: it must be like https://github.com or https://*.example.com", text)
	}
	base, below := strings.CutPrefix(s.Hostname, "*.")
	_, literal := s.Host.Addr()
	switch {
	case !s.Host.MayExist() || !literal && !hosts.IsPlain(strings.ReplaceAll(base, "*", "")):
		return "", fmt.Errorf("%q is no origin: its host has no valid name", text)
	case strings.Contains(base, "*") || below && !strings.Contains(base, "."):
		return "", fmt.Errorf("%q is no origin: * may only stand for the first part of a name with two parts or more behind it, as in https://*.example.com", text)
	case s.Scheme == "http" && !isLoopback(s.Hostname):
		return "", fmt.Errorf("%s has no encryption: a secret is for https, or for this machine", text)
	}
	return Place(s.Origin()), nil
}

// Host returns the host of the place, without port. For https://*.example.com it is example.com.
func (p Place) Host() string {
	u, err := url.Parse(strings.Replace(string(p), "://*.", "://", 1))
	if err != nil {
		return ""
	}
	return u.Hostname()
}

// Covers reports whether an origin, as Chromium writes it, is in the place.
func (p Place) Covers(origin string) bool {
	scheme, host, ok := strings.Cut(string(p), "://")
	if !ok {
		return false
	}
	base, below := strings.CutPrefix(host, "*.")
	if !below {
		return string(p) == origin
	}
	rest, ok := strings.CutPrefix(origin, scheme+"://")
	return ok && strings.HasSuffix(rest, "."+base) && !strings.Contains(rest, "/")
}

// isLoopback reports whether a host is this machine.
func isLoopback(host string) bool {
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	addr, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return err == nil && addr.IsLoopback()
}
