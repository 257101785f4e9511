package contract

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"
)

// watchable adds a page that logs, fails and sends requests, and the addresses that it asks for.
func watchable(mux *http.ServeMux) {
	mux.HandleFunc("/console", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, `<button onclick="throw new Error('boom from click')">Throw</button>
			<script>
				console.log("log msg", {a: 1}); console.info("info msg"); console.warn("warn msg"); console.error("error msg"); console.debug("debug msg")
				Promise.reject(new Error("rejected promise"))
				const get = async (path, how) => (await fetch(path, how)).text()
				setTimeout(async () => {
					await get("/api/data?x=1")
					await get("/api/missing")
					await get("http://127.0.0.1:1/nope").catch(() => {})
					await get("/api/post", {method: "POST", body: "name=Ada", headers: {Authorization: "Bearer abc"}})
					document.title = "done"
				})
			</script>`)
	})
	mux.HandleFunc("/api/", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		http.SetCookie(w, &http.Cookie{Name: "sid", Value: "of-ada", Path: "/api", HttpOnly: true})
		if strings.HasSuffix(r.URL.Path, "/missing") {
			w.WriteHeader(http.StatusNotFound)
		}
		fmt.Fprintf(w, `{"ok": true, "q": %q}`, r.URL.String())
	})
	mux.HandleFunc("/large", func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, strings.Repeat("0123456789", 600_000))
	})
}

// Entries of the lists as they were recorded of OpenClaw's server.
//
//go:embed testdata/watch.json
var recordedWatch string

// The lists are as they were recorded. They may also have more fields, and other entries between
// these. Times and places in the page depend on this page.
func TestWatchAsRecorded(t *testing.T) {
	var recorded struct {
		Messages, Errors, Requests []map[string]any
		Response, ResponseCut      map[string]any
	}
	if err := json.Unmarshal([]byte(strings.ReplaceAll(recordedWatch, "SITE", site.URL)), &recorded); err != nil {
		t.Fatal(err)
	}
	tab := shared.open(t, "about:blank")
	get := func(request string) []any {
		a := shared.ok(t, "GET "+request+"targetId="+tab, "")
		if a.Text("ok") != "true" || a.Text("targetId") == "" || a.Text("url") == "" {
			t.Errorf("%s: %s", request, a.Raw)
		}
		path, _, _ := strings.Cut(request, "?")
		list, _ := a.Get(map[string]string{"/console": "messages", "/errors": "errors", "/requests": "requests"}[path]).([]any)
		return list
	}
	for _, path := range []string{"http://127.0.0.1:1/x", "/redirect?to=/text.html", "/report.csv", "/api/missing"} {
		if strings.HasPrefix(path, "/") {
			path = site.URL + path
		}
		shared.do(t, "POST /navigate", fmt.Sprintf(`{"targetId": %q, "url": %q}`, tab, path))
	}
	get("/errors?clear=true&")
	shared.ok(t, "POST /navigate", fmt.Sprintf(`{"targetId": %q, "url": %q}`, tab, site.URL+"/console"))
	shared.act(t, tab, `"kind": "wait", "fn": "document.title == 'done'"`)
	shared.act(t, tab, fmt.Sprintf(`"kind": "click", "ref": %q`, shared.ref(t, tab, "Throw")))
	body := func(more string) map[string]any {
		a := shared.ok(t, "POST /response/body", fmt.Sprintf(`{"targetId": %q, "past": true, %s}`, tab, more))
		response, _ := a.Get("response").(map[string]any)
		return response
	}
	body(`"url": "/api/post"`) // this answer is the last to arrive
	last := len(recorded.Messages) - 1
	for _, c := range []struct {
		request string
		want    []map[string]any
	}{
		{"/console?", recorded.Messages},
		{"/console?level=debug&", recorded.Messages},
		{"/console?level=info&", slices.Concat(recorded.Messages[:4], recorded.Messages[5:])},
		{"/console?level=zzz&", slices.Concat(recorded.Messages[:4], recorded.Messages[5:])},
		{"/console?level=warning&", slices.Concat(recorded.Messages[2:4], recorded.Messages[5:])},
		{"/console?level=error&", slices.Concat(recorded.Messages[3:4], recorded.Messages[5:])},
		{"/console?level=error&limit=1&", recorded.Messages[last:]},
		{"/errors?", recorded.Errors},
		{"/errors?clear=true&", recorded.Errors},
		{"/errors?", nil},
		{"/requests?", recorded.Requests},
		{"/requests?filter=fetch&", recorded.Requests[6:]},
		{"/requests?filter=api&clear=true&", append(slices.Clone(recorded.Requests[4:5]), recorded.Requests[6], recorded.Requests[7], recorded.Requests[9])},
		{"/requests?", nil},
	} {
		got := get(c.request)
		if strings.HasPrefix(c.request, "/console") { // the console also has messages of earlier pages
			got = slices.DeleteFunc(got, func(m any) bool {
				return !slices.ContainsFunc(recorded.Messages, func(want map[string]any) bool { return alike(want, m.(map[string]any)) == "" })
			})
			got = got[max(0, len(got)-len(c.want)):]
		}
		if len(got) != len(c.want) {
			t.Errorf("%s: %d entries, want %d: %v", c.request, len(got), len(c.want), got)
			continue
		}
		for i, want := range c.want {
			if diff := alike(want, got[i].(map[string]any)); diff != "" {
				t.Errorf("%s: entry %d: %s", c.request, i, diff)
			}
		}
	}
	shared.eval(t, tab, `fetch("/api/data?x=1").then(r => r.text())`)
	for _, c := range []struct {
		more string
		want map[string]any
	}{
		{`"url": "**/api/data*"`, recorded.Response}, {`"url": "api/data"`, recorded.Response},
		{fmt.Sprintf(`"url": "%s/api/data?x=1"`, site.URL), recorded.Response},
		{`"url": "**/api/data*", "maxChars": 20`, recorded.ResponseCut},
	} {
		got := body(c.more)
		headers, _ := got["headers"].(map[string]any)
		if headers["content-type"] != "application/json" || headers["set-cookie"] != "sid=[secret]; Path=/api; HttpOnly" {
			t.Errorf("%s: headers are %v", c.more, headers)
		}
		got["headers"] = c.want["headers"]
		if fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%s: got %v, want %v", c.more, got, c.want)
		}
	}
}

// alike returns in what an entry differs from a recorded one.
func alike(want, got map[string]any) string {
	if a, b := slices.Sorted(maps.Keys(want)), slices.Sorted(maps.Keys(got)); !slices.Equal(a, b) {
		return fmt.Sprintf("the fields are %v, want %v", b, a)
	}
	for name, value := range want {
		switch name {
		case "id":
		case "timestamp":
			if at, err := time.Parse("2006-01-02T15:04:05.000Z", fmt.Sprint(got[name])); err != nil || time.Since(at).Abs() > time.Hour {
				return fmt.Sprintf("the time is %v", got[name])
			}
		case "stack":
			if first, _, _ := strings.Cut(fmt.Sprint(value), "\n"); !strings.HasPrefix(fmt.Sprint(got[name]), first+"\n    at ") {
				return fmt.Sprintf("the stack is %v", got[name])
			}
		case "location":
			if a, b := value.(map[string]any), got[name].(map[string]any); a["url"] != b["url"] || len(a) != len(b) {
				return fmt.Sprintf("the location is %v", b)
			}
		default:
			if got[name] != value {
				return fmt.Sprintf("%s is %v, want %v", name, got[name], value)
			}
		}
	}
	return ""
}

// One request can be asked for, with all that is known of it. Secrets that would let others in are
// shown only if the caller asks for them.
func TestRequest(t *testing.T) {
	tab := shared.open(t, site.URL+"/text.html")
	shared.eval(t, tab, `fetch("/redirect?to=/api/end", {headers: {Authorization: "Bearer abc"}}).then(r => r.text())`)
	shared.eval(t, tab, `fetch("/api/post", {method: "POST", body: "name=Ada"}).then(r => r.text())`)
	shared.ok(t, "POST /response/body", fmt.Sprintf(`{"targetId": %q, "past": true, "url": "/api/post"}`, tab))
	one := func(filter, more string) map[string]any {
		t.Helper()
		list, _ := shared.ok(t, "GET /requests?targetId="+tab+"&filter="+url.QueryEscape(filter), "").Get("requests").([]any)
		if len(list) == 0 {
			t.Fatalf("no request with %s", filter)
		}
		id := list[len(list)-1].(map[string]any)["id"]
		request, _ := shared.ok(t, fmt.Sprintf("GET /requests/%v?targetId=%s%s", id, tab, more), "").Get("request").(map[string]any)
		return request
	}
	header := func(list any, name string) string {
		for _, each := range list.([]any) {
			if h := each.(map[string]any); strings.EqualFold(fmt.Sprint(h["name"]), name) {
				return fmt.Sprint(h["value"])
			}
		}
		return ""
	}
	for more, want := range map[string][2]string{"": {"Bearer [secret]", "sid=[secret]; Path=/api; HttpOnly"}, "&secrets=true": {"Bearer abc", "sid=of-ada; Path=/api; HttpOnly"}} {
		hop, end, post := one("to=/api/end", more), one(site.URL+"/api/end", more), one("/api/post", more)
		if got := header(hop["requestHeaders"], "authorization"); got != want[0] {
			t.Errorf("authorization is %s, want %s", got, want[0])
		}
		if got := header(post["responseHeaders"], "set-cookie"); got != want[1] {
			t.Errorf("set-cookie is %s, want %s", got, want[1])
		}
		if hop["redirectedTo"] != end["id"] || end["redirectedFrom"] != hop["id"] || hop["status"] != 302.0 || hop["bodyMissing"] == nil {
			t.Errorf("the redirect is %v, then %v", hop, end)
		}
		if end["body"] != `{"ok": true, "q": "/api/end"}` || end["mimeType"] != "application/json" || end["protocol"] != "http/1.1" {
			t.Errorf("the end is %v", end)
		}
		initiator, _ := post["initiator"].(map[string]any)
		timing, _ := post["timing"].(map[string]any)
		if post["postData"] != "name=Ada" || initiator["type"] != "script" || timing["totalMs"] == nil || post["remoteAddress"] != strings.TrimPrefix(site.URL, "http://") {
			t.Errorf("the post is %v", post)
		}
	}
	shared.do(t, "GET /requests/r9999?targetId="+tab, "").Fails(t, 404, "not_found", `no request "r9999" is recorded`)
}

// The operation that waits for a response reports wrong parameters, and a body that is missing.
func TestResponseBodyFails(t *testing.T) {
	tab := shared.open(t, site.URL+"/text.html")
	for _, c := range []struct {
		body          string
		status        int
		code, message string
	}{
		{`{}`, 400, "invalid_request", "url is required"},
		{`{"url": "x", "maxChars": -1}`, 400, "invalid_request", "maxChars must be a positive integer."},
		{fmt.Sprintf(`{"targetId": %q, "url": "**/never", "timeoutMs": 500}`, tab), 504, "deadline", `Response not found for url pattern "**/never". Run 'chela requests' to inspect recent network activity.`},
		{fmt.Sprintf(`{"targetId": %q, "url": "text.html", "timeoutMs": 500}`, tab), 504, "deadline", "Response not found"},
	} {
		shared.do(t, "POST /response/body", c.body).Fails(t, c.status, c.code, c.message)
	}
	shared.eval(t, tab, `fetch("/large").then(r => r.arrayBuffer()).then(b => b.byteLength)`)
	shared.do(t, "POST /response/body", fmt.Sprintf(`{"targetId": %q, "url": "/large", "past": true}`, tab)).
		Fails(t, 404, "BODY_GONE", "the body has 6000000 bytes, and the browser keeps bodies of at most 5242880")
	shared.ok(t, "POST /navigate", fmt.Sprintf(`{"targetId": %q, "url": %q}`, tab, site.URL+"/form.html"))
	shared.do(t, "POST /response/body", fmt.Sprintf(`{"targetId": %q, "url": "/text.html", "past": true}`, tab)).
		Fails(t, 404, "BODY_GONE", "the browser does not keep this body any more")
}

// The lists can be read while a dialog is open.
func TestWatchDuringDialog(t *testing.T) {
	tab := shared.open(t, page(`<button onclick="console.log('asks'); alert('well?')">Ask</button>`))
	shared.act(t, tab, fmt.Sprintf(`"kind": "click", "ref": %q`, shared.ref(t, tab, "Ask")))
	a := shared.ok(t, "GET /console?targetId="+tab, "")
	a.Has(t, "messages.0.text", "asks")
	shared.ok(t, "POST /hooks/dialog", fmt.Sprintf(`{"targetId": %q, "accept": true}`, tab))
}

// An error of a script that a caller runs has its name and stack, as one of the page has.
func TestErrorsOfEvaluatedScripts(t *testing.T) {
	tab := shared.open(t, site.URL+"/text.html")
	shared.act(t, tab, `"kind": "evaluate", "fn": "() => { setTimeout(function late() { setTimeout(() => { window.thrown = true }); throw new TypeError('no such thing') }) }"`)
	shared.act(t, tab, `"kind": "wait", "fn": "window.thrown"`)
	errors := shared.ok(t, "GET /errors?targetId="+tab, "")
	errors.Has(t, "errors.0.name", "TypeError")
	errors.Has(t, "errors.0.message", "no such thing")
	if stack := errors.Text("errors.0.stack"); !strings.Contains(stack, "at late (") {
		t.Errorf("the stack is %q", stack)
	}

	for script, want := range map[string][2]string{
		"throw new Error('nothing there')":                  {"Error", "nothing there"},
		"throw new Error('')":                               {"Error", ""},
		"throw new DOMException('no', 'InvalidStateError')": {"InvalidStateError", "no"},
	} {
		shared.ok(t, "GET /errors?clear=true&targetId="+tab, "")
		shared.act(t, tab, fmt.Sprintf(`"kind": "evaluate", "fn": "() => new Promise(done => { setTimeout(() => { setTimeout(done); %s }) })"`, script))
		errors := shared.ok(t, "GET /errors?targetId="+tab, "")
		errors.Has(t, "errors.0.name", want[0])
		errors.Has(t, "errors.0.message", want[1])
	}
}
