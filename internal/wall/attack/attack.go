// Package attack has a page that tries to reach a server in every way that a page has. The ways are
// requests of all kinds, workers, sockets, popups, downloads and datagrams. The package shows
// whether the browser really is kept from what the policy forbids.
//
// If the page reaches nothing by a way, this may have several causes. The policy may forbid it, the
// browser may not have that way, or the page may not have loaded. So the page tries each way with
// two servers of this package. The policy allows connections to one of them, and forbids them to
// the other. A way that reaches the first one works in this browser.
package attack

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"strings"
	"time"
)

//go:embed page.html
var page string

// Options say how the page writes the addresses of the two servers.
type Options struct {
	Open   string   // host under which the browser may open all ports of this machine; also the page's host
	Closed string   // host under which the browser may not open any port
	Forms  []string // other ways to write Closed, which must not reach it either
	All    bool     // the servers listen on all addresses of this machine; else on 127.0.0.1
}

// listenOn returns the address on which the servers listen, each on a port that is free.
func (o Options) listenOn() string {
	if o.All {
		return ":0"
	}
	return "127.0.0.1:0"
}

// A Site is the server of the page, with the two servers that the page tries to reach.
type Site struct {
	URL string // URL of the page

	open, closed *testServer
	server       http.Server
	done         chan result
}

// A Way is a way in which the page has tried to reach the servers.
type Way struct {
	Name     string // one word that names the way
	Text     string // the way in words, such as "an image"
	Tried    bool   // the browser knows this way
	Optional bool   // some browsers do not have this way
	Shut     bool   // the way fails in every browser with a proxy, whatever the address is
	Form     bool   // another form of the address; such forms are tried only for the closed server
	Open     bool   // the open server was reached
	Reached  bool   // the closed server was reached
}

// Proven reports whether the way was seen to work.
func (w Way) Proven() bool { return w.Open || w.Form && w.Tried }

// A Report says what the page has reached.
type Report struct {
	Ways        []Way
	Connections int      // number of connections to the closed server
	Datagrams   int      // number of datagrams to the closed server
	Candidates  []string // addresses of this machine that WebRTC has told the page
}

// result is the page's report at its end.
type result struct {
	Ways []struct {
		Name, Text                  string
		Tried, Optional, Shut, Form bool
	}
	Candidates []string
}

// Start begins to serve the page, until [Site.Close]. The error comes from listening.
func Start(o Options) (*Site, error) {
	s := &Site{done: make(chan result, 1)}
	var err error
	if s.open, err = newTestServer(o.listenOn()); err == nil {
		s.closed, err = newTestServer(o.listenOn())
	}
	if err != nil {
		s.Close()
		return nil, err
	}
	listener, err := net.Listen("tcp", o.listenOn())
	if err != nil {
		s.Close()
		return nil, err
	}
	s.URL = fmt.Sprintf("http://%s:%d/", o.Open, portOf(listener.Addr()))
	s.server = http.Server{Handler: s.handler(o), ErrorLog: log.New(io.Discard, "", 0), ReadHeaderTimeout: readTime}
	go s.server.Serve(listener)
	return s, nil
}

// readTime bounds how long a client may take to send its request.
const readTime = 10 * time.Second

// ClosedPorts lists the ports of the closed server, the http port first.
func (s *Site) ClosedPorts() []uint16 { return s.closed.allPorts() }

// Close ends the servers.
func (s *Site) Close() {
	s.server.Close()
	s.open.close()
	s.closed.close()
}

// Wait waits until the page has tried all ways. Every browser sends some requests to the open
// server, but on a busy machine they may arrive after the page has reported its end. So Wait then
// waits for them, for lateTime at most. If ctx ends before the page reports its end, the error is
// the cause of ctx.
func (s *Site) Wait(ctx context.Context) (Report, error) {
	var end result
	select {
	case end = <-s.done:
	case <-ctx.Done():
		return Report{Connections: s.closed.connections(), Datagrams: s.closed.packets()}, context.Cause(ctx)
	}
	var expected []string
	for _, way := range end.Ways {
		if !way.Optional && !way.Form {
			expected = append(expected, way.Name)
		}
	}
	late, cancel := context.WithTimeout(ctx, lateTime)
	defer cancel()
	s.open.await(late, expected)
	return s.report(end), nil
}

// lateTime is how long Wait waits for late requests after the page has reported its end.
const lateTime = 5 * time.Second

func (s *Site) report(end result) Report {
	r := Report{Candidates: end.Candidates, Connections: s.closed.connections(), Datagrams: s.closed.packets()}
	for _, way := range end.Ways {
		r.Ways = append(r.Ways, Way{
			Name: way.Name, Text: way.Text, Tried: way.Tried, Optional: way.Optional, Shut: way.Shut, Form: way.Form,
			Open: s.open.wasReachedBy(way.Name), Reached: s.closed.wasReachedBy(way.Name),
		})
	}
	return r
}

// handler serves the page and its workers, and receives the page's report at its end.
func (s *Site) handler(o Options) http.Handler {
	type server struct {
		Name  string            `json:"name"`
		Host  string            `json:"host"`
		Port  uint16            `json:"port"`
		Ports map[string]uint16 `json:"ports"`
	}
	servers, _ := json.Marshal([]server{{"open", o.Open, s.open.port, s.open.ports}, {"closed", o.Closed, s.closed.port, s.closed.ports}})
	forms, _ := json.Marshal(append([]string{}, o.Forms...))
	both := func(format string) string {
		return fmt.Sprintf(format, fmt.Sprintf("http://%s:%d", o.Open, s.open.port), fmt.Sprintf("http://%s:%d", o.Closed, s.closed.port))
	}
	header := map[string]string{
		"Link":                                both("<%s/link-header>; rel=preload; as=image, <%s/link-header>; rel=preload; as=image"),
		"Content-Security-Policy-Report-Only": both("img-src 'none'; report-uri %s/csp-report %s/csp-report"),
	}
	mux := http.NewServeMux()
	serve := func(path, mime, body string, header map[string]string) {
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
			for name, value := range header {
				w.Header().Set(name, value)
			}
			w.Header().Set("Content-Type", mime)
			io.WriteString(w, body)
		})
	}
	serve("/{$}", "text/html", strings.NewReplacer("SERVERS", string(servers), "FORMS", string(forms)).Replace(page), header)
	serve("/worker.js", "text/javascript", worker, nil)
	serve("/service.js", "text/javascript", serviceWorker, nil)
	mux.HandleFunc("/to", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, r.URL.RawQuery, http.StatusFound) })
	mux.HandleFunc("POST /done", s.receiveResult)
	return mux
}

// Each worker fetches the URL that is the query of its own URL.
const (
	inWorker      = `fetch(location.search.slice(1), {mode: 'no-cors'}).catch(() => {})`
	worker        = `self.postMessage ? ` + inWorker + `.then(() => postMessage(1)) : onconnect = event => ` + inWorker + `.then(() => event.ports[0].postMessage(1))`
	serviceWorker = `oninstall = event => event.waitUntil(` + inWorker + `)`
)

// maxResult bounds the size of the page's report, in bytes.
const maxResult = 1 << 20

func (s *Site) receiveResult(w http.ResponseWriter, r *http.Request) {
	var end result
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxResult)).Decode(&end); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	select {
	case s.done <- end:
	default: // the page has already sent its result
	}
}
