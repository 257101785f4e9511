package browser

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/chromedp/cdproto/target"

	"chela/internal/engine/cdp"
)

// A tabList holds the tabs that callers can name. The browser's mu guards it.
type tabList struct {
	list []*Tab                 // the most recently used first
	last int                    // number in the newest handle
	uses map[string]*sessionUse // how each session uses the browser, by session key
	room int                    // how many sessions can be added before [tabList.forgetUnused] looks again

	swept []string // handles of tabs that a sweep closed (see [Cleanup]), the newest last

	kept *generation // the browser's generation; nil: changes are not written
}

// add lists a tab of a session and gives it the next handle.
func (l *tabList) add(owner string, t *Tab) {
	l.last++
	t.owner, t.used = owner, time.Now()
	t.ID = fmt.Sprintf("t%d", l.last)
	l.list = slices.Insert(l.list, 0, t)
	l.kept.raise()
}

// byID finds a tab by its handle, nil if there is none.
func (l *tabList) byID(id string) *Tab {
	i := slices.IndexFunc(l.list, func(t *Tab) bool { return t.ID == id })
	if i < 0 {
		return nil
	}
	return l.list[i]
}

func (l *tabList) remove(t *Tab) {
	l.list = slices.DeleteFunc(l.list, func(x *Tab) bool { return x == t })
	l.kept.raise()
}

// front moves the tab to the front of the list, because it was used last.
func (l *tabList) front(t *Tab) {
	if i := slices.Index(l.list, t); i > 0 {
		l.list = slices.Insert(slices.Delete(l.list, i, i+1), 0, t)
		l.kept.raise()
	}
}

// openedBy counts the open tabs that the page of a tab has opened.
func (l *tabList) openedBy(opener *Tab) (open int) {
	for _, t := range l.list {
		if t.opener == opener {
			open++
		}
	}
	return open
}

// titleTime limits how long the list of tabs waits for their titles. The rest of the list is known.
const titleTime = time.Second

// Tabs lists the tabs that the session sees, the most recently used first. It leaves out pages of
// the browser itself, such as its settings. It asks Chromium for their titles: no event says that a
// script has changed the title of its page. If Chromium does not answer soon, the list has the titles
// that are known.
func (s Session) Tabs(ctx context.Context) []Info {
	b := s.browser
	ctx, cancel := context.WithTimeout(ctx, titleTime)
	defer cancel()
	if _, err := b.askTitles().Wait(ctx); err == nil {
		b.conn.Root().Events().Sync(ctx)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.followLocked()
	seen := s.tabsLocked()
	current, _ := seen.find(s.key, "") // if the current tab was closed, there is an error, and no other tab is the current one
	var list []Info
	for _, t := range seen.list {
		info := t.infoLocked()
		info.Current = t == current
		if !internal(info.URL) {
			list = append(list, info)
		}
	}
	return list
}

// AskInfo describes a tab after it has asked Chromium for the title. The event that says so may come
// later than the end of a load.
func (t *Tab) AskInfo(ctx context.Context) Info {
	b, id := t.browser, target.ID(t.Page().ID)
	reply := cdp.SendInOrder(b.conn.Root(), target.GetTargetInfo, target.GetTargetInfoParams{TargetID: id}, func(r target.GetTargetInfoResult) {
		b.onInfoChanged(r.TargetInfo)
	})
	if _, err := reply.Wait(ctx); err == nil {
		b.conn.Root().Events().Sync(ctx)
	}
	return t.Info()
}

// Infos lists the tabs of the browser, whichever session they belong to.
func (b *Browser) Infos() (list []Info) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, t := range b.tabs.list {
		list = append(list, t.infoLocked())
	}
	return list
}

// askTitles requests the titles of the tabs. Nobody need wait for the reply: it is handled like the
// events. Viewers of a tab see its new title, and the next browser lists its tabs with these titles
// before they are opened again.
func (b *Browser) askTitles() *cdp.Reply[target.GetTargetsResult] {
	return cdp.SendInOrder(b.conn.Root(), target.GetTargets, target.GetTargetsParams{}, func(r target.GetTargetsResult) {
		for _, info := range r.TargetInfos {
			if info.Type == "page" {
				b.onInfoChanged(info)
			}
		}
	})
}

// Count returns how many tabs the session sees.
func (s Session) Count() int {
	s.browser.mu.Lock()
	defer s.browser.mu.Unlock()
	return len(s.tabsLocked().list)
}

// internal reports whether an address belongs to the browser itself, such as its settings or a
// window of its developer tools.
func internal(url string) bool {
	for _, scheme := range []string{"chrome", "chrome-untrusted", "devtools", "edge", "brave", "vivaldi", "opera"} {
		if strings.HasPrefix(url, scheme+"://") {
			return true
		}
	}
	return false
}
