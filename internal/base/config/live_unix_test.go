//go:build unix

package config

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A file that could not be read is read once that is possible, though it has not changed meanwhile.
func TestReadAgain(t *testing.T) {
	noEnvironment(t)
	log := slog.Default()
	slog.SetDefault(slog.New(slog.DiscardHandler))
	t.Cleanup(func() { slog.SetDefault(log) })
	for _, name := range []string{"chela.json", "profiles.json"} {
		dir := t.TempDir()
		l, err := Open(Flags{StateDir: dir})
		if err != nil {
			t.Fatal(err)
		}
		text := map[string]string{"chela.json": `{browser: {profiles: {made: {color: "#0066CC"}}}}`, "profiles.json": `{"made": {"color": "#0066CC"}}`}
		file := filepath.Join(dir, name)
		write(t, file, text[name])
		past := time.Now().Add(-time.Minute) // a file that was changed just now is read again in any case
		if err := os.Chtimes(file, past, past); err != nil {
			t.Fatal(err)
		}
		restore := noMoreFiles(t)
		c := l.Current()
		restore()
		if !strings.Contains(c.Outdated, ": it cannot be read: too many open files") {
			t.Errorf("%s: outdated %q", name, c.Outdated)
		}
		l.failed = l.failed.Add(-retryAfter)
		c = l.Current()
		if _, made := c.Browser.Profiles["made"]; !made || c.Outdated != "" {
			t.Errorf("%s can be read again: profiles %v, outdated %q", name, c.Browser.ProfileNames(), c.Outdated)
		}
	}
}

// noMoreFiles makes this process unable to open files, until restore is called.
func noMoreFiles(t *testing.T) (restore func()) {
	t.Helper()
	var before syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &before); err != nil {
		t.Fatal(err)
	}
	none := before
	none.Cur = 0
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &none); err != nil {
		t.Fatal(err)
	}
	return func() {
		if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &before); err != nil {
			t.Fatal(err)
		}
	}
}
