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
// fails. If the certificate cannot be written, the old key is put back. A server that reads the files
// in between keeps its old certificate, see [certificate.Files].
func (s State) WriteCertificate(cert, key []byte, replace bool) (made bool, err error) {
	files := s.CertificateFiles()
	err = s.whileEditing(func() error {
		if _, err := os.Lstat(files.Cert); !errors.Is(err, fs.ErrNotExist) && !replace {
			return err
		}
		oldKey, noOldKey := ReadFile(files.Key)
		if err := ReplaceFile(files.Key, key, PastPowerLoss); err != nil {
			return err
		}
		err := ReplaceFile(files.Cert, cert, PastPowerLoss)
		if err != nil && noOldKey == nil {
			return errors.Join(err, ReplaceFile(files.Key, oldKey, PastPowerLoss))
		}
		made = err == nil
		return err
	})
	return made, err
}

// SetTLS sets gateway.tls in the configuration file. It returns the errors of [Set].
func SetTLS(flags Flags, files TLS) (*Config, error) {
	return set(flags, "gateway.tls", map[string]any{"cert": files.Cert, "key": files.Key})
}
