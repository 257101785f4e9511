package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"chela/internal/record/recorder"
	"chela/test/service"
)

// open opens a report in a tab of a width, and waits until it shows its calls.
func open(t testing.TB, r recorder.Recording, width int) *service.Tab {
	t.Helper()
	tab := shared.Open(t, "about:blank")
	tab.Act("resize", args{"width": width, "height": 900})
	tab.Visit(serve(t, reportOf(r)))
	return tab
}

// sees checks the values of scripts in the report.
func sees(t *service.Tab, want map[string]string) {
	t.Helper()
	for script, value := range want {
		if got := t.Eval("() => String(" + script + ")"); got != value {
			t.Errorf("%s is %q, want %q", script, got, value)
		}
	}
}

// The numbers of the calls that the list shows, and of the one that is looked at.
const (
	listed  = `[...document.querySelectorAll(".call:not([hidden])")].map(e => e.id).join(" ")`
	looked  = `document.querySelector("[aria-current]")?.closest(".call").id`
	focused = `document.activeElement.closest(".call")?.id ?? document.activeElement.id`
	heading = `document.getElementById("stage-title").textContent`
)

// clean checks that the report has asked for nothing, and that Chromium had nothing to complain about.
func clean(t *service.Tab) {
	t.Helper()
	violations := t.Eval(`() => new Promise(done => { new ReportingObserver(list => done(JSON.stringify(list)), {buffered: true}).observe(); setTimeout(() => done("none"), 50) })`)
	if violations != "none" {
		t.Errorf("Chromium reports %s", violations)
	}
	if got := asked(); len(got) != 1 {
		t.Errorf("the report has asked for %q", got)
	}
	if n := t.OK("GET /console", nil).Count("messages"); n > 0 {
		t.Errorf("the console has %s", t.OK("GET /console", nil).Raw)
	}
	if n := t.OK("GET /errors", nil).Count("errors"); n > 0 {
		t.Errorf("a script has failed: %s", t.OK("GET /errors", nil).Raw)
	}
}

func TestReport(t *testing.T) {
	tab := open(t, visit(2), 1280)
	sees(tab, map[string]string{
		listed: "c1 c2 c3 c4 c5 c6 c7 c8", looked: "c1",
		`document.getElementById("totals").textContent.replace(/\s+/g, " ")`: "8 calls6 acts2 failed2 tabs1,860 characters",
	})
	tab.Click(`“Add to basket”`, nil)
	sees(tab, map[string]string{
		looked: "c3", "location.hash": "#c3", heading: "click e7 button “Add to basket” ok",
		`document.querySelectorAll("#stage figure").length`:                                                          "2",
		`document.querySelector("#stage figcaption").textContent.split(" ")[0]`:                                      "Before",
		`["x", "y", "width", "height"].map(n => Math.round(document.querySelector("#stage .mark").getAttribute(n)))`: "397,297,126,46",
		`document.querySelectorAll("#stage .events li").length`:                                                      "3",
		`document.querySelector("#stage .events a").hash`:                                                            "#c4",
	})
	tab.Click(`link "call 4"`, nil)
	sees(tab, map[string]string{looked: "c4", `document.querySelector("#stage dl a").hash`: "#c3"})
	clean(tab)
}

func TestKeysAndFilters(t *testing.T) {
	tab := open(t, visit(3), 1280)
	press := func(keys ...string) {
		for _, key := range keys {
			tab.Act("press", args{"key": key})
		}
	}
	press("ArrowDown", "j", "ArrowDown", "k")
	sees(tab, map[string]string{looked: "c3", focused: "c3"})
	press("ArrowUp", "ArrowUp", "ArrowUp", "ArrowUp")
	sees(tab, map[string]string{looked: "c1"})
	press("/")
	sees(tab, map[string]string{focused: "search"})
	press("j", "j")
	sees(tab, map[string]string{looked: "c1", `document.getElementById("search").value`: "jj", `document.getElementById("nothing").hidden`: "false", listed: ""})
	press("Escape", "B", "a", "s", "k", "e", "t")
	sees(tab, map[string]string{listed: "c3 c7 c11", `document.getElementById("count").textContent`: "3 of 12 calls"})
	press("Escape", "Escape")
	sees(tab, map[string]string{focused: "c1", `document.getElementById("search").value`: ""})
	tab.Eval("() => { document.querySelector('#c4 .row').click() }")
	for name, want := range map[string]string{
		"Acts": "c1 c3 c4 c5 c7 c8 c9 c11 c12", "Failed": "c4 c8 c12", "Console": "c3 c7 c11", "Network": "c3 c7 c11",
	} {
		tab.Click(`radio "`+name, nil)
		sees(tab, map[string]string{listed: want})
	}
	tab.Click(`radio "Failed`, nil)
	tab.Click(`link "call 3"`, nil) // the call that has opened the tab, which the filter hides
	sees(tab, map[string]string{looked: "c3", focused: "c3", listed: "c1 c2 c3 c4 c5 c6 c7 c8 c9 c10 c11 c12"})
	clean(tab)
}

// In a narrow window the detail stands below its call, and a second click closes it.
func TestNarrow(t *testing.T) {
	tab := open(t, visit(2), 400)
	sees(tab, map[string]string{
		looked: "undefined", `document.getElementById("stage").hidden`: "true",
		"document.documentElement.scrollWidth <= innerWidth": "true",
	})
	row := tab.Ref("“Add to basket”")
	tab.Act("click", args{"ref": row})
	sees(tab, map[string]string{
		looked: "c3", `document.getElementById("stage").parentElement.id`: "c3", "document.documentElement.scrollWidth <= innerWidth": "true",
	})
	tab.Act("click", args{"ref": row})
	sees(tab, map[string]string{looked: "undefined", `document.getElementById("stage").hidden`: "true"})
	clean(tab)
}

// Pictures that are far away are not decoded until they are scrolled to, or printed.
func TestPicturesComeWhenTheyAreSeen(t *testing.T) {
	tab := open(t, visit(100), 1280)
	const shown = `document.querySelectorAll("#calls image[href]").length`
	const all = `document.querySelectorAll("#calls image").length`
	sees(tab, map[string]string{all: "200"})
	service.Eventually(t, "the first pictures come", func() bool { return tab.Eval("() => "+shown) != "0" })
	if n := tab.Eval("() => " + shown); len(n) > 2 {
		t.Errorf("%s pictures are there before anything was scrolled", n)
	}
	tab.Eval("() => { document.getElementById('c399').scrollIntoView() }")
	service.Eventually(t, "the last picture comes", func() bool { return tab.Eval("() => !!document.querySelector('#c399 image[href]')") == "true" })
	tab.Eval("() => { dispatchEvent(new Event('beforeprint')) }")
	sees(tab, map[string]string{shown: "200"})
	clean(tab)
}

// Words stand in the place of a picture that could not be written.
func TestPicturesThatAreMissing(t *testing.T) {
	r := reportOf(visit(2))
	r.Picture = func(string) ([]byte, error) { return nil, errors.New("gone") }
	tab := shared.Open(t, "about:blank")
	tab.Visit(serve(t, r))
	service.Eventually(t, "the words come", func() bool {
		return tab.Eval(`() => String(document.querySelector("#calls .left-out")?.textContent)`) == "picture left out"
	})
	clean(tab)
}

// hostile are words that a page may choose.
var hostile = []string{
	`</script><script>document.title = "pwned"</script>`, `<img src=x onerror="document.title = 'pwned'">`, `<!--<script>`, `"><b>bold</b>`,
	`javascript:document.title='pwned'`, "\u202egpj.exe", "\x1b[31mred\x07\x00", "line\u2028separator", "مرحبا <i>", "\U000e0041\u200b", "\xff\xfe",
	strings.Repeat("long ", 4000), strings.Repeat("W", 3000), `{{title}} ${1+1} &lt;`, "__proto__",
}

// Whatever a page says is shown as text.
func TestHostileWords(t *testing.T) {
	var r recorder.Recording
	for i, words := range hostile {
		raw, _ := json.Marshal(words)
		r.Entries = append(r.Entries, recorder.Entry{
			ID: words, Time: at(i * 1000), Session: words, Caller: words, Tab: fmt.Sprintf("t%d", i), Op: words, Title: words, Error: words, Code: words, URL: words,
			Effects: []string{words}, Args: map[string]json.RawMessage{words: raw}, Element: &recorder.Element{Ref: words, Role: words, Name: words},
			Picture: &recorder.Picture{File: words, Time: at(i * 1000), Width: 1280, Height: 800},
		})
		for _, kind := range []string{recorder.Console, recorder.PageError, recorder.Request, recorder.Dialog, recorder.Download, recorder.NewTab, words} {
			r.Events = append(r.Events, recorder.Event{Time: at(i*1000 + 1), Tab: fmt.Sprintf("t%d", i), Kind: kind, Text: words, URL: words})
		}
	}
	tab := open(t, r, 1280)
	for i := range hostile {
		tab.Eval(fmt.Sprintf("() => { document.querySelector('#c%d .row').click() }", i+1))
		sees(tab, map[string]string{looked: fmt.Sprintf("c%d", i+1)})
	}
	sees(tab, map[string]string{
		"document.title": "profile chela – chela report",
		`document.querySelectorAll("main script, main img, main b:not(.title > b, .said > b), main i, main [onerror], a:not([href^='#c'])").length`: "0",
		`document.querySelector("#c1 .title").textContent`:   hostile[0],
		`document.querySelector("#c6 .title").textContent`:   `\u202egpj.exe`,
		"document.documentElement.scrollWidth <= innerWidth": "true",
	})
	tab.Act("resize", args{"width": 400, "height": 900})
	sees(tab, map[string]string{"document.documentElement.scrollWidth <= innerWidth": "true"})
	clean(tab)
}

// A recording of nothing is a report that says so.
func TestEmptyReport(t *testing.T) {
	tab := open(t, recorder.Recording{Dropped: 1, Events: []recorder.Event{{Time: at(0), Tab: "t1", Kind: recorder.Console, Text: "early"}}}, 900)
	for _, want := range []string{"Nothing was recorded.", "1 earlier call had to make room", "1 event before the first call"} {
		if text := tab.Snapshot(); !strings.Contains(text, want) {
			t.Errorf("the report lacks %q:\n%s", want, text)
		}
	}
	tab.Act("press", args{"key": "ArrowDown"})
	clean(tab)
}

// TestAccessible is run by `make realworld`, which fetches axe-core.
func TestAccessible(t *testing.T) {
	folder := os.Getenv("CHELA_TEST_AXE")
	if folder == "" {
		t.Skip("make realworld runs this")
	}
	axe, err := os.ReadFile(filepath.Join(folder, "axe.min.js"))
	if err != nil {
		t.Fatal(err)
	}
	recording := visit(3)
	recording.Dropped = 1
	recording.Events = append(recording.Events, recorder.Event{Time: at(-1), Tab: "t1", Kind: recorder.PageError, Text: "early"})
	for _, scheme := range []string{"light", "dark"} {
		for _, width := range []int{400, 900, 1440} {
			tab := open(t, recording, width)
			tab.OK("POST /set/media", args{"colorScheme": scheme})
			for _, call := range []int{1, 3, 4} {
				tab.Eval(fmt.Sprintf("() => { document.querySelector('#c%d .row').click(); document.querySelector('details').open = true }", call))
				tab.Eval("() => { " + string(axe) + "; return true }")
				found := tab.Act("evaluate", args{"timeoutMs": 60_000, "fn": "async () => (await axe.run()).violations.map(v => v.id + ': ' + v.nodes.map(n => n.html + ' ' + n.failureSummary).join(' | ')).join('\\n')"})
				if text := found.Text("result"); text != "" {
					t.Errorf("%s, %d pixels, call %d: %s", scheme, width, call, text)
				}
			}
		}
	}
}

// BenchmarkOpen opens a report of 500 acts with pictures. It measures when the calls are shown, when
// the whole file has been read, and when the pictures in view are decoded after that.
func BenchmarkOpen(b *testing.B) {
	tab := shared.Open(b, "about:blank")
	tab.Act("resize", args{"width": 1440, "height": 900})
	recording := visit(125)
	for i := range recording.Entries {
		e := &recording.Entries[i]
		e.Op, e.Picture = "click", &recorder.Picture{File: fmt.Sprint(i), Time: e.Time.Add(time.Millisecond), Width: 1280, Height: 800}
	}
	address := serve(b, reportOf(recording))
	sums := map[string]float64{}
	for b.Loop() {
		tab.Visit(address)
		for name, script := range map[string]string{
			"ms-shown":  `() => performance.getEntriesByName("shown")[0].startTime`,
			"ms-loaded": `() => performance.getEntriesByType("navigation")[0].domComplete`,
			"ms-decoded": `async () => {
				const began = performance.now();
				for (const image of document.querySelectorAll("image[href]")) await image.decode();
				return performance.now() - began;
			}`,
		} {
			var ms float64
			json.Unmarshal([]byte(tab.Eval(script)), &ms)
			sums[name] += ms
		}
	}
	for name, sum := range sums {
		b.ReportMetric(sum/float64(b.N), name)
	}
	b.ReportMetric(float64(len(served.content))/1e6, "MB")
}
