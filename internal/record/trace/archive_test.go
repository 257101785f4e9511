package trace

import (
	"archive/zip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// begin starts an archive in a folder of its own.
func begin(t *testing.T) *archive {
	t.Helper()
	a, err := newArchive(filepath.Join(t.TempDir()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(a.remove)
	return a
}

// read returns the entries of a finished archive.
func read(t *testing.T, path string) map[string]string {
	t.Helper()
	z, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	entries := map[string]string{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		entries[f.Name] += string(content)
	}
	return entries
}

func TestArchive(t *testing.T) {
	a := begin(t)
	a.event(calls, logged{Type: "log", Message: "<b>"})
	a.request(map[string]int{"n": 1})
	for range 2 {
		if !a.add(resources, "resources/1.css", []byte("body{}")) {
			t.Error("there is no room for a file")
		}
	}
	path, err := a.finish()
	if err != nil {
		t.Fatal(err)
	}
	got := read(t, path)
	for name, want := range map[string]string{
		"trace.trace":     `{"type":"log","callId":"","time":0,"message":"<b>"}` + "\n",
		"trace.network":   `{"n":1}` + "\n",
		"resources/1.css": "body{}",
	} {
		if got[name] != want {
			t.Errorf("%s is %q, want %q", name, got[name], want)
		}
	}
	a.event(calls, logged{})
	if again, err := a.finish(); again != path || err != nil {
		t.Errorf("when it is finished again it is %s, %v", again, err)
	}
	a.remove()
	if _, err := os.Stat(a.dir); !os.IsNotExist(err) {
		t.Errorf("its folder is still there: %v", err)
	}
}

// Each kind of entry has its limit. Calls are still recorded when there is no room for other kinds.
// The archive says why something is missing.
func TestArchiveBounds(t *testing.T) {
	for _, c := range []struct {
		name    string
		fill    func(*archive)
		refused kind
		cut     string
	}{
		{"pictures", func(a *archive) { a.written[film] = maxFilm }, film, "its pictures have reached 80 MB"},
		{"snapshots", func(a *archive) { a.written[snapshots] = maxSnapshots }, snapshots, "its DOM snapshots have reached 80 MB"},
		{"files", func(a *archive) { a.written[resources] = maxResources }, resources, "its files have reached 40 MB"},
		{"everything", func(a *archive) { a.written[calls] = maxBytes }, resources, "it has reached 200 MB"},
		{"the time", func(a *archive) { a.until = time.Now().Add(-time.Second) }, film, "it has lasted 1h0m0s"},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := begin(t)
			c.fill(a)
			if a.add(c.refused, "more", []byte("more")) || a.names["more"] {
				t.Error("more was added")
			}
			a.event(calls, logged{Message: "a call"})
			if got := a.whyCut(); got != c.cut {
				t.Errorf("it says %q, want %q", got, c.cut)
			}
			path, err := a.finish()
			if err != nil || !strings.Contains(read(t, path)["trace.trace"], "a call") {
				t.Errorf("the call is not in it: %v", err)
			}
		})
	}
	a := begin(t)
	a.written[resources] = maxBytes + maxBytes/10
	a.event(calls, logged{Message: "a call"})
	a.event(notice, logged{Message: "calls are missing"})
	path, err := a.finish()
	if err != nil {
		t.Fatal(err)
	}
	if got := read(t, path)["trace.trace"]; strings.Contains(got, "a call") || !strings.Contains(got, "calls are missing") {
		t.Errorf("calls have bounds, and the notice about that has none; got %q", got)
	}
}

// If newArchive fails, it leaves no file open.
func TestArchiveThatCannotBeBegun(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "trace.network"), 0o700); err != nil {
		t.Fatal(err)
	}
	if a, err := newArchive(dir); err == nil || a != nil {
		t.Errorf("got %v, %v", a, err)
	}
	open, _ := filepath.Glob("/proc/self/fd/*") // empty where the system has no such folder
	for _, fd := range open {
		if path, _ := os.Readlink(fd); strings.HasPrefix(path, dir) {
			t.Errorf("%s is open", path)
		}
	}
}
