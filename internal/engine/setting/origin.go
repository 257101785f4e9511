package setting

import (
	"chela/internal/base/sitedata"
	"chela/internal/engine/urls"
)

// An Origin is a scheme and a host, such as https://example.com, with the port unless that is the
// scheme's default. An Origin may also be AnyOrigin or FirstOrigin.
type Origin string

// AnyOrigin stands for all http and https origins.
const AnyOrigin Origin = "*"

// FirstOrigin stands for the origin that a call navigates to next. Settings for FirstOrigin have no
// effect before that; then [Common.BindFirst] makes them settings for the origin.
const FirstOrigin Origin = "first"

// covers reports whether an address belongs to the origin.
func (o Origin) covers(address string) bool {
	of := sitedata.OriginOf(address)
	return of != "" && (o == AnyOrigin || string(o) == of)
}

// patterns returns the patterns of requests to the origin.
func (o Origin) patterns() requestPatterns {
	switch o {
	case FirstOrigin:
		return nil
	case AnyOrigin:
		return requestPatterns{{URLPattern: "http*"}}
	}
	return requestPatterns{{URLPattern: urls.Escape(string(o)) + "/*"}}
}
