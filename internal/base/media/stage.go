package media

import (
	"errors"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
)

// Staged are copies of files, made for a browser to read. The browser reads a file by its path when
// the page asks for the contents, which may be much later. A copy in a private folder is then still
// the file that was checked.
type Staged struct {
	Paths []string // paths of the copies

	dir  string   // contains the copies
	sent []string // the originals of files that callers had sent to the server
}

// Remove removes the copies. It is called when the browser no longer needs them.
func (s *Staged) Remove() { os.RemoveAll(s.dir) }

// HandedOver removes the originals that callers had sent to the server, since the page has the
// copies now: a reference (media://inbound/...) can be used once.
func (s *Staged) HandedOver() {
	for _, path := range s.sent {
		os.Remove(path)
	}
}

// Stage copies files for a browser, under their own names. All are opened before the first is
// copied, so that an error leaves nothing half done. Errors come from [Roots.Upload] and the file
// system.
func (r *Roots) Stage(paths []string) (_ *Staged, err error) {
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
	s := new(Staged)
	if s.dir, err = r.Staging(); err != nil {
		return nil, err
	}
	for _, f := range open {
		if err := s.add(r, f); err != nil {
			s.Remove()
			return nil, err
		}
	}
	return s, nil
}

// add copies a file to <dir>/1/uploads/. If a file of the same name is there, it copies the file to
// <dir>/2/uploads/, and so on. The last folder is always called uploads. A page can see its name, by
// webkitRelativePath of an input for folders, and the name must not reveal anything about this machine.
func (s *Staged) add(r *Roots, from *os.File) error {
	name := filepath.Base(from.Name())
	if SuggestedName(name) != name && filepath.Dir(from.Name()) == r.Inbound {
		s.sent = append(s.sent, from.Name())
		name = SuggestedName(name)
	}
	for n := 1; ; n++ {
		dir := filepath.Join(s.dir, strconv.Itoa(n), "uploads")
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return err
		}
		err := writeIn(dir, name, from)
		if err == nil {
			s.Paths = append(s.Paths, filepath.Join(dir, name))
		}
		if !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
}

// Receive saves a file that a caller sends, and returns a reference to it for [Roots.Upload]:
// media://inbound/ and its name. Errors come from the file system. The stored name is a random part
// and the given name, which the page will see later. A file whose transfer breaks off is removed.
func (r *Roots) Receive(name string, content io.Reader) (string, error) {
	if err := r.makeAgain(r.Inbound); err != nil {
		return "", err
	}
	id := UniqueName(name)
	if err := writeIn(r.Inbound, id, content); err != nil {
		return "", err
	}
	r.added(filepath.Join(r.Inbound, id))
	return "media://inbound/" + url.PathEscape(id), nil
}
