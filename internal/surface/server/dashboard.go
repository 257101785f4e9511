package server

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"chela/internal/op"
	"chela/internal/surface/dashboard"
)

// Changes reports what has changed since the last report, until ctx ends or report returns an error.
type Changes = func(ctx context.Context, report func(any) error) error

// Settings are the settings that a person can see and change in the dashboard. Callers with the
// server's token cannot change them: whoever may drive a browser must not be able to change what the
// user allows.
type Settings interface {
	List() ([]dashboard.Setting, error)
	Set(key string, value any) error // the value nil removes the key from the configuration file
}

// Paths of the dashboard that are not files.
const (
	linkPath     = "/dashboard/link"
	loginPath    = dashboard.Root + "login"
	logoutPath   = dashboard.Root + "logout"
	eventsPath   = dashboard.Root + "events"
	settingsPath = dashboard.Root + "settings"
	callsPath    = dashboard.Root + "api" // the path of an operation or a raw route follows
)

const (
	tokenHeader  = "X-Chela-Dashboard" // header with the token of a pass
	personCookie = "chela-dashboard-"  // name of the cookie of a pass; the port follows
)

// addBase notes the URL of a listener, for links to the dashboard.
func (s *Server) addBase(l net.Listener) {
	switch out, far := l.(*outside); {
	case far:
		s.bases, s.fingerprint = append(s.bases, "https://"+l.Addr().String()), fingerprintOf(out)
	case Port(l) != 0 && len(s.bases) == 0: // IPv4 comes first, and one address of this machine is enough
		s.bases = append(s.bases, "http://"+l.Addr().String())
	}
}

// link answers with a link to the dashboard. Only a caller on the Unix socket gets one, because that
// is a program of the user. A caller with the token may drive browsers, but must not be able to act
// as a person. A person can change settings and take control from agents.
func (s *Server) link(w http.ResponseWriter, r *http.Request) error {
	if err := s.checkPerson(r); err != nil {
		return err
	}
	allRead(w, r)
	links := s.linksTo(dashboard.Root, s.people.NewLink())
	return reply(w, http.StatusOK, dashboardLink{links[0], links[1:]})
}

// A dashboardLink is the answer with a link to a page of the dashboard.
type dashboardLink struct {
	URL       string   `json:"url" doc:"the link for this machine"`
	Elsewhere []string `json:"elsewhere" doc:"the links for other machines, if they reach the server"`
}

// checkPerson refuses requests that do not come over the Unix socket.
func (s *Server) checkPerson(r *http.Request) error {
	switch {
	case !isLocal(r):
		return forbidden().Hinted("only the machine of the server gives links, by the Unix socket: run the command there")
	case len(s.bases) == 0:
		return op.Errorf(op.Conflict, "the server has no TCP port")
	}
	return nil
}

// linksTo returns links to a page, one for each listener; the first is for this machine. The secret is
// in the fragment, which browsers do not send to servers.
func (s *Server) linksTo(page, secret string) []string {
	links := make([]string, len(s.bases))
	for i, base := range s.bases {
		links[i] = base + page + "#" + secret
	}
	return links
}

// dashboard answers the requests below [dashboard.Root], which need other credentials than the rest of
// the server. Files need none, only the right Host. The login needs the secret of a link. A WebSocket
// needs the cookie of a pass and a ticket. All else needs the cookie and the token of a pass. The
// server's token is not accepted.
func (s *Server) dashboard(d door, w http.ResponseWriter, r *http.Request) error {
	dashboard.Protect(w.Header())
	if err := d.checkHost(r); err != nil {
		return err
	}
	if s.stopping.Load() {
		return errStopping
	}
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		if done, err := d.serveFile(w, r); done {
			return err
		}
	}
	if err := d.checkPage(r); err != nil {
		return err
	}
	if r.URL.Path == loginPath && r.Method == http.MethodPost {
		return s.login(w, r)
	}
	r = r.WithContext(personally(r.Context()))
	if strings.HasPrefix(r.URL.Path, sharePath) {
		return s.guest(d, w, r)
	}
	cookie := cookieOf(r, personCookie)
	if upgrades(r) {
		life, _ := s.people.Knows(cookie)
		return s.personalSocket(d, w, below(r, callsPath), life)
	}
	life, ok := s.people.Admits(cookie, r.Header.Get(tokenHeader))
	if !ok {
		return op.Errorf(op.Unauthorized, "the dashboard must be opened by a link").Hinted("run chela dashboard")
	}
	connOf(r).beginCall()
	ctx, end := during(life, r.Context())
	defer end()
	r = r.WithContext(ctx)
	switch request := r.Method + " " + r.URL.Path; request {
	case "POST " + logoutPath:
		s.people.Leave(cookie)
		allRead(w, r)
		return reply(w, http.StatusOK, op.Object{"ok": true})
	case "GET " + eventsPath:
		return s.events(w, r)
	case "GET " + settingsPath:
		return s.settings(w)
	case "POST " + settingsPath:
		return s.setSetting(w, r)
	}
	return s.routeIn(s.personal(), w, below(r, callsPath))
}

// serveFile answers with a file of the dashboard, if there is one at the path. The HTML pages may be
// opened from any site, for example by a link in a message. Other files may be requested only by
// these pages.
func (d door) serveFile(w http.ResponseWriter, r *http.Request) (done bool, err error) {
	if r.URL.Path+"/" == dashboard.Root {
		w.Header().Set("Location", dashboard.Root)
		return true, reply(w, http.StatusPermanentRedirect, op.Object{"url": dashboard.Root})
	}
	content, mediaType, ok := dashboard.File(r.URL.Path)
	if !ok {
		return false, nil
	}
	opened := (r.URL.Path == dashboard.Root || r.URL.Path == dashboard.SharedPage) && r.Header.Get("Sec-Fetch-Dest") == "document"
	if err := d.checkSite(r); err != nil && !opened {
		return true, err
	}
	contentType(w.Header(), mediaType)
	http.NewResponseController(w).SetWriteDeadline(time.Now().Add(replyTime))
	w.WriteHeader(http.StatusOK)
	if r.Method != http.MethodHead {
		w.Write(content)
	}
	return true, nil // the answer has begun: an error cannot be answered any more
}

// checkPage refuses requests that did not come from the dashboard's own page. A request that can change
// something, or opens a WebSocket, must have the page's Origin. Browsers always send Origin with such
// requests.
func (d door) checkPage(r *http.Request) error {
	if err := d.checkSite(r); err != nil {
		return err
	}
	reads := (r.Method == http.MethodGet || r.Method == http.MethodHead) && !upgrades(r)
	if origins := r.Header.Values("Origin"); !reads && (len(origins) != 1 || !d.isOwnOrigin(origins[0])) {
		return forbidden().Hinted("only the dashboard's own page calls this: open it by chela dashboard")
	}
	return nil
}

// personally returns the context for calls that a person makes in the dashboard. It sets the
// session, the caller and the surface.
func personally(ctx context.Context) context.Context {
	return op.WithSurface(op.WithCaller(op.WithSession(ctx, op.Person), "dashboard"), op.Dashboard)
}

// during returns a context for a call of a person or a guest, which also ends with their pass. So
// nothing that they have open goes on when they may not use it any more.
func during(pass, call context.Context) (ctx context.Context, end func()) {
	ctx, cancel := context.WithCancelCause(call)
	stop := context.AfterFunc(pass, func() { cancel(context.Cause(pass)) })
	return ctx, func() {
		stop()
		cancel(nil)
	}
}

// below returns a copy of a request whose path is relative to root. If the path is not below root, the
// copy has a path that does not exist.
func below(r *http.Request, root string) *http.Request {
	inner := *r.URL
	inner.Path, inner.RawPath = strings.TrimPrefix(r.URL.Path, root), strings.TrimPrefix(r.URL.RawPath, root)
	other := r.Clone(r.Context())
	other.URL = &inner
	if !strings.HasPrefix(r.URL.Path, root+"/") {
		other.URL = &url.URL{Path: "/no such route"}
	}
	return other
}

// personalRoutes returns the router for the dashboard: the routes of the table, and the raw routes that
// the dashboard needs.
func (s *Server) personalRoutes() *router {
	return s.routesWith(slices.DeleteFunc(Raw(), func(raw RawRoute) bool { return !raw.person }))
}

// personalSocket opens the live view of a tab for the dashboard. A page cannot send a header with a
// WebSocket, so a ticket takes the place of the token. The context life ends with the pass that the
// cookie belongs to; nil: it belongs to none. The path of the request is relative to callsPath.
func (s *Server) personalSocket(d door, w http.ResponseWriter, r *http.Request, life context.Context) error {
	stream, err := s.byTicket(d, r)
	switch {
	case err != nil:
		return err
	case stream == nil || life == nil:
		return op.Errorf(op.Unauthorized, "the live view needs a ticket and the cookie of the dashboard").Hinted("run chela dashboard")
	}
	connOf(r).beginCall()
	ctx, end := during(life, withStream(r.Context(), stream))
	defer end()
	return s.routeIn(s.personal(), w, r.WithContext(ctx))
}

// login exchanges the secret of a link for a pass. Scripts cannot read its cookie, and browsers send the
// cookie only with requests from the dashboard's own site. The token is in the answer, so that only
// the page has it.
func (s *Server) login(w http.ResponseWriter, r *http.Request) error {
	args, err := s.readBody(w, r)
	if err != nil {
		return err
	}
	var secret string
	json.Unmarshal(args["secret"], &secret) // stays "" if it is not a string
	cookie, token, until, ok := s.people.Exchange(secret, cookieOf(r, personCookie))
	if !ok {
		return op.Errorf(op.Unauthorized, "the link was used, or is older than a minute").Hinted("run chela dashboard again")
	}
	connOf(r).beginCall()
	setCookie(w, r, personCookie, cookie, strings.TrimSuffix(dashboard.Root, "/"), until)
	return reply(w, http.StatusOK, op.Object{"token": token, "until": until.UTC().Format(time.RFC3339)})
}

// setCookie sets the cookie of a pass, for a path and all paths below it.
func setCookie(w http.ResponseWriter, r *http.Request, name, value, path string, until time.Time) {
	http.SetCookie(w, &http.Cookie{
		Name: cookieName(r, name), Value: value, Path: path, MaxAge: int(time.Until(until).Seconds()),
		HttpOnly: true, SameSite: http.SameSiteStrictMode, Secure: strings.HasPrefix(r.Header.Get("Origin"), "https:"),
	})
}

// cookieName returns the name of a cookie with the port of the request's Host. A browser sends a cookie
// to all ports of a host, so two servers on one machine need different names.
func cookieName(r *http.Request, name string) string {
	_, port, _ := net.SplitHostPort(r.Host)
	return name + port
}

// cookieOf returns the value of a cookie of a request. It returns "" if there is none, or if there
// are several. Another server on this machine may have set one with this name for a longer path.
func cookieOf(r *http.Request, name string) string {
	all := r.CookiesNamed(cookieName(r, name))
	if len(all) != 1 {
		return ""
	}
	return all[0].Value
}

// events sends a line of JSON whenever data have changed that the dashboard may show. The first line
// comes at once. After each line, the page requests the data that it shows again.
func (s *Server) events(w http.ResponseWriter, r *http.Request) error {
	if s.o.Changes == nil {
		return op.Errorf(op.NotFound, "no such route")
	}
	contentType(w.Header(), "application/x-ndjson")
	rc := http.NewResponseController(w)
	rc.SetReadDeadline(time.Time{}) // the request has been read, so its deadline is over
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	defer context.AfterFunc(s.ending, cancel)()
	s.o.Changes(ctx, func(v any) error {
		rc.SetWriteDeadline(time.Now().Add(replyTime))
		line, err := json.Marshal(v)
		if err == nil {
			_, err = w.Write(append(outgoing(line), '\n'))
		}
		return errors.Join(err, rc.Flush())
	})
	return nil // the stream has begun: an error cannot be answered any more
}

// settings answers with the settings.
func (s *Server) settings(w http.ResponseWriter) error {
	if s.o.Settings == nil {
		return op.Errorf(op.NotFound, "no such route")
	}
	list, err := s.o.Settings.List()
	if err != nil {
		return err
	}
	return reply(w, http.StatusOK, op.Object{"settings": list})
}

// setSetting sets a key of the configuration file, as chela config set does. The value has
// the form of the file; null removes the key.
func (s *Server) setSetting(w http.ResponseWriter, r *http.Request) error {
	if s.o.Settings == nil {
		return op.Errorf(op.NotFound, "no such route")
	}
	args, err := s.readBody(w, r)
	if err != nil {
		return err
	}
	var key string
	var value any
	if json.Unmarshal(args["key"], &key) != nil || json.Unmarshal(args["value"], &value) != nil {
		return op.Errorf(op.Invalid, "key and value are required")
	}
	if err := s.o.Settings.Set(key, value); err != nil {
		return err
	}
	return s.settings(w)
}
