package call

import (
	"strings"
	"testing"

	"chela/internal/engine/page"
	"chela/internal/op"
)

// about returns an error about a certificate that cannot be read, or nil if certificate is false.
func about(certificate bool) *page.CertificateError {
	if !certificate {
		return nil
	}
	return &page.CertificateError{Host: "example.com"}
}

func TestNotLoaded(t *testing.T) {
	const setting = "ignoreHTTPSErrors"
	for _, s := range []struct{ text, message, hint string }{
		{"net::ERR_CERT_DATE_INVALID", "the certificate is bad: it has expired", setting},
		{"net::ERR_CERT_COMMON_NAME_INVALID", "for another host", setting},
		{"net::ERR_CERT_AUTHORITY_INVALID", "self-signed, or its authority is unknown", setting},
		{"net::ERR_CERT_REVOKED", "revoked", setting},
		{"net::ERR_CERT_OF_A_NEW_KIND", "the certificate is bad", setting},
		{"net::ERR_CERTIFICATE_TRANSPARENCY_REQUIRED", "no public log", setting},
		{"net::ERR_SSL_PROTOCOL_ERROR", "", "http://"},
		{"net::ERR_CONNECTION_REFUSED", "", "nothing listens there"},
		{"net::ERR_CONNECTION_RESET", "", "check the address"},
	} {
		e := op.AsError(Explain(&page.LoadError{URL: "https://example.com/", Text: s.text, Certificate: about(s.hint == setting)}))
		begins := "navigation failed: " + s.text + " at https://example.com/"
		if message := string(e.Message); e.Code != op.PageFailed || !strings.HasPrefix(message, begins) || !strings.Contains(message, s.message) {
			t.Errorf("%s: got %s %q", s.text, e.Code, message)
		}
		if !strings.Contains(e.Hint, s.hint) || strings.Contains(e.Hint, setting) != (s.hint == setting) {
			t.Errorf("%s: the hint is %q", s.text, e.Hint)
		}
	}
	both := op.AsError(Explain(&page.LoadError{URL: "http://a.test/", Text: "net::ERR_CONNECTION_REFUSED", Both: true}))
	if want := "navigation failed: net::ERR_CONNECTION_REFUSED at http://a.test/ (and https was refused)"; string(both.Message) != want {
		t.Errorf("got %q, want %q", both.Message, want)
	}
	past := op.AsError(Explain(&page.LoadError{URL: "http://a.test/", Text: "net::ERR_NAME_NOT_RESOLVED", PastProxy: true}))
	if !strings.Contains(past.Hint, "does not use chela's proxy") {
		t.Errorf("the hint is %q", past.Hint)
	}
}
