package secrets

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"chela/test/long"
	"chela/test/pages"
	"chela/test/service"
)

// A leaking page shows, sends or keeps the value in some way.
type leaking struct {
	name   string
	script string // of the page; v is the value
	seen   string // a request, or a word that hidden knows: the answer has what the page did, with the value masked; "" is a snapshot
	args   args
	kept   bool // the page keeps the value where a saved state has it
}

// leaks lists what a page of the right site may do with the value. Agents see that the page did it,
// and do not see the value.
func leaks() []leaking {
	evaluate := func(fn string) (string, args) { return "POST /act", args{"kind": "evaluate", "fn": fn} }
	all := []leaking{
		{name: "text of the page", script: `o.textContent = 'You wrote ' + v`},
		{name: "text of the page, in base64", script: `o.textContent = btoa(unescape(encodeURIComponent('a' + v)))`},
		{name: "text of the page, in base64url after two bytes", script: `o.textContent = btoa(unescape(encodeURIComponent('ab' + v + 'c'))).replaceAll('+', '-').replaceAll('/', '_')`},
		{name: "text of the page, percent-encoded", script: `o.textContent = encodeURIComponent(v)`},
		{name: "text of the page, as HTML", script: `o.textContent = v.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&#34;')`},
		{name: "text of the page, as JSON in JSON", script: `o.textContent = JSON.stringify(JSON.stringify({v}))`},
		{name: "text in two elements of a line", script: `o.innerHTML = '<b></b><i></i>'; o.firstChild.textContent = v.slice(0, 6); o.lastChild.textContent = v.slice(6)`},
		{name: "name of a button", script: `document.body.append(Object.assign(document.createElement('button'), {textContent: v}))`},
		{name: "accessible name", script: `const b = document.createElement('button'); b.setAttribute('aria-label', 'Buy ' + v); document.body.append(b)`},
		{name: "alternative text", script: `document.body.append(Object.assign(new Image(), {alt: v, width: 20, height: 20}))`},
		{name: "placeholder of another field", script: `document.body.append(Object.assign(document.createElement('input'), {placeholder: v}))`},
		{name: "value of another field", script: `document.body.append(Object.assign(document.createElement('input'), {value: v}))`},
		{name: "field that becomes text", script: `p.type = 'text'`, seen: "field"},
		{name: "option of a list", script: `const s = document.createElement('select'); s.append(new Option(v)); document.body.append(s)`},
		{name: "content of a pseudo-element", script: `const s = document.createElement('style'); s.textContent = '#o::before { content: "' + v.replaceAll('"', '\\22 ') + '" }'; document.head.append(s)`},
		{name: "title", script: `document.title = v`, seen: "GET /tabs"},
		{name: "address", script: `history.pushState(0, '', '?p=' + encodeURIComponent(v))`, seen: "GET /tabs"},
		{name: "fragment of the address", script: `location.hash = v`, seen: "GET /tabs"},
		{name: "link", script: `o.innerHTML = '<a>Next</a>'; o.firstChild.href = '/next?p=' + encodeURIComponent(v)`, seen: "GET /snapshot", args: args{"urls": true}},
		{name: "console", script: `console.log('got', v)`, seen: "GET /console"},
		{name: "list in the console", script: `console.error([v])`, seen: "GET /console"},
		{name: "text of an error", script: `setTimeout(() => { throw new Error('bad ' + v) })`, seen: "GET /errors"},
		{name: "rejected promise", script: `Promise.reject(new TypeError(v))`, seen: "GET /errors"},
		{name: "dialog", script: `setTimeout(() => alert('Is it ' + v + '?'))`, seen: "GET /dialogs"},
		{name: "address of a request", script: `await fetch('/echo?p=' + encodeURIComponent(v))`, seen: "GET /requests"},
		{name: "body of a request", script: `await fetch('/echo', {method: 'POST', body: JSON.stringify({note: v})})`, seen: "request"},
		{name: "body of a request, as a form", script: `await fetch('/echo', {method: 'POST', body: new URLSearchParams({note: v})})`, seen: "request"},
		{name: "header of a request", script: `await fetch('/echo', {headers: {'X-Token': btoa(unescape(encodeURIComponent(v)))}})`, seen: "request"},
		{name: "local storage", script: `localStorage.note = v`, seen: "GET /storage/local", kept: true},
		{name: "key of session storage", script: `sessionStorage[v] = 1`, seen: "GET /storage/session", kept: true},
		{name: "cookie", script: `document.cookie = 'note=' + encodeURIComponent(v)`, seen: "GET /cookies", kept: true},
		{name: "name of a download", script: `const a = document.createElement('a'); a.download = v + '.txt'; a.href = 'data:text/plain,x'; a.click()`, seen: "GET /downloads/list"},
		{name: "frame of another site", script: `const f = document.createElement('iframe'); f.src = '` + foreign.URL + pages.HTML(`<p id=q></p><script>onmessage = e => { q.textContent = e.data }</script>`) +
			`'; document.body.append(f); await new Promise(done => f.onload = done); f.contentWindow.postMessage(v, '*'); await new Promise(done => setTimeout(done, 100))`},
		{name: "document of another site", script: `setTimeout(() => { location = '` + foreign.URL + `/echo?p=' + encodeURIComponent(v) })`, seen: "gone"},
		{name: "shadow root", script: `o.attachShadow({mode: 'closed'}).innerHTML = '<p></p>'; const d = document.createElement('div'); document.body.append(d); d.attachShadow({mode: 'open'}).textContent = v`},
		{name: "window.name", script: `name = v`},
	}
	for what, fn := range map[string]string{
		"value by evaluate": `() => document.querySelector('input').value`, "value in a list by evaluate": `() => ({all: [document.querySelector('input').value]})`,
		"base64 by evaluate": `() => btoa(unescape(encodeURIComponent(document.querySelector('input').value)))`,
		"UTF-16 by evaluate": `() => btoa([...document.querySelector('input').value].map(c => c + '\0').join(''))`,
		"error by evaluate":  `() => { throw new Error(document.querySelector('input').value) }`,
	} {
		l := leaking{name: what}
		l.seen, l.args = evaluate(fn)
		all = append(all, l)
	}
	return all
}

// readings are requests that read a tab. None of their answers may have the value.
var readings = []struct {
	request string
	args    args
}{
	{"GET /snapshot", nil}, {"GET /snapshot", args{"format": "aria"}}, {"GET /snapshot", args{"format": "ai", "hidden": "on"}}, {"GET /text", nil},
	{"GET /tabs", nil}, {"GET /console", nil}, {"GET /errors", nil}, {"GET /requests", args{"secrets": "true"}}, {"GET /requests", args{"format": "json"}},
	{"GET /dialogs", nil}, {"GET /downloads/list", nil}, {"GET /cookies", nil}, {"GET /storage/local", nil}, {"GET /storage/session", nil},
	{"GET /calls", nil}, {"GET /recorder", nil}, {"GET /", nil},
	{"POST /act", args{"kind": "evaluate", "fn": "() => document.documentElement.outerHTML"}},
	{"POST /act", args{"kind": "evaluate", "fn": "() => [name, location.href, ...[...document.querySelectorAll('input')].map(i => i.value)].join(' ')"}},
}

// ofTheDocument are the values of leaking.seen whose answers are about the shown document only. Other
// answers are also about documents that the tab showed before.
var ofTheDocument = []string{"", "field", "GET /snapshot", "GET /tabs", "POST /act"}

// No answer has the value, whatever the page does with it, and each shows that it did.
func TestPageLeaks(t *testing.T) {
	long.Test(t)
	s := start(t)
	for _, l := range leaks() {
		t.Run(l.name, func(t *testing.T) {
			open := s.Service.Open // a tab that has shown nothing else
			if slices.Contains(ofTheDocument, l.seen) {
				open = s.Borrow
			}
			tab := open(t, page(site, l.script))
			if l.seen == "gone" {
				tab.Act("type", args{"ref": tab.Ref(field), "text": "secret:" + name})
				tab.OK("POST /act", args{"kind": "wait", "url": foreign.URL + "/**", "timeoutMs": 20_000})
			} else {
				enter(tab)
			}
			hidden(t, tab, l)
			for _, r := range readings {
				clean(t, r.request, tab.Do(r.request, args(r.args)))
			}
			if l.kept { // reading a state takes long, as the browser visits each origin that it has shown
				clean(t, "the state", tab.Do("GET /state", nil))
			}
		})
	}
	clean(t, "the state after all", s.OK(t, "GET /state", nil))
	searchFiles(t, s)
}

// hidden checks that the answer which shows what the page did has the name of the secret in place of
// its value.
func hidden(t *testing.T, tab *service.Tab, l leaking) {
	t.Helper()
	var got service.Answer
	shown := shown
	if l.seen == "GET /downloads/list" {
		shown = strings.NewReplacer("/", "-", ":", "-").Replace(shown) // a part of a path
	}
	switch request := l.seen; request {
	case "", "gone":
		got = tab.Do("GET /snapshot", nil)
		if l.name == "window.name" || l.name == "text in two elements of a line" {
			return
		}
	case "field":
		got = tab.Do("GET /snapshot", nil)
		if strings.Contains(got.Raw, field) {
			return
		}
	case "request":
		service.Eventually(t, "the request is listed", func() bool { return strings.Contains(tab.Do("GET /requests", nil).Raw, "/echo") })
		list := tab.Do("GET /requests", args{"filter": "/echo"})
		got = tab.Do(fmt.Sprint("GET /requests/", list.Get("requests.0.id")), args{"secrets": "true"})
	default:
		service.Eventually(t, "the answer shows what the page did", func() bool {
			got = tab.Do(request, l.args)
			return strings.Contains(got.Raw, shown)
		})
	}
	if !strings.Contains(got.Raw, shown) {
		t.Errorf("%s does not show what the page did: %.600s", l.seen, got.Raw)
	}
}

// clean checks that an answer does not have the value.
func clean(t *testing.T, what string, a service.Answer) {
	t.Helper()
	if found := search(a.Raw); found != nil {
		t.Errorf("%s has the value %s: %.600s", what, strings.Join(found, ", "), a.Raw)
	}
}
