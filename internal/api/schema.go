package api

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"chela/internal/api/words"
	"chela/internal/engine/page"
	"chela/internal/op"
	"chela/internal/reading/parser"
	"chela/internal/reading/schema"
)

// FieldData is what was read from a page by a schema. It names a place in Data by a path, such as
// items[3].price.
type FieldData struct {
	Data           json.RawMessage   `json:"data,omitempty" doc:"what the schema asks for, in its order; a missing or unreadable value is null, or an empty list"`
	Missing        []string          `json:"missing,omitempty" doc:"the first 100 places in data without a value: the page has none, and the schema no default. An empty path stands for all of data"`
	Unreadable     []unreadableField `json:"unreadable,omitempty" doc:"the first 100 places in data whose text on the page does not fit the type in the schema"`
	DataCut        []cutField        `json:"dataCut,omitempty" doc:"the first 100 lists and texts in data that are cut, because data was longer than maxLength, a text was too large to convert, or there was no more time"`
	MoreMissing    int               `json:"moreMissing,omitempty" doc:"how many missing places are not listed, beyond the first 100"`
	MoreUnreadable int               `json:"moreUnreadable,omitempty" doc:"how many unreadable places are not listed, beyond the first 100"`
	MoreCut        int               `json:"moreCut,omitempty" doc:"how many cut places are not listed, beyond the first 100"`
	Full           bool              `json:"dataFull,omitempty" doc:"data has as many characters as maxLength allows"`
	Late           bool              `json:"dataLate,omitempty" doc:"the time was over before all was read"`
}

// unreadableField is a place in data.
type unreadableField struct {
	Path string      `json:"path" doc:"the place in data, such as items[3].price"`
	Type schema.Type `json:"type" doc:"type in the schema"`
	Text op.PageText `json:"text" doc:"the beginning of the text"`
}

// cutField is a value in data that was cut. The field Of is its full length, 0 if that is not
// known.
type cutField struct {
	Path string `json:"path" doc:"the place in data, such as items[3].price; empty for all of data"`
	Kept int    `json:"kept" doc:"how much of the list or text is in data: elements, or UTF-16 code units"`
	Of   int    `json:"of" doc:"how much of the list or text the page has, in the same unit; 0 if that is not known"`
}

// defaultDataLength is how many characters are read for a schema unless the caller says. It is
// large, because programs also read tables.
const defaultDataLength = 200_000

// readSchema reads what a schema asks for. It reads the content of the page only if its format was
// also asked for.
func (r extractRequest) readSchema(ctx context.Context, p shownPage) (extractResult, error) {
	root, err := schema.Parse(r.Schema)
	if err != nil {
		return extractResult{}, explainSchema(err)
	}
	reading, unseen, err := p.Fields(ctx, root, r.Hides(), cmp.Or(r.MaxLength, defaultDataLength))
	if err != nil {
		return extractResult{}, explainSchema(err)
	}
	result := extractResult{leftOut: leftOut{op.OrNull(unseen), reading.Unopened}}
	if r.Format != "" {
		if result, err = r.mainContent(ctx, p, cmp.Or(r.MaxLength, defaultLength)); err != nil {
			return extractResult{}, err
		}
		result.Unopened = result.Unopened || reading.Unopened
	}
	result.FieldData, err = p.fieldData(ctx, reading)
	return result, err
}

// fieldData converts what was read to the answer. A first pass collects all HTML of the data, so
// that the parser converts it to Markdown in one call.
func (p shownPage) fieldData(ctx context.Context, reading schema.Reading) (*FieldData, error) {
	var parts []string
	reading.Data(func(html string) (string, bool) {
		parts = append(parts, html)
		return "", false
	})
	written, err := p.parser.Parts(ctx, parts, reading.URL)
	if err != nil {
		return nil, err
	}
	markdown := map[string]parser.Part{}
	for i, html := range parts {
		markdown[html] = written[i]
	}
	is := reading.Data(func(html string) (string, bool) { return markdown[html].Markdown, markdown[html].Cut })
	data := &FieldData{
		Data: is.JSON, Missing: is.Missing, Full: reading.Full, Late: reading.Late,
		MoreMissing: is.MoreMissing, MoreUnreadable: is.MoreUnreadable, MoreCut: is.MoreCut,
	}
	for _, u := range is.Unreadable {
		data.Unreadable = append(data.Unreadable, unreadableField{u.Path, u.Type, op.PageText(u.Text)})
	}
	for _, c := range is.Cut {
		data.DataCut = append(data.DataCut, cutField(c))
	}
	return data, nil
}

// explainSchema explains what is wrong with a schema. Other errors are returned as they are.
func explainSchema(err error) error {
	wrong, ok := errors.AsType[*schema.Error](err)
	if !ok {
		return err
	}
	e := op.Errorf(op.Invalid, "%s", wrong.Error())
	e.Hint = wrong.Hint
	return e
}

// checkSchema refuses a schema that no page can fulfil, and one that contradicts other parameters.
func (r extractRequest) checkSchema() error {
	if r.Schema == nil {
		return nil
	}
	if r.Selector != "" || r.JavaScript != "" {
		return op.Errorf(op.Invalid, "schema cannot be combined with selector or javascript").
			Hinted(`put the selector into the schema: {"part": {"selector": "…", "fields": {…}}}`)
	}
	root, err := schema.Parse(r.Schema)
	if err != nil {
		return explainSchema(err)
	}
	for f := range root.All() {
		if _, isRef := page.ParseRef(f.Selector); isRef && r.URL != "" {
			return op.Errorf(op.Invalid, "%s is a ref, and refs are of a tab", f.SelectorPath).
				Hinted("use a CSS selector; or open the address in a tab, and leave out url")
		}
	}
	return nil
}

// formatted returns the data for people and models, in the order of the schema, without escapes for
// HTML.
func (d *FieldData) formatted(options ...jsontext.Options) string {
	data := jsontext.Value(d.Data).Clone()
	if err := data.Format(options...); err != nil {
		return string(d.Data) // package schema wrote it as valid JSON
	}
	return string(data)
}

// caveat returns what a reader of the data must know, such as values that are missing.
func (d *FieldData) caveat() string {
	var missing, unreadable, cut []string
	for _, u := range d.Unreadable {
		unreadable = append(unreadable, fmt.Sprintf("%s is no %s: %q", u.Path, u.Type, u.Text))
	}
	for _, c := range d.DataCut {
		switch {
		case c.Kept == 0 && c.Of == 0:
			cut = append(cut, placed(c.Path)+" was not read")
		case c.Of == 0:
			cut = append(cut, fmt.Sprintf("%s has only the first %d characters", placed(c.Path), c.Kept))
		default:
			cut = append(cut, fmt.Sprintf("%s has only the first %d of %d", placed(c.Path), c.Kept, c.Of))
		}
	}
	for _, path := range d.Missing {
		missing = append(missing, placed(path))
	}
	return words.Lines(
		few("missing: ", ", ", missing, d.MoreMissing), few("", "\n", unreadable, d.MoreUnreadable), few("", "\n", cut, d.MoreCut),
		words.If(d.DataCut != nil && d.Full && !d.Late, "a larger maxLength shows more"), words.If(d.DataCut != nil && !d.Full && !d.Late, "take smaller elements by the selectors to see more"), words.If(d.Late, "not all was read: a longer timeoutMs shows more"),
	)
}

// placed returns the path of a place in the data. An empty path is the whole list, so it returns
// that in words.
func placed(path string) string { return cmp.Or(path, "the whole list") }

// maxCaveats is how many places of each kind are listed in words.
const maxCaveats = 10

// few lists the first items in words, and how many more there are.
func few(prefix, between string, all []string, more int) string {
	if kept := min(len(all), maxCaveats); kept < len(all) {
		all, more = all[:kept], more+len(all)-kept
	}
	text := words.Prefixed(prefix, strings.Join(all, between))
	if more > 0 {
		text += fmt.Sprintf("%sand %d more", between, more)
	}
	return text
}
