package contract

import (
	"context"
	_ "embed"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The calls on cookies, storage and permissions, as they were recorded of OpenClaw's server, in
// their order.
//
//go:embed testdata/state.json
var recordedState string

func TestStateAsRecorded(t *testing.T) {
	tab := mortal.open(t, site.URL+"/text.html")
	mortal.ok(t, "POST /state", `{"cookies": [], "clear": true}`)
	mortal.answersAsRecorded(t, tab, recordedState)
}

// answersAsRecorded repeats calls on a tab. The answers are as they were recorded, with these
// differences. Bad input is 400 where OpenClaw's server answered 500, and answers may have more
// fields. Chromium chooses the target id, and the time at which a cookie ends is at most 400 days
// from now.
func (s *service) answersAsRecorded(t *testing.T, tab, recorded string) {
	t.Helper()
	var calls []struct {
		Request  string
		Body     map[string]any
		Status   int
		Response map[string]any
	}
	if err := json.Unmarshal([]byte(strings.ReplaceAll(recorded, "SITE", site.URL)), &calls); err != nil {
		t.Fatal(err)
	}
	for _, c := range calls {
		request, body := c.Request, ""
		if strings.HasPrefix(request, "GET ") {
			separator := "?"
			if strings.Contains(request, "?") {
				separator = "&"
			}
			request += separator + "targetId=" + tab
		} else {
			if c.Body == nil {
				c.Body = map[string]any{}
			}
			c.Body["targetId"] = tab
			raw, _ := json.Marshal(c.Body)
			body = string(raw)
		}
		a := s.do(t, request, body)
		if status := map[int]int{500: 400}[c.Status]; status != 0 {
			c.Status = status
		}
		if a.Status != c.Status {
			t.Errorf("%s %s: %d %s, want %d", c.Request, body, a.Status, a.Raw, c.Status)
			continue
		}
		var got map[string]any
		if err := json.Unmarshal([]byte(a.Raw), &got); err != nil {
			t.Fatal(err)
		}
		if c.Status == http.StatusOK && (c.Response["targetId"] != nil) != (got["targetId"] != nil) {
			t.Errorf("%s: targetId is there in one of %s and %v", c.Request, a.Raw, c.Response)
		}
		for name, want := range c.Response {
			if diff := cmp.Diff(want, got[name], ignoring("expires")); diff != "" && name != "targetId" {
				t.Errorf("%s %s: %s (-want +got):\n%s", c.Request, body, name, diff)
			}
		}
	}
}

// ignoring lets objects differ in the values of one field.
func ignoring(field string) cmp.Option {
	return cmp.FilterPath(func(p cmp.Path) bool {
		at, ok := p.Last().(cmp.MapIndex)
		return ok && at.Key().String() == field
	}, cmp.Ignore())
}

func TestCookies(t *testing.T) {
	tab := mortal.open(t, page(""))
	mortal.ok(t, "POST /state", `{"cookies": [], "clear": true}`)
	t.Cleanup(func() { mortal.TryText(context.Background(), "POST /cookies/clear", "{}") })
	for _, c := range []struct{ name, body, want string }{
		{"by a url", `{"cookie": {"name": "a", "value": " 1", "url": "http://one.test/x/y?z"}}`,
			`{"name":"a","value":"1","domain":"one.test","path":"/x/","expires":-1,"httpOnly":false,"secure":false,"sameSite":"Lax"}`},
		{"with fields beside", `{"name": "a", "value": 2, "url": "https://one.test", "httpOnly": "yes", "sameSite": "Strict"}`,
			`{"name":"a","value":"2","domain":"one.test","path":"/","expires":-1,"httpOnly":true,"secure":true,"sameSite":"Strict"}`},
		{"of a domain", `{"cookie": {"name": "a", "value": "", "domain": ".One.test", "path": "/p", "sameSite": "lax"}}`,
			`{"name":"a","value":"","domain":".one.test","path":"/p","expires":-1,"httpOnly":false,"secure":false,"sameSite":"Lax"}`},
		{"partitioned", `{"cookie": {"name": "a", "value": "p", "url": "https://one.test", "sameSite": "no_restriction", "partitionKey": "https://top.test"}}`,
			`{"name":"a","value":"p","domain":"one.test","path":"/","expires":-1,"httpOnly":false,"secure":true,"sameSite":"None","partitionKey":"https://top.test","_crHasCrossSiteAncestor":true}`},
		{"partitioned, of the site itself", `{"cookie": {"name": "a", "value": "p", "url": "https://top.test", "partitionKey": "https://top.test", "_crHasCrossSiteAncestor": false}}`,
			`{"name":"a","value":"p","domain":"top.test","path":"/","expires":-1,"httpOnly":false,"secure":true,"sameSite":"Lax","partitionKey":"https://top.test","_crHasCrossSiteAncestor":false}`},
		{"of a request", `{"curl": "curl 'https://one.test/x' -b 'b=1'"}`,
			`{"name":"b","value":"1","domain":"one.test","path":"/","expires":-1,"httpOnly":false,"secure":true,"sameSite":"Lax"}`},
	} {
		mortal.ok(t, "POST /cookies/set", c.body)
		a := mortal.ok(t, "GET /cookies?targetId="+tab, "")
		var got struct{ Cookies []any }
		var want any
		if json.Unmarshal([]byte(a.Raw), &got) != nil || json.Unmarshal([]byte(c.want), &want) != nil {
			t.Fatalf("%s %s", a.Raw, c.want)
		}
		if diff := cmp.Diff([]any{want}, got.Cookies); diff != "" {
			t.Errorf("%s: (-want +got):\n%s", c.name, diff)
		}
		removed := mortal.ok(t, "POST /cookies/clear", `{"name": "`+a.Text("cookies.0.name")+`"}`)
		removed.Has(t, "removed", "1")
		mortal.ok(t, "GET /cookies", "").Has(t, "cookies", "")
	}
	for body, message := range map[string]string{
		`{"cookie": []}`: "cookie is required",
		`{"cookie": {"name": "a", "value": "1", "url": "about:blank"}}`:                           "cookie.url must be an http(s) address",
		`{"cookie": {"name": "a", "value": "1", "url": "http://one.test", "sameSite": "x"}}`:      "cookie.sameSite must be Strict|Lax|None",
		`{"cookie": {"name": "a", "value": "1", "url": "http://one.test", "expires": -2}}`:        "cookie.expires must be -1 or a time in seconds since 1970",
		`{"name": "a", "value": "1", "url": "http://one.test", "expires": "soon"}`:                "cookie.expires must be a finite number.",
		`{"cookie": {"name": "__Host-a", "value": "1", "domain": ".one.test", "path": "/"}}`:      "the browser refuses cookie __Host-a of .one.test",
		`{"cookie": {"name": "a", "value": "1", "domain": "com", "path": "/"}}`:                   "cookie.domain must not be com, which is a public suffix",
		`{"cookie": {"name": "a", "value": "1", "url": "http://one.test", "domain": "two.test"}}`: "cookie.domain must be one.test, the host of the url, or a host above it",
		`{"cookie": {"name": "a", "value": {"b": 1}, "url": "http://one.test"}}`:                  "cookie.value must be a string",
		`{"cookie": {"name": "a", "value": "1", "url": "http://one.test", "httpOnly": "maybe"}}`:  "cookie.httpOnly must be true or false",
		`{"curl": "curl 'https://one.test/x'"}`:                                                   "curl: the request has no cookies",
		`{"curl": "wget"}`:                                                                        "Invalid path",
	} {
		a := mortal.do(t, "POST /cookies/set", body)
		if a.Status != 400 && a.Status != 404 || !strings.Contains(a.Text("error"), message) && message != "Invalid path" {
			t.Errorf("%s: %d %s, want %s", body, a.Status, a.Raw, message)
		}
	}
	a := mortal.do(t, "POST /cookies/set-many", `{"cookies": [{"name": "m", "value": "1", "url": "http://one.test"}, {"name": "__Secure-m", "value": "1", "url": "http://one.test"}]}`)
	a.Fails(t, 400, "invalid_request", "the browser refuses cookie __Secure-m of one.test")
	mortal.do(t, "POST /cookies/set-many", `{"cookies": [{"name": "m", "value": "1"}]}`).Fails(t, 400, "invalid_request", "cookies[0]: Error: cookie requires url, or domain+path")
	mortal.ok(t, "GET /cookies?domain=one.test", "").Has(t, "cookies.0.name", "m")
	mortal.ok(t, "GET /cookies?domain=other.test", "").Has(t, "cookies", "")
}

// A permission is granted beside those that were granted before, and by each name that
// this Chromium knows.
func TestPermissions(t *testing.T) {
	tab := shared.open(t, site.URL+"/text.html")
	for _, name := range []string{"geolocation", "notifications"} {
		shared.ok(t, "POST /permissions/grant", `{"origin": "`+site.URL+`/path", "permissions": ["`+name+`"]}`).Has(t, "origin", site.URL)
	}
	got := shared.eval(t, tab, `async () => (await Promise.all(['geolocation', 'notifications', 'midi'].map(async name => (await navigator.permissions.query({name})).state))).join()`)
	if got != "granted,granted,prompt" && got != "granted,granted,denied" {
		t.Errorf("got %v", got)
	}
	insecure := shared.do(t, "POST /permissions/grant", `{"origin": "http://far.test", "permissions": ["geolocation"]}`)
	insecure.Fails(t, 400, "invalid_request", "the browser does not grant geolocation: ")
	insecure.Has(t, "hint", "most permissions are for https origins and for localhost only")
	shared.do(t, "POST /permissions/grant", `{"origin": "`+site.URL+`", "permissions": ["geolocatoin"]}`).Has(t, "hint", `did you mean "geolocation"?`)
}

func TestStorage(t *testing.T) {
	tab := mortal.open(t, site.URL+"/text.html")
	mortal.ok(t, "POST /state", `{"cookies": [], "clear": true}`)
	in := func(fields string) string { return `{"targetId": "` + tab + `"` + fields + `}` }
	const far = "https://far.test"

	mortal.ok(t, "POST /storage/local/set", in(`, "origin": "`+far+`/x", "key": "theme", "value": "dark"`)).Has(t, "targetId", mortal.ok(t, "GET /storage/local?targetId="+tab, "").Text("targetId"))
	mortal.ok(t, "GET /storage/local?origin="+far+"&targetId="+tab, "").Has(t, "values", "map[theme:dark]")
	mortal.ok(t, "GET /storage/local?targetId="+tab, "").Has(t, "values", "map[]")
	if got := mortal.eval(t, tab, "location.href"); got != site.URL+"/text.html" {
		t.Errorf("the tab is at %v", got)
	}

	mortal.ok(t, "POST /storage/local/set", in(`, "origin": "`+site.URL+`", "key": " a b ", "value": " 1 "`))
	mortal.ok(t, "POST /storage/local/set", in(`, "key": "c", "value": " "`))
	mortal.ok(t, "GET /storage/local?key=c&targetId="+tab, "").Has(t, "values", "map[c: ]")
	mortal.ok(t, "POST /storage/local/set", in(`, "key": "c", "value": "2"`))
	mortal.eval(t, tab, `localStorage.half = '\ud800', sessionStorage.s = location.origin`)
	a := mortal.ok(t, "GET /storage/local?targetId="+tab, "")
	a.Has(t, "values", "map[ a b : 1  c:2 half:\ufffd]")
	a.Has(t, "changed", "half")
	mortal.ok(t, "POST /storage/local/clear", in(`, "key": "half"`))
	if got := mortal.eval(t, tab, `JSON.stringify(Object.entries(localStorage).sort())`); got != `[[" a b "," 1 "],["c","2"]]` {
		t.Errorf("got %v", got)
	}
	mortal.ok(t, "GET /storage/session?origin="+site.URL+"&targetId="+tab, "").Has(t, "values", "map[s:"+site.URL+"]")
	mortal.do(t, "GET /storage/session?origin="+far+"&targetId="+tab, "").Fails(t, 409, "conflict", "the tab shows no page of this origin")
	mortal.do(t, "GET /storage/local?origin=far&targetId="+tab, "").Fails(t, 400, "invalid_request", "origin must be an http(s) origin")
	mortal.eval(t, tab, `for (const k of 'abcdefghij') try { localStorage[k] = 'x'.repeat(600000) } catch {}`)
	mortal.do(t, "POST /storage/local/set", in(`, "key": "k2", "value": "`+strings.Repeat("x", 600_000)+`"`)).Fails(t, 409, "conflict", "the storage of the origin is full")

	// An open dialog blocks the page, but not the storage of an origin.
	mortal.act(t, tab, `"kind": "evaluate", "fn": "alert('x')"`).Has(t, "blockedByDialog", "true")
	mortal.do(t, "GET /storage/local?targetId="+tab, "").Fails(t, 409, "conflict", "Action blocked by a modal dialog")
	for _, origin := range []string{far, site.URL} {
		mortal.ok(t, "POST /storage/local/clear", in(`, "origin": "`+origin+`"`))
		mortal.ok(t, "GET /storage/local?origin="+origin+"&targetId="+tab, "").Has(t, "values", "map[]")
	}
	mortal.ok(t, "POST /hooks/dialog", in(`, "accept": true`))

	mortal.ok(t, "POST /navigate", in(`, "url": "about:blank"`))
	mortal.do(t, "GET /storage/local?targetId="+tab, "").Fails(t, 409, "conflict", "the page has no storage")
	mortal.do(t, "POST /storage/session/set", in(`, "key": "a", "value": "1"`)).Fails(t, 409, "conflict", "the page has no storage")
}
