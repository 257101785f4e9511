package sitedata

import (
	"strings"

	"chela/internal/base/weburl"
)

// OriginOf returns the origin of an http or https address, as it is written in location.origin. It
// consists of the scheme, the host, and the port unless that is the scheme's default. It is "" for
// any other address.
func OriginOf(address string) string {
	s, ok := siteOf(address)
	if !ok {
		return ""
	}
	return s.Origin()
}

// siteOf reads an http or https address. If it is another one, ok is false.
func siteOf(address string) (s weburl.Server, ok bool) {
	s, ok = weburl.ServerOf(address)
	return s, ok && strings.HasPrefix(s.Scheme, "http") && s.Host.MayExist()
}
