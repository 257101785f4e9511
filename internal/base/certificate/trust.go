package certificate

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
)

// Trusting is how a server proves that it is the one at a host: by a certificate for its name that the
// system trusts, or by the certificate with a fingerprint that the user has from that machine, if there is one. That
// replaces all other checks, as nobody else has the key of that certificate. With the host "" it is the one of the
// address that an HTTP client calls. A server with another certificate than that with the fingerprint is a [*PinError].
func Trusting(host string, pin Fingerprint) *tls.Config {
	c := &tls.Config{ServerName: host, NextProtos: []string{"http/1.1"}}
	if pin.IsZero() {
		return c
	}
	c.InsecureSkipVerify = true
	c.VerifyConnection = func(s tls.ConnectionState) error {
		if has := Of(s.PeerCertificates[0]); has != pin {
			return &PinError{has, pin}
		}
		return nil
	}
	return c
}

// A PinError means that a server has another certificate than the pinned one.
type PinError struct{ Has, Pinned Fingerprint }

func (e *PinError) Error() string {
	return fmt.Sprintf("its certificate has the fingerprint %s, and the pinned one is %s", e.Has, e.Pinned)
}

// Refused reports whether an error is that the system does not trust the certificate of a server. Leaf is what the
// server has sent; nil if it cannot be read.
func Refused(err error) (leaf *x509.Certificate, ok bool) {
	failed, ok := errors.AsType[*tls.CertificateVerificationError](err)
	if ok && len(failed.UnverifiedCertificates) > 0 {
		leaf = failed.UnverifiedCertificates[0]
	}
	return leaf, ok
}
