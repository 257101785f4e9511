package around

import (
	"context"
	"maps"
	"strings"
	"testing"
	"time"

	"chela/internal/api"
	"chela/internal/wall/attack"
	"chela/test/service"
)

// A session that may open only some hosts is kept from all others, whatever its pages do. That
// still holds when another browser takes over.
func TestSessionWithHosts(t *testing.T) {
	attacked, err := attack.Start(attack.Options{Open: "localhost", Closed: "127.0.0.1"})
	if err != nil {
		t.Fatal(err)
	}
	defer attacked.Close()
	s := mortal.In("narrow")
	open := func(with service.Args) service.Answer {
		t.Helper()
		with["url"] = attacked.URL
		return s.Do(t, "POST /tabs/open", with)
	}
	for _, test := range []struct {
		with       service.Args
		text, hint string
	}{
		{args{"allowHosts": []string{"localhost"}}, "allowHosts is for an isolated session", "give isolated, too"},
		{args{"isolated": true, "allowHosts": []string{"http://localhost"}}, `allowHosts[0] is "http://localhost": want a name`, "*.example.com"},
		{args{"isolated": true, "allowHosts": []string{"*"}}, "allowHosts has no host", "example.com"},
	} {
		a := open(test.with)
		a.Fails(t, 400, "invalid_request", test.text)
		if !strings.Contains(a.Text("hint"), test.hint) {
			t.Errorf("%v: the hint is %q", test.with, a.Text("hint"))
		}
	}
	tab := opened(t, s, attacked.URL, args{"isolated": true, "allowHosts": []string{"localhost, *.example.com"}})
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	report, err := attacked.Wait(ctx)
	if err != nil {
		t.Error(err)
	}
	proven := 0
	for _, way := range report.Ways {
		if way.Reached {
			t.Errorf("%s: %+v", way.Text, way)
		}
		if way.Proven() {
			proven++
		}
	}
	if report.Connections != 0 || report.Datagrams != 0 || proven < 30 {
		t.Errorf("%d connections, %d datagrams, %d ways", report.Connections, report.Datagrams, proven)
	}
	if requests := s.OK(t, "GET /requests?targetId="+tab.ID, nil).Raw; !strings.Contains(requests, "policy allow-hosts: 127.0.0.1 is not listed") {
		t.Errorf("the requests do not say it: %s", requests)
	}
	refused := func() {
		t.Helper()
		for _, a := range []service.Answer{
			s.Do(t, "POST /navigate", args{"url": site.URL, "targetId": tab.ID, "timeoutMs": 60000}),
			s.Do(t, "POST /read", args{"url": site.URL}),
		} {
			a.Fails(t, 400, "navigation_blocked", "browser navigation blocked by policy")
			if !strings.Contains(a.Text("hint"), "--allow-hosts") {
				t.Errorf("the hint is %q", a.Text("hint"))
			}
		}
	}
	refused()
	led := args{"kind": "evaluate", "fn": "() => { kept = true; location = '" + site.URL + "' }", "targetId": tab.ID}
	s.Do(t, "POST /act", led).Fails(t, 400, "navigation_blocked", "browser navigation blocked by policy")
	s.OK(t, "POST /act", args{"kind": "evaluate", "fn": "() => kept", "targetId": tab.ID}).Has(t, "result", "true")
	mortal.Open(t, site.URL) // this tab is outside of the session
	s.OK(t, "GET /sessions", nil).Has(t, "sessions.0.allowHosts.1", "*.example.com")
	open(args{"isolated": true, "allowHosts": []string{"example.com"}}).Fails(t, 409, "conflict", "session narrow may open only localhost, *.example.com")
	mortal.KillBrowser(t)
	refused()
	mortal.OK(t, "POST /stop", nil)
	s.Do(t, "POST /read", args{"url": site.URL}).Fails(t, 400, "navigation_blocked", "")
	s.Do(t, "POST /extract", args{"url": site.URL}).Fails(t, 400, "navigation_blocked", "")
	s.Do(t, "POST /render", args{"url": site.URL, "mode": "extract"}).Fails(t, 400, "navigation_blocked", "")
	tab = opened(t, s, "about:blank", args{"isolated": true})
	refused()
	s.Do(t, "POST /sessions/end", args{}).Fails(t, 403, "forbidden", "may not call session end")
	mortal.OK(t, "POST /sessions/end", args{"session": "narrow"})
	opened(t, s, site.URL, args{"isolated": true})
	s.OK(t, "POST /sessions/end", args{})
}

// readsNothing checks that each row that would read or touch a page is refused. Rows that only set
// something, or lead to another page, are not refused.
func readsNothing(t *testing.T, tab *service.Tab, site string, refused func(testing.TB, service.Answer)) {
	file := tab.Service.Upload(t, "a.txt", "x")
	for _, o := range api.Table().Ops {
		if _, named := o.Param("targetId"); !named || neverReads[o.Words[0]] || neverReads[o.Name()] {
			continue
		}
		for _, route := range o.Routes {
			fields := args{}
			if route.Field != "" {
				fields[route.Field] = route.Value
			}
			fill(o, fields, tab.ID)
			maps.Copy(fields, wants[o.Name()])
			if _, given := fields["paths"]; given {
				fields["paths"] = []string{file}
			}
			where := request(o, route, fields, tab.ID)
			t.Run(where+" "+route.Value, func(t *testing.T) { refused(t, tab.Do(where, fields)) })
		}
	}
	for _, call := range []struct {
		request string
		with    service.Args
	}{
		{"GET /requests", args{"format": "har"}}, {"GET /storage/local", args{"origin": site}}, {"POST /tabs/action", args{"action": "select", "index": 0}},
		{"POST /act", args{"kind": "resize", "width": 800, "height": 600, "snapshot": "efficient"}},
	} {
		t.Run(call.request, func(t *testing.T) { refused(t, tab.Do(call.request, call.with)) })
	}
	tab.OK("POST /cookies/set", args{"name": "a", "value": "b", "url": site})
	tab.OK("POST /storage/local/set", args{"key": "k", "value": "w"})
	tab.OK("POST /set/offline", args{"offline": false})
	tab.OK("POST /act", args{"kind": "resize", "width": 800, "height": 600})
}

// neverReads are the rows of a tab whose answers say nothing of its page.
var neverReads = map[string]bool{
	"open": true, "navigate": true, "close": true, "tab": true, "lease": true, "set": true, "emulate": true, "resize": true, "route": true, "unroute": true,
	"trace stop": true, "video stop": true, "cookies set": true, "cookies set-many": true, "cookies clear": true, "state load": true, "permissions grant": true,
	"storage set": true, "storage clear": true, "calls": true, "recorder": true, "report": true, "takeover": true, "giveback": true, "ask": true,
}

// wants has parameters for operations that need one parameter out of several.
var wants = map[string]args{
	"find": {"text": "own"}, "expect": {"text": "own"}, "scroll": {"direction": "down"}, "drag": {"endRef": "e2"}, "wait": {"text": "own"},
	"screenshot diff": {"before": "media://inbound/a.png", "after": "media://inbound/b.png"},
}
