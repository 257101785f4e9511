package trace

import (
	"context"
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"mime"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"chela/internal/engine/har"
	"chela/internal/engine/journal"
	"chela/internal/engine/page"
)

// maxHeld limits how many requests wait to be written. A network says why they wait.
const maxHeld = 1000

// A network holds the requests of one tab, and writes them when the tab or the trace ends, or when
// there are more than maxHeld. Chromium may report the headers on the wire after the end of a
// request. The file of a request is known only after a snapshot of the document that needs it. The
// viewer finds the file for a URL in a document only by the entry of a request. See resourceByUrl in
// packages/isomorphic/trace/snapshotRenderer.ts.
type network struct {
	recorder *Recorder
	tab      *tabRecord

	mu      sync.Mutex // guards the rest
	order   []string   // ids of the requests that are held, oldest first
	held    map[string]heldRequest
	written int                        // number in the id of the last request that was written before the end; those before it were written as well
	earlier map[string]journal.Request // requests that were answered before the trace began, by URL
	files   map[string]file            // files that documents need, by URL
}

// A heldRequest has the last known state of a request.
type heldRequest struct {
	request journal.Request
	page    string // the page that the tab showed when the request was sent
	asked   bool   // Chromium was asked for the body
	body    string // name of the file with the response's body; "" if there is none
}

// A file is the body of a response, as a file in the trace's archive.
type file struct {
	name     string // name of the file in the archive
	mimeType string
	size     int
	named    bool // an entry that was already written contains the name
}

func newNetwork(r *Recorder, t *tabRecord) *network {
	return &network{
		recorder: r, tab: t,
		held: map[string]heldRequest{}, earlier: map[string]journal.Request{}, files: map[string]file{},
	}
}

// The method before keeps the requests that were answered before the trace began. It is called when
// the tab is first recorded. The requests are written only if a document needs their files. Without
// these files, the snapshots of a page that was open already would have no style.
func (n *network) before(requests []journal.Request) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, r := range requests {
		if r.OK() {
			n.earlier[withoutHash(r.URL)] = r
		}
	}
}

// changed records the present state of a request. The tab's journal calls it from the goroutine that
// observes the tab, so it must not wait for an answer of the page.
func (n *network) changed(r journal.Request) {
	n.mu.Lock()
	defer n.mu.Unlock()
	known, ok := n.held[r.ID]
	switch {
	case ok:
		known.request = r
		n.held[r.ID] = known
		n.askBodyLocked(known)
		return
	case r.At.Before(n.recorder.start):
		return // not recorded: a change of a request that was sent before the trace began
	case numberOf(r.ID) <= n.written:
		return // too late: its entry cannot be changed
	}
	n.held[r.ID] = heldRequest{request: r, page: n.tab.pageID.Load().(string)}
	n.order = append(n.order, r.ID)
	if len(n.order) > maxHeld {
		oldest := n.order[0]
		n.order = n.order[1:]
		n.writeLocked(n.held[oldest])
		n.written = max(n.written, numberOf(oldest))
		delete(n.held, oldest)
	}
}

// numberOf returns the number in the id of a request: ids are r1, r2 and so on, in the order in which
// requests were sent.
func numberOf(id string) int {
	n, _ := strconv.Atoi(strings.TrimPrefix(id, "r"))
	return n
}

// maxBody bounds the body of one response, in bytes after decompression.
const maxBody = 1 << 20

// askBodyLocked reads the body of a complete response, in the background. It does so only for
// documents and for requests of scripts. Images, style sheets and the like are read from the
// documents that use them: see tabRecord.readResources. Chromium keeps bodies only for some time, so
// a body may be gone.
func (n *network) askBodyLocked(h heldRequest) {
	switch r := h.request; {
	case h.asked || r.Ended == 0 || r.Failure != "" || r.Length == 0 || r.Length > maxBody:
		return
	case r.Type != "fetch" && r.Type != "xhr" && r.Type != "document":
		return
	}
	h.asked = true
	n.held[h.request.ID] = h
	n.recorder.inBackground(resourceTime, func(ctx context.Context) {
		if p := n.tab.pageNow(); p != nil {
			if body, _, err := p.Body(ctx, h.request); err == nil {
				n.addBody(h.request, body)
			}
		}
	})
}

// addBody records the body of a response. If the entry of the request has been written meanwhile, no
// entry names the file.
func (n *network) addBody(r journal.Request, body []byte) {
	if !n.recorder.options.Secrets {
		body = journal.BodyWithoutSecrets(r.Response.MIMEType, body)
	}
	name := fileName(body, r.Response.MIMEType, r.URL)
	if !n.recorder.archive.add(resources, name, body) {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if h, ok := n.held[r.ID]; ok {
		h.body = name
		n.held[r.ID] = h
	}
}

// hasFile reports whether the file at a URL is known, so that it is not read again. If a site
// changes the file, the trace has only the first version.
func (n *network) hasFile(url string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	_, ok := n.files[withoutHash(url)]
	return ok
}

// addFile records the file at a URL, and reports whether the archive had room for it. Without the
// room, snapshots are shown without the file.
func (n *network) addFile(r page.Resource) bool {
	name := fileName(r.Content, r.MIMEType, r.URL)
	if !n.recorder.archive.add(resources, name, r.Content) {
		return false
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.files[withoutHash(r.URL)] = file{name: name, mimeType: r.MIMEType, size: len(r.Content)}
	return true
}

// flush writes an entry for each request that is held, and for each file that no request names. A
// file that was loaded before the trace began always gets an entry with the time of the beginning.
// For a snapshot, the viewer takes files only from earlier entries, and not from a later request.
func (n *network) flush() {
	n.mu.Lock()
	defer n.mu.Unlock()
	for url, f := range n.files {
		if _, earlier := n.earlier[url]; earlier || !f.named && !n.namesLocked(url) {
			n.writeEarlierLocked(url, f)
		}
	}
	for _, id := range n.order {
		n.writeLocked(n.held[id])
	}
	n.order, n.held = nil, map[string]heldRequest{}
}

// namesLocked reports whether the entry of a held request will refer to the file of a URL when it
// is written.
func (n *network) namesLocked(url string) bool {
	return slices.ContainsFunc(n.order, func(id string) bool {
		r := n.held[id].request
		return r.OK() && withoutHash(r.URL) == url
	})
}

// writeLocked writes the entry of a request, with the name of its file. Only a successful request
// gets the file of its URL. A response with the status 304, for example, has no content, and the
// viewer then looks for an earlier entry.
func (n *network) writeLocked(h heldRequest) {
	entry := har.EntryOf(h.request, n.recorder.options.Secrets)
	entry.Page, entry.Monotonic = h.page, n.recorder.at(h.request.At)
	url := withoutHash(h.request.URL)
	if f, ok := n.files[url]; ok && h.request.OK() {
		entry.Response.Content.File, f.named = f.name, true
		n.files[url] = f
	} else if h.body != "" {
		entry.Response.Content.File = h.body
	}
	n.recorder.archive.request(resourceSnapshot{"resource-snapshot", entry})
}

// writeEarlierLocked writes an entry for a file that was loaded before the trace began. The time of
// the entry is the beginning of the trace. If the journal no longer has the request, the entry has
// little more than the URL and the type.
func (n *network) writeEarlierLocked(url string, f file) {
	r, ok := n.earlier[url]
	if !ok {
		r = journal.Request{Method: "GET", URL: url, At: n.recorder.start}
		r.Response = journal.Response{Status: 200, MIMEType: f.mimeType}
		r.Length = int64(f.size)
	}
	entry := har.EntryOf(r, n.recorder.options.Secrets)
	entry.Page, entry.Monotonic = n.tab.pageID.Load().(string), n.recorder.at(time.Time{})
	entry.Response.Content.File = f.name
	if !ok {
		entry.Comment = fmt.Sprintf("sent before the trace began, or one of the oldest of more than %d", maxHeld)
	}
	n.recorder.archive.request(resourceSnapshot{"resource-snapshot", entry})
}

// withoutHash returns a URL as it is sent, without its fragment. The viewer also removes the
// fragment.
func withoutHash(url string) string {
	url, _, _ = strings.Cut(url, "#")
	return url
}

// fileName returns the name of a file in the archive.
func fileName(content []byte, mimeType, url string) string {
	sum := sha1.Sum(content) // Playwright names files by this sum; it protects nothing
	return "resources/" + hex.EncodeToString(sum[:]) + extension(mimeType, url)
}

// extension returns the usual extension for a MIME type, or else the one in the URL. The usual ones
// are listed here. Package mime depends on tables of the machine, and returns extensions in
// alphabetical order, such as .jfif for JPEG first. The extension is for people: the viewer goes by
// the MIME type.
func extension(mimeType, url string) string {
	for _, known := range []struct{ mimeType, extension string }{
		{"text/css", ".css"}, {"image/png", ".png"}, {"image/jpeg", ".jpeg"}, {"image/svg+xml", ".svg"}, {"image/webp", ".webp"},
		{"image/gif", ".gif"}, {"font/woff2", ".woff2"}, {"text/html", ".html"}, {"application/json", ".json"}, {"text/plain", ".txt"},
	} {
		if known.mimeType == mimeType {
			return known.extension
		}
	}
	if all, err := mime.ExtensionsByType(mimeType); err == nil && len(all) > 0 {
		return all[0]
	}
	if ext := path.Ext(withoutHash(url)); len(ext) > 1 && len(ext) <= 6 && !strings.ContainsAny(ext, "?&=/%") {
		return ext
	}
	return ".dat"
}
