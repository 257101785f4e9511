package lazyregexp_test

import (
	"testing"

	"chela/internal/base/lazyregexp"
)

func TestNew(t *testing.T) {
	wrong := lazyregexp.New("(") // nothing is compiled before the first use
	digits := lazyregexp.New(`^\d+$`)
	first, second := digits(), digits()
	if !first.MatchString("12") || first.MatchString("x") || first != second {
		t.Error("the expression is not the one that was given, or is compiled twice")
	}
	defer func() {
		if recover() == nil {
			t.Error("a wrong expression was taken")
		}
	}()
	wrong()
}
