// Package media keeps the files that operations make or take: pictures, downloads and files to
// upload. It knows the folders that calls may read from and write to. It decides whether a path is
// inside one of them, and bounds how much is kept.
//
// Callers name paths and pages name files, and neither can be trusted. So a file is opened step by
// step below its root, without following a link. From then on the open file is used, not its path:
// the browser gets a copy, which nobody can exchange for another file. A download is written under
// a temporary name and renamed when it is complete.
package media

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"chela/internal/base/process"
)

// Roots are the folders of one server.
type Roots struct {
	Temp      string // private; contains the uploads, downloads and staging folders
	Uploads   string // files to upload are read from here; see UploadRoots
	Downloads string // downloads are saved here
	Inbound   string // files that callers sent to the server
	Pictures  string // pictures and PDFs of pages

	// The folders of OpenClaw, whose browser chela replaces: its users have files to
	// upload there, and ask for downloads to be saved there. They are used while they
	// exist and are trusted (see the function trusted).
	otherUploads, otherDownloads, otherTraces string

	bounds  Bounds
	bounded []*boundedFolder
	staging *staging
}

// staging is the folder for copies of files that browsers read, and for downloads until they are
// complete.
type staging struct {
	tidying sync.WaitGroup // counts work in the background that tidies folders, which may have thousands of files

	mu     sync.Mutex // guards the rest
	dir    string     // "": not made yet
	closed bool
}

// Places are the folders that depend on the settings.
type Places struct {
	Media     string // the media folder in the state directory
	Downloads string // "": the folder downloads in the temporary folder
}

// Open makes the folders of a server and keeps them within bounds, see [Roots.Staging]. Close
// removes the temporary ones. Open fails on an error of the file system, and if a folder is a link
// or belongs to another user.
func Open(places Places, bounds Bounds) (*Roots, error) {
	r, err := Locate(places)
	if err != nil {
		return nil, err
	}
	r.bound(bounds)
	return r, nil
}

// Locate returns the folders for a caller that keeps nothing in them, such as the command line. It
// returns the errors of Open. Only after a call of [Roots.Staging] they have to be closed.
func Locate(places Places) (*Roots, error) {
	temp, err := tempRoot("/tmp/chela", filepath.Join(filepath.Dir(places.Media), "temp"))
	if err != nil {
		return nil, err
	}
	r := &Roots{
		staging: new(staging), Temp: temp, Uploads: filepath.Join(temp, "uploads"), Downloads: filepath.Join(temp, "downloads"),
		Inbound: filepath.Join(places.Media, "inbound"), Pictures: filepath.Join(places.Media, "browser"),
		otherUploads: "/tmp/openclaw/uploads", otherDownloads: "/tmp/openclaw/downloads", otherTraces: "/tmp/openclaw",
	}
	if places.Downloads != "" {
		r.Downloads = places.Downloads
	}
	for _, dir := range []string{r.Uploads, r.Downloads, r.Inbound} {
		if err := makePrivate(dir); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// bound sets the bounds of all folders. From now on, the method added prunes them.
func (r *Roots) bound(bounds Bounds) {
	r.bounds = bounds
	r.bounded = []*boundedFolder{
		{dir: r.Pictures, bounds: bounds},
		{dir: r.Inbound, bounds: bounds, isSpared: ofChats},
		{dir: r.Downloads, bounds: bounds, isSpared: ofOtherServers},
		{dir: r.Temp, bounds: bounds, isBounded: isRecord, isSpared: ofOtherServers},
	}
}

// Bounds returns the bounds of each folder.
func (r *Roots) Bounds() Bounds { return r.bounds }

// tidy removes files beyond the bounds, and what killed servers have left.
func (r *Roots) tidy() {
	sweep(r.Temp)
	for _, b := range r.bounded {
		b.prune()
	}
}

// added prunes the folder that the file at path was just written to. A file in another folder, such
// as one of OpenClaw's, is left to its owner.
func (r *Roots) added(path string) {
	for _, b := range r.bounded {
		if name, ok := within(b.dir, path); ok {
			b.add(filepath.ToSlash(name))
		}
	}
}

// UploadRoots lists the folders that files may be uploaded from at present; chela's own is the
// first.
func (r *Roots) UploadRoots() []string {
	if trusted(r.otherUploads) {
		return []string{r.Uploads, r.otherUploads}
	}
	return []string{r.Uploads}
}

// trusted reports whether only the user can write to a folder that chela did not make, and to its
// parent. Whoever can write to the parent could replace the folder. All users can write to /tmp, so
// the folder directly below it is also checked. With the sticky bit of /tmp, nobody else can
// replace a folder that belongs to the user.
func trusted(dir string) bool {
	return isOurs(filepath.Dir(dir)) && isOurs(dir)
}

// isOurs reports whether only the user can write to a folder.
func isOurs(dir string) bool {
	info, err := os.Lstat(dir)
	return err == nil && checkOwn(dir) == nil && info.Mode().Perm()&0o022 == 0
}

// stagedPrefix begins the name of a staging folder; the name of its server's process follows.
const stagedPrefix = "staged-"

// sweep removes the staging folders of servers that were killed. They would fill the disk with
// copies of uploads. The name says which process made a folder. The folder of a running process
// stays.
func sweep(temp string) {
	dirs, _ := filepath.Glob(filepath.Join(temp, stagedPrefix+"*-*"))
	for _, dir := range dirs {
		server, _, _ := strings.Cut(strings.TrimPrefix(filepath.Base(dir), stagedPrefix), "-")
		if !process.Runs(server) && checkOwn(dir) == nil {
			os.RemoveAll(dir)
		}
	}
}

// Close removes the staging folder, and with it all copies for browsers. After Close, Staging
// returns an error.
func (r *Roots) Close() error {
	r.staging.mu.Lock()
	defer r.staging.mu.Unlock()
	r.staging.closed = true
	r.staging.tidying.Wait()
	return os.RemoveAll(r.staging.dir)
}

// Staging makes an empty private folder, which Close removes. A browser writes its downloads there
// until they are complete, and reads the copies of uploads from there.
//
// The first call makes the parent of these folders, and tidies all folders in the background. It
// comes when the first browser starts: at the start of the server, this work would delay the first
// answer.
func (r *Roots) Staging() (string, error) {
	s := r.staging
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return "", fs.ErrClosed
	}
	if s.dir == "" {
		if err := r.makeAgain(r.Temp); err != nil {
			return "", err
		}
		dir, err := os.MkdirTemp(r.Temp, stagedPrefix+process.Self()+"-")
		if err != nil {
			return "", err
		}
		s.dir = dir
		s.tidying.Go(r.tidy)
	}
	if err := r.makeAgain(s.dir); err != nil {
		return "", err
	}
	return os.MkdirTemp(s.dir, "")
}

// makeAgain makes a folder of the server if it is missing: programs that tidy /tmp remove folders
// that have not been used for days. The temporary folder is checked first, since meanwhile somebody
// else may have made one in its place.
func (r *Roots) makeAgain(dir string) error {
	if _, err := os.Lstat(dir); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := makePrivate(r.Temp); err != nil {
		return err
	}
	return makePrivate(dir)
}

// tempRoot returns the first of three folders that it can make, and that belongs to no other user.
// The preferred one has a short, known path, which callers can put files into without asking. The
// next one has the number of this user in its name, and the last one is in the state directory.
// Another user could make the first two before us; chela must still work then.
func tempRoot(preferred, last string) (string, error) {
	for _, dir := range []string{preferred, filepath.Join(os.TempDir(), fmt.Sprintf("chela-%d", os.Getuid()))} {
		if makePrivate(dir) == nil {
			return dir, nil
		}
	}
	return last, makePrivate(last)
}

// makePrivate makes a folder with mode 0700. A folder that already exists gets this mode. Folders
// above it are made if they are missing, and otherwise left as they are. It is an error if the
// folder is a link or belongs to another user, who could read what is saved there.
func makePrivate(dir string) error {
	if err := os.MkdirAll(filepath.Dir(dir), 0o700); err != nil {
		return err
	}
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	if err := checkOwn(dir); err != nil {
		return err
	}
	return os.Chmod(dir, 0o700)
}

// checkOwn returns an error unless dir is a folder of this user, and no link.
func checkOwn(dir string) error {
	info, err := os.Lstat(dir)
	switch {
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("%s is not a directory", dir)
	case !ownedByUs(info):
		return fmt.Errorf("%s belongs to another user", dir)
	}
	return nil
}
