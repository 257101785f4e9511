package config

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A value that was set has an effect, and the rest of the file is unchanged.
func TestSet(t *testing.T) {
	noEnvironment(t)
	dir := t.TempDir()
	file := filepath.Join(dir, "chela.json")
	for _, step := range []struct{ key, text, want string }{
		{"browser.headless", "true", "{\n  \"browser\": {\n    \"headless\": true\n  }\n}\n"},
		{"browser.color", "#112233", "{\n  \"browser\": {\n    \"headless\": true,\n    \"color\": \"#112233\"\n  }\n}\n"},
		{"browser.headless", "null", "{\n  \"browser\": {\n    \"color\": \"#112233\"\n  }\n}\n"},
		{"browser.extraArgs", "['--lang=de']", "{\n  \"browser\": {\n    \"color\": \"#112233\",\n    \"extraArgs\": [\"--lang=de\"]\n  }\n}\n"},
		{"browser.profiles.work.cdpPort", "18801", "{\n  \"browser\": {\n    \"color\": \"#112233\",\n    \"extraArgs\": [\"--lang=de\"],\n" +
			"    \"profiles\": {\n      \"work\": {\n        \"cdpPort\": 18801\n      }\n    }\n  }\n}\n"},
	} {
		if _, err := Set(Flags{StateDir: dir}, step.key, step.text); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(file)
		if err != nil || string(got) != step.want {
			t.Errorf("%s %s: %v\n%s\nwant\n%s", step.key, step.text, err, got, step.want)
		}
	}
	for _, value := range []string{"null", "5"} { // a text stays one
		if c, err := SetValue(Flags{StateDir: dir}, "browser.evaluateEnabled", value); err == nil {
			t.Errorf("%q: %+v", value, c.Browser)
		}
		if c, err := SetValue(Flags{StateDir: dir}, "browser.controlToken", value); err != nil || c.Browser.ControlToken != value {
			t.Errorf("%q: %v", value, err)
		}
	}
	if _, err := SetValue(Flags{StateDir: dir}, "browser.controlToken", nil); err != nil {
		t.Error(err)
	}
	const allowed = "browser.ssrfPolicy.allowedHostnames"
	for range 2 {
		if c, err := Add(Flags{StateDir: dir}, allowed, "localhost"); err != nil || len(c.Browser.SSRFPolicy.AllowedHostnames) != 1 {
			t.Errorf("added: %v, %+v", err, c)
		}
	}
	if c, err := Add(Flags{StateDir: dir}, allowed, "*.example.com"); err != nil || len(c.Browser.SSRFPolicy.AllowedHostnames) != 2 {
		t.Errorf("added: %v, %+v", err, c)
	}
	before, _ := os.ReadFile(file)
	if _, err := Add(Flags{StateDir: dir}, "browser.color", "x"); err == nil || err.Error() != "browser.color is not a list of texts" {
		t.Errorf("added to what is no list: %v", err)
	}
	if _, err := Add(Flags{StateDir: dir}, allowed, "http://x"); err == nil || !strings.Contains(err.Error(), allowed+`[2] is "http://x": want`) {
		t.Errorf("added what is no host: %v", err)
	}
	for _, wrong := range []struct{ key, text, want string }{
		{"browser.headles", "true", "there is no key browser.headles"},
		{"browser.headless.x", "true", "there is no key"},
		{"browser.headless", "maybe", "browser.headless must be true or false, not a string"},
		{"gateway.port", "0", "gateway.port is 0"},
		{"browser.defaultProfile", "none", `browser.defaultProfile is "none"`},
		{"browser", "1", "browser must be an object, not 1"},
		{"", "1", `there is no key ""`},
		{"browser.profiles..color", "#112233", "there is no key browser.profiles..color"},
	} {
		if _, err := Set(Flags{StateDir: dir}, wrong.key, wrong.text); err == nil || !strings.Contains(err.Error(), wrong.want) {
			t.Errorf("%s %s: got %v, want %q", wrong.key, wrong.text, err, wrong.want)
		}
	}
	if after, _ := os.ReadFile(file); string(after) != string(before) {
		t.Errorf("a wrong value has changed the file to\n%s", after)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}

// A file that is JSON5, and cannot be edited as such, is left alone.
func TestSetInUneditable(t *testing.T) {
	noEnvironment(t)
	dir := t.TempDir()
	file := filepath.Join(dir, "chela.json")
	const text = "{\n  browser: {headless: true}, // mine\n}"
	write(t, file, text)
	_, err := Set(Flags{StateDir: dir}, "browser.headless", "false")
	if e, ok := errors.AsType[*UneditableError](err); !ok || !strings.Contains(e.Error(), "line 2") {
		t.Errorf("got %v", err)
	}
	if got, _ := os.ReadFile(file); string(got) != text {
		t.Errorf("it was changed to\n%s", got)
	}
}

// OpenClaw's file is left alone, however chela finds it: OpenClaw does not start if its file has keys
// that it does not know.
func TestSetInOpenClaws(t *testing.T) {
	for name, at := range map[string]struct{ file, link, variable string }{
		"in the state directory":   {file: "openclaw.json"},
		"by a link":                {file: "openclaw.json", link: "chela.json"},
		"by OpenClaw's variable":   {file: "other.json", variable: "OPENCLAW_CONFIG_PATH"},
		"by a variable of chela's": {file: "openclaw.json", variable: "CHELA_CONFIG_PATH"},
	} {
		noEnvironment(t)
		dir := t.TempDir()
		file := filepath.Join(dir, at.file)
		const text = `{"gateway": {"bind": "lan"}}`
		write(t, file, text)
		if at.link != "" {
			if err := os.Symlink(file, filepath.Join(dir, at.link)); err != nil {
				t.Fatal(err)
			}
		}
		if at.variable != "" {
			t.Setenv(at.variable, file)
		}
		if _, err := Load(Flags{StateDir: dir}); err != nil {
			t.Errorf("%s: read: %v", name, err)
		}
		_, set := Set(Flags{StateDir: dir}, "browser.agentsSeeSecrets", "true")
		_, added := Add(Flags{StateDir: dir}, "browser.ssrfPolicy.allowedHostnames", "localhost")
		_, tls := SetTLS(Flags{StateDir: dir}, TLS{Cert: "c", Key: "k"})
		for _, err := range []error{set, added, tls} {
			if e, ok := errors.AsType[*UneditableError](err); !ok || !strings.Contains(e.Hint, "openclaw config set") || !strings.Contains(e.Hint, "CHELA_CONFIG_PATH") {
				t.Errorf("%s: got %v", name, err)
			}
		}
		t.Setenv("CHELA_CONFIG_PATH", filepath.Join(dir, "own.json")) // as the hint says
		if where, err := Set(Flags{StateDir: dir}, "browser.agentsSeeSecrets", "true"); err != nil {
			t.Errorf("%s: in a file of its own: %v, %v", name, where, err)
		}
		if got, _ := os.ReadFile(file); string(got) != text {
			t.Errorf("%s: it was changed to\n%s", name, got)
		}
	}
}

// If the configuration file is a symbolic link, Set changes its target, and the link remains.
func TestSetThroughALink(t *testing.T) {
	noEnvironment(t)
	dir, elsewhere := t.TempDir(), filepath.Join(t.TempDir(), "mine.json")
	write(t, elsewhere, "{}")
	file := filepath.Join(dir, "chela.json")
	if err := os.Symlink(elsewhere, file); err != nil {
		t.Fatal(err)
	}
	if _, err := Set(Flags{StateDir: dir}, "browser.headless", "true"); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(elsewhere); err != nil || !strings.Contains(string(got), "headless") {
		t.Errorf("%v %s", err, got)
	}
	if info, err := os.Lstat(file); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link: %v, %v", info, err)
	}
}

// A link whose target is gone, such as a file on a disk that is not there now, is not replaced.
func TestSetThroughALinkToNothing(t *testing.T) {
	noEnvironment(t)
	dir := t.TempDir()
	file := filepath.Join(dir, "chela.json")
	if err := os.Symlink(filepath.Join(t.TempDir(), "gone.json"), file); err != nil {
		t.Fatal(err)
	}
	_, err := Set(Flags{StateDir: dir}, "browser.headless", "true")
	if wrong, ok := errors.AsType[*FileError](err); !ok || !strings.Contains(wrong.Problem, "link to a file that is not there") {
		t.Errorf("got %v", err)
	}
	if info, err := os.Lstat(file); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link: %v, %v", info, err)
	}
}

func TestGet(t *testing.T) {
	c, err := load(t, `{gateway: {auth: {token: "t"}}, browser: {proxy: "http://u:pw@p.example",
		cdpUrl: "http://u:pw@c.example", profiles: {work: {color: "#112233", proxy: "http://u:pw@q.example"}, far: {cdpUrl: "wss://d.example/x?token=pw"}}}}`, Flags{})
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("CHELA_HEADLESS", "1")
	for key, want := range map[string]any{
		"browser.evaluateEnabled": true, "browser.headless": true, "gateway.port": 18789.0, "gateway.auth.token": "t", "browser.executablePath": "",
		"browser.cdpUrl": "http://u:pw@c.example", "browser.profiles.far.cdpUrl": "wss://d.example/x?token=pw",
		"browser.proxy": "http://u:pw@p.example", "browser.profiles.work.proxy": "http://u:pw@q.example",
		"browser.profiles.work.color": "#112233", "browser.profiles.work.cdpPort": nil, "browser.profiles.none.color": nil, "browser.ssrfPolicy": nil,
	} {
		if got, err := c.Get(key); got != want || err != nil {
			t.Errorf("%s: %v, %v; want %v", key, got, err, want)
		}
	}
	all, err := c.Get("")
	if token := all.(map[string]any)["gateway"].(map[string]any)["auth"].(map[string]any)["token"]; token != "(set)" || err != nil {
		t.Errorf("the whole configuration has the token %v, %v", token, err)
	}
	if got := fmt.Sprint(all); strings.Contains(got, "pw") || !strings.Contains(got, "q.example") || !strings.Contains(got, "wss://d.example/x") {
		t.Errorf("the whole configuration has a password: %s", got)
	}
	for key, meant := range map[string]string{"gateway.headless": "browser.headless", "browser.profils.work.color": "browser.profiles"} {
		_, err = c.Get(key)
		if e, ok := errors.AsType[*UnknownKeyError](err); !ok || e.Meant != meant {
			t.Errorf("%s: got %+v", key, err)
		}
	}
}

// Each key has a description and is found by its path. Keys in lists are excepted, because lists
// are set as a whole.
func TestKeys(t *testing.T) {
	for _, key := range Keys() {
		if key.Doc == "" {
			t.Errorf("%s has no words", key.Path)
		}
		if _, err := typeOf(key.Path); err != nil && !strings.Contains(key.Path, "[]") {
			t.Error(err)
		}
	}
}
