package document

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestDecode(t *testing.T) {
	for _, test := range []struct{ name, body, declared, want string }{
		{"UTF-8", "caf\u00e9", "", "café"},
		{"UTF-8 with a mark", "\xef\xbb\xbfcafé", "iso-8859-1", "café"},
		{"declared", "caf\xe9", "ISO-8859-1", "café"},
		{"in a meta element", `<meta charset="windows-1251">` + "\xcf\xf0\xe8", "", `<meta charset="windows-1251">При`},
		{"in an old meta element", `<meta http-equiv=content-type content="text/html; charset=Shift_JIS">` + "\x93\xfa\x96\x7b", "", `<meta http-equiv=content-type content="text/html; charset=Shift_JIS">日本`},
		{"in an XML declaration", `<?xml version="1.0" encoding="iso-8859-2"?>` + "\xb1", "", `<?xml version="1.0" encoding="iso-8859-2"?>ą`},
		{"in an XML declaration with more", `<?xml version='1.0' encoding='iso-8859-2' standalone="yes"?>` + "\xb1", "", `<?xml version='1.0' encoding='iso-8859-2' standalone="yes"?>ą`},
		{"UTF-16", "\xff\xfeh\x00i\x00", "", "hi"},
		{"UTF-16 only by its own name", `<?xml version="1.0" encoding="utf-16"?>é`, "", `<?xml version="1.0" encoding="utf-16"?>é`},
		{"UTF-16 only by a meta element", `<meta charset=utf-16le>é`, "", `<meta charset=utf-16le>é`},
		{"not said", "caf\xe9", "", "café"},
		{"not known", "caf\xe9", "klingon", "café"},
		{"declared, and not so", "caf\xe9", "utf-8", "caf\ufffd"},
	} {
		if got := Decode([]byte(test.body), test.declared); got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}

func TestJSON(t *testing.T) {
	for _, test := range []struct {
		name, text string
		cut        bool
		want       string
	}{
		{"an object", `{"b":1,"a":[1,{"x":"y, {z}: \" "}],"e":{ },"f":[]}`, false, "{\n  \"b\": 1,\n  \"a\": [\n    1,\n    {\n      \"x\": \"y, {z}: \\\" \"\n    }\n  ],\n  \"e\": {},\n  \"f\": []\n}"},
		{"a number", ` 1e400 `, false, "1e400"},
		{"no JSON", `{"a": `, false, `{"a": `},
		{"its beginning", `{"a":[1,2`, true, "{\n  \"a\": [\n    1,\n    2"},
		{"its beginning, in a word", `{"a":tr`, true, "{\n  \"a\": tr"},
		{"the same name twice", `{"a":1,"a":2}`, false, "{\n  \"a\": 1,\n  \"a\": 2\n}"},
		{"a text that only begins so, cut", "[    0.000] Linux version\n[    0.0", true, "[    0.000] Linux version\n[    0.0"},
		{"lines of JSON, cut", "{\"a\": 1}\n{\"a\": ", true, "{\"a\": 1}\n{\"a\": "},
		{"its beginning, in a string", `{"a":"b\`, true, "{\n  \"a\": \"b\\"},
	} {
		if got, more := JSON(test.text, test.cut, 1000); got != test.want || more {
			t.Errorf("%s: got %q, %v", test.name, got, more)
		}
	}
	if got, more := JSON("["+strings.Repeat("[],", 10_000)+"1]", false, 100); len(got) > 200 || !more {
		t.Errorf("a long list: %d bytes, %v", len(got), more)
	}
	deep := strings.Repeat("[", 9000) + strings.Repeat("1,", 100_000) + "1" + strings.Repeat("]", 9000)
	if got, more := JSON(deep, false, 1<<20); len(got) > 2<<20 || !more {
		t.Errorf("nested lists: %d bytes, %v", len(got), more)
	}
}

func FuzzJSON(f *testing.F) {
	f.Add(`{"a":[1,{"b":"\"c"}],"d":{}}`)
	f.Fuzz(func(t *testing.T, text string) {
		got, more := JSON(text, false, 1<<20)
		JSON(text, true, 10)
		if !json.Valid([]byte(text)) || more {
			return
		}
		var before, after any
		if err := json.Unmarshal([]byte(got), &after); err != nil {
			t.Fatalf("%q became %q: %v", text, got, err)
		}
		json.Unmarshal([]byte(text), &before)
		if fmt.Sprint(before) != fmt.Sprint(after) {
			t.Errorf("%q became %q", text, got)
		}
	})
}

func TestHeadings(t *testing.T) {
	const text = "Before\n\n# One\n\nfirst\n\n### Deep `code` *and* [a link](http://x/(y)) [b](<http://x/(y)>) \\#\n\ndeep\n\n```sh\n# no heading\n~~~\n```\n\n" +
		"    # no heading either\n\n## Two ##\n\n#hashtag\n\n# Three\n####### seven\n~~~\n# open until the end"
	type row struct {
		Level int
		Title string
	}
	want := []row{{1, "One"}, {3, "Deep code and a link b #"}, {2, "Two"}, {1, "Three"}}
	list := Headings(text)
	var got []row
	for _, h := range list {
		got = append(got, row{h.Level, h.Title})
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatal(diff)
	}
	for i, ends := range []string{"## Two ##\n\n#hashtag", "# no heading either", "#hashtag", "open until the end"} {
		section := list[i].Section(text)
		if !strings.HasSuffix(section, ends) || !strings.HasPrefix(section, "#") || list[i].Length != len(section) {
			t.Errorf("section %d of %d characters: %q", i+1, list[i].Length, section)
		}
	}
}

func TestHeadingWithLongLink(t *testing.T) {
	long := Headings("# " + strings.Repeat("long", 100))
	if want := strings.Repeat("long", 75) + "…"; len(long) != 1 || long[0].Title != want {
		t.Errorf("got %v, want %s", long, want)
	}
	list := Headings("# [Title](<http://x/" + strings.Repeat("long", 200) + ">) of a page")
	if len(list) != 1 || list[0].Title != "Title of a page" {
		t.Errorf("%+v", list)
	}
}

// The headings of a long hostile page are read in a short time.
func TestHeadingsOfHostilePages(t *testing.T) {
	for _, text := range []string{
		strings.Repeat("# a\n", 100_000), "# " + strings.Repeat("](", 200_000), strings.Repeat("```\n", 100_000),
		strings.Repeat("#", 500_000), strings.Repeat("# "+strings.Repeat("[", 50)+"\n", 40_000),
	} {
		begun := time.Now()
		Headings(text)
		if took := time.Since(begun); took > 5*time.Second {
			t.Errorf("%.20q…: %v", text, took)
		}
	}
}

func FuzzHeadings(f *testing.F) {
	f.Add("# a\n\n```\n# b\n```\n## c")
	f.Fuzz(func(t *testing.T, text string) {
		last := -1
		for _, h := range Headings(text) {
			if h.start <= last || h.end < h.start || h.Title == "" || !strings.Contains(text, h.Section(text)) {
				t.Errorf("%q: %+v", text, h)
			}
			last = h.start
		}
	})
}

const base = "https://news.example/feed"

func TestFeeds(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"RSS", `<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY x "y">]><rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:atom="http://www.w3.org/2005/Atom">
			<channel><title>News &amp; [more]</title><atom:link rel="self" href="/self"/><link>/</link><description>All &lt;b&gt;news&lt;/b&gt;</description>
			<item><title>One &amp;amp; all</title><media:title>A picture</media:title><link>/one</link><pubDate>Tue, 10 Jun 2003 04:00:00 GMT</pubDate><dc:creator>Ada</dc:creator>
				<description>Short</description><content:encoded><![CDATA[<p>Long <a href="two">two</a>&nbsp;<script>alert(1)</script></p>]]></content:encoded></item>
			<item><guid>https://news.example/2</guid><description>No title</description></item></channel></rss>`,
			"# [News & \\[more\\]](<https://news.example/>)\n\nAll **news**\n\n## [One & all](<https://news.example/one>)\n\n2003-06-10T04:00:00Z · Ada\n\nLong [two](https://news.example/two)\n\n" +
				"## [Untitled](<https://news.example/2>)\n\nNo title"},
		{"Atom", `<feed xmlns="http://www.w3.org/2005/Atom"><title type="html">A &lt;i&gt;feed&lt;/i&gt;</title><link rel="self" href="/self"/><link href="/home"/>
			<entry><title>First</title><link rel="alternate" href="/first"/><updated>2024-01-02T03:04:05Z</updated><author><name>Bob</name></author><summary type="text">1 &lt; 2</summary></entry>
			<entry><title>Second</title><content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>In <em>markup</em></p></div></content></entry></feed>`,
			"# [A feed](<https://news.example/home>)\n\n## [First](<https://news.example/first>)\n\n2024-01-02T03:04:05Z · Bob\n\n1 &lt; 2\n\n## Second\n\nIn *markup*"},
		{"RDF", `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"><channel><title>Old</title></channel><item><title>Item</title><link>javascript:alert(1)</link></item></rdf:RDF>`,
			"# Old\n\n## Item"},
		{"headings in an entry", `<rss><channel><title>Blog</title><description>&lt;h1&gt;About&lt;/h1&gt;</description><item><title>One</title><description>&lt;h1&gt;A&lt;/h1&gt;&lt;h2&gt;B&lt;/h2&gt;&lt;h6&gt;C&lt;/h6&gt;</description></item></channel></rss>`,
			"# Blog\n\n### About\n\n## One\n\n### A\n\n#### B\n\n###### C"},
		{"RSS that breaks off", `<rss><channel><title>Half</title><item><title>One</title></item><item><title>Two`, "# Half\n\n## One\n\n(the rest of the feed could not be read)"},
		{"RSS with a fault", `<rss><channel><item><title>One</title></item><item><title>1 < 2</title></item><item><title>Three</title></item></channel></rss>`,
			"## One\n\n(the rest of the feed could not be read)"},
		{"RSS with control characters", "<rss><channel><item><title>One\v</title></item><item><title>Two\x00</title></item></channel></rss>", "## One\ufffd\n\n## Two\ufffd"},
	} {
		feed := ReadXML(test.text, base)
		if feed == nil {
			t.Errorf("%s is no feed", test.name)
		} else if diff := cmp.Diff(test.want, feed.Markdown()); diff != "" {
			t.Errorf("%s: %s", test.name, diff)
		}
	}
	for _, text := range []string{"", "<html><body>", "<a><b/></a>", "no XML", "<rss"} {
		if feed := ReadXML(text, base); feed != nil {
			t.Errorf("%q is a feed: %+v", text, feed)
		}
	}
}

func TestJSONFeed(t *testing.T) {
	feed := ReadJSON(`{"version":"https://jsonfeed.org/version/1.1","title":"T","home_page_url":"/h","items":[
		{"url":"/1","title":"One","content_html":"<b>x</b>","authors":[{"name":"Ada"}],"date_published":"2024-01-02"},{"content_text":"a\n\n<b>"}]}`, base)
	const want = "# [T](<https://news.example/h>)\n\n## [One](<https://news.example/1>)\n\n2024-01-02T00:00:00Z · Ada\n\n**x**\n\n## Untitled\n\na\n\n&lt;b&gt;"
	if feed == nil {
		t.Fatal("it is no feed")
	}
	if diff := cmp.Diff(want, feed.Markdown()); diff != "" {
		t.Error(diff)
	}
	if ReadJSON(`{"version": "1"}`, base) != nil {
		t.Error("other JSON is a feed")
	}
}

// Feeds name time zones by letters. The same letters mean different zones in different countries,
// except for the zones of RFC 822.
func TestFeedDates(t *testing.T) {
	for written, want := range map[string]string{
		"Tue, 10 Jun 2003 04:00:00 GMT": "2003-06-10T04:00:00Z", "Tue, 10 Jun 2003 04:00:00 +0200": "2003-06-10T04:00:00+02:00", "10 Jun 2003 04:00:00 UT": "2003-06-10T04:00:00Z",
		"Tue, 10 Jun 2003 04:00:00 EDT": "2003-06-10T04:00:00-04:00", "Tue, 3 Jun 2003 04:00:00 PST": "2003-06-03T04:00:00-08:00", "10 Jun 03 04:00 Z": "2003-06-10T04:00:00Z",
		"Tue, 10 Jun 2003 04:00:00 IST": "Tue, 10 Jun 2003 04:00:00 IST", "2003-06-10T04:00:00-07:00": "2003-06-10T04:00:00-07:00", "2003-06-10": "2003-06-10T00:00:00Z", "soon": "soon",
	} {
		if got := date(written); got != want {
			t.Errorf("%s: got %s, want %s", written, got, want)
		}
	}
}

// A feed may have any number of entries, and any depth. Only a bounded part of it is read.
func TestFeedBounds(t *testing.T) {
	feed := ReadXML("<rss><channel><title>Long</title>"+strings.Repeat("<item><title>x</title></item>", 1000)+"</channel></rss>", base)
	if len(feed.Entries) != maxEntries || feed.More != 1000-maxEntries || !strings.HasSuffix(feed.Markdown(), "(800 more entries)") {
		t.Errorf("%d entries, %d more", len(feed.Entries), feed.More)
	}
	ReadXML("<rss>"+strings.Repeat("<channel>", 50_000), base)
	ReadXML("<rss><channel>"+strings.Repeat("<item>", 50_000), base)
}

func FuzzFeed(f *testing.F) {
	f.Add(`<rss><channel><title>a</title><item><link>b</link><description>&lt;p&gt;</description></item></channel></rss>`)
	f.Add(`<feed><entry><content type="xhtml"><p>x</p></content></entry></feed>`)
	f.Fuzz(func(t *testing.T, text string) {
		if feed := ReadXML(text, base); feed != nil {
			feed.Markdown()
		}
		ReadJSON(text, base)
	})
}
