package op_test

import (
	"testing"

	"chela/internal/op"
)

// Text that a person types never names a secret: it is entered as it is.
func TestUnsealed(t *testing.T) {
	for _, text := range []string{"", "x", "secret:a/b", "secret:", `\x`} {
		s := op.Unsealed(text)
		if _, ok := s.Secret(); ok || s.Text() != text {
			t.Errorf("%q: got %q", text, s.Text())
		}
	}
}
