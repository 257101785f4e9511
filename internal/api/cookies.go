package api

import (
	"context"
	"fmt"
	"strings"

	"chela/internal/api/call"
	"chela/internal/api/words"
	"chela/internal/base/curl"
	"chela/internal/base/sitedata"
	"chela/internal/engine/browser"
	"chela/internal/op"
)

// maxCookies bounds the cookies in one request or answer. Chromium itself keeps about 3,300
// cookies.
const maxCookies = 5000

// A cookieFilter chooses cookies. An empty one fits all. A domain fits with and without the dot
// before it; a path fits only as a whole.
type cookieFilter struct {
	Name   string `json:"name,omitempty" doc:"only cookies of this name"`
	Domain string `json:"domain,omitempty" doc:"only cookies of this domain"`
	Path   string `json:"path,omitempty" doc:"only cookies of this path"`
}

// A cookiesRequest is about the cookies of a browser. The tab that it names only says which browser
// is meant, and is named in the answer.
type cookiesRequest struct {
	call.On
	op.Timeout
	cookieFilter
}

// cookieList lists cookies. The fields of a cookie are Playwright's, and the list is never
// null, as in OpenClaw.
type cookieList struct {
	ofSites
	Cookies   []sitedata.Cookie `json:"cookies" doc:"the cookies of all sites"`
	Truncated bool              `json:"truncated,omitempty" doc:"some cookies were left out"`
	Total     int               `json:"total,omitempty" doc:"how many cookies there are, if some were left out"`
}

// Text returns the list as JSON.
func (l cookieList) Text() string { return words.Lines(indented(l.Cookies), l.Emptied.InWords()) }

// indented returns a value of an answer as JSON that a person reads.
func indented(v any) string {
	text, _ := words.JSON(v, "  ") // values of answers can be encoded
	return strings.TrimSuffix(text, "\n")
}

// cookies lists the cookies of all sites, not only of the tab's site, as in OpenClaw. It returns
// the errors of finding the tab and of the protocol.
func cookies(ctx context.Context, s *call.Service, r cookiesRequest) (list cookieList, err error) {
	list.ofSites, err = withReadableTab(ctx, s, r.On, func(bc *browser.BrowserContext) (err error) {
		list.Cookies, err = bc.Cookies(ctx, browser.CookieFilter(r.cookieFilter))
		return err
	})
	if len(list.Cookies) > maxCookies {
		list.Cookies, list.Truncated, list.Total = list.Cookies[:maxCookies], true, len(list.Cookies)
	}
	return list, err
}

// cookiesChanged says which cookies were set or removed.
type cookiesChanged struct {
	ofSites
	Added   int      `json:"added,omitempty" doc:"how many cookies were set"`
	Names   []string `json:"names,omitempty" doc:"names of the cookies that were set"`
	Removed int      `json:"removed,omitempty" doc:"how many cookies were removed"`
}

// Text says what was done. As in OpenClaw, a cookie that was set has one text, and removed cookies
// have another. Several names occur only after a cURL command: set-many answers with a number
// alone.
func (c cookiesChanged) Text() string {
	done := fmt.Sprintf("%d cookies set", c.Added)
	switch {
	case c.Added == 0:
		done = "cookies cleared"
	case c.Added == 1:
		done = "cookie set: " + strings.Join(c.Names, "")
	case len(c.Names) > 0:
		done += ": " + strings.Join(c.Names, ", ")
	}
	return words.Lines(done, c.Emptied.InWords())
}

// A setCookieRequest describes a cookie, by its fields or by an object with them (Cookie). Fields
// fill what the object lacks. Instead of a cookie it may have a request that a browser has copied
// as cURL: then the cookies of that request are set.
type setCookieRequest struct {
	call.On
	op.Timeout
	Cookie *newCookie `json:"cookie,omitempty" secret:"true" wrong:"cookie is required" doc:"the cookie as an object; its fields are the other parameters"`
	cookieFields
	Curl op.Input `json:"curl,omitempty" secret:"true" doc:"a request that was copied from a browser as cURL (bash); its cookies are set for its address"`
}

// Check reads the cookie as setCookie will, so that a wrong one starts no browser. The text for a
// request without the cookie object is OpenClaw's. The fields beside that object are chela's own,
// for the command line.
func (r setCookieRequest) Check() error {
	if r.Curl != "" {
		return nil // an error in the file is found when the file is read
	}
	if r.Cookie == nil && r.Name == "" && r.Value == nil && r.URL == "" {
		return op.Errorf(op.Invalid, "cookie is required").Hinted("give a name, a value and a url")
	}
	_, err := r.merged().cookie()
	return err
}

// merged returns the cookie object, completed from the fields beside it. The field httpOnly is true
// if the object or the field says so, since a missing httpOnly means false.
func (r setCookieRequest) merged() newCookie {
	if r.Cookie == nil {
		return newCookie(r.cookieFields)
	}
	c, f := *r.Cookie, r.cookieFields
	for _, text := range []struct{ to, from *string }{
		{&c.Name, &f.Name}, {&c.URL, &f.URL}, {&c.Domain, &f.Domain},
		{&c.Path, &f.Path}, {&c.SameSite, &f.SameSite}, {&c.PartitionKey, &f.PartitionKey},
	} {
		if *text.to == "" {
			*text.to = *text.from
		}
	}
	if c.Value == nil {
		c.Value = f.Value
	}
	if c.Expires == nil {
		c.Expires = f.Expires
	}
	if c.Secure == nil {
		c.Secure = f.Secure
	}
	if c.CrossSite == nil {
		c.CrossSite = f.CrossSite
	}
	c.HTTPOnly = c.HTTPOnly || f.HTTPOnly
	return c
}

// setCookie sets one cookie, or the cookies of a request that a browser has copied as cURL. A
// cookie that has the same name, domain and path is replaced. It returns the errors of cookie, of
// cookiesOfCurl and of putCookies.
func setCookie(ctx context.Context, s *call.Service, r setCookieRequest) (cookiesChanged, error) {
	if r.Curl != "" {
		list, err := cookiesOfCurl(s, r.Curl)
		if err != nil {
			return cookiesChanged{}, err
		}
		return putCookies(ctx, s, r.On, list)
	}
	c, err := r.merged().cookie()
	if err != nil {
		return cookiesChanged{}, err
	}
	return putCookies(ctx, s, r.On, []sitedata.Cookie{c})
}

// maxCurl bounds what a browser has copied as cURL, in bytes.
const maxCurl = 1 << 20

// cookiesOfCurl returns the cookies in requests that a browser has copied as cURL. Only their names
// and values are known. So each becomes a session cookie of the host in the address, for all paths.
// It returns [op.Invalid] and the errors of readInput. The text may also be in a file, because it
// can be too long for a command line.
func cookiesOfCurl(s *call.Service, text op.Input) ([]sitedata.Cookie, error) {
	raw := []byte(text)
	if !text.IsContent() {
		var err error
		if raw, err = readInput(s, text, maxCurl); err != nil {
			return nil, err
		}
	}
	requests, err := curl.Parse(string(raw))
	if err != nil {
		return nil, op.Errorf(op.Invalid, "curl: %v", err).Hinted("in a browser's network tools, copy a request as cURL (bash)")
	}
	var list []sitedata.Cookie
	for _, request := range requests {
		for _, c := range request.Cookies {
			made := sitedata.Cookie{Name: c.Name, Value: c.Value, Path: "/", Expires: -1}
			if !made.At(request.URL, nil) {
				return nil, op.Errorf(op.Invalid, "curl: %q is not an http(s) address", request.URL)
			}
			list = append(list, made)
		}
	}
	if len(list) == 0 {
		return nil, op.Errorf(op.Invalid, "curl: the request has no cookies").Hinted("copy a request that the browser sent with cookies")
	}
	return list, checkCount(len(list))
}

// checkCount returns an error for more cookies than a request may have. Chromium keeps fewer in
// any case, and would remove some to take the others.
func checkCount(n int) error {
	if n > maxCookies {
		return op.Errorf(op.Invalid, "cookies must not be more than %d", maxCookies)
	}
	return nil
}

// putCookies sets cookies in the browser of a tab. If Chromium refuses some, the error is a
// [browser.CookieError] that names these, and the other cookies are set. Other errors come from
// withTab.
func putCookies(ctx context.Context, s *call.Service, on call.On, list []sitedata.Cookie) (done cookiesChanged, err error) {
	done.Added = len(list)
	for _, c := range list {
		done.Names = append(done.Names, c.Name)
	}
	done.ofSites, err = withTab(ctx, s, on, func(bc *browser.BrowserContext) error { return call.Unconfirmed(bc.SetCookies(ctx, list)) })
	return done, err
}

// A setCookiesRequest has several cookies.
type setCookiesRequest struct {
	call.On
	op.Timeout
	Cookies []newCookie `json:"cookies" secret:"true" wrong:"cookies must be a non-empty array" doc:"the cookies: {name, value, url} or {name, value, domain, path}, and further fields as in cookies set"`
}

// Check names the first cookie that is wrong by its place in the list. Nothing is set then: half of
// a login is harder to understand than an error.
func (r setCookiesRequest) Check() error {
	if len(r.Cookies) == 0 {
		return op.Errorf(op.Invalid, "cookies must be a non-empty array")
	}
	for i, c := range r.Cookies {
		if _, err := c.cookie(); err != nil {
			return op.Errorf(op.Invalid, "cookies[%d]: %v", i, err)
		}
	}
	return checkCount(len(r.Cookies))
}

// setCookies sets the cookies of a list. Its result has their number but not their names, as in
// OpenClaw, whose API this follows.
func setCookies(ctx context.Context, s *call.Service, r setCookiesRequest) (cookiesChanged, error) {
	list := make([]sitedata.Cookie, len(r.Cookies))
	for i, c := range r.Cookies {
		list[i], _ = c.cookie() // Check has found no error
	}
	done, err := putCookies(ctx, s, r.On, list)
	done.Names = nil
	return done, err
}

// clearCookies removes the cookies of all sites that fit the filter; without a filter it removes
// all cookies. The protocol cannot name cookies of sandboxed frames, so these are removed only
// together with all others. It is no error if there were none. It returns the errors of withTab,
// and a [browser.CookieError].
func clearCookies(ctx context.Context, s *call.Service, r cookiesRequest) (done cookiesChanged, err error) {
	done.ofSites, err = withTab(ctx, s, r.On, func(bc *browser.BrowserContext) (err error) {
		done.Removed, err = bc.ClearCookies(ctx, browser.CookieFilter(r.cookieFilter))
		return err
	})
	return done, err
}
