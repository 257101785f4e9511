package main

import (
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
)

// pages serves the test pages. They are like those in benchmarks that compare browser tools, so
// that results can be compared with theirs. It also serves real pages, made with the npm packages in
// a folder.
func pages(packages string) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/small", func(w http.ResponseWriter, r *http.Request) {
		send(w, `<h1>Small page</h1><p>Hello <a href=#>link</a></p><button>Ok</button>`)
	})
	mux.HandleFunc("/form", func(w http.ResponseWriter, r *http.Request) { send(w, form()) })
	bodies := map[string]func(elements int) string{"/table": rows, "/cards": cards, "/boxes": boxes, "/moved": moved, "/list": list}
	for path, body := range bodies {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			elements, err := strconv.Atoi(r.FormValue("elements"))
			if err != nil {
				http.Error(w, "elements must be a number", http.StatusBadRequest)
				return
			}
			send(w, body(elements))
		})
	}
	serveNetwork(mux)
	serveReal(mux, packages)
	return mux
}

// cards returns a page with this number of elements. Every fourth clips its content.
func cards(elements int) string {
	return `<style>.card { overflow: hidden; border-radius: 8px; padding: 8px }</style>` + repeated(elements/4,
		`<div class=card><h3>Card %[1]d</h3><p>What is on card %[1]d</p><a href="#%[1]d">Open %[1]d</a></div>`)
}

// boxes returns a page with this number of elements. Every fourth has a height, and clips content
// that does not fit in it.
func boxes(elements int) string {
	return `<style>.box { overflow: hidden; height: 120px }</style>` + repeated(elements/4,
		`<div class=box><h3>Box %[1]d</h3><p>What is in box %[1]d</p><a href="#%[1]d">Open %[1]d</a></div>`)
}

// list returns a page like a virtual list, with this number of elements. Each row has its own
// position in a box that scrolls, as scripts of virtual lists place them.
func list(elements int) string {
	return `<style>.list { overflow: auto; height: 600px; position: relative }` +
		`.row { position: absolute; left: 0; right: 0; height: 30px; contain: strict }</style>` +
		`<div class=list><div style="height: 75000px">` + repeated(elements/4,
		`<div class=row style="transform: translateY(%[1]d0px)"><span>Row %[1]d</span><b>bold</b><i>text</i></div>`) + `</div></div>`
}

// moved returns a page with this number of elements. Three in four are positioned, moved or made
// translucent by their style.
func moved(elements int) string {
	return `<style>.tile { position: absolute } .tile p { position: relative; left: 4px } .tile b { opacity: .9 }</style>` + repeated(elements/4,
		`<div class=tile style="top: %[1]dpx; transform: translateX(8px)"><p>Tile %[1]d</p><b>bold</b><i>text</i></div>`)
}

// repeated repeats a format, with the number of the repetition filled in.
func repeated(times int, format string) string {
	var b strings.Builder
	for i := range times {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

const style = `body { font: 14px/1.4 sans-serif; margin: 16px } table { border-collapse: collapse } td, th { border: 1px solid #ccc; padding: 2px 6px }`

func send(w http.ResponseWriter, body string) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	io.WriteString(w, `<!doctype html><html lang=en><head><meta charset=utf-8><title>Bench</title><link rel=icon href=data:,><style>`+style+`</style></head><body>`+body+`</body></html>`)
}

const formFields = 8

// form returns a page with a button and fields. It shows the count of clicks or the text of the last
// changed field, so that the effect of an act can be checked.
func form() string {
	var b strings.Builder
	b.WriteString(`<button onclick="this.n = (this.n || 0) + 1; told.textContent = 'counted ' + this.n">Count</button>`)
	for i := range formFields {
		fmt.Fprintf(&b, `<p><label>Field %d <input oninput="told.textContent = this.value"></label></p>`, i)
	}
	b.WriteString(`<p id=told></p>`)
	return b.String()
}

const (
	outside = 18 // number of elements of the page outside of the rows
	inRow   = 8  // number of elements in a row
)

// rows returns a table. It is so long that the page has about this number of elements.
func rows(elements int) string {
	words := strings.Fields("amber bridge cargo delta ember forest garden harbor island jungle kernel lantern meadow")
	var b strings.Builder
	b.WriteString(`<main><h1>Table</h1><table><thead><tr><th>Id</th><th>Name</th><th>Status</th><th>Amount</th><th>Action</th></tr></thead><tbody>`)
	for i := range (elements - outside) / inRow {
		fmt.Fprintf(&b, `<tr><td>%d</td><td><a href="#r%d">%s %s %d</a></td><td>%s</td><td>%d.%02d</td><td><button>Edit %d</button></td></tr>`,
			i, i, words[i*7%len(words)], words[(i*7+5)%len(words)], i, []string{"open", "closed", "pending"}[i%3], i*3%997, i%100, i)
	}
	b.WriteString(`</tbody></table></main>`)
	return b.String()
}
