package page

import (
	"testing"

	"chela/internal/engine/cdp"
)

// A response that sets cookies is reported, whoever requested it and in whatever case its headers
// are written.
func TestSetCookieIsReported(t *testing.T) {
	reported := 0
	p := &Page{on: Callbacks{Cookies: func() { reported++ }}}
	for headers, want := range map[string]int{
		`{"Content-Type":"text/html"}`:                 0,
		`{"Set-Cookie":"a=1"}`:                         1,
		`{"set-cookie":"a=1\nb=2","cache-control":""}`: 1,
	} {
		reported = 0
		p.headersReceived(cdp.Event{Params: []byte(`{"requestId":"12.3","blockedCookies":[],"headers":` + headers + `}`)})
		if reported != want {
			t.Errorf("%s: reported %d times", headers, reported)
		}
	}
}
