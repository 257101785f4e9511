package secrets

import (
	"testing"

	"chela/test/pages"
)

// A secret that was edited in its field is another text, which nothing masks. Neither comparisons nor
// attributes of the field tell it.
func TestEditedSecret(t *testing.T) {
	s := start(t)
	tab := s.Borrow(t, site.URL+pages.HTML(`<meta charset=utf-8><form><input type=password aria-label=`+field+` oninput="this.setAttribute('value', this.value)" onkeyup="document.body.dataset.done = '1'"></form>`))
	ref := tab.Ref(field)
	tab.Act("type", args{"ref": ref, "text": "secret:" + name})
	tab.Act("press", args{"ref": ref, "key": "End"})
	tab.Act("press", args{"ref": ref, "key": "Backspace"})
	rest := value[:len(value)-1]
	if a := tab.OK("POST /expect", args{"ref": ref, "value": rest, "timeoutMs": 300}); a.Text("met") != "false" {
		t.Errorf("the text in the field was guessed: %s", a.Raw)
	}
	a := tab.Do("POST /extract", args{"schema": args{"typed": args{"selector": "input", "attr": "value"}}})
	if got := a.Text("data.typed"); got != "••••" {
		t.Errorf("the attribute says %q: %s", got, a.Raw)
	}
}
