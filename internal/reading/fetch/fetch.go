// Package fetch gets a document by HTTP, without a browser. It connects by a [proxy.Dialer], so
// that the network policy holds as it does for browsers, at every redirect.
//
// Each call is independent. There are no cookies, no cache, no referer and no logins. Connections
// are not used again, and the proxies of the environment are ignored.
package fetch

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"path"
	"strings"
	"time"

	"chela/internal/base/weburl"
	"chela/internal/wall/guard"
	"chela/internal/wall/proxy"
)

// Limits of what is fetched.
const (
	MaxBody      = 4 << 20  // bytes of a document, decompressed; the rest is not read
	MaxPDF       = 32 << 20 // bytes of a PDF, which cannot be read in part
	maxRedirects = 10
	maxHeader    = 256 << 10 // bytes; Chromium's limit
	sniffed      = 512       // bytes from which the type of a document is guessed (MIME sniffing)
)

// Time limits for the steps of a fetch. The context limits the whole fetch.
const (
	connectTime = 10 * time.Second // limit for the connection, and again for TLS
	answerTime  = 10 * time.Second // limit until the header of the answer
)

// agent is the User-Agent, which says that a program asks. If it named a browser, servers would
// expect scripts to run. For servers that refuse it, the page can be rendered instead.
const agent = "Mozilla/5.0 (compatible; chela)"

// A Document is what a server has sent.
type Document struct {
	URL      string // the last address, after redirects
	Status   int
	Kind     Kind
	Type     string // type that the server has declared, or a guess: text/html
	Charset  string // character set that the server has declared, or ""
	Name     string // name of the file: the last part of the URL's path; "" if it has none
	Body     []byte // nil if Kind is Other
	Cut      bool   // the document is longer than Body
	Partial  bool   // the connection or the time ended before the whole document had come
	OverHTTP bool   // the document came over http, because the server refused https
}

// Succeeded reports whether the status means success.
func (d *Document) Succeeded() bool {
	return d.Status >= http.StatusOK && d.Status < http.StatusMultipleChoices
}

// ErrEncoding says that the body is compressed in a way that was not asked for.
var ErrEncoding = errors.New("the answer is compressed in a way that was not asked for")

// ErrSlow says that no document came in time.
var ErrSlow = errors.New("the server did not answer in time")

// A Destination is an address to fetch.
type Destination struct {
	URL    string // the address as [guard.CheckURL] has returned it
	OrHTTP bool   // use http if https is refused there
}

// Get fetches a document. A response with a status such as 404 is no error. Errors are an [*Error],
// a [*guard.BlockedURL] of a redirect, [ErrEncoding], [ErrSlow], and the cause of ctx, which must
// have a deadline.
//
// The last quarter of the time is reserved for parsing the document. What has not arrived before
// that is left out.
func Get(ctx context.Context, dial *proxy.Dialer, to Destination) (*Document, error) {
	deadline, _ := ctx.Deadline()
	fetching, cancel := context.WithDeadline(ctx, deadline.Add(-time.Until(deadline)/readShare))
	defer cancel()
	f := newFetcher(dial)
	defer f.transport.CloseIdleConnections()
	doc, err := f.get(fetching, to.URL)
	if failed, ok := errors.AsType[*Error](err); ok && to.OrHTTP && failed.refusedTLS(to.URL) {
		doc, err = f.get(fetching, "http"+strings.TrimPrefix(to.URL, "https"))
		if doc != nil {
			doc.OverHTTP = true
		} else if again, ok := errors.AsType[*Error](err); ok {
			again.Both = true
		}
	}
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case doc == nil && fetching.Err() != nil:
		return nil, fmt.Errorf("%w: %w", ErrSlow, context.DeadlineExceeded)
	}
	if refused := dial.Allowed(); refused != nil { // the policy has changed during the fetch
		return nil, &Error{URL: to.URL, Err: refused}
	}
	return doc, err
}

// readShare sets how much of the time is reserved for parsing the document: one part of four.
const readShare = 4

// A fetcher is the client of one call.
type fetcher struct{ transport *http.Transport }

func newFetcher(dial *proxy.Dialer) *fetcher {
	return &fetcher{&http.Transport{
		DialContext:            dial.Dial,
		TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12},
		TLSHandshakeTimeout:    connectTime,
		ResponseHeaderTimeout:  answerTime,
		MaxResponseHeaderBytes: maxHeader,
		ForceAttemptHTTP2:      true,
	}}
}

// get fetches a document, and follows redirects.
func (f *fetcher) get(ctx context.Context, rawURL string) (*Document, error) {
	for range maxRedirects + 1 {
		res, err := f.ask(ctx, rawURL)
		if err != nil {
			return nil, err
		}
		next, err := redirect(res)
		if next == "" && err == nil {
			return read(res)
		}
		res.Body.Close()
		if err != nil {
			return nil, err
		}
		rawURL = next
	}
	return nil, &Error{URL: rawURL, Err: errRedirects}
}

// ask sends the request for a URL, and returns the header of the response.
func (f *fetcher) ask(ctx context.Context, rawURL string) (*http.Response, error) {
	u, err := parse(rawURL)
	if err != nil {
		return nil, &Error{URL: rawURL, Err: err}
	}
	request := (&http.Request{Method: http.MethodGet, URL: u, Host: u.Host, Header: header()}).WithContext(ctx)
	res, err := f.transport.RoundTrip(request)
	if err != nil {
		return nil, &Error{URL: rawURL, Err: err}
	}
	return res, nil
}

// header returns the header of a request. The transport adds Accept-Encoding and decompresses gzip.
func header() http.Header {
	return http.Header{
		"User-Agent":      {agent},
		"Accept":          {"text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"},
		"Accept-Language": {"en-US,en;q=0.9"},
	}
}

// redirect returns the address that a response redirects to; "" if it is not a redirect. The error
// is a [*guard.BlockedURL].
func redirect(res *http.Response) (string, error) {
	switch res.StatusCode {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
	default:
		return "", nil
	}
	to := res.Header.Get("Location")
	if to == "" {
		return "", nil
	}
	if next, err := weburl.Resolve(res.Request.URL, to); err == nil {
		to = next.String()
	}
	return guard.CheckURL(to)
}

// parse parses a URL as browsers do. They accept URLs that Go refuses.
func parse(rawURL string) (*url.URL, error) {
	u, err := url.Parse(weburl.Escape(guard.InASCII(rawURL)))
	if err != nil {
		return nil, err
	}
	u.Fragment, u.RawFragment = "", ""
	if u.Path == "" {
		u.Path = "/"
	}
	return u.ResolveReference(u), nil // without the dots of /a/../b
}

// read reads the answer of a server.
func read(res *http.Response) (*Document, error) {
	defer res.Body.Close()
	declared, params, _ := mime.ParseMediaType(res.Header.Get("Content-Type"))
	d := &Document{
		URL: res.Request.URL.String(), Status: res.StatusCode, Type: declared, Charset: params["charset"],
		Name: baseName(res.Request.URL),
	}
	if e := strings.ToLower(res.Header.Get("Content-Encoding")); e != "" && e != "identity" {
		return nil, ErrEncoding
	}
	beginning := make([]byte, sniffed)
	n, _ := io.ReadFull(res.Body, beginning) // an error of reading comes again below
	beginning = beginning[:n]
	d.Type, d.Kind = typeOf(declared, d.Charset, beginning)
	most := int64(MaxBody)
	switch d.Kind {
	case Other:
		return d, nil
	case PDF:
		most = MaxPDF
	}
	var err error
	d.Body, err = readAll(io.LimitReader(io.MultiReader(bytes.NewReader(beginning), res.Body), most+1), min(res.ContentLength, most))
	if d.Cut = int64(len(d.Body)) > most; d.Cut {
		d.Body = d.Body[:most]
	}
	return d.ended(err)
}

// readAll is [io.ReadAll] for a body with a declared size in bytes; -1 means that the size is not
// known. With a known size it allocates once. A buffer that grows to 4 MB would leave 15 MB of
// garbage.
func readAll(r io.Reader, size int64) ([]byte, error) {
	var body bytes.Buffer
	body.Grow(int(max(0, size)) + bytes.MinRead + 1)
	_, err := body.ReadFrom(r)
	return body.Bytes(), err
}

// ended returns the document after its body has ended. If the connection or the time was over
// early, the part of the body that has come is kept, and Partial is set. If nothing has come, ended
// returns the error.
func (d *Document) ended(err error) (*Document, error) {
	if err != nil && len(d.Body) == 0 {
		return nil, &Error{URL: d.URL, Err: err}
	}
	d.Partial = err != nil
	return d, nil
}

// baseName returns the last part of a URL's path.
func baseName(u *url.URL) string {
	if strings.HasSuffix(u.Path, "/") {
		return ""
	}
	return path.Base(u.Path)
}
