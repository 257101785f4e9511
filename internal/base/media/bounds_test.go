package media

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// aged writes a file of a size, and sets its time to age ago.
func aged(t *testing.T, path string, size int, age time.Duration) {
	t.Helper()
	put(t, path, strings.Repeat("x", size))
	then := time.Now().Add(-age)
	if err := os.Chtimes(path, then, then); err != nil {
		t.Fatal(err)
	}
}

func names(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// Of files that others have removed, such as uploads that were used, nothing is remembered.
func TestRemovedFilesAreForgotten(t *testing.T) {
	b := &boundedFolder{dir: t.TempDir(), bounds: Bounds{MaxAge: time.Hour, MaxBytes: 1000}}
	for i := range 10 {
		path := filepath.Join(b.dir, strconv.Itoa(i))
		aged(t, path, 1, 0)
		b.add(filepath.Base(path))
		if i < 9 {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
		}
	}
	if len(b.written) != 1 || !b.written["9"] {
		t.Errorf("remembered: %v", b.written)
	}
}

// From each folder, files that are too old are removed, and the oldest files beyond its size limit.
// This happens at the start, and whenever a file is added.
func TestBounds(t *testing.T) {
	for name, dir := range map[string]func(*Roots) string{
		"pictures":  func(r *Roots) string { return r.Pictures },
		"inbound":   func(r *Roots) string { return r.Inbound },
		"downloads": func(r *Roots) string { return r.Downloads },
	} {
		t.Run(name, func(t *testing.T) {
			r := roots(t)
			dir := dir(r)
			aged(t, filepath.Join(dir, "old"), 1, 2*time.Hour)
			aged(t, filepath.Join(dir, "a"), 400, 50*time.Minute)
			aged(t, filepath.Join(dir, "b"), 400, 40*time.Minute)
			r.bound(Bounds{MaxAge: time.Hour, MaxBytes: 1000})
			r.tidy()
			if got := names(t, dir); !slices.Equal(got, []string{"a", "b"}) {
				t.Fatalf("after the start there are %v", got)
			}
			aged(t, filepath.Join(dir, "c"), 400, 0)
			r.added(filepath.Join(dir, "c"))
			if got := names(t, dir); !slices.Equal(got, []string{"b", "c"}) {
				t.Errorf("after one more there are %v", got)
			}
			aged(t, filepath.Join(dir, "large"), 2000, 0)
			r.added(filepath.Join(dir, "large"))
			if got := names(t, dir); !slices.Equal(got, []string{"large"}) {
				t.Errorf("after a large one there are %v", got)
			}
		})
	}
}

// The times of files have steps of some milliseconds, so several files may have the same time.
func TestBoundsAtOneTime(t *testing.T) {
	r := roots(t)
	r.bound(Bounds{MaxAge: time.Hour, MaxBytes: 1000})
	then := time.Now()
	for _, name := range []string{"first", "second"} {
		file := filepath.Join(r.Inbound, name)
		put(t, file, strings.Repeat("x", 700))
		if err := os.Chtimes(file, then, then); err != nil {
			t.Fatal(err)
		}
		r.added(file)
	}
	if got := names(t, r.Inbound); !slices.Equal(got, []string{"second"}) {
		t.Errorf("there are %v", got)
	}
}

func TestBoundsSpareWhatOthersKeep(t *testing.T) {
	r := roots(t)
	const chat, sent = "photo---5f0c9a52-9a0f-4c5e-8d7b-0123456789ab.jpg", "0123456789abcdef0123456789abcdef-photo.jpg"
	aged(t, filepath.Join(r.Inbound, chat), 1, 99*time.Hour)
	aged(t, filepath.Join(r.Inbound, sent), 1, 99*time.Hour)
	aged(t, filepath.Join(r.Downloads, "of another server"), 9, time.Minute)
	aged(t, filepath.Join(r.Downloads, "sub", "of another server, long ago"), 9, time.Hour)
	aged(t, filepath.Join(r.Uploads, "a user's"), 9, 99*time.Hour)
	r.bound(Bounds{MaxAge: time.Hour, MaxBytes: 1})
	r.tidy()
	for dir, want := range map[string][]string{r.Inbound: {chat}, r.Downloads: {"of another server", "sub"}, r.Uploads: {"a user's"}} {
		if got := names(t, dir); !slices.Equal(got, want) {
			t.Errorf("%s has %v, want %v", dir, got, want)
		}
	}
	empty(t, filepath.Join(r.Downloads, "sub"), 0)
}

// Most writes do not read the folder, however many files it has.
func TestBoundsAreCheap(t *testing.T) {
	r := roots(t)
	for i := range 3 * filesPerWrite {
		aged(t, filepath.Join(r.Pictures, strconv.Itoa(i)), 1, 0)
	}
	r.bound(Bounds{MaxAge: time.Hour, MaxBytes: 3 * filesPerWrite})
	r.tidy()
	for range 3 {
		if _, err := r.SavePicture([]byte("x"), "png"); err != nil {
			t.Fatal(err)
		}
	}
	empty(t, r.Pictures, 3*filesPerWrite+3)
	if _, err := r.SavePicture([]byte("x"), "png"); err != nil {
		t.Fatal(err)
	}
	empty(t, r.Pictures, 3*filesPerWrite)
}
