package certificate

import (
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"errors"
	"strings"
)

// A Fingerprint is the SHA-256 hash of a certificate. The zero value means that there is no
// fingerprint.
type Fingerprint [sha256.Size]byte

// Of returns the fingerprint of a certificate.
func Of(c *x509.Certificate) Fingerprint { return sha256.Sum256(c.Raw) }

const algorithm = "sha256:"

// String writes a fingerprint as sha256:, with a colon between bytes, as openssl does.
func (f Fingerprint) String() string {
	var b strings.Builder
	b.WriteString(strings.TrimSuffix(algorithm, ":"))
	for _, c := range f {
		b.WriteByte(':')
		b.WriteString(strings.ToUpper(hex.EncodeToString([]byte{c})))
	}
	return b.String()
}

// IsZero reports whether there is no fingerprint.
func (f Fingerprint) IsZero() bool { return f == Fingerprint{} }

// ParseFingerprint reads a fingerprint in the form that String, openssl and others write. It has 64
// hexadecimal digits, in upper or lower case, with or without colons. The name of the algorithm may
// stand before it.
func ParseFingerprint(text string) (f Fingerprint, err error) {
	digits := strings.ToLower(strings.TrimSpace(text))
	for _, prefix := range []string{"sha256 fingerprint=", "sha-256:", "sha256=", algorithm} {
		digits = strings.TrimPrefix(digits, prefix)
	}
	raw, err := hex.DecodeString(strings.ReplaceAll(digits, ":", ""))
	if err != nil || len(raw) != len(f) {
		return f, errors.New("a fingerprint is SHA-256: 64 hexadecimal digits, with or without colons")
	}
	return Fingerprint(raw), nil
}
