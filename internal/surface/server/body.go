package server

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"os"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"chela/internal/op"
)

const (
	maxBody  = 1 << 20 // bytes
	maxDepth = 64      // of objects and lists in one another
)

// readBody returns the fields of the JSON object in the body; none if there is no body. Errors are
// [*op.Error]. An empty body needs no Content-Type, as many clients send none with a POST without
// arguments. The codes are TooLarge (413), BadMediaType (415), and Invalid (400). Invalid is a body
// that is no JSON object, that ends early, or that did not arrive within limits.request, the read
// deadline of the connection.
func (s *Server) readBody(w http.ResponseWriter, r *http.Request) (op.Args, error) {
	raw, err := s.readJSON(w, r)
	if err != nil || raw == nil {
		return op.Args{}, err
	}
	return parseObject(raw)
}

// readJSON returns the body, which must be declared as JSON; nil if there is none. It returns the
// errors of readBody.
func (s *Server) readJSON(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	if r.ContentLength > maxBody {
		return nil, tooLarge()
	}
	body := bufio.NewReader(http.MaxBytesReader(w, r.Body, maxBody))
	if hasNoBody(r, body) {
		allRead(w, r)
		return nil, nil
	}
	if !isJSON(r.Header) {
		return nil, op.Errorf(op.BadMediaType, "the body must be JSON").Hinted("send Content-Type: application/json")
	}
	raw, err := io.ReadAll(body)
	switch _, large := errors.AsType[*http.MaxBytesError](err); {
	case large:
		return nil, tooLarge()
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, op.Errorf(op.Invalid, "the body did not arrive within %s", s.o.limits.request)
	case err != nil:
		return nil, op.Errorf(op.Invalid, "the body broke off")
	}
	allRead(w, r)
	return raw, nil
}

// hasNoBody reports whether the body is empty. That of a body in chunks is known when the
// first has come.
func hasNoBody(r *http.Request, body *bufio.Reader) bool {
	if r.ContentLength > 0 {
		return false
	}
	_, err := body.Peek(1)
	return errors.Is(err, io.EOF)
}

// allRead says that the body has been read, so the connection can have further requests.
// What follows a body in chunks is not looked at by framing, so then it closes.
func allRead(w http.ResponseWriter, r *http.Request) {
	if len(r.TransferEncoding) == 0 {
		w.Header().Del("Connection")
	}
}

func tooLarge() error {
	return op.Errorf(op.TooLarge, "the body is larger than %d bytes", maxBody).
		Hinted("where an operation takes a file, send the content by POST /files first")
}

// isJSON reports whether the header says that the body is JSON, and is not compressed: we do not
// decompress bodies. Requiring this type also keeps other sites out. A form, or fetch in the mode
// no-cors, can send only text/plain and the two types of forms. For any other type, the browser
// first asks for permission by a preflight request (CORS), which the door refuses.
func isJSON(h http.Header) bool {
	if h.Get("Content-Encoding") != "" || len(h.Values("Content-Type")) != 1 {
		return false
	}
	kind, params, err := mime.ParseMediaType(h.Get("Content-Type"))
	charset, given := params["charset"]
	return err == nil && kind == "application/json" && (!given || strings.EqualFold(charset, "utf-8"))
}

// parseObject decodes the body. The error gives the byte at which it is not JSON,
// counted from the start of the body. Other JSON values than an object are refused,
// also null, which json.Unmarshal takes for an absent object.
func parseObject(raw []byte) (op.Args, error) {
	if err := checkJSON(raw); err != nil {
		return nil, err
	}
	var args op.Args
	if err := json.Unmarshal(raw, &args); err != nil || args == nil {
		return nil, op.Errorf(op.Invalid, "the body must be a JSON object")
	}
	return args, nil
}

// checkJSON refuses what two programs could read in two ways, where encoding/json silently takes
// one of them. This is a name that an object has twice, and text that is not UTF-8. It also bounds
// how deep objects and lists are nested, before they are decoded. The memory for nested values is
// much larger than their text. Half a character that is written as an escape (\ud800) is accepted.
// Databases of pages have such texts, and a saved state is sent back as it was answered.
func checkJSON(raw []byte) error {
	if !utf8.Valid(raw) {
		return op.Errorf(op.Invalid, "the body is not JSON: it is not in UTF-8")
	}
	d := jsontext.NewDecoder(bytes.NewReader(raw), jsontext.AllowInvalidUTF8(true))
	for {
		_, err := d.ReadToken()
		switch e, wrong := errors.AsType[*jsontext.SyntacticError](err); {
		case errors.Is(err, io.EOF):
			return nil
		case wrong:
			return op.Errorf(op.Invalid, "the body is not JSON: %v at byte %d", e.Err, e.ByteOffset)
		case err != nil:
			return op.Errorf(op.Invalid, "the body is not JSON")
		case d.StackDepth() > maxDepth:
			return op.Errorf(op.Invalid, "the body is nested more than %d deep", maxDepth)
		}
	}
}
