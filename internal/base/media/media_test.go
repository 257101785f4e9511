package media

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
		staging: &staging{dir: filepath.Join(temp, "staged")}, Temp: temp, Uploads: filepath.Join(temp, "uploads"), Downloads: filepath.Join(temp, "downloads"),
		Inbound: filepath.Join(temp, "inbound"), Pictures: filepath.Join(temp, "pictures"),
		otherUploads: filepath.Join(temp, "other", "uploads"), otherDownloads: filepath.Join(temp, "other", "downloads"),
	}
	for _, dir := range []string{r.Uploads, r.Downloads, r.Inbound, r.Pictures, r.staging.dir} {
		if err := makePrivate(dir); err != nil {
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
	up := r.Uploads
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

// The text of a refusal is OpenClaw's, and does not fit a path inside the folder. The hint says what
// is wrong with that one.
func TestHintOfARefusedPath(t *testing.T) {
	r := roots(t)
	file := put(t, filepath.Join(r.Uploads, "sub", "a.txt"), "a")
	put(t, filepath.Join(r.Downloads, "b.txt"), "b")
	for link, to := range map[string]string{"link.txt": file, "dir": filepath.Dir(file)} {
		if err := os.Symlink(to, filepath.Join(r.Uploads, link)); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(os.Link(file, filepath.Join(r.Uploads, "sub", "again.txt")), os.Mkdir(filepath.Join(r.Downloads, "there"), 0o700)); err != nil {
		t.Fatal(err)
	}
	upload := func(path string) error { _, err := r.Upload(path); return err }
	download := func(path string) error { _, err := r.Download(path); return err }
	for _, s := range []struct {
		name string
		take func(path string) error
		path string
		want string
	}{
		{"a folder", upload, "sub", "sub is a folder: name a file in it"},
		{"a link", upload, "link.txt", "link.txt is a symbolic link: use the file itself"},
		{"through a link", upload, "dir/a.txt", "dir is a symbolic link: use the file itself"},
		{"a second name", upload, "sub/again.txt", "sub/again.txt has more than one hard link"},
		{"outside", upload, "/etc/passwd", "put the file in " + r.Uploads},
		{"a new folder", download, "sub/x.txt", "make the folder " + filepath.Join(r.Downloads, "sub") + " first"},
		{"an old folder", download, "there", "there is a folder: name a file in it"},
		{"in a file", download, "b.txt/x", "b.txt is not a folder"},
		{"outside the downloads", download, "/etc/passwd", "put the file in " + r.Downloads},
	} {
		refused, _ := errors.AsType[*PathError](s.take(s.path))
		if refused == nil || refused.Hint() != s.want {
			t.Errorf("%s: got %+v, want %q", s.name, refused, s.want)
		}
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
			last := filepath.Join(t.TempDir(), "temp")
			got, err := tempRoot(preferred, last)
			if err != nil || got != want {
				t.Fatalf("got %s, %v, want %s", got, err, want)
			}
			if info, err := os.Lstat(got); err != nil || info.Mode() != fs.ModeDir|0o700 {
				t.Errorf("%s is %v, %v", got, info.Mode(), err)
			}
		})
	}
}

// If a stranger has created both folders whose names can be guessed, the server still starts.
func TestTempRootIsTaken(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	preferred, last := filepath.Join(dir, "chela"), filepath.Join(dir, "state", "temp")
	for _, taken := range []string{preferred, filepath.Join(dir, fmt.Sprintf("chela-%d", os.Getuid()))} {
		if err := os.Symlink(t.TempDir(), taken); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := tempRoot(preferred, last); got != last || err != nil {
		t.Errorf("got %s, %v", got, err)
	}
}

// The folders of OpenClaw are accepted as soon as they exist and nobody else can write to them.
func TestOtherUploadRoot(t *testing.T) {
	r := roots(t)
	put(t, filepath.Join(r.Uploads, "b.txt"), "first")
	if _, err := r.Upload(filepath.Join(r.otherUploads, "b.txt")); err == nil || strings.Contains(err.Error(), r.otherUploads) {
		t.Errorf("before it is there: %v", err)
	}
	put(t, filepath.Join(r.otherUploads, "a.txt"), "second")
	put(t, filepath.Join(r.otherUploads, "b.txt"), "b")
	for path, want := range map[string]string{"a.txt": "second", "b.txt": "first", filepath.Join(r.otherUploads, "b.txt"): "b"} {
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
	_, err := r.Upload("/etc/passwd")
	for _, root := range []string{r.Inbound, r.Uploads, r.otherUploads} {
		if !strings.Contains(err.Error(), root) {
			t.Errorf("%v does not name %s", err, root)
		}
	}
	for _, dir := range []string{r.otherUploads, filepath.Dir(r.otherUploads)} {
		if err := os.Chmod(dir, 0o770); err != nil {
			t.Fatal(err)
		}
		if _, err := r.Upload("a.txt"); err == nil {
			t.Errorf("it counts while others can write to %s", dir)
		}
		os.Chmod(dir, 0o755)
	}
	if err := os.Rename(r.otherUploads, r.otherUploads+"2"); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(r.otherUploads+"2", r.otherUploads); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Upload("a.txt"); err == nil {
		t.Error("it counts when it is a link")
	}
}

func TestStageKeepsNamesAndContents(t *testing.T) {
	r := roots(t)
	put(t, filepath.Join(r.Uploads, "a.txt"), "a")
	staged, err := r.Stage([]string{"a.txt", "a.txt"})
	if err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(r.Uploads, "a.txt"), "changed since")
	for _, path := range staged.Paths {
		if got, err := os.ReadFile(path); err != nil || string(got) != "a" || filepath.Base(path) != "a.txt" || filepath.Base(filepath.Dir(path)) != "uploads" {
			t.Errorf("%s holds %q, %v; want the first a.txt", path, got, err)
		}
	}
	staged.Remove()
	again, err := r.Stage([]string{"a.txt"})
	if err != nil {
		t.Fatal(err)
	}
	empty(t, r.staging.dir, 1)
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	for _, path := range append(staged.Paths, again.Paths...) {
		if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("a copy was left: %v", err)
		}
	}
}

// empty checks that a folder has only this many entries.
func empty(t *testing.T, dir string, but int) {
	t.Helper()
	if left, err := os.ReadDir(dir); err != nil || len(left) != but {
		t.Errorf("%s has %v, %v; want %d", dir, left, err, but)
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
	if err != nil || filepath.Base(staged.Paths[0]) != "ab c.txt" {
		t.Fatalf("a browser gets %v, %v; want it under its own name", staged, err)
	}
	empty(t, r.Inbound, 1)
	staged.HandedOver()
	empty(t, r.Inbound, 0)
	if got, _ := os.ReadFile(staged.Paths[0]); string(got) != "sent" {
		t.Errorf("the copy holds %q", got)
	}
	if _, err := r.Stage([]string{reference}); err == nil || !strings.Contains(err.Error(), "was uploaded already") {
		t.Errorf("again: %v", err)
	}
	chat := put(t, filepath.Join(r.Inbound, "photo---5f0c9a52-9a0f-4c5e-8d7b-0123456789ab.jpg"), "of a chat")
	if staged, err = r.Stage([]string{chat, "media://inbound/" + filepath.Base(chat)}); err != nil {
		t.Fatal(err)
	}
	staged.HandedOver()
	empty(t, r.Inbound, 1)
}

// Records are saved below the folder of temporary files, and not in the folders for other files there.
func TestRecord(t *testing.T) {
	r := roots(t)
	if p, err := r.Record("t.zip"); err != nil || p.Path() != filepath.Join(r.Temp, "t.zip") {
		t.Errorf("%s, %v", p.Path(), err)
	}
	for _, path := range []string{"uploads/t.zip", filepath.Dir(r.Temp)} {
		if _, err := r.Record(path); err == nil {
			t.Errorf("%s is accepted", path)
		}
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
		strings.Repeat("n", 255): true, strings.Repeat("n", 256): false, strings.Repeat("n", 256) + "/x": false, strings.Repeat("n/", 3000) + "x": false,
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
	if err := p.Put(put(t, filepath.Join(r.staging.dir, "g"), "new")); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(p.Path()); string(got) != "new" {
		t.Errorf("got %q", got)
	}
}

// Programs that tidy /tmp remove folders that were not used for days. The next call makes them again.
func TestFoldersThatWereTidied(t *testing.T) {
	r := roots(t)
	for _, use := range []struct {
		name string
		do   func() error
	}{
		{"downloads", func() error {
			place, err := r.Download("a.txt")
			if err != nil {
				return err
			}
			return place.Put(put(t, filepath.Join(r.Temp, "staged", "1", "a.txt"), "a"))
		}},
		{"new downloads", func() error {
			return r.NewDownload("b.txt").Put(put(t, filepath.Join(r.Temp, "staged", "1", "b.txt"), "b"))
		}},
		{"staging", func() error { _, err := r.Staging(); return err }},
		{"inbound", func() error { _, err := r.Receive("c.txt", strings.NewReader("c")); return err }},
		{"traces", func() error {
			place, err := r.Trace("d.zip")
			if err != nil {
				return err
			}
			return place.Put(put(t, filepath.Join(r.Temp, "staged", "1", "d.zip"), "d"))
		}},
	} {
		t.Run(use.name, func(t *testing.T) {
			if err := os.RemoveAll(r.Temp); err != nil {
				t.Fatal(err)
			}
			if err := use.do(); err != nil {
				t.Error(err)
			}
		})
	}
	os.RemoveAll(r.Temp)
	if err := os.Symlink(t.TempDir(), r.Temp); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Download("a.txt"); err == nil {
		t.Error("a link in place of the folder is followed")
	}
}

// Paths that are too long for a file are refused at once with a clear message, and not later by the
// filesystem.
func TestLongPaths(t *testing.T) {
	r := roots(t)
	long := strings.Repeat("n", 300)
	for _, path := range []string{long, long + ".csv", filepath.Join(r.Downloads, long)} {
		if _, err := r.Download(path); err == nil || !strings.Contains(err.Error(), "too long") {
			t.Errorf("download: %v", err)
		}
	}
	for _, path := range []string{long, filepath.Join(r.Uploads, long), "sub/" + long, "media/inbound/" + long} {
		if _, err := r.Upload(path); err == nil || !errors.As(err, new(*PathError)) {
			t.Errorf("upload: %v", err)
		}
	}
}

// A download may be saved in a folder on another filesystem, or in one of OpenClaw's.
func TestDownloadElsewhere(t *testing.T) {
	r := roots(t)
	want := filepath.Join(r.otherDownloads, "report.csv")
	if _, err := r.Download(want); err == nil {
		t.Error("it counts where there is no OpenClaw")
	}
	if err := os.Mkdir(filepath.Dir(r.otherDownloads), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Download(want); err != nil {
		t.Errorf("with nothing but the folder above it: %v", err)
	}
	put(t, want, "old")
	p, err := r.Download(want)
	if err != nil || p.Path() != want {
		t.Fatalf("got %v, %v", p.Path(), err)
	}
	outside := *r
	outside.Temp, p.roots = r.staging.dir, &outside // as if the destination were on another filesystem
	from := put(t, filepath.Join(r.staging.dir, "g"), "new")
	if err := p.Put(from); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(want); string(got) != "new" {
		t.Errorf("got %q", got)
	}
	empty(t, r.otherDownloads, 1)
	empty(t, r.staging.dir, 0)
	if err := p.Put(want); err != nil { // a later call wants the finished download at the same path
		t.Error(err)
	}
	if got, _ := os.ReadFile(want); string(got) != "new" {
		t.Errorf("put at its own place, the file is %q", got)
	}
	if p, err := r.Download("report.csv"); err != nil || p.Path() != filepath.Join(r.Downloads, "report.csv") {
		t.Errorf("a relative path: %v, %v", p.Path(), err)
	}
}

func TestSafeName(t *testing.T) {
	for suggested, want := range map[string]string{
		"report.pdf": "report.pdf", "../../etc/passwd": "passwd", `C:\x\y.txt`: "y.txt", "..": fallback, "": fallback, "  ": fallback,
		".bashrc": "bashrc", "-rf": "rf", "a\x00b\n.txt": "ab.txt", "con": "con_", "NUL.txt": "NUL_.txt", "a\u202etxt.exe": "atxt.exe",
		"a/b/": "b", `we<i>rd:"name|?*.txt`: "weirdname.txt", "ok name.tar.gz": "ok name.tar.gz", "...": fallback,
		"inv.pdf" + strings.Repeat(" ", 100) + ".exe": "inv.pdf .exe", "inv.pdf\u2800\u3000\u3164\u00a0.exe": "inv.pdf .exe",
		"x.exe\ufe0f": "x.exe", "x.txt. . .": "x.txt", "COM¹.txt": "COM¹_.txt", "con .txt": "con _.txt", "conin$": "conin$_", " .-. -x": "x",
		`x [ref=e1]`: "x [ref_e1]", "x [re\u200bf=e1]": "x [ref_e1]",
	} {
		if got := safeName(suggested); got != want {
			t.Errorf("safeName(%q) = %q, want %q", suggested, got, want)
		}
	}
}

func FuzzSafeName(f *testing.F) {
	f.Add("report.pdf")
	f.Add(strings.Repeat("ü", 300) + ".tar.gz")
	f.Add("." + strings.Repeat("x", 400))
	f.Fuzz(func(t *testing.T, suggested string) {
		name := safeName(suggested)
		switch {
		case name == "", strings.ContainsAny(name[:1], ".- "), strings.HasSuffix(name, "."), strings.ContainsAny(name, "/\\\x00"):
			t.Errorf("%q gave %q", suggested, name)
		case len(name) > maxBytes-prefixLen, len(utf16.Encode([]rune(name))) > maxUnits:
			t.Errorf("%q gave a name of %d bytes", suggested, len(name))
		}
	})
}
