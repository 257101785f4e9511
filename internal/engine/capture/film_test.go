package capture_test

import (
	"strings"
	"testing"
	"time"

	"chela/internal/engine/capture"
	"chela/test/pages"
	"chela/test/tab"
)

// A film has pictures of what changes. A new film ends the last one, and a stopped film gets no
// more pictures.
func TestFilm(t *testing.T) {
	tt := tab.Open(t, pages.HTML(`<h1>Before</h1>`))
	stills := make(chan capture.Still, 100)
	filming := capture.Filming{MaxSide: 400, Quality: 50}
	first := capture.StartFilm(tt.Page, filming, func(capture.Still) {})
	film := capture.StartFilm(tt.Page, filming, func(s capture.Still) { stills <- s })
	tt.Write("<h1>After</h1>")
	select {
	case s := <-stills:
		if !strings.HasPrefix(string(s.JPEG), "\xff\xd8") || s.Width == 0 || s.Height == 0 || time.Since(s.At) > time.Minute {
			t.Errorf("got %d bytes of %dx%d at %s", len(s.JPEG), s.Width, s.Height, s.At)
		}
	case <-tt.Ctx.Done():
		t.Fatal("there is no picture")
	}
	film.Stop()
	film.Stop()
	first.Stop()
}
