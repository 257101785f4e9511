package pagejs_test

import (
	"strconv"
	"testing"
)

// A document with very many fields is not searched for secrets: that would hold up the next call.
func TestVeryManyFields(t *testing.T) {
	for _, c := range []struct {
		fields int
		secret bool
	}{{10, false}, {6000, true}} {
		p := show(t, "")
		p.eval(nil, "void (document.body.innerHTML = '<input name=a value=x>'.repeat("+strconv.Itoa(c.fields)+"))")
		var shown struct {
			Secret bool     `json:"secret"`
			Names  []string `json:"names"`
		}
		p.eval(&shown, "chela.shownTexts()")
		if shown.Secret != c.secret || !c.secret && len(shown.Names) != c.fields {
			t.Errorf("%d fields: secret %t, %d names", c.fields, shown.Secret, len(shown.Names))
		}
	}
}

// The name of a field may be as long as the page likes. Go does not get such a name, so the field may be
// one whose text must not be shown.
func TestVeryLongFieldName(t *testing.T) {
	for _, c := range []struct {
		length int
		secret bool
	}{{100, false}, {1e6, true}} {
		p := show(t, "")
		p.eval(nil, "void (document.body.innerHTML = '<input value=x name=' + 'a'.repeat("+strconv.Itoa(c.length)+") + '>')")
		var shown struct {
			Secret bool     `json:"secret"`
			Names  []string `json:"names"`
		}
		p.eval(&shown, "chela.shownTexts()")
		if shown.Secret != c.secret || len(shown.Names) != 1 || len(shown.Names[0]) > 1000 {
			t.Errorf("a name of %d characters: secret %t, %d names", c.length, shown.Secret, len(shown.Names))
		}
	}
}
