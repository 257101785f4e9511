package server

import (
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
)

// A router finds the handler of a request by its method and path. It is not [http.ServeMux] for
// three reasons. That redirects a path that is not clean, and many clients then repeat a POST as a
// GET without its body. It does not say which methods a path has. And its search for patterns in
// conflict takes a part of each start of the program.
type router struct {
	fixed, open []route // open: those with a segment that may be any text
}

// A route is where a handler answers.
type route struct {
	method   string
	segments []string // of its path; {name} stands for any text, which the handler gets as a path value
	handle   handler
}

func (r *router) add(method, path string, h handler) {
	added := route{method, segmentsOf(path), h}
	if strings.Contains(path, "{") {
		r.open = append(r.open, added)
	} else {
		r.fixed = append(r.fixed, added)
	}
}

// segmentsOf returns what is between the slashes of a path.
func segmentsOf(path string) []string { return strings.Split(path[1:], "/") }

// find returns the handler of a request, or else the methods that its path has. Fixed paths
// have precedence. Paths are compared as they were sent: one that is not clean (a//b,
// a/../b) is no route, also when it is escaped.
func (r *router) find(req *http.Request) (h handler, methods []string) {
	segments, ok := sent(req.URL)
	if !ok {
		return nil, nil
	}
	for _, routes := range [][]route{r.fixed, r.open} {
		for _, each := range routes {
			switch {
			case !each.matches(segments):
			case answers(each.method, req.Method):
				each.setPathValues(req, segments)
				return each.handle, nil
			default:
				methods = append(methods, each.method)
			}
		}
	}
	return nil, inOrder(methods)
}

// inOrder returns each method once, in the usual order. It adds HEAD if there is GET, as a route
// for GET also answers HEAD.
func inOrder(methods []string) (all []string) {
	for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete} {
		if slices.ContainsFunc(methods, func(own string) bool { return answers(own, method) }) {
			all = append(all, method)
		}
	}
	return all
}

// sent returns the segments of a path as it was sent, without their escapes; false if the
// path is not clean.
func sent(u *url.URL) (segments []string, ok bool) {
	escaped := u.EscapedPath()
	if path.Clean(escaped) != escaped || escaped[0] != '/' {
		return nil, false
	}
	segments = segmentsOf(escaped)
	for i, segment := range segments {
		var err error
		if segments[i], err = url.PathUnescape(segment); err != nil {
			return nil, false
		}
	}
	return segments, true
}

func (r *route) matches(segments []string) bool {
	return slices.EqualFunc(r.segments, segments, func(own, given string) bool {
		return own == given || isOpen(own) && given != ""
	})
}

func isOpen(segment string) bool { return strings.HasPrefix(segment, "{") }

// answers reports whether a route of one method answers another. A GET route also answers HEAD, for
// which net/http leaves out the body.
func answers(own, method string) bool {
	return own == method || own == http.MethodGet && method == http.MethodHead
}

func (r *route) setPathValues(req *http.Request, segments []string) {
	for i, segment := range r.segments {
		if isOpen(segment) {
			req.SetPathValue(strings.Trim(segment, "{}"), segments[i])
		}
	}
}
