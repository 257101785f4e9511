package fetch

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"syscall"

	"chela/internal/base/certificate"
	"chela/internal/wall/guard"
	"chela/internal/wall/proxy"
)

var errRedirects = errors.New("too many redirects")

// An Error says why a document could not be fetched.
type Error struct {
	URL  string // URL of the request that failed: the first one, or one after a redirect
	Err  error
	Both bool // https and http were tried, and both failed
}

func (e *Error) Error() string { return e.Text() + " at " + e.URL + ": " + e.Err.Error() }

func (e *Error) Unwrap() error { return e.Err }

// Chromium's names of errors.
const (
	notTLS          = "net::ERR_SSL_PROTOCOL_ERROR"
	refused         = "net::ERR_CONNECTION_REFUSED"
	manyRedirects   = "net::ERR_TOO_MANY_REDIRECTS"
	empty           = "net::ERR_EMPTY_RESPONSE"
	noHTTP          = "net::ERR_INVALID_HTTP_RESPONSE"
	badURL          = "net::ERR_INVALID_URL"
	badCertificate  = "net::ERR_CERT_INVALID"
	expired         = "net::ERR_CERT_DATE_INVALID"
	otherHost       = "net::ERR_CERT_COMMON_NAME_INVALID"
	badAuthority    = "net::ERR_CERT_AUTHORITY_INVALID"
	remoteAlertName = "remote error" // [net.OpError] uses this operation for an alert of TLS
)

// Text returns Chromium's name of the failure. So a failure has the same name, whether chela
// fetched the document or a browser opened it.
func (e *Error) Text() string {
	if _, bad := e.Certificate(); bad {
		return certificateText(e.Err)
	}
	_, noURL := errors.AsType[*url.Error](e.Err)
	switch {
	case noURL:
		return badURL
	case errors.Is(e.Err, errRedirects):
		return manyRedirects
	case isTLS(e.Err):
		return notTLS
	case isNetwork(e.Err):
		return proxy.NetError(e.Err)
	case errors.Is(e.Err, io.EOF), errors.Is(e.Err, io.ErrUnexpectedEOF):
		return empty
	}
	return noHTTP
}

// Certificate returns the certificate that the server has sent, or nil if it cannot be read. If the
// fetch failed for another reason than the certificate, ok is false.
func (e *Error) Certificate() (leaf *x509.Certificate, ok bool) {
	return certificate.Refused(e.Err)
}

// certificateText returns Chromium's name of an error in a certificate.
func certificateText(err error) string {
	_, authority := errors.AsType[x509.UnknownAuthorityError](err)
	_, host := errors.AsType[x509.HostnameError](err)
	invalid, other := errors.AsType[x509.CertificateInvalidError](err)
	switch {
	case authority:
		return badAuthority
	case host:
		return otherHost
	case other && invalid.Reason == x509.Expired:
		return expired
	}
	return badCertificate
}

// isTLS reports whether an error is about TLS: the server speaks no TLS, or no version of TLS that
// chela also speaks.
func isTLS(err error) bool {
	_, record := errors.AsType[tls.RecordHeaderError](err)
	op, alert := errors.AsType[*net.OpError](err)
	return record || alert && op.Op == remoteAlertName || errors.Is(err, http.ErrSchemeMismatch)
}

// isNetwork reports whether the connection itself failed, and not what was sent through it.
func isNetwork(err error) bool {
	_, forbidden := errors.AsType[*guard.Refused](err)
	_, upstream := errors.AsType[*proxy.UpstreamError](err)
	_, system := errors.AsType[syscall.Errno](err)
	network, ok := errors.AsType[net.Error](err)
	_, dns := errors.AsType[*net.DNSError](err)
	return forbidden || errors.Is(err, proxy.ErrUnsafePort) || upstream || system || dns || ok && network.Timeout()
}

// refusedTLS reports whether no server offers https at an address, by the same rule as for a tab.
// If a server answers in another way, or too late, the document must not be fetched over http
// instead.
func (e *Error) refusedTLS(address string) bool {
	u, err := url.Parse(address)
	return err == nil && e.URL == address && (e.Text() == refused || e.Text() == notTLS && u.Port() != "")
}
