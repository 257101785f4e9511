// Command widgets serves pages with widgets from npm packages, each set up as its documentation
// shows.
package main

import (
	"embed"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"log"
	"net/http"
)

//go:embed pages
var own embed.FS

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "where to listen")
	npm := flag.String("npm", "", "folder node_modules, with the packages of package.json")
	files := flag.String("files", "", "folder of files that scripts have made")
	flag.Parse()
	log.Fatal(http.ListenAndServe(*addr, handler(*npm, *files)))
}

func handler(npm, files string) http.Handler {
	pages, err := fs.Sub(own, "pages")
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("GET /", http.FileServerFS(pages))
	mux.Handle("GET /npm/", http.StripPrefix("/npm/", http.FileServer(http.Dir(npm))))
	mux.Handle("GET /files/", http.StripPrefix("/files/", http.FileServer(http.Dir(files))))
	mux.HandleFunc("POST /upload", upload)
	return mux
}

// upload answers with the number of bytes that have arrived of the file in the form.
func upload(w http.ResponseWriter, r *http.Request) {
	file, header, err := r.FormFile("file")
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	n, err := io.Copy(io.Discard, file)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	fmt.Fprintf(w, "%s has %d bytes", header.Filename, n)
}
