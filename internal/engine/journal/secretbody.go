package journal

import (
	"encoding/json"
	"errors"
	"strings"

	"chela/internal/base/lazyregexp"
)

// BodyWithoutSecrets returns the body of a response without the values of secret fields. It changes
// only JSON and forms: other types have no fields with names.
func BodyWithoutSecrets(mimeType string, body []byte) []byte {
	switch {
	case strings.Contains(mimeType, "json"):
		return []byte(hideJSON(string(body)))
	case mimeType == "application/x-www-form-urlencoded":
		return []byte(hidePairs(string(body)))
	}
	return body
}

// blank has the characters that may come before the beginning of a body: a byte order mark, and space.
const blank = "\ufeff \t\r\n"

// hideFields replaces the values of secret fields in the body of a request, which may be cut at its
// end. JSON and the two kinds of forms are recognized by their beginning, since pages do not always
// name the type of the body.
func hideFields(body string) string {
	switch start := strings.TrimLeft(body, blank); {
	case strings.HasPrefix(start, "{"), strings.HasPrefix(start, "["):
		return hideJSON(body)
	case strings.HasPrefix(start, "--"):
		return hideParts(body)
	}
	return hidePairs(body)
}

// nameOfPart finds the name of a field in the headers of a part of multipart/form-data.
var nameOfPart = lazyregexp.New(`(?i)Content-Disposition:[^\r\n]*[; ]name="([^"]*)"`)

// hideParts replaces the values of secret fields in multipart/form-data. The first line of the body is
// the boundary between the parts. Values may have other lines that begin with dashes.
func hideParts(body string) string {
	boundary, _, _ := strings.Cut(strings.TrimLeft(body, blank), "\r\n")
	boundary = strings.TrimRight(boundary, " \t") // RFC 2046 allows padding after each boundary
	parts := strings.Split(body, "\r\n"+boundary)
	for i, part := range parts {
		head, value, _ := strings.Cut(part, "\r\n\r\n")
		if name := nameOfPart().FindStringSubmatch(head); name != nil && value != "" && IsSecretName(name[1]) {
			parts[i] = head + "\r\n\r\n" + Secret
		}
	}
	return strings.Join(parts, "\r\n"+boundary)
}

// hideJSON replaces the values of secret fields at any depth, and keeps the rest as it was written.
// What is before the first object or list is not parsed. Servers put )]}' or for(;;); there, so that
// pages of other sites cannot run the text.
func hideJSON(body string) string {
	start := max(0, strings.IndexAny(body, "{["))
	h := jsonHider{body: body[start:], in: json.NewDecoder(strings.NewReader(body[start:]))}
	h.out.WriteString(hidePairs(body[:start]))
	var err error
	for err == nil { // a body may have several JSON values, one on each line
		err = h.value(0)
	}
	rest := h.body[h.copied:]
	if _, broken := errors.AsType[*json.SyntaxError](err); broken { // the body is not JSON
		rest = hidePairs(hideMembers(rest))
	}
	return h.out.String() + rest
}

// Members of a text that is nearly JSON. The name and the value may have other quotes, or none.
var (
	nameOfMember  = lazyregexp.New(`["']?([\w$.-]+)["']?\s*:\s*`)
	valueOfMember = lazyregexp.New(`^("(\\.|[^"\\])*"?|'(\\.|[^'\\])*'?|[{[](?s:.*)|[^\s,}\]]*)`)
)

// hideMembers replaces the values of secret fields in a text that is nearly JSON. If such a value is
// an object or a list, nobody knows where it ends, so nothing after it is shown.
func hideMembers(text string) string {
	var out strings.Builder
	copied := 0
	for _, at := range nameOfMember().FindAllStringSubmatchIndex(text, -1) {
		if at[0] < copied || !IsSecretName(text[at[2]:at[3]]) {
			continue
		}
		if value := valueOfMember().FindString(text[at[1]:]); value != "" {
			out.WriteString(text[copied:at[1]] + `"` + Secret + `"`)
			copied = at[1] + len(value)
		}
	}
	return out.String() + text[copied:]
}

// A jsonHider copies JSON, and replaces the values of secret fields.
type jsonHider struct {
	body   string
	in     *json.Decoder
	out    strings.Builder
	copied int // how many bytes of the body have been handled: copied to out, or replaced there
}

// maxDepth limits how deep JSON is parsed. Deeper values are replaced as a whole.
const maxDepth = 1000

// value copies one value. The error comes from the decoder: at the end of the body, or where the
// body was cut.
func (h *jsonHider) value(depth int) error {
	token, err := h.in.Token()
	opened, container := token.(json.Delim)
	if err != nil || !container {
		return err
	}
	for h.in.More() {
		var name json.Token
		if opened == '{' {
			if name, err = h.in.Token(); err != nil {
				return err
			}
		}
		if field, ok := name.(string); ok && IsSecretName(field) || depth > maxDepth {
			err = h.hide()
		} else {
			err = h.value(depth + 1)
		}
		if err != nil {
			return err
		}
	}
	_, err = h.in.Token()
	return err
}

// hide replaces the next value, even if the body ends in the middle of that value.
func (h *jsonHider) hide() error {
	from := int(h.in.InputOffset())
	var raw json.RawMessage
	err := h.in.Decode(&raw)
	end := int(h.in.InputOffset())
	start := end - len(raw)
	if err != nil {
		start, end = from, len(h.body)
		if strings.HasPrefix(strings.TrimLeft(h.body[from:], " \t\r\n"), ":") {
			start += strings.Index(h.body[from:], ":") + 1
		}
	}
	h.out.WriteString(h.body[h.copied:start] + `"` + Secret + `"`)
	h.copied = end
	return err
}
