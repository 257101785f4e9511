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

// hideFields replaces the values of secret fields in the body of a request, which may be cut at its
// end. JSON and the two kinds of forms are recognized by their beginning, since pages do not always
// name the type of the body.
func hideFields(body string) string {
	switch start := strings.TrimLeft(body, " \t\r\n"); {
	case strings.HasPrefix(start, "{"), strings.HasPrefix(start, "["):
		return hideJSON(body)
	case strings.HasPrefix(start, "--"):
		return hideParts(body)
	}
	return hidePairs(body)
}

// partOfForm is one field of multipart/form-data: its headers with its name, and its value up to
// the next boundary.
var partOfForm = lazyregexp.New(`(?is)(\r\nContent-Disposition:[^\r\n]*[; ]name="([^"]*)".*?\r\n\r\n)(.*?)(\r\n--|$)`)

func hideParts(body string) string {
	var out strings.Builder
	copied := 0
	for _, at := range partOfForm().FindAllStringSubmatchIndex(body, -1) {
		if value, end := at[6], at[7]; end > value && IsSecretName(body[at[4]:at[5]]) {
			out.WriteString(body[copied:value] + Secret)
			copied = end
		}
	}
	return out.String() + body[copied:]
}

// hideJSON replaces the values of secret fields at any depth, and keeps the rest as it was written.
func hideJSON(body string) string {
	h := jsonHider{body: body, in: json.NewDecoder(strings.NewReader(body))}
	var err error
	for err == nil { // a body may have several JSON values, one on each line
		err = h.value(0)
	}
	rest := body[h.copied:]
	if _, broken := errors.AsType[*json.SyntaxError](err); broken { // the body is not JSON
		rest = hidePairs(rest)
	}
	return h.out.String() + rest
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
