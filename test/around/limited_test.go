package around

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"testing"

	"chela/internal/api"
	"chela/internal/op"
	"chela/test/chromium"
	"chela/test/long"
	"chela/test/service"
)

// A session that may open only some hosts gets nothing that belongs to another session. That holds
// for each row of the table of operations, and in each profile.
func TestLimitedSession(t *testing.T) {
	narrow, other := shared.In("limited"), shared.In("unlimited")
	theirs := opened(t, other, html("<title>theirs</title><button>Pay</button>"), args{"label": "pay"})
	other.OK(t, "POST /cookies/set", args{"name": "login", "value": "secret", "url": "http://theirs.test/"})
	narrow.OK(t, "POST /tabs/open", args{"url": "about:blank", "isolated": true, "allowHosts": []string{"example.com"}})
	t.Cleanup(func() { shared.Try(context.Background(), "POST /sessions/end", args{"session": "limited"}) })
	own := narrow.OK(t, "GET /tabs", nil)
	if own.Count("tabs") != 1 || strings.Contains(own.Raw, theirs.ID) {
		t.Errorf("it lists %s", own.Raw)
	}
	id := own.Text("tabs.0.targetId")
	target := theirs.OK("GET /snapshot", args{}).Text("targetId")

	for _, o := range api.Table().Ops {
		for _, route := range o.Routes {
			fields := args{}
			if route.Field != "" {
				fields[route.Field] = route.Value
			}
			_, named := o.Param("targetId")
			switch {
			case !o.Confined():
				narrow.Do(t, request(o, route, fields, theirs.ID), fields).Fails(t, 403, "forbidden", "may not call "+o.Name())
			case named:
				for _, name := range []string{theirs.ID, target, target[:12], "pay"} {
					fill(o, fields, name)
					a := narrow.Do(t, request(o, route, fields, name), fields)
					if strings.Contains(a.Raw, "Pay") || strings.Contains(a.Raw, "theirs") || a.Status < 400 {
						t.Errorf("%s on %s: %d %s", o.Name(), name, a.Status, a.Raw)
					}
				}
			}
		}
	}
	if got := theirs.Eval("document.title"); got != "theirs" {
		t.Errorf("their tab has become %q", got)
	}
	for _, call := range []string{"GET /sessions", "GET /cookies", "GET /tabs", "GET /profiles", "GET /"} {
		if a := narrow.OK(t, call, nil); strings.Contains(a.Raw, `"unlimited"`) || strings.Contains(a.Raw, "secret") || strings.Contains(a.Raw, theirs.ID+`"`) {
			t.Errorf("%s answers %s", call, a.Raw)
		}
	}
	for _, call := range []struct {
		request string
		with    args
	}{
		{"POST /navigate", args{"url": site.URL, "targetId": id}},
		{"POST /tabs/open", args{"url": site.URL}},
		{"POST /tabs/open", args{"url": site.URL, "isolated": true}},
		{"POST /tabs/open", args{"url": site.URL, "isolated": true, "allowHosts": []string{"example.com"}}},
		{"POST /read", args{"url": site.URL}},
		{"POST /extract", args{"url": site.URL}},
		{"POST /render", args{"url": site.URL, "mode": "extract"}},
		{"POST /act", args{"kind": "batch", "actions": []args{{"kind": "navigate", "url": site.URL}}}},
	} {
		a := narrow.Do(t, call.request, call.with)
		if !strings.Contains(a.Raw, "navigation blocked") && !strings.Contains(a.Raw, "Navigation blocked") || strings.Contains(a.Raw, "another session") {
			t.Errorf("%s %v: %d %s", call.request, call.with, a.Status, a.Raw)
		}
	}
	for _, key := range []string{"Control+V", "Control+C", "Shift+Insert", "Control+Shift+V"} {
		for _, kind := range []string{"press", "keydown"} {
			narrow.Do(t, "POST /act", args{"kind": kind, "key": key, "targetId": id}).Fails(t, 403, "forbidden", "may not use the clipboard")
		}
	}
	narrow.OK(t, "POST /act", args{"kind": "keydown", "key": "Control", "targetId": id})
	narrow.Do(t, "POST /act", args{"kind": "press", "key": "v", "targetId": id}).Fails(t, 403, "forbidden", "may not use the clipboard")
	narrow.OK(t, "POST /act", args{"kind": "keyup", "key": "Control", "targetId": id})
	for _, name := range []string{"clipboard-read", "clipboardReadWrite", "clipboard-write"} {
		narrow.Do(t, "POST /permissions/grant", args{"targetId": id, "origin": "https://example.com", "permissions": []string{name}}).
			Fails(t, 403, "forbidden", "may not use the clipboard")
	}
	narrow.Do(t, "POST /tabs/open", args{"url": "about:blank", "isolated": true, "allowHosts": []string{"example.org"}}).
		Fails(t, 409, "conflict", "session limited may open only example.com")
	other.Do(t, "POST /tabs/open", args{"url": "about:blank", "isolated": true, "allowHosts": []string{"example.com"}}).
		Fails(t, 409, "conflict", "is isolated already or has tabs")
}

// request returns a request for a route, about the tab with a name.
func request(o *op.Op, r op.Route, fields args, name string) string {
	path := r.Path
	for _, p := range o.Params() {
		if r.InPath(p.Name) {
			value := name
			if p.Name != "targetId" {
				value = "local"
			}
			path = strings.ReplaceAll(path, "{"+p.Name+"}", url.PathEscape(value))
			delete(fields, p.Name)
		}
	}
	return fmt.Sprintf("%s %s", r.Method, path)
}

// fill gives the parameters that an operation needs, and the name of a tab.
func fill(o *op.Op, fields args, name string) {
	fields["targetId"] = name
	if _, takes := o.Param("timeoutMs"); takes {
		fields["timeoutMs"] = 2000
	}
	for _, p := range o.Params() {
		if _, given := fields[p.Name]; p.Required && !given {
			fields[p.Name] = needed[p.Name]
		}
	}
}

// needed are values of parameters that operations need.
var needed = service.Args{
	"url": "http://example.com/", "ref": "e1", "startRef": "e1", "key": "a", "text": "a", "x": 1, "y": 1, "width": 500, "height": 500, "index": 0,
	"label": "x", "ttlMs": 1000, "actions": []service.Args{{"kind": "wait", "timeMs": 1}}, "fields": []service.Args{{"ref": "e1", "value": "a"}},
	"paths": []string{"x.txt"}, "values": []string{"a"}, "fn": "document.title", "accept": true, "name": "a", "value": "b", "area": "local",
	"origin": "http://example.com", "permissions": []string{"geolocation"}, "id": "r1", "path": "x", "cookies": []service.Args{{"name": "a", "value": "b", "url": "http://example.com"}},
	"direction": "down",
}

// A session may be limited while another call of it opens a tab. Then one of the two calls fails: no
// session with limits has a tab without them.
func TestLimitedWhileATabOpens(t *testing.T) {
	long.Test(t)
	var both sync.WaitGroup
	for i := range 8 {
		session := fmt.Sprintf("racing%d", i)
		in := shared.In(session)
		t.Cleanup(func() { shared.Try(context.Background(), "POST /sessions/end", args{"session": session}) })
		both.Go(func() { in.Try(t.Context(), "POST /tabs/open", args{"url": "about:blank"}) })
		both.Go(func() {
			in.Try(t.Context(), "POST /tabs/open", args{"url": "about:blank", "isolated": true, "allowHosts": []string{"example.com"}})
		})
		both.Wait()
		outside, own := shared.OK(t, "GET /tabs", nil), in.OK(t, "GET /tabs", nil)
		for n := range outside.Count("tabs") {
			at := fmt.Sprintf("tabs.%d.", n)
			if outside.Text(at+"session") == session && !strings.Contains(own.Raw, outside.Text(at+"targetId")) {
				t.Errorf("%s is limited, and has tab %s without its limit", session, outside.Text(at+"tabId"))
			}
		}
	}
}

// Two calls may limit a session to the same hosts at once, as when an agent opens two pages.
func TestLimitedTwiceAtOnce(t *testing.T) {
	chromium.Skip(t)
	long.Test(t)
	var both sync.WaitGroup
	for i := range 4 {
		session := fmt.Sprintf("twice%d", i)
		in := shared.In(session)
		t.Cleanup(func() { shared.Try(context.Background(), "POST /sessions/end", args{"session": session}) })
		for range 2 {
			both.Go(func() {
				a, err := in.Try(t.Context(), "POST /tabs/open", args{"url": "about:blank", "isolated": true, "allowHosts": []string{"example.com"}})
				if err != nil || a.Status != 200 {
					t.Errorf("%v %s", err, a.Raw)
				}
			})
		}
		both.Wait()
	}
}
