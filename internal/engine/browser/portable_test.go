package browser

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"chela/internal/base/sitedata"
	"chela/internal/engine/cdp"
	"chela/test/long"
)

// Another machine gets the addresses of tabs without the logins in them, and the tab says so.
func TestLoginsInAddressesStay(t *testing.T) {
	for address, want := range map[string]string{
		"http://ada:secret@a.test:80/b?c#d": "http://a.test:80/b?c#d", "https://ada@a.test": "https://a.test", "http://a%40b:c@d@a.test?e@f": "http://a.test?e@f",
		"http://a.test/b@c": "", "http://a.test?b@c": "", "http://a.test#b@c": "", "data:,a@b": "", "data:,http://a@b": "", "view-source:http://ada:secret@a.test/": "view-source:http://a.test/", "about:blank": "", "": "",
	} {
		m := Memory{Tabs: []SavedTab{{ID: "t1", URL: address}}}
		got := m.portable(nil).Tabs[0]
		lost := slices.Contains(got.Lost, "login in its address")
		if want == "" && (got.URL != address || lost) || want != "" && (got.URL != want || !lost) {
			t.Errorf("%q became %q, and the login was lost: %v", address, got.URL, lost)
		}
		if m.Tabs[0].URL != address {
			t.Errorf("this machine has lost %q", address)
		}
	}
}

// A browser that is lost before it has read its storage leaves what was saved before.
func TestStorageOfABrowserThatIsSoonLost(t *testing.T) {
	b := saving("t1=A@http://one.test/", nil)
	b.storage.begin([]string{"http://one.test"})
	saved := []sitedata.Origin{{Origin: "http://one.test", LocalStorage: []sitedata.StorageItem{{Name: "a", Value: "b"}}}}
	b.Resume(saved)
	if left := b.LastPortable().Origins; len(left) != 1 || !slices.Equal(left[0].LocalStorage, saved[0].LocalStorage) {
		t.Errorf("left is %+v", left)
	}
	if unread := b.unread(); len(unread) != 1 {
		t.Errorf("only %v is read again", unread)
	}
}

// A watchedHost calls a function when a command with a word in it is sent to the browser.
type watchedHost struct {
	Host
	word string
	sent func()
}

func (h watchedHost) connect(ctx context.Context) (cdp.Transport, error) {
	t, err := h.Host.connect(ctx)
	return watchedTransport{t, h}, err
}

type watchedTransport struct {
	cdp.Transport
	host watchedHost
}

func (t watchedTransport) Write(message []byte) error {
	if bytes.Contains(message, []byte(t.host.word)) {
		t.host.sent()
	}
	return t.Transport.Write(message)
}

// If the time for a save is over before all storage is read, the next save reads only the rest.
// Otherwise a browser with much storage would never be saved.
func TestStorageThatTakesLong(t *testing.T) {
	long.Test(t)
	limited, end := context.WithCancelCause(t.Context())
	over := errors.New("the time is over")
	o := Options{Portable: true, Memory: Memory{Origins: []string{"http://one.test", "http://two.test"}}}
	ctx, b := startAt(t, o, func(h Host) Host { return watchedHost{h, "http://two.test", func() { end(over) }} })
	if _, err := b.Portable(limited); !errors.Is(err, over) {
		t.Fatalf("the first save: %v", err)
	}
	if unread := b.unread(); !slices.Equal(unread, []string{"http://two.test"}) {
		t.Errorf("the next save reads %v", unread)
	}
	if _, err := b.Portable(ctx); err != nil || len(b.unread()) != 0 {
		t.Errorf("the next save: %v, and unread is %v", err, b.unread())
	}
}

// A browser that another machine may replace is killed at once. It gets no time to end by itself.
func TestAbandon(t *testing.T) {
	_, b := start(t)
	if err := b.Abandon(); err != nil {
		t.Fatal(err)
	}
	if err := b.host.failure(cdp.ErrClosed); !strings.Contains(err.Error(), "signal: killed") || b.WasClosed() {
		t.Errorf("the browser has ended with %v, closed: %v", err, b.WasClosed())
	}
}
