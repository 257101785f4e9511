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

	"chela/internal/base/sitedata"
	"chela/internal/engine/cdp"
)

// restoreCookies sets the cookies of the last browser in this one, except those that have expired.
// It returns descriptions of those that were refused, for the answer of a call. An error means that
// Chromium did not answer.
func (b *Browser) restoreCookies(ctx context.Context, cookies []*network.Cookie) (lost []string, err error) {
	var params []*network.CookieParam
	for _, c := range cookies {
		switch {
		case expired(c, time.Now()):
		case c.PartitionKeyOpaque: // a cookie of a sandboxed frame: the protocol cannot name its partition
			lost = append(lost, nameOf(c.Name, c.Domain))
		default:
			params = append(params, restoringParam(c))
		}
	}
	refused, err := b.setEach(ctx, params)
	if err != nil {
		err = fmt.Errorf("restore the cookies: %w", err)
	}
	return append(lost, refused...), err
}

// setEach sets cookies. Storage.setCookies sets all or, if Chromium refuses one, none; then each
// cookie is set alone. It returns descriptions of those that were refused, for the answer of a
// call. An error means that Chromium did not answer.
func (bc *BrowserContext) setEach(ctx context.Context, params []*network.CookieParam) (refused []string, err error) {
	if len(params) == 0 {
		return nil, nil
	}
	id, err := bc.ensure(ctx)
	if err != nil {
		return nil, err
	}
	if refusal, err := bc.setCookies(id, params).refused(ctx); err != nil || !refusal {
		return nil, err
	}
	replies := make([]setCookiesReply, len(params))
	for i, p := range params {
		replies[i] = bc.setCookies(id, []*network.CookieParam{p})
	}
	for i, reply := range replies {
		refusal, err := reply.refused(ctx)
		if err != nil {
			return refused, err
		}
		if refusal {
			refused = append(refused, nameOf(params[i].Name, hostOf(params[i])))
		}
	}
	return refused, nil
}

// setCookiesReply is the reply to Storage.setCookies, which may still be pending.
type setCookiesReply struct{ reply *cdp.Reply[protocol.Empty] }

func (bc *BrowserContext) setCookies(id protocol.BrowserContextID, params []*network.CookieParam) setCookiesReply {
	return setCookiesReply{cdp.Send(bc.browser.conn.Root(), storage.SetCookies, storage.SetCookiesParams{Cookies: params, BrowserContextID: id})}
}

// refused reports whether Chromium refused the cookies. An error means that it did not answer, or
// does not know the command.
func (c setCookiesReply) refused(ctx context.Context) (bool, error) {
	_, err := c.reply.Wait(ctx)
	if refusal, ok := errors.AsType[*cdp.Error](err); ok && !refusal.Unknown() {
		return true, nil
	}
	return false, err
}

func nameOf(name, domain string) string { return fmt.Sprintf("cookie %s of %s", name, domain) }

func hostOf(p *network.CookieParam) string {
	_, host, _ := strings.Cut(p.URL, "://")
	return p.Domain + strings.TrimSuffix(host, "/")
}

func expired(c *network.Cookie, now time.Time) bool {
	return !c.Session && c.Expires >= 0 && c.Expires < float64(now.Unix())
}

// restoringParam returns the parameter that sets a cookie as it was. [sitedata.Cookie] has fewer
// fields than that needs.
func restoringParam(c *network.Cookie) *network.CookieParam {
	p := &network.CookieParam{
		Name: c.Name, Value: c.Value, Path: c.Path, Secure: c.Secure, HTTPOnly: c.HTTPOnly, SameSite: c.SameSite,
		Priority: c.Priority, SourceScheme: c.SourceScheme, SourcePort: c.SourcePort, PartitionKey: c.PartitionKey,
	}
	sitedata.SetDomain(p, c.Domain)
	if !c.Session {
		p.Expires = protocol.TimeSinceEpoch(c.Expires)
	}
	return p
}

// sessionCookies returns the cookies without a date of expiry, which Chromium forgets when it ends.
func sessionCookies(cookies []*network.Cookie) []*network.Cookie {
	return slices.DeleteFunc(slices.Clone(cookies), func(c *network.Cookie) bool { return !c.Session })
}
