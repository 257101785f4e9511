package browser

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	protobrowser "github.com/chromedp/cdproto/browser"
	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"

	"chela/internal/cdp"
)

// reached is a browser that somebody else has started.
type reached struct {
	about Description
	open  func(context.Context) (cdp.Transport, error)
	left  chan struct{} // closed when it is not to be driven any more
	leave sync.Once
}

// Reach returns the host of a browser that runs already: on another machine, or one that the user has started
// on this one. Open connects to it; it is called once, by [Start]. The description has what is known of the
// browser before that.
func Reach(open func(context.Context) (cdp.Transport, error), about Description) Host {
	about.Own = false
	return &reached{about: about, open: open, left: make(chan struct{})}
}

func (h *reached) Describe() Description { return h.about }

func (h *reached) connect(ctx context.Context) (cdp.Transport, error) { return h.open(ctx) }

func (h *reached) ended() <-chan struct{} { return h.left }

func (h *reached) failure(err error) error { return err }

func (h *reached) endedWell() bool { return false }

func (h *reached) terminate(context.Context) error {
	h.leave.Do(func() { close(h.left) })
	return nil
}

// ask completes what is known of a browser that is not our own by what it says itself. A server that knows no
// commands for the whole browser has no windows. An error is that it did not answer.
func (d Description) ask(ctx context.Context, conn *cdp.Conn) (Description, error) {
	if d.Own {
		return d, nil
	}
	v, err := cdp.Call(ctx, conn.Root(), protobrowser.GetVersion, protocol.Empty{})
	if _, refused := errors.AsType[*cdp.Error](err); refused {
		d.Headless = true
		return d, nil
	}
	d.Headless = strings.Contains(v.UserAgent+v.Product, "Headless")
	return d, err
}

// leaveTime bounds how long [Browser.Close] waits until what is ours is gone from a browser that stays.
const leaveTime = 2 * time.Second

// leave closes what we have opened in a browser that is not our own and that no caller knows of. What
// callers have opened stays, and is listed again when they come back. The settings that tabs were given are
// the connection's: Chromium takes them back when that ends, as it does with the browser contexts of isolated sessions.
func (b *Browser) leave(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, leaveTime)
	defer cancel()
	b.mu.Lock()
	var replies []*cdp.Reply[protocol.Empty]
	for _, t := range b.unlisted.list {
		replies = append(replies, cdp.Send(b.conn.Root(), target.CloseTarget, target.CloseTargetParams{TargetID: target.ID(t.page.ID)}))
	}
	b.mu.Unlock()
	for _, reply := range replies {
		reply.Wait(ctx)
	}
}

// returning are the tabs of an earlier connection to a browser that is not our own. When their targets are still
// there, they get the handles that callers know them by. It is guarded by the browser's mu.
type returning struct {
	tabs    []SavedTab
	current map[string]string // handle of the tab that a session has used last, by its key
}

// awaitReturnLocked takes over what the last connection has left. It is called before any target can be attached.
func (b *Browser) awaitReturnLocked(m Memory) {
	settings, _ := m.Settings.Restored()
	b.tabs.last, b.settings.common, b.visited = m.LastTab, settings, m.Origins
	for _, key := range m.Isolated {
		b.isolateLocked(key).hosts = m.Hosts[key]
	}
	b.returning = returning{m.Tabs, m.Current}
}

// has reports whether a target was a tab of the last connection.
func (r returning) has(target string) bool {
	return slices.ContainsFunc(r.tabs, func(s SavedTab) bool { return s.TargetID == target })
}

// returnedLocked lists a target that was a tab of the last connection, as that tab. It reports false for any other.
func (b *Browser) returnedLocked(t *Tab) bool {
	for _, s := range b.returning.tabs {
		if s.TargetID != t.page.ID {
			continue
		}
		t.ID, t.former, t.label, t.owner, t.used = s.ID, s.Former, s.Label, s.Owner, time.Now()
		t.viewport, t.unapplied, t.found = s.Viewport, true, s.Found
		if s.Journal != nil {
			t.journal = s.Journal
			t.page.Record(t.journal)
		}
		b.tabs.list = append(b.tabs.list, t)
		return true
	}
	return false
}

// tabsTime bounds how long [Start] waits for the tabs that are there to say what they show. One whose
// script does not end says nothing.
const tabsTime = time.Second

// awaitTabs waits until the tabs that the browser has are listed with what they show. The error is that the connection, or ctx, ended.
func (b *Browser) awaitTabs(ctx context.Context) error {
	if err := b.conn.Root().Events().Sync(ctx); err != nil {
		return err
	}
	soon, cancel := context.WithTimeout(ctx, tabsTime)
	defer cancel()
	var waiting sync.WaitGroup
	for _, t := range b.all() {
		waiting.Go(func() { t.Page().Watch(soon, t.Page().Known) })
	}
	waiting.Wait()
	return b.conn.Err()
}

// returnedAllLocked is called when all targets that the browser has are attached. They come in any order, and are
// listed in that of the last connection, before those that are new.
func (b *Browser) returnedAllLocked() {
	place := map[string]int{}
	for i, s := range b.returning.tabs {
		place[s.ID] = i - len(b.returning.tabs)
	}
	slices.SortStableFunc(b.tabs.list, func(x, y *Tab) int { return place[x.ID] - place[y.ID] })
	for key, id := range b.returning.current {
		if t := b.tabs.byID(id); t != nil {
			u := b.tabs.of(key)
			u.current, u.last = t, t.used
		}
	}
	b.returning = returning{}
}
