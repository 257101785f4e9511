package browser

import "sync"

// background is the work of a browser that no call waits for. It is guarded by
// the browser's mu.
type background struct {
	ended bool
	work  sync.WaitGroup
}

// beginLocked runs do beside the calls. It reports false, and runs nothing,
// when the browser is ending: then nobody would wait for do.
func (g *background) beginLocked(do func()) bool {
	if g.ended {
		return false
	}
	g.work.Go(do)
	return true
}

// endBackground waits until no such work is under way. Its commands fail with
// the connection, which has ended.
func (b *Browser) endBackground() {
	b.mu.Lock()
	b.background.ended = true
	b.mu.Unlock()
	b.background.work.Wait()
}
