package extract_test

import (
	"strings"
	"testing"

	"chela/internal/reading/extract"
)

// An empty cell keeps its place in the text of a table.
func TestTextOfTables(t *testing.T) {
	html := `<p>Before</p><table><tr><th>A</th><th>B</th><th>C</th></tr><tr><td></td><td>2</td><td>3 <b>kg</b></td></tr>
		<tr><td>1</td><td></td><td>3</td></tr><tr><td>1</td><td></td><td></td></tr><tr><td></td></tr></table><p>After</p>`
	const want = "Before\n\nA\tB\tC\n\t2\t3 kg\n1\t\t3\n1\n\nAfter"
	if got := extract.Extract(extract.Input{HTML: html, Whole: true}).Text(); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestMathML(t *testing.T) {
	for _, c := range []struct{ math, want string }{
		{"<mn>2πr</mn>", `2\pi r`},
		{"<msqrt><mi>π</mi></msqrt>", `\sqrt{\pi}`},
		{"<msup><mi>π</mi><mn>2</mn></msup>", `{\pi}^2`},
		{"<mtable>\n<mtr><mtd></mtd><mtd><mn>1</mn></mtd></mtr>\n<mtr><mtd><mn>2</mn></mtd><mtd></mtd></mtr></mtable>", `\begin{matrix} & 1 \\ 2 & \end{matrix}`},
		{"<msup><mrow></mrow><mn>2</mn></msup>", `{}^2`},
		{"<mfrac>\n<mrow></mrow>\n<mn>2</mn>\n</mfrac>", `\frac{}{2}`},
		{"<mfenced><mi>a</mi><mi>b</mi></mfenced>", `(a, b)`},
		{`<mfenced open="{" close=""><mi>a</mi></mfenced>`, `\{a`},
		{"<mi>a</mi><mrow></mrow><mo>+</mo><mi>b</mi>", `a + b`},
	} {
		html := "<p>So <math>" + c.math + "</math></p>"
		if got, want := extract.Extract(extract.Input{HTML: html, Whole: true}).Markdown(), "So $"+c.want+"$"; got != want {
			t.Errorf("%s\ngot  %s\nwant %s", c.math, got, want)
		}
	}
}

// Each element of a formula is converted once, however deep it is.
func TestDeepMathML(t *testing.T) {
	const depth = 100
	html := "<p>So <math>" + strings.Repeat("<msqrt><mrow>", depth) + "<mi>x</mi>" + strings.Repeat("</mrow></msqrt>", depth) + "</math></p>"
	if got := extract.Extract(extract.Input{HTML: html, Whole: true}).Markdown(); strings.Count(got, `\sqrt`) < 100 {
		t.Errorf("got %.200s", got)
	}
}
