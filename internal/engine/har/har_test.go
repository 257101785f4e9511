package har

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"chela/internal/engine/journal"
)

var noon = time.Date(2026, 11, 22, 12, 0, 0, 5e6, time.UTC)

// login is a request as a journal has it: a form that was sent over a new connection.
var login = journal.Request{
	ID: "r1", Frame: "MAIN", Document: "L1", Navigation: true,
	Method: "POST", URL: "https://ada:secret@shop.test/login?next=%2Fcart&a=b+c&x",
	Type: "document", At: noon, Sent: 100,
	Headers: headers("Content-Type", "application/x-www-form-urlencoded", "Cookie", "id=7; theme=dark", "Authorization", "Bearer abc"),
	Body:    "name=Ada", HasBody: true,
	Response: journal.Response{
		Status: 302, StatusText: "Found", Protocol: "h2", MIMEType: "text/html",
		RemoteIP: "[::1]", RemotePort: 443, HeaderBytes: 120, Received: 100.3,
		Headers: headers("Location", "/cart",
			"Set-Cookie", "s=1; Path=/; HttpOnly; Secure; SameSite=Lax; Expires=Wed, 25 Nov 2026 10:00:00 GMT\nt=2"),
		Timing: &journal.Timing{
			Requested: 100.01, DNSStart: 1, DNSEnd: 11, ConnectStart: 11, ConnectEnd: 51, SSLStart: 21, SSLEnd: 51,
			SendStart: 52, SendEnd: 53, HeadersEnd: 253,
		},
	},
	Ended: 100.363, Received: 150, Length: 64,
}

// headers makes headers of names and values.
func headers(texts ...string) (all journal.Headers) {
	for pair := range slices.Chunk(texts, 2) {
		all = append(all, journal.Header{Name: pair[0], Value: pair[1]})
	}
	return all
}

func TestEntry(t *testing.T) {
	got := EntryOf(login, false)
	want := Entry{
		Started: "2026-11-22T12:00:00.005Z", Time: 362,
		Request: Request{
			Method: "POST", URL: "https://ada:%5Bsecret%5D@shop.test/login?next=%2Fcart&a=b+c&x", HTTPVersion: "HTTP/2.0",
			Cookies: []Cookie{{Name: "id", Value: "[secret]"}, {Name: "theme", Value: "[secret]"}},
			Headers: []Pair{
				{"Content-Type", "application/x-www-form-urlencoded"},
				{"Cookie", "id=[secret]; theme=[secret]"},
				{"Authorization", "Bearer [secret]"},
			},
			Query:       []Pair{{"next", "/cart"}, {"a", "b c"}, {"x", ""}},
			PostData:    &PostData{"application/x-www-form-urlencoded", "name=Ada"},
			HeadersSize: -1, BodySize: -1,
		},
		Response: Response{
			Status: 302, StatusText: "Found", HTTPVersion: "HTTP/2.0", RedirectURL: "/cart",
			Cookies: []Cookie{
				{Name: "s", Value: "[secret]", Path: "/", Expires: "2026-11-25T10:00:00.000Z", HTTPOnly: true, Secure: true, SameSite: "Lax"},
				{Name: "t", Value: "[secret]"},
			},
			Headers: []Pair{
				{"Location", "/cart"},
				{"Set-Cookie", "s=[secret]; Path=/; HttpOnly; Secure; SameSite=Lax; Expires=Wed, 25 Nov 2026 10:00:00 GMT\nt=[secret]"},
			},
			Content: Content{Size: 64, MIMEType: "text/html"}, HeadersSize: 120, BodySize: 30, TransferSize: 150,
		},
		Timings:  Timings{Blocked: 11, DNS: 10, Connect: 40, SSL: 30, Send: 1, Wait: 200, Receive: 100},
		ServerIP: "::1", ServerPort: 443, Frame: "MAIN", ResourceType: "document",
	}
	near := cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) < 0.5 })
	if diff := cmp.Diff(want, got, near); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if open := EntryOf(login, true); open.Request.Headers[2].Value != "Bearer abc" || open.Request.Cookies[0].Value != "7" {
		t.Errorf("with secrets: %+v", open.Request)
	}
}

// Requests without a response, or with one from a cache, still have times and sizes.
func TestEntriesThatLackSomething(t *testing.T) {
	for _, c := range []struct {
		name    string
		request journal.Request
		want    func(Entry) bool
	}{
		{"under way", journal.Request{Sent: 1}, func(e Entry) bool {
			return e.Time == 0 && e.Response.Status == 0 && e.Response.BodySize == -1 && e.Response.Content.MIMEType == "x-unknown"
		}},
		{"failed", journal.Request{Sent: 1, Ended: 1.5, Failure: "net::ERR_FAILED", Reason: "CORS"}, func(e Entry) bool {
			return e.Time == 500 && e.Response.Failure == "net::ERR_FAILED" && e.Comment == "CORS"
		}},
		{"canceled", journal.Request{Sent: 1, Ended: 1.5, Failure: "net::ERR_ABORTED", Canceled: true}, func(e Entry) bool { return e.Aborted }},
		{"from memory", journal.Request{
			Sent: 1, Ended: 1.25, FromCache: true, Response: journal.Response{Status: 200, Received: 1.25},
		}, func(e Entry) bool {
			return e.Time == 250 && e.Response.BodySize == 0
		}},
		{"data", journal.Request{URL: "data:text/html,a?b=c", Sent: 1}, func(e Entry) bool { return len(e.Request.Query) == 0 }},
		{"a socket", journal.Request{Response: journal.Response{RemoteIP: "unix"}}, func(e Entry) bool { return e.ServerIP == "" }},
	} {
		if e := EntryOf(c.request, false); !c.want(e) {
			t.Errorf("%s: %+v", c.name, e)
		}
	}
}

// The format does not define WebSockets. A WebSocket is an entry whose comment has the number of
// frames.
func TestWebSocketEntry(t *testing.T) {
	r := journal.Request{Method: "GET", URL: "wss://a.test/s", Type: journal.WebSocket, Frames: journal.Frames{Sent: 1, Received: 2}}
	r.Response.Status = 101
	if e := EntryOf(r, false); e.Comment != "1 frames sent, 2 received" || e.ResourceType != "websocket" || e.Response.Status != 101 {
		t.Errorf("got %+v", e)
	}
}

func TestTimingsOfRequestsThatLackTimes(t *testing.T) {
	none := journal.Timing{
		Requested: 1, DNSStart: -1, DNSEnd: -1, ConnectStart: -1, ConnectEnd: -1, SSLStart: -1, SSLEnd: -1, SendStart: -1, SendEnd: -1, HeadersEnd: 40,
	}
	connected, sent := none, none
	connected.DNSStart, connected.DNSEnd, connected.ConnectStart, connected.ConnectEnd = 2, 3, 3, 10
	sent.SendStart = 5
	for _, c := range []struct {
		name   string
		timing journal.Timing
		want   Timings
	}{
		{"only the answer", none, Timings{Blocked: 0, DNS: -1, Connect: -1, SSL: -1, Wait: 40, Receive: 60}},
		{"not when it was sent", connected, Timings{Blocked: 2, DNS: 1, Connect: 7, SSL: -1, Wait: 30, Receive: 60}},
		{"not when all of it was sent", sent, Timings{Blocked: 5, DNS: -1, Connect: -1, SSL: -1, Wait: 35, Receive: 60}},
	} {
		got := timingsOf(journal.Request{Sent: 1, Ended: 1.1, Response: journal.Response{Received: 1.04, Timing: &c.timing}})
		if got != c.want {
			t.Errorf("%s: got %+v, want %+v", c.name, got, c.want)
		}
	}
}

// The pages of an archive are the documents of the main frame.
func TestPages(t *testing.T) {
	second, sub, worker := login, login, login
	second.Document, second.URL = "L2", "https://shop.test/cart"
	sub.Frame, sub.Document, sub.Navigation = "SUB", "L3", true
	worker.Frame, worker.Document, worker.Navigation = "", "", false
	early := worker
	requests := []journal.Request{early, login, login, sub, second, worker}
	file := Of(requests, Options{Main: []string{"OLD", "MAIN"}, Browser: "Chrome/156.0.1", Dropped: 3})
	var pages []string
	for _, e := range file.Log.Entries {
		pages = append(pages, e.Page)
	}
	if got := strings.Join(pages, ","); got != ",page_1,page_1,page_1,page_2,page_2" {
		t.Errorf("the entries are of %s", got)
	}
	if len(file.Log.Pages) != 2 || file.Log.Pages[1].Title != "https://shop.test/cart" || file.Log.Browser != (Program{"Chrome", "156.0.1"}) {
		t.Errorf("got %+v", file.Log)
	}
	if file.Log.Comment != "3 earlier requests were not kept" {
		t.Errorf("it says %q", file.Log.Comment)
	}
}

// Fields that the format demands are there, even when they are empty.
func TestEmptyArchiveIsValid(t *testing.T) {
	raw, err := json.Marshal(Of([]journal.Request{{}}, Options{}))
	if err != nil {
		t.Fatal(err)
	}
	for _, field := range []string{
		`"version":"1.2"`, `"creator":{"name":"chela"`, `"pages":[]`, `"cookies":[]`, `"headers":[]`, `"queryString":[]`, `"cache":{}`,
		`"send":0`, `"wait":0`, `"receive":0`, `"redirectURL":""`, `"content":{"size":0,"mimeType":"x-unknown"}`, `"headersSize":-1`,
	} {
		if !strings.Contains(string(raw), field) {
			t.Errorf("%s is not in %s", field, raw)
		}
	}
}
