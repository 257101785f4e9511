package rerender

import (
	"embed"
	"encoding/json"
	"fmt"
	"html/template"
	"net/http"
	"path/filepath"
	"slices"
	"sync"
)

//go:embed apps/htmx.html
var files embed.FS

// asHTML has the templates of the HTML that the server sends to the application in htmx.
var asHTML = template.Must(template.ParseFS(files, "apps/*.html"))

// A site serves the application in each framework, below a path that is the framework's name.
type site struct {
	scripts string // folder of the applications' scripts

	mu   sync.Mutex // guards the rest
	apps map[string]*app
}

func (s *site) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{framework}/{$}", s.open)
	mux.HandleFunc("GET /{framework}/script.js", func(w http.ResponseWriter, r *http.Request) {
		http.ServeFile(w, r, filepath.Join(s.scripts, r.PathValue("framework")+".js"))
	})
	mux.HandleFunc("POST /{framework}/page", s.show)
	mux.HandleFunc("POST /{framework}/act/{do...}", s.act)
	return mux
}

// open begins the application again, and answers its document.
func (s *site) open(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	a := newApp()
	s.apps[r.PathValue("framework")] = a
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprint(w, "<!doctype html><html lang=en><head><title>Issues</title><script defer src=script.js></script></head><body>")
	if r.PathValue("framework") == "htmx" {
		asHTML.ExecuteTemplate(w, "page", a.page())
	}
}

// act carries out a click on the control whose field Do is in the path. It answers with the page
// after the click.
func (s *site) act(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	a := s.apps[r.PathValue("framework")]
	err := a.do(r.PathValue("do"), map[string]string{"name": r.FormValue("name"), "person": r.FormValue("person")})
	s.mu.Unlock()
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	s.show(w, r)
}

func (s *site) show(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.apps[r.PathValue("framework")].page()
	if r.PathValue("framework") == "htmx" {
		asHTML.ExecuteTemplate(w, "page", p)
		return
	}
	json.NewEncoder(w).Encode(p)
}

// does returns the field Do of the control whose field T is t.
func (s *site) does(framework, t string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.apps[framework].page().controls() {
		if c.T == t {
			return c.Do
		}
	}
	return ""
}

// acts returns what was clicked in the application of a framework.
func (s *site) acts(framework string) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.apps[framework].acts)
}
