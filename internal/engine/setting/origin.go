package setting

import (
	"strings"

	"chela/internal/base/sitedata"
	"chela/internal/engine/urls"
)

// An Origin is a scheme and a host, such as https://example.com, with the port unless that is the
// scheme's default. An Origin may also be AnyOrigin, or a FirstOrigin.
type Origin string

// AnyOrigin stands for all http and https origins.
const AnyOrigin Origin = "*"

// first is the FirstOrigin of the session without a key.
const first Origin = "first"

// FirstOrigin stands for the origin that a call of a session navigates to next. Settings for it have
// no effect before that; then [Common.BindFirst] makes them settings for the origin. Sessions share
// their settings, so a FirstOrigin has the key of the session. Otherwise any other session could
// decide which site gets a password. If the session ends before, [Common.DropFirst] removes them.
func FirstOrigin(session string) Origin {
	if session == "" {
		return first
	}
	return first + ":" + Origin(session)
}

// IsFirst reports whether the origin is the FirstOrigin of a session.
func (o Origin) IsFirst() bool { return o == first || strings.HasPrefix(string(o), string(first)+":") }

// covers reports whether an address belongs to the origin.
func (o Origin) covers(address string) bool {
	of := sitedata.OriginOf(address)
	return of != "" && (o == AnyOrigin || string(o) == of)
}

// patterns returns the patterns of requests to the origin.
func (o Origin) patterns() requestPatterns {
	switch {
	case o.IsFirst():
		return nil
	case o == AnyOrigin:
		return requestPatterns{{URLPattern: "http*"}}
	}
	return requestPatterns{{URLPattern: urls.Escape(string(o)) + "/*"}}
}
