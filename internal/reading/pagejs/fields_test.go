package pagejs_test

import (
	"fmt"
	"strings"
	"testing"
)

// If there is no time to read a field, the answer says so, and the field does not count as missing.
func TestFieldsWithoutTime(t *testing.T) {
	p := show(t, "<p>One<p>Two")
	var got string
	p.eval(&got, `JSON.stringify(chela.fields({hidden: '', maxChars: 100, maxValues: 100, maxMs: 0, nodes: [{
		id: 0, name: '', ref: 0, selector: '', attr: '', type: '', list: false, limit: 0, fields: [
			{id: 1, name: 'a', ref: 0, selector: 'p', attr: '', type: 'string', list: false, limit: 0, fields: []},
			{id: 2, name: 'b', ref: 0, selector: 'p', attr: '', type: 'string', list: true, limit: 0, fields: []},
		]}]}))`)
	if want := `{"values":[[false,{"of":2,"all":[]}]],"left":91,"late":true,"suspects":0}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// Only the elements that a schema names are judged and copied, and of a large one only the beginning.
func TestFieldsOfHTMLReadNoMore(t *testing.T) {
	p := show(t, `<a>One <i style="opacity: 0">two</i></a><section>`+strings.Repeat("<p>many <b>words</b></p>", 3000)+"</section>")
	for _, s := range []struct {
		selector, want string
		most           int // elements whose style is looked at
	}{
		{"a", `"<a>One <i style=\"opacity: 0\"> </i></a>"`, 10},
		{"section", `{"text":"<section><p>many <b>words</b></p>","room":996,"of":0}`, 1000},
	} {
		var got struct {
			Value  string `json:"value"`
			Styles int    `json:"styles"`
		}
		p.eval(&got, fmt.Sprintf(`(() => {
			const compute = getComputedStyle, styles = new Set();
			globalThis.getComputedStyle = (el, part) => { styles.add(el); return compute(el, part); };
			try {
				const {values: [value]} = chela.fields({hidden: 'omit', maxChars: 1000, beyond: 0, maxValues: 100, maxMs: 60_000, nodes: [
					{id: 0, name: '', ref: 0, selector: %q, attr: '', type: 'html', list: false, limit: 0, fields: []}]});
				if (value.text) value.text = value.text.slice(0, 33);
				return {value: JSON.stringify(value), styles: styles.size};
			} finally {
				globalThis.getComputedStyle = compute;
			}
		})()`, s.selector))
		if got.Value != s.want || got.Styles > s.most {
			t.Errorf("%s: got %s, looked at %d styles; want %s, at most %d", s.selector, got.Value, got.Styles, s.want, s.most)
		}
	}
}
