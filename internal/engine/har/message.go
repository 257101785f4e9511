package har

import (
	"net/netip"
	"net/url"
	"strings"

	"chela/internal/engine/journal"
)

// address returns the URL of a request in a form that the format allows. If secrets is false, each
// secret is replaced by a text with brackets, which must be escaped in a URL.
func address(r journal.Request, secrets bool) string {
	if !secrets {
		r.URL = r.URLWithoutSecrets()
	}
	return strings.ReplaceAll(r.URL, journal.Secret, url.PathEscape(journal.Secret))
}

// requestOf converts a request for the archive. The size of its headers is not known, since
// Chromium does not report it. The size of its body is not known, since the event log has only the
// beginning of a long body.
func requestOf(r journal.Request) Request {
	out := Request{
		Method: r.Method, URL: address(r, true), HTTPVersion: version(r.Response.Protocol),
		Cookies: cookiesOf(r.Headers.Get("Cookie")), Headers: pairs(r.Headers), Query: queryOf(r.URL),
		HeadersSize: -1,
	}
	if r.HasBody {
		out.BodySize = -1
	}
	if r.Body != "" {
		out.PostData = &PostData{r.Headers.Get("Content-Type"), r.Body}
	}
	return out
}

// responseOf converts the response to a request for the archive. Its size is 0 if it came from a
// cache, since nothing was transferred.
func responseOf(r journal.Request) Response {
	from := r.Response
	out := Response{
		Status: from.Status, StatusText: from.StatusText, HTTPVersion: version(from.Protocol),
		Cookies: setCookiesOf(from.Headers.Get("Set-Cookie")), Headers: pairs(from.Headers),
		Content:     Content{Size: r.Length, MIMEType: mimeType(from)},
		RedirectURL: from.Headers.Get("Location"),
		HeadersSize: -1, BodySize: -1, TransferSize: -1, Failure: r.Failure,
	}
	if from.HeaderBytes > 0 {
		out.HeadersSize = from.HeaderBytes
	}
	switch {
	case r.FromCache || from.FromDisk:
		out.BodySize, out.TransferSize = 0, 0
	case r.Ended > 0 && r.Failure == "":
		out.TransferSize = r.Received
		out.BodySize = max(0, r.Received-from.HeaderBytes)
	}
	return out
}

// mimeType returns the media type of a response. The format requires one; Playwright's viewer reads
// x-unknown as none.
func mimeType(r journal.Response) string {
	if r.MIMEType == "" {
		return "x-unknown"
	}
	return r.MIMEType
}

// version converts Chromium's name of a protocol to the form of HTTP messages, such as HTTP/1.1.
// Chromium uses the names from TLS, such as h2 and h3. Without a response the protocol is unknown,
// but the format requires one: then version returns HTTP/1.1, as Playwright does.
func version(protocol string) string {
	switch protocol {
	case "":
		return "HTTP/1.1"
	case "h2":
		return "HTTP/2.0"
	case "h3":
		return "HTTP/3.0"
	}
	return strings.ToUpper(protocol)
}

// serverIP returns an address without the brackets of IPv6; "" if the server has none, as with a
// Unix socket.
func serverIP(ip string) string {
	address, err := netip.ParseAddr(strings.Trim(ip, "[]"))
	if err != nil {
		return ""
	}
	return address.String()
}

// pairs converts headers, in their order, including several of the same name.
func pairs(headers journal.Headers) []Pair {
	list := make([]Pair, len(headers))
	for i, h := range headers {
		list[i] = Pair(h)
	}
	return list
}

// queryOf returns the parameters of a URL in their order. What cannot be unescaped stays
// as it is.
func queryOf(address string) []Pair {
	list := []Pair{}
	address, _, _ = strings.Cut(address, "#")
	_, query, _ := strings.Cut(address, "?")
	if strings.HasPrefix(address, "data:") {
		return list
	}
	for part := range strings.SplitSeq(query, "&") {
		name, value, _ := strings.Cut(part, "=")
		if part != "" {
			list = append(list, Pair{unescaped(name), unescaped(value)})
		}
	}
	return list
}

// unescaped decodes a name or value of a query, in which a plus is a space.
func unescaped(s string) string {
	if plain, err := url.QueryUnescape(s); err == nil {
		return plain
	}
	return s
}

// program splits a text such as "Chrome/156.0.1.2" into name and version.
func program(product string) Program {
	name, version, _ := strings.Cut(product, "/")
	return Program{name, version}
}
