package browser

import (
	"context"
	"fmt"
	"strings"

	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/storage"

	"chela/internal/cdp"
)

// A jar is a copy of the browser's cookies. Chromium writes them to disk late,
// and those of a session never: the copy is what is left after it was killed.
// It is guarded by the browser's mu.
type jar struct {
	cookies []*network.Cookie
	copies  []*cdp.Reply[storage.GetCookiesResult] // on their way, the newest last
}

// maxCopies bounds how many copies are on their way.
const maxCopies = 4

// CopyCookies asks for a copy of the cookies, and does not wait.
func (b *Browser) CopyCookies() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.jar.collect(); len(b.jar.copies) < maxCopies {
		b.jar.copies = append(b.jar.copies, cdp.Send(b.conn.Root(), storage.GetCookies, storage.GetCookiesParams{}))
	}
}

// collect takes the newest copy that has come.
func (j *jar) collect() {
	for i := len(j.copies) - 1; i >= 0; i-- {
		select {
		case <-j.copies[i].Done():
		default:
			continue
		}
		if res, err := j.copies[i].Wait(context.Background()); err == nil {
			j.cookies = res.Cookies
			j.copies = j.copies[i+1:]
			return
		}
	}
}

// restoreCookies gives the browser the cookies of the one before it.
func (b *Browser) restoreCookies(ctx context.Context, cookies []*network.Cookie) error {
	if len(cookies) == 0 {
		return nil
	}
	params := make([]*network.CookieParam, len(cookies))
	for i, c := range cookies {
		params[i] = restored(c)
	}
	if _, err := cdp.Call(ctx, b.conn.Root(), storage.SetCookies, storage.SetCookiesParams{Cookies: params}); err != nil {
		return fmt.Errorf("restore the cookies: %w", err)
	}
	return nil
}

// restored is what sets a cookie as it was. One of a single host is set by its
// address: with a domain it would go to hosts below it, too.
func restored(c *network.Cookie) *network.CookieParam {
	p := &network.CookieParam{
		Name: c.Name, Value: c.Value, Path: c.Path, Secure: c.Secure, HTTPOnly: c.HTTPOnly, SameSite: c.SameSite,
		Priority: c.Priority, SourceScheme: c.SourceScheme, SourcePort: c.SourcePort, PartitionKey: c.PartitionKey,
	}
	if strings.HasPrefix(c.Domain, ".") {
		p.Domain = c.Domain
	} else {
		p.URL = map[bool]string{true: "https://", false: "http://"}[c.Secure] + c.Domain + c.Path
	}
	if !c.Session {
		p.Expires = protocol.TimeSinceEpoch(c.Expires)
	}
	return p
}
