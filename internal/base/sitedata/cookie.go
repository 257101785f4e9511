package sitedata

import (
	"strings"

	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
)

// A Cookie is a cookie as Playwright writes it.
type Cookie struct {
	Name     string  `json:"name"`
	Value    string  `json:"value"`
	Domain   string  `json:"domain"` // begins with a dot if the cookie is also sent to hosts below the domain
	Path     string  `json:"path"`
	Expires  float64 `json:"expires"` // in seconds since 1970; -1 for a session cookie
	HTTPOnly bool    `json:"httpOnly"`
	Secure   bool    `json:"secure"`
	SameSite string  `json:"sameSite"` // Strict, Lax or None

	// PartitionKey and HasCrossSiteAncestor belong to a partitioned cookie (CHIPS). The first is
	// the site of the tab in which the cookie is sent. The second says whether the cookie was set
	// in a frame with another site around it; nil counts as true.
	PartitionKey         string `json:"partitionKey,omitempty"`
	HasCrossSiteAncestor *bool  `json:"_crHasCrossSiteAncestor,omitempty"`
}

// CookieOf converts a cookie of Chromium. A cookie without a SameSite attribute becomes one with
// Lax: Chromium treats it so, and Playwright has no value for a missing attribute.
func CookieOf(c *network.Cookie) Cookie {
	cookie := Cookie{
		Name: c.Name, Value: c.Value, Domain: c.Domain, Path: c.Path, Expires: c.Expires,
		HTTPOnly: c.HTTPOnly, Secure: c.Secure, SameSite: string(c.SameSite),
	}
	if c.Session {
		cookie.Expires = -1
	}
	if cookie.SameSite == "" {
		cookie.SameSite = string(network.CookieSameSiteLax)
	}
	if c.PartitionKey != nil {
		cookie.PartitionKey = c.PartitionKey.TopLevelSite
		cookie.HasCrossSiteAncestor = new(c.PartitionKey.HasCrossSiteAncestor)
	}
	return cookie
}

// Param returns the parameters that set the cookie in Chromium.
func (c Cookie) Param() *network.CookieParam {
	p := &network.CookieParam{
		Name: c.Name, Value: c.Value, Path: c.Path, HTTPOnly: c.HTTPOnly, Secure: c.Secure, SameSite: network.CookieSameSite(c.SameSite),
	}
	if c.Expires > 0 {
		p.Expires = protocol.TimeSinceEpoch(c.Expires)
	}
	if c.PartitionKey != "" {
		p.PartitionKey = &network.CookiePartitionKey{TopLevelSite: c.PartitionKey, HasCrossSiteAncestor: c.HasCrossSiteAncestor == nil || *c.HasCrossSiteAncestor}
	}
	SetDomain(p, c.Domain)
	return p
}

// SetDomain says in p which hosts get the cookie. A cookie of a single host (without a dot before its
// domain) is set by a URL. With a domain, Chromium would also send it to the hosts below that domain.
//
// A secure cookie is set with an https URL and a secure source, as Chromium refuses it otherwise. A
// script on http://localhost may set a secure cookie, whose source Chromium then reports as insecure.
// It sends both kinds to the same addresses.
func SetDomain(p *network.CookieParam, domain string) {
	scheme := "http://"
	if p.Secure {
		scheme, p.SourceScheme = "https://", network.CookieSourceSchemeSecure
	}
	if strings.HasPrefix(domain, ".") {
		p.Domain = domain
	} else {
		p.URL = scheme + domain + "/"
	}
}

// At fills in what a cookie lacks, from an address that it is to be sent to. These are the host,
// the folder of the path, and whether the cookie is only sent over https. If the parameter secure
// is not nil, it decides about https. It returns false for an address that is neither http nor
// https.
func (c *Cookie) At(address string, secure *bool) bool {
	s, ok := siteOf(address)
	if !ok {
		return false
	}
	if c.Domain == "" {
		c.Domain = s.Hostname
	}
	if c.Path == "" {
		c.Path = s.Path[:strings.LastIndex(s.Path, "/")+1]
	}
	if c.Path == "" {
		c.Path = "/"
	}
	c.Secure = s.Scheme == "https"
	if secure != nil {
		c.Secure = *secure
	}
	return true
}
