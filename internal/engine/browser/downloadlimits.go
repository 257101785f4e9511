package browser

import (
	"fmt"
	"math"
	"strconv"
	"time"

	protobrowser "github.com/chromedp/cdproto/browser"
	protocol "github.com/chromedp/cdproto/cdp"

	"chela/internal/engine/cdp"
)

// stalledTime is how long a download may receive nothing before it is stopped.
const stalledTime = 10 * time.Minute

// A LimitError says which limit a download exceeded, so that it was stopped.
type LimitError struct {
	Why     string
	Setting string // the setting with which the user can change the limit; "": there is none
}

func (e *LimitError) Error() string { return e.Why }

// limitDownloadsLocked stops downloads if the running ones together have received more bytes than
// the size limit of the downloads folder. The oldest have precedence, so that a page cannot end a
// download of another session by beginning one. The size that a server announces stops only its own
// download, if that alone exceeds the limit. Anybody can announce a size without sending a byte.
func (b *Browser) limitDownloadsLocked() {
	limit := b.downloads.files.Bounds().MaxBytes
	room := limit
	for _, d := range b.downloads.list {
		if d.hasEnded() {
			continue
		}
		received, total := d.Progress()
		if received > room || total > limit {
			b.stopLocked(d, &LimitError{fmt.Sprintf("downloads may have %s MB together", inMB(limit)), "media.maxMB"})
			continue
		}
		room -= received
	}
}

// inMB writes a number of bytes in MB, with up to two decimals.
func inMB(bytes int64) string {
	return strconv.FormatFloat(math.Round(float64(bytes)/(1<<20)*100)/100, 'f', -1, 64)
}

// stopLocked ends a download before its file is complete, and makes the browser stop loading it.
func (b *Browser) stopLocked(d *Download, err error) {
	d.fail(err)
	if d.cancel != nil {
		d.cancel()
	}
	for _, id := range b.contextsLocked(d.Tab) {
		if id == "" && !b.about.Own {
			continue // in a browser that chela has not started, the default context also has the user's own downloads
		}
		cdp.Send(b.conn.Root(), protobrowser.CancelDownload, protobrowser.CancelDownloadParams{GUID: d.guid, BrowserContextID: id})
	}
}

// contextsLocked returns the ids of the browser contexts that a download may be in. That is the
// context of its tab or, if the tab is not known, any context.
func (b *Browser) contextsLocked(tab *Tab) []protocol.BrowserContextID {
	if tab != nil {
		return []protocol.BrowserContextID{tab.context.id}
	}
	ids := []protocol.BrowserContextID{""}
	for _, u := range b.tabs.uses {
		if u.context != nil && u.context.id != "" {
			ids = append(ids, u.context.id)
		}
	}
	return ids
}

// watch stops a download that receives nothing for stalledTime, or takes too long. The parameter
// longest limits the whole download; it is the time after which kept files are deleted.
func (d *Download) watch(longest time.Duration, stop func(error)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.ended {
		return
	}
	d.stalled = time.AfterFunc(stalledTime, func() {
		stop(&LimitError{Why: fmt.Sprintf("nothing has come of it for %v", stalledTime)})
	})
	d.late = time.AfterFunc(longest, func() {
		stop(&LimitError{fmt.Sprintf("it has taken %v", longest), "media.maxAgeHours"})
	})
}

// progress records how many bytes have been received, and the size of the whole file.
func (d *Download) progress(received, total int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if received > d.received && d.stalled != nil && !d.ended {
		d.stalled.Reset(stalledTime)
	}
	d.received, d.total = received, total
}
