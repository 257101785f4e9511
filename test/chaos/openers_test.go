package chaos

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"sync"
	"testing"

	"chela/test/chromium"
	"chela/test/pages"
	"chela/test/service"
)

// An opener is a session that opens tabs from a page that all sessions show.
type opener struct {
	*testing.T
	service *service.Service
	key     string
	cookie  string // cookie of the agent's browser context
	limited bool   // the session may open 127.0.0.1 only
	tab     *service.Tab
}

// waysToOpen are the clicks on the page that open a tab, with the name of the clicked element. If
// posts is true, the click sends the name of the session, which the new tab then shows.
var waysToOpen = []struct {
	name  string
	how   args
	posts bool
}{
	{"Link", args{"modifiers": []string{"Control"}}, false},
	{"Link", args{"button": "middle"}, false},
	{"Blank", nil, false},
	{"With an opener", nil, false},
	{"Script", nil, false},
	{"Script without", nil, false},
	{"Post", nil, true},
	{"Post here", args{"modifiers": []string{"Control"}}, true},
}

const openersPage = `<!doctype html><title>Links</title>
<a href=/to>Link</a> <a href=/to target=_blank rel=noopener>Blank</a> <a href=/to target=_blank rel=opener>With an opener</a>
<button onclick="window.open('/to')">Script</button> <button onclick="window.open('/to', '_blank', 'noopener')">Script without</button>
<form action=/to method=post target=_blank><input name=who aria-label="Who posts"><button>Post</button></form>
<form action=/to method=post><input name=who aria-label="Who posts here"><button>Post here</button></form>`

// Sessions show the same page and open tabs from it at once in all ways. Half of them are isolated,
// and half of these limited to a host. Each tab belongs to the session whose act has opened it, and
// has the cookies and the network of its browser context. The test runs in Chromium: the headless
// shell has no windows, which tell apart the tabs that several pages ask for at once.
func TestOpeners(t *testing.T) {
	t.Setenv("PATH", chromium.WithoutShell(os.Getenv("PATH")))
	s := service.Own(t, "")
	mux := http.NewServeMux()
	mux.HandleFunc("/links", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, openersPage) })
	mux.HandleFunc("/to", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<title>To</title><p>%s</p>", r.PostFormValue("who"))
	})
	mux.HandleFunc("/reach", func(http.ResponseWriter, *http.Request) {})
	site := httptest.NewServer(mux)
	defer site.Close()

	const sessions = 16
	all := make([]*opener, sessions)
	var work sync.WaitGroup
	for i := range all {
		o := &opener{T: t, service: s.In(fmt.Sprintf("opener-%d", i)), key: fmt.Sprintf("opener-%d", i), cookie: "who=shared", limited: i%4 == 3}
		isolation := args{}
		if i%2 == 1 {
			o.cookie, isolation["isolated"] = "who="+o.key, true
		}
		if o.limited {
			isolation["allowHosts"] = []string{"127.0.0.1"}
		}
		all[i] = o
		work.Go(func() { o.begin(site.URL, isolation) })
	}
	work.Wait()
	for i, o := range all {
		work.Go(func() {
			r := random(i)
			way := i % len(waysToOpen) // of the first tab, so that each way is used
			for n := i; n < *opens && !t.Failed(); n += sessions {
				o.open(way, pages.Elsewhere(site.URL)+"/reach")
				way = r.IntN(len(waysToOpen))
			}
		})
	}
	work.Wait()
	list := s.OK(t, "GET /tabs", nil)
	for i := range list.Count("tabs") {
		if list.Get(fmt.Sprintf("tabs.%d.unowned", i)) != nil {
			t.Errorf("a tab belongs to nobody: %s", list.Raw)
		}
	}
	if list.Count("tabs") != sessions {
		t.Errorf("%d tabs are left, want %d: %s", list.Count("tabs"), sessions, list.Raw)
	}
}

// begin shows the page, and leaves a mark in the browser context.
func (o *opener) begin(site string, more args) {
	more["url"], more["timeoutMs"] = site+"/links", 60000
	o.tab = o.service.Tab(o.T, o.service.OK(o.T, "POST /tabs/open", more).Text("tabId"))
	o.tab.Eval("void (document.cookie = '" + o.cookie + "; path=/')")
	for _, field := range []string{"Who posts", "Who posts here"} {
		o.tab.Act("type", args{"ref": o.tab.Ref(`"` + field + `"`), "text": o.key})
	}
}

// other returns the tab of the session beside the one with the page; "" if there is none.
func (o *opener) other() string {
	list := o.service.OK(o.T, "GET /tabs", nil)
	for i := range list.Count("tabs") {
		tab := fmt.Sprintf("tabs.%d.", i)
		if id := list.Text(tab + "tabId"); list.Text(tab+"session") == o.key && id != o.tab.ID {
			return id
		}
	}
	return ""
}

// open opens a tab, checks which session it belongs to, and closes it.
func (o *opener) open(way int, other string) {
	o.Helper()
	w := waysToOpen[way]
	how := args{"timeoutMs": 60000} // sixteen sessions open tabs at once
	maps.Copy(how, w.how)
	a := o.tab.Click(`"`+w.name+`"`, how)
	id := a.Text("newTabs.0.tabId")
	if a.Count("newTabs") == 0 { // the tab opened after the answer
		service.Eventually(o, "the tab of "+w.name, func() bool { id = o.other(); return id != "" })
	} else if a.Count("newTabs") > 1 || a.Text("newTabs.0.session") != o.key {
		o.Errorf("%s: %s %v answered %s", o.key, w.name, w.how, a.Raw)
	}
	popup := o.service.Tab(o.T, id)
	popup.Act("wait", args{"fn": "document.title === 'To'"})
	got := popup.Eval(`(async () => [document.cookie, document.body.innerText.trim(),
		await fetch('` + other + `', {mode: 'no-cors'}).then(() => 'wide', () => 'narrow')].join('|'))()`)
	want := o.cookie + "|"
	if w.posts {
		want += o.key
	}
	if o.limited {
		want += "|narrow"
	} else {
		want += "|wide"
	}
	if got != want {
		o.Errorf("%s: the tab of %s %v has %s, want %s", o.key, w.name, w.how, got, want)
	}
	o.service.OK(o.T, "DELETE /tabs/"+popup.ID, nil)
}
