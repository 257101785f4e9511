package journal

import (
	"slices"
	"strings"

	"chela/internal/base/lazyregexp"
)

// Secret is shown in place of a secret value.
const Secret = "[secret]"

// WithoutSecrets returns the request in a form that may be shown. [Secret] replaces the values of
// cookies, of Authorization, and of all headers, parameters and fields with the name of a secret.
// That applies to the headers of request and response, the addresses, and the request's body. The
// names of cookies and the scheme of authorization stay, since they help to find a mistake and are
// not secret. All code that shows requests uses this, unless its caller has asked for secrets. The
// body of a response is not a part of a Request, and is shown as it is.
func (r Request) WithoutSecrets() Request {
	r.Headers, r.Response.Headers = r.Headers.withoutSecrets(), r.Response.Headers.withoutSecrets()
	r.URL, r.Body = r.URLWithoutSecrets(), hideFields(r.Body)
	r.Initiator.Location.URL = WithoutURLSecrets(r.Initiator.Location.URL)
	r.Initiator.Stack = slices.Clone(r.Initiator.Stack)
	for i := range r.Initiator.Stack {
		call := &r.Initiator.Stack[i]
		call.Location.URL = WithoutURLSecrets(call.Location.URL)
	}
	return r
}

// URLWithoutSecrets returns the URL that WithoutSecrets would return, and spends no time on headers
// and body. It is for lists of requests.
func (r Request) URLWithoutSecrets() string { return WithoutURLSecrets(r.URL) }

// WithoutURLSecrets returns an address without its password and the values of secret parameters.
func WithoutURLSecrets(address string) string { return hideParams(withoutPassword(address)) }

// TextWithoutSecrets returns a text in which each web address is without its secrets. Errors and
// messages of the browser quote the addresses of requests.
func TextWithoutSecrets(text string) string {
	return address().ReplaceAllStringFunc(text, WithoutURLSecrets)
}

// address finds the addresses in a text, which ends them with a quote or a space.
var address = lazyregexp.New(`\b(https?|wss?)://[^\s'"]+`)

func (h Headers) withoutSecrets() Headers {
	shown := slices.Clone(h)
	for i, each := range shown {
		switch strings.ToLower(each.Name) {
		case "authorization", "proxy-authorization":
			shown[i].Value = hideAuthorization(each.Value)
		case "cookie":
			shown[i].Value = hideCookies(each.Value)
		case "set-cookie":
			shown[i].Value = hideSetCookies(each.Value)
		case "referer", "location", "content-location", "refresh", ":path":
			shown[i].Value = WithoutURLSecrets(each.Value)
		default:
			if each.Value != "" && IsSecretName(each.Name) {
				shown[i].Value = Secret
			}
		}
	}
	return shown
}

// hideAuthorization replaces the value of an Authorization header, but keeps the scheme, such as
// Basic or Bearer.
func hideAuthorization(value string) string {
	scheme, _, ok := strings.Cut(value, " ")
	if !ok {
		return Secret
	}
	return scheme + " " + Secret
}

// hideCookies replaces the values in "a=1; b=2", and keeps the names.
func hideCookies(value string) string {
	pairs := strings.Split(value, ";")
	for i, pair := range pairs {
		pairs[i] = hideValue(strings.TrimSpace(pair))
	}
	return strings.Join(pairs, "; ")
}

// hideSetCookies replaces the value in "a=1; Path=/; HttpOnly", and keeps the name and attributes.
// Chromium joins several Set-Cookie headers by newlines.
func hideSetCookies(value string) string {
	lines := strings.Split(value, "\n")
	for i, line := range lines {
		pair, attributes, more := strings.Cut(line, ";")
		lines[i] = hideValue(pair)
		if more {
			lines[i] += ";" + attributes
		}
	}
	return strings.Join(lines, "\n")
}

// hideValue replaces the value in "name=value". A text without = counts as a value.
func hideValue(pair string) string {
	name, _, ok := strings.Cut(pair, "=")
	if !ok {
		return Secret
	}
	return name + "=" + Secret
}

// withoutPassword replaces the password in an address.
func withoutPassword(address string) string {
	scheme, rest, ok := strings.Cut(address, "://")
	authority := rest[:len(rest)-len(strings.TrimLeftFunc(rest, func(r rune) bool { return !strings.ContainsRune("/?#", r) }))]
	at := strings.LastIndexByte(authority, '@')
	name, _, hasPassword := strings.Cut(authority[:max(at, 0)], ":")
	if !ok || !hasPassword {
		return address
	}
	return scheme + "://" + name + ":" + Secret + rest[at:]
}
