package setting

import (
	"chela/internal/base/sitedata"
	"chela/internal/engine/urls"
)

// An Origin is a scheme and a host, with a port unless it is that of the scheme, such
// as https://example.com; or AnyOrigin or FirstOrigin.
type Origin string

// AnyOrigin stands for all origins of http and https.
const AnyOrigin Origin = "*"

// FirstOrigin stands for the origin that a call navigates to next. What is set for it holds
// nowhere before, and for that origin from then on: see [Common.BindFirst].
const FirstOrigin Origin = "first"

// covers reports whether an address is of the origin.
func (o Origin) covers(address string) bool {
	of := sitedata.OriginOf(address)
	return of != "" && (o == AnyOrigin || string(o) == of)
}

// pausing are the requests to the origin.
func (o Origin) pausing() pausing {
	switch o {
	case FirstOrigin:
		return nil
	case AnyOrigin:
		return pausing{{URLPattern: "http*"}}
	}
	return pausing{{URLPattern: urls.Escape(string(o)) + "/*"}}
}
