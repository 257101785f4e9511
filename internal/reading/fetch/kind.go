package fetch

import (
	"bytes"
	"net/http"
	"strings"
)

// A Kind says how a document is read.
type Kind string

const (
	HTML  Kind = "html"
	PDF   Kind = "pdf"
	JSON  Kind = "json"
	XML   Kind = "xml" // includes feeds
	Text  Kind = "text"
	Other Kind = "" // pictures, sound, archives, programs
)

// typeOf returns the media type of a document and how it is read. The server may have declared no
// type, or one that stands for any file. Then the type is guessed from the beginning, by the rules
// of browsers.
func typeOf(declared, charset string, beginning []byte) (string, Kind) {
	switch declared {
	case "", "application/octet-stream", "binary/octet-stream", "application/x-download", "application/force-download", "*/*", "unknown/unknown":
		declared, _, _ = strings.Cut(http.DetectContentType(beginning), ";")
	}
	kind := kindOf(declared)
	switch {
	case bytes.HasPrefix(beginning, []byte("%PDF-")):
		return "application/pdf", PDF
	case declared == "text/plain" && isJSON(beginning):
		return declared, JSON
	case kind == Text && isBinary(charset, beginning): // browsers also download such a file instead of showing it
		return http.DetectContentType(beginning), Other
	}
	return declared, kind
}

// kindOf returns the kind of a media type.
func kindOf(mediaType string) Kind {
	kind, sub, _ := strings.Cut(mediaType, "/")
	switch {
	case mediaType == "text/html", mediaType == "application/xhtml+xml":
		return HTML
	case sub == "pdf", sub == "x-pdf":
		return PDF
	case sub == "json", strings.HasSuffix(sub, "+json"):
		return JSON
	case kind == "image": // image/svg+xml is also an image
		return Other
	case sub == "xml", strings.HasSuffix(sub, "+xml"):
		return XML
	case kind == "text":
		return Text
	}
	switch sub {
	case "javascript", "x-javascript", "ecmascript", "x-ndjson", "jsonl", "jsonlines", "yaml", "x-yaml", "toml", "sql", "graphql",
		"x-sh", "x-shellscript", "x-httpd-php", "x-tex", "x-latex", "x-subrip":
		return Text
	}
	return Other
}

// isJSON reports whether a text is JSON although its media type does not say so. It looks only at
// the beginning.
func isJSON(beginning []byte) bool {
	text := bytes.TrimLeft(bytes.TrimPrefix(beginning, []byte("\xef\xbb\xbf")), " \t\r\n")
	return len(text) > 1 && (text[0] == '{' && bytes.IndexByte([]byte("\" \t\r\n}"), text[1]) >= 0 || text[0] == '[' && bytes.IndexByte([]byte("{[\" \t\r\n]"), text[1]) >= 0)
}

// isBinary reports whether a document that is declared as text contains characters that texts do
// not have. UTF-16 also contains them. It is recognized by its first two bytes, or by the character
// set that the server has declared.
func isBinary(charset string, beginning []byte) bool {
	if strings.HasPrefix(strings.ToLower(charset), "utf-16") || bytes.HasPrefix(beginning, []byte{0xfe, 0xff}) || bytes.HasPrefix(beginning, []byte{0xff, 0xfe}) {
		return false
	}
	return bytes.ContainsFunc(beginning, func(r rune) bool {
		return r < ' ' && r != '\t' && r != '\n' && r != '\r' && r != '\f' && r != 0x1b
	})
}
