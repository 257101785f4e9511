package files

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"
)

// roots returns folders of the test's own, with the files named in them.
func roots(t *testing.T) *Roots {
	t.Helper()
	temp := t.TempDir()
	r := &Roots{
		Temp: temp, Uploads: []string{filepath.Join(temp, "uploads")}, Downloads: filepath.Join(temp, "downloads"),
		Inbound: filepath.Join(temp, "inbound"), staged: filepath.Join(temp, "staged"),
	}
	for _, dir := range []string{r.Uploads[0], r.Downloads, r.Inbound, r.staged} {
		if err := private(dir); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

func put(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestUpload(t *testing.T) {
	r := roots(t)
	up := r.Uploads[0]
	put(t, filepath.Join(up, "a.txt"), "a")
	put(t, filepath.Join(up, "sub", "b.txt"), "b")
	put(t, filepath.Join(r.Inbound, "c d.txt"), "c")
	put(t, filepath.Join(r.Inbound, "deep", "e.txt"), "e")
	secret := put(t, filepath.Join(t.TempDir(), "secret"), "secret")
	for link, to := range map[string]string{"link.txt": secret, "inner.txt": filepath.Join(up, "a.txt"), "dir": t.TempDir()} {
		if err := os.Symlink(to, filepath.Join(up, link)); err != nil {
			t.Fatal(err)
		}
	}
	twice := put(t, filepath.Join(up, "twice.txt"), "2")
	if err := os.Link(twice, filepath.Join(up, "again.txt")); err != nil {
		t.Fatal(err)
	}
	const inboundOnly, reference, location = "Invalid path: must stay within inbound media directory", "Invalid media reference: ", "Unsupported media reference location: other"
	tests := []struct{ name, path, want, err string }{
		{"by its name", "a.txt", "a", ""},
		{"by its whole path", filepath.Join(up, "a.txt"), "a", ""},
		{"with the word that chats put before it", "MEDIA:a.txt", "a", ""},
		{"in a folder", "sub/b.txt", "b", ""},
		{"sent to the server", "media://inbound/c%20d.txt", "c", ""},
		{"sent to the server, relative", "media/inbound/c d.txt", "c", ""},
		{"sent to the server, whole path", filepath.Join(r.Inbound, "c d.txt"), "c", ""},
		{"missing", "no.txt", "", "File not found in"},
		{"outside", "/etc/passwd", "", inboundOnly},
		{"upwards", "../downloads/x", "", inboundOnly},
		{"upwards in the middle", "sub/../../inbound/c d.txt", "", inboundOnly},
		{"a link out", "link.txt", "", inboundOnly},
		{"a link within", "inner.txt", "", inboundOnly},
		{"through a link", "dir/x", "", inboundOnly},
		{"a second name", "twice.txt", "", inboundOnly},
		{"a folder", "sub", "", inboundOnly},
		{"the root", up, "", inboundOnly},
		{"nothing", "", "", inboundOnly},
		{"nested in inbound", filepath.Join(r.Inbound, "deep", "e.txt"), "", reference},
		{"reference upwards", "media://inbound/..", "", reference},
		{"reference with a slash", "media://inbound/deep%2Fe.txt", "", reference},
		{"reference elsewhere", "media://other/x", "", location},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f, err := r.Upload(test.path)
			if test.err != "" {
				if _, refused := errors.AsType[*PathError](err); !refused || !strings.HasPrefix(err.Error(), test.err) {
					t.Fatalf("got error %v, want %s…", err, test.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			if got, _ := io.ReadAll(f); string(got) != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestTempRoot(t *testing.T) {
	for _, test := range []struct {
		name     string
		make     func(t *testing.T, dir string) error
		fallback bool
	}{
		{"nothing is there", func(*testing.T, string) error { return nil }, false},
		{"open to all", func(_ *testing.T, dir string) error { return errors.Join(os.Mkdir(dir, 0o777), os.Chmod(dir, 0o777)) }, false},
		{"a link", func(t *testing.T, dir string) error { return os.Symlink(t.TempDir(), dir) }, true},
		{"a file", func(_ *testing.T, dir string) error { return os.WriteFile(dir, nil, 0o600) }, true},
		{"somebody else's", func(t *testing.T, dir string) error {
			if os.Getuid() != 0 {
				t.Skip("only root can give folders away")
			}
			return errors.Join(os.Mkdir(dir, 0o777), os.Chown(dir, 12345, 12345))
		}, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			preferred := filepath.Join(t.TempDir(), "chela")
			other := filepath.Join(t.TempDir(), fmt.Sprintf("chela-%d", os.Getuid()))
			t.Setenv("TMPDIR", filepath.Dir(other))
			if err := test.make(t, preferred); err != nil {
				t.Fatal(err)
			}
			want := preferred
			if test.fallback {
				want = other
			}
			got, err := tempRoot(preferred)
			if err != nil || got != want {
				t.Fatalf("got %s, %v, want %s", got, err, want)
			}
			if info, err := os.Lstat(got); err != nil || info.Mode() != fs.ModeDir|0o700 {
				t.Errorf("%s is %v, %v", got, info.Mode(), err)
			}
		})
	}
}

func TestSecondUploadRoot(t *testing.T) {
	r := roots(t)
	second := filepath.Join(t.TempDir(), "uploads")
	r.addUploads(second)
	if len(r.Uploads) != 1 {
		t.Error("it was added, and is not there")
	}
	put(t, filepath.Join(second, "a.txt"), "second")
	put(t, filepath.Join(second, "b.txt"), "b")
	put(t, filepath.Join(r.Uploads[0], "b.txt"), "first")
	linked := filepath.Join(t.TempDir(), "uploads")
	if err := os.Symlink(second, linked); err != nil {
		t.Fatal(err)
	}
	if r.addUploads(linked); len(r.Uploads) != 1 {
		t.Error("a link was added")
	}
	r.addUploads(second)
	for path, want := range map[string]string{"a.txt": "second", "b.txt": "first", filepath.Join(second, "b.txt"): "b"} {
		f, err := r.Upload(path)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		if got, _ := io.ReadAll(f); string(got) != want {
			t.Errorf("%s holds %q, want %q", path, got, want)
		}
		f.Close()
	}
}

func TestStageKeepsNamesAndContents(t *testing.T) {
	r := roots(t)
	put(t, filepath.Join(r.Uploads[0], "a.txt"), "a")
	staged, err := r.Stage([]string{"a.txt", "a.txt"})
	if err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(r.Uploads[0], "a.txt"), "changed since")
	for _, path := range staged {
		if got, err := os.ReadFile(path); err != nil || string(got) != "a" || filepath.Base(path) != "a.txt" {
			t.Errorf("%s holds %q, %v; want the first a.txt", path, got, err)
		}
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(staged[0]); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a copy was left: %v", err)
	}
}

func TestReceive(t *testing.T) {
	r := roots(t)
	reference, err := r.Receive("../ab c.txt", strings.NewReader("sent"))
	if err != nil {
		t.Fatal(err)
	}
	f, err := r.Upload(reference)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if got, _ := io.ReadAll(f); string(got) != "sent" || !strings.HasSuffix(f.Name(), "-ab c.txt") {
		t.Errorf("%s holds %q", f.Name(), got)
	}
	staged, err := r.Stage([]string{reference})
	if err != nil || filepath.Base(staged[0]) != "ab c.txt" {
		t.Errorf("a browser gets %v, %v; want it under its own name", staged, err)
	}
}

func TestDownload(t *testing.T) {
	r := roots(t)
	put(t, filepath.Join(r.Downloads, "sub", "old.txt"), "old")
	if err := os.Symlink(t.TempDir(), filepath.Join(r.Downloads, "out")); err != nil {
		t.Fatal(err)
	}
	for path, ok := range map[string]bool{
		"new.txt": true, "sub/old.txt": true, filepath.Join(r.Downloads, "x"): true,
		"none/x": false, "../x": false, "/etc/x": false, "sub": false, "out/x": false, "": false, r.Downloads: false, "a\x00b": false,
	} {
		if _, err := r.Download(path); (err == nil) != ok {
			t.Errorf("%q: got error %v, want allowed %v", path, err, ok)
		}
	}
	p, err := r.Download("sub/old.txt")
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Put(put(t, filepath.Join(r.staged, "g"), "new")); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(p.Path()); string(got) != "new" {
		t.Errorf("got %q", got)
	}
}

func TestSafeName(t *testing.T) {
	for suggested, want := range map[string]string{
		"report.pdf": "report.pdf", "../../etc/passwd": "passwd", `C:\x\y.txt`: "y.txt", "..": fallback, "": fallback, "  ": fallback,
		".bashrc": "bashrc", "-rf": "rf", "a\x00b\n.txt": "ab.txt", "con": "con_", "NUL.txt": "NUL_.txt", "a\u202etxt.exe": "atxt.exe",
		"a/b/": "b", `we<i>rd:"name|?*.txt`: "weirdname.txt", "ok name.tar.gz": "ok name.tar.gz", "...": fallback,
	} {
		if got := SafeName(suggested); got != want {
			t.Errorf("SafeName(%q) = %q, want %q", suggested, got, want)
		}
	}
}

func FuzzSafeName(f *testing.F) {
	f.Add("report.pdf")
	f.Add(strings.Repeat("ü", 300) + ".tar.gz")
	f.Add("." + strings.Repeat("x", 400))
	f.Fuzz(func(t *testing.T, suggested string) {
		name := SafeName(suggested)
		switch {
		case name == "", name[0] == '.', name[0] == '-', strings.ContainsAny(name, "/\\\x00"):
			t.Errorf("%q gave %q", suggested, name)
		case len(name) > maxBytes-prefixLen, len(utf16.Encode([]rune(name))) > maxUnits:
			t.Errorf("%q gave a name of %d bytes", suggested, len(name))
		}
	})
}
