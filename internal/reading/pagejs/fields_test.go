package pagejs_test

import "testing"

// If there is no time to read a field, the answer says so, and the field does not count as missing.
func TestFieldsWithoutTime(t *testing.T) {
	p := show(t, "<p>One<p>Two")
	var got string
	p.eval(&got, `JSON.stringify(chela.fields({hidden: '', maxChars: 100, maxValues: 100, maxMs: 0, nodes: [{
		id: 0, name: '', ref: 0, selector: '', attr: '', type: '', list: false, limit: 0, fields: [
			{id: 1, name: 'a', ref: 0, selector: 'p', attr: '', type: 'string', list: false, limit: 0, fields: []},
			{id: 2, name: 'b', ref: 0, selector: 'p', attr: '', type: 'string', list: true, limit: 0, fields: []},
		]}]}))`)
	if want := `{"values":[[false,{"of":2,"all":[]}]],"left":91,"late":true}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
