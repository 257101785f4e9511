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
)

// WantsLogin reports whether a response asks for a name and a password in the way
// of HTTP, for which browsers have a window. Other schemes, such as Bearer, are
// for programs.
func WantsLogin(r *network.Response) bool {
	if r.Status != http.StatusUnauthorized {
		return false
	}
	for name, value := range r.Headers {
		if strings.EqualFold(name, "WWW-Authenticate") {
			return byPassword().MatchString(fmt.Sprint(value))
		}
	}
	return false
}

// byPassword fits the header of a response, which may offer several schemes.
var byPassword = lazyregexp.New(`(?i)\b(basic|digest|ntlm|negotiate)\b`)

// Credentials are the name and the password by which a caller logs in to the servers of
// an origin that ask for them by HTTP.
//
// Chromium does not log in by itself: it would ask for the login in a window, which
// nobody can see, and keep it until it ends, whatever the caller says. So it is started
// without any schemes of authentication (see package chrome), and takes a 401 for an
// answer like any other. The requests to the origin are paused instead. The first one
// that is answered so is sent again with the login, by a redirect to where it went
// anyway, and later ones have the login from the beginning.
type Credentials struct {
	Origin   Origin `json:"origin"`
	Username string `json:"username"`
	Password string `json:"password"`
}

// A Login is credentials that are in force. These never change. All pages share it, so
// that they learn from each other how servers want it.
type Login struct {
	Credentials

	mu         sync.Mutex // guards the rest
	challenges map[Origin]*challenge
	retried    map[fetch.RequestID]bool // answered by a redirect to themselves; what follows names them
}

// How many origins and requests a login remembers. It forgets all of them when there
// are more: then servers ask again.
const maxRemembered = 1000

// loginFor is the login for an address, nil if there is none: that for its origin
// rather than that for all.
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

// logIn adds the login to a request to a server that has asked for it, unless the page
// sends one itself. The answer is watched where the server may ask for the login: it has
// not done so before, or takes each one only for some time.
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
		d.set(authorization, new(asked.answer(l.Credentials, r.Request.Method, r.Request.URL)))
	}
	d.watch = asked == nil || asked.digest != nil
}

const authorization = "Authorization"

// passAnswer lets the answer to a request go on. If it asks for a login, the request is
// sent again with it, once.
func (c Common) passAnswer(r *PausedRequest) {
	l := c.loginFor(r.Request.URL)
	if l == nil || !l.learn(r) {
		r.proceed()
		return
	}
	headers := slices.DeleteFunc(slices.Clone(r.ResponseHeaders), func(h *fetch.HeaderEntry) bool {
		return !strings.HasPrefix(strings.ToLower(h.Name), "access-control-")
	})
	headers = append(headers, &fetch.HeaderEntry{Name: "Location", Value: r.Request.URL})
	// Without a body it would stay the answer of the server, which leads nowhere.
	r.Fulfill(http.StatusTemporaryRedirect, headers, []byte(" "))
}

// learn remembers what the answer asks for. It reports whether the request is worth
// another try: it was not sent with the login just now.
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
	if asked == nil {
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

// A challenge is how a server wants the login.
type challenge struct {
	digest *digest // nil: as it is (basic)
}

// challengeIn reads the headers of an answer. Of several schemes it takes digest, by
// which no password is sent; nil if there is none that it knows.
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

// answer is the value of the header Authorization.
func (c *challenge) answer(l Credentials, method, address string) string {
	if c.digest != nil {
		return c.digest.answer(l, method, address)
	}
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(l.Username+":"+l.Password))
}
