package doctor

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chela/internal/base/config"
	"chela/internal/wall/secret"
	"chela/internal/wall/vault"
)

// The doctor names the store, says whether it answers, and takes other users' permission to read
// its files.
func TestSecretChecks(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "chela.json")
	look := func(settings string) (*Report, *vault.Vault) {
		if err := os.WriteFile(file, []byte(settings), 0o600); err != nil {
			t.Fatal(err)
		}
		live, err := config.Open(config.Flags{StateDir: dir, File: file})
		if err != nil {
			t.Fatal(err)
		}
		v, h := vault.Open(live), new(Report)
		h.secrets(v)
		return h, v
	}
	expect := func(when string, h *Report, want ...string) {
		t.Helper()
		var got []string
		for _, c := range h.Checks {
			got = append(got, fmt.Sprintf("%s %s: %s", c.Status, c.ID, c.Summary))
			if (c.FixHint == "") != (c.Status == "pass") {
				t.Errorf("%s: %+v", when, c)
			}
		}
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("%s: got %q, want %q", when, got, want)
		}
	}
	h, v := look(`{}`)
	expect("nothing is set", h)
	if _, err := v.Set(t.Context(), vault.Entry{Name: "a", For: []secret.Place{"https://a.test"}}, "value", vault.File); err != nil {
		t.Fatal(err)
	}
	h, _ = look(`{}`)
	expect("one is set", h, "pass secrets: 1 in an encrypted file, which answers")
	h, _ = look(`{"browser": {"secrets": {"b": {"from": "env:B", "for": ["https://b.test"]}, "c": {"from": "env:C", "for": ["http://c.test"]}}}}`)
	expect("two are in the configuration", h, "warn secret-configuration: secret c: http://c.test has no encryption: a secret is for https, or for this machine",
		"pass secrets: 1 in an encrypted file, which answers; 2 named by the configuration")

	sealed, aside := filepath.Join(dir, "secrets.age"), filepath.Join(dir, "aside")
	if err := os.Rename(sealed, aside); err != nil {
		t.Fatal(err)
	}
	h, _ = look(`{}`)
	expect("the file is gone", h, "fail secrets: the file of the secrets: it does not have the value any more: a")
	if err := os.Rename(aside, sealed); err != nil {
		t.Fatal(err)
	}

	key := filepath.Join(dir, "secrets.key")
	if err := os.Chmod(key, 0o644); err != nil {
		t.Fatal(err)
	}
	h, _ = look(`{}`)
	expect("others can read the key", h, "fail secret-files: other users can read "+key, "fail secrets: the file of the secrets: "+key+" must be a file that only you can read")
	if fixed, failed := h.fix(t.Context()); len(fixed) != 1 || len(failed) != 0 {
		t.Errorf("repaired %v, not %v", fixed, failed)
	}
	h, _ = look(`{}`)
	expect("it was repaired", h, "pass secrets: 1 in an encrypted file, which answers")
	if err := os.Remove(key); err != nil {
		t.Fatal(err)
	}
	h, _ = look(`{}`)
	expect("the key is gone", h, "fail secrets: the file of the secrets: its key is gone: without that, nobody can read it")
}
