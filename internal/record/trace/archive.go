package trace

import (
	"archive/zip"
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"

	"chela/internal/wall/secret"
)

// The limits of one trace. Entries beyond the limits are not recorded, and the trace says so. The
// viewer reads all lines as one string, and a string of V8 has at most about 512 MB. Some kinds have
// limits of their own, so that many pictures leave room for snapshots.
const (
	maxBytes     = 200 << 20 // limit for everything in the trace, before it is compressed
	maxFilm      = 80 << 20  // limit for pictures, which are also counted in maxBytes
	maxSnapshots = 80 << 20  // limit for DOM snapshots, which are also counted in maxBytes
	maxResources = 40 << 20  // limit for files and bodies, which are also counted in maxBytes
	maxTime      = time.Hour
)

// An archive is the file of a trace while it is written. It is a ZIP file with the lines of
// trace.trace and trace.network, and the files that these lines name. The entries of a ZIP file can
// only be written one after the other. A named file is complete when it comes, so it is written to
// the ZIP file at once. The lines are collected in two other files, and copied into the ZIP file at
// the end.
//
// For the viewer, each entry NAME.trace is a browser context, and NAME.network has its requests. See
// packages/isomorphic/trace/traceLoader.ts in Playwright's sources. chela writes only one, with the
// NAME trace. An archive may be used by several goroutines.
type archive struct {
	dir   string
	until time.Time // after this time only calls are recorded

	mu       sync.Mutex // guards the rest
	file     *os.File
	zip      *zip.Writer
	lines    *lineFile       // trace.trace
	requests *lineFile       // trace.network
	names    map[string]bool // files that are in the ZIP file
	written  map[kind]int    // bytes of each kind, before compression
	closed   bool
	finished bool   // the ZIP file is complete and still exists
	err      error  // error of the first write that failed; nothing is written after it
	cut      string // why something was not recorded; "" if nothing was left out
}

// A kind of trace entry with its own size limit.
type kind int

const (
	calls     kind = iota // calls, console messages and requests
	film                  // pictures
	snapshots             // lines with DOM snapshots
	resources             // files that documents need, and bodies of responses
	notice                // a single line that says that something is missing, written even beyond all limits
)

// limits are the kinds that have limits of their own, with their names for people.
var limits = map[kind]struct {
	bytes int
	name  string
}{
	film:      {maxFilm, "pictures"},
	snapshots: {maxSnapshots, "DOM snapshots"},
	resources: {maxResources, "files"},
}

// A lineFile is a file of one JSON value a line.
type lineFile struct {
	file *os.File
	*bufio.Writer
}

// newArchive begins a file in an empty folder, which belongs to the archive from now on. Errors
// come from the file system; the caller then still has to remove the folder.
func newArchive(dir string) (*archive, error) {
	files, err := create(dir, "trace.zip", "trace.trace", "trace.network")
	if err != nil {
		return nil, err
	}
	return &archive{
		dir: dir, until: time.Now().Add(maxTime), names: map[string]bool{}, written: map[kind]int{},
		file: files[0], zip: zip.NewWriter(files[0]), lines: newLineFile(files[1]), requests: newLineFile(files[2]),
	}, nil
}

// create makes empty files for writing and reading, see takeInLocked. If one cannot be made, the
// others are closed.
func create(dir string, names ...string) (files []*os.File, err error) {
	for _, name := range names {
		f, err := os.Create(filepath.Join(dir, name))
		if err != nil {
			for _, opened := range files {
				opened.Close()
			}
			return nil, err
		}
		files = append(files, f)
	}
	return files, nil
}

func newLineFile(f *os.File) *lineFile { return &lineFile{f, bufio.NewWriter(f)} }

// event writes a line of trace.trace, and reports whether there was room for one of this kind.
func (a *archive) event(of kind, v any) bool {
	return a.line(of, v, func(a *archive) *lineFile { return a.lines })
}

// request writes a line of trace.network.
func (a *archive) request(v any) { a.line(calls, v, func(a *archive) *lineFile { return a.requests }) }

// line writes v as a line of JSON, and reports whether it did. Encoding a large snapshot takes long,
// so that is done before the mutex is taken. The characters <, > and & are not escaped: snapshots are
// full of them, and each would take six bytes, such as \u003c. A value that cannot be encoded is a
// bug of this program. Nothing is written after it, as after an error of the disk.
func (a *archive) line(of kind, v any, to func(*archive) *lineFile) bool {
	var line bytes.Buffer
	encoder := json.NewEncoder(&line) // Encode ends the line
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(v)
	masked := secret.MaskBytes(line.Bytes())
	a.mu.Lock()
	defer a.mu.Unlock()
	if err == nil {
		if !a.roomLocked(of, len(masked)) {
			return false
		}
		_, err = to(a).Write(masked)
	}
	a.failLocked(err)
	return err == nil
}

// add puts a file into the archive, unless it is there, and reports whether it is there now. Files
// with the same name have the same content: a name contains a hash of the content, or the time of a
// picture. Pictures are already compressed.
func (a *archive) add(of kind, name string, content []byte) bool {
	content = secret.MaskContent(content)
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.names[name] {
		return true
	}
	if !a.roomLocked(of, len(content)) {
		return false
	}
	// The name counts as added only if the whole file was written. A partial file cannot be removed
	// from a ZIP file again.
	method := zip.Deflate
	if of == film {
		method = zip.Store
	}
	w, err := a.zip.CreateHeader(&zip.FileHeader{Name: name, Method: method, Modified: time.Now()})
	if err == nil {
		_, err = w.Write(content)
	}
	a.failLocked(err)
	a.names[name] = err == nil
	return err == nil
}

// roomLocked reports whether n more bytes of a kind may be written, and counts them. Entries of the
// kind calls may exceed the limit by a tenth: they are more important than pictures and snapshots.
func (a *archive) roomLocked(of kind, n int) bool {
	if a.closed || a.err != nil {
		return false
	}
	if of == notice {
		return true
	}
	limit, own := maxBytes, limits[of]
	if of == calls {
		limit += maxBytes / 10
	}
	sum := n
	for _, each := range a.written {
		sum += each
	}
	switch {
	case of != calls && time.Now().After(a.until):
		a.cutLocked(fmt.Sprintf("it has lasted %s", maxTime))
		return false
	case sum > limit:
		a.cutLocked(fmt.Sprintf("it has reached %d MB", maxBytes>>20))
		return false
	case own.bytes > 0 && a.written[of]+n > own.bytes:
		a.cutLocked(fmt.Sprintf("its %s have reached %d MB", own.name, own.bytes>>20))
		return false
	}
	a.written[of] += n
	return true
}

// leaveOut records why something is not in the trace. Only the first reason is kept.
func (a *archive) leaveOut(why string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.cutLocked(why)
}

func (a *archive) cutLocked(why string) {
	if a.cut == "" {
		a.cut = why
	}
}

// whyCut returns why something is not in the trace; "" if nothing was left out.
func (a *archive) whyCut() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.cut
}

// failLocked keeps the first error, since later ones most likely follow from it, as on a full disk.
func (a *archive) failLocked(err error) {
	if a.err == nil {
		a.err = err
	}
}

// finish completes the ZIP file, if that has not been done yet, and returns its path. The error is
// the first error of a write, or says that the archive was removed before. The caller must still
// call remove.
func (a *archive) finish() (string, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case a.finished:
		return a.file.Name(), a.err
	case a.closed:
		return "", errors.New("the trace has ended")
	}
	a.finished = true
	if a.err == nil {
		a.failLocked(errors.Join(a.takeInLocked("trace.trace", a.lines), a.takeInLocked("trace.network", a.requests), a.zip.Close()))
	}
	a.closeLocked()
	return a.file.Name(), a.err
}

// takeInLocked copies lines from their beginning into the ZIP file, as an entry of that name.
func (a *archive) takeInLocked(name string, lines *lineFile) error {
	if err := lines.Flush(); err != nil {
		return err
	}
	if _, err := lines.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	w, err := a.zip.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: time.Now()})
	if err != nil {
		return err
	}
	_, err = io.Copy(w, lines.file)
	return err
}

// closeLocked closes the files. From then on roomLocked refuses all entries. Calls that are under
// way may still try to write after the trace has ended.
func (a *archive) closeLocked() {
	a.closed = true
	for _, f := range []*os.File{a.file, a.lines.file, a.requests.file} {
		if err := f.Close(); err != nil {
			a.failLocked(err)
		}
	}
}

// remove closes the archive and removes all of its files, even a finished ZIP file. It may be called
// several times.
func (a *archive) remove() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.closed {
		a.closeLocked()
	}
	a.finished = false
	os.RemoveAll(a.dir)
}
