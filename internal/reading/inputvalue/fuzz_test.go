package inputvalue

import (
	"errors"
	"testing"
)

// The value that is read has the form that inputs take: reading it again changes nothing.
func FuzzRead(f *testing.F) {
	types := []string{"date", "time", "datetime-local", "month", "week", "range"}
	for i, text := range []string{"4 March 2026", "2 pm", "2026-03-04T14:05:30.25", "March 2026", "week 9 of 2026", "40%", "03/04/2026", "29.2.2023", "24:00", "0.1e1"} {
		f.Add(uint8(i), text, "0", "100", "0.1")
	}
	f.Fuzz(func(t *testing.T, kind uint8, text, least, most, step string) {
		in := Input{Type: types[int(kind)%len(types)], Min: least, Max: most, Step: step}
		value, err := in.Read(text)
		if ambiguous, ok := errors.AsType[*AmbiguousError](err); ok {
			if len(ambiguous.Readings) < 2 {
				t.Errorf("%q as %s: %v", text, in.Type, err)
			}
			value = ambiguous.Readings[0]
		} else if err != nil {
			return
		}
		if again, err := in.Read(value); err != nil || again != value {
			t.Errorf("%q as %+v is %q, and that is %q, %v", text, in, value, again, err)
		}
	})
}
