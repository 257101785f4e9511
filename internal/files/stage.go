package files

import (
	"errors"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
)

// Staged is copies of files for a browser.
type Staged struct {
	Paths []string // of the copies, under their names

	dir  string
	sent []string // what callers had sent, and is handed over
}

// Remove removes the copies, when the browser does not need them any more.
func (s *Staged) Remove() { os.RemoveAll(s.dir) }

// HandedOver removes the files that callers had sent to the server to be uploaded.
func (s *Staged) HandedOver() {
	for _, path := range s.sent {
		os.Remove(path)
	}
}

// Stage gives a browser copies of files of its own, under their names. They are
// in one folder, but for those whose name another has. All are opened before the
// first is copied.
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

// add copies a file. The folders for files of one name are numbered; the one
// that a page may see the name of is in them.
func (s *Staged) add(r *Roots, from *os.File) error {
	name := filepath.Base(from.Name())
	if given(name) != name && filepath.Dir(from.Name()) == r.Inbound {
		s.sent = append(s.sent, from.Name())
		name = given(name)
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

// Receive keeps a file that a caller sends, and returns what to call it by.
func (r *Roots) Receive(name string, content io.Reader) (string, error) {
	id := unique(name)
	if err := writeIn(r.Inbound, id, content); err != nil {
		return "", err
	}
	r.added(filepath.Join(r.Inbound, id))
	return "media://inbound/" + url.PathEscape(id), nil
}
