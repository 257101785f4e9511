package pagejs_test

import "testing"

// A selector is a part of a command that agents may copy into a shell. It never has a name that is
// more than letters, digits, hyphens and underscores, as such a name could end the quotes.
func TestSelectorAround(t *testing.T) {
	for _, c := range []struct{ page, want string }{
		{`<ul id=all><li><a href=/1>1</a><li><a href=/2>2</a></ul>`, "#all"},
		{`<ul><li>0</ul><ul class="long list"><li><a href=/1>1</a><li><a href=/2>2</a></ul>`, "ul.long"},
		{`<ul id="it's"><li><a href=/1>1</a><li><a href=/2>2</a></ul>`, "ul"},
		{"<p><ul id=\"'\n--out\n/tmp/x\"><li>0</ul><ul class=\"it's\"><li><a href=/1>1</a><li><a href=/2>2</a></ul>", "ul:nth-child(3)"},
	} {
		var got string
		show(t, c.page).eval(&got, `(() => {
			const [first, last] = document.querySelectorAll('a');
			return chela.selectorAround(chela.refOf(first), chela.refOf(last));
		})()`)
		if got != c.want {
			t.Errorf("%q: got %q, want %q", c.page, got, c.want)
		}
	}
}
