package around

import (
	"chela/test/long"
	"chela/test/pages"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
)

// dropArea is an element that reads the files dropped on it. It writes their content into the
// document's title, of its own page and of the top page.
const dropArea = `<div role="button" style="width: 200px; height: 80px" ondragover="event.preventDefault()"` +
	` ondrop="event.preventDefault(); Promise.all([...event.dataTransfer.files].map(f => f.text().then(text => f.name + '=' + text)))` +
	`.then(all => { const said = all.sort().join(); document.title = said; top.postMessage(said, '*') })">Area</div>`

func TestDropFiles(t *testing.T) {
	paths, want := uploads(t, "a.txt", "b c.txt"), "a.txt=a.txt,b c.txt=b c.txt"
	for _, s := range []struct{ name, html string }{
		{"an area", dropArea},
		{"in an iframe", `<iframe srcdoc="` + strings.ReplaceAll(dropArea, `"`, "&quot;") + `"></iframe>`},
		{"in a cross-site iframe", `<p style="height: 2000px"></p><iframe src="` + pages.Elsewhere(html(dropArea)) + `"></iframe>`},
		{"in a closed shadow root", `<div><template shadowrootmode="closed">` + dropArea + `</template></div>`},
	} {
		t.Run(s.name, func(t *testing.T) {
			tab := shared.Borrow(t, html(listens, s.html))
			tab.Act("drop", args{"ref": tab.Ref("Area"), "paths": paths}).Has(t, "files", "2")
			told(t, tab, want)
		})
	}
	t.Run("in a batch", func(t *testing.T) {
		tab := shared.Borrow(t, html(listens, dropArea))
		tab.Act("batch", args{"actions": []args{{"kind": "drop", "ref": tab.Ref("Area"), "paths": paths}}}).Has(t, "results.0.ok", "true")
		told(t, tab, want)
	})
	t.Run("a delta", func(t *testing.T) {
		tab := shared.Borrow(t, html(`<div role="button" ondragover="event.preventDefault()" ondrop="event.preventDefault(); this.insertAdjacentHTML('afterend', '<p>Thanks</p>')">Area</div>`))
		ref := tab.Ref("Area")
		a := tab.Act("drop", args{"ref": ref, "paths": paths, "snapshot": "delta"})
		a.Has(t, "effects", "changed")
		if got := a.Text("delta"); !strings.Contains(got, "Thanks") {
			t.Errorf("delta: %s", got)
		}
	})
}

// Chromium opens files that a page does not handle in another tab. It must not: scripts in such
// files would run, and could open each file that the user can read. So no file is opened, unless
// the page keeps chela from seeing how the drop ends.
func TestDropIsNoWayToFiles(t *testing.T) {
	long.Test(t)
	ran := make(chan bool, 1)
	spy := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		select {
		case ran <- true:
		default:
		}
	}))
	defer spy.Close()
	file := uploads(t, "a.html")
	if err := os.WriteFile(file[0], []byte(`<script>fetch("`+spy.URL+`", {mode: "no-cors"})</script>`), 0o600); err != nil {
		t.Fatal(err)
	}
	slow := `ondrop="hold('/slow?ms=5500')"` // Chromium waits for its end
	for _, handler := range []string{"", `ondrop="event.stopPropagation()"`, slow} {
		tab := shared.Open(t, html(`<script src="/log.js"></script><main><div role="button" ondragover="event.preventDefault()" `+handler+`>Area</div></main>`))
		before := tab.OK("GET /tabs", nil).Count("tabs")
		tab.Act("drop", args{"ref": tab.Ref("Area"), "paths": file}).Has(t, "dropEffect", "copy")
		if tabs := tab.OK("GET /tabs", nil); tabs.Count("tabs") != before || strings.Contains(tabs.Raw, "file:") {
			t.Errorf("%s: tabs: %s", handler, tabs.Raw)
		}
	}
	seen := `<div role="button" ondragover="event.preventDefault()" ondrop="document.title = event.defaultPrevented">Area</div>`
	tab := shared.Open(t, html(`<title>x</title><div ondrop="document.title += event.defaultPrevented">`, seen, `</div>`))
	tab.Act("drop", args{"ref": tab.Ref("Area"), "paths": file})
	told(t, tab, "falsefalse")
	// This listener keeps chela's from running. The tab that Chromium opens for the file is closed.
	tab = shared.Open(t, html(`<div role="button" ondragover="event.preventDefault()" ondrop="event.stopImmediatePropagation()">Area</div>`))
	before := tab.OK("GET /tabs", nil).Count("tabs")
	a := tab.Do("POST /act", args{"kind": "drop", "ref": tab.Ref("Area"), "paths": file})
	a.Fails(t, 400, "navigation_blocked", "browser navigation blocked by policy")
	if !strings.Contains(a.Text("hint"), "a file of this machine") {
		t.Errorf("the hint is %q", a.Text("hint"))
	}
	if tabs := tab.OK("GET /tabs", nil); tabs.Count("tabs") != before || strings.Contains(tabs.Raw, "file:") {
		t.Errorf("tabs: %s", tabs.Raw)
	}
	select {
	case <-ran:
		t.Error("the script of the file ran")
	default:
	}
}

// A tab that a link opens after a drop shows no dropped file.
func TestNewTabsAfterADrop(t *testing.T) {
	area := shared.Open(t, html(dropArea))
	area.Act("drop", args{"ref": area.Ref("Area"), "paths": uploads(t, "a.txt")})
	a := shared.Open(t, html(`<a href="/frame.html">Go</a>`)).Click("Go", args{"modifiers": []string{"Control"}})
	if a.Count("newTabs") != 1 {
		t.Fatalf("answered %s", a.Raw)
	}
	shared.OK(t, "DELETE /tabs/"+a.Text("newTabs.0.tabId"), nil)
}

func TestDropThatFails(t *testing.T) {
	tab := shared.Open(t, html(`<button>Deaf</button>`, strings.Replace(dropArea, "event.preventDefault();", "event.preventDefault(); alert('got it');", 1)))
	deaf := tab.Ref("Deaf")
	a := tab.Do("POST /act", args{"kind": "drop", "ref": deaf, "paths": uploads(t, "a.txt")})
	a.Fails(t, 422, "ACT_OPERATION_FAILED", "does not take dropped files")
	if !strings.Contains(a.Text("hint"), "upload") {
		t.Errorf("no hint: %s", a.Raw)
	}
	tab.Do("POST /act", args{"kind": "drop", "ref": deaf, "paths": []string{"/etc/passwd"}}).Fails(t, 400, "invalid_request", "Invalid path")
	tab.Do("POST /act", args{"kind": "drop", "ref": deaf}).Fails(t, 400, "ACT_INVALID_REQUEST", "drop requires paths")
	tab.Act("drop", args{"ref": tab.Ref("Area"), "paths": uploads(t, "a.txt")}).Has(t, "blockedByDialog", "true")
	tab.OK("POST /hooks/dialog", args{"accept": true})
	told(t, tab, "a.txt=a.txt")
}

// After a drop that the page did not take, the drag is over. The next drop begins a new drag, in
// any frame.
func TestDropAfterRefusal(t *testing.T) {
	long.Test(t)
	content := `<button>Deaf</button>` + dropArea
	for name, address := range map[string]string{
		"a page":                 html(listens, content),
		"in a cross-site iframe": html(listens, `<iframe src="`+pages.Elsewhere(html(content))+`"></iframe>`),
	} {
		t.Run(name, func(t *testing.T) {
			tab, paths := shared.Borrow(t, address), uploads(t, "a.txt")
			deaf := tab.Ref("Deaf")
			for range 2 {
				tab.Do("POST /act", args{"kind": "drop", "ref": deaf, "paths": paths}).
					Fails(t, 422, "ACT_OPERATION_FAILED", "does not take dropped files")
			}
			tab.Act("drop", args{"ref": tab.Ref("Area"), "paths": paths})
			told(t, tab, "a.txt=a.txt")
		})
	}
}
