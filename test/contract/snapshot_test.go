package contract

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"chela/internal/op"
	"chela/test/long"
)

const shop = `<title>Shop</title><header><nav aria-label=Main><a href=/text.html>Text</a></nav></header>
<main id=main><h1>Shop</h1><p>All we have</p><ul><li>Tea <button>Buy</button></ul><input aria-label=Secret type=password value=hunter2></main>
<iframe id=inner title=Inner srcdoc="<button>Within</button>"></iframe>`

// A program that looks at truncated learns that an efficient snapshot has not all of a list.
func TestFoldedSnapshotIsTruncated(t *testing.T) {
	tab := shared.open(t, page("<ul>"+strings.Repeat("<li><a href=/>Item</a>", 60)+"</ul>"))
	for mode, want := range map[string]any{"efficient": true, "": nil} {
		if got := shared.ok(t, "GET /snapshot?targetId="+tab+"&mode="+mode, "").Get("truncated"); got != want {
			t.Errorf("mode %q: truncated is %v, want %v", mode, got, want)
		}
	}
}

func TestSnapshotForms(t *testing.T) {
	tab := shared.open(t, page(shop))
	tests := []struct {
		query     string
		has       string // words that the text must have, separated by |
		hasNot    string
		truncated bool
	}{
		{"", "All we have|Buy|Within|Shop", "hunter2", false},
		{"format=ai", "All we have", "/text.html\"", false},
		{"refs=aria", "All we have|Buy", "", false},
		{"refs=all", "All we have|- text [ref=|Within", "", false},
		{"refs=role", "All we have|Buy", "", false},
		{"interactive=true", "button \"Buy\"|link \"Text\"|textbox \"Secret\"", "All we have|hunter2", false},
		{"interactive=1&compact=yes", "button \"Buy\"", "All we have", false},
		{"compact=true", "heading \"Shop\"|Buy", "hunter2", false},
		{"depth=0", "", "Buy|Secret", false},
		{"mode=efficient", "button \"Buy\"", "All we have", false},
		{"efficient=true", "button \"Buy\"", "All we have", false},
		{"urls=true", "/text.html", "hunter2", false},
		{"interactive=true&urls=true", "/text.html", "", false},
		{"selector=%23main", "heading \"Shop\"|Buy", "Within|link \"Text\"", false},
		{"selector=%23main&interactive=true&refs=aria", "button \"Buy\"", "heading|Within", false},
		{"selector=%23nope", "(empty)", "Shop", false},
		{"selector=%23main+h1&interactive=true", "(no interactive elements)", "Shop", false},
		{"frame=%23inner", "button \"Within\"", "Buy", false},
		{"frame=%23inner&refs=aria", "button \"Within\"", "Buy", false},
		{"maxChars=60", "[...TRUNCATED - page too large]", "Within", true},
		{"maxChars=0", "Within", "TRUNCATED", false},
		{"maxChars=abc", "Within", "TRUNCATED", false},
	}
	for _, test := range tests {
		t.Run(test.query, func(t *testing.T) {
			a := shared.ok(t, "GET /snapshot?targetId="+tab+"&"+test.query, "")
			text := a.Text("snapshot")
			for words := range strings.SplitSeq(test.has, "|") {
				if !strings.Contains(text, words) {
					t.Errorf("%q is not in\n%s", words, text)
				}
			}
			for words := range strings.SplitSeq(test.hasNot, "|") {
				if words != "" && strings.Contains(text, words) {
					t.Errorf("%q is in\n%s", words, text)
				}
			}
			refs, ok := a.Get("refs").(map[string]any)
			if !ok || a.Text("format") != "ai" || a.Get("nodes") != nil {
				t.Errorf("not the shape of a text: %s", a.Raw)
			}
			for ref := range refs {
				if !strings.Contains(text, "[ref="+ref+"]") {
					t.Errorf("%s is no ref of\n%s", ref, text)
				}
			}
			stats := a.Get("stats").(map[string]any)
			if got := int(stats["lines"].(float64)); got != 1+strings.Count(text, "\n") || int(stats["refs"].(float64)) != len(refs) {
				t.Errorf("stats %v of %d refs and\n%s", stats, len(refs), text)
			}
			if (a.Get("truncated") == true) != test.truncated {
				t.Errorf("truncated: %v", a.Get("truncated"))
			}
		})
	}
	shared.do(t, "GET /snapshot?frame=%23nope&timeoutMs=700&targetId="+tab, "").Fails(t, 404, "not_found", `no iframe matches "#nope"`)
	shared.do(t, "GET /snapshot?selector=%5B&targetId="+tab, "").Fails(t, 400, "invalid_request", "is not a CSS selector")
}

func TestSnapshotOfEmptyPages(t *testing.T) {
	tab := shared.open(t, "about:blank")
	shared.ok(t, "GET /snapshot?targetId="+tab+"&selector=%23nope", "").Has(t, "noMatch", "true")
	for query, want := range map[string]string{"": "(empty page)", "interactive=true": "(no interactive elements)", "selector=p": "(empty)"} {
		a := shared.ok(t, "GET /snapshot?targetId="+tab+"&"+query, "")
		if refs, ok := a.Get("refs").(map[string]any); a.Text("snapshot") != want || !ok || len(refs) != 0 {
			t.Errorf("%q: %s", query, a.Raw)
		}
	}
	a := shared.ok(t, "GET /snapshot?format=aria&targetId="+tab, "")
	if _, ok := a.Get("nodes").([]any); !ok {
		t.Errorf("aria: %s", a.Raw)
	}
}

func TestAriaSnapshot(t *testing.T) {
	tab := shared.open(t, page(shop))
	a := shared.ok(t, "GET /snapshot?format=aria&targetId="+tab, "")
	nodes := a.Get("nodes").([]any)
	root := nodes[0].(map[string]any)
	if root["ref"] != "ax1" || root["role"] != "RootWebArea" || root["name"] != "Shop" || root["depth"] != 0.0 {
		t.Errorf("root %v", root)
	}
	if a.Text("format") != "aria" || a.Get("snapshot") != nil || a.Get("refs") != nil || strings.Contains(fmt.Sprint(nodes), "hunter2") {
		t.Errorf("shape: %s", a.Raw)
	}
	clicked := slices.ContainsFunc(nodes, func(n any) bool {
		node := n.(map[string]any)
		if node["role"] != "button" || node["name"] != "Buy" {
			return false
		}
		shared.act(t, tab, fmt.Sprintf(`"kind": "click", "ref": %q`, node["ref"]))
		return true
	})
	if !clicked {
		t.Errorf("no button in %s", a.Raw)
	}
	a = shared.ok(t, "GET /snapshot?format=aria&limit=3&targetId="+tab, "")
	if len(a.Get("nodes").([]any)) != 3 || a.Get("truncated") != true {
		t.Errorf("limit: %s", a.Raw)
	}
}

// However much text a page has, and wherever, each format answers a bounded part of it.
func TestSnapshotsAreBounded(t *testing.T) {
	long.Test(t)
	tab := shared.borrow(t, page(`<form></form>`))
	shared.eval(t, tab, `(() => {
		const long = ("needle " + "word ".repeat(40)).repeat(50);
		for (let i = 0; i < 30; i++) {
			const input = Object.assign(document.createElement("input"), { value: long, placeholder: long, title: long });
			const label = document.createElement("label");
			label.append(long, input);
			const link = Object.assign(document.createElement("a"), { href: "/#" + long, title: long });
			link.setAttribute("aria-label", long);
			document.forms[0].append(label, link);
		}
	})()`)
	const marker = "[...TRUNCATED - page too large]"
	for query, most := range map[string]int{
		"": 40000, "urls=true": 40000, "interactive=true&urls=true": 40000, "mode=efficient": 8000, "refs=all": 40000, "compact=true&maxChars=3000": 3000, "format=aria": 200000, "format=aria&maxChars=3000": 3000,
	} {
		a := shared.ok(t, "GET /snapshot?timeoutMs=30000&targetId="+tab+"&"+query, "")
		if len(a.Text("snapshot")) > most || a.Get("truncated") != true || a.Text("format") == "ai" && !strings.HasSuffix(a.Text("snapshot"), marker) {
			t.Errorf("%q: %d characters, truncated %v", query, len(a.Text("snapshot")), a.Get("truncated"))
		}
		if len(a.Raw) > 3*most+1000 {
			t.Errorf("%q: an answer of %d bytes", query, len(a.Raw))
		}
	}
	a := shared.ok(t, "POST /find", shared.body(tab, `"text": "needle", "limit": 200`))
	if len(a.Raw) > 3*40000 {
		t.Errorf("find: an answer of %d bytes", len(a.Raw))
	}
}

// The default mode of snapshots is for commands and the agent tool. A caller over HTTP gets what it
// asks for.
func TestSnapshotDefaultMode(t *testing.T) {
	s := own(t, `{browser: {noSandbox: true, headless: true, snapshotDefaults: {mode: "efficient"}}}`)
	tab := s.open(t, page(shop))
	for query, whole := range map[string]bool{
		"": false, "maxChars=1000": false, "format=ai": true, "compact=true": true, "depth=9": true, "refs=role": true, "format=zzz": false,
	} {
		for surface, whole := range map[op.Surface]bool{op.CommandLine: whole, op.OverHTTP: true} {
			text := s.By(surface).OK(t, "GET /snapshot?targetId="+tab+"&"+query, nil).Text("snapshot")
			if strings.Contains(text, "All we have") != whole {
				t.Errorf("%q, by %q:\n%s", query, surface, text)
			}
		}
	}
}

func TestNewElementsAreMarked(t *testing.T) {
	tab := shared.open(t, page(`<button>Old</button>`))
	if a := shared.ok(t, "GET /snapshot?targetId="+tab, ""); a.Get("newElements") != nil {
		t.Errorf("at first: %s", a.Raw)
	}
	shared.eval(t, tab, `document.body.append(Object.assign(document.createElement("button"), {textContent: "Fresh"}))`)
	a := shared.ok(t, "GET /snapshot?targetId="+tab, "")
	if a.Get("newElements") != 1.0 || !strings.Contains(a.Text("snapshot"), "[new]") || !strings.Contains(a.Text("snapshot"), "1 new element(s) since last snapshot") {
		t.Errorf("then: %s", a.Raw)
	}
}
