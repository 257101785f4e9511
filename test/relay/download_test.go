package relay

import (
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
)

// newFiles serves a page as /page, and files as all other paths. The end of the file /slow comes when
// the channel is closed.
func newFiles(t *testing.T) (site *httptest.Server, rest chan struct{}) {
	rest = make(chan struct{})
	site = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/page" {
			w.Header().Set("Content-Type", "text/html")
			return
		}
		w.Header().Set("Content-Disposition", "attachment")
		if r.URL.Path == "/slow" {
			w.Write(make([]byte, 64<<10)) // Chromium begins no download with fewer bytes
			w.(http.Flusher).Flush()
			select {
			case <-rest:
			case <-r.Context().Done():
			}
		}
		w.Write([]byte("the content"))
	}))
	t.Cleanup(site.Close)
	return site, rest
}

// openForDownloads returns a tab of the session alpha, whose downloads Chromium reports.
func openForDownloads(s *server, url string) int {
	s.t.Helper()
	tab := openAttached(s, url)
	s.command(tab, "Page.enable", m{})
	return tab
}

// download waits until a download is reported in this state.
func (s *server) download(state string) m {
	s.t.Helper()
	return s.event("a download is "+state, func(e m) bool { return downloadOf(e)["state"] == state })["change"].(m)["download"].(m)
}

// downloadOf returns the download that a message reports, or nil.
func downloadOf(e m) m {
	change, _ := e["change"].(m)
	download, _ := change["download"].(m)
	return download
}

// downloaded waits until the browser has this many complete downloads.
func (p *person) downloaded(count int) {
	p.t.Helper()
	p.until("downloads are complete", func() bool {
		return p.number(`return (await chrome.downloads.search({state: "complete"})).length`) == count
	})
}

// A download of a shared tab is reported with its tab and its file. A download of another tab is
// not reported, even if it has the same address.
func TestDownload(t *testing.T) {
	site, _ := newFiles(t)
	p, s := paired(t)
	p.newTab(site.URL + "/page")
	p.ask(p.attachTab(site.URL+"/page"), `location = "/report.txt", 1`)
	p.downloaded(1)
	own := p.number(`return (await chrome.downloads.search({}))[0].id`)
	tab := openForDownloads(s, site.URL+"/page")
	s.evaluate(tab, `location = "/report.txt", 1`)
	begun := s.event("the debugger's event", func(e m) bool { return e["method"] == "Page.downloadWillBegin" })
	done := s.download("complete")
	if !equal(done["tab"], tab) || done["guid"] != begun["params"].(m)["guid"] || done["bytes"] != 11.0 {
		t.Errorf("download = %v", done)
	}
	if content, err := os.ReadFile(done["filename"].(string)); err != nil || string(content) != "the content" {
		t.Errorf("its file: %q, %v", content, err)
	}
	if s.has(func(e m) bool { return equal(downloadOf(e)["id"], own) }) {
		t.Error("the download of a tab that is not shared was reported")
	}
}

// A download may end while the server is away. If the worker ends before the server is back, the next
// worker reports the end.
func TestDownloadEndsWhileTheServerIsAway(t *testing.T) {
	site, rest := newFiles(t)
	p, s := paired(t)
	s.evaluate(openForDownloads(s, site.URL+"/page"), `location = "/slow", 1`)
	s.download("in_progress")
	count := s.greeted()
	s.close()
	close(rest)
	p.downloaded(1)
	p.stopWorker()
	s.listen(s.port)
	s.hello(count + 1)
	s.download("complete")
}

// A download ends when the person removes it from the list of downloads.
func TestErasedDownload(t *testing.T) {
	site, _ := newFiles(t)
	p, s := paired(t)
	s.evaluate(openForDownloads(s, site.URL+"/page"), `location = "/slow", 1`)
	s.download("in_progress")
	p.in(`await chrome.downloads.erase({})`)
	s.download("interrupted")
}
