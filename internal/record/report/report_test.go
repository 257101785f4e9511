package report

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"chela/internal/record/recorder"
)

var noon = time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)

// at returns a time some milliseconds after noon.
func at(ms int) time.Time { return noon.Add(time.Duration(ms) * time.Millisecond) }

// shotAt is a picture that was taken at a time.
func shotAt(file string, ms int) *recorder.Picture {
	return &recorder.Picture{File: file, Time: at(ms), Width: 1280, Height: 800}
}

// shopping records a visit to a shop: a click opens a tab, a batch fills a form, a click fails. Entries
// are in the order in which their calls ended.
var shopping = recorder.Recording{
	Entries: []recorder.Entry{
		{ID: "1", Time: at(0), Tab: "t1", Op: "open", Title: "open http://shop.test/", Ms: 90, Picture: shotAt("a.jpg", 120)},
		{ID: "2", Time: at(200), Tab: "t1", Op: "click", Title: "click e2", Ms: 20, Effects: []string{"newTab"},
			Element: &recorder.Element{Ref: "e2", Role: "link", Name: "Help", Box: &recorder.Box{X: 10, Y: 20, Width: 30, Height: 40}}, Picture: shotAt("b.jpg", 300)},
		{ID: "3", Time: at(400), Tab: "t2", Op: "snapshot", Title: "snapshot", Ms: 10, Chars: 700, Picture: shotAt("c.jpg", 500)},
		{ID: "4", Time: at(610), Tab: "t1", Op: "type", Title: "type e3 Ada", Ms: 10, Part: true},
		{ID: "5", Time: at(630), Tab: "t1", Op: "press", Title: "press Enter", Ms: 10, Part: true},
		{ID: "6", Time: at(600), Tab: "t1", Op: "batch", Title: "batch", Ms: 50, Args: map[string]json.RawMessage{"actions": json.RawMessage(`[ {"kind": "type"} ]`), "kind": json.RawMessage(`"batch"`)}},
		{ID: "7", Time: at(700), Tab: "t1", Op: "click", Title: "click e9", Ms: 5, Error: "no element e9", Code: "ref_unknown"},
	},
	Events: []recorder.Event{
		{Time: at(-5), Tab: "t1", Kind: recorder.Console, Text: "early"},
		{Time: at(210), Tab: "t1", Kind: recorder.NewTab, Text: "t2"},
		{Time: at(635), Tab: "t1", Kind: recorder.Request, Text: "POST", URL: "http://shop.test/order", Status: 500},
		{Time: at(640), Tab: "t1", Kind: recorder.Dialog, Text: "alert: sold out"},
	},
	Dropped: 2,
}

// reportOf returns a report of a recording whose pictures are their own names.
func reportOf(r recorder.Recording) Report {
	return Report{
		Title: "profile chela", Made: at(1000), Recording: r,
		IsAct:   func(op string) bool { return !slices.Contains([]string{"snapshot", "find"}, op) },
		Picture: func(file string) ([]byte, error) { return []byte(file), nil },
	}
}

// The calls of a report are in the order in which they began, each with its events and its pictures.
func TestCallsAreLinked(t *testing.T) {
	v := reportOf(shopping).view()
	var got []string
	for _, c := range v.Calls {
		line := fmt.Sprintf("%d %s", c.Number, c.Title)
		if c.Act {
			line += " act"
		}
		if c.Batch > 0 {
			line += fmt.Sprintf(" of %d", c.Batch)
		}
		if c.OpenedBy > 0 {
			line += fmt.Sprintf(" opened by %d", c.OpenedBy)
		}
		if c.Before != nil {
			line += " before " + v.files[c.Before.Picture]
			if c.Before.Earlier {
				line += " (earlier)"
			}
		}
		if c.After != nil {
			line += " after " + v.files[c.After.Picture]
		}
		for _, e := range c.Events {
			line += fmt.Sprintf(" [%s %s %d]", e.Kind, e.Text, e.First)
		}
		got = append(got, line)
	}
	want := []string{
		"1 open http://shop.test/ act after a.jpg",
		"2 click e2 act before a.jpg after b.jpg [newTab t2 3]",
		"3 snapshot opened by 2 after c.jpg",
		"4 batch",
		"5 type e3 Ada act of 4 before b.jpg",
		"6 press Enter act of 4 before b.jpg (earlier) [request POST 0] [dialog alert: sold out 0]",
		"7 click e9 act before b.jpg (earlier)",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if len(v.Early) != 1 || v.Early[0].Text != "early" || v.Dropped != 2 {
		t.Errorf("early %v, dropped %d", v.Early, v.Dropped)
	}
	if got := fmt.Sprint(v.Calls[3].Args); got != `[{actions [{"kind":"type"}]} {kind batch}]` {
		t.Errorf("the arguments are %s", got)
	}
}

// An action whose batch was dropped, and one that began after the end of the last batch, belong to
// no other batch.
func TestActionsWithoutTheirBatch(t *testing.T) {
	v := reportOf(recorder.Recording{Entries: []recorder.Entry{
		{Time: at(0), Tab: "t1", Op: "click", Part: true},
		{Time: at(100), Tab: "t1", Op: "batch", Ms: 50},
		{Time: at(120), Tab: "t2", Op: "click", Part: true},
		{Time: at(120), Tab: "t1", Op: "click", Part: true, Session: "other"},
		{Time: at(200), Tab: "t1", Op: "click", Part: true},
	}}).view()
	for _, c := range v.Calls {
		if c.Batch != 0 {
			t.Errorf("call %d is in batch %d", c.Number, c.Batch)
		}
	}
}

// A picture of another page is not shown as what was there before a call.
func TestPictureOfAnotherPage(t *testing.T) {
	v := reportOf(recorder.Recording{Entries: []recorder.Entry{
		{Time: at(0), Tab: "t1", Op: "open", URL: "http://shop.test/#top", Picture: shotAt("a.jpg", 10)},
		{Time: at(100), Tab: "t1", Op: "click", URL: "http://shop.test/#list"},
		{Time: at(200), Tab: "t1", Op: "click", URL: "http://shop.test/basket"},
		{Time: at(300), Tab: "t1", Op: "click", URL: "http://shop.test/basket"},
	}}).view()
	v.Calls = append(v.Calls, reportOf(recorder.Recording{Entries: []recorder.Entry{
		{Time: at(0), Tab: "t1", Op: "open", URL: "http://shop.test/", Picture: shotAt("a.jpg", 10)},
		{Time: at(110), Tab: "t1", Op: "type", URL: "http://shop.test/", Part: true},
		{Time: at(120), Tab: "t1", Op: "click", URL: "http://shop.test/done", Part: true},
		{Time: at(100), Tab: "t1", Op: "batch", URL: "http://shop.test/done", Ms: 50},
		{Time: at(200), Tab: "t1", Op: "click", URL: "http://shop.test/done"},
	}}).view().Calls...)
	for i, want := range []bool{false, true, true, false, false, false, true, true, false} {
		if got := v.Calls[i].Before != nil; got != want {
			t.Errorf("call %d has a picture before it: %v, want %v", i+1, got, want)
		}
	}
}

func TestShownText(t *testing.T) {
	for text, want := range map[string]string{
		"plain":                  "plain",
		"two\nlines\tand a tab":  "two\nlines\tand a tab",
		"\x1b[31mred\x00":        `\u001b[31mred\u0000`,
		"safe\u202egpj.exe":      `safe\u202egpj.exe`,
		"a\u200bb\ufeff":         `a\u200bb\ufeff`,
		"tag \U000e0041":         `tag \ue0041`,
		"family 👩\u200d👩":        "family 👩\u200d👩",
		"\xff\xfe":               "\ufffd",
		"مرحبا":                  "مرحبا",
		strings.Repeat("é", 210): strings.Repeat("é", 200) + "… (10 more characters)",
	} {
		if got := shown(text, 200); got != want {
			t.Errorf("%q is shown as %q, want %q", text, got, want)
		}
	}
}

// written returns the HTML of a report.
func written(t *testing.T, r Report) string {
	t.Helper()
	var out bytes.Buffer
	if err := Write(&out, r); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// The Content-Security-Policy has the hashes of the style and the script that the document contains.
func TestPolicyNamesWhatIsThere(t *testing.T) {
	text := written(t, reportOf(shopping))
	between := func(before, after string) string {
		_, rest, found := strings.Cut(text, before)
		inner, _, ended := strings.Cut(rest, after)
		if !found || !ended {
			t.Fatalf("there is no %s", before)
		}
		return inner
	}
	policy := between(`http-equiv="Content-Security-Policy" content="`, `"`)
	for _, part := range []string{
		"default-src 'none';", "script-src '" + hash(between("<script>", "</script>")) + "';",
		"style-src '" + hash(between("<style>", "</style>")) + "';", "img-src data: blob:;",
	} {
		if !strings.Contains(policy, part) {
			t.Errorf("the policy lacks %s: %s", part, policy)
		}
	}
	if strings.Contains(text, "{{") {
		t.Error("a placeholder is left")
	}
}

// A title that looks like a placeholder of the template is not replaced.
func TestTitleLikeAPlaceholder(t *testing.T) {
	r := reportOf(shopping)
	r.Title = "{{data}}{{style}}<b>"
	if text := written(t, r); !strings.Contains(text, "<title>{{data}}{{style}}&lt;b&gt; – chela report</title>") {
		t.Errorf("the title is not there: %.600s", text)
	}
}

// The script and the style load nothing from the network, and the script inserts no text as markup.
func TestSiteLoadsNothing(t *testing.T) {
	files, err := os.ReadDir("site")
	if err != nil {
		t.Fatal(err)
	}
	bad := regexp.MustCompile(`innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|eval\(|new Function|fetch\(|XMLHttpRequest|import\(|@import|url\(|https?://`)
	names := append([]string{"report.css", "report.html"}, scripts...)
	for _, f := range files {
		if !slices.Contains(names, f.Name()) {
			t.Errorf("%s is not in the report", f.Name())
		}
		for line := range strings.Lines(file(f.Name())) {
			if found := bad.FindString(line); found != "" && !strings.Contains(line, `"http://www.w3.org/2000/svg"`) {
				t.Errorf("%s has %s: %s", f.Name(), found, line)
			}
		}
	}
}

// A picture that cannot be read or is too large is left out; the others keep their numbers.
func TestPicturesThatAreMissing(t *testing.T) {
	r := reportOf(shopping)
	r.Picture = func(file string) ([]byte, error) {
		switch file {
		case "a.jpg":
			return nil, errors.New("gone")
		case "b.jpg":
			return make([]byte, maxPicture+1), nil
		}
		return []byte(file), nil
	}
	text := written(t, r)
	if strings.Contains(text, `id="picture-0"`) || strings.Contains(text, `id="picture-1"`) {
		t.Error("a picture that is not there is in the report")
	}
	if !strings.Contains(text, `id="picture-2">`+base64.StdEncoding.EncodeToString([]byte("c.jpg"))) {
		t.Error("the picture c.jpg is not in the report")
	}
	r.Picture = nil
	if strings.Contains(written(t, r), `id="picture-`) {
		t.Error("there are pictures without a function that reads them")
	}
}

// A failing writer's error is returned.
func TestWriteFails(t *testing.T) {
	full := errors.New("the disk is full")
	if err := Write(failing{full}, reportOf(shopping)); !errors.Is(err, full) {
		t.Errorf("got %v", err)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

// Whatever the words of a page are, the document has the same elements.
func FuzzWords(f *testing.F) {
	for _, text := range []string{`</script><script>alert(1)</script>`, `<!--<script>`, `"><img src=x onerror=alert(1)>`, "{{data}}{{style}}", "]]>", "\u2028", "\x00\xff"} {
		f.Add(text)
	}
	empty := reportOf(recorder.Recording{Entries: []recorder.Entry{{Title: "x"}}})
	f.Fuzz(func(t *testing.T, text string) {
		count := func(r Report) int { return strings.Count(strings.ToLower(written(t, r)), "<") }
		r := reportOf(recorder.Recording{
			Entries: []recorder.Entry{{Title: text, URL: text, Error: text, Op: text, Tab: text, Element: &recorder.Element{Ref: text, Role: text, Name: text}, Args: map[string]json.RawMessage{text: json.RawMessage(`"x"`)}}},
			Events:  []recorder.Event{{Tab: text, Kind: text, Text: text, URL: text}},
		})
		r.Title = text
		if got, want := count(r), count(empty); got != want {
			t.Errorf("%q makes %d tags, want %d", text, got, want)
		}
	})
}
