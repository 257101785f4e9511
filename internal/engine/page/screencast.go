package page

import (
	"bytes"
	"cmp"
	"image"
	"image/jpeg"
	"math"
	"slices"
	"sync"
	"time"

	protocol "github.com/chromedp/cdproto/cdp"
	proto "github.com/chromedp/cdproto/page"

	"chela/internal/engine/cdp"
)

// Casting says which pictures of a tab a viewer wants.
type Casting struct {
	MaxWidth, MaxHeight int           // in pixels; 0: no limit
	Quality             int           // JPEG quality, 0 to 100
	Interval            time.Duration // shortest time between two pictures
}

// A Frame is a picture of a tab, as Chromium painted it. Viewers share it.
type Frame struct {
	JPEG          []byte
	Width, Height int // size of the viewport, in CSS pixels
	At            time.Time
	Image         func() (image.Image, error) // decodes the picture, once for all viewers

	session int64 // Chromium's number of the screencast, for the acknowledgement
	number  int
}

// A screencast is what all viewers of a tab share. A tab has one screencast in Chromium, with the
// largest size and the best quality that a viewer wants. Chromium sends a picture whenever it has
// painted the tab anew, and the next one after the last was acknowledged.
type screencast struct {
	viewers []*Viewer
	running format // zero: there is no screencast in Chromium
	number  int    // how many pictures have come
	latest  func() Frame
	format  format        // of latest
	unacked bool          // Chromium waits for the acknowledgement of the latest picture
	acked   time.Time     // when the last acknowledgement was sent
	arrived chan struct{} // closed when the next picture comes; nil if nobody waits

	quick  bool   // the latest picture came right after an acknowledgement
	paused bool   // there is no screencast in Chromium until a viewer is due, see pause
	before []byte // the picture before the pause
	after  int    // number of the first picture after the pause
}

// A format is how Chromium makes the pictures of a screencast.
type format struct {
	width, height, quality int
	everyNth               int64 // which paintings become pictures: each one, or one of so many
}

// A Viewer reads pictures of a tab, at its own rate. It belongs to one goroutine; only Stop may be
// called by others.
type Viewer struct {
	page    *Page
	casting Casting
	due     time.Time // when the next picture may be taken
	seen    int       // number of the picture that was taken last

	stop    sync.Once
	stopped chan struct{}
}

// View begins to read pictures of the tab, until the viewer is stopped or the tab has gone. A tab
// may have many viewers. A picture may be larger and better than this viewer wants, if another one
// wants it so.
func (p *Page) View(how Casting) *Viewer {
	v := &Viewer{page: p, casting: how, stopped: make(chan struct{})}
	p.mu.Lock()
	defer p.mu.Unlock()
	c := &p.screencast
	c.viewers = append(c.viewers, v)
	c.paused, c.before = false, nil
	p.castLocked()
	return v
}

// Stop ends the reading. It may be called more than once.
func (v *Viewer) Stop() {
	v.stop.Do(func() {
		p := v.page
		p.mu.Lock()
		defer p.mu.Unlock()
		c := &p.screencast
		c.viewers = slices.DeleteFunc(c.viewers, func(other *Viewer) bool { return other == v })
		c.paused = c.paused && len(c.viewers) > 0
		p.castLocked()
		close(v.stopped)
	})
}

// Next waits until a picture is due, and returns the newest one if this viewer has not had it.
// Otherwise it waits for the next. The first one comes at once, even if the page stands still. It
// returns false when the viewer is stopped or the tab has gone.
//
// The acknowledgement is sent here, when a viewer is due. So the viewer that is due first sets the
// rate at which Chromium encodes pictures, and none is encoded while all are busy.
func (v *Viewer) Next() (Frame, bool) {
	timer := time.NewTimer(time.Until(v.due))
	defer timer.Stop()
	if !await(v, timer.C) {
		return Frame{}, false
	}
	for {
		read, arrived := v.take()
		if read != nil {
			f := read()
			if v.pause(f) {
				continue
			}
			v.due = time.Now().Add(v.casting.Interval)
			return f, true
		}
		if !await(v, arrived) {
			return Frame{}, false
		}
	}
}

// await waits for the channel, and reports whether the viewer may go on.
func await[T any](v *Viewer, c <-chan T) bool {
	select {
	case <-v.stopped:
		return false
	case <-v.page.ended:
		return false
	default:
	}
	select {
	case <-c:
		return true
	case <-v.stopped:
	case <-v.page.ended:
	}
	return false
}

// take takes the newest picture. If the viewer has had it, take acknowledges it, and returns a
// channel that is closed when the next one comes. The acknowledgement needs the picture decoded.
// The viewer that had it has decoded it, so this does not take long under the mutex.
func (v *Viewer) take() (read func() Frame, arrived <-chan struct{}) {
	p := v.page
	p.mu.Lock()
	defer p.mu.Unlock()
	c := &p.screencast
	if c.latest != nil && c.number > v.seen {
		v.seen = c.number
		return c.latest, nil
	}
	if c.paused {
		c.paused, c.after = false, c.number+1
		p.castLocked()
	}
	if c.unacked {
		c.unacked, c.acked = false, time.Now()
		cdp.Send(p.session, proto.ScreencastFrameAck, proto.ScreencastFrameAckParams{SessionID: c.latest().session})
	}
	if c.arrived == nil {
		c.arrived = make(chan struct{})
	}
	return nil, c.arrived
}

// A page that has painted within quickTime after an acknowledgement is taken for one that changes
// without end. Between two pictures of such a page the screencast is stopped, if they are at least
// leastPause apart.
const (
	quickTime  = 50 * time.Millisecond
	leastPause = 100 * time.Millisecond
)

// pause stops the screencast until a viewer is due, if the page changes faster than that. Chromium
// captures each painting while there is a screencast, even if it waits for an acknowledgement. On a
// page that is animated, that takes more than half of a core.
//
// When the screencast begins again, the first picture comes even if the page stands still. So pause
// reports whether a picture shows what the last one before the pause has shown. Then the screencast
// is left running, as it costs nothing while the page stands still.
func (v *Viewer) pause(f Frame) (repeats bool) {
	p := v.page
	p.mu.Lock()
	defer p.mu.Unlock()
	c := &p.screencast
	first := f.number == c.after
	if first && bytes.Equal(f.JPEG, c.before) {
		return true
	}
	if (c.quick || first) && f.number == c.number && c.arrived == nil && v.casting.Interval >= leastPause && len(c.viewers) > 0 {
		c.paused, c.before = true, f.JPEG
		p.castLocked()
	}
	return false
}

// screencastFrame keeps a picture undecoded until a viewer takes it. Pictures are large, and
// decoding one here would delay the events after it. Chromium may send one more of a screencast
// that has just been stopped. Its acknowledgement has no effect, and the next picture follows.
func (p *Page) screencastFrame(ev cdp.Event) {
	c := &p.screencast
	if len(c.viewers) == 0 {
		return
	}
	c.number++
	number := c.number
	c.latest, c.unacked, c.quick = sync.OnceValue(func() Frame { return frameOf(ev, number) }), true, time.Since(c.acked) < quickTime
	if c.arrived != nil {
		close(c.arrived)
		c.arrived = nil
	}
}

// frameOf decodes an event. The time is Chromium's, when it painted.
func frameOf(ev cdp.Event, number int) Frame {
	params, _ := cdp.Decode(ev, proto.ScreencastFrame)
	f := Frame{JPEG: params.Data, At: time.Now(), session: params.SessionID, number: number}
	f.Image = sync.OnceValues(func() (image.Image, error) { return jpeg.Decode(bytes.NewReader(f.JPEG)) })
	if m := params.Metadata; m != nil {
		f.Width, f.Height = int(m.DeviceWidth), int(m.DeviceHeight)
		if at := m.Timestamp.Float64(); at > 0 {
			f.At = time.UnixMicro(int64(at * 1e6))
		}
	}
	return f
}

// castLocked begins, changes or ends the screencast in Chromium, if the viewers or the users of
// Paint need another one than there is.
//
// Chromium refuses to start a screencast while there is one, so that is stopped first. Once started,
// it sends a picture even if the page stands still. It has one picture under way at a time. By
// default there are three, and what is painted meanwhile is dropped: if the page then stood still,
// viewers would never see its last state. With SendLastFrame Chromium keeps the last painting, and
// sends it on the acknowledgement.
func (p *Page) castLocked() {
	c, want := &p.screencast, p.formatLocked()
	if want == c.running {
		return
	}
	if c.running != (format{}) {
		cdp.Send(p.session, proto.StopScreencast, protocol.Empty{})
	}
	c.running, c.unacked = want, false
	if !c.paused && want != c.format {
		c.latest, c.format = nil, want
	}
	if want != (format{}) {
		cdp.Send(p.session, proto.StartScreencast, proto.StartScreencastParams{
			Format: proto.StartScreencastFormatJpeg, Quality: new(int64(want.quality)),
			MaxWidth: int64(want.width), MaxHeight: int64(want.height), EveryNthFrame: want.everyNth,
			MaxFramesInFlight: 1, SendLastFrame: new(true),
		})
	}
}

// formatLocked returns the format that serves all viewers. Without viewers, and in a pause, it is one
// without pictures if Paint is in use, and otherwise zero.
func (p *Page) formatLocked() format {
	if len(p.screencast.viewers) == 0 || p.screencast.paused {
		if p.painting.on {
			return format{width: 1, height: 1, quality: 1, everyNth: math.MaxInt32}
		}
		return format{}
	}
	f := format{everyNth: 1}
	for _, v := range p.screencast.viewers {
		f.width = max(f.width, cmp.Or(v.casting.MaxWidth, math.MaxInt32))
		f.height = max(f.height, cmp.Or(v.casting.MaxHeight, math.MaxInt32))
		f.quality = max(f.quality, v.casting.Quality)
	}
	return f
}
