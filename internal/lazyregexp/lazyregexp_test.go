package lazyregexp_test

import (
	"testing"

	"chela/internal/lazyregexp"
)

func TestNew(t *testing.T) {
	wrong := lazyregexp.New("(") // nothing happens before it is used
	digits := lazyregexp.New(`^\d+$`)
	if !digits().MatchString("12") || digits().MatchString("x") || digits() != digits() {
		t.Error("the expression is not the one that was given, or is compiled twice")
	}
	defer func() {
		if recover() == nil {
			t.Error("a wrong expression was taken")
		}
	}()
	wrong()
}
