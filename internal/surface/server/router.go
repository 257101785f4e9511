package server

import (
	"net/http"
	"slices"

	"chela/internal/op"
)

// A router finds the handler of a request by its method and path. [http.ServeMux] is not used for three
// reasons. It redirects a path that is not clean, and many clients then repeat a POST as a GET without
// its body. It does not say which methods a path has. And it searches for conflicting patterns, which
// takes time at each start of the program.
type router struct {
	fixed, open []route // open has the routes with a {name} in their paths, fixed the others
}

// A route is a method and a path, with their handler.
type route struct {
	method string
	stream bool       // the answer is a stream, so that HEAD is not answered
	path   op.Pattern // a {name} in it matches any segment, which the handler gets by Request.PathValue
	handle handler
}

func (r *router) add(method, path string, stream bool, h handler) {
	added := route{method, stream, op.PatternOf(path), h}
	if added.path.Open() {
		r.open = append(r.open, added)
	} else {
		r.fixed = append(r.fixed, added)
	}
}

// find returns the handler of a request, or else the methods that its path has. Fixed paths
// have precedence.
func (r *router) find(req *http.Request) (h handler, methods []string) {
	segments, ok := op.Segments(req.URL)
	if !ok {
		return nil, nil
	}
	var others []route
	for _, routes := range [][]route{r.fixed, r.open} {
		for _, each := range routes {
			switch {
			case !each.path.Matches(segments):
			case each.answers(req.Method):
				each.setPathValues(req, segments)
				return each.handle, nil
			default:
				others = append(others, each)
			}
		}
	}
	return nil, methodsOf(others)
}

// methodsOf returns each method that one of the routes answers, in the usual order.
func methodsOf(routes []route) (all []string) {
	for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete} {
		if slices.ContainsFunc(routes, func(r route) bool { return r.answers(method) }) {
			all = append(all, method)
		}
	}
	return all
}

// answers reports whether the route answers requests with this method. A GET route also answers HEAD;
// then net/http leaves out the body. A stream does not: HEAD has no effects, and a stream may end a
// session when its connection closes.
func (r *route) answers(method string) bool {
	return r.method == method || r.method == http.MethodGet && method == http.MethodHead && !r.stream
}

func (r *route) setPathValues(req *http.Request, segments []string) {
	for name, value := range r.path.Values(segments) {
		req.SetPathValue(name, value)
	}
}
