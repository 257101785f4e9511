package media

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Whatever path a caller gives, only plain files are read and only the downloads folder is written
// to. The files are in a folder for uploads, or were sent to the server.
func FuzzPaths(f *testing.F) {
	for _, path := range []string{
		"a.txt", "sub/b.txt", "../secret", "media://inbound/c.txt", "MEDIA:media/inbound/c.txt", "media://inbound/..%2fsecret", "link", "dir/secret",
		"./media/inbound/../../secret", "%T/secret", "%T/uploads/../secret", "media://inbound/%2e%2e", "a.txt/", "\x00", "media://other/x", "again.txt",
	} {
		f.Add(path)
	}
	f.Fuzz(func(t *testing.T, path string) {
		r := roots(t)
		put(t, filepath.Join(r.Uploads, "a.txt"), "open")
		put(t, filepath.Join(r.Uploads, "sub", "b.txt"), "open")
		put(t, filepath.Join(r.Inbound, "c.txt"), "open")
		secret := put(t, filepath.Join(r.Temp, "secret"), "secret")
		for link, to := range map[string]string{"link": secret, "dir": r.Temp, "inner": "a.txt"} {
			if err := os.Symlink(to, filepath.Join(r.Uploads, link)); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Link(secret, filepath.Join(r.Uploads, "again.txt")); err != nil {
			t.Fatal(err)
		}
		path = strings.ReplaceAll(path, "%T", r.Temp)
		if file, err := r.Upload(path); err == nil {
			content, err := io.ReadAll(file)
			file.Close()
			if string(content) != "open" || err != nil {
				t.Errorf("%q reads %q, %v", path, content, err)
			}
		}
		place, err := r.Download(path)
		if err != nil {
			return
		}
		if rel, err := filepath.Rel(r.Downloads, place.Path()); err != nil || !filepath.IsLocal(rel) || rel == "." {
			t.Errorf("%q is written to %q", path, place.Path())
		}
	})
}
