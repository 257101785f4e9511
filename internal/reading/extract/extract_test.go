package extract_test

import (
	"strings"
	"testing"

	"chela/internal/reading/extract"
)

// page returns a page with an article, and with what pages usually have around an article.
func page(article string) string {
	return `<!doctype html><html lang="en"><head><title>Lobsters of the coast</title>
<meta name="author" content="Ada Moor"><meta property="og:title" content="Lobsters">
<meta name="description" content="What lives in the traps.">
<meta property="article:published_time" content="2024-05-06"></head><body>
<nav class="menu"><a href="/">Home</a> <a href="/sea">Sea</a></nav>
<main><article><h1>Lobsters of the coast</h1>` + strings.Repeat(paragraph, 3) + article + paragraph + `</article>
<div class="related"><h2>Related articles</h2><ul><li><a href="/crabs">Crabs are no lobsters, and here is why</a></li></ul></div></main>
<aside class="newsletter">Get our newsletter, every week, in your inbox.</aside><footer>Imprint and privacy</footer></body></html>`
}

const paragraph = `<p>Lobsters live on the bottom of the sea, in crevices and burrows, and they come out at night, when they look
for fish, mussels and other lobsters, which they eat as well, when there is nothing else to be had.</p>
`

func TestMarkdown(t *testing.T) {
	for _, test := range []struct{ name, html, want string }{
		{"heading", `<h2>Claws <a class="headerlink" href="#claws">¶</a></h2>`, "\n## Claws\n"},
		{"absolute link", `<p>Read of <a href="../claws?a=1#top">the claws</a> and of <a href="javascript:alert(1)">more</a>.</p>`,
			"Read of [the claws](https://sea.example/claws?a=1#top) and of more."},
		{"image", `<p><img src="/claw.png" alt="A claw"></p>`, "![A claw](https://sea.example/claw.png)"},
		{"late image", `<p><img src="data:image/gif;base64,R0" data-src="late.png"
alt="Late"></p>`, "![Late](https://sea.example/coast/late.png)"},
		{"image without address", `<p>This is <img src="data:image/gif;base64,R0" alt="a drawn claw">.</p>`, "This is a drawn claw."},
		{"table", `<table><tr><th>Kind</th><th>Legs</th></tr><tr><td>Lobster</td><td>10</td></tr></table>`,
			"| Kind | Legs |\n|---|---|\n| Lobster | 10 |"},
		{"language of code", `<pre><code class="hljs language-go">func main() {}</code></pre>`, "```go\nfunc main() {}\n```"},
		{"language as Sphinx has it", `<div class="highlight-python3 notranslate"><div class="highlight"><pre><span class="k">def</span> f(): pass
</pre></div></div>`, "```python3\ndef f(): pass\n```"},
		{"language as GitHub has it", `<div class="highlight highlight-source-shell"><pre>ls</pre></div>`, "```shell\nls\n```"},
		{"lines of code", `<pre><code><span class="lineno">1</span><div>a := 1</div><span
class="lineno">2</span><div>b := "*x*"</div></code></pre>`,
			"```\na := 1\nb := \"*x*\"\n```"},
		{"list", `<ol start="3"><li>boil</li><li>eat</li></ol>`, "3. boil\n4. eat"},
		{"heading that is a link to itself", `<h2><a href="#claws">Claws</a></h2>`, "\n## Claws\n"},
		{"name with underscores", `<p>It is <i>read_all_of</i> _this_, a__b and <code>a_b</code>.</p>`, "*read_all_of* \\_this\\_, a__b and `a_b`."},
		{"link without text", `<p>The sea<a href="/top"></a> is deep.</p>`, "The sea is deep."},
		{"image in place of a late one", `<p><img src="wait.gif" data-src="late.png" alt="Late"></p>`, "![Late](https://sea.example/coast/late.png)"},
		{"two lists", `<ul><li>boil</li></ul><ul><li>eat</li></ul>`, "- boil\n\n- eat"},
		{"KaTeX", `<p>Its mass is <span class="katex"><span class="katex-mathml"><math><semantics><mrow><mi>m</mi></mrow><annotation
encoding="application/x-tex">m_0 \cdot 2^n</annotation></semantics></math></span><span class="katex-html"
aria-hidden="true">m0 2n</span></span>.</p>`,
			`Its mass is $m_0 \cdot 2^n$.`},
		{"MathJax 3", `<p>So <mjx-container
display="true"><svg></svg><mjx-assistive-mml><math><mfrac><mi>a</mi><msup><mi>b</mi><mn>2</mn></msup></mfrac>
<mo>≤</mo><msqrt><mi>π</mi></msqrt></math></mjx-assistive-mml></mjx-container></p>`, `$$\frac{a}{b^2} \le \sqrt{\pi}$$`},
		{"MathJax 2", `<p>So <span class="MathJax_Preview"></span><span class="MathJax">x2</span><script
type="math/tex">x_2</script> grows.</p>`, `So $x_2$ grows.`},
		{"MathML", `<p>So <math><msubsup><mi>x</mi><mn>1</mn><mi>n</mi></msubsup><mo>=</mo><mtext>all of</mtext><mi>y</mi></math>.</p>`,
			`So $x_1^n = \text{all of} y$.`},
		{"Wikipedia's formula", `<p>So <span class="mwe-math-element"><span style="display: none;"><math
alttext="{\displaystyle E=mc^{2}}"><mi>E</mi></math></span>
<img src="e.svg" alt="E" aria-hidden="true"></span> holds.</p>`, `So $E=mc^{2}$ holds.`},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := extract.Extract(extract.Input{HTML: page(test.html), Address: "https://sea.example/coast/"}).Markdown()
			if !strings.Contains(got, test.want) {
				t.Errorf("got\n%s\nwant it to contain\n%s", got, test.want)
			}
			for _, noise := range []string{"Home", "newsletter", "Imprint", "Related", "Crabs"} {
				if strings.Contains(got, noise) {
					t.Errorf("%q, which is no content, is in\n%s", noise, got)
				}
			}
		})
	}
}

// A title that is not in the content of a Page stands before the Markdown.
func TestTitled(t *testing.T) {
	long := strings.Repeat(paragraph, 4)
	for _, test := range []struct{ name, html, want string }{
		{"in the content", page(""), "# Lobsters of the coast\n\nLobsters live"},
		{"above the content", "<title>Sea</title><header><h1>On lobsters</h1></header><article>" + long + "</article>", "# On lobsters\n\nLobsters live"},
		{"with the site in its title", "<title>Crabs - The sea</title><main><h1>Crabs</h1>" + long + "<h2>Sea</h2>" + long + "</main>", "# Crabs\n\nLobsters live"},
		{"none", "<title>Sea</title><article>" + long + "</article>", "Lobsters live"},
		{"little text", "<title>Hello</title><h1>Hello</h1><p>World", "# Hello\n\nWorld"},
	} {
		p := extract.Extract(extract.Input{HTML: test.html, Address: "https://sea.example/"})
		if got := p.Titled(); !strings.HasPrefix(got, test.want) || strings.Count(got, "\n# ") > 0 {
			t.Errorf("%s: got\n%s", test.name, got)
		}
	}
}

// If a page has little text, the element that declares to be its content is read as a whole.
func TestLittleText(t *testing.T) {
	p := extract.Extract(extract.Input{HTML: "<title>Hello</title><nav><a href=/>Home</a></nav><main><h1>Hello</h1><p>World</main>", Address: "https://sea.example/"})
	if got := p.Markdown(); p.Way != extract.ByMain || got != "# Hello\n\nWorld" {
		t.Errorf("got %q by %s", got, p.Way)
	}
}

// If readability chooses a block of code or a list as the content, it stays code or a list.
func TestContentIsOneElement(t *testing.T) {
	code := strings.Repeat("for i := range lobsters { cook(i, salt, water, pan) }\n", 20)
	html := `<h1>cook.go</h1><div class="highlight-go"><pre>` + code + `</pre></div>`
	got := extract.Extract(extract.Input{HTML: html, Address: "https://sea.example/"}).Markdown()
	if want := "```go\n" + code + "```"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// If an element holds nothing but one other element, readability keeps only the inner one. Both are
// found in the page again.
func TestElementsThatReadabilityMerges(t *testing.T) {
	text := strings.Repeat("Lobsters live on the bottom of the sea, in crevices and burrows, and they come out at night. ", 8)
	html := `<nav><a href="/">Home</a></nav><div class="outer"><div class="story">` + text + `<table><tr><td>10 legs</td></tr></table></div></div>`
	p := extract.Extract(extract.Input{HTML: html, Address: "https://sea.example/"})
	if got := p.Text(); p.Way != extract.ByReadability || strings.Count(got, "crevices") != 8 {
		t.Errorf("got by %s:\n%s", p.Way, got)
	}
}

func TestWhatThePageSaysOfItself(t *testing.T) {
	p := extract.Extract(extract.Input{HTML: page(""), Address: "https://sea.example/"})
	got := []string{p.Title, p.Byline, p.Published, p.Lang, p.Excerpt, string(p.Way)}
	want := []string{"Lobsters", "Ada Moor", "2024-05-06", "en", "What lives in the traps.", "readability"}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("got %q, want %q", got[i], want[i])
		}
	}
	if length := len(p.Text()); length < 700 {
		t.Errorf("the text has %d characters", length)
	}
}

func TestWays(t *testing.T) {
	deep := strings.Repeat("<div>", 600) + "far below"
	for _, test := range []struct {
		name, html string
		want       extract.Way
		text       string
	}{
		{"an article", page(""), extract.ByReadability, "Lobsters live"},
		{"nothing but navigation", `<nav><a href="/a">Alpha</a></nav>`, extract.ByBody, "Alpha"},
		{"a little text", `<p>Hello, sea.</p>`, extract.ByBody, "Hello, sea."},
		{"a little text in main", `<nav>Menu</nav><main>` + strings.Repeat(`<span>Sea and sand. </span>`, 40) + `</main>`,
			extract.ByReadability, "Sea and sand."},
		{"nothing", ``, extract.ByText, ""},
		{"only a heading", `<h1>Alone</h1>`, extract.ByText, "Alone"},
		{"frames", `<frameset><frame src="a.html"></frameset>`, extract.ByText, ""},
		{"deeper than the parser allows", deep, extract.ByText, "far below"},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := extract.Extract(extract.Input{HTML: test.html})
			if p.Way != test.want || !strings.Contains(p.Text(), test.text) || test.text == "" && p.Text() != "" {
				t.Errorf("got %q by %s, want %q by %s", p.Text(), p.Way, test.text, test.want)
			}
		})
	}
}

func TestWholeHasWhatIsNoise(t *testing.T) {
	p := extract.Extract(extract.Input{HTML: `<nav><a href="/a">Alpha</a></nav><p
hidden>Not shown</p>`, Address: "https://sea.example", Whole: true})
	if got, want := p.Markdown(), "[Alpha](https://sea.example/a)"; got != want || p.Way != extract.ByCaller {
		t.Errorf("got %q by %s, want %q", got, p.Way, want)
	}
}

func TestText(t *testing.T) {
	p := extract.Extract(extract.Input{Whole: true, HTML: `<h1>Crab  and
		lobster</h1><p>One<br>two <b>three</b>.<ul><li>a</li><li>b</li></ul>
		<figure><img src="x.png"><figcaption>A claw</figcaption></figure>
<table><tr><td>1</td><td><p>2</p></td></tr><tr><td>3</td></tr></table><pre>a
  b</pre>`})
	want := "Crab and lobster\n\nOne\ntwo three.\n\na\nb\n\n1\t2\n3\n\na\n  b"
	if got := strings.ReplaceAll(p.Text(), "\t\n", "\n"); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestLinks(t *testing.T) {
	p := extract.Extract(extract.Input{HTML: page(`<p>See <a href="b">B</a>, <a href="b">again</a>, <a
href="#x"></a>.</p>`), Address: "https://sea.example/a/"})
	if links := p.Links(); len(links) != 1 || links[0] != (extract.Link{Text: "B", URL: "https://sea.example/a/b"}) {
		t.Errorf("got %v", links)
	}
	lenient := extract.Extract(extract.Input{HTML: page("<p>All <a href='/50%-off'>offers</a> and <a href='/a\nb'>more</a>."), Address: "https://sea.example/a/"})
	if links := lenient.Links(); len(links) != 2 || links[0].URL != "https://sea.example/50%25-off" || links[1].URL != "https://sea.example/ab" {
		t.Errorf("got %v", links)
	}
}

// A text that is cut ends in an ellipsis: the server masks the beginning of a secret before one.
func TestWhatIsCutSaysSo(t *testing.T) {
	long := strings.Repeat("word ", 60) + "s3cret"
	p := extract.Extract(extract.Input{HTML: "<p>" + long + "<p><a href=b>" + long + "</a>", Address: "https://sea.example/a/", Whole: true})
	want := strings.Repeat("word ", 60) + "…"
	if links := p.Links(); p.Excerpt != want || len(links) != 1 || links[0].Text != want {
		t.Errorf("got %s and %v", p.Excerpt, links)
	}
	if p := extract.Verbatim(long); p.Excerpt != want {
		t.Errorf("got %s", p.Excerpt)
	}
	if p := extract.Verbatim("a" + strings.Repeat("\n", 1000) + "b"); p.Excerpt != "a …" {
		t.Errorf("got %s", p.Excerpt)
	}
}

func TestTruncateKeepsCharacters(t *testing.T) {
	if got, cut := extract.Truncate("Hühner", 2); got != "H" || !cut {
		t.Errorf("got %q, %t", got, cut)
	}
}

// The HTML has no elements that show nothing, and no div that holds only another div.
func TestTidy(t *testing.T) {
	p := extract.Extract(extract.Input{HTML: "<div> <div><div><p>One <span> </span><b></b>two<p> </p><ul><li></ul><hr></div></div></div>", Whole: true})
	if got, want := p.HTML(), "<p>One <span> </span>two</p><hr/>"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// The caller has chosen an element, so all text that it shows is content.
func TestChosenElement(t *testing.T) {
	for _, test := range []struct{ html, want string }{
		{`<dialog open><h2>Sure?</h2><p>It is final.</p></dialog>`, "## Sure?\n\nIt is final."},
		{`<dialog>Sure?</dialog>`, ""},
		{`<button class="price">12 €</button>`, "12 €"},
		{`<div>Total <span aria-hidden="true">12 €</span></div>`, "Total 12 €"},
		{`<pre aria-hidden="true">12</pre>`, "```\n12\n```"},
		{`<div hidden>12</div><div style="display: none">13</div><script>14</script><template>15</template>`, ""},
	} {
		p := extract.Extract(extract.Input{HTML: "<body>" + test.html, Address: "https://sea.example/", Whole: true})
		if got := p.Markdown(); got != test.want || p.Way != extract.ByCaller {
			t.Errorf("%s: got %q by %s, want %q", test.html, got, p.Way, test.want)
		}
	}
}
