package sitedata

import (
	"errors"
	"fmt"
	"net/url"
	"strings"

	"golang.org/x/net/publicsuffix"
)

// CheckDomain returns why browsers would refuse the cookie's domain (RFC 6265bis, section 5.7). It
// has to be a host, and no public suffix such as com: all sites below that would get the cookie. If
// the cookie is for an address, the domain is its host or one above it.
//
// A public suffix of a company, such as github.io, may have cookies for itself.
func (c Cookie) CheckDomain(address string) error {
	domain, below := strings.CutPrefix(c.Domain, ".")
	if !isHost(domain) {
		return errors.New("must be a host, such as example.com")
	}
	suffix, official := publicsuffix.PublicSuffix(domain)
	listed := official || strings.Contains(suffix, ".")
	if suffix == domain && listed && (official || below) {
		return fmt.Errorf("must not be %s, which is a public suffix", domain)
	}
	if address == "" {
		return nil
	}
	if s, _ := siteOf(address); s.Hostname != domain && !strings.HasSuffix(s.Hostname, "."+domain) {
		return fmt.Errorf("must be %s, the host of the url, or a host above it", s.Hostname)
	}
	return nil
}

// isHost reports whether a text is a host in the form that URLs have: a URL with this host means
// just that host.
func isHost(host string) bool {
	u, err := url.Parse("http://" + host + "/")
	return err == nil && host != "" && u.Host == host && u.Port() == "" && !strings.ContainsAny(host, " %")
}
