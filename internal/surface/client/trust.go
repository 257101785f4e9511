package client

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"

	"chela/internal/base/certificate"
)

// A handshakeError means that the server at the other end is not trusted: its certificate is wrong, or
// another user runs it. No request was sent to it.
type handshakeError struct{ err error }

func (e *handshakeError) Error() string { return e.err.Error() }
func (e *handshakeError) Unwrap() error { return e.err }

// hint says what to do about the error.
func (e *handshakeError) hint() string {
	if _, ok := errors.AsType[*certificate.PinError](e); ok {
		return "if its server has a new certificate, pin what chela cert prints on that machine; else another program answers there"
	}
	if unknown, ok := errors.AsType[x509.UnknownAuthorityError](e); ok && unknown.Cert != nil {
		return fmt.Sprintf("if it is self-signed, pin its fingerprint: --fingerprint or $CHELA_FINGERPRINT; here it is %s, which chela cert must print on that machine, too",
			certificate.Of(unknown.Cert))
	}
	if wrong, ok := errors.AsType[x509.HostnameError](e); ok {
		return fmt.Sprintf("call it by a name that its certificate is for, or pin its fingerprint: --fingerprint or $CHELA_FINGERPRINT; here it is %s, "+
			"which chela cert must print on that machine, too", certificate.Of(wrong.Certificate))
	}
	if _, ok := errors.AsType[tls.RecordHeaderError](e); ok {
		return "what answers there does not speak TLS: chela does so only at the address of gateway.bind"
	}
	return "is the URL right, and does chela serve run there?"
}
