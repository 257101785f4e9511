package capture_test

import (
	"bytes"
	"context"
	"image"
	"image/jpeg"
	"sync/atomic"
	"testing"
	"time"

	"chela/internal/engine/capture"
	"chela/test/pages"
	"chela/test/tab"
)

// Several films of a tab run at the same time. Each has pictures of its own size, and a film can be
// stopped twice.
func TestFilms(t *testing.T) {
	tt := tab.Open(t, pages.HTML(`<canvas width=1000 height=600></canvas><script>
		const c = document.querySelector('canvas').getContext('2d'), noise = c.createImageData(1000, 600)
		for (let i = 0; i < noise.data.length; i++) noise.data[i] = i % 4 == 3 ? 255 : Math.random() * 255
		c.putImageData(noise, 0, 0)
	</script>`))
	var films []*capture.Film
	for _, how := range []capture.Filming{
		{MaxWidth: 400, MaxHeight: 400, Quality: 50},
		{MaxWidth: 640, MaxHeight: 100, Quality: 50},
		{MaxWidth: 640, MaxHeight: 480, Quality: 60, MaxBytes: 25_000},
		{MaxWidth: 640, MaxHeight: 480, Quality: 60, MaxBytes: 3_000},
		{Quality: 80}, // makes Chromium's picture larger than the other films want
	} {
		stills := make(chan capture.Still, 100)
		films = append(films, capture.StartFilm(tt.Page, how, func(s capture.Still) {
			checkStill(t, how, s)
			stills <- s
		}))
		select {
		case <-stills:
		case <-tt.Ctx.Done():
			t.Fatalf("%+v: there is no picture", how)
		}
	}
	for _, film := range films {
		film.Stop()
		film.Stop()
	}
}

// A film has no picture of the time in which the page must not be read. After that it has a new one,
// even if the page stands still.
func TestFilmGoesOn(t *testing.T) {
	tt := tab.Open(t, pages.HTML("<p>Hello"))
	var withheld atomic.Bool
	dropped, stills := make(chan bool, 1000), make(chan capture.Still, 1000)
	film := capture.StartFilmWhile(tt.Page, capture.Filming{MaxWidth: 200, MaxHeight: 200, Quality: 50}, func() bool {
		if withheld.Load() {
			dropped <- true
			return false
		}
		return true
	}, func(s capture.Still) { stills <- s })
	defer film.Stop()
	await(t, tt.Ctx, "the first picture", stills)
	withheld.Store(true)
	tab.Run[any](tt, "document.body.style.background = 'red'; undefined")
	await(t, tt.Ctx, "a picture that is dropped", dropped)
	for len(stills) > 0 {
		<-stills
	}
	withheld.Store(false)
	await(t, tt.Ctx, "a picture of the page as it is now", stills)
}

// await waits until something comes.
func await[T any](t *testing.T, ctx context.Context, what string, from <-chan T) {
	t.Helper()
	select {
	case <-from:
	case <-ctx.Done():
		t.Fatalf("there is not %s", what)
	}
}

// checkStill checks a picture against the limits of its film.
func checkStill(t *testing.T, how capture.Filming, s capture.Still) {
	size, err := jpeg.DecodeConfig(bytes.NewReader(s.JPEG))
	if s.Size != image.Pt(size.Width, size.Height) {
		t.Errorf("%+v: got a size of %s, want %d×%d", how, s.Size, size.Width, size.Height)
	}
	limited := how.MaxWidth > 0
	switch {
	case err != nil:
		t.Errorf("%+v: %v", how, err)
	case limited && (size.Width > how.MaxWidth || size.Height > how.MaxHeight) || how.MaxBytes > 0 && len(s.JPEG) > how.MaxBytes:
		t.Errorf("%+v: got %d bytes of %d×%d", how, len(s.JPEG), size.Width, size.Height)
	case !limited && (size.Width != s.Width || size.Height != s.Height):
		t.Errorf("a film without limits: got %d×%d, want %d×%d", size.Width, size.Height, s.Width, s.Height)
	case s.Width == 0 || s.Height == 0 || time.Since(s.At) > time.Minute:
		t.Errorf("got a picture of %d×%d at %s", s.Width, s.Height, s.At)
	}
}
