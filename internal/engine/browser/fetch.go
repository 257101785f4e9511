package browser

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	protobrowser "github.com/chromedp/cdproto/browser"

	"chela/internal/base/lazyregexp"
	"chela/internal/engine/cdp"
	"chela/internal/engine/transfer"
)

// A browser on another machine cannot write downloads to a folder of this one. So it is told not to
// save them. Instead, chela requests the file again from a page of that browser, so that the
// request has the page's cookies. Chela receives the content over the DevTools protocol.

// ErrDownloadsUnreported says that a browser on another machine does not report downloads, so that
// calls cannot wait for any.
var ErrDownloadsUnreported = errors.New("the browser does not report downloads")

// An UnfetchedError says why the file of a download cannot be requested again from a browser on
// another machine.
type UnfetchedError struct{ Why string }

func (e *UnfetchedError) Error() string {
	return "the file cannot be fetched from a browser elsewhere: " + e.Why
}

// refuseDownloads has a browser on another machine report downloads and save none. If the browser
// does not know the command, downloads.unsaved is set.
func (b *Browser) refuseDownloads() {
	reply := cdp.Send(b.conn.Root(), protobrowser.SetDownloadBehavior, protobrowser.SetDownloadBehaviorParams{
		Behavior: protobrowser.SetDownloadBehaviorBehaviorDeny, EventsEnabled: new(true),
	})
	go func() { // the goroutine ends with the reply or the connection
		_, err := reply.Wait(context.Background())
		if _, refused := errors.AsType[*cdp.Error](err); refused {
			b.mu.Lock()
			defer b.mu.Unlock()
			b.downloads.unsaved = true
		}
	}()
}

// CheckDownloads returns [ErrDownloadsUnreported] if the browser's downloads cannot be obtained.
func (b *Browser) CheckDownloads() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.downloads.unsaved {
		return ErrDownloadsUnreported
	}
	return nil
}

// fetch requests the file of a download again from the browser, writes it to its place, and ends
// the download. The download began in a frame of the given tab, which is nil if the tab has been
// closed.
func (b *Browser) fetch(d *Download, tab *Tab, frameID string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if d.hasEnded() { // addDownload has stopped it, because too many are under way
		return
	}
	var ctx context.Context
	ctx, d.cancel = context.WithCancel(context.Background()) // commands also end with the connection
	begun := b.background.beginLocked(func() {
		defer d.cancel()
		err := b.fetchTo(ctx, d, tab, frameID)
		b.finishInBackground(func() {
			if err != nil {
				os.Remove(d.staged)
				d.fail(err)
				return
			}
			d.save()
		})
	})
	if !begun {
		d.fail(cdp.ErrClosed)
	}
}

func (b *Browser) fetchTo(ctx context.Context, d *Download, tab *Tab, frameID string) error {
	if tab == nil {
		return &UnfetchedError{"its tab has closed"}
	}
	f, err := os.OpenFile(d.staged, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	to := &downloadWriter{to: f, download: d, browser: b}
	switch scheme, rest, _ := strings.Cut(d.from, ":"); scheme {
	case "data":
		return writeData(to, rest)
	case "http", "https":
		if method := tab.methodOf(ctx, d.from); method != "GET" {
			return &UnfetchedError{"it is the answer to a " + method + " request"}
		}
		if of := b.tabOf(d); of != tab { // Chromium opened tab for the download and will close it; the tab that opened it has the same cookies
			tab, frameID = of, of.Page().ID
		}
		err = tab.Page().Fetch(ctx, frameID, d.from, to)
	case "blob":
		err = tab.Page().ReadBlob(ctx, frameID, d.from, to)
	default:
		return &UnfetchedError{"its address begins with " + scheme + ":"}
	}
	if fetch, ok := errors.AsType[*transfer.FetchError](err); ok && fetch.Broken {
		return fmt.Errorf("%w: %v", ErrBroken, fetch)
	} else if ok {
		return &UnfetchedError{fetch.Error()}
	}
	return err
}

// tabOf returns the tab that a download belongs to. The download must have one.
func (b *Browser) tabOf(d *Download) *Tab {
	b.mu.Lock()
	defer b.mu.Unlock()
	return d.Tab
}

// methodOf returns the method of the tab's last request for a document at an address; GET if it is
// not known.
func (t *Tab) methodOf(ctx context.Context, url string) string {
	t.SyncJournal(ctx)
	method := "GET"
	requests, _ := t.journal.Requests()
	for _, r := range requests {
		if r.URL == url && r.Type == "document" {
			method = r.Method
		}
	}
	return method
}

// writeData writes the content of a data: URL. It reads the part after the scheme as browsers do, see
// https://fetch.spec.whatwg.org/#data-url-processor.
func writeData(to io.Writer, rest string) error {
	rest, _, _ = strings.Cut(rest, "#")
	head, body, found := strings.Cut(rest, ",")
	// A % that begins no escape stands for itself.
	content := []byte(escape().ReplaceAllStringFunc(body, func(e string) string {
		b, _ := hex.DecodeString(e[1:])
		return string(b)
	}))
	var err error
	if inBase64().MatchString(head) {
		content, err = decodeBase64(string(content))
	}
	if !found || err != nil {
		return &UnfetchedError{"its address cannot be read"}
	}
	_, err = to.Write(content)
	return err
}

// escape matches an escaped byte of a URL.
var escape = lazyregexp.New("%[0-9A-Fa-f]{2}")

// inBase64 matches the head of a data: URL whose content is in base64.
var inBase64 = lazyregexp.New("(?i); *base64 *$")

// decodeBase64 decodes text that may have white space, and may lack the padding.
func decodeBase64(text string) ([]byte, error) {
	text = strings.NewReplacer(" ", "", "\t", "", "\n", "", "\f", "", "\r", "").Replace(text)
	if len(text)%4 == 0 {
		text = strings.TrimSuffix(strings.TrimSuffix(text, "="), "=")
	}
	return base64.RawStdEncoding.DecodeString(text)
}

// A downloadWriter writes the file of a download, and records how much of it has come.
type downloadWriter struct {
	to       io.Writer
	download *Download
	browser  *Browser
	written  int64
}

func (c *downloadWriter) Write(p []byte) (int, error) {
	n, err := c.to.Write(p)
	c.written += int64(n)
	c.download.progress(c.written, 0)
	c.browser.mu.Lock()
	defer c.browser.mu.Unlock()
	c.browser.limitDownloadsLocked()
	c.browser.notifyLocked()
	if c.download.hasEnded() { // the download was stopped
		return n, c.download.Err()
	}
	return n, err
}
