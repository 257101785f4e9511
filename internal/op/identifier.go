package op

import (
	"reflect"
	"slices"
	"strings"
	"unicode"
)

// compounds maps commands that are written as one word to the words that they consist of. So
// waitfordownload becomes waitForDownload in code.
var compounds = map[string]string{
	"giveback":        "give back",
	"keydown":         "key down",
	"keyup":           "key up",
	"responsebody":    "response body",
	"scrollintoview":  "scroll into view",
	"takeover":        "take over",
	"waitfordownload": "wait for download",
}

// ID returns the name of the operation in code that is generated from the table: clickCoords. It is
// the operationId of the OpenAPI document, and the method of package client.
func (o *Op) ID() string { return identifier(o.Words...) }

// TypeName returns the name of a Go type in code that is generated from the table, such as package
// client.
func TypeName(t reflect.Type) string { return upperFirst(t.Name()) }

// RequestName returns the name of the operation's request type in code that is generated from the
// table.
func (o *Op) RequestName() string { return upperFirst(o.ID()) + "Request" }

// AnswerType returns the type that gives the operation's answer its name in code that is generated
// from the table. It is the result or, if the result has no fields of its own, the envelope.
func (o *Op) AnswerType() reflect.Type {
	if o.Envelope != nil && len(fieldsOf(o.Result)) == 0 {
		return o.Envelope
	}
	return o.Result
}

// PathID returns the operationId of a path. If one operation stands for the whole path, this is the
// ID of that operation. Otherwise several operations share the path, and the operationId is made
// from the path.
func (t *Table) PathID(route Route) string {
	for _, o := range t.At(route.Method, route.Path) {
		if slices.Contains(o.Routes, Route{Method: route.Method, Path: route.Path}) {
			return o.ID()
		}
	}
	return identifier(strings.FieldsFunc(route.Path, func(r rune) bool { return !unicode.IsLetter(r) })...)
}

// identifier joins words to a name: click-coords becomes clickCoords.
func identifier(words ...string) string {
	var name strings.Builder
	for _, word := range words {
		if parts, ok := compounds[word]; ok {
			word = parts
		}
		for part := range strings.FieldsFuncSeq(word, func(r rune) bool { return r == '-' || r == ' ' }) {
			if name.Len() > 0 {
				part = upperFirst(part)
			}
			name.WriteString(part)
		}
	}
	return name.String()
}

func upperFirst(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
