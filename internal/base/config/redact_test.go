package config

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// What stands for a secret is not written in its place. In a list of models, it becomes the key that
// is stored, but only if that goes where it went before.
func TestPlaceholdersAreNotWritten(t *testing.T) {
	noEnvironment(t)
	dir := t.TempDir()
	file := filepath.Join(dir, "chela.json")
	const before = `{"browser": {"proxy": "http://ada:pw@proxy.example:3128", "profiles": {"work": {"proxy": "http://ada:pw@q.example"}}, "models": [
		{"provider": "openai", "model": "a", "apiKey": "s3cret"},
		{"provider": "own", "baseUrl": "http://127.0.0.1:1/v1", "apiKey": "k1"}, {"provider": "own", "baseUrl": "http://127.0.0.1:2/v1", "apiKey": "k2"},
		{"provider": "anthropic", "apiKey": "k3"}, {"provider": "anthropic", "apiKey": "k4"}, {"provider": "gemini", "apiKey": "env:KEY"}]},
		"fleet": {"url": "tls://ada:pw@a.example,tls://b.example"}}`
	for _, test := range []struct{ key, text, want string }{
		{"gateway.auth.token", "(set)", `gateway.auth.token is "(set)", which only stands for a secret that is not shown`},
		{"browser.proxy", "http://ada:xxxxx@proxy2.example:3128", `browser.proxy is "http://ada:xxxxx@proxy2.example:3128", which`},
		{"browser.proxy", "http://xxxxx@proxy2.example:3128", `browser.proxy is "http://xxxxx@proxy2.example:3128", which`},
		{"browser.profiles.work.proxy", "http://ada:xxxxx@q.example", "browser.profiles.work.proxy is"},
		{"browser.profiles.work", `{"proxy": "http://ada:xxxxx@q.example"}`, "browser.profiles.work.proxy is"},
		{"browser.cdpUrl", "wss://cloud.example/?(set)", "browser.cdpUrl is"},
		{"dashboard.notify", "https://hooks.example/(set)", "dashboard.notify is"},
		{"dashboard.notify", `["curl", "https://hooks.example/(set)"]`, "dashboard.notify is"},
		{"tools.media.image.headers", `{"Authorization": "(set)"}`, "tools.media.image.headers is"},
		{"fleet.url", "tls://b.example,tls://ada:xxxxx@a.example", "fleet.url is"},
		{"browser.models", `[{"provider": "gemini", "apiKey": "env:KEY"}, {"provider": "openai", "model": "b", "apiKey": "(set)"}]`,
			`[{"apiKey":"env:KEY","provider":"gemini"},{"apiKey":"s3cret","model":"b","provider":"openai"}]`},
		{"browser.models", `[{"provider": "own", "baseUrl": "http://127.0.0.1:2/v1", "apiKey": "(set)"}]`, `[{"apiKey":"k2","baseUrl":"http://127.0.0.1:2/v1","provider":"own"}]`},
		{"browser.models", `[{"provider": "own", "baseUrl": "http://127.0.0.1:3/v1", "apiKey": "(set)"}]`, `browser.models[0].apiKey is "(set)", which`},
		{"browser.models", `[{"provider": "anthropic", "apiKey": "(set)"}]`, "browser.models[0].apiKey is"},
		{"browser.models", `[{"provider": "openai", "apiKey": "new"}]`, `[{"apiKey":"new","provider":"openai"}]`},
		{"tools.media.models", `[{"provider": "openai", "apiKey": "(set)"}]`, "tools.media.models[0].apiKey is"},
	} {
		write(t, file, before)
		c, err := Set(Flags{StateDir: dir}, test.key, test.text)
		if err != nil {
			text, _ := os.ReadFile(file)
			if _, ok := errors.AsType[*RedactedError](err); !ok || len(err.Error()) < len(test.want) || err.Error()[:len(test.want)] != test.want || string(text) != before {
				t.Errorf("%s %s: got %v, want %s; the file has\n%s", test.key, test.text, err, test.want, text)
			}
			continue
		}
		if got, _ := json.Marshal(c.Browser.Models); string(got) != sorted(t, test.want) {
			t.Errorf("%s %s: got %s, want %s", test.key, test.text, got, test.want)
		}
	}
}

// A user without a password is a token or a key, so it is not shown.
func TestLoginsAreNotShown(t *testing.T) {
	for address, want := range map[string]string{
		"":                               "",
		"tls://a.example:4222":           "tls://a.example:4222",
		"nats://ada:s3cret@a.example":    "nats://ada:xxxxx@a.example",
		"nats://s3cret@a.example:4222":   "nats://xxxxx@a.example:4222",
		"http://s3cret:@a.example:3128/": "http://xxxxx@a.example:3128/",
		"ada:s3cret@a.example:3128":      "not readable",
		"s3cret@a.example":               "not readable",
	} {
		if got := withoutLogin(address); got != want {
			t.Errorf("%s: got %s, want %s", address, got, want)
		}
	}
	if got, want := (Fleet{URL: "nats://s3cret@a.example, tls://b.example"}).Shown(), "nats://xxxxx@a.example,tls://b.example"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// sorted returns a list of models with the keys in the order of [VisionModel].
func sorted(t *testing.T, text string) string {
	var models []VisionModel
	if err := json.Unmarshal([]byte(text), &models); err != nil {
		t.Errorf("got no error, want %s", text)
	}
	raw, _ := json.Marshal(models)
	return string(raw)
}
