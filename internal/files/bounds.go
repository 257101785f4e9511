package files

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sync"
	"time"
)

// Bounds are what is kept of the files that operations make or take: of
// pictures, of files that callers sent, of downloads, of each so much.
type Bounds struct {
	MaxAge   time.Duration
	MaxBytes int64
}

// A bounded folder loses its files when they are too old, and the oldest when
// they are too large together.
type bounded struct {
	dir    string
	bounds Bounds
	spares func(b *bounded, f file) bool // whether a file is not ours to remove; nil: all are

	mu    sync.Mutex      // guards the rest
	wrote map[string]bool // the files that this server put there
	skip  int             // how many more writes do without a look
}

// A file is one in a bounded folder.
type file struct {
	name string // relative to the folder, with slashes
	size int64
	time time.Time
}

// filesPerWrite bounds what a write costs: a look at a full folder costs
// milliseconds, so after one at n files, n/filesPerWrite writes do without.
const filesPerWrite = 1000

// add prunes the folder after a file was put there, which stays.
func (b *bounded) add(name string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.wrote == nil {
		b.wrote = map[string]bool{}
	}
	b.wrote[name] = true
	if b.skip--; b.skip < 0 {
		b.pruneLocked(name)
	}
}

func (b *bounded) prune() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.pruneLocked("")
}

func (b *bounded) pruneLocked(keep string) {
	dir, err := os.OpenRoot(b.dir)
	if err != nil {
		return // it is not there: nothing is to be removed
	}
	defer dir.Close()
	files, room := newestFirst(dir), b.bounds.MaxBytes
	for _, f := range files {
		room -= f.size
		excess := room < 0 || time.Since(f.time) > b.bounds.MaxAge
		if excess && f.name != keep && (b.spares == nil || !b.spares(b, f)) {
			dir.Remove(filepath.FromSlash(f.name)) // it may have gone meanwhile
			delete(b.wrote, f.name)
		}
	}
	b.skip = len(files) / filesPerWrite
}

// newestFirst lists the regular files in and below a folder.
func newestFirst(dir *os.Root) (files []file) {
	fs.WalkDir(dir.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return nil // what cannot be read stays
		}
		if info, err := d.Info(); err == nil {
			files = append(files, file{name, info.Size(), info.ModTime()})
		}
		return nil
	})
	slices.SortFunc(files, func(a, b file) int { return b.time.Compare(a.time) })
	return files
}

// fresh is how long a file that another server may have saved is left to its caller.
const fresh = 10 * time.Minute

// others spares what was just put into the downloads folder, but not by this
// server: all servers of a user save there, and each may have other bounds.
func others(b *bounded, f file) bool { return !b.wrote[f.name] && time.Since(f.time) < fresh }

// chatFile is how OpenClaw names the files of a chat in its folder of inbound media.
var chatFile = regexp.MustCompile(`(^|---)[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(\.[^.]*)?$`)

// ofChats spares the files that OpenClaw keeps where its state directory is
// ours, too: its conversations refer to them.
func ofChats(_ *bounded, f file) bool { return chatFile.MatchString(f.name) }
