package setting

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"

	"chela/internal/base/lazyregexp"
	"chela/internal/base/sitedata"
	"chela/internal/wall/secret"
)

// WantsLogin reports whether a response asks for a name and a password by HTTP authentication, for
// which browsers open a dialog. Other schemes, such as Bearer, are for programs.
func WantsLogin(r *network.Response) bool {
	if r.Status != http.StatusUnauthorized {
		return false
	}
	for name, value := range r.Headers {
		if strings.EqualFold(name, "WWW-Authenticate") {
			return passwordSchemes().MatchString(fmt.Sprint(value))
		}
	}
	return false
}

// passwordSchemes matches a WWW-Authenticate header that offers a scheme with a name and a
// password.
var passwordSchemes = lazyregexp.New(`(?i)\b(basic|digest|ntlm|negotiate)\b`)

// Credentials are the name and the password for the servers of an origin that ask for them by HTTP
// authentication. Both may name a secret, see package secret.
//
// Chromium does not log in by itself. It would ask for the login in a dialog, which nobody can see.
// It would then use the login until the browser ends, whatever the caller says. So Chromium is
// started without any authentication schemes (see package chrome), and treats a 401 like any other
// response. The requests to the origin are paused instead. The first one that gets a 401 is sent
// again with the login, by a redirect to the same address. Later requests have the login from the
// beginning.
type Credentials struct {
	Origin   Origin `json:"origin"`
	Username string `json:"username"`
	Password string `json:"password"`
}

// A Login has credentials, and remembers what the servers of their origin have asked for. The
// credentials never change. All pages share the Login, so a server's authentication scheme is
// learned only once.
type Login struct {
	Credentials

	mu         sync.Mutex               // guards the rest
	challenges map[Origin]*challenge    // what each server has asked for, by its origin
	retried    map[fetch.RequestID]bool // requests that were redirected to their own address, to be sent again with the login
}

// maxRemembered limits how many origins and requests a login remembers. When there are more, it
// forgets all of them, and servers ask again.
const maxRemembered = 1000

// loginFor returns the login for an address, or nil. A login for its origin has precedence over the
// one for all origins.
func (c Common) loginFor(address string) *Login {
	i := slices.IndexFunc(c.Logins, func(l *Login) bool { return l.Origin != AnyOrigin && l.Origin.covers(address) })
	if i < 0 {
		i = slices.IndexFunc(c.Logins, func(l *Login) bool { return l.Origin.covers(address) })
	}
	if i < 0 {
		return nil
	}
	return c.Logins[i]
}

// logIn adds the login to a request if the server has asked for it before, and the request has no
// Authorization header yet. If the server may answer with a 401, the response is also paused
// (watch). That may happen if the server has not asked before, or accepts each login only for some
// time.
func (c Common) logIn(r *PausedRequest, d *decision) {
	l := c.loginFor(r.Request.URL)
	if l == nil || r.header(authorization) != "" || d.headers[strings.ToLower(authorization)] != nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	origin := Origin(sitedata.OriginOf(r.Request.URL))
	asked := l.challenges[origin]
	if asked != nil {
		revealed, ok := l.Credentials.revealed(string(origin))
		if !ok {
			return
		}
		d.set(authorization, new(asked.answer(revealed, r.Request.Method, r.Request.URL)))
	}
	d.watch = asked == nil || asked.digest != nil
}

// revealed returns the credentials with the values of the secrets that they name. If ok is false,
// they may not be sent to the origin.
func (c Credentials) revealed(origin string) (_ Credentials, ok bool) {
	username, known := secret.Reveal(c.Username, origin)
	password, ok := secret.Reveal(c.Password, origin)
	c.Username, c.Password = username, password
	return c, known && ok
}

const authorization = "Authorization"

// passResponse continues the response to a request. If the response asks for a login, the request
// is sent again, once, with the login.
func (c Common) passResponse(r *PausedRequest) {
	l := c.loginFor(r.Request.URL)
	if l == nil || !l.learn(r) {
		r.proceed()
		return
	}
	headers := slices.DeleteFunc(slices.Clone(r.ResponseHeaders), func(h *fetch.HeaderEntry) bool {
		return !strings.HasPrefix(strings.ToLower(h.Name), "access-control-")
	})
	headers = append(headers, &fetch.HeaderEntry{Name: "Location", Value: r.Request.URL})
	// Without a body, Chromium would use the server's own response, which is not a redirect.
	r.Fulfill(http.StatusTemporaryRedirect, headers, []byte(" "))
}

// learn remembers the scheme that a response asks for. It reports whether the request should be
// sent again, with the login. It should not if it was sent with the login already.
func (l *Login) learn(r *PausedRequest) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	again := l.retried[r.RedirectedRequestID]
	delete(l.retried, r.RedirectedRequestID)
	if r.ResponseStatusCode != http.StatusUnauthorized || again {
		return false
	}
	asked := challengeIn(r.ResponseHeaders)
	origin := Origin(sitedata.OriginOf(r.Request.URL))
	if _, ok := l.revealed(string(origin)); asked == nil || !ok {
		return false
	}
	if l.challenges == nil || len(l.challenges) > maxRemembered {
		l.challenges = map[Origin]*challenge{}
	}
	if l.retried == nil || len(l.retried) > maxRemembered {
		l.retried = map[fetch.RequestID]bool{}
	}
	l.challenges[origin], l.retried[r.RequestID] = asked, true
	return true
}

// A challenge is what a server asks for: the scheme of its authentication, and the scheme's
// parameters.
type challenge struct {
	digest *digest // nil: the plain password (basic)
}

// challengeIn returns the challenge in the headers of a response. If there are several, it prefers
// digest, which does not send the password. It returns nil if it supports none of them.
func challengeIn(headers []*fetch.HeaderEntry) (asked *challenge) {
	for _, h := range headers {
		if !strings.EqualFold(h.Name, "WWW-Authenticate") {
			continue
		}
		for scheme, params := range schemes(h.Value) {
			switch d := digestOf(params); {
			case scheme == "digest" && d != nil:
				return &challenge{d}
			case scheme == "basic":
				asked = &challenge{}
			}
		}
	}
	return asked
}

// answer returns the value of the Authorization header for a request.
func (c *challenge) answer(l Credentials, method, address string) string {
	if c.digest != nil {
		return c.digest.answer(l, method, address)
	}
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(l.Username+":"+l.Password))
}
