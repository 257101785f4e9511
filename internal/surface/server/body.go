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
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"chela/internal/op"
)

const (
	maxBody  = 1 << 20 // largest body, in bytes
	maxDepth = 64      // how deeply objects and lists may be nested
)

// readBody returns the fields of the JSON object in the body; none if there is no body. An empty
// body needs no Content-Type, since many clients send none with a POST without arguments. Errors
// are [*op.Error]s with the codes TooLarge (413), BadMediaType (415), and Invalid (400). Invalid
// means that the body is not a JSON object, ends early, or did not arrive within limits.request.
func (s *Server) readBody(w http.ResponseWriter, r *http.Request) (op.Args, error) {
	raw, err := s.readJSON(w, r)
	if err != nil || raw == nil {
		return op.Args{}, err
	}
	return parseObject(raw)
}

// readInto reads the body into the fields of v. It returns the same errors as readBody. If the type
// of a value does not fit its field, the error has the text in the argument wrong.
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
	if failed := unread(err, s.o.limits.request); failed != nil {
		return nil, failed
	}
	if err != nil {
		return nil, op.Errorf(op.Invalid, "the body broke off")
	}
	allRead(w, r)
	return raw, nil
}

// unread returns the error to answer with when a body could not be read within a time, or nil if err
// does not say so.
func unread(err error, within time.Duration) error {
	switch large, is := errors.AsType[*http.MaxBytesError](err); {
	case is && large.Limit == maxBody:
		return tooLarge()
	case is:
		return op.Errorf(op.TooLarge, "the body is larger than %d bytes", large.Limit)
	case errors.Is(err, os.ErrDeadlineExceeded):
		return op.Errorf(op.Invalid, "the body did not arrive within %s", within)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return op.Errorf(op.Invalid, "the body broke off")
	}
	return nil
}

// hasNoBody reports whether the body is empty. For a body in chunks, it waits for the first chunk.
func hasNoBody(r *http.Request, body *bufio.Reader) bool {
	if r.ContentLength > 0 {
		return false
	}
	_, err := body.Peek(1)
	return errors.Is(err, io.EOF)
}

// allRead is called when the body has been read. It removes the header Connection: close, so that the
// connection stays open for further requests. After a chunked body the connection must close, since
// framing does not check the bytes that follow it.
func allRead(w http.ResponseWriter, r *http.Request) {
	if len(r.TransferEncoding) == 0 {
		w.Header().Del("Connection")
	}
}

func tooLarge() error {
	return op.Errorf(op.TooLarge, "the body is larger than %d bytes", maxBody).
		Hinted("where an operation takes a file, send the content by POST /files first")
}

// isJSON reports whether the header says that the body is JSON and not compressed, as chela does not
// decompress bodies. Requiring this type also keeps pages of other sites out. A form, or fetch in the
// mode no-cors, can send only text/plain and the two types of forms. For any other type, the browser
// first asks for permission by a preflight request (CORS), which the [door] refuses.
func isJSON(h http.Header) bool {
	if h.Get("Content-Encoding") != "" || len(h.Values("Content-Type")) != 1 {
		return false
	}
	kind, params, err := mime.ParseMediaType(h.Get("Content-Type"))
	charset, given := params["charset"]
	return err == nil && kind == "application/json" && (!given || strings.EqualFold(charset, "utf-8"))
}

// parseObject decodes the body. If it is not JSON, the error has the offset of the wrong byte. JSON
// values other than an object are refused, even null, which json.Unmarshal would decode as a nil map.
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

// checkJSON refuses JSON that two programs could read differently: an object with the same name twice,
// and text that is not UTF-8. Package encoding/json would accept both. It also limits how deep objects
// and lists are nested, before they are decoded: nested values take much more memory than their text.
// An escape of half a character (\ud800) is accepted. Databases of pages contain such texts, and
// callers send a saved state back as they got it.
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
