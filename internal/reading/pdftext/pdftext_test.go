package pdftext

import (
	"bytes"
	"compress/zlib"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"chela/internal/base/child"
)

func TestMain(m *testing.M) {
	child.RunIfChild(work)
	os.Exit(m.Run())
}

// work is the task of a child process that reads a PDF, as in package parser.
var work = &child.Work{Name: "read", Memory: 512 << 20, Time: 20 * time.Second, Do: func(t child.Task) (any, error) { return Parse(t.Body) }}

// document writes a PDF of these objects. The first one is its root.
func document(objects ...string) []byte {
	var b bytes.Buffer
	b.WriteString("%PDF-1.4\n")
	offsets := make([]int, len(objects))
	for i, object := range objects {
		offsets[i] = b.Len()
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, object)
	}
	start := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(objects)+1)
	for _, at := range offsets {
		fmt.Fprintf(&b, "%010d 00000 n \n", at)
	}
	fmt.Fprintf(&b, "trailer\n<</Root 1 0 R /Size %d>>\nstartxref\n%d\n%%%%EOF\n", len(objects)+1, start)
	return b.Bytes()
}

func stream(content, entries string) string {
	return fmt.Sprintf("<</Length %d %s>>\nstream\n%s\nendstream", len(content), entries, content)
}

// page is a document of one page, with fonts F (simple), T (of two bytes, with a cmap) and a form
// X.
func page(content, cmap, form string) []byte {
	return document(
		"<</Type /Catalog /Pages 2 0 R>>",
		"<</Type /Pages /Kids [3 0 R] /Count 1 /Resources <</Font <</F 5 0 R /T 6 0 R>> /XObject <</X 9 0 R>>>>>>",
		"<</Type /Page /Parent 2 0 R /Contents 4 0 R>>",
		stream(content, ""),
		"<</Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding <</BaseEncoding /WinAnsiEncoding /Differences [1 /fi /uni20AC /f_f_l /nonsense /a.alt /uni00660069 /u1F600 /uniD83D]>>>>",
		"<</Type /Font /Subtype /Type0 /Encoding /Identity-H /DescendantFonts [7 0 R] /ToUnicode 8 0 R>>",
		"<</Type /Font /Subtype /CIDFontType2 /DW 500 /W [1 [600 600] 5 9 250]>>",
		stream(cmap, ""),
		stream(form, "/Type /XObject /Subtype /Form /Matrix [1 0 0 1 0 -50]"),
	)
}

const letters = `/CIDInit /ProcSet findresource begin 12 dict begin begincmap 1 begincodespacerange <0000> <FFFF> endcodespacerange
	2 beginbfchar <0001> <0041> <0002> <00660069> endbfchar 2 beginbfrange <0010> <0020> <0061> <0030> <0031> [<0078> <0079>] endbfrange endcmap`

func TestPages(t *testing.T) {
	for _, test := range []struct{ name, content, want string }{
		{"one line", "BT /F 12 Tf 100 700 Td (Hello, world) Tj ET", "Hello, world"},
		{"words by their places", "BT /F 12 Tf [(Hel) 20 (lo) -600 (you)] TJ ET", "Hello you"},
		{"lines", "BT /F 12 Tf 14 TL 100 700 Td (one) Tj T* (two) Tj (three) ' ET", "one\ntwo\nthree"},
		{"paragraphs", "BT /F 12 Tf 1 0 0 1 100 700 Tm (one) Tj 1 0 0 1 100 650 Tm (two) Tj ET", "one\n\ntwo"},
		{"columns", "BT /F 12 Tf 1 0 0 1 50 700 Tm (left) Tj 0 -14 Td (below) Tj 1 0 0 1 300 700 Tm (right) Tj ET", "left\nbelow\nright"},
		{"a row of a table", "BT /F 12 Tf 1 0 0 1 50 700 Tm (left) Tj 250 0 Td (right) Tj ET", "left right"},
		{"on its side", "BT /F 12 Tf 0 1 -1 0 100 100 Tm (up) Tj 1 0 0 1 200 200 Tm (right) Tj ET", "up\n\nright"},
		{"bold by drawing twice", "BT /F 12 Tf 100 700 Td (B) Tj 0.3 0 Td (B) Tj ET", "B"},
		{"names of characters", "BT /F 12 Tf (\\001x \\002 \\003 \\004 \\005 \\200 \\006 \\007 \\010) Tj ET", "fix € ffl \ufffd a € fi 😀 \ufffd"},
		{"a translated font", "BT /T 12 Tf <000100020010003100ff> Tj ET", "Afiay\ufffd"},
		{"a form", "BT /F 12 Tf 100 700 Td (page) Tj ET /X Do", "page\n\nform"},
		{"larger by the matrix", "2 0 0 2 0 0 cm BT /F 6 Tf 50 350 Td (a) Tj 20 0 Td (b) Tj ET", "a b"},
		{"nothing", "0 0 m 10 10 l S", ""},
		{"broken operators", "Tj ] BT /F Tf Td (a) Tj << Q Q Q /F 12 Tf 1 2 3 Tm (b) Tj ET >>", "ab"},
		{"unfinished", "BT /F 12 Tf (begun) Tj [(and", "begun"},
	} {
		text, err := Parse(page(test.content, letters, "BT /F 12 Tf 100 700 Td (form) Tj ET"))
		if err != nil || len(text.Pages) != 1 {
			t.Errorf("%s: %+v, %v", test.name, text, err)
			continue
		}
		if got := text.Pages[0]; got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}

func TestRead(t *testing.T) {
	whole := page("BT /F 12 Tf (Hello) Tj ET", letters, "")
	later := bytes.Replace(whole, []byte("%PDF-1.4"), []byte("%PDF-2.0"), 1)
	for name, doc := range map[string][]byte{
		"as it should be": whole, "of a later version": later, "with something before it": append([]byte("junk\n"), whole...),
		"with something behind it": append(bytes.Clone(whole), "\n<!-- served by -->\n"...),
	} {
		text, err := Parse(doc)
		if diff := cmp.Diff(&Text{Pages: []string{"Hello"}, Count: 1}, text); err != nil || diff != "" {
			t.Errorf("%s: %v %s", name, err, diff)
		}
	}
}

// What a page has besides a fault is read, and such pages are counted.
func TestBrokenPages(t *testing.T) {
	const before, after = "BT /F 12 Tf 100 700 Td (before) Tj ET ", " BT /F 12 Tf 100 600 Td (after) Tj ET"
	for _, test := range []struct {
		name string
		doc  []byte
		text string
		many int
	}{
		{"a picture within the content", page(before+"BI /W 4 /H 1 /BPC 8 /CS /G ID )(>\xff EI \x80<\nEI\nQ"+after, "", ""), "before\n\nafter", 0},
		{"two pictures", page(before+"BI /W 1 /H 1 ID ( EI BI /W 1 /H 1 ID ( EI"+after, "", ""), "before\n\nafter", 0},
		{"words like a picture's", page("BT /F 12 Tf (BI ID) Tj ( EI) Tj ET", "", ""), "BI ID EI", 0},
		{"a fault", page(before+")"+after, "", ""), "before", 1},
		{"a fault in a form", page(before+"/X Do"+after, "", ")"), "before\n\nafter", 1},
		{"no content", document("<</Type /Catalog /Pages 2 0 R>>", "<</Type /Pages /Kids [3 0 R] /Count 1>>", "<</Type /Page>>"), "", 0},
		{"an encoding that is not known", document("<</Type /Catalog /Pages 2 0 R>>", "<</Type /Pages /Kids [3 0 R] /Count 1>>",
			"<</Type /Page /Contents 4 0 R>>", stream("x", "/Filter /LZWDecode")), "", 1},
	} {
		text, err := Parse(test.doc)
		if diff := cmp.Diff(&Text{Pages: []string{test.text}, Count: 1, Broken: test.many}, text); err != nil || diff != "" {
			t.Errorf("%s: %v %s", test.name, err, diff)
		}
	}
}

// A table of objects may have wrong places. That costs the page concerned, or a part of it.
func TestMisplacedObjects(t *testing.T) {
	doc := document(
		"<</Type /Catalog /Pages 2 0 R>>",
		"<</Type /Pages /Kids [3 0 R 4 0 R] /Count 2 /Resources <</Font <</F 8 0 R>>>>>>",
		"<</Type /Page /Contents [5 0 R 6 0 R]>>",
		"<</Type /Page /Contents 7 0 R>>",
		stream("BT /F 12 Tf 100 700 Td (one) Tj ET", ""),
		stream("BT /F 12 Tf 100 600 Td (two) Tj ET", ""),
		stream("BT /F 12 Tf 100 700 Td (three) Tj ET", ""),
		"<</Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding>>",
	)
	for _, test := range []struct {
		name   string
		object int
		pages  []string
	}{
		{"a page", 3, []string{"", "three"}},
		{"a part of the content", 5, []string{"two", "three"}},
		{"the content", 7, []string{"one\n\ntwo", ""}},
	} {
		text, err := Parse(bytes.Replace(doc, fmt.Appendf(nil, "\n%d 0 obj", test.object), []byte("\n9 0 obj"), 1))
		if diff := cmp.Diff(&Text{Pages: test.pages, Count: 2, Broken: 1}, text); err != nil || diff != "" {
			t.Errorf("%s: %v %s", test.name, err, diff)
		}
	}
}

// Whatever a document is, it is read or refused in time, and this process goes on.
func TestHostileDocuments(t *testing.T) {
	var bomb bytes.Buffer
	z := zlib.NewWriter(&bomb)
	for range 6 { // 1 MB each
		z.Write(bytes.Repeat([]byte("(a) Tj "), 1<<17))
	}
	z.Close()
	catalog := "<</Type /Catalog /Pages 2 0 R>>"
	children := child.NewPool()
	t.Cleanup(children.Close)
	for name, doc := range map[string][]byte{
		"nothing":             nil,
		"no PDF":              []byte("<html>"),
		"half of it":          page("BT /F 12 Tf (Hello) Tj ET", letters, "")[:400],
		"nested arrays":       document(catalog, strings.Repeat("[", 8<<20)),
		"nested content":      page(strings.Repeat("<</a ", 1<<18), letters, ""),
		"a table in a circle": []byte("%PDF-1.4\nxref\n0 0\ntrailer\n<</Root 1 0 R /Size 1 /Prev 9>>\n%" + strings.Repeat(" ", 100) + "\nstartxref\n9\n%%EOF"),
		"pages in a circle":   document(catalog, "<</Type /Pages /Kids [2 0 R 2 0 R 2 0 R] /Count 3>>"),
		"a form in itself":    page("/X Do", letters, "/X Do /X Do /X Do"),
		"a bomb": document(catalog, "<</Type /Pages /Kids [3 0 R] /Count 1>>", "<</Type /Page /Contents 4 0 R>>",
			fmt.Sprintf("<</Length %d /Filter /FlateDecode>>\nstream\n%s\nendstream", bomb.Len(), bomb.String())),
		"a huge table":    []byte("%PDF-1.5\n1 0 obj\n<</Type /XRef /Size 900000000000 /W [1 1 1] /Length 0>>\nstream\n\nendstream\nendobj\n%" + strings.Repeat(" ", 100) + "\nstartxref\n9\n%%EOF"),
		"wide characters": page("BT /T 12 Tf <0001> Tj ET", strings.Repeat("1 beginbfrange <0000> <ffff> <0041> endbfrange ", 20_000), ""),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			limit := 20 * time.Second
			if name == "a table in a circle" { // reading this document would never end
				limit = 300 * time.Millisecond
			}
			ctx, cancel := context.WithTimeout(t.Context(), limit)
			defer cancel()
			err := children.Do(ctx, work, nil, doc, new(Text))
			if endless := name == "a table in a circle"; endless && !errors.Is(err, child.ErrTooMuch) {
				t.Errorf("got %v", err)
			}
			t.Log(err)
		})
	}
}

// FuzzPage reads PDFs with any content of a page and any font. A child process reads them, because the
// library may never return.
func FuzzPage(f *testing.F) {
	f.Add("BT /F 12 Tf (Hello) Tj [(a) -300 (b)] TJ /X Do ET", letters, "q 1 0 0 1 0 0 cm Q")
	f.Add("BT /T 12 Tf <00010002> ' (x) \" T* ET", letters, "/X Do")
	children := child.NewPool()
	f.Cleanup(children.Close)
	f.Fuzz(func(t *testing.T, content, cmap, form string) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		children.Do(ctx, work, nil, page(content, cmap, form), new(Text)) // the call must return, whatever the texts are
	})
}
