package fleet

import (
	"strings"
	"testing"

	"chela/test/pages"
	"chela/test/service"
)

// The limit that a call on a node sets for its session also holds on the machine of the caller, and
// on other nodes.
func TestLimitHoldsEverywhere(t *testing.T) {
	b := newBroker(t)
	mac, pc := b.newNode(t, "mac", ""), b.newNode(t, "pc", "")
	here := b.newCaller(t, "")
	other := pages.Elsewhere(site.URL) + "/account"
	limited := service.Args{"url": site.URL + "/account", "isolated": true, "allowHosts": []string{"127.0.0.1"}}
	web := here.In("web")
	web.OK(t, "POST /tabs/open?node=mac", limited)
	here.OK(t, "GET /sessions", nil).Has(t, "sessions.0.allowHosts.0", "127.0.0.1")
	for _, target := range []string{"target=host", "node=mac", "node=pc"} {
		web.Do(t, "POST /tabs/open?"+target, service.Args{"url": other}).Fails(t, 400, "navigation_blocked", "blocked by policy")
		web.Do(t, "POST /sessions/end?"+target, nil).Fails(t, 403, "forbidden", "may not call session end")
	}
	if a := web.Do(t, "POST /read", service.Args{"url": other}); a.Status != 400 {
		t.Errorf("a forbidden page is read: %d %s", a.Status, a.Raw)
	}
	web.OK(t, "POST /tabs/open?node=pc", service.Args{"url": site.URL + "/account"})

	here.OK(t, "POST /sessions/end", service.Args{"session": "web"}).Has(t, "closed", "2")
	for name, machine := range map[string]*service.Program{"here": here, "mac": mac, "pc": pc} {
		if a := machine.OK(t, "GET /sessions", nil); strings.Contains(a.Raw, "web") {
			t.Errorf("%s the session goes on: %s", name, a.Raw)
		}
	}
	web.OK(t, "POST /tabs/open?node=mac", service.Args{"url": other})
	web.Do(t, "POST /tabs/open?node=mac", limited).Fails(t, 409, "conflict", "")
}

// A session does not end on a node while a person has one of its tabs there. Whoever ends it learns
// that, and its limit stays everywhere.
func TestEndOfATakenSession(t *testing.T) {
	b := newBroker(t)
	mac := b.newNode(t, "mac", "")
	here := b.newCaller(t, "")
	tab := here.In("web").OK(t, "POST /tabs/open?node=mac", service.Args{"url": site.URL, "isolated": true, "allowHosts": []string{"127.0.0.1"}}).Text("tabId")
	here.OK(t, "POST /takeover", service.Args{"targetId": tab})
	here.Do(t, "POST /sessions/end", service.Args{"session": "web"}).Fails(t, 423, "PERSON_IN_CONTROL", "session web goes on on node mac: ")
	for _, machine := range []*service.Program{here, mac} {
		machine.OK(t, "GET /sessions", nil).Has(t, "sessions.0.allowHosts.0", "127.0.0.1")
	}
	here.OK(t, "POST /giveback", service.Args{"targetId": tab})
	here.OK(t, "POST /sessions/end", service.Args{"session": "web"}).Has(t, "closed", "1")
	for _, machine := range []*service.Program{here, mac} {
		if a := machine.OK(t, "GET /sessions", nil); strings.Contains(a.Raw, "web") {
			t.Errorf("the session goes on: %s", a.Raw)
		}
	}
}
