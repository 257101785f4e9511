package page

import "chela/internal/sitedata"

// An Origin is a scheme and a host, with a port unless it is that of the scheme, such
// as https://example.com; or AnyOrigin.
type Origin string

// AnyOrigin stands for all origins of http and https.
const AnyOrigin Origin = "*"

// covers reports whether an address is of the origin.
func (o Origin) covers(address string) bool {
	of := sitedata.OriginOf(address)
	return of != "" && (o == AnyOrigin || string(o) == of)
}

// pattern is the pattern of the Fetch domain for the requests to the origin.
func (o Origin) pattern() string {
	if o == AnyOrigin {
		return "http*"
	}
	return escapeWide(string(o)) + "/*"
}
