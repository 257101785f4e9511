package page_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"chela/internal/browser"
	"chela/internal/chrome"
	"chela/internal/page"
	"chela/internal/snapshot"
	tests "chela/test/chromium"
	"chela/test/pages"
)

// one browser and one server of pages serve all tests.
var (
	site    *httptest.Server
	dir     string
	startUp = sync.OnceValues(start)
)

func start() (*browser.Browser, error) {
	executable, err := chrome.Find("")
	if err != nil {
		return nil, err
	}
	if dir, err = os.MkdirTemp("", "chela-page"); err != nil {
		return nil, err
	}
	return launch(chrome.Options{Executable: executable, UserDataDir: dir, Headless: tests.Headless(), ExtraArgs: []string{tests.Names(site)}})
}

func launch(o chrome.Options) (*browser.Browser, error) {
	host, err := browser.Launch(context.Background(), o)
	if err != nil {
		return nil, err
	}
	return browser.Start(context.Background(), host, browser.Options{})
}

func TestMain(m *testing.M) {
	site = httptest.NewServer(pages.Handler())
	code := m.Run()
	if chromium, err := startUp(); err == nil {
		chromium.Close(context.Background())
		os.RemoveAll(dir)
	}
	site.CloseClientConnections()
	site.Close()
	if err := goleak.Find(); err != nil && code == 0 {
		fmt.Println(err)
		code = 1
	}
	os.Exit(code)
}

// A tester is a tab and the test that acts in it.
type tester struct {
	*page.Page
	testing.TB
	ctx context.Context
	tab *browser.Tab
}

// open opens a page of test/pages in a new tab.
func open(t testing.TB, path string) *tester {
	t.Helper()
	tt := empty(t)
	if err := tt.touch(20*time.Second, func(ctx context.Context) error { return tt.Navigate(ctx, site.URL+path) }); err != nil {
		t.Fatal(err)
	}
	return tt
}

// empty opens a tab.
func empty(t testing.TB) *tester {
	t.Helper()
	chromium, err := startUp()
	if err != nil {
		t.Fatal(err)
	}
	return in(t, chromium)
}

// in opens a tab of a browser.
func in(t testing.TB, chromium *browser.Browser) *tester {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 40*time.Second)
	t.Cleanup(cancel)
	tab, err := chromium.Open(ctx)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := tab.Close(ctx); err != nil && !errors.Is(tab.Page().Err(), page.ErrClosed) {
			t.Error(err)
		}
	})
	return &tester{tab.Page(), t, ctx, tab}
}

// elsewhere is the test server by another name, so that the browser takes it for another site.
func elsewhere() string { return strings.Replace(site.URL, "127.0.0.1", "localhost", 1) }

// errDeadline is the cause that the contexts of calls have at their deadline.
var errDeadline = errors.New("the deadline has passed")

// touch does something in a turn of its own.
func (t *tester) touch(limit time.Duration, do func(context.Context) error) error {
	ctx, cancel := context.WithTimeoutCause(t.ctx, limit, errDeadline)
	defer cancel()
	return t.Turn(ctx, do)
}

// act is touch with what follows of an act.
func (t *tester) act(do func(context.Context) error) error { return t.actFor(2*time.Second, do) }

func (t *tester) actFor(limit time.Duration, do func(context.Context) error) error {
	return t.touch(limit, func(ctx context.Context) error { return t.Act(ctx, do) })
}

// on acts on the element that a snapshot line names; see ref.
func (t *tester) on(line string, do func(context.Context, *page.Element) error) error {
	t.Helper()
	return t.onRef(t.ref(line), do)
}

func (t *tester) onRef(ref string, do func(context.Context, *page.Element) error) error {
	return t.onRefFor(2*time.Second, ref, do)
}

func (t *tester) onRefFor(limit time.Duration, ref string, do func(context.Context, *page.Element) error) error {
	return t.actFor(limit, func(ctx context.Context) error {
		el, err := t.Element(ctx, ref)
		if err != nil {
			return err
		}
		return do(ctx, el)
	})
}

func click(ctx context.Context, el *page.Element) error { return el.Click(ctx, page.Click{}) }

func typing(text string) func(context.Context, *page.Element) error {
	return func(ctx context.Context, el *page.Element) error {
		_, err := el.Type(ctx, text)
		return err
	}
}

// text is a snapshot of the page.
func (t *tester) text() string {
	t.Helper()
	return t.snapshot(page.View{}).Text
}

func (t *tester) snapshot(v page.View) (s snapshot.Snapshot) {
	t.Helper()
	err := t.touch(10*time.Second, func(ctx context.Context) (err error) {
		s, err = t.Snapshot(ctx, v)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// ref takes a snapshot and finds the ref on the line that has these words, such
// as `button "Save"`; with "a > b" the first such line after one that has a.
func (t *tester) ref(words string) string {
	t.Helper()
	text := t.text()
	lines := strings.Split(text, "\n")
	var line string
	for word := range strings.SplitSeq(words, " > ") {
		i := slices.IndexFunc(lines, func(line string) bool { return strings.Contains(line, word) })
		if i < 0 {
			t.Fatalf("no %q in\n%s", words, text)
		}
		line, lines = lines[i], lines[i+1:]
	}
	_, ref, found := strings.Cut(line, "[ref=")
	ref, _, _ = strings.Cut(ref, "]")
	if !found {
		t.Fatalf("no ref on the line of %q in\n%s", words, text)
	}
	return ref
}

// run runs a script in the page and reads what it answers.
func run[R any](t *tester, script string) R {
	t.Helper()
	var out R
	err := t.touch(10*time.Second, func(ctx context.Context) error {
		raw, err := t.Evaluate(ctx, script, nil)
		if err != nil || raw == nil {
			return err
		}
		return json.Unmarshal(raw, &out)
	})
	if err != nil {
		t.Fatalf("%s: %v", script, err)
	}
	return out
}

// log is what happened in the page, as log.js told it.
func (t *tester) log() string {
	t.Helper()
	return strings.TrimSpace(run[string](t, "document.getElementById('out')?.textContent ?? ''"))
}

// last is the last thing that happened in the page.
func (t *tester) last() string {
	t.Helper()
	all := t.log()
	return all[strings.LastIndex(all, "\n")+1:]
}

// await waits until what happened last in the page is want.
func (t *tester) await(want string) {
	t.Helper()
	script := fmt.Sprintf("(document.getElementById('out')?.textContent ?? '').trim().split('\\n').pop() === %q", want)
	if err := t.touch(5*time.Second, func(ctx context.Context) error { return t.WaitFunction(ctx, script) }); err != nil {
		t.Fatalf("the page told %q, want %q: %v", t.last(), want, err)
	}
}

// A story is one act on one element, and what comes of it.
type story struct {
	name   string
	path   string
	target string // as ref reads it
	do     func(context.Context, *page.Element) error
	told   string // what the page told last
	fails  string // a part of the error
}

// test runs beside other stories: each has a tab of its own, and most of its
// time goes to waiting for what a page does slowly, or never.
func (s story) test(t *testing.T) {
	t.Run(s.name, func(t *testing.T) {
		t.Parallel()
		tt := open(t, s.path)
		s.check(tt, s.act(tt))
	})
}

// act does the act. One that is to fail takes all the time that it is given;
// one that is to succeed has plenty, for busy machines.
func (s story) act(t *tester) error {
	t.Helper()
	limit := 10 * time.Second
	if s.fails != "" {
		limit = 2 * time.Second
	}
	return t.onRefFor(limit, t.ref(s.target), s.do)
}

func (s story) check(t *tester, err error) {
	t.Helper()
	switch {
	case s.fails == "" && err != nil:
		t.Fatalf("got error %q (page told %q)", err, t.log())
	case s.fails != "" && err == nil:
		t.Fatalf("got no error, want %q (page told %q)", s.fails, t.log())
	case s.fails != "" && !strings.Contains(err.Error(), s.fails):
		t.Errorf("got error %q, want %q", err, s.fails)
	}
	if told := t.last(); told != s.told {
		t.Errorf("page told %q, want %q", t.log(), s.told)
	}
}
