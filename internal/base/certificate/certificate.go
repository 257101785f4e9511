// Package certificate has the TLS certificates of a server that other machines call: it
// reads them, makes them, and names them by their fingerprints.
package certificate

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"sync"
	"time"
)

// A FileError says what is wrong with the file of a certificate or of its key.
type FileError struct {
	File    string
	IsKey   bool // File is the file of the key, not of the certificate
	Problem string
	Fix     string // what a person can do about the problem
}

func (e *FileError) Error() string { return e.File + " " + e.Problem }

// Hint returns what a person can do about the error.
func (e *FileError) Hint() string { return e.Fix }

// Files are the files of a certificate and its key, in PEM. [Files.Get] reads them again if they
// have changed, as programs that renew certificates only write files.
type Files struct {
	cert, key string

	mu              sync.Mutex // guards the rest
	certPEM, keyPEM []byte     // contents of the files when they were last read
	current         *tls.Certificate
}

// Open reads a certificate and its key. The error is a [*FileError] if one of the files cannot be
// read, or if other users can read the key. It is also a [*FileError] if the two do not belong
// together, or if the certificate is not valid now. A server must not start then, because nobody could
// call it.
func Open(cert, key string) (*Files, error) {
	f := &Files{cert: cert, key: key}
	certPEM, keyPEM, err := f.read()
	if err != nil {
		return nil, err
	}
	if f.current, err = f.parsePair(certPEM, keyPEM); err != nil {
		return nil, err
	}
	f.certPEM, f.keyPEM = certPEM, keyPEM
	return f, f.checkTime(f.current.Leaf, time.Now())
}

// Leaf returns the certificate in force.
func (f *Files) Leaf() *x509.Certificate {
	f.refresh()
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.current.Leaf
}

// Get returns the current certificate. It is meant for the field GetCertificate of a [tls.Config].
func (f *Files) Get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	f.refresh()
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.current, nil
}

// refresh reads the files again, and uses their contents if they have changed. While the files are
// being written, the certificate may not fit the key. So an error is logged, once for each content,
// and the certificate in force stays. The contents are compared, and not the times, as a file that
// is written twice can keep its time and size. Reading takes a small part of the time of a
// handshake.
func (f *Files) refresh() {
	certPEM, keyPEM, err := f.read()
	if err != nil {
		return // a file is missing while it is replaced; the certificate in force stays
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if bytes.Equal(certPEM, f.certPEM) && bytes.Equal(keyPEM, f.keyPEM) {
		return
	}
	f.certPEM, f.keyPEM = certPEM, keyPEM
	next, err := f.parsePair(certPEM, keyPEM)
	if err == nil {
		err = f.checkTime(next.Leaf, time.Now())
	}
	if err != nil {
		slog.Warn("the certificate has changed, and the one before stays in force", "error", err)
		return
	}
	f.current = next
	slog.Info("the certificate has changed", "file", f.cert, "fingerprint", Of(next.Leaf).String(), "until", next.Leaf.NotAfter)
}

// maxFile bounds how much of a file is read, in bytes. A chain of certificates is smaller than
// that.
const maxFile = 1 << 20

// read returns the content of the files. Errors are [*FileError]s.
func (f *Files) read() (certPEM, keyPEM []byte, err error) {
	if certPEM, err = readFile(f.cert, false); err != nil {
		return nil, nil, err
	}
	keyPEM, err = readFile(f.key, true)
	return certPEM, keyPEM, err
}

func readFile(name string, isKey bool) ([]byte, error) {
	wrong := func(problem, fix string) ([]byte, error) { return nil, &FileError{name, isKey, problem, fix} }
	file, err := os.Open(name)
	if err != nil {
		return wrong("cannot be read: "+reason(err), "name a file that this user can read; chela cert make makes a certificate")
	}
	defer file.Close()
	info, err := file.Stat()
	switch {
	case err != nil:
		return wrong("cannot be read: "+reason(err), "")
	case !info.Mode().IsRegular():
		return wrong("is no file", "name the file itself")
	case isKey && !isPrivate(info):
		return wrong(fmt.Sprintf("can be read by other users (mode %04o)", info.Mode().Perm()), "chmod 600 "+name+", and a new key if somebody may have read it")
	}
	content, err := io.ReadAll(io.LimitReader(file, maxFile))
	if err != nil {
		return wrong("cannot be read: "+reason(err), "")
	}
	return content, nil
}

// reason returns an error of the file system without its path, since the caller writes the path
// before it.
func reason(err error) string {
	text := err.Error()
	if i := strings.LastIndex(text, ": "); i >= 0 {
		return text[i+2:]
	}
	return text
}

// parsePair returns the certificate and its key. Errors are [*FileError]s that say which file is
// wrong; the errors of [tls.X509KeyPair] do not say that.
func (f *Files) parsePair(certPEM, keyPEM []byte) (*tls.Certificate, error) {
	leaf, err := f.leaf(certPEM)
	if err != nil {
		return nil, err
	}
	if err := f.checkKey(keyPEM); err != nil {
		return nil, err
	}
	pair, err := tls.X509KeyPair(certPEM, keyPEM)
	if err != nil {
		if strings.Contains(err.Error(), "does not match") {
			return nil, &FileError{f.key, true, "is not the key of " + f.cert, "name the two files of one certificate; in that of the certificate, its own comes first"}
		}
		return nil, &FileError{f.key, true, "cannot be used: " + strings.TrimPrefix(err.Error(), "tls: "), "a key in PEM that is not encrypted"}
	}
	pair.Leaf = leaf
	return &pair, nil
}

// leaf returns the first certificate of a file.
func (f *Files) leaf(certPEM []byte) (*x509.Certificate, error) {
	wrong := func(problem string) (*x509.Certificate, error) {
		return nil, &FileError{f.cert, false, problem, "a certificate in PEM, which begins with -----BEGIN CERTIFICATE-----"}
	}
	for block, rest := pem.Decode(certPEM); block != nil; block, rest = pem.Decode(rest) {
		if block.Type != "CERTIFICATE" {
			continue
		}
		leaf, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return wrong("cannot be used: " + strings.TrimPrefix(err.Error(), "x509: "))
		}
		return leaf, nil
	}
	if bytes.Contains(certPEM, []byte("PRIVATE KEY-----")) {
		return wrong("has a key in it and no certificate")
	}
	return wrong("has no certificate in it")
}

// checkKey returns what is wrong with a file of a key, as far as that can be seen without the
// certificate.
func (f *Files) checkKey(keyPEM []byte) error {
	wrong := func(problem, fix string) error { return &FileError{f.key, true, problem, fix} }
	for block, rest := pem.Decode(keyPEM); block != nil; block, rest = pem.Decode(rest) {
		switch {
		case block.Type == "ENCRYPTED PRIVATE KEY" || strings.Contains(block.Headers["Proc-Type"], "ENCRYPTED"):
			return wrong("is encrypted, and nobody is asked for its password", "openssl pkey -in "+f.key+" -out a new file")
		case strings.HasSuffix(block.Type, "PRIVATE KEY"):
			return nil
		}
	}
	if bytes.Contains(keyPEM, []byte("BEGIN CERTIFICATE")) {
		return wrong("has a certificate in it and no key", "name the file of its key")
	}
	return wrong("has no key in it", "a key in PEM, which begins with -----BEGIN PRIVATE KEY-----")
}

// checkTime returns a [*FileError] if a certificate is not valid at a time.
func (f *Files) checkTime(leaf *x509.Certificate, now time.Time) error {
	const day = "2006-01-02 15:04 MST"
	switch {
	case now.After(leaf.NotAfter):
		return &FileError{f.cert, false, "has expired, on " + leaf.NotAfter.Format(day), "renew it; chela cert make --replace does so for one that chela has made"}
	case now.Before(leaf.NotBefore):
		return &FileError{f.cert, false, "is not valid before " + leaf.NotBefore.Format(day), "is the clock of this machine right?"}
	}
	return nil
}
