package observe

import (
	"fmt"
	"strings"
	"testing"

	"chela/internal/engine/cdp"
	"chela/internal/engine/journal"
)

// describe formats a hop of a request: method, URL, status or failure, and the headers named x. The
// headers of the request and the response are marked if they are the ones on the wire.
func describe(r journal.Request) string {
	wire := func(h journal.Headers, raw bool) string {
		return h.Get("x") + map[bool]string{true: "*"}[raw]
	}
	return strings.TrimSpace(fmt.Sprintf("%s %d %s>%s %s", strings.TrimPrefix(r.URL, "http://a.test/"), r.Response.Status,
		wire(r.Headers, r.Raw), wire(r.Response.Headers, r.Response.Raw), r.Failure))
}

// Chromium's reports about one request become one entry for each hop, whatever the order of the
// reports about headers on the wire.
func TestHops(t *testing.T) {
	sent := func(url, more string) string {
		return fmt.Sprintf(`requestWillBeSent {"requestId":"1","loaderId":"1","documentURL":"","request":{"url":"http://a.test/%s","method":"GET",
			"headers":{"x":"%s"},"initialPriority":"High","referrerPolicy":"origin"},"timestamp":1,"wallTime":1,"type":"Document"%s}`, url, url, more)
	}
	response := func(status int, x string) string {
		return fmt.Sprintf(`{"url":"","status":%d,"statusText":"","headers":{"x":"%s"},"mimeType":"","securityState":"insecure"}`, status, x)
	}
	redirect := func(url, from string, extra bool) string {
		return sent(url, fmt.Sprintf(`,"redirectHasExtraInfo":%v,"redirectResponse":%s`, extra, response(302, from)))
	}
	received := func(x string, extra bool) string {
		return fmt.Sprintf(`responseReceived {"requestId":"1","loaderId":"1","timestamp":2,"type":"Document","hasExtraInfo":%v,"response":%s}`, extra, response(200, x))
	}
	sentExtra := func(x string) string {
		return fmt.Sprintf(`requestWillBeSentExtraInfo {"requestId":"1","associatedCookies":[],"headers":{"x":"%s"},"connectTiming":{"requestTime":1}}`, x)
	}
	receivedExtra := func(x string) string {
		return fmt.Sprintf(`responseReceivedExtraInfo {"requestId":"1","blockedCookies":[],"headers":{"x":"%s"},"resourceIPAddressSpace":"Public","statusCode":200}`, x)
	}
	finished := `loadingFinished {"requestId":"1","timestamp":3,"encodedDataLength":10}`
	failed := `loadingFailed {"requestId":"1","timestamp":3,"type":"Document","errorText":"net::ERR_FAILED"}`
	for _, c := range []struct {
		name   string
		events []string
		want   []string
	}{
		{"plain", []string{sent("a", ""), received("1", false), finished}, []string{"a 200 a>1"}},
		{"headers on the wire come first", []string{sentExtra("A"), sent("a", ""), receivedExtra("B"), received("1", true), finished}, []string{"a 200 A*>B*"}},
		{"headers on the wire come last", []string{sent("a", ""), received("1", true), finished, sentExtra("A"), receivedExtra("B")}, []string{"a 200 A*>B*"}},
		{"redirects", []string{
			sent("a", ""), sentExtra("A"), receivedExtra("B"), sentExtra("C"), redirect("b", "1", true), received("2", true), receivedExtra("D"), finished,
		}, []string{"a 302 A*>B*", "b 200 C*>D*"}},
		{"a redirect from the cache", []string{
			sent("a", ""), redirect("b", "1", false), sentExtra("C"), received("2", true), receivedExtra("D"), finished,
		}, []string{"a 302 a>1", "b 200 C*>D*"}},
		{"an answer that the page may not see", []string{sent("a", ""), sentExtra("A"), receivedExtra("B"), failed}, []string{"a 200 A*>B* net::ERR_FAILED"}},
		{"no answer", []string{sent("a", ""), sentExtra("A"), failed}, []string{"a 0 A*> net::ERR_FAILED"}},
		{"a redirect without an answer", []string{
			sent("a", ""), redirect("b", "1", true), sentExtra("A"), receivedExtra("B"), sentExtra("C"), failed,
		}, []string{"a 302 A*>B*", "b 0 C*> net::ERR_FAILED"}},
		{"the end of what was not reported", []string{received("1", false), finished, failed}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			o, requests := requestsAfter(t, "Network.", c.events)
			if len(requests) != len(c.want) {
				t.Fatalf("%d requests, want %d: %v", len(requests), len(c.want), requests)
			}
			for i, r := range requests {
				if got := describe(r); got != c.want[i] {
					t.Errorf("got %q, want %q", got, c.want[i])
				}
				if i > 0 && (r.RedirectedFrom != requests[i-1].ID || requests[i-1].RedirectedTo != r.ID) {
					t.Errorf("%s and %s are not linked", requests[i-1].ID, r.ID)
				}
			}
			if left := len(o.exchanges.byID); left != 0 && c.want != nil {
				t.Errorf("%d exchanges are kept after the end", left)
			}
		})
	}
}

// requestsAfter returns an observer to which Chromium has reported these events, and the requests
// in its event log. Each event is written as its name without the prefix, a space, and its
// parameters.
func requestsAfter(t *testing.T, prefix string, events []string) (*Observer, []journal.Request) {
	t.Helper()
	o, j := New(nil), journal.New(nil)
	o.Record(j)
	s := cdp.Closed()
	for _, ev := range events {
		method, params, _ := strings.Cut(ev, " ")
		o.handle(cdp.Event{Session: s, Method: prefix + method, Params: []byte(params)}, nil)
	}
	requests, _ := j.Requests()
	return o, requests
}
