package page

import (
	"context"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"net/url"
	"strings"

	"github.com/chromedp/cdproto/runtime"

	"chela/internal/engine/cdp"
)

// A CertificateError is the part of a [LoadError] that is about the server's certificate. Chromium
// names one fault, the worst, but a certificate may have several.
type CertificateError struct {
	Host string            // the host in the address
	Leaf *x509.Certificate // the certificate that the server sent; nil if it cannot be read
}

// ofCertificate reports whether a navigation failed because of a certificate.
func (e *LoadError) ofCertificate() bool {
	return strings.HasPrefix(e.Text, "net::ERR_CERT") || e.Text == "net::ERR_SSL_PINNED_KEY_NOT_IN_CERT_CHAIN"
}

// addCertificate adds the certificate to an error. It reads the certificate from the text of
// Chromium's error page, where users can copy it. No command of the protocol returns it.
func (p *Page) addCertificate(ctx context.Context, e *LoadError) {
	e.Certificate = &CertificateError{}
	if p.awaitDocument(ctx, e.loader) != nil {
		return
	}
	p.mu.Lock()
	u, err := url.Parse(p.main().Unreachable)
	p.mu.Unlock()
	if err != nil {
		return
	}
	res, err := cdp.Call(ctx, p.session, runtime.Evaluate, runtime.EvaluateParams{Expression: "loadTimeDataRaw.pem"})
	var text string
	if err != nil || res.Result == nil || json.Unmarshal(res.Result.Value, &text) != nil {
		return
	}
	if leaf, _ := pem.Decode([]byte(text)); leaf != nil {
		e.Certificate.Host = u.Hostname()
		e.Certificate.Leaf, _ = x509.ParseCertificate(leaf.Bytes)
	}
}
