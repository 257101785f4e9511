package page

import "testing"

// A ref that was parsed is written the same, and its numbers count from 1.
func FuzzRef(f *testing.F) {
	for _, text := range []string{"e12", "f2e5", "ax7", "@e12", "ref=e12", "12", "f0e1", "e+1", "e01", "fe1", "e9223372036854775808"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r, ok := ParseRef(text)
		if !ok {
			return
		}
		if again, ok := ParseRef(r.String()); !ok || again != r || r.Number < 1 || r.Frame < 0 {
			t.Errorf("%q is %+v, and that %+v, %v", text, r, again, ok)
		}
	})
}
