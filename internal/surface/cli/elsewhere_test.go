package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"chela/internal/base/config"
	"chela/internal/surface/client"
)

// Secrets and fingerprints are for the server for which they are set, and for no other.
func TestUsualServer(t *testing.T) {
	const a, b, here = "https://a.test:443", "https://b.test:443", "http://127.0.0.1:18791"
	pin := strings.Repeat("ab", 32)
	for _, test := range []struct {
		name, file string
		env        map[string]string
		flags      []string
		server     string // value of --server; "": the usual server
		secret     string
		pinned     bool
		fail       string
	}{
		{"of the variable", "{}", map[string]string{"CHELA_URL": a, "CHELA_TOKEN": "t", "CHELA_FINGERPRINT": pin}, nil, "", "t", true, ""},
		{"another one", "{}", map[string]string{"CHELA_URL": a, "CHELA_TOKEN": "t", "CHELA_FINGERPRINT": pin}, nil, b, "", false, ""},
		{"this machine beside it", "{}", map[string]string{"CHELA_URL": a, "CHELA_TOKEN": "t"}, nil, here, "", false, ""},
		{"this machine, and none usual", "{}", map[string]string{"CHELA_TOKEN": "t", "CHELA_FINGERPRINT": pin}, nil, here, "t", false, ""},
		{"elsewhere, and none usual", "{}", map[string]string{"CHELA_TOKEN": "t", "CHELA_FINGERPRINT": pin}, nil, b, "", true, ""},
		{"of the configuration", `{"browser": {"controlUrl": "https://a.test", "controlToken": "c", "controlFingerprint": "PIN"}}`, nil, nil, "", "c", true, ""},
		{"its variable before it", `{"browser": {"controlUrl": "https://a.test", "controlToken": "c"}}`, map[string]string{"CHELA_TOKEN": "t"}, nil, "", "t", false, ""},
		{"another than that", `{"browser": {"controlUrl": "https://a.test", "controlToken": "c", "controlFingerprint": "PIN"}}`, map[string]string{"CHELA_TOKEN": "t"}, nil, b, "", false, ""},
		{"the variable before the configuration", `{"browser": {"controlUrl": "https://a.test", "controlToken": "c"}}`, map[string]string{"CHELA_URL": b}, nil, "", "", false, ""},
		{"a flag for another", `{"browser": {"controlUrl": "https://a.test"}}`, nil, []string{"--fingerprint", pin}, b, "", true, ""},
		{"a flag that is none", "{}", nil, []string{"--fingerprint", "12"}, b, "", false, "--fingerprint: a fingerprint is SHA-256"},
		{"a blank flag", "{}", map[string]string{"CHELA_FINGERPRINT": pin}, []string{"--fingerprint", ""}, b, "", false, "--fingerprint: a fingerprint is SHA-256"},
		{"a flag for this machine", "{}", nil, []string{"--fingerprint", pin}, here, "", false, "--fingerprint is for a server that is called by https"},
		{"a key that is none", `{"browser": {"controlUrl": "https://a.test", "controlFingerprint": "x"}}`, nil, nil, "", "", false, "browser.controlFingerprint: a fingerprint"},
		{"plain http elsewhere", "{\n\"browser\": {\n\"controlUrl\": \"http://a.test\"}}", nil, nil, "", "", false, "chela.json:3: browser.controlUrl: plain http is only for this machine"},
		{"a variable that is not set", `{"browser": {"controlUrl": "https://a.test", "controlToken": "env:NONE"}}`, nil, nil, "", "", false, "the variable NONE, which browser.controlToken names"},
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "chela.json"), []byte(strings.ReplaceAll(test.file, "PIN", pin)), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"CHELA_URL", "CHELA_TOKEN", "CHELA_PASSWORD", "CHELA_FINGERPRINT", "NONE"} {
			t.Setenv(name, test.env[name])
		}
		root := &cobra.Command{}
		addServerFlags(root)
		if err := root.ParseFlags(test.flags); err != nil {
			t.Fatal(err)
		}
		secret, pinned, err := forServer(root, dir, test.server)
		if err != nil && test.fail == "" || test.fail != "" && (err == nil || !strings.Contains(err.Error(), test.fail)) {
			t.Errorf("%s: got %v, want %q", test.name, err, test.fail)
		} else if err == nil && (secret.Token != test.secret || pinned != test.pinned) {
			t.Errorf("%s: got %+v, pinned %v", test.name, secret, pinned)
		}
	}
}

// forServer returns the secret that a command sends to a server, and whether the command accepts only
// a certificate with a certain fingerprint.
func forServer(cmd *cobra.Command, state, server string) (client.Secret, bool, error) {
	known, err := findDefaultServer(config.Flags{StateDir: state})
	if err != nil {
		return client.Secret{}, false, err
	}
	at := known.at
	if server != "" {
		if at, err = client.ParseOrigin(server); err != nil {
			return client.Secret{}, false, err
		}
	}
	pin, err := known.pinFor(cmd, at)
	if err != nil {
		return client.Secret{}, false, err
	}
	secret, err := known.secretFor(at)
	return secret, !pin.IsZero(), err
}
