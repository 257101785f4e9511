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
	late    func()      // writes what has changed; nil: nothing is written
}

// lateSaveTime is how long after a change it is written if no call does so. A page that
// changes its address all the time causes one write in this time.
const lateSaveTime = time.Second

// raise takes no lock, so that it can be called with any.
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
	write func(Memory) error // nil when nothing is to be written, or not any more
	saved uint64             // number of the generation that was written last
}

// save writes the memory of a browser if its generation was raised since the last time, and again
// if that has failed. If the browser was closed, nothing is written: [Browser.Memory] has what is
// left of it.
func (s *saver) save(b *Browser) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := b.kept.number.Load() // first: what changes from here on is written the next time
	if s.write == nil || now == s.saved || b.WasClosed() {
		return
	}
	if s.write(b.memory()) == nil {
		s.saved = now
	}
}

// stop returns when nothing is written any more: a call that ends late would
// otherwise overwrite what the next browser has written.
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
