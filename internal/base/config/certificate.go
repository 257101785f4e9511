package config

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// CertificateFiles returns the paths of a certificate that chela has made.
func (s State) CertificateFiles() TLS {
	return TLS{Cert: filepath.Join(s.Dir, "tls.crt"), Key: filepath.Join(s.Dir, "tls.key")}
}

// WriteCertificate writes a certificate and its key. If the files exist and replace is false, it
// writes nothing, and the result made is false. It writes the key first, and no certificate if that
// fails. A server that reads the files in between keeps its old certificate, see [certificate.Files].
func (s State) WriteCertificate(cert, key []byte, replace bool) (made bool, err error) {
	files := s.CertificateFiles()
	err = s.whileEditing(func() error {
		if _, err := os.Lstat(files.Cert); !errors.Is(err, fs.ErrNotExist) && !replace {
			return err
		}
		if err := ReplaceFile(files.Key, key, PastPowerLoss); err != nil {
			return err
		}
		made = true
		return ReplaceFile(files.Cert, cert, PastPowerLoss)
	})
	return made, err
}

// SetTLS sets gateway.tls in the configuration file. It returns the errors of [Set].
func SetTLS(flags Flags, files TLS) (*Config, error) {
	return set(flags, "gateway.tls", map[string]any{"cert": files.Cert, "key": files.Key})
}
