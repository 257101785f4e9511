package recorder

import (
	"context"
	"slices"
	"sync"
	"time"

	"chela/internal/engine/browser"
	"chela/internal/engine/capture"
	"chela/internal/engine/journal"
	"chela/internal/engine/page"
)

const (
	idleFor      = 150 * time.Millisecond // a picture of a tab is taken when there was no call on it for this long
	betweenShots = 500 * time.Millisecond // shortest time between two pictures, in all tabs together
	shotTime     = 2 * time.Second        // longest time that a picture may take
)

// filming says how pictures are taken. They are small, but a person recognizes the page on them.
var filming = capture.Filming{MaxWidth: 640, MaxHeight: 480, MaxBytes: 25_000, Quality: 50, Interval: shotTime}

// A Camera takes the pictures of all recorders of a server. No call waits for it. A picture is
// taken after the answer to a call, if no further call has come. The camera does not wait for its
// turn on the tab, as calls do. The zero value is ready to use.
type Camera struct {
	taking sync.WaitGroup

	mu      sync.Mutex // guards the rest
	closed  bool
	next    time.Time              // when the next picture may be taken
	waiting map[*browser.Tab]*shot // pictures that are not finished
}

// A shot is a picture that will be taken, or is being taken.
type shot struct {
	timer *time.Timer           // starts taking the picture
	stop  context.CancelFunc    // cancels taking the picture
	done  func(Picture, []byte) // gets the picture and its JPEG
}

// Shoot takes a picture of a tab as soon as the tab is idle, and calls done with it. If another call
// changes the tab before, or the page shows a secret, there is no picture, and done is not called.
func (c *Camera) Shoot(t *browser.Tab, done func(Picture, []byte)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return
	}
	if c.waiting == nil {
		c.waiting = map[*browser.Tab]*shot{}
	}
	c.pauseLocked(t)
	for t := range c.waiting {
		if t.Page().Err() != nil { // a tab that has gone may get no further call
			c.forgetLocked(t)
		}
	}
	c.waiting[t] = &shot{done: done}
	c.resumeLocked(t)
}

// Pause stops the taking of a picture, because a call on the tab begins.
func (c *Camera) Pause(t *browser.Tab) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.pauseLocked(t)
}

func (c *Camera) pauseLocked(t *browser.Tab) {
	if s := c.waiting[t]; s != nil {
		s.timer.Stop()
		s.stop()
	}
}

// Resume takes a picture that [Camera.Pause] has stopped, after a call that has not changed the
// tab.
func (c *Camera) Resume(t *browser.Tab) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.waiting[t] != nil {
		c.pauseLocked(t)
		c.resumeLocked(t)
	}
}

func (c *Camera) resumeLocked(t *browser.Tab) {
	s := c.waiting[t]
	ctx, stop := context.WithCancel(context.Background())
	s.stop = stop
	s.timer = time.AfterFunc(max(idleFor, time.Until(c.next)), func() { c.take(ctx, t, s) })
}

// Close gives up all pictures, and waits until none is being taken.
func (c *Camera) Close() {
	c.mu.Lock()
	c.closed = true
	for t := range c.waiting {
		c.pauseLocked(t)
	}
	clear(c.waiting)
	c.mu.Unlock()
	c.taking.Wait()
}

// take takes a picture, unless ctx has ended because a call came. It sets the timer again if another
// picture was taken less than betweenShots ago. It also does so if the tab is occupied by what is not
// recorded, such as a program that opens a page. A page that has ended gets no picture.
func (c *Camera) take(ctx context.Context, t *browser.Tab, s *shot) {
	p := t.Page()
	c.mu.Lock()
	if ctx.Err() != nil {
		c.mu.Unlock()
		return
	}
	if p.Err() != nil {
		c.forgetLocked(t)
		c.mu.Unlock()
		return
	}
	wait := time.Until(c.next)
	if p.Occupied() {
		wait = max(wait, idleFor)
	}
	if wait > 0 {
		s.timer.Reset(wait)
		c.mu.Unlock()
		return
	}
	c.next = time.Now().Add(betweenShots)
	c.taking.Add(1)
	c.mu.Unlock()
	defer c.taking.Done()
	limited, cancel := context.WithTimeout(ctx, shotTime)
	defer cancel()
	p.Watch(limited, func(ctx context.Context) error {
		if still, ok := picture(ctx, p); ok {
			s.done(Picture{Time: still.At, Width: still.Width, Height: still.Height}, still.JPEG)
		}
		return nil
	})
	c.mu.Lock()
	defer c.mu.Unlock()
	if ctx.Err() == nil { // otherwise a call came, and Resume or Shoot takes the picture later
		c.forgetLocked(t)
	}
}

func (c *Camera) forgetLocked(t *browser.Tab) {
	c.pauseLocked(t)
	delete(c.waiting, t)
}

// picture takes one picture of a page. It returns none if the page shows a secret before or after.
func picture(ctx context.Context, p *page.Page) (capture.Still, bool) {
	if showsSecret(ctx, p) {
		return capture.Still{}, false
	}
	stills := make(chan capture.Still, 1)
	film := capture.StartFilm(p, filming, func(s capture.Still) {
		select {
		case stills <- s:
		default:
		}
	})
	defer film.Stop()
	select {
	case still := <-stills:
		return still, !showsSecret(ctx, p)
	case <-ctx.Done():
		return capture.Still{}, false
	}
}

// showsSecret reports whether a page shows the text of a secret, or may do so.
func showsSecret(ctx context.Context, p *page.Page) bool {
	shown, err := p.ShownTexts(ctx)
	return err != nil || shown.Secret || slices.ContainsFunc(shown.Names, journal.IsSecretName)
}
