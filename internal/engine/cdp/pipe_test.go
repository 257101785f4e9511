package cdp

import (
	"bytes"
	"errors"
	"io"
	"testing"
	"testing/iotest"
)

// closer is a stream whose Close does nothing.
type closer struct{ io.ReadWriter }

func (closer) Close() error { return nil }

// Messages arrive as they were written, however the pipe divides them.
func FuzzPipe(f *testing.F) {
	f.Add([]byte(`{"id":1}`), []byte(`{"id":2}`))
	f.Add([]byte{}, []byte("\xff"))
	f.Fuzz(func(t *testing.T, first, second []byte) {
		if bytes.IndexByte(append(append([]byte{}, first...), second...), 0) >= 0 {
			return // no JSON contains a NUL
		}
		var wire bytes.Buffer
		out := Pipe(closer{&wire}, closer{&wire})
		for _, message := range [][]byte{first, second} {
			if err := out.Write(bytes.Clone(message)); err != nil {
				t.Fatal(err)
			}
		}
		in := Pipe(io.NopCloser(iotest.OneByteReader(&wire)), closer{&wire})
		for _, want := range [][]byte{first, second} {
			if got, err := in.Read(); err != nil || !bytes.Equal(got, want) {
				t.Errorf("got %q, %v, want %q", got, err, want)
			}
		}
		if got, err := in.Read(); !errors.Is(err, io.EOF) {
			t.Errorf("then came %q, %v", got, err)
		}
	})
}
