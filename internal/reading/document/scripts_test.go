package document

import (
	"strings"
	"testing"

	"chela/internal/reading/extract"
)

// The HTML that a server sends tells whether the page needs a browser.
func TestNeedsBrowser(t *testing.T) {
	prose := "<p>" + strings.Repeat("Sentences that somebody has written to be read. ", 20) + "</p>"
	nav := "<nav>" + strings.Repeat(`<a href="/x">Products and more</a> `, 40) + "</nav>"
	const script = `<script src="/static/main.3f2a.js"></script>`
	for _, test := range []struct {
		name, html string
		status     int
		want       string // a part of the reason; "": the document needs no scripts
	}{
		{"React, as create-react-app makes it", `<!doctype html><html><head><title>React App</title><script defer src="/static/js/main.js"></script></head>
			<body><noscript>You need to enable JavaScript to run this app.</noscript><div id="root"></div></body></html>`, 200, "root element"},
		{"Vue, as Vite makes it", `<div id="app"></div><script type="module" src="/src/main.js"></script>`, 200, "root element"},
		{"Angular", `<body><app-root></app-root><script src="runtime.js" type="module"></script></body>`, 200, "root element"},
		{"Angular, that says that it loads", `<body><app-root>Loading…</app-root>` + script + `</body>`, 200, "little text"},
		{"Svelte, without a root", `<body><div style="display: contents"><script>import("/app.js")</script></div></body>`, 200, "little text"},
		{"Next, rendered by the server", `<body><div id="__next"><main><h1>Post</h1>` + prose + `</main></div><script id="__NEXT_DATA__" type="application/json">{"props":{}}</script>` + script, 200, ""},
		{"Next, not rendered by the server", `<body><div id="__next"></div><script id="__NEXT_DATA__" type="application/json">{"props":{}}</script>` + script, 200, "root element"},
		{"Nuxt, rendered by the server", `<div id="__nuxt"><article>` + prose + `</article></div><script>window.__NUXT__={}</script>`, 200, ""},
		{"Gatsby, rendered by the server", `<noscript>This app works best with JavaScript enabled.</noscript><div id="___gatsby">` + prose + `</div>` + script, 200, ""},
		{"an empty root beside navigation", nav + `<div id="root"></div>` + script, 200, "root element"},
		{"an empty root beside a text", prose + `<div id="app"></div>` + script, 200, ""},
		{"an empty root without scripts", `<div id="root"></div>`, 200, ""},
		{"React that streams", `<main><h1>Shop</h1><!--$?--><template id="B:0"></template>Loading<!--/$--></main><div hidden id="S:0">` + prose + `</div><script>$RC("B:0","S:0")</script>`, 200, "than there is without"},
		{"a shadow root in HTML", `<my-page><template shadowrootmode="open">` + prose + `</template></my-page>`, 200, "shadow"},
		{"a request to switch scripts on, beside navigation", nav + `<noscript>Please enable JavaScript to view this site.</noscript>` + script, 200, "JavaScript"},
		{"a counting picture without scripts", `<noscript><img src="//count.example/p.gif"></noscript>` + prose + script, 200, ""},
		{"an article with analytics", `<article>` + prose + `</article>` + script, 200, ""},
		{"a short page", `<h1>It works!</h1>`, 200, ""},
		{"a short page with scripts", `<h1>It works!</h1>` + script, 200, "little text"},
		{"a short page with data", `<h1>It works!</h1><script type="application/ld+json">{}</script>`, 200, ""},
		{"a meta refresh", `<meta http-equiv="refresh" content="0; url=/new">Moved`, 200, "meta refresh"},
		{"a meta refresh in capitals", `<META HTTP-EQUIV=Refresh CONTENT="3;URL='/new'">` + prose, 200, "meta refresh"},
		{"a meta refresh of the page itself", `<meta http-equiv="refresh" content="5">` + prose, 200, ""},
		{"a meta refresh much later", `<meta http-equiv="refresh" content="600; url=/">` + prose, 200, ""},
		{"a meta refresh without scripts", `<noscript><meta http-equiv="refresh" content="0; url=/nojs"></noscript>` + prose, 200, ""},
		{"a challenge", `<title>Just a moment...</title>` + prose + script, 403, "403"},
		{"a challenge that is busy", prose + script, 503, "503"},
		{"a plain refusal", `<h1>403 Forbidden</h1><hr>nginx`, 403, ""},
		{"a page that is not there", `<h1>Not found</h1>` + prose + script, 404, ""},
		{"frames", `<frameset><frame src="/menu"><frame src="/main"></frameset>`, 200, "frames"},
		{"a frame beside a text", prose + `<iframe src="https://ads.example"></iframe>`, 200, ""},
		{"nothing", ``, 200, ""},
		{"nested too deep", strings.Repeat("<div>", 100_000) + script, 200, ""},
	} {
		if got := NeedsBrowser(extract.Parse(test.html, nil).Root, test.status); (got == "") != (test.want == "") || !strings.Contains(got, test.want) {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}
