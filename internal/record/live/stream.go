// Package live shows what happens in a tab while it happens: pictures of the tab, and events.
package live

import (
	"context"
	"slices"
	"sync"
	"time"

	"chela/internal/engine/browser"
	"chela/internal/engine/capture"
	"chela/internal/engine/journal"
	"chela/internal/engine/page"
)

// A Stream is what can be watched of one tab.
type Stream struct {
	Profile string // name of the tab's profile
	Tab     *browser.Tab
	Now     func() *browser.Tab // the tab as it is now: after a crash it may be in another browser; starts none
	Calls   *journal.TabCalls   // calls on the tabs of the profile
	Control bool                // viewers may also use the mouse and keyboard in the tab
	Guest   string              // id of the share whose guest alone may watch; "": whoever may watch tabs
}

// A Viewer watches a stream.
type Viewer struct {
	Filming capture.Filming

	// Show gets the pictures, one at a time. Pictures that come before it has returned are left out.
	// Its context ends when the tab gets another page or the stream ends, and Show must then return.
	Show func(context.Context, capture.Still)

	// Tell gets the events: Address, Title, Person, Act, Dialog, Crashed and Reopened. Several
	// goroutines call it. It must not wait.
	Tell func(event any)

	// Pressed gets each press of the mouse or a key, see [page.Page.OnPress]. It may be nil.
	Pressed func(page.Press)
}

// The events of a tab. Tell gets the first Address, Title and Person when a viewer begins to follow.
type (
	// Address is the address of the page in the tab.
	Address struct {
		URL     string // address of the page; "" if Refused
		Refused bool   // the network policy does not allow the address
	}

	// Title is the title of the tab.
	Title struct{ Title string }

	// Person says which person has taken over the tab; zero: none has.
	Person struct{ page.TakeOver }

	// Act says that a call on the tab has ended.
	Act struct{ journal.TabCall }

	// Dialog says that a dialog has opened or, if ClosedAt is set, closed.
	Dialog struct{ page.Dialog }

	// Crashed says that the page has crashed. The next call on the tab opens it again.
	Crashed struct{}

	// Reopened says that the tab has another page, after a crash or because Chromium replaced it.
	Reopened struct{}
)

// Follow shows the stream to a viewer until ctx ends, and returns the cause. It goes on when the tab
// gets another page. It also ends when the tab has closed, with [page.ErrClosed], and when the
// browser has gone, with [cdp.ErrClosed].
func (s *Stream) Follow(ctx context.Context, v Viewer) error {
	ctx, end := context.WithCancelCause(ctx)
	f := follower{stream: s, viewer: v, ctx: ctx}
	defer f.leave()
	defer end(nil)
	defer s.Calls.Listen(func(c journal.TabCall) {
		if c.Tab == s.Tab.ID {
			v.Tell(Act{c})
		}
	})()
	return s.Tab.Browser().FollowTabs(ctx, func(tabs []*browser.Tab) {
		if !slices.Contains(tabs, s.Tab) {
			end(page.ErrClosed)
			return
		}
		f.see(s.Tab.Info())
		f.watch(s.Tab.Page())
	})
}

// A follower sends a stream to one viewer, and knows what it sent last. Only one goroutine uses it.
type follower struct {
	stream *Stream
	viewer Viewer
	ctx    context.Context

	info browser.Info // entry in the list of tabs, as the viewer knows it
	page *page.Page   // the page that is watched; nil: none
	stop func()       // ends the watching of the page
}

// see tells the viewer what has changed in the tab's entry in the list of tabs.
func (f *follower) see(now browser.Info) {
	if now.Refused {
		now.URL, now.Title = "", ""
	}
	before, first := f.info, f.page == nil
	f.info = now
	if first || before.URL != now.URL || before.Refused != now.Refused {
		f.viewer.Tell(Address{now.URL, now.Refused})
	}
	if first || before.Title != now.Title {
		f.viewer.Tell(Title{now.Title})
	}
	if first || before.Person != now.Person {
		f.viewer.Tell(Person{now.Person})
	}
	if now.Crashed && !before.Crashed {
		f.viewer.Tell(Crashed{})
	}
}

// watch begins to watch the page that the tab has now, unless it already watches this page.
func (f *follower) watch(p *page.Page) {
	if p == f.page {
		return
	}
	if f.page != nil {
		f.viewer.Tell(Reopened{})
	}
	f.leave()
	ctx, cancel := context.WithCancel(f.ctx)
	film := capture.StartFilm(p, f.viewer.Filming, func(s capture.Still) { f.viewer.Show(ctx, s) })
	var running sync.WaitGroup
	running.Go(func() { f.tellDialogs(ctx, p) })
	ignore := func() {}
	if f.viewer.Pressed != nil {
		ignore = p.OnPress(f.viewer.Pressed)
	}
	f.page, f.stop = p, func() {
		cancel()
		ignore()
		film.Stop()
		running.Wait()
	}
}

// leave stops watching the page.
func (f *follower) leave() {
	if f.stop != nil {
		f.stop()
	}
}

// tellDialogs tells the viewer which dialogs are open now, and which open or close later.
func (f *follower) tellDialogs(ctx context.Context, p *page.Page) {
	var opened time.Time
	closed := time.Now()
	p.FollowDialogs(ctx, func(all page.Dialogs) {
		for _, d := range all.Pending {
			if d.OpenedAt.After(opened) {
				opened = d.OpenedAt
				f.viewer.Tell(Dialog{d})
			}
		}
		for _, d := range all.Recent {
			if d.ClosedAt.After(closed) {
				closed = *d.ClosedAt
				f.viewer.Tell(Dialog{d})
			}
		}
	})
}
