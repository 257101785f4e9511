package browser

import (
	"sync"
	"sync/atomic"
	"time"
)

// A generation counts the changes of the state that a [Memory] has. Code that changes some of that
// state calls raise, after the change and before releasing the mutex that guards it. So the saver
// need not compare the new memory with what it has written.
//
// What a call has changed is written before its answer. What changes at other times, as when a page
// navigates by itself or a sweep closes a tab, is written lateSaveTime later.
type generation struct {
	number  atomic.Uint64
	planned atomic.Bool // a write is planned, lateSaveTime after a change
	late    func()      // writes the changes; nil: nothing is written
}

// lateSaveTime is how long a change waits to be written if no call writes it before. A page that
// changes its address all the time causes one write in this time.
const lateSaveTime = time.Second

// raise counts a change, and plans a write. It takes no lock, so it can be called with any lock
// held.
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

// A saver writes the [Memory] of a browser, in case the browser is lost. Nothing else writes it
// while the browser runs. The mutex is held during a write. If calls end together, the first one
// writes what the others have changed by then.
type saver struct {
	mu    sync.Mutex         // guards the rest; taken before the browser's mu
	write func(Memory) error // nil: nothing is written, or no longer
	saved uint64             // number of the generation at the last successful write
}

// save writes the memory of a browser if its generation was raised since the last write, or if the
// last write failed. If the browser was closed, nothing is written: see [Browser.Memory]. The error
// comes from the file system. The next save tries again.
func (s *saver) save(b *Browser) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := b.kept.number.Load() // read first: later changes are written the next time
	if s.write == nil || now == s.saved || b.WasClosed() {
		return nil
	}
	err := s.write(b.memory())
	if err == nil {
		s.saved = now
	}
	return err
}

// stop stops all writing. A call that ends late would otherwise overwrite what the next browser has
// written.
func (s *saver) stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.write = nil
}

// Remember writes the changes since the last call, in case this browser is lost. It writes the tabs
// at once, and the cookies when a copy of them has come. It does not wait for the copy. The
// error comes from the file system.
func (b *Browser) Remember() error {
	if b.about.Own { // any other browser keeps its cookies itself
		b.copyCookies()
	}
	b.askLate()
	b.keepShared()
	return b.saver.save(b)
}
