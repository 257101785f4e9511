package page_test

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	_ "image/jpeg"
	_ "image/png"
	"math"
	"slices"
	"testing"
	"time"

	"chela/internal/engine/page"
	"chela/internal/engine/setting"
	"chela/test/tab"
)

func TestScreenshot(t *testing.T) {
	for _, s := range []struct {
		name, path, of string
		shot           page.Shot
		format         string
		width, height  int // 0: any
	}{
		{"viewport", "/frame.html", "", page.Shot{}, "png", 1280, 0},
		{"jpeg", "/frame.html", "", page.Shot{JPEG: true}, "jpeg", 1280, 0},
		{"full page, made to fit", "/navigate.html", "", page.Shot{FullPage: true}, "jpeg", 0, 2000},
		{"element", "/pointer.html", "#pad", page.Shot{}, "png", 400, 200},
		{"element below", "/navigate.html", "#part", page.Shot{}, "png", 0, 0},
	} {
		t.Run(s.name, func(t *testing.T) {
			tt := tab.Open(t, s.path)
			var pic page.Picture
			err := tt.InTurn(20*time.Second, func(ctx context.Context) (err error) {
				if err := tt.Resize(ctx, setting.Viewport{Width: 1280, Height: 720}); err != nil { // a window has another size
					return err
				}
				if s.of != "" {
					if s.shot.Element, err = tt.Match(ctx, s.of); err != nil {
						return err
					}
				}
				pic, err = tt.Screenshot(ctx, s.shot)
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			got, format, err := image.DecodeConfig(bytes.NewReader(pic.Data))
			if err != nil || format != s.format {
				t.Errorf("got %s, %v, want %s", format, err, s.format)
			}
			if s.width != 0 && got.Width != s.width || s.height != 0 && got.Height != s.height {
				t.Errorf("got %d×%d, want %d×%d", got.Width, got.Height, s.width, s.height)
			}
		})
	}
}

// A picture shows what it says, wherever the page is scrolled to.
func TestScreenshotOfAScrolledPage(t *testing.T) {
	tt := tab.Open(t, "/frame.html")
	tab.Run[any](tt, `document.body.style.margin = 0;
		document.body.innerHTML = '<div style="height:3000px;background:#f00"></div><div id=here style="height:100px;background:#00f"></div><div id=long style="height:3000px;background:#0f0"></div>';
		scrollTo(0, 3000)`)
	for _, s := range []struct {
		name, of string
		x, y     int // of the picture
		want     color.RGBA
	}{
		{"viewport", "", 5, 5, color.RGBA{0, 0, 255, 255}},
		{"viewport, below", "", 5, 150, color.RGBA{0, 255, 0, 255}},
		{"element", "#here", 5, 95, color.RGBA{0, 0, 255, 255}},
		{"element larger than the viewport", "#long", 5, 1950, color.RGBA{0, 255, 0, 255}},
	} {
		t.Run(s.name, func(t *testing.T) {
			got := picture(tt, s.of).At(s.x, s.y)
			r, g, b, _ := got.RGBA()
			near := func(a uint32, b uint8) bool { return max(a>>8, uint32(b))-min(a>>8, uint32(b)) < 8 }
			if !near(r, s.want.R) || !near(g, s.want.G) || !near(b, s.want.B) {
				t.Errorf("got %v, want %v", got, s.want)
			}
		})
	}
}

// picture is a screenshot of the viewport, or of the first element that a selector matches.
func picture(t *tab.Tab, of string) image.Image {
	t.Helper()
	var pic page.Picture
	err := t.InTurn(5*time.Second, func(ctx context.Context) (err error) {
		var shot page.Shot
		if of != "" {
			if shot.Element, err = t.Match(ctx, of); err != nil {
				return err
			}
		}
		pic, err = t.Screenshot(ctx, shot)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	img, _, err := image.Decode(bytes.NewReader(pic.Data))
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// On a screen of two pixels for a CSS pixel, pictures are within their bounds,
// and what is said of their scale is right.
func TestScreenshotsOnADenseScreen(t *testing.T) {
	tt := tab.In(t, tab.Browser(t, "--force-device-scale-factor=2"))
	if err := tt.InTurn(20*time.Second, func(ctx context.Context) error {
		return errors.Join(tt.Resize(ctx, setting.Viewport{Width: 1280, Height: 720}), tt.Navigate(ctx, tab.Site.URL+"/frame.html"))
	}); err != nil {
		t.Fatal(err)
	}
	tab.Run[any](tt, `document.body.innerHTML = '<style>html { scrollbar-width: none } body { margin: 0; height: 3000px }</style><button style="position: absolute; left: 300px; top: 200px; width: 100px; height: 50px; border: 0; background: #00f">Go</button>'; undefined`)
	tt.Text()
	for _, s := range []struct {
		name string
		shot page.Shot
		of   string
		jpeg bool
		per  float64
	}{
		{"viewport", page.Shot{}, "", true, 2000. / 1280},
		{"element", page.Shot{}, "button", false, 2},
		{"whole page", page.Shot{FullPage: true}, "", true, 2000. / 3000},
	} {
		t.Run(s.name, func(t *testing.T) {
			var pic page.Picture
			var boxes []page.Box
			err := tt.InTurn(10*time.Second, func(ctx context.Context) (err error) {
				if s.of != "" {
					if s.shot.Element, err = tt.Match(ctx, s.of); err != nil {
						return err
					}
				}
				if pic, err = tt.Screenshot(ctx, s.shot); err != nil {
					return err
				}
				boxes, err = tt.Boxes(ctx, tt.LastRefs())
				return err
			})
			if err != nil || len(boxes) != 1 {
				t.Fatal(err, boxes)
			}
			img, _, err := image.Decode(bytes.NewReader(pic.Data))
			if err != nil {
				t.Fatal(err)
			}
			size, long := img.Bounds().Size(), max(pic.Area.Width, pic.Area.Height)
			if pic.Per != s.per || pic.JPEG != s.jpeg || size.X > 2000 || size.Y > 2000 || math.Abs(float64(max(size.X, size.Y))-long*pic.Per) > 1 {
				t.Errorf("a picture of %v for %v, %v pixels for one, JPEG %v", size, pic.Area, pic.Per, pic.JPEG)
			}
			x, y := (boxes[0].X-pic.Area.X+10)*pic.Per, (boxes[0].Y-pic.Area.Y+10)*pic.Per
			if r, g, b, _ := img.At(int(x), int(y)).RGBA(); r>>8 > 20 || g>>8 > 20 || b>>8 < 230 {
				t.Errorf("the button is not at %v,%v, there is %x %x %x", x, y, r>>8, g>>8, b>>8)
			}
		})
	}
}

// Boxes are where the elements are, also in frames that are turned and scaled,
// and wherever their documents come from.
func TestBoxesInTransformedFrames(t *testing.T) {
	buttons := func(other string) (*tab.Tab, []page.Box) {
		tt := tab.Open(t, "/transformed.html?blue&other="+other)
		found := slices.DeleteFunc(boxes(tt), func(b page.Box) bool { return b.Name != "Press" })
		slices.SortFunc(found, func(a, b page.Box) int { return cmp.Compare(a.Y, b.Y) })
		return tt, found
	}
	tt, near := buttons("")
	if len(near) != 5 {
		t.Errorf("%d buttons, want 5: the sixth is cut off by its frame", len(near))
	}
	if wrong := misplaced(tt, near); wrong != "" {
		t.Error(wrong)
	}
	_, far := buttons(tab.Elsewhere()) // not seen in pictures: Chromium paints frames of other sites when it likes
	for i := range near {
		if i >= len(far) || math.Abs(far[i].X-near[i].X) > 2 || math.Abs(far[i].Y-near[i].Y) > 2 || math.Abs(far[i].Width-near[i].Width) > 2 {
			t.Errorf("of another site %v, of the same %v", far, near)
			break
		}
	}
}

// misplaced says which of the boxes has no blue middle in a picture of the whole page. Boxes
// further down than the page are cut off.
func misplaced(t *tab.Tab, boxes []page.Box) string {
	t.Helper()
	var pic page.Picture
	err := t.InTurn(10*time.Second, func(ctx context.Context) (err error) {
		pic, err = t.Screenshot(ctx, page.Shot{FullPage: true})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	img, _, err := image.Decode(bytes.NewReader(pic.Data))
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range boxes {
		at := image.Pt(int((b.X+b.Width/2-pic.Area.X)*pic.Per), int((b.Y+b.Height/2-pic.Area.Y)*pic.Per))
		if r, g, blue, _ := img.At(at.X, at.Y).RGBA(); at.In(img.Bounds()) && (r>>8 > 40 || g>>8 > 40 || blue>>8 < 200) {
			return fmt.Sprintf("no button at %v of %s, there is %x %x %x", at, b.Ref, r>>8, g>>8, blue>>8)
		}
	}
	return ""
}

// Frames that have gone or crashed have no boxes; the others do.
func TestBoxesWithoutLostFrames(t *testing.T) {
	for name, lose := range map[string]func(*tab.Tab){
		"left":    func(t *tab.Tab) { tab.Run[any](t, "document.querySelector('[title=other]').remove()") },
		"crashed": func(t *tab.Tab) { page.CrashFrame(t.Ctx, t.Page, tab.Elsewhere()+"/frame.html?name=other") },
		"left its parent": func(t *tab.Tab) {
			tab.Run[any](t, "document.querySelector('[title=other]').style.display = 'none'")
		},
	} {
		t.Run(name, func(t *testing.T) {
			tt := tab.Open(t, "/frames.html?other="+tab.Elsewhere())
			tt.Text()
			var before, after []page.Box
			err := tt.InTurn(10*time.Second, func(ctx context.Context) (err error) {
				before, err = tt.Boxes(ctx, tt.LastRefs())
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			lose(tt)
			err = tt.InTurn(10*time.Second, func(ctx context.Context) (err error) {
				after, err = tt.Boxes(ctx, tt.LastRefs())
				return err
			})
			if err != nil || len(after) == 0 || len(after) >= len(before) {
				t.Errorf("%d boxes, before %d, %v", len(after), len(before), err)
			}
		})
	}
}

func boxes(t *tab.Tab) (boxes []page.Box) {
	t.Helper()
	t.Text()
	err := t.InTurn(10*time.Second, func(ctx context.Context) (err error) {
		boxes, err = t.Boxes(ctx, t.LastRefs())
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return boxes
}
