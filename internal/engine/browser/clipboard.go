package browser

import (
	"context"

	protobrowser "github.com/chromedp/cdproto/browser"

	"chela/internal/engine/cdp"
	"chela/internal/engine/page"
	"chela/internal/engine/site"
)

// WriteClipboard puts a text or a picture on the clipboard, which all tabs share. A headless
// Chromium has a clipboard of its own in memory; one with windows uses the system's. Errors come
// from [Browser.InHiddenTab] and [site.WriteClipboard].
func (b *Browser) WriteClipboard(ctx context.Context, c site.Clip) error {
	b.grantClipboard()
	return b.InHiddenTab(ctx, func(ctx context.Context, p *page.Page) error { return site.WriteClipboard(ctx, p, c) })
}

// ReadClipboard reads the browser's clipboard.
func (b *Browser) ReadClipboard(ctx context.Context) (c site.Clip, err error) {
	b.grantClipboard()
	err = b.InHiddenTab(ctx, func(ctx context.Context, p *page.Page) error {
		c, err = site.ReadClipboard(ctx, p)
		return err
	})
	return c, err
}

// grantClipboard permits the documents of site.ClipboardOrigin to use the clipboard. It does not
// wait: a document is opened there later, and Chromium handles commands in order.
func (b *Browser) grantClipboard() {
	for _, name := range []string{"clipboard-read", "clipboard-write"} {
		cdp.Send(b.conn.Root(), protobrowser.SetPermission, protobrowser.SetPermissionParams{
			Permission: &protobrowser.PermissionDescriptor{Name: name}, Setting: protobrowser.PermissionSettingGranted,
			Origin: site.ClipboardOrigin,
		})
	}
}
