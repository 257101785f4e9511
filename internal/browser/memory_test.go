package browser

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"testing"

	"github.com/chromedp/cdproto/network"

	"chela/internal/cdp"
	"chela/internal/page"
)

// What is kept of a browser comes back from its file as it was.
func TestMemoryAsAFile(t *testing.T) {
	memory := Memory{
		LastTab: 7, Current: map[string]string{"": "t2", "a": "t7"}, Tabs: []SavedTab{
			{
				ID: "t2", TargetID: "B", Former: []string{"A"}, Label: "mine", Title: "Title", URL: "http://one.test/",
				Lost: []string{"armed upload"}, Viewport: viewport(800, 600),
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
		Settings: page.Common{Timezone: "Asia/Tokyo"},
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

func TestSameMemory(t *testing.T) {
	cookies := []*network.Cookie{{Name: "n"}}
	was := func() Memory {
		return Memory{LastTab: 1, Tabs: []SavedTab{{ID: "t1", Former: []string{"A"}}}, Current: map[string]string{"": "t1"}, Cookies: cookies}
	}
	for _, s := range []struct {
		name   string
		change func(*Memory)
		same   bool
	}{
		{"nothing", func(*Memory) {}, true},
		{"an equal list", func(m *Memory) { m.Tabs = []SavedTab{{ID: "t1", Former: []string{"A"}}} }, true},
		{"a label", func(m *Memory) { m.Tabs[0].Label = "x" }, false},
		{"a tab", func(m *Memory) { m.Tabs = append(m.Tabs, SavedTab{}) }, false},
		{"the current tab", func(m *Memory) { m.Current = map[string]string{"a": "t1"} }, false},
		{"a number", func(m *Memory) { m.LastTab++ }, false},
		{"another copy of the cookies", func(m *Memory) { m.Cookies = []*network.Cookie{{Name: "n"}} }, false},
		{"no cookies", func(m *Memory) { m.Cookies = nil }, false},
		{"a setting", func(m *Memory) { m.Settings.Timezone = "Asia/Tokyo" }, false},
	} {
		m := was()
		s.change(&m)
		if got := m.same(was()); got != s.same {
			t.Errorf("%s has changed: the same %v", s.name, got)
		}
	}
}

// The next browser lists the tabs as the last one did, and leaves the same.
func TestRestoreTabs(t *testing.T) {
	m := Memory{
		LastTab: 7, Current: map[string]string{"": "t2", "a": "t7"}, Isolated: []string{"b"}, Tabs: []SavedTab{
			{ID: "t7", TargetID: "C", URL: "http://two.test/", Title: "Two"},
			{
				ID: "t2", TargetID: "B", Former: []string{"A"}, Label: "mine", Owner: "a", Title: "One", URL: "http://one.test/",
				Lost: []string{"armed upload"}, Viewport: viewport(8, 6),
			},
		},
		Cookies: []*network.Cookie{{Name: "n"}}, Settings: page.Common{Timezone: "Asia/Tokyo"},
	}
	b := &Browser{}
	b.restoreTabs(m)
	if got := b.memory(); !got.same(m) {
		t.Errorf("got %+v", got)
	}
	if ids(b.tabs.list) != "t7 t2" || b.tabs.current("") != b.tabs.byID("t2") || !b.tabs.current("").needsPage() {
		t.Errorf("the tabs are %s, the current one %v", ids(b.tabs.list), b.tabs.current(""))
	}
	b.addLost([]string{"cookie n of one.test"})
	if lost := b.memory().Tabs[1].Lost; len(lost) != 2 || len(m.Tabs[1].Lost) != 1 {
		t.Errorf("lost %q, and in the memory that was restored %q", lost, m.Tabs[1].Lost)
	}
	if got := m.Tabs[1].Info(); got != (Info{TargetID: "B", ID: "t2", Label: "mine", Owner: "a", Title: "One", URL: "http://one.test/", Crashed: true}) {
		t.Errorf("listed as %+v", got)
	}
}

// The page of a tab that went with its browser answers every use at once.
func TestGonePage(t *testing.T) {
	p := page.Gone("ID", "http://one.test/", page.Callbacks{})
	if p.ID != "ID" || p.URL() != "http://one.test/" || !errors.Is(p.Err(), cdp.ErrClosed) {
		t.Errorf("it is %s at %s, %v", p.ID, p.URL(), p.Err())
	}
	ran := false
	if err := p.Turn(t.Context(), func(context.Context) error { ran = true; return nil }); ran || !errors.Is(err, cdp.ErrClosed) {
		t.Errorf("a turn ran: %v, %v", ran, err)
	}
	if err := p.Resize(t.Context(), page.Viewport{Width: 1, Height: 1}); err == nil {
		t.Error("it was resized")
	}
}
