package browser

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/storage"

	"chela/internal/cdp"
)

// A jar is a copy of the browser's cookies. Chromium writes them to disk late,
// and session cookies never: the copy is what is left after it was killed. It
// is guarded by the browser's mu.
type jar struct {
	cookies []*network.Cookie

	asked   time.Time     // when the last copy was asked for
	copying chan struct{} // closed when it has come; nil when none is under way
	again   bool          // a call has ended since it was asked for
	planned *time.Timer   // asks for the next one; nil if none is planned
}

// A copy is asked for after each call. One of more than smallJar cookies takes
// Chromium milliseconds, so there copyInterval is the shortest time between two.
const (
	smallJar     = 100
	copyInterval = 2 * time.Second
)

// untilNext is how long the next copy has to wait, 0 if it may be asked for now.
func (j *jar) untilNext(now time.Time) time.Duration {
	if len(j.cookies) <= smallJar {
		return 0
	}
	return max(0, j.asked.Add(copyInterval).Sub(now))
}

// put keeps a copy. It reports whether anything has changed.
func (j *jar) put(cookies []*network.Cookie) bool {
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

// copyCookies asks for a copy of the cookies and does not wait for it: now, or
// as soon as one may be asked for.
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

// askCookiesLocked sends the command at once, so that it comes before what the
// caller sends next, and takes the answer beside the calls.
func (b *Browser) askCookiesLocked() {
	done := make(chan struct{})
	reply := cdp.Send(b.conn.Root(), storage.GetCookies, storage.GetCookiesParams{})
	begun := b.background.beginLocked(func() {
		defer close(done)
		res, err := reply.Wait(context.Background()) // ends with the connection
		b.tookCookies(res.Cookies, err)
	})
	if begun {
		b.jar.asked, b.jar.copying = time.Now(), done
	}
}

// tookCookies is called when a copy has come. After one that has failed, the
// next call asks for another.
func (b *Browser) tookCookies(cookies []*network.Cookie, err error) {
	b.mu.Lock()
	changed := err == nil && b.jar.put(cookies)
	b.jar.copying = nil
	if b.jar.again {
		b.jar.again = false
		b.copyCookiesLocked()
	}
	b.mu.Unlock()
	if changed {
		b.save()
	}
}

// lastCopyTime bounds how long the end of a browser waits for its cookies.
const lastCopyTime = time.Second

// copyLast copies the cookies of a browser that is to be closed.
func (b *Browser) copyLast(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, lastCopyTime)
	defer cancel()
	b.mu.Lock()
	if b.jar.copying == nil {
		b.askCookiesLocked()
	} else {
		b.jar.again = true
	}
	done := b.jar.copying
	b.mu.Unlock()
	for done != nil {
		select {
		case <-done:
		case <-ctx.Done():
			return
		}
		b.mu.Lock()
		done = b.jar.copying
		b.mu.Unlock()
	}
}

// restoreCookies gives the browser the cookies of the one before it. Chromium
// sets all or, if it refuses one, none: then they are set one by one. It
// returns those that were refused, in words.
func (b *Browser) restoreCookies(ctx context.Context, cookies []*network.Cookie) (lost []string, err error) {
	var params []*network.CookieParam
	for _, c := range cookies {
		switch {
		case expired(c, time.Now()):
		case c.PartitionKeyOpaque: // the protocol has no name for its partition
			lost = append(lost, nameOf(c.Name, c.Domain))
		default:
			params = append(params, restored(c))
		}
	}
	if len(params) == 0 {
		return lost, nil
	}
	if refused, err := b.setCookies(params).refused(ctx); err != nil || !refused {
		return lost, err
	}
	replies := make([]cookiesSet, len(params))
	for i, p := range params {
		replies[i] = b.setCookies([]*network.CookieParam{p})
	}
	for i, reply := range replies {
		refused, err := reply.refused(ctx)
		if err != nil {
			return lost, err
		}
		if refused {
			lost = append(lost, nameOf(params[i].Name, hostOf(params[i])))
		}
	}
	return lost, nil
}

// cookiesSet is the answer to Storage.setCookies, perhaps still to come.
type cookiesSet struct{ reply *cdp.Reply[protocol.Empty] }

func (b *Browser) setCookies(params []*network.CookieParam) cookiesSet {
	return cookiesSet{cdp.Send(b.conn.Root(), storage.SetCookies, storage.SetCookiesParams{Cookies: params})}
}

// refused reports whether Chromium did not take the cookies. An error is that
// it did not answer.
func (c cookiesSet) refused(ctx context.Context) (bool, error) {
	_, err := c.reply.Wait(ctx)
	if _, refusal := errors.AsType[*cdp.Error](err); refusal {
		return true, nil
	}
	if err != nil {
		return false, fmt.Errorf("restore the cookies: %w", err)
	}
	return false, nil
}

func nameOf(name, domain string) string { return fmt.Sprintf("cookie %s of %s", name, domain) }

func hostOf(p *network.CookieParam) string {
	_, host, _ := strings.Cut(p.URL, "://")
	return p.Domain + strings.TrimSuffix(host, "/")
}

func expired(c *network.Cookie, now time.Time) bool {
	return !c.Session && c.Expires >= 0 && c.Expires < float64(now.Unix())
}

// restored is the command that sets a cookie as it was. A cookie of a single
// host is set by an address: set by a domain it would go to hosts below it, too.
func restored(c *network.Cookie) *network.CookieParam {
	p := &network.CookieParam{
		Name: c.Name, Value: c.Value, Path: c.Path, Secure: c.Secure, HTTPOnly: c.HTTPOnly, SameSite: c.SameSite,
		Priority: c.Priority, SourceScheme: c.SourceScheme, SourcePort: c.SourcePort, PartitionKey: c.PartitionKey,
	}
	scheme := "http://"
	if c.Secure {
		// A script on http://localhost may set a secure cookie. Chromium keeps it as
		// one from an insecure source, but takes it back only as one from a secure
		// source, which is how it keeps those that localhost sets by a header. It
		// sends both kinds to the same addresses.
		scheme, p.SourceScheme = "https://", network.CookieSourceSchemeSecure
	}
	if strings.HasPrefix(c.Domain, ".") {
		p.Domain = c.Domain
	} else {
		p.URL = scheme + c.Domain + "/"
	}
	if !c.Session {
		p.Expires = protocol.TimeSinceEpoch(c.Expires)
	}
	return p
}

// ofSession returns the cookies that Chromium itself forgets when it ends.
func ofSession(cookies []*network.Cookie) []*network.Cookie {
	return slices.DeleteFunc(slices.Clone(cookies), func(c *network.Cookie) bool { return !c.Session })
}
