package browser

import (
	"sync"
	"sync/atomic"
	"time"
)

// A generation counts the changes of what is kept for the next browser, see [Memory]. Whoever
// changes some of that raises it, after the change and before releasing the mutex that guards it.
// So the saver need not compare the new memory with what it has written.
//
// What a call has changed is written before its answer. What changes at other times, as when a page
// navigates by itself or a tab is swept, is written lateSaveTime later.
type generation struct {
	number  atomic.Uint64
	planned atomic.Bool // a late write is
	late    func()      // writes the changes; nil: nothing is written
}

// lateSaveTime is how long a change waits to be written if no call writes it before. A page that
// changes its address all the time causes one write in this time.
const lateSaveTime = time.Second

// raise takes no lock, so it can be called with any lock held.
func (g *generation) raise() {
	if g == nil || g.late == nil {
		return
	}
	g.number.Add(1)
	if g.planned.CompareAndSwap(false, true) {
		time.AfterFunc(lateSaveTime, func() {
			g.planned.Store(false)
			g.late()
		})
	}
}

// A saver writes what would be left if the browser were lost. Nothing else does so while the
// browser runs. The mutex is held during a write. If calls end together, the first one writes what
// the others have changed by then.
type saver struct {
	mu    sync.Mutex         // guards the rest; taken before the browser's mu
	write func(Memory) error // nil when nothing is written, or no longer
	saved uint64             // number of the generation that was written last
}

// save writes the memory of a browser if its generation was raised since the last time, and again
// if that has failed. If the browser was closed, nothing is written: [Browser.Memory] has what is
// left of it.
func (s *saver) save(b *Browser) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := b.kept.number.Load() // read first: later changes are written the next time
	if s.write == nil || now == s.saved || b.WasClosed() {
		return
	}
	if s.write(b.memory()) == nil {
		s.saved = now
	}
}

// stop stops all writing. A call that ends late would otherwise overwrite what the next browser has
// written.
func (s *saver) stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.write = nil
}

// Remember writes what has changed since the last call, for the browser that may have to take over.
// It writes the tabs at once, and the cookies when a copy of them has come. It does not wait for
// that.
func (b *Browser) Remember() {
	if b.about.Own { // any other keeps its cookies itself
		b.copyCookies()
		b.copyCookiesLate()
	}
	b.saver.save(b)
}
