package page

import "testing"

// A name is another one if its words have gone. Counts, marks and longer names are the same name.
func TestOtherName(t *testing.T) {
	for _, s := range []struct {
		was, is string
		other   bool
	}{
		{"Save draft", "Delete account", true},
		{"Save draft", "Delete draft", true},
		{"Add to cart", "Remove from cart", true},
		{"Play", "Pause", true},
		{"保存", "删除", true},
		{"Cart (2)", "Cart (3)", false},
		{"12", "13", false},
		{"Save", "Save draft", false},
		{"Follow", "Following", false},
		{"关注", "已关注", false},
		{"Send", "Send…", false},
		{"★", "☆", false},
		{"", "Save", false},
		{"Ann's new house · 59 minutes ago · 3 comments", "Ann's new house · 1 hour ago · 4 comments", false},
		{"A very long na…(200 more characters)", "A very long name indeed", false},
	} {
		if got := isOtherName(s.was, s.is); got != s.other {
			t.Errorf("%q and %q: got %t", s.was, s.is, got)
		}
	}
}
