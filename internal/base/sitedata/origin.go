package sitedata

import (
	"net/url"
	"strings"
)

// OriginOf returns the origin of an http or https address, as it is written in location.origin. It
// consists of the scheme, the host, and the port unless that is the scheme's default. It is "" for
// any other address.
func OriginOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" {
		return ""
	}
	ports := map[string]string{"http": "80", "https": "443"}
	standard, web := ports[u.Scheme]
	if !web {
		return ""
	}
	origin := u.Scheme + "://" + hostOf(u)
	if port := u.Port(); port != "" && port != standard {
		origin += ":" + port
	}
	return origin
}

// hostOf returns the host in the form that cookies use: in lower case, without the port, an IPv6
// address in brackets.
func hostOf(u *url.URL) string {
	host := strings.ToLower(u.Hostname())
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	return host
}
