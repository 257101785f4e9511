package server

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"chela/internal/base/certificate"
	"chela/internal/op"
	"chela/internal/surface/dashboard"
)

// Paths of shares. The first three are for the person who shares a tab, on the Unix socket. The others
// are for guests: a browser sends a guest's cookie only below the path of the share.
const (
	sharesPath = "/dashboard/shares"
	newPath    = sharesPath + "/new"
	revokePath = sharesPath + "/revoke"
	sharePath  = dashboard.Root + "share/" // the id of the share follows, then enterPath, or /api and the path of a route
	enterPath  = "/enter"
)

const guestCookie = "chela-guest-" // name of a guest's cookie; the port follows

// The limits of how long a tab is shared.
const (
	shortestShare = time.Minute
	longestShare  = 24 * time.Hour
)

// share answers with the link of a new share. The request is accepted only over the Unix socket,
// since a caller with the token must not give others access to tabs.
func (s *Server) share(w http.ResponseWriter, r *http.Request) error {
	if err := s.checkPerson(r); err != nil {
		return err
	}
	var wanted shareRequest
	if err := s.readInto(w, r, &wanted, "profile and targetId must be texts, forMs a number, view true or false"); err != nil {
		return err
	}
	length := time.Duration(wanted.ForMs) * time.Millisecond
	if length < shortestShare || length > longestShare {
		return op.Errorf(op.Invalid, "a tab is shared for %.0f minute to %.0f hours", shortestShare.Minutes(), longestShare.Hours())
	}
	stream, err := s.o.Watch(r.Context(), wanted.Profile, wanted.TargetID, !wanted.View)
	if err != nil {
		return err
	}
	now := time.Now()
	wish := dashboard.Share{Profile: stream.Profile, Tab: stream.Tab.ID, Browser: stream.Tab.Browser().Describe().Paired, OnlyView: wanted.View, Since: now, Until: now.Add(length)}
	made, secret, ok := s.shares.New(wish, func(ended dashboard.Share) { stream.Now().EndGuest(ended.ID) })
	if !ok {
		return op.Errorf(op.TooMany, "too many tabs are shared").Hinted("end shares by chela shares revoke")
	}
	links := s.linksTo(dashboard.SharedPage, secret)
	answer := newShare{shareInfo: shown(made), dashboardLink: dashboardLink{links[0], links[1:]}}
	if s.fingerprint != nil {
		answer.Fingerprint = s.fingerprint()
	}
	return reply(w, http.StatusOK, answer)
}

// A shareRequest says which tab to share, for how long, and whether guests may use it.
type shareRequest struct {
	Profile  string `json:"profile,omitempty" doc:"browser profile; the default one when left out"`
	TargetID string `json:"targetId,omitempty" doc:"the tab: its handle (t1), label, or target id; the current tab when left out"`
	ForMs    int64  `json:"forMs" doc:"for how long, in milliseconds"`
	View     bool   `json:"view,omitempty" doc:"whoever has the link may only look at the tab"`
}

// A newShare is the answer with a new share and its link. No other answer has the link.
type newShare struct {
	shareInfo
	dashboardLink
	Fingerprint string `json:"fingerprint,omitempty" doc:"fingerprint of the certificate that a browser on another machine is shown"`
}

// A shareInfo describes a share.
type shareInfo struct {
	ID      string `json:"id" doc:"id of the share"`
	Profile string `json:"profile" doc:"browser profile"`
	TabID   string `json:"tabId" doc:"handle of the tab"`
	View    bool   `json:"view" doc:"whoever has the link may only look at the tab"`
	Since   string `json:"since" doc:"when it began"`
	Until   string `json:"until" doc:"when it ends"`
}

// A shareList lists the shares.
type shareList struct {
	Shares []shareInfo `json:"shares" doc:"tabs that are shared"`
}

// A shareNamed is a request about one share.
type shareNamed struct {
	ID string `json:"id" doc:"id of the share"`
}

// shown returns the description of a share.
func shown(of dashboard.Share) shareInfo {
	return shareInfo{of.ID, of.Profile, of.Tab, of.OnlyView, of.Since.UTC().Format(time.RFC3339), of.Until.UTC().Format(time.RFC3339)}
}

// listShares answers with the tabs that are shared.
func (s *Server) listShares(w http.ResponseWriter, r *http.Request) error {
	if err := s.checkPerson(r); err != nil {
		return err
	}
	list := []shareInfo{}
	for _, each := range s.shares.List() {
		list = append(list, shown(each))
	}
	return reply(w, http.StatusOK, shareList{list})
}

// revokeShare ends a share.
func (s *Server) revokeShare(w http.ResponseWriter, r *http.Request) error {
	if err := s.checkPerson(r); err != nil {
		return err
	}
	args, err := s.readBody(w, r)
	if err != nil {
		return err
	}
	var share shareNamed
	json.Unmarshal(args["id"], &share.ID) // stays "" if it is not a string
	if !s.shares.Revoke(share.ID) {
		return op.Errorf(op.NotFound, "there is no share %q", share.ID).Hinted("chela shares lists them")
	}
	return reply(w, http.StatusOK, doneWith{true, share.ID})
}

// fingerprintOf returns a function that returns the fingerprint of the listener's present certificate.
func fingerprintOf(l *outside) func() string {
	return func() string {
		shown, err := l.config.GetCertificate(&tls.ClientHelloInfo{})
		if err != nil || shown.Leaf == nil {
			return ""
		}
		return certificate.Of(shown.Leaf).String()
	}
}

// enter gives a pass to a guest who has the secret of a link. Browsers send its cookie only to the
// paths of this share, so passes of several shares, and of the dashboard, do not mix. A browser that
// opens the link again keeps its cookie, so its other tabs stay admitted.
func (s *Server) enter(w http.ResponseWriter, r *http.Request) error {
	args, err := s.readBody(w, r)
	if err != nil {
		return err
	}
	var secret string
	json.Unmarshal(args["secret"], &secret) // stays "" if it is not a string
	of, cookie, token, ok := s.shares.Enter(secret, cookieOf(r, guestCookie))
	if !ok {
		return op.Errorf(op.Unauthorized, "the tab is not shared any more").Hinted("ask for another link")
	}
	connOf(r).beginCall()
	setCookie(w, r, guestCookie, cookie, sharePath+of.ID, of.Until)
	return reply(w, http.StatusOK, struct {
		shareInfo
		Token string `json:"token"`
	}{shown(of), token})
}

// guest answers a request of a guest. A guest can open the live view of the shared tab, and call the
// operations that are for guests, on that tab alone.
func (s *Server) guest(d door, w http.ResponseWriter, r *http.Request) error {
	id, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, sharePath), "/")
	if r.URL.Path == sharePath+id+enterPath && r.Method == http.MethodPost {
		return s.enter(w, r)
	}
	cookie, inner := cookieOf(r, guestCookie), below(r, sharePath+id+"/api")
	if upgrades(r) {
		of, life, known := s.shares.Watches(id, cookie)
		if !known {
			return notAdmitted()
		}
		leave, room := s.watching.enter(of.ID)
		if !room {
			return op.Errorf(op.TooMany, "the shared tab is shown in too many places").Hinted("close some of them")
		}
		defer leave()
		return s.personalSocket(d, w, inner.WithContext(withGuest(r.Context(), of)), life)
	}
	of, life, ok := s.shares.Admits(id, cookie, r.Header.Get(tokenHeader))
	if !ok {
		return notAdmitted()
	}
	connOf(r).beginCall()
	ctx, end := during(life, withGuest(r.Context(), of))
	defer end()
	return s.routeIn(s.guests(), w, inner.WithContext(ctx))
}

// notAdmitted returns the error for a guest without a pass.
func notAdmitted() error {
	return op.Errorf(op.Unauthorized, "the tab is not shared any more, or the page was not opened by its link").Hinted("open the link again, or ask for another")
}

// maxWatching limits the live views that the guests of a share have open at once. Otherwise a guest
// could take all connections of the server.
const maxWatching = 20

// A crowd counts the live views of each share's guests.
type crowd struct {
	mu    sync.Mutex // guards count
	count map[string]int
}

// enter counts a live view of a share until leave is called. It returns false if there are
// maxWatching already.
func (c *crowd) enter(share string) (leave func(), room bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.count[share] >= maxWatching {
		return nil, false
	}
	if c.count == nil {
		c.count = map[string]int{}
	}
	c.count[share]++
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.count[share]--; c.count[share] == 0 {
			delete(c.count, share)
		}
	}, true
}

// guestRoutes returns the router for guests: the routes of the table, and the raw routes for guests.
func (s *Server) guestRoutes() *router {
	return s.routesWith(slices.DeleteFunc(Raw(), func(raw RawRoute) bool { return !raw.guest }))
}

// withGuest returns a context for calls of a guest.
func withGuest(ctx context.Context, of dashboard.Share) context.Context {
	return op.WithGuest(op.WithCaller(ctx, "guest "+of.ID), op.Guest{Share: of.ID, Profile: of.Profile, Tab: of.Tab, Browser: of.Browser, OnlyView: of.OnlyView})
}

type byHandKey struct{}

// byHand returns a context for a call that [op.Table.Input] has made from input in the live view.
func byHand(ctx context.Context) context.Context { return context.WithValue(ctx, byHandKey{}, true) }

// confiningGuests is the runner for all calls of the server. It refuses the operations that the
// guest of a call may not do. The call's tab becomes the shared tab, whatever tab the guest has
// named. If the answer is that the tab is not the guest's any more, the share ends. Calls of others
// are run as they are.
type confiningGuests struct {
	op.Runner
	shares *dashboard.Shares
}

// Run implements [op.Runner].
func (c confiningGuests) Run(ctx context.Context, o *op.Op, args op.Args) (json.RawMessage, error) {
	guest := op.GuestOf(ctx)
	if guest == (op.Guest{}) {
		return c.Runner.Run(ctx, o, args)
	}
	hand := ctx.Value(byHandKey{}) != nil && !guest.OnlyView
	switch {
	case !o.ForGuest(guest.OnlyView) && !(hand && o.ByHand()):
		return nil, op.Errorf(op.Forbidden, "a guest may not call this")
	case op.TargetOf(ctx).Remote():
		return nil, op.Errorf(op.Invalid, "the shared tab is on the machine of this server")
	}
	raw, err := c.Runner.Run(op.WithTarget(ctx, op.Target{Place: op.Here}), o, argsOfGuest(guest, o, args))
	if err != nil && op.AsError(err).Code == op.Unauthorized {
		c.shares.Revoke(guest.Share)
	}
	return raw, err
}

// argsOfGuest returns the arguments of a guest's call, with the shared tab as the tab.
func argsOfGuest(guest op.Guest, o *op.Op, args op.Args) op.Args {
	args = maps.Clone(args)
	if guest.OnlyView {
		delete(args, "control")
	}
	forced := map[string]string{"profile": guest.Profile, "targetId": guest.Tab}
	for name := range args { // remove these parameters under all their names, so that no alias names another tab
		if p, _ := o.Param(name); forced[p.Name] != "" {
			delete(args, name)
		}
	}
	for name, value := range forced {
		args[name], _ = json.Marshal(value) // a string can be encoded
	}
	return args
}
