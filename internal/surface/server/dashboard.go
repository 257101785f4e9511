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

// Settings are the settings that a person sees and changes in the dashboard. Callers with the
// server's token cannot: who may drive a browser must not be able to change what the user allows.
type Settings interface {
	List() ([]dashboard.Setting, error)
	Set(key, text string) error // the text null removes the key from the configuration file
}

// Paths of the dashboard that are no files.
const (
	linkPath     = "/dashboard/link"
	loginPath    = dashboard.Root + "login"
	logoutPath   = dashboard.Root + "logout"
	eventsPath   = dashboard.Root + "events"
	settingsPath = dashboard.Root + "settings"
	callsPath    = dashboard.Root + "api" // the path of an operation or a raw route follows
)

const (
	tokenHeader = "X-Chela-Dashboard"
	cookieName  = "chela-dashboard-" // the port follows: cookies are the same for all ports of a machine
)

// addBase notes where links to the dashboard lead for a listener.
func (s *Server) addBase(l net.Listener) {
	switch _, far := l.(*outside); {
	case far:
		s.bases = append(s.bases, "https://"+l.Addr().String())
	case Port(l) != 0 && len(s.bases) == 0: // IPv4 comes first, and one address of this machine is enough
		s.bases = append(s.bases, "http://"+l.Addr().String())
	}
}

// link answers with a link to the dashboard. Only a caller on the Unix socket gets one, as it is the
// user or may act as the user. A caller with the token may drive browsers, but must not pass for a
// person: a person changes settings, and ends the control of agents.
func (s *Server) link(w http.ResponseWriter, r *http.Request) error {
	switch {
	case !isLocal(r):
		return forbidden().Hinted("only the machine of the server gives links, by the Unix socket: run chela dashboard there")
	case len(s.bases) == 0:
		return op.Errorf(op.Conflict, "the server has no TCP port")
	}
	allRead(w, r)
	secret := s.people.NewLink()
	links := make([]string, len(s.bases))
	for i, base := range s.bases {
		links[i] = base + dashboard.Root + "#" + secret
	}
	return reply(w, http.StatusOK, op.Object{"url": links[0], "elsewhere": links[1:]})
}

// dashboard answers the requests of the dashboard, which have a door of their own. The files are for
// everybody at this Host. To log in takes the secret of a link. All else takes the cookie and the
// token of a pass, or, for a WebSocket, the cookie and a ticket. The server's token is of no use.
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
	cookie := passOf(r)
	if upgrades(r) {
		return s.personalSocket(d, w, r, s.people.Knows(cookie))
	}
	if !s.people.Admits(cookie, r.Header.Get(tokenHeader)) {
		return op.Errorf(op.Unauthorized, "the dashboard must be opened by a link").Hinted("run chela dashboard")
	}
	connOf(r).beginCall()
	r = r.WithContext(personally(r.Context()))
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
	return s.routeIn(s.personal(), w, below(r))
}

// serveFile answers with a file of the page, if there is one at the path. The page itself may be
// opened from anywhere: by a link in a message, for example. Its files may not.
func (d door) serveFile(w http.ResponseWriter, r *http.Request) (done bool, err error) {
	if r.URL.Path+"/" == dashboard.Root {
		w.Header().Set("Location", dashboard.Root)
		return true, reply(w, http.StatusPermanentRedirect, op.Object{"url": dashboard.Root})
	}
	content, mediaType, ok := dashboard.File(r.URL.Path)
	if !ok {
		return false, nil
	}
	opened := r.URL.Path == dashboard.Root && r.Header.Get("Sec-Fetch-Dest") == "document"
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

// checkPage refuses requests that did not come from the dashboard's own page. What changes something
// and what opens a WebSocket must have the page's Origin, which browsers always send with them.
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

// personally returns the context of calls that a person makes in the dashboard.
func personally(ctx context.Context) context.Context {
	return op.WithSurface(op.WithCaller(op.WithSession(ctx, op.Person), "dashboard"), op.Dashboard)
}

// below returns the request for the operation or raw route at the path below callsPath.
func below(r *http.Request) *http.Request {
	inner := *r.URL
	inner.Path, inner.RawPath = strings.TrimPrefix(r.URL.Path, callsPath), strings.TrimPrefix(r.URL.RawPath, callsPath)
	other := r.Clone(r.Context())
	other.URL = &inner
	if !strings.HasPrefix(r.URL.Path, callsPath+"/") {
		other.URL = &url.URL{Path: "/no such route"}
	}
	return other
}

// personalRoutes are the routes of the table, and the raw ones that the dashboard needs.
func (s *Server) personalRoutes() *router {
	return s.routesWith(slices.DeleteFunc(Raw(), func(raw RawRoute) bool { return !raw.person }))
}

// personalSocket opens the live view of a tab for the dashboard. A page can send no header with a
// WebSocket, so a ticket stands in for the token.
func (s *Server) personalSocket(d door, w http.ResponseWriter, r *http.Request, known bool) error {
	inner := below(r)
	stream, err := s.byTicket(d, inner)
	switch {
	case err != nil:
		return err
	case stream == nil || !known:
		return op.Errorf(op.Unauthorized, "the live view needs a ticket and the cookie of the dashboard").Hinted("run chela dashboard")
	}
	connOf(r).beginCall()
	return s.routeIn(s.personal(), w, inner.WithContext(withStream(personally(r.Context()), stream)))
}

// login exchanges the secret of a link for a pass. The cookie is not for scripts, and only sent with
// requests of the dashboard's own site. The token is in the answer, for the page alone.
func (s *Server) login(w http.ResponseWriter, r *http.Request) error {
	args, err := s.readBody(w, r)
	if err != nil {
		return err
	}
	var secret string
	json.Unmarshal(args["secret"], &secret) // what is no text is no secret
	cookie, token, until, ok := s.people.Exchange(secret, passOf(r))
	if !ok {
		return op.Errorf(op.Unauthorized, "the link was used, or is older than a minute").Hinted("run chela dashboard again")
	}
	connOf(r).beginCall()
	http.SetCookie(w, &http.Cookie{
		Name: cookieOf(r), Value: cookie, Path: strings.TrimSuffix(dashboard.Root, "/"), MaxAge: int(time.Until(until).Seconds()),
		HttpOnly: true, SameSite: http.SameSiteStrictMode, Secure: strings.HasPrefix(r.Header.Get("Origin"), "https:"),
	})
	return reply(w, http.StatusOK, op.Object{"token": token, "until": until.UTC().Format(time.RFC3339)})
}

// cookieOf returns the name of the cookie at the Host of a request.
func cookieOf(r *http.Request) string {
	_, port, _ := net.SplitHostPort(r.Host)
	return cookieName + port
}

// passOf returns the cookie of a request; "" if it has none, or several. Another server of this
// machine may have set one for a longer path.
func passOf(r *http.Request) string {
	all := r.CookiesNamed(cookieOf(r))
	if len(all) != 1 {
		return ""
	}
	return all[0].Value
}

// events sends a line of JSON whenever something has changed that the dashboard may show. The first
// comes at once. The page then asks again for what it shows.
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
			_, err = w.Write(append(op.PlainJSON(line), '\n'))
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
	if json.Unmarshal(args["key"], &key) != nil || args["value"] == nil {
		return op.Errorf(op.Invalid, "key and value are required")
	}
	if err := s.o.Settings.Set(key, dashboard.Text(args["value"])); err != nil {
		return err
	}
	return s.settings(w)
}
