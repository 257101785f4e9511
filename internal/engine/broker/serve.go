package broker

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"strconv"
	"time"

	"github.com/coder/websocket"

	"chela/internal/base/hosts"
	"chela/internal/engine/browser"
	"chela/internal/wall/secret"
)

// handler serves the paths of Chromium's DevTools server. Each path has the secret of an endpoint
// in it.
func (b *Broker) handler() http.Handler {
	mux := http.NewServeMux()
	route := func(pattern string, serve func(*endpoint, http.ResponseWriter, *http.Request)) {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			if e := b.find(r.PathValue("secret")); e != nil {
				serve(e, w, r)
				return
			}
			b.refused.Refused("no endpoint has its secret", r.RemoteAddr, time.Now())
			http.NotFound(w, r)
		})
	}
	route("GET /devtools/browser/{secret}", b.attend)
	route("GET /s/{secret}/devtools/page/{target}", b.attend)
	for _, end := range []string{"", "/{$}"} { // Playwright asks with a slash at the end
		route("GET /s/{secret}/json/version"+end, serveVersion)
		route("GET /s/{secret}/json/list"+end, serveList)
		route("GET /s/{secret}/json"+end, serveList)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if why := forbidden(r); why != "" {
			b.refused.Refused(why, r.RemoteAddr, time.Now())
			http.Error(w, why, http.StatusForbidden)
			return
		}
		mux.ServeHTTP(w, r)
	})
}

// forbidden returns why a request is refused, or "". A web page can send requests to this machine.
// Browsers mark such requests by the header Origin or Sec-Fetch-Site. If the page's own host name
// leads to this machine (DNS rebinding), the Host header differs.
func forbidden(r *http.Request) string {
	host := r.Host
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	switch {
	case host != "localhost" && !hosts.IsLoopback(host):
		return "the host must be loopback"
	case r.Header.Values("Origin") != nil || r.Header.Values("Sec-Fetch-Site") != nil:
		return "pages may not connect"
	}
	return ""
}

// addressAt returns the address of the endpoint with a secret, on a server with this host and port.
func addressAt(host, secret string) Address {
	return Address{WebSocket: "ws://" + host + "/devtools/browser/" + secret, HTTP: "http://" + host + "/s/" + secret}
}

func portText(port int) string { return strconv.Itoa(port) }

// askTime limits how long an HTTP request may wait for the browser, which may have to be started.
const askTime = 45 * time.Second

// serveVersion answers /json/version as Chromium does.
func serveVersion(e *endpoint, w http.ResponseWriter, r *http.Request) {
	e.answer(w, r, func(ctx context.Context, b *browser.Browser) (any, error) {
		about, err := aboutOf(ctx, b)
		return map[string]string{
			"Browser": about.Product, "Protocol-Version": about.ProtocolVersion, "User-Agent": about.UserAgent, "V8-Version": about.JSVersion,
			"WebKit-Version": about.Revision, "webSocketDebuggerUrl": addressAt(r.Host, e.secret).WebSocket,
		}, err
	})
}

// serveList answers /json/list as Chromium does, with the tabs of the session.
func serveList(e *endpoint, w http.ResponseWriter, r *http.Request) {
	e.answer(w, r, func(_ context.Context, b *browser.Browser) (any, error) {
		list := []map[string]string{}
		for _, t := range b.Session(e.Session).Targets() {
			list = append(list, map[string]string{
				"id": t.ID, "type": "page", "title": t.Title, "url": t.URL, "description": "",
				"webSocketDebuggerUrl": "ws://" + r.Host + "/s/" + e.secret + "/devtools/page/" + t.ID,
			})
		}
		return list, nil
	})
}

// answer answers a request with the result of fn as JSON; fn gets the browser of the endpoint, and a
// context that ends after askTime.
func (e *endpoint) answer(w http.ResponseWriter, r *http.Request, fn func(context.Context, *browser.Browser) (any, error)) {
	ctx, cancel := context.WithTimeout(r.Context(), askTime)
	defer cancel()
	b, err := e.Browser(ctx)
	var answer any
	if err == nil {
		answer, err = fn(ctx, b)
	}
	if err != nil {
		refuse(w, err)
		return
	}
	raw, _ := json.Marshal(answer) // strings always can be encoded
	w.Header().Set("Content-Type", "application/json; charset=UTF-8")
	w.Write(append(secret.MaskBytes(raw), '\n'))
}

// refuse answers a request of a program with the reason why the browser cannot be used.
func refuse(w http.ResponseWriter, err error) {
	http.Error(w, secret.Mask(err.Error()), http.StatusServiceUnavailable)
}

// attend serves the WebSocket of a program until it ends. The program drives the whole browser, or
// one page.
func (b *Broker) attend(e *endpoint, w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), askTime)
	defer cancel()
	of, err := e.Browser(ctx)
	if err != nil {
		refuse(w, err)
		return
	}
	c := newClient(e, of)
	c.dropped, c.socket = &b.Dropped, r.Context().Value(socketKey{}).(net.Conn)
	if err := b.enter(c); err != nil {
		refuse(w, err)
		return
	}
	defer b.leave(c)
	// Accept need not check the Origin: forbidden refuses every request that has one.
	c.conn, err = websocket.Accept(w, r, &websocket.AcceptOptions{InsecureSkipVerify: true, CompressionMode: websocket.CompressionDisabled})
	if err != nil {
		return
	}
	c.conn.SetReadLimit(maxMessage)
	c.serve(r.PathValue("target"))
}
