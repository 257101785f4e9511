package contract

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The answer has the fields of OpenClaw's: {ok, targetId, url, text, truncated}. For a selector
// that matches nothing, OpenClaw answers 500 after twenty seconds. Here the answer is 404, at once.
func TestPageText(t *testing.T) {
	tab := shared.open(t, page("<title>Console</title><h1>Console</h1><p>Throw Fetch<b hidden>secret</b>\u202e\u200b</p>"))
	for query, want := range map[string]struct {
		text      string
		truncated bool
	}{
		"":                        {"Console\n\nThrow Fetch", false},
		"&selector=p":             {"Throw Fetch", false},
		"&selector=h1&maxChars=3": {"Con", true},
		"&maxChars=40000":         {"Console\n\nThrow Fetch", false},
	} {
		a := shared.ok(t, "GET /text?targetId="+tab+query, "")
		if a.Get("ok") != true || strings.TrimSpace(a.Text("text")) != want.text || a.Get("truncated") != want.truncated || a.Text("url") == "" || a.Text("targetId") == "" {
			t.Errorf("%s: got %s, want %q", query, a.Raw, want.text)
		}
	}
	for query, want := range map[string]struct {
		status        int
		code, message string
	}{
		"&maxChars=0":     {400, "invalid_request", "maxChars must be a positive integer."},
		"&maxChars=1.5":   {400, "invalid_request", "maxChars must be a positive integer."},
		"&maxChars=40001": {400, "invalid_request", "maxChars must not exceed 40000"},
		"&selector=%23zz": {404, "not_found", `no element matches "#zz"`},
		"&selector=p%5B":  {400, "invalid_request", "is not a CSS selector"},
	} {
		shared.do(t, "GET /text?targetId="+tab+query, "").Fails(t, want.status, want.code, want.message)
	}
}

func TestPDF(t *testing.T) {
	tab := shared.borrow(t, page("<h1>On paper</h1>"))
	for _, options := range []string{``, `, "format": "A4", "landscape": true, "margin": "1cm 2cm", "scale": 0.5, "printBackground": false, "preferCSSPageSize": true,
		"pageRanges": "1-2, 4", "headerTemplate": "<span class=title></span>", "footerTemplate": "<span class=pageNumber></span>"`} {
		a := shared.ok(t, "POST /pdf", fmt.Sprintf(`{"targetId": %q%s}`, tab, options))
		path := a.Text("path")
		pdf, err := os.ReadFile(path)
		if err != nil || !bytes.HasPrefix(pdf, []byte("%PDF-")) || filepath.Ext(path) != ".pdf" {
			t.Errorf("%s: got %.20q, %v", a.Raw, pdf, err)
		}
		if info, err := os.Stat(path); err != nil || info.Mode() != 0o600 {
			t.Errorf("%v, %v", info, err)
		}
		if a.Get("ok") != true || a.Text("targetId") == "" || a.Text("url") == "" {
			t.Errorf("got %s", a.Raw)
		}
	}
	for options, message := range map[string]string{
		`"paper": "a9"`:                "paper must be letter, legal, tabloid, ledger, a0 to a6, or a size such as 210x297mm",
		`"margin": "wide"`:             "margin must be one to four lengths in the order top, right, bottom, left",
		`"margin": "5in"`:              "the margins leave nothing of the paper",
		`"scale": 3`:                   "scale must",
		`"scale": 0`:                   "scale must be between 0.1 and 2",
		`"pageRanges": "3-1"`:          "pageRanges must be pages and ranges of pages such as 1-5, 8",
		`"landscape": "sideways"`:      "landscape must be true or false",
		`"timeoutMs": 0`:               "timeoutMs must be a positive integer.",
		`"paper": {"width": 8}`:        "paper must be a string",
		`"printBackground": "perhaps"`: "printBackground must be true or false",
	} {
		shared.do(t, "POST /pdf", shared.body(tab, options)).Fails(t, 400, "invalid_request", message)
	}
	shared.do(t, "POST /pdf", shared.body(tab, `"pageRanges": "90-"`)).Fails(t, 400, "invalid_request", "pageRanges names a page that the document does not have")
}

// While a dialog is open there is no PDF and no text. An answer without them would look like the
// answer of an empty page.
func TestShowingBehindADialog(t *testing.T) {
	tab := shared.borrow(t, page("<h1>Behind</h1>"))
	shared.eval(t, tab, "void setTimeout(() => alert('Stop'))")
	shared.do(t, "POST /pdf", shared.body(tab, `"landscape": true`)).Fails(t, 409, "conflict", "Action blocked by a modal dialog")
	shared.do(t, "GET /text?targetId="+tab, "").Fails(t, 409, "conflict", "Action blocked by a modal dialog")
	shared.ok(t, "POST /hooks/dialog", shared.body(tab, `"accept": true`))
}

func TestHighlight(t *testing.T) {
	tab := shared.open(t, page("<button>Go</button><button hidden>Not seen</button>"))
	ref := shared.ref(t, tab, "Go")
	a := shared.ok(t, "POST /highlight", shared.body(tab, fmt.Sprintf(`"ref": %q`, ref)))
	if a.Get("ok") != true || a.Text("targetId") == "" || a.Text("url") == "" {
		t.Errorf("got %s", a.Raw)
	}
	shared.do(t, "POST /highlight", `{}`).Fails(t, 400, "invalid_request", "ref is required")
	shared.do(t, "POST /highlight", shared.body(tab, `"ref": "e99"`)).Fails(t, 404, "unknown_ref", "e99")
	shared.eval(t, tab, "document.querySelector('button').style.display = 'none'")
	shared.do(t, "POST /highlight", shared.body(tab, fmt.Sprintf(`"ref": %q, "timeoutMs": 900`, ref))).Fails(t, 422, "ACT_OPERATION_FAILED", "not visible")
}
