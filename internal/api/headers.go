package api

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"chela/internal/api/call"
	"chela/internal/api/words"
	"chela/internal/base/lazyregexp"
	"chela/internal/base/sitedata"
	"chela/internal/engine/journal"
	"chela/internal/engine/setting"
	"chela/internal/op"
)

// originRows returns the operations that add headers or passwords to requests to some origins.
// These mostly hold logins, so agents do not get the operations.
func originRows() []*op.Op {
	return []*op.Op{
		op.Define("POST /set/headers", "set headers {headers}",
			"Add headers to all requests to the origin of the tab, or to other origins. {} removes them. "+
				"While the tab shows no site, this is done for the first origin that the session opens.",
			setHeaders, brief, op.Example(`'{"X-Debug": "1"}'`), op.NotForAgents),
		op.Define("POST /set/credentials", "set credentials {username?} {password?}",
			"Set the name and password for HTTP authentication (401) at the origin of the tab, or at other origins. "+
				"While the tab shows no site, this is done for the first origin that the session opens.",
			setCredentials, brief, op.Example("Ada lovelace"), op.NotForAgents),
	}
}

// atOrigins says for which origins a setting is. OpenClaw has no such parameter: it sends headers
// and logins to every server that a page requests anything from.
type atOrigins struct {
	call.On
	Origins []string `json:"origins,omitempty" doc:"the origins: https://example.com, or * for all. When left out: the origin of the tab; while the tab shows no site, the first one that the session opens; to clear, all"`
}

// of returns the origins that a setting is for: those of the request or, without any, the origin of
// the tab's page. Headers and passwords are not sent elsewhere unless a caller says so. While a tab
// shows no page of the web, the first origin that the session navigates to is meant. If a request
// clears the setting and names no origins, the list is empty, which stands for all. The error says
// that a given text is not an origin.
func (r atOrigins) of(ctx context.Context, t *call.Turn, clear bool) ([]setting.Origin, error) {
	origins := []setting.Origin{} // an answer has it as [], and not as null
	for _, each := range r.Origins {
		origin := setting.Origin(cmp.Or(sitedata.OriginOf(each), each))
		// The part before an @ is a user name, not a part of the origin, and could be mistaken for
		// the host.
		if origin != setting.AnyOrigin && (sitedata.OriginOf(each) == "" || strings.ContainsAny(each, "@*")) {
			return nil, op.Errorf(op.Invalid, "origin must be an http(s) origin").Hinted("such as https://example.com, or * for all")
		}
		origins = append(origins, origin)
	}
	if len(r.Origins) > 0 || clear {
		return origins, nil
	}
	return []setting.Origin{cmp.Or(setting.Origin(sitedata.OriginOf(t.Page.URL())), setting.FirstOrigin(op.Session(ctx)))}, nil
}

// maxOrigins is how many origins can have headers, or logins.
const maxOrigins = 100

// atMost returns an error if something is set for too many origins.
func atMost(n int) error {
	if n > maxOrigins {
		return op.Errorf(op.Conflict, "that is set for %d origins already", maxOrigins).Hinted("clear some, or set it for all: *")
	}
	return nil
}

// A headersRequest has headers with values of any type. A value that is not text, such as a number,
// is left out, and the other headers are still set.
type headersRequest struct {
	atOrigins
	Headers map[string]any `json:"headers" flag:"headers-json,headers" secret:"true" sealed:"*" wrong:"headers must be an object" doc:"names and values of headers; secret:NAME stands for the value of a secret; {} clears"`
}

// Check refuses headers that Chromium would refuse later, when every request with them would fail.
func (r headersRequest) Check() error {
	if r.Headers == nil {
		return nil // missing headers are refused by the rule in the tag
	}
	for _, name := range slices.Sorted(maps.Keys(r.Headers)) {
		switch r.Headers[name].(type) {
		case map[string]any, []any:
			return op.Errorf(op.Invalid, "the value of the header %s must be a string", name)
		}
	}
	texts := r.texts()
	if len(texts) == 0 && len(r.Headers) > 0 { // {} clears, which a wrong value does not mean
		return op.Errorf(op.Invalid, "no header has a text as its value").Hinted("write a number as a text, such as \"5\"; {} clears")
	}
	_, err := parseHeaders(texts, true)
	return err
}

// texts returns the headers whose values are texts. The others are left out, as in OpenClaw, and
// named in the answer.
func (r headersRequest) texts() map[string]any {
	texts := maps.Clone(r.Headers)
	maps.DeleteFunc(texts, func(_ string, value any) bool { _, ok := value.(string); return !ok })
	return texts
}

// headersSet says for which origins headers hold, since a caller that named none may not know.
type headersSet struct {
	Origins []setting.Origin `json:"origins" doc:"the origins that this was done for. first, or first:SESSION: the next origin that the session navigates to. Empty list: the headers of all origins are cleared"`
	Dropped []string         `json:"dropped,omitempty" doc:"names of headers that are not sent, because their values are not texts"`
	Cleared bool             `json:"cleared,omitempty" doc:"there are no headers any more"`
}

// Text says what was done.
func (h headersSet) Text() string {
	done := "headers set" + whereSet(h.Origins)
	if h.Cleared {
		done = "headers cleared"
	}
	return words.Lines(done, words.Prefixed("left out, as they are no texts: ", strings.Join(h.Dropped, ", ")))
}

// setHeaders replaces the headers of the given origins; other origins keep theirs. If neither
// headers nor origins are given, all headers are removed, as in OpenClaw, which knows no origins.
//
// It returns the errors of atOrigins.of and of [browser.Tab.Set], and a conflict for more than
// maxOrigins.
func setHeaders(ctx context.Context, t *call.Turn, r headersRequest) (done headersSet, err error) {
	headers := map[string]string{}
	for name, value := range r.texts() {
		headers[name] = value.(string)
	}
	for _, name := range slices.Sorted(maps.Keys(r.Headers)) {
		if _, sent := headers[name]; !sent {
			done.Dropped = append(done.Dropped, name)
		}
	}
	done.Cleared = len(headers) == 0
	if done.Origins, err = r.of(ctx, t, done.Cleared); err != nil {
		return done, err
	}
	if err := keepSecrets(ctx, t, done.Origins, slices.Collect(maps.Values(headers))...); err != nil {
		return done, err
	}
	return done, t.Tab.Set(ctx, func(c *setting.Common) error {
		c.Headers = slices.DeleteFunc(slices.Clone(c.Headers), func(h *setting.OriginHeaders) bool {
			return len(done.Origins) == 0 || slices.Contains(done.Origins, h.Origin)
		})
		for _, origin := range done.Origins {
			if !done.Cleared {
				c.Headers = append(c.Headers, &setting.OriginHeaders{Origin: origin, Headers: headers})
			}
		}
		return atMost(len(c.Headers))
	})
}

// A credentialsRequest sets a login, or removes all logins. The password may have spaces around it,
// and may be empty.
type credentialsRequest struct {
	atOrigins
	Username op.Sealed `json:"username,omitempty" doc:"name; secret:NAME stands for the value of a secret"`
	Password op.Sealed `json:"password,omitempty" verbatim:"true" secret:"true" doc:"password; secret:NAME stands for the value of a secret"`
	Clear    bool      `json:"clear,omitempty" doc:"forget names and passwords"`
}

// Check returns errors with OpenClaw's texts.
func (r credentialsRequest) Check() error {
	if r.Username == "" && !r.Clear {
		return op.Errorf(op.Invalid, "Error: username is required (or set clear=true)")
	}
	return nil
}

// credentialsSet says for which origins credentials hold.
type credentialsSet struct {
	Origins []setting.Origin `json:"origins" doc:"the origins that this was done for. first, or first:SESSION: the next origin that the session navigates to. Empty list: the credentials of all origins are cleared"`
	Cleared bool             `json:"cleared,omitempty" doc:"there are no credentials any more"`
}

// Text says what was done.
func (c credentialsSet) Text() string {
	if c.Cleared {
		return "credentials cleared"
	}
	return "credentials set" + whereSet(c.Origins)
}

// whereSet returns words for the answer if a setting is for the first origin that the session
// opens; otherwise "".
func whereSet(origins []setting.Origin) string {
	if slices.ContainsFunc(origins, setting.Origin.IsFirst) {
		return " for the first origin that the session opens"
	}
	return ""
}

// setCredentials replaces the credentials of the given origins. They are not tried: a server that
// does not accept them answers the next request with 401, which is what the tab shows.
func setCredentials(ctx context.Context, t *call.Turn, r credentialsRequest) (done credentialsSet, err error) {
	done.Cleared = r.Clear
	if !r.Clear && t.Tab.Browser().Describe().Grouped {
		return done, op.Errorf(op.NotSupported, "this browser asks its user for logins by HTTP, and the extension cannot answer").Hinted("ask the user to log in there")
	}
	if done.Origins, err = r.of(ctx, t, r.Clear); err != nil {
		return done, err
	}
	if err := keepSecrets(ctx, t, done.Origins, string(r.Username), string(r.Password)); err != nil {
		return done, err
	}
	return done, t.Tab.Set(ctx, func(c *setting.Common) error {
		c.Logins = slices.DeleteFunc(slices.Clone(c.Logins), func(l *setting.Login) bool {
			return len(done.Origins) == 0 || slices.Contains(done.Origins, l.Origin)
		})
		for _, origin := range done.Origins {
			// A Login knows which servers have asked for it. This one is new, so each server has to
			// ask for it again.
			if !r.Clear {
				c.Logins = append(c.Logins, &setting.Login{Credentials: setting.Credentials{Origin: origin, Username: string(r.Username), Password: string(r.Password)}})
			}
		}
		return atMost(len(c.Logins))
	})
}

// requestsInForce is the part of GET /set about requests: headers, logins and routes. Passwords are
// left out, and secrets in headers are replaced, because the answer may be read by a model or end
// in a log.
type requestsInForce struct {
	Headers     []originHeaders `json:"headers,omitempty" doc:"headers that are added to requests, by origin"`
	Credentials []originLogin   `json:"credentials,omitempty" doc:"user names for servers that ask for HTTP authentication, by origin"`
	Routes      int             `json:"routes,omitempty" doc:"number of routes, which the operation routes lists"`
}

// originHeaders are the headers of an origin in the list of settings.
type originHeaders struct {
	Origin  setting.Origin     `json:"origin" doc:"the origin; *: all origins; first, or first:SESSION: the origin that the session opens next"`
	Headers map[string]*string `json:"headers" doc:"the headers"`
}

// originLogin is a login without its password.
type originLogin struct {
	Origin   setting.Origin `json:"origin" doc:"the origin; *: all origins; first, or first:SESSION: the origin that the session opens next"`
	Username string         `json:"username" doc:"user name"`
}

// requestsOf returns the settings about requests.
func requestsOf(c setting.Common) (in requestsInForce) {
	for _, h := range c.Headers {
		values := map[string]*string{}
		for name, value := range h.Headers {
			values[name] = &value
		}
		in.Headers = append(in.Headers, originHeaders{h.Origin, shownHeaders(values)})
	}
	for _, l := range c.Logins {
		in.Credentials = append(in.Credentials, originLogin{l.Origin, l.Username})
	}
	for _, r := range c.Routes {
		if !r.Spent() {
			in.Routes++
		}
	}
	return in
}

// text returns the settings for requests as text for people.
func (in requestsInForce) text() string {
	var all []string
	for _, h := range in.Headers {
		all = append(all, "headers for "+string(h.Origin)+": "+strings.Join(slices.Sorted(maps.Keys(h.Headers)), ", "))
	}
	for _, l := range in.Credentials {
		all = append(all, "credentials for "+string(l.Origin)+": "+l.Username)
	}
	if in.Routes > 0 {
		all = append(all, "routes: see chela routes")
	}
	return words.Lines(all...)
}

// shownHeaders returns headers for a list, without secrets.
func shownHeaders(headers map[string]*string) map[string]*string {
	if len(headers) == 0 {
		return nil
	}
	shown := map[string]*string{}
	for name, value := range headers {
		if shown[name] = value; value != nil {
			hidden := journal.Request{Headers: journal.Headers{{Name: name, Value: *value}}}.WithoutSecrets()
			shown[name] = new(hidden.Headers[0].Value)
		}
	}
	return shown
}

// notForCallers are headers that belong to the connection. Chromium refuses a request that has
// another value for one of them than Chromium's own.
var notForCallers = []string{
	"host", "content-length", "transfer-encoding", "connection", "keep-alive", "te", "trailer", "upgrade", "cookie2",
	"proxy-authorization", "proxy-connection",
}

// parseHeaders reads headers, which are texts by name. A header for requests may also be null,
// which removes the header. Errors name the header and not its value, which may be a secret.
// Without headers it returns nil.
func parseHeaders(given map[string]any, ofRequest bool) (headers map[string]*string, err error) {
	size := 0
	for name, value := range given {
		text, isText := value.(string)
		size += len(name) + len(text)
		switch {
		case size > maxHeaderBytes:
			return nil, op.Errorf(op.Invalid, "the headers are larger than %d bytes", maxHeaderBytes)
		case !headerName().MatchString(name):
			return nil, op.Errorf(op.Invalid, "%q is no name of a header", name)
		case ofRequest && slices.Contains(notForCallers, strings.ToLower(name)):
			return nil, op.Errorf(op.Invalid, "the header %s belongs to the connection and cannot be changed", name)
		case !isText && (value != nil || !ofRequest):
			return nil, op.Errorf(op.Invalid, "the value of the header %s must be a string", name)
		case isText && !validValue(text):
			return nil, op.Errorf(op.Invalid, "the value of the header %s must be one line", name)
		}
		if headers == nil {
			headers = map[string]*string{}
		}
		if headers[name] = nil; isText {
			headers[name] = &text
		}
	}
	return headers, nil
}

// maxHeaderBytes bounds the headers of one setting, names and values together. Servers accept less.
const maxHeaderBytes = 64 << 10

// headerName matches the name of a header (RFC 9110, section 5.6.2).
var headerName = lazyregexp.New("^[A-Za-z0-9!#$%&'*+.^_`|~-]+$")

// validValue reports whether a text may be the value of a header: it has no control
// characters, which could begin another header.
func validValue(text string) bool {
	return !strings.ContainsFunc(text, func(c rune) bool { return c < ' ' && c != '\t' || c == 0x7f })
}
