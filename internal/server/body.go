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
// body. Errors are [*op.Error]. An empty body needs no Content-Type, as many clients
// send none with a POST without arguments. The codes are TooLarge (413), BadMediaType
// (415), and Invalid (400) for a body that is no JSON object, that ends early, or
// that did not arrive within requestTime, which is the read deadline of the
// connection.
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

func tooLarge() error {
	return op.Errorf(op.TooLarge, "the body is larger than %d bytes", maxBody).
		Hinted("where an operation takes a file, send the content by POST /files first")
}

// isJSON reports whether the header says that the body is JSON, and is not
// compressed: we do not decompress bodies. Requiring this type also keeps other sites
// out: a form, or fetch in the mode no-cors, can send only text/plain and the two
// types of forms; for any other, the browser first asks for permission by a preflight
// request (CORS), which the door refuses.
func isJSON(h http.Header) bool {
	if h.Get("Content-Encoding") != "" || len(h.Values("Content-Type")) != 1 {
		return false
	}
	kind, _, err := mime.ParseMediaType(h.Get("Content-Type"))
	return err == nil && kind == "application/json"
}

// parseObject decodes the body. The error gives the byte at which it is not JSON,
// counted from the start of the body. Other JSON values than an object are refused,
// also null, which json.Unmarshal takes for an absent object.
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
// Brackets within strings do not count. Of a text that is not JSON the result means
// nothing, but the decoder refuses that afterwards. encoding/json itself allows
// 10,000 levels.
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
