package server

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"runtime/debug"
	"strconv"
	"time"

	"chela/internal/op"
)

// answering turns what h returns into an answer, and what it panics with too.
func (s *Server) answering(h handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			if p := recover(); p != nil {
				s.o.Log.Error("panic", "method", r.Method, "path", r.URL.Path, "caller", op.Caller(r.Context()), "panic", p, "stack", string(debug.Stack()))
				reply(w, http.StatusInternalServerError, internal())
			}
		}()
		if err := h(w, r); err != nil {
			s.fail(w, r, err)
		}
	})
}

func (s *Server) fail(w http.ResponseWriter, r *http.Request, err error) {
	e := failure(r.Context(), err)
	if e.Code == op.Internal {
		s.o.Log.Error("internal error", "method", r.Method, "path", r.URL.Path, "caller", op.Caller(r.Context()), "err", err)
		e = internal()
	}
	if err := reply(w, e.Code.Status(), e); err != nil {
		s.o.Log.Debug("the client has gone", "path", r.URL.Path, "err", err)
	}
}

// failure maps an error to the one that the caller gets.
func failure(ctx context.Context, err error) *op.Error {
	if e, ok := errors.AsType[*op.Error](err); ok {
		return e
	}
	cause, ended := errors.AsType[*op.Error](context.Cause(ctx))
	switch {
	case ended:
		return cause
	case errors.Is(err, op.ErrDeadline), errors.Is(err, context.DeadlineExceeded):
		return op.Errorf(op.Deadline, "the operation did not end in time").Hinted("give it more time with timeoutMs")
	case errors.Is(err, context.Canceled):
		return op.Errorf(op.Canceled, "the caller has gone")
	}
	return op.AsError(err)
}

// internal is the error that callers get for a defect; the details are in the log.
func internal() *op.Error {
	return op.Errorf(op.Internal, "an internal error").Hinted("this is a defect of chela: its log says more, please report it")
}

func reply(w http.ResponseWriter, status int, v any) error {
	raw, ok := v.(json.RawMessage)
	if !ok {
		var err error
		if raw, err = json.Marshal(v); err != nil {
			return err
		}
	}
	raw = op.PlainJSON(raw)
	h := w.Header()
	h.Set("Content-Type", "application/json; charset=utf-8")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Length", strconv.Itoa(len(raw)+len("\n")))
	rc := http.NewResponseController(w)
	rc.SetWriteDeadline(time.Now().Add(replyTime))
	w.WriteHeader(status)
	if _, err := w.Write(raw); err != nil {
		return err
	}
	if _, err := io.WriteString(w, "\n"); err != nil {
		return err
	}
	// When the call is over, its connection may be closed by the server's end.
	return rc.Flush()
}
