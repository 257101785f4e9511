package browser

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/chromedp/cdproto/target"

	"chela/internal/cdp"
)

// A tabList is the tabs that callers can name. It is guarded by the browser's mu.
type tabList struct {
	list []*Tab // the most recently used first
	last int    // number in the newest handle

	// The tab that was used last, or nil. It stays when that tab has closed by
	// itself: a call that names no tab is then refused. It must not be done to
	// some other tab, which its caller has not thought of.
	current *Tab
}

// add lists a tab and gives it the next handle.
func (l *tabList) add(t *Tab) {
	l.last++
	t.ID = fmt.Sprintf("t%d", l.last)
	l.list = slices.Insert(l.list, 0, t)
}

func (l *tabList) remove(t *Tab) {
	l.list = slices.DeleteFunc(l.list, func(x *Tab) bool { return x == t })
}

// use makes the tab the one that is meant when none is named.
func (l *tabList) use(t *Tab) {
	l.current = t
	if i := slices.Index(l.list, t); i > 0 {
		l.list = slices.Insert(slices.Delete(l.list, i, i+1), 0, t)
	}
}

// openedBy counts the tabs that the page of a tab has opened.
func (l *tabList) openedBy(opener *Tab) (open int) {
	for _, t := range l.list {
		if t.opener == opener {
			open++
		}
	}
	return open
}

// Tabs lists the tabs that show pages, the most recently used first. It asks
// Chromium for their titles: no event says that a script has changed the title
// of its page.
func (b *Browser) Tabs(ctx context.Context) []Info {
	if res, err := cdp.Call(ctx, b.conn.Root(), target.GetTargets, target.GetTargetsParams{}); err == nil {
		for _, info := range res.TargetInfos {
			b.infoChanged(info)
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.followLocked()
	var list []Info
	for _, t := range b.tabs.list {
		if info := t.infoLocked(); !internal(info.URL) {
			list = append(list, info)
		}
	}
	return list
}

// Count is how many tabs there are.
func (b *Browser) Count() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.tabs.list)
}

// internal reports whether an address belongs to the browser itself, such as
// its settings or a window of its developer tools.
func internal(url string) bool {
	for _, scheme := range []string{"chrome", "chrome-untrusted", "devtools", "edge", "brave", "vivaldi", "opera"} {
		if strings.HasPrefix(url, scheme+"://") {
			return true
		}
	}
	return false
}
