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
	path   op.Pattern // a {name} in it matches any segment, which the handler gets by Request.PathValue
	handle handler
}

func (r *router) add(method, path string, h handler) {
	added := route{method, op.PatternOf(path), h}
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
	for _, routes := range [][]route{r.fixed, r.open} {
		for _, each := range routes {
			switch {
			case !each.path.Matches(segments):
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

// answers reports whether a route, whose method is own, answers requests with this method. A GET
// route also answers HEAD; then net/http leaves out the body.
func answers(own, method string) bool {
	return own == method || own == http.MethodGet && method == http.MethodHead
}

func (r *route) setPathValues(req *http.Request, segments []string) {
	for name, value := range r.path.Values(segments) {
		req.SetPathValue(name, value)
	}
}
