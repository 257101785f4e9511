package config

import (
	"os"
	"path/filepath"
	"testing"
)

// If the new certificate cannot be written, the old one still has its key.
func TestCertificateKeepsItsKey(t *testing.T) {
	s := State{Dir: t.TempDir()}
	files := s.CertificateFiles()
	if made, err := s.WriteCertificate([]byte("cert 1"), []byte("key 1"), false); err != nil || !made {
		t.Fatalf("made %v, %v", made, err)
	}
	if err := os.Remove(files.Cert); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(files.Cert, "folder"), 0o700); err != nil { // no file can replace it
		t.Fatal(err)
	}
	if made, err := s.WriteCertificate([]byte("cert 2"), []byte("key 2"), true); err == nil || made {
		t.Errorf("made %v, %v", made, err)
	}
	if key, err := os.ReadFile(files.Key); string(key) != "key 1" {
		t.Errorf("the key is %q, %v", key, err)
	}
}
