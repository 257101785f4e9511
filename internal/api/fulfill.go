package api

import (
	"cmp"
	"encoding/json"
	"maps"
	"mime"
	"path"
	"strings"

	"chela/internal/api/call"
	"chela/internal/engine/setting"
	"chela/internal/op"
)

// A fulfillment describes the answer to a request, with Playwright's names. The server is not
// asked, and no part of the answer comes from it.
type fulfillment struct {
	Status      int             `json:"status,omitempty" doc:"HTTP status; 200 by default"`
	Headers     map[string]any  `json:"headers,omitempty" doc:"headers by name"`
	ContentType string          `json:"contentType,omitempty" doc:"type of the body"`
	Body        *string         `json:"body,omitempty" doc:"body as text"`
	JSON        json.RawMessage `json:"json,omitempty" doc:"body as JSON"`
	Base64      []byte          `json:"base64,omitempty" doc:"body in base64"`
	Path        op.Input        `json:"path,omitempty" doc:"file with the body: a file in the uploads folder, or what POST /files has answered"`
}

// answer returns the answer to requests that the call describes, in the object fulfill or in fields
// beside it; nil if it describes none. Fields beside fulfill have precedence. An empty fulfill is
// also an answer: 200 without a body, as in Playwright.
func (r routeRequest) answer() *fulfillment {
	if r.Fulfill == nil && r.Status == 0 && r.ContentType == "" && r.Body == nil && r.BodyFile == "" {
		return nil
	}
	f := fulfillment{}
	if r.Fulfill != nil {
		f = *r.Fulfill
	}
	f.Status, f.ContentType = cmp.Or(r.Status, f.Status, 200), cmp.Or(r.ContentType, f.ContentType)
	f.Body, f.Path = cmp.Or(r.Body, f.Body), cmp.Or(r.BodyFile, f.Path)
	return &f
}

// check refuses an answer that Chromium would refuse later, when the request is already paused
// and could only fail. A status below 200 is no final answer. More than one body is refused, because
// only one could be sent.
func (f *fulfillment) check() error {
	bodies := 0
	for _, given := range []bool{f.Body != nil, f.JSON != nil, f.Base64 != nil, f.Path != ""} {
		if given {
			bodies++
		}
	}
	switch {
	case bodies > 1:
		return op.Errorf(op.Invalid, "an answer has only one of body, json, base64 and path")
	case f.Status < 200 || f.Status > 599:
		return op.Errorf(op.Invalid, "status must be from 200 to 599")
	case !validValue(f.ContentType):
		return op.Errorf(op.Invalid, "contentType must be one line")
	}
	_, err := parseHeaders(f.Headers, false)
	return err
}

// readFulfillment reads the body of an answer and finds its content type. As in Playwright, the
// type of a JSON body is JSON, and the type of a file follows from its name. Otherwise there is no
// type, and Chromium guesses it. A file is read now, so that it may be changed or removed later. It
// returns the errors of readInput, and an error if the body is too large.
func readFulfillment(s *call.Service, f *fulfillment) (*setting.Fulfillment, error) {
	headers, err := parseHeaders(f.Headers, false)
	if err != nil {
		return nil, err
	}
	answer := &setting.Fulfillment{Status: f.Status, Headers: map[string]string{}, Body: f.Base64}
	for name, value := range headers {
		// No value is nil: null is refused for headers of answers.
		answer.Headers[name] = *value
	}
	kind := f.ContentType
	switch {
	case f.Body != nil:
		answer.Body = []byte(*f.Body)
	case f.JSON != nil:
		answer.Body, kind = f.JSON, cmp.Or(kind, "application/json")
	case f.Path != "":
		if answer.Body, err = readInput(s, f.Path, maxBody); err != nil {
			return nil, err
		}
		kind = cmp.Or(kind, mime.TypeByExtension(path.Ext(string(f.Path))), "application/octet-stream")
	}
	if kind != "" {
		// A Content-Type header whose name is written with other capitals would be sent beside this
		// one, with another type.
		maps.DeleteFunc(answer.Headers, func(name, _ string) bool { return strings.EqualFold(name, "Content-Type") })
		answer.Headers["Content-Type"] = kind
	}
	if answer.Size = len(answer.Body); answer.Size > maxBody {
		return nil, op.Errorf(op.TooLarge, "the body is larger than %d bytes", maxBody)
	}
	return answer, nil
}
