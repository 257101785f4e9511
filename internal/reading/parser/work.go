package parser

import (
	"encoding/json"
	"errors"
	"runtime/metrics"
	"time"

	"chela/internal/base/child"
	"chela/internal/reading/document"
	"chela/internal/reading/extract"
	"chela/internal/reading/fetch"
	"chela/internal/reading/pdftext"
)

// The rest of this file runs in the child.

// maxTree is how many bytes the tree of a page may take. Finding the content in it takes about as
// much again.
const maxTree = 48 << 20

// limited returns a Meter. It says how many bytes of memory the parser has taken from now on, and
// how many it may take. After half of the time, it says that too much is taken. The other half is
// reserved for finding the content.
func limited(left time.Duration) extract.Meter {
	begun, before := time.Now(), allocated()
	return func() (taken, most int64) {
		if time.Since(begun) > left/2 {
			return maxTree + 1, maxTree
		}
		return allocated() - before, maxTree
	}
}

// allocated returns how many bytes this process has allocated in total. The parser keeps nearly
// everything that it allocates. Unlike memory in use, this number does not depend on the garbage
// collector, so a page is always cut at the same place.
func allocated() int64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64())
}

type documentParams struct {
	Document fetch.Document // the document without its body
	Want     Want
	OrWhy    bool
}

// params decodes the parameters of a task.
func params[T any](t child.Task) (p T, err error) {
	err = json.Unmarshal(t.Params, &p)
	return p, err
}

func doDocument(t child.Task) (any, error) {
	p, err := params[documentParams](t)
	if err != nil {
		return nil, err
	}
	p.Document.Body = t.Body
	r := new(Reading)
	switch p.Document.Kind {
	case fetch.HTML:
		r.readHTML(&p.Document, limited(t.Left), p)
	case fetch.JSON:
		r.readJSON(&p.Document, p.Want)
	case fetch.XML:
		r.readXML(&p.Document, p.Want)
	default:
		r.readPlain(&p.Document, p.Want)
	}
	return r, nil
}

type pageParams struct {
	Source Source
	Want   Want
}

func doPage(t child.Task) (any, error) {
	p, err := params[pageParams](t)
	if err != nil {
		return nil, err
	}
	r := new(Reading)
	if p.Source.Verbatim {
		r.takePage(extract.Verbatim(string(t.Body)), p.Want)
	} else {
		content := extract.Parse(string(t.Body), limited(t.Left)).Extract(p.Source.Address, p.Source.Whole)
		content.Cut = content.Cut || p.Source.Cut
		r.takePage(content, p.Want)
	}
	return r, nil
}

type partsParams struct {
	Parts   []string
	Address string
}

func doParts(t child.Task) (any, error) {
	p, err := params[partsParams](t)
	if err != nil {
		return nil, err
	}
	written, begun := make([]Part, len(p.Parts)), time.Now()
	for i, part := range p.Parts {
		// The limit of a part is only for its parsing. Finding and writing its content also takes time.
		left := t.Left - time.Since(begun)
		if left < t.Left/10 {
			written[i].Cut = true
			continue
		}
		// A part may take half of the time that is left, so there is always some for the next.
		content := extract.Parse(part, limited(left/2)).Extract(p.Address, true)
		written[i] = Part{content.Markdown(), content.Cut}
	}
	return written, nil
}

func doPDF(t child.Task) (any, error) {
	p, err := params[documentParams](t)
	if err != nil {
		return nil, err
	}
	text, err := pdftext.Parse(t.Body)
	switch {
	case errors.Is(err, pdftext.ErrProtected):
		return refusal{Protected: true}, nil
	case err != nil:
		return refusal{Broken: err.Error()}, nil
	}
	r := new(Reading)
	r.readPDF(text, p.Want)
	return r, nil
}

// readHTML reads a page as the server has sent it, without running scripts.
func (r *Reading) readHTML(d *fetch.Document, limit extract.Meter, p documentParams) {
	parsed := extract.Parse(document.Decode(d.Body, d.Charset), limit)
	r.Why = document.NeedsBrowser(parsed.Root, d.Status)
	if r.Why != "" && p.OrWhy {
		return
	}
	content := parsed.Extract(d.URL, false)
	content.Cut = content.Cut || d.Cut
	r.takePage(content, p.Want)
	if r.Why == "" && r.Length == 0 && d.Succeeded() {
		r.Why = "no text was found in the page"
	}
}
