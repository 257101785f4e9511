package files

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// A PathError says why a path may not be used.
type PathError struct {
	Message string
	Root    string // where the file has to be

	hint    string // what to do instead; "": put it there
	missing bool   // it might be elsewhere
}

func (e *PathError) Error() string { return e.Message }

// Hint says what to do instead.
func (e *PathError) Hint() string { return cmp.Or(e.hint, "put the file in "+e.Root) }

// tooLong refuses a path that no file can have.
func tooLong(root string) error {
	return &PathError{Message: "Invalid path: the name of a file or folder in it is too long", Root: root, hint: "use a shorter name: at most 255 bytes"}
}

// outside begins with the words that callers know, and names all folders that count.
func (r *Roots) outside() error {
	return &PathError{
		Message: fmt.Sprintf("Invalid path: must stay within inbound media directory (%s) or upload directory (%s)", r.Inbound, strings.Join(r.UploadRoots(), ", ")),
		Root:    r.Uploads,
	}
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
			if f, err := r.below(r.Uploads, path); err == nil {
				return f, nil
			}
			return r.inbound(path, id)
		}
	}
	var missing error
	for _, root := range r.UploadRoots() {
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
	if e, ok := errors.AsType[*PathError](err); ok && e.missing && given(id) != id {
		return nil, &PathError{Message: "Invalid media reference: " + source + " was uploaded already, or was too old or too large to be kept", Root: r.Uploads, hint: "send the file again"}
	}
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
	if errors.Is(err, syscall.ENAMETOOLONG) {
		return nil, tooLong(root)
	}
	if err != nil {
		return nil, r.outside()
	}
	return f, nil
}

func openIn(dir, name string) (*os.File, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return openPlain(root, name)
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
