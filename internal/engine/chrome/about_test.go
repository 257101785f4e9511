package chrome

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"
)

func TestDescribe(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the program is a script")
	}
	t.Setenv("CHELA_TOKEN", "1.2.3.4") // the browser gets no secret, which would be the version here
	t.Setenv("AWS_SECRET_ACCESS_KEY", "5.6.7.8")
	dir := t.TempDir()
	built := time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)
	real := writeScript(t, filepath.Join(dir, "lib", "chrome"), `test "$1" = --version && echo "Google Chrome $CHELA_TOKEN$AWS_SECRET_ACCESS_KEY 156.0.1.2 beta"`)
	link, snap, silent := filepath.Join(dir, "google-chrome"), filepath.Join(dir, "chromium"), writeScript(t, filepath.Join(dir, "silent"), "")
	manager := writeScript(t, filepath.Join(dir, "snap"), "echo Chromium 155.0.3.4 snap")
	for path, to := range map[string]string{link: real, snap: manager} {
		if err := os.Symlink(to, path); err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range []string{real, manager} {
		if err := os.Chtimes(path, built, built); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chtimes(silent, time.Unix(1, 0), time.Unix(1, 0)); err != nil {
		t.Fatal(err)
	}
	wrapper := writeScript(t, filepath.Join(dir, "bin", "chromium"), "echo Chromium 156.0.5.6 built on Debian")
	wrapped := writeScript(t, filepath.Join(dir, "lib64", "chromium-browser", "chromium"), "")
	for path, date := range map[string]time.Time{wrapper: built.AddDate(0, -2, 0), wrapped: built} {
		if err := os.Chtimes(path, date, date); err != nil {
			t.Fatal(err)
		}
	}
	for path, want := range map[string]About{
		wrapper: {"156.0.5.6", built},
		link:    {"156.0.1.2", built}, snap: {"155.0.3.4", time.Time{}}, silent: {}, filepath.Join(dir, "gone"): {},
	} {
		if got := (Executable{Path: path}).Describe(t.Context()); got.Version != want.Version || !got.Built.Equal(want.Built) {
			t.Errorf("%s: got %+v, want %+v", filepath.Base(path), got, want)
		}
	}
}

func TestOld(t *testing.T) {
	now := time.Date(2026, 11, 26, 0, 0, 0, 0, time.UTC)
	for days, want := range map[int]bool{0: false, 45: false, 46: true} {
		if a := (About{Built: now.AddDate(0, 0, -days)}); a.Old(now) != want || a.Days(now) != days {
			t.Errorf("%d days: old %v, %d days", days, a.Old(now), a.Days(now))
		}
	}
	if (About{}).Old(now) {
		t.Error("a browser of unknown age is old")
	}
}

// The highest version counts: an installer on Windows keeps the folder of the old version for some
// time.
func TestBesideVersion(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"99.0.1.2", "156.0.10.2", "156.0.9.30", "Locales", "x156.0.99.1"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if got := besideVersion(dir); got != "156.0.10.2" {
		t.Errorf("got %q", got)
	}
	if got := besideVersion(filepath.Join(dir, "Locales")); got != "" {
		t.Errorf("without a version: %q", got)
	}
	for _, name := range []string{"155.0.1.2", "154.0.1.2.manifest", "chrome.exe.manifest"} {
		touch(t, filepath.Join(dir, "Locales", name))
	}
	if got := besideVersion(filepath.Join(dir, "Locales")); got != "154.0.1.2" {
		t.Errorf("unpacked: %q", got)
	}
}
