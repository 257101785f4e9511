package relay

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"chela/test/pages"
	"chela/test/service"
)

// Each session has a group of tabs with its name. A person who moves a tab into that group gives
// the tab to the session. A tab in chela's own group is for all sessions.
func TestGroupsAreSessions(t *testing.T) {
	site := httptest.NewServer(pages.Handler())
	defer site.Close()
	s, p := withChela(t)
	alpha, beta := s.In("alpha"), s.In("beta")
	page := site.URL + pages.HTML("<title>Mine</title><button onclick='window.open(location)'>Go</button>")
	own := p.newTab(page)
	p.request(fmt.Sprintf(`{do: "share", tab: %d}`, own))
	has(t, ok(t, alpha, "GET /snapshot?profile=chrome&targetId=t1", ""), `[ref=e1]`)
	sees(t, alpha, "t1", "", true)
	opened := openIn(t, alpha, page)
	other := openIn(t, beta, page)
	sees(t, beta, opened, "alpha", false)
	if one, two := p.groupOf(opened), p.groupOf(other); one != "chela: alpha" || two != "chela: beta" {
		t.Errorf("groups %q and %q", one, two)
	}

	p.moveTo(own, "alpha")
	sees(t, beta, "t1", "alpha", true)
	has(t, ok(t, alpha, "GET /snapshot?profile=chrome&targetId="+opened, ""), `button \"Go\" [ref=e1]`)
	ok(t, alpha, "POST /act?profile=chrome", fmt.Sprintf(`{"kind": "click", "ref": "e1", "targetId": %q}`, opened))
	popup := ""
	p.until("the popup is listed", func() bool {
		list := ok(t, alpha, "GET /tabs?profile=chrome", "")
		for i := range list.Count("tabs") {
			if id := list.Text(fmt.Sprintf("tabs.%d.tabId", i)); !slices.Contains([]string{"t1", opened, other}, id) {
				popup = id
			}
		}
		return popup != ""
	})
	sees(t, beta, popup, "alpha", false)

	p.moveTo(p.idOf(opened), "beta")
	sees(t, alpha, opened, "beta", false)
	ok(t, alpha, "GET /snapshot?profile=chrome&targetId="+opened, "") // a tab can be read when the call names it
	refused, err := alpha.TryText(t.Context(), "GET /snapshot?profile=chrome", "")
	if err != nil || refused.Status != http.StatusOK && refused.Status != http.StatusNotFound || strings.Contains(refused.Raw, fmt.Sprintf(`"tabId":%q`, opened)) {
		t.Errorf("alpha without a name: %s, %v", refused.Raw, err)
	}

	ended := ok(t, s, "POST /sessions/end", `{"session": "alpha"}`)
	ended.Has(t, "closed", "1") // only the popup is closed
	p.until("the person has the tab back", func() bool { return p.tab(own)["groupId"] == -1.0 && !p.attached(own) })
	list := ok(t, beta, "GET /tabs?profile=chrome", "").Raw
	if strings.Contains(list, `"alpha"`) || strings.Contains(list, `"t1"`) || !strings.Contains(list, fmt.Sprintf(`"tabId":%q`, opened)) {
		t.Errorf("after alpha has ended: %s", list)
	}
	if titles := p.groups(); strings.Contains(titles, "alpha") || !strings.Contains(titles, "beta") {
		t.Errorf("groups %s", titles)
	}
}

// The browser remembers the session and the name of each tab, so the next server has the same tabs.
func TestTabsAreTheSameForTheNextServer(t *testing.T) {
	site := httptest.NewServer(pages.Handler())
	defer site.Close()
	s, p := withChela(t)
	page := site.URL + pages.HTML("<title>Mine</title><button>Go</button>")
	gone, kept := openIn(t, s.In("alpha"), page), openIn(t, s.In("alpha"), page)
	ok(t, s.In("alpha"), "DELETE /tabs/"+gone+"?profile=chrome", "")
	ok(t, s.In("alpha"), "POST /tabs/action?profile=chrome", fmt.Sprintf(`{"action": "label", "targetId": %q, "label": "shop"}`, kept))
	has(t, ok(t, s, "GET /snapshot?profile=chrome&targetId="+kept, ""), `[ref=e1]`)
	s.Close()
	s = service.Start(s.Dir, relayAt(p.port))
	defer s.Close()
	sees(t, s.In("beta"), kept, "alpha", false)
	has(t, ok(t, s.In("alpha"), "GET /snapshot?profile=chrome&targetId=shop", ""), fmt.Sprintf(`"tabId":%q`, kept))
	if next := openIn(t, s.In("alpha"), page); next == gone || next == kept {
		t.Errorf("the next tab is %s again", next)
	}
}

// openIn opens a tab in a session, and returns its handle.
func openIn(t *testing.T, s *service.Service, url string) string {
	t.Helper()
	return ok(t, s, "POST /tabs/open?profile=chrome", fmt.Sprintf(`{"url": %q}`, url)).Text("tabId")
}

// sees waits until the list of tabs says that a tab belongs to this session. The parameter users
// says whether it must be the person's tab.
func sees(t *testing.T, s *service.Service, tab, session string, users bool) {
	t.Helper()
	list := ""
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		a := ok(t, s, "GET /tabs?profile=chrome", "")
		list = a.Raw
		for i := range a.Count("tabs") {
			at := func(field string) string { return a.Text(fmt.Sprintf("tabs.%d.%s", i, field)) }
			if at("tabId") == tab && at("session") == session && (at("users") == "true") == users {
				return
			}
		}
	}
	t.Errorf("tab %s is not of %q, the person's %v: %s", tab, session, users, list)
}

// idOf is Chromium's id of the tab with a handle.
func (p *person) idOf(handle string) int {
	p.t.Helper()
	return p.number(`const {state} = await chrome.storage.session.get("state"); return +Object.keys(state.tabs).find((id) => state.tabs[id].handle === %q)`, handle)
}

// groupOf is the title of the group that a tab is in.
func (p *person) groupOf(handle string) any {
	p.t.Helper()
	return p.in(fmt.Sprintf(`return (await chrome.tabGroups.get((await chrome.tabs.get(%d)).groupId)).title`, p.idOf(handle)))
}

// groups are the titles of all groups.
func (p *person) groups() string {
	p.t.Helper()
	return p.in(`return (await chrome.tabGroups.query({})).map(({title}) => title).join()`).(string)
}

// moveTo drags a tab into the group of a session.
func (p *person) moveTo(tab int, session string) {
	p.t.Helper()
	p.in(fmt.Sprintf(`const [{id}] = await chrome.tabGroups.query({title: "chela: %s"}); await chrome.tabs.group({tabIds: [%d], groupId: id})`, session, tab))
}
