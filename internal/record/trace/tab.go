package trace

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"chela/internal/engine/browser"
	"chela/internal/engine/capture"
	"chela/internal/engine/journal"
	"chela/internal/engine/page"
)

// errStopped is the cause with which the context Recorder.running ends.
var errStopped = errors.New("the trace was stopped")

// filming says how the pictures of tabs are taken. The viewer shows pictures of this size, and ten
// pictures a second are enough to see an animation.
var filming = capture.Filming{MaxWidth: 800, MaxHeight: 800, Quality: 60, Interval: 100 * time.Millisecond}

// Follow records the tabs of a browser, including tabs that it opens later. It ends when the
// browser has gone or the trace has ended. A browser that is followed already is not followed
// again.
func (r *Recorder) Follow(b *browser.Browser) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, known := r.browsers[b]; known || r.ended {
		return
	}
	r.browsers[b] = struct{}{}
	r.following.Go(func() { b.FollowTabs(r.running, r.attend) }) // the goroutine ends with the browser or the trace
}

// attend begins to record the tabs that are new, and ends the records of tabs that have gone. The
// list has all tabs of one browser. If it is empty, attend does not know which browser it is about.
// Then the records of that browser's tabs end with the trace.
func (r *Recorder) attend(tabs []*browser.Tab) {
	for _, tab := range tabs {
		r.tabRecord(tab).see(tab.Page())
	}
	r.mu.Lock()
	var gone []*tabRecord
	for tab, record := range r.tabs {
		if len(tabs) > 0 && tab.Browser() == tabs[0].Browser() && !slices.Contains(tabs, tab) {
			gone = append(gone, record)
			delete(r.tabs, tab)
		}
	}
	r.mu.Unlock()
	for _, record := range gone {
		record.end()
	}
}

// A tabRecord is the record of one tab. It has what happens without calls, such as messages and
// pictures, and the snapshots of calls.
type tabRecord struct {
	recorder *Recorder
	network  *network
	// pageID holds a string, the id of the tab's page in the trace. Listeners of the journal read
	// it. They must not wait for mu, which is held while the film (the pictures of the tab) begins
	// or ends.
	pageID atomic.Value
	deaf   func() // ends listening to the tab's journal

	mu        sync.Mutex // guards the rest
	page      *page.Page // the page that is being recorded
	film      *capture.Film
	ended     bool
	histories map[string]*history // histories of the frames' snapshots, by frame id
	full      bool                // the archive has no room for more snapshots

	reading atomic.Bool // files of the documents are being read, or the archive has no room for more
}

// tabRecord returns the record of a tab, a new one if it has none.
func (r *Recorder) tabRecord(tab *browser.Tab) *tabRecord {
	r.mu.Lock()
	defer r.mu.Unlock()
	if t := r.tabs[tab]; t != nil {
		return t
	}
	t := &tabRecord{recorder: r, histories: map[string]*history{}, deaf: func() {}, ended: r.ended}
	t.pageID.Store("")
	t.network = newNetwork(r, t)
	if t.ended { // the trace has ended meanwhile: what is recorded here is dropped
		return t
	}
	r.tabs[tab] = t
	t.listen(tab.Journal())
	return t
}

// listen records the events of the tab's journal. The journal calls the functions of the listener
// from the goroutine that observes the tab, which must not wait. So they take no lock that is held
// while something waits for the page.
func (t *tabRecord) listen(j *journal.Journal) {
	requests, _ := j.Requests()
	t.network.before(requests)
	t.deaf = j.Listen(journal.Listener{Message: t.message, Error: t.error, Request: t.network.changed})
}

// see records the page that the tab has now, if it is not recorded yet. For the viewer, a page that
// has replaced another one, as after a crash, is a new page.
func (t *tabRecord) see(p *page.Page) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.page == p || t.ended {
		return
	}
	t.closePageLocked()
	t.page = p
	id := "page@" + p.ID
	t.pageID.Store(id)
	t.recorder.pageEvent("page", id)
	if t.recorder.options.Pictures {
		t.film = capture.StartFilm(p, filming, func(s capture.Still) { t.picture(id, s) })
	}
}

// pageNow returns the page that is recorded, or nil.
func (t *tabRecord) pageNow() *page.Page {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.page
}

// closePageLocked ends what is recorded of the tab's page. Ending a film waits until its last
// picture is recorded, which does not need mu.
func (t *tabRecord) closePageLocked() {
	if t.page == nil {
		return
	}
	t.stopFilmLocked()
	t.recorder.pageEvent("pageClosed", "page@"+t.page.ID)
	t.page = nil
}

// stopFilmLocked ends the film, if there is one.
func (t *tabRecord) stopFilmLocked() {
	if t.film != nil {
		t.film.Stop()
		t.film = nil
	}
}

// stopFilm ends the film of the tab. The film's goroutine must not call it, because ending the film
// waits for that goroutine.
func (t *tabRecord) stopFilm(context.Context) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.stopFilmLocked()
}

// end ends the record of the tab, and writes the requests that are still held.
func (t *tabRecord) end() {
	t.deaf()
	t.mu.Lock()
	t.ended = true
	t.closePageLocked()
	t.mu.Unlock()
	t.network.flush()
}

// pageEvent records that a page was opened or closed. The parameter method is page or pageClosed,
// and the parameter page is the page's id.
func (r *Recorder) pageEvent(method, page string) {
	r.archive.event(calls, happened{
		Type: "event", Time: r.at(time.Now()), Class: "BrowserContext", Method: method, Params: pageEvent{page},
	})
}

// picture adds a picture to the film. It writes the picture's file first, so that no line of the
// trace names a file that is not there. When there is no room for more pictures, the film ends.
func (t *tabRecord) picture(pageID string, s capture.Still) {
	name := fmt.Sprintf("screencast/%s-%d.jpeg", pageID, s.At.UnixMicro())
	if !t.recorder.archive.add(film, name, s.JPEG) {
		t.recorder.inBackground(resourceTime, t.stopFilm)
		return
	}
	t.recorder.archive.event(calls, picture{
		Type: "screencast-frame", Page: pageID, File: name, Width: s.Width, Height: s.Height,
		Time: t.recorder.at(s.At), Wall: float64(s.At.UnixMicro()) / 1000,
	})
}

// message records a message on the console.
func (t *tabRecord) message(m journal.Message) {
	t.recorder.archive.event(calls, message{
		Type: "console", Time: t.recorder.at(m.At), Page: t.pageID.Load().(string), Kind: m.Type, Text: t.recorder.text(m.Text),
		Location: messagePlace{t.recorder.address(m.Location.URL), m.Location.Line, m.Location.Column},
	})
}

// error records an error that no script has caught.
func (t *tabRecord) error(e journal.Error) {
	t.recorder.archive.event(calls, happened{
		Type: "event", Time: t.recorder.at(e.At), Class: "BrowserContext", Method: "pageError", Page: t.pageID.Load().(string),
		Params: pageError{
			errorValue{failure{Name: e.Name, Message: t.recorder.text(e.Message), Stack: t.recorder.text(e.Stack)}},
			errorPlace{t.recorder.address(e.Location.URL), e.Location.Line, e.Location.Column},
		},
	})
}

// snapshot records what all frames of the page show, before or after a call. It reports whether the
// main frame is among them: without it the viewer has nothing to show. The files that the documents
// need are read later, when no call waits. The parameter p is the page that the call has used,
// which may have been replaced in its tab since.
func (t *tabRecord) snapshot(ctx context.Context, p *page.Page, call, phase, ref string) (taken bool) {
	r := t.recorder
	for _, d := range p.Documents(ctx, call, ref) {
		written := t.write(d, snapshot{
			Call: call, Phase: phase, Name: phase + "@" + call, Page: "page@" + p.ID, Frame: d.Frame, URL: r.address(d.URL),
			Time: r.at(d.At), Wall: d.At.UnixMilli(), Took: float64(time.Since(d.At).Microseconds()) / 1000,
			Doctype: d.Doctype, Overrides: []struct{}{}, Viewport: size{d.Width, d.Height}, Main: d.Main,
		})
		taken = taken || written && d.Main
	}
	t.readResources(p) // now, because the files of a document cannot be read after the page has left it
	return taken
}

// write writes a snapshot, with references to earlier ones of its frame, and reports whether it did.
// It fails if there is no room, or if the page has not described its document. The viewer counts the
// snapshots of a frame in the order in which it reads them. So write holds mu while it counts and
// writes a snapshot. If one snapshot had no room, no later ones are written, because they may refer
// to it.
func (t *tabRecord) write(d page.Document, s snapshot) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.full {
		return false
	}
	h := t.histories[d.Frame]
	if h == nil {
		h = newHistory()
		t.histories[d.Frame] = h
	}
	html, err := h.shorten(d.HTML)
	if err != nil {
		return false
	}
	if d.Cut {
		t.recorder.archive.leaveOut("a document was too large for its snapshot")
	}
	s.HTML = html
	t.full = !t.recorder.archive.event(snapshots, frameSnapshot{"frame-snapshot", s})
	return !t.full
}

// resourceTime limits how long files are read from a page.
const resourceTime = 5 * time.Second

// readResources reads the files that the documents need, in the background.
func (t *tabRecord) readResources(p *page.Page) {
	if t.reading.Swap(true) {
		return // files are being read; those that are missed now are read after the next snapshot
	}
	t.recorder.inBackground(resourceTime, func(ctx context.Context) {
		for file := range p.Resources(ctx, t.network.hasFile) {
			if !t.network.addFile(file) {
				return // there is no room, so no more files are read
			}
		}
		t.reading.Store(false)
	})
}
