package browser

import (
	"context"
	"slices"
	"sync"

	"chela/internal/engine/page"
)

// An askList has the asks of the documents of one browser context: those that Chromium has not
// answered yet, and maybe some that it has.
type askList struct {
	mu   sync.Mutex
	asks []*page.Ask
}

func (l *askList) add(a *page.Ask) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.asks = append(slices.DeleteFunc(l.asks, (*page.Ask).Answered), a)
}

// awaitInterchangeable waits until Chromium has answered all asks that are interchangeable with a.
func (l *askList) awaitInterchangeable(ctx context.Context, a *page.Ask) {
	for {
		l.mu.Lock()
		i := slices.IndexFunc(l.asks, func(x *page.Ask) bool { return !x.Answered() && interchangeable(a, x) })
		if i < 0 {
			l.mu.Unlock()
			return
		}
		other := l.asks[i]
		l.mu.Unlock()
		other.AwaitAnswer(ctx)
	}
}

// endAsk waits in the background until no tab can result from an ask, a page's request for a tab.
// It then removes the ask.
//
// The answer alone does not mean this. The tab that resulted from the ask may have counted as the
// result of an interchangeable ask of another page, see [attribute]. The tab of that other ask is
// then for this one, so its answer is awaited as well.
func (bc *BrowserContext) endAsk(p *page.Page, ask *page.Ask) {
	b := bc.browser
	bc.asks.add(ask)
	go func() { // the goroutine ends with the answers or the connection
		ctx := context.Background()
		ask.AwaitAnswer(ctx)
		bc.asks.awaitInterchangeable(ctx, ask)
		b.conn.Root().Events().Sync(ctx)
		b.awaitDecided(ctx)
		p.EndAsk(ask)
		b.mu.Lock()
		defer b.mu.Unlock()
		b.notifyLocked()
	}()
}
