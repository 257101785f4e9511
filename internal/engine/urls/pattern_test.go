package urls

import "testing"

func TestMatcher(t *testing.T) {
	const url = "http://a.test/shop/cart?item=1.5&all"
	for _, s := range []struct {
		pattern string
		fits    bool
	}{
		{url, true},
		{"shop/cart", true},
		{"item=1.5&all", true},
		{"item=1x5", false},
		{"Shop", false},
		{"http://a.test/*/cart?item=1.5&all", true},
		{"http://a.test/*/cart?item=1x5&all", false},
		{"http://a.test/*", false},
		{"http://a.test/**", true},
		{"**/cart?*", true},
		{"**/cart", false},
		{"*", true},
		{"**", true},
		{"http://*.test/**/cart**", true},
	} {
		if got := Matcher(s.pattern)(url); got != s.fits {
			t.Errorf("%q: got %v, want %v", s.pattern, got, s.fits)
		}
	}
}

// Filter.Wide fits at least the addresses that Filter.Fits fits.
func TestFilter(t *testing.T) {
	const url = "http://a.test/api/users.json?page=1"
	for _, s := range []struct {
		pattern string
		fits    bool
		wide    string
	}{
		{"", true, "*"},
		{"*", true, "*"},
		{url, true, `http://a.test/api/users.json\?page=1`},
		{url + "#part", true, `http://a.test/api/users.json\?page=1`},
		{"HTTP://A.test:80/api/users.json?page=1", true, `http://a.test/api/users.json\?page=1`},
		{"http://a.test/api", false, "http://a.test/api"},
		{"a.test", true, "*a.test*"},
		{"users.json?", true, `*users.json\?*`},
		{"/api/users.json?page=1", true, `http*://*/api/users.json\?page=1`},
		{"/api/**", true, "http*://*/api/*"},
		{"/users.json*", false, "http*://*/users.json*"},
		{"**/users.json*", true, "*/users.json*"},
		{"**/api/**/users.json?page=*", true, `*/api/*users.json\?page=*`},
		{"**/*.{css,json}?*", true, `*/*.*\?*`},
		{"**/*.{css,js}?*", false, `*/*.*\?*`},
		{"**/{a*,users.*}", true, "*/*"},
		{`**/users.json\?*`, true, `*/users.json\?*`},
		{`**/\*`, false, `*/\*`},
		{"{", false, "{"},
		{`{\}`, false, "*"},
		{"**ü", false, "*ü"},
	} {
		f := FilterOf(s.pattern)
		if got := f.Fits(url); got != s.fits || f.Wide != s.wide {
			t.Errorf("%q: got %v and %q, want %v and %q", s.pattern, got, f.Wide, s.fits, s.wide)
		}
	}
}
