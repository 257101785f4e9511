package page_test

import (
	"bytes"
	"context"
	"image"
	"image/color"
	_ "image/jpeg"
	_ "image/png"
	"testing"
	"time"

	"chela/internal/page"
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
			tt := open(t, s.path)
			var pic page.Picture
			err := tt.touch(5*time.Second, func(ctx context.Context) (err error) {
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
	tt := open(t, "/frame.html")
	run[any](tt, `document.body.style.margin = 0;
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
			got := tt.picture(s.of).At(s.x, s.y)
			r, g, b, _ := got.RGBA()
			near := func(a uint32, b uint8) bool { return max(a>>8, uint32(b))-min(a>>8, uint32(b)) < 8 }
			if !near(r, s.want.R) || !near(g, s.want.G) || !near(b, s.want.B) {
				t.Errorf("got %v, want %v", got, s.want)
			}
		})
	}
}

// picture is a screenshot of the viewport, or of the first element that a selector matches.
func (t *tester) picture(of string) image.Image {
	t.Helper()
	var pic page.Picture
	err := t.touch(5*time.Second, func(ctx context.Context) (err error) {
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
