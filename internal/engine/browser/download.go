package browser

import (
	"errors"
	"os"
	"sync"
	"time"

	"chela/internal/base/media"
)

// Errors of downloads.
var (
	ErrSuperseded = errors.New("another caller waits for the download now")
	ErrBroken     = errors.New("it was canceled, its server answered with an error or broke off, or the disk has no room for it") // Chromium does not say which
)

// A Download is a file that a page has begun to download. Chromium writes it to the staging folder
// under its GUID. A complete file is moved to its [media.Place], so a file at that place is never
// incomplete.
type Download struct {
	URL  string
	Name string // name that the server suggests; not safe as a file name
	Tab  *Tab   // nil if its tab is not known; guarded by the browser's mu

	guid     string
	staged   string        // path in the staging folder, where the file is until it is complete
	from     string        // the complete URL, if chela requests the file again (fetch.go)
	cancel   func()        // stops requesting the file; nil: chela does not request it. Guarded by the browser's mu
	reported bool          // an answer to a caller has reported the download; guarded by the browser's mu
	done     chan struct{} // closed when ended is true

	// moving is held while the file is moved. The place may be on another disk, and then the file is
	// copied. So mu is not held meanwhile: the browser's mu is held while others wait for it.
	moving sync.Mutex

	mu              sync.Mutex // guards the rest; taken after moving and after the browser's mu
	place           media.Place
	received, total int64 // bytes received, and size of the whole file; total is 0 if not known
	arrived         bool  // the file is complete and is moved to its place, so the download cannot be stopped any more
	ended           bool  // the file is at its place, or err says why it never will be
	toldUnderWay    bool  // the last answer that named the download said that it was under way
	offered         bool  // see OfferToWait
	err             error
	stalled, late   *time.Timer // stop the download when no bytes come, or when it takes too long; nil: the download is not watched
}

// Path is where the file is, or will be.
func (d *Download) Path() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.place.Path()
}

// Done returns a channel that is closed when the file is complete and at its place, or never will
// be.
func (d *Download) Done() <-chan struct{} { return d.done }

// hasEnded reports whether Done is closed.
func (d *Download) hasEnded() bool {
	select {
	case <-d.done:
		return true
	default:
		return false
	}
}

// Err returns why the file will never be complete: [ErrBroken], a [*LimitError], [cdp.ErrClosed]
// when the browser has ended, or an error of [media.Place.Put]. It is nil before Done.
func (d *Download) Err() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.err
}

// Progress returns how many bytes have been received, and the size of the whole file; 0 if the size
// is not known.
func (d *Download) Progress() (received, total int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.received, d.total
}

// TellUnderWay records whether an answer has named the download as under way or as ended. A caller that
// was told that it is under way may wait for it, also after it has ended: see [Tab.ExpectDownload].
func (d *Download) TellUnderWay(underWay bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.toldUnderWay, d.offered = underWay, false
}

// OfferToWait has the next wait of a caller get the download, even if an answer has reported its end:
// see [Tab.ExpectDownload]. The offer ends with the next act in the tab. A caller that then waits
// wants the file of that act.
func (d *Download) OfferToWait() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.offered = true
}

func (d *Download) endOffer() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.offered = false
}

// mayBeAwaited reports whether a caller may wait for the download although an answer has named it.
func (d *Download) mayBeAwaited() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.toldUnderWay || d.offered
}

// save moves the complete file from the staging folder to its place.
func (d *Download) save() {
	d.moving.Lock()
	defer d.moving.Unlock()
	place, stopped := d.arrive()
	if stopped {
		os.Remove(d.staged)
		return
	}
	err := place.Put(d.staged)
	d.mu.Lock()
	defer d.mu.Unlock()
	d.endLocked(err)
}

// arrive records that the file is complete, and returns the place that it is moved to. It reports
// whether the download was stopped before.
func (d *Download) arrive() (to media.Place, stopped bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.arrived = !d.ended
	return d.place, d.ended
}

// fail ends the download without a file, unless the file has arrived.
func (d *Download) fail(err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.ended && !d.arrived {
		d.endLocked(err)
	}
}

// endLocked ends the download, with its error if it has failed. It is called once.
func (d *Download) endLocked(err error) {
	d.ended, d.err = true, err
	if d.stalled != nil {
		d.stalled.Stop()
		d.late.Stop()
	}
	close(d.done)
}

// moveTo changes the place of the file. If the file is already at its former place, it is moved.
// The error comes from [media.Place.Put].
func (d *Download) moveTo(place media.Place) error {
	d.moving.Lock()
	defer d.moving.Unlock()
	if d.hasEnded() && d.Err() == nil {
		if err := place.Put(d.Path()); err != nil {
			return err
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.place = place
	return nil
}
