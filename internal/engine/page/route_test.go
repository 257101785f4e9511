package page_test

import (
	"cmp"
	"context"
	"crypto/md5"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"chela/internal/engine/page"
	"chela/internal/engine/setting"
	"chela/test/long"
	"chela/test/tab"
)

// A host is a server that records its requests.
type host struct {
	*httptest.Server
	mu    sync.Mutex // guards the rest
	asked []string
}

// other is the same server under a name that makes it another origin.
func (h *host) other() string { return strings.Replace(h.URL, "127.0.0.1", "localhost", 1) }

func newHost(t *testing.T) *host {
	h := &host{}
	h.Server = httptest.NewServer(h)
	t.Cleanup(func() { h.CloseClientConnections(); h.Close() })
	return h
}

// take returns the requests that the server got since the last call.
func (h *host) take() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	asked := strings.Join(h.asked, ", ")
	h.asked = nil
	return asked
}

func (h *host) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/favicon.ico" {
		return
	}
	h.mu.Lock()
	h.asked = append(h.asked, strings.TrimSpace(r.Method+" "+r.URL.Path+" "+r.Header.Get("X-Debug")))
	h.mu.Unlock()
	w.Header().Set("Content-Type", "text/html")
	switch r.URL.Path {
	case "/is":
		fmt.Fprint(w, "<!doctype html>"+r.FormValue("is"))
	case "/to":
		http.Redirect(w, r, r.FormValue("to"), http.StatusFound)
	case "/worker.js":
		w.Header().Set("Content-Type", "text/javascript")
		fmt.Fprint(w, `const say = t => postMessage(t); fetch('/data').then(r => r.text()).then(say, say)`)
	case "/shared.js":
		w.Header().Set("Content-Type", "text/javascript")
		fmt.Fprint(w, `onconnect = e => fetch('/data').then(r => r.text()).then(t => e.ports[0].postMessage(t))`)
	case "/basic", "/digest":
		h.members(w, r)
	default:
		fmt.Fprint(w, "server")
	}
}

// members answers only to Ada, whose password is "lovelace".
func (h *host) members(w http.ResponseWriter, r *http.Request) {
	name, password, _ := r.BasicAuth()
	ok := name == "Ada" && password == "lovelace"
	challenge := `Basic realm="a, b"`
	if r.URL.Path == "/digest" {
		challenge = `Basic realm="a", Digest realm="r", qop="auth", nonce="n1"`
		md := func(s string) string { return fmt.Sprintf("%x", md5.Sum([]byte(s))) }
		sent := r.Header.Get("Authorization")
		value := func(name string) string {
			_, rest, _ := strings.Cut(sent, name+"=")
			rest, _, _ = strings.Cut(strings.TrimPrefix(rest, `"`), ",")
			return strings.TrimSuffix(rest, `"`)
		}
		due := md(md("Ada:r:lovelace") + ":n1:" + value("nc") + ":" + value("cnonce") + ":auth:" + md(r.Method+":"+r.URL.RequestURI()))
		ok = strings.HasPrefix(sent, "Digest ") && value("response") == due
	}
	if !ok {
		w.Header().Set("WWW-Authenticate", challenge)
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprint(w, "members only")
		return
	}
	fmt.Fprint(w, "hello "+cmp.Or(r.FormValue("q"), r.Method))
}

// html returns the address of a page that consists of this HTML.
func (h *host) html(html string) string { return h.URL + "/is?is=" + url.QueryEscape(html) }

// set gives settings to the tab alone.
func set(t *tab.Tab, c setting.Common) {
	t.Helper()
	if err := t.Set(c)(t.Ctx); err != nil {
		t.Fatal(err)
	}
}

func routes(rules ...setting.Rule) (c setting.Common) {
	for _, r := range rules {
		c.Routes = append(c.Routes, &setting.Route{Rule: r})
	}
	return c
}

// fetched returns what a script gets from an address.
func fetched(t *tab.Tab, call string) string {
	t.Helper()
	return tab.Run[string](t, "fetch("+call+").then(async r => r.status + ' ' + await r.text(), () => 'failed')")
}

func made(body string) *setting.Fulfillment {
	return &setting.Fulfillment{Status: 203, Headers: map[string]string{"Content-Type": "text/html"}, Body: []byte(body)}
}

func TestRoutes(t *testing.T) {
	h := newHost(t)
	tt := tab.Empty(t)
	mustGo(tt, h.URL+"/")
	h.take()
	x := "1"
	for _, s := range []struct {
		name       string
		settings   setting.Common
		call, want string
		asked      string
	}{
		{"none", setting.Common{}, "'/data'", "200 server", "GET /data"},
		{"aborted", routes(setting.Rule{URL: "**/data", Abort: "failed"}), "'/data'", "failed", ""},
		{"another address", routes(setting.Rule{URL: "**/other", Abort: "failed"}), "'/data'", "200 server", "GET /data"},
		{"another path under the star", routes(setting.Rule{URL: h.URL + "/*", Abort: "failed"}), "'/data/more'", "200 server", "GET /data/more"},
		{"another type", routes(setting.Rule{Types: []string{"image"}, Abort: "failed"}), "'/data'", "200 server", "GET /data"},
		{"its type", routes(setting.Rule{Types: []string{"image", "fetch"}, Abort: "failed"}), "'/data'", "failed", ""},
		{"answered", routes(setting.Rule{URL: "/data", Fulfill: made("made")}), "'/data'", "203 made", ""},
		{"headers", routes(setting.Rule{URL: "data", Headers: map[string]*string{"X-Debug": &x}}), "'/data'", "200 server", "GET /data 1"},
		{"a header removed", routes(setting.Rule{URL: "data", Headers: map[string]*string{"X-debug": nil}}), "'/data', {headers: {'X-Debug': '2'}}", "200 server", "GET /data"},
		{"delayed", routes(setting.Rule{URL: "data", Delay: time.Millisecond}), "'/data'", "200 server", "GET /data"},
		{"the last counts", routes(setting.Rule{URL: "data", Abort: "failed"}, setting.Rule{URL: "data", Fulfill: made("last")}), "'/data'", "203 last", ""},
		{"of another origin", routes(setting.Rule{URL: "data", Fulfill: made("made")}), "'" + h.other() + "/data', {method: 'PUT', headers: {'X-Own': '1'}, credentials: 'include'}", "203 made", ""},
		{"a header for another origin", routes(setting.Rule{URL: "**/to**", Headers: map[string]*string{"X-Debug": &x}}), "'" + h.other() + "/to?to=/', {mode: 'no-cors'}", "0 ", "GET /to 1, GET /"},
		{"a redirect made", routes(setting.Rule{URL: "data", Fulfill: &setting.Fulfillment{Status: 302, Headers: map[string]string{"Location": "/end"}}}), "'/data'", "200 server", "GET /end"},
		{"where a redirect leads to", routes(setting.Rule{URL: h.URL + "/end", Fulfill: made("end")}), "'/to?to=/end'", "203 end", "GET /to"},
		{"headers of an origin", setting.Common{Headers: []*setting.OriginHeaders{{Origin: setting.Origin(h.URL), Headers: map[string]string{"X-Debug": "7"}}}},
			"'/to?to=" + h.other() + "/end', {mode: 'no-cors'}", "0 ", "GET /to 7, GET /end"},
		{"headers of all origins", setting.Common{Headers: []*setting.OriginHeaders{{Origin: setting.AnyOrigin, Headers: map[string]string{"X-Debug": "7"}}}},
			"'" + h.other() + "/data', {mode: 'no-cors'}", "0 ", "GET /data 7"},
	} {
		set(tt, s.settings)
		if got, asked := fetched(tt, s.call), h.take(); got != s.want || asked != s.asked {
			t.Errorf("%s: got %q, the server was asked %q, want %q and %q", s.name, got, asked, s.want, s.asked)
		}
	}
}

func mustGo(t *tab.Tab, url string) {
	t.Helper()
	if err := t.InTurn(10*time.Second, func(ctx context.Context) error { return t.Navigate(ctx, url) }); err != nil {
		t.Fatal(err)
	}
}

// Routes apply to all parts of a page, from the first request on.
func TestRoutesHoldIn(t *testing.T) {
	long.Test(t)
	h := newHost(t)
	for _, s := range []struct{ name, html string }{
		{"a document", "<script>location = '/data'</script>"},
		{"a frame", "<iframe src=/data></iframe>"},
		{"a frame of another site", "<iframe src='" + h.other() + "/is?is=" + url.QueryEscape("<script>location = '/data'</script>") + "'></iframe>"},
		{"a worker", "<script>new Worker('/worker.js').onmessage = e => document.body.append(e.data)</script>"},
	} {
		t.Run(s.name, func(t *testing.T) {
			tt := tab.Empty(t)
			set(tt, routes(setting.Rule{URL: "/data", Fulfill: made("made")}))
			mustGo(tt, h.html(s.html))
			err := tt.InTurn(5*time.Second, func(ctx context.Context) error { return tt.WaitText(ctx, "made", false) })
			if err != nil || strings.Contains(h.take(), "/data") {
				t.Errorf("%v: the page is\n%s", err, tt.Text())
			}
		})
	}
}

// All pages that have a route share its count of requests. A request that waits for the route's
// delay is sent when the route is removed.
func TestRouteCounts(t *testing.T) {
	h := newHost(t)
	one, two := tab.Empty(t), tab.Empty(t)
	mustGo(one, h.URL+"/")
	mustGo(two, h.URL+"/")
	c := routes(setting.Rule{URL: "data", Fulfill: made("always")}, setting.Rule{URL: "data", Fulfill: made("twice"), Times: 2})
	set(one, c)
	set(two, c)
	got := []string{fetched(one, "'/data'"), fetched(two, "'/data'"), fetched(two, "'/data'"), fetched(one, "'/data'")}
	if want := []string{"203 twice", "203 twice", "203 always", "203 always"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	set(one, routes(setting.Rule{URL: "data", Delay: time.Hour, Abort: "failed"}))
	h.take()
	tab.Run[any](one, "window.late = fetch('/data').then(r => r.text()); undefined")
	if err := page.AwaitDelayed(one.Ctx, one.Page, 1); err != nil {
		t.Fatal(err)
	}
	set(one, setting.Common{})
	if got := tab.Run[string](one, "late"); got != "server" || h.take() != "GET /data" {
		t.Errorf("got %q", got)
	}
}

// A document cannot be loaded if a route aborts its request. A document that a route answers is
// like any other.
func TestRoutesOfDocuments(t *testing.T) {
	h := newHost(t)
	tt := tab.Empty(t)
	set(tt, routes(setting.Rule{URL: "/no", Abort: "blockedbyclient"}, setting.Rule{URL: "/made", Fulfill: made("<p>made</p>")}))
	_, err := goes(tt, page.Destination{URL: h.URL + "/no"})
	if failed, ok := errors.AsType[*page.LoadError](err); !ok || failed.Text != "net::ERR_BLOCKED_BY_CLIENT" {
		t.Errorf("aborted: %v", err)
	}
	if a, err := goes(tt, page.Destination{URL: h.URL + "/made"}); err != nil || a.Status != 203 || !strings.Contains(tt.Text(), "made") {
		t.Errorf("made: %v, %v, %s", a, err, tt.Text())
	}
	if asked := h.take(); asked != "" {
		t.Errorf("the server was asked %s", asked)
	}
}

// A page becomes quiet as usual when a route fails, delays or answers its requests.
func TestRoutesAndQuiet(t *testing.T) {
	h := newHost(t)
	tt := tab.Empty(t)
	set(tt, routes(setting.Rule{URL: "/no", Abort: "failed"}, setting.Rule{URL: "/made", Fulfill: made("x")}, setting.Rule{URL: "/slow", Delay: 300 * time.Millisecond}))
	mustGo(tt, h.html("<button onclick=\"for (const a of ['no', 'made', 'slow']) fetch('/' + a).catch(() => 0).then(() => this.textContent += a)\">go </button>"))
	err := tt.InTurn(5*time.Second, func(ctx context.Context) error {
		begun := tt.Collect(ctx)
		defer begun.End()
		err := tt.Act(ctx, func(ctx context.Context) error {
			el, err := tt.Match(ctx, "button")
			if err != nil {
				return err
			}
			return el.Click(ctx, page.Click{})
		})
		begun.AwaitQuiet(ctx, 4*time.Second)
		return err
	})
	if got := tab.Run[string](tt, "document.body.innerText"); err != nil || !strings.Contains(got, "no") || !strings.Contains(got, "made") || !strings.Contains(got, "slow") {
		t.Errorf("%v, quiet with %q", err, got)
	}
	if under := page.UnderWay(tt.Page); len(under) != 0 {
		t.Errorf("under way: %v", under)
	}
}

func logins(origin setting.Origin, password string) setting.Common {
	return setting.Common{Logins: []*setting.Login{{Credentials: setting.Credentials{Origin: origin, Username: "Ada", Password: password}}}}
}

func TestCredentials(t *testing.T) {
	h := newHost(t)
	for _, s := range []struct {
		name, path string
		c          setting.Common
		want       string
		asked      string
	}{
		{"basic", "/basic", logins(setting.Origin(h.URL), "lovelace"), "hello GET", "GET /basic, GET /basic, POST /basic"},
		{"digest", "/digest", logins(setting.Origin(h.URL), "lovelace"), "hello GET", "GET /digest, GET /digest, POST /digest"},
		{"of all origins", "/digest?x=1", logins(setting.AnyOrigin, "lovelace"), "hello GET", "GET /digest, GET /digest, POST /digest"},
		{"a wrong password", "/basic", logins(setting.Origin(h.URL), "byron"), "members only", "GET /basic, GET /basic, POST /basic"},
		{"of another origin", "/basic", logins(setting.Origin(h.other()), "lovelace"), "members only", "GET /basic, POST /basic"},
		{"none", "/digest", setting.Common{}, "members only", "GET /digest, POST /digest"},
	} {
		t.Run(s.name, func(t *testing.T) {
			tt := tab.Empty(t)
			h.take()
			set(tt, s.c)
			mustGo(tt, h.URL+s.path)
			if got := tab.Run[string](tt, "document.body.innerText"); got != s.want {
				t.Errorf("got %q, want %q", got, s.want)
			}
			status := "200 hello POST"
			if s.want == "members only" {
				status = "401 members only"
			}
			if got := fetched(tt, "'"+s.path+"', {method: 'POST', body: 'q=POST'}"); got != status {
				t.Errorf("got %q, want %q", got, status)
			}
			if got := h.take(); got != s.asked {
				t.Errorf("the server was asked %q, want %q", got, s.asked)
			}
			set(tt, setting.Common{})
			if got := fetched(tt, "'"+s.path+"'"); got != "401 members only" {
				t.Errorf("without credentials: %q", got)
			}
		})
	}
}

// Every request to a server that wants a login gets an answer: nothing waits for a login window.
func TestNoCredentials(t *testing.T) {
	h := newHost(t)
	tt := tab.Empty(t)
	mustGo(tt, h.html(`<iframe src=/basic></iframe><img src=/basic onerror="document.title='no picture'"><form method=post action=/digest><button>send</button></form><a href=/basic>link</a>`))
	if text := tt.Text(); !strings.Contains(text, "members only") {
		t.Errorf("the frame: %s", text)
	}
	if got := tab.Run[string](tt, "document.title"); got != "no picture" {
		t.Errorf("the image: %q", got)
	}
	if got := fetched(tt, "'/digest'"); got != "401 members only" {
		t.Errorf("fetch: %q", got)
	}
	for _, element := range []string{`button "send"`, `link "link"`} {
		mustGo(tt, h.html(`<form method=post action=/digest><button>send</button></form><a href=/basic>link</a>`))
		h.take()
		if err := tt.On(element, tab.Click); err != nil || tab.Run[string](tt, "document.body.innerText") != "members only" {
			t.Errorf("%s: %v, %s", element, err, tt.Text())
		}
		if asked := h.take(); strings.Contains(asked, ",") {
			t.Errorf("%s: the server was asked %s", element, asked)
		}
	}
}
