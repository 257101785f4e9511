package tokens

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// place is where the arguments of a step need a ref: the beginning of a line in braces, such as
// {button \"Save}. It stands for the ref of the first such line in the latest answer that has one.
var place = regexp.MustCompile(`\{(\w+[^{}:,]*)\}`)

// do makes a call with the refs that it needs, and returns its tokens.
func (s *session) do(args string) int {
	s.t.Helper()
	args = place.ReplaceAllStringFunc(args, func(in string) string {
		line := regexp.QuoteMeta(strings.ReplaceAll(in[1:len(in)-1], `\"`, `"`))
		at := regexp.MustCompile(`(?m)^[-+~> ]*` + line + `.*?\[ref=(\w+)\]`)
		for i := len(s.answers) - 1; i >= 0; i-- {
			if found := at.FindStringSubmatch(s.answers[i]); found != nil {
				return found[1]
			}
		}
		s.t.Fatalf("%s: no such line in\n%s", in, s.last)
		return ""
	})
	n := s.call(args)
	s.answers = append(s.answers, s.last)
	return n
}

// views are calls on pages that show much again. The last number is the most tokens that each may
// cost.
var views = []struct {
	name, args string
	most       int
}{
	{"`open` a table of 50 rows, each with a button", `{"action":"open","url":"SITE/rows"}`, 345},
	{"`find` a button `near` the words of its row", `{"action":"find","text":"Close","role":"button","near":"#1007","limit":3}`, 145},
	{"`click` it, by which the page renders itself again", `{"action":"click","ref":"{button \"Close}","snapshot":"delta"}`, 105},
	{"`open` a shop with a menu and 100 cards", `{"action":"open","url":"SITE/cards"}`, 650},
	{"`open` an inbox of 26 lines", `{"action":"open","url":"SITE/mail"}`, 450},
	{"`click` to another view, of 26 labels", `{"action":"click","ref":"{button \"Labels}"}`, 1050},
	{"`click` back to the first view", `{"action":"click","ref":"{button \"Inbox}"}`, 105},
	{"`click` to the other view again", `{"action":"click","ref":"{button \"Labels}"}`, 100},
	{"`open` a page of a site", `{"action":"open","url":"SITE/site/0"}`, 420},
	{"`navigate` to the next page of the site", `{"action":"navigate","url":"SITE/site/1"}`, 190},
	{"`click` a link to a page of the site", `{"action":"click","ref":"{link \"Next}"}`, 200},
}

// TestViews does the calls of views.
func TestViews(t *testing.T) {
	s := begin(t)
	for _, v := range views {
		if n := s.do(v.args); n > v.most {
			t.Errorf("%s costs %d tokens, want at most %d: %s", v.args, n, v.most, s.last)
		}
	}
	for _, said := range []string{
		"  row: #1007 Hal Cyd\n~   cell \"closed\" (was open)\n~   button \"Reopen\"",
		" lines as before: find or a snapshot shows them)",
		"this view was shown before",
	} {
		if !strings.Contains(strings.Join(s.answers, "\n"), said) {
			t.Errorf("no answer says %q", said)
		}
	}
}

// viewTable returns the table of the calls of views.
func viewTable(t *testing.T) string {
	s := begin(t)
	var b strings.Builder
	b.WriteString("| | tokens |\n|---|---:|\n")
	for _, v := range views {
		fmt.Fprintf(&b, "| %s | %d |\n", v.name, s.do(v.args))
	}
	return b.String()
}
