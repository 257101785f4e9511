package server

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"chela/internal/op"
)

// A door decides which requests are admitted, before anything is answered or done. Listening only
// on loopback is no protection, since every web page that the user opens can send requests there. A
// wrong Host header reveals a page whose host name was made to point to this server (DNS
// rebinding). Origin and Sec-Fetch-Site reveal requests of any other page. In addition, callers
// must send the token, and no page knows it.
//
// The Unix socket needs no token, since no page can open it and no other user may. If a caller
// sends a token there, it must still be right, so that a wrong token is noticed everywhere.
type door struct {
	names    []string // the Host values of this server
	origins  []string // origins of pages of this server, one for each name
	local    bool     // the Unix socket, which only the user can open: no token is needed
	guesses  *guesses // limits guesses of callers on other machines; nil: only this machine can call
	token    func() string
	password string
}

// doorFor returns the door of a listener. A listener without a TCP port is the Unix socket. The names
// contain the port, as a Host header does: a page on another port of localhost has another origin,
// and checkSite refuses it.
func (s *Server) doorFor(l net.Listener) door {
	d := door{token: s.o.Token, password: s.o.Password}
	port := Port(l)
	if port == 0 {
		d.local = true
		d.call("http", "chela", "localhost")
		return d
	}
	if _, far := l.(*outside); far {
		d.guesses = &s.guesses
		d.call("https", s.o.Hosts...)
		d.call("https", l.Addr().String())
		return d
	}
	for _, host := range []string{"localhost", loopbackIPv4, loopbackIPv6} {
		d.call("http", net.JoinHostPort(host, strconv.Itoa(port)))
	}
	d.call("https", s.o.Hosts...) // names at which a proxy on this machine forwards requests
	return d
}

// call adds values of Host with which callers reach the server, and the origins of pages at these
// hosts.
func (d *door) call(scheme string, names ...string) {
	for _, name := range names {
		d.names, d.origins = append(d.names, name), append(d.origins, scheme+"://"+name)
	}
}

// admit returns nil if a request is admitted, and otherwise an [*op.Error]. The code is Invalid or
// Forbidden for a wrong Host, Forbidden for a page of another site, and Unauthorized for a missing
// or wrong secret. The Host and the site are checked first, even on the Unix socket. So a request
// from a web page fails before the token matters, and its error says nothing about tokens.
func (d door) admit(r *http.Request) error {
	if err := d.checkHost(r); err != nil {
		return err
	}
	if err := d.checkSite(r); err != nil {
		return err
	}
	if d.local && len(credentials(r)) == 0 {
		return nil
	}
	if d.guesses != nil {
		return d.guesses.check(r, d.checkSecret)
	}
	return d.checkSecret(r)
}

// credentials returns the values of all headers with which a caller can send the token or the password.
func credentials(r *http.Request) []string {
	return slices.Concat(r.Header.Values("Authorization"), r.Header.Values("X-Chela-Password"), r.Header.Values("X-Openclaw-Password"))
}

// checkHost refuses requests with the Host of another server. With DNS rebinding, a page could make
// its own host name point to this server, and would then have the same origin as the server. A
// request line with a whole URL (GET http://host/path) is also refused. For such a request, net/http
// takes the host from the URL and drops the Host header, so nobody would notice that the two differ.
// Host is ASCII, which net/http has already checked.
func (d door) checkHost(r *http.Request) error {
	if r.URL.IsAbs() || r.URL.Host != "" || r.Host == "" {
		return op.Errorf(op.Invalid, "the request must have a path and one Host header")
	}
	if !slices.Contains(d.names, strings.ToLower(r.Host)) {
		return forbidden().Hinted("this server has another Host name: call it as %s, or add the name to gateway.hosts", d.names[0])
	}
	return nil
}

// forbidden returns the error for requests that a page may have caused; its text is OpenClaw's.
func forbidden() *op.Error { return op.Errorf(op.Forbidden, "Forbidden") }

// originOf returns the origin of this server for a caller whose Host checkHost has accepted.
func (d door) originOf(r *http.Request) string {
	return d.origins[slices.Index(d.names, strings.ToLower(r.Host))]
}

type doorKey struct{}

// withDoor returns a context for all requests of a listener.
func withDoor(ctx context.Context, d door) context.Context {
	return context.WithValue(ctx, doorKey{}, d)
}

// isOwnOrigin reports whether an origin, as browsers write it, is an origin of this server.
func (d door) isOwnOrigin(origin string) bool { return slices.Contains(d.origins, origin) }

// checkSite refuses requests that the page of another site could have sent. Browsers add Origin,
// Referer or Sec-Fetch-Site, and a script cannot change these. curl, the command line and other
// programs send none of them, and pass. No header alone is enough. An image or a link of a page is
// requested without Origin, a page can switch Referer off, and older browsers have no Sec-Fetch-Site.
// All values of a repeated header are checked. The origin "null", as of a sandboxed iframe, is not an
// origin of this server. Browsers write origins in one way only, so they are compared and not parsed.
// Sec-Fetch-Site is none when the user has typed the address.
func (d door) checkSite(r *http.Request) error {
	foreign := func(origin string) bool { return !d.isOwnOrigin(origin) }
	elsewhere := func(page string) bool {
		return !slices.ContainsFunc(d.origins, func(origin string) bool { return strings.HasPrefix(page, origin+"/") })
	}
	another := func(site string) bool { return site != "same-origin" && site != "none" }
	if slices.ContainsFunc(r.Header.Values("Origin"), foreign) || slices.ContainsFunc(r.Header.Values("Referer"), elsewhere) ||
		slices.ContainsFunc(r.Header.Values("Sec-Fetch-Site"), another) {
		return forbidden().Hinted("requests of pages are refused: call it by a program, without Origin, Referer and Sec-Fetch-Site")
	}
	return nil
}

// checkSecret refuses requests without the server's token or password. It also refuses a request with
// several credentials: if a proxy adds its own, it must not be unclear which of them counts. Clients
// of OpenClaw send X-Openclaw-Password. Errors are Unauthorized (401) or Invalid (400).
func (d door) checkSecret(r *http.Request) error {
	given := credentials(r)
	switch len(given) {
	case 0:
		return d.unauthorized()
	case 1:
	default:
		return op.Errorf(op.Invalid, "the request has more than one credential")
	}
	known := d.accepts
	if r.Header.Values("Authorization") == nil {
		known = func(password string) bool { return same(password, d.password) }
	}
	if !known(given[0]) {
		return d.unauthorized()
	}
	return nil
}

// unauthorized returns the error for a request without a right credential. Without a token, the
// server accepts only its password.
func (d door) unauthorized() error {
	e := op.Errorf(op.Unauthorized, "Unauthorized")
	if d.token() == "" {
		return e.Hinted("send the server's password as X-Chela-Password: <password>; it is gateway.auth.password of the configuration")
	}
	return e.Hinted("send the server's token as Authorization: Bearer <token>; chela token prints it")
}

// accepts reports whether an Authorization header has the server's token (Bearer) or its password
// (Basic, with any user name). The name of the scheme may have capital or small letters (RFC 9110).
func (d door) accepts(authorization string) bool {
	scheme, value, _ := strings.Cut(authorization, " ")
	value = strings.TrimSpace(value)
	switch strings.ToLower(scheme) {
	case "bearer":
		return same(value, d.token())
	case "basic":
		pair, err := base64.StdEncoding.DecodeString(value)
		_, password, ok := strings.Cut(string(pair), ":")
		return err == nil && ok && same(password, d.password)
	}
	return false
}

// same compares in constant time, so that the time that the answer takes reveals nothing about the
// secret. The hashes are compared, since ConstantTimeCompare returns at once for texts of different
// lengths, and would reveal the length. An empty secret equals nothing: a server whose settings
// have no password accepts none, not even an empty one.
func same(given, secret string) bool {
	a, b := sha256.Sum256([]byte(given)), sha256.Sum256([]byte(secret))
	return subtle.ConstantTimeCompare(a[:], b[:]) == 1 && secret != ""
}
