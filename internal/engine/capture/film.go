package capture

import (
	"bytes"
	"image"
	"image/jpeg"
	"sync"
	"time"

	"chela/internal/engine/page"
	"chela/internal/reading/picture"
)

// A Still is one picture of a film.
type Still struct {
	JPEG          []byte
	Size          image.Point // size of the picture, in pixels
	Width, Height int         // size of the viewport, in CSS pixels
	At            time.Time   // when Chromium painted it
}

// Filming says how a tab is filmed. A maximum or interval of 0 is no limit.
type Filming struct {
	MaxWidth, MaxHeight int           // largest size of a picture, in pixels
	MaxBytes            int           // largest size of a picture, in bytes; the quality is lowered until it fits, then the picture is made smaller
	Quality             int           // JPEG quality, 1 to 100
	Interval            time.Duration // shortest time between two pictures
	Yields              bool          // pictures wait while calls work on the tab, see [page.Casting]
	ForPerson           bool          // a person watches: pictures are also taken while all agents are stopped
}

// A Film is a series of pictures of a tab.
type Film struct {
	how     Filming
	viewer  *page.Viewer
	allowed func() bool // reports whether the film may have a picture of the page now
	running sync.WaitGroup
}

// StartFilm begins to film the tab, until the film is stopped or the tab has gone. It calls the
// function show for each picture, from one goroutine. The first picture comes at once, and more
// only while the look of the page changes. A picture that comes while show still runs is left out.
// So is a picture of a page that must not be read, see [page.Page.Withheld]. When the page may be read
// again, a new picture comes. Several films of a tab share its pictures, and none waits for another.
func StartFilm(p *page.Page, how Filming, show func(Still)) *Film {
	allowed := func() bool { return p.Withheld() == nil }
	if how.ForPerson {
		allowed = func() bool { return p.Unreadable() == nil }
	}
	return startFilm(p, how, allowed, show)
}

func startFilm(p *page.Page, how Filming, allowed func() bool, show func(Still)) *Film {
	film := &Film{how: how, allowed: allowed, viewer: p.View(page.Casting{
		MaxWidth: how.MaxWidth, MaxHeight: how.MaxHeight, Quality: how.Quality, Interval: how.Interval, Yields: how.Yields,
	})}
	film.running.Go(func() { film.run(show) })
	return film
}

// Stop ends the film, and waits until show is not called any more.
func (f *Film) Stop() {
	f.viewer.Stop()
	f.running.Wait()
}

func (f *Film) run(show func(Still)) {
	for {
		frame, ok := f.viewer.Next()
		if !ok {
			return
		}
		if !f.allowed() {
			if !f.viewer.Resume(f.allowed) {
				return
			}
			continue
		}
		if data, size, err := f.how.fit(frame); err == nil { // it fails only for data that is not a JPEG, and Chromium sends only JPEG
			show(Still{data, size, frame.Width, frame.Height, frame.At})
		}
	}
}

// fit reduces the quality and then the size of a picture until it is within the limits. A picture
// that already fits is returned as it is. Pictures may be too large, since another film of the tab
// may have asked for larger ones.
func (how Filming) fit(frame page.Frame) ([]byte, image.Point, error) {
	config, err := jpeg.DecodeConfig(bytes.NewReader(frame.JPEG))
	size := image.Pt(config.Width, config.Height)
	if err != nil || within(size.X, how.MaxWidth) && within(size.Y, how.MaxHeight) && within(len(frame.JPEG), how.MaxBytes) {
		return frame.JPEG, size, err
	}
	full, err := frame.Image()
	if err != nil {
		return nil, size, err
	}
	shown := picture.Shrink(full, how.MaxWidth, how.MaxHeight)
	for {
		data, err := picture.JPEG(shown, how.Quality, how.MaxBytes)
		size := shown.Bounds().Size()
		if err != nil || within(len(data), how.MaxBytes) || size.X < 2 {
			return data, size, err
		}
		shown = picture.Shrink(shown, size.X*3/4, 0)
	}
}

// within reports whether a number is at most limit; 0 is no limit.
func within(n, limit int) bool { return limit <= 0 || n <= limit }
