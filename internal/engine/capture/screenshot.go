package capture

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	protocol "github.com/chromedp/cdproto/cdp"
	proto "github.com/chromedp/cdproto/page"

	"chela/internal/engine/cdp"
	"chela/internal/engine/frame"
	"chela/internal/engine/page"
)

// maxSide and maxBytes limit a picture so that language models accept it.
const (
	maxSide  = 2000 // pixels
	maxBytes = 5 << 20
)

// maxScaled is how wide and how high a picture without Shot.InFull may be, in CSS pixels. Scaled
// down to maxSide, more could not be read.
const maxScaled = maxSide / 0.3

// maxWhole is how wide and how high a picture may be with Shot.InFull, in CSS pixels.
const maxWhole = 10_000

// Shot says what to take a picture of.
type Shot struct {
	FullPage bool          // the whole page, not only the viewport
	Element  *page.Element // only this element; nil for the viewport or the page
	JPEG     bool

	// InFull asks for the picture in full size, neither scaled down nor converted to JPEG. If
	// the page is larger than maxWhole, the picture shows its top left part.
	InFull bool
}

// A Picture is an encoded image of a part of the page.
type Picture struct {
	Data []byte
	JPEG bool
	Area page.Area // the part of the page that the picture shows
	Of   page.Area // the whole viewport, page or element; Area is its top left part, or all
	Per  float64   // image pixels for one CSS pixel
}

// topLeft returns what a picture can show of an area, if it may be as long and wide as most.
func topLeft(a page.Area, most float64) page.Area {
	a.Width, a.Height = math.Min(a.Width, most), math.Min(a.Height, most)
	return a
}

// getLayoutMetrics is Page.getLayoutMetrics with a member that cdproto leaves out because it is
// deprecated: the visual viewport in physical pixels. Its width divided by the width in CSS pixels
// says how many pixels of a screenshot a CSS pixel has: 2 on many screens.
var getLayoutMetrics = protocol.Command[protocol.Empty, struct {
	proto.GetLayoutMetricsResult
	VisualViewport proto.VisualViewport `json:"visualViewport"`
}]{Method: proto.CommandGetLayoutMetrics}

// A PictureTooLarge says that a picture has too many bytes even at the lowest quality.
type PictureTooLarge struct{ Bytes int }

func (e *PictureTooLarge) Error() string { return fmt.Sprintf("the picture has %d bytes", e.Bytes) }

// Screenshot takes a picture. If a side is longer than maxSide, the picture is scaled down, and
// becomes a JPEG. If a side of what it is to show is longer than maxScaled, it shows the top left
// part. A picture of more than maxBytes becomes a JPEG too. Its quality is lowered until it fits.
//
// If another document comes meanwhile, Screenshot takes the picture of that one, unless the page
// goes on to the next one again and again.
//
// The error is a [PictureTooLarge], [ErrUnpainted], [page.ErrBusy], [page.ErrReplaced], or the cause
// that ended the turn. For an element it may also be a [page.ElementError] or a [page.StaleRefError].
func Screenshot(ctx context.Context, p *page.Page, s Shot) (pic Picture, err error) {
	defer p.Paint()()
	for range maxDocuments {
		visits := p.Visits()
		err = p.WhileShown(ctx, func(ctx context.Context) (err error) {
			pic, err = ofDocument(ctx, p, s)
			return err
		})
		_, refused := errors.AsType[*cdp.Error](err)
		if !errors.Is(err, page.ErrReplaced) && !errors.Is(err, frame.ErrGone) && !(refused && isReplaced(ctx, p, visits)) {
			break
		}
	}
	return pic, err
}

// isReplaced reports whether another document has come since the page had so many visits. If one is on
// its way, it waits for that, for arrivalTime at most. Chromium refuses a picture at the moment at which
// a document of another site comes, and reports the document later.
func isReplaced(ctx context.Context, p *page.Page, visits int) bool {
	if p.Sync(ctx) != nil {
		return false
	}
	if p.Visits() == visits && p.Leaving() != "" {
		soon, cancel := context.WithTimeout(ctx, arrivalTime)
		defer cancel()
		p.WhileShown(soon, func(shown context.Context) error { <-shown.Done(); return nil })
	}
	return p.Visits() != visits
}

const arrivalTime = 500 * time.Millisecond

// maxDocuments is how many documents Screenshot tries to take a picture of, one after the other.
const maxDocuments = 4

// ofDocument takes a picture of the document that the page shows now.
func ofDocument(ctx context.Context, p *page.Page, s Shot) (Picture, error) {
	var area page.Area
	if s.Element != nil { // before the metrics are read: Area scrolls the element into view
		var err error
		if area, err = s.Element.Area(ctx); err != nil {
			return Picture{}, err
		}
	}
	metrics, err := cdp.Call(ctx, p.Session(), getLayoutMetrics, protocol.Empty{})
	if err != nil {
		return Picture{}, frame.Failure(ctx, err)
	}
	view := metrics.CSSVisualViewport
	density := cmp.Or(p.PixelRatio(), metrics.VisualViewport.ClientWidth/view.ClientWidth)
	switch {
	case s.Element != nil:
	case s.FullPage:
		whole := metrics.CSSContentSize // 0 by 0 if nothing of the document has come yet
		area = page.Area{X: -view.PageX, Y: -view.PageY, Width: math.Max(whole.Width, view.ClientWidth), Height: math.Max(whole.Height, view.ClientHeight)}
	default:
		area = page.Area{Width: view.ClientWidth, Height: view.ClientHeight}
	}
	if s.InFull {
		return inFull(ctx, p, s, area, view, density)
	}
	pic := Picture{JPEG: s.JPEG, Area: topLeft(area, maxScaled), Of: area}
	pic.Per = min(density, maxSide/math.Max(pic.Area.Width, pic.Area.Height))
	if pic.Per < density {
		pic.JPEG = true
	}
	for _, quality := range []int64{85, 70, 50, 35} {
		pic.Data, err = take(ctx, p, pic, view, density, quality)
		if err != nil || len(pic.Data) <= maxBytes {
			return pic, err
		}
		pic.JPEG = true
	}
	return pic, &PictureTooLarge{len(pic.Data)}
}

// fullQuality is the JPEG quality of a picture with Shot.InFull, from 1 to 100.
const fullQuality = 85

// inFull takes a picture in full size. If Chromium lacks the memory for the whole page, it takes a
// picture of the viewport.
func inFull(ctx context.Context, p *page.Page, s Shot, area page.Area, view *proto.VisualViewport, density float64) (pic Picture, err error) {
	pic = Picture{JPEG: s.JPEG, Area: topLeft(area, maxWhole), Of: area, Per: density}
	pic.Data, err = take(ctx, p, pic, view, density, fullQuality)
	if _, refused := errors.AsType[*cdp.Error](err); refused && s.FullPage && ctx.Err() == nil {
		pic.Area = page.Area{Width: view.ClientWidth, Height: view.ClientHeight}
		pic.Data, err = take(ctx, p, pic, view, density, fullQuality)
	}
	return pic, err
}

// take makes one screenshot of pic.Area. The coordinates of the area are relative to the viewport,
// those of the clip to the page, so the scroll position is added. CaptureBeyondViewport makes
// Chromium lay the page out in a viewport as large as the clip. The page may notice that, so
// CaptureBeyondViewport is set only if the clip does not fit into the viewport.
func take(ctx context.Context, p *page.Page, pic Picture, view *proto.VisualViewport, density float64, quality int64) ([]byte, error) {
	params := proto.CaptureScreenshotParams{
		Format: proto.CaptureScreenshotFormatPng,
		Clip: &proto.Viewport{
			X: pic.Area.X + view.PageX, Y: pic.Area.Y + view.PageY, Width: pic.Area.Width, Height: pic.Area.Height, Scale: pic.Per / density,
		},
		CaptureBeyondViewport: new(!fits(pic.Area, view.ClientWidth, view.ClientHeight)),
		OptimizeForSpeed:      new(true),
	}
	if pic.JPEG {
		params.Format, params.Quality = proto.CaptureScreenshotFormatJpeg, &quality
	}
	if *params.CaptureBeyondViewport {
		defer p.RenewTouch()
	}
	answers := p.Ping()
	res, err := cdp.Call(ctx, p.Session(), proto.CaptureScreenshot, params)
	if err != nil {
		return nil, fmt.Errorf("capture: %w", failure(ctx, err, answers))
	}
	return res.Data, nil
}

// ErrUnpainted says that Chromium had painted nothing at the deadline, although the page answers. Its
// process that paints may hang.
var ErrUnpainted = errors.New("the browser did not paint the page")

// failure converts the error of a screenshot. The channel answers is closed if the page has answered
// since then, so no script of the page was in the way.
func failure(ctx context.Context, err error, answers <-chan struct{}) error {
	err = frame.Failure(ctx, err)
	if !errors.Is(err, page.ErrBusy) {
		return err
	}
	select {
	case <-answers:
		return ErrUnpainted
	default:
		return err
	}
}

// fits reports whether a viewport of the given size shows the whole area.
func fits(a page.Area, width, height float64) bool {
	return a.X >= 0 && a.Y >= 0 && a.X+a.Width <= width && a.Y+a.Height <= height
}
