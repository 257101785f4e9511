package around

import (
	"fmt"
	"strings"
	"testing"

	"chela/internal/op"
	"chela/test/chromium"
	"chela/test/service"
)

// withSecrets starts a server that has some secrets. They are for the site of the tests, unless
// their name begins with other.
func withSecrets(t *testing.T) *service.Service {
	t.Helper()
	t.Setenv("CHELA_TEST_PASSWORD", "correct horse battery")
	t.Setenv("CHELA_TEST_USERNAME", "ada@example.com")
	one := func(name, variable, origin string) string {
		return fmt.Sprintf("%q: {from: 'env:%s', for: [%q]}", name, variable, origin)
	}
	return service.Own(t, fmt.Sprintf("{browser: {noSandbox: true, headless: %v, secrets: {", chromium.Headless())+strings.Join([]string{
		one("test/username", "CHELA_TEST_USERNAME", site.URL),
		one("test/password", "CHELA_TEST_PASSWORD", site.URL),
		one("other/password", "CHELA_TEST_PASSWORD", "https://example.com"),
	}, ", ")+"}}}")
}

// These tests share a server and its browser.
func TestSecrets(t *testing.T) {
	s := withSecrets(t)
	for name, test := range map[string]func(*testing.T, *service.Service){
		"entered": secretsAreEntered, "refused": secretsAreRefused,
	} {
		t.Run(name, func(t *testing.T) { test(t, s) })
	}
}

// A secret is put in where a text is entered, and no answer has it.
func secretsAreEntered(t *testing.T, s *service.Service) {
	tab := s.Borrow(t, html(`<form onsubmit="document.title = [a, b].map(f => f.value).join(' '); return false">
<input id=a aria-label=First> <input id=b aria-label=Second> <input id=c aria-label=Short maxlength=4></form>`))
	first, second, short := tab.Ref("First"), tab.Ref("Second"), tab.Ref("Short")
	holds := func(want ...string) {
		t.Helper()
		for i, name := range []string{"a", "b", "c"}[:len(want)] {
			if got := tab.OK("POST /act", args{"kind": "evaluate", "fn": fmt.Sprintf("%s.value === %q", name, want[i])}); got.Text("result") != "true" {
				t.Errorf("field %s does not hold %q: %s", name, want[i], got.Raw)
			}
		}
	}
	tab.Act("type", args{"ref": first, "text": "secret:test/username"})
	tab.Act("type", args{"ref": second, "text": "secret:test/password", "submit": true})
	holds("ada@example.com", "correct horse battery")
	if got := tab.OK("GET /snapshot", nil); strings.Contains(string(got.Raw), "horse") || !strings.Contains(string(got.Raw), "ada@example.com") {
		t.Errorf("a snapshot: %s", got.Raw)
	}
	tab.Act("fill", args{"fields": []args{{"ref": first, "value": "secret:test/password"}, {"ref": second, "value": `\secret:test/password`}}})
	holds("correct horse battery", "secret:test/password")
	if got := tab.Act("fill", args{"fields": []args{{"ref": short, "value": "secret:test/password"}}}); !strings.Contains(got.Text("differ.0.note"), "shortened") || got.Text("differ.0.value") != "" {
		t.Errorf("a field that is too short: %s", got.Raw)
	}
	if got := tab.Act("type", args{"ref": short, "text": "secret:test/password"}); !strings.Contains(got.Text("note"), "shortened") {
		t.Errorf("a field that is too short: %s", got.Raw)
	}
	tab.Act("focus", args{"ref": second})
	tab.Act("insertText", args{"text": "secret:test/username"})
	holds("correct horse battery", "ada@example.com")
	tab.Act("type", args{"text": "secret:test/password"})
	holds("correct horse battery", "correct horse battery")
	tab.Act("batch", args{"actions": []args{{"kind": "type", "ref": second, "text": `\secret:x`}, {"kind": "type", "ref": first, "text": "secret:test/username"}}})
	holds("ada@example.com", "secret:x")
}

// A text that stands for a secret is refused wherever no secret is put in.
func secretsAreRefused(t *testing.T, s *service.Service) {
	tab := s.Borrow(t, html(`<input aria-label=First><select aria-label=Second><option>secret:test/password</select><input type=checkbox aria-label=Third>`))
	first, second, third := tab.Ref("First"), tab.Ref("Second"), tab.Ref("Third")
	const password = "secret:test/password"
	act := func(kind string, more args) args { more["kind"] = kind; return more }
	for _, test := range []struct {
		request string
		args    args
		status  int
		code    op.Code
	}{
		{"POST /act", act("type", args{"ref": first, "text": "secret:test/none"}), 404, op.NoSecret},
		{"POST /act", act("type", args{"ref": first, "text": "secret:other/password"}), 403, op.SecretPlace},
		{"POST /act", act("type", args{"ref": third, "text": password}), 403, op.SecretPlace},
		{"POST /act", act("fill", args{"fields": []args{{"ref": first, "value": "secret:other/password"}}}), 403, op.SecretPlace},
		{"POST /act", act("type", args{"ref": first, "text": password, "slowly": true}), 400, op.ActInvalid},
		{"POST /act", act("fill", args{"fields": []args{{"ref": password, "value": "x"}}}), 400, op.ActInvalid},
		{"POST /act", act("fill", args{"fields": []args{{"ref": third, "type": "checkbox", "value": password}}}), 400, op.ActInvalid},
		{"POST /act", act("click", args{"ref": password}), 400, op.ActInvalid},
		{"POST /act", act("press", args{"key": password}), 400, op.ActInvalid},
		{"POST /act", act("select", args{"ref": second, "values": []string{password}}), 400, op.ActInvalid},
		{"POST /act", act("evaluate", args{"fn": password}), 400, op.ActInvalid},
		{"POST /act", act("batch", args{"actions": []args{{"kind": "press", "key": password}}}), 400, op.ActInvalid},
		{"POST /act", act("batch", args{"actions": []args{{"kind": "batch", "actions": []args{{"kind": "navigate", "url": password}}}}}), 400, op.Invalid},
		{"POST /navigate", args{"url": password}, 400, op.Invalid},
		{"POST /cookies/set", args{"cookie": args{"name": "a", "value": password}}, 400, op.Invalid},
		{"POST /storage/local/set", args{"key": "a", "value": password}, 400, op.Invalid},
	} {
		answer := tab.Do(test.request, test.args)
		if answer.Status != test.status || answer.Text("code") != string(test.code) || test.status != 400 && answer.Text("hint") == "" {
			t.Errorf("%s %v: %d %s", test.request, test.args, answer.Status, answer.Raw)
		}
	}
	if got := tab.OK("POST /find", args{"text": password}); got.Status != 200 {
		t.Errorf("find: %s", got.Raw)
	}
}
