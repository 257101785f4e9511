package media

import (
	"bytes"
	"crypto/rand"
	"io"
	"path/filepath"
)

// SavePicture does the same as Save, for a picture in memory.
func (r *Roots) SavePicture(data []byte, ext string) (string, error) {
	return r.Save(bytes.NewReader(data), ext)
}

// Save writes a picture or PDF of a page to a new file with this extension (png, jpg, pdf), and
// returns its path. Errors come from reading the content and from the file system; no file is left
// then. The name is random, so pictures of one moment do not overwrite each other, and a page
// cannot guess it.
func (r *Roots) Save(content io.Reader, ext string) (string, error) {
	if err := makePrivate(r.Pictures); err != nil {
		return "", err
	}
	name := rand.Text() + "." + ext
	if err := writeIn(r.Pictures, name, content); err != nil {
		return "", err
	}
	path := filepath.Join(r.Pictures, name)
	r.added(path)
	return path, nil
}
