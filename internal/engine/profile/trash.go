package profile

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// A trash is a folder to which data of profiles are moved, so that a mistake can be undone by hand. It
// keeps the newest maxTrash entries.
type trash struct{ dir string }

// trash returns the folder for what is reset and deleted.
func (p *Profile) trash() trash { return trash{filepath.Join(p.config.State().Dir, "trash")} }

// outdated returns the folder for data of portable profiles that are replaced by those of another
// machine. They are apart: no number of moves must push out what the user may want back.
func (p *Profile) outdated() trash { return trash{filepath.Join(p.trash().dir, "moved")} }

// maxTrash is how many removed profiles are kept. The data of a profile are some tens of megabytes,
// or more.
const maxTrash = 10

// trashTime is the layout of the time at the end of an entry's name: when its data were removed.
const trashTime = "20060102-150405"

// entry returns the path of a new entry for a profile. If there already is an entry of the same
// second, the name has a number before the time.
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

// take moves a folder of a profile into a new entry of the trash. The parameter from is the path of
// the folder, and below is its path in the entry. If below is "", the folder becomes the entry
// itself. The result is the new path, or "" if there was no such folder. That older entries could not
// be deleted is only logged.
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
		os.Remove(entry) // empty, or not there
		return "", err
	}
	if err := t.prune(); err != nil {
		slog.Warn("old entries of the trash cannot be deleted", "dir", t.dir, "error", err)
	}
	return to, nil
}

// prune deletes the oldest entries if there are more than maxTrash. It leaves files whose name is
// not that of an entry, since somebody else put them there.
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
