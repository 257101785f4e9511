package page

import (
	"context"
	"errors"
	"fmt"
	"math"

	protocol "github.com/chromedp/cdproto/cdp"
	proto "github.com/chromedp/cdproto/page"

	"chela/internal/cdp"
)

// What a picture may measure.
const (
	maxSide  = 2000
	maxBytes = 5 << 20
)

// Shot says what to take a picture of.
type Shot struct {
	FullPage bool
	Element  *Element // only it
	JPEG     bool
}

// A Picture is an encoded image of a part of the page.
type Picture struct {
	Data []byte
	JPEG bool
	Area Area    // what it shows, in CSS pixels of the viewport
	Per  float64 // image pixels for one CSS pixel
}

// An Area is a part of the page.
type Area struct{ X, Y, Width, Height float64 }

// within reports whether all of an area can be seen in a viewport of that size.
func (a Area) within(width, height float64) bool {
	return a.X >= 0 && a.Y >= 0 && a.X+a.Width <= width && a.Y+a.Height <= height
}

// Meets reports whether two areas have a part in common.
func (a Area) Meets(b Area) bool {
	return a.X < b.X+b.Width && b.X < a.X+a.Width && a.Y < b.Y+b.Height && b.Y < a.Y+a.Height
}

// getLayoutMetrics is Page.getLayoutMetrics with a member that cdproto leaves
// out because it is deprecated: the visual viewport in pixels of the screen.
// Divided by that in CSS pixels it gives how many pixels of the screen, and of a
// screenshot, there are for a CSS pixel: 2 on many screens.
var getLayoutMetrics = protocol.Command[protocol.Empty, struct {
	proto.GetLayoutMetricsResult
	VisualViewport proto.VisualViewport `json:"visualViewport"`
}]{Method: proto.CommandGetLayoutMetrics}

// A PictureTooLarge says that a picture has too many bytes, as coarse as it is.
type PictureTooLarge struct{ Bytes int }

func (e *PictureTooLarge) Error() string { return fmt.Sprintf("the picture has %d bytes", e.Bytes) }

// Screenshot takes a picture that fits: one that would be larger than 2000
// pixels on a side is made smaller, as a JPEG, and one over 5 MB coarser.
func (p *Page) Screenshot(ctx context.Context, s Shot) (Picture, error) {
	metrics, err := cdp.Call(ctx, p.session, getLayoutMetrics, protocol.Empty{})
	if err != nil {
		return Picture{}, pageError(ctx, err)
	}
	view := metrics.CSSVisualViewport
	density := metrics.VisualViewport.ClientWidth / view.ClientWidth
	area := Area{0, 0, view.ClientWidth, view.ClientHeight}
	switch {
	case s.Element != nil:
		if area, err = s.Element.area(ctx); err != nil {
			return Picture{}, err
		}
	case s.FullPage:
		area = Area{-view.PageX, -view.PageY, metrics.CSSContentSize.Width, metrics.CSSContentSize.Height}
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

func (p *Page) capture(ctx context.Context, pic Picture, view *proto.VisualViewport, density float64, quality int64) ([]byte, error) {
	params := proto.CaptureScreenshotParams{
		Format:                proto.CaptureScreenshotFormatPng,
		Clip:                  &proto.Viewport{X: pic.Area.X + view.PageX, Y: pic.Area.Y + view.PageY, Width: pic.Area.Width, Height: pic.Area.Height, Scale: pic.Per / density},
		CaptureBeyondViewport: new(!pic.Area.within(view.ClientWidth, view.ClientHeight)), // which lays the page out anew
		OptimizeForSpeed:      new(true),
	}
	if pic.JPEG {
		params.Format, params.Quality = proto.CaptureScreenshotFormatJpeg, &quality
	}
	res, err := cdp.Call(ctx, p.session, proto.CaptureScreenshot, params)
	if err != nil {
		return nil, fmt.Errorf("capture: %w", pageError(ctx, err))
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
