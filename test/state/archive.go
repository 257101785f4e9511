// Package state shows that a server reads the state directories that earlier releases have left.
package state

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// The address of the test's site stands in files of the state. In an archive, siteMark stands in
// place of the address. It occurs in no other text.
const siteMark = "site.of.the.test:1"

// leftOut lists the files that archives do not have: those that no later server reads, and those of
// Chromium.
var leftOut = []string{"user-data", "server.log", "lock", "starting.lock", "config.lock", "socket", "server.json", "chela.json", "unpacked"}

// pack writes the files of a state directory into an archive, with the address of the site replaced.
func pack(dir, archive, site string) error {
	f, err := os.Create(archive)
	if err != nil {
		return err
	}
	zipped := gzip.NewWriter(f)
	all := tar.NewWriter(zipped)
	err = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		name, _ := filepath.Rel(dir, path)
		for _, out := range leftOut {
			if entry.Name() == out && entry.IsDir() {
				return filepath.SkipDir
			} else if entry.Name() == out {
				return nil
			}
		}
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		raw, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		raw = []byte(strings.ReplaceAll(string(raw), site, siteMark))
		err = all.WriteHeader(&tar.Header{Name: filepath.ToSlash(name), Mode: 0o600, Size: int64(len(raw))})
		_, writeErr := all.Write(raw)
		return errors.Join(err, writeErr)
	})
	return errors.Join(err, all.Close(), zipped.Close(), f.Close())
}

// unpack writes the files of an archive into a state directory, with the address of the site. It
// returns their names.
func unpack(archive, dir, site string) (names []string, err error) {
	f, err := os.Open(archive)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	zipped, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	all := tar.NewReader(zipped)
	for {
		header, err := all.Next()
		if errors.Is(err, io.EOF) {
			return names, nil
		}
		if err != nil {
			return nil, err
		}
		raw, err := io.ReadAll(all)
		if err != nil {
			return nil, err
		}
		path := filepath.Join(dir, filepath.FromSlash(header.Name))
		raw = []byte(strings.ReplaceAll(string(raw), siteMark, site))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, raw, 0o600)); err != nil {
			return nil, err
		}
		names = append(names, header.Name)
	}
}
