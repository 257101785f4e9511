package doctor

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"chela/internal/base/certificate"
	"chela/internal/base/config"
)

// The doctor warns of a certificate before it expires, and reports a fault afterwards.
func TestOutsideChecks(t *testing.T) {
	const bind = `{"gateway": {"bind": "127.0.0.1.5", "hosts": ["browsers.test:443"], "tls": {"cert": "tls.crt", "key": "tls.key"}}}`
	certPEM, keyPEM, err := certificate.Make([]string{"browsers.test"}, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name, settings string
		in             time.Duration // how long after the certificate was made the doctor looks
		status, want   string
	}{
		{"nothing", "{}", 0, "", ""},
		{"good", strings.Replace(bind, "127.0.0.1.5", "127.0.0.5", 1), 0, "pass", "https://browsers.test, https://127.0.0.5:"},
		{"about to end", strings.Replace(bind, "127.0.0.1.5", "127.0.0.5", 1), (3650 - 10) * 24 * time.Hour, "warn", "good until"},
		{"no such address", bind, 0, "fail", "no interface of that name"},
		{"no certificate", strings.NewReplacer("127.0.0.1.5", "127.0.0.5", "tls.crt", "none").Replace(bind), 0, "fail", "none cannot be read"},
	} {
		dir := t.TempDir()
		for name, content := range map[string][]byte{"chela.json": []byte(test.settings), "tls.crt": certPEM, "tls.key": keyPEM} {
			if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		c, err := config.Load(config.Flags{StateDir: dir, File: filepath.Join(dir, "chela.json")})
		if err != nil {
			t.Fatal(err)
		}
		var h Report
		h.outside(c, time.Now().Add(test.in))
		if test.status == "" && h.Checks == nil {
			continue
		}
		if len(h.Checks) != 1 || h.Checks[0].Status != test.status || !strings.Contains(h.Checks[0].Summary, test.want) || (h.Checks[0].FixHint == "") != (test.status == "pass") {
			t.Errorf("%s: got %+v", test.name, h.Checks)
		}
	}
}
