package browser

import (
	"context"
	"slices"
	"time"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/storage"

	"chela/internal/engine/cdp"
)

// A jar is a copy of the browser's cookies. Chromium writes cookies to disk up to 30 s after they
// were set, and session cookies never. If it is killed, cookies that are not on disk are lost, and
// the user's logins with them. So the next browser gets the copy.
//
// No event says that a cookie has changed, so the cookies are copied when one may have changed. A
// copy is made after each call, and another one lateTime later, since the page may set cookies
// after the call. A copy is also made lateTime after a response that sets cookies. A cookie
// that a script sets at another time is in the next of these copies.
//
// The browser's mu guards the fields.
type jar struct {
	cookies []*network.Cookie // the last copy

	asked   time.Time     // when the last copy was requested
	copying chan struct{} // closed when the copy under way has arrived; nil: none is under way
	again   bool          // a call has ended since the copy was requested, so another one is needed
	planned *time.Timer   // requests the next copy; nil: none is planned
}

// Copying more than smallJar cookies takes Chromium milliseconds, in which calls wait. With so many
// cookies, copyInterval is the shortest time between two copies.
const (
	smallJar     = 100
	copyInterval = 2 * time.Second
)

// lateTime is how long after a call or a response [Browser.askLate] asks. A page that sets cookies
// all the time causes only one copy in this time.
const lateTime = time.Second

// askLate asks Chromium after lateTime for what changes without an event: the titles of the tabs.
// If chela has launched the browser, it also asks for the cookies. It does nothing if it is already
// going to ask. Pages call it with their mutex held. So askLate must not lock the browser's mutex,
// which is always locked before a page's.
func (b *Browser) askLate() {
	if b.late.CompareAndSwap(false, true) {
		time.AfterFunc(lateTime, func() {
			b.late.Store(false)
			if b.about.Own {
				b.copyCookies()
			}
			b.askTitles()
		})
	}
}

// untilNext returns how long to wait before the next copy; 0: it may be requested now.
func (j *jar) untilNext(now time.Time) time.Duration {
	if len(j.cookies) <= smallJar {
		return 0
	}
	return max(0, j.asked.Add(copyInterval).Sub(now))
}

// replace replaces the copy by a new one, and reports whether they differ.
func (j *jar) replace(cookies []*network.Cookie) bool {
	if slices.EqualFunc(j.cookies, cookies, sameCookie) {
		return false
	}
	j.cookies = cookies
	return true
}

func sameCookie(a, b *network.Cookie) bool {
	x, y := *a, *b
	x.PartitionKey, y.PartitionKey = nil, nil
	return x == y && samePartition(a.PartitionKey, b.PartitionKey)
}

func samePartition(a, b *network.CookiePartitionKey) bool {
	return a == b || a != nil && b != nil && *a == *b
}

// copyCookies requests a copy of the cookies, now or as soon as copyInterval allows, and does not
// wait for it.
func (b *Browser) copyCookies() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.copyCookiesLocked()
}

func (b *Browser) copyCookiesLocked() {
	j := &b.jar
	wait := j.untilNext(time.Now())
	switch {
	case j.planned != nil:
	case j.copying != nil:
		j.again = true
	case wait == 0:
		b.askCookiesLocked()
	default:
		j.planned = time.AfterFunc(wait, func() {
			b.mu.Lock()
			defer b.mu.Unlock()
			j.planned = nil
			b.copyCookiesLocked()
		})
	}
}

// askCookiesLocked sends Storage.getCookies at once, so that Chromium reads it before the commands
// of the next call. It takes the answer in the background.
func (b *Browser) askCookiesLocked() {
	done := make(chan struct{})
	reply := cdp.Send(b.conn.Root(), storage.GetCookies, storage.GetCookiesParams{})
	begun := b.background.beginLocked(func() {
		defer close(done)
		res, err := reply.Wait(context.Background()) // ends with the connection
		b.receiveCookies(res.Cookies, err)
	})
	if begun {
		b.jar.asked, b.jar.copying = time.Now(), done
	}
}

// receiveCookies handles a copy that has arrived, or has failed. After a failure, the next call
// requests another.
func (b *Browser) receiveCookies(cookies []*network.Cookie, err error) {
	b.mu.Lock()
	changed := err == nil && b.jar.replace(cookies)
	if changed {
		b.kept.raise()
	}
	b.jar.copying = nil
	if b.jar.again {
		b.jar.again = false
		b.copyCookiesLocked()
	}
	b.mu.Unlock()
	if changed {
		b.saver.save(b)
	}
}

// copyTime limits how long copyNow waits for the cookies.
const copyTime = time.Second

// copyNow copies the cookies and waits for the copy. It is called before a browser is closed, since
// session cookies end with it. It is also called after a call about cookies, whose caller relies on
// them being kept. A copy under way may have been requested too early, so copyNow then waits for
// another one, even before copyInterval has passed.
func (b *Browser) copyNow(ctx context.Context) {
	if !b.about.Own { // any other browser keeps its cookies itself
		return
	}
	ctx, cancel := context.WithTimeout(ctx, copyTime)
	defer cancel()
	b.mu.Lock()
	underWay := b.jar.copying
	b.mu.Unlock()
	awaitCopy(ctx, underWay)
	b.mu.Lock()
	if b.jar.copying == nil {
		b.askCookiesLocked()
	}
	fresh := b.jar.copying
	b.mu.Unlock()
	awaitCopy(ctx, fresh)
}

// awaitCopy waits until a copy has arrived, or ctx ends. The channel is nil if none is under way.
func awaitCopy(ctx context.Context, arrived <-chan struct{}) {
	if arrived == nil {
		return
	}
	select {
	case <-arrived:
	case <-ctx.Done():
	}
}
