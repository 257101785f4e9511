package nativehost

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"chela/internal/base/config"
)

func TestNames(t *testing.T) {
	one, other := For(config.State{Dir: "/home/ada/.chela"}), For(config.State{Dir: "/home/ada/other"})
	if one.Name == other.Name || strings.Trim(one.Name, "abcdefghijklmnopqrstuvwxyz0123456789.") != "" {
		t.Errorf("named %s and %s", one.Name, other.Name)
	}
}

func TestPlaces(t *testing.T) {
	env := func(name string) string {
		return map[string]string{"HOME": "/home/ada", "LOCALAPPDATA": "/local"}[name]
	}
	h := Host{Name: "dev.chela.s1"}
	for _, test := range []struct{ system, browser, at string }{
		{"linux", "chromium", "/home/ada/.config/chromium/NativeMessagingHosts/dev.chela.s1.json"},
		{"linux", "chrome-dev", "/home/ada/.config/google-chrome-unstable/NativeMessagingHosts/dev.chela.s1.json"},
		{"darwin", "edge", "/home/ada/Library/Application Support/Microsoft Edge/NativeMessagingHosts/dev.chela.s1.json"},
		{"windows", "chromium", `Software\Chromium\NativeMessagingHosts\dev.chela.s1`},
		{"windows", "vivaldi", `Software\Google\Chrome\NativeMessagingHosts\dev.chela.s1`},
	} {
		want := Place{test.browser, filepath.FromSlash(test.at)}
		if all := h.Places(test.system, env); !slices.Contains(all, want) {
			t.Errorf("%s: %+v is not in %+v", test.system, want, all)
		}
	}
	for _, system := range []string{"linux", "darwin", "windows"} {
		for _, place := range h.Places(system, env) {
			if strings.HasPrefix(place.At, `\`) {
				t.Errorf("%s: %s has no key", system, place.Browser)
			}
		}
	}
}

// If the user names no browser, the list has the places of Chromium, Chrome, and the browsers used
// on this machine.
func TestUsualPlaces(t *testing.T) {
	home := t.TempDir()
	if err := os.MkdirAll(filepath.Join(home, "vivaldi"), 0o700); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, place := range (Host{Name: "x"}).Usual("linux", func(name string) string { return map[string]string{"XDG_CONFIG_HOME": home}[name] }) {
		names = append(names, place.Browser)
	}
	if want := []string{"chrome", "chromium", "vivaldi"}; !slices.Equal(names, want) {
		t.Errorf("got %v, want %v", names, want)
	}
}

func TestScripts(t *testing.T) {
	command := []string{"/opt/it's/chela", "native-host", "--state-dir=/a b"}
	if got, want := shell(command), `exec '/opt/it'\''s/chela' 'native-host' '--state-dir=/a b' -- "$@"`+"\n"; !strings.HasPrefix(got, "#!/bin/sh\n") || !strings.HasSuffix(got, want) {
		t.Errorf("got %s, want %s at its end", got, want)
	}
	command = []string{`C:\100% chela\chela.exe`, "native-host"}
	if got, want := batch(command), "\r\n\"C:\\100%% chela\\chela.exe\" \"native-host\" -- %*\r\n"; !strings.HasPrefix(got, "@echo off\r\n") || !strings.HasSuffix(got, want) {
		t.Errorf("got %q, want %q at its end", got, want)
	}
	if _, err := scriptText([]string{"a\nrm -rf b"}); err == nil {
		t.Error("a path with a line break was written")
	}
}

func TestInstallAndUninstall(t *testing.T) {
	if runtime.GOOS == "windows" {
		return // the test would change the registry of this user
	}
	state := config.State{Dir: t.TempDir()}
	h, data := For(state), t.TempDir()
	if r := h.Installed(); r.Places != nil || h.Copy(1) != NoCopy {
		t.Errorf("before: %+v, %s", r, h.Copy(1))
	}
	first, second := h.In(filepath.Join(data, "one")), h.In(filepath.Join(data, "two"))
	if err := h.Unpack(18799); err != nil {
		t.Fatal(err)
	}
	for _, place := range []Place{first, second, first} {
		if err := h.Install([]string{"/bin/chela", "native-host"}, []Place{place}); err != nil {
			t.Fatal(err)
		}
	}
	if r := h.Installed(); !slices.Equal(r.Places, []Place{first, second}) || r.Command[0] != "/bin/chela" {
		t.Errorf("installed is %+v", r)
	}
	manifest, err := os.ReadFile(second.At)
	if err != nil || !strings.Contains(string(manifest), h.script()) || !strings.Contains(string(manifest), Origin()) {
		t.Errorf("%s, %v", manifest, err)
	}
	if info, err := os.Stat(h.script()); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the script: %v, %v", info, err)
	}
	before, _ := os.Stat(second.At)
	if err := h.Install([]string{"/bin/chela", "native-host"}, nil); err != nil {
		t.Fatal(err)
	}
	if after, _ := os.Stat(second.At); !os.SameFile(before, after) {
		t.Error("a file that was right was written anew")
	}

	if h.Copy(18799) != SameCopy || h.Copy(20000) != OtherCopy {
		t.Errorf("the copy is %s, and with another port %s", h.Copy(18799), h.Copy(20000))
	}
	if err := h.Point(20000); err != nil || h.Copy(20000) != SameCopy {
		t.Errorf("the copy with another port: %s, %v", h.Copy(20000), err)
	}
	if err := os.WriteFile(filepath.Join(h.Folder(), "worker.js"), nil, 0o600); err != nil || h.Copy(20000) != OtherCopy {
		t.Errorf("a changed copy: %s, %v", h.Copy(20000), err)
	}

	for _, want := range [][]Place{{first, second}, nil} {
		if was, err := h.Uninstall(); err != nil || !slices.Equal(was, want) {
			t.Errorf("uninstalled %+v, %v, want %+v", was, err, want)
		}
	}
	for _, dir := range []string{data, h.dir} {
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
			t.Errorf("left in %s: %v, %v", dir, left, err)
		}
	}
	if err := h.Point(1); err != nil || h.Copy(1) != NoCopy {
		t.Errorf("a port without a copy: %s, %v", h.Copy(1), err)
	}
}
