package server

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strings"
	"time"

	"chela/internal/op"
	"chela/internal/wall/secret"
)

func offersAgent(o Options) bool { return o.Agent != nil }

// agent answers a request of MCP's streamable HTTP. It reads the body by the server's rules for all
// bodies; [mcp.HTTP] does the rest. If the SDK refuses a request with a line of plain text, agent
// returns that as an error in chela's form.
func (s *Server) agent(w http.ResponseWriter, r *http.Request) error {
	if r.Method == http.MethodPost {
		raw, err := s.readJSON(w, r)
		if err == nil && raw != nil {
			err = checkJSON(raw)
		}
		if err != nil {
			return err
		}
		r.Body = io.NopCloser(bytes.NewReader(raw))
	}
	http.NewResponseController(w).SetReadDeadline(time.Time{}) // the request has been read, so its deadline is over
	ctx, release := s.whileConnected(r)
	defer release()
	ctx, cut := context.WithCancel(op.WithCaller(ctx, r.Header.Get(op.CallerHeader))) // without the header, the caller is the name that the MCP client gives
	defer cut()
	events := &eventWriter{ResponseWriter: w, connection: w.Header().Get("Connection"), cut: cut}
	if err := s.agents.Serve(events, r.WithContext(ctx)); err != nil {
		return err
	}
	return events.refusal()
}

// whileConnected returns the context of a request. It ends when the client disconnects or release
// is called. When the server shuts down, a stream without a call (GET) ends at once. The stream of
// a call goes on until the call's answer is sent. This answer says that the server shuts down.
func (s *Server) whileConnected(r *http.Request) (ctx context.Context, release func()) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(r.Context()))
	gone := context.AfterFunc(r.Context(), func() {
		if s.calls.Err() == nil {
			cancel()
		}
	})
	ended := func() bool { return false }
	if r.Method != http.MethodPost {
		ended = context.AfterFunc(s.ending, cancel)
	}
	return ctx, func() {
		gone()
		ended()
		cancel()
	}
}

// An eventWriter writes a stream of events, or a short answer. Each event has a write deadline of its
// own, since a stream may last for hours. If a client does not read an event within replyTime, cut
// ends its stream, so that a slow client cannot block a goroutine for longer.
type eventWriter struct {
	http.ResponseWriter
	connection string // the header Connection that the response must have; the SDK would set another value
	cut        func()

	begun  bool
	status int             // status of a refusal in plain text, which is not sent but returned by refusal; 0: none
	words  strings.Builder // the text of that refusal
}

func (w *eventWriter) WriteHeader(status int) {
	h := w.Header()
	if w.begun {
		return
	}
	w.begun = true
	if status >= http.StatusBadRequest && strings.HasPrefix(h.Get("Content-Type"), "text/plain") {
		w.status = status
		return
	}
	if h.Set("Connection", w.connection); w.connection == "" {
		h.Del("Connection")
	}
	if kind := h.Get("Content-Type"); kind != "" {
		contentType(h, kind)
	}
	w.extend()
	w.ResponseWriter.WriteHeader(status)
}

func (w *eventWriter) Write(b []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	if w.status != 0 {
		return w.words.Write(b)
	}
	w.extend()
	if _, err := w.ResponseWriter.Write(maskedEvents(b)); err != nil {
		w.cut()
		return 0, err
	}
	return len(b), nil
}

// maskedEvents masks secrets in events, or in a JSON message. The SDK writes each event by one call, and
// the data of an event are one line of JSON.
func maskedEvents(b []byte) []byte {
	if masked := secret.MaskBytes(b); bytes.Equal(masked, b) {
		return b
	} else if !bytes.Contains(b, []byte("data: ")) {
		return masked
	}
	var out []byte
	for line := range bytes.Lines(b) {
		rest, isData := bytes.CutPrefix(line, []byte("data: "))
		if isData {
			out = append(out, "data: "...)
		}
		out = append(out, secret.MaskBytes(rest)...)
	}
	return out
}

// FlushError sends what was written; the SDK calls it after each event.
func (w *eventWriter) FlushError() error {
	if w.status != 0 {
		return nil
	}
	err := http.NewResponseController(w.ResponseWriter).Flush()
	if err != nil {
		w.cut()
	}
	return err
}

func (w *eventWriter) extend() {
	http.NewResponseController(w.ResponseWriter).SetWriteDeadline(time.Now().Add(replyTime))
}

// refusal returns an error with the plain text with which the SDK has refused the request. It returns
// nil if the SDK has not refused it.
func (w *eventWriter) refusal() error {
	code := op.Invalid
	switch w.status {
	case 0:
		return nil
	case http.StatusNotFound:
		code = op.NotFound
	case http.StatusMethodNotAllowed:
		code = op.BadMethod
	case http.StatusConflict:
		code = op.Conflict
	case http.StatusUnsupportedMediaType:
		code = op.BadMediaType
	case http.StatusInternalServerError:
		code = op.Internal
	}
	return op.Errorf(code, "%s", strings.TrimSpace(w.words.String()))
}
