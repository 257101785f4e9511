package main

import (
	"context"
	"embed"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// realPages lists pages made with npm packages that many sites use, and example pages of packages.
var realPages = []string{
	"/real/bootstrap.html", "/real/bulma.html", "/real/tailwind.html", "/real/antd.html", "/real/material.html",
	"/real/charts.html", "/real/echarts.html", "/real/grid.html", "/real/calendar.html", "/real/swagger.html",
	"/npm/startbootstrap-sb-admin-2/index.html", "/npm/startbootstrap-sb-admin-2/tables.html", "/npm/startbootstrap-sb-admin-2/cards.html",
	"/npm/startbootstrap-agency/dist/index.html", "/npm/reveal.js/demo.html",
}

//go:embed real
var realFiles embed.FS

// serveReal serves the pages in realPages, and the packages in a folder. The pages are not allowed
// to load anything from other sites, because these may be slow or missing.
func serveReal(mux *http.ServeMux, packages string) {
	files := http.NewServeMux()
	files.Handle("/real/", http.FileServerFS(realFiles))
	files.Handle("/npm/", http.StripPrefix("/npm/", http.FileServer(http.Dir(packages))))
	files.Handle("/real/docs/", http.StripPrefix("/real/", http.FileServer(http.Dir("."))))
	policed := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", "default-src 'self' data: blob: 'unsafe-inline' 'unsafe-eval'")
		files.ServeHTTP(w, r)
	}
	mux.HandleFunc("/real/", policed)
	mux.HandleFunc("/npm/", policed)
}

// real does the comparison of withoutHidden on each of the real pages, and adds a row with the sums.
func (b *bench) real(ctx context.Context) error {
	if _, err := os.Stat(filepath.Join(b.packages, "bulma")); err != nil {
		return fmt.Errorf("the packages of the pages: %w; make bench fetches them", err)
	}
	var all, shown time.Duration
	for _, path := range realPages {
		if err := b.chela.navigate(ctx, b.site+path); err != nil {
			return err
		}
		if err := b.chela.act(ctx, "wait", object{"loadState": "networkidle"}); err != nil {
			return err
		}
		name := strings.TrimSuffix(strings.TrimPrefix(path[strings.Index(path[1:], "/")+2:], "startbootstrap-"), ".html")
		with, without, err := b.compareHidden(ctx, name)
		if err != nil {
			return err
		}
		all += without
		shown += with
	}
	b.table.add("sum of real pages without hidden text", millis(all), "", "sum with it", millis(shown), fmt.Sprintf("%.2f", float64(all)/float64(shown)))
	return nil
}
