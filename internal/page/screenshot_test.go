package page_test

import (
	"bytes"
	"context"
	"image"
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
