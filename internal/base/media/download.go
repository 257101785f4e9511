package media

import (
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// A Place says where a download is saved when it is complete. It is checked when it is chosen, and
// again when the file is moved there. A download may take an hour, in which the folder can change.
type Place struct {
	roots *Roots
	root  string // one of the folders for such files
	rel   string // the file, relative to root
	kind  string // name of the folder in messages: downloads, trace
}

// Path returns the absolute path of the file.
func (p Place) Path() string { return filepath.Join(p.root, p.rel) }

// Download checks the path at which a caller wants a download to be saved. The path must be in an
// existing folder below the downloads folder, or below OpenClaw's downloads folder if it is
// absolute. A relative path is relative to the downloads folder. An existing plain file is
// replaced, as callers download the same file again. A link is not replaced, since writing through
// it would change a file elsewhere. The error is a [*PathError].
func (r *Roots) Download(path string) (Place, error) {
	return r.place(Place{roots: r, root: r.Downloads, kind: "downloads"}, r.otherDownloads, path)
}

// place checks a path below p.root, or an absolute path in one of OpenClaw's folders.
func (r *Roots) place(p Place, other, path string) (Place, error) {
	var ok bool
	if p.rel, ok = within(p.root, path); !ok && filepath.IsAbs(path) {
		if rel, inside := within(other, path); inside && isUsableOpenClawDir(other) {
			p.root, p.rel, ok = other, rel, true
		}
	}
	if !ok {
		return Place{}, p.refusalOf(errOutsideRoot)
	}
	if err := p.refusalOf(p.check()); err != nil {
		return Place{}, err
	}
	return p, nil
}

// isUsableOpenClawDir reports whether files may be put into a folder of OpenClaw. It makes the
// folder if only that is missing. A restart of the machine empties /tmp, and OpenClaw makes the
// folder only when it starts a browser. With chela it starts none.
func isUsableOpenClawDir(dir string) bool {
	if isOurs(filepath.Dir(dir)) {
		os.Mkdir(dir, 0o700) // if this fails, trusted returns false
	}
	return trusted(dir)
}

// refusalOf converts an error of check into the error for the caller; nil stays nil. The message is
// OpenClaw's, so the hint says what is wrong with a path inside the folder.
func (p Place) refusalOf(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, syscall.ENAMETOOLONG):
		return tooLong(p.root)
	}
	hint, _ := errors.AsType[notPlain](err)
	if errors.Is(err, fs.ErrNotExist) {
		hint = notPlain("make the folder " + filepath.Dir(p.Path()) + " first")
	}
	return &PathError{Message: "Invalid path: must stay within " + p.kind + " directory", Root: p.root, hint: string(hint)}
}

// NewDownload returns a new place for a download, under a name like the one that the web server
// suggested. The suggestion comes from the web (Content-Disposition, the address), so it is made
// safe. The random part before it distinguishes two downloads of one name.
func (r *Roots) NewDownload(suggested string) Place {
	return Place{r, r.Downloads, UniqueName(suggested), "downloads"}
}

// check returns an error if no file may be put at the place.
func (p Place) check() error {
	parent, err := p.parent()
	if err != nil {
		return err
	}
	return parent.Close()
}

// parent opens the folder of the file. It returns an error if a link leads there, or if something
// other than a plain file is at the place. A file with several hard links is refused like a
// symbolic link, because a file elsewhere has the same contents. The caller closes the folder.
func (p Place) parent() (*os.Root, error) {
	if p.root == p.roots.Downloads || p.root == p.roots.Temp {
		if err := p.roots.makeAgain(p.root); err != nil {
			return nil, err
		}
	}
	dir, err := os.OpenRoot(p.root)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	parent, err := plainDir(dir, filepath.Dir(p.rel))
	if err != nil {
		return nil, err
	}
	info, err := parent.Lstat(filepath.Base(p.rel))
	if err == nil {
		err = checkPlain(p.rel, info)
	} else if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	if err != nil {
		parent.Close()
		return nil, err
	}
	return parent, nil
}

// plainDir opens a folder below dir; it is an error when a link is on its path. The path is checked
// again after the folder was opened, because a link to another folder below dir may have stood
// there for a moment.
func plainDir(dir *os.Root, rel string) (*os.Root, error) {
	if err := plainPath(dir, rel); err != nil {
		return nil, err
	}
	opened, err := dir.OpenRoot(rel)
	if err != nil {
		return nil, err
	}
	there, err := dir.Lstat(rel)
	is, failed := opened.Stat(".")
	if err := errors.Join(err, failed, plainPath(dir, rel)); err != nil || !os.SameFile(there, is) {
		opened.Close()
		return nil, cmp.Or(err, fmt.Errorf("%s changed while it was opened", rel))
	}
	return opened, nil
}

// plainPath returns an error unless there are only folders on a path below dir.
func plainPath(dir *os.Root, rel string) error {
	for at := rel; at != "."; at = filepath.Dir(at) {
		info, err := dir.Lstat(at)
		if err != nil {
			return err
		}
		if !info.IsDir() {
			return notPlain(at + " is not a folder")
		}
	}
	return nil
}

// Put moves a complete file from the temporary folder to the place, and replaces the file that was
// there. If the place has become unusable since it was checked, the error is a [*PathError]. Other
// errors come from the file system.
func (p Place) Put(from string) error {
	if err := p.refusalOf(p.check()); err != nil {
		return err
	}
	move := p.copy
	if _, ok := within(p.roots.Temp, p.Path()); ok {
		move = p.rename
	}
	if err := move(from); err != nil {
		return err
	}
	p.roots.added(p.Path())
	return nil
}

// rename moves a file within the temporary folder. Both paths are resolved below it by [os.Root],
// so no link can lead out of it. Readers of the folder see the move as one step. The mode 0600
// replaces the one that the browser chose.
func (p Place) rename(from string) error {
	temp, err := os.OpenRoot(p.roots.Temp)
	if err != nil {
		return err
	}
	defer temp.Close()
	source, ok := within(p.roots.Temp, from)
	if !ok {
		return fmt.Errorf("%s is not below %s", from, p.roots.Temp)
	}
	dest, _ := within(p.roots.Temp, p.Path())
	if err := temp.Chmod(source, 0o600); err != nil {
		return err
	}
	return temp.Rename(source, dest)
}

// copy moves a file to a folder that may be on another file system, where rename does not work. It
// copies the file to a temporary name in that folder and renames it, so that nobody reads an
// incomplete file. If it fails, the download is still in the temporary folder.
func (p Place) copy(from string) error {
	parent, err := p.parent()
	if err != nil {
		return err
	}
	defer parent.Close()
	source, err := openIn(filepath.Dir(from), filepath.Base(from))
	if err != nil {
		return err
	}
	defer source.Close()
	is, err := source.Stat()
	if err != nil {
		return err
	}
	name := filepath.Base(p.rel)
	if there, err := parent.Lstat(name); err == nil && os.SameFile(there, is) {
		return nil // the file is at the place already
	}
	partial := "." + rand.Text()
	if err := write(parent, partial, source); err != nil {
		return err
	}
	if err := parent.Rename(partial, name); err != nil {
		parent.Remove(partial)
		return err
	}
	return os.Remove(from)
}
