package cli

import (
	"os"
	"testing"
)

// For a terminal that reports no size, lines have the usual width. A terminal without styles gets the
// Markdown unchanged.
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
