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
		{"t1", false, true}, {"t007", false, true}, {"EB4700C9776BD2BFCB2BC43BF699DDB8", false, true}, {"EB4700C9776BD2BFCB2BC43BF699DDB", true, false},
	} {
		err := CheckLabel(s.label)
		e, _ := errors.AsType[*LabelError](err)
		if (err == nil) != s.fits || e != nil && *e != (LabelError{s.label, s.asID}) {
			t.Errorf("%q: %+v", s.label, err)
		}
	}
}

// A label names one tab in its session.
func TestSetLabel(t *testing.T) {
	b := &Browser{tabs: *listed("t3=C t2=B t1=A")}
	one, two, other := b.tabs.byID("t1"), b.tabs.byID("t2"), b.tabs.byID("t3")
	one.browser, two.browser, other.browser = b, b, b
	one.owner, two.owner, other.owner = "a", "a", "b"
	for _, s := range []struct {
		tab    *Tab
		before string
	}{{one, ""}, {other, ""}, {two, "t1"}, {two, ""}} {
		if got := s.tab.SetLabel("mine"); got != s.before {
			t.Errorf("%s takes the label from %q, want %q", s.tab.ID, got, s.before)
		}
	}
	if got, err := b.tabs.find("a", "mine"); got != two || one.label != "" {
		t.Errorf("mine is %v, %v; the other has %q", got, err, one.label)
	}
	if got, err := b.tabs.find("b", "mine"); got != other {
		t.Errorf("in the other session, mine is %v, %v", got, err)
	}
}
