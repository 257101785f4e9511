package browser

import "sync"

// background is the work of a browser for which no call waits, such as making the spare tab. The
// browser's mu guards it.
type background struct {
	ended bool
	work  sync.WaitGroup
}

// beginLocked runs fn in a goroutine. It reports false, and runs nothing, when the browser is
// ending: nobody would wait for fn any more.
func (g *background) beginLocked(fn func()) bool {
	if g.ended {
		return false
	}
	g.work.Go(fn)
	return true
}

// endBackground waits until no background work is under way. It is called when the connection has
// ended, so all commands of the work fail.
func (b *Browser) endBackground() {
	b.mu.Lock()
	b.background.ended = true
	b.mu.Unlock()
	b.background.work.Wait()
}
