package dashboard

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"chela/internal/base/config"
)

// settingsOf returns the settings of a configuration file.
func settingsOf(t *testing.T, content string) []Setting {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "chela.json")
	if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := config.Load(config.Flags{StateDir: dir, File: file})
	if err != nil {
		t.Fatal(err)
	}
	all, err := Settings(c)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// Keys of profiles and of secrets are listed for those that the configuration has.
func TestSettingsOfNames(t *testing.T) {
	all := settingsOf(t, `{"browser": {"profiles": {"work": {"color": "#0066CC"}}, "secrets": {"gh/pw": {"from": "env:GH", "for": ["https://github.com"]}}}}`)
	var named []string
	for _, s := range all {
		if strings.HasPrefix(s.Key, "browser.profiles.") && s.Value == "#0066CC" || strings.HasPrefix(s.Key, "browser.secrets.") {
			named = append(named, s.Key)
		}
	}
	want := []string{"browser.profiles.work.color", "browser.secrets.gh/pw.from", "browser.secrets.gh/pw.for", "browser.secrets.gh/pw.ask", "browser.secrets.gh/pw.totp"}
	if !slices.Equal(named, want) {
		t.Errorf("got %q, want %q", named, want)
	}
}

// A form does not offer what is shown in place of a secret to be edited: it would be saved.
func TestSecretsOfSettings(t *testing.T) {
	all := settingsOf(t, `{"browser": {"proxy": "http://ada:pw@proxy.example", "cdpUrl": "wss://d.example/x?token=pw", "attachOnly": true, "controlToken": "pw",
		"profiles": {"work": {"proxy": "http://ada:pw@q.example"}, "plain": {"proxy": "http://r.example"}}}, "fleet": {"url": "tls://ada:pw@a.example"},
		"dashboard": {"notify": "https://hooks.example/pw"}, "tools": {"media": {"image": {"headers": {"Authorization": "Bearer pw"}}}}}`)
	var secret []string
	for _, s := range all {
		if s.Secret {
			secret = append(secret, s.Key)
		}
		if shown := fmt.Sprint(s.Value); strings.Contains(shown, "pw") {
			t.Errorf("%s shows %s", s.Key, shown)
		}
	}
	want := []string{
		"agents.defaults.sandbox.browser.token", "browser.cdpUrl", "browser.controlToken", "browser.profiles.work.proxy", "browser.proxy",
		"dashboard.notify", "fleet.url", "gateway.auth.password", "gateway.auth.token", "tools.media.image.headers",
	}
	if slices.Sort(secret); !slices.Equal(secret, want) {
		t.Errorf("got %q, want %q", secret, want)
	}
}
