package main

import (
	"context"
	"fmt"
	"time"

	"github.com/chromedp/cdproto/accessibility"
	proto "github.com/chromedp/cdproto/page"

	"chela/internal/engine/cdp"
)

func (b *bench) navigate(ctx context.Context) error {
	if err := b.chela.open(ctx, b.site+"/small"); err != nil {
		return err
	}
	return b.compare(ctx,
		&subject{name: "Page.navigate and load", do: func(ctx context.Context) error { return b.raw.navigate(ctx, b.site+"/small") }},
		&subject{name: "navigate to a small page", do: func(ctx context.Context) error { return b.chela.navigate(ctx, b.site+"/small") }})
}

func (b *bench) screenshot(ctx context.Context) error {
	if err := b.both(ctx, "/table?elements=1000"); err != nil {
		return err
	}
	return b.compare(ctx,
		&subject{name: "Page.captureScreenshot", do: func(ctx context.Context) error {
			_, err := cdp.Call(ctx, b.raw.session, proto.CaptureScreenshot, proto.CaptureScreenshotParams{Format: proto.CaptureScreenshotFormatPng})
			return err
		}},
		&subject{name: "screenshot of the viewport", do: func(ctx context.Context) error {
			return b.chela.call(ctx, "POST", "/screenshot", object{"type": "png"}, nil)
		}})
}

// both opens a page in chela's browser and in the one without chela.
func (b *bench) both(ctx context.Context, path string) error {
	if err := b.chela.navigate(ctx, b.site+path); err != nil {
		return err
	}
	return b.raw.navigate(ctx, b.site+path)
}

// snapshots compares snapshots of chela with reading Chromium's accessibility tree. Most tools make
// their snapshots from that tree.
func (b *bench) snapshots(ctx context.Context) error {
	for _, elements := range []int{1_000, 10_000, 50_000} {
		if err := b.both(ctx, fmt.Sprintf("/table?elements=%d", elements)); err != nil {
			return err
		}
		err := b.compare(ctx,
			&subject{name: "Accessibility.getFullAXTree", do: func(ctx context.Context) error {
				reply := cdp.Send(b.raw.session, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{})
				select {
				case <-reply.Done(): // not decoded, since decoding would add time of our own
					return nil
				case <-ctx.Done():
					return context.Cause(ctx)
				}
			}},
			b.snapshot(fmt.Sprintf("whole snapshot, %d elements", elements), "format=ai"),
			b.snapshot(fmt.Sprintf("interactive snapshot, %d elements", elements), "interactive=true"))
		if err != nil {
			return err
		}
	}
	return nil
}

// withoutHidden measures what it costs to omit hidden text, which a person cannot see. The more boxes
// clip, move and color text, the longer it takes to find out whether a text can be seen.
func (b *bench) withoutHidden(ctx context.Context) error {
	for _, page := range []string{"table", "cards", "boxes", "moved", "list"} {
		if err := b.chela.navigate(ctx, b.site+"/"+page+"?elements=10000"); err != nil {
			return err
		}
		if _, _, err := b.compareHidden(ctx, page+", 10000 elements"); err != nil {
			return err
		}
	}
	return b.real(ctx)
}

// compareHidden compares snapshots of the open page with and without hidden text, and returns their
// median times. The argument is the name of the page in the table.
func (b *bench) compareHidden(ctx context.Context, page string) (with, without time.Duration, err error) {
	shown, omitted := b.snapshot("snapshot, "+page, "format=ai"), b.snapshot(page+", without hidden text", "format=ai&hidden=omit")
	if err := b.compare(ctx, shown, omitted); err != nil {
		return 0, 0, err
	}
	return shown.median(), omitted.median(), nil
}

func (b *bench) snapshot(name, query string) *subject {
	var text string
	return &subject{
		name: name,
		do: func(ctx context.Context) error {
			page, err := b.chela.snapshot(ctx, query)
			text = page.Snapshot
			return err
		},
		note: func() string { return fmt.Sprintf("%d bytes", len(text)) },
	}
}
