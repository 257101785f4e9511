package browser

import (
	"context"
	"errors"
	"slices"

	"chela/internal/engine/page"
)

// ErrCrashedAgain says that a page crashed again in the same call that had opened it again after a
// crash. It may crash whenever it is opened. The error is joined with [page.ErrCrashed].
var ErrCrashedAgain = errors.New("the page crashed again")

// needsPage reports whether the tab has no usable page. The renderer has crashed, the browser has
// gone, or an earlier call has failed to open the page again. After a crash Chromium keeps the
// target, but answers no command that was sent to the dead renderer. A [page.Page] knows the frames
// and scripts of one renderer and ends with it, so the tab gets a new target and a new page.
func (t *Tab) needsPage() bool {
	t.browser.mu.Lock()
	defer t.browser.mu.Unlock()
	if lostPage(t.page.Err()) {
		return true
	}
	switch url := t.page.URL(); {
	case t.unreachedURL == "":
		return false
	case page.IsError(url):
		return true
	default: // the tab needs a page if it is empty, and no navigation from the empty page is under way
		return url == page.Blank && (t.loadFailed || t.page.Leaving() == "")
	}
}

// MaxReopen limits how often a call gives a tab a new page. If all renderer processes have just
// been killed, up to three new pages may be given a dead process. These are the processes of the
// spare tab and of the old page, and one that Chromium keeps ready. Such a page crashes before it
// shows the address. A page that crashes later most likely does so by its own content, and is not
// opened again.
const MaxReopen = 5

// Revive attaches a tab that is not attached. If its page cannot be used, the tab gets a new one,
// opened with GET at the old page's URL. Revive reports whether the tab got a new page, from this
// call or from one that it waited for. Errors come from [Session.Open] and [page.Page.Navigate], or
// are [page.ErrClosed] or [ErrCrashedAgain].
func (t *Tab) Revive(ctx context.Context) (revived bool, err error) {
	if err := t.attach(ctx); err != nil {
		return false, err
	}
	revived, err = t.renew(ctx, t.needsPage, t.reopen)
	if revived && errors.Is(err, page.ErrCrashed) {
		err = errors.Join(ErrCrashedAgain, err)
	}
	return revived, err
}

// Replace does what [Tab.Revive] does, for a caller that navigates the tab next: the new page is
// empty. It also replaces a page that opens dialogs without end, since no navigation would get
// through to it.
func (t *Tab) Replace(ctx context.Context) (replaced bool, err error) {
	if err := t.attach(ctx); err != nil {
		return false, err
	}
	needed := func() bool { return t.needsPage() || t.Page().Storming() }
	return t.renew(ctx, needed, func(ctx context.Context) (shown bool, err error) {
		fresh, err := t.prepare(ctx)
		if err == nil {
			err = t.takeOver(fresh, "", nil)
		}
		return false, err
	})
}

// renew gives the tab a new page if the parameter needed returns true. The parameter open makes the
// page. If the new page crashes before it has shown anything, renew calls open again, up to
// MaxReopen times in all. If several calls come at the same time, one opens the page, and the
// others wait for it. If the tab keeps its page, the page gets the tab's viewport if it does not
// have it yet.
func (t *Tab) renew(ctx context.Context, needed func() bool, open func(context.Context) (shown bool, err error)) (renewed bool, err error) {
	if !needed() {
		return false, t.resizeMissing(ctx)
	}
	if err := t.reviving.Lock(ctx); err != nil {
		return false, err
	}
	defer t.reviving.Unlock()
	if !needed() {
		return true, nil
	}
	for range MaxReopen {
		shown, failed := open(ctx)
		err = failed
		if shown || !errors.Is(err, page.ErrCrashed) {
			break
		}
	}
	return true, err
}

// prepare returns an empty tab that is not listed. It has the settings of t, and its page continues
// the event log and the refs of t. The tab may be a spare tab that has crashed together with t. So
// prepare waits until its renderer answers.
func (t *Tab) prepare(ctx context.Context) (*Tab, error) {
	fresh, err := t.BrowserContext().take(ctx, t.Info().Owner)
	if err != nil {
		return nil, err
	}
	p := fresh.Page()
	if err := errors.Join(t.resizeTo(ctx, p), p.Watch(ctx, p.Answers)); err != nil {
		t.browser.discard(fresh)
		return nil, err
	}
	t.continueIn(p)
	return fresh, nil
}

// reopen opens the address of a tab in a new page. Until the page has loaded, or failed to load, it
// is in a tab that is not listed, and callers see t as it was. If the address could not be reached,
// the tab still gets the new page, and the address is kept for the next call. The result shown is
// false if the new page was lost before it showed the address.
func (t *Tab) reopen(ctx context.Context) (shown bool, err error) {
	fresh, err := t.prepare(ctx)
	if err != nil {
		return false, err
	}
	url, p := t.reopenURL(), fresh.Page()
	err = p.Turn(ctx, func(ctx context.Context) error { return p.Navigate(ctx, url) })
	if _, asks := errors.AsType[*page.DialogOpen](err); asks {
		err = nil // a dialog has opened: the page is there, and the next call reports the dialog
	}
	if lostPage(err) {
		t.browser.discard(fresh)
		return p.URL() != page.Blank, err
	}
	return true, errors.Join(t.takeOver(fresh, url, err), err)
}

// takeOver gives t the page of the tab fresh, which has opened url. The parameter failed is the
// error of opening it. If url is "", the page is empty, and the caller navigates it. The tab fresh
// gets the old page of t, and is closed with it. If t was closed meanwhile, or chela is closing it, the
// new page is closed, and the error is [page.ErrClosed].
func (t *Tab) takeOver(fresh *Tab, url string, failed error) error {
	b := t.browser
	b.mu.Lock()
	defer b.mu.Unlock()
	defer b.discardLocked(fresh)
	if t.closing || !slices.Contains(b.tabs.list, t) {
		return page.ErrClosed
	}
	left := t.locationLocked().reopenURL()
	t.lost = append(t.lost, t.page.Armed()...)
	t.addFormerLocked()
	t.pageState, fresh.pageState, t.recovered = fresh.pageState, t.pageState, true
	if url == "" {
		t.previousURL = left
	}
	if failed != nil {
		_, t.loadFailed = errors.AsType[*page.LoadError](failed)
		t.unreachedURL = url
	}
	t.inheritLocked(fresh)
	if t.context == &b.BrowserContext {
		b.storage.touch(url)
	}
	b.tabs.front(t)
	b.keepSharedLocked(t)
	b.kept.raise()
	b.notifyLocked()
	return nil
}

// maxFormer limits how many earlier target ids of a tab are kept. Callers can still name the tab by
// them.
const maxFormer = 16

// addFormerLocked adds the target id of the tab's present page to its earlier target ids. Callers
// may use the id even after the tab gets another page.
func (t *Tab) addFormerLocked() {
	t.former = append(t.former[max(0, len(t.former)-maxFormer+1):], t.page.ID)
}

// inheritLocked gives t the popups and downloads that the new page has begun while it was in the
// tab fresh.
func (t *Tab) inheritLocked(fresh *Tab) {
	b := t.browser
	for _, x := range b.tabs.list {
		if x.opener == fresh {
			x.opener, x.owner, x.unowned = t, t.owner, t.unowned
		}
	}
	t.popups.unreported = append(t.popups.unreported, fresh.popups.unreported...)
	for _, d := range b.downloads.list {
		if d.Tab == fresh {
			d.Tab = t
		}
	}
}

// TakeRecovery reports whether the tab was opened again since the last TakeRecovery. It also lists
// what the tab lost by that, besides what every tab loses.
func (t *Tab) TakeRecovery() (lost []string, recovered bool) {
	t.browser.mu.Lock()
	defer t.browser.mu.Unlock()
	lost, recovered = t.lost, t.recovered
	if recovered {
		t.lost, t.recovered = nil, false
		t.browser.kept.raise()
	}
	return lost, recovered
}
