// Package tab drives tabs of a Chromium for tests, through package page. It does not use the
// operations, the HTTP API or the program.
package tab

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	files "chela/extension"
	"chela/internal/engine/browser"
	"chela/internal/engine/cdp"
	"chela/internal/engine/chrome"
	"chela/internal/engine/endpoint"
	"chela/internal/engine/extension"
	"chela/internal/engine/page"
	"chela/test/chromium"
	"chela/test/pages"
)

// Site serves the pages of test/pages.
var Site *httptest.Server

// shared returns the browser of all tests of a package, on the directory dir. The function end ends
// that browser.
var (
	dir    string
	end    func()
	shared = sync.OnceValues(start)
)

// Main runs the tests of a package, and returns the exit code of their program. A goroutine that
// outlives the tests makes them fail.
func Main(m *testing.M) int {
	chromium.PreferShell()
	Site = httptest.NewServer(pages.Handler())
	code := m.Run()
	if chromium, err := shared(); err == nil {
		chromium.Close(context.Background())
		end()
		os.RemoveAll(dir)
	}
	Site.CloseClientConnections()
	Site.Close()
	if err := goleak.Find(); err != nil && code == 0 {
		fmt.Println(err)
		code = 1
	}
	return code
}

func start() (b *browser.Browser, err error) {
	if dir, err = os.MkdirTemp("", "chela-page"); err != nil {
		return nil, err
	}
	b, end, err = launch(dir)
	return b, err
}

// launch starts a browser. The caller must call the function end after closing the browser.
func launch(dir string, flags ...string) (b *browser.Browser, end func(), err error) {
	host, end, err := hostOn(dir, append(flags, chromium.Names(Site)))
	if err != nil {
		return nil, nil, err
	}
	b, err = browser.Start(context.Background(), host, browser.Options{})
	return b, end, err
}

func hostOn(dir string, flags []string) (host browser.Host, end func(), err error) {
	if chromium.Elsewhere() {
		url, end, err := chromium.StartElsewhere(dir, flags...)
		at := endpoint.Endpoint{URL: url, Probe: time.Second}
		return browser.Connect(at.Open, browser.Description{}), end, err
	}
	if chromium.Sharing() {
		return sharingHost(dir, flags)
	}
	executable, err := chrome.Find("")
	if err != nil {
		return nil, nil, err
	}
	host, err = browser.Launch(context.Background(), chrome.Options{
		Executable: executable, UserDataDir: dir, Headless: chromium.Headless(), ExtraArgs: flags,
	})
	return host, func() {}, err
}

// sharingHost starts the browser of a person who shares tabs. Tests open their tabs there, and see
// no other tabs.
func sharingHost(dir string, flags []string) (host browser.Host, end func(), err error) {
	port, err := chromium.UnusedPort()
	if err != nil {
		return nil, nil, err
	}
	relay := extension.New(extension.Options{Dir: filepath.Join(dir, "keys"), ID: files.ID(), Address: net.JoinHostPort("127.0.0.1", strconv.Itoa(port))})
	key, err := relay.Grant("Chromium of a test")
	if err == nil {
		err = relay.Listen()
	}
	if err != nil {
		return nil, nil, err
	}
	person, err := chromium.StartSharing(filepath.Join(dir, "person"), port, key, flags...)
	if err != nil {
		relay.Close()
		return nil, nil, err
	}
	end = func() {
		person.Close()
		relay.Close()
	}
	open := func(ctx context.Context) (cdp.Transport, error) { return relay.Connect(ctx, "chrome") }
	return browser.Connect(open, browser.Description{Shared: true, Local: true}), end, nil
}

// Browser starts another browser, with more flags, for the time of the test.
func Browser(t testing.TB, flags ...string) *browser.Browser {
	t.Helper()
	chromium.Skip(t)
	b, end, err := launch(t.TempDir(), flags...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		b.Close(context.Background())
		end()
	})
	return b
}

// Elsewhere returns the address of the server of pages with another host name. The browser takes
// that for another site.
func Elsewhere() string { return pages.Elsewhere(Site.URL) }

// Open opens a page of test/pages in a new tab, for the time of the test.
func Open(t testing.TB, path string) *Tab {
	t.Helper()
	tt := Empty(t)
	tt.Visit(path)
	return tt
}

// Empty opens a tab for the time of the test.
func Empty(t testing.TB) *Tab {
	t.Helper()
	tt := open(t)
	t.Cleanup(tt.close)
	return tt
}

// open opens a tab of the shared browser.
func open(t testing.TB) *Tab {
	t.Helper()
	chromium, err := shared()
	if err != nil {
		t.Fatal(err)
	}
	return openIn(t, chromium)
}

// In opens a tab of a browser for the time of the test.
func In(t testing.TB, chromium *browser.Browser) *Tab {
	t.Helper()
	tt := openIn(t, chromium)
	t.Cleanup(tt.close)
	return tt
}

func openIn(t testing.TB, b *browser.Browser) *Tab {
	t.Helper()
	chromium.Skip(t)
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	tab, err := b.Session("").Open(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return of(t, tab)
}

// of returns a Tab of a browser's tab, for the time of the test.
func of(t testing.TB, tab *browser.Tab) *Tab {
	ctx, cancel := context.WithTimeout(context.Background(), 40*time.Second)
	t.Cleanup(cancel)
	return &Tab{tab.Page(), t, ctx, tab}
}

// Visit opens a page of test/pages in the tab.
func (t *Tab) Visit(path string) {
	t.Helper()
	if err := t.InTurn(20*time.Second, func(ctx context.Context) error { return t.Navigate(ctx, Site.URL+path) }); err != nil {
		t.Fatal(err)
	}
}

func (t *Tab) close() {
	t.Helper()
	if err := t.tab.Close(t.Ctx); err != nil && !errors.Is(t.tab.Page().Err(), page.ErrClosed) {
		t.Error(err)
	}
}
