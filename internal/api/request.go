package api

import (
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"math"
	"net"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"chela/internal/api/call"
	"chela/internal/api/words"
	"chela/internal/engine/journal"
	"chela/internal/engine/observe"
	"chela/internal/engine/page"
	"chela/internal/op"
	"chela/internal/wall/excerpt"
)

// A requestRequest asks for one request. By default, its answer has fewer characters of the body
// than an answer of responsebody has. It is for a reader, while responsebody is for programs that
// need the data.
type requestRequest struct {
	call.On
	ID       string `json:"id" doc:"id of the request, from the list: r12"`
	MaxChars int    `json:"maxChars,omitempty" min:"1" default:"20000" doc:"how many characters of the body to show, at most" tool:"-"`
	Secrets  bool   `json:"secrets,omitempty" doc:"also show cookies, authorization, and values whose names suggest a secret" tool:"-" reveals:"true"`
}

// requestResult is one request.
type requestResult struct {
	watched
	Request requestDetail `json:"request" doc:"the request"`
}

// requestDetail is what is known of a request.
type requestDetail struct {
	listedRequest
	StatusText      op.PageText `json:"statusText,omitempty" doc:"reason phrase that the server has sent with the status"`
	RequestHeaders  []header    `json:"requestHeaders" doc:"headers that were sent"`
	ResponseHeaders []header    `json:"responseHeaders" doc:"headers of the answer"`
	PostData        op.PageText `json:"postData,omitempty" doc:"body of the request" tool:"document"`
	MIMEType        op.PageText `json:"mimeType,omitempty" doc:"type of the answer"`
	Protocol        string      `json:"protocol,omitempty" doc:"http/1.1, h2, h3 …"`
	RemoteAddress   string      `json:"remoteAddress,omitempty" doc:"address and port of the server, or of the proxy in front of it"`
	FromCache       bool        `json:"fromCache,omitempty" doc:"the browser's cache has answered it"`
	FromWorker      bool        `json:"fromServiceWorker,omitempty" doc:"a service worker has answered it"`
	RedirectedFrom  string      `json:"redirectedFrom,omitempty" doc:"id of the request that was redirected to this one"`
	RedirectedTo    string      `json:"redirectedTo,omitempty" doc:"id of the request that this one was redirected to"`
	Initiator       initiator   `json:"initiator" doc:"what made the page send the request"`
	Timing          *timing     `json:"timing,omitempty" doc:"how long the parts of the request took, in milliseconds"`
	Received        int64       `json:"transferSize,omitempty" doc:"bytes of the answer on the network, with headers"`
	Length          int64       `json:"bodySize,omitempty" doc:"bytes of the body, decompressed"`
	answerBody
}

// header is one line of a header.
type header struct {
	Name  op.PageText `json:"name" doc:"name of the header"`
	Value op.PageText `json:"value" doc:"value of the header"`
}

// answerBody is the body of a response, or why it is not available.
type answerBody struct {
	Body      op.PageText `json:"body" doc:"body of the answer" tool:"document"`
	Base64    bool        `json:"base64Encoded,omitempty" doc:"the body is not text, so it is encoded in base64"`
	Truncated bool        `json:"truncated,omitempty" doc:"the body has more characters"`
	Missing   string      `json:"bodyMissing,omitempty" doc:"why there is no body"`
}

// initiator is what made the page send a request.
type initiator struct {
	Type  string        `json:"type" doc:"parser, script, preload, preflight, other"`
	URL   op.PageText   `json:"url,omitempty" doc:"address of the document or script that caused the request"`
	Line  int           `json:"lineNumber,omitempty" doc:"line of the document or script, from 0"`
	Stack []op.PageText `json:"stack,omitempty" doc:"functions on the stack when the request was sent, the innermost first"`
}

// initiatorOf writes calls as JavaScript writes stacks. There lines and columns count from 1;
// in the protocol, and in lineNumber, they count from 0.
func initiatorOf(i journal.Initiator) initiator {
	out := initiator{Type: i.Type, URL: op.PageText(i.Location.URL), Line: i.Location.Line}
	for _, call := range i.Stack {
		out.Stack = append(out.Stack, op.PageText(fmt.Sprintf("%s (%s:%d:%d)",
			call.Function, call.Location.URL, call.Location.Line+1, call.Location.Column+1)))
	}
	return out
}

// timing says how long the parts of a request took, in milliseconds. A part that was not
// needed is absent.
type timing struct {
	Queued  float64 `json:"queuedMs,omitempty" doc:"waiting before the DNS lookup and the connection"`
	DNS     float64 `json:"dnsMs,omitempty" doc:"looking up the name of the server (DNS)"`
	Connect float64 `json:"connectMs,omitempty" doc:"connecting, TLS included"`
	TLS     float64 `json:"tlsMs,omitempty" doc:"TLS handshake"`
	Send    float64 `json:"sendMs,omitempty" doc:"sending the request"`
	Wait    float64 `json:"waitMs,omitempty" doc:"waiting for the first byte of the answer"`
	Receive float64 `json:"receiveMs,omitempty" doc:"receiving the answer"`
	Total   float64 `json:"totalMs,omitempty" doc:"all of it, from the request to the end of the answer"`
}

// timingOf computes durations from the moments that Chromium reports. The first moment is when a
// connection was looked for; the request may have waited before that. For example, browsers open
// six connections to a server at once, and further requests wait.
func timingOf(r journal.Request) *timing {
	var out timing
	if t := r.Response.Timing; t != nil {
		out = timing{
			// Sent, Requested and Ended are in seconds, all the others in milliseconds since
			// Requested.
			Queued: (t.Requested - r.Sent) * 1000,
			DNS:    part(t.DNSStart, t.DNSEnd), Connect: part(t.ConnectStart, t.ConnectEnd), TLS: part(t.SSLStart, t.SSLEnd),
			Send: part(t.SendStart, t.SendEnd), Wait: part(t.SendEnd, t.HeadersEnd),
		}
		if r.Ended > 0 {
			out.Receive = max(0, (r.Ended-t.Requested)*1000-t.HeadersEnd)
		}
	}
	if r.Ended > 0 {
		out.Total = (r.Ended - r.Sent) * 1000
	}
	if out == (timing{}) {
		return nil
	}
	for _, ms := range []*float64{&out.Queued, &out.DNS, &out.Connect, &out.TLS, &out.Send, &out.Wait, &out.Receive, &out.Total} {
		*ms = max(0, math.Round(*ms*1000)/1000) // no more digits than the clock has
	}
	return &out
}

// part returns the time between two moments, in milliseconds. A moment of -1 has not come: then the
// result is 0, which is left out of the answer.
func part(from, to float64) float64 {
	if from < 0 || to < 0 {
		return 0
	}
	return to - from
}

// request returns one request. Chromium is asked for the body of the response. If it does not return
// the body, that is not an error, since the rest is still worth reading. The body of the request is in
// the event log if it is short; otherwise Chromium is asked for it.
func request(ctx context.Context, s *call.Service, r requestRequest) (requestResult, error) {
	tab, w, err := journalOf(ctx, s, r.On)
	if err != nil {
		return requestResult{}, err
	}
	full, ok := tab.Journal().Request(r.ID)
	if !ok {
		return requestResult{}, op.Errorf(op.NotFound, "no request %q is recorded", r.ID).
			Hinted("list the requests: only the newest are kept, and ids stay the same")
	}
	p, chars := tab.Page(), cmp.Or(r.MaxChars, 20_000)
	detail := detailOf(full, r.Secrets)
	err = p.Watch(ctx, func(ctx context.Context) error {
		ctx, cancel := context.WithTimeout(ctx, bodyTime)
		defer cancel()
		if full.HasBody && full.Body == "" {
			if sent, err := p.PostData(ctx, full); err == nil {
				full.Body = string(sent)
				detail.PostData = op.PageText(beginning(string(detailOf(full, r.Secrets).PostData), chars))
			}
		}
		detail.answerBody, err = bodyOf(ctx, p, full, chars)
		return err
	})
	if why := withheld(err); why != "" {
		detail.answerBody, err = answerBody{Missing: why}, nil
	}
	return requestResult{w, detail}, err
}

// bodyTime is how long Chromium may take to return the bodies of a request. The process of the page
// has them, and does not answer while a script keeps it busy.
const bodyTime = 3 * time.Second

// withheld returns why the page cannot return a body now. It returns "" for any other error.
func withheld(err error) string {
	_, asks := errors.AsType[*page.DialogOpen](err)
	switch {
	case asks:
		return "a dialog of the page is open: answer it first"
	case errors.Is(err, page.ErrStopped):
		return "all agents are stopped"
	case errors.Is(err, page.ErrCrashed):
		return "the page has crashed"
	case errors.Is(err, page.ErrFrameCrashed):
		return "the frame of the request has crashed"
	case errors.Is(err, page.ErrBusy):
		return fmt.Sprintf("it did not come in %v: the page may be busy", bodyTime)
	}
	return ""
}

// detailOf converts a request of the event log. Times and ids are shown in any case; credentials
// and the like only if secrets are asked for.
func detailOf(r journal.Request, secrets bool) requestDetail {
	d := requestDetail{listedRequest: listed(r)}
	if !secrets {
		r = r.WithoutSecrets()
	}
	// The URL in the list is cut, and has no password even if secrets are asked for.
	d.URL = words.Shown(r.URL)
	d.StatusText, d.RequestHeaders, d.ResponseHeaders = op.PageText(r.Response.StatusText), headersOf(r.Headers), headersOf(r.Response.Headers)
	d.PostData, d.MIMEType, d.Protocol = op.PageText(r.Body), op.PageText(r.Response.MIMEType), r.Response.Protocol
	if r.Response.RemoteIP != "" {
		d.RemoteAddress = net.JoinHostPort(r.Response.RemoteIP, strconv.Itoa(r.Response.RemotePort))
	}
	d.FromCache, d.FromWorker = r.FromCache || r.Response.FromDisk, r.Response.FromWorker
	d.RedirectedFrom, d.RedirectedTo = r.RedirectedFrom, r.RedirectedTo
	d.Initiator, d.Timing, d.Received, d.Length = initiatorOf(r.Initiator), timingOf(r), r.Received, r.Length
	return d
}

// headersOf writes headers in the order in which Chromium has reported them. A name may occur
// several times. It is never nil, so that a request without headers has a list in JSON and not
// null.
func headersOf(h journal.Headers) []header {
	list := make([]header, len(h))
	for i, each := range h {
		list[i] = header{op.PageText(each.Name), op.PageText(each.Value)}
	}
	return list
}

// bodyOf returns the body of an answer, or why there is none. The error is one of the page or the
// browser. If Chromium does not keep the body any more, that is a reason, and not an error.
func bodyOf(ctx context.Context, p *page.Page, r journal.Request, chars int) (answerBody, error) {
	switch {
	case r.Type == journal.WebSocket:
		return answerBody{Missing: "a WebSocket has frames instead, which are counted and not kept"}, nil
	case r.RedirectedTo != "":
		return answerBody{Missing: "it was a redirect"}, nil
	case r.Response.Status == 0:
		return answerBody{Missing: "there is no answer"}, nil
	case r.Ended == 0:
		return answerBody{Missing: "it has not arrived yet"}, nil
	}
	raw, text, err := p.Body(ctx, r)
	if large, ok := errors.AsType[*observe.LargeBodyError](err); ok {
		return answerBody{Missing: fmt.Sprintf("it has more than the %d bytes that the browser keeps", large.Most)}, nil
	}
	if errors.Is(err, observe.ErrBodyGone) {
		return answerBody{Missing: "the browser does not keep it any more"}, nil
	}
	if err != nil {
		return answerBody{}, err
	}
	return written(raw, text, chars), nil
}

// maxBodyChars is the maximum of characters of a body. A larger maxChars is reduced to it. OpenClaw
// has the same maximum for response/body.
const maxBodyChars = 5_000_000

// written returns the beginning of a body, with at most chars characters: as text, or in base64 if
// it is not text. Chromium decides by the Content-Type whether a body is text. A body that can be
// read as UTF-8, such as JSON with a wrong type, is also shown as text.
func written(raw []byte, text bool, chars int) (b answerBody) {
	chars = min(chars, maxBodyChars)
	whole := string(raw)
	if b.Base64 = !text && !utf8.Valid(raw); b.Base64 {
		whole = base64.StdEncoding.EncodeToString(raw)
		chars = chars / 4 * 4 // four characters are three bytes
	}
	first, rest := excerpt.First(whole, chars)
	b.Body, b.Truncated = op.PageText(first), rest > 0
	return b
}

// Text returns the request and its response in lines. Headers and bodies are in the order in which
// HTTP sends them.
func (r requestResult) Text() string {
	d := r.Request
	out := []string{
		fmt.Sprintf("%s %s %s", d.ID, d.Type, d.said()),
		words.Prefixed("redirected from ", d.RedirectedFrom), words.Prefixed("redirected to ", d.RedirectedTo),
		"sent at " + d.Timestamp + words.Prefixed(" to ", d.RemoteAddress) + words.Prefixed(" by ", d.Protocol) + d.Timing.said(),
		strings.TrimSpace("initiator: " + d.Initiator.Type + " " + string(d.Initiator.URL)),
	}
	for _, call := range d.Initiator.Stack {
		out = append(out, "    at "+string(call))
	}
	out = append(out, section("request headers:", d.RequestHeaders), words.Prefixed("sent body:\n", string(d.PostData)))
	out = append(out, section("response headers:", d.ResponseHeaders))
	switch {
	case d.Missing != "":
		out = append(out, "body: "+d.Missing)
	case d.Base64:
		out = append(out, "body in base64:\n"+string(d.Body))
	default:
		out = append(out, words.Prefixed("body:\n", string(d.Body)))
	}
	if d.Truncated {
		out = append(out, "[the body is longer: give a larger maxChars]")
	}
	return words.Lines(out...)
}

// said returns the total time in words, for the end of a sentence; "" for a request that has not
// ended.
func (t *timing) said() string {
	if t == nil || t.Total == 0 {
		return ""
	}
	return fmt.Sprintf(", took %.0f ms", t.Total)
}

// section returns a list of headers with a title.
func section(title string, headers []header) string {
	if len(headers) == 0 {
		return ""
	}
	out := []string{title}
	for _, each := range headers {
		out = append(out, fmt.Sprintf("    %s: %s", each.Name, each.Value))
	}
	return strings.Join(out, "\n")
}
