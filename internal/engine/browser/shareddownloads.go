package browser

import (
	"io"
	"os"

	protobrowser "github.com/chromedp/cdproto/browser"

	"chela/internal/engine/cdp"
)

// followDownloads has Chromium report downloads, and save them in the user's own folder. Chela then
// copies complete files of tabs that a call uses.
func (b *Browser) followDownloads() {
	cdp.Send(b.conn.Root(), protobrowser.SetDownloadBehavior, protobrowser.SetDownloadBehaviorParams{
		Behavior: protobrowser.SetDownloadBehaviorBehaviorDefault, EventsEnabled: new(true),
	})
}

// copyFile copies a file. It is an error if the new one exists already.
func copyFile(from, to string) error {
	source, err := os.Open(from)
	if err != nil {
		return err
	}
	defer source.Close()
	copied, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if _, err = io.Copy(copied, source); err != nil {
		copied.Close()
		return err
	}
	return copied.Close()
}
