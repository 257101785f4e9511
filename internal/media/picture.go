package media

import (
	"bytes"
	"crypto/rand"
	"path/filepath"
)

// SavePicture writes a picture to a new file with this extension (png, jpg) and
// returns its path. Errors are those of the file system. The name is random, so
// pictures of one moment do not overwrite each other, and a page cannot guess it.
func (r *Roots) SavePicture(data []byte, ext string) (string, error) {
	if err := private(r.Pictures); err != nil {
		return "", err
	}
	name := rand.Text() + "." + ext
	if err := writeIn(r.Pictures, name, bytes.NewReader(data)); err != nil {
		return "", err
	}
	path := filepath.Join(r.Pictures, name)
	r.added(path)
	return path, nil
}
