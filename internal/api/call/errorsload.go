package call

import (
	"cmp"
	"crypto/x509"
	"maps"
	"slices"
	"strings"
	"time"

	"chela/internal/engine/page"
	"chela/internal/op"
	"chela/internal/wall/guard"
)

// navigationFailed begins the message about a page that could not be loaded.
const navigationFailed = "navigation failed: "

// notLoaded explains why a document could not be loaded. The message has Chromium's name of the
// failure, such as net::ERR_CONNECTION_REFUSED, as people search for that. The hint says it in
// words. If the certificate was refused, the error lists all that is wrong with it, while Chromium
// names one fault. If the address had no scheme, it was tried by https and by http: then the error
// has both failures.
func notLoaded(e *page.LoadError) *op.Error {
	if e.Refused != nil {
		return refused(e.Refused)
	}
	failed := op.Errorf(op.PageFailed, navigationFailed+"%s at %s", e.Text, e.URL).Hinted("%s", loadHint(e.Text))
	switch {
	case e.PastProxy:
		return failed.Hinted("the browser does not use chela's proxy: remove the proxy that an extension, a flag, or a policy of this machine (chrome://policy) sets")
	case e.Both:
		failed.Message += " (and https was refused)"
	case e.Certificate != nil:
		failed.Message += op.PageText(": the certificate is bad: " + strings.Join(faults(e, time.Now()), "; "))
		return failed.Hinted(
			"check the address; to open a site that you trust in spite of its certificate, set ignoreHTTPSErrors for the profile")
	}
	return failed
}

// refused explains why the network policy allows no connection. Clients look at its reason to
// distinguish a forbidden address from an address that fails.
func refused(r *guard.Refused) *op.Error {
	e := op.Errorf(op.Blocked, "%v", r).Hinted("%s", r.Hint())
	e.Reason = "navigation_blocked"
	return e
}

// faults lists what is wrong with a certificate: what Chromium says, and what can be seen in the
// certificate. Chromium reports only the worst of several faults. The certificate itself says when
// it ends and for which hosts it is, which Chromium's error does not.
func faults(e *page.LoadError, now time.Time) []string {
	found := map[string]string{}
	if c := e.Certificate.Leaf; c != nil {
		switch day := "2 January 2006"; {
		case now.After(c.NotAfter):
			found[expired] = "it expired on " + c.NotAfter.Format(day)
		case now.Before(c.NotBefore):
			found[expired] = "it is not valid before " + c.NotBefore.Format(day)
		}
		if c.VerifyHostname(e.Certificate.Host) != nil {
			found[otherHost] = "it is for another host: " + strings.Join(hosts(c), ", ")
		}
	}
	worst := cmp.Or(found[e.Text], certificateFaults[e.Text], "the browser does not accept it")
	delete(found, e.Text)
	return slices.Concat([]string{worst}, slices.Sorted(maps.Values(found)))
}

// maxHosts is how many hosts of a certificate an error names.
const maxHosts = 3

// hosts lists for which hosts a certificate is. The common name of the subject is not among
// them, as browsers ignore it.
func hosts(c *x509.Certificate) (list []string) {
	for _, ip := range c.IPAddresses {
		list = append(list, ip.String())
	}
	list = append(list, c.DNSNames...)
	if len(list) > maxHosts {
		list = append(list[:maxHosts:maxHosts], "…")
	}
	return list
}

// Chromium's names of the two certificate errors about which the certificate itself says more.
const (
	expired   = "net::ERR_CERT_DATE_INVALID"
	otherHost = "net::ERR_CERT_COMMON_NAME_INVALID"
)

// certificateFaults explain Chromium's errors about certificates of servers.
var certificateFaults = map[string]string{
	expired:                                      "it has expired, or is not valid yet",
	otherHost:                                    "it is for another host",
	"net::ERR_CERT_AUTHORITY_INVALID":            "it is self-signed, or its authority is unknown",
	"net::ERR_CERT_REVOKED":                      "it has been revoked",
	"net::ERR_CERT_NO_REVOCATION_MECHANISM":      "it does not say how to find out whether it has been revoked",
	"net::ERR_CERT_UNABLE_TO_CHECK_REVOCATION":   "whether it has been revoked cannot be found out",
	"net::ERR_CERT_INVALID":                      "it cannot be read or does not fit its use",
	"net::ERR_CERT_CONTAINS_ERRORS":              "it contains errors",
	"net::ERR_CERT_WEAK_SIGNATURE_ALGORITHM":     "it is signed with a weak algorithm",
	"net::ERR_CERT_WEAK_KEY":                     "its key is weak",
	"net::ERR_CERT_NON_UNIQUE_NAME":              "it is for a name that is not unique on the internet",
	"net::ERR_CERT_NAME_CONSTRAINT_VIOLATION":    "its authority may not certify this host",
	"net::ERR_CERT_VALIDITY_TOO_LONG":            "it is valid for longer than is allowed",
	"net::ERR_CERTIFICATE_TRANSPARENCY_REQUIRED": "it is in no public log",
	"net::ERR_CERT_KNOWN_INTERCEPTION_BLOCKED":   "it belongs to somebody who is known to intercept connections",
	"net::ERR_CERT_SYMANTEC_LEGACY":              "its authority is not trusted any more",
	"net::ERR_CERT_SELF_SIGNED_LOCAL_NETWORK":    "it is self-signed, by a server of the local network",
	"net::ERR_SSL_PINNED_KEY_NOT_IN_CERT_CHAIN":  "the site has said that it uses another one",
}

// loadHints say what to do about other failures of loading, where the caller can do something. All
// others have one hint in common.
var loadHints = map[string]string{
	"net::ERR_CONNECTION_REFUSED":             "nothing listens there: check the address and the port",
	"net::ERR_NAME_NOT_RESOLVED":              "there is no such host: check the address",
	"net::ERR_INTERNET_DISCONNECTED":          "the browser is offline; run: chela set offline off",
	"net::ERR_ABORTED":                        "the server sent no page: a download, or nothing",
	"net::ERR_CACHE_MISS":                     "the page is the answer to a form, and cannot be shown again without the form: reload with resend sends it again",
	"net::ERR_UNSAFE_REDIRECT":                "the address leads to one that is not opened: only http and https addresses are",
	"net::ERR_UNSAFE_PORT":                    "browsers open no pages at this port: check the port",
	"net::ERR_TOO_MANY_REDIRECTS":             "the server leads from one address to the next too many times: check the address, and whether the site wants a login or a cookie",
	"net::ERR_CONTENT_DECODING_FAILED":        "what the server sent cannot be decompressed: try again, or later",
	"net::ERR_BLOCKED_BY_CLIENT":              "a route of yours may block it: chela routes lists them",
	"net::ERR_FAILED":                         "check the address, and whether a route of yours aborts it: chela routes lists them",
	"net::ERR_PROXY_CONNECTION_FAILED":        "the proxy of the configuration (browser.proxy, or in browser.extraArgs) does not answer: check its address",
	"net::ERR_PROXY_AUTH_REQUESTED":           "the proxy of the configuration (browser.proxy, or in browser.extraArgs) wants a name and password: http://name:password@host:port",
	"net::ERR_TUNNEL_CONNECTION_FAILED":       "the proxy of the configuration (browser.proxy, or in browser.extraArgs) does not reach it: check the address",
	"net::ERR_SSL_PROTOCOL_ERROR":             "what listens there does not speak https: check the port, or give the address with http://",
	"net::ERR_SSL_VERSION_OR_CIPHER_MISMATCH": "the server knows no encryption that browsers still use",
	"net::ERR_SSL_CLIENT_AUTH_CERT_NEEDED":    "the server wants a certificate from the browser, which has none",
	"net::ERR_BAD_SSL_CLIENT_AUTH_CERT":       "the server wants a certificate from the browser, which has none",
}

// loadHint returns the hint for a failed load, by Chromium's name of the failure, such as
// net::ERR_NAME_NOT_RESOLVED.
func loadHint(text string) string {
	return cmp.Or(loadHints[text], "check the address, and that the server is up")
}
