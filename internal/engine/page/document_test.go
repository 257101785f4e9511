package page_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"chela/internal/engine/page"
	"chela/test/pages"
	"chela/test/tab"
)

// documents describes what a tab shows.
func documents(t *testing.T, tt *tab.Tab, ref string) (list []page.Document) {
	t.Helper()
	err := tt.InTurn(10*time.Second, func(ctx context.Context) error {
		list = tt.Documents(ctx, "call@1", ref)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// Each row is a page, what its description contains, and what it does not contain.
func TestDocument(t *testing.T) {
	tt := tab.Empty(t)
	for _, c := range []struct {
		name, html, script string
		has, lacks         []string
	}{
		{"values", `<input id=a value=old><textarea id=b>old</textarea><input id=c type=checkbox><select id=d><option>1<option>2</select>`,
			`a.value = 'new'; b.value = 'more'; c.checked = true; d.selectedIndex = 1`,
			[]string{`"__playwright_value_":"new"`, `"__playwright_value_":"more"`, `"__playwright_checked_":"true"`,
				`["OPTION",{"__playwright_selected_":"false"},"1"]`, `["OPTION",{"__playwright_selected_":"true"},"2"]`}, nil},
		{"passwords", `<input type=password value=geheim>`, ``, []string{`"__playwright_value_":"••••••"`}, []string{"geheim"}},
		{"text shown as discs", `<textarea style="-webkit-text-security:disc">geheim</textarea>`, `document.querySelector('textarea').value += '!'`,
			[]string{`"__playwright_value_":"•••••••"`, `"••••••"]`}, []string{"geheim"}},
		{"scripts", `<script>1</script><noscript>no</noscript><a href="javascript:1" onclick="x()">A</a><meta http-equiv=refresh content="99">`, ``,
			[]string{`["A",{},"A"]`}, []string{"SCRIPT", "javascript:", "onclick", "refresh"}},
		{"positions", `<div id=a style="height:50px;overflow:auto"><p style="height:500px"></div>`, `a.scrollTop = 20`, []string{`"__playwright_scroll_top_":"20"`}, nil},
		{"a shadow root", `<div id=a></div>`, `a.attachShadow({mode: 'open'}).innerHTML = '<b>in</b>'`,
			[]string{`["DIV",{"id":"a"},["template",{"__playwright_shadow_root_":"open"},["B",{},"in"]]]`}, nil},
		{"style sheets of scripts", `<p>x</p>`, `const s = new CSSStyleSheet(); s.replaceSync('p { color: red; }'); document.adoptedStyleSheets = [s]`,
			[]string{`["template",{"__playwright_style_sheet_":"p { color: red; }"}]`}, nil},
		{"rules of scripts", `<style id=a>p { top: 0 }</style>`, `a.sheet.insertRule('b { left: 0px; }')`, []string{`b { left: 0px; }\np { top: 0px; }`}, nil},
		{"rules as they were written", `<style>p { color: var( --x ) }</style>`, ``, []string{`p { color: var( --x ) }`}, nil},
		{"dialogs", `<dialog id=a>x</dialog><div id=b popover>y</div>`, `a.showModal(); b.showPopover()`,
			[]string{`"__playwright_dialog_open_":"modal"`, `"__playwright_popover_open_":"true"`}, []string{`"open"`}},
		{"own elements", `<x-y></x-y>`, `customElements.define('x-y', class extends HTMLElement {})`, []string{`"__playwright_custom_elements__":"x-y"`}, nil},
		{"a form whose fields hide its properties", `<form><input name=attributes><input name=firstChild></form>`, ``, []string{`"name":"firstChild"`}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			navigate(t, tt, pages.HTML(c.html))
			tab.Run[any](tt, "(() => {"+c.script+"})()")
			list := documents(t, tt, "")
			if len(list) != 1 {
				t.Fatalf("got %d documents", len(list))
			}
			_, html, _ := strings.Cut(string(list[0].HTML), `["BASE"`) // the base URL contains the HTML of the page
			_, html, _ = strings.Cut(html, "]")
			for _, part := range c.has {
				if !strings.Contains(html, part) {
					t.Errorf("%s is not in %s", part, html)
				}
			}
			for _, part := range c.lacks {
				if strings.Contains(html, part) {
					t.Errorf("%s is in %s", part, html)
				}
			}
		})
	}
}

func navigate(t *testing.T, tt *tab.Tab, path string) {
	t.Helper()
	err := tt.InTurn(20*time.Second, func(ctx context.Context) error { return tt.Navigate(ctx, tab.Site.URL+path) })
	if err != nil {
		t.Fatal(err)
	}
}

// A document names the iframes in it by their frame ids, whether they are of the same site or not.
// The element that a call is about is marked in the document that contains it.
func TestDocumentsOfFrames(t *testing.T) {
	inner := pages.HTML(`<button>Press</button>`)
	tt := tab.Open(t, pages.HTML(`<iframe src="`+inner+`"></iframe><iframe src="`+tab.Elsewhere()+inner+`"></iframe>`))
	ref := tt.Ref(`button "Press"`)
	list := documents(t, tt, ref)
	if len(list) != 3 || !list[0].Main || list[1].Main {
		t.Fatalf("got %d documents", len(list))
	}
	marked := 0
	for _, d := range list[1:] {
		if !strings.Contains(string(list[0].HTML), `"src":"/snapshot/`+d.Frame+`"`) {
			t.Errorf("the frame %s is not in %s", d.Frame, list[0].HTML)
		}
		if strings.Contains(string(d.HTML), `["BUTTON",{"__playwright_target__":"call@1"},"Press"]`) {
			marked++
		}
	}
	if marked != 1 {
		t.Errorf("%d buttons are marked", marked)
	}
}

// Resources returns style sheets and pictures, but no scripts. It skips files that the caller
// already knows.
func TestResources(t *testing.T) {
	mux := http.NewServeMux()
	for path, file := range map[string][2]string{
		"/{$}":   {"text/html", `<link rel=stylesheet href=a.css><img src=b.svg><img src=c.svg><script src=d.js></script>`},
		"/a.css": {"text/css", "p { color: red; }"},
		"/b.svg": {"image/svg+xml", `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>`},
		"/c.svg": {"image/svg+xml", `<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>`},
		"/d.js":  {"text/javascript", "1"},
	} {
		mux.HandleFunc("GET "+path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", file[0])
			io.WriteString(w, file[1])
		})
	}
	site := httptest.NewServer(mux)
	defer site.Close()
	tt := tab.Empty(t)
	var found []string
	err := tt.InTurn(10*time.Second, func(ctx context.Context) error {
		if err := tt.Navigate(ctx, site.URL); err != nil {
			return err
		}
		for r := range tt.Resources(ctx, func(url string) bool { return strings.HasSuffix(url, "/c.svg") }) {
			found = append(found, strings.TrimPrefix(r.URL, site.URL)+" "+r.MIMEType+" "+string(r.Content[:2]))
		}
		return nil
	})
	slices.Sort(found)
	if want := []string{"/a.css text/css p ", "/b.svg image/svg+xml <s"}; err != nil || !slices.Equal(found, want) {
		t.Errorf("got %q, %v, want %q", found, err, want)
	}
}

// A frame whose parent is not known yet is no main frame.
func TestFrameBeforeItsParent(t *testing.T) {
	tt := tab.Open(t, "/text.html")
	before := tt.Visits()
	page.NavigateChild(tt.Page)
	if got := tt.Visits(); got != before {
		t.Errorf("%d visits, want %d", got, before)
	}
}
