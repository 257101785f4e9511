package media

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestTracePaths(t *testing.T) {
	r := roots(t)
	put(t, filepath.Join(r.Temp, "sub", "old.zip"), "old")
	for _, path := range []string{"staged-1-2/my.zip", "uploads/cv.pdf", "downloads/report.csv", "fetched/picture.png"} {
		put(t, filepath.Join(r.Temp, path), "of another call")
	}
	if err := os.Symlink(t.TempDir(), filepath.Join(r.Temp, "link")); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"my.zip":                        filepath.Join(r.Temp, "my.zip"),
		"sub/old.zip":                   filepath.Join(r.Temp, "sub", "old.zip"),
		filepath.Join(r.Temp, "my.zip"): filepath.Join(r.Temp, "my.zip"),
		"../my.zip":                     "",
		"/etc/my.zip":                   "",
		".":                             "",
		"sub":                           "",
		"none/my.zip":                   "",
		"link/my.zip":                   "",
		"staged-1-2/my.zip":             "",
		"uploads/cv.pdf":                "",
		"downloads/report.csv":          "",
		"fetched/picture.png":           "",
	} {
		place, err := r.Trace(path)
		if refused, ok := errors.AsType[*PathError](err); ok && want == "" {
			if refused.Message != "Invalid path: must stay within trace directory" {
				t.Errorf("%s: %s", path, refused.Message)
			}
		} else if err != nil || place.Path() != want {
			t.Errorf("%s: got %s, %v, want %s", path, place.Path(), err, want)
		}
	}
	place, err := r.Trace("")
	name := regexp.MustCompile(`^browser-trace-[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\.zip$`)
	if err != nil || !name.MatchString(filepath.Base(place.Path())) || filepath.Dir(place.Path()) != r.Temp {
		t.Errorf("by default it is %s, %v", place.Path(), err)
	}
	if err := place.Put(put(t, filepath.Join(r.staging.dir, "trace.zip"), "new")); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(place.Path()); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("saved as %v, %v", info.Mode(), err)
	}
}

// Old traces are removed, and nothing else that is in the same folder.
func TestTraceBounds(t *testing.T) {
	r := roots(t)
	const old, kept = "browser-trace-0123abcd-0123-4567-89ab-0123456789ab.zip", "browser-trace-0123abcd-0123-4567-89ab-0123456789ac.zip"
	for _, name := range []string{old, kept, "named.zip"} {
		put(t, filepath.Join(r.Temp, name), strings.Repeat("x", 400))
	}
	put(t, filepath.Join(r.Uploads, "large"), strings.Repeat("x", 5000))
	long := time.Now().Add(-2 * time.Hour)
	for _, path := range []string{filepath.Join(r.Temp, old), filepath.Join(r.Temp, "named.zip"), filepath.Join(r.Uploads, "large")} {
		if err := os.Chtimes(path, long, long); err != nil {
			t.Fatal(err)
		}
	}
	r.bound(Bounds{MaxAge: time.Hour, MaxBytes: 1000})
	r.tidy()
	if got := names(t, r.Temp); slices.Contains(got, old) || !slices.Contains(got, kept) || !slices.Contains(got, "named.zip") {
		t.Errorf("there are %v", got)
	}
	if got := names(t, r.Uploads); !slices.Equal(got, []string{"large"}) {
		t.Errorf("uploads are %v", got)
	}
}
