// Package browser is one Chromium that chela started: its targets, as tabs that
// keep their handle whatever Chromium does with the targets behind them.
package browser

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	protobrowser "github.com/chromedp/cdproto/browser"
	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"

	"chela/internal/cdp"
	"chela/internal/media"
	"chela/internal/page"
)

// Options of a browser.
type Options struct {
	Memory Memory       // of the last browser of the profile
	Files  *media.Roots // where downloads go
	Keep   func(Memory) // called with what would be left if the browser were lost, when that has changed
}

// A Browser is one running Chromium.
type Browser struct {
	host Host
	conn *cdp.Conn
	done chan struct{} // closed when it has gone and nothing of it is left

	saving     sync.Mutex   // held while the memory is written; guards keepMemory and saved
	keepMemory func(Memory) // writes it; nil when nothing is to be written any more
	saved      Memory       // as it was written last

	mu      sync.Mutex // guards the rest
	tabs    []*Tab     // the most recently used first
	lastTab int
	current *Tab            // the one used last, or nil
	closing map[string]bool // targets that we close
	changed chan struct{}   // closed at the next change, see await
	closed  bool            // by us

	unlisted   unlisted
	swaps      swaps
	downloads  downloads
	jar        jar
	background background
}

// Start connects to the browser in a host, which is its own from now on, and
// waits until it answers. The error of one that dies comes at once, with the
// end of what it wrote to stderr: a [*chrome.ExitError]. A cookie of the last
// browser that this one refuses is no error.
func Start(ctx context.Context, host Host, o Options) (*Browser, error) {
	conn, err := connect(ctx, host)
	if err != nil {
		host.terminate(ctx)
		return nil, err
	}
	b := &Browser{
		host: host, conn: conn,
		done: make(chan struct{}), changed: make(chan struct{}), closing: map[string]bool{},
		downloads: downloads{files: o.Files}, keepMemory: o.Keep,
	}
	if err := b.keepDownloads(); err != nil {
		conn.Close()
		host.terminate(ctx)
		return nil, err
	}
	go b.watch()
	b.recall(o.Memory)
	go b.run()
	if err := b.prepare(ctx, o.Memory.Cookies); err != nil {
		if errors.Is(err, cdp.ErrClosed) {
			<-host.ended()
			err = host.endErr()
		}
		b.Close(context.WithoutCancel(ctx))
		return nil, fmt.Errorf("the browser did not answer: %w", err)
	}
	b.keepSpare()
	return b, nil
}

// prepare has the browser send its events, and gives it the cookies of the last
// one. Tabs that were taken over say which of these it has refused.
func (b *Browser) prepare(ctx context.Context, cookies []*network.Cookie) error {
	if err := b.attach(ctx); err != nil {
		return err
	}
	lost, err := b.restoreCookies(ctx, cookies)
	b.lose(lost)
	return err
}

func connect(ctx context.Context, host Host) (*cdp.Conn, error) {
	transport, err := host.connect(ctx)
	if err != nil {
		return nil, err
	}
	classes := map[string]cdp.Class{}
	for _, method := range append(page.Events(), target.AttachedToTarget.Method, target.TargetInfoChanged.Method, target.TargetDestroyed.Method,
		protobrowser.DownloadWillBegin.Method, protobrowser.DownloadProgress.Method) {
		classes[method] = cdp.Structure
	}
	return cdp.NewConn(transport, cdp.Options{Class: func(method string) cdp.Class { return classes[method] }}), nil
}

// attach asks to be given every tab, before its first script runs.
func (b *Browser) attach(ctx context.Context) error {
	root := b.conn.Root()
	cdp.Send(root, target.SetDiscoverTargets, target.SetDiscoverTargetsParams{Discover: true})
	cdp.Send(root, target.SetAutoAttach, target.SetAutoAttachParams{AutoAttach: true, WaitForDebuggerOnStart: true, Flatten: new(true)})
	_, err := cdp.Call(ctx, root, protobrowser.GetVersion, protocol.Empty{})
	return err
}

// Describe returns what there is to know of what the browser runs in.
func (b *Browser) Describe() Description { return b.host.Describe() }

// Done is closed when the browser has gone.
func (b *Browser) Done() <-chan struct{} { return b.done }

// Lost is closed when the browser does not answer any more: it is about to be gone.
func (b *Browser) Lost() <-chan struct{} { return b.conn.Done() }

// AwaitEnd waits for Lost, which is imminent when a call has failed with
// [cdp.ErrClosed].
func (b *Browser) AwaitEnd(ctx context.Context) {
	select {
	case <-b.Lost():
	case <-ctx.Done():
	}
}

// Version returns Chromium's product and version.
func (b *Browser) Version(ctx context.Context) (string, error) {
	v, err := cdp.Call(ctx, b.conn.Root(), protobrowser.GetVersion, protocol.Empty{})
	return v.Product, err
}

// patience is how long Close waits for Chromium to close by itself.
const patience = 5 * time.Second

// Close closes the browser, by force if it does not obey, and waits until
// nothing is left. Its session cookies are copied before.
func (b *Browser) Close(ctx context.Context) error {
	b.mu.Lock()
	b.closed = true
	b.mu.Unlock()
	b.copyLast(ctx)
	polite, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	cdp.Send(b.conn.Root(), protobrowser.Close, protocol.Empty{})
	select {
	case <-b.host.ended():
	case <-polite.Done():
	}
	err := b.host.terminate(ctx)
	<-b.done
	return err
}

// watch ends the connection when the host has ended: other processes may hold
// the pipe a moment longer.
func (b *Browser) watch() {
	<-b.host.ended()
	b.conn.Close()
}

// run takes the browser's own events until it has gone.
func (b *Browser) run() {
	defer close(b.done)
	for {
		ev, err := b.conn.Root().Events().Next(context.Background())
		if err != nil {
			break
		}
		b.handle(ev)
	}
	b.conn.Close()
	b.host.terminate(context.Background())
	b.endDownloads()
	b.stopTimers()
	b.endBackground()
	for _, t := range b.all() {
		<-t.Page().Ended()
	}
}

func (b *Browser) handle(ev cdp.Event) {
	if attached, ok := cdp.Decode(ev, target.AttachedToTarget); ok {
		b.attached(attached)
	} else if info, ok := cdp.Decode(ev, target.TargetInfoChanged); ok {
		b.infoChanged(info.TargetInfo)
	} else if gone, ok := cdp.Decode(ev, target.TargetDestroyed); ok {
		b.destroyed(string(gone.TargetID))
	} else if began, ok := cdp.Decode(ev, protobrowser.DownloadWillBegin); ok {
		b.downloadBegan(began)
	} else if progress, ok := cdp.Decode(ev, protobrowser.DownloadProgress); ok {
		b.downloadProgressed(progress)
	}
}

// stopTimers plans no more work.
func (b *Browser) stopTimers() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, timer := range []*time.Timer{b.unlisted.refill, b.jar.planned} {
		if timer != nil {
			timer.Stop()
		}
	}
}

func (b *Browser) attached(ev target.EventAttachedToTarget) {
	s := b.conn.Session(string(ev.SessionID))
	if s == nil {
		return // it has gone already
	}
	if ev.TargetInfo.Type != "page" {
		cdp.Send(s, runtime.RunIfWaitingForDebugger, protocol.Empty{})
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	opener := b.byTargetLocked(string(ev.TargetInfo.OpenerID))
	if opener != nil && !opener.popups.admit(b.openedByLocked(opener)) {
		b.refuse(s, ev.TargetInfo.TargetID)
		b.notifyLocked()
		return
	}
	t := newTab(b, page.New(s, string(ev.TargetInfo.TargetID), page.Settings{}, b.onIdle))
	t.title, t.url = ev.TargetInfo.Title, ev.TargetInfo.URL
	switch {
	case opener != nil:
		b.listLocked(t)
		t.opener = opener
		opener.popups.add(t)
	case ev.TargetInfo.OpenerID != "": // a popup takes nobody's place
		b.listLocked(t)
	case !b.unlisted.admit(t):
		b.appearLocked(t)
	}
	b.notifyLocked()
}

// appearLocked lists a tab that came by itself.
func (b *Browser) appearLocked(t *Tab) {
	b.listLocked(t)
	b.swaps.appeared = append(b.swaps.appeared, t)
}

// listLocked gives a tab its number and its place among the others.
func (b *Browser) listLocked(t *Tab) {
	b.lastTab++
	t.ID = fmt.Sprintf("t%d", b.lastTab)
	b.tabs = append([]*Tab{t}, b.tabs...)
}

func (b *Browser) infoChanged(info *target.Info) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if t := b.byTargetLocked(string(info.TargetID)); t != nil {
		t.title, t.url = info.Title, info.URL
		b.notifyLocked()
	}
}

func (b *Browser) destroyed(id string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	ours := b.closing[id]
	delete(b.closing, id)
	t := b.byTargetLocked(id)
	switch {
	case t == nil:
		return
	case ours || t.ID == "":
		b.forgetLocked(t)
	default:
		b.tabs = slices.DeleteFunc(b.tabs, func(x *Tab) bool { return x == t })
		b.swaps.vanished = append(b.swaps.vanished, t)
	}
	b.notifyLocked()
}

// forgetLocked drops a tab that was closed.
func (b *Browser) forgetLocked(t *Tab) {
	b.unlisted.drop(t)
	b.tabs = slices.DeleteFunc(b.tabs, func(x *Tab) bool { return x == t })
	if b.current == t {
		b.current = nil
	}
}

// byTargetLocked finds a tab, listed or not, by its target.
func (b *Browser) byTargetLocked(id string) *Tab {
	return cmp.Or(byTarget(b.tabs, id), byTarget(b.unlisted.tabs, id))
}

func byTarget(tabs []*Tab, id string) *Tab {
	i := slices.IndexFunc(tabs, func(t *Tab) bool { return t.page.ID == id })
	if i < 0 {
		return nil
	}
	return tabs[i]
}

func (b *Browser) all() []*Tab {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Concat(b.tabs, b.unlisted.tabs)
}

// notifyLocked wakes who awaits a change.
func (b *Browser) notifyLocked() {
	close(b.changed)
	b.changed = make(chan struct{})
}

// await waits until cond, called with mu held, holds.
func (b *Browser) await(ctx context.Context, cond func() bool) error {
	for {
		b.mu.Lock()
		ok, changed := cond(), b.changed
		b.mu.Unlock()
		if ok {
			return nil
		}
		select {
		case <-changed:
		case <-b.Lost():
			return cdp.ErrClosed
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}
