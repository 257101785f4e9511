// Package files is the folders that calls may read from and write to, and the
// rules by which a path is inside one.
//
// A caller names paths, and a page names files; neither is believed. A file is
// opened below its root without following a link, and what was opened is what
// is used: a browser gets a copy of its own, a download is written beside its
// place and moved there when it is whole.
package files

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Roots are the folders of one server.
type Roots struct {
	Temp      string   // holds the others; private
	Uploads   []string // files to upload come from these, the first is ours
	Downloads string   // downloads go here
	Inbound   string   // files that callers sent to the server
	staged    string   // copies for browsers, and downloads on their way
}

// Open makes the folders of a server. Inbound lies in the state directory.
func Open(inbound string) (*Roots, error) {
	r, err := Locate(inbound)
	if err != nil {
		return nil, err
	}
	sweep(r.Temp)
	r.staged, err = os.MkdirTemp(r.Temp, fmt.Sprintf("%s%d-", stagedPrefix, os.Getpid()))
	return r, err
}

// Locate is Open for who only reads from the folders.
func Locate(inbound string) (*Roots, error) {
	temp, err := tempRoot("/tmp/chela")
	if err != nil {
		return nil, err
	}
	r := &Roots{
		Temp: temp, Inbound: inbound, Downloads: filepath.Join(temp, "downloads"),
		Uploads: []string{filepath.Join(temp, "uploads")},
	}
	for _, dir := range []string{r.Uploads[0], r.Downloads, inbound} {
		if err := private(dir); err != nil {
			return nil, err
		}
	}
	r.addUploads("/tmp/openclaw/uploads") // where users of its namesake put them
	return r, nil
}

// addUploads adds one more upload root, if it and what it is in are ours.
func (r *Roots) addUploads(dir string) {
	if own(filepath.Dir(dir)) == nil && own(dir) == nil {
		r.Uploads = append(r.Uploads, dir)
	}
}

// stagedPrefix and the process id of their server begin the names of staging folders.
const stagedPrefix = "staged-"

// sweep removes the staging folders of servers that were killed.
func sweep(temp string) {
	dirs, _ := filepath.Glob(filepath.Join(temp, stagedPrefix+"*-*"))
	for _, dir := range dirs {
		pid, _, _ := strings.Cut(strings.TrimPrefix(filepath.Base(dir), stagedPrefix), "-")
		if n, err := strconv.Atoi(pid); err == nil && !runs(n) && own(dir) == nil {
			os.RemoveAll(dir)
		}
	}
}

// Close removes what was kept for browsers.
func (r *Roots) Close() error { return os.RemoveAll(r.staged) }

// Staging makes an empty private folder that lasts until Close.
func (r *Roots) Staging() (string, error) { return os.MkdirTemp(r.staged, "") }

// tempRoot is the preferred folder, if it is our own, else one that has our number in its name.
func tempRoot(preferred string) (string, error) {
	if err := private(preferred); err == nil {
		return preferred, nil
	}
	other := filepath.Join(os.TempDir(), fmt.Sprintf("chela-%d", os.Getuid()))
	return other, private(other)
}

// private makes a folder that is only ours.
func private(dir string) error {
	if err := os.MkdirAll(filepath.Dir(dir), 0o700); err != nil {
		return err
	}
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	if err := own(dir); err != nil {
		return err
	}
	return os.Chmod(dir, 0o700)
}

// own reports why a folder can not be trusted: it is a link, or somebody else's.
func own(dir string) error {
	info, err := os.Lstat(dir)
	switch {
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("%s is not a directory", dir)
	case !ownedByUs(info):
		return fmt.Errorf("%s belongs to somebody else", dir)
	}
	return nil
}
