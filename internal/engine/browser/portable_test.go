package browser

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"chela/internal/base/sitedata"
	"chela/internal/engine/cdp"
	"chela/internal/engine/page"
	"chela/internal/engine/setting"
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

// A watchedHost calls a function when a command with a word in it is sent to the browser. If the
// function returns false, the command does not get there.
type watchedHost struct {
	Host
	word string
	sent func() bool
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
	if bytes.Contains(message, []byte(t.host.word)) && !t.host.sent() {
		return nil
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
	ctx, b := startAt(t, o, func(h Host) Host { return watchedHost{h, "http://two.test", func() bool { end(over); return true }} })
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

// An origin can take too long to read. Its last copy is saved, and the other origins are read.
func TestStorageThatIsNotReadInTime(t *testing.T) {
	long.Test(t)
	o := Options{Portable: true, Memory: Memory{Origins: []string{"http://one.test", "http://two.test"}}}
	ctx, b := startAt(t, o, func(h Host) Host { return watchedHost{h, "http://one.test", func() bool { return false }} })
	b.Resume([]sitedata.Origin{{Origin: "http://one.test", LocalStorage: []sitedata.StorageItem{{Name: "a", Value: "b"}}}})
	got, err := b.Portable(ctx)
	if err != nil || len(got.Origins) != 1 || len(got.Origins[0].LocalStorage) != 1 {
		t.Errorf("saved is %+v, %v", got.Origins, err)
	}
	if unread := b.unread(); !slices.Equal(unread, []string{"http://one.test"}) {
		t.Errorf("the next save reads %v", unread)
	}
}

// If an origin cannot be read now, its last copy is kept, and it is read again, after the others.
func TestStorageThatCannotBeRead(t *testing.T) {
	const one, two = "http://one.test", "http://two.test"
	saved := sitedata.Origin{Origin: one, LocalStorage: []sitedata.StorageItem{{Name: "a", Value: "b"}}}
	for name, s := range map[string]struct {
		read func(*Browser)
		next []string // what the next save reads
	}{
		"the browser": {func(b *Browser) { b.readStorage(t.Context()) }, []string{one, two}},
		"the page":    {func(b *Browser) { b.readOrigin(t.Context(), page.Gone("", "", page.Callbacks{}), one) }, []string{two, one}},
	} {
		b := saving("t1=A@http://one.test/", nil)
		b.storage.begin([]string{one, two})
		b.Resume([]sitedata.Origin{saved})
		s.read(b)
		left := b.LastPortable()
		if len(left.Origins) != 1 || !slices.Equal(left.Origins[0].LocalStorage, saved.LocalStorage) {
			t.Errorf("%s has gone: left is %+v", name, left.Origins)
		}
		if lost := left.Memory.Tabs[0].Lost; !slices.ContainsFunc(lost, func(l string) bool { return strings.HasPrefix(l, "latest changes in the storage of http://one.test: ") }) {
			t.Errorf("%s has gone: the tab has lost %q", name, lost)
		}
		if unread := b.unread(); !slices.Equal(unread, s.next) {
			t.Errorf("%s has gone: the next save reads %q, want %q", name, unread, s.next)
		}
	}
}

// Pages can show any number of origins. The oldest are dropped, and first those without storage.
func TestStorageOfTooManyOrigins(t *testing.T) {
	b := saving("t1=A@http://one.test/", nil)
	b.storage.begin(nil)
	items := []sitedata.StorageItem{{Name: "a", Value: "b"}}
	b.Resume([]sitedata.Origin{{Origin: "http://old.test", LocalStorage: items}, {Origin: "http://empty.test"}})
	for i := range maxOrigins {
		origin := fmt.Sprintf("http://%d.test", i)
		b.storage.touch(origin)
		b.Resume([]sitedata.Origin{{Origin: origin, LocalStorage: items}})
		for gone, at := range map[string]int{"http://empty.test": maxOrigins - 2, "http://old.test": maxOrigins - 1} {
			if _, found := b.storage.origins[gone]; found != (i < at) {
				t.Errorf("with %d more, %s is there: %v", i+1, gone, found)
			}
		}
	}
	if len(b.storage.origins) != maxOrigins || len(b.unread()) != maxOrigins {
		t.Errorf("%d copies, %d are to be read", len(b.storage.origins), len(b.unread()))
	}
}

// What a tab has lost is shown to every session, so it names no session.
func TestSecretsThatAreLeftOut(t *testing.T) {
	for of, want := range map[setting.Origin]string{
		"https://one.test":          "https://one.test",
		setting.FirstOrigin("mine"): "the first origin of a session",
		setting.FirstOrigin(""):     "the first origin of a session",
	} {
		_, removed := withoutSecrets(setting.Common{
			Logins:  []*setting.Login{{Credentials: setting.Credentials{Origin: of}}},
			Headers: []*setting.OriginHeaders{{Origin: of, Headers: map[string]string{"Cookie": "a=b"}}},
		})
		if !slices.Equal(removed, []string{"login for " + want, "header Cookie for " + want}) {
			t.Errorf("%s: left out %q", of, removed)
		}
	}
}
