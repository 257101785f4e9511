// Package report writes a recording as one HTML file that anybody can open, without chela and without
// a network.
//
// The file has a style, a script and the recording as data; their sources are in the folder site. Its
// Content-Security-Policy allows this style and this script by their hashes, and nothing else. So
// even if words of a page came into the document as markup, they could run nothing and load
// nothing. The script writes them as text only.
package report

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"strings"
	"time"

	"chela/internal/record/recorder"
	"chela/internal/wall/secret"
)

// A Report is a recording with what is needed to write it as a page.
type Report struct {
	Title   string    // what was recorded, such as "profile chela"
	Made    time.Time // when the report was made
	Missing string    // why something is not in the recording; "" if nothing is missing

	Recording recorder.Recording
	IsAct     func(op string) bool              // reports whether an operation acts on a page; nil: none does
	Picture   func(file string) ([]byte, error) // reads the picture with this name; nil: there are no pictures
}

//go:embed site
var site embed.FS

// scripts are the files that make up the script of a report, in this order.
var scripts = []string{"read.js", "words.js", "picture.js", "row.js", "detail.js", "overview.js", "filter.js", "main.js"}

// Write writes the report as HTML. A picture that cannot be read is left out, and the page says so.
// The error comes from w.
//
// The pictures come last, each in an element of its own. So Write has only one of them in memory, and
// the browser shows the calls before it has read the pictures. To the browser, pictures are plain
// text; the script makes an image of one when it comes near the visible part of the page.
func Write(w io.Writer, r Report) error {
	v := r.view()
	data, err := json.Marshal(v) // escapes <, > and &, so no text can end the script element
	if err != nil {
		return err
	}
	data = secret.MaskBytes(data)
	style, script := file("report.css"), "'use strict';\n"
	for _, name := range scripts {
		script += file(name)
	}
	head, tail, _ := strings.Cut(file("report.html"), "{{data}}")
	head = strings.NewReplacer("{{policy}}", policy(style, script), "{{title}}", html.EscapeString(secret.Mask(v.Title)), "{{style}}", style).Replace(head)
	out := &writer{w: w}
	out.text(head)
	out.text(`<script type="application/json" id="recording">` + string(data) + "</script>\n")
	out.text("<script>" + script + "</script>\n")
	r.writePictures(out, v.files)
	out.text(tail)
	return out.err
}

// policy returns the Content-Security-Policy of a document with one style and one script.
func policy(style, script string) string {
	return fmt.Sprintf("default-src 'none'; script-src '%s'; style-src '%s'; img-src data: blob:; base-uri 'none'; form-action 'none'", hash(script), hash(style))
}

func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// file returns a file of the folder site.
func file(name string) string {
	content, err := site.ReadFile("site/" + name)
	if err != nil {
		panic(err) // the folder is part of the program
	}
	return string(content)
}

// The bounds of the pictures in a report, in bytes.
const (
	maxPicture  = 1 << 20
	maxPictures = 200 << 20
)

// writePictures writes the pictures with these names. The index of a name is the number of its
// picture. Pictures beyond the bounds are left out.
func (r Report) writePictures(out *writer, files []string) {
	room := maxPictures
	for i, name := range files {
		picture, err := r.Picture(name)
		if err != nil || len(picture) > maxPicture || len(picture) > room {
			continue
		}
		room -= len(picture)
		out.text(fmt.Sprintf(`<script type="text/plain" id="picture-%d">`, i))
		out.text(base64.StdEncoding.EncodeToString(picture))
		out.text("</script>\n")
	}
}

// A writer writes until the first error, which it keeps.
type writer struct {
	w   io.Writer
	err error
}

func (w *writer) text(text string) {
	if w.err == nil {
		_, w.err = io.WriteString(w.w, text)
	}
}
