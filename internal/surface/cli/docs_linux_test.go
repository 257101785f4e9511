package cli

import (
	"os"
	"testing"
)

// A terminal that nobody has given a size has lines of the usual width. One without styles gets the
// page as it is.
func TestPageAtOtherTerminals(t *testing.T) {
	t.Setenv("TERM", "xterm")
	terminal, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip("no terminals here")
	}
	defer terminal.Close()
	p := program()
	p.Out = terminal
	if got, want := p.readable("one two\nthree\n"), "one two three\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	t.Setenv("TERM", "dumb")
	if got := p.readable("one `two`\n"); got != "one `two`\n" {
		t.Errorf("without styles: got %q", got)
	}
}
