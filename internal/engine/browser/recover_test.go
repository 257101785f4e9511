package browser

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"testing"

	"chela/internal/engine/cdp"
	"chela/internal/engine/page"
)

func TestReopenURL(t *testing.T) {
	const failed = "chrome-error://chromewebdata/"
	for _, s := range []struct{ name, shows, unreached, left, listed, want string }{
		{"a page", "http://one/", "", "", "http://listed/", "http://one/"},
		{"a page, after one that was not reached", "http://one/", "http://two/", "", "http://listed/", "http://one/"},
		{"an empty page", page.Blank, "", "", page.Blank, page.Blank},
		{"an empty page that was to go somewhere", page.Blank, "http://two/", "", page.Blank, "http://two/"},
		{"an empty page that was not navigated yet", page.Blank, "", "http://three/", page.Blank, "http://three/"},
		{"a page that was navigated", "http://one/", "", "http://three/", "http://listed/", "http://one/"},
		{"an error page", failed, "", "http://three/", "http://listed/", "http://listed/"},
		{"an error page of one that was to be opened again", failed, "http://two/", "", "http://listed/", "http://two/"},
	} {
		at := location{page.Gone("ID", s.shows, page.Callbacks{}), s.unreached, s.left, s.listed}
		if got := at.reopenURL(); got != s.want {
			t.Errorf("%s: %s, want %s", s.name, got, s.want)
		}
	}
}

func TestLostPage(t *testing.T) {
	for _, s := range []struct {
		err  error
		want bool
	}{
		{page.ErrCrashed, true}, {cdp.ErrClosed, true}, {fmt.Errorf("open: %w", page.ErrCrashed), true},
		{nil, false}, {page.ErrClosed, false}, {page.ErrBusy, false}, {context.Canceled, false},
	} {
		if got := lostPage(s.err); got != s.want {
			t.Errorf("%v: %v", s.err, got)
		}
	}
}

// endedConn is the connection of a browser that has gone, so that nothing is sent.
func endedConn() *cdp.Conn {
	r, w := io.Pipe()
	w.Close()
	c := cdp.NewConn(cdp.Pipe(r, w), cdp.Options{})
	<-c.Done()
	return c
}

// When a tab takes over the page of another tab, it can still be found by its old target id. It
// keeps the address that was not reached, and gets the other tab's popups and downloads.
func TestTakeOver(t *testing.T) {
	for _, s := range []struct {
		name      string
		failed    error
		url       string
		unreached string
		refused   bool
		left      string
	}{
		{"it has loaded", nil, "http://one/", "", false, ""},
		{"it takes long", context.DeadlineExceeded, "http://one/", "http://one/", false, ""},
		{"nothing could be loaded", &page.LoadError{Text: "net::ERR_CONNECTION_REFUSED"}, "http://one/", "http://one/", true, ""},
		{"it is to be navigated", nil, "", "", false, "http://one/"},
	} {
		b := &Browser{conn: endedConn(), changed: make(chan struct{}), tabs: *listed("t2=B t1=A@http://one/")}
		tab := b.tabs.byID("t1")
		tab.browser, tab.unreachedURL, tab.unowned = b, "http://before/", true
		fresh := newTab(b, page.Gone("F", "http://one/", page.Callbacks{}))
		popup := b.tabs.byID("t2")
		popup.opener, fresh.popups.unreported = fresh, []*Tab{popup}
		download := &Download{Tab: fresh}
		b.downloads.add(download)
		if err := tab.takeOver(fresh, s.url, s.failed); err != nil {
			t.Errorf("%s: %v", s.name, err)
		}
		if tab.page.ID != "F" || fresh.page.ID != "A" || !slices.Equal(tab.former, []string{"A"}) {
			t.Errorf("%s: the pages are %s and %s, formerly %q", s.name, tab.page.ID, fresh.page.ID, tab.former)
		}
		if tab.unreachedURL != s.unreached || tab.loadFailed != s.refused || tab.previousURL != s.left {
			t.Errorf("%s: %+v", s.name, tab)
		}
		if !popup.unowned || popup.opener != tab || !slices.Equal(tab.popups.unreported, []*Tab{popup}) || download.Tab != tab || b.tabs.list[0] != tab {
			t.Errorf("%s: it has inherited %v, the download is of %v", s.name, tab.popups.unreported, download.Tab)
		}
		if _, recovered := tab.TakeRecovery(); !recovered {
			t.Errorf("%s: it does not say so", s.name)
		}
	}
}

// If a tab was closed meanwhile, the page that was to replace its page is closed as well.
func TestTakeOverOfAClosedTab(t *testing.T) {
	b := &Browser{conn: endedConn(), changed: make(chan struct{})}
	tab, fresh := newTab(b, page.Gone("A", "", page.Callbacks{})), newTab(b, page.Gone("F", "", page.Callbacks{}))
	if err := tab.takeOver(fresh, "", nil); !errors.Is(err, page.ErrClosed) || tab.page.ID != "A" {
		t.Errorf("%v, and the page is %s", err, tab.page.ID)
	}
}

func TestFormerIDs(t *testing.T) {
	tab := &Tab{}
	for i := range maxFormer + 5 {
		tab.page = page.Gone(fmt.Sprint(i), "", page.Callbacks{})
		tab.addFormerLocked()
	}
	if len(tab.former) != maxFormer || tab.former[0] != "5" || tab.former[maxFormer-1] != fmt.Sprint(maxFormer+4) {
		t.Errorf("%q", tab.former)
	}
}
