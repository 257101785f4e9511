package browser

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"

	"chela/internal/engine/cdp"
	"chela/internal/engine/frame"
	"chela/internal/engine/journal"
	"chela/internal/engine/page"
	"chela/internal/engine/setting"
)

// A Memory is the same after it was written to a file and read.
func TestMemoryAsAFile(t *testing.T) {
	memory := Memory{
		LastTab: 7, Current: map[string]string{"": "t2", "a": "t7"}, Tabs: []SavedTab{
			{
				ID: "t2", TargetID: "B", Former: []string{"A"}, Label: "mine", Title: "Title", URL: "http://one.test/",
				Lost: []string{"armed upload"}, Viewport: viewport(800, 600), Refs: frame.UsedRefs{Numbers: 2000, Frames: 100},
			},
			{ID: "t7", TargetID: "C", URL: "about:blank"},
		},
		Cookies: []*network.Cookie{
			{
				Name: "n", Value: "v", Domain: "one.test", Path: "/", Expires: 4e9, HTTPOnly: true, SameSite: network.CookieSameSiteLax,
				Priority: network.CookiePriorityMedium, SourceScheme: network.CookieSourceSchemeSecure, SourcePort: 443,
			},
			{
				Name: "s", Domain: ".two.test", Path: "/", Expires: -1, Session: true,
				PartitionKey: &network.CookiePartitionKey{TopLevelSite: "https://top.test"},
			},
		},
		Settings: setting.Common{Timezone: "Asia/Tokyo"},
	}
	raw, err := json.Marshal(memory)
	if err != nil {
		t.Fatal(err)
	}
	var got Memory
	if err := json.Unmarshal(raw, &got); err != nil || !reflect.DeepEqual(got, memory) {
		t.Errorf("%v\n%s\ngot  %+v\nwant %+v", err, raw, got, memory)
	}
	closed := memory.Closed()
	if closed.LastTab != 7 || closed.Tabs != nil || closed.Current != nil || len(closed.Cookies) != 2 || !reflect.ValueOf(closed.Settings).IsZero() {
		t.Errorf("of a closed browser is left %+v", closed)
	}
	if rest := closed.WithoutSession(); len(rest.Cookies) != 1 || rest.Cookies[0].Name != "n" {
		t.Errorf("without those of sessions there are the cookies %+v", rest.Cookies)
	}
	if len(memory.Cookies) != 2 {
		t.Error("the cookies of the browser itself are gone")
	}
}

// The next browser lists the tabs as the last one did, and leaves the same memory. In both, a
// session whose current tab is gone is refused.
func TestRestore(t *testing.T) {
	lease := Lease{"b", time.Now().Add(time.Hour)}
	m := Memory{
		LastTab: 7, Current: map[string]string{"": "t2", "a": "t7", "b": "t6"}, Isolated: []string{"b"}, Tabs: []SavedTab{
			{ID: "t7", TargetID: "C", URL: "http://two.test/", Title: "Two", Owner: "a"},
			{
				ID: "t2", TargetID: "B", Former: []string{"A"}, Label: "mine", Title: "One", URL: "http://one.test/",
				Lease: lease, Lost: []string{"armed upload"}, Viewport: viewport(8, 6), Refs: frame.UsedRefs{Numbers: 1000},
			},
		},
		Used: map[string]time.Time{"a": time.Now().Add(-time.Minute), "b": time.Now()}, Swept: []string{"t5"}, Pending: pendingSessions{"http://one.test": {{{Name: "n", Value: "v"}}}},
		Origins: []string{"http://one.test"}, Cookies: []*network.Cookie{{Name: "n"}}, Settings: setting.Common{Timezone: "Asia/Tokyo"},
		Grants: []Grant{{"http://one.test", []string{"camera"}}},
	}
	b := &Browser{about: Description{Own: true}}
	b.BrowserContext.browser = b
	left := m
	left.Tabs = slices.Clone(m.Tabs)
	for i := range left.Tabs {
		left.Tabs[i].Journal = journal.New(nil)
	}
	b.restore(left)
	b.finishRestoreLocked(left)
	if got := b.memory(); !reflect.DeepEqual(got, m) {
		t.Errorf("got  %+v\nwant %+v", got, m)
	}
	if tab, err := b.Session("a").Find(""); err != nil || tab.ID != "t7" || !tab.needsPage() {
		t.Errorf("session a means %v, %v", tab, err)
	}
	for name, swept := range map[string]bool{"": false, "t5": true} {
		_, err := b.Session("b").Find(name)
		if none, ok := errors.AsType[*NoTabError](err); !ok || none.Swept != swept {
			t.Errorf("session b means by %q: %v", name, err)
		}
	}
	if _, err := b.Session("a").Find("t2"); err == nil {
		t.Error("the lease is lost")
	}
	for range 2 {
		b.addLost([]string{"cookie n of one.test"})
	}
	if lost := b.memory().Tabs[1].Lost; len(lost) != 2 || len(m.Tabs[1].Lost) != 1 {
		t.Errorf("lost %q, and in the memory that was restored %q", lost, m.Tabs[1].Lost)
	}
	if got := m.Tabs[0].Info(); got != (Info{TargetID: "C", ID: "t7", Owner: "a", Title: "Two", URL: "http://two.test/", Crashed: true}) {
		t.Errorf("listed as %+v", got)
	}
	if got := m.Tabs[1].Info(); got.Lease != lease {
		t.Errorf("listed as %+v", got)
	}
}

// Event logs are not in the file, and downloads end with their browser. Tabs that had some report
// them as lost.
func TestLostJournalsAndDownloads(t *testing.T) {
	b := &Browser{about: Description{Own: true}}
	b.BrowserContext.browser = b
	for id, url := range map[string]string{"t1": page.Blank, "t2": "http://two/", "t3": page.Blank} {
		tab := newTab(b, page.Gone(id, url, page.Callbacks{}))
		tab.ID, tab.context = id, &b.BrowserContext
		b.tabs.list = append(b.tabs.list, tab)
	}
	slices.SortFunc(b.tabs.list, func(x, y *Tab) int { return strings.Compare(x.ID, y.ID) })
	came := &Download{Tab: b.tabs.list[0], done: make(chan struct{}), reported: true}
	close(came.done)
	b.downloads.add(came)
	b.downloads.add(&Download{Tab: b.tabs.list[2], done: make(chan struct{}), reported: true})
	const messages, downloads = "console messages and requests", "downloads that were under way or in no answer"
	for _, want := range [][][]string{{nil, {messages}, {downloads}}, {nil, {messages}, {downloads}}} { // what was lost is reported until an answer has named it
		raw, err := json.Marshal(b.memory())
		if err != nil {
			t.Fatal(err)
		}
		var m Memory
		if err := json.Unmarshal(raw, &m); err != nil {
			t.Fatal(err)
		}
		b = &Browser{about: Description{Own: true}}
		b.BrowserContext.browser = b
		b.restore(m)
		for i, tab := range b.tabs.list {
			if !slices.Equal(tab.lost, want[i]) {
				t.Errorf("%s has lost %q, want %q", tab.ID, tab.lost, want[i])
			}
		}
	}
}

// Tabs that are opened again report what could not be kept.
func TestRestoredWithLoss(t *testing.T) {
	m := Memory{
		Tabs: []SavedTab{{ID: "t1", TargetID: "A", Isolated: "a"}, {ID: "t2", TargetID: "B"}}, Unkept: []string{"http://one.test"},
		Settings: setting.Common{Routes: []*setting.Route{{Rule: setting.Rule{ID: "r1", Fulfill: &setting.Fulfillment{Size: 9}}}}},
	}
	for range 2 { // the second browser is lost before a tab was opened
		b := &Browser{about: Description{Own: true}}
		b.BrowserContext.browser = b
		b.restore(m)
		m = b.memory()
	}
	const isolated, route, stored = "cookies and storage of the isolated session", "route r1", "sessionStorage that was loaded for http://one.test"
	if got := [][]string{m.Tabs[0].Lost, m.Tabs[1].Lost}; !reflect.DeepEqual(got, [][]string{{isolated, route, stored}, {route, stored}}) {
		t.Errorf("lost: %q", got)
	}
	if len(m.Settings.Routes)+len(m.Unkept) > 0 {
		t.Errorf("it is lost again: %+v", m)
	}
}

// In a browser that somebody else has started, the tabs that still exist are listed in their order,
// before new ones. Tabs that were closed meanwhile are not listed.
func TestResume(t *testing.T) {
	m := Memory{Tabs: []SavedTab{{ID: "t3", TargetID: "C", Owner: "a", OfUser: true}, {ID: "t2", TargetID: "B"}, {ID: "t1", TargetID: "A"}}, Current: map[string]string{"": "t2", "a": "t3"}, LastTab: 3}
	b := &Browser{}
	b.BrowserContext.browser = b
	b.restore(m)
	for _, target := range []string{"N", "A", "C"} {
		fresh := newTab(b, page.Unattached(target, "http://one.test/", page.Callbacks{}))
		fresh.url = "http://one.test/"
		if resumed := b.resumeLocked(fresh); resumed != (target != "N") {
			t.Errorf("target %s is one of the last connection: %v", target, resumed)
		} else if !resumed {
			b.tabs.add("", fresh)
		}
	}
	b.finishRestoreLocked(m)
	if got := ids(b.tabs.list); got != "t3 t1 t4" {
		t.Errorf("the tabs are %s", got)
	}
	if tab, err := b.Session("a").Find(""); err != nil || tab.ID != "t3" || !tab.ofUser || !tab.viewportMissing || tab.url != "http://one.test/" {
		t.Errorf("session a means %+v, %v", tab, err)
	}
	if _, err := b.Session("").Find(""); err == nil {
		t.Error("a session whose tab was closed acts on another one")
	}
}

// Every use of the page of a tab fails at once if the page has gone with its browser.
func TestGonePage(t *testing.T) {
	p := page.Gone("ID", "http://one.test/", page.Callbacks{})
	if p.ID != "ID" || p.URL() != "http://one.test/" || !errors.Is(p.Err(), cdp.ErrClosed) {
		t.Errorf("it is %s at %s, %v", p.ID, p.URL(), p.Err())
	}
	ran := false
	if err := p.Turn(t.Context(), func(context.Context) error { ran = true; return nil }); ran || !errors.Is(err, cdp.ErrClosed) {
		t.Errorf("a turn ran: %v, %v", ran, err)
	}
	if err := p.Resize(t.Context(), setting.Viewport{Width: 1, Height: 1}); err == nil {
		t.Error("it was resized")
	}
}
