package main

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"

	"chela/internal/engine/cdp"
)

// render compares chela's operation render with bare commands that do the same work. Both open
// several pages at once, each in a new browser context, and take a picture of each.
func (b *bench) render(ctx context.Context) error {
	const atOnce = 4
	several := func(render func(context.Context) error) func(context.Context) error {
		return func(ctx context.Context) error {
			var pages sync.WaitGroup
			errs := make([]error, atOnce)
			for i := range errs {
				pages.Go(func() { errs[i] = render(ctx) })
			}
			pages.Wait()
			return errors.Join(errs...)
		}
	}
	for _, path := range []string{"/small", "/table?elements=10000"} {
		url := b.site + path
		err := b.compare(ctx,
			&subject{name: "the same by bare commands", do: several(func(ctx context.Context) error { return b.raw.render(ctx, url) })},
			&subject{name: fmt.Sprintf("%d renders of %s at once", atOnce, path), do: several(func(ctx context.Context) error {
				return b.chela.call(ctx, "POST", "/render", object{"url": url, "mode": "screenshot", "wait_seconds": 0}, nil)
			})})
		if err != nil {
			return err
		}
	}
	return nil
}

// render opens a page in a new browser context and takes a picture of it.
func (t *rawTab) render(ctx context.Context, url string) error {
	root := t.conn.Root()
	made, err := cdp.Call(ctx, root, target.CreateBrowserContext, target.CreateBrowserContextParams{DisposeOnDetach: new(true)})
	if err != nil {
		return err
	}
	defer cdp.Call(ctx, root, target.DisposeBrowserContext, target.DisposeBrowserContextParams(made))
	opened, err := cdp.Call(ctx, root, target.CreateTarget, target.CreateTargetParams{URL: "about:blank", NewWindow: new(true), BrowserContextID: made.BrowserContextID})
	if err != nil {
		return err
	}
	attached, err := cdp.Call(ctx, root, target.AttachToTarget, target.AttachToTargetParams{TargetID: opened.TargetID, Flatten: new(true)})
	if err != nil {
		return err
	}
	fresh := &rawTab{session: t.conn.Session(string(attached.SessionID))}
	if fresh.session == nil {
		return errors.New("the tab has gone")
	}
	cdp.Send(fresh.session, page.Enable, page.EnableParams{})
	cdp.Send(fresh.session, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: 412, Height: 915})
	if _, err := evaluate[int](ctx, fresh, "0"); err != nil { // waits for the first document: a tab crashes if it is navigated earlier
		return err
	}
	if err := fresh.navigate(ctx, url); err != nil {
		return err
	}
	_, err = cdp.Call(ctx, fresh.session, page.CaptureScreenshot, page.CaptureScreenshotParams{Format: page.CaptureScreenshotFormatPng})
	return err
}
