package api

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"chela/internal/base/sitedata"
	"chela/internal/op"
)

// cookieFields are what a cookie can have in a request. A field is a pointer if leaving it out
// means something else than an empty text or false. A cookie may have an empty value, and secure
// follows the url if it is left out. The names are Playwright's.
type cookieFields struct {
	Name         string   `json:"name,omitempty" doc:"name of the cookie"`
	Value        *string  `json:"value,omitempty" digits:"true" secret:"true" verbatim:"true" doc:"value of the cookie"`
	URL          string   `json:"url,omitempty" doc:"an address that gets the cookie, in place of domain and path"`
	Domain       string   `json:"domain,omitempty" doc:"host that gets the cookie; with a dot before it, also the hosts below it"`
	Path         string   `json:"path,omitempty" doc:"beginning of the paths that get the cookie"`
	Expires      *float64 `json:"expires,omitempty" wrong:"cookie.expires must be a finite number." doc:"when the cookie expires, in seconds since 1970; when left out, with the browser"`
	HTTPOnly     bool     `json:"httpOnly,omitempty" doc:"scripts of pages cannot read the cookie"`
	Secure       *bool    `json:"secure,omitempty" doc:"the cookie is sent over https only; when left out, true if the url is https"`
	SameSite     string   `json:"sameSite,omitempty" enum:"Strict,Lax,None" doc:"whether requests from other sites send the cookie"`
	PartitionKey string   `json:"partitionKey,omitempty" doc:"for a partitioned cookie: the tab must show this site, or the cookie is not sent"`
	CrossSite    *bool    `json:"_crHasCrossSiteAncestor,omitempty" flag:"-" doc:"for a partitioned cookie: the cookie was set in a frame inside a page of another site"`
}

// A newCookie is a cookie in a request. It is not the same type as cookieFields, because it has the
// method UnmarshalJSON. A request that embeds the fields would inherit this method.
type newCookie cookieFields

// UnmarshalJSON reads a cookie as OpenClaw does: where a text is expected, it accepts numbers and
// bools. The errors have OpenClaw's texts.
//
// White space around texts is removed, also in the value. A list or an object is refused as a text.
// Where a bool is expected, a text must be true, yes or 1, or false, no or 0.
func (c *newCookie) UnmarshalJSON(raw []byte) error {
	var given map[string]any
	if json.Unmarshal(raw, &given) != nil || given == nil {
		return op.Errorf(op.Invalid, "cookie is required")
	}
	var wrong error
	text := func(name string) string {
		switch v := given[name].(type) {
		case nil:
		case string, float64, bool:
			return strings.TrimSpace(fmt.Sprint(v))
		default:
			wrong = op.Errorf(op.Invalid, "cookie.%s must be a string", name)
		}
		return ""
	}
	truth := func(name string) *bool {
		switch strings.ToLower(text(name)) {
		case "true", "1", "yes":
			return new(true)
		case "false", "0", "no":
			return new(false)
		case "":
		default:
			wrong = op.Errorf(op.Invalid, "cookie.%s must be true or false", name)
		}
		return nil
	}
	// Fields that are not known are ignored: exports of other programs have several.
	*c = newCookie{
		Name: text("name"), URL: text("url"), Domain: text("domain"), Path: text("path"), SameSite: text("sameSite"),
		PartitionKey: text("partitionKey"), Secure: truth("secure"), CrossSite: truth("_crHasCrossSiteAncestor"),
	}
	if httpOnly := truth("httpOnly"); httpOnly != nil {
		c.HTTPOnly = *httpOnly
	}
	if given["value"] != nil {
		c.Value = new(text("value"))
	}
	if v, ok := given["expires"]; ok && v != nil {
		seconds, isNumber := v.(float64) // a text is no number here, unlike elsewhere; this is what OpenClaw does
		if !isNumber {
			return op.Errorf(op.Invalid, "cookie.expires must be a finite number.")
		}
		c.Expires = &seconds
	}
	return wrong
}

// cookie returns the cookie that the fields describe, or an error with OpenClaw's text. An
// attribute that is not given has the value that browsers use without it. For example, a cookie
// without expires ends with the browser, and one without httpOnly can be read by scripts. Chromium
// checks name, value and partition when the cookie is set.
//
// OpenClaw's server answers errors whose text begins with "Error: " with status 500. Here all these
// are the caller's mistakes, with status 400.
func (c newCookie) cookie() (sitedata.Cookie, error) {
	made := sitedata.Cookie{
		// -1 is Playwright's value for a cookie that ends with the browser.
		Name: c.Name, Domain: strings.ToLower(c.Domain), Path: c.Path, Expires: -1, HTTPOnly: c.HTTPOnly,
		PartitionKey: c.PartitionKey, HasCrossSiteAncestor: c.CrossSite,
	}
	if c.Secure != nil {
		made.Secure = *c.Secure
	}
	switch { // OpenClaw checks in this order
	case c.Name == "" || c.Value == nil:
		return made, op.Errorf(op.Invalid, "Error: cookie name and value are required")
	case c.URL == "" && (c.Domain == "" || c.Path == ""):
		return made, op.Errorf(op.Invalid, "Error: cookie requires url, or domain+path")
	case c.URL != "" && !made.At(c.URL, c.Secure):
		return made, op.Errorf(op.Invalid, "cookie.url must be an http(s) address").Hinted("give a whole one: https://example.com")
	}
	if err := made.CheckDomain(c.URL); err != nil {
		return made, op.Errorf(op.Invalid, "cookie.domain %v", err)
	}
	if c.Expires != nil && (*c.Expires < 0 && *c.Expires != -1 || math.IsInf(*c.Expires, 0)) {
		return made, op.Errorf(op.Invalid, "cookie.expires must be -1 or a time in seconds since 1970")
	}
	made.Value = *c.Value
	// 0 counts as -1: files of cookies in Netscape's form use it for session cookies.
	if c.Expires != nil && *c.Expires > 0 {
		made.Expires = *c.Expires
	}
	switch strings.ToLower(c.SameSite) {
	case "strict", "lax", "none":
		made.SameSite = strings.ToUpper(c.SameSite[:1]) + strings.ToLower(c.SameSite[1:])
	case "", "unspecified": // "unspecified" is written by extensions that export cookies
	case "no_restriction":
		made.SameSite = "None"
	default:
		return made, op.Errorf(op.Invalid, "cookie.sameSite must be Strict|Lax|None")
	}
	return made, nil
}
