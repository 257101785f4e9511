package watched

import (
	"maps"
	"strings"
	"testing"

	"chela/internal/api"
	"chela/internal/wall/secret"
	"chela/test/long"
	"chela/test/service"
)

// Callers choose how long an answer is. Wherever that cuts the value of a secret, no part of the
// value is in the answer.
func TestNoLimitDividesASecret(t *testing.T) {
	long.Test(t)
	const value = "Zq7!kP2#vR9$wT4&xY1"
	secret.Know("cut/password", value)
	s := service.Own(t, "")
	address := html(`<title>t</title><main><h1>Value</h1><p id=it>It is `+value+` and goes on.</p><p>`+strings.Repeat("More words. ", 30)+`</p></main>`,
		`<script>const value = '`+value+`';
		fetch('/echo', {method: 'POST', body: new URLSearchParams({a: 'x', b: value, c: 'y'.repeat(100)})}).then(r => r.text()).then(() => { document.title = 'sent' });
		</script>`)
	tab := s.Open(t, address)
	tab.Act("wait", args{"fn": "() => document.title === 'sent'"})
	sent := tab.OK("GET /requests", args{"filter": "/echo"}).Text("requests.0.id")
	schema := args{"title": "h1", "it": args{"selector": "#it"}, "text": args{"selector": "#it", "type": "text"}, "html": args{"selector": "#it", "type": "html"}}
	covered := map[string]bool{}
	for _, c := range []struct {
		op, request, limit string
		args               args
	}{
		{"snapshot", "GET /snapshot", "maxChars", args{"format": "ai"}},
		{"find", "POST /find", "maxChars", args{"text": "It is"}},
		{"text", "GET /text", "maxChars", nil},
		{"read", "POST /read", "maxLength", args{"url": address, "render": "never"}},
		{"render", "POST /render", "max_length", args{"url": address, "mode": "extract", "wait_seconds": 0}},
		{"extract", "POST /extract", "maxLength", args{"format": "text"}},
		{"extract", "POST /extract", "maxLength", args{"format": "html"}},
		{"extract", "POST /extract", "maxLength", nil},
		{"extract", "POST /extract", "maxLength", args{"schema": schema}},
		{"request", "GET /requests/" + sent, "maxChars", nil},
		{"responsebody", "POST /response/body", "maxChars", args{"url": "/echo", "past": true}},
	} {
		covered[c.op] = true
		least, most := 100, 0                                                          // marks in an answer; the address of the page has one
		for n := 2; n < 200; n += map[bool]int{true: 5, false: 40}[c.op != "render"] { // each render takes long
			given := args{c.limit: n}
			maps.Copy(given, c.args)
			var a service.Answer
			if strings.Contains(c.request, "/re") && given["url"] == address {
				a = s.Do(t, c.request, given)
			} else {
				a = tab.Do(c.request, given)
			}
			if at := strings.Index(a.Raw, value[:2]); at >= 0 {
				t.Errorf("%s %v: a part of the secret is in %s", c.request, given, a.Raw[max(0, at-50):min(len(a.Raw), at+50)])
			}
			marks := strings.Count(a.Raw, "«secret:")
			least, most = min(least, marks), max(most, marks)
		}
		if least == most {
			t.Errorf("%s: no limit divides the secret: all answers have %d marks", c.request, most)
		}
	}
	for _, o := range api.Table().Ops {
		if _, acts := o.Param("settleMs"); acts {
			continue // it cuts a snapshot
		}
		for _, limit := range []string{"maxChars", "maxLength", "max_length"} {
			if _, has := o.Param(limit); has && !covered[o.Name()] {
				t.Errorf("%s cuts texts, and is not tested here", o.Name())
			}
		}
	}
}
