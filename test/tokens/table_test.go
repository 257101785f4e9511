package tokens

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
)

// reads are the calls that read or open a page, with their names in the table. PAGE stands for the
// path of the page.
var reads = [][2]string{
	{"`open`", `{"action":"open","url":"SITEPAGE"}`},
	{"`open` with `snapshot: none`", `{"action":"open","url":"SITEPAGE","snapshot":"none"}`},
	{"`reload`", `{"action":"reload"}`},
	{"`snapshot`", `{"action":"snapshot"}`},
	{"`snapshot` with `mode: efficient`", `{"action":"snapshot","mode":"efficient"}`},
	{"`snapshot` with `interactive`", `{"action":"snapshot","interactive":true}`},
	{"`snapshot` with `query: button`", `{"action":"snapshot","query":"button"}`},
	{"`find` of `e`, the first 20 lines", `{"action":"find","text":"e"}`},
	{"`text`", `{"action":"text"}`},
	{"`extract` of the tab", `{"action":"extract"}`},
	{"`read`", `{"action":"read","url":"SITEPAGE"}`},
	{"`read` with `outline`", `{"action":"read","url":"SITEPAGE","outline":true}`},
	{"`render` with `mode: extract`, `wait: auto`", `{"action":"render","url":"SITEPAGE","mode":"extract","wait":"auto"}`},
	{"`screenshot`", `{"action":"screenshot"}`},
	{"`screenshot` with `labels`", `{"action":"screenshot","labels":true}`},
	{"`pdf`", `{"action":"pdf"}`},
	{"`console`", `{"action":"console"}`},
	{"`requests`", `{"action":"requests"}`},
	{"`errors`", `{"action":"errors"}`},
}

// acts are the calls on the pages for acting, in this order. The text of a line in braces stands
// for the ref of that line.
var acts = [][2]string{
	{"`status`", `{"action":"status"}`},
	{"`profiles`", `{"action":"profiles"}`},
	{"`open` the page Action", `{"action":"open","url":"SITE/action"}`},
	{"`tabs`, of three", `{"action":"tabs"}`},
	{"`click`", `{"action":"click","ref":"{button \"Increment}"}`},
	{"`click` with `snapshot: delta`", `{"action":"click","ref":"{button \"Increment}","snapshot":"delta"}`},
	{"`click` with `snapshot: efficient`", `{"action":"click","ref":"{button \"Increment}","snapshot":"efficient"}`},
	{"`click` on a link within the page", `{"action":"click","ref":"{link \"Link 3\"}"}`},
	{"`type`", `{"action":"type","ref":"{textbox \"Name}","text":"Ada"}`},
	{"`type` with `snapshot: delta`", `{"action":"type","ref":"{textbox \"Name}","text":"Grace","snapshot":"delta"}`},
	{"`insert-text`", `{"action":"insert-text","text":"!"}`},
	{"`press`", `{"action":"press","key":"Tab"}`},
	{"`hover`", `{"action":"hover","ref":"{button \"Increment}"}`},
	{"`scroll`", `{"action":"scroll","direction":"down"}`},
	{"`scrollintoview`", `{"action":"scrollintoview","ref":"{link \"Link 7}"}`},
	{"`wait` for a text", `{"action":"wait","text":"Clicks: 3"}`},
	{"`expect` a text", `{"action":"expect","text":"Clicks: 3"}`},
	{"`expect` a text that is not there", `{"action":"expect","text":"Clicks: 9","timeoutMs":500}`},
	{"`evaluate`", `{"action":"evaluate","fn":"document.title"}`},
	{"`resize`", `{"action":"resize","width":1000,"height":800}`},
	{"`emulate`", `{"action":"emulate","colorScheme":"dark"}`},
	{"`dialog`, in advance", `{"action":"dialog","accept":true}`},
	{"`dialogs`", `{"action":"dialogs"}`},
	{"`navigate` to the page Small", `{"action":"navigate","url":"SITE/small"}`},
	{"`back`", `{"action":"back"}`},
	{"`focus`", `{"action":"focus","targetId":"t1"}`},
	{"`close`", `{"action":"close","targetId":"t1"}`},
	{"`help`", `{"action":"help"}`},
	{"`help` with `topic: click`", `{"action":"help","topic":"click"}`},
}

// TestTable writes the tables of docs/tokens.md. make tokens calls it.
func TestTable(t *testing.T) {
	if os.Getenv("CHELA_TEST_TOKENS") == "" {
		t.Skip("make tokens writes the table")
	}
	writeTables(t, map[string]string{"form": formTable(t), "reads": readTable(t), "acts": actTable(t), "views": viewTable(t)})
}

// writeTables writes tables to their places in docs/tokens.md.
func writeTables(t *testing.T, tables map[string]string) {
	t.Helper()
	const file = "../../docs/tokens.md"
	page, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for name, table := range tables {
		place := regexp.MustCompile(`(?s)(<!-- ` + name + ` -->\n).*?(<!-- end -->)`)
		if !place.Match(page) {
			t.Fatalf("%s has no place for %s", file, name)
		}
		page = place.ReplaceAll(page, []byte("${1}"+table+"${2}"))
	}
	if err := os.WriteFile(file, page, 0o644); err != nil {
		t.Fatal(err)
	}
}

// formTable returns the table of the ways to do the form task.
func formTable(t *testing.T) string {
	s := begin(t)
	var b strings.Builder
	b.WriteString("| the form task | calls | tokens |\n|---|---:|---:|\n")
	for _, way := range []struct {
		name string
		do   func()
	}{
		{"by one batch with its delta", s.byBatch},
		{"step by step, each answer as it is", func() { s.stepByStep("") }},
		{"step by step, each act with its delta", func() { s.stepByStep(`,"snapshot":"delta"`) }},
		{"step by step, each act with what can be acted on", func() { s.stepByStep(`,"snapshot":"efficient"`) }},
	} {
		s.calls, s.spent = 0, 0
		way.do()
		fmt.Fprintf(&b, "| %s | %d | %d |\n", way.name, s.calls, s.spent)
	}
	return b.String()
}

// readTable returns the table with each way to read each page.
func readTable(t *testing.T) string {
	s := begin(t)
	paths := []string{"/small", "/action", "/order", "/form-1k", "/list-1k", "/table-1k", "/article", "/dashboard"}
	cells := make([][]string, len(reads))
	for _, path := range paths {
		for i, read := range reads {
			n := s.call(strings.ReplaceAll(read[1], "PAGE", path))
			cells[i] = append(cells[i], fmt.Sprint(n))
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "| | %s |\n|---%s|\n", strings.ReplaceAll(strings.Join(paths, " | "), "/", ""), strings.Repeat("|---:", len(paths)))
	for i, read := range reads {
		fmt.Fprintf(&b, "| %s | %s |\n", read[0], strings.Join(cells[i], " | "))
	}
	return b.String()
}

// actTable returns the table with each act, on small pages.
func actTable(t *testing.T) string {
	s := begin(t)
	s.call(`{"action":"open","url":"SITE/small"}`)
	s.call(`{"action":"open","url":"SITE/order"}`)
	known := map[string]string{}
	line := regexp.MustCompile(`\{(\w+ \\"[^}]*)\}`)
	var b strings.Builder
	b.WriteString("| | tokens |\n|---|---:|\n")
	for _, act := range acts {
		args := line.ReplaceAllStringFunc(act[1], func(place string) string { return known[place] })
		n := s.call(args)
		if strings.Contains(act[1], "SITE/action") {
			for _, other := range acts {
				for _, place := range line.FindAllStringSubmatch(other[1], -1) {
					known[place[0]] = s.ref(strings.ReplaceAll(place[1], `\"`, `"`))
				}
			}
		}
		fmt.Fprintf(&b, "| %s | %d |\n", act[0], n)
	}
	return b.String()
}
