package page

import (
	"net/url"
	"strings"
)

// An Origin is a scheme and a host, with a port unless it is that of the scheme, such
// as https://example.com; or AnyOrigin.
type Origin string

// AnyOrigin stands for all origins of http and https.
const AnyOrigin Origin = "*"

// OriginOf returns the origin of an address of http or https.
func OriginOf(address string) (o Origin, ok bool) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return "", false
	}
	address, _, _ = strings.Cut(withoutFragment(u.Scheme+"://"+u.Host), "?")
	return Origin(strings.TrimSuffix(address, "/")), true
}

// covers reports whether an address is of the origin.
func (o Origin) covers(address string) bool {
	of, ok := OriginOf(address)
	return ok && (o == AnyOrigin || o == of)
}

// pattern is the pattern of the Fetch domain for the requests to the origin.
func (o Origin) pattern() string {
	if o == AnyOrigin {
		return "http*"
	}
	return escapeWide(string(o)) + "/*"
}
