package around

import (
	"strings"
	"testing"

	"chela/test/service"
)

// kettleSchema asks for a value in each kind of place: the document, both kinds of shadow roots,
// and a frame.
const kettleSchema = `{"tip": {"selector": "#tip", "fields": {"head": "h2"}}, "note": {"selector": "section", "fields": {"p": "p"}}, "clipped": {"selector": ".clipped", "default": ""},
	"rows": [{"selector": "tr:has(td)", "fields": {"model": "td", "watt": {"selector": "td:last-child", "type": "integer"}}}],
	"frame": {"selector": "iframe", "type": "markdown"}, "photo": {"selector": "img", "attr": "src"}, "none": "h7"}`

// extractSchema checks that a schema reads the same at the address of an article and in a tab. The
// page in the tab forbids scripts, which must not keep a schema from being read.
func extractSchema(t *testing.T, tab *service.Tab) {
	at := args{"url": site.URL + "/article.html", "waitSeconds": 0, "hidden": "omit", "schema": kettleSchema} // the schema is a text, as models write it
	for name, a := range map[string]service.Answer{
		"at the address": shared.OK(t, "POST /extract", at),
		"in a tab":       tab.OK("POST /extract", args{"hidden": "omit", "format": "text", "schema": kettleSchema}),
	} {
		for path, want := range map[string]string{
			"data.tip.head": "A tip", "data.note.p": "A note that stands in a closed root, which no script of any page can reach from outside.",
			"data.rows.1.model": "Large", "data.rows.1.watt": "3000", "data.photo": site.URL + "/kettle.png", "data.clipped": "",
			"data.frame": "## In a frame\n\nWords of a frame that belongs to this site, with [a link](https://comments.example/thread/reply) of its own.",
			"missing.0":  "none", "markdown": "",
		} {
			t.Run(name+" "+path, func(t *testing.T) { a.Has(t, path, want) })
		}
		if inTab := name == "in a tab"; strings.Contains(a.Raw, "A kettle turns electric power") != inTab {
			t.Errorf("%s: with the content %v, want %v", name, !inTab, inTab)
		}
	}
	shared.OK(t, "POST /extract", args{"targetId": tab.ID, "schema": args{"a": ".clipped"}, "hidden": "omit"}).Has(t, "hidden.texts", "1")
	for message, schema := range map[string]string{
		`schema.a.type is "flaot", which is no type`: `{"a": {"selector": "b", "type": "flaot"}}`,
		`schema.a is no CSS selector: "p["`:          `{"a": "p["}`,
		`schema is no JSON: `:                        `{"a": }`,
	} {
		shared.Do(t, "POST /extract", args{"targetId": tab.ID, "schema": schema}).Fails(t, 400, "invalid_request", message)
	}
	shared.Do(t, "POST /extract", args{"url": site.URL, "schema": args{"a": "e12"}}).Fails(t, 400, "invalid_request", "schema.a is a ref, and refs are of a tab")
	shared.Do(t, "POST /extract", args{"selector": "p", "schema": args{"a": "b"}}).Fails(t, 400, "invalid_request", "schema cannot be combined with selector")
}
