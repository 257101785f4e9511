package extract_test

import (
	"fmt"
	"strings"
	"testing"

	"chela/internal/reading/extract"
)

// Each page is an article with one more element, around its paragraphs or between them. The element
// is content or noise.
func TestWhatIsContent(t *testing.T) {
	const story = paragraph + paragraph + paragraph + paragraph + paragraph
	for _, test := range []struct{ name, html, word string }{
		{"a caption of a picture that scripts show late", `<figure><div class="late"></div><figcaption>Xylo: a claw</figcaption></figure>`, ""},
		{"a paragraph that is called a caption", `<div><img src="claw.png" alt=""><p class="image__caption">Xylo: a claw</p></div>`, ""},
		{"a caption of code", `<figure><pre>claw()</pre><figcaption>Xylo: how to catch one</figcaption></figure>`, "Xylo"},
		{"a link to another article", `<p>Read also: <a href="/xylo">Xylophones are made of lobsters</a></p>`, ""},
		{"a link in a sentence", `<p>The book on this is <a href="/xylo">Xylophones are made of lobsters</a>.</p>`, "Xylophones"},
		{"the name of a field of code", `<p><code>claw</code>: <a href="/xylo">XylophoneMadeOfLobsters</a></p>`, "Xylophone"},
		{"a paragraph that asks to subscribe", `<p class="newsletter-note">Xylophones every week, in your inbox, for everyone.</p>`, ""},
		{"what is not printed", `<div class="d-print-none">Xylophones are for sale here, in many sizes and colors.</div>`, ""},
		{"text behind a paywall", `<p class="paywall">Xylophones are what lobsters play, when nobody looks.</p>`, "Xylophones"},
		{"a comment", `<article class="comment-body"><p>Xylophones are better, as I have said before, and often.</p></article>`, ""},
		{"an element of the page's own", `<sea-inline-teaser><p>Xylophones are for sale, more of them than ever, and all are new.</p></sea-inline-teaser>`, ""},
		{"the author in microdata", `<div class="post-author-bio" itemprop="description"><p>Ada Xylo lives at the sea with two lobsters and a dog.</p></div>`, ""},
		{"the author by a long id", `<div id="sea-author-box-wrap"><p>Ada Xylo lives at the sea with two lobsters and a dog.</p></div>`, ""},
		{"the author", `<div class="author-bio"><p>Ada Xylo lives at the sea with two lobsters and a dog.</p></div>`, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			text := extract.Extract(extract.Input{HTML: page(test.html + story), Address: "https://sea.example/"}).Text()
			if got := strings.Contains(text, "Xylo"); got != (test.word != "") || !strings.Contains(text, "Lobsters live") {
				t.Errorf("got\n%s\nwant it with %q", text, test.word)
			}
		})
	}
}

func TestEndsOfContent(t *testing.T) {
	story := strings.Repeat(paragraph, 8)
	for _, test := range []struct {
		name, html string
		want       bool
	}{
		{"date above", `<div><div>Monday, 4 Xylo 2019</div>` + story + `</div>`, false},
		{"date below what looks like a lead", `<div><p>Where lobsters are found, and by whom they are, when they are.</p><div>Agency | 5 Xylo
2020 | 08:24</div>` + story + `</div>`, false},
		{"title with the name of the site in the page", `<div><h2>Xylo of the deepest sea: a report</h2>` + story + `</div>`, false},
		{"agency below", `<div>` + story + `<div>Xylo Press Agency</div></div>`, false},
		{"sentence above", `<div><p>Xylo, 4 May.</p>` + story + `</div>`, true},
		{"heading above", `<div><h3>Xylo</h3>` + story + `</div>`, true},
		{"what is below a heading", `<div>` + story + `<h3>See also</h3><p>Xylo of the sea</p></div>`, true},
		{"the title of the page again", `<div><h1>Xylo of the deepest sea</h1>` + story + `</div>`, false},
		{"the first paragraph, called a teaser", `<div><div class="teaser-text"
itemprop="description"><p>Xylo: what lobsters play, and why nobody knows of it.</p></div>` + story + `</div>`, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			html := `<title>Xylo of the deepest sea</title><main><article>` + test.html + `</article></main>`
			text := extract.Extract(extract.Input{HTML: html, Address: "https://sea.example/"}).Text()
			if got := strings.Contains(text, "Xylo"); got != test.want || !strings.Contains(text, "Lobsters live") {
				t.Errorf("got\n%s\nwant Xylo in it: %t", text, test.want)
			}
		})
	}
}

// On some pages, elements with names that usually stand for noise hold the content.
func TestNamesOfLayouts(t *testing.T) {
	story := strings.Repeat(paragraph, 6)
	for _, test := range []struct{ name, html string }{
		{"a form around all", `<form><nav><a href="/">Home</a></nav><main>` + story + `</main></form>`},
		{"an element that says there is a sidebar", `<div class="has-sidebar"><h1>Lobsters</h1><div>` + story + `</div></div>`},
		{"a section that differs by its advertising", `<article><section class="part--ads">` + story + `</section></article>`},
		{"a page builder", `<div class="pb-widget pb-widget-text-editor"><div class="pb-widget-container">` + story + `</div></div>`},
		{"an author with more paragraphs than the article",
			`<article><div>` + strings.ReplaceAll(story, "p>", "h5>") + `</div><footer><p>The author, who lives at the sea, is an
author, of books, and he writes, every day, a page, or more, when he is there, and no book is ever done.</p></footer></article>`},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := extract.Extract(extract.Input{HTML: "<body>" + test.html, Address: "https://sea.example/"})
			if got := strings.Count(p.Text(), "Lobsters live"); got != 6 {
				t.Errorf("%d of 6 paragraphs are found, by %s:\n%s", got, p.Way, p.Text())
			}
		})
	}
}

func TestLinksToOtherArticles(t *testing.T) {
	const headlines = `<ul><li><a href="/1">Xylophones are made of lobsters, says a study</a></li><li><a
href="/2">Why nobody hears what lives in the deep sea</a></li></ul>`
	for _, test := range []struct {
		name, html string
		want       bool
	}{
		{"below a label", `<p>See also:</p>` + headlines, false},
		{"below a heading", `<h3>More on this</h3>` + headlines, false},
		{"below a sentence", `<p>These two studies of last year come to the same result, with more lobsters.</p>` + headlines, true},
		{"terms of a manual", `<p>See also:</p><ul><li><a href="/x">Xylophone</a></li></ul>`, true},
		{"with texts", `<p>See also:</p><ul><li><a
href="/x">Xylophones</a>, which have little to do with lobsters, but much with the sea</li></ul>`, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			text := extract.Extract(extract.Input{HTML: page(test.html), Address: "https://sea.example/"}).Text()
			if got := strings.Contains(text, "Xylo"); got != test.want || !test.want && strings.Contains(text, "See also") {
				t.Errorf("got\n%s\nwant Xylo in it: %t", text, test.want)
			}
		})
	}
}

// Labels stand beside a text. Where all paragraphs are short and no sentences, as in verses and
// catalogues, these are the text.
func TestShortParagraphsStay(t *testing.T) {
	const count = 60
	var verses strings.Builder
	for i := range count {
		fmt.Fprintf(&verses, "<p>Verse %d of the song of the lobster</p>", i)
	}
	for _, html := range []string{
		"<article><h1>The song</h1>" + verses.String() + "</article>",
		"<article><h1>The song</h1>" + paragraph + "<h2>Verses</h2>" + verses.String() + "</article>",
		"<article><h1>The song</h1>" + verses.String() + paragraph + "</article>",
	} {
		text := extract.Extract(extract.Input{HTML: "<title>The song</title>" + html, Address: "https://sea.example/"}).Text()
		for i := range count {
			if verse := fmt.Sprintf("Verse %d of", i); !strings.Contains(text, verse) {
				t.Errorf("%.60s: %q is missing", html, verse)
			}
		}
	}
}
