package op

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"strings"
)

// A Sent is a call as it is sent to another machine: the parts of the HTTP request that stands for
// it. Its JSON is what OpenClaw sends to a node.
type Sent struct {
	Method string `json:"method"`
	Path   string `json:"path"`
	Query  Args   `json:"query,omitempty"`
	Body   Args   `json:"body,omitempty"`
}

// Sent returns a call with args as it is sent. Each argument goes to the path, the query or the
// body, as the route says. Arguments are sent as they are; the receiver of the call checks them.
// The route may have a field of its own, such as kind in POST /act, which chooses the operation.
func (o *Op) Sent(args Args) Sent {
	route := o.Route(args)
	fields := Args{}
	s := Sent{Method: route.Method, Path: route.Path}
	for name, raw := range args {
		if route.InPath(name) {
			s.Path = strings.Replace(s.Path, "{"+name+"}", PathSegment(valueText(raw)), 1)
			continue
		}
		fields[name] = raw
	}
	if route.Field != "" {
		fields[route.Field], _ = json.Marshal(route.Value) // cannot fail
	}
	switch {
	case len(fields) == 0:
	case route.Method == http.MethodPost:
		s.Body = fields
	default:
		s.Query = fields
	}
	return s
}

// Values returns the fields of the query as it stands in a URL. A list becomes one pair for each
// value (values=a&values=b), as [Table.Understand] reads it; an empty list is left out.
func (s Sent) Values() url.Values {
	q := url.Values{}
	for name, raw := range s.Query {
		var list []json.RawMessage
		if json.Unmarshal(raw, &list) != nil {
			list = []json.RawMessage{raw}
		}
		for _, one := range list {
			q.Add(name, valueText(one))
		}
	}
	return q
}

// PathSegment returns s as one segment of a path. A segment . or .. would change the path, so its
// dots are escaped.
func PathSegment(s string) string {
	if s == "." || s == ".." {
		return strings.ReplaceAll(s, ".", "%2E")
	}
	return url.PathEscape(s)
}

// valueText returns a JSON value as it stands in a URL: a string without its quotes.
func valueText(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	return string(raw)
}

// Receive finds the operation of a call that was sent, and its arguments. The error is for a path
// that has no operation, and for what [Table.Understand] refuses.
func (t *Table) Receive(s Sent) (o *Op, args Args, err error) {
	unknown := Errorf(NotFound, "no operation at %s %s", s.Method, s.Path)
	u, err := url.ParseRequestURI(s.Path)
	if err != nil {
		return nil, nil, unknown
	}
	segments, ok := Segments(u)
	if !ok {
		return nil, nil, unknown
	}
	route, ok := t.route(s.Method, segments)
	if !ok {
		return nil, nil, unknown
	}
	args = Args{}
	maps.Copy(args, s.Body)
	values := PatternOf(route.Path).Values(segments)
	o, _, err = t.Understand(route, func(name string) string { return values[name] }, s.Values(), args)
	return o, args, err
}

// route finds the route of a path. If several patterns match the path, the one with the fewest open
// segments counts. It looks at each route only once, because every call to a node needs it.
func (t *Table) route(method string, segments []string) (found Route, ok bool) {
	for _, o := range t.Ops {
		for _, r := range o.Routes {
			if r.Method != method || !PatternOf(r.Path).Matches(segments) {
				continue
			}
			if !ok || strings.Count(r.Path, "{") < strings.Count(found.Path, "{") {
				found, ok = Route{Method: r.Method, Path: r.Path}, true
			}
		}
	}
	return found, ok
}

// Understand finds the operation of a request for a route. The map args has the values of the body,
// and must not be nil. Understand adds the values in the path and the query. A parameter that is
// given twice must have one value, see [Op.Add].
//
// In a GET, values of the query that are not valid are ignored, unless the parameter is strict;
// Understand returns their names. OpenClaw also ignores them, and its callers rely on that; for
// other methods, [Op.Run] refuses them. A name in the query that no parameter has stays in args as a
// text, and the operation reports it as ignored.
func (t *Table) Understand(route Route, path func(name string) string, query url.Values, args Args) (o *Op, dropped []string, err error) {
	if o, err = t.chooseBy(route, args, query); err != nil {
		return nil, nil, err
	}
	for name, texts := range query {
		p, known := o.Param(name)
		if !known {
			if err := o.Add(args, name, quote(texts[len(texts)-1])); err != nil {
				return nil, nil, err
			}
			continue
		}
		for _, values := range p.Values(texts) {
			raw, err := p.Parse(values...)
			valid := err == nil && p.Accepts(raw)
			switch {
			case !valid && route.Method == http.MethodGet && !p.Strict:
				dropped = append(dropped, name)
				continue
			case !valid:
				raw = quote(values[len(values)-1]) // [Op.Run] reports what is wrong with the value
			}
			if err := o.Add(args, name, raw); err != nil {
				return nil, nil, err
			}
		}
	}
	for _, p := range o.Params() {
		if !route.InPath(p.Name) {
			continue
		}
		if err := o.Add(args, p.Name, quote(path(p.Name))); err != nil {
			return nil, nil, err
		}
	}
	return o, dropped, nil
}

// chooseBy finds the operation of the route, where a field of the query or of the body may choose
// it.
func (t *Table) chooseBy(route Route, body Args, query url.Values) (*Op, error) {
	all := maps.Clone(body)
	for name, texts := range query {
		all[name] = quote(texts[len(texts)-1])
	}
	return t.Choose(route.Method, route.Path, all)
}

// quote returns s as JSON.
func quote(s string) json.RawMessage {
	raw, _ := json.Marshal(s) // cannot fail
	return raw
}
