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
	maxDepth = 64      // how deeply objects and lists may be nested
)

// readBody returns the fields of the JSON object in the body; none if there is no body. An empty
// body needs no Content-Type, since many clients send none with a POST without arguments. Errors
// are [*op.Error]s with the codes TooLarge (413), BadMediaType (415), and Invalid (400). Invalid is
// a body that is not a JSON object, that ends early, or that did not arrive within limits.request.
func (s *Server) readBody(w http.ResponseWriter, r *http.Request) (op.Args, error) {
	raw, err := s.readJSON(w, r)
	if err != nil || raw == nil {
		return op.Args{}, err
	}
	return parseObject(raw)
}

// readInto reads the body into the fields of v. It returns the errors of readBody; if a value has
// another type than its field, the error has the text wrong.
func (s *Server) readInto(w http.ResponseWriter, r *http.Request, v any, wrong string) error {
	args, err := s.readBody(w, r)
	if err != nil {
		return err
	}
	raw, _ := json.Marshal(args) // cannot fail: args were read from JSON
	if json.Unmarshal(raw, v) != nil {
		return op.Errorf(op.Invalid, "%s", wrong)
	}
	return nil
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

// hasNoBody reports whether the body is empty. For a body in chunks, it waits for the first chunk.
func hasNoBody(r *http.Request, body *bufio.Reader) bool {
	if r.ContentLength > 0 {
		return false
	}
	_, err := body.Peek(1)
	return errors.Is(err, io.EOF)
}

// allRead is called when the body has been read: the connection can then have further requests.
// After a body in chunks the connection closes, since framing does not check what follows it.
func allRead(w http.ResponseWriter, r *http.Request) {
	if len(r.TransferEncoding) == 0 {
		w.Header().Del("Connection")
	}
}

func tooLarge() error {
	return op.Errorf(op.TooLarge, "the body is larger than %d bytes", maxBody).
		Hinted("where an operation takes a file, send the content by POST /files first")
}

// isJSON reports whether the header says that the body is JSON, and is not compressed: chela does
// not decompress bodies. Requiring this type also keeps other sites out. A form, or fetch in the
// mode no-cors, can send only text/plain and the two types of forms. For any other type, the
// browser first asks for permission by a preflight request (CORS), which the door refuses.
func isJSON(h http.Header) bool {
	if h.Get("Content-Encoding") != "" || len(h.Values("Content-Type")) != 1 {
		return false
	}
	kind, params, err := mime.ParseMediaType(h.Get("Content-Type"))
	charset, given := params["charset"]
	return err == nil && kind == "application/json" && (!given || strings.EqualFold(charset, "utf-8"))
}

// parseObject decodes the body. If it is not JSON, the error gives the number of the wrong byte,
// counted from the start of the body. JSON values other than an object are refused, even null,
// which json.Unmarshal accepts as no object.
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

// checkJSON refuses JSON that two programs could read differently. That is an object with the same
// name twice, and text that is not UTF-8: package encoding/json would accept both. It also limits
// how deep objects and lists are nested, before they are decoded: the memory for nested values is
// much larger than their text. Half a character written as an escape (\ud800) is accepted.
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
