package server

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"chela/internal/base/stage"
	"chela/internal/op"
	"chela/internal/surface/dashboard"
)

// A handler answers a request, or returns the error to answer with.
type handler func(w http.ResponseWriter, r *http.Request) error

// through handles all requests of a listener. It refuses a head that two programs could read
// differently, asks the door whether the request is admitted, and calls the route. These checks run
// before the route is chosen, so that a caller without the token cannot find out which routes exist.
func (s *Server) through(d door) http.Handler {
	return s.answerErrors(func(w http.ResponseWriter, r *http.Request) error {
		defer s.rest.Reset(s.o.limits.rest)
		// Remove the write deadline of the previous response on this connection.
		http.NewResponseController(w).SetWriteDeadline(time.Time{})
		c := connOf(r)
		if r.ContentLength != 0 {
			// allRead removes this header when the body has been read. Before an answer without the
			// header, net/http would wait for the rest of the body, even if the answer refuses the caller.
			w.Header().Set("Connection", "close")
		}
		if why := c.beginAnswer(); why != "" {
			w.Header().Set("Connection", "close")
			return op.Errorf(op.Invalid, "%s", why)
		}
		if dashboard.Owns(r.URL.Path) {
			return s.dashboard(d, w, r)
		}
		stream, err := s.byTicket(d, r)
		if stream == nil && err == nil {
			err = d.admit(r)
		}
		if err != nil {
			return err
		}
		if s.stopping.Load() {
			return errStopping
		}
		if err := op.CheckProtocol(r.Header); err != nil {
			return err
		}
		ctx, err := callerOf(r)
		if err != nil {
			return err
		}
		c.beginCall()
		return s.route(w, r.WithContext(withStream(ctx, stream)))
	})
}

// callerOf returns the context of a request with the caller and the session that its headers name. An
// invalid session key is an error, since a call that was meant for a session must not be made outside
// of it. Several session headers are an error, since it is not clear which one is meant.
func callerOf(r *http.Request) (context.Context, error) {
	ctx := op.WithCaller(r.Context(), cmp.Or(r.Header.Get(op.CallerHeader), "http"))
	ctx = op.WithSurface(ctx, op.SurfaceNamed(r.Header.Get(op.SurfaceHeader)))
	ctx = stage.WithParent(ctx, r.Header.Get(stage.ParentHeader))
	keys := r.Header.Values(op.SessionHeader)
	switch len(keys) {
	case 0:
		return ctx, nil
	case 1:
		return op.WithSession(ctx, keys[0]), op.CheckSession(keys[0])
	}
	return ctx, op.Errorf(op.Invalid, "the request has more than one %s", op.SessionHeader)
}

// routes returns a router with a route for each operation and each handler in raw.go. If the
// function of a raw route is missing in Options, the route is left out, and its path is unknown.
func (s *Server) routes() *router { return s.routesWith(Raw()) }

func (s *Server) routesWith(all []RawRoute) *router {
	var r router
	for _, o := range s.o.Table().Patterns() {
		r.add(o.Method, o.Path, false, s.operation(o))
	}
	for _, raw := range all {
		if raw.offered == nil || raw.offered(s.o) {
			r.add(raw.Method, raw.Path, raw.streams(), func(w http.ResponseWriter, req *http.Request) error { return raw.serve(s, w, req) })
		}
	}
	return &r
}

// route calls the handler of the request's route. It returns an error if there is no route, or none
// for this method. It answers OPTIONS itself, with the methods of the path.
func (s *Server) route(w http.ResponseWriter, r *http.Request) error {
	return s.routeIn(s.router(), w, r)
}

func (s *Server) routeIn(all *router, w http.ResponseWriter, r *http.Request) error {
	handle, methods := all.find(r)
	switch {
	case handle != nil:
		return handle(w, r)
	case len(methods) == 0 && r.Header.Get(op.ProtocolHeader) != "": // chela's own clients call only routes of their version, so this client has another version
		return op.Errorf(op.NotFound, "the server, chela %s, does not know this operation", s.o.Version).
			Hinted("its version is another than that of this client: update the older one")
	case len(methods) == 0:
		return op.Errorf(op.NotFound, "no such route").Hinted("GET /openapi.json lists them")
	}
	w.Header().Set("Allow", strings.Join(methods, ", "))
	if r.Method == http.MethodOptions {
		return reply(w, http.StatusOK, op.Object{"methods": methods})
	}
	return op.Errorf(op.BadMethod, "the method must be %s here", strings.Join(methods, " or "))
}

// operation returns the handler of a route. The handler reads the body, finds the operation and runs it.
// It reads the body first, since a field of it may choose the operation (kind for POST /act).
func (s *Server) operation(route op.Route) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		args, err := s.readBody(w, r)
		if err != nil {
			return err
		}
		// The request has been read: its read deadline must not end the call.
		http.NewResponseController(w).SetReadDeadline(time.Time{})
		query, err := url.ParseQuery(r.URL.RawQuery)
		if err != nil {
			return op.Errorf(op.Invalid, "the query cannot be read")
		}
		o, dropped, err := s.o.Table().Understand(route, r.PathValue, query, args)
		if err != nil {
			return err
		}
		target, err := op.TakeTarget(args)
		if err != nil {
			return err
		}
		ctx, stop := withProgress(w, r)
		defer stop() // if the operation panics
		ctx = op.WithTarget(ctx, target)
		result, err := s.o.Runner.Run(ctx, o, args)
		stop()
		if err != nil {
			return err
		}
		if result, err = withIgnored(result, dropped); err != nil {
			return err
		}
		if result, err = s.withFiles(r, o, result); err != nil {
			return err
		}
		return reply(w, http.StatusOK, result)
	}
}

// withIgnored adds the names of values that were dropped from the query to the field "ignored" of a
// result. That field also has the names of fields that the operation does not know.
func withIgnored(result json.RawMessage, dropped []string) (json.RawMessage, error) {
	if len(dropped) == 0 {
		return result, nil
	}
	var fields map[string]json.RawMessage
	var ignored []string
	if err := json.Unmarshal(result, &fields); err != nil {
		return result, nil // the result is not an object, so it cannot have the field
	}
	json.Unmarshal(fields["ignored"], &ignored)
	ignored = append(ignored, dropped...)
	slices.Sort(ignored)
	if fields["ignored"] == nil {
		return op.Merge(result, op.Object{"ignored": ignored})
	}
	fields["ignored"], _ = json.Marshal(ignored)
	return op.Merge(fields)
}
