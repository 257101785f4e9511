// Package guard decides which addresses may be opened. It only decides: it opens and
// resolves nothing.
//
// [CheckURL] is for the addresses that callers name, before anything is sent to the
// browser. A [Policy] is for every connection that a browser makes, whatever has caused
// it; package proxy asks it.
package guard

import (
	"fmt"
	"strings"

	"chela/internal/base/hosts"
	"chela/internal/base/weburl"
)

// Blank is the only address without a host that callers may open.
const Blank = "about:blank"

// A BlockedURL is the error for an address that is not a URL, or that callers must not open. Its
// message says why, with the text that OpenClaw has.
type BlockedURL struct {
	Message string
	Fault   Fault
}

func (b *BlockedURL) Error() string { return b.Message }

// A Fault is what is wrong with an address.
type Fault int

const (
	NoURL       Fault = iota
	OtherScheme       // the scheme is neither http nor https
	HasLogin          // the address has a user name or a password
)

func blockedError(fault Fault, format string, args ...any) error {
	return &BlockedURL{fmt.Sprintf(format, args...), fault}
}

// CheckURL returns the address as a browser parses it. The error is a [*BlockedURL] unless the
// address is about:blank, or an http or https URL without a user name and password.
//
// It parses by the WHATWG URL standard and, where Chromium differs from that, as Chromium does. If
// CheckURL and Chromium took different parts of the text for the host, a caller could evade rules
// about hosts.
func CheckURL(raw string) (string, error) {
	text := weburl.Trim(raw)
	if text == "" {
		return "", blockedError(NoURL, "url is required")
	}
	scheme, rest, ok := weburl.CutScheme(text)
	switch {
	case !ok:
		return "", invalid(raw)
	case scheme == "about" && "about:"+rest == Blank:
		return Blank, nil
	case scheme != "http" && scheme != "https":
		return "", blockedError(OtherScheme, "Navigation blocked: unsupported protocol %q", scheme+":")
	}
	user, host, tail := weburl.CutAuthority(rest)
	if strings.Trim(user, ":") != "" {
		return "", blockedError(HasLogin, "Navigation blocked: URL-embedded credentials are not supported for page navigation. "+
			"Set HTTP Basic auth with `chela set credentials <username> <password>` or use an authenticated browser profile.")
	}
	name, port := weburl.CutPort(host)
	if h, ok := hosts.InURL(name); !ok || !weburl.IsPort(port) || !h.MayExist() {
		return "", invalid(raw)
	}
	return scheme + "://" + host + tail, nil
}

// InASCII takes an address that [CheckURL] has returned. It returns the address with the host in
// the form in which browsers send it. Package net/url does not read hosts as browsers do: it
// refuses %6c, and sends 。 as it is.
func InASCII(address string) string {
	scheme, rest, _ := weburl.CutScheme(address)
	_, host, tail := weburl.CutAuthority(rest)
	name, _ := weburl.CutPort(host)
	h, ok := hosts.InURL(name)
	if !ok || hosts.IsASCII(name) && !strings.Contains(name, "%") {
		return address
	}
	return scheme + "://" + h.String() + strings.TrimPrefix(host, name) + tail
}

// IsFile reports whether a URL names a file of this machine.
func IsFile(rawURL string) bool {
	scheme, _, ok := weburl.CutScheme(weburl.Trim(rawURL))
	return ok && scheme == "file"
}

// HostOf returns the host and port that a browser connects to for a URL. The scheme can be http,
// https, ws or wss. If the browser connects to nothing for it, ok is false.
func HostOf(raw string) (h hosts.Host, port uint16, ok bool) {
	s, ok := weburl.ServerOf(raw)
	return s.Host, s.Port, ok
}

func invalid(raw string) error {
	if strings.Contains(raw, "@") {
		return blockedError(NoURL, "Invalid URL: [redacted credential-bearing URL]")
	}
	if len(raw) > maxQuoted {
		raw = strings.ToValidUTF8(raw[:maxQuoted], "") + "…"
	}
	return blockedError(NoURL, "Invalid URL: %s", raw)
}

// maxQuoted is how many bytes of an address a message quotes.
const maxQuoted = 2048
