package profile

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// A trash is the folder that the data of removed profiles are moved to, so that a mistake can be
// undone by hand. It keeps the last ones and deletes those before.
type trash struct{ dir string }

// maxTrash is how many removed profiles are kept. The data of a profile are some tens of megabytes,
// or more.
const maxTrash = 10

// trashTime is how an entry ends: with the time at which it was removed.
const trashTime = "20060102-150405"

// entry returns the path of a new entry for a profile. Two entries of the same second have a number
// between name and time.
func (t trash) entry(profile string, now time.Time) (string, error) {
	if err := os.MkdirAll(t.dir, 0o700); err != nil {
		return "", err
	}
	for n := 1; ; n++ {
		name := profile
		if n > 1 {
			name = fmt.Sprintf("%s.%d", profile, n)
		}
		path := filepath.Join(t.dir, name+"-"+now.UTC().Format(trashTime))
		if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
			return path, nil
		} else if err != nil {
			return "", err
		}
	}
}

// take moves a folder of a profile into a new entry: below is its path in the entry, "" if it
// becomes the entry itself. It returns where the folder is now, "" if there was none.
func (t trash) take(profile, from, below string) (to string, err error) {
	if _, err := os.Lstat(from); errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	entry, err := t.entry(profile, time.Now())
	if err != nil {
		return "", err
	}
	to = filepath.Join(entry, below)
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return "", err
	}
	if err := os.Rename(from, to); err != nil {
		return "", err
	}
	return to, t.prune()
}

// prune deletes the oldest entries above maxTrash. What does not have the name of an entry was put
// there by somebody else, and stays.
func (t trash) prune() error {
	all, err := os.ReadDir(t.dir)
	if err != nil {
		return err
	}
	type removed struct {
		name string
		at   string
	}
	var entries []removed
	for _, e := range all {
		at := e.Name()[max(0, len(e.Name())-len(trashTime)):]
		if _, err := time.Parse(trashTime, at); err == nil {
			entries = append(entries, removed{e.Name(), at})
		}
	}
	slices.SortFunc(entries, func(a, b removed) int { return cmp.Or(cmp.Compare(b.at, a.at), cmp.Compare(b.name, a.name)) })
	var errs []error
	for _, e := range entries[min(maxTrash, len(entries)):] {
		errs = append(errs, os.RemoveAll(filepath.Join(t.dir, e.name)))
	}
	return errors.Join(errs...)
}
