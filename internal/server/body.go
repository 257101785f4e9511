package server

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"os"

	"chela/internal/op"
)

const (
	maxBody  = 1 << 20 // bytes
	maxDepth = 64      // of objects and lists in one another
)

// readBody returns the fields of the JSON object in the body; none if there is no
// body. Errors are [*op.Error].
func readBody(w http.ResponseWriter, r *http.Request) (op.Args, error) {
	if r.ContentLength > maxBody {
		w.Header().Set("Connection", "close") // rather than read on to find the next request
		return nil, tooLarge()
	}
	body := bufio.NewReader(http.MaxBytesReader(w, r.Body, maxBody))
	if _, err := body.Peek(1); errors.Is(err, io.EOF) {
		return op.Args{}, nil
	}
	if !isJSON(r.Header) {
		return nil, op.Errorf(op.BadMediaType, "the body must be JSON").Hinted("send Content-Type: application/json")
	}
	raw, err := io.ReadAll(body)
	switch _, large := errors.AsType[*http.MaxBytesError](err); {
	case large:
		return nil, tooLarge()
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, op.Errorf(op.Invalid, "the body did not arrive within %s", requestTime)
	case err != nil:
		return nil, op.Errorf(op.Invalid, "the body broke off")
	}
	return parseObject(raw)
}

func tooLarge() error { return op.Errorf(op.TooLarge, "the body is larger than %d bytes", maxBody) }

// isJSON reports whether the body is said to be JSON. Forms of other sites cannot send
// this type without asking first (CORS), so it also keeps them out.
func isJSON(h http.Header) bool {
	if h.Get("Content-Encoding") != "" || len(h.Values("Content-Type")) != 1 {
		return false
	}
	kind, _, err := mime.ParseMediaType(h.Get("Content-Type"))
	return err == nil && kind == "application/json"
}

// parseObject decodes the body. The error gives the byte at which it is not JSON.
func parseObject(raw []byte) (op.Args, error) {
	if depth(raw) > maxDepth {
		return nil, op.Errorf(op.Invalid, "the body is nested more than %d deep", maxDepth)
	}
	var args op.Args
	err := json.Unmarshal(raw, &args)
	if e, ok := errors.AsType[*json.SyntaxError](err); ok {
		return nil, op.Errorf(op.Invalid, "the body is not JSON: %v at byte %d", e, e.Offset)
	}
	if err != nil || args == nil {
		return nil, op.Errorf(op.Invalid, "the body must be a JSON object")
	}
	return args, nil
}

// depth is how deep the objects and lists of a JSON text are nested. It is checked
// before decoding, as the memory for nested values is much larger than their text.
func depth(raw []byte) int {
	now, most, inString := 0, 0, false
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == '{' || c == '[':
			now++
			most = max(most, now)
		case c == '}' || c == ']':
			now--
		}
	}
	return most
}
