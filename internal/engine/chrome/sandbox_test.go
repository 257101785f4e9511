package chrome

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestWithoutSandbox(t *testing.T) {
	if got, _ := WithoutSandbox(Executable{}, true); got != "browser.noSandbox is set" {
		t.Errorf("configured: %q", got)
	}
	if got, fix := WithoutSandbox(Executable{}, false); os.Geteuid() == 0 && got == "" || (got == "") != (fix == "") {
		t.Errorf("got %q, to be changed by %q", got, fix)
	}
}

func TestNamespacesOff(t *testing.T) {
	for setting, value := range map[string]struct{ off, on string }{
		"kernel/unprivileged_userns_clone":             {"0", "1"},
		"kernel/apparmor_restrict_unprivileged_userns": {"1", "0"},
		"user/max_user_namespaces":                     {"0", "15000"},
	} {
		sys := t.TempDir()
		file := filepath.Join(sys, setting)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(value.off+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		name := strings.ReplaceAll(setting, "/", ".")
		want, wantFix := "user namespaces are off ("+name+" = "+value.off+")", "run: sudo sysctl -w "+name+"="+value.on
		if got, fix := namespacesOff(sys); got != want || fix != wantFix {
			t.Errorf("%s: %q, %q; want %q, %q", setting, got, fix, want, wantFix)
		}
	}
}

func TestSetuidHelperMakesNamespacesUnneeded(t *testing.T) {
	dir := t.TempDir()
	program := filepath.Join(dir, "chrome")
	for name, mode := range map[string]os.FileMode{"chrome": 0o755, "chrome-sandbox": 0o755} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, mode); err != nil {
			t.Fatal(err)
		}
	}
	link := filepath.Join(t.TempDir(), "google-chrome")
	if err := os.Symlink(program, link); err != nil {
		t.Fatal(err)
	}
	if hasSetuidHelper(link) {
		t.Skip("this system has one of its own")
	}
	if err := os.Chmod(filepath.Join(dir, "chrome-sandbox"), 0o755|os.ModeSetuid); err != nil {
		t.Fatal(err)
	}
	if !hasSetuidHelper(link) {
		t.Error("helper not seen")
	}
}
