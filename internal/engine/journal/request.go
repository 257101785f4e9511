package journal

import (
	"slices"
	"strings"
	"time"
)

// A Request is a request on the network. Each hop of a redirect is a request of its own, and
// RedirectedFrom and RedirectedTo link them.
//
// Times are seconds on Chromium's monotonic clock. Only At is wall-clock time: it is the same
// moment as Sent. WallTime converts the others.
type Request struct {
	ID string // r1, r2 and so on, in the order in which requests were sent

	// Session is the id of the DevTools session that has the request's body. Key is Chromium's id of
	// the request, which finds the body there. All hops of a redirect have the same key, and only
	// the last one has a body.
	Session, Key string

	Frame      string // id of the frame; "" for a request of a worker
	Document   string // loader id of the document that sent it, or of the coming document if Navigation is set; "" for a request of a worker
	Navigation bool   // the request is for a document itself

	Method    string
	URL       string
	Type      string // the type in Playwright's words: document, script, fetch, xhr, image …
	Headers   Headers
	Raw       bool   // Headers has all headers that were sent, including Cookie; otherwise only those that the page has set
	Body      string // the body of the request, if it is short and came with the event
	HasBody   bool   // the request has a body
	Initiator Initiator

	At   time.Time
	Sent float64

	RedirectedFrom, RedirectedTo string // ids of requests

	Response Response // Status 0: none, or not yet

	Ended     float64 // when the body was complete or the request failed; 0: neither has happened yet
	Failure   string  // Chromium's error, such as net::ERR_CONNECTION_REFUSED; "": it has not failed
	Reason    string  // more about the failure: why CORS, CSP or another rule has blocked it
	Canceled  bool    // the page or a navigation has cancelled the request
	FromCache bool    // the request was answered from the renderer's memory cache; for the disk cache see Response
	Received  int64   // bytes on the wire, headers included; 0 until the response is complete
	Length    int64   // bytes of the body, decompressed; 0 until the request has ended
	Frames    Frames  // counts of a WebSocket's frames

	bytes int // see [list]
}

// WebSocket is the type of a request that opens a WebSocket. If the server has accepted, the
// response has the status 101. The request ends when the WebSocket is closed.
const WebSocket = "websocket"

// Frames counts the frames that a WebSocket has sent and received so far. If they come too fast,
// some are not counted.
type Frames struct{ Sent, Received int }

// A Response is the response of a server to one request.
type Response struct {
	Status      int
	StatusText  string
	Headers     Headers
	Raw         bool // Headers has all headers that were received, including Set-Cookie; otherwise some are missing
	MIMEType    string
	Protocol    string // Chromium's name: http/1.1, h2, h3, data, blob
	RemoteIP    string
	RemotePort  int
	HeaderBytes int64   // size of the headers on the wire; 0: not known
	FromDisk    bool    // the response came from the cache on disk
	FromWorker  bool    // the response came from a service worker
	Received    float64 // when the headers of the response came, in seconds on the monotonic clock
	Timing      *Timing // nil if it is not known; what it points to is never changed
}

// Timing has the moments of a request, in milliseconds since Requested. A moment that did not occur
// is -1, such as those of DNS for an open connection. The fields correspond to those of
// Network.ResourceTiming.
type Timing struct {
	Requested                float64 // seconds on the monotonic clock
	DNSStart, DNSEnd         float64
	ConnectStart, ConnectEnd float64
	SSLStart, SSLEnd         float64
	SendStart, SendEnd       float64
	HeadersEnd               float64
}

// An Initiator says why the page has sent a request.
type Initiator struct {
	Type     string // parser, script, preload, preflight, other
	Location Location
	Stack    []Call // call stack of a script, innermost first; at most maxCalls
}

// A Call is a call on the stack of a script.
type Call struct {
	Function string
	Location Location
}

// These limit what is kept of one request. Chromium sends headers of 256 KB and more.
const (
	maxCalls     = 8
	maxURL       = 16 << 10
	maxHeader    = 8 << 10 // characters of one value
	maxHeaders   = 100
	maxBody      = 16 << 10
	maxFailure   = 200
	maxWord      = 200      // characters of a method, a type and the like
	maxHead      = 64 << 10 // bytes of all headers together
	requestBytes = 640      // about how many bytes a request takes besides its texts
)

// Update copies all fields of the same request in another journal, except the ids: they differ
// between journals.
func (r *Request) Update(from Request) {
	from.ID, from.RedirectedFrom, from.RedirectedTo, from.bytes = r.ID, r.RedirectedFrom, r.RedirectedTo, r.bytes
	*r = from
}

// OK reports whether the request has succeeded: it has a successful status, and has not failed.
func (r Request) OK() bool {
	if r.Type == WebSocket {
		return r.Failure == "" && r.Response.Status == 101
	}
	return r.Failure == "" && r.Response.Status >= 200 && r.Response.Status < 300
}

// WallTime converts a moment on the monotonic clock to wall-clock time.
func (r Request) WallTime(monotonic float64) time.Time {
	return r.At.Add(time.Duration((monotonic - r.Sent) * float64(time.Second)))
}

// Headers is a list of headers. A name may occur several times.
type Headers []Header

// A Header is one header of a request or response.
type Header struct{ Name, Value string }

// Get returns the values of the headers with a name, joined by newlines as in Chromium. Case does
// not matter.
func (h Headers) Get(name string) string {
	var values []string
	for _, each := range h {
		if strings.EqualFold(each.Name, name) {
			values = append(values, each.Value)
		}
	}
	return strings.Join(values, "\n")
}

func (h Headers) size() (n int) {
	for _, each := range h {
		n += 32 + len(each.Name) + len(each.Value)
	}
	return n
}

// Shorten returns the headers, cut to the limits for one request. If it must cut, it copies them:
// others may use the same slice.
func (h Headers) Shorten() Headers {
	long := func(each Header) bool { return len(each.Value) > maxHeader || len(each.Name) > maxText }
	if len(h) <= maxHeaders && h.size() <= maxHead && !slices.ContainsFunc(h, long) {
		return h
	}
	short := slices.Clone(h[:min(len(h), maxHeaders)])
	left := maxHead
	for i := range short {
		short[i].Name, _ = cut(short[i].Name, maxText, 0)
		short[i].Value, _ = cut(short[i].Value, maxHeader, 0)
		if left -= short[i : i+1].size(); left < 0 {
			return short[:i]
		}
	}
	return short
}

// shorten cuts the texts and lists that a page can make as long as it likes.
func (r *Request) shorten() {
	r.URL, _ = cut(r.URL, maxURL, 0)
	r.Headers, r.Response.Headers = r.Headers.Shorten(), r.Response.Headers.Shorten()
	r.Body, _ = cut(r.Body, maxBody, 0)
	r.Failure, _ = cut(r.Failure, maxFailure, 0)
	r.Reason, _ = cut(r.Reason, maxFailure, 0)
	for _, word := range []*string{
		&r.Method, &r.Type, &r.Response.StatusText, &r.Response.MIMEType, &r.Response.Protocol,
	} {
		*word, _ = cut(*word, maxWord, 0)
	}
	r.Initiator.shorten()
}

// shorten cuts long texts in the stack. If it must cut, it copies the stack: others may use the
// same slice.
func (i *Initiator) shorten() {
	i.Location.shorten()
	i.Stack = i.Stack[:min(len(i.Stack), maxCalls)]
	long := func(c Call) bool { return len(c.Function) > maxWord || len(c.Location.URL) > maxText }
	if !slices.ContainsFunc(i.Stack, long) {
		return
	}
	i.Stack = slices.Clone(i.Stack)
	for n := range i.Stack {
		i.Stack[n].Function, _ = cut(i.Stack[n].Function, maxWord, 0)
		i.Stack[n].Location.shorten()
	}
}

func (r *Request) size() int {
	n := requestBytes + len(r.URL) + r.Headers.size() + r.Response.Headers.size() + len(r.Body) + len(r.Initiator.Location.URL)
	for _, call := range r.Initiator.Stack {
		n += 48 + len(call.Function) + len(call.Location.URL)
	}
	return n
}

func (r *Request) counted() *int { return &r.bytes }
