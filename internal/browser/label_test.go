package browser

import (
	"errors"
	"strings"
	"testing"
)

func TestCheckLabel(t *testing.T) {
	for _, s := range []struct {
		label      string
		fits, asID bool
	}{
		{"mine", true, false}, {"a.b_c:d-1", true, false}, {strings.Repeat("x", 64), true, false},
		{"t", true, false}, {"t1a", true, false}, {"T1", true, false},
		{"", false, false}, {strings.Repeat("x", 65), false, false}, {"a b", false, false}, {"é", false, false}, {"a/b", false, false},
		{"t1", false, true}, {"t007", false, true},
	} {
		err := CheckLabel(s.label)
		e, _ := errors.AsType[*LabelError](err)
		if (err == nil) != s.fits || e != nil && *e != (LabelError{s.label, s.asID}) {
			t.Errorf("%q: %+v", s.label, err)
		}
	}
}

// A label is that of one tab.
func TestSetLabel(t *testing.T) {
	b := &Browser{tabs: *listed("t2=B t1=A")}
	one, two := b.tabs.byID("t1"), b.tabs.byID("t2")
	one.browser, two.browser = b, b
	one.SetLabel("mine")
	two.SetLabel("mine")
	if got, err := b.tabs.find("mine"); got != two || one.label != "" {
		t.Errorf("mine is %v, %v; the other has %q", got, err, one.label)
	}
}
