package browser

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	protobrowser "github.com/chromedp/cdproto/browser"
	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"

	"chela/internal/engine/cdp"
)

// A connectedHost is a browser that somebody else has started.
type connectedHost struct {
	about Description
	open  func(context.Context) (cdp.Transport, error)
	left  chan struct{} // closed when chela no longer drives the browser
	leave sync.Once
}

// Connect returns the host of a browser that runs already: on another machine, or one that the user
// has started on this one. [Start] calls the function open once, to connect to the browser. The
// parameter about has what is known of the browser before that.
func Connect(open func(context.Context) (cdp.Transport, error), about Description) Host {
	about.Own = false
	return &connectedHost{about: about, open: open, left: make(chan struct{})}
}

func (h *connectedHost) Describe() Description { return h.about }

func (h *connectedHost) connect(ctx context.Context) (cdp.Transport, error) { return h.open(ctx) }

func (h *connectedHost) ended() <-chan struct{} { return h.left }

func (h *connectedHost) failure(err error) error { return err }

func (h *connectedHost) exitedCleanly() bool { return false }

func (h *connectedHost) terminate(context.Context) error {
	h.leave.Do(func() { close(h.left) })
	return nil
}

// complete asks a browser that chela has not started for its version. The version says whether the
// browser has windows, and whether it is the headless shell. A server that knows no commands for
// the whole browser counts as one without windows. An error means that the browser did not answer.
func (d Description) complete(ctx context.Context, conn *cdp.Conn) (Description, error) {
	if d.Own {
		return d, nil
	}
	v, err := cdp.Call(ctx, conn.Root(), protobrowser.GetVersion, protocol.Empty{})
	if _, refused := errors.AsType[*cdp.Error](err); refused {
		d.Headless = true
		return d, nil
	}
	d.Headless = strings.Contains(v.UserAgent+v.Product, "Headless")
	d.HeadlessShell = strings.Contains(v.Product, "Headless") // with --headless, Chromium has the word in the user agent only
	return d, err
}

// leaveTime limits how long [Browser.Close] waits for tabs to close, see leave.
const leaveTime = 2 * time.Second

// leave is called at the end of a browser that chela has not started. It closes the tabs that chela
// has opened and that no caller knows of. Tabs that callers have opened stay, and are listed again
// after the next connection. The settings of tabs end with the connection, and Chromium then
// removes the browser contexts of isolated sessions.
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

// tabsTime limits how long [Start] waits for existing tabs to report which documents they show. A
// tab whose script does not end never answers.
const tabsTime = time.Second

// awaitTabs waits until the browser's tabs are listed, with the documents that they show. An error
// means that the connection, or ctx, ended.
func (b *Browser) awaitTabs(ctx context.Context) error {
	if err := b.conn.Root().Events().Sync(ctx); err != nil {
		return err
	}
	soon, cancel := context.WithTimeout(ctx, tabsTime)
	defer cancel()
	b.awaitDecided(soon) // the user's tabs are listed only after this
	var waiting sync.WaitGroup
	for _, t := range b.all() {
		waiting.Go(func() { t.Page().Watch(soon, t.Page().Known) })
	}
	waiting.Wait()
	return b.conn.Err()
}
