package extension

import (
	"encoding/json"
	"path/filepath"
)

// A download is a file that a page of a shared tab downloads. The extension reports it when it
// begins, when its name is known, and when it ends.
type download struct {
	ID       int    `json:"id"` // id of the download in chrome.downloads
	Tab      int    `json:"tab"`
	GUID     string `json:"guid"` // the GUID of Page.downloadWillBegin
	URL      string `json:"url"`
	Filename string `json:"filename"` // path of the file; empty: not known yet
	State    string `json:"state"`    // in_progress, interrupted or complete
	Bytes    int64  `json:"bytes"`    // bytes received
	Total    int64  `json:"total"`    // size in bytes; -1: not known
}

// downloadStates maps the states of downloads in chrome.downloads to those of the DevTools
// protocol.
var downloadStates = map[string]string{"in_progress": "inProgress", "interrupted": "canceled", "complete": "completed"}

// downloadLocked sends the Browser events by which Chromium reports downloads. The first event is
// sent when the name of the file is known.
func (t *transport) downloadLocked(d download) {
	if downloadStates[d.State] == "" {
		return
	}
	if _, begun := t.downloads[d.GUID]; !begun {
		tab := t.peer.tabs[d.Tab]
		if tab == nil || d.Filename == "" && d.State == "in_progress" {
			return
		}
		t.downloads[d.GUID] = d.ID
		t.emitLocked("", "Browser.downloadWillBegin", encode(map[string]any{
			"frameId": tab.target(), "guid": d.GUID, "url": d.URL, "suggestedFilename": filepath.Base(d.Filename),
		}))
	}
	t.emitLocked("", "Browser.downloadProgress", encode(map[string]any{
		"guid": d.GUID, "totalBytes": max(0, d.Total), "receivedBytes": d.Bytes, "state": downloadStates[d.State], "filePath": d.Filename,
	}))
	if d.State != "in_progress" {
		t.downloads[d.GUID] = 0
	}
}

// cancelDownloadLocked cancels a download of a shared tab. As in Chromium, it is no error if the
// download has ended.
func (t *transport) cancelDownloadLocked(r request) {
	params := paramsOf[struct {
		GUID string `json:"guid"`
	}](r.Params)
	id, known := t.downloads[params.GUID]
	switch {
	case !known:
		t.failLocked(r, -32602, "No download item found for the given GUID")
		return
	case id == 0:
		t.resultLocked(r, empty)
		return
	}
	t.peer.doLocked("downloads.cancel", map[string]any{"download": id}, func(_ json.RawMessage, failed *failure) {
		if failed != nil {
			t.failLocked(r, failed.Code, failed.Message)
			return
		}
		t.resultLocked(r, empty)
	})
}
