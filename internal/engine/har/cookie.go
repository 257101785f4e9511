package har

import (
	"net/http"
	"strings"
	"time"
)

// A Cookie is a cookie that was sent or set. A sent one has only a name and a value, since the
// header Cookie has no more. The format has no field for SameSite; here it has the name that
// Playwright uses.
type Cookie struct {
	Name     string `json:"name"`
	Value    string `json:"value"`
	Path     string `json:"path,omitempty"`
	Domain   string `json:"domain,omitempty"`
	Expires  string `json:"expires,omitempty"`
	HTTPOnly bool   `json:"httpOnly,omitempty"`
	Secure   bool   `json:"secure,omitempty"`
	SameSite string `json:"sameSite,omitempty"`
}

// cookiesOf parses the header Cookie. It skips parts without =.
func cookiesOf(header string) []Cookie {
	list := []Cookie{}
	for pair := range strings.SplitSeq(header, ";") {
		name, value, ok := strings.Cut(strings.TrimSpace(pair), "=")
		if ok {
			list = append(list, Cookie{Name: name, Value: value})
		}
	}
	return list
}

// setCookiesOf reads the headers Set-Cookie, which Chromium joins by newlines.
func setCookiesOf(headers string) []Cookie {
	list := []Cookie{}
	for line := range strings.SplitSeq(headers, "\n") {
		if name, _, ok := strings.Cut(line, "="); ok && strings.TrimSpace(name) != "" {
			list = append(list, setCookie(line))
		}
	}
	return list
}

// setCookie reads one header Set-Cookie. It does not check names and values, since readers want to
// see what the server has sent. Attributes that the format has no field for, such as Max-Age, are
// in the list of headers only.
func setCookie(line string) (c Cookie) {
	pair, attributes, _ := strings.Cut(line, ";")
	name, value, _ := strings.Cut(pair, "=")
	c.Name, c.Value = strings.TrimSpace(name), strings.TrimSpace(value) // RFC 6265 trims both
	for attribute := range strings.SplitSeq(attributes, ";") {
		name, value, _ := strings.Cut(strings.TrimSpace(attribute), "=")
		switch strings.ToLower(name) {
		case "path":
			c.Path = value
		case "domain":
			c.Domain = value
		case "expires":
			c.Expires = expiry(value)
		case "httponly":
			c.HTTPOnly = true
		case "secure":
			c.Secure = true
		case "samesite":
			c.SameSite = value
		}
	}
	return c
}

// expiry returns the time of the attribute Expires in the format of HAR; "" if it cannot be parsed.
// It accepts the layouts of HTTP (RFC 9110, section 5.6.7), and one with dashes, which old servers
// use.
func expiry(value string) string {
	for _, layout := range []string{http.TimeFormat, "Mon, 02-Jan-2006 15:04:05 MST", time.RFC850, time.ANSIC} {
		if t, err := time.Parse(layout, value); err == nil {
			return stamp(t)
		}
	}
	return ""
}
