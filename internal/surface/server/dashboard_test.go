package server

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"chela/internal/op"
	"chela/internal/surface/dashboard"
)

// settingsOf implements Settings for tests.
type settingsOf map[string]any

func (s settingsOf) List() ([]dashboard.Setting, error) {
	return []dashboard.Setting{{Key: "browser.headless", Value: s["browser.headless"]}}, nil
}

func (s settingsOf) Set(key string, value any) error {
	if value == "wrong" {
		return op.Errorf(op.Invalid, "the value is wrong")
	}
	s[key] = value
	return nil
}

// startDashboard starts a server, and returns it with its dashboard's settings.
func startDashboard(t *testing.T) (*running, settingsOf) {
	set := settingsOf{}
	return start(t, func(o *Options) {
		o.Settings = set
		o.Changes = func(_ context.Context, report func(any) error) error { return report(op.Object{"changed": []string{}}) }
	}), set
}

// link gets a link, and returns its secret.
func (r *running) link(t *testing.T) string {
	t.Helper()
	_, answer := r.send(t, "unix", "POST /dashboard/link HTTP/1.1\nHost: chela\nContent-Length: 0\n\n")
	var got struct{ URL string }
	if err := json.Unmarshal([]byte(answer), &got); err != nil || !strings.HasPrefix(got.URL, "http://"+r.addr+"/ui/#") {
		t.Fatalf("got %s", answer)
	}
	_, secret, _ := strings.Cut(got.URL, "#")
	return secret
}

// The headers of the dashboard's own page.
const ownPage = "Origin: http://HOST\nSec-Fetch-Site: same-origin\n"

func (r *running) login(t *testing.T, headers, secret string) (*http.Response, string) {
	t.Helper()
	return r.send(t, "tcp", "POST /ui/login HTTP/1.1\nHost: HOST\n"+headers+body(fmt.Sprintf(`{"secret":%q}`, secret)))
}

// enter logs in, and returns the headers with the cookie and the token that further requests need.
func (r *running) enter(t *testing.T) (cookie, token string) {
	t.Helper()
	resp, answer := r.login(t, ownPage, r.link(t))
	var got struct{ Token string }
	if err := json.Unmarshal([]byte(answer), &got); err != nil || got.Token == "" || len(resp.Cookies()) != 1 {
		t.Fatalf("got %s", answer)
	}
	c := resp.Cookies()[0]
	if c.Path != "/ui" || !c.HttpOnly || c.SameSite != http.SameSiteStrictMode || c.MaxAge < 43190 || c.MaxAge > 43200 || c.Secure {
		t.Errorf("the cookie is %v", c)
	}
	return "Cookie: " + c.Name + "=" + c.Value + "\n", "X-Chela-Dashboard: " + got.Token + "\n"
}

func TestLinksWorkOnce(t *testing.T) {
	r, _ := startDashboard(t)
	for _, test := range []struct{ name, headers, want string }{
		{"another origin", "Origin: http://evil.example\n", `"code":"forbidden"`},
		{"another port", "Origin: http://127.0.0.1:1\nSec-Fetch-Site: same-site\n", `"code":"forbidden"`},
		{"no origin", "", `"code":"forbidden"`},
		{"two origins", ownPage + "Origin: http://evil.example\n", `"code":"forbidden"`},
		{"the page", ownPage, `"token":`},
	} {
		secret := r.link(t)
		if _, got := r.login(t, test.headers, secret); !strings.Contains(got, test.want) {
			t.Errorf("%s: got %s", test.name, got)
		}
		if _, got := r.login(t, ownPage, secret); strings.Contains(got, `"token":`) != (test.name != "the page") {
			t.Errorf("%s, then the page: got %s", test.name, got)
		}
	}
	for _, wrong := range []string{"", "x"} {
		if resp, _ := r.login(t, ownPage, wrong); resp.StatusCode != 401 || len(resp.Cookies()) > 0 {
			t.Errorf("%q: got %v", wrong, resp)
		}
	}
	if resp, got := r.send(t, "tcp", "POST /dashboard/link HTTP/1.1\nHost: HOST\n"+auth+"Content-Length: 0\n\n"); resp.StatusCode != 403 {
		t.Errorf("with the token: got %s", got)
	}
}

func TestTheDashboardNeedsCookieAndToken(t *testing.T) {
	r, _ := startDashboard(t)
	cookie, token := r.enter(t)
	other, _ := r.enter(t)
	const click = "POST /ui/api/act HTTP/1.1\nHost: HOST\n"
	for _, test := range []struct {
		name, request string
		status        int
	}{
		{"both", click + ownPage + cookie + token, 200},
		{"the cookie", click + ownPage + cookie, 401},
		{"the token", click + ownPage + token, 401},
		{"another cookie", click + ownPage + other + token, 401},
		{"two cookies", click + ownPage + cookie + cookie + token, 401},
		{"the server's token", click + ownPage + auth, 401},
		{"the cookie and the server's token", click + ownPage + cookie + auth, 401},
		{"another site", click + "Origin: http://evil.example\n" + cookie + token, 403},
		{"another port", click + "Origin: http://127.0.0.1:1\nSec-Fetch-Site: same-site\n" + cookie + token, 403},
		{"a frame without an origin", click + "Origin: null\n" + cookie + token, 403},
		{"no origin", click + cookie + token, 403},
		{"rebound", "POST /ui/api/act HTTP/1.1\nHost: evil.example\n" + ownPage + cookie + token, 403},
		{"outside of the dashboard", "POST /act HTTP/1.1\nHost: HOST\n" + ownPage + cookie + token, 401},
	} {
		resp, got := r.send(t, "tcp", test.request+body(`{"kind":"click","ref":"e1"}`))
		if resp.StatusCode != test.status {
			t.Errorf("%s: got %d %s", test.name, resp.StatusCode, got)
		}
	}
	if got := len(r.target.calls); got != 1 {
		t.Errorf("%d calls were made", got)
	}
	get := func(path string) (int, string) {
		resp, got := r.send(t, "tcp", "GET "+path+" HTTP/1.1\nHost: HOST\nSec-Fetch-Site: same-origin\n"+cookie+token+"Connection: close\n\n")
		return resp.StatusCode, got
	}
	for path, want := range map[string]int{
		"/ui/api/snapshot": 200, "/ui/api/openapi.json": 200, "/ui/events": 200, "/ui/settings": 200, // what the page uses
		"/ui/api/mcp": 404, "/ui/api/sessions/hold": 404, "/ui/nothing": 404, "/ui/apis/snapshot": 404, "/ui/api/screencast": 404, "/ui/api/ui/": 404,
	} {
		if got, answer := get(path); got != want {
			t.Errorf("%s: got %d %s", path, got, answer)
		}
	}
	if status, _ := get("/ui/logout"); status != 404 {
		t.Errorf("a GET logs out: %d", status)
	}
	r.send(t, "tcp", "POST /ui/logout HTTP/1.1\nHost: HOST\n"+ownPage+cookie+token+"Content-Length: 0\n\n")
	if status, _ := get("/ui/settings"); status != 401 {
		t.Errorf("after the logout: %d", status)
	}
}

// Calls of the dashboard are made in the session of the person.
func TestTheDashboardCallsAsThePerson(t *testing.T) {
	asked := make(chan context.Context, 1)
	r := start(t, func(o *Options) {
		o.Table = func() *op.Table {
			return &op.Table{Ops: []*op.Op{op.Define("GET /who", "who", "Say who calls.", func(ctx context.Context, _ *target, _ none) (noted, error) {
				asked <- ctx
				return noted{true}, nil
			})}}
		}
	})
	cookie, token := r.enter(t)
	r.send(t, "tcp", "GET /ui/api/who HTTP/1.1\nHost: HOST\nX-Chela-Session: other\nX-Chela-Surface: tool\n"+cookie+token+"\n")
	if ctx := <-asked; op.Session(ctx) != op.Person || op.Caller(ctx) != "dashboard" || op.SurfaceOf(ctx) != op.Dashboard {
		t.Errorf("called in %q by %q", op.Session(ctx), op.Caller(ctx))
	}
}

func TestSettingsOfTheDashboard(t *testing.T) {
	r, set := startDashboard(t)
	cookie, token := r.enter(t)
	post := func(text string) (int, string) {
		resp, got := r.send(t, "tcp", "POST /ui/settings HTTP/1.1\nHost: HOST\n"+ownPage+cookie+token+body(text))
		return resp.StatusCode, got
	}
	for _, test := range []struct {
		body, want string
		status     int
	}{
		{`{"key":"browser.headless","value":true}`, `"value":true`, 200},
		{`{"key":"browser.headless","value":"a text"}`, `"value":"a text"`, 200},
		{`{"key":"browser.headless","value":"null"}`, `"value":"null"`, 200},
		{`{"key":"browser.headless","value":"5"}`, `"value":"5"`, 200},
		{`{"key":"browser.headless","value":null}`, `"value":null`, 200},
		{`{"key":"browser.headless","value":"wrong"}`, "the value is wrong", 400},
		{`{"key":"browser.headless"}`, "are required", 400},
		{`{"value":true}`, "are required", 400},
	} {
		if status, got := post(test.body); status != test.status || !strings.Contains(got, test.want) {
			t.Errorf("%s: got %d %s", test.body, status, got)
		}
	}
	if set["browser.headless"] != nil {
		t.Errorf("set %v", set)
	}
	if resp, _ := r.send(t, "tcp", "POST /settings HTTP/1.1\nHost: HOST\n"+auth+body(`{"key":"browser.headless","value":true}`)); resp.StatusCode != 404 {
		t.Errorf("with the token: %d", resp.StatusCode)
	}
}

// The page may be opened from any site, but not shown in a frame. Its files can be requested only by
// the page.
func TestFilesOfTheDashboard(t *testing.T) {
	r, _ := startDashboard(t)
	for _, test := range []struct {
		name, request string
		status        int
	}{
		{"the page", "GET /ui/ HTTP/1.1\nHost: HOST\n\n", 200},
		{"without a slash", "GET /ui HTTP/1.1\nHost: HOST\n\n", 308},
		{"its head", "HEAD /ui/ HTTP/1.1\nHost: HOST\n\n", 200},
		{"a link in a message", "GET /ui/ HTTP/1.1\nHost: HOST\nSec-Fetch-Site: cross-site\nSec-Fetch-Dest: document\n\n", 200},
		{"a frame", "GET /ui/ HTTP/1.1\nHost: HOST\nSec-Fetch-Site: cross-site\nSec-Fetch-Dest: iframe\n\n", 403},
		{"a script of another site", "GET /ui/main.js HTTP/1.1\nHost: HOST\nSec-Fetch-Site: cross-site\nSec-Fetch-Dest: script\n\n", 403},
		{"rebound", "GET /ui/ HTTP/1.1\nHost: evil.example\n\n", 403},
		{"no file", "GET /ui/nothing.js HTTP/1.1\nHost: HOST\n\n", 401},
		{"a path out", "GET /ui/../site.go HTTP/1.1\nHost: HOST\n\n", 401},
	} {
		resp, got := r.send(t, "tcp", test.request)
		if resp.StatusCode != test.status {
			t.Errorf("%s: got %d %s", test.name, resp.StatusCode, got)
		}
		for name, want := range map[string]string{
			"Content-Security-Policy": "frame-ancestors 'none'", "X-Frame-Options": "DENY", "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
			"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin", "Cache-Control": "no-store",
		} {
			if !strings.Contains(resp.Header.Get(name), want) {
				t.Errorf("%s: %s is %q", test.name, name, resp.Header.Get(name))
			}
		}
	}
}
