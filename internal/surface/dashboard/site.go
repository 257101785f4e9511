// Package dashboard is the page by which a person watches agents, helps them, and stays in charge.
//
// The page is made of the files in the folder site: plain modules, style and HTML, which are served
// below [Root] as they are. It calls operations by the routes of the table, and package server lets
// it in by a [Door]. The words of pages that it shows are only ever text.
package dashboard

import (
	"embed"
	"mime"
	"net/http"
	"path"
	"strings"
)

// Root is the path below which all is that the page uses.
const Root = "/ui/"

// SharedPage is the page for guests, with whom a tab is shared.
const SharedPage = Root + "shared.html"

// Index is the file that is shown at Root.
const Index = "index.html"

//go:embed site
var site embed.FS

// Owns reports whether a path is one of the dashboard.
func Owns(path string) bool {
	return path == strings.TrimSuffix(Root, "/") || strings.HasPrefix(path, Root)
}

// File returns the file of the page at a path, with its media type. The files are in the program,
// and so no secret.
func File(at string) (content []byte, mediaType string, ok bool) {
	name, below := strings.CutPrefix(at, Root)
	if name == "" {
		name = Index
	}
	content, err := site.ReadFile("site/" + name)
	if !below || err != nil {
		return nil, "", false
	}
	return content, mime.TypeByExtension(path.Ext(name)), true
}

// policy says what the page may do: run its own modules, ask its own server, and show pictures that
// it has got from there. It makes no request elsewhere, and no text can become markup or a script.
// No page may frame it, to make a person click in it unknowingly.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; " +
	"frame-ancestors 'none'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

// Protect sets the headers that every answer to the page has, also errors.
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
