package browser

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"chela/internal/engine/cdp"
	"chela/internal/engine/page"
	"chela/test/long"
)

// A deafHost is a browser that answers the first Target.closeTarget and does not close the tab, as
// Chromium does while one document replaces another. The field hears is the command that the browser
// gets instead.
type deafHost struct {
	Host
	hears string
}

func (h deafHost) connect(ctx context.Context) (cdp.Transport, error) {
	t, err := h.Host.connect(ctx)
	return &deafTransport{Transport: t, hears: []byte(`"` + h.hears + `"`)}, err
}

type deafTransport struct {
	cdp.Transport
	hears   []byte
	ignored bool
}

func (t *deafTransport) Write(message []byte) error {
	if closes := []byte(`"Target.closeTarget"`); !t.ignored && bytes.Contains(message, closes) {
		t.ignored = true
		message = bytes.Replace(message, closes, t.hears, 1)
	}
	return t.Transport.Write(message)
}

// Discard returns when its context ends, even if the tab is not closed yet. The tab is closed
// later, because nobody else would close it.
func TestDiscardedTabGoes(t *testing.T) {
	long.Test(t)
	ctx, b := startAt(t, Options{}, func(h Host) Host { return deafHost{h, "Target.getTargetInfo"} })
	tab := open(ctx, t, b)
	brief, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
	defer cancel()
	b.Session("").Discard(brief, tab)
	if brief.Err() == nil {
		t.Error("the tab was closed by the first command")
	}
	if err := b.await(ctx, func() bool { return b.byTargetLocked(tab.page.ID) == nil }); err != nil {
		t.Errorf("the tab is left: %v", err)
	}
}

// A crashed tab that is being closed gets no other page, so it is gone when Close returns.
func TestClosingTabGetsNoOtherPage(t *testing.T) {
	long.Test(t)
	ctx, b := startAt(t, Options{}, func(h Host) Host { return deafHost{h, "Target.getTargetInfo"} })
	tab := open(ctx, t, b)
	crash(ctx, t, tab.Page())
	closed := make(chan error, 1)
	go func() { closed <- tab.Close(ctx) }()
	if err := b.await(ctx, func() bool { return tab.closing }); err != nil {
		t.Fatal(err)
	}
	if _, err := tab.Revive(ctx); !errors.Is(err, page.ErrClosed) {
		t.Errorf("opened again with %v", err)
	}
	if err := <-closed; err != nil {
		t.Fatal(err)
	}
	if list := b.Infos(); len(list) != 0 {
		t.Errorf("a closed tab is listed: %+v", list)
	}
}

// A tab that the browser refuses to close is a tab like any other.
func TestTabThatIsNotClosed(t *testing.T) {
	long.Test(t)
	ctx, b := startAt(t, Options{}, func(h Host) Host { return deafHost{h, "Target.unknown"} })
	tab := open(ctx, t, b)
	if err := tab.Close(ctx); err == nil {
		t.Fatal("the browser has closed it")
	}
	if found, err := b.Session("").Find(""); found != tab || err != nil || len(b.memory().Tabs) != 1 {
		t.Errorf("found %v, %v; %d tabs are kept", found, err, len(b.memory().Tabs))
	}
	if err := tab.Close(ctx); err != nil || len(b.Infos()) != 0 {
		t.Errorf("closed with %v", err)
	}
}

// When frames of two processes open dialogs at once, Chromium takes no answer to the second. The tab
// counts as stuck then, and closing it does not end the browser.
func TestCloseATabWithTwoDialogs(t *testing.T) {
	long.Test(t)
	var port string
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		const asks = "<script>setTimeout(() => prompt(location.host), Number(location.hash.slice(1)) - Date.now())</script>"
		if io.WriteString(w, asks); r.URL.Path == "/" {
			fmt.Fprintf(w, "<script>document.write('<iframe src=http://localhost:%s/frame' + location.hash + '>')</script>", port)
		}
	}))
	t.Cleanup(site.Close)
	_, port, _ = net.SplitHostPort(site.Listener.Addr().String())
	ctx, b := start(t)
	other := open(ctx, t, b)
	value(ctx, t, other.Page(), "kept = '1'")
	tab := open(ctx, t, b)
	address := fmt.Sprintf("%s/#%d", site.URL, time.Now().Add(2*time.Second).UnixMilli())
	err := tab.Page().Turn(ctx, func(ctx context.Context) error { return tab.Page().Navigate(ctx, address) })
	if err != nil {
		t.Fatal(err)
	}
	following, stop := context.WithCancel(ctx)
	tab.Page().FollowDialogs(following, func(page.Dialogs) {
		if tab.Page().Err() != nil {
			stop()
		}
	})
	if err := tab.Page().Err(); !errors.Is(err, page.ErrStuck) {
		t.Fatalf("the page has %v, want that it is stuck", err)
	}
	if err := tab.Close(ctx); err != nil {
		t.Error(err)
	}
	if got := value(ctx, t, other.Page(), "kept"); got != "1" {
		t.Errorf("another tab has %s", got)
	}
}
