// Package guard decides which addresses callers may open.
//
// [CheckURL] is called before anything is sent to the browser. It sees only the
// addresses that callers name, and not those that pages connect to by links,
// redirects and requests.
package guard

import (
	"fmt"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
)

// Blank is the only address without a host that callers may open.
const Blank = "about:blank"

// A BlockedURL is the error for an address that is not a URL, or that callers must
// not open. Its message says why.
type BlockedURL struct{ Message string }

func (b *BlockedURL) Error() string { return b.Message }

func blocked(format string, args ...any) error {
	return &BlockedURL{fmt.Sprintf(format, args...)}
}

// CheckURL returns the address as a browser parses it. The error is a [*BlockedURL]
// unless it is about:blank, or an http or https URL without a user name and password.
//
// It parses by the WHATWG URL standard, and as Chromium does where that differs: if it
// took another part of the text for the host than Chromium does, a caller could get
// past rules about hosts.
func CheckURL(raw string) (string, error) {
	text := trim(raw)
	if text == "" {
		return "", blocked("url is required")
	}
	scheme, rest, ok := cutScheme(text)
	switch {
	case !ok:
		return "", invalid(raw)
	case scheme == "about" && "about:"+rest == Blank:
		return Blank, nil
	case scheme != "http" && scheme != "https":
		return "", blocked("Navigation blocked: unsupported protocol %q", scheme+":")
	}
	rest = strings.TrimLeft(rest, `/\`)
	end := strings.IndexAny(rest+"/", `/\?#`)
	authority, tail := rest[:end], rest[end:]
	host := authority
	if at := strings.LastIndexByte(authority, '@'); at >= 0 {
		if strings.Trim(authority[:at], ":") != "" {
			return "", blocked("Navigation blocked: URL-embedded credentials are not supported for page navigation. " +
				"Log in on the site instead: the profile keeps its logins.")
		}
		host = authority[at+1:]
	}
	name, port := cutPort(host)
	if !validPort(port) || !validHost(name) {
		return "", invalid(raw)
	}
	return scheme + "://" + host + tail, nil
}

func invalid(raw string) error {
	if strings.Contains(raw, "@") {
		return blocked("Invalid URL: [redacted credential-bearing URL]")
	}
	return blocked("Invalid URL: %s", raw)
}

// trim removes what browsers remove from an address: control characters and spaces
// around it, tabs and line ends anywhere.
func trim(raw string) string {
	raw = strings.TrimFunc(raw, func(r rune) bool { return r <= ' ' })
	return strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(raw)
}

// cutScheme returns the scheme of an address, in lower case, and what follows the colon.
func cutScheme(text string) (scheme, rest string, ok bool) {
	scheme, rest, ok = strings.Cut(text, ":")
	scheme = strings.ToLower(scheme)
	if !ok || scheme == "" || scheme[0] < 'a' || scheme[0] > 'z' {
		return "", "", false
	}
	return scheme, rest, strings.Trim(scheme, "abcdefghijklmnopqrstuvwxyz0123456789+-.") == ""
}

// cutPort separates a host from its port, which may be missing.
func cutPort(host string) (name, port string) {
	colon := strings.LastIndexByte(host, ':')
	if colon < 0 || strings.HasSuffix(host, "]") {
		return host, ""
	}
	return host[:colon], host[colon+1:]
}

func validPort(port string) bool {
	if strings.Trim(port, "0123456789") != "" {
		return false
	}
	n, err := strconv.ParseUint(port, 10, 16)
	return port == "" || err == nil && n <= 65535
}

// validHost reports whether Chromium accepts name as a host. All names with characters
// outside ASCII are accepted here: their rules are long, Chromium applies them, and
// no such name is an IP address.
func validHost(name string) bool {
	if inner, ok := strings.CutPrefix(name, "["); ok {
		addr, err := netip.ParseAddr(strings.TrimSuffix(inner, "]"))
		return strings.HasSuffix(inner, "]") && err == nil && addr.Is6() && addr.Zone() == ""
	}
	name, err := url.PathUnescape(name)
	if err != nil || name == "" || strings.ContainsFunc(name, forbiddenInHost) {
		return false
	}
	if labels := strings.Split(strings.TrimSuffix(name, "."), "."); isNumber(labels[len(labels)-1]) {
		return isIPv4(labels)
	}
	return true
}

func forbiddenInHost(r rune) bool {
	return r < ' ' || r == 0x7f || strings.ContainsRune(`#/:<>?@[\]^|%`, r)
}

// isNumber reports whether a host whose last label this is has to be an IPv4 address.
func isNumber(label string) bool {
	if label != "" && strings.Trim(label, "0123456789") == "" {
		return true
	}
	hex, ok := strings.CutPrefix(strings.ToLower(label), "0x")
	return ok && strings.Trim(hex, "0123456789abcdef") == ""
}

// isIPv4 reports whether the labels are an IPv4 address in one of the forms that
// browsers accept: one to four numbers in base 8, 10 or 16, the last of which gives
// all remaining bytes (127.1 is 127.0.0.1).
func isIPv4(labels []string) bool {
	for i, label := range labels {
		limit := uint64(1) << 8
		if i == len(labels)-1 {
			limit = 1 << (8 * (5 - len(labels)))
		}
		if n, ok := parseNumber(label); !ok || len(labels) > 4 || n >= limit {
			return false
		}
	}
	return true
}

// parseNumber parses a number in base 16 (0x1f), 8 (037) or 10.
func parseNumber(label string) (uint64, bool) {
	label = strings.ToLower(label)
	base := 10
	if hex, ok := strings.CutPrefix(label, "0x"); ok {
		label, base = "0"+hex, 16
	} else if len(label) > 1 && label[0] == '0' {
		base = 8
	}
	n, err := strconv.ParseUint(label, base, 64)
	return n, err == nil
}
