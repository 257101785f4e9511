package relay

import (
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
)

// A download of a shared tab is reported with its tab and its file. A download of another tab is
// not reported.
func TestDownload(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/page" {
			w.Header().Set("Content-Type", "text/html")
			return
		}
		w.Header().Set("Content-Disposition", "attachment")
		w.Write([]byte("the content"))
	}))
	t.Cleanup(site.Close)
	p, s := paired(t)
	own := p.newTab(site.URL + "/page")
	p.ask(p.attachTab(site.URL+"/page"), `location = "/own.txt", 1`)
	p.until("the person's download is done", func() bool {
		return p.number(`return (await chrome.downloads.search({state: "complete"})).length`) == 1
	})
	tab := openAttached(s, site.URL+"/page")
	s.command(tab, "Page.enable", m{})
	s.evaluate(tab, `location = "/report.txt", 1`)
	begun := s.event("the debugger's event", func(e m) bool { return e["method"] == "Page.downloadWillBegin" })
	done := s.event("the download is done", func(e m) bool {
		change, _ := e["change"].(m)
		download, _ := change["download"].(m)
		return download["state"] == "complete"
	})["change"].(m)["download"].(m)
	if !equal(done["tab"], tab) || done["guid"] != begun["params"].(m)["guid"] || done["bytes"] != 11.0 {
		t.Errorf("download = %v", done)
	}
	if content, err := os.ReadFile(done["filename"].(string)); err != nil || string(content) != "the content" {
		t.Errorf("its file: %q, %v", content, err)
	}
	if s.has(func(e m) bool {
		change, _ := e["change"].(m)
		download, _ := change["download"].(m)
		return download["url"] == site.URL+"/own.txt"
	}) {
		t.Errorf("the download of tab %d, which is not shared, was reported", own)
	}
}
