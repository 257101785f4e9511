package media

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

// A PathError says why a path that a caller named may not be used.
type PathError struct {
	Message string
	Root    string // the folder that the file has to be in

	hint    string // what the caller can do instead; "": put the file into Root
	missing bool   // there is no such file in Root; there may be one in another root
}

func (e *PathError) Error() string { return e.Message }

// Hint says what to do instead.
func (e *PathError) Hint() string { return cmp.Or(e.hint, "put the file in "+e.Root) }

// A notPlain says why a path does not lead to a plain file. It is the hint of the [PathError].
type notPlain string

func (n notPlain) Error() string { return string(n) }

// checkPlain returns a [notPlain] unless a path leads to a regular file with one hard link.
func checkPlain(path string, info fs.FileInfo) error {
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		return notPlain(path + " is a symbolic link: use the file itself")
	case info.IsDir():
		return notPlain(path + " is a folder: name a file in it")
	case !info.Mode().IsRegular():
		return notPlain(path + " is not a regular file")
	case links(info) != 1:
		return notPlain(path + " has more than one hard link")
	}
	return nil
}

// tooLong returns the error for a path with a name that is longer than file systems allow.
func tooLong(root string) error {
	const message = "Invalid path: the name of a file or folder in it is too long"
	return &PathError{Message: message, Root: root, hint: "use a shorter name: at most 255 bytes"}
}

// refused returns the error for a path that does not lead to a plain file in a folder for uploads.
// The message names these folders, and begins like OpenClaw's. The hint is why, if that is a
// [notPlain].
func (r *Roots) refused(why error) error {
	const message = "Invalid path: must stay within inbound media directory (%s) or upload directory (%s)"
	hint, _ := errors.AsType[notPlain](why)
	return &PathError{Message: fmt.Sprintf(message, r.Inbound, strings.Join(r.UploadRoots(), ", ")), Root: r.Uploads, hint: string(hint)}
}

// Upload opens a file that a caller wants to upload: one in a folder for uploads, or one that was
// sent to the server. It must be a regular file with one hard link, and no symbolic link may be on
// its path. A path has one of the forms of OpenClaw: relative to a folder for uploads, absolute
// inside of one, media://inbound/name, or media/inbound/name. Each form may have the prefix MEDIA:.
// The error is a [*PathError]. If the file does not exist, the error names the first folder that
// was searched. The caller closes the file and reads from it, and does not open the path again.
func (r *Roots) Upload(path string) (*os.File, error) {
	path = strings.TrimSpace(path)
	path = strings.TrimPrefix(path, "MEDIA:")
	if reference, ok := strings.CutPrefix(path, "media://"); ok {
		return r.openReference(path, reference)
	}
	for _, prefix := range []string{"media/inbound/", "./media/inbound/"} {
		if id, ok := strings.CutPrefix(path, prefix); ok {
			if f, err := r.openBelow(r.Uploads, path); err == nil {
				return f, nil
			}
			return r.openInbound(path, id)
		}
	}
	var missing error
	for _, root := range r.UploadRoots() {
		f, err := r.openBelow(root, path)
		if e, ok := errors.AsType[*PathError](err); ok && e.missing {
			missing = cmp.Or(missing, err)
		} else if !errors.Is(err, errOutsideRoot) {
			return f, err
		}
	}
	if missing != nil {
		return nil, missing
	}
	if id, ok := within(r.Inbound, path); ok && filepath.IsAbs(path) {
		if strings.ContainsRune(id, filepath.Separator) {
			const message = "Invalid media reference: must be a direct child of inbound media directory (%s)"
			return nil, &PathError{Message: fmt.Sprintf(message, r.Inbound), Root: r.Inbound}
		}
		return r.openInbound(path, id)
	}
	return nil, r.refused(errOutsideRoot)
}

// openReference opens the file of a reference such as media://inbound/name; the parameter source is
// the whole reference, for messages.
func (r *Roots) openReference(source, reference string) (*os.File, error) {
	location, id, _ := strings.Cut(reference, "/")
	if location != "inbound" {
		return nil, &PathError{Message: "Unsupported media reference location: " + location, Root: r.Inbound}
	}
	id, err := url.PathUnescape(id)
	if err != nil {
		return nil, &PathError{Message: "Invalid media reference: " + source, Root: r.Inbound}
	}
	return r.openInbound(source, id)
}

// openInbound opens a file that was sent to the server, by its name there. Files lie directly in
// the folder, so a name with a separator is refused before it is looked for. A file that has gone
// gets an error of its own, since the usual reason is a reference that was used before.
func (r *Roots) openInbound(source, id string) (*os.File, error) {
	if id == "" || id == "." || id == ".." || strings.ContainsAny(id, "/\\\x00") {
		return nil, &PathError{Message: "Invalid media reference: " + source, Root: r.Inbound}
	}
	f, err := r.openBelow(r.Inbound, id)
	if e, ok := errors.AsType[*PathError](err); ok && e.missing && SuggestedName(id) != id {
		message := "Invalid media reference: " + source + " was uploaded already, or was too old or too large to be kept"
		return nil, &PathError{Message: message, Root: r.Uploads, hint: "send the file again"}
	}
	if err != nil {
		return nil, r.refused(err)
	}
	return f, nil
}

// errOutsideRoot means that a path is not inside the root.
var errOutsideRoot = errors.New("not in this folder")

// openBelow opens a file below a root without following links. It returns
// errOutsideRoot, or a [*PathError].
func (r *Roots) openBelow(root, path string) (*os.File, error) {
	rel, ok := within(root, path)
	if !ok {
		return nil, errOutsideRoot
	}
	dir, err := os.OpenRoot(root)
	if err != nil {
		return nil, errOutsideRoot
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
		return nil, r.refused(err)
	}
	return f, nil
}

// OpenMade opens a file that chela has made. The same rules apply as for files of callers. Errors
// come from the file system.
func OpenMade(path string) (*os.File, error) { return openIn(filepath.Dir(path), filepath.Base(path)) }

// openIn opens a file directly in the folder dir, by the rules of openPlain.
func openIn(dir, name string) (*os.File, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return openPlain(root, name)
}

// openPlain opens a regular file with one hard link and no symbolic link on its path. It compares
// the opened file with the one that was checked, so a file that was exchanged in between is an
// error. [os.Root] already keeps a symbolic link from leading out of the folder. The comparison
// also notices a hard link to a file elsewhere that was put in place just after the check. If that
// hard link is removed again at once, the opened file has only one link left and looks plain. So
// the path is checked once more, and must still lead to the opened file. Linux lowers the number of
// links before it takes away the name, and in that moment the checks would pass. So the folder is
// read before them: Linux lets nobody read a folder while a name in it is being removed. A named
// pipe in place of the file does not delay the call, because it is opened without waiting for a
// writer.
func openPlain(dir *os.Root, rel string) (*os.File, error) {
	steps := strings.Split(filepath.ToSlash(rel), "/")
	for i := range steps {
		step := filepath.Join(steps[:i+1]...)
		info, err := dir.Lstat(step)
		if err != nil {
			return nil, err
		}
		if info.Mode()&fs.ModeSymlink != 0 {
			return nil, checkPlain(step, info)
		}
	}
	before, err := dir.Lstat(rel)
	if err != nil {
		return nil, err
	}
	if err := checkPlain(rel, before); err != nil {
		return nil, err
	}
	f, err := dir.OpenFile(rel, os.O_RDONLY|noWait, 0)
	if err != nil {
		return nil, err
	}
	if folder, err := dir.Open(filepath.Dir(rel)); err == nil {
		folder.Readdirnames(1) // waits for a removal that is under way
		folder.Close()
	}
	for _, stat := range []func() (fs.FileInfo, error){f.Stat, func() (fs.FileInfo, error) { return dir.Lstat(rel) }} {
		if after, err := stat(); err != nil || !os.SameFile(before, after) || links(after) != 1 {
			f.Close()
			return nil, fmt.Errorf("%s changed while it was opened", rel)
		}
	}
	return f, nil
}

// within returns path relative to root, and false if it is not below root. A relative path is taken
// to be relative to root. It compares names only and follows no links; "..", even where it leads
// out of the root and back into it, is resolved first. A NUL byte would end the path for the
// system.
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
