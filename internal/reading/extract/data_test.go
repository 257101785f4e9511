package extract_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"chela/internal/reading/extract"
)

func data(t *testing.T, html string) string {
	t.Helper()
	raw, err := json.Marshal(extract.Extract(extract.Input{HTML: html, Address: "https://sea.example/shop/"}).Data())
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func TestData(t *testing.T) {
	for _, test := range []struct{ name, html, want string }{
		{"none", `<p>Sea</p>`, `{}`},
		{"JSON-LD", `<script type="application/ld+json"> {"@type": "Product", "name": "Trap"} </script><script
type="application/ld+json">{oh</script>`,
			`{"jsonLd":[{"@type":"Product","name":"Trap"}],"invalidJsonLd":1}`},
		{"OpenGraph", `<meta property="og:title" content="Trap"><meta property="og:image" content="a.png"><meta property="og:image"
content="b.png">
<meta name="twitter:card" content="summary"><meta name="viewport" content="x">`,
			`{"openGraph":{"og:image":["a.png","b.png"],"og:title":["Trap"],"twitter:card":["summary"]}}`},
		{"microdata", `<div itemscope itemtype="https://schema.org/Product"><span itemprop="name">Trap</span><img itemprop="image" src="t.png">
<div itemprop="offers" itemscope><meta itemprop="price" content="9.50">
<time itemprop="validFrom" datetime="2024-01-01">today</time></div></div>`,
			`{"microdata":[{"type":"https://schema.org/Product","properties":{"image":["https://sea.example/shop/t.png"],"name":["Trap"],
"offers":[{"properties":{"price":["9.50"],"validFrom":["2024-01-01"]}}]}}]}`},
		{"table", `<table><caption>Catch</caption><tr><th>Day</th><th>Kind</th><th>Count</th></tr><tr><td
rowspan="2">Mo</td><td>crab</td><td>1</td></tr>
<tr><td colspan="2">none</td></tr></table>`,
			`{"tables":[{"caption":"Catch","header":["Day","Kind","Count"],"rows":[["Mo","crab","1"],["Mo","none","none"]]}]}`},
		{"a table that places elements", `
<table><tr><td>a</td><td><table><tr><td>b</td></tr></table></td></tr><tr><td>c</td><td>d</td></tr></table>`, `{}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(strings.ReplaceAll(test.want, "\n", ""), data(t, test.html)); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

func TestDataIsBounded(t *testing.T) {
	html := `<table>` + strings.Repeat(`<tr>`+strings.Repeat(`<td rowspan="65534" colspan="1000">x`, 20), 500) + `</table>` +
		strings.Repeat(`<div itemscope><b itemprop="a b c d">x</b></div>`, 5000) +
		`<script type="application/ld+json">"` + strings.Repeat("x", 2<<20) + `"</script>`
	if got := data(t, html); len(got) > 1<<20 || !strings.Contains(got, `"cut":true`) || !strings.Contains(got, `"invalidJsonLd":1`) {
		t.Errorf("%d bytes of data", len(got))
	}
	for _, test := range []struct{ name, html, want string }{
		{"a long cell", "<table><tr><th>a<th>b<tr><td>" + strings.Repeat("x", 1001) + "<td>y</table>", strings.Repeat("x", 1000) + `…","y"`},
		{"a cell with much space", "<table><tr><th>a<th>b<tr><td>x<p>" + strings.Repeat(" ", 10_000) + "<p>z<td>y</table>", `"x …","y"`},
		{"a long value", `<meta property="og:title" content="` + strings.Repeat("x", 10_001) + `">`, strings.Repeat("x", 10_000) + `…"`},
		{"a long property", `<p itemscope><b itemprop=a>` + strings.Repeat("x", 9_999) + `yz</b>`, strings.Repeat("x", 9_999) + `y…"`},
		{"many of each", strings.Repeat(`<table><tr><th>a<th>b<tr><td>x<td>y</table><p itemscope></p><meta property="og:image" content=x>`, 1001), `"more":["openGraph","microdata","tables"]`},
		{"many values of an item", `<p itemscope>` + strings.Repeat("<b itemprop=a>x</b>", 1000), `"more":["microdata"]`},
	} {
		if got := data(t, test.html); !strings.Contains(got, test.want) {
			t.Errorf("%s: got %.200s", test.name, got)
		}
	}
	full := strings.Repeat("<table>"+strings.Repeat("<tr>"+strings.Repeat("<td>x", 100), 100)+"</table>", 2)
	for html, more := range map[string]bool{"<table><tr><td>x</table><table><tr><td>x<tr><td>y</table>": false, "<table><tr><td>a<td>b<tr><td>x<td>y</table>": true} {
		if got := data(t, full+html); strings.Contains(got, `"more":["tables"]`) != more {
			t.Errorf("after the last cell, %s: got …%s", html, got[max(0, len(got)-100):])
		}
	}
	most := strings.Repeat(`<meta property="og:image" content=x>`, 1000) + strings.Repeat("<table><tr><th>a<th>b<tr><td>x<td>y</table>", 100) + `<p itemscope>` + strings.Repeat("<b itemprop=a>x</b>", 999) + "<p>"
	if got := data(t, most); strings.Contains(got, "more") || !strings.Contains(got, "tables") {
		t.Errorf("got %.200s", got)
	}
}
