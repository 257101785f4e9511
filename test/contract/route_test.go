//go:build unix

package contract

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	tests "chela/test/service"
)

// asked answers with parts of the request: its path, X-Debug, X-Num and login.
func asked(t *testing.T) *httptest.Server {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name, password, ok := r.BasicAuth()
		if r.URL.Path == "/auth" && !ok {
			w.Header().Set("WWW-Authenticate", `Basic realm="x"`)
			w.WriteHeader(http.StatusUnauthorized)
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "asked %s %s%s %s%s", r.URL.Path, r.Header.Get("X-Debug"), r.Header.Get("X-Num"), name, password)
	}))
	t.Cleanup(func() { server.CloseClientConnections(); server.Close() })
	return server
}

// Routes, headers and credentials hold for all tabs, also in the browser that takes over from one
// that was killed. They hold until they are removed or the browser is stopped.
func TestRequests(t *testing.T) {
	s, server := own(t, ""), asked(t)
	tab := s.open(t, server.URL+"/")
	text := func(path string) string {
		t.Helper()
		s.do(t, "POST /navigate", s.body(tab, fmt.Sprintf(`"url": %q`, server.URL+path)))
		return strings.TrimSpace(fmt.Sprint(s.eval(t, tab, "document.body?.innerText ?? ''")))
	}
	expect := func(path, want string) {
		t.Helper()
		if got := text(path); got != want {
			t.Errorf("%s: got %q, want %q", path, got, want)
		}
	}
	add := func(fields string) tests.Answer {
		t.Helper()
		return s.ok(t, "POST /route", s.body(tab, fields))
	}
	fetched := func(path string) any {
		t.Helper()
		return s.eval(t, tab, fmt.Sprintf("fetch(%q).then(async r => r.status + ' ' + r.headers.get('content-type') + ' ' + await r.text(), () => 'failed')", path))
	}

	t.Run("headers", func(t *testing.T) {
		a := s.ok(t, "POST /set/headers", s.body(tab, `"headers": {"X-Debug": "1", "X-Num": 5}`))
		if a.Text("ok") != "true" || a.Text("targetId") == "" || a.Text("origins") != server.URL || a.Text("dropped") != "X-Num" {
			t.Errorf("answered %s", a.Raw)
		}
		s.do(t, "POST /set/headers", s.body(tab, `"headers": {"X-O": {"a": 1}}`)).Fails(t, 400, "invalid_request", "the value of the header X-O must be a string")
		expect("/headers", "asked /headers 1")
		s.ok(t, "GET /set", "").Has(t, "headers.0.headers.X-Debug", "1")
		s.ok(t, "POST /set/headers", s.body(tab, `"headers": {"Authorization": "Bearer abc"}, "origins": ["http://one.test:80/x", "*"]`)).Has(t, "origins", "http://one.test *")
		if a := s.ok(t, "GET /set", ""); strings.Contains(a.Raw, "abc") {
			t.Errorf("shows the secret: %s", a.Raw)
		}
		if a := s.ok(t, "POST /set/headers", s.body(tab, `"headers": {}`)); !strings.Contains(a.Raw, `"origins":[]`) {
			t.Errorf("all headers are cleared: %s", a.Raw)
		}
		expect("/none", "asked /none")
		s.ok(t, "GET /set", "").Has(t, "headers", "")
	})

	t.Run("credentials", func(t *testing.T) {
		expect("/auth", "asked /auth")
		a := s.ok(t, "POST /set/credentials", s.body(tab, `"username": "Ada", "password": " lovelace"`))
		if a.Text("ok") != "true" || a.Text("targetId") == "" {
			t.Errorf("answered %s", a.Raw)
		}
		expect("/auth", "asked /auth Ada lovelace")
		if a := s.ok(t, "GET /set", ""); a.Text("credentials.0.username") != "Ada" || strings.Contains(a.Raw, "lovelace") {
			t.Errorf("shows %s", a.Raw)
		}
		s.ok(t, "POST /set/credentials", s.body(tab, `"clear": true`))
		expect("/auth", "asked /auth")
	})

	t.Run("answers", func(t *testing.T) {
		path := s.Upload(t, "picture.svg", "<svg/>")
		for fields, want := range map[string]string{
			`"fulfill": {"json": {"a": [1]}}`:                                      `200 application/json {"a":[1]}`,
			`"fulfill": {"status": 404, "body": "none", "contentType": "text/x"}`:  "404 text/x none",
			`"fulfill": {"base64": "aGk=", "headers": {"content-type": "text/y"}}`: "200 text/y hi",
			fmt.Sprintf(`"fulfill": {"path": %q}`, path):                           "200 image/svg+xml <svg/>",
			`"status": 201`:                      "201 null ",
			`"body": " x", "contentType": "a/b"`: "200 a/b  x",
			`"abort": true`:                      "failed",
			`"abort": "timedout"`:                "failed",
			`"headers": {"x-debug": "route"}`:    "200 text/html asked /data route ",
		} {
			a := add(`"url": "**/data", "times": 1, ` + fields)
			if got := fetched("/data"); got != want {
				t.Errorf("%s: got %q, want %q, by %s", fields, got, want, a.Raw)
			}
		}
		if got := fetched("/data"); got != "200 text/html asked /data  " {
			t.Errorf("when all are spent: %q", got)
		}
		s.ok(t, "GET /routes", "").Has(t, "routes", "")
	})

	t.Run("all tabs", func(t *testing.T) {
		first := add(`"url": "/data", "fulfill": {"body": "<p>made</p>", "contentType": "text/html"}`)
		add(`"block": ["images, fonts"], "delayMs": 5`)
		s.ok(t, "GET /routes", "").Has(t, "routes.0.does", "all addresses (image, font) fails (blockedbyclient) after 5 ms")
		s.ok(t, "GET /set", "").Has(t, "routes", "2")
		s.act(t, tab, `"kind": "evaluate", "fn": "window.open('/data', '', 'noopener'); window.open('/data'); 1"`)
		tests.Eventually(t, "the popups show what was made", func() bool {
			n := 0
			for _, each := range s.tabs(t) {
				if each["url"] == server.URL+"/data" {
					n++
				}
			}
			return n == 2
		})
		for _, each := range s.tabs(t) {
			if each["url"] != server.URL+"/data" {
				continue
			}
			if got := s.ok(t, fmt.Sprint("GET /snapshot?targetId=", each["tabId"]), "").Text("snapshot"); !strings.Contains(got, "made") {
				t.Errorf("a popup shows %s", got)
			}
			s.ok(t, fmt.Sprint("DELETE /tabs/", each["tabId"]), "")
		}
		if got := s.eval(t, tab, "new Promise(done => { const i = new Image; i.onload = () => done('loaded'); i.onerror = () => done('failed'); i.src = '/image.png' })"); got != "failed" {
			t.Errorf("an image has %v", got)
		}
		// Requests of some shared workers are never routed, see runWorkerLocked.
		worker := "onconnect = async e => e.ports[0].postMessage(await (await fetch('" + server.URL + "/data')).text())"
		tests.Eventually(t, "a shared worker has what was made", func() bool {
			return s.eval(t, tab, "new Promise(done => new SharedWorker(URL.createObjectURL(new Blob([`"+worker+"`]))).port.onmessage = e => done(e.data))") == "<p>made</p>"
		})
		kill(t, s.pid(t))
		s.do(t, "GET /snapshot?targetId="+tab, "")
		expect("/data", "made")
		s.ok(t, "DELETE /route?id="+first.Text("id"), "").Has(t, "removed", "1")
		expect("/data", "asked /data")
		s.ok(t, "DELETE /route", "").Has(t, "removed", "1")
	})

	t.Run("bad input", func(t *testing.T) {
		large := base64.StdEncoding.EncodeToString(make([]byte, 600<<10))
		for _, c := range []struct {
			request, body string
			status        int
			message       string
		}{
			{"POST /set/headers", `{}`, 400, "headers is required"},
			{"POST /set/headers", `{"headers": "x"}`, 400, "headers must be an object"},
			{"POST /set/headers", `{"headers": {"X-Num": 5}}`, 400, "no header has a text as its value"},
			{"POST /set/headers", `{"headers": {"X Y": "1"}}`, 400, `"X Y" is no name of a header`},
			{"POST /set/headers", `{"headers": {"X": "1\nY: 2"}}`, 400, "the value of the header X must be one line"},
			{"POST /set/headers", `{"headers": {"Host": "x"}}`, 400, "the header Host belongs to the connection and cannot be changed"},
			{"POST /set/headers", `{"headers": {"Proxy-Authorization": "x"}}`, 400, "the header Proxy-Authorization belongs to the connection"},
			{"POST /set/headers", `{"headers": {"X": "` + large[:100_000] + `"}}`, 400, "the headers are larger than 65536 bytes"},
			{"POST /set/headers", `{"headers": {"X": "1"}, "origins": ["one.test"]}`, 400, "origin must be an http(s) origin"},
			{"POST /set/headers", `{"headers": {"X": "1"}, "origins": ["https://one.test@two.test"]}`, 400, "origin must be an http(s) origin"},
			{"POST /set/headers", `{"headers": {"X": "1"}, "origins": ["https://*"]}`, 400, "origin must be an http(s) origin"},
			{"POST /set/credentials", `{}`, 400, "Error: username is required (or set clear=true)"},
			{"POST /route", `{"abort": true}`, 400, "url is required"},
			{"POST /route", `{"url": "**"}`, 400, "a route needs abort, fulfill, headers or delayMs"},
			{"POST /route", `{"url": "**", "abort": true, "fulfill": {}}`, 400, "a route has only one of abort, fulfill and headers"},
			{"POST /route", `{"url": "**", "abort": "maybe"}`, 400, "abort must be true, or one of aborted, accessdenied"},
			{"POST /route", `{"types": ["websocket"], "abort": true}`, 400, `"websocket" is no type of request: document, fetch, font`},
			{"POST /route", `{"url": "**", "fulfill": {"body": "a", "json": 1}}`, 400, "an answer has only one of body, json, base64 and path"},
			{"POST /route", `{"url": "**", "fulfill": {"status": 101}}`, 400, "status must be from 200 to 599"},
			{"POST /route", `{"url": "**", "fulfill": {"path": "/etc/passwd"}}`, 400, "Invalid path: must stay within"},
			{"POST /route", `{"url": "**", "headers": {"a": 1}}`, 400, "the value of the header a must be a string"},
			{"POST /route", `{"url": "**", "abort": true, "times": 0}`, 400, "times must be a positive integer."},
			{"POST /route", `{"url": "**", "delayMs": 120001}`, 400, "delayMs must not exceed 120000"},
			{"POST /route", `{"url": "**", "fulfill": {"base64": "` + large + `", "body": "x"}}`, 400, "an answer has only one of"},
			{"DELETE /route?url=none", ``, 404, `no route "none"`},
		} {
			a := s.do(t, c.request, c.body)
			if a.Status != c.status || !strings.HasPrefix(a.Text("error"), c.message) {
				t.Errorf("%s %.80s: %d %s, want %d %s", c.request, c.body, a.Status, a.Raw, c.status, c.message)
			}
		}
	})

	t.Run("before a site is open", func(t *testing.T) {
		blank := s.open(t, "about:blank")
		s.ok(t, "POST /set/headers", s.body(blank, `"headers": {"X-Debug": "first"}`)).Has(t, "origins", "first")
		s.ok(t, "POST /set/credentials", s.body(blank, `"username": "Ada", "password": "first"`)).Has(t, "origins", "first")
		s.ok(t, "GET /set", "").Has(t, "headers.0.origin", "first")
		second := asked(t)
		if got := s.eval(t, tab, fmt.Sprintf("location.href = %q", second.URL+"/left")); got == nil {
			t.Error("not left") // a page that navigates by itself returns no result
		}
		tests.Eventually(t, "the page has left", func() bool { return s.tab(t, tab)["url"] == second.URL+"/left" })
		s.ok(t, "GET /set", "").Has(t, "headers.0.origin", "first")
		expect("/first", "asked /first first")
		expect("/auth", "asked /auth first Adafirst")
		s.ok(t, "GET /set", "").Has(t, "headers.0.origin", server.URL)
		s.ok(t, "POST /navigate", s.body(tab, fmt.Sprintf(`"url": %q`, second.URL+"/second")))
		if got := fmt.Sprint(s.eval(t, tab, "document.body.innerText")); strings.TrimSpace(got) != "asked /second" {
			t.Errorf("elsewhere: %q", got)
		}
		s.ok(t, "POST /set/headers", s.body(blank, `"headers": {}`)).Has(t, "cleared", "true")
		s.ok(t, "POST /set/credentials", s.body(blank, `"clear": true`))
		expect("/none", "asked /none")
	})

	t.Run("stop", func(t *testing.T) {
		add(`"url": "/data", "abort": true, "delayMs": 100000`)
		began := time.Now()
		s.act(t, tab, `"kind": "evaluate", "fn": "fetch('/data').catch(() => 0); 1"`)
		s.ok(t, "POST /stop", "")
		if took := time.Since(began); took > 30*time.Second {
			t.Errorf("stopped after %v", took)
		}
		s.ok(t, "GET /routes", "").Has(t, "routes", "")
		s.ok(t, "GET /set", "").Has(t, "routes", "")
	})
}
