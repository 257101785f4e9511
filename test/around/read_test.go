package around

import (
	"chela/test/pages"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// readable are documents of all kinds, by their paths.
var readable = map[string]struct{ mediaType, body string }{
	"/guide": {"text/html", `<title>Guide</title><html lang=en><nav><a href=/>Home</a></nav><main><h1>Guide</h1><p>` + strings.Repeat("What there is to know of it. ", 20) +
		`<h2>Install</h2><p>First <a href=get>get it</a>, all of it, and then read on.<h3>On Linux</h3><p>With the packages that are there for that.<h2>Use</h2><p>As you like, and as often as you like.<div hidden>Ignore all that</div></main>`},
	"/app":      {"text/html", spa},
	"/later":    {"text/html", `<div id=root></div><script>setTimeout(() => root.innerHTML = "<p>Shown by a timer", 1000)</script>`},
	"/data":     {"application/json", `{"name":"x","list":[1,2]}`},
	"/news":     {"application/rss+xml", `<rss><channel><title>News</title><item><title>One</title><link>/one</link><description>&lt;p&gt;Text&lt;/p&gt;</description></item></channel></rss>`},
	"/words":    {"text/plain; charset=iso-8859-1", "caf\xe9\n# no heading\n"},
	"/notes.md": {"text/plain", "# Notes\n\nText\n\n## More\n\nof it"},
	"/tree":     {"text/xml", "<tree><leaf/></tree>"},
	"/report":   {"application/octet-stream", pdf},
	"/broken":   {"application/pdf", "%PDF-1.4\nnothing"},
	"/picture":  {"image/png", "\x89PNG"},
	"/program":  {"application/zip", "PK"},
}

// pdf is a document of one page.
var pdf = func() string {
	var b strings.Builder
	b.WriteString("%PDF-1.4\n")
	table := "0000000000 65535 f \n"
	for i, object := range []string{
		"<</Type /Catalog /Pages 2 0 R>>", "<</Type /Pages /Kids [3 0 R] /Count 1>>",
		"<</Type /Page /Contents 4 0 R /Resources <</Font <</F <</Type /Font /Subtype /Type1 /BaseFont /Helvetica>>>>>>>>",
		"<</Length 40>>\nstream\nBT /F 12 Tf (# Hello from a report) Tj ET     \nendstream",
	} {
		table += fmt.Sprintf("%010d 00000 n \n", b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, object)
	}
	start := b.Len()
	fmt.Fprintf(&b, "xref\n0 5\n%strailer\n<</Root 1 0 R /Size 5>>\nstartxref\n%d\n%%%%EOF\n", table, start)
	return b.String()
}()

// An address is read without a browser, unless its page needs scripts.
func TestRead(t *testing.T) {
	library := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		doc, ok := readable[r.URL.Path]
		switch {
		case r.URL.Path == "/moved":
			http.Redirect(w, r, "/data", http.StatusFound)
		case r.URL.Path == "/never":
			<-r.Context().Done()
		case !ok:
			w.Header().Set("Content-Type", "text/html")
			w.WriteHeader(http.StatusNotFound)
			fmt.Fprint(w, "<h1>There is none</h1>")
		default:
			w.Header().Set("Content-Type", doc.mediaType)
			fmt.Fprint(w, doc.body)
		}
	}))
	defer library.Close()
	for _, test := range []struct {
		path, kind, markdown string // path of the document; what the text begins with
		more                 args
		has                  map[string]string
	}{
		{"/guide", "html", "What there is", nil, map[string]string{"way": "static", "title": "Guide", "lang": "en", "status": "200", "links.0.url": library.URL + "/get", "foundBy": "readability"}},
		{"/guide", "html", "", args{"outline": true}, map[string]string{"outline.1.number": "2", "outline.1.level": "3", "outline.1.title": "On Linux", "outline.2.title": "Use"}},
		{"/guide", "html", "## Install\n\nFirst [get it](" + library.URL + "/get), all of it, and then read on.\n\n### On Linux", args{"section": 1}, map[string]string{"section.title": "Install"}},
		{"/guide", "html", "What there", args{"maxLength": 10}, map[string]string{"truncated": "true"}},
		{"/later", "html", "Shown by a timer", nil, map[string]string{"way": "rendered"}},
		{"/app", "html", "# Made by a script\n\nWhat **readers**", nil, map[string]string{"way": "rendered", "why": "the root element of the page is empty until its scripts have run", "status": "200", "url": library.URL + "/app"}},
		{"/app", "html", "", args{"render": "never"}, map[string]string{"way": "static", "why": "the root element of the page is empty until its scripts have run"}},
		{"/data", "json", "{\n  \"name\": \"x\",\n  \"list\": [", nil, map[string]string{"foundBy": "document"}},
		{"/moved", "json", "{\n  \"name\"", nil, map[string]string{"url": library.URL + "/data"}},
		{"/news", "feed", "# News\n\n## [One](<" + library.URL + "/one>)\n\nText", nil, map[string]string{"title": "News"}},
		{"/words", "text", "café\n# no heading", args{"outline": false}, nil},
		{"/words", "text", "", args{"outline": true}, map[string]string{"note": "the text has no headings"}},
		{"/notes.md", "markdown", "## More\n\nof it", args{"section": 2}, nil},
		{"/tree", "xml", "<tree>", nil, nil},
		{"/report", "pdf", "## Page 1\n\n\\# Hello from a report", nil, map[string]string{"pages": "1"}},
		{"/report", "pdf", "", args{"outline": true}, map[string]string{"outline.0.title": "Page 1"}},
		{"/none", "html", "# There is none", nil, map[string]string{"status": "404", "statusText": "404 Not Found", "way": "static"}},
	} {
		request := args{"url": library.URL + test.path}
		maps.Copy(request, test.more)
		a := shared.OK(t, "POST /read", request)
		a.Has(t, "kind", test.kind)
		if got := a.Text("markdown"); !strings.HasPrefix(got, test.markdown) || strings.Contains(got, "Ignore") {
			t.Errorf("%v: got %q, want %q", request, got, test.markdown)
		}
		for path, want := range test.has {
			a.Has(t, path, want)
		}
	}
	readFailures(t, library.URL)
	shown := shared.OK(t, "POST /read", args{"url": site.URL + "/article.html", "render": "always", "hidden": "omit"})
	shown.Has(t, "hidden.texts", "2")
}

func readFailures(t *testing.T, library string) {
	for _, test := range []struct {
		request args
		status  int
		code    string
		message string
	}{
		{args{"url": library + "/guide", "section": 5}, 404, "not_found", "there is no section 5: the text has 3"},
		{args{"url": library + "/words", "section": 1}, 404, "not_found", "there is no section 1: the text has no headings"},
		{args{"url": library + "/guide", "section": 1, "outline": true}, 400, "invalid_request", "outline cannot be combined with section"},
		{args{"url": library + "/picture"}, 502, "page_failed", "the address leads to a file of type image/png, which has no text"},
		{args{"url": library + "/program"}, 502, "page_failed", "a file of type application/zip"},
		{args{"url": library + "/broken"}, 502, "page_failed", "the PDF cannot be read"},
		{args{"url": library + "/never", "timeoutMs": 1000}, 504, "deadline", "the server did not answer in time"},
		{args{"url": "http://localhost:2/"}, 502, "page_failed", "Page load failed: net::ERR_CONNECTION_REFUSED at http://localhost:2/"},
		{args{"url": "http://localhost:22/"}, 502, "page_failed", "Page load failed: net::ERR_UNSAFE_PORT at http://localhost:22/"},
		{args{"url": "file:///etc/passwd"}, 400, "navigation_blocked", `unsupported protocol "file:"`},
		{args{"url": shared.URL}, 400, "navigation_blocked", "browser navigation blocked by policy"},
		{args{"url": pages.Elsewhere(site.URL) + "/redirect?to=" + shared.URL}, 400, "navigation_blocked", "browser navigation blocked by policy"},
		{args{"url": site.URL + "/redirect?to=file:///etc/passwd"}, 400, "navigation_blocked", "the address leads to one that is not opened"},
	} {
		begun := time.Now()
		shared.Do(t, "POST /read", test.request).Fails(t, test.status, test.code, test.message)
		if took := time.Since(begun); took > 20*time.Second {
			t.Errorf("%v took %v", test.request, took)
		}
	}
}

// A document that has lost its root is empty, and no call fails because of that.
func TestDocumentWithoutRoot(t *testing.T) {
	for _, script := range []string{"document.open()", "document.documentElement.remove()"} {
		tab := shared.Borrow(t, html(`<button onclick="`+script+`">Go</button><p>After`))
		ref := tab.Ref("Go")
		tab.Click("Go", args{"snapshot": "delta"})
		for _, hidden := range []string{"show", "omit"} {
			if got := tab.OK("GET /snapshot?hidden="+hidden, nil); strings.TrimSpace(got.Text("snapshot")) != "(empty page)" {
				t.Errorf("%s: the snapshot is %s", script, got.Raw)
			}
		}
		tab.OK("GET /text", nil).Has(t, "text", "")
		tab.OK("POST /find", args{"text": "Go"})
		tab.OK("POST /expect", args{"text": "Go"}).Has(t, "met", "false")
		tab.Act("scroll", args{"deltaY": 100})
		tab.Do("POST /act", args{"kind": "click", "ref": ref}).Fails(t, 404, "stale_ref", "is gone")
	}
}
