package server

import (
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strconv"
	"time"

	"chela/internal/op"
	"chela/internal/wall/secret"
)

// answerErrors returns a handler that calls h, and answers with the error that h returns. After a panic
// of h, it answers with status 500. Otherwise net/http would close the connection without an answer,
// and write to its own log.
func (s *Server) answerErrors(h handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			if p := recover(); p != nil {
				s.log(r).Error("panic", "panic", p, "stack", string(debug.Stack()))
				reply(w, http.StatusInternalServerError, internal())
			}
		}()
		if err := h(w, r); err != nil {
			s.fail(w, r, err)
		}
	})
}

// fail answers with an error. An error that is a bug of chela (op.Internal) is logged, and the caller
// gets no details of it. If the answer closes the connection, net/http first reads the rest of the
// body. The read deadline limits that to limits.drain.
func (s *Server) fail(w http.ResponseWriter, r *http.Request, err error) {
	e := op.FailureOf(r.Context(), err)
	if e.Code == op.Internal {
		s.log(r).Error("internal error", "err", err)
		e = internal()
	}
	if w.Header().Get("Connection") == "close" {
		http.NewResponseController(w).SetReadDeadline(time.Now().Add(s.o.limits.drain))
	}
	if ms, ok := e.Details["retryAfterMs"].(int); ok {
		w.Header().Set("Retry-After", strconv.Itoa((ms+999)/1000)) // in seconds
	}
	if err := reply(w, e.Code.Status(), e); err != nil {
		s.o.Log.Debug("the client has gone", "path", r.URL.Path, "err", err)
	}
}

// log returns the log with the request and its caller as attributes.
func (s *Server) log(r *http.Request) *slog.Logger {
	return s.o.Log.With("method", r.Method, "path", r.URL.Path, "caller", op.Caller(r.Context()))
}

// internal returns the error that callers get for a bug of chela. The details are in the log.
func internal() *op.Error {
	return op.Errorf(op.Internal, "an internal error").Hinted("this is a defect of chela: its log says more, please report it")
}

// reply writes v as the JSON body of a response. The client has replyTime to read the response,
// counted from now and not from the beginning of the call. Errors come from the connection; the status
// has been sent by then, so no other answer is possible.
func reply(w http.ResponseWriter, status int, v any) error {
	raw, ok := v.(json.RawMessage)
	if !ok {
		var err error
		if raw, err = json.Marshal(v); err != nil {
			return err
		}
	}
	raw = outgoing(raw)
	contentType(w.Header(), "application/json; charset=utf-8")
	w.Header().Set("Content-Length", strconv.Itoa(len(raw)+len("\n")))
	http.NewResponseController(w).SetWriteDeadline(time.Now().Add(replyTime))
	w.WriteHeader(status)
	if _, err := w.Write(raw); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// outgoing returns JSON in the form in which it may leave the server. Secrets are masked, and
// characters that could deceive a reader, such as invisible ones, are escaped.
func outgoing(raw []byte) []byte { return op.PlainJSON(secret.MaskBytes(raw)) }

// contentType sets the media type of an answer, and two other headers. A browser must not guess
// another type, since a page may have chosen the content. Browsers and caches must not keep the
// answer, since it may have private text of pages.
func contentType(h http.Header, mediaType string) {
	h.Set("Content-Type", mediaType)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
}
