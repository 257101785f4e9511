package secrets

import (
	"fmt"
	"strings"
	"testing"

	"chela/test/pages"
	"chela/test/service"
)

// input returns the address of a page with this HTML, in which a field has the label field.
func input(at, html string) string { return at + pages.HTML(`<meta charset=utf-8>`+html) }

const labelled = `aria-label=` + field

// Calls that want the secret where it must not be are refused.
func TestRefused(t *testing.T) {
	s := start(t)
	t.Run("places", func(t *testing.T) { wrongPlaces(t, s) })
	t.Run("calls", func(t *testing.T) { wrongCalls(t, s) })
	searchFiles(t, s)
}

// wrongPlaces tries places in which the secret is not entered, though an agent wants it there.
func wrongPlaces(t *testing.T, s *service.Program) {
	form := func(attributes, inner string) string {
		return `<form ` + attributes + `><input type=password ` + labelled + `>` + inner + `</form>`
	}
	otherPort := pages.Elsewhere(site.URL)
	frame := func(attributes, of string) string {
		return fmt.Sprintf(`<iframe %s src="%s"></iframe>`, attributes, of)
	}
	fields := `<input type=password ` + labelled + `>`
	for what, address := range map[string]string{
		"page of another origin":            input(foreign.URL, form("", "")),
		"other name of the same machine":    input(otherPort, form("", "")),
		"frame of another origin":           input(site.URL, frame("", input(foreign.URL, fields))),
		"sandboxed frame":                   input(site.URL, frame("sandbox='allow-scripts allow-forms'", input(site.URL, fields))),
		"data: in a frame":                  input(site.URL, `<iframe src="data:text/html,<input type=password `+labelled+`>"></iframe>`),
		"document that a foreign page made": input(foreign.URL, `<iframe srcdoc="<input type=password `+labelled+`>"></iframe>`),
		"about:blank of a foreign page":     input(foreign.URL, `<iframe id=f></iframe><script>f.contentDocument.body.innerHTML = '<input type=password `+labelled+`>'</script>`),
		"form that posts elsewhere":         input(site.URL, form(`action="`+foreign.URL+`/echo" method=post`, "<button>Log in</button>")),
		"button that posts elsewhere":       input(site.URL, form("", `<button formaction="`+foreign.URL+`/echo">Log in</button>`)),
		"button elsewhere in the page":      input(site.URL, form("id=f", "")+`<button form=f formaction="`+foreign.URL+`/echo">Log in</button>`),
		"form with a field named action":    input(site.URL, form(`action="`+foreign.URL+`/echo"`, `<input name=action value=/here>`)),
		"base of another origin":            input(site.URL, `<base href="`+foreign.URL+`/">`+form("action=echo", "")),
		"form that sends by mail":           input(site.URL, form("action=mailto:a@b.example", "")),
		"text area":                         input(site.URL, `<textarea `+labelled+`></textarea>`),
		"rich text":                         input(site.URL, `<div contenteditable role=textbox `+labelled+`></div>`),
		"search field":                      input(site.URL, `<input type=search `+labelled+`>`),
		"transparent field":                 input(site.URL, `<input type=password style="opacity: 0" `+labelled+`>`),
		"field outside of the window":       input(site.URL, `<input type=password style="position: fixed; left: -5000px" `+labelled+`>`),
		"field of no size":                  input(site.URL, `<input type=password style="width: 1px; height: 1px; padding: 0; border: 0" `+labelled+`>`),
	} {
		t.Run(what, func(t *testing.T) {
			tab := s.Borrow(t, address)
			ref := refOf(tab)
			for kind, more := range map[string]args{
				"type": {"ref": ref, "text": "secret:" + name}, "fill": {"fields": []args{{"ref": ref, "value": "secret:" + name}}},
			} {
				more["kind"], more["timeoutMs"] = kind, 3000
				got := tab.Do("POST /act", more)
				clean(t, kind, got)
				if got.Status != 403 && got.Status != 422 || strings.Contains(got.Raw, `"ok":true`) {
					t.Errorf("%s: got %d %s, want it refused", kind, got.Status, got.Raw)
				}
			}
			if got := tab.Do("GET /snapshot", nil); strings.Contains(got.Raw, shown) {
				t.Errorf("the secret was entered: %s", got.Raw)
			}
		})
	}
}

// refOf returns the ref of the field of a page, even if the field is hidden or in a frame.
func refOf(tab *service.Tab) string {
	tab.Helper()
	ref := ""
	service.Eventually(tab, "the field is listed", func() bool {
		_, after, found := strings.Cut(tab.OK("GET /snapshot", args{"format": "ai", "interactive": true}).Raw, field)
		if found {
			_, after, _ = strings.Cut(after, "[ref=")
			ref, _, _ = strings.Cut(after, "]")
		}
		return found
	})
	return ref
}

// wrongCalls tries calls that would show the secret, or send it somewhere. They are refused before
// anything is done.
func wrongCalls(t *testing.T, s *service.Program) {
	tab := s.Service.Open(t, page(site, ""))
	ref, text := tab.Ref(field), "secret:"+name
	for what, call := range map[string]struct {
		request string
		args    args
	}{
		"as an address":              {"POST /navigate", args{"url": text}},
		"as the address of a tab":    {"POST /tabs/open", args{"url": text}},
		"as a script":                {"POST /act", args{"kind": "evaluate", "fn": text}},
		"as keys":                    {"POST /act", args{"kind": "press", "key": text}},
		"as an option":               {"POST /act", args{"kind": "select", "ref": ref, "values": []string{text}}},
		"as a text to wait for":      {"POST /act", args{"kind": "wait", "text": text, "timeoutMs": 1000}},
		"in a batch":                 {"POST /act", args{"kind": "batch", "actions": []args{{"kind": "press", "key": text}}}},
		"as the answer to a dialog":  {"POST /hooks/dialog", args{"accept": true, "promptText": text}},
		"in storage":                 {"POST /storage/local/set", args{"key": "a", "value": text}},
		"as a cookie":                {"POST /cookies/set", args{"cookie": args{"name": "a", "value": text, "url": site.URL}}},
		"on the clipboard":           {"POST /clipboard/write", args{"text": text}},
		"typed key by key":           {"POST /act", args{"kind": "type", "ref": ref, "text": text, "slowly": true}},
		"of no such name":            {"POST /act", args{"kind": "type", "ref": ref, "text": "secret:no/such"}},
		"for another site":           {"POST /act", args{"kind": "type", "ref": ref, "text": "secret:elsewhere/password"}},
		"in headers of another site": {"POST /set/headers", args{"headers": args{"X-Token": text}, "origins": []string{foreign.URL}}},
		"as the login of another":    {"POST /set/credentials", args{"username": "ada", "password": text, "origins": []string{foreign.URL}}},
	} {
		t.Run(what, func(t *testing.T) {
			got := tab.Do(call.request, call.args)
			clean(t, what, got)
			if got.Status < 400 || got.Status >= 500 || got.Status == 404 && what != "of no such name" {
				t.Errorf("got %d %s, want it refused", got.Status, got.Raw)
			}
		})
	}
	if got := tab.Eval("() => document.querySelector('input').value"); got != "" {
		t.Errorf("the field has %q", got)
	}
}
