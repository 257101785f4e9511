package browser

import (
	"context"
	"fmt"
	"strings"

	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/storage"

	"chela/internal/base/sitedata"
	"chela/internal/engine/cdp"
)

// A CookieError says which cookies Chromium has refused; it has set the others.
type CookieError struct{ Refused []string }

func (e *CookieError) Error() string {
	return "the browser refuses " + strings.Join(e.Refused, ", ")
}

// A CookieFilter chooses cookies by name, domain and path; an empty field fits all. A
// domain fits with and without the dot before it.
type CookieFilter struct{ Name, Domain, Path string }

func (f CookieFilter) fits(c *network.Cookie) bool {
	host := func(domain string) string { return strings.ToLower(strings.TrimPrefix(domain, ".")) }
	return (f.Name == "" || f.Name == c.Name) && (f.Domain == "" || host(f.Domain) == host(c.Domain)) && (f.Path == "" || f.Path == c.Path)
}

// Cookies returns the cookies of all sites that match the filter. Errors come from
// Storage.getCookies.
func (bc *BrowserContext) Cookies(ctx context.Context, f CookieFilter) (list []sitedata.Cookie, err error) {
	list = []sitedata.Cookie{}
	all, err := bc.cookies(ctx, f)
	for _, c := range all {
		list = append(list, sitedata.CookieOf(c))
	}
	return list, err
}

func (bc *BrowserContext) cookies(ctx context.Context, f CookieFilter) (list []*network.Cookie, err error) {
	id, err := bc.ensure(ctx)
	if err != nil {
		return nil, err
	}
	res, err := cdp.Call(ctx, bc.browser.conn.Root(), storage.GetCookies, storage.GetCookiesParams{BrowserContextID: id})
	for _, c := range res.Cookies {
		if f.fits(c) {
			list = append(list, c)
		}
	}
	return list, err
}

// SetCookies sets cookies. If Chromium refuses some, the error is a [*CookieError]. Other errors
// come from the protocol.
func (bc *BrowserContext) SetCookies(ctx context.Context, list []sitedata.Cookie) error {
	params := make([]*network.CookieParam, len(list))
	for i, c := range list {
		params[i] = c.Param()
	}
	refused, err := bc.setEach(ctx, params)
	if err != nil {
		return fmt.Errorf("set cookies: %w", err)
	}
	bc.browser.copyNow(ctx)
	if len(refused) > 0 {
		return &CookieError{refused}
	}
	return nil
}

// ClearCookies removes the cookies that match the filter, and returns their number. No command of
// the protocol removes single cookies of sites that the tab does not show. So each matching cookie
// is set again with an expiry date in the past, which removes it. The protocol cannot name cookies
// of a sandboxed frame, so such cookies are removed only by a filter that matches all cookies.
// Errors come from the protocol.
func (bc *BrowserContext) ClearCookies(ctx context.Context, f CookieFilter) (n int, err error) {
	list, err := bc.cookies(ctx, f)
	if err != nil {
		return 0, err
	}
	defer bc.browser.copyNow(ctx)
	if f == (CookieFilter{}) {
		id, err := bc.ensure(ctx)
		if err == nil {
			_, err = cdp.Call(ctx, bc.browser.conn.Root(), storage.ClearCookies, storage.ClearCookiesParams{BrowserContextID: id})
		}
		return len(list), err
	}
	var past []*network.CookieParam
	for _, c := range list {
		if !c.PartitionKeyOpaque {
			p := restoringParam(c)
			p.Expires = protocol.TimeSinceEpoch(1)
			past = append(past, p)
		}
	}
	refused, err := bc.setEach(ctx, past)
	if err == nil && len(refused) > 0 {
		err = &CookieError{refused}
	}
	return len(past), err
}
