// Package extension has the files of chela's browser extension.
//
// People load them unpacked in their browser (Manifest V3). The JavaScript modules run as they are,
// without a build step. What the extension and chela say to each other is in package
// chela/internal/engine/extension.
package extension

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
)

//go:embed *.js *.html *.css *.json icons/*.png
var files embed.FS

// manifest is the part of manifest.json that this package needs.
var manifest = sync.OnceValue(func() (m struct {
	Key         []byte // a base64 string in the JSON
	Permissions []string
}) {
	raw, err := files.ReadFile("manifest.json")
	if err == nil {
		err = json.Unmarshal(raw, &m)
	}
	if err != nil {
		panic(err) // the file is in the program
	}
	return m
})

// Permissions returns the names of the permissions that the extension asks for in its manifest.
func Permissions() []string { return slices.Clone(manifest().Permissions) }

// ID is the id that Chromium gives the extension. It is 16 bytes of a hash of the key in its
// manifest, with the letters a to p as digits.
var ID = sync.OnceValue(func() string {
	hash := sha256.Sum256(manifest().Key)
	var id []byte
	for _, b := range hash[:16] {
		id = append(id, 'a'+b>>4, 'a'+b&15)
	}
	return string(id)
})

// Unpack writes the files to a folder, from which a browser can load them. Files of an older version
// are replaced.
func Unpack(dir string) error {
	return each(func(name string, content []byte) error {
		to := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
			return err
		}
		return os.WriteFile(to, content, 0o600)
	})
}

// AreIn reports whether a folder has all these files, with the same content as those in the
// program.
func AreIn(dir string) bool {
	return each(func(name string, content []byte) error {
		there, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if err == nil && !bytes.Equal(there, content) {
			err = errOther
		}
		return err
	}) == nil
}

var errOther = errors.New("another file")

// Pack writes the files as a zip archive. The same files always give the same bytes: they are not
// compressed, and have no times.
func Pack(w io.Writer) error {
	archive := zip.NewWriter(w)
	err := each(func(name string, content []byte) error {
		file, err := archive.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
		if err == nil {
			_, err = file.Write(content)
		}
		return err
	})
	return errors.Join(err, archive.Close())
}

// each calls the function do with every file, in the order of their names, until do fails.
func each(do func(name string, content []byte) error) error {
	return fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := files.ReadFile(name)
		if err != nil {
			return err
		}
		return do(name, content)
	})
}
