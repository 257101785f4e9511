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

// fill chooses the first route whose path parameters all have a value in fields. It removes the fields
// that are in the path. It adds the field of the route that tells the operation from others with the
// same path, such as kind=click. The error names a parameter without a value.
func fill(routes []string, fields map[string]json.RawMessage) (method, path string, err error) {
	for _, route := range routes {
		method, route, _ = strings.Cut(route, " ")
		pattern, choice, _ := strings.Cut(route, " ")
		path, used, missing := fillPath(pattern, fields)
		if missing != "" {
			err = &Error{Code: CodeInvalidRequest, Message: missing + " is required"}
			continue
		}
		for _, name := range used {
			delete(fields, name)
		}
		if field, value, ok := strings.Cut(choice, "="); ok {
			fields[field] = quote(value)
		}
		return method, path, nil
	}
	return "", "", err
}

// fillPath replaces the names in braces in a path by the values of fields. It returns these names,
// and one of them that has no value.
func fillPath(pattern string, fields map[string]json.RawMessage) (path string, used []string, missing string) {
	segments := strings.Split(pattern, "/")
	for i, s := range segments {
		name, isField := strings.CutPrefix(s, "{")
		if !isField {
			continue
		}
		name = strings.TrimSuffix(name, "}")
		value := text(fields[name])
		if value == "" {
			missing = name
		}
		segments[i], used = segment(value), append(used, name)
	}
	return strings.Join(segments, "/"), used, missing
}

// query returns fields as the query of a URL. A list becomes one parameter for each element.
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

// text returns a JSON value as it is written in a URL: a string without its quotes.
func text(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	return string(raw)
}

func quote(s string) json.RawMessage {
	raw, _ := json.Marshal(s) // a string can always be encoded
	return raw
}

// segment escapes s as one segment of a path. Also . and .. are escaped, which would else change the
// path.
func segment(s string) string {
	if s == "." || s == ".." {
		return strings.ReplaceAll(s, ".", "%2E")
	}
	return url.PathEscape(s)
}
