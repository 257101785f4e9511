package files

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
)

// A PathError says why a path may not be used.
type PathError struct {
	Message string
	Root    string // where the file has to be

	missing bool // it might be elsewhere
}

func (e *PathError) Error() string { return e.Message }

// Hint says what to do instead.
func (e *PathError) Hint() string { return "put the file in " + e.Root }

func (r *Roots) outside() error {
	return &PathError{Message: fmt.Sprintf("Invalid path: must stay within inbound media directory (%s)", r.Inbound), Root: r.Uploads[0]}
}

// Upload opens a file that a caller wants to upload: below an upload root, or
// one that was sent to the server. The file exists, is regular, has one name,
// and no link leads to it.
func (r *Roots) Upload(path string) (*os.File, error) {
	path = strings.TrimSpace(path)
	path = strings.TrimPrefix(path, "MEDIA:")
	if reference, ok := strings.CutPrefix(path, "media://"); ok {
		return r.reference(path, reference)
	}
	for _, prefix := range []string{"media/inbound/", "./media/inbound/"} {
		if id, ok := strings.CutPrefix(path, prefix); ok {
			if f, err := r.below(r.Uploads[0], path); err == nil {
				return f, nil
			}
			return r.inbound(path, id)
		}
	}
	var missing error
	for _, root := range r.Uploads {
		f, err := r.below(root, path)
		if e, ok := errors.AsType[*PathError](err); ok && e.missing {
			missing = cmp.Or(missing, err)
		} else if !errors.Is(err, errElsewhere) {
			return f, err
		}
	}
	if missing != nil {
		return nil, missing
	}
	if id, ok := within(r.Inbound, path); ok && filepath.IsAbs(path) {
		if strings.ContainsRune(id, filepath.Separator) {
			return nil, &PathError{Message: fmt.Sprintf("Invalid media reference: must be a direct child of inbound media directory (%s)", r.Inbound), Root: r.Inbound}
		}
		return r.inbound(path, id)
	}
	return nil, r.outside()
}

func (r *Roots) reference(source, reference string) (*os.File, error) {
	location, id, _ := strings.Cut(reference, "/")
	if location != "inbound" {
		return nil, &PathError{Message: "Unsupported media reference location: " + location, Root: r.Inbound}
	}
	id, err := url.PathUnescape(id)
	if err != nil {
		return nil, &PathError{Message: "Invalid media reference: " + source, Root: r.Inbound}
	}
	return r.inbound(source, id)
}

func (r *Roots) inbound(source, id string) (*os.File, error) {
	if id == "" || id == "." || id == ".." || strings.ContainsAny(id, "/\\\x00") {
		return nil, &PathError{Message: "Invalid media reference: " + source, Root: r.Inbound}
	}
	f, err := r.below(r.Inbound, id)
	if err != nil {
		return nil, r.outside()
	}
	return f, nil
}

var errElsewhere = errors.New("not in this folder")

// below opens a file below a root, step by step, following no link.
func (r *Roots) below(root, path string) (*os.File, error) {
	rel, ok := within(root, path)
	if !ok {
		return nil, errElsewhere
	}
	dir, err := os.OpenRoot(root)
	if err != nil {
		return nil, errElsewhere
	}
	defer dir.Close()
	f, err := openPlain(dir, rel)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &PathError{Message: fmt.Sprintf("File not found in %s: %s", root, rel), Root: root, missing: true}
	}
	if err != nil {
		return nil, r.outside()
	}
	return f, nil
}

// openPlain opens a regular file with one name whose path has no links. What
// was looked at is what was opened: a swap in between is noticed.
func openPlain(dir *os.Root, rel string) (*os.File, error) {
	steps := strings.Split(filepath.ToSlash(rel), "/")
	for i := range steps {
		info, err := dir.Lstat(filepath.Join(steps[:i+1]...))
		if err != nil {
			return nil, err
		}
		if info.Mode()&fs.ModeSymlink != 0 {
			return nil, fmt.Errorf("%s is a link", info.Name())
		}
	}
	before, err := dir.Lstat(rel)
	if err != nil {
		return nil, err
	}
	if !before.Mode().IsRegular() || links(before) != 1 {
		return nil, fmt.Errorf("%s is not a plain file", rel)
	}
	f, err := dir.Open(rel)
	if err != nil {
		return nil, err
	}
	if after, err := f.Stat(); err != nil || !os.SameFile(before, after) || links(after) != 1 {
		f.Close()
		return nil, fmt.Errorf("%s changed while it was opened", rel)
	}
	return f, nil
}

// within returns a path relative to a root that it is below; relative paths are.
func within(root, path string) (string, bool) {
	if path == "" || strings.ContainsRune(path, 0) {
		return "", false
	}
	if filepath.IsAbs(path) {
		rel, err := filepath.Rel(root, filepath.Clean(path))
		if err != nil {
			return "", false
		}
		path = rel
	} else {
		path = filepath.Clean(path)
	}
	return path, path != "." && filepath.IsLocal(path)
}

// Stage gives a browser copies of files of its own, under their names, and
// returns their paths. They are in one folder, but for those whose name another
// has. All are opened before the first is copied.
func (r *Roots) Stage(paths []string) ([]string, error) {
	var open []*os.File
	defer func() {
		for _, f := range open {
			f.Close()
		}
	}()
	for _, path := range paths {
		f, err := r.Upload(path)
		if err != nil {
			return nil, err
		}
		open = append(open, f)
	}
	dir, err := r.stagedFolder()
	if err != nil {
		return nil, err
	}
	var staged []string
	for _, f := range open {
		path, err := r.copy(dir, f)
		if err != nil {
			return nil, err
		}
		staged = append(staged, path)
	}
	return staged, nil
}

// stagedFolder makes an empty folder of a name that a page may see.
func (r *Roots) stagedFolder() (string, error) {
	parent, err := r.Staging()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(parent, "uploads")
	return dir, os.Mkdir(dir, 0o700)
}

func (r *Roots) copy(dir string, from *os.File) (string, error) {
	path := filepath.Join(dir, given(filepath.Base(from.Name())))
	err := write(path, from)
	if !errors.Is(err, fs.ErrExist) {
		return path, err
	}
	if dir, err = r.stagedFolder(); err != nil {
		return "", err
	}
	return r.copy(dir, from)
}

// Receive keeps a file that a caller sends, and returns what to call it by.
func (r *Roots) Receive(name string, content io.Reader) (string, error) {
	id := unique(name)
	if err := write(filepath.Join(r.Inbound, id), content); err != nil {
		return "", err
	}
	return "media://inbound/" + url.PathEscape(id), nil
}

// write makes a new private file.
func write(path string, content io.Reader) (err error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, content)
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		os.Remove(path)
	}
	return err
}
