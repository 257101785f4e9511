package page

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"

	protocol "github.com/chromedp/cdproto/cdp"
	proto "github.com/chromedp/cdproto/page"

	"chela/internal/engine/cdp"
	"chela/internal/engine/frame"
)

// What a picture may measure, so that models take it.
const (
	maxSide  = 2000 // pixels
	maxBytes = 5 << 20
)

// maxWhole is how wide and high a picture in full size may be, in CSS pixels.
const maxWhole = 10_000

// Shot says what to take a picture of.
type Shot struct {
	FullPage bool     // the whole page, not only the viewport
	Element  *Element // only this element; nil for the viewport or the page
	JPEG     bool

	// InFull has the picture neither scaled down nor made a JPEG, whatever it measures. Of a
	// page beyond maxWhole it has the beginning.
	InFull bool
}

// A Picture is an encoded image of a part of the page.
type Picture struct {
	Data []byte
	JPEG bool
	Area Area    // what it shows
	Per  float64 // image pixels for one CSS pixel
	Cut  bool    // the page goes on beyond the picture
}

// An Area is a part of the page, in CSS pixels from the top left of the viewport. In
// a page that is scrolled, what is above has negative coordinates.
type Area struct{ X, Y, Width, Height float64 }

// within reports whether a viewport of that size shows the whole area.
func (a Area) within(width, height float64) bool {
	return a.X >= 0 && a.Y >= 0 && a.X+a.Width <= width && a.Y+a.Height <= height
}

// Meets reports whether two areas have a part in common.
func (a Area) Meets(b Area) bool {
	return a.X < b.X+b.Width && b.X < a.X+a.Width && a.Y < b.Y+b.Height && b.Y < a.Y+a.Height
}

// getLayoutMetrics is Page.getLayoutMetrics with a member that cdproto leaves out
// because it is deprecated: the visual viewport in physical pixels. Its width
// divided by that in CSS pixels is how many pixels of a screenshot there are for a
// CSS pixel: 2 on many screens.
var getLayoutMetrics = protocol.Command[protocol.Empty, struct {
	proto.GetLayoutMetricsResult
	VisualViewport proto.VisualViewport `json:"visualViewport"`
}]{Method: proto.CommandGetLayoutMetrics}

// A PictureTooLarge says that a picture has too many bytes even at the lowest quality.
type PictureTooLarge struct{ Bytes int }

func (e *PictureTooLarge) Error() string { return fmt.Sprintf("the picture has %d bytes", e.Bytes) }

// Screenshot takes a picture of at most maxSide pixels on a side and maxBytes. One
// with longer sides is scaled down, and becomes a JPEG; one with more bytes becomes
// a JPEG of lower and lower quality.
//
// The error is a [PictureTooLarge], for an element also an [ElementError] or a
// [StaleRefError], ErrBusy, or why the turn ended.
func (p *Page) Screenshot(ctx context.Context, s Shot) (Picture, error) {
	defer p.paint()()
	metrics, err := cdp.Call(ctx, p.session, getLayoutMetrics, protocol.Empty{})
	if err != nil {
		return Picture{}, frame.Failure(ctx, err)
	}
	view := metrics.CSSVisualViewport
	density := cmp.Or(p.pixelRatio(), metrics.VisualViewport.ClientWidth/view.ClientWidth)
	area := Area{0, 0, view.ClientWidth, view.ClientHeight}
	switch {
	case s.Element != nil:
		if area, err = s.Element.area(ctx); err != nil {
			return Picture{}, err
		}
	case s.FullPage:
		area = Area{-view.PageX, -view.PageY, metrics.CSSContentSize.Width, metrics.CSSContentSize.Height}
	}
	if s.InFull {
		return p.inFull(ctx, s, area, view, density)
	}
	pic := Picture{JPEG: s.JPEG, Area: area, Per: min(density, maxSide/math.Max(area.Width, area.Height))}
	if pic.Per < density {
		pic.JPEG = true
	}
	for _, quality := range []int64{85, 70, 50, 35} {
		pic.Data, err = p.capture(ctx, pic, view, density, quality)
		if err != nil || len(pic.Data) <= maxBytes {
			return pic, err
		}
		pic.JPEG = true
	}
	return pic, &PictureTooLarge{len(pic.Data)}
}

// paint has Chromium paint the tab also while it is behind others in its window, until the returned function is called. A
// picture of such a tab would else be awaited for ever, each time but the first. A film, even one that nobody sees, has a tab
// painted, and does not bring it to the front.
func (p *Page) paint() (stop func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.settings.Windowed || p.film != nil {
		return func() {}
	}
	cdp.Send(p.session, proto.StartScreencast, proto.StartScreencastParams{
		Format: proto.StartScreencastFormatJpeg, Quality: new(int64(1)), MaxWidth: 1, MaxHeight: 1,
	})
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.film == nil { // one that has begun meanwhile goes on
			cdp.Send(p.session, proto.StopScreencast, protocol.Empty{})
		}
	}
}

// fullQuality is the quality of a JPEG in full size, of 100.
const fullQuality = 85

// inFull takes a picture in full size. Should Chromium lack the memory for the whole page, it is
// of what is in view.
func (p *Page) inFull(ctx context.Context, s Shot, area Area, view *proto.VisualViewport, density float64) (pic Picture, err error) {
	pic = Picture{JPEG: s.JPEG, Area: area, Per: density}
	pic.Area.Width, pic.Area.Height = math.Min(area.Width, maxWhole), math.Min(area.Height, maxWhole)
	pic.Cut = pic.Area != area
	pic.Data, err = p.capture(ctx, pic, view, density, fullQuality)
	if _, refused := errors.AsType[*cdp.Error](err); refused && s.FullPage && ctx.Err() == nil {
		pic.Area, pic.Cut = Area{0, 0, view.ClientWidth, view.ClientHeight}, true
		pic.Data, err = p.capture(ctx, pic, view, density, fullQuality)
	}
	return pic, err
}

// pixelRatio returns how many pixels of a screenshot a CSS pixel has on the emulated device, which
// the layout metrics do not count. It is 0 if no device is emulated.
func (p *Page) pixelRatio() float64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.settings.Pretended().Scale
}

// capture takes the picture once. The clip counts from the top left of the page,
// so the scroll position is added. CaptureBeyondViewport makes Chromium lay the page
// out in a viewport as large as the clip. The page may notice that, so it is only set
// when the clip does not fit.
func (p *Page) capture(ctx context.Context, pic Picture, view *proto.VisualViewport, density float64, quality int64) ([]byte, error) {
	params := proto.CaptureScreenshotParams{
		Format: proto.CaptureScreenshotFormatPng,
		Clip: &proto.Viewport{
			X: pic.Area.X + view.PageX, Y: pic.Area.Y + view.PageY, Width: pic.Area.Width, Height: pic.Area.Height, Scale: pic.Per / density,
		},
		CaptureBeyondViewport: new(!pic.Area.within(view.ClientWidth, view.ClientHeight)),
		OptimizeForSpeed:      new(true),
	}
	if pic.JPEG {
		params.Format, params.Quality = proto.CaptureScreenshotFormatJpeg, &quality
	}
	res, err := cdp.Call(ctx, p.session, proto.CaptureScreenshot, params)
	if err != nil {
		return nil, fmt.Errorf("capture: %w", frame.Failure(ctx, err))
	}
	return res.Data, nil
}

// area returns where the element is in the tab's viewport, after scrolling to it.
func (e *Element) area(ctx context.Context) (Area, error) {
	if err := e.ScrollIntoView(ctx); err != nil {
		return Area{}, err
	}
	b, err := ask[struct {
		report
		Width, Height float64
	}](ctx, e, "box")
	if err != nil {
		return Area{}, err
	}
	if b.Missing != "" {
		return Area{}, e.failure(b.report)
	}
	out, err := e.page.outOf(ctx, e.frame)
	if errors.Is(err, errFrameGone) {
		return Area{}, e.stale()
	}
	return out.area(Area{b.X, b.Y, b.Width, b.Height}), err
}
