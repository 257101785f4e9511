package certificate

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
)

// Trusting returns the TLS settings with which a client checks that it has reached the right server
// for a host. Without a pin, the server needs a certificate for its name that the system trusts. A
// pin is the fingerprint of the server's certificate, which the user got from the machine of the
// server. A pin replaces all other checks, because nobody else has the key of that certificate. If
// host is "", the name is taken from the address that an HTTP client calls. If the fingerprint
// differs, the error is a [*PinError].
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

// Refused reports whether err says that the system does not trust the certificate of a server. Leaf
// is the certificate that the server has sent, or nil if it cannot be read.
func Refused(err error) (leaf *x509.Certificate, ok bool) {
	failed, ok := errors.AsType[*tls.CertificateVerificationError](err)
	if ok && len(failed.UnverifiedCertificates) > 0 {
		leaf = failed.UnverifiedCertificates[0]
	}
	return leaf, ok
}
