package server

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"reflect"
	"strings"
	"time"

	"chela/internal/op"
)

// A RawRoute is a route that is not an operation: a document or a stream. Operations take and
// return one JSON object, and their routes are made from the table.
type RawRoute struct {
	Method, Path string
	ID           string // operationId in the OpenAPI document
	Doc          string
	Params       []RawParam
	Takes, Gives string       // media types of the body and of the answer; "" for none
	Body, Answer reflect.Type // types whose JSON the body and the answer have; nil if they are text or bytes

	upgrades bool // the answer is a WebSocket, and Gives is the media type of its messages
	person   bool // the dashboard may call the route, below its own path
	guest    bool // guests, with whom a tab is shared, may call the route

	serve   func(*Server, http.ResponseWriter, *http.Request) error
	offered func(Options) bool // reports whether the route exists; nil: it always does
}

// A RawParam is a parameter of a raw route. It is in the path if the path has its name in braces, and
// else in the query.
type RawParam struct {
	Name, Doc string
	Required  bool
	Type      string // type in JSON; "": string
}

// streams reports whether the answer goes on until the client closes the connection.
func (r RawRoute) streams() bool {
	return r.upgrades || r.Gives == "application/x-ndjson" || r.Gives == "text/event-stream"
}

// InPath reports whether a parameter is in the path.
func (r RawRoute) InPath(p RawParam) bool { return strings.Contains(r.Path, "{"+p.Name+"}") }

// anything is the type of a JSON object whose fields are not described here.
var anything = reflect.TypeFor[map[string]any]()

// Raw lists the routes that are not operations. They are also in the OpenAPI document and the
// reference.
func Raw() []RawRoute {
	return []RawRoute{
		{
			Method: "GET", Path: "/openapi.json", ID: "openAPI", Doc: "Describe the routes as an OpenAPI document.",
			Gives: "application/json", Answer: anything, serve: (*Server).document, person: true,
		},
		{
			Method: "GET", Path: "/metrics", ID: "metrics", Doc: "Get the metrics of this server, in the format of Prometheus. docs/observability.md lists them.",
			Gives: "text/plain", serve: (*Server).metrics, offered: func(o Options) bool { return o.Metrics != nil }, person: true,
		},
		{
			Method: "POST", Path: "/files", ID: "sendFile",
			Doc:    "Send a file to be uploaded: the body is the file. The path in the answer names it in one call of upload.",
			Params: []RawParam{{Name: "name", Doc: "name of the file, which the page sees", Required: true}},
			Takes:  "application/octet-stream", Gives: "application/json", Answer: reflect.TypeFor[receivedFile](),
			serve: (*Server).receive, offered: func(o Options) bool { return o.Receive != nil }, person: true,
		},
		{
			Method: "GET", Path: "/files/{id}", ID: "fetchFile",
			Doc: "Get a file that an operation has made, such as a picture or a download. An answer that names files has the field " +
				FileIDs + ": an object with the id for each path. Over the Unix socket it has them only for a call with the header " +
				op.FileIDsHeader + ": 1. An id is good for an hour, for the session or the caller of that call.",
			Params: []RawParam{{Name: "id", Doc: "id of the file", Required: true}},
			Gives:  "application/octet-stream", serve: (*Server).file, person: true,
		},
		{
			Method: "GET", Path: "/downloads", ID: "followDownloads",
			Doc:    "Follow the downloads in progress in tabs of the call's session. A line of JSON lists them, now and after each change.",
			Params: []RawParam{{Name: "profile", Doc: "browser profile; the default one when left out"}},
			Gives:  "application/x-ndjson",
			serve:  (*Server).follow, offered: func(o Options) bool { return o.Follow != nil }, person: true,
		},
		{
			Method: "GET", Path: screencastPath, ID: "screencast",
			Doc: "Watch a tab live: a WebSocket of JSON messages, with pictures of the tab and what happens in it. docs/live-view.md lists the messages. " +
				"A ticket is sent in place of the server's token, by pages for example.",
			Params: []RawParam{
				{Name: "targetId", Doc: "the tab: its id, label or target id; the current tab when left out"},
				{Name: "profile", Doc: "browser profile; the default one when left out"},
				{Name: "ticket", Doc: "ticket from POST /screencast/ticket, which names the tab"},
				{Name: "control", Doc: "true: the viewer may also act, without a ticket that says so", Type: "boolean"},
				widths.param("width of pictures, in pixels"), heights.param("height of pictures, in pixels"),
				qualities.param("JPEG quality"), rates.param("pictures in a second, at most"),
				{Name: "yield", Doc: "true: pictures wait while calls work on the tab; one comes when it has rested for a second, and every ten seconds", Type: "boolean"},
			},
			Gives: "application/json", Answer: anything, upgrades: true,
			serve: (*Server).screencast, offered: func(o Options) bool { return o.Watch != nil }, person: true, guest: true,
		},
		{
			Method: "GET", Path: "/sessions/hold", ID: "holdSession",
			Doc: "Hold the session of the call: one line comes, and the session ends when the connection closes. " +
				"The line comes at once, unless the session is being ended: then it comes after that end. " +
				"Without a session it only keeps the server from ending as idle.",
			Gives: "application/x-ndjson",
			serve: (*Server).hold, offered: func(o Options) bool { return o.EndSession != nil },
		},
		{
			Method: "POST", Path: "/extension/key", ID: "newExtensionKey",
			Doc: "Get a key for the extension in a browser, which pairs it. Only the Unix socket has this route: the program that " +
				"`chela extension install` registers with browsers calls it. The body is `{name}`, the name for the list of browsers; the answer is `{keyId, key}`.",
			Takes: "application/json", Body: reflect.TypeFor[keyRequest](), Gives: "application/json", Answer: reflect.TypeFor[extensionKey](),
			serve: (*Server).pair, offered: func(o Options) bool { return o.Pair != nil },
		},
		{
			Method: "POST", Path: "/asks/confirm", ID: "confirmAsk",
			Doc: "Answer a question that only a person may answer, such as whether an agent may use a secret. Only the Unix socket has this route: " +
				"`chela confirm` calls it. The body is `{id, choice}`.",
			Takes: "application/json", Body: reflect.TypeFor[confirmation](), Gives: "application/json", Answer: reflect.TypeFor[doneWith](),
			serve: (*Server).confirm, offered: func(o Options) bool { return o.Confirm != nil },
		},
		{
			Method: "POST", Path: linkPath, ID: "newDashboardLink",
			Doc: "Get a link to the dashboard, which works once, within a minute. Only the Unix socket has this route: `chela dashboard` calls it. " +
				"The answer is `{url, elsewhere}`: the link for this machine, and those for others, if they reach the server.",
			Gives: "application/json", Answer: reflect.TypeFor[dashboardLink](),
			serve: (*Server).link,
		},
		{
			Method: "POST", Path: newPath, ID: "newShare",
			Doc: "Share a tab by a link, with somebody who has no token. Only the Unix socket has this route: `chela share` calls it. The body is " +
				"`{profile, targetId, forMs, view}`; the answer is `{id, profile, tabId, view, since, until, url, elsewhere, fingerprint}`.",
			Takes: "application/json", Body: reflect.TypeFor[shareRequest](), Gives: "application/json", Answer: reflect.TypeFor[newShare](),
			serve: (*Server).share, offered: func(o Options) bool { return o.Watch != nil },
		},
		{
			Method: "GET", Path: sharesPath, ID: "shares",
			Doc:   "List the tabs that are shared. Only the Unix socket has this route: `chela shares` calls it.",
			Gives: "application/json", Answer: reflect.TypeFor[shareList](),
			serve: (*Server).listShares, offered: func(o Options) bool { return o.Watch != nil },
		},
		{
			Method: "POST", Path: revokePath, ID: "revokeShare",
			Doc:   "End a share, and the connections of its guests. Only the Unix socket has this route: `chela shares revoke` calls it. The body is `{id}`.",
			Takes: "application/json", Body: reflect.TypeFor[shareNamed](), Gives: "application/json", Answer: reflect.TypeFor[doneWith](),
			serve: (*Server).revokeShare, offered: func(o Options) bool { return o.Watch != nil },
		},
		{
			Method: "POST", Path: "/mcp", ID: "callMCP",
			Doc: "Call the agent tool by MCP's streamable HTTP: the body is a message of JSON-RPC, the answer a stream of events. The first message is initialize; " +
				"its answer has the header Mcp-Session-Id, which all further requests must have. The connection is a session with tabs of its own, " +
				"unless the first request has " + op.SessionHeader + ".",
			Takes: "application/json", Body: anything, Gives: "text/event-stream",
			serve: (*Server).agent, offered: offersAgent,
		},
		{
			Method: "GET", Path: "/mcp", ID: "followMCP",
			Doc: "Follow what MCP's server sends by itself, or, with Last-Event-ID, get the rest of a stream that has broken off. " +
				"The connection ends a minute after this stream has, unless its agent sends something.",
			Gives: "text/event-stream",
			serve: (*Server).agent, offered: offersAgent,
		},
		{
			Method: "DELETE", Path: "/mcp", ID: "endMCP",
			Doc:   "End a connection of MCP: its calls are cancelled and its tabs closed. The status is 204.",
			serve: (*Server).agent, offered: offersAgent,
		},
	}
}

// document answers with the OpenAPI document of this server. It names the URL by which the caller has
// reached the server. A proxy, or the listener for other machines, may have taken off the encryption,
// so only the door knows that URL. The Unix socket has none; there the document has that of the port.
func (s *Server) document(w http.ResponseWriter, r *http.Request) error {
	url := r.Context().Value(doorKey{}).(door).originOf(r)
	if isLocal(r) && len(s.bases) > 0 {
		url = s.bases[0]
	}
	return reply(w, http.StatusOK, OpenAPI(s.o.Table(), s.o.Version, url))
}

// metrics answers with the metrics of the server. Every caller of the server may read them, since they
// name no pages, sessions or callers.
func (s *Server) metrics(w http.ResponseWriter, r *http.Request) error {
	http.NewResponseController(w).SetWriteDeadline(time.Now().Add(replyTime))
	s.o.Metrics.ServeHTTP(w, r)
	return nil
}

// follow sends a line of JSON with the downloads in progress, now and after each change. It ends when
// the caller closes the connection or the browser ends. The stream may last for hours, so each line
// has its own write deadline. The stream ends if the client does not read a line within replyTime. An
// [*op.Error] before the first line, such as that for an unknown profile, is an ordinary answer.
func (s *Server) follow(w http.ResponseWriter, r *http.Request) error {
	contentType(w.Header(), "application/x-ndjson")
	rc := http.NewResponseController(w)
	rc.SetReadDeadline(time.Time{}) // the request has been read, so its deadline is over
	begun := false
	err := s.o.Follow(r.Context(), r.URL.Query().Get("profile"), func(v any) error {
		begun = true
		rc.SetWriteDeadline(time.Now().Add(replyTime))
		line, err := json.Marshal(v)
		if err == nil {
			_, err = w.Write(append(outgoing(line), '\n'))
		}
		return errors.Join(err, rc.Flush())
	})
	if _, wrong := errors.AsType[*op.Error](err); wrong && !begun {
		return err
	}
	return nil // if the stream has begun, an error cannot be answered any more
}

// The limits of a file that a caller sends. A file on a slow disk or line takes longer than any
// other request, so it has its own deadline in place of limits.request.
const (
	maxFile  = 4 << 30 // largest file, in bytes
	fileTime = time.Hour
)

// receive saves the file in the body of a request, and answers with the reference by which upload
// names it. Errors are BadMediaType and TooLarge, or come from Options.Receive. The media type is
// required for the reason in isJSON: pages of other sites cannot send it. A Content-Length is checked
// before the first byte is read; MaxBytesReader limits a body without one.
func (s *Server) receive(w http.ResponseWriter, r *http.Request) error {
	if kind := r.Header.Get("Content-Type"); kind != "application/octet-stream" {
		return op.Errorf(op.BadMediaType, "the body must be the file itself").Hinted("send Content-Type: application/octet-stream")
	}
	if r.ContentLength > maxFile {
		return op.Errorf(op.TooLarge, "the file is larger than %d bytes", int64(maxFile))
	}
	http.NewResponseController(w).SetReadDeadline(time.Now().Add(fileTime))
	reference, err := s.o.Receive(r.URL.Query().Get("name"), http.MaxBytesReader(w, r.Body, maxFile))
	if err != nil {
		return cmp.Or(unread(err, fileTime), err)
	}
	allRead(w, r)
	return reply(w, http.StatusOK, receivedFile{true, reference})
}

// receivedFile is the answer to a file that a caller has sent.
type receivedFile struct {
	OK   bool   `json:"ok" doc:"always true"`
	Path string `json:"path" doc:"reference that names the file in one call, such as upload"`
}

// A Follower reports the downloads in tabs of the session of ctx, in a profile's browser, at once
// and after each change. It ends when ctx ends or report returns an error.
type Follower = func(ctx context.Context, profile string, report func(any) error) error

// A Receiver saves a file and returns the reference by which upload names it.
type Receiver = func(name string, content io.Reader) (reference string, err error)
