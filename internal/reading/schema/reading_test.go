package schema

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// toUpper stands for the conversion to Markdown. It reads at most 20 characters.
func toUpper(html string) (string, bool) {
	return strings.ToUpper(html[:min(len(html), 20)]), len(html) > 20
}

func TestData(t *testing.T) {
	object := func(fields ...any) any { return fields }
	for _, s := range []struct {
		schema string
		raw    any
		want   string
	}{
		{`{"a": "x", "b": {"selector": "x", "type": "text"}}`, object(" One\n two\u200b", " One \n\u202etwo "), `{"a":"One two","b":"One \ntwo"}`},
		{`{"a": "<x>", "b c": "x"}`, object("</script>\"\\\x00", "\xff"), `{"a":"</script>\"\\","b c":"` + "\ufffd" + `"}`},
		{`[{"selector": "x", "type": "boolean"}]`, map[string]any{"of": 7.0, "all": []any{"Yes", "no", "✓", "✔️", "×", "maybe", ""}},
			`[true,false,true,true,false,null,null] unreadable [5] boolean "maybe" unreadable [6] boolean ""`},
		{`[{"selector": "x", "type": "date"}]`, map[string]any{"of": 6.0, "all": []any{"2026-03-04", "2026-03-04T10:00:00Z", "2026-03-04 10:00", "4 March 2026", "03/04/2026", "2026-13-04T10:00"}},
			`["2026-03-04","2026-03-04","2026-03-04","2026-03-04",null,null] unreadable [4] date "03/04/2026" unreadable [5] date "2026-13-04T10:00"`},
		{`[{"selector": "x", "type": "date"}]`, map[string]any{"of": 4.0, "all": []any{"2026-03-04 10:00:30.5 +01:00", "2026-03-04 (Wednesday)", "2026-03-04 to 2026-03-09", "2026-03-04 10:00 / 2026-03-05 11:00"}},
			`["2026-03-04","2026-03-04",null,null] unreadable [2] date "2026-03-04 to 2026-03-09" unreadable [3] date "2026-03-04 10:00 / 2026-03-05 11:00"`},
		{`[{"selector": "x", "type": "exists"}]`, map[string]any{"of": 1.0, "all": []any{""}}, `[true]`},
		{`[{"selector": "x", "attr": "y", "default": ["z"]}]`, map[string]any{"of": 2.0, "all": []any{"a", nil}}, `["a",null] missing [1]`},
		{`[{"selector": "x", "default": ["z"]}]`, map[string]any{"of": 0.0, "all": []any{}}, `["z"]`},
		{`[{"selector": "x", "type": "markdown"}]`, map[string]any{"of": 1.0, "all": []any{"<b>a</b>"}}, `["<B>A</B>"]`},
		{`{"a": {"selector": "x", "type": "markdown"}}`, object("<b>a</b> and much more"), `{"a":"<B>A</B> AND MUCH MO"} cut a 20/0`},
		{`{"a": {"selector": "x", "fields": {"n": {"selector": "y", "type": "number"}}}}`, object(object(map[string]any{"text": "1.234", "lang": "de"})), `{"a":{"n":1234}}`},
		{`{"a": {"selector": "x", "type": "number", "decimal": ","}, "b": {"selector": "x", "type": "number", "decimal": "."}}`,
			object("1.234", map[string]any{"text": "1.234", "lang": "de"}), `{"a":1234,"b":1.234}`},
		{`{"a": {"selector": "x", "type": "number"}}`, object(strings.Repeat("word ", 30)), `{"a":null} unreadable a number "` + strings.Repeat("word ", 20) + `…"`},
		{`{"a": {"selector": "x", "type": "number"}, "b": "y"}`, object(map[string]any{"text": "12", "room": 2.0, "of": 4.0}, map[string]any{"text": "😀", "room": 2.0, "of": 9.0}), `{"a":null,"b":"😀"} cut a 2/4 cut b 2/9`},
		{`{"a": "x", "b": "y"}`, false, `null cut  0/0`},
	} {
		root, err := Parse([]byte(s.schema))
		if err != nil {
			t.Fatal(err)
		}
		data := Reading{Root: root, Value: ValueOf(s.raw)}.Data(toUpper)
		if got := reported(data); got != s.want || !json.Valid(data.JSON) {
			t.Errorf("%s:\ngot  %s\nwant %s", s.schema, got, s.want)
		}
	}
}

// reported lists everything that a Data has.
func reported(d Data) string {
	all := []string{string(d.JSON)}
	for _, path := range d.Missing {
		all = append(all, "missing "+path)
	}
	for _, u := range d.Unreadable {
		all = append(all, fmt.Sprintf("unreadable %s %s %q", u.Path, u.Type, u.Text))
	}
	for _, c := range d.Cut {
		all = append(all, fmt.Sprintf("cut %s %d/%d", c.Path, c.Kept, c.Of))
	}
	return strings.Join(all, " ")
}

// If much is missing, the first places are listed, and the others are counted.
func TestListsAreBounded(t *testing.T) {
	root, err := Parse([]byte(`[{"selector": "tr", "fields": {"a": "a", "n": {"selector": "b", "type": "number"}, "l": {"selector": "c"}}}]`))
	if err != nil {
		t.Fatal(err)
	}
	rows := make([]any, 150)
	for i := range rows {
		rows[i] = []any{nil, "x", map[string]any{"text": "y", "room": 1.0, "of": 2.0}}
	}
	d := Reading{Root: root, Value: ValueOf(map[string]any{"of": 150.0, "all": rows})}.Data(nil)
	if len(d.Missing) != 100 || d.MoreMissing != 50 || len(d.Unreadable) != 100 || d.MoreUnreadable != 50 || len(d.Cut) != 100 || d.MoreCut != 50 {
		t.Errorf("%d+%d missing, %d+%d unreadable, %d+%d cut", len(d.Missing), d.MoreMissing, len(d.Unreadable), d.MoreUnreadable, len(d.Cut), d.MoreCut)
	}
	if d.Missing[99] != "[99].a" {
		t.Errorf("the last place is %s", d.Missing[99])
	}
}
