// Command swagger serves Swagger UI, as its npm package brings it, beside a small API for it to
// call.
package main

import (
	"embed"
	"encoding/json"
	"flag"
	"log"
	"net/http"
	"slices"
	"strings"
	"sync"
)

//go:embed openapi.json initializer.js
var own embed.FS

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "where to listen")
	ui := flag.String("ui", "", "folder of the npm package swagger-ui-dist")
	flag.Parse()
	log.Fatal(http.ListenAndServe(*addr, handler(*ui)))
}

func handler(ui string) http.Handler {
	a := &aquarium{animals: []animal{{1, "Homer", "lobster"}, {2, "Sandy", "crab"}}}
	mux := http.NewServeMux()
	mux.Handle("GET /", http.FileServer(http.Dir(ui)))
	// The initializer of the package leads to a petstore on the Internet. Another one takes its
	// place.
	mux.HandleFunc("GET /swagger-initializer.js", func(w http.ResponseWriter, r *http.Request) {
		http.ServeFileFS(w, r, own, "initializer.js")
	})
	mux.HandleFunc("GET /openapi.json", func(w http.ResponseWriter, r *http.Request) {
		http.ServeFileFS(w, r, own, "openapi.json")
	})
	mux.HandleFunc("GET /animals", a.list)
	mux.HandleFunc("POST /animals", a.add)
	return mux
}

type animal struct {
	ID   int    `json:"id"`
	Name string `json:"name"`
	Kind string `json:"kind"`
}

type aquarium struct {
	mu      sync.Mutex // guards animals
	animals []animal
}

// list answers the animals of ?kind=, or all.
func (a *aquarium) list(w http.ResponseWriter, r *http.Request) {
	a.mu.Lock()
	found := slices.Clone(a.animals)
	a.mu.Unlock()
	if kind := r.FormValue("kind"); kind != "" {
		found = slices.DeleteFunc(found, func(one animal) bool { return one.Kind != kind })
	}
	answer(w, http.StatusOK, found)
}

func (a *aquarium) add(w http.ResponseWriter, r *http.Request) {
	var one animal
	if err := json.NewDecoder(r.Body).Decode(&one); err != nil || strings.TrimSpace(one.Name) == "" {
		answer(w, http.StatusBadRequest, map[string]string{"error": "an animal needs a name"})
		return
	}
	a.mu.Lock()
	one.ID = len(a.animals) + 1
	a.animals = append(a.animals, one)
	a.mu.Unlock()
	answer(w, http.StatusCreated, one)
}

func answer(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v) // an error means that the caller has gone
}
