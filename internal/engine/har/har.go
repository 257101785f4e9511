// Package har writes requests as an HTTP Archive (HAR), version 1.2, in which browsers and proxies
// exchange records of network traffic. See http://www.softwareishard.com/blog/har-12-spec/. Fields
// whose names begin with _ are additions of Playwright and Chromium, which the format allows.
//
// Fields that the format requires are written even if they are empty, and lists are never null. A
// size of -1 is unknown. A time of -1 means that this step did not take place, such as the DNS
// lookup for a connection that was already open.
//
// The package only reads what a [journal.Journal] has recorded. A journal has no bodies of
// responses, so an archive has none.
package har

import (
	"fmt"
	"slices"
	"time"

	"chela/internal/engine/journal"
)

// A File is a whole archive: JSON in UTF-8 with log as its only field.
type File struct {
	Log Log `json:"log"`
}

// A Log is the content of an archive. The format allows a log without pages.
type Log struct {
	Version string  `json:"version"`
	Creator Program `json:"creator"`
	Browser Program `json:"browser,omitzero"`
	Pages   []Page  `json:"pages"`
	Entries []Entry `json:"entries"`
	Comment string  `json:"comment,omitempty"`
}

// A Program is the browser that sent the requests, or the program that wrote the archive.
type Program struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// A Page is a document that a tab has shown. A journal has no titles and no load times. So the
// title, which the format requires, is the address, and pageTimings is empty.
type Page struct {
	Started string   `json:"startedDateTime"`
	ID      string   `json:"id"`
	Title   string   `json:"title"`
	Timings struct{} `json:"pageTimings"`
}

// An Entry is one request with its response. Each hop of a redirect is an entry of its own. As the
// format requires, its time is the sum of its timings. The field Cache is always empty: nothing is
// known about the browser's cache.
type Entry struct {
	Page         string   `json:"pageref,omitempty"`
	Started      string   `json:"startedDateTime"`
	Time         float64  `json:"time"` // milliseconds
	Request      Request  `json:"request"`
	Response     Response `json:"response"`
	Cache        struct{} `json:"cache"`
	Timings      Timings  `json:"timings"`
	ServerIP     string   `json:"serverIPAddress,omitempty"`
	ServerPort   int      `json:"_serverPort,omitempty"`
	Frame        string   `json:"_frameref,omitempty"`
	ResourceType string   `json:"_resourceType,omitempty"`
	Aborted      bool     `json:"_wasAborted,omitempty"`
	Monotonic    float64  `json:"_monotonicTime,omitempty"` // time of the entry, in milliseconds by the clock of the trace; 0 outside of a trace
	Comment      string   `json:"comment,omitempty"`
}

// A Request is a request as it was sent. Sizes are in bytes; -1 is not known.
type Request struct {
	Method      string    `json:"method"`
	URL         string    `json:"url"`
	HTTPVersion string    `json:"httpVersion"`
	Cookies     []Cookie  `json:"cookies"`
	Headers     []Pair    `json:"headers"`
	Query       []Pair    `json:"queryString"`
	PostData    *PostData `json:"postData,omitempty"`
	HeadersSize int64     `json:"headersSize"`
	BodySize    int64     `json:"bodySize"`
}

// A Response is the response to a request; its status is 0 if there was none. HeadersSize and
// BodySize are bytes on the wire, before decompression. TransferSize is the sum. Each is -1 if it
// is not known.
type Response struct {
	Status       int      `json:"status"`
	StatusText   string   `json:"statusText"`
	HTTPVersion  string   `json:"httpVersion"`
	Cookies      []Cookie `json:"cookies"`
	Headers      []Pair   `json:"headers"`
	Content      Content  `json:"content"`
	RedirectURL  string   `json:"redirectURL"`
	HeadersSize  int64    `json:"headersSize"`
	BodySize     int64    `json:"bodySize"`
	TransferSize int64    `json:"_transferSize"`
	Failure      string   `json:"_failureText,omitempty"`
}

// A Pair is a header, or a parameter of a query.
type Pair struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// PostData is the body of a request. The format has either the text or, for a form, its fields;
// this is the text.
type PostData struct {
	MIMEType string `json:"mimeType"`
	Text     string `json:"text"`
}

// A Content is the body of a response.
type Content struct {
	Size     int64  `json:"size"` // bytes after decompression
	MIMEType string `json:"mimeType"`
	File     string `json:"_file,omitempty"` // in a trace, the name of the file with the body
}

// Options say what an archive contains.
type Options struct {
	Version string   // version of chela
	Browser string   // name and version, as Chrome/156.0.1.2
	Main    []string // ids that the tab's main frame has had: a tab that is opened again gets a new one. The frame's documents are the pages of the archive
	Dropped int      // how many requests the journal has dropped
	Secrets bool     // also write credentials and cookies
}

// Of returns the archive of requests, which must be in the order in which they were sent. A page
// begins with the first request for a document of the main frame. The hops of a redirect have the
// same loader id, and so the same page.
func Of(requests []journal.Request, o Options) File {
	log := Log{Version: "1.2", Creator: Program{"chela", o.Version}, Browser: program(o.Browser), Pages: []Page{}, Entries: []Entry{}}
	if o.Dropped > 0 {
		log.Comment = fmt.Sprintf("%d earlier requests were not kept", o.Dropped)
	}
	var documents []string // loader ids of the pages
	for _, r := range requests {
		if r.Navigation && slices.Contains(o.Main, r.Frame) && !slices.Contains(documents, r.Document) {
			documents = append(documents, r.Document)
			log.Pages = append(log.Pages, Page{Started: stamp(r.At), ID: fmt.Sprintf("page_%d", len(documents)), Title: address(r, o.Secrets)})
		}
		entry := EntryOf(r, o.Secrets)
		if n := pageOf(r, documents); n > 0 {
			entry.Page = fmt.Sprintf("page_%d", n)
		}
		log.Entries = append(log.Entries, entry)
	}
	return File{log}
}

// pageOf returns the number of the page that a request belongs to, from 1; 0: none. Requests of
// frames and workers belong to the page that the tab showed when they were sent.
func pageOf(r journal.Request, documents []string) int {
	if i := slices.Index(documents, r.Document); i >= 0 && r.Document != "" {
		return i + 1
	}
	return len(documents)
}

// EntryOf returns the entry of a request. If secrets is false, credentials and the values of
// cookies are replaced.
func EntryOf(r journal.Request, secrets bool) Entry {
	if !secrets {
		r = r.WithoutSecrets()
	}
	e := Entry{
		Started: stamp(r.At), Request: requestOf(r), Response: responseOf(r), Timings: timingsOf(r),
		ServerIP: serverIP(r.Response.RemoteIP), ServerPort: r.Response.RemotePort,
		Frame: r.Frame, ResourceType: r.Type, Aborted: r.Canceled, Comment: r.Reason,
	}
	if r.Type == journal.WebSocket && r.Reason == "" {
		e.Comment = fmt.Sprintf("%d frames sent, %d received", r.Frames.Sent, r.Frames.Received)
	}
	e.Time = e.Timings.sum()
	return e
}

// stamp formats a time as the format requires: ISO 8601, in UTC and with milliseconds.
func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }
