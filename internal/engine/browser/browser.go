// Package browser drives one Chromium. It makes a tab of each page target. The tab keeps its handle
// even if Chromium replaces the target behind it. The package keeps a spare tab, counts popups and
// collects downloads. It also records tabs and cookies, which the next browser takes over if this
// one is lost.
//
// One goroutine handles the browser's events in the order in which Chromium sent them. One mutex
// guards all state; it is never held while a command waits for its reply.
//
// Settings that belong to all tabs are kept here, since the page of a tab is replaced after a crash
// (settings.go). Some belong to a renderer process, and end with the session that has set them.
// They are set again when a target has gone or navigated (targets.go).
//
// opener.go decides who opened a page: by its browser context, then by the opener that Chromium
// names, then by what pages have asked for. If it cannot be known, the tab belongs to no session.
// Chromium can replace the target of a tab by a new one. The handle then moves to the new target,
// if it is certain which target is the new one (replaced.go).
//
// What the next browser needs is plain data (memory.go). A change of that data raises a generation
// (saver.go). The data is written before the answer of each call that has changed it, and within a
// second after other changes. Only cookies that pages set may be up to 2 s older (jar.go). Chromium
// cannot list the origins that have storage, so those that tabs show are recorded (origins.go).
// Each is visited in a hidden tab to save or load its storage (state.go).
//
// Each tab has an owner, and each session has a current tab of its own (session.go). Calls without
// a session key form one session, with the key "". Files arrive in a staging folder and are moved
// when they are complete (downloads.go).
package browser

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	protobrowser "github.com/chromedp/cdproto/browser"
	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"

	"chela/internal/base/media"
	"chela/internal/base/mutex"
	"chela/internal/engine/cdp"
	"chela/internal/engine/journal"
	"chela/internal/engine/page"
	"chela/internal/engine/setting"
	"chela/internal/wall/proxy"
)

// Options are the options of a browser.
type Options struct {
	Memory Memory       // memory of the profile's last browser
	Files  *media.Roots // where downloads go; nil: nowhere
	// Keep writes what the next browser needs if this one is lost, see [Memory]. It is called after
	// each change of the Memory, and again after an error. If it is nil, nothing is kept.
	Keep func(Memory) error
	// Network is the proxy that all connections of the browser go through. For a browser that does
	// not connect through chela's proxy, it is a judge, which decides on each request. The browser
	// closes it at its end. If it is nil, the browser connects by itself, to any address.
	Network *proxy.Proxy

	// Hosts returns the only hosts that a session with this key may open; nil: it may open all. A
	// nil function limits no session. It is called with mutexes held.
	Hosts func(session string) []string

	Sweep func() Cleanup // returns the rules by which tabs of sessions are closed without a request; nil: none are closed

	Drops *journal.Drops // counts what the event logs of tabs do not keep; may be nil

	Portable bool // the browser's state may move to another machine, see [Browser.Portable]

	OnlyEphemeral bool // only InEphemeralContext opens pages: no caller has a tab in the browser
}

// A Browser is one running Chromium.
type Browser struct {
	BrowserContext // the default browser context, of tabs that belong to no isolated session

	host     Host
	about    Description                   // what the host has reported about the browser
	limits   func(session string) []string // Options.Hosts
	drops    *journal.Drops
	network  *proxy.Proxy // nil: the browser has no proxy of chela
	conn     *cdp.Conn
	done     chan struct{} // closed when the browser has gone, with all its processes
	changing mutex.Mutex   // locked while a call changes the settings of all tabs

	onlyEphemeral bool // only InEphemeralContext opens pages

	kept     generation      // counts the changes of what is kept in a [Memory]
	saver    saver           // writes the Memory; has a mutex of its own
	storage  portableStorage // copy of what origins have stored, see Portable
	graphics graphics        // the answer of Graphics; has a mutex of its own
	late     atomic.Bool     // askLate is going to ask
	stopped  atomic.Bool     // the user has stopped all agents: calls are refused

	mu      sync.Mutex    // guards the rest; taken before the mutex of a page or a download
	changed chan struct{} // closed at the next change, see await
	closed  bool          // chela has closed the browser, so its tabs are not opened again

	tabs             tabList                                       // the tabs that callers can name
	closing          map[string]bool                               // ids of the targets that chela is closing
	defaultContextID protocol.BrowserContextID                     // "": not known
	otherContexts    map[protocol.BrowserContextID]*BrowserContext // those of ephemeral pages; in a browser that chela has not started, also the user's
	settings         settings
	newPages         []*newPage // pages whose openers are not known yet, the oldest first
	unlisted         unlisted   // the tabs that no caller can name
	restoring        bool       // restored tabs are listed, but those that still exist are not all attached yet
	swaps            swaps
	downloads        downloads
	jar              jar
	background       background
	sweeping         sweeping
	shared           map[string]cdp.SharedTab // what a user's browser remembers of each shared tab, by target id: see shared.go
}

// Start connects to the browser in a host, and waits until it answers. From then on the host
// belongs to the returned Browser. If a launched browser exits, Start returns a [*chrome.ExitError]
// at once, with the end of its stderr. If a browser cannot be connected to, the error comes from
// the function given to [Connect]. It is no error if this browser refuses a cookie that the last
// one had.
func Start(ctx context.Context, host Host, o Options) (*Browser, error) {
	conn, about, err := connect(ctx, host)
	if err != nil {
		host.terminate(ctx)
		o.Network.Close()
		return nil, err
	}
	b := &Browser{
		host: host, about: about, network: o.Network, conn: conn, changing: mutex.New(), settings: newSettings(),
		done: make(chan struct{}), changed: make(chan struct{}), closing: map[string]bool{}, otherContexts: map[protocol.BrowserContextID]*BrowserContext{}, shared: map[string]cdp.SharedTab{},
		downloads: downloads{files: o.Files}, saver: saver{write: o.Keep}, sweeping: sweeping{limits: o.Sweep}, limits: o.Hosts, drops: o.Drops, onlyEphemeral: o.OnlyEphemeral,
	}
	if o.Keep != nil {
		b.kept.late = func() { b.saver.save(b) }
	}
	if o.Portable {
		b.storage.begin(o.Memory.Origins)
	}
	b.tabs.kept = &b.kept
	if !b.onlyEphemeral {
		b.unlisted.keep = 1
	}
	b.BrowserContext = BrowserContext{browser: b, target: setting.BrowserTarget(conn.Root(), "")}
	if err := b.setDownloadFolder(); err != nil {
		conn.Close()
		host.terminate(ctx)
		o.Network.Close()
		return nil, err
	}
	o.Network.OnRefusal(b.cancelNavigations)
	go b.watch()
	b.restore(o.Memory)
	go b.run()
	if err := b.prepare(ctx, o.Memory); err != nil {
		err = host.failure(err)
		b.Close(ctx)
		return nil, fmt.Errorf("the browser did not answer: %w", err)
	}
	b.keepSpare()
	b.mu.Lock()
	defer b.mu.Unlock()
	b.finishRestoreLocked(o.Memory)
	b.sweepLocked() // restored tabs may already be due to be closed
	return b, nil
}

// prepare makes the browser send its events, and gives it the settings, permissions and cookies in
// m. Cookies that the browser refuses are recorded as lost, at each restored tab.
func (b *Browser) prepare(ctx context.Context, m Memory) error {
	b.setBrowser(b.Settings())
	if err := b.attach(ctx); err != nil {
		return err
	}
	b.sendGrants(m.Grants)
	if !b.about.Own { // a browser that chela has not started still has its cookies
		return b.awaitTabs(ctx)
	}
	lost, err := b.restoreCookies(ctx, m.Cookies)
	b.addLost(lost)
	return err
}

// watchOf returns when the connection to a browser counts as silent. That comes soon: until then, a
// call that is not done in time says that the page is busy. The connection is ended later, and the
// next call connects again. But a browser that chela has started ends with its connection, and the
// forms in it are lost. It gets more time, because a busy machine may hold it up.
func watchOf(about Description) cdp.Watch {
	w := cdp.Watch{Quiet: 500 * time.Millisecond, Silent: time.Second, End: 10 * time.Second}
	if about.Own {
		w.End = 30 * time.Second
	}
	return w
}

func connect(ctx context.Context, host Host) (*cdp.Conn, Description, error) {
	about := host.Describe()
	transport, err := host.connect(ctx)
	if err != nil {
		return nil, about, err
	}
	if paired, ok := transport.(interface{ Paired() string }); ok {
		about.Paired = paired.Paired()
	}
	own := []string{
		target.AttachedToTarget.Method, target.DetachedFromTarget.Method, target.TargetInfoChanged.Method, target.TargetDestroyed.Method,
		protobrowser.DownloadWillBegin.Method, protobrowser.DownloadProgress.Method, cdp.TabShared.Method, cdp.PersonStopped.Method,
	}
	class := func(method string) cdp.Class {
		if slices.Contains(own, method) {
			return cdp.Structure
		}
		return page.Class(method)
	}
	conn := cdp.NewConn(transport, cdp.Options{Class: class, Watch: watchOf(about), Elsewhere: !about.Own})
	if about, err = about.complete(ctx, conn); err != nil {
		conn.Close()
	}
	return conn, about, err
}

// attach has Chromium attach chela to every tab, including those that pages open. With
// waitForDebuggerOnStart, Chromium pauses each tab before its first script runs, until its page is
// set up. Otherwise chela would miss what the first scripts do. Commands run in order, so the reply
// to the last one says that all have run. If a server refuses one of them, no tab can be driven,
// and the error is a [*cdp.Error].
func (b *Browser) attach(ctx context.Context) error {
	root := b.conn.Root()
	if err := b.learnDefaultContext(ctx); err != nil {
		return err
	}
	listed := cdp.Send(root, target.SetDiscoverTargets, target.SetDiscoverTargetsParams{Discover: true})
	attached := cdp.Send(root, target.SetAutoAttach, target.SetAutoAttachParams{AutoAttach: true, WaitForDebuggerOnStart: true, Flatten: new(true)})
	if _, err := b.Version(ctx); err != nil {
		return err
	}
	if _, err := listed.Wait(ctx); err != nil {
		return err
	}
	_, err := attached.Wait(ctx)
	return err
}

// Reconfigure applies a changed network policy and a changed [Cleanup]. It ends the connections that the
// policy does not allow. In a browser without the proxy, it also updates which requests Chromium
// pauses for a check against the policy.
func (b *Browser) Reconfigure() {
	b.mu.Lock()
	networks := []*proxy.Proxy{b.network}
	for _, s := range b.isolatedContextsLocked() {
		networks = append(networks, s.network)
	}
	if !b.network.Carries() {
		b.rejudgeLocked()
	}
	b.sweepLocked()
	b.mu.Unlock()
	for _, n := range networks {
		n.Enforce()
	}
}

func (b *Browser) rejudgeLocked() {
	for _, t := range b.allLocked() {
		t.page.Rejudge()
	}
	for _, worker := range b.settings.workers {
		worker.Rejudge()
	}
}

// Describe returns what is known of the browser's host.
func (b *Browser) Describe() Description { return b.about }

// Lost returns a channel that is closed when the browser cannot be reached any more. The browser's
// processes may still run then; [Browser.Memory] waits until they have ended.
func (b *Browser) Lost() <-chan struct{} { return b.conn.Done() }

// Silent reports whether nothing has come from the browser for some time, so calls probably wait
// for answers that will not come, see watchOf.
func (b *Browser) Silent() bool { return b.conn.Silent() }

// AwaitEnd waits for [Browser.Lost], or for ctx. Call it after a command failed with
// [cdp.ErrClosed]. A session may fail a moment before the connection does, and until then the
// browser would seem to run.
func (b *Browser) AwaitEnd(ctx context.Context) {
	select {
	case <-b.Lost():
	case <-ctx.Done():
	}
}

// RetryInNext runs the function do in the browser that the function get returns. If that browser
// turns out to be lost, it runs do once more in the next one. Often only the first command that
// fails shows that a browser has crashed. There is no third attempt: a browser that crashes at each
// start would be started for ever.
func RetryInNext(ctx context.Context, get func(context.Context) (*Browser, error), do func(*Browser) error) error {
	var lost error
	for range 2 {
		b, err := get(ctx)
		if err != nil {
			return err
		}
		if lost = do(b); !errors.Is(lost, cdp.ErrClosed) {
			return lost
		}
		b.AwaitEnd(ctx)
	}
	return lost
}

// Version returns Chromium's product and version, such as Chrome/156.0.1.2. It is "" if the browser
// does not know the command.
func (b *Browser) Version(ctx context.Context) (string, error) {
	v, err := cdp.Call(ctx, b.conn.Root(), protobrowser.GetVersion, protocol.Empty{})
	if _, refused := errors.AsType[*cdp.Error](err); refused {
		return "", nil
	}
	return v.Product, err
}

// closeTime is how long Chromium may take to end after Browser.close.
const closeTime = 5 * time.Second

// Close ends the browser and waits until its processes have ended. If the browser has not ended
// within closeTime, or when ctx ends, it is killed. Before that, Close copies the cookies that
// Chromium does not write to disk. The error comes from the kill. If chela has not started the
// browser, Close only ends the connection.
func (b *Browser) Close(ctx context.Context) error {
	b.mu.Lock()
	b.closed = true
	b.mu.Unlock()
	switch {
	case b.conn.Err() != nil:
	case b.about.Own:
		b.copyNow(ctx)
		b.closePolitely(ctx)
	default:
		b.leave(ctx)
	}
	err := b.host.terminate(ctx)
	<-b.done
	return err
}

// closePolitely asks the browser to end, and waits for that. It first ends the calls under way:
// Chromium removes the documents before it reports that their tabs have ended, and calls would take
// that for a navigation.
func (b *Browser) closePolitely(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, closeTime)
	defer cancel()
	for _, t := range b.all() {
		t.Page().SetClosing(true)
		t.Page().Interrupt(page.ErrClosed)
	}
	cdp.Send(b.conn.Root(), protobrowser.Close, protocol.Empty{})
	select {
	case <-b.host.ended():
	case <-ctx.Done():
	}
}

// watch ends the connection when the browser process has ended. Otherwise the connection could stay
// open: other processes may hold the pipe a moment longer.
func (b *Browser) watch() {
	<-b.host.ended()
	b.conn.Close()
}

// run handles the events of the browser's root session, in the order in which Chromium sent them,
// until the browser has gone. Then it ends all that belongs to the browser, and closes done last.
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
	b.network.Close()
	b.stopTimers()
	b.endBackground() // before endDownloads, since some of it ends downloads
	b.endDownloads()
	for _, t := range b.all() {
		<-t.Page().Ended()
	}
}

func (b *Browser) handle(ev cdp.Event) {
	if attached, ok := cdp.Decode(ev, target.AttachedToTarget); ok {
		b.onAttached(attached)
	} else if detached, ok := cdp.Decode(ev, target.DetachedFromTarget); ok {
		b.onDetached(string(detached.SessionID))
	} else if info, ok := cdp.Decode(ev, target.TargetInfoChanged); ok {
		b.onInfoChanged(info.TargetInfo)
	} else if gone, ok := cdp.Decode(ev, target.TargetDestroyed); ok {
		b.onDestroyed(string(gone.TargetID))
	} else if began, ok := cdp.Decode(ev, protobrowser.DownloadWillBegin); ok {
		b.onDownloadBegan(began)
	} else if progress, ok := cdp.Decode(ev, protobrowser.DownloadProgress); ok {
		b.onDownloadProgress(progress)
	} else if shared, ok := cdp.Decode(ev, cdp.TabShared); ok {
		b.onTabShared(shared)
	} else if by, ok := cdp.Decode(ev, cdp.PersonStopped); ok {
		b.onStopped(by.Stopped)
	}
}

// stopTimers stops the timers of work that is planned for later.
func (b *Browser) stopTimers() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, timer := range []*time.Timer{b.unlisted.refill, b.jar.planned, b.sweeping.timer} {
		if timer != nil {
			timer.Stop()
		}
	}
}

// notifyLocked wakes all calls of await.
func (b *Browser) notifyLocked() {
	close(b.changed)
	b.changed = make(chan struct{})
}

// await waits until cond holds. It calls cond with mu held, now and after each change. The error is
// [cdp.ErrClosed] when the browser is lost, or the cause of ctx when that ends.
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
			return b.conn.Err()
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}
