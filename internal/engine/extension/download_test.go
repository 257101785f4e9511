package extension

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/browser"
)

// A download of a shared tab is reported with the same events as by Chromium's endpoint, and can be
// canceled.
func TestDownload(t *testing.T) {
	r, key, url := newRelay(t)
	w := join(t, url, key, 1, hello{Tabs: []Tab{tab(1, "http://a/")}})
	conn := drive(t, r)
	attachedTab(t, conn)
	report := func(n int, state, path string) {
		w.send(map[string]any{"n": n, "change": map[string]any{"download": map[string]any{
			"id": 7, "tab": 1, "guid": "G", "url": "http://a/f", "filename": path, "state": state, "bytes": 3, "total": -1,
		}}})
	}
	report(1, "in_progress", "")
	report(2, "in_progress", "/home/x/f (1).txt")
	var begun browser.EventDownloadWillBegin
	json.Unmarshal(next(t, conn.Root(), "Browser.downloadWillBegin"), &begun)
	if begun.FrameID != "T1" || begun.GUID != "G" || begun.SuggestedFilename != "f (1).txt" || begun.URL != "http://a/f" {
		t.Errorf("begun %+v", begun)
	}
	next(t, conn.Root(), "Browser.downloadProgress")
	go func() { w.reply(w.command("downloads.cancel", 0), nil) }()
	call(t, conn.Root(), browser.CancelDownload, browser.CancelDownloadParams{GUID: "G"})
	report(3, "interrupted", "/home/x/f (1).txt")
	var ended browser.EventDownloadProgress
	json.Unmarshal(next(t, conn.Root(), "Browser.downloadProgress"), &ended)
	if ended.State != browser.DownloadProgressStateCanceled || ended.ReceivedBytes != 3 || ended.FilePath != "/home/x/f (1).txt" {
		t.Errorf("ended %+v", ended)
	}
	call(t, conn.Root(), browser.CancelDownload, browser.CancelDownloadParams{GUID: "G"}) // the download has ended, so the extension gets no command
}

// Chromium closes a tab that was opened with the address of a file. The download goes on, and its
// end is reported.
func TestDownloadOutlivesItsTab(t *testing.T) {
	r, key, url := newRelay(t)
	w := join(t, url, key, 1, hello{Tabs: []Tab{tab(1, "http://a/")}})
	conn := drive(t, r)
	attachedTab(t, conn)
	report := func(state string) {
		w.change(fields{"download": fields{"id": 7, "tab": 1, "guid": "G", "url": "http://a/f", "filename": "/home/x/f", "state": state}})
	}
	report("in_progress")
	next(t, conn.Root(), "Browser.downloadWillBegin")
	next(t, conn.Root(), "Browser.downloadProgress")
	w.change(fields{"gone": 1})
	next(t, conn.Root(), "Target.detachedFromTarget")
	next(t, conn.Root(), "Target.targetDestroyed")
	report("complete")
	if params := string(next(t, conn.Root(), "Browser.downloadProgress")); !strings.Contains(params, "completed") {
		t.Errorf("the end: %s", params)
	}
}
