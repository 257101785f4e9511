package certificate

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// made writes a certificate for a host, made at a time, and returns the names of its files.
func made(t *testing.T, host string, at time.Time) (cert, key string) {
	t.Helper()
	certPEM, keyPEM, err := Make([]string{host}, at)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	cert, key = filepath.Join(dir, "tls.crt"), filepath.Join(dir, "tls.key")
	write(t, cert, certPEM)
	write(t, key, keyPEM)
	return cert, key
}

func write(t *testing.T, file string, content []byte) {
	t.Helper()
	if err := os.WriteFile(file, content, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestMake(t *testing.T) {
	certPEM, keyPEM, err := Make([]string{"browsers.test", "192.0.2.2", "fd00::2"}, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	pair, err := tls.X509KeyPair(certPEM, keyPEM)
	if err != nil {
		t.Fatal(err)
	}
	leaf, err := x509.ParseCertificate(pair.Certificate[0])
	if err != nil {
		t.Fatal(err)
	}
	if got := Hosts(leaf); !slices.Equal(got, []string{"browsers.test", "192.0.2.2", "fd00::2"}) {
		t.Errorf("it is for %q", got)
	}
	roots := x509.NewCertPool()
	roots.AddCert(leaf)
	if _, err := leaf.Verify(x509.VerifyOptions{DNSName: "browsers.test", Roots: roots}); err != nil {
		t.Errorf("who trusts it as a root does not accept it: %v", err)
	}
}

func TestFilesThatAreWrong(t *testing.T) {
	cert, key := made(t, "a.test", time.Now())
	other, otherKey := made(t, "b.test", time.Now())
	expired, expiredKey := made(t, "a.test", time.Now().Add(-life-time.Hour))
	early, earlyKey := made(t, "a.test", time.Now().Add(2*time.Hour))
	dir := t.TempDir()
	readable, text, encrypted := filepath.Join(dir, "readable"), filepath.Join(dir, "text"), filepath.Join(dir, "encrypted")
	content, err := os.ReadFile(key)
	if err != nil {
		t.Fatal(err)
	}
	write(t, readable, content)
	if err := os.Chmod(readable, 0o644); err != nil {
		t.Fatal(err)
	}
	write(t, text, []byte("hello"))
	write(t, encrypted, pem.EncodeToMemory(&pem.Block{Type: "ENCRYPTED PRIVATE KEY", Bytes: []byte("x")}))
	for _, test := range []struct {
		name, cert, key string
		ofKey           bool
		want            string
	}{
		{"no certificate there", filepath.Join(dir, "none"), key, false, "cannot be read: no such file"},
		{"no key there", cert, filepath.Join(dir, "none"), true, "cannot be read: no such file"},
		{"a folder", dir, key, false, "is no file"},
		{"a key for everybody", cert, readable, true, "can be read by other users (mode 0644)"},
		{"another key", cert, otherKey, true, "is not the key of " + cert},
		{"another certificate", other, key, true, "is not the key of " + other},
		{"the key as certificate", key, key, false, "has a key in it and no certificate"},
		{"the certificate as key", cert, cert, true, "has a certificate in it and no key"},
		{"no PEM", text, key, false, "has no certificate in it"},
		{"no PEM as key", cert, text, true, "has no key in it"},
		{"an encrypted key", cert, encrypted, true, "is encrypted"},
		{"expired", expired, expiredKey, false, "has expired, on "},
		{"not yet valid", early, earlyKey, false, "is not valid before "},
	} {
		_, err := Open(test.cert, test.key)
		wrong, ok := err.(*FileError)
		if !ok || wrong.IsKey != test.ofKey || !strings.Contains(err.Error(), test.want) || wrong.Fix == "" {
			t.Errorf("%s: got %v, %+v; want %q", test.name, err, wrong, test.want)
		}
	}
	if files, err := Open(cert, key); err != nil || Hosts(files.Leaf())[0] != "a.test" {
		t.Errorf("a good one: %v", err)
	}
}

// A renewed certificate is in force from the next connection on. The previous certificate stays in
// use while only one of the two files is written, or they cannot be used.
func TestRenewal(t *testing.T) {
	cert, key := made(t, "a.test", time.Now())
	files, err := Open(cert, key)
	if err != nil {
		t.Fatal(err)
	}
	inForce := func() string {
		t.Helper()
		c, err := files.Get(nil)
		if err != nil {
			t.Fatal(err)
		}
		return Hosts(c.Leaf)[0]
	}
	nextCert, nextKey, err := Make([]string{"b.test"}, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		file    string
		content []byte
		want    string
	}{
		{cert, nextCert, "a.test"},
		{key, nextKey, "b.test"},
		{cert, []byte("half"), "b.test"},
		{cert, nextCert, "b.test"},
	} {
		write(t, step.file, step.content)
		if got := inForce(); got != step.want {
			t.Errorf("after %s: got %s, want %s", step.file, got, step.want)
		}
	}
	os.Remove(key)
	if got := inForce(); got != "b.test" {
		t.Errorf("without the key's file: got %s", got)
	}
}

func TestParseFingerprint(t *testing.T) {
	const digits = "54C5A50EF2FDF463748496FE61499F56A6CA5791C6C0B39D63092F1F8BEE98E3"
	f, err := ParseFingerprint(digits)
	if err != nil {
		t.Fatal(err)
	}
	colons := strings.TrimPrefix(f.String(), algorithm)
	for _, text := range []string{f.String(), strings.ToLower(digits), colons, " sha256:" + digits + "\n", "sha256 Fingerprint=" + colons, "SHA-256:" + digits} {
		if got, err := ParseFingerprint(text); err != nil || got != f {
			t.Errorf("%q: got %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "sha256:", digits[1:], digits + "00", "sha1:" + digits, strings.Repeat("g", 64)} {
		if _, err := ParseFingerprint(text); err == nil {
			t.Errorf("%q is accepted", text)
		}
	}
}
