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

	// Yields says that the viewer is less important than calls. While calls work on the tab,
	// Chromium takes no pictures for this viewer, except one every workedTime. The viewer still gets
	// the pictures that are taken for others.
	Yields bool
}

// A Frame is a picture of a tab, as Chromium painted it. Viewers share it.
type Frame struct {
	JPEG          []byte
	Width, Height int                         // size of the viewport, in CSS pixels
	At            time.Time                   // when Chromium painted the tab
	Image         func() (image.Image, error) // decodes the picture, once for all viewers

	session int64 // Chromium's number of the screencast, which the acknowledgement must have
	number  int
}

// A screencast is what all viewers of a tab share. A tab has one screencast in Chromium, with the
// largest size and the best quality that a viewer wants. Chromium sends a picture when it has
// painted the tab again, but only after the last picture was acknowledged.
type screencast struct {
	viewers []*Viewer
	running format        // zero: there is no screencast in Chromium
	number  int           // how many pictures have come
	latest  func() Frame  // decodes the newest picture; nil if there is none
	unacked bool          // Chromium waits for the acknowledgement of the latest picture
	acked   time.Time     // when the last acknowledgement was sent
	changed chan struct{} // closed when the next picture comes, and when a viewer must look again; nil if nobody waits
	yielded bool          // there is no screencast in Chromium because calls work on the tab, see yieldLocked
	worked  time.Time     // when the last turn ended

	quick  bool // the latest picture came right after an acknowledgement
	paused bool // there is no screencast in Chromium until a viewer is due, see pause
	after  int  // number of the first picture after the pause
}

// A format is how Chromium makes the pictures of a screencast.
type format struct {
	width, height, quality int
	everyNth               int64 // how many paintings there are for one picture; 1: each painting becomes a picture
}

// A Viewer reads pictures of a tab, at its own rate. It belongs to one goroutine; only Stop may be
// called by others.
type Viewer struct {
	page    *Page
	casting Casting
	due     time.Time // when the next picture may be taken
	seen    int       // number of the picture that was taken last
	got     time.Time // when it was taken
	last    []byte    // picture that Next returned last

	stop    sync.Once
	stopped chan struct{}
}

// View begins to read pictures of the tab, until the viewer is stopped or the tab has gone. A tab
// may have many viewers. A picture may be larger and better than this viewer wants, if another one
// wants it so. The screencast is started again for each viewer, so the viewer gets a picture at once,
// and none that came before the call of View. Only a picture that Chromium was just encoding may be older.
func (p *Page) View(how Casting) *Viewer {
	v := &Viewer{page: p, casting: how, stopped: make(chan struct{})}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.screencast.viewers = append(p.screencast.viewers, v)
	v.beginLocked()
	return v
}

// beginLocked starts the screencast again, so that the viewer gets a picture at once.
func (v *Viewer) beginLocked() {
	p, c := v.page, &v.page.screencast
	c.paused = false
	c.yielded = c.yielded && v.casting.Yields
	v.seen, v.last = c.number, nil
	p.endCastLocked()
	p.castLocked()
}

// readyTime is how often Resume asks whether the viewer may go on.
const readyTime = 200 * time.Millisecond

// Resume waits until the function ready returns true. Next then returns a picture that Chromium makes
// after that, even if the page stands still. Resume returns false when the viewer is stopped or the
// tab has gone.
func (v *Viewer) Resume(ready func() bool) bool {
	for !ready() {
		if !await(v, nil, time.After(readyTime)) {
			return false
		}
	}
	v.page.mu.Lock()
	defer v.page.mu.Unlock()
	v.beginLocked()
	return true
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
		c.yielded = c.yielded && len(c.viewers) > 0
		if p.formatLocked() != c.running { // the screencast is not started again before the tab rests
			p.yieldLocked()
		}
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
	if !await(v, nil, timer.C) {
		return Frame{}, false
	}
	for {
		read, changed, again := v.take()
		if read != nil {
			f := read()
			if v.pause(f) {
				continue
			}
			v.last, v.due = f.JPEG, time.Now().Add(v.casting.Interval)
			return f, true
		}
		timer.Reset(again)
		if !await(v, changed, timer.C) {
			return Frame{}, false
		}
	}
}

// await waits for one of the channels, and reports whether the viewer may go on. A nil channel is
// not waited for.
func await(v *Viewer, changed <-chan struct{}, at <-chan time.Time) bool {
	select {
	case <-v.stopped:
		return false
	case <-v.page.ended:
		return false
	default:
	}
	select {
	case <-changed:
		return true
	case <-at:
		return true
	case <-v.stopped:
	case <-v.page.ended:
	}
	return false
}

// take returns a function that decodes the newest picture. If the viewer has had that picture, the
// function is nil. Unless the viewer yields, take then acknowledges the picture, so that Chromium
// sends the next one. The result changed is a channel that is closed when the next picture comes.
// The result again is the time after which the viewer must look again in any case. The
// acknowledgement needs a number from the decoded picture. The viewer has decoded that picture
// already, so this does not take long under the mutex.
func (v *Viewer) take() (read func() Frame, changed <-chan struct{}, again time.Duration) {
	p := v.page
	p.mu.Lock()
	defer p.mu.Unlock()
	c := &p.screencast
	if c.latest != nil && c.number > v.seen {
		v.seen, v.got = c.number, time.Now()
		return c.latest, nil, 0
	}
	if c.changed == nil {
		c.changed = make(chan struct{})
	}
	if wait := v.yieldsForLocked(); wait > 0 {
		return nil, c.changed, wait
	}
	if c.yielded {
		c.yielded = false
		p.castLocked()
	}
	if c.paused {
		c.paused, c.after = false, c.number+1
		p.castLocked()
	}
	if c.unacked {
		c.unacked, c.acked = false, time.Now()
		cdp.Send(p.session, proto.ScreencastFrameAck, proto.ScreencastFrameAckParams{SessionID: c.latest().session})
	}
	return nil, c.changed, forever
}

// wakeLocked has the waiting viewers look again.
func (c *screencast) wakeLocked() {
	if c.changed != nil {
		close(c.changed)
		c.changed = nil
	}
}

// A viewer that yields waits until no call has worked on the tab for restTime, but takes a picture
// after workedTime without one.
const (
	restTime   = 1 * time.Second
	workedTime = 10 * time.Second
)

// yieldsForLocked returns for how long the viewer still yields to calls; 0: it does not.
func (v *Viewer) yieldsForLocked() time.Duration {
	if !v.casting.Yields {
		return 0
	}
	rests := restTime - time.Since(v.page.screencast.worked)
	if v.page.InTurn() {
		rests = workedTime
	}
	return min(rests, workedTime-time.Since(v.got))
}

// yieldLocked ends the screencast if all viewers yield, and a call works on the tab or did so a
// moment ago. For each picture Chromium captures the painting, which takes as long as a click.
func (p *Page) yieldLocked() {
	c := &p.screencast
	if c.yielded || len(c.viewers) == 0 || !p.InTurn() && time.Since(c.worked) > restTime {
		return
	}
	if slices.ContainsFunc(c.viewers, func(v *Viewer) bool { return !v.casting.Yields }) {
		return
	}
	c.yielded, c.paused = true, false
	p.castLocked()
	c.wakeLocked()
}

// beginWork is called when a turn begins. It ends the screencast if all viewers yield.
func (p *Page) beginWork() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.yieldLocked()
}

// endWork is called when a turn has ended. It wakes viewers that yield.
func (p *Page) endWork() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if c := &p.screencast; len(c.viewers) > 0 {
		c.worked = time.Now()
		c.wakeLocked()
	}
}

// A page that has painted within quickTime after an acknowledgement is taken for one that changes
// without end. Between two pictures of such a page the screencast is stopped, if they are at least
// leastPause apart.
const (
	quickTime  = 50 * time.Millisecond
	leastPause = 100 * time.Millisecond
)

// pause stops the screencast until a viewer is due, if the page changes more often than viewers
// take pictures. Chromium captures each painting while there is a screencast, even if it waits for
// an acknowledgement. On a page that is animated, that takes more than half of a core.
//
// When the screencast begins again, the first picture comes even if the page stands still. So pause
// reports whether f shows the same as the last picture of this viewer. Then the screencast is
// left running, because it costs nothing while the page stands still.
func (v *Viewer) pause(f Frame) (repeats bool) {
	p := v.page
	p.mu.Lock()
	defer p.mu.Unlock()
	c := &p.screencast
	first := f.number == c.after
	if first && bytes.Equal(f.JPEG, v.last) {
		return true
	}
	if (c.quick || first) && f.number == c.number && c.changed == nil && v.casting.Interval >= leastPause && len(c.viewers) > 0 {
		c.paused = true
		p.castLocked()
	}
	return false
}

// screencastFrame keeps a picture undecoded until a viewer takes it. Pictures are large, and
// decoding one here would delay the events after it. Chromium may send one more picture of a
// screencast that has just been stopped. Its acknowledgement has no effect, and the next picture
// follows.
func (p *Page) screencastFrame(ev cdp.Event) {
	c := &p.screencast
	if len(c.viewers) == 0 {
		return
	}
	c.number++
	number := c.number
	c.latest, c.unacked, c.quick = sync.OnceValue(func() Frame { return frameOf(ev, number) }), true, time.Since(c.acked) < quickTime
	c.wakeLocked()
}

// frameOf decodes an event. The event says when Chromium painted the tab; that becomes the field
// At.
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
// Chromium refuses to start a second screencast, so the old one is stopped first. A new screencast
// sends a picture even if the page stands still. Chromium may have only one picture under way, as
// castLocked sets it. By default it may have three, and drops what is painted meanwhile: if the
// page then stood still, viewers would never see its last state. With SendLastFrame Chromium keeps
// the last painting, and sends it on the acknowledgement.
func (p *Page) castLocked() {
	c, want := &p.screencast, p.formatLocked()
	if want == c.running {
		return
	}
	p.endCastLocked()
	c.running = want
	if !c.paused && !c.yielded {
		c.latest = nil // the page may have changed while no pictures were made
	}
	if want != (format{}) {
		cdp.Send(p.session, proto.StartScreencast, proto.StartScreencastParams{
			Format: proto.StartScreencastFormatJpeg, Quality: new(int64(want.quality)),
			MaxWidth: int64(want.width), MaxHeight: int64(want.height), EveryNthFrame: want.everyNth,
			MaxFramesInFlight: 1, SendLastFrame: new(true),
		})
	}
}

// endCastLocked ends the screencast in Chromium, if there is one.
func (p *Page) endCastLocked() {
	c := &p.screencast
	if c.running != (format{}) {
		cdp.Send(p.session, proto.StopScreencast, protocol.Empty{})
	}
	c.running, c.unacked = format{}, false
}

// formatLocked returns the format that serves all viewers. Without viewers, in a pause and while they
// yield, it is one without pictures if Paint is in use, and otherwise zero.
func (p *Page) formatLocked() format {
	if c := &p.screencast; len(c.viewers) == 0 || c.paused || c.yielded {
		if p.painting.on && p.mayBeBehindLocked() {
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
