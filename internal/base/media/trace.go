package media

import (
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"chela/internal/base/lazyregexp"
)

// Trace checks the path at which a caller wants a trace to be saved. The rules are the same as for
// [Roots.Download], but in the temporary folder. The path "" means a new name there. No trace may
// be saved in the folders for other files inside it.
func (r *Roots) Trace(path string) (Place, error) { return r.record("trace", ".zip", path) }

// Report checks the path at which a caller wants a report to be saved, by the rules of
// [Roots.Trace].
func (r *Roots) Report(path string) (Place, error) { return r.record("report", ".html", path) }

// Video checks the path at which a caller wants a video to be saved, by the rules of [Roots.Trace].
func (r *Roots) Video(path string) (Place, error) { return r.record("video", ".webm", path) }

// Record checks the path at which a caller wants one of these to be saved, by the rules of [Roots.Trace].
// The path is not empty.
func (r *Roots) Record(path string) (Place, error) { return r.record("temporary", "", path) }

// record checks the path for a record of what was done, such as a trace. The kind is a part of the
// name that the file gets for the path "".
func (r *Roots) record(kind, extension, path string) (Place, error) {
	p := Place{roots: r, root: r.Temp, kind: kind}
	if path == "" {
		p.rel = "browser-" + kind + "-" + uuid() + extension
		return p, nil
	}
	place, err := r.place(p, r.otherTraces, path)
	if err == nil && isOtherFile(place.rel) {
		return Place{}, p.refusalOf(errOutsideRoot)
	}
	return place, err
}

// isOtherFile reports whether a path below the folder of traces is in a folder for other files. Such
// files belong to the user or to another call, and a trace must not replace them. Case is ignored, as
// on some file systems.
func isOtherFile(rel string) bool {
	top, _, _ := strings.Cut(strings.ToLower(filepath.ToSlash(rel)), "/")
	return top == "uploads" || top == "downloads" || top == "fetched" || strings.HasPrefix(top, stagedPrefix)
}

// OpenTrace opens a trace that a caller wants to be read: one in the temporary folder, or a file by
// the rules of [Roots.Input]. The caller calls done at the end: done closes the file, and removes
// it if it was sent to the server. The error is one of [Roots.Upload].
func (r *Roots) OpenTrace(path string) (f *os.File, done func(), err error) {
	if rel, ok := within(r.Temp, path); ok && isRecord(filepath.ToSlash(rel)) {
		f, err = r.openBelow(r.Temp, path)
		return f, func() { f.Close() }, err
	}
	return r.openInput(path)
}

// recordName matches the names that chela gives to traces, reports and videos. Files with a name
// that the caller has chosen are not pruned.
var recordName = lazyregexp.New(`^browser-(trace|report|video)-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.(zip|html|webm)$`)

func isRecord(name string) bool { return recordName().MatchString(name) }

// uuid returns a random UUID (version 4).
func uuid() string {
	var b [16]byte
	rand.Read(b[:])
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
