package page

import "testing"

func TestURLPattern(t *testing.T) {
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
		{"*", false},
		{"**", true},
		{"http://*.test/**/cart**", true},
	} {
		if got := urlPattern(s.pattern)(url); got != s.fits {
			t.Errorf("%q: got %v, want %v", s.pattern, got, s.fits)
		}
	}
}
