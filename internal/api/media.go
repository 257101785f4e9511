package api

import (
	"crypto/rand"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"chela/internal/config"
	"chela/internal/op"
)

// media keeps what operations save, within bounds.
type media struct {
	dir    string
	bounds config.Media
}

// save writes a file of its own and returns its path.
func (m media) save(data []byte, ext string) (op.File, error) {
	if err := os.MkdirAll(m.dir, 0o700); err != nil {
		return "", err
	}
	path := filepath.Join(m.dir, newName()+"."+ext)
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", err
	}
	_, err = f.Write(data)
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = m.prune(path)
	}
	return op.File(path), err
}

// newName returns a random UUID.
func newName() string {
	var b [16]byte
	rand.Read(b[:])
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// prune removes what is too old, and the oldest of what is too much, but never keep.
func (m media) prune(keep string) error {
	entries, err := os.ReadDir(m.dir)
	if err != nil {
		return err
	}
	var files []fs.FileInfo
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			files = append(files, info)
		}
	}
	slices.SortFunc(files, func(a, b fs.FileInfo) int { return b.ModTime().Compare(a.ModTime()) })
	oldest := time.Now().Add(-time.Duration(m.bounds.MaxAgeHours * float64(time.Hour)))
	room := int64(m.bounds.MaxMB * (1 << 20))
	for _, f := range files {
		room -= f.Size()
		if path := filepath.Join(m.dir, f.Name()); path != keep && (room < 0 || f.ModTime().Before(oldest)) {
			os.Remove(path) // it may have gone meanwhile
		}
	}
	return nil
}
