package page_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"chela/internal/engine/page"
	"chela/test/long"
	"chela/test/pages"
	"chela/test/service"
	"chela/test/tab"
)

// An act waits for the document that it leads to, and for nothing else.
func TestActThatLeads(t *testing.T) {
	for _, s := range []struct{ target, at string }{
		{`link "Link" `, "/frame.html"},
		{`link "Link within"`, "/navigate.html#part"},
		{`link "Slow link"`, "/slow?ms=300"},
		{`link "Link to an error"`, "/status?code=500"},
		{`link "Link to no content"`, "/navigate.html"},
		{`link "Link by two redirects"`, "/frame.html"},
		{`link "Link to nobody"`, "chrome-error://chromewebdata/"},
		{`link "Link that runs a script"`, "/navigate.html"},
		{`button "Search"`, "/echo?q="},
		{`button "Post"`, "/echo"},
		{`button "Push state"`, "/navigate.html?pushed"},
		{`button "Replace state"`, "/navigate.html?replaced"},
		{`button "Go by script"`, "/frame.html"},
		{`button "Reload"`, "/navigate.html"},
	} {
		t.Run(s.target, func(t *testing.T) {
			t.Parallel()
			tt := tab.Borrow(t, "/navigate.html")
			if err := tt.On(s.target, tab.Click); err != nil {
				t.Fatal(err)
			}
			if at := strings.TrimPrefix(tt.URL(), tab.Site.URL); at != s.at {
				t.Errorf("the tab is at %s, want %s", at, s.at)
			}
		})
	}
}

// Chromium's error page is one line, whose words are ours: it has text and buttons of its own.
func TestErrorPageIsOneLine(t *testing.T) {
	tt := tab.Open(t, "/navigate.html")
	if err := tt.On(`link "Link to nobody"`, tab.Click); err != nil {
		t.Fatal(err)
	}
	const why = "not read: the browser could not load it: net::ERR_"
	if got := tt.Text(); !strings.HasPrefix(got, "(page "+why) || strings.Contains(got, "\n") {
		t.Errorf("the page reads\n%s", got)
	}
	if got := aria(tt); len(got) != 1 || !strings.Contains(got[0].Name, why) {
		t.Errorf("the aria snapshot is %+v", got)
	}
	const file = "/file?code=404"
	const none = "not read: the server answered with an error status and without a document"
	tt.Visit("/frame.html")
	tt.Write(`<a href="` + file + `">File</a>`)
	if err := tt.On(`link "File"`, tab.Click); err != nil {
		t.Fatal(err)
	}
	if got := tt.Text(); got != "(page "+none+")" {
		t.Errorf("a status without a document reads\n%s", got)
	}
	if got := aria(tt); len(got) != 1 || !strings.Contains(got[0].Name, none) {
		t.Errorf("the aria snapshot of a status without a document is %+v", got)
	}
	for src, says := range map[string]string{"http://127.0.0.1:1/": why, file: none} {
		tt.Visit("/frame.html")
		tt.Write(`<iframe src="` + src + `"></iframe>`)
		service.Eventually(t, "the frame is one line", func() bool {
			got := tt.Text()
			return strings.Contains(got, ": (frame "+says) && !strings.Contains(got, "\n")
		})
	}
}

// While the document of a link is on its way, the old document may change its address. The act still
// waits for the new document.
func TestActThatLeadsAwayFromARestlessAddress(t *testing.T) {
	tt := tab.Open(t, "/frame.html")
	tt.Write(`<a href="/slow?ms=500">Slow</a>`)
	tab.Run[any](tt, "setInterval(() => history.replaceState(0, '', '#' + Math.random()), 10); undefined")
	if err := tt.OnRefFor(20*time.Second, tt.Ref(`link "Slow"`), tab.Click); err != nil || tt.URL() != tab.Site.URL+"/slow?ms=500" {
		t.Errorf("got %v at %s", err, tt.URL())
	}
}

// If a page is left while an act still waits for its element, the act's input has not caused that. So
// the act does not count as done when the document is replaced.
func TestActOnAPageThatIsLeft(t *testing.T) {
	const enableLater = `setTimeout(() => { document.querySelector('button').disabled = false }, 400); undefined`
	for name, s := range map[string]struct {
		to    string
		click page.Click
	}{
		"the input reaches nothing":          {"/hang", page.Click{}},
		"the document goes before the click": {"/slow?ms=900", page.Click{Hold: 1500 * time.Millisecond}},
	} {
		t.Run(name, func(t *testing.T) {
			tt := tab.Open(t, "/frame.html")
			tt.Write(`<button disabled onclick="navigator.sendBeacon('/clicked')">Go</button><div id=cover hidden style="position: fixed; inset: 0">Cover</div>`)
			ref := tt.Ref(`button "Go"`)
			if s.to == "/hang" {
				tab.Run[any](tt, `onmousemove = () => { cover.hidden = false }; undefined`)
			}
			tab.Run[any](tt, `setTimeout(() => { location = '`+s.to+`' }, 100); `+enableLater)
			err := tt.OnRefFor(4*time.Second, ref, func(ctx context.Context, el *page.Element) error { return el.Click(ctx, s.click) })
			if err == nil {
				t.Error("the click counts as done")
			}
		})
	}
}

// A click that closes its own tab has succeeded.
func TestActThatClosesItsTab(t *testing.T) {
	tt := tab.Open(t, "/popup.html")
	if err := tt.On(`"Open by script"`, tab.Click); err != nil {
		t.Fatal(err)
	}
	if err := tt.On(`"Close what was opened"`, tab.Click); err != nil || tt.Last() != "closed" {
		t.Errorf("got %v, page told %q", err, tt.Logged())
	}
	popup := tab.Empty(t)
	tab.Run[any](popup, "window.open('about:blank', '_self'); undefined") // a tab that scripts may close
	tab.Run[any](popup, "document.body.innerHTML = '<button onclick=\"window.close()\">Close</button>'; undefined")
	if err := popup.On(`"Close"`, tab.Click); err != nil {
		t.Error(err)
	}
	if err := popup.Err(); !errors.Is(err, page.ErrClosed) {
		t.Errorf("the tab is not closed: %v", err)
	}
}

func TestSubmitByEnter(t *testing.T) {
	tt := tab.Open(t, "/navigate.html")
	if err := tt.On(`textbox "Query"`, tab.Typing("chela")); err != nil {
		t.Fatal(err)
	}
	if err := tt.PressKeys("Enter"); err != nil {
		t.Fatal(err)
	}
	if at := strings.TrimPrefix(tt.URL(), tab.Site.URL); at != "/echo?q=chela" {
		t.Errorf("the tab is at %s", at)
	}
}

// A click on a link whose server does not answer succeeds at the deadline.
func TestActThatLeadsNowhere(t *testing.T) {
	tt := tab.Open(t, "/navigate.html")
	ref := tt.Ref(`link "Link that hangs"`)
	began := time.Now()
	if err := tt.OnRef(ref, tab.Click); err != nil {
		t.Error(err)
	}
	if took := time.Since(began); took > 2*time.Second+service.Slack() {
		t.Errorf("answered after %v", took)
	}
}

func TestNavigate(t *testing.T) {
	tt := tab.Empty(t)
	for _, s := range []struct{ name, to, at, fails string }{
		{"page", "/frame.html", "/frame.html", ""},
		{"redirect", "/redirect?to=frame.html", "/frame.html", ""},
		{"error of the server", "/status?code=404", "/status?code=404", ""},
		{"part of the page", "/navigate.html#part", "/navigate.html#part", ""},
		{"the same again", "/navigate.html", "/navigate.html", ""},
		{"no content", "/status?code=204", "/navigate.html", "net::ERR_ABORTED"},
		{"never answered", "/hang", "/navigate.html", "deadline"},
	} {
		t.Run(s.name, func(t *testing.T) {
			tt := tt.For(t)
			tt.Visit("/navigate.html")
			limit := 20 * time.Second
			if s.fails == "deadline" {
				limit = time.Second
			}
			err := tt.InTurn(limit, func(ctx context.Context) error { return tt.Navigate(ctx, tab.Site.URL+s.to) })
			if failed := err != nil; failed != (s.fails != "") || failed && !strings.Contains(err.Error(), s.fails) {
				t.Errorf("got %v, want %q", err, s.fails)
			}
			if at := strings.TrimPrefix(tt.URL(), tab.Site.URL); at != s.at {
				t.Errorf("the tab is at %s, want %s", at, s.at)
			}
		})
	}
	t.Run("nobody there", func(t *testing.T) {
		tt := tt.For(t)
		err := tt.InTurn(2*time.Second, func(ctx context.Context) error { return tt.Navigate(ctx, "http://127.0.0.1:1/") })
		if _, ok := errors.AsType[*page.LoadError](err); !ok {
			t.Errorf("got %v", err)
		}
	})
}

// When a document is replaced, its frames are removed, even those of other sites.
func TestFramesOfTheLastDocument(t *testing.T) {
	long.Test(t)
	tt := tab.Open(t, "/frames.html?other="+tab.Elsewhere())
	ref := tt.Ref(`"In other-inner" > button "Press"`)
	if err := tt.InTurn(5*time.Second, func(ctx context.Context) error { return tt.Navigate(ctx, tab.Site.URL+"/frame.html") }); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	if err := tt.OnRefFor(20*time.Second, ref, tab.Click); err == nil || !strings.Contains(err.Error(), "is gone") {
		t.Errorf("got %v", err)
	}
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("answered after %v, not at once", took)
	}
	if err := waiting(tt, time.Second, func(ctx context.Context) error { return tt.WaitText(ctx, "In other-inner", true) }); err != nil {
		t.Error(err)
	}
}

// A navigation to the present address is a reload, as in a browser. A navigation to a fragment of
// it is not.
func TestNavigateToWhatIsShown(t *testing.T) {
	long.Test(t)
	var sent atomic.Int32 // connections of the browser are served side by side
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/favicon.ico" {
			sent.Add(1)
		}
		w.Header().Set("Content-Type", "text/html")
		w.Header().Set("Cache-Control", "max-age=3600")
		fmt.Fprintf(w, "<title>%s %d</title><form method=post><button>Send</button></form>", r.Method, sent.Load())
	}))
	defer server.Close()
	defer server.CloseClientConnections()
	tt := tab.Empty(t)
	for _, s := range []struct{ name, path, title string }{
		{"first", "/", "GET 1"},
		{"again", "/", "GET 2"},
		{"without its slash", "", "GET 3"},
		{"a fragment", "/#a", "GET 3"},
		{"the fragment again", "/#a", "GET 3"},
		{"without its fragment", "/", "GET 4"},
		{"another", "/?other", "GET 5"},
		{"one that Chromium writes in another way", "/a/../?q=müller's", "GET 6"},
		{"a fragment of it", "/a/../?q=müller's#a", "GET 6"},
		{"it again", "/?q=müller's", "GET 7"},
		{"back, from the cache", "/", "GET 4"},
	} {
		if err := tt.InTurn(5*time.Second, func(ctx context.Context) error { return tt.Navigate(ctx, server.URL+s.path) }); err != nil {
			t.Fatal(err)
		}
		if got := tab.Run[string](tt, "document.title"); got != s.title {
			t.Errorf("%s: got %s, want %s", s.name, got, s.title)
		}
	}
	if err := tt.On(`button "Send"`, tab.Click); err != nil {
		t.Fatal(err)
	}
	tt.InTurn(5*time.Second, func(ctx context.Context) error { return tt.Navigate(ctx, server.URL+"/") })
	if got := tab.Run[string](tt, "document.title"); got != "GET 9" {
		t.Errorf("the answer to a form: got %s, want a GET, and no second POST", got)
	}
}

// A click on a link navigates even if the tab already navigates to the same address.
func TestEachClickOnALinkNavigates(t *testing.T) {
	asked := make(chan struct{}, 2)
	site := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		asked <- struct{}{}
		<-r.Context().Done()
	}))
	t.Cleanup(site.Close)
	tt := tab.Open(t, pages.HTML(`<a href="`+site.URL+`" style="position: fixed; inset: 0">Go</a>`))
	for n := range 2 {
		if err := page.PersonClicks(tt.Ctx, tt.Page, 20, 20); err != nil {
			t.Fatal(err)
		}
		select {
		case <-asked:
		case <-tt.Ctx.Done():
			t.Fatalf("the server got %d requests", n)
		}
	}
}
