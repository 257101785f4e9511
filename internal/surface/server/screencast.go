package server

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/coder/websocket"
	"golang.org/x/net/http/httpguts"

	"chela/internal/engine/capture"
	"chela/internal/op"
	"chela/internal/record/live"
)

// A Watcher returns the live view of a tab, for a caller in the session of ctx. If control is true, the
// viewer may also use the tab.
type Watcher = func(ctx context.Context, profile, tab string, control bool) (*live.Stream, error)

// byTicket returns the live view that the ticket of a request is for. It returns nil for a request
// without a ticket. For the live view, a ticket takes the place of the server's token. The error is
// Unauthorized for a ticket that is not valid any more.
//
// A page cannot send a header with a WebSocket, so the ticket is in the address. It works once and
// for a short time, so it does no harm in a log. The page may have any origin. Only the page that
// was given the ticket knows it. Browsers send cookies by themselves, but not tickets. The Host
// must be this server's, as for all requests. A guest's ticket works only for requests of that guest:
// elsewhere nothing would confine them, nor end the view with the share. A ticket is random and so long that guesses need not
// be counted.
func (s *Server) byTicket(d door, r *http.Request) (*live.Stream, error) {
	tickets := r.URL.Query()["ticket"]
	if s.o.TakeTicket == nil || r.URL.Path != screencastPath || !upgrades(r) || tickets == nil {
		return nil, nil
	}
	if err := d.checkHost(r); err != nil {
		return nil, err
	}
	if len(tickets)+len(credentials(r)) > 1 {
		return nil, op.Errorf(op.Invalid, "the request has more than one credential")
	}
	stream := s.o.TakeTicket(tickets[0])
	if stream == nil || stream.Guest != op.GuestOf(r.Context()).Share {
		return nil, op.Errorf(op.Unauthorized, "the ticket is not valid").
			Hinted("a ticket works once, and for a short time: get another by POST /screencast/ticket")
	}
	return stream, nil
}

// upgrades reports whether a request asks for a WebSocket.
func upgrades(r *http.Request) bool {
	return r.Method == http.MethodGet && strings.EqualFold(r.Header.Get("Upgrade"), "websocket") && httpguts.HeaderValuesContainsToken(r.Header["Connection"], "Upgrade")
}

type streamKey struct{}

// withStream returns a context for the request of a viewer with a ticket.
func withStream(ctx context.Context, s *live.Stream) context.Context {
	return context.WithValue(ctx, streamKey{}, s)
}

// screencastPath is the path of the live view.
const screencastPath = "/screencast"

// screencast answers GET /screencast with a WebSocket, see viewer. It ends when the tab closes, the
// viewer disconnects, or the server shuts down.
func (s *Server) screencast(w http.ResponseWriter, r *http.Request) error {
	if !upgrades(r) {
		return op.Errorf(op.Invalid, "the live view is a WebSocket").Hinted("connect to ws://%s%s", r.Host, r.URL.Path)
	}
	q := r.URL.Query()
	how, err := filmingOf(q)
	if err != nil {
		return err
	}
	stream, err := s.streamOf(r, q)
	if err != nil {
		return err
	}
	// When the server shuts down, it waits for s.sockets. Until websocket.Accept has taken over the
	// connection, http.Server.Shutdown waits for this handler. So no socket is missed.
	s.sockets.Add(1)
	defer s.sockets.Done()
	w.Header().Set("Connection", "close") // for an answer that refuses the WebSocket, see upgrade
	connOf(r).upgrade()
	// InsecureSkipVerify switches off a check of Origin, which the door has already made.
	socket, err := websocket.Accept(w, r, &websocket.AcceptOptions{InsecureSkipVerify: true, CompressionMode: websocket.CompressionDisabled})
	if err != nil {
		return nil // Accept has answered
	}
	socket.SetReadLimit(maxFromViewer)
	newViewer(r.Context(), s, socket, connOf(r).transport, stream).serve(how)
	return nil
}

// streamOf returns the live view that the ticket or else the query of a request names.
func (s *Server) streamOf(r *http.Request, q url.Values) (*live.Stream, error) {
	stream, _ := r.Context().Value(streamKey{}).(*live.Stream)
	if stream == nil {
		return s.o.Watch(r.Context(), q.Get("profile"), q.Get("targetId"), q.Get("control") == "true")
	}
	names := append(stream.Tab.TargetIDs(), stream.Tab.ID, "")
	if !slices.Contains(names, q.Get("targetId")) {
		return nil, op.Errorf(op.Unauthorized, "the ticket is for another tab").Hinted("leave targetId out")
	}
	return stream, nil
}

// The parameters of a live view, with their names in the query, defaults and limits.
var (
	widths    = limit{"maxWidth", 1280, 16, 3840}
	heights   = limit{"maxHeight", 1280, 16, 3840}
	qualities = limit{"quality", 60, 1, 100}
	rates     = limit{"fps", 5, 1, 30}
)

// A limit is a number in a query: its name, its default, and its smallest and largest value.
type limit struct {
	name             string
	usual, low, high int
}

// param returns the description of the parameter for raw routes.
func (l limit) param(doc string) RawParam {
	return RawParam{Name: l.name, Doc: fmt.Sprintf("%s: %d to %d; %d when left out", doc, l.low, l.high, l.usual), Type: "integer"}
}

// in returns the number in a query, or its default. A number beyond the limits is an error.
func (l limit) in(q url.Values) (int, error) {
	if !q.Has(l.name) {
		return l.usual, nil
	}
	n, err := strconv.Atoi(q.Get(l.name))
	if err != nil || n < l.low || n > l.high {
		return 0, op.Errorf(op.Invalid, "%s must be a number from %d to %d", l.name, l.low, l.high)
	}
	return n, nil
}

// filmingOf returns the size, quality and rate of pictures that a query asks for.
func filmingOf(q url.Values) (capture.Filming, error) {
	width, err1 := widths.in(q)
	height, err2 := heights.in(q)
	quality, err3 := qualities.in(q)
	fps, err4 := rates.in(q)
	err := cmp.Or(err1, err2, err3, err4)
	return capture.Filming{
		MaxWidth: width, MaxHeight: height, Quality: quality,
		Interval: time.Second / time.Duration(max(1, fps)), Yields: q.Get("yield") == "true", ForPerson: true,
	}, err
}
