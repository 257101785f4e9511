package media

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"chela/internal/base/lazyregexp"
)

// Bounds limit the files that are kept. They apply separately to pictures, files that callers sent,
// downloads, and traces with reports.
type Bounds struct {
	MaxAge   time.Duration
	MaxBytes int64
}

// A boundedFolder is kept within bounds. Files older than MaxAge are removed. Then the
// oldest are removed until the others have at most MaxBytes together.
type boundedFolder struct {
	dir       string
	bounds    Bounds
	isSpared  func(b *boundedFolder, f file) bool // reports files that must not be removed; may be nil
	isBounded func(name string) bool              // reports which files of the folder the bounds apply to; nil: all, including those in folders below it

	mu      sync.Mutex      // guards the rest
	written map[string]bool // the files that this server put there
	skip    int             // how many more files may be added without listing the folder
}

// A file describes a file in a bounded folder.
type file struct {
	name string // relative to the folder, with slashes
	size int64
	time time.Time
}

// filesPerWrite bounds what adding a file costs. Listing a full folder takes milliseconds, so after
// a listing of n files, the next n/filesPerWrite files are added without another listing.
const filesPerWrite = 1000

// add records a file that was put into the folder, and prunes the others. It never removes the new
// file, even if that alone is larger than MaxBytes: the caller is about to get its path. The name
// is relative to the folder, with slashes.
func (b *boundedFolder) add(name string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.written == nil {
		b.written = map[string]bool{}
	}
	b.written[name] = true
	if b.skip--; b.skip < 0 {
		b.pruneLocked(name)
	}
}

// prune removes what is beyond the bounds.
func (b *boundedFolder) prune() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.pruneLocked("")
}

// pruneLocked goes through the files from the newest to the oldest. It removes those that are too
// old or no longer fit. The file that the parameter keep names is not removed, nor are files for
// which isSpared is true. The sizes of these count towards MaxBytes. Errors are not reported: no
// call should fail because an old file could not be removed.
func (b *boundedFolder) pruneLocked(keep string) {
	dir, err := os.OpenRoot(b.dir)
	if err != nil {
		return // the folder does not exist, so there is nothing to remove
	}
	defer dir.Close()
	files, room := b.newestFirst(dir, keep), b.bounds.MaxBytes
	written := map[string]bool{} // without the files that are gone, whoever has removed them
	for _, f := range files {
		room -= f.size
		excess := room < 0 || time.Since(f.time) > b.bounds.MaxAge
		if excess && f.name != keep && (b.isSpared == nil || !b.isSpared(b, f)) {
			dir.Remove(filepath.FromSlash(f.name)) // fails when it was removed meanwhile
		} else if b.written[f.name] {
			written[f.name] = true
		}
	}
	b.written, b.skip = written, len(files)/filesPerWrite
}

// newestFirst lists the regular files that the bounds apply to, the last changed first. The file
// that the parameter latest names comes first, even if others have the same time. The [os.Root]
// keeps a link in the folder from leading out of it.
func (b *boundedFolder) newestFirst(dir *os.Root, latest string) (files []file) {
	fs.WalkDir(dir.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		if b.isBounded != nil && d != nil && d.IsDir() && name != "." {
			return fs.SkipDir
		}
		if err != nil || !d.Type().IsRegular() || b.isBounded != nil && !b.isBounded(name) {
			return nil // a folder that cannot be read is left alone
		}
		if info, err := d.Info(); err == nil {
			files = append(files, file{name, info.Size(), info.ModTime()})
		}
		return nil
	})
	slices.SortFunc(files, func(a, b file) int {
		switch latest {
		case a.name:
			return -1
		case b.name:
			return 1
		}
		return b.time.Compare(a.time)
	})
	return files
}

// recentTime is the least time for which a download of another chela server is kept. The caller of
// that server must be able to fetch the file.
const recentTime = 10 * time.Minute

// ofOtherServers reports recent files of other servers, which must not be removed. All servers of a
// user share the downloads folder, and each may have other bounds.
func ofOtherServers(b *boundedFolder, f file) bool {
	return !b.written[f.name] && time.Since(f.time) < recentTime
}

// chatFile is how OpenClaw names the files of a chat in its folder of inbound media. It is the
// original name if there is one, then a UUID, and the extension.
var chatFile = lazyregexp.New(`(^|---)[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(\.[^.]*)?$`)

// ofChats reports files of OpenClaw, which must not be removed. If chela runs in OpenClaw's state
// directory, both keep inbound files in one folder. OpenClaw's conversations refer to the files
// that OpenClaw has put there.
func ofChats(_ *boundedFolder, f file) bool { return chatFile().MatchString(f.name) }
