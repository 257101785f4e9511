package media

import (
	"crypto/rand"
	"fmt"
	"path/filepath"
	"strings"

	"chela/internal/base/lazyregexp"
)

// Trace checks the path at which a caller wants a trace to be saved. The rules are the same as for
// [Roots.Download], but in the temporary folder. The path "" means a new name there. The staging
// folders inside it hold copies of files that were checked, so nothing is written there.
func (r *Roots) Trace(path string) (Place, error) {
	p := Place{roots: r, root: r.Temp, kind: "trace"}
	if path == "" {
		p.rel = "browser-trace-" + uuid() + ".zip"
		return p, nil
	}
	if rel, ok := within(r.Temp, path); ok && strings.HasPrefix(filepath.ToSlash(rel), stagedPrefix) {
		return Place{}, p.outside()
	}
	return r.place(p, r.otherTraces, path)
}

// traceName matches the names that chela gives to traces. Traces with a name chosen by the caller
// are not pruned.
var traceName = lazyregexp.New(`^browser-trace-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.zip$`)

func isTrace(name string) bool { return traceName().MatchString(name) }

// uuid returns a random UUID (version 4).
func uuid() string {
	var b [16]byte
	rand.Read(b[:])
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
