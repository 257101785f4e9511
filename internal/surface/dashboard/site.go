// Package dashboard is the page by which a person watches agents, helps them, and stays in charge.
//
// The page is made of the files in the folder site: JavaScript modules, CSS and HTML, which are served
// below [Root] unchanged. It calls operations by the routes of the table. Package server authenticates
// it with a [Door]. Text of web pages is inserted only as text, never as markup.
package dashboard

import (
	"embed"
	"net/http"
	"path"
	"strings"
)

// Root is the path below which the server has the page and all its files.
const Root = "/ui/"

// SharedPage is the path of the page for guests, with whom a tab is shared.
const SharedPage = Root + "shared.html"

// Index is the file that is shown at Root.
const Index = "index.html"

//go:embed site
var site embed.FS

// types has the media types of the files. Package mime would take them from the system, where other
// programs may have changed them.
var types = map[string]string{
	".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml",
}

// Owns reports whether a path is Root or below it.
func Owns(path string) bool {
	return path == strings.TrimSuffix(Root, "/") || strings.HasPrefix(path, Root)
}

// File returns the file of the page at a path, with its media type. Anybody may get these files, since
// they are part of the program and contain no data.
func File(at string) (content []byte, mediaType string, ok bool) {
	name, below := strings.CutPrefix(at, Root)
	if name == "" {
		name = Index
	}
	content, err := site.ReadFile("site/" + name)
	if !below || err != nil {
		return nil, "", false
	}
	return content, types[path.Ext(name)], true
}

// policy is the Content-Security-Policy of the page. The page may run its own modules, send
// requests to its own server, and show pictures that come from there. It can send no request to
// others, and no text can become markup or a script. No other page may show the page in a frame,
// since the other page could trick a person into clicking in it.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; " +
	"frame-ancestors 'none'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

// Protect sets the headers that every response to the page must have, including errors.
func Protect(h http.Header) {
	for name, value := range map[string]string{
		"Content-Security-Policy":      policy,
		"X-Frame-Options":              "DENY",
		"X-Content-Type-Options":       "nosniff",
		"Referrer-Policy":              "no-referrer",
		"Cross-Origin-Opener-Policy":   "same-origin",
		"Cross-Origin-Resource-Policy": "same-origin",
		"Cross-Origin-Embedder-Policy": "require-corp",
		"Permissions-Policy":           "camera=(), microphone=(), geolocation=(), display-capture=()",
		"Cache-Control":                "no-store",
	} {
		h.Set(name, value)
	}
}
