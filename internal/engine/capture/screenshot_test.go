package capture_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	_ "image/jpeg"
	_ "image/png"
	"math"
	"testing"
	"time"

	"chela/internal/engine/capture"
	"chela/internal/engine/page"
	"chela/internal/engine/setting"
	"chela/test/tab"
)

func TestScreenshot(t *testing.T) {
	for _, s := range []struct {
		name, path, of string
		shot           capture.Shot
		format         string
		width, height  int // 0: any size
	}{
		{"viewport", "/frame.html", "", capture.Shot{}, "png", 1280, 0},
		{"jpeg", "/frame.html", "", capture.Shot{JPEG: true}, "jpeg", 1280, 0},
		{"full page, made to fit", "/navigate.html", "", capture.Shot{FullPage: true}, "jpeg", 0, 2000},
		{"element", "/pointer.html", "#pad", capture.Shot{}, "png", 400, 200},
		{"element below", "/navigate.html", "#part", capture.Shot{}, "png", 0, 0},
	} {
		t.Run(s.name, func(t *testing.T) {
			tt := tab.Open(t, s.path)
			var pic capture.Picture
			err := tt.InTurn(20*time.Second, func(ctx context.Context) (err error) {
				if err := tt.Resize(ctx, setting.Viewport{Width: 1280, Height: 720}); err != nil { // a browser with windows has another size at first
					return err
				}
				if s.of != "" {
					if s.shot.Element, err = tt.Match(ctx, s.of); err != nil {
						return err
					}
				}
				pic, err = capture.Screenshot(ctx, tt.Page, s.shot)
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

// A picture shows the area that it names, wherever the page is scrolled to.
func TestScreenshotOfAScrolledPage(t *testing.T) {
	tt := tab.Open(t, "/frame.html")
	tab.Run[any](tt, `document.body.style.margin = 0;
		document.body.innerHTML = '<div id=first style="height:100px;background:#00f"></div><div style="height:2900px;background:#f00"></div><div id=here style="height:100px;background:#00f"></div><div id=long style="height:3000px;background:#0f0"></div><div id=last style="height:100px;background:#00f"></div>';
		scrollTo(0, 3000)`)
	for _, s := range []struct {
		name, of string
		x, y     int // a point of the picture
		want     color.RGBA
	}{
		{"viewport", "", 5, 5, color.RGBA{0, 0, 255, 255}},
		{"viewport, below", "", 5, 150, color.RGBA{0, 255, 0, 255}},
		{"element", "#here", 5, 95, color.RGBA{0, 0, 255, 255}},
		{"element larger than the viewport", "#long", 5, 1950, color.RGBA{0, 255, 0, 255}},
		{"element far above", "#first", 5, 5, color.RGBA{0, 0, 255, 255}},
		{"element far below", "#last", 5, 95, color.RGBA{0, 0, 255, 255}},
	} {
		t.Run(s.name, func(t *testing.T) {
			got := tt.Picture(s.of).At(s.x, s.y)
			r, g, b, _ := got.RGBA()
			near := func(a uint32, b uint8) bool { return max(a>>8, uint32(b))-min(a>>8, uint32(b)) < 8 }
			if !near(r, s.want.R) || !near(g, s.want.G) || !near(b, s.want.B) {
				t.Errorf("got %v, want %v", got, s.want)
			}
		})
	}
}

// On a screen with two pixels for each CSS pixel, pictures stay within the limits, and Picture.Per
// is right.
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
		shot capture.Shot
		of   string
		jpeg bool
		per  float64
	}{
		{"viewport", capture.Shot{}, "", true, 2000. / 1280},
		{"element", capture.Shot{}, "button", false, 2},
		{"whole page", capture.Shot{FullPage: true}, "", true, 2000. / 3000},
	} {
		t.Run(s.name, func(t *testing.T) {
			var pic capture.Picture
			var boxes []page.Box
			err := tt.InTurn(10*time.Second, func(ctx context.Context) (err error) {
				if s.of != "" {
					if s.shot.Element, err = tt.Match(ctx, s.of); err != nil {
						return err
					}
				}
				if pic, err = capture.Screenshot(ctx, tt.Page, s.shot); err != nil {
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

// Chromium does not answer for a picture of a document that is replaced meanwhile. The picture then
// shows the next document.
func TestScreenshotOfAPageThatNavigates(t *testing.T) {
	tt := tab.Open(t, "/frame.html")
	for _, s := range []struct {
		name, script string
		shot         capture.Shot
	}{
		{"same site", "location.reload()", capture.Shot{}},
		{"same site, whole page", "location.reload()", capture.Shot{FullPage: true}},
		{"other site", "location.host = location.hostname == 'localhost' ? location.host.replace('localhost', '127.0.0.1') : location.host.replace('127.0.0.1', 'localhost')", capture.Shot{}},
	} {
		t.Run(s.name, func(t *testing.T) {
			for delay := range 10 { // Chromium does not answer in most of them
				tab.Run[any](tt, fmt.Sprintf("window.old = true; setTimeout(() => { %s }, %d); undefined", s.script, 4*delay))
				err := tt.InTurn(10*time.Second, func(ctx context.Context) error {
					if _, err := capture.Screenshot(ctx, tt.Page, s.shot); err != nil {
						return err
					}
					return tt.WaitFunction(ctx, "!window.old")
				})
				if err != nil {
					t.Fatalf("after %d ms: %v", 4*delay, err)
				}
			}
		})
	}
}
