// Package pages serves the web pages that the tests of a browser act on.
//
// A page is small and about one thing. The script log.js reports what happened on it. The last
// event is the document's title, and all of them are the lines of #out, even when they happened in
// a frame.
package pages

import (
	"cmp"
	"embed"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

//go:embed *.html *.js
var files embed.FS

// Handler serves the pages. It also gives answers that a file cannot give: late answers, none at
// all, answers with other statuses, and redirects.
func Handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/", http.FileServerFS(files))
	mux.HandleFunc("/favicon.ico", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	mux.HandleFunc("/slow", slow)
	mux.HandleFunc("/hang", hang)
	mux.HandleFunc("/cutoff", cutOff)
	mux.HandleFunc("/status", status)
	mux.HandleFunc("/redirect", redirect)
	mux.HandleFunc("/echo", echo)
	mux.HandleFunc("/members", members)
	mux.HandleFunc("/file", file)
	mux.HandleFunc("/cookie", setCookies)
	mux.HandleFunc("/cookies", func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, r.Header.Get("Cookie")) })
	mux.HandleFunc("/html", written)
	mux.HandleFunc("/reconstructed", reconstructed)
	mux.HandleFunc("/login", loginPage)
	mux.HandleFunc("/sent-headers", secretHeaders)
	recipes(mux)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		mux.ServeHTTP(w, r)
	})
}

// slow answers a page after ?ms= milliseconds.
func slow(w http.ResponseWriter, r *http.Request) {
	ms, err := strconv.Atoi(r.FormValue("ms"))
	if err != nil {
		http.Error(w, "ms must be a number", http.StatusBadRequest)
		return
	}
	select {
	case <-time.After(time.Duration(ms) * time.Millisecond):
		page(w, http.StatusOK, fmt.Sprintf("Answered after %d ms", ms))
	case <-r.Context().Done():
	}
}

// hang answers nothing until the caller gives up.
func hang(_ http.ResponseWriter, r *http.Request) {
	<-r.Context().Done()
}

// cutOff answers the beginning of a page and ends the connection; with ?gzip it answers what cannot
// be decompressed.
func cutOff(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	if r.FormValue("gzip") != "" {
		w.Header().Set("Content-Encoding", "gzip")
		io.WriteString(w, "no gzip")
		return
	}
	w.Header().Set("Content-Length", "1000000")
	io.WriteString(w, "<!doctype html><title>Broken</title><p>The beginning")
}

// status answers with the status in the parameter code, and a page. If there is a parameter with
// the name empty, the answer has no body.
func status(w http.ResponseWriter, r *http.Request) {
	code, err := strconv.Atoi(r.FormValue("code"))
	if err != nil || code < 200 || code > 599 {
		http.Error(w, "code must be from 200 to 599", http.StatusBadRequest)
		return
	}
	if r.Form.Has("empty") {
		w.WriteHeader(code)
		return
	}
	page(w, code, fmt.Sprintf("Status %d", code))
}

// redirect leads to the address in ?to=, with the status in ?code=; 302 if it is left out.
func redirect(w http.ResponseWriter, r *http.Request) {
	code, err := strconv.Atoi(r.FormValue("code"))
	if err != nil {
		code = http.StatusFound
	}
	http.Redirect(w, r, r.FormValue("to"), code)
}

// echo answers a page with the method and the form values of the request, such as "POST name=Ada".
func echo(w http.ResponseWriter, r *http.Request) {
	if err := r.ParseForm(); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	words := []string{r.Method}
	for name, values := range r.Form {
		words = append(words, name+"="+strings.Join(values, ","))
	}
	slices.Sort(words[1:])
	page(w, http.StatusOK, strings.Join(words, " "))
}

// members answers a page to Ada, whose password is "lovelace". All others get a challenge for a
// name and a password, with the scheme in ?scheme=; Basic if it is left out. The body of this
// answer is a page that says it is for members.
func members(w http.ResponseWriter, r *http.Request) {
	if name, password, _ := r.BasicAuth(); name == "Ada" && password == "lovelace" {
		page(w, http.StatusOK, "Hello Ada")
		return
	}
	w.Header().Set("WWW-Authenticate", cmp.Or(r.FormValue("scheme"), "Basic")+` realm="members"`)
	page(w, http.StatusUnauthorized, "Members only")
}

// file answers a file, with the status in ?code=; 200 if it is left out.
func file(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Disposition", "attachment; filename=report.csv")
	if code, err := strconv.Atoi(r.FormValue("code")); err == nil {
		w.WriteHeader(code)
	}
	io.WriteString(w, "a,b\n")
}

// setCookies sets a session cookie, which scripts cannot read, and a cookie that is kept for a day.
func setCookies(w http.ResponseWriter, _ *http.Request) {
	http.SetCookie(w, &http.Cookie{Name: "session", Value: "of-the-session", HttpOnly: true})
	http.SetCookie(w, &http.Cookie{Name: "kept", Value: "for-long", MaxAge: 86400})
}

// Elsewhere returns the same address on another site: localhost in the place of 127.0.0.1.
func Elsewhere(address string) string {
	return strings.Replace(address, "127.0.0.1", "localhost", 1)
}

// HTML is the path of a page that consists of this HTML.
func HTML(html string) string { return "/html?is=" + url.QueryEscape(html) }

// written answers with a page of the HTML in ?is=, in standards mode. The page has the
// Content-Security-Policy in ?policy=.
func written(w http.ResponseWriter, r *http.Request) {
	if policy := r.FormValue("policy"); policy != "" {
		w.Header().Set("Content-Security-Policy", policy)
	}
	if kind := r.FormValue("type"); kind != "" { // the answer is not a page
		w.Header().Set("Content-Type", kind)
		io.WriteString(w, r.FormValue("is"))
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	io.WriteString(w, "<!doctype html>"+r.FormValue("is"))
}

// page writes a page that says text, also in its title.
func page(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	fmt.Fprintf(w, "<!doctype html><title>%[1]s</title><h1>%[1]s</h1>", html.EscapeString(text))
}

// reconstructed answers a page with as many blocks as the query says. Parsers open the 400 elements
// before them again in each block, as formatting elements that were not closed.
func reconstructed(w http.ResponseWriter, r *http.Request) {
	blocks, _ := strconv.Atoi(r.FormValue("blocks"))
	fmt.Fprint(w, "<title>t</title><div>")
	for i := range 400 {
		fmt.Fprintf(w, "<font id=%d>", i)
	}
	fmt.Fprint(w, "</div>", strings.Repeat("<div>x</div>", blocks))
}
