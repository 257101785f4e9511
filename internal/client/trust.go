package client

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"

	"chela/internal/certificate"
)

// trusting is how a server proves that it is the one at a host: by a certificate for its name that the
// system trusts, or by the certificate with a fingerprint that the user has from that machine, if there is one. That
// replaces all other checks, as nobody else has the key of that certificate.
func trusting(host string, pin certificate.Fingerprint) *tls.Config {
	c := &tls.Config{ServerName: host, NextProtos: []string{"http/1.1"}}
	if pin.IsZero() {
		return c
	}
	c.InsecureSkipVerify = true
	c.VerifyConnection = func(s tls.ConnectionState) error {
		if has := certificate.Of(s.PeerCertificates[0]); has != pin {
			return &fingerprintError{has, pin}
		}
		return nil
	}
	return c
}

// A fingerprintError means that a server has another certificate than the pinned one.
type fingerprintError struct{ has, pinned certificate.Fingerprint }

func (e *fingerprintError) Error() string {
	return fmt.Sprintf("its certificate has the fingerprint %s, and the pinned one is %s", e.has, e.pinned)
}

// A handshakeError means that it is not certain whose server it is. Nothing was sent to it.
type handshakeError struct{ err error }

func (e *handshakeError) Error() string { return e.err.Error() }
func (e *handshakeError) Unwrap() error { return e.err }

// hint is what to do about it.
func (e *handshakeError) hint() string {
	if _, ok := errors.AsType[*fingerprintError](e); ok {
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
