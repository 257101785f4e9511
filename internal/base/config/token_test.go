package config

import (
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestSecrets(t *testing.T) {
	tests := []struct {
		name, text, env string
		token, password string // "made": any new secret
	}{
		{"none configured", ``, "", "made", ""},
		{"token", `{gateway: {auth: {token: "t"}}}`, "", "t", ""},
		{"environment beats file", `{gateway: {auth: {token: "t"}}}`, "e", "e", ""},
		{"both", `{gateway: {auth: {token: "t", password: "p"}}}`, "", "t", "p"},
		{"only tokens", `{gateway: {auth: {mode: "token", token: "t", password: "p"}}}`, "", "t", ""},
		{"only passwords", `{gateway: {auth: {mode: "password", token: "t", password: "p"}}}`, "", "", "p"},
		{"a proxy and a password", `{gateway: {auth: {mode: "trusted-proxy", password: "p"}}}`, "", "", "p"},
		{"a proxy", `{gateway: {auth: {mode: "trusted-proxy"}}}`, "", "made", ""},
		{"a proxy and a token", `{gateway: {auth: {mode: "trusted-proxy", token: "t"}}}`, "", "t", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			if test.text != "" {
				write(t, filepath.Join(dir, "chela.json"), test.text)
			}
			t.Setenv("CHELA_TOKEN", test.env)
			c, err := Load(Flags{StateDir: dir})
			if err != nil {
				t.Fatal(err)
			}
			got, err := c.Secrets()
			if err != nil {
				t.Fatal(err)
			}
			token := got.Token()
			if test.token == "made" {
				again, err := c.Secrets()
				if err != nil || len(token) != len(rand.Text()) || again.Token() != token {
					t.Errorf("made %q, then %q, %v", token, again.Token(), err)
				}
			} else if token != test.token {
				t.Errorf("got token %q, want %q", token, test.token)
			}
			if got.Password != test.password {
				t.Errorf("got password %q, want %q", got.Password, test.password)
			}
		})
	}
}

// With the mode password, a server without a password does not start. A check of the file says so.
func TestPasswordIsMissing(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "chela.json"), `{gateway: {auth: {mode: "password", token: "t"}}}`)
	for _, test := range []struct {
		env   string
		fails bool
	}{{"", true}, {"p", false}} {
		t.Setenv("CHELA_PASSWORD", test.env)
		c, err := Load(Flags{StateDir: dir})
		if err != nil {
			t.Fatal(err)
		}
		report := strings.Join(c.Report(), " ")
		if _, err := c.Secrets(); (err != nil) != test.fails || strings.Contains(report, "gateway.auth.password is not set") != test.fails {
			t.Errorf("with the password %q: %v; the report is %q", test.env, err, report)
		}
	}
}

// A server takes its secrets out of the environment. It has them when its file is read again.
func TestTakenSecrets(t *testing.T) {
	noEnvironment(t)
	t.Cleanup(taken.Clear)
	dir := t.TempDir()
	const text = `{gateway: {auth: {mode: "password"}}}`
	write(t, filepath.Join(dir, "chela.json"), text)
	t.Setenv("OPENCLAW_GATEWAY_PASSWORD", "p")
	l, err := Open(Flags{StateDir: dir})
	if err != nil {
		t.Fatal(err)
	}
	TakeSecrets()
	if left := os.Getenv("OPENCLAW_GATEWAY_PASSWORD"); left != "" {
		t.Errorf("the environment has %q", left)
	}
	write(t, filepath.Join(dir, "chela.json"), text+" ")
	if report := l.Current().Report(); len(report) > 0 {
		t.Errorf("got %q", report)
	}
}

// ownToken returns a configuration without secrets, and the token that is made for it.
func ownToken(t *testing.T) (c *Config, s Secrets) {
	t.Helper()
	c, err := Load(Flags{StateDir: filepath.Join(t.TempDir(), "state")})
	if err != nil {
		t.Fatal(err)
	}
	if s, err = c.Secrets(); err != nil {
		t.Fatal(err)
	}
	return c, s
}

func TestTokenIsPrivate(t *testing.T) {
	c, _ := ownToken(t)
	for path, want := range map[string]os.FileMode{c.State.Dir: 0o700, c.State.tokenFile(): 0o600} {
		info, err := os.Stat(path)
		if err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: mode %v, %v; want %v", path, info.Mode().Perm(), err, want)
		}
	}
}

// A running server uses the new token when the file of its token changes.
func TestTokenFollowsItsFile(t *testing.T) {
	c, s := ownToken(t)
	file := c.State.tokenFile()
	do := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	old := s.Token()
	rotated, err := c.RotateToken()
	do(err)
	token := s.Token()
	if again, err := c.Token(); token == old || token == "" || again != token || err != nil || rotated != file {
		t.Errorf("after %s: %q, %q in %s, %v", old, token, again, rotated, err)
	}
	for range 3 {
		if s.Token() != token {
			t.Error("it changes by itself")
		}
	}
	do(os.Chmod(file, 0o644))
	write(t, file, "known to others\n") // writing keeps the mode of a file that exists
	if got := s.Token(); got != "" {
		t.Errorf("others can read the token %q", got)
	}
	if _, err := c.Token(); err == nil {
		t.Error("it is printed, too")
	}
	if _, err = c.RotateToken(); err != nil || s.Token() == "" {
		t.Errorf("a new one is %q, %v", s.Token(), err)
	}
	do(os.Remove(file))
	if got := s.Token(); got != "" {
		t.Errorf("without a file there is the token %q", got)
	}
	if _, err = c.RotateToken(); err != nil || s.Token() == "" {
		t.Errorf("a new one is %q, %v", s.Token(), err)
	}
	do(os.WriteFile(file, nil, 0o600))
	if got := s.Token(); got != "" {
		t.Errorf("of an empty file: %q", got)
	}
}

func TestTokenThatOthersCanRead(t *testing.T) {
	file := filepath.Join(t.TempDir(), "token")
	write(t, file, "known\n")
	if err := os.Chmod(file, 0o644); err != nil {
		t.Fatal(err)
	}
	if token, err := readToken(file); err == nil {
		t.Errorf("accepted %q", token)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/etc/hostname", file); err != nil {
		t.Fatal(err)
	}
	if token, err := readToken(file); err == nil {
		t.Errorf("accepted a link: %q", token)
	}
}

// Two processes that make the first token at the same time get the same token.
func TestFirstTokenIsMadeOnce(t *testing.T) {
	dir := t.TempDir()
	tokens := make(chan string, 8)
	for range cap(tokens) {
		go func() {
			kept, err := State{dir}.keepToken()
			if err != nil {
				t.Error(err)
			}
			tokens <- kept.current()
		}()
	}
	first := <-tokens
	for range cap(tokens) - 1 {
		if got := <-tokens; got != first || got == "" {
			t.Errorf("got %q and %q", first, got)
		}
	}
}

// Chela does not replace a token that the user has set.
func TestTokenOfTheUser(t *testing.T) {
	for _, test := range []struct{ name, text, env, printed string }{
		{"configuration", `{gateway: {auth: {token: "t"}}}`, "", "t"},
		{"environment", `{}`, "e", "e"},
		{"only a password", `{gateway: {auth: {mode: "password", password: "p"}}}`, "", ""},
		{"a proxy and a password", `{gateway: {auth: {mode: "trusted-proxy", password: "p"}}}`, "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, filepath.Join(dir, "chela.json"), test.text)
			t.Setenv("CHELA_TOKEN", test.env)
			c, err := Load(Flags{StateDir: dir})
			if err != nil {
				t.Fatal(err)
			}
			token, err := c.Token()
			if _, refused := errors.AsType[*NotOursError](err); token != test.printed || refused != (test.printed == "") {
				t.Errorf("the token is %q, %v", token, err)
			}
			_, err = c.RotateToken()
			if notOurs, refused := errors.AsType[*NotOursError](err); !refused || notOurs.Hint() == "" || exists(c.State.tokenFile()) {
				t.Errorf("rotated: %v", err)
			}
		})
	}
}
