package client

import (
	"encoding/json"
	"net/url"
	"strings"
)

// fieldsOf returns the fields of a request, by their names in JSON.
func fieldsOf(request any) (map[string]json.RawMessage, error) {
	raw, err := json.Marshal(request)
	if err != nil {
		return nil, err
	}
	fields := map[string]json.RawMessage{}
	return fields, json.Unmarshal(raw, &fields)
}

// fill chooses the first route whose path the fields can fill, or else the last one. It removes the
// fields that stand in the path, and adds the field that chooses the operation, such as kind.
func fill(routes []string, fields map[string]json.RawMessage) (method, path string) {
	for i, route := range routes {
		method, route, _ = strings.Cut(route, " ")
		pattern, choice, _ := strings.Cut(route, " ")
		filled, used, complete := fillPath(pattern, fields)
		if !complete && i < len(routes)-1 {
			continue
		}
		for _, name := range used {
			delete(fields, name)
		}
		if field, value, ok := strings.Cut(choice, "="); ok {
			fields[field] = quote(value)
		}
		path = filled
		break
	}
	return method, path
}

// fillPath replaces the names in braces in a path by the values of fields. It reports which ones it
// has used, and whether all have a value.
func fillPath(pattern string, fields map[string]json.RawMessage) (path string, used []string, complete bool) {
	segments := strings.Split(pattern, "/")
	complete = true
	for i, s := range segments {
		name, isField := strings.CutPrefix(s, "{")
		if !isField {
			continue
		}
		name = strings.TrimSuffix(name, "}")
		value := text(fields[name])
		segments[i], used, complete = segment(value), append(used, name), complete && value != ""
	}
	return strings.Join(segments, "/"), used, complete
}

// query writes fields as the query of a URL. Each element of a list is a value of its own.
func query(fields map[string]json.RawMessage) url.Values {
	q := url.Values{}
	for name, raw := range fields {
		var list []json.RawMessage
		if json.Unmarshal(raw, &list) != nil {
			list = []json.RawMessage{raw}
		}
		for _, one := range list {
			q.Add(name, text(one))
		}
	}
	return q
}

// text returns a value as it stands in a URL: a string without its quotes.
func text(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	return string(raw)
}

func quote(s string) json.RawMessage {
	raw, _ := json.Marshal(s) // a string can be encoded
	return raw
}

// segment returns s as one segment of a path. The segments . and .. would change the path.
func segment(s string) string {
	if s == "." || s == ".." {
		return strings.ReplaceAll(s, ".", "%2E")
	}
	return url.PathEscape(s)
}
