package pdftext

import (
	"bytes"
	"fmt"
	"io"

	"github.com/ledongthuc/pdf"

	"chela/internal/base/lazyregexp"
)

// maxContent limits the decoded content streams of a page, or of a form, in bytes.
const maxContent = 32 << 20

// content joins the content streams of a page to one stream, which [pdf.Interpret] can read. The
// result is false if a part is missing.
func content(v pdf.Value) (stream pdf.Value, whole bool) {
	parts, part := 1, func(int) pdf.Value { return v }
	if v.Kind() == pdf.Array {
		parts, part = v.Len(), v.Index
	}
	var all bytes.Buffer
	whole = true
	for i := range parts {
		fault := attempt(func() {
			part := part(i)
			if part.IsNull() {
				return // a page without content is empty, and not broken
			}
			if _, err := all.ReadFrom(io.LimitReader(part.Reader(), int64(maxContent-all.Len()))); err != nil {
				panic(err)
			}
		})
		all.WriteByte('\n')
		if whole = whole && fault == nil && all.Len() < maxContent; all.Len() >= maxContent {
			break
		}
	}
	return streamOf(withoutInlineImages(all.Bytes())), whole
}

var (
	inlineImageBegin = lazyregexp.New(`(?:^|\s)BI\s+/[^()]*?\sID\s`)
	inlineImageEnd   = lazyregexp.New(`[\s>]EI(?:\s[\s!-~]{4}|\s[\s!-~]{0,3}$)`) // the data may have EI as well, but hardly with text after it
)

// withoutInlineImages cuts out the images within a content stream, from the operator BI to EI.
// [pdf.Interpret] does not know these operators, and would take the bytes of the image for others.
func withoutInlineImages(data []byte) []byte {
	var kept []byte
	for {
		begin := inlineImageBegin().FindIndex(data)
		if begin == nil {
			break
		}
		end := inlineImageEnd().FindIndex(data[begin[1]-1:])
		if end == nil {
			break
		}
		kept = append(append(kept, data[:begin[0]]...), '\n')
		data = data[begin[1]-1+end[0]+len(" EI"):]
	}
	return append(kept, data...)
}

// streamOf returns data as a stream. [pdf.Interpret] accepts only a stream of a document, so it
// makes a document that has only this stream.
func streamOf(data []byte) pdf.Value {
	const header = "%PDF-1.7\n"
	var b bytes.Buffer
	b.WriteString(header)
	fmt.Fprintf(&b, "1 0 obj\n<</Length %d>>\nstream\n%s\nendstream\nendobj\n", len(data), data)
	table := b.Len()
	fmt.Fprintf(&b, "xref\n0 2\n0000000000 65535 f \n%010d 00000 n \ntrailer\n<</Size 2 /Content 1 0 R>>\nstartxref\n%d\n%%%%EOF\n", len(header), table)
	doc, err := pdf.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		panic(err)
	}
	return doc.Trailer().Key("Content")
}
