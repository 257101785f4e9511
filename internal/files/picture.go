package files

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"path/filepath"
)

// SavePicture writes a picture into a file of its own and returns its path.
func (r *Roots) SavePicture(data []byte, ext string) (string, error) {
	if err := private(r.Pictures); err != nil {
		return "", err
	}
	name := newUUID() + "." + ext
	if err := writeIn(r.Pictures, name, bytes.NewReader(data)); err != nil {
		return "", err
	}
	path := filepath.Join(r.Pictures, name)
	r.added(path)
	return path, nil
}

// newUUID returns a random UUID.
func newUUID() string {
	var b [16]byte
	rand.Read(b[:])
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
