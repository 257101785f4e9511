// Package files is the folders that calls may read from and write to, and the
// rules by which a path is inside one.
//
// A caller names paths, and a page names files; neither is believed. A file is
// opened below its root without following a link, and what was opened is what
// is used: a browser gets a copy of its own, a download is written beside its
// place and moved there when it is whole. What operations make or take is kept
// within bounds, in all folders alike.
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
	Temp      string // private; holds uploads, downloads and what is staged
	Uploads   string // files to upload come from here; see UploadRoots
	Downloads string // downloads go here
	Inbound   string // files that callers sent to the server
	Pictures  string // pictures of pages

	// Folders of the system that chela replaces: its users have files to upload
	// there, and name places for downloads there. They count while they are
	// there and [trusted].
	otherUploads, otherDownloads string

	staged  string // copies for browsers, and downloads on their way
	bounded []*bounded
}

// Places are the folders that settings decide on.
type Places struct {
	Media     string // of the state directory
	Downloads string // "": downloads in the temporary folder
}

// Open makes the folders of a server.
func Open(places Places, bounds Bounds) (*Roots, error) {
	r, err := Locate(places)
	if err != nil {
		return nil, err
	}
	sweep(r.Temp)
	if r.staged, err = os.MkdirTemp(r.Temp, fmt.Sprintf("%s%d-", stagedPrefix, os.Getpid())); err != nil {
		return nil, err
	}
	r.bound(bounds)
	return r, nil
}

// Locate is Open for who only reads from the folders.
func Locate(places Places) (*Roots, error) {
	temp, err := tempRoot("/tmp/chela")
	if err != nil {
		return nil, err
	}
	r := &Roots{
		Temp: temp, Uploads: filepath.Join(temp, "uploads"), Downloads: filepath.Join(temp, "downloads"),
		Inbound: filepath.Join(places.Media, "inbound"), Pictures: filepath.Join(places.Media, "browser"),
		otherUploads: "/tmp/openclaw/uploads", otherDownloads: "/tmp/openclaw/downloads",
	}
	if places.Downloads != "" {
		r.Downloads = places.Downloads
	}
	for _, dir := range []string{r.Uploads, r.Downloads, r.Inbound} {
		if err := private(dir); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// bound keeps the folders within bounds from now on.
func (r *Roots) bound(bounds Bounds) {
	r.bounded = []*bounded{
		{dir: r.Pictures, bounds: bounds},
		{dir: r.Inbound, bounds: bounds, spares: ofChats},
		{dir: r.Downloads, bounds: bounds, spares: others},
	}
	for _, b := range r.bounded {
		b.prune()
	}
}

// added keeps the folder of a file that was just written within its bounds.
func (r *Roots) added(path string) {
	for _, b := range r.bounded {
		if name, ok := within(b.dir, path); ok {
			b.add(filepath.ToSlash(name))
		}
	}
}

// UploadRoots lists the folders that files are uploaded from, as they are now; ours is the first.
func (r *Roots) UploadRoots() []string {
	if trusted(r.otherUploads) {
		return []string{r.Uploads, r.otherUploads}
	}
	return []string{r.Uploads}
}

// trusted reports whether nobody but the user can put anything into a folder
// that chela did not make, nor replace it.
func trusted(dir string) bool {
	for _, each := range []string{filepath.Dir(dir), dir} {
		info, err := os.Lstat(each)
		if err != nil || own(each) != nil || info.Mode().Perm()&0o022 != 0 {
			return false
		}
	}
	return true
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
