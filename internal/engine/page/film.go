package page

import (
	"sync"
	"time"

	protocol "github.com/chromedp/cdproto/cdp"
	proto "github.com/chromedp/cdproto/page"

	"chela/internal/engine/cdp"
)

// A Still is one picture of a film.
type Still struct {
	JPEG          []byte
	Width, Height int // of the viewport, in CSS pixels
	At            time.Time
}

// Filming says how a tab is filmed.
type Filming struct {
	MaxSide  int           // pixels of the longer side of a picture
	Quality  int           // of JPEG, 0 to 100
	Interval time.Duration // between two pictures, at least
}

// A Film is made of a tab while it is there: Chromium sends a picture whenever it has
// painted the page anew (Page.startScreencast). It sends the next only after the last
// has been acknowledged, so the film is slowed down by acknowledging late.
type Film struct {
	page     *Page
	filming  Filming
	events   chan cdp.Event
	done     chan struct{}
	stopping sync.Once
	running  sync.WaitGroup
}

// waitingStills is more than Chromium sends before one of them is acknowledged.
const waitingStills = 16

// Film begins to film the tab, and calls show for each picture from one goroutine, until
// the film is stopped or the tab has gone. There is one film of a tab at a time: a new one
// ends the last.
func (p *Page) Film(f Filming, show func(Still)) *Film {
	film := &Film{page: p, filming: f, events: make(chan cdp.Event, waitingStills), done: make(chan struct{})}
	p.mu.Lock()
	last := p.film
	p.film = film
	p.mu.Unlock()
	if last != nil {
		last.Stop()
	}
	film.running.Go(func() { film.run(show) })
	cdp.Send(p.session, proto.StartScreencast, proto.StartScreencastParams{
		Format: proto.StartScreencastFormatJpeg, Quality: new(int64(f.Quality)), MaxWidth: int64(f.MaxSide), MaxHeight: int64(f.MaxSide),
	})
	return film
}

// Stop ends the film, and waits until show is not called any more.
func (f *Film) Stop() {
	f.stopping.Do(func() {
		f.page.mu.Lock()
		if f.page.film == f {
			f.page.film = nil
			cdp.Send(f.page.session, proto.StopScreencast, protocol.Empty{})
		}
		f.page.mu.Unlock()
		close(f.done)
	})
	f.running.Wait()
}

// screencastFrame hands a picture to the film. It is not read here: it is large, and the
// events behind it would have to wait.
func (p *Page) screencastFrame(ev cdp.Event) {
	if p.film == nil {
		return
	}
	select {
	case p.film.events <- ev:
	default: // Chromium sends no more before these are acknowledged
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
			timer.Reset(f.filming.Interval)
			if !f.pause(timer) {
				return
			}
			cdp.Send(f.page.session, proto.ScreencastFrameAck, proto.ScreencastFrameAckParams{SessionID: frame.SessionID})
		case <-f.done:
			return
		case <-f.page.ended:
			return
		}
	}
}

// pause waits for the timer, and reports whether the film goes on.
func (f *Film) pause(timer *time.Timer) bool {
	select {
	case <-timer.C:
		return true
	case <-f.done:
	case <-f.page.ended:
	}
	return false
}

// stillOf takes the time from Chromium, which knows when it painted.
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
