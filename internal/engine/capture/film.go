package capture

import (
	"sync"
	"time"

	proto "github.com/chromedp/cdproto/page"

	"chela/internal/engine/cdp"
	"chela/internal/engine/page"
)

// A Still is one picture of a film.
type Still struct {
	JPEG          []byte
	Width, Height int // size of the viewport, in CSS pixels
	At            time.Time
}

// Filming says how a tab is filmed.
type Filming struct {
	MaxSide  int           // longer side of a picture, in pixels
	Quality  int           // JPEG quality, 0 to 100
	Interval time.Duration // shortest time between two pictures
}

// A Film is a series of pictures of a tab. It is slowed down by acknowledging each picture late,
// see [page.Page.Screencast].
type Film struct {
	page     *page.Page
	interval time.Duration
	events   chan cdp.Event
	over     <-chan struct{}
	stop     func()
	running  sync.WaitGroup
}

// waitingStills is how many pictures may wait to be read. It is more than Chromium sends before one
// of them is acknowledged.
const waitingStills = 16

// StartFilm begins to film the tab, until the film is stopped or the tab has gone. It calls the
// function show for each picture, from one goroutine. A new film of a tab ends the last.
func StartFilm(p *page.Page, how Filming, show func(Still)) *Film {
	film := &Film{page: p, interval: how.Interval, events: make(chan cdp.Event, waitingStills)}
	film.over, film.stop = p.Screencast(proto.StartScreencastParams{
		Format: proto.StartScreencastFormatJpeg, Quality: new(int64(how.Quality)), MaxWidth: int64(how.MaxSide), MaxHeight: int64(how.MaxSide),
	}, film.take)
	film.running.Go(func() { film.run(show) })
	return film
}

// Stop ends the film, and waits until show is not called any more.
func (f *Film) Stop() {
	f.stop()
	f.running.Wait()
}

// take queues a picture until run reads it.
func (f *Film) take(ev cdp.Event) {
	select {
	case f.events <- ev:
	default: // cannot happen: Chromium sends no more pictures before it gets acknowledgements
	}
}

// run reads the pictures, and acknowledges each when the next may come.
func (f *Film) run(show func(Still)) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case ev := <-f.events:
			frame, ok := cdp.Decode(ev, proto.ScreencastFrame)
			if !ok {
				continue
			}
			show(stillOf(frame))
			timer.Reset(f.interval)
			if !f.pause(timer) {
				return
			}
			cdp.Send(f.page.Session(), proto.ScreencastFrameAck, proto.ScreencastFrameAckParams{SessionID: frame.SessionID})
		case <-f.over:
			return
		case <-f.page.Ended():
			return
		}
	}
}

// pause waits for the timer, and reports whether the film goes on.
func (f *Film) pause(timer *time.Timer) bool {
	select {
	case <-timer.C:
		return true
	case <-f.over:
	case <-f.page.Ended():
	}
	return false
}

// stillOf converts an event to a picture. The time is Chromium's, when it painted.
func stillOf(frame proto.EventScreencastFrame) Still {
	still := Still{JPEG: frame.Data, At: time.Now()}
	if m := frame.Metadata; m != nil {
		still.Width, still.Height = int(m.DeviceWidth), int(m.DeviceHeight)
		if at := m.Timestamp.Float64(); at > 0 {
			still.At = time.UnixMicro(int64(at * 1e6))
		}
	}
	return still
}
